"""Action tables: verbs and their blocks of ids, with texts both ways."""

from __future__ import annotations

import difflib
import itertools
from collections import namedtuple
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Verb:
    """One kind of action: a text with a place for each argument, and the names of its arguments.

    ``Verb("{} -> {}", ITEMS, TARGETS)`` is a block of ``len(ITEMS) * len(TARGETS)`` ids, the last
    argument running fastest.
    """

    text: str
    arguments: tuple[tuple[str, ...], ...]

    def __init__(self, text: str, *arguments: tuple[str, ...]) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "arguments", tuple(tuple(names) for names in arguments))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each id of the block, in order."""
        return tuple(self.text.format(*names) for names in itertools.product(*self.arguments))


class ActionTexts:
    """Texts of an action table; parsing names the nearest text when there is no such action."""

    verbs: dict[str, Verb]
    size: int

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every action id."""
        return tuple(itertools.chain.from_iterable(verb.texts for verb in self.verbs.values()))

    @cached_property
    def _ids(self) -> dict[str, int]:
        ids = {text: action for action, text in enumerate(self.texts)}
        assert len(ids) == self.size, "two actions have the same text"
        return ids

    def text(self, action: int) -> str:
        """What an action id says."""
        if not 0 <= action < self.size:
            raise ValueError(f"action {action} does not exist: ids run from 0 to {self.size - 1}")
        return self.texts[action]

    def parse(self, text: str) -> int:
        """The id of an action's text; raises ValueError with the nearest text."""
        found = self._ids.get(" ".join(text.split()))
        if found is not None:
            return found
        near = difflib.get_close_matches(text, self.texts, 1, 0.0)
        raise ValueError(f"there is no action {text!r}; the nearest is {near[0]!r}")


def action_table(**verbs: Verb) -> Any:
    """A named tuple of the first id of each verb's block, in the order given, with texts both ways.

    Rules write ``ACTIONS.drive + city``; outside, ``ACTIONS.text(i)``, ``ACTIONS.parse("...")``,
    ``ACTIONS.size``.
    """
    starts = list(itertools.accumulate((len(verb.texts) for verb in verbs.values()), initial=0))

    class Actions(namedtuple("Blocks", tuple(verbs)), ActionTexts):  # type: ignore[misc]
        pass

    Actions.verbs = verbs
    Actions.size = starts[-1]
    return Actions(*starts[:-1])
