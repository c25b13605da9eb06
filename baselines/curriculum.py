"""A curriculum: the values of one option, easy to hard, opened one after the other by the share of wins.

It begins with the first value alone.  Once the hardest open one is won often enough, the next opens.
Of the deals a share gets the hardest open value, the others any open one, so that nothing is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .config import Curriculum
from .selfplay import rng_state, set_rng_state

_MEMORY = 0.995  # of the running shares of wins


class Levels:
    """What is open, how it fares, and which option set every lane plays.

    playing: int16 (lanes,), the option set of the game under way.  Lanes are dealt anew within a step, so
    what is chosen at the end of a game counts from the deal after the next one.
    """

    def __init__(
        self, settings: Curriculum, variants: Sequence[Mapping[str, Any]], lanes: int, seed: int
    ) -> None:
        self.settings = settings
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.values = list(dict.fromkeys(variant[settings.option] for variant in variants))
        level = [self.values.index(variant[settings.option]) for variant in variants]
        self.level = np.array(level, np.int16)  # of every option set
        self.open = 1
        self.share = np.zeros(len(self.values))  # running share of wins by level
        self.games = np.zeros(len(self.values), np.int64)
        self.playing = np.zeros(lanes, np.int16)

    def begin(self, chosen: NDArray[Any]) -> None:
        """Option sets for the first deal of every lane and the one after it, in place."""
        chosen[:] = self._choose(len(chosen))
        self.playing[:] = chosen

    def note(self, lanes: NDArray[Any], won: NDArray[Any], chosen: NDArray[Any]) -> None:
        """Count ended games: won bool (m,) of the lanes (m,), which have been dealt anew as ``chosen`` said;
        fill in what it says for the deals after these."""
        for level, win in zip(self.level[self.playing[lanes]].tolist(), won.tolist(), strict=True):
            self.games[level] += 1
            keep = min(_MEMORY, 1 - 1 / float(self.games[level]))  # at first the plain mean
            self.share[level] = keep * self.share[level] + (1 - keep) * win
        self.playing[lanes] = chosen[lanes]
        top = self.open - 1
        if self.open < len(self.values) and self.games[top] >= self.settings.games:
            self.open += bool(self.share[top] >= self.settings.share)
        chosen[lanes] = self._choose(len(lanes))

    def _choose(self, n: int) -> NDArray[Any]:
        """n option sets: a level each, then any of its option sets."""
        hardest = self.rng.random(n) < self.settings.hardest
        levels = np.where(hardest, self.open - 1, self.rng.integers(self.open, size=n))
        tickets = self.rng.random(n)
        return np.array(
            [
                there[int(ticket * len(there))]
                for level, ticket in zip(levels, tickets, strict=True)
                for there in [np.flatnonzero(self.level == level)]
            ],
            np.int16,
        )

    def figures(self) -> dict[str, float]:
        """For progress: the hardest open value's place, and the share of wins of every open value."""
        name = self.settings.option
        won = {
            f"won/{name} {self.values[k]}": float(self.share[k]) for k in range(self.open) if self.games[k]
        }
        return {f"open/{name}": float(self.open), **won}

    # --- kept in checkpoints ----------------------------------------------------------------------

    def save(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Arrays and plain values."""
        arrays = {"playing": self.playing, "share": self.share, "games": self.games}
        return arrays, {"open": self.open, "rng": rng_state(self.rng)}

    def load(self, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
        """Go on from `save`."""
        for name in ("playing", "share", "games"):
            getattr(self, name)[:] = arrays[name]
        self.open = int(about["open"])
        set_rng_state(self.rng, about["rng"])
