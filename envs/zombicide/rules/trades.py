"""Trading and rearranging among survivors of a zone (p.14)."""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, top
from ...core.rule import require, rule
from .. import cards as C
from ..state import ACTIONS, TRADE
from .common import ask, cards_held, is_card, sort_reserve, stands, survivor_at, together
from .experience import rearrange


@rule
def legal_trades(state, mask, survivor, seat):
    """Rearrange one's own cards, or trade with one survivor of the zone (p.14)."""
    for place in range(int(state.options.survivors)):
        mask[ACTIONS.trade + place] = can_trade(state, survivor, survivor_at(state, seat, place))


@rule
def can_trade(state, survivor, other):
    """Whether there are cards to lay out anew, alone or with a survivor within reach."""
    me = state.survivors[survivor]
    if other == survivor:
        return cards_held(me) > 0
    him = state.survivors[other]
    near = stands(state, other, int(me.zone)) and together(me, him)
    return near and cards_held(me) + cards_held(him) > 0


@rule
def begin_trade(state, survivor, other):
    """Rearrange alone, or mark the cards that cross to a partner."""
    require(other >= 0 and can_trade(state, survivor, other))
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
    for slot in range(C.SLOTS):
        mask[ACTIONS.slot + slot] = can_cross(me, him, slot, gives)
        mask[ACTIONS.other_slot + slot] = can_cross(him, me, slot, takes)
    mask[ACTIONS.done] = can_carry(me, him, gives, takes)


@rule
def can_cross(giver, taker, slot, bits):
    """Whether one more card can be marked: the taker could give all his own away, but not his wounds."""
    return is_card(giver.slots[slot]) and bits >> slot & 1 == 0 and taker.wounds + marked(bits) < C.SLOTS


@rule
def can_carry(me, him, gives, takes):
    """Whether both have places for what they would hold."""
    more = marked(takes) - marked(gives)
    return held(me) + more <= C.SLOTS and held(him) - more <= C.SLOTS


@rule
def trade(state, action):
    """Mark one more card, or carry the trade out and let both rearrange."""
    frame = top(state)
    survivor = int(frame.a)
    other = int(frame.b)
    gives = int(frame.c)
    takes = int(frame.d)
    me = state.survivors[survivor]
    him = state.survivors[other]
    if action >= ACTIONS.slot and action < ACTIONS.other_slot:
        slot = action - ACTIONS.slot
        require(can_cross(me, him, slot, gives))
        frame.c = gives | 1 << slot
    elif action >= ACTIONS.other_slot and action < ACTIONS.cancel:
        slot = action - ACTIONS.other_slot
        require(can_cross(him, me, slot, takes))
        frame.d = takes | 1 << slot
    else:
        require(action == ACTIONS.done and can_carry(me, him, gives, takes))
        pop(state)
        cross(me, him, gives, takes)
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
