"""Where cards and food can be, for card counters: exact but for action cards during the draft."""

from __future__ import annotations

import numpy as np

from ..core.counting import Cards, from_seat, hands, spread, tally
from .cards import CARDS_AN_HOUR, CORNERS, FOOD_VALUES, HOURS, KIND_NAMES, KINDS, PLACE_NAMES, SEATS
from .state import DRAFTING, EVERYONE, INVADING, PICKED


def _count(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Hands, supplies on the corner places, the deck."""
    held = states["cards"].copy()
    held[:, :SEATS] = from_seat(held[:, :SEATS], seat, int(states[0]["players"]))
    deck = tally(states["deck"][:, : int(states[0]["deck_size"])], KINDS)
    return np.concatenate([held, deck[:, None]], axis=1)


def _expect(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray | None:
    """Every card that the seat does not know of is as likely in each hidden place; in the draft it knows
    more of some packets than of others."""
    state = worlds[0]
    if state["step"] in (DRAFTING, PICKED):
        return None
    counts = _count(worlds[:1], tables, seat)[0]
    fixed = np.zeros_like(counts)
    fixed[:-1] = state["known"][seat if seat >= 0 else EVERYONE]
    fixed[:SEATS] = from_seat(fixed[:SEATS], seat, int(state["players"]), axis=0)
    if seat >= 0:
        fixed[0] = counts[0]
    return np.asarray(fixed + spread((counts - fixed).sum(axis=0), (counts - fixed).sum(axis=1)))


ACTION_CARDS = Cards(
    "action cards",
    (*hands(SEATS), *(f"supplies {name}" for name in PLACE_NAMES[1 : 1 + CORNERS]), "deck"),
    KIND_NAMES,
    _count,
    _expect,
)


def _count_food(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Food of the seats, then what lies face down on the truck."""
    food = from_seat(states["seats"]["food"], seat, int(states[0]["players"]))
    return np.concatenate([food, states["food_down"][:, None]], axis=1).astype(np.int64)


def _expect_food(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Tokens that the seat has not seen are as likely in each hidden place."""
    state = worlds[0]
    counts = _count_food(worlds[:1], tables, seat)[0]
    fixed = np.zeros_like(counts)
    fixed[:-1] = from_seat(state["seats"]["food_known"], seat, int(state["players"]), axis=0)
    if seat >= 0:
        fixed[0] = counts[0]
    return np.asarray(fixed + spread((counts - fixed).sum(axis=0), (counts - fixed).sum(axis=1)))


FOOD = Cards(
    "food",
    (*(f"seat +{place}" for place in range(SEATS)), "truck, face down"),
    tuple(str(value) for value in range(FOOD_VALUES)),
    _count_food,
    _expect_food,
)


def _count_invasions(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """The card of each hour."""
    return np.asarray(states["invasion"][:, :, None] == np.arange(1, CARDS_AN_HOUR + 1), np.int64)


def _expect_invasions(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """A card that has not been carried out or seen may be any of its hour."""
    state = worlds[0]
    mean: np.ndarray = _count_invasions(worlds[:1], tables, seat)[0].astype(np.float64)
    rounds = int(state["round"])
    upcoming = rounds if state["step"] <= INVADING else rounds + 1  # the next hour whose card is to come
    for hour in range(HOURS):
        done = rounds > 0 and hour < upcoming
        seen = rounds > 0 and hour == upcoming and seat >= 0 and int(state["seen"]) >> seat & 1
        if not done and not seen:
            mean[hour] = 1 / CARDS_AN_HOUR
    return mean


INVASIONS = Cards(
    "invasion cards",
    tuple(f"hour {hour}" for hour in range(HOURS)),
    tuple(str(card + 1) for card in range(CARDS_AN_HOUR)),
    _count_invasions,
    _expect_invasions,
)
