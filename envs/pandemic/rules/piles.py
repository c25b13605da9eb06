"""The player deck with its piles and the infection deck with its layers (pp. 3, 6)."""

from __future__ import annotations

from ...core.chance import shuffle
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import fill
from ..cards import EPIDEMIC, EPIDEMICS, LAYERS
from ..state import EVENTS


@rule
def top_card(state):
    """The top card of the player deck, which has one; piles are kept by `draw_card`."""
    require(state.deck_size > 0)
    state.deck_size -= 1
    card = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = 0
    return card


@rule
def draw_card(state):
    """Draw the top player card; remember how far the piles have come."""
    card = top_card(state)
    state.piles[0] -= 1
    if card == EPIDEMIC:
        state.epidemic_out = 1
    if state.piles[0] == 0:
        for i in range(EPIDEMICS - 1):
            state.piles[i] = state.piles[i + 1]
        state.piles[EPIDEMICS - 1] = 0
        state.epidemic_out = 0
    return card


@rule
def shrink_layer(state, layer):
    """A layer has lost a card; an empty one is gone."""
    state.layer_size[layer] -= 1
    if state.layer_size[layer] == 0:
        for i in range(layer, LAYERS - 1):
            state.layer_size[i] = state.layer_size[i + 1]
        state.layer_size[LAYERS - 1] = 0
        state.layers -= 1


@rule
def add_layer(state, cards):
    """The top cards of the infection deck are a layer of their own now."""
    state.layer_size[state.layers] = cards
    state.layers += 1


@rule
def ready_infections(state, ctx):
    """Make an empty infection deck anew from its discards; False where there are none (ruling)."""
    if state.infection_size > 0:
        return True
    cards = gather_discards(state, ctx)
    if cards > 0:
        log(ctx, EVENTS.reshuffled, state.on_turn, cards)
    return cards > 0


@rule
def flip_top(state, ctx):
    """Flip the top infection card onto the discards."""
    require(state.infection_size > 0)
    state.infection_size -= 1
    city = int(state.infection[state.infection_size])
    state.infection[state.infection_size] = 0
    shrink_layer(state, state.layers - 1)
    state.infection_discard[city] = 1
    log(ctx, EVENTS.flipped, state.on_turn, city)
    return city


@rule
def flip_bottom(state, ctx):
    """Flip the bottom infection card onto the discards (p.6)."""
    require(state.infection_size > 0)
    city = int(state.infection[0])
    state.infection_size -= 1
    for i in range(state.infection_size):
        state.infection[i] = state.infection[i + 1]
    state.infection[state.infection_size] = 0
    shrink_layer(state, 0)
    state.infection_discard[city] = 1
    log(ctx, EVENTS.flipped, state.on_turn, city, 1)
    return city


@rule
def gather_discards(state, ctx):
    """Shuffle the infection discards and put them on top of the deck; returns how many they are."""
    start = int(state.infection_size)
    for city in range(len(state.infection_discard)):
        if state.infection_discard[city] == 1:
            state.infection[state.infection_size] = city
            state.infection_size += 1
    fill(state.infection_discard, 0)
    cards = state.infection_size - start
    shuffle(state, ctx, state.infection[start:], cards)
    if cards > 0:
        add_layer(state, cards)
    return cards


@rule
def intensify(state, ctx):
    """Third part of an epidemic: the discards come back on top (p.6)."""
    cards = gather_discards(state, ctx)
    log(ctx, EVENTS.intensified, state.on_turn, cards)


# --- Forecast -------------------------------------------------------------------------------------


@rule
def lift(state, ctx, seat, cards):
    """Forecast: the top cards are seen and wait to be laid back; until then they are one layer."""
    for k in range(cards):
        city = int(state.infection[state.infection_size - 1 - k])
        state.forecast[city] = 1
        log(ctx, EVENTS.forecast, seat, city)
        shrink_layer(state, state.layers - 1)
    add_layer(state, cards)


@rule
def lay_back(state, ctx, seat, city, place):
    """Forecast: a card is chosen to be number ``place`` from the top."""
    state.forecast[city] = 2 + place
    log(ctx, EVENTS.laid_back, seat, city, place)


@rule
def settle_forecast(state, cards):
    """All cards are laid back: their order is known, so each is a layer of its own."""
    for city in range(len(state.forecast)):
        if state.forecast[city] >= 2:
            state.infection[state.infection_size - 1 - (state.forecast[city] - 2)] = city
            state.forecast[city] = 0
    state.layer_size[state.layers - 1] = 0
    state.layers -= 1
    for _ in range(cards):
        add_layer(state, 1)
