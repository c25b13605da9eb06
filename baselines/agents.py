"""Agents: whoever answers decisions from Views, by name.

An agent sees a View, a mask and a sampler of worlds, never the environment.  Names are ``random``,
``idle`` (does as little as possible), ``heuristic``, and ``ppo:<path of a policy>`` for a trained one.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from outbreak_rl.envs.core.extras import install
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.options import nearest

# sampler(n): n worlds that the agent cannot tell from the true one, as environments to play on.
Sampler = Callable[[int], list[Any]]


class Agent(Protocol):
    """What evaluation, play and training ask of an agent."""

    name: str

    def act(
        self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Sampler | None = None
    ) -> int:
        """The action id for one View record and its mask, int8 (actions,)."""
        ...

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Action ids int64 (n,) for Views int8 (n, bytes) and masks int8 (n, actions)."""
        ...


class Batched:
    """Base of agents that decide for many Views at once."""

    name = "agent"

    def act(
        self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Sampler | None = None
    ) -> int:
        """One decision, as a batch of one."""
        views = np.frombuffer(view.tobytes(), np.int8)[None].copy()
        return int(self.act_batch(views, mask[None], rng)[0])

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Many decisions."""
        raise NotImplementedError


class Single:
    """Base of agents that decide for one View at a time."""

    name = "agent"
    fields: Any

    def act(
        self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Sampler | None = None
    ) -> int:
        """One decision."""
        raise NotImplementedError

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """One decision after the other."""
        records = np.ascontiguousarray(views).view(self.fields.dtype)[:, 0]
        return np.array(
            [self.act(view, mask, rng) for view, mask in zip(records, masks, strict=True)], np.int64
        )


class Random(Batched):
    """Uniform over the legal actions."""

    name = "random"

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A uniform legal action for each mask; raises ValueError for a mask of zeros."""
        sums = np.cumsum(masks, axis=1, dtype=np.int64)
        counts = sums[:, -1]
        if len(counts) and counts.min() < 1:
            raise ValueError(f"mask {int(counts.argmin())} is all zero: nobody is asked there")
        tickets = (rng.random(len(masks)) * counts).astype(np.int64)
        return np.asarray((sums > tickets[:, None]).argmax(axis=1))


class Idle(Batched):
    """Does as little as possible: the first legal one of the game's idle actions, else the lowest legal id."""

    name = "idle"

    def __init__(self, game: Game) -> None:
        if not game.idle:
            raise ValueError(f"{game.id} has no idle player: a turn there cannot be left out")
        self.preferred = np.array(game.idle, np.int64)

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """An action for each mask; nothing is drawn from ``rng``."""
        offered = masks[:, self.preferred]
        return np.asarray(np.where(offered.any(1), self.preferred[offered.argmax(1)], masks.argmax(1)))


def has_heuristic(game: Game) -> bool:
    """Whether the game has a scripted player."""
    return importlib.util.find_spec(f"{__package__}.heuristics.{game.name}") is not None


def has_potential(game: Game) -> bool:
    """Whether the game has a potential by which rewards are shaped in training."""
    return importlib.util.find_spec(f"{__package__}.potentials.{game.name}") is not None


def make_potential(game: Game) -> Callable[[np.ndarray], np.ndarray]:
    """A function from View records (n,) to float32 (n,)."""
    found: Callable[[np.ndarray], np.ndarray]
    found = importlib.import_module(f"{__package__}.potentials.{game.name}").potential
    return found


def make_agent(name: str, game: Game) -> Agent:
    """An agent by name; raises ValueError in one sentence for a name that says nothing."""
    kind, _, argument = name.partition(":")
    if name == "random":
        return Random()
    if name == "idle":
        return Idle(game)
    if name == "heuristic":
        if not has_heuristic(game):
            raise ValueError(f"{game.id} has no scripted player")
        found: Agent = importlib.import_module(f"{__package__}.heuristics.{game.name}").Heuristic()
        return found
    if kind == "ppo" and argument:
        try:
            from .policy import PolicyAgent
        except ImportError as wrong:
            raise ValueError(f"{name!r} needs PyTorch: {install('train')} ({wrong})") from None
        policy: Agent = PolicyAgent.load(argument, game)
        return policy
    known = ["random", "idle", "heuristic", "ppo:PATH"]
    raise ValueError(f"there is no agent {name!r}{nearest(kind, known)}")
