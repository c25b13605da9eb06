"""Gymnasium forms: one seat among given policies, or one mind that acts for every seat.

The observation is the acting seat's alone (features or View, a Box), its mask stands in
``info["action_mask"]`` and is given by ``action_masks()``, as MaskablePPO asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.aec import OutbreakEnv, check_seed, observation_space
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.game import Game

MOST_UNASKED = 1000  # games running that end before the learner is asked
ALL = "all"
ANY = "any"


class Policy(Protocol):
    """Who plays the other seats; the agents of `outbreak_rl.baselines` are such."""

    def act(self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Any = None) -> int:
        """The action id for one View record and its mask, int8 (actions,)."""
        ...

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Action ids int64 (n,) for Views int8 (n, bytes) and masks int8 (n, actions)."""
        ...


class Uniform:
    """Plays uniformly over the legal actions."""

    def act(self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Any = None) -> int:
        """A uniform legal action."""
        return int(rng.choice(mask.nonzero()[0]))

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A uniform legal action in each row."""
        return np.asarray((rng.random(masks.shape) * masks).argmax(1))


def make(
    game: str,
    seat: int | str | None = None,
    others: Policy | Sequence[Policy] | None = None,
    obs: str = "features",
    render_mode: str | None = None,
    strict: bool = False,
    **options: Any,
) -> SingleEnv:
    """What ``gymnasium.make("outbreak/<game>", ...)`` calls: see `SingleEnv`."""
    return SingleEnv(
        find_game(game), seat, others, obs=obs, render_mode=render_mode, strict=strict, options=options
    )


def make_vector(
    game: str,
    num_envs: int = 1,
    seat: int | str | None = None,
    others: Policy | None = None,
    obs: str = "features",
    threads: int = 1,
    variants: Sequence[Mapping[str, Any]] | None = None,
    **options: Any,
) -> SingleVectorEnv:
    """What ``gymnasium.make_vec("outbreak/<game>", num_envs, ...)`` calls: see `SingleVectorEnv`."""
    given = variants if variants is not None else [options]
    if variants is not None and options:
        raise ValueError("give either variants or single options, not both")
    return SingleVectorEnv(find_game(game), num_envs, seat, others, obs=obs, threads=threads, variants=given)


def _spaces(game: Game, obs: str) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Discrete[np.int64]]:
    if obs not in ("features", "view"):
        raise ValueError(f"obs is {obs!r}, must be 'features' or 'view'")
    box = cast(gymnasium.spaces.Box, observation_space(game, obs)["observation"])
    return box, gymnasium.spaces.Discrete(game.actions.size)


def _checked_seat(game: Game, seat: int | str | None, players: int) -> int | str:
    """The seat asked for; by default all of a cooperative game, and the first of another."""
    if seat is None:
        return ALL if game.cooperative else 0
    if seat in (ALL, ANY):
        return seat
    if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < players:
        return int(seat)
    raise ValueError(f"seat is {seat!r}, must be 'all', 'any' or 0 to {players - 1}")


def _never_asked(seat: int) -> str:
    return (
        f"seat {seat} was asked nothing in {MOST_UNASKED} games running: give another seat, or options "
        "under which it has a decision"
    )


def _checked_policy(policy: Any, game: Game) -> Policy:
    if isinstance(policy, str):
        raise TypeError(
            f"others have {policy!r}, must be policies with act and act_batch: make_agent({policy!r}, GAME) from "
            f"outbreak_rl.baselines.agents gives one, GAME = outbreak_rl.envs.game({game.id!r})"
        )
    if isinstance(policy, type) or not all(
        callable(getattr(policy, name, None)) for name in ("act", "act_batch")
    ):
        raise TypeError(f"others have {policy!r}, must be policies with act and act_batch, such as Uniform()")
    return cast(Policy, policy)


class SingleEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One game for one learner.

    seat: which seat it plays; ``"any"``: another one each game; ``"all"``: every seat in turn, each
    time with that seat's observation alone.  The default is 0, or ``"all"`` in cooperative games.
    others: a policy for all other seats, or one for each of them in order (uniform by default).
    obs: ``"features"`` (float32 in [0, 1]) or ``"view"`` (int8).  strict: an illegal action raises
    and changes nothing; otherwise it ends the game with the game's worst reward.

    The reward is that of the seat; with ``"all"`` the mean over the seats, which says something in
    cooperative games.  ``info`` has ``action_mask`` (int8), ``seat`` and ``rewards`` (all seats').
    """

    metadata = OutbreakEnv.metadata

    def __init__(
        self,
        game: Game,
        seat: int | str | None = None,
        others: Policy | Sequence[Policy] | None = None,
        *,
        obs: str = "features",
        render_mode: str | None = None,
        strict: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.observation_space, self.action_space = _spaces(game, obs)
        made = game.make_options(**(options or {}))
        self.aec = OutbreakEnv(game, made, obs=obs, render_mode=render_mode, strict=strict)
        self.metadata = self.aec.metadata
        self.render_mode = render_mode
        players = len(self.aec.possible_agents)
        self.wanted = _checked_seat(game, seat, players)
        rest = players - 1
        several = isinstance(others, Sequence) and not isinstance(others, str)
        given = others if several else [others or Uniform()] * rest
        self.others = [_checked_policy(policy, game) for policy in cast(Sequence[Any], given)]
        if self.wanted != ALL and len(self.others) != rest:
            raise ValueError(
                f"others are {len(self.others)} policies, must be one, or one for each of {rest} seats"
            )
        self.seat = 0 if isinstance(self.wanted, str) else self.wanted
        self._action_mask = np.zeros(game.actions.size, np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a new game; the same seed deals as the AEC form does.

        A game that ends before the learner is asked is dealt anew.  Raises RuntimeError where that
        happens time and again, as these options never ask the learner.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        deal = int(self.np_random.integers(1 << 31)) if seed is None else seed
        for _ in range(MOST_UNASKED):
            if self.wanted == ANY:
                self.seat = int(self.np_random.integers(len(self.aec.possible_agents)))
            self.aec.reset(deal, options)
            self._play_others()
            if not self.aec.over:
                return self._observe()
            deal = int(self.np_random.integers(1 << 31))
        raise RuntimeError(_never_asked(self.seat))

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an action id, then the other seats until the learner is asked again."""
        aec = self.aec
        if aec.over:
            raise gymnasium.error.ResetNeeded("the game has ended (or has not begun): call reset()")
        aec.step(action)
        self._play_others()
        observation, info = self._observe()
        rewards = list(aec.rewards.values())
        reward = sum(rewards) / len(rewards) if self.wanted == ALL else rewards[self.seat]
        ended = aec.possible_agents[0]
        return observation, float(reward), bool(aec.terminations[ended]), bool(aec.truncations[ended]), info

    def _play_others(self) -> None:
        aec = self.aec
        while not aec.over:
            asked = aec.possible_agents.index(aec.agent_selection)
            if self.wanted == ALL:
                self.seat = asked
            if asked == self.seat:
                return
            policy = self.others[asked - (asked > self.seat)]
            view = aec.view(aec.agent_selection)
            mask = aec.observe(aec.agent_selection)["action_mask"]
            aec.step(policy.act(view, mask, self.np_random, self._sampler(aec.agent_selection)))

    def _sampler(self, agent: str) -> Callable[[int], list[OutbreakEnv]]:
        def worlds(n: int) -> list[OutbreakEnv]:
            return [self.aec.resampled(agent, int(seed)) for seed in self.np_random.integers(1 << 62, size=n)]

        return worlds

    def _observe(self) -> tuple[np.ndarray, dict[str, Any]]:
        seen = self.aec.observe(self.aec.possible_agents[self.seat])
        self._action_mask = seen["action_mask"]
        rewards = np.array(list(self.aec.rewards.values()), np.float32)
        return seen["observation"], {
            "action_mask": seen["action_mask"],
            "seat": self.seat,
            "rewards": rewards,
        }

    def action_masks(self) -> np.ndarray:
        """bool (actions,): what the learner may do now."""
        return self._action_mask.astype(bool)

    def render(self) -> Any:
        """The picture of `render_mode`, with what the learner's seat may see."""
        self.aec.render_agent = self.aec.possible_agents[self.seat]
        return self.aec.render()


class SingleVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games for one learner, over one BatchEnv.

    Arguments as for `SingleEnv` (``others`` is one policy), besides ``variants``: option sets mixed
    over the games.  Ended games are dealt anew in the same step; ``infos["final_obs"]`` and
    ``infos["final_info"]`` keep how they ended, ``infos["_final_obs"]`` says where.  An illegal
    action raises and changes nothing.  ``infos["action_mask"]``: int8 (n, actions), as
    ``action_masks()``, which is bool; ``infos["seat"]``: int64 (n,).
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seat: int | str | None = None,
        others: Policy | None = None,
        *,
        obs: str = "features",
        threads: int = 1,
        variants: Sequence[Mapping[str, Any]] = ({},),
    ) -> None:
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.game, self.obs, self.num_envs = game, obs, num_envs
        self.batch = BatchEnv(game, num_envs, variants=variants, threads=threads)
        self.wanted = _checked_seat(game, seat, min(int(options.players) for options in self.batch.options))
        self.others = _checked_policy(others or Uniform(), game)
        self.single_observation_space, self.single_action_space = _spaces(game, obs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        self._fresh = np.zeros(num_envs, bool)
        self._unasked = np.zeros(num_envs, np.int64)  # games running in which the learner was asked nothing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal all games anew."""
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        self.batch.reset(seed=int(self.np_random.integers(1 << 31)) if seed is None else seed)
        self._fresh[:] = True
        self._unasked[:] = 0
        self._take_seats(np.arange(self.num_envs))
        self._play_others(np.zeros((self.num_envs, self.game.most_seats), np.float32), {})
        return self._observe(), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One action of the learner in every game, then the others until it is asked in all."""
        batch, n = self.batch, self.num_envs
        players = batch.players.copy()
        who = self.seats.copy()
        rewards = np.zeros((n, self.game.most_seats), np.float32)
        ended: dict[int, np.ndarray] = {}
        self._fresh[:] = False
        self._unasked[:] = 0
        cut = np.zeros(n, bool)
        self._play(np.arange(n), np.asarray(actions), rewards, ended, cut)
        self._play_others(rewards, ended, cut)
        mine = rewards.sum(1) / players if self.wanted == ALL else rewards[np.arange(n), who]
        over = np.array([lane in ended for lane in range(n)])
        infos = self._infos()
        if ended:
            last = np.zeros((n, self.game.fields.size), np.int8)
            for lane, view in ended.items():
                last[lane] = view
            infos["final_obs"] = last if self.obs == "view" else self.game.fields.encode(last)
            infos["_final_obs"] = infos["_final_info"] = over
            infos["final_info"] = {"rewards": rewards, "_rewards": over}
        return self._observe(), mine.astype(np.float64), over & ~cut, over & cut, infos

    def _play_others(
        self, rewards: np.ndarray, ended: dict[int, np.ndarray], cut: np.ndarray | None = None
    ) -> None:
        if self.wanted == ALL:
            self.seats[:] = self.batch.seats
            return
        while True:
            lanes = np.flatnonzero(self.batch.seats != self.seats)
            if not len(lanes):
                return
            views, masks = self.batch.flat_views[lanes], self.batch.masks[lanes]
            actions = self.others.act_batch(views, masks, self.np_random)
            self._play(lanes, actions, rewards, ended, cut)

    def _play(
        self,
        lanes: np.ndarray,
        actions: np.ndarray,
        rewards: np.ndarray,
        ended: dict[int, np.ndarray],
        cut: np.ndarray | None,
    ) -> None:
        """Play in some lanes; a game that ends is noted, unless the learner was never asked in it."""
        batch = self.batch
        seats = self.seats.copy()
        batch.step_lanes(lanes, actions)
        over = lanes[(batch.terminated | batch.truncated)[lanes]]
        rewards[lanes] += np.where(self._fresh[lanes, None], 0.0, batch.rewards[lanes])
        noted = over[~self._fresh[over]]
        if len(noted):
            final = batch.observe(seats % np.maximum(batch.final_states["players"], 1), final=True)
            for lane in noted.tolist():
                ended[lane] = final[lane]
            if cut is not None:
                cut[noted] = batch.truncated[noted]
        self._unasked[over[self._fresh[over]]] += 1
        if self._unasked.max() >= MOST_UNASKED:
            raise RuntimeError(_never_asked(int(seats[self._unasked.argmax()])))
        self._fresh[over] = True
        self._take_seats(over)

    def _take_seats(self, lanes: np.ndarray) -> None:
        if self.wanted == ANY:
            self.seats[lanes] = (self.np_random.random(len(lanes)) * self.batch.players[lanes]).astype(
                np.int64
            )
        elif self.wanted == ALL:
            self.seats[lanes] = self.batch.seats[lanes]
        else:
            self.seats[lanes] = cast(int, self.wanted)

    def _observe(self) -> np.ndarray:
        views = self.batch.flat_views
        return views.copy() if self.obs == "view" else self.game.fields.encode(views)

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, bool)
        return {
            "action_mask": self.batch.masks.copy(), "_action_mask": everywhere,
            "seat": self.seats.copy(), "_seat": everywhere,
        }  # fmt: skip

    def action_masks(self) -> np.ndarray:
        """bool (n, actions): what the learner may do now in each game."""
        return self.batch.masks.astype(bool)
