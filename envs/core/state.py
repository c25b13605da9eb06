"""Records: a game's whole position in one NumPy dtype with canonical bytes.

Every State begins with the fields that core itself needs; a game adds its own.  What is not in use
is zero, and no dtype has padding, so equal positions have equal bytes and a copy of the bytes is a
copy of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .rule import PLAIN, rule

FieldSpec = tuple[Any, ...]

FRAME = np.dtype(
    [("kind", "i2"), ("seat", "i2"), ("a", "i2"), ("b", "i2"), ("c", "i2"), ("d", "i2")], align=True
)
RUNNING, TERMINATED, TRUNCATED = 0, 1, 2


def record(fields: list[FieldSpec]) -> np.dtype:
    """A dtype without holes: widest fields first, filled up with one named spare field.

    NumPy copies skip padding bytes, so a hole would make equal positions differ.
    """
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).alignment)
    dtype = np.dtype(ordered, align=True)
    used = sum(np.dtype((field[1], field[2]) if len(field) > 2 else field[1]).itemsize for field in ordered)
    if used < dtype.itemsize:
        dtype = np.dtype([*ordered, ("spare", "u1", (dtype.itemsize - used,))], align=True)
    assert packed(dtype), "a record must not have holes"
    return dtype


def packed(dtype: np.dtype) -> bool:
    """Whether a dtype, and every record nested in it, has no padding bytes."""
    if dtype.subdtype is not None:
        return packed(dtype.subdtype[0])
    if dtype.fields is None:
        return True
    inner = [field[0] for field in dtype.fields.values()]
    return sum(part.itemsize for part in inner) == dtype.itemsize and all(map(packed, inner))


def state_record(fields: list[FieldSpec], options: np.dtype, seats: int, decisions: int) -> np.dtype:
    """A game's State: core's fields, the options of this game, and the game's own fields.

    ``seats`` is the largest number of players, ``decisions`` the depth of the decision stack.
    """
    shared: list[FieldSpec] = [
        ("random", "u4", (4,)),  # the random stream (chance.py)
        ("reward", "i4", (seats,)),  # what falls due at this decision, in units of 1 / reward_unit
        ("reward_unit", "i4"),
        ("turns", "i4"),  # finished turns
        ("options", options),  # set once; a deal keeps them
        ("stack", FRAME, (decisions,)),  # pending decisions, the last one is asked now
        ("table", "i2"),  # which of the run-time tables (map, mission) this game is played on
        ("depth", "i1"),  # how many decisions are pending; 0 when the game is over
        ("over", "i1"),  # RUNNING, TERMINATED or TRUNCATED
        ("players", "i1"),
    ]
    return record([*shared, *fields])


EMPTY_TABLE = np.dtype([("unused", "i1")])


def no_tables() -> np.ndarray:
    """The tables of a game that has none: one empty record."""
    return np.zeros(1, EMPTY_TABLE)


def table(values: Any, dtype: Any = np.int64) -> Any:
    """A printed fact for use in rules: a contiguous constant array (its plain twin in plain mode)."""
    array = np.ascontiguousarray(values, dtype)
    array.setflags(write=False)
    if PLAIN:
        from .plain import PlainArray

        return PlainArray(array)
    return array


@rule
def copy_row(target, source):  # type: ignore[no-untyped-def]
    """Copy a row item by item (a whole-array assignment costs seconds of compile time)."""
    for i in range(len(source)):
        target[i] = source[i]


@rule
def fill(target, value):  # type: ignore[no-untyped-def]
    """Set every item of a row."""
    for i in range(len(target)):
        target[i] = value


@rule
def total(row):  # type: ignore[no-untyped-def]
    """The sum of a row of counts."""
    n = 0
    for i in range(len(row)):
        n += row[i]
    return n


def numbers(states: np.ndarray) -> np.ndarray:
    """All numbers of State records but their random stream: float32 (n, numbers_width(dtype))."""
    n = len(states)
    parts = [
        leaf.reshape(n, -1)
        for name in states.dtype.names or ()
        for leaf in _leaves(states[name])
        if name != "random"
    ]
    return np.concatenate(parts, axis=1, dtype=np.float32, casting="unsafe")


def _leaves(values: np.ndarray) -> list[np.ndarray]:
    if values.dtype.names is None:
        return [values]
    return [leaf for name in values.dtype.names for leaf in _leaves(values[name])]
