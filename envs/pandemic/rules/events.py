"""Event cards and the windows in which seats are asked for them (p.7)."""

from __future__ import annotations

from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import total
from ..cards import AIRLIFT, CITIES, EVENTS_PRINTED, FORECAST, FORECAST_CARDS, GRANT, QUIET_NIGHT, RESILIENT
from ..state import (
    AIRLIFTED,
    BEFORE_ACTION,
    BEFORE_TURN,
    CARD,
    CONSENT,
    DESTINATION,
    EVENTS,
    FORECASTED,
    IN_EPIDEMIC,
    LIMIT,
    PAWN,
    REMOVED,
    STATION,
    WINDOW,
)  # fmt: skip
from .board import place_pawn
from .hands import discard, hidden_cards, holds, reveal
from .piles import lay_back, lift, settle_forecast

# --- who may play what ----------------------------------------------------------------------------


@rule
def useful(state, event, window):
    """Whether an event would do anything now; only Resilient Population may interrupt an epidemic.

    Airlift and Government Grant always find a city.
    """
    if window == IN_EPIDEMIC and event != RESILIENT:
        return False
    if event == FORECAST:
        return state.infection_size > 0
    if event == QUIET_NIGHT:
        return state.quiet_night == 0
    if event == RESILIENT:
        return total(state.infection_discard) > 0
    return True


@rule
def has_event(state, seat, event):
    """Whether an event lies in a seat's hand or on its role card."""
    return holds(state, seat, CITIES + event) or state.seats[seat].stored == event + 1


@rule
def may_play(state, seat, event, window):
    """Whether a seat may play an event; ``window`` 0: at an action or the hand limit."""
    return has_event(state, seat, event) and useful(state, event, window)


@rule
def unaccounted(state, event):
    """With hidden hands: whether the table cannot tell where an event of the game is."""
    card = CITIES + event
    if state.events_in_game[event] == 0 or state.player_discard[card] == 1 or state.player_removed[card] == 1:
        return False
    for seat in range(state.players):
        me = state.seats[seat]
        if me.known[card] == 1 or me.stored == event + 1:
            return False
    return True


@rule
def asked(state, seat, window):
    """Whether a window asks a seat: who is asked follows from what the table sees."""
    me = state.seats[seat]
    if state.options.hidden == 0:
        for event in range(EVENTS_PRINTED):
            if may_play(state, seat, event, window):
                return True
        return False
    secret = hidden_cards(state, seat) > 0
    for event in range(EVENTS_PRINTED):
        seen = me.known[CITIES + event] == 1 or me.stored == event + 1
        if (seen or (secret and unaccounted(state, event))) and useful(state, event, window):
            return True
    return False


# --- windows --------------------------------------------------------------------------------------


@rule
def open_window(state, window):
    """Ask seats clockwise from the active one; `find_asked` says whom."""
    push(state, WINDOW, state.on_turn, window)


@rule
def find_asked(state):
    """Go on to the next seat that a window asks; False when all have passed in a row."""
    window = top(state)
    for place in range(window.b, state.players):
        if place > 0 or (window.a != BEFORE_TURN and window.a != BEFORE_ACTION):
            seat = (state.on_turn + place) % state.players
            if asked(state, seat, window.a):
                window.seat = seat
                window.b = place
                return True
    return False


@rule
def back_to_base(state):
    """Leave the picks of an event: back to the window, action or hand limit that it interrupted."""
    while top(state).kind > LIMIT:
        pop(state)


@rule
def event_done(state):
    """An event is carried out; a window begins its round anew."""
    back_to_base(state)
    base = top(state)
    if base.kind == WINDOW:
        base.b = 0


# --- the five events ------------------------------------------------------------------------------


@rule
def play_event(state, ctx, t, event):
    """A seat plays an event from its hand or role card."""
    decision = top(state)
    seat = int(decision.seat)
    window = int(decision.a) if decision.kind == WINDOW else 0
    require(may_play(state, seat, event, window))
    reveal(state, seat, CITIES + event)
    log(ctx, EVENTS.played, seat, event)
    if event == AIRLIFT:
        push(state, PAWN, seat, event + 1)
    elif event == GRANT:
        push(state, DESTINATION, seat, event + 1)
    elif event == RESILIENT:
        begin_removal(state, ctx, seat)
    elif event == QUIET_NIGHT:
        spend(state, ctx, seat, event)
        state.quiet_night = 1
        event_done(state)
    else:
        spend(state, ctx, seat, event)
        forecast(state, ctx, seat)


