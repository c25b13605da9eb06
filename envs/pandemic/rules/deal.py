"""Set-up, in the order of the random draws (pp. 2, 3)."""

from __future__ import annotations

import numpy as np

from ...core.chance import chance, shuffle
from ...core.events import log
from ...core.rule import rule
from ...core.state import copy_row, table
from ..cards import (
    ACTIONS_A_TURN,
    CARDS,
    CITIES,
    DECK,
    EPIDEMIC,
    EVENTS_PRINTED,
    HAND_DEALT,
    ROLES,
    SETUP_CUBES,
    STATIONS,
)  # fmt: skip
from ..state import EVENTS, START
from .flow import drive
from .hands import reveal, seers, take_card
from .piles import flip_top, top_card

DEALT = table(HAND_DEALT)
SETUP = table(SETUP_CUBES)


@rule
def deal(state, ctx):
    """Set up the board, deal, choose who begins."""
    t = ctx.tables[state.table]
    copy_row(state.supply, t.supply)
    state.station[t.start] = 1
    state.stations_left = STATIONS - 1
    deal_roles(state, ctx)
    choose_events(state, ctx)
    deal_hands(state, ctx, t)
    prepare_deck(state, ctx)
    shuffle_infections(state, ctx, t)
    for i in range(len(SETUP)):
        city = flip_top(state, ctx)
        colour = t.colour[city]
        state.cubes[city, colour] = SETUP[i]
        state.supply[colour] -= SETUP[i]
        log(ctx, EVENTS.infected, 0, city, SETUP[i])
    first = choose_first(state, ctx, t)
    state.on_turn = first
    state.actions_left = ACTIONS_A_TURN
    state.phase = START
    drive(state, ctx)


@rule
def deal_roles(state, ctx):
    """A role for each, all pawns at the start (p.2); a list of roles as long as the table is in seat
    order, a longer one is dealt from."""
    t = ctx.tables[state.table]
    roles = np.zeros(ROLES, np.int64)
    n = 0
    for i in range(ROLES):
        if state.options.roles[i] != 0:
            roles[n] = state.options.roles[i]
            n += 1
    if n == 0:
        for i in range(ROLES):
            roles[i] = i + 1
        n = ROLES
    for seat in range(state.players):
        pick = seat
        if state.options.roles_in_order == 0:
            pick = seat + chance(state, ctx, n - seat)
        roles[seat], roles[pick] = roles[pick], roles[seat]
        state.seats[seat].role = roles[seat]
        state.seats[seat].city = t.start


@rule
def choose_events(state, ctx):
    """Which events are in the game: all see this."""
    for event in range(EVENTS_PRINTED):
        state.events_in_game[event] = (state.options.listed >> event) & 1
    if state.options.listed != 0:
        return
    wanted = int(state.options.events)
    left = EVENTS_PRINTED
    for event in range(EVENTS_PRINTED):
        if wanted == left or (wanted > 0 and chance(state, ctx, left) < wanted):
            state.events_in_game[event] = 1
            wanted -= 1
        left -= 1


@rule
def deal_hands(state, ctx, t):
    """Shuffle city and event cards and deal the hands (p.2)."""
    n = 0
    for card in range(CARDS):
        if card < t.cities or (card >= CITIES and state.events_in_game[card - CITIES] == 1):
            state.deck[n] = card
            n += 1
    state.deck_size = n
    shuffle(state, ctx, state.deck, n)
    for seat in range(state.players):
        for _ in range(DEALT[state.players]):
            card = top_card(state)
            take_card(state, seat, card)
            log(ctx, EVENTS.dealt, seat, 0, 0, seers(state, seat), card)


@rule
def prepare_deck(state, ctx):
    """Split the deck into even piles, shuffle an epidemic into each, larger piles on top (p.3)."""
    n = int(state.deck_size)
    piles = int(state.options.epidemics)
    if piles == 0:
        state.piles[0] = n
        state.epidemic_out = 1
        return
    cards = np.zeros(DECK, np.int64)
    for i in range(n):
        cards[i] = state.deck[i]
    place = 0
    used = 0
    for pile in range(piles - 1, -1, -1):  # from the bottom
        size = n // piles + (pile < n % piles) + 1
        state.piles[pile] = size
        epidemic = chance(state, ctx, size)
        for i in range(size):
            if i == epidemic:
                state.deck[place] = EPIDEMIC
            else:
                state.deck[place] = cards[used]
                used += 1
            place += 1
    state.deck_size = place


@rule
def shuffle_infections(state, ctx, t):
    """The infection deck: one card of each city (p.3)."""
    for city in range(t.cities):
        state.infection[city] = city
    state.infection_size = t.cities
    state.layer_size[0] = t.cities
    state.layers = 1
    shuffle(state, ctx, state.infection, state.infection_size)


@rule
def choose_first(state, ctx, t):
    """The seat with the most populous city card begins and shows it (p.3); at a tie the lowest seat."""
    first = 0
    shown = -1
    most = 0
    for seat in range(state.players):
        for city in range(t.cities):
            if state.seats[seat].hand[city] == 1 and t.population[city] > most:
                most = t.population[city]
                first = seat
                shown = city
    if shown >= 0:
        reveal(state, first, shown)
    log(ctx, EVENTS.first, first, shown)
    return first
