"""Searching buildings and cars (p.14, p.21)."""

from __future__ import annotations

from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import nth, require, rule
from .. import cards as C
from ..state import ACTIONS, EVENTS, KEEP, SEARCH
from .common import (
    ask,
    crowd_of_zombies,
    draw_equipment,
    free_slot,
    has,
    inside,
    is_building,
    is_card,
    sort_reserve,
    spawn,
    toss,
    work,
)  # fmt: skip
from .experience import rearrange

HOUSE = 0  # what is searched: a building, or a car's kind


@rule
def can_search(state, t, me):
    """A building zone without zombies, once a turn (p.14)."""
    zone = int(me.zone)
    return not inside(me) and me.searched == 0 and is_building(t, zone) and crowd_of_zombies(state, zone) == 0


@rule
def can_search_car(state, t, me, car):
    """A car in the zone, which holds no zombies; nothing is left of a second gunblade (p.21)."""
    kind = t.car_kind[car]
    if kind == 0 or kind == C.MUSCLE or state.car_zone[car] != me.zone or me.searched == 1 or me.tower > 0:
        return False
    if (kind == C.PIMPMOBILE or kind == C.HIPPIEMOBILE) and (
        state.gunblade == 1 or state.aside[C.GUNBLADE] == 0
    ):
        return False
    return crowd_of_zombies(state, int(me.zone)) == 0


@rule
def begin_search(state, survivor, what):
    """How many cards are drawn: one, with Flashlights in a building two or three."""
    me = state.survivors[survivor]
    me.searched = 1
    cards = 1
    if what == HOUSE:
        cards += min(2, has(me, C.FLASHLIGHT))
    work(state, SEARCH, survivor, what, cards, 0)


@rule
def search(state, ctx, t):
    """Draw the next card; at the end the survivor may rearrange what he has (p.14)."""
    frame = top(state)
    survivor = int(frame.a)
    what = int(frame.b)
    if frame.c == 0:
        pop(state)
        rearrange(state, survivor)
        return
    frame.c -= 1
    if what == C.PIMPMOBILE or what == C.HIPPIEMOBILE:
        state.gunblade = 1
        state.aside[C.GUNBLADE] -= 1
        ask(state, KEEP, survivor, C.GUNBLADE, 0, 0)
        return
    kind = draw_equipment(state, ctx)
    log(ctx, EVENTS.found, 0, survivor, kind)
    if what == C.POLICE:
        for _ in range(C.CARDS):
            if kind == C.EMPTY or kind == C.AAAHH or C.IS_MELEE[kind] or C.IS_RANGED[kind]:
                break
            toss(state, kind)
            kind = draw_equipment(state, ctx)
            log(ctx, EVENTS.found, 0, survivor, kind)
    if kind == C.EMPTY:
        frame.c = 0
    elif kind == C.AAAHH:
        toss(state, kind)
        frame.c = 0
        spawn(state, ctx, t, int(state.survivors[survivor].zone), C.WALKER, 1)
    elif what == C.POLICE and not (C.IS_MELEE[kind] or C.IS_RANGED[kind]):
        toss(state, kind)
    else:
        ask(state, KEEP, survivor, kind, 0, 0)


@rule
def legal_keep(state, mask, survivor):
    """Into an empty place, else instead of a card; or it is discarded at once."""
    for slot in range(C.SLOTS):
        mask[ACTIONS.slot + slot] = can_hold(state.survivors[survivor], slot)
    mask[ACTIONS.nothing] = 1


@rule
def can_hold(me, slot):
    """Whether a new card can be laid there: the first empty place, any card where there is none."""
    free = free_slot(me)
    return slot == free if free >= 0 else is_card(me.slots[slot])


@rule
def keep(state, action):
    """The card drawn is kept or discarded."""
    frame = top(state)
    me = state.survivors[frame.a]
    kind = int(frame.b)
    pop(state)
    if action == ACTIONS.nothing:
        toss(state, kind)
        return
    slot = nth(action, ACTIONS.slot, C.SLOTS)
    require(can_hold(me, slot))
    toss(state, int(me.slots[slot]))
    me.slots[slot] = kind
    me.spent[slot] = 0
    sort_reserve(me)
