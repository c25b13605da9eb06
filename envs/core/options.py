"""Options: a frozen dataclass a game, checked once, the same names everywhere."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

O = TypeVar("O", bound="Options")  # noqa: E741


def option(
    default: Any,
    about: str,
    *,
    choices: tuple[Any, ...] = (),
    low: int | None = None,
    high: int | None = None,
) -> Any:
    """Declare an option: its default, what it means, and the choices or the range allowed.

    A range without choices means a whole number in low .. high; choices may stand beside a range
    (``"random"`` or a seat).  With neither, the game's ``validate`` looks at the value.
    """
    about_option = {"about": about, "choices": choices, "low": low, "high": high}
    return field(default=default, metadata=about_option)


@dataclass(frozen=True)
class Options:
    """Base of every game's options: equal values, equal options; wrong ones raise ValueError."""

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if isinstance(value, np.integer):  # sweeps often count in NumPy
                object.__setattr__(self, item.name, int(value))
            _check(item, getattr(self, item.name))
        self.validate()

    def validate(self) -> None:
        """Check what concerns several options at once (for a game to override)."""

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as plain values."""
        return {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}


def _check(item: dataclasses.Field[Any], value: Any) -> None:
    choices, low, high = (item.metadata.get(key) for key in ("choices", "low", "high"))
    if not choices and low is None:
        return
    if any(type(value) is type(choice) and value == choice for choice in choices or ()):
        return
    whole = isinstance(value, int) and not isinstance(value, bool)
    if low is not None and high is not None and whole and low <= value <= high:
        return
    allowed = [repr(choice) for choice in choices or ()]
    if low is not None:
        allowed.append(f"a whole number from {low} to {high}")
    raise ValueError(f"option {item.name} is {value!r}, must be {' or '.join(allowed)}")


def make_options(kind: type[O], presets: Mapping[str, Mapping[str, Any]], values: Mapping[str, Any]) -> O:
    """Options from keyword arguments: a preset first (``preset=...``), single values over it."""
    given = dict(values)
    preset = given.pop("preset", None)
    if preset is not None and (not isinstance(preset, str) or preset not in presets):
        raise ValueError(f"preset is {preset!r}, must be one of {', '.join(presets)}")
    names = [item.name for item in dataclasses.fields(kind)]
    for name in given:
        if name not in names:
            raise ValueError(f"there is no option {name!r}{nearest(name, names)}")
    return kind(**{**presets.get(preset or "", {}), **given})


def nearest(name: str, names: list[str]) -> str:
    """The end of an error message: the nearest right name, or all of them."""
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"


def options_table(kind: type[Options]) -> str:
    """The options as a Markdown table, for a game's page."""
    rows = ["| option | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    for item in dataclasses.fields(kind):
        about: Callable[[str], Any] = item.metadata.get
        allowed = [repr(choice) for choice in about("choices") or ()]
        if about("low") is not None:
            allowed.append(f"{about('low')} to {about('high')}")
        rows.append(
            f"| `{item.name}` | `{item.default!r}` | {', '.join(allowed) or 'see text'} | {about('about')} |"
        )
    return "\n".join(rows)
