"""Views: what a seat may know, declared once as fields.

From one declaration come the View's dtype (int8 throughout), the bounds of each field, the encoding
to floats in [0, 1], and the table in the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from .rule import PLAIN, build, entry_point, rule

Kind = Literal["flag", "count", "category", "set"]


@dataclass(frozen=True)
class Field:
    """One field of a View.

    name: the record's field.  shape: () or a tuple.  high: the largest value (1 for flag and set).
    kind: ``flag`` 0 or 1; ``set`` membership, a row of flags; ``count`` 0 .. high, encoded as
    value / high; ``category`` 0 (none) or 1 .. high, encoded one-hot (none: all zero).
    about: what it means, for the documentation.  labels: names of the last axis' entries, or of a
    category's values from 1.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    kind: Kind
    about: str
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.high <= 127:
            raise ValueError(f"field {self.name!r}: high is {self.high}, must be 1 to 127")
        if self.kind in ("flag", "set") and self.high != 1:
            raise ValueError(f"field {self.name!r}: a {self.kind} has high 1, not {self.high}")

    def words(self, value: Any) -> Any:
        """A value of the field (plain ints and lists) with names where it has labels: a category as
        its name or "none", a row of counts as a list of names, each as often as it counts."""
        if not self.labels:
            return value
        if isinstance(value, int):
            if self.kind != "category":
                return value  # one of a row
            return self.labels[value - 1] if value else "none"
        if value and isinstance(value[0], list):
            return [self.words(row) for row in value]
        if self.kind == "category":
            return [self.words(one) for one in value]
        return [name for name, n in zip(self.labels, value, strict=True) for _ in range(n)]

    @property
    def size(self) -> int:
        """Numbers in the View."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def width(self) -> int:
        """Numbers in the encoding."""
        return self.size * (self.high if self.kind == "category" else 1)


STRETCH = np.dtype([("start", "i8"), ("size", "i8"), ("column", "i8"), ("high", "i8"), ("category", "i8")])


def _encode_row(view, stretches, out):  # type: ignore[no-untyped-def]
    for k in range(len(stretches)):
        stretch = stretches[k]
        source = view[stretch.start : stretch.start + stretch.size]
        high = stretch.high
        if stretch.category:
            target = out[stretch.column : stretch.column + stretch.size * high]
            for i in range(len(target)):
                target[i] = 0.0
            for i in range(len(source)):
                if source[i] > 0 and source[i] <= high:
                    target[i * high + source[i] - 1] = 1.0
        else:
            target = out[stretch.column : stretch.column + stretch.size]
            for i in range(len(source)):
                target[i] = source[i]
            if high > 1:
                whole = np.float32(high)
                for i in range(len(target)):
                    target[i] /= whole


_encode_row_compiled = rule(_encode_row, entry=True)


def _encode(views, stretches, out):  # type: ignore[no-untyped-def]
    for i in range(len(views)):
        _encode_row_compiled(views[i], stretches, out[i])


_encode_compiled = rule(_encode, entry=True)


class Fields(Sequence[Field]):
    """The declared fields of a View, in order.

    dtype: the View's record dtype, all int8.  size: its bytes.  width: floats of the encoding.
    stretches: how each field is encoded.
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
    def stretches(self) -> np.ndarray:
        """STRETCH (fields,): which View bytes a field is, which columns it fills, and how: a category
        fills one of ``high`` columns for each byte, anything else is divided by ``high``."""
        rows, start, column = [], 0, 0
        for field in self.fields:
            rows.append((start, field.size, column, field.high, field.kind == "category"))
            start += field.size
            column += field.width
        return np.array(rows, STRETCH)

    @cached_property
    def bounds(self) -> np.ndarray:
        """int8 (size,): the largest value of each View byte (the smallest is 0)."""
        return np.concatenate([np.full(field.size, field.high, np.int8) for field in self.fields])

    @cached_property
    def _kernels(self) -> tuple[Any, Any]:
        """The compiled encoders of one View and of many."""
        views, out = np.zeros((1, self.size), np.int8), np.zeros((1, self.width), np.float32)
        build(_encode_row_compiled, (views[0], self.stretches, out[0]))
        build(_encode_compiled, (views, self.stretches, out))
        return _encode_row_compiled, _encode_compiled

    def encode(self, views: np.ndarray) -> np.ndarray:
        """Views as float32 in [0, 1]: int8 (n, size) or View records (n,) -> (n, width)."""
        if views.dtype == self.dtype:
            views = np.ascontiguousarray(views).view(np.int8).reshape(-1, self.size)
        if views.dtype != np.int8 or views.ndim != 2 or views.shape[1] != self.size:
            raise ValueError(
                f"views have dtype {views.dtype} and shape {views.shape}, must be int8 (n, {self.size}) "
                "or View records (n,)"
            )
        out = np.empty((len(views), self.width), np.float32)
        if PLAIN:
            from .plain import plain

            for view, row in zip(views, out, strict=True):
                _encode_row(plain(view), plain(self.stretches), plain(row))
        else:
            self._kernels[1](np.ascontiguousarray(views), self.stretches, out)
        return out

    @cached_property
    def encode_own(self) -> Callable[[np.ndarray], np.ndarray]:
        """`encode_row` for an adapter's own views: int8 (size,) in C order, which is not checked."""
        if PLAIN:
            return self.encode_row
        kernel, width = entry_point(self._kernels[0]), self.width

        def encode(view: np.ndarray) -> np.ndarray:
            out = np.empty(width, np.float32)
            kernel(view, self.stretches, out)
            return out

        return encode

    def encode_row(self, view: np.ndarray) -> np.ndarray:
        """One View, int8 (size,), as a new float32 (width,) in [0, 1]."""
        return np.asarray(self.encode(np.array(view)[None])[0])

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
