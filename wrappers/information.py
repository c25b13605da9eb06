"""What a seat is shown: everything, only what is public, its past, or what it can infer.

All wrap the AEC form (`OutbreakEnv`) of any game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.utils.wrappers import BaseWrapper

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import Observation, OutbreakEnv
from outbreak_rl.envs.core.events import COLUMNS
from outbreak_rl.envs.core.game import Game, Lanes
from outbreak_rl.envs.core.state import numbers

Anything = gymnasium.spaces.Space[Any]


class Outbreak(BaseWrapper[str, Observation, int]):
    """Base of wrappers over one of the suite's environments; ``core`` is that environment."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, OutbreakEnv):
            raise TypeError(
                f"{type(self).__name__} wraps environments of this suite, not {type(env.unwrapped).__name__}"
            )
        self.core: OutbreakEnv = env.unwrapped
        self._space: Anything | None = None

    def seat(self, agent: str) -> int:
        """The seat number of an agent."""
        return self.core.possible_agents.index(agent)

    def observation_space(self, agent: str) -> Anything:
        """The same object for every agent."""
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
        if k < 1:
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
    """Adds where things can be: ``expected`` and its standard ``error``, float32, one for each number
    of the State that `number_names` lists.

    The mean over ``worlds`` worlds that the agent cannot tell from the true one (256 by default);
    what is the same in all of them has error 0.
    """

    def __init__(self, env: Any, worlds: int = 256, seed: int = 0) -> None:
        super().__init__(env)
        if worlds < 2:
            raise ValueError(f"worlds is {worlds}, must be 2 or more")
        self.worlds = worlds
        self.rng = np.random.default_rng(seed)
        self._lanes: Lanes | None = None

    def change_space(self, space: Anything) -> Anything:
        return _with(space, expected=self.core.state_space, error=self.core.state_space)

    def observe(self, agent: str) -> Observation:
        """The wrapped observation, the expected truth and the standard error of the expectation."""
        values = numbers(self.sampled(agent)).astype(np.float64)
        error = values.std(0, ddof=1) / np.sqrt(self.worlds)
        counted = {"expected": values.mean(0).astype(np.float32), "error": error.astype(np.float32)}
        return {**(self.env.observe(agent) or {}), **counted}

    def sampled(self, agent: str) -> np.ndarray:
        """State records (worlds,) that the agent cannot tell from the truth, in a buffer used again."""
        core = self.core
        if self._lanes is None:
            self._lanes = Lanes(
                core.game, self.worlds, core.game.blank(core.options), core.game.tables(core.options)
            )
        lanes = self._lanes
        truth = np.frombuffer(core.get_state(), np.uint8)
        lanes.states.view(np.uint8).reshape(self.worlds, -1)[:] = truth
        lanes.books["input"] = self.rng.integers(1 << 62, size=self.worlds)
        lanes.serve(kernel.RESAMPLE, 0, self.worlds, self.seat(agent))
        return lanes.states


def number_names(game: Game) -> list[str]:
    """Names of the numbers in `OutbreakEnv.state`, in order, such as ``seats[2].hand[7]``."""
    return [
        template.format(*index)
        for name in game.state.names or ()
        if name != "random"
        for template, shape in _leaves(game.state[name], name, ())
        for index in np.ndindex(*shape)
    ]


def _leaves(dtype: np.dtype[Any], template: str, shape: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
    """Each number or array of numbers in a record: its name with a gap for every index, and its shape."""
    base, own = dtype.subdtype or (dtype, ())
    template += "[{}]" * len(own)
    if base.names is None:
        return [(template, shape + own)]
    return [leaf for name in base.names for leaf in _leaves(base[name], f"{template}.{name}", shape + own)]


class Determinized(Outbreak):
    """For search: ``worlds(agent, n)`` gives environments that the agent cannot tell from this one."""

    def __init__(self, env: Any, seed: int = 0) -> None:
        super().__init__(env)
        self.rng = np.random.default_rng(seed)

    def worlds(self, agent: str, n: int) -> list[OutbreakEnv]:
        """n independent worlds with dice of their own; the environment's own dice are not touched."""
        return [self.core.resampled(agent, int(seed)) for seed in self.rng.integers(1 << 62, size=n)]

    def sampler(self, agent: str) -> Callable[[int], list[OutbreakEnv]]:
        """What agents are given to ask for worlds."""
        return lambda n: self.worlds(agent, n)
