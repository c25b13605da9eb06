"""Cubes, infections, outbreaks, cures, and how the game ends (pp. 4, 6, 7)."""

from __future__ import annotations

import numpy as np

from ...core.decisions import finish
from ...core.events import log
from ...core.rule import rule
from ...core.state import TERMINATED, table
from ..cards import CITIES, CITY_FULL, INFECTION_RATE, KINDS, MEDIC, OUTBREAK_LIMIT, QUARANTINE
from ..state import CUBES, CURED, ERADICATED, EVENTS, NOT_CURED, OUTBREAKS, WON

RATE = table(INFECTION_RATE)


@rule
def end_game(state, ctx, result):
    """All win or lose together, at once (p.7)."""
    state.result = result
    state.reward_unit = 1
    for seat in range(state.players):
        if result == WON:
            state.reward[seat] = 1
        elif state.options.signed:
            state.reward[seat] = -1
    log(ctx, EVENTS.ended, state.on_turn, result)
    finish(state, TERMINATED)


@rule
def infection_rate(state):
    """Cards flipped in an infection step now."""
    return RATE[state.rate_step]


# --- infections and outbreaks ---------------------------------------------------------------------


@rule
def protected(state, t, city, colour):
    """Whether no cube of a colour can come to a city: the Quarantine Specialist is there or next to it,
    or the Medic is there and the colour is cured (p.8)."""
    for seat in range(state.players):
        me = state.seats[seat]
        if me.role == QUARANTINE and (t.near[me.city] >> city) & 1:
            return True
        if me.role == MEDIC and me.city == city and state.cure[colour] != NOT_CURED:
            return True
    return False


@rule
def put_cube(state, ctx, city, colour):
    """Put one cube from the supply into a city; a missing one loses the game (p.6)."""
    if state.supply[colour] == 0:
        end_game(state, ctx, CUBES)
        return
    state.supply[colour] -= 1
    state.cubes[city, colour] += 1


@rule
def infect(state, ctx, t, city, wanted):
    """An infection card (1 cube) or an epidemic (3 cubes) hits a city in its own colour (p.6).

    Up to three lie there; what would go beyond them is one outbreak.
    """
    colour = int(t.colour[city])
    if state.cure[colour] == ERADICATED or protected(state, t, city, colour):
        log(ctx, EVENTS.protected, state.on_turn, city, colour)
        return
    cubes = min(wanted, CITY_FULL - state.cubes[city, colour])
    log(ctx, EVENTS.infected, state.on_turn, city, cubes)
    for _ in range(cubes):
        put_cube(state, ctx, city, colour)
        if state.over != 0:
            return
    if cubes < wanted:
        outbreak(state, ctx, t, city, colour)


@rule
def outbreak(state, ctx, t, origin, colour):
    """An outbreak and its chain, breadth first; no city breaks out twice for one card (p.7)."""
    queue = np.zeros(CITIES, np.int64)
    queue[0] = origin
    queued = 1 << origin
    n = 1
    i = 0
    while i < n:
        city = queue[i]
        i += 1
        state.outbreaks += 1
        log(ctx, EVENTS.outbreak, state.on_turn, city, colour)
        if state.outbreaks == OUTBREAK_LIMIT:
            end_game(state, ctx, OUTBREAKS)
            return
        for k in range(t.degree[city]):
            other = int(t.links[city, k])
            if (queued >> other) & 1 or protected(state, t, other, colour):
                continue
            if state.cubes[other, colour] == CITY_FULL:
                queued |= 1 << other
                queue[n] = other
                n += 1
            else:
                put_cube(state, ctx, other, colour)
                if state.over != 0:
                    return


# --- treatment and cures --------------------------------------------------------------------------


@rule
def remove_cubes(state, ctx, t, city, colour, cubes):
    """Cubes go back to the supply; the last one of a cured colour eradicates it (p.4)."""
    state.cubes[city, colour] -= cubes
    state.supply[colour] += cubes
    note_eradication(state, ctx, t, colour)


@rule
def note_eradication(state, ctx, t, colour):
    """A cured colour without cubes on the board is eradicated, however that came about (p.4)."""
    if state.cure[colour] == CURED and state.supply[colour] == t.supply[colour]:
        state.cure[colour] = ERADICATED
        log(ctx, EVENTS.eradicated, state.on_turn, colour)


@rule
def sweep(state, ctx, t, seat):
    """Cubes of cured colours vanish where the Medic is or comes to be (p.8)."""
    me = state.seats[seat]
    if me.role != MEDIC:
        return
    city = int(me.city)
    for colour in range(KINDS):
        cubes = int(state.cubes[city, colour])
        if cubes > 0 and state.cure[colour] != NOT_CURED:
            log(ctx, EVENTS.vanished, seat, city, cubes)
            remove_cubes(state, ctx, t, city, colour, cubes)


@rule
def place_pawn(state, ctx, t, seat, city):
    """A pawn comes to a city."""
    state.seats[seat].city = city
    log(ctx, EVENTS.moved, state.on_turn, seat, city)
    sweep(state, ctx, t, seat)


@rule
def discover(state, ctx, t, colour):
    """A cure is found; with the last one the players have won at once (pp. 4, 7)."""
    state.cure[colour] = CURED
    log(ctx, EVENTS.cured, state.on_turn, colour)
    for seat in range(state.players):
        sweep(state, ctx, t, seat)
    note_eradication(state, ctx, t, colour)
    cured = 0
    for other in range(KINDS):
        cured += state.cure[other] != NOT_CURED
    if cured == t.colours:
        end_game(state, ctx, WON)
