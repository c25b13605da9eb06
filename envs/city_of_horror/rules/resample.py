"""Another world that a seat cannot tell from this one: `resample` over all that its View hides."""

from __future__ import annotations

import numpy as np

from ...core.chance import below, seed_stream, shuffle_with
from ...core.rule import rule
from ...core.state import copy_row, fill, total
from ..cards import CARDS, CARDS_AN_HOUR, FOOD_VALUES, HOURS, KINDS, PLACES, SEATS
from ..state import DRAFTING, EVERYONE, HOLDERS, INVADING, PICKED
from .effects import card_left
from .setting_up import packet_of
from .town import candidates, how_many

FOOD_TOKENS = 12


@rule
def resample(state, ctx, seat, seed):
    """Redeal what a seat (or a spectator, -1) cannot know, uniformly over labelled cards and tokens.

    A card that a holder is known to have counts as one particular card, which stays where it is.
    """
    seed_stream(state.random, seed)
    if state.step == DRAFTING or state.step == PICKED:
        redeal_draft(state, seat)
    else:
        redeal_cards(state, seat)
        redeal_knowledge(state, seat)
    redeal_food(state, seat)
    redeal_invasion(state, seat)
    redeal_choices(state, seat)


# --- action cards -------------------------------------------------------------------------------


@rule
def redeal_cards(state, seat):
    """Deck, other hands and face-down supplies, except the cards that the seat knows of."""
    row = seat if seat >= 0 else EVERYONE
    pool = np.zeros(CARDS, np.int8)
    n = gather_deck(state, pool, 0)
    for holder in range(HOLDERS):
        if holder != seat:
            for kind in range(KINDS):
                for _ in range(state.cards[holder, kind] - state.known[row, holder, kind]):
                    pool[n] = kind
                    n += 1
    shuffle_with(state.random, pool, n)
    for holder in range(HOLDERS):
        if holder != seat:
            size = total(state.cards[holder])
            copy_row(state.cards[holder], state.known[row, holder])
            for _ in range(size - total(state.known[row, holder])):
                n -= 1
                state.cards[holder, pool[n]] += 1
    scatter_deck(state, pool, n)


@rule
def gather_deck(state, pool, n):
    """Add the deck to a pool; returns the pool's size."""
    for i in range(state.deck_size):
        pool[n] = state.deck[i]
        n += 1
    return n


@rule
def scatter_deck(state, pool, n):
    """The last deck_size cards of a pool become the deck; returns what is left of the pool."""
    for i in range(state.deck_size):
        n -= 1
        state.deck[i] = pool[n]
    return n


@rule
def redeal_knowledge(state, seat):
    """What the others know of each other, in the new world: as many cards as before, among them those
    that all know."""
    pool = np.zeros(CARDS, np.int8)
    for observer in range(state.players):
        for holder in range(HOLDERS):
            known = state.known[observer, holder]
            if observer == seat or holder == seat or total(known) == 0:
                continue
            more = total(known) - total(state.known[EVERYONE, holder])
            copy_row(known, state.known[EVERYONE, holder])
            n = 0
            for kind in range(KINDS):
                for _ in range(state.cards[holder, kind] - known[kind]):
                    pool[n] = kind
                    n += 1
            shuffle_with(state.random, pool, n)
            for k in range(more):
                known[pool[k]] += 1


# --- the draft ----------------------------------------------------------------------------------


@rule
def redeal_draft(state, seat):
    """Packets and picks, as far as the seat has not seen them.

    Of each packet it knows what was in it at each of its looks.  Cards picked before its first look
    can be any; those picked between two looks are known, but not who picked which; after the last
    look any of what was there may have been picked.
    """
    pool = np.zeros(CARDS, np.int8)
    n = gather_deck(state, pool, 0)
    for packet in range(state.players):
        n = gather(
            state, packet, 0, unseen_picks(state, packet, seat), never_seen(state, packet, seat), pool, n
        )
    shuffle_with(state.random, pool, n)
    n = scatter_deck(state, pool, n)
    for packet in range(state.players):
        n = scatter(
            state, packet, 0, unseen_picks(state, packet, seat), never_seen(state, packet, seat), pool, n
        )
    for packet in range(state.players):
        if not never_seen(state, packet, seat):
            look = unseen_picks(state, packet, seat)
            while look <= state.cursor:
                end = min(look + state.players, state.cursor + 1)
                last = look + state.players > state.cursor
                n = gather(state, packet, look + 1, min(end, state.cursor), last, pool, 0)
                shuffle_with(state.random, pool, n)
                scatter(state, packet, look + 1, min(end, state.cursor), last, pool, n)
                look += state.players
    for other in range(state.players):
        if other != seat:
            fill(state.cards[other], 0)
            for j in range(state.cursor):
                state.cards[other, state.picks[other, j] - 1] += 1
            if state.picks[other, state.cursor] > 0:
                state.picks[other, state.cursor] = any_card(state, state.packets[packet_of(state, other)]) + 1


