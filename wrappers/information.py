"""What a seat is shown: everything, only what is public, its past, or where cards can be.

All wrap the AEC form (`OutbreakEnv`) of any game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.wrappers import BaseWrapper

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import Observation, OutbreakEnv, check_seed, whole_number
from outbreak_rl.envs.core.counting import Cards
from outbreak_rl.envs.core.events import COLUMNS
from outbreak_rl.envs.core.game import Game, Lanes

Anything = gymnasium.spaces.Space[Any]


class Outbreak(BaseWrapper[str, Observation, int]):
    """Base of wrappers over one of the suite's environments; ``core`` is that environment."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        core = getattr(env, "unwrapped", env)
        if not isinstance(core, OutbreakEnv):
            raise TypeError(
                f"{type(self).__name__} wraps AEC environments of this suite, not {type(core).__name__}"
            )
        self.core: OutbreakEnv = core
        self._space: Anything | None = None

    def seat(self, agent: str) -> int:
        """The seat number of an agent."""
        return self.core.seat(agent)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """The agents to act, in turn; raises RuntimeError before `reset`."""
        self.core.needs_game()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """As the wrapped environment gives it; raises RuntimeError where no agent is left."""
        self.core.needs_agents()
        return super().last(observe)

    def observation_space(self, agent: str) -> Anything:
        """The same object for every agent."""
        self.seat(agent)
        if self._space is None:
            self._space = self.change_space(self.env.observation_space(agent))
        return self._space

    def change_space(self, space: Anything) -> Anything:
        """The observation space from the wrapped environment's."""
        return space


def _with(space: Anything, **more: Anything) -> gymnasium.spaces.Dict:
    assert isinstance(space, gymnasium.spaces.Dict)
    return gymnasium.spaces.Dict({**space.spaces, **more})


class FullInformation(Outbreak):
    """An oracle: adds ``truth``, every number of the State but its random stream, float32.

    For upper bounds and for tests; ``oracle`` marks it, so that nobody takes its results for play.
    """

    oracle = True

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.metadata = {**self.core.metadata, "oracle": True}

    def change_space(self, space: Anything) -> Anything:
        return _with(space, truth=self.core.state_space)

    def observe(self, agent: str) -> Observation:
        """The wrapped observation and the truth."""
        return {**(self.env.observe(agent) or {}), "truth": self.core.state()}


class PublicOnly(Outbreak):
    """What a spectator knows, in place of the own View; the mask is still the agent's own.

    Places are relative to seat 0 for everybody, as in a spectator's View.
    """

    def observe(self, agent: str) -> Observation:
        """A spectator's observation with the agent's mask."""
        seen = dict(self.env.observe(agent) or {})
        view = np.frombuffer(self.core.view(None).tobytes(), np.int8)
        seen["observation"] = (
            view.copy() if self.core.obs == "view" else self.core.game.fields.encode_row(view)
        )
        return seen


class History(Outbreak):
    """Adds ``history``: the last k events as the seat saw them, int32 (k, 7), the newest last.

    Rows are those of `OutbreakEnv.information_state` (kind, seat, two public arguments, whether the
    seat saw the secret ones, two secret arguments); what has not happened yet is a row of -1.
    """

    def __init__(self, env: Any, k: int) -> None:
        super().__init__(env)
        if whole_number("k", k) < 1:
            raise ValueError(f"k is {k}, must be 1 or more")
        self.k = k

    def change_space(self, space: Anything) -> Anything:
        most = np.iinfo(np.int32)
        return _with(space, history=gymnasium.spaces.Box(most.min, most.max, (self.k, COLUMNS), np.int32))

    def observe(self, agent: str) -> Observation:
        """The wrapped observation and the last events."""
        rows = self.core.information_state(agent)[-self.k :]
        history = np.full((self.k, COLUMNS), -1, np.int32)
        history[self.k - len(rows) :] = rows
        return {**(self.env.observe(agent) or {}), "history": history}


