"""Records as readable positions, both ways: for puzzles, curricula, rule cases and bug reports.

A position is a dict that TOML or JSON can hold.  It names its game, options and tables; the rest is
the game's own: ``write_position`` and ``read_position`` of the Game, for which `dump` and `restore`
do the plain fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tomlkit

from .files import write_atomically
from .game import Game
from .options import nearest
from .toml import tomllib


class PositionError(ValueError):
    """A position that cannot be: the message says what is wrong and what would be right."""


def write(game: Game, options: Any, states: np.ndarray) -> dict[str, Any]:
    """A State (1,) as a readable dict with game, options, table digest and the game's own keys."""
    head = {"game": game.id, "options": _plain(options.as_dict()), "table": game.table_digest(options)}
    return {**head, **game.write_position(states[0], options)}


def read(game: Game, options: Any, text: dict[str, Any], seed: int = 0) -> np.ndarray:
    """A State (1,) from a position; what it leaves out is default or drawn from the seed."""
    if not isinstance(text, Mapping):
        raise PositionError(f"the position is a {type(text).__name__}, must be a dict")
    body = dict(text)
    for key, right in (("game", game.id), ("table", game.table_digest(options))):
        found = body.pop(key, right)
        if found != right:
            raise PositionError(f"the position's {key} is {found!r}, this environment's is {right!r}")
    saved = body.pop("options", None)
    if saved is not None and saved != _plain(options.as_dict()):
        raise PositionError(
            f"the position's options are {saved}, this environment's are {_plain(options.as_dict())}"
        )
    try:
        return _read(game, options, body, seed)
    except PositionError:
        raise
    except _WRONG_KIND as wrong:
        what = _culprit(game, options, body, seed, str(wrong)) or "something"
        raise PositionError(f"{what} in the position is of a wrong kind: {wrong}") from None


_WRONG_KIND = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def _read(game: Game, options: Any, body: dict[str, Any], seed: int) -> np.ndarray:
    states = game.blank(options)
    game.read_position(body, states[0], options, np.random.Generator(np.random.PCG64(seed)))
    return states


def _culprit(game: Game, options: Any, body: dict[str, Any], seed: int, trouble: str) -> str | None:
    """The key without which there is no such trouble, and its value, if there is one."""
    for key in body:
        try:
            _read(game, options, {name: body[name] for name in body if name != key}, seed)
        except _WRONG_KIND as wrong:
            if str(wrong) == trouble:
                continue
        return f"{key} = {body[key]!r}"
    return None


def load(path: str | Path) -> dict[str, Any]:
    """A position from a TOML or JSON file; raises PositionError for anything that is not one."""
    path = Path(path)
    try:
        text = path.read_text("utf-8")
        found = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as wrong:
        raise PositionError(f"{path} cannot be read: {wrong.strerror}") from None
    except ValueError as wrong:  # also what TOML, JSON and UTF-8 decoders raise
        raise PositionError(f"{path} is not a position in TOML or JSON: {wrong}") from None
    if not isinstance(found, dict):
        raise PositionError(
            f"{path} is not a position: it holds a {type(found).__name__}, not keys and values"
        )
    return found


def save(path: str | Path, text: dict[str, Any]) -> None:
    """Write a position as TOML (or as JSON, by the file's name), whole or not at all."""
    path = Path(path)
    content = json.dumps(text, indent=1) if path.suffix == ".json" else tomlkit.dumps(text)
    write_atomically(path, content.encode())


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Option values as TOML can hold them (no None, lists for tuples)."""
    return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items() if v is not None}


def dump(record: np.void, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a record that are not zero, as plain ints, lists and dicts."""
    found = {}
    for name in record.dtype.names or ():
        if name not in skip and any(np.asarray(record[name]).tobytes()):
            found[name] = _as_text(record[name])
    return found


def _as_text(value: Any) -> Any:
    if isinstance(value, np.void):
        return dump(value)
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        return [dump(item) for item in value]
    return value.tolist()


def restore(record: np.void, values: dict[str, Any], where: str = "the position") -> None:
    """Write dumped fields into a zeroed record; raises PositionError for what does not fit."""
    names = record.dtype.names or ()
    for name, value in values.items():
        if name not in names:
            raise PositionError(f"{where} has no field {name!r}{nearest(name, list(names))}")
        target = record[name]
        try:
            if isinstance(target, np.void):
                restore(target, value, f"{where}.{name}")
            elif isinstance(target, np.ndarray) and target.dtype.names is not None:
                for item, part in zip(target, value, strict=True):
                    restore(item, part, f"{where}.{name}")
            else:
                record[name] = value
        except (OverflowError, ValueError, TypeError) as wrong:
            if isinstance(wrong, PositionError):
                raise
            raise PositionError(f"{where}.{name} cannot be {value!r}: {wrong}") from None


def only_keys(values: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    """Raise PositionError for a key that is not known, naming the nearest right one."""
    for key in values:
        if key not in known:
            raise PositionError(f"{where} has no key {key!r}{nearest(key, list(known))}")