@rule
def spend(state, ctx, seat, event):
    """The card goes to the discards; from the role card of the Contingency Planner it leaves the game."""
    card = CITIES + event
    if state.seats[seat].stored == event + 1:
        state.seats[seat].stored = 0
        state.player_removed[card] = 1
    else:
        discard(state, ctx, seat, card)


@rule
def forecast(state, ctx, seat):
    """See the top infection cards; put them back in any order."""
    cards = min(FORECAST_CARDS, state.infection_size)
    lift(state, ctx, seat, cards)
    if cards == 1:
        settle_forecast_of_one(state)
        event_done(state)
    else:
        push(state, CARD, seat, FORECASTED, 0, cards)


@rule
def settle_forecast_of_one(state):
    """A single card goes back where it was."""
    state.forecast[state.infection[state.infection_size - 1]] = 0


@rule
def pick_forecast(state, ctx, city):
    """Choose the next card from the top; the last one needs no choice."""
    decision = top(state)
    require(state.forecast[city] == 1)
    seat = int(decision.seat)
    cards = int(state.layer_size[state.layers - 1])
    lay_back(state, ctx, seat, city, cards - decision.c)
    decision.c -= 1
    if decision.c > 1:
        return
    for last in range(CITIES):
        if state.forecast[last] == 1:
            lay_back(state, ctx, seat, last, cards - 1)
    settle_forecast(state, cards)
    event_done(state)


@rule
def begin_removal(state, ctx, seat):
    """Resilient Population: choose an infection discard; a single one needs no choice."""
    if total(state.infection_discard) > 1:
        push(state, CARD, seat, REMOVED)
        return
    for city in range(CITIES):
        if state.infection_discard[city] == 1:
            remove_infection(state, ctx, city)
            return


@rule
def remove_infection(state, ctx, city):
    """Resilient Population: a card of the infection discards leaves the game."""
    require(state.infection_discard[city] == 1)
    seat = int(top(state).seat)
    spend(state, ctx, seat, RESILIENT)
    state.infection_discard[city] = 0
    state.infection_removed[city] = 1
    log(ctx, EVENTS.removed, seat, city)
    event_done(state)


@rule
def may_airlift(state, t, seat, pawn, city):
    """Whether an Airlift may take a pawn to a city: another one, not refused by its owner."""
    refused = pawn != seat and (state.refused_airlift[pawn] >> city) & 1
    return pawn < state.players and city < t.cities and city != state.seats[pawn].city and not refused


@rule
def may_airlift_pawn(state, t, seat, pawn):
    """Whether there is a city for this pawn."""
    for city in range(t.cities):
        if may_airlift(state, t, seat, pawn, city):
            return True
    return False


@rule
def choose_pawn(state, ctx, t, place):
    """Airlift: whose pawn."""
    decision = top(state)
    seat = int(decision.seat)
    pawn = (seat + place) % state.players
    require(place < state.players and may_airlift_pawn(state, t, seat, pawn))
    pop(state)
    push(state, DESTINATION, seat, AIRLIFT + 1, pawn)


@rule
def choose_destination(state, ctx, t, city):
    """Airlift: to which city; Government Grant: where the station is built."""
    decision = top(state)
    seat = int(decision.seat)
    if decision.a == GRANT + 1:
        require(city < t.cities and state.station[city] == 0)
        if state.stations_left == 0:
            push(state, STATION, seat, GRANT + 1, city)
        else:
            grant(state, ctx, seat, city, -1)
        return
    pawn = int(decision.b)
    require(may_airlift(state, t, seat, pawn, city))
    if state.options.consent and pawn != seat:
        log(ctx, EVENTS.offered, seat, AIRLIFTED, city)
        push(state, CONSENT, pawn, AIRLIFTED, city, seat)
    else:
        airlift(state, ctx, t, seat, pawn, city)


@rule
def airlift(state, ctx, t, seat, pawn, city):
    """Move any pawn to any city, with its owner's leave."""
    spend(state, ctx, seat, AIRLIFT)
    place_pawn(state, ctx, t, pawn, city)
    event_done(state)


@rule
def grant(state, ctx, seat, city, moved):
    """Build a station in any city without a card; with all six out one is moved (ruling)."""
    spend(state, ctx, seat, GRANT)
    raise_station(state, ctx, seat, city, moved)
    event_done(state)


@rule
def raise_station(state, ctx, seat, city, moved):
    """A station comes to a city, from the supply or (all six being out) from another city (p.4)."""
    if moved >= 0:
        state.station[moved] = 0
    else:
        state.stations_left -= 1
    state.station[city] = 1
    log(ctx, EVENTS.built, seat, city, moved)
