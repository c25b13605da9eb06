"""How far a team of Pandemic is, seen from a View: cures, and hands that come near to one."""

from __future__ import annotations

import numpy as np

from outbreak_rl.envs.pandemic.cards import CITIES, KINDS, SCIENTIST

from ..heuristics.pandemic.geography import geographies

CURE = 0.2
HAND = np.array(
    [0.12, 0.07, 0.035, 0.015, 0.005, 0, 0, 0], np.float32
)  # the best one of a colour, by cards missing
ARRIVAL, FAR = 0.04, 8  # more for a hand that is ready, at a station; nothing from so many drives on


def potential(views: np.ndarray) -> np.ndarray:
    """float32 (n,), 0 to 1, for View records (n,)."""
    maps, which = geographies(views["map"])
    found = np.zeros(len(views), np.float32)
    for k, place in enumerate(maps):
        here = np.flatnonzero(which == k)
        found[here] = _on_map(views[here], place)
    return found


def _on_map(views: np.ndarray, place: np.void) -> np.ndarray:
    n = int(place["cities"])
    colours = np.eye(KINDS, dtype=np.float32)[place["colour"][:n]]
    count = views["hands"][:, :, :n].astype(np.float32) @ colours  # (views, seats, colours)
    needs = views["cure_cards"][:, None] - (views["role"] == SCIENTIST)
    seated = np.arange(needs.shape[1]) < views["players"][:, None]
    missing = np.clip(needs[:, :, None] - count, 0, len(HAND) - 1).astype(np.int64)
    missing[~seated] = len(HAND) - 1
    wanted = (views["cure"] == 0) & (place["present"] > 0)
    worth = CURE * (views["cure"] > 0).sum(1) + (HAND[missing].max(1) * wanted).sum(1)
    ready = ((missing == 0) & wanted[:, None]).any(2)
    rows, seats = np.nonzero(ready)
    if len(rows):
        spots = views["pawn"][rows, seats].argmax(1)
        drives = np.where(views["station"][rows] > 0, place["far"][spots], FAR)
        best = np.zeros(ready.shape)
        best[rows, seats] = ARRIVAL * (1 - np.minimum(drives[:, :CITIES].min(1), FAR) / FAR)
        worth = worth + best.max(1)
    return np.asarray(worth, np.float32)
