"""Where cards can be, for card counters: all is open but the order of both decks and the colours of
hidden objectives, so everything is exact."""

from __future__ import annotations

import numpy as np

from ..core.counting import Cards, tally
from . import cards as C
from . import table as T


def _top_and_rest(deck: np.ndarray, kinds: int) -> np.ndarray:
    """The top card and the cards below it, of decks (n, size) with the top card last."""
    return np.stack([tally(deck[:, -1:], kinds), tally(deck[:, :-1], kinds)], axis=1)


def _either(counts: np.ndarray) -> np.ndarray:
    """Any card of the deck may be the top one."""
    deck = counts[0].sum(axis=0)
    top = deck / max(1, deck.sum())
    return np.stack([top, deck - top])


def _count_equipment(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    return _top_and_rest(states["deck"][:, : int(states[0]["deck_size"])], C.KINDS)


def _expect_equipment(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    return _either(_count_equipment(worlds[:1], tables, seat))


def _count_zombies(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    return _top_and_rest(states["spawn_deck"][:, : int(states[0]["spawn_size"])] - 1, C.ZOMBIE_CARDS)


def _expect_zombies(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    return _either(_count_zombies(worlds[:1], tables, seat))


def _hidden(state: np.void, tables: np.ndarray) -> np.ndarray:
    """bool (objectives,): whose colour is not known."""
    table = tables[state["table"]]
    lying = np.arange(T.OBJECTIVES) < table["objectives"]
    return np.asarray(lying & (table["objective_hidden"] == 1) & (state["taken"] == 0))


def _count_objectives(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """The colours of the objectives that the seat does not know."""
    colours = states["colour"][:, :, None] == np.arange(len(T.COLOURS))
    return np.asarray(colours & _hidden(states[0], tables)[:, None], np.int64)


def _expect_objectives(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    state = worlds[0]
    hidden = _hidden(state, tables)
    colours = _count_objectives(worlds[:1], tables, seat)[0].sum(axis=0)
    return np.outer(hidden, colours / max(1, hidden.sum()))


_DECK = ("top card", "rest of the deck")
EQUIPMENT = Cards("equipment", _DECK, C.CARD_NAMES, _count_equipment, _expect_equipment)
ZOMBIE_CARDS = Cards(
    "zombie cards",
    _DECK,
    tuple(str(C.FIRST_CARD + card) for card in range(C.ZOMBIE_CARDS)),
    _count_zombies,
    _expect_zombies,
)
OBJECTIVES = Cards(
    "hidden objectives",
    tuple(f"objective {number + 1}" for number in range(T.OBJECTIVES)),
    T.COLOURS,
    _count_objectives,
    _expect_objectives,
)
