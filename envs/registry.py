"""The games of the suite by name: PettingZoo and Gymnasium ids, and `make_batch`.

A game is a folder here whose package has a ``GAME``; nothing else has to be told about it.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .core.batch import BatchEnv
    from .core.game import Game

_PACKAGE = __name__.rsplit(".", 1)[0]
PREFIX = "outbreak/"


@functools.cache
def game_names() -> tuple[str, ...]:
    """The folder names of all games, in order."""
    folder = Path(__file__).parent
    return tuple(sorted(m.name for m in pkgutil.iter_modules([str(folder)]) if m.ispkg and m.name != "core"))


def game(name: str) -> Game:
    """A game by its id or folder name (``outbreak/pandemic`` or ``pandemic``); loads its rules."""
    if not isinstance(name, str):
        raise TypeError(f"the game is {name!r}, must be a name, such as 'outbreak/pandemic'")
    short = name.removeprefix(PREFIX).removesuffix("-v0")
    if short not in game_names():
        from .core.options import nearest

        raise ValueError(f"there is no game {name!r}{nearest(short, list(game_names()))}")
    package = importlib.import_module(f"{_PACKAGE}.{short}")
    if not hasattr(package, "GAME"):
        folder = Path(__file__).parent / short
        raise ValueError(
            f"{folder} is not a game: its __init__.py must have a GAME, as those of the others do"
        )
    found: Game = package.GAME
    return found


def make_batch(
    name: str,
    num_envs: int,
    seed: int = 0,
    *,
    threads: int = 1,
    variants: Sequence[Mapping[str, Any]] | None = None,
    **options: Any,
) -> BatchEnv:
    """Many games at once: see `core.batch.BatchEnv`.  Options as in ``env(...)``, or ``variants``: a
    list of option sets, mixed over the lanes."""
    from .core.batch import BatchEnv

    if variants is not None and options:
        raise ValueError("give either variants or single options, not both")
    return BatchEnv(game(name), num_envs, seed, variants if variants is not None else [options], threads)


def register_all() -> None:
    """Register every game with PettingZoo (aec, parallel) and Gymnasium."""
    import gymnasium
    import pettingzoo

    for name in game_names():
        full = f"{PREFIX}{name}-v0"
        if full not in pettingzoo.aec_registry:
            pettingzoo.register("aec", full, entry_point=f"{_PACKAGE}.{name}:env")
            pettingzoo.register("parallel", full, entry_point=f"{_PACKAGE}.{name}:parallel_env")
        if full not in gymnasium.registry:
            gymnasium.register(
                full,
                entry_point="outbreak_rl.wrappers.single:make",
                vector_entry_point="outbreak_rl.wrappers.single:make_vector",
                kwargs={"game": name},
                disable_env_checker=True,
                order_enforce=False,
            )
