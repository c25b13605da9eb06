"""Agents: whoever answers decisions from Views, by name.

An agent sees a View, a mask and a sampler of worlds, never the environment.  Names are ``random``,
``idle`` (does as little as possible), ``heuristic``, ``ppo:<path of a policy>`` for a trained one, and
``path/to/file.py:Class`` or ``package.module:Class`` for one of your own: a subclass of `Single` (has
``act``), of `Batched` (has ``act_batch``), or any class with the methods of `Agent`.  It is made without
arguments, or as ``Class(game=...)`` where it has a parameter ``game``.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, cast

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
    """Base of agents that decide for one View at a time.

    ``fields``, the game's, may be left out by agents that come by `make_agent` or go through `checked`.
    """

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
    place, _, wanted = name.rpartition(":")
    if kind != "ppo" and wanted.isidentifier() and (place.endswith(".py") or _is_dotted(place)):
        return _own(name, place, wanted, game)
    if name.endswith(".py"):
        raise ValueError(f"agent {name!r} must name its class, such as {name}:Class")
    known = ["random", "idle", "heuristic", "ppo:PATH", "FILE.py:Class"]
    raise ValueError(f"there is no agent {name!r}{nearest(kind, known)}")


def checked(agent: Any, game: Game, called: str = "") -> Agent:
    """The agent, if it is one; raises ValueError that says what it lacks.  A `Single` without ``fields``
    gets those of the game."""
    called = called or repr(agent)
    if isinstance(agent, type):
        raise ValueError(f"{called} is a class, must be an agent: {agent.__name__}(...)")
    missing = [method for method in ("act", "act_batch") if not callable(getattr(agent, method, None))]
    missing += ["act"] if getattr(type(agent), "act", None) is Single.act else []
    missing += ["act_batch"] if getattr(type(agent), "act_batch", None) is Batched.act_batch else []
    if not isinstance(getattr(agent, "name", None), str):
        missing.append("name")
    if missing:
        raise ValueError(
            f"{called} is no agent: it has no {', '.join(missing)} (see outbreak_rl.baselines.agents.Single)"
        )
    if isinstance(agent, Single) and not hasattr(agent, "fields"):
        agent.fields = game.fields
    return cast(Agent, agent)


def _own(called: str, place: str, wanted: str, game: Game) -> Agent:
    """A user's agent: the class ``wanted`` of a file or a module."""
    module = _file(Path(place)) if place.endswith(".py") else _module(place)
    kind = getattr(module, wanted, None)
    if not isinstance(kind, type):
        here = [
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__
        ]
        raise ValueError(f"{place} has no class {wanted!r}{nearest(wanted, here) if here else ''}")
    try:
        parameters = inspect.signature(kind).parameters
    except ValueError:  # a class written in C that does not say
        parameters = inspect.signature(lambda: None).parameters
    needed = [
        name
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and name != "game"
    ]
    if needed:
        raise ValueError(
            f"{called} cannot be made: its class asks for {', '.join(needed)}, must ask for nothing or for game"
        )
    return checked(kind(game=game) if "game" in parameters else kind(), game, called)


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as wrong:
        if isinstance(wrong, ModuleNotFoundError) and f"{name}.".startswith(f"{wrong.name}."):
            raise ValueError(
                f"there is no module {name!r} for an agent; a file would be path/to/file.py:Class"
            ) from None
        raise ValueError(f"the module {name} cannot be loaded: {type(wrong).__name__}: {wrong}") from wrong


def _file(path: Path) -> ModuleType:
    """The module in a file, which may import others of its folder (unless installed ones are called so)."""
    if not path.is_file():
        raise ValueError(f"{path} cannot be read: there is no such file, from which an agent would come")
    whole = path.resolve()
    name = f"{path.stem}_{hashlib.sha256(str(whole).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, whole)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    if str(whole.parent) not in sys.path:
        sys.path.append(str(whole.parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as wrong:
        del sys.modules[name]
        lines = [at.lineno for at in traceback.extract_tb(wrong.__traceback__) if at.filename == str(whole)]
        where = f"{path}, line {lines[-1]}," if lines else str(path)
        raise ValueError(f"{where} cannot be loaded: {type(wrong).__name__}: {wrong}") from wrong
    return module
