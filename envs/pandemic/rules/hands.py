"""Player cards: hands, what the table has seen of them, discards, and who may give which card."""

from __future__ import annotations

from ...core.events import EVERYBODY, log
from ...core.rule import require, rule
from ..cards import CARDS, CITIES, RESEARCHER
from ..state import EVENTS, GIVE


@rule
def holds(state, seat, card):
    """Whether a card lies in a seat's hand."""
    return state.seats[seat].hand[card] == 1


@rule
def seers(state, seat):
    """The seats that see a card which a seat draws, as a set of bits."""
    return 1 << seat if state.options.hidden else EVERYBODY


@rule
def take_card(state, seat, card):
    """A card enters a hand."""
    me = state.seats[seat]
    me.hand[card] = 1
    me.size += 1


@rule
def reveal(state, seat, card):
    """The table sees a card of a hand, and remembers it as long as it lies there."""
    if state.options.hidden and holds(state, seat, card):
        state.seats[seat].known[card] = 1


@rule
def leave_hand(state, seat, card):
    """A card leaves a hand in sight of all."""
    me = state.seats[seat]
    require(me.hand[card] == 1)
    me.hand[card] = 0
    me.known[card] = 0
    me.size -= 1


@rule
def discard(state, ctx, seat, card):
    """A card goes from a hand to the player discards."""
    leave_hand(state, seat, card)
    state.player_discard[card] = 1
    log(ctx, EVENTS.discarded, seat, card)


@rule
def city_cards(state, seat):
    """City cards in a hand."""
    n = 0
    for city in range(CITIES):
        n += state.seats[seat].hand[city]
    return n


@rule
def cards_of(state, t, seat, colour):
    """City cards of one colour in a hand."""
    n = 0
    for city in range(t.cities):
        if t.colour[city] == colour:
            n += state.seats[seat].hand[city]
    return n


@rule
def hidden_cards(state, seat):
    """Cards of a hand that the table has not seen (with open hands it sees all)."""
    n = int(state.seats[seat].size)
    for card in range(CARDS):
        n -= state.seats[seat].known[card]
    return n


# --- sharing --------------------------------------------------------------------------------------


@rule
def may_give(state, giver, taker, city):
    """Whether a card may go from hand to hand: it is the card of the city where both are, or any city
    card of the Researcher (pp. 4, 8)."""
    me = state.seats[giver]
    here = me.city
    return (
        giver != taker
        and here == state.seats[taker].city
        and me.hand[city] == 1
        and (city == here or me.role == RESEARCHER)
    )


@rule
def refused_share(state, what, other, city):
    """Whether the owner of the other hand has refused this very share this turn."""
    bits = state.refused_give[other] if what == GIVE else state.refused_take
    return (bits >> city) & 1 == 1


@rule
def may_share(state, what, other, city):
    """Whether the seat on turn may share a card with another by giving or by taking it."""
    if refused_share(state, what, other, city):
        return False
    if what == GIVE:
        return may_give(state, state.on_turn, other, city)
    return may_give(state, other, state.on_turn, city)


@rule
def shares(state, what, other):
    """How many cards the seat on turn may share with another, and the last one of them."""
    giver = state.on_turn if what == GIVE else other
    if state.seats[state.on_turn].city != state.seats[other].city:
        return 0, 0
    if state.seats[giver].role != RESEARCHER:
        here = int(state.seats[giver].city)
        return int(may_share(state, what, other, here)), here
    n = 0
    found = 0
    for city in range(CITIES):
        if may_share(state, what, other, city):
            n += 1
            found = city
    return n, found