@rule
def unseen_picks(state, packet, seat):
    """How many picks were made from a packet before the seat first looked into it."""
    if seat < 0:
        return int(state.cursor)
    return min((seat - packet + state.players) % state.players, state.cursor)


@rule
def never_seen(state, packet, seat):
    """Whether the seat has not had this packet yet."""
    return seat < 0 or (seat - packet + state.players) % state.players > state.cursor


@rule
def gather(state, packet, lo, hi, rest, pool, n):
    """Add the picks lo .. hi - 1 from a packet to a pool, and what is left in it if ``rest``."""
    for j in range(lo, hi):
        pool[n] = state.picks[(packet + j) % state.players, j] - 1
        n += 1
    if rest:
        for kind in range(KINDS):
            for _ in range(state.packets[packet, kind]):
                pool[n] = kind
                n += 1
    return n


@rule
def scatter(state, packet, lo, hi, rest, pool, n):
    """The reverse of `gather`: take as many cards from the end of the pool."""
    for j in range(lo, hi):
        n -= 1
        state.picks[(packet + j) % state.players, j] = pool[n] + 1
    if rest:
        size = total(state.packets[packet])
        fill(state.packets[packet], 0)
        for _ in range(size):
            n -= 1
            state.packets[packet, pool[n]] += 1
    return n


@rule
def any_card(state, counts):
    """A uniform one of some counted cards: its kind."""
    k = below(state.random, total(counts))
    for kind in range(KINDS):
        k -= counts[kind]
        if k < 0:
            return kind
    return 0


# --- the rest -----------------------------------------------------------------------------------


@rule
def redeal_food(state, seat):
    """Face-down food, on the truck and before other seats."""
    pool = np.zeros(FOOD_TOKENS, np.int8)
    n = 0
    for value in range(FOOD_VALUES):
        hidden = int(state.food_down[value])
        for other in range(state.players):
            if other != seat:
                hidden += state.seats[other].food[value] - state.seats[other].food_known[value]
        for _ in range(hidden):
            pool[n] = value
            n += 1
    shuffle_with(state.random, pool, n)
    size = total(state.food_down)
    fill(state.food_down, 0)
    for _ in range(size):
        n -= 1
        state.food_down[pool[n]] += 1
    for other in range(state.players):
        if other != seat:
            him = state.seats[other]
            size = total(him.food) - total(him.food_known)
            copy_row(him.food, him.food_known)
            for _ in range(size):
                n -= 1
                him.food[pool[n]] += 1


@rule
def redeal_invasion(state, seat):
    """Invasion cards to come, except the next one if the seat has seen it."""
    upcoming = card_left(state) if state.round > 0 else 0
    for hour in range(HOURS):
        done = state.round > 0 and (hour < state.round or (hour == state.round and state.step > INVADING))
        seen = state.round > 0 and hour == upcoming and seat >= 0 and (state.seen >> seat) & 1 == 1
        if not done and not seen:
            state.invasion[hour] = below(state.random, CARDS_AN_HOUR) + 1


@rule
def redeal_choices(state, seat):
    """Movement cards and votes of others that have not been shown."""
    for other in range(state.players):
        him = state.seats[other]
        if other != seat and him.chosen > 0 and him.shown == 0:
            him.chosen = below(state.random, PLACES) + 1
    if state.location == 0:
        return
    here = state.at[state.location - 1]
    for voter in range(state.players):
        caster = state.caster[here, voter] - 1 if state.caster[here, voter] > 0 else voter
        if state.votes[voter] > 0 and caster != seat:
            seats = candidates(state, here)
            k = below(state.random, how_many(seats))
            for target in range(SEATS):
                if (seats >> target) & 1:
                    if k == 0:
                        state.votes[voter] = target + 1
                    k -= 1
