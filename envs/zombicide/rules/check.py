"""Conservation: nothing is ever lost or made (for tests)."""

from __future__ import annotations

from ...core.decisions import top
from ...core.rule import rule
from .. import cards as C
from ..state import ABSENT, ACTIVE, FALLEN, KEEP, LEFT
from .common import wound_limit


@rule
def check(state, ctx):
    """Raise where cards or figures do not add up, or a survivor is as he cannot be."""
    check_cards(state)
    check_figures(state)
    check_zombie_cards(state)
    wounds = 0
    for i in range(C.SURVIVORS):
        wounds += check_survivor(state, i)
    if wounds > C.WOUND_CARDS:
        raise AssertionError("more wounds than wound cards")


@rule
def check_cards(state):
    """83 equipment cards, each kind its copies."""
    for kind in range(1, C.KINDS):
        if kind == C.WOUND or kind == C.SNIPER_RIFLE:
            continue
        n = int(state.discard[kind]) + int(state.aside[kind])
        if state.discard[kind] < 0 or state.aside[kind] < 0:
            raise AssertionError("a pile has less than no cards")
        for k in range(state.deck_size):
            n += state.deck[k] == kind
        for i in range(C.SURVIVORS):
            for slot in range(C.SLOTS):
                held = state.survivors[i].slots[slot]
                n += held == kind
                n += held == C.SNIPER_RIFLE and (kind == C.RIFLE or kind == C.SCOPE)
        for k in range(state.depth):
            n += state.stack[k].kind == KEEP and state.stack[k].b == kind
        if n != C.COPIES[kind]:
            raise AssertionError("the equipment cards of a kind do not add up")
    for k in range(state.deck_size, C.CARDS):
        if state.deck[k] != 0:
            raise AssertionError("an unused place of the deck is not zero")


@rule
def check_figures(state):
    """78 zombies, each kind its figures."""
    for kind in range(C.ZOMBIES):
        n = int(state.pool[kind])
        if n < 0:
            raise AssertionError("more zombies of a kind than figures")
        for zone in range(len(state.zombies)):
            if state.zombies[zone, kind] < 0:
                raise AssertionError("a zone has less than no zombies")
            n += state.zombies[zone, kind]
        if n != C.FIGURES[kind]:
            raise AssertionError("the figures of a kind do not add up")


@rule
def check_zombie_cards(state):
    """42 zombie cards, each in the deck or drawn."""
    for card in range(C.ZOMBIE_CARDS):
        n = int(state.spawn_discard[card])
        for k in range(state.spawn_size):
            n += state.spawn_deck[k] == card + 1
        if n != 1:
            raise AssertionError("a zombie card is lost or there twice")


@rule
def check_survivor(state, i):
    """Wounds and their cards agree, powers belong to the living; returns his wounds."""
    me = state.survivors[i]
    wounds = 0
    cards = 0
    for slot in range(C.SLOTS):
        wounds += me.slots[slot] == C.WOUND
        cards += me.slots[slot] != C.EMPTY
        if me.spent[slot] == 1 and not C.RELOADS[me.slots[slot]]:
            raise AssertionError("a card that needs no reloading is empty")
    if wounds != me.wounds or me.xp > C.XP_RED:
        raise AssertionError("wounds or experience are wrong")
    if me.status == ACTIVE and me.wounds >= wound_limit(me):
        raise AssertionError("a survivor should be dead")
    if me.status != ACTIVE and (me.acting == 1 or me.actions > 0 or me.car > 0):
        raise AssertionError("a survivor out of play still acts")
    if me.status != ACTIVE and me.status != FALLEN and me.status != LEFT and cards > 0:
        raise AssertionError("a survivor out of play has cards")
    if (me.status == ABSENT) != (i >= state.options.survivors):
        raise AssertionError("the number of survivors is wrong")
    if state.depth > 0 and top(state).kind <= 0:
        raise AssertionError("a decision without a kind is pending")
    return wounds
