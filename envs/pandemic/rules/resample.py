"""A world drawn uniformly from those that a seat cannot tell from this one.

Hidden are the order of the player deck within what the piles say, the other hands (with hidden
hands) but for the cards that the table has seen, and the order within each layer of the infection
deck.
"""

from __future__ import annotations

import numpy as np

from ...core.chance import below, below_large, seed_stream, shuffle_with, ways_to_choose
from ...core.decisions import top
from ...core.rule import rule
from ...core.state import copy_row
from ..cards import CARDS, CITIES, EPIDEMIC, EPIDEMICS, LAYERS
from ..state import CARD, CURE, FLIGHT, GIVE


@rule
def resample(state, ctx, seat, seed):
    """Redeal what a seat (or a spectator, -1) cannot know; new dice."""
    t = ctx.tables[state.table]
    seed_stream(state.random, seed)
    cards = np.zeros(CARDS, np.int64)
    n = gather_hidden(state, seat, cards)
    shuffle_with(state.random, cards, n)
    n = deal_picker(state, t, seat, cards, n)
    for other in range(state.players):
        if hides(state, seat, other):
            n = deal_hidden(state, other, cards, n)
    lay_deck(state, cards)
    shuffle_layers(state)


@rule
def hides(state, seat, other):
    """Whether a seat's hand is hidden from the observer."""
    return state.options.hidden == 1 and other != seat


@rule
def gather_hidden(state, seat, cards):
    """The cards that lie in hidden places: the deck, and hands as far as nobody else has seen them."""
    n = 0
    for i in range(state.deck_size):
        if state.deck[i] != EPIDEMIC:
            cards[n] = state.deck[i]
            n += 1
    for other in range(state.players):
        if hides(state, seat, other):
            him = state.seats[other]
            for card in range(CARDS):
                if him.hand[card] > him.known[card]:
                    cards[n] = card
                    n += 1
            copy_row(him.hand, him.known)
    return n


@rule
def deal_hidden(state, other, cards, n):
    """Fill a hand up to its size with the last of the shuffled cards; returns how many are left."""
    him = state.seats[other]
    held = 0
    for card in range(CARDS):
        held += him.hand[card]
    for _ in range(him.size - held):
        n -= 1
        him.hand[cards[n]] = 1
    return n


# --- a hand of which a pick tells something -------------------------------------------------------


@rule
def in_class(state, t, decision, card):
    """Whether a card could be picked at the pending decision."""
    if card >= t.cities:
        return False
    if decision.a == CURE:
        return t.colour[card] == decision.b
    if decision.a == GIVE:
        return (state.refused_give[decision.b] >> card) & 1 == 0
    return True


@rule
def deal_picker(state, t, seat, cards, n):
    """A seat that is asked to pick a card of its hidden hand has a choice: deal its hand uniformly
    among those with one card more than it has to pick.  Returns how many cards are left."""
    if state.depth == 0:
        return n
    decision = top(state)
    asks_hand = decision.kind == CARD and (decision.a == CURE or decision.a == GIVE or decision.a == FLIGHT)
    if not asks_hand or not hides(state, seat, decision.seat):
        return n
    him = state.seats[decision.seat]
    room = int(him.size)
    wanted = max(1, int(decision.c)) + 1
    for card in range(CARDS):
        if him.hand[card] == 1:
            room -= 1
            wanted -= in_class(state, t, decision, card)
    fitting = 0
    for i in range(n):
        fitting += in_class(state, t, decision, cards[i])
    take = choose_fitting(state, fitting, n - fitting, room, max(0, wanted))
    left = 0
    others = room - take
    for i in range(n):  # the cards are shuffled: the first ones of each sort are a fair choice
        if in_class(state, t, decision, cards[i]):
            chosen = take > 0
            take -= chosen
        else:
            chosen = others > 0
            others -= chosen
        if chosen:
            him.hand[cards[i]] = 1
        else:
            cards[left] = cards[i]
            left += 1
    return left


@rule
def choose_fitting(state, fitting, rest, room, least):
    """How many of ``room`` cards are fitting ones, at least ``least``, by the number of ways."""
    ways = 0
    for k in range(least, min(fitting, room) + 1):
        ways += ways_to_choose(fitting, k) * ways_to_choose(rest, room - k)
    ticket = below_large(state.random, ways)
    k = least
    while ticket >= ways_to_choose(fitting, k) * ways_to_choose(rest, room - k):
        ticket -= ways_to_choose(fitting, k) * ways_to_choose(rest, room - k)
        k += 1
    return k


# --- decks ----------------------------------------------------------------------------------------


@rule
def lay_deck(state, cards):
    """Lay the cards into the piles; each has its epidemic at any place, the current one none if it is out."""
    place = int(state.deck_size)
    used = 0
    for pile in range(EPIDEMICS):
        size = int(state.piles[pile])
        epidemic = -1
        if size > 0 and (pile > 0 or state.epidemic_out == 0):
            epidemic = below(state.random, size)
        for i in range(size):
            place -= 1
            if i == epidemic:
                state.deck[place] = EPIDEMIC
            else:
                state.deck[place] = cards[used]
                used += 1


@rule
def shuffle_layers(state):
    """Shuffle each layer of the infection deck (during a Forecast the cards that wait are one layer)."""
    start = 0
    row = np.zeros(CITIES, np.int64)
    for layer in range(LAYERS):
        size = int(state.layer_size[layer])
        for i in range(size):
            row[i] = state.infection[start + i]
        shuffle_with(state.random, row, size)
        for i in range(size):
            state.infection[start + i] = row[i]
        start += size
