"""Set-up: the board, the decks, who takes part and with what (p.6)."""

from __future__ import annotations

import numpy as np

from ...core.chance import chance, shuffle
from ...core.rule import rule
from ...core.state import copy_row
from .. import cards as C
from .. import table as T
from ..state import ACTIVE, FROM_START, GROW
from .common import share, work
from .experience import gain_card


@rule
def lay_out(state, ctx, t):
    """Doors, figures, objectives and cars of the mission."""
    copy_row(state.open, t.barrier_open)
    copy_row(state.revealed, t.revealed)
    copy_row(state.pool, C.FIGURES)
    copy_row(state.spawning, t.spawn_active)
    copy_row(state.colour, t.objective_colour)
    for car in range(T.CARS_MOST):
        state.car_zone[car] = max(0, t.car_zone[car] - 1)
    for k in range(T.PLACED):
        if t.placed_zone[k] > 0:
            kind = t.placed_kind[k]
            n = min(int(t.placed_count[k]), int(state.pool[kind]))
            state.pool[kind] -= n
            state.zombies[t.placed_zone[k] - 1, kind] += n
    for k in range(T.OBJECTIVES - 1, 0, -1):
        if t.objective_hidden[k] == 1:
            hidden = 0
            for j in range(k + 1):
                hidden += t.objective_hidden[j]
            other = nth_hidden(t, chance(state, ctx, hidden))
            state.colour[k], state.colour[other] = state.colour[other], state.colour[k]


@rule
def nth_hidden(t, n):
    """The n-th hidden objective."""
    for k in range(T.OBJECTIVES):
        if t.objective_hidden[k] == 1:
            if n == 0:
                return k
            n -= 1
    return 0


@rule
def shuffle_decks(state, ctx):
    """The equipment deck without what lies aside, and the zombie deck."""
    for kind in range(1, C.KINDS):
        n = int(C.COPIES[kind])
        if C.SET_ASIDE[kind]:
            state.aside[kind] = n
            continue
        if kind == C.CLAW_HAMMER or kind == C.FIRE_AXE or kind == C.PISTOL:
            state.aside[kind] = 1
            n -= 1
        for _ in range(n):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
    shuffle(state, ctx, state.deck, state.deck_size)
    for card in range(C.ZOMBIE_CARDS):
        state.spawn_deck[card] = card + 1
    state.spawn_size = C.ZOMBIE_CARDS
    shuffle(state, ctx, state.spawn_deck, C.ZOMBIE_CARDS)


@rule
def choose_characters(state, ctx, t):
    """Who takes part; names that the options leave open are drawn."""
    n = int(state.options.survivors)
    left = np.ones(C.SURVIVORS, np.int64)
    for i in range(n):
        if state.options.characters[i] > 0:
            left[state.options.characters[i] - 1] = 0
    starts = 0
    for k in range(T.STARTS):
        starts += t.start[k] > 0
    for i in range(n):
        me = state.survivors[i]
        me.character = state.options.characters[i]
        if me.character == 0:
            me.character = nth_left(left, chance(state, ctx, total_left(left))) + 1
            left[me.character - 1] = 0
        me.status = ACTIVE
        me.seat = i // share(state)
        me.zone = t.start[i % starts] - 1
        me.zombivor = state.options.zombivors == FROM_START


@rule
def total_left(left):
    """Characters that nobody has yet."""
    n = 0
    for i in range(C.SURVIVORS):
        n += left[i]
    return n


@rule
def nth_left(left, n):
    """The n-th of them."""
    for i in range(C.SURVIVORS):
        if left[i] == 1:
            if n == 0:
                return i
            n -= 1
    return 0


@rule
def deal_equipment(state, ctx):
    """A random starting card each, Watts a bat besides, and the first skill (p.6)."""
    n = int(state.options.survivors)
    cards = np.zeros(C.SURVIVORS, np.int64)
    copy_row(cards, C.STARTING)
    shuffle(state, ctx, cards, n)
    for i in range(n):
        state.aside[cards[i]] -= 1
        gain_card(state, ctx, i, cards[i])
        if state.survivors[i].character == C.WATTS + 1:
            take_bat(state)
            gain_card(state, ctx, i, C.BAT)
        work(state, GROW, n - 1 - i, 0, 0, 0)


@rule
def take_bat(state):
    """A baseball bat leaves the deck, whose order stays as it is."""
    for k in range(state.deck_size):
        if state.deck[k] == C.BAT:
            for j in range(k, state.deck_size - 1):
                state.deck[j] = state.deck[j + 1]
            state.deck_size -= 1
            state.deck[state.deck_size] = 0
            return
