"""A scripted team for Zombicide: keep together, find weapons first, share the kills, go for the next task.

It decides from the View and the mission's table (which everybody knows), the same rules for every
mission.  What a zone is worth at the end of a turn says where to go: nearer to the task, few zombies
that would attack, friends beside (decide.py).  Whose experience would bring worse zombies leaves kills
and objectives to others.  The weights were set by hand.
"""

from __future__ import annotations

import functools

import numpy as np

from outbreak_rl.envs.core.rule import build
from outbreak_rl.envs.zombicide.mission import known
from outbreak_rl.envs.zombicide.view import FIELDS

from ...scripted import Scripted, call
from .decide import choose_batch
from .sense import MIND
from .weights import weights

__all__ = ["Heuristic"]


class Heuristic(Scripted):
    """The scripted team: one object may play all seats."""

    fields = FIELDS

    def __init__(self, **changed: float) -> None:
        """changed: weights by name, other than usual."""
        self.weights = weights(**changed)

    def decide(self, views: np.ndarray, masks: np.ndarray, tickets: np.ndarray, actions: np.ndarray) -> None:
        """Fill ``actions`` for View records (n,); no ticket decides."""
        boards, which = np.unique(views["board"], axis=0, return_inverse=True)
        tables = np.concatenate([_table(tuple(board)) for board in boards.tolist()])
        mind = np.zeros(1, MIND)
        mind["w"] = self.weights
        which = np.ascontiguousarray(which.reshape(-1), np.int64)
        arguments = (_writable(views), _writable(masks), tables, which, mind, actions)
        build(choose_batch, arguments)
        call(choose_batch, *arguments)


@functools.lru_cache(maxsize=256)
def _table(board: tuple[int, ...]) -> np.ndarray:
    """The table of the mission with this digest."""
    mission = known(board)
    if mission is None:
        raise ValueError("the View shows a mission that this process has not loaded")
    return mission.record


def _writable(array: np.ndarray) -> np.ndarray:
    return array if array.flags.writeable else array.copy()
