"""What may stand in a mission file: the keys of each kind of entry, and what each of them takes."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..core.options import nearest
from . import table as T
from .cards import FIGURES, XP_RED, ZOMBIE_NAMES
from .layout import MissionError, word


class Kind(NamedTuple):
    """What a key takes, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


def _whole(low: int, high: int) -> Kind:
    return Kind(f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


def _list(words: str, fits: Callable[[Any], bool], low: int = 0, high: int = 10**6) -> Kind:
    return Kind(words, lambda v: isinstance(v, (list, tuple)) and low <= len(v) <= high and all(map(fits, v)))


def _or(one: Kind, other: Kind) -> Kind:
    return Kind(f"{one.words} or {other.words}", lambda v: one.fits(v) or other.fits(v))


TEXT = Kind("a text", lambda v: isinstance(v, str))
FLAG = Kind("true or false", lambda v: isinstance(v, bool))
ZONE = Kind("the name of a zone", TEXT.fits)
ZONES = _list("a list of names of zones", TEXT.fits)
PAIR = _list("two names of zones", TEXT.fits, 2, 2)
ROWS = _list("a list of rows, each a list of tile faces", _list("", TEXT.fits).fits, 1)
SIDES = _list("a list of directions N, E, S, W", lambda v: v in tuple(T.DIRECTIONS))
TILE = _whole(0, T.TILES - 1)
TILES = _list(f"a list of whole numbers from 0 to {T.TILES - 1}", TILE.fits, 1)
COUNT = _whole(1, int(max(FIGURES)))
ROUND = _whole(1, 127)  # as much as the table holds
RECT = _list(
    "four numbers",
    lambda v: isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v),
    4,
    4,
)

# Keys with a question mark may be left out.
KEYS: dict[str, Kind] = {
    "title?": TEXT, "about?": TEXT, "status?": TEXT, "difficulty?": TEXT,
    "tiles?": ROWS,
    "links?": _list("a list of [a, b] or [a, b, kind]", _list("", TEXT.fits, 2, 3).fits),
    "lines?": _list("a list of lists of names of zones", _list("", TEXT.fits, 2).fits),
    "start": _or(ZONE, ZONES), "wire?": _list("a list of pairs of names of zones", PAIR.fits),
    "towers?": ZONES, "revealed?": ZONES, "safe?": ZONES, "loses_any?": FLAG,
}  # fmt: skip
ENTRIES: dict[str, dict[str, Kind]] = {
    "zones": {
        "name": TEXT, "kind": TEXT, "rect?": RECT, "rects?": _list("a list of four numbers each", RECT.fits, 1),
        "tile?": TILE, "tiles?": TILES, "manholes?": _or(_whole(0, T.MANHOLES), _list("a list of tiles", TILE.fits)),
    },
    "extras": {"name": TEXT, "in": ZONE, "opens": TEXT},
    "spawns": {"zone": ZONE, "colour?": TEXT, "active?": FLAG},
    "doors": {"between": PAIR, "colour?": TEXT, "open?": FLAG},
    "cells": {"zones": ZONES, "colour?": TEXT, "open?": FLAG},
    "switches": {"zone": ZONE, "colour?": TEXT},
    "gates": {"zone": ZONE, "open": SIDES, "colour?": TEXT},
    "cars": {"kind": TEXT, "zone": ZONE, "drivable?": FLAG},
    "objectives": {"zone": ZONE, "colour?": TEXT, "xp?": _whole(0, XP_RED), "hidden?": FLAG, "needs?": TEXT},
    "zombies": {"zone": ZONE, "kind": TEXT, "count?": COUNT},
    "events": {"when": TEXT, "then": TEXT},
    "goals": {"kind": TEXT},
}  # fmt: skip


def _each(words: Iterable[str], keys: dict[str, Kind]) -> dict[str, dict[str, Kind]]:
    return {name: keys for name in words}


# What an entry takes besides, by one of its words.
_COUNTS = {name: {"count?": _whole(1, int(figures))} for name, figures in zip(ZOMBIE_NAMES, FIGURES)}
_BY_WORD: dict[tuple[str, str], tuple[str, dict[str, dict[str, Kind]]]] = {
    ("zombies", "kind"): ("zombie", _COUNTS),
    ("events", "when"): (
        "trigger",
        _each(T.TRIGGERS, {})
        | _each(("taken", "switch", "level"), {"of": TEXT})
        | {"round number": {"of": ROUND}},
    ),
    ("events", "then"): (
        "effect",
        _each(T.EFFECTS, {})
        | _each(("start spawning", "stop spawning", "open", "shut", "unlock"), {"colour": TEXT})
        | {
            "exit": {"zone?": ZONE},
            "draw": {"zones": ZONES},
            "place": {"zone": ZONE, "kind": TEXT, "count?": COUNT},
        },
    ),
    ("events", "kind"): ("zombie", _COUNTS),  # of zombies to place
    ("goals", "kind"): (
        "goal",
        _each(T.GOALS, {})
        | _each(("objectives", "shut"), {"colour?": TEXT})
        | _each(("gather", "clear"), {"zones": ZONES})
        | {"rounds": {"rounds": ROUND}, "level": {"level": TEXT}},
    ),
}


def check(text: dict[str, Any]) -> None:
    """Raise MissionError for the first key or value that cannot stand in a mission file."""
    lists = {
        f"{name}?": _list(f"a list of tables {_braces(keys)}", lambda v: True)
        for name, keys in ENTRIES.items()
    }
    _check(text, KEYS | lists, "")
    for name in ENTRIES:
        for number, entry in enumerate(text.get(name, ()), 1):
            where = f"{name} {number}"
            keys = dict(ENTRIES[name])
            if not isinstance(entry, dict):
                raise MissionError(f"{where} is {reprlib.repr(entry)}, must be a table {_braces(keys)}")
            for (what, key), (noun, more) in _BY_WORD.items():
                if what != name or key not in keys:
                    continue
                if isinstance(entry.get(key), str):
                    word(entry[key], tuple(more), noun)
                    keys |= more[entry[key]]
                else:  # which will be said once all keys are known ones
                    more_keys = {
                        f"{k.rstrip('?')}?": kind for one in more.values() for k, kind in one.items()
                    }
                    keys = more_keys | keys
            _check(entry, keys, f"{where}: ")
            if name == "zones" and not {"rect", "rects"} & set(entry):
                raise MissionError(f"{where}: key 'rect' is missing")


def _check(entry: dict[str, Any], keys: dict[str, Kind], where: str) -> None:
    kinds = {key.rstrip("?"): kind for key, kind in keys.items()}
    for key, value in entry.items():
        if key not in kinds:
            raise MissionError(f"{where}there is no key {key!r}{nearest(key, sorted(kinds))}")
        if not kinds[key].fits(value):
            raise MissionError(f"{where}{key} is {reprlib.repr(value)}, must be {kinds[key].words}")
    for key in keys:
        if key not in entry and not key.endswith("?"):
            raise MissionError(f"{where}key {key!r} is missing")


def _braces(keys: dict[str, Kind]) -> str:
    return f"{{ {', '.join(key.rstrip('?') for key in keys)} }}"
