"""Scripted players that are compiled: one call decides for a batch of Views."""

from __future__ import annotations

from typing import Any

import numpy as np

from outbreak_rl.envs.core.fields import Fields
from outbreak_rl.envs.core.rule import PLAIN

from .agents import Batched


def call(kernel: Any, *arguments: Any) -> None:
    """Call an entry kernel of a scripted player, in plain Python over the twins of its arrays."""
    if PLAIN:
        from outbreak_rl.envs.core.plain import plain

        arguments = tuple(map(plain, arguments))
    kernel(*arguments)


class Scripted(Batched):
    """Base of compiled scripted players: `decide` fills the actions of View records, by default with
    ``choose_batch(views, masks, tickets, actions)``."""

    name = "heuristic"
    fields: Fields
    choose_batch: Any

    def decide(self, views: np.ndarray, masks: np.ndarray, tickets: np.ndarray, actions: np.ndarray) -> None:
        """Fill ``actions`` int64 (n,) for View records (n,), masks int8 (n, actions) and tickets
        int64 (n,) of 0 .. 2**31 - 1, by which equals are told apart."""
        call(self.choose_batch, views, masks, tickets, actions)

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Many decisions."""
        records = np.ascontiguousarray(views).view(self.fields.dtype).reshape(-1)
        actions = np.zeros(len(records), np.int64)
        self.decide(records, np.ascontiguousarray(masks), rng.integers(1 << 31, size=len(records)), actions)
        return actions
