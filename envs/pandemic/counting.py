"""Where the cards can be, for card counters: always exact."""

from __future__ import annotations

import math

import numpy as np

from ..core.counting import Cards, asked, from_seat, hands, spread, tally
from .board import load_map
from .cards import CARDS, CITIES, EPIDEMIC, EPIDEMICS, EVENT_NAMES, SEATS
from .state import CARD, CURE, FLIGHT, GIVE

_CITY_NAMES = load_map("world").cities  # of the printed map
_KINDS = (*_CITY_NAMES, *EVENT_NAMES, "epidemic")


def _count(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Hands, then the piles of the player deck, the current one first."""
    counts = np.zeros((len(states), SEATS + EPIDEMICS, CARDS + 1), np.int64)
    counts[:, :SEATS, :CARDS] = from_seat(states["seats"]["hand"], seat, int(states[0]["players"]))
    place = int(states[0]["deck_size"])
    for pile, size in enumerate(states[0]["piles"].tolist()):
        counts[:, SEATS + pile] = tally(states["deck"][:, place - size : place], CARDS + 1)
        place -= size
    return counts


def _expect(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """City and event cards that the seat does not see are as likely in each hidden place: the piles of the
    deck, less one place for the epidemic of each, and hidden hands; but a hand from which a card is
    picked has enough of them."""
    state = worlds[0]
    players = int(state["players"])
    counts = _count(worlds[:1], tables, seat)[0]
    fixed = np.zeros_like(counts)
    fixed[:, EPIDEMIC] = counts[:, EPIDEMIC]
    known = state["seats"]["known"] if state["options"]["hidden"] else state["seats"]["hand"]
    fixed[:SEATS, :CARDS] = from_seat(known, seat, players, axis=0)
    if seat >= 0:
        fixed[0] = counts[0]
    free, rooms = (counts - fixed).sum(axis=0).astype(np.float64), (counts - fixed).sum(axis=1)
    decision = asked(state)
    mean: np.ndarray = fixed.astype(np.float64)
    if decision is not None and decision["kind"] == CARD and decision["a"] in (CURE, FLIGHT, GIVE):
        place = (int(decision["seat"]) - max(seat, 0)) % players
        if state["options"]["hidden"] and decision["seat"] != seat and rooms[place]:
            wanted = max(1, int(decision["c"])) + 1
            fits = _fitting(state, tables[state["table"]], decision)
            held = _picker(free, int(rooms[place]), fits, wanted - int(fixed[place][fits].sum()))
            mean[place] += held
            free -= held
            rooms[place] = 0
    mean += spread(free, rooms)
    return mean


def _fitting(state: np.void, table: np.void, decision: np.void) -> np.ndarray:
    """bool (kinds,): the cards that could be picked at the pending decision."""
    cities: np.ndarray = np.arange(CARDS + 1) < table["cities"]
    if decision["a"] == CURE:
        cities[:CITIES] &= table["colour"][:CITIES] == decision["b"]
    elif decision["a"] == GIVE:
        refused = int(state["refused_give"][decision["b"]])
        cities &= np.array([refused >> card & 1 == 0 for card in range(CARDS + 1)])
    return cities


def _picker(free: np.ndarray, room: int, fits: np.ndarray, least: int) -> np.ndarray:
    """The mean hand of ``room`` free cards among those with at least so many fitting ones."""
    fitting, rest = int(free[fits].sum()), int(free[~fits].sum())
    ways = {
        k: math.comb(fitting, k) * math.comb(rest, room - k)
        for k in range(max(0, least), min(fitting, room) + 1)
    }
    mean = sum(k * n for k, n in ways.items()) / sum(ways.values())
    share = np.where(fits, mean / max(1, fitting), (room - mean) / max(1, rest))
    return np.asarray(free * share)


PLAYER_CARDS = Cards(
    "player cards",
    (*hands(SEATS), *(f"pile {pile + 1}" for pile in range(EPIDEMICS))),
    _KINDS,
    _count,
    _expect,
)


def _ends(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """The top and the bottom card of the infection deck, if it has any."""
    size = int(states[0]["infection_size"])
    counts = np.zeros((len(states), 2, CITIES), np.int64)
    if size:
        counts[:, 0] = tally(states["infection"][:, size - 1 : size], CITIES)
        counts[:, 1] = tally(states["infection"][:, :1], CITIES)
    return counts


def _expect_ends(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Any card of a layer may be its top or bottom one."""
    state = worlds[0]
    size = int(state["infection_size"])
    mean = np.zeros((2, CITIES))
    if size:
        top = int(state["layer_size"][state["layers"] - 1])
        bottom = int(state["layer_size"][0])
        mean[0] = tally(state["infection"][None, size - top : size], CITIES)[0] / top
        mean[1] = tally(state["infection"][None, :bottom], CITIES)[0] / bottom
    return mean


INFECTIONS = Cards("infection cards", ("top card", "bottom card"), _CITY_NAMES, _ends, _expect_ends)
