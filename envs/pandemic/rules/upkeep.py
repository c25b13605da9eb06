"""Conservation: nothing is lost or made, whatever happens."""

from __future__ import annotations

from ...core.rule import rule
from ...core.state import total
from ..cards import CARDS, CITIES, CITY_FULL, DECK, EPIDEMIC, EPIDEMICS, KINDS, LAYERS, SEATS, STATIONS
from ..state import CURED, ERADICATED


@rule
def check(state, ctx):
    """Raise where a cube, card or station is missing or double, or a count does not agree."""
    t = ctx.tables[state.table]
    check_board(state, t)
    check_infections(state, t)
    check_player_cards(state, t)
    check_piles(state)


@rule
def check_board(state, t):
    """Cubes by colour, stations, cures."""
    for colour in range(KINDS):
        n = int(state.supply[colour])
        for city in range(CITIES):
            cubes = int(state.cubes[city, colour])
            if cubes < 0 or cubes > CITY_FULL:
                raise AssertionError("a city has a number of cubes that cannot be")
            n += cubes
        if n != t.supply[colour] or state.supply[colour] < 0:
            raise AssertionError("the cubes of a colour do not add up")
        if (state.cure[colour] == ERADICATED) != (
            state.cure[colour] >= CURED and state.supply[colour] == t.supply[colour]
        ):
            raise AssertionError("a cured colour is eradicated exactly when it has no cubes")
    if total(state.station) + state.stations_left != STATIONS:
        raise AssertionError("the research stations do not add up")
    for seat in range(state.players):
        if state.seats[seat].city >= t.cities:
            raise AssertionError("a pawn stands in no city")


@rule
def check_infections(state, t):
    """Each infection card lies in one place; the layers make up the deck."""
    cards = 0
    for layer in range(LAYERS):
        cards += state.layer_size[layer]
        if (state.layer_size[layer] > 0) != (layer < state.layers):
            raise AssertionError("the layers of the infection deck have a gap")
    if cards != state.infection_size:
        raise AssertionError("the layers do not add up to the infection deck")
    for city in range(CITIES):
        n = state.infection_discard[city] + state.infection_removed[city]
        for i in range(state.infection_size):
            n += state.infection[i] == city
        if n != (city < t.cities):
            raise AssertionError("an infection card is missing or double")
    for i in range(state.infection_size, CITIES):
        if state.infection[i] != 0:
            raise AssertionError("an unused place of the infection deck is not zero")


@rule
def check_player_cards(state, t):
    """Each player card lies in one place; hands are counted rightly."""
    for card in range(CARDS):
        n = state.player_discard[card] + state.player_removed[card]
        for seat in range(SEATS):
            me = state.seats[seat]
            n += me.hand[card] + (card >= CITIES and me.stored == card - CITIES + 1)
            if me.known[card] > me.hand[card]:
                raise AssertionError("a card is known to lie in a hand where it is not")
        for i in range(state.deck_size):
            n += state.deck[i] == card
        if card < CITIES:
            wanted = int(card < t.cities)
        else:
            wanted = int(state.events_in_game[card - CITIES])
        if n != wanted:
            raise AssertionError("a player card is missing or double")
    for seat in range(SEATS):
        if total(state.seats[seat].hand) != state.seats[seat].size:
            raise AssertionError("a hand is counted wrongly")
    for i in range(state.deck_size, DECK):
        if state.deck[i] != 0:
            raise AssertionError("an unused place of the player deck is not zero")


@rule
def check_piles(state):
    """The piles make up the deck; each holds one epidemic, unless that of the current one is out."""
    place = int(state.deck_size)
    for pile in range(EPIDEMICS):
        size = int(state.piles[pile])
        found = 0
        for _ in range(size):
            place -= 1
            found += state.deck[place] == EPIDEMIC
        if size > 0 and found != (0 if pile == 0 and state.epidemic_out == 1 else 1):
            raise AssertionError("a pile of the player deck does not hold its one epidemic")
    if place != 0:
        raise AssertionError("the piles do not add up to the player deck")
