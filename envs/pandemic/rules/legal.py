"""The legal actions of the pending decision."""

from __future__ import annotations

from ...core.decisions import top
from ...core.rule import rule
from ..cards import AIRLIFT, CARDS, CITIES, CONTINGENCY, DISPATCHER, EVENTS_PRINTED, KINDS, OPERATIONS
from ..state import (
    ACTION,
    ACTIONS,
    ASKED,
    CARD,
    CONSENT,
    CURE,
    DESTINATION,
    DISPATCH,
    DRIVE,
    FLIGHT,
    FORECASTED,
    GIVE,
    JOIN,
    LIMIT,
    OPERATIONS_WAY,
    PAWN,
    STATION,
    TAKE,
    WINDOW,
)  # fmt: skip
from .actions import may_ask, may_build, may_cure, may_dispatch, may_fly_operations, may_store, may_travel
from .events import may_airlift, may_airlift_pawn, may_play
from .hands import may_share, shares


@rule
def legal(state, ctx, mask):
    """Set a one for each legal action."""
    t = ctx.tables[state.table]
    decision = top(state)
    seat = int(decision.seat)
    kind = decision.kind
    if kind == ACTION:
        mask_actions(state, t, seat, mask)
        mask_events(state, seat, 0, mask)
    elif kind == WINDOW:
        mask_events(state, seat, decision.a, mask)
        mask[ACTIONS.skip] = 1
    elif kind == LIMIT:
        for card in range(CARDS):
            mask[ACTIONS.discard + card] = state.seats[seat].hand[card]
        mask_events(state, seat, 0, mask)
    elif kind == CARD:
        mask_cards(state, t, decision, mask)
    elif kind == DESTINATION:
        for city in range(t.cities):
            if decision.a == AIRLIFT + 1:
                mask[ACTIONS.to + city] = may_airlift(state, t, seat, decision.b, city)
            else:
                mask[ACTIONS.to + city] = state.station[city] == 0
    elif kind == PAWN:
        for place in range(state.players):
            mask[ACTIONS.pawn + place] = may_airlift_pawn(state, t, seat, (seat + place) % state.players)
    elif kind == STATION:
        for city in range(t.cities):
            mask[ACTIONS.station + city] = state.station[city]
    elif kind == DISPATCH:
        mask_dispatch(state, t, seat, decision.b, mask)
    elif kind == CONSENT:
        mask[ACTIONS.yes] = 1
        mask[ACTIONS.no] = 1
    elif kind == ASKED:
        for city in range(t.cities):
            mask[ACTIONS.card + city] = may_share(state, TAKE, seat, city)
        mask[ACTIONS.no] = 1


@rule
def mask_events(state, seat, window, mask):
    """The events that a seat may play."""
    for event in range(EVENTS_PRINTED):
        if may_play(state, seat, event, window):
            mask[ACTIONS.play + event] = 1


@rule
def mask_cards(state, t, decision, mask):
    """The cards that can be picked."""
    what = decision.a
    seat = decision.seat
    for city in range(t.cities):
        if what == CURE:
            fits = t.colour[city] == decision.b and state.seats[seat].hand[city] == 1
        elif what == FLIGHT:
            fits = state.seats[seat].hand[city] == 1
        elif what == FORECASTED:
            fits = state.forecast[city] == 1
        elif what <= TAKE:
            fits = may_share(state, what, decision.b, city)
        else:
            fits = state.infection_discard[city] == 1
        mask[ACTIONS.card + city] = fits


@rule
def mask_dispatch(state, t, seat, pawn, mask):
    """The Dispatcher's moves of a pawn: the four ways that everybody has, and joining."""
    for city in range(t.cities):
        if pawn != seat:
            for way in range(DRIVE, OPERATIONS_WAY):
                mask[way * CITIES + city] = may_travel(state, t, seat, pawn, way, city)
        mask[ACTIONS.to + city] = may_travel(state, t, seat, pawn, JOIN, city)


@rule
def mask_actions(state, t, seat, mask):
    """Everything that the seat on turn may do with an action."""
    me = state.seats[seat]
    here = int(me.city)
    mask[ACTIONS.end] = 1
    mask_moves(state, t, me, here, mask)
    if me.role == OPERATIONS and may_fly_operations(state, t, seat, int(here == 0)):
        for city in range(t.cities):
            mask[ACTIONS.operations + city] = city != here
    if me.role == DISPATCHER:
        for place in range(state.players):
            mask[ACTIONS.dispatch + place] = may_dispatch(state, t, (seat + place) % state.players)
    if me.role == CONTINGENCY:
        for event in range(EVENTS_PRINTED):
            mask[ACTIONS.store + event] = may_store(state, seat, event)
    mask[ACTIONS.build] = may_build(state, seat)
    for colour in range(KINDS):
        mask[ACTIONS.treat + colour] = state.cubes[here, colour] > 0
    if state.station[here] == 1:
        for colour in range(KINDS):
            mask[ACTIONS.cure + colour] = may_cure(state, t, seat, colour)
    for place in range(1, state.players):
        other = (seat + place) % state.players
        if state.seats[other].city == here:
            mask[ACTIONS.give + place - 1] = shares(state, GIVE, other)[0] > 0
            if state.options.hidden:
                mask[ACTIONS.take + place - 1] = may_ask(state, other)
            else:
                mask[ACTIONS.take + place - 1] = shares(state, TAKE, other)[0] > 0


@rule
def mask_moves(state, t, me, here, mask):
    """The own pawn's four ways to move (p.4)."""
    for k in range(t.degree[here]):
        mask[ACTIONS.drive + t.links[here, k]] = 1
    for city in range(t.cities):
        mask[ACTIONS.direct + city] = me.hand[city]
    if me.hand[here] == 1:
        for city in range(t.cities):
            mask[ACTIONS.charter + city] = 1
    if state.station[here] == 1:
        for city in range(t.cities):
            mask[ACTIONS.shuttle + city] = state.station[city]
    mask[ACTIONS.direct + here] = 0
    mask[ACTIONS.charter + here] = 0
    mask[ACTIONS.shuttle + here] = 0
