"""Trading and rearranging among survivors of a zone (p.14)."""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, top
from ...core.rule import rule
from .. import cards as C
from ..state import ACTIONS, TRADE
from .common import ask, cards_held, is_card, sort_reserve, stands, survivor_at, together
from .experience import rearrange


@rule
def legal_trades(state, mask, survivor, seat):
    """Rearrange one's own cards, or trade with one survivor of the zone (p.14)."""
    me = state.survivors[survivor]
    n = int(state.options.survivors)
    for place in range(n):
        other = survivor_at(state, seat, place)
        if other == survivor:
            mask[ACTIONS.trade + place] = cards_held(me) > 0
        elif stands(state, other, int(me.zone)) and together(me, state.survivors[other]):
            mask[ACTIONS.trade + place] = cards_held(me) + cards_held(state.survivors[other]) > 0


@rule
def begin_trade(state, survivor, place):
    """Rearrange alone, or mark the cards that cross to a partner."""
    other = survivor_at(state, int(state.survivors[survivor].seat), place)
    if other == survivor:
        rearrange(state, survivor)
    else:
        ask(state, TRADE, survivor, other, 0, 0)


@rule
def marked(bits):
    """How many slots are marked."""
    n = 0
    for slot in range(C.SLOTS):
        n += bits >> slot & 1
    return n


@rule
def held(me):
    """Slots that are taken, by cards or wounds."""
    n = 0
    for slot in range(C.SLOTS):
        n += me.slots[slot] != C.EMPTY
    return n


@rule
def legal_trade(state, mask, survivor, other, gives, takes):
    """Each card may cross once; both must be able to carry what they get in the end."""
    me = state.survivors[survivor]
    him = state.survivors[other]
    more = marked(takes) - marked(gives)
    room = C.SLOTS - held(me)
    least = held(him) - C.SLOTS
    mine = cards_held(me) - marked(gives)  # cards that can still cross
    his = cards_held(him) - marked(takes)
    for slot in range(C.SLOTS):
        give = is_card(me.slots[slot]) and gives >> slot & 1 == 0
        take = is_card(him.slots[slot]) and takes >> slot & 1 == 0
        mask[ACTIONS.slot + slot] = give and more - 1 + his >= least
        mask[ACTIONS.other_slot + slot] = take and more + 1 - mine <= room
    mask[ACTIONS.done] = more <= room and more >= least


@rule
def trade(state, action):
    """Mark one more card, or carry the trade out and let both rearrange."""
    frame = top(state)
    if action >= ACTIONS.slot and action < ACTIONS.other_slot:
        frame.c |= 1 << (action - ACTIONS.slot)
        return
    if action >= ACTIONS.other_slot and action < ACTIONS.cancel:
        frame.d |= 1 << (action - ACTIONS.other_slot)
        return
    survivor = int(frame.a)
    other = int(frame.b)
    gives = int(frame.c)
    takes = int(frame.d)
    pop(state)
    cross(state.survivors[survivor], state.survivors[other], gives, takes)
    rearrange(state, other)
    rearrange(state, survivor)


@rule
def cross(me, him, gives, takes):
    """The marked cards change hands."""
    kinds = np.zeros(2 * C.SLOTS, np.int64)
    spent = np.zeros(2 * C.SLOTS, np.int64)
    for slot in range(C.SLOTS):
        if gives >> slot & 1:
            kinds[slot] = me.slots[slot]
            spent[slot] = me.spent[slot]
            me.slots[slot] = C.EMPTY
            me.spent[slot] = 0
        if takes >> slot & 1:
            kinds[C.SLOTS + slot] = him.slots[slot]
            spent[C.SLOTS + slot] = him.spent[slot]
            him.slots[slot] = C.EMPTY
            him.spent[slot] = 0
    for slot in range(C.SLOTS):
        if kinds[slot] > 0:
            lay(him, kinds[slot], spent[slot])
        if kinds[C.SLOTS + slot] > 0:
            lay(me, kinds[C.SLOTS + slot], spent[C.SLOTS + slot])
    sort_reserve(me)
    sort_reserve(him)


@rule
def lay(me, kind, spent):
    """A card goes into the first empty place, the reserve before the hands."""
    for k in range(C.SLOTS):
        slot = (k + C.HANDS) % C.SLOTS
        if me.slots[slot] == C.EMPTY:
            me.slots[slot] = kind
            me.spent[slot] = spent
            return
