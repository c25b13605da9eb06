"""Views: what a seat may know, declared once as fields.

From one declaration come the View's dtype (int8 throughout), the bounds of each field, the encoding
to floats in [0, 1], and the table in the documentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from .rule import PLAIN, rule

Kind = Literal["flag", "count", "category", "set"]


@dataclass(frozen=True)
class Field:
    """One field of a View.

    name: the record's field.  shape: () or a tuple.  high: the largest value (1 for flag and set).
    kind: ``flag`` 0 or 1; ``set`` membership, a row of flags; ``count`` 0 .. high, encoded as
    value / high; ``category`` 0 (none) or 1 .. high, encoded one-hot (none: all zero).
    about: what it means, for the documentation.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    kind: Kind
    about: str

    def __post_init__(self) -> None:
        if not 1 <= self.high <= 127:
            raise ValueError(f"field {self.name!r}: high is {self.high}, must be 1 to 127")
        if self.kind in ("flag", "set") and self.high != 1:
            raise ValueError(f"field {self.name!r}: a {self.kind} has high 1, not {self.high}")

    @property
    def size(self) -> int:
        """Numbers in the View."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def width(self) -> int:
        """Numbers in the encoding."""
        return self.size * (self.high if self.kind == "category" else 1)


def _encode(views, source, wanted, high, out):  # type: ignore[no-untyped-def]
    for i in range(len(views)):
        for column in range(len(source)):
            value = views[i, source[column]]
            if wanted[column] == 0:
                out[i, column] = np.float32(value) / high[column]
            else:
                out[i, column] = 1.0 if value == wanted[column] else 0.0


_encode_compiled = rule(_encode, entry=True)


class Fields(Sequence[Field]):
    """The declared fields of a View, in order.

    dtype: the View's record dtype, all int8.  size: its bytes.  width: floats of the encoding.
    source, wanted, high: per encoded column the View byte it comes from, the category it stands for
    (0: not one-hot) and the divisor; a learner applies the same three arrays on its own device.
    """

    def __init__(self, *fields: Field) -> None:
        self.fields = fields
        self.dtype = np.dtype([(field.name, "i1", field.shape) for field in fields])
        self.size = self.dtype.itemsize
        self.width = sum(field.width for field in fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, index: Any) -> Any:
        return self.fields[index]

    @cached_property
    def _columns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        source, wanted, high = [], [], []
        offset = 0
        for field in self.fields:
            for place in range(offset, offset + field.size):
                values = range(1, field.high + 1) if field.kind == "category" else [0]
                source += [place] * len(values)
                wanted += values
                high += [1 if field.kind == "category" else field.high] * len(values)
            offset += field.size
        return np.array(source, np.int64), np.array(wanted, np.int8), np.array(high, np.float32)

    @property
    def source(self) -> np.ndarray:
        """int64 (width,): the View byte of each encoded column."""
        return self._columns[0]

    @property
    def wanted(self) -> np.ndarray:
        """int8 (width,): the category of each one-hot column, 0 elsewhere."""
        return self._columns[1]

    @property
    def high(self) -> np.ndarray:
        """float32 (width,): the divisor of each column."""
        return self._columns[2]

    @cached_property
    def bounds(self) -> np.ndarray:
        """int8 (size,): the largest value of each View byte (the smallest is 0)."""
        return np.concatenate([np.full(field.size, field.high, np.int8) for field in self.fields])

    def encode(self, views: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Views as float32 in [0, 1]: int8 (n, size) or View records (n,) -> (n, width)."""
        if views.dtype != np.int8:
            views = views.view(np.int8).reshape(-1, self.size)
        if out is None:
            out = np.empty((len(views), self.width), np.float32)
        if PLAIN:
            picked = views[:, self.source]
            out[:] = np.where(self.wanted == 0, picked / self.high, picked == self.wanted)
        else:
            _encode_compiled(views, *self._columns, out)
        return out

    def table(self) -> str:
        """The fields as a Markdown table, for a game's page."""
        rows = ["| field | shape | values | encoding | meaning |", "| --- | --- | --- | --- | --- |"]
        for field in self.fields:
            shape = "x".join(map(str, field.shape)) or "1"
            encoding = {"count": f"value / {field.high}", "category": "one-hot"}.get(field.kind, "as it is")
            rows.append(f"| `{field.name}` | {shape} | 0 to {field.high} | {encoding} | {field.about} |")
        return "\n".join(rows)

    def named(self, view: np.ndarray | np.void) -> dict[str, Any]:
        """A View as a dict of plain ints and nested lists."""
        record = view if isinstance(view, np.void) else np.asarray(view).view(self.dtype)[0]
        return {field.name: record[field.name].tolist() for field in self.fields}
