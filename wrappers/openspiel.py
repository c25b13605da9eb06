"""An OpenSpiel game over any number of worlds: for ISMCTS, best responses and exploitability.

A chance node at the root chooses one of the given environments, each as it stands (its position and
its dice); what follows is decided by the players alone.  Such a game is finite and exact: a value
that OpenSpiel computes is the value over these worlds, not over all deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyspiel
from open_spiel.python import policy

from outbreak_rl.envs.core.aec import OutbreakEnv


def deals(game: Any, seeds: Sequence[int], **options: Any) -> list[OutbreakEnv]:
    """Environments of a game (`Game`) dealt from the seeds: worlds for `OutbreakGame`."""
    found = []
    for seed in seeds:
        env = OutbreakEnv(game, game.make_options(**options), strict=True)
        env.reset(seed)
        found.append(env)
    return found


def worlds_like(env: OutbreakEnv, n: int, seed: int = 0) -> list[OutbreakEnv]:
    """n worlds that a spectator cannot tell from an environment, for games from a position."""
    seeds = np.random.default_rng(seed).integers(1 << 62, size=n)
    return [env.resampled(None, int(number)) for number in seeds]


class Likely(Protocol):
    """An agent that says how likely it plays each action."""

    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float32 (n, actions) for Views int8 (n, bytes) and masks int8 (n, actions)."""
        ...


class OutbreakGame(pyspiel.Game):  # type: ignore[misc]
    """worlds: environments of one game with the same options, equally likely at the root."""

    def __init__(self, worlds: Sequence[OutbreakEnv]) -> None:
        first = worlds[0]
        if any(world.options != first.options or world.game is not first.game for world in worlds):
            raise ValueError("the worlds must be of one game with the same options")
        self.worlds = [world.clone() for world in worlds]
        players = len(first.possible_agents)
        kind = pyspiel.GameType(
            short_name=f"outbreak_{first.game.name}",
            long_name=first.game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.IDENTICAL
            if first.game.cooperative
            else pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
        )
        about = pyspiel.GameInfo(
            num_distinct_actions=first.game.actions.size,
            max_chance_outcomes=len(worlds),
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=1 << 20,
        )
        super().__init__(kind, about, {})

    def __deepcopy__(self, memo: dict[int, Any]) -> OutbreakGame:
        return self  # OpenSpiel copies a state's attributes deeply; the worlds are never changed

    def new_initial_state(self) -> OutbreakState:
        """The chance node at the root."""
        return OutbreakState(self)


class OutbreakState(pyspiel.State):  # type: ignore[misc]
    """A state of `OutbreakGame`; ``env`` is the environment there (None at the root)."""

    def __init__(self, game: OutbreakGame) -> None:
        super().__init__(game)
        self.outbreak = game
        self.env: OutbreakEnv | None = None
        self.known: list[bytes] = []  # what each player knew when its event log began

    def current_player(self) -> int:
        """The seat that is asked, or the id of the chance player or of the end."""
        if self.env is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.env.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.env.possible_agents.index(self.env.agent_selection)

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.env is not None and self.env.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The worlds, equally likely."""
        n = len(self.outbreak.worlds)
        return [(world, 1 / n) for world in range(n)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.env is not None
        mask = self.env.observe(self.env.possible_agents[player])["action_mask"]
        return [int(action) for action in mask.nonzero()[0]]

    def _apply_action(self, action: int) -> None:
        if self.env is not None:
            self.env.step(int(action))
            return
        self.env = self.outbreak.worlds[action].clone()
        self.known = [self.observation(player) + self._events(player) for player in range(self.num_players())]
        self.env.set_state(self.env.get_state())  # the event log starts anew

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"world {action}"
        return self.outbreak.worlds[0].action_text(int(action))

    def returns(self) -> list[float]:
        """Rewards of all seats, zero before the end."""
        if self.env is None or not self.env.over:
            return [0.0] * self.num_players()
        return [float(self.env.rewards[agent]) for agent in self.env.possible_agents]

    def observation(self, player: int) -> bytes:
        """A player's View."""
        assert self.env is not None
        return self.env.view(self.env.possible_agents[player]).tobytes()

    def _events(self, player: int) -> bytes:
        assert self.env is not None
        return self.env.information_state(self.env.possible_agents[player]).tobytes()

    def information_state_string(self, player: int | None = None) -> str:
        """A digest of everything the player has seen and done."""
        seat = self.current_player() if player is None else player
        return f"{seat} {hashlib.sha256(self.known[seat] + self._events(seat)).hexdigest()}"

    def observation_string(self, player: int | None = None) -> str:
        """The player's View as hexadecimal digits."""
        seat = self.current_player() if player is None else player
        return f"{seat} {self.observation(seat).hex()}"

    def resample_from_infostate(self, player: int, sampler: Any) -> OutbreakState:
        """A state that the player cannot tell from this one (``sampler()`` gives numbers in 0 .. 1)."""
        assert self.env is not None
        new = OutbreakState(self.outbreak)
        new.env = self.env.resampled(self.env.possible_agents[player], int(sampler() * (1 << 52)))
        new.known = [new.observation(other) for other in range(self.num_players())]
        new.known[player] = self.known[player] + self._events(player)
        return new

    def __str__(self) -> str:
        return "root" if self.env is None else self.env.draw("text", None)


class AgentPolicy(policy.Policy):  # type: ignore[misc]
    """An agent as OpenSpiel's policy of all seats, for exact values and exploitability."""

    def __init__(self, game: OutbreakGame, agent: Likely) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.agent = agent
        self._found: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: OutbreakState, player_id: int | None = None) -> dict[int, float]:
        """The probabilities of the legal actions in a state."""
        key = state.observation_string()
        if key not in self._found:
            legal = state.legal_actions()
            mask = np.zeros((1, state.outbreak.num_distinct_actions()), np.int8)
            mask[0, legal] = 1
            view = np.frombuffer(bytearray(state.observation(state.current_player())), np.int8)
            likely = self.agent.probabilities(view[None], mask)[0].astype(np.float64)
            self._found[key] = {action: float(likely[action] / likely.sum()) for action in legal}
        return self._found[key]
