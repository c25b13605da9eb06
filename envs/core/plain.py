"""Plain-Python twins of records and arrays: the same bytes as compiled code, and stricter.

Scalars read as Python ints (so nothing wraps or widens by surprise), stores are range-checked by
NumPy, and negative indices are refused, which neither Numba nor its bounds checks notice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class PlainArray:
    """An array whose items read as ints, records or arrays like it."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def size(self) -> int:
        return self.array.size

    def __iter__(self) -> Iterator[Any]:
        return (plain(item) for item in self.array)

    def __getitem__(self, index: Any) -> Any:
        return plain(self.array[_checked(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.array[_checked(index)] = _bare(value)


class PlainRecord:
    """A record whose fields read as ints, records or arrays."""

    __slots__ = ("_record",)

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        try:
            return plain(self._record[name])
        except ValueError:
            raise AttributeError(f"the record has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = _bare(value)


def plain(value: Any) -> Any:
    """The plain twin of a NumPy value (a view, never a copy of more than a scalar)."""
    if isinstance(value, np.void) and value.dtype.names is not None:
        return PlainRecord(value)
    if isinstance(value, np.ndarray):
        return PlainArray(value)
    if isinstance(value, np.generic):
        return value.item()
    return value


def _bare(value: Any) -> Any:
    if isinstance(value, PlainArray):
        return value.array
    if isinstance(value, PlainRecord):
        return value._record
    if isinstance(value, np.generic):
        return value.item()
    return value


def _checked(index: Any) -> Any:
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, (int, np.integer)) and part < 0:
            raise IndexError(f"negative index {part}")
    return index
