"""A scripted team for Pandemic: each decision from the View alone, the same rules for every seat.

On its turn a seat searches through what its remaining actions can do and takes the first step of the
best sequence (plan.py).  Cards are valued by how far the best hand of each colour is from a cure, so
that one function tells what to collect, give, keep, spend and discard (sense.py).  Events answer the
dangers that they are made for (decide.py).  All of it is compiled; it remembers nothing between
decisions and needs no chance.  The weights were set by hand.
"""

from __future__ import annotations

import numpy as np

from outbreak_rl.envs.core.rule import build
from outbreak_rl.envs.pandemic.view import FIELDS

from ...scripted import Scripted, call
from .decide import choose_compiled
from .geography import geographies
from .plan import NODE, NODES, SLOTS
from .sense import MIND
from .weights import weights

__all__ = ["Heuristic"]


class Heuristic(Scripted):
    """The scripted team."""

    fields = FIELDS

    def decide(self, views: np.ndarray, masks: np.ndarray, tickets: np.ndarray, actions: np.ndarray) -> None:
        """Fill ``actions`` for View records (n,); no two actions are so equal that a ticket decides."""
        maps, which = geographies(views["map"])
        mind = np.zeros(1, MIND)
        mind["w"] = weights()
        scratch = (mind, np.empty(NODES, NODE), np.empty(SLOTS, np.int32))
        arguments = (_writable(views), _writable(masks), maps, which, *scratch, actions)
        build(choose_compiled, arguments)
        call(choose_compiled, *arguments)


def _writable(array: np.ndarray) -> np.ndarray:
    return array if array.flags.writeable else array.copy()
