"""Where the cards can be, for card counters: exact until the discards first become the pile."""

from __future__ import annotations

import math

import numpy as np

from ..core.counting import Cards, asked, from_seat, hands, spread, tally
from .cards import CARD_NAMES, COCKROACH, CODES, ITEMS, SEATS
from .state import LIVING


def _count(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Hands, then the draw pile."""
    held = from_seat(states["seats"]["hand"], seat, int(states[0]["players"]))
    pile = tally(states["pile"][:, : int(states[0]["pile_size"])], CODES)
    return np.concatenate([held, pile[:, None]], axis=1)


def _expect(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray | None:
    """Every labelled card that the seat does not see is as likely in each hidden place; but a living
    player who is asked has something to play.

    After a reshuffle the pile is bounded by kind and the draws must explain the hands: no closed form.
    """
    state = worlds[0]
    if state["shuffled"].any():
        return None
    players = int(state["players"])
    known = from_seat(state["seats"]["known"], seat, players, axis=0).astype(np.int64)
    counts = _count(worlds[:1], tables, seat)[0]
    fixed = np.concatenate([known, np.zeros((1, CODES), np.int64)])
    if seat >= 0:
        fixed[0] = counts[0]
    free, rooms = (counts - fixed).sum(axis=0), (counts - fixed).sum(axis=1)
    mean: np.ndarray = fixed + spread(free, rooms)
    decision = asked(state)
    if decision is None or decision["kind"] != LIVING or decision["seat"] == seat:
        return mean
    place = (int(decision["seat"]) - max(seat, 0)) % players
    playable = np.array([_playable(state, int(decision["seat"]), code) for code in range(CODES)])
    if fixed[place][playable].any():
        return mean
    # The mean over all deals is that over the deals with a playable card in the hand asked and that
    # over those without, each as often as it comes.
    idle, room = np.where(playable, 0, free), int(rooms[place])
    without = math.comb(int(idle.sum()), room) / math.comb(int(free.sum()), room)
    none = np.zeros_like(mean)
    if idle.sum() >= room:
        none[place] = idle * (room / max(1, idle.sum()))
        left = rooms.copy()
        left[place] = 0
        none += spread(free - none[place], left)
    return np.asarray((mean - without * (fixed + none)) / (1 - without))


def _playable(state: np.void, seat: int, code: int) -> bool:
    """Whether a living player who holds a card may lay it somewhere (the mask of a seat that sees its
    hand says the same, tested)."""
    goal = state["options"]["goal"]
    for target in range(int(state["players"])):
        him = state["seats"][target]
        if him["turned"] or him["table"][code]:
            continue
        if (code < ITEMS) != (target != seat):
            return True
        if state["special_spent"]:
            continue
        meets = code != COCKROACH and him["table"][(code + ITEMS) % (2 * ITEMS)]
        lying = him["table"][:ITEMS] if code < ITEMS else him["table"][ITEMS:]
        if not (state["options"]["forbid_fatal"] and not meets and lying.sum() == goal - 1):
            return True
    return False


CARDS = Cards("cards", (*hands(SEATS), "draw pile"), CARD_NAMES, _count, _expect)