class CardCounting(Outbreak):
    """Adds where cards can be: ``expected`` and its standard ``error``, float32, one for each number that
    `counted_names` lists (how many cards of a kind lie at a place, hands counted from the agent).

    Exact, with error 0, where the game knows the mean in closed form (`Cards.expect`): Pandemic and
    Zombicide always, Run for Your Lives until the discards first become the pile, City of Horror but
    for action cards in the draft.  Elsewhere the mean over ``worlds`` worlds that the agent cannot tell
    from the true one (256 by default).
    """

    def __init__(self, env: Any, worlds: int = 256, seed: int = 0) -> None:
        super().__init__(env)
        if whole_number("worlds", worlds) < 2:
            raise ValueError(f"worlds is {worlds}, must be 2 or more")
        if not self.core.game.cards:
            raise TypeError(f"{self.core.game.id} does not say where its cards can lie (Game.cards)")
        self.worlds = worlds
        self.rng = np.random.default_rng(check_seed(seed))

    def change_space(self, space: Anything) -> Anything:
        most = np.iinfo(np.int8).max
        numbers = gymnasium.spaces.Box(0, most, (len(counted_names(self.core.game)),), np.float32)
        return _with(space, expected=numbers, error=numbers)

    def observe(self, agent: str) -> Observation:
        """The wrapped observation, the expected counts and their standard errors."""
        counted = [self.counted(agent, cards) for cards in self.core.game.cards]
        expected, error = (
            np.concatenate([part.ravel() for part in parts]).astype(np.float32)
            for parts in zip(*counted, strict=True)
        )
        return {**(self.env.observe(agent) or {}), "expected": expected, "error": error}

    @cached_property
    def lanes(self) -> Lanes:
        """Where worlds are made."""
        core = self.core
        return Lanes(core.game, self.worlds, core.game.blank(core.options), core.game.tables(core.options))

    def counted(self, agent: str, cards: Cards) -> tuple[np.ndarray, np.ndarray]:
        """How many cards of each kind lie at each place, (places, kinds): the mean and its standard error."""
        tables, seat = self.lanes.tables, self.seat(agent)
        # A closed form is given a world of the agent's, so that it cannot tell what the agent cannot know.
        exact = cards.expect(self.sampled(agent, 1), tables, seat)
        if exact is not None:
            return exact, np.zeros_like(exact)
        counts = cards.count(self.sampled(agent, self.worlds), tables, seat)
        return counts.mean(0), counts.std(0, ddof=1) / np.sqrt(self.worlds)

    def sampled(self, agent: str, n: int) -> np.ndarray:
        """State records (n,), at most ``worlds``, that the agent cannot tell from the truth, in a buffer
        used again."""
        lanes = self.lanes
        truth = np.frombuffer(self.core.get_state(), np.uint8)
        lanes.states.view(np.uint8).reshape(self.worlds, -1)[:n] = truth
        lanes.books["input"][:n] = self.rng.integers(1 << 62, size=n)
        lanes.serve(kernel.RESAMPLE, 0, n, self.seat(agent))
        return lanes.states[:n]


def counted_names(game: Game) -> list[str]:
    """Names of the numbers that `CardCounting` adds, in order, such as ``cards: hand +2: bus``."""
    return [name for cards in game.cards for name in cards.names]


class Determinized(Outbreak):
    """For search: ``worlds(agent, n)`` gives environments that the agent cannot tell from this one."""

    def __init__(self, env: Any, seed: int = 0) -> None:
        super().__init__(env)
        self.rng = np.random.default_rng(check_seed(seed))

    def worlds(self, agent: str, n: int) -> list[OutbreakEnv]:
        """n independent worlds with dice of their own; the environment's own dice are not touched."""
        return [self.core.resampled(agent, int(seed)) for seed in self.rng.integers(1 << 62, size=n)]

    def sampler(self, agent: str) -> Callable[[int], list[OutbreakEnv]]:
        """What agents are given to ask for worlds."""
        return lambda n: self.worlds(agent, n)
