"""Experience, danger levels and skills; combining and arranging equipment (p.10-11)."""

from __future__ import annotations

from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import nth, require, rule
from .. import cards as C
from ..state import ACTIONS, ACTIVE, ARRANGE_LEFT, ARRANGE_RIGHT, EQUIP, EVENTS, SKILL
from .common import ask, free_slot, has, is_card, level_of, sort_reserve, swap, toss

# --- experience ----------------------------------------------------------------------------------


@rule
def earn(me, points):
    """Experience stops at the last square (p.10)."""
    me.xp = min(C.XP_RED, me.xp + points)


@rule
def grow(state, ctx):
    """Skills of new danger levels, the lowest first; where there is a choice it is asked (p.10)."""
    frame = top(state)
    survivor = int(frame.a)
    me = state.survivors[survivor]
    if me.status != ACTIVE or me.gained > level_of(me.xp):
        pop(state)
        return
    level = int(me.gained)
    if C.PLACES[level] == 1:
        learn(state, ctx, survivor, level, 0)
    else:
        ask(state, SKILL, survivor, level, 0, 0)


@rule
def learn(state, ctx, survivor, level, choice):
    """A survivor gets a skill; what it gives him this turn he has at once."""
    me = state.survivors[survivor]
    skill = int(C.BOARD_SKILLS[me.character - 1, me.zombivor, C.FIRST_PLACE[level] + choice])
    me.skills[skill] += 1
    me.gained = level + 1
    log(ctx, EVENTS.learned, 0, survivor, skill)
    if me.acting == 1:
        me.actions += skill == C.PLUS_ACTION
        me.moves += skill == C.FREE_MOVE
        me.melees += skill == C.FREE_MELEE
        me.shots += skill == C.FREE_RANGED
        me.fights += skill == C.FREE_COMBAT


@rule
def choose_skill(state, ctx, choice):
    """The owner has chosen one of the skills of a level."""
    frame = top(state)
    survivor = int(frame.a)
    level = int(frame.b)
    pop(state)
    learn(state, ctx, survivor, level, choice)


# --- the inventory (p.11, p.14) ------------------------------------------------------------------


@rule
def legal_hand(state, mask, survivor, hand):
    """What may go into a hand: any card or wound not in the other hand, or nothing if there is room."""
    me = state.survivors[survivor]
    for slot in range(hand, C.SLOTS):
        mask[ACTIONS.slot + slot] = fits_hand(me, slot, hand)
    mask[ACTIONS.nothing] = room_beside(me, hand) >= 0


@rule
def fits_hand(me, slot, hand):
    """Whether what lies in a slot may be held: equal cards are offered once, wounds only stay in hand."""
    kind = int(me.slots[slot])
    if kind == C.EMPTY or (kind == C.WOUND and slot != hand):
        return False
    for before in range(hand, slot):
        if me.slots[before] == kind and me.spent[before] == me.spent[slot]:
            return False
    return True


@rule
def room_beside(me, hand):
    """The first empty place that is not in the hands already arranged, -1: none."""
    for slot in range(hand, C.SLOTS):
        if me.slots[slot] == C.EMPTY:
            return slot
    return -1


@rule
def arrange(state, action, hand):
    """A card goes into a hand, what was there takes its place."""
    frame = top(state)
    survivor = int(frame.a)
    me = state.survivors[survivor]
    if action == ACTIONS.nothing:
        slot = room_beside(me, hand)
        require(slot >= 0)
    else:
        slot = nth(action, ACTIONS.slot, C.SLOTS)
        require(slot >= hand and fits_hand(me, slot, hand))
    swap(me, hand, slot)
    pop(state)
    if hand == 0:
        ask(state, ARRANGE_RIGHT, survivor, 0, 0, 0)
    else:
        sort_reserve(me)


@rule
def rearrange(state, survivor):
    """The owner may lay a survivor's cards anew."""
    for slot in range(C.SLOTS):
        if is_card(state.survivors[survivor].slots[slot]):
            ask(state, ARRANGE_LEFT, survivor, 0, 0, 0)
            return


# --- combining (p.10) ----------------------------------------------------------------------------


@rule
def can_combine(state, me, recipe):
    """Whether both parts are there, and for a new card one lies aside."""
    made = int(C.RECIPES[recipe, 2])
    if has(me, int(C.RECIPES[recipe, 0])) == 0 or has(me, int(C.RECIPES[recipe, 1])) == 0:
        return False
    return made == C.SNIPER_RIFLE or state.aside[made] > 0


@rule
def combine(state, recipe):
    """Two parts become a new weapon, which may go into a hand at once."""
    survivor = int(top(state).a)
    me = state.survivors[survivor]
    require(can_combine(state, me, recipe))
    made = int(C.RECIPES[recipe, 2])
    place = -1
    for part in range(2):
        kind = int(C.RECIPES[recipe, part])
        slot = slot_of(me, kind)
        me.slots[slot] = C.EMPTY
        me.spent[slot] = 0
        if made != C.SNIPER_RIFLE:
            toss(state, kind)
        if place < 0 or slot < place:
            place = slot
    if made != C.SNIPER_RIFLE:
        state.aside[made] -= 1
    me.slots[place] = made
    if place >= C.HANDS:
        ask(state, EQUIP, survivor, place, 0, 0)


@rule
def slot_of(me, kind):
    """The last place that holds a kind: a card in hand stays there if there are two."""
    for k in range(C.SLOTS):
        slot = C.SLOTS - 1 - k
        if me.slots[slot] == kind:
            return slot
    return 0


@rule
def legal_equip(state, mask, survivor):
    """Either hand, or it stays in reserve."""
    for hand in range(C.HANDS):
        mask[ACTIONS.slot + hand] = state.survivors[survivor].slots[hand] != C.WOUND
    mask[ACTIONS.nothing] = 1


@rule
def equip(state, action):
    """The new weapon goes into a hand, or not."""
    frame = top(state)
    me = state.survivors[frame.a]
    place = int(frame.b)
    pop(state)
    if action != ACTIONS.nothing:
        hand = nth(action, ACTIONS.slot, C.HANDS)
        require(me.slots[hand] != C.WOUND)
        swap(me, place, hand)
    sort_reserve(me)


@rule
def discard(state, survivor, slot):
    """A card may be discarded at any time (p.11)."""
    me = state.survivors[survivor]
    require(is_card(me.slots[slot]))
    toss(state, int(me.slots[slot]))
    me.slots[slot] = C.EMPTY
    me.spent[slot] = 0
    sort_reserve(me)


@rule
def gain_card(state, ctx, survivor, kind):
    """A card is dealt to a survivor: hands first."""
    me = state.survivors[survivor]
    slot = free_slot(me)
    for hand in range(C.HANDS):
        if me.slots[C.HANDS - 1 - hand] == C.EMPTY:
            slot = C.HANDS - 1 - hand
    me.slots[slot] = kind
    log(ctx, EVENTS.dealt, 0, survivor, kind)
