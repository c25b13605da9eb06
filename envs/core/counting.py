"""Where cards can lie, as far as a seat can tell: how a game describes its decks to card counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Cards:
    """Cards (or tokens) of which a seat may not know where they are, and the places where they can be.

    name: what they are.  places, kinds: names; hands stand first and are counted from the observer
    (``hand +1`` is that of the seat to the left).  What lies open need not have a place.
    count(states, tables, seat): how many of each kind lie at each place, for State (n,) records that
    differ only in what the seat cannot know: whole numbers (n, places, kinds).
    expect(worlds, tables, seat): their exact mean over all worlds that `resample` draws, (places, kinds),
    from one or more of these; None where there is no closed form.
    """

    name: str
    places: tuple[str, ...]
    kinds: tuple[str, ...]
    count: Callable[[np.ndarray, np.ndarray, int], np.ndarray]
    expect: Callable[[np.ndarray, np.ndarray, int], np.ndarray | None]

    @property
    def size(self) -> int:
        """Numbers in the count."""
        return len(self.places) * len(self.kinds)

    @property
    def names(self) -> list[str]:
        """A name for each of these numbers, in order."""
        return [f"{self.name}: {place}: {kind}" for place in self.places for kind in self.kinds]


def spread(cards: np.ndarray, rooms: np.ndarray) -> np.ndarray:
    """The mean of a uniform deal of counted cards (kinds,) into places with room for so many (places,):
    (places, kinds).  The rooms hold all the cards together."""
    total = cards.sum()
    return np.outer(rooms, cards) / total if total else np.zeros((len(rooms), len(cards)))


def from_seat(rows: np.ndarray, seat: int, players: int, axis: int = 1) -> np.ndarray:
    """A copy with the seats along an axis counted from a seat (a spectator counts from seat 0); absent
    seats keep their places."""
    order = np.arange(rows.shape[axis])
    order[:players] = (order[:players] + max(seat, 0)) % players
    return np.asarray(rows.take(order, axis))


def tally(rows: np.ndarray, kinds: int) -> np.ndarray:
    """How many of each kind stand in each row of kind numbers: (n, width) -> (n, kinds)."""
    cells = rows + kinds * np.arange(len(rows))[:, None]
    return np.bincount(cells.ravel(), minlength=kinds * len(rows)).reshape(len(rows), kinds)


def asked(state: np.void) -> np.void | None:
    """The pending decision, if there is one."""
    depth = int(state["depth"])
    return state["stack"][depth - 1] if depth else None


def hands(seats: int) -> tuple[str, ...]:
    """Names of the hands."""
    return tuple(f"hand +{place}" for place in range(seats))
