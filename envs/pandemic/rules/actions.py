"""The actions of a turn (pp. 4, 8)."""

from __future__ import annotations

from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import require, rule
from ..cards import (
    CITIES,
    CONTINGENCY,
    DISPATCHER,
    HAND_LIMIT,
    MEDIC,
    OPERATIONS,
    SCIENTIST,
)  # fmt: skip
from ..state import (
    AIRLIFTED,
    ASKED,
    CARD,
    CHARTER,
    CONSENT,
    CURE,
    DIRECT,
    DISPATCH,
    DISPATCHED,
    DRIVE,
    EVENTS,
    FLIGHT,
    GIVE,
    JOIN,
    LIMIT,
    NEXT_ACTION,
    NOT_CURED,
    OPERATIONS_WAY,
    SHUTTLE,
    STATION,
    TAKE,
)  # fmt: skip
from .board import discover, place_pawn, remove_cubes
from .events import airlift, back_to_base, grant, raise_station
from .hands import cards_of, city_cards, discard, holds, leave_hand, may_share, reveal, shares, take_card


@rule
def action_done(state):
    """One action less."""
    while state.depth > 0:
        pop(state)
    state.actions_left -= 1
    state.phase = NEXT_ACTION


# --- moving ---------------------------------------------------------------------------------------


@rule
def may_travel(state, t, payer, pawn, way, city):
    """Whether a seat may move a pawn to a city in some way; cards come from the payer's hand (p.4)."""
    here = int(state.seats[pawn].city)
    if city >= t.cities or city == here:
        return False
    if pawn != payer and (state.refused_dispatch[pawn] >> city) & 1:
        return False
    if way == DRIVE:
        return (t.near[here] >> city) & 1 == 1
    if way == DIRECT:
        return holds(state, payer, city)
    if way == CHARTER:
        return holds(state, payer, here)
    if way == SHUTTLE:
        return state.station[here] == 1 and state.station[city] == 1
    for other in range(state.players):  # JOIN
        if other != pawn and state.seats[other].city == city:
            return True
    return False


@rule
def flight_card(state, pawn, way, city):
    """The card that a way of moving costs, or -1."""
    if way == DIRECT:
        return city
    if way == CHARTER:
        return int(state.seats[pawn].city)
    return -1


@rule
def travel(state, ctx, t, payer, pawn, way, city):
    """Carry out a move."""
    card = flight_card(state, pawn, way, city)
    if card >= 0:
        discard(state, ctx, payer, card)
    place_pawn(state, ctx, t, pawn, city)
    action_done(state)


@rule
def may_dispatch(state, t, pawn):
    """Whether the Dispatcher can move a pawn at all."""
    seat = int(state.on_turn)
    if pawn != seat and state.refused_dispatch[pawn] == 0:
        return True
    for city in range(t.cities):
        for way in range(JOIN + 1):
            own = pawn == seat and way != JOIN
            if not own and way != OPERATIONS_WAY and may_travel(state, t, seat, pawn, way, city):
                return True
    return False


@rule
def dispatch(state, ctx, t, way, city):
    """The Dispatcher moves a pawn: to another pawn, or another's as if it were his own, but never by the
    Operations Expert's flight (p.8)."""
    decision = top(state)
    seat = int(decision.seat)
    pawn = int(decision.b)
    require(way != OPERATIONS_WAY and (pawn != seat or way == JOIN))
    require(may_travel(state, t, seat, pawn, way, city))
    if pawn == seat or state.options.consent == 0:
        travel(state, ctx, t, seat, pawn, way, city)
        return
    card = flight_card(state, pawn, way, city)
    if card >= 0:
        reveal(state, seat, card)
    log(ctx, EVENTS.offered, seat, DISPATCHED, city)
    push(state, CONSENT, pawn, DISPATCHED, city, seat, way)


@rule
def may_fly_operations(state, t, seat, city):
    """Once a turn the Operations Expert may fly from a station to any city for any city card (p.8)."""
    me = state.seats[seat]
    return (
        me.role == OPERATIONS
        and state.operations_used == 0
        and state.station[me.city] == 1
        and city < t.cities
        and city != me.city
        and city_cards(state, seat) > 0
    )


@rule
def fly_operations(state, ctx, t, city, card):
    """The Operations Expert's flight with the card chosen."""
    seat = int(state.on_turn)
    require(card < CITIES and holds(state, seat, card))
    discard(state, ctx, seat, card)
    state.operations_used = 1
    place_pawn(state, ctx, t, seat, city)
    action_done(state)


@rule
def begin_operations(state, ctx, t, city):
    """The Operations Expert names his destination; the card is asked for if there is a choice."""
    seat = int(state.on_turn)
    require(may_fly_operations(state, t, seat, city))
    if city_cards(state, seat) > 1:
        push(state, CARD, seat, FLIGHT, city)
        return
    for card in range(CITIES):
        if holds(state, seat, card):
            fly_operations(state, ctx, t, city, card)
            return


# --- stations, treatment, cures ---------------------------------------------------------------------


@rule
def may_build(state, seat):
    """A station in one's city for its card; the Operations Expert needs none (pp. 4, 8)."""
    me = state.seats[seat]
    return state.station[me.city] == 0 and (me.role == OPERATIONS or me.hand[me.city] == 1)


@rule
def build(state, ctx, seat, moved):
    """Build, paying the card; ``moved``: the city whose station is taken, or -1."""
    me = state.seats[seat]
    city = int(me.city)
    if me.role != OPERATIONS:
        discard(state, ctx, seat, city)
    raise_station(state, ctx, seat, city, moved)
    action_done(state)


@rule
def begin_build(state, ctx):
    """Build a station; with all six out the player chooses which one is moved (p.4)."""
    seat = int(state.on_turn)
    require(may_build(state, seat))
    if state.stations_left > 0:
        build(state, ctx, seat, -1)
        return
    city = int(state.seats[seat].city)
    if state.seats[seat].role != OPERATIONS:
        reveal(state, seat, city)
    push(state, STATION, seat, 0, city)


@rule
def choose_station(state, ctx, t, city):
    """Which of the six stations is moved."""
    decision = top(state)
    seat = int(decision.seat)
    require(city < t.cities and state.station[city] == 1)
    if decision.a == 0:
        build(state, ctx, seat, city)
    else:
        grant(state, ctx, seat, int(decision.b), city)


@rule
def treat(state, ctx, t, colour):
    """Remove a cube; all of a cured colour, and the Medic always all (pp. 4, 8)."""
    seat = int(state.on_turn)
    city = int(state.seats[seat].city)
    cubes = int(state.cubes[city, colour])
    require(cubes > 0)
    if state.cure[colour] == NOT_CURED and state.seats[seat].role != MEDIC:
        cubes = 1
    log(ctx, EVENTS.treated, seat, city, cubes)
    remove_cubes(state, ctx, t, city, colour, cubes)
    action_done(state)


@rule
def cards_needed(state, t, seat):
    """Cards of a colour that a cure takes (pp. 4, 8)."""
    return t.cure_cards - (state.seats[seat].role == SCIENTIST)


@rule
def may_cure(state, t, seat, colour):
    """At any station, with enough cards of a colour not yet cured (p.4)."""
    return (
        state.station[state.seats[seat].city] == 1
        and state.cure[colour] == NOT_CURED
        and cards_of(state, t, seat, colour) >= cards_needed(state, t, seat)
    )


@rule
def begin_cure(state, ctx, t, colour):
    """Discard the cards at once, or, with more than enough, one after the other as chosen."""
    seat = int(state.on_turn)
    require(may_cure(state, t, seat, colour))
    needed = cards_needed(state, t, seat)
    if cards_of(state, t, seat, colour) > needed:
        push(state, CARD, seat, CURE, colour, needed)
        return
    for city in range(t.cities):
        if t.colour[city] == colour and holds(state, seat, city):
            discard(state, ctx, seat, city)
    finish_cure(state, ctx, t, colour)


@rule
def pick_for_cure(state, ctx, t, city):
    """One more card for the cure; it counts with the last one."""
    decision = top(state)
    colour = int(decision.b)
    require(city < t.cities and t.colour[city] == colour and holds(state, decision.seat, city))
    discard(state, ctx, decision.seat, city)
    decision.c -= 1
    if decision.c == 0:
        finish_cure(state, ctx, t, colour)


@rule
def finish_cure(state, ctx, t, colour):
    """The cure is found."""
    action_done(state)
    discover(state, ctx, t, colour)


# --- sharing knowledge ------------------------------------------------------------------------------


@rule
def begin_share(state, ctx, what, place):
    """Give a card to another seat or take one from it (p.4); with hidden hands the other is asked."""
    seat = int(state.on_turn)
    other = (seat + place) % state.players
    require(place < state.players)
    if what == TAKE and state.options.hidden:
        require(may_ask(state, other))
        push(state, ASKED, other, 0, seat)
        return
    cards, card = shares(state, what, other)
    require(cards > 0)
    if cards > 1:
        push(state, CARD, seat, what, other)
    else:
        offer_share(state, ctx, what, other, card)


@rule
def may_ask(state, other):
    """With hidden hands: anybody in the same city with a card, who has not refused this turn."""
    seat = int(state.on_turn)
    him = state.seats[other]
    return (
        other != seat
        and him.city == state.seats[seat].city
        and him.size > 0
        and (state.refused_ask >> other) & 1 == 0
    )


@rule
def offer_share(state, ctx, what, other, card):
    """A share is named; the owner of the other hand may have to agree."""
    require(card < CITIES and may_share(state, what, other, card))
    if state.options.consent == 0:
        share(state, ctx, what, other, card)
        return
    seat = int(state.on_turn)
    if what == GIVE:
        reveal(state, seat, card)
    log(ctx, EVENTS.offered, seat, what, card)
    push(state, CONSENT, other, what, card, seat)


@rule
def share(state, ctx, what, other, card):
    """The card changes hands; too many cards have to be dealt with at once (pp. 4, 6)."""
    giver = int(state.on_turn)
    taker = other
    if what == TAKE:
        giver = other
        taker = int(state.on_turn)
    leave_hand(state, giver, card)
    take_card(state, taker, card)
    reveal(state, taker, card)
    log(ctx, EVENTS.given, giver, taker, 0, -1, card)
    action_done(state)
    if state.seats[taker].size > HAND_LIMIT:
        push(state, LIMIT, taker)


@rule
def answer_asked(state, ctx, card):
    """Hidden hands: the seat asked hands a card over."""
    require(card < CITIES and may_share(state, TAKE, top(state).seat, card))
    share(state, ctx, TAKE, int(top(state).seat), card)


# --- consent ----------------------------------------------------------------------------------------


@rule
def refuse(state, ctx):
    """No: nothing is spent, and the same offer may not be made again this turn."""
    decision = top(state)
    seat = int(decision.seat)
    city = int(decision.b)
    log(ctx, EVENTS.refused, seat)
    if decision.kind == ASKED:
        state.refused_ask |= 1 << seat
    elif decision.a == GIVE:
        state.refused_give[seat] |= 1 << city
    elif decision.a == TAKE:
        state.refused_take |= 1 << city
    elif decision.a == DISPATCHED:
        state.refused_dispatch[seat] |= 1 << city
    else:
        state.refused_airlift[seat] |= 1 << city
    back_to_base(state)


@rule
def agree(state, ctx, t):
    """Yes: what was offered is carried out."""
    decision = top(state)
    seat = int(decision.seat)
    what = int(decision.a)
    if what == AIRLIFTED:
        airlift(state, ctx, t, int(decision.c), seat, int(decision.b))
    elif what == DISPATCHED:
        travel(state, ctx, t, int(decision.c), seat, int(decision.d), int(decision.b))
    else:
        share(state, ctx, what, seat, int(decision.b))


# --- the Contingency Planner --------------------------------------------------------------------------


@rule
def may_store(state, seat, event):
    """An event of the discards, if none lies on the role card (p.8)."""
    me = state.seats[seat]
    return me.role == CONTINGENCY and me.stored == 0 and state.player_discard[CITIES + event] == 1


@rule
def store(state, ctx, event):
    """Take an event from the discards onto the role card."""
    seat = int(state.on_turn)
    require(may_store(state, seat, event))
    state.player_discard[CITIES + event] = 0
    state.seats[seat].stored = event + 1
    log(ctx, EVENTS.stored, seat, event)
    action_done(state)


@rule
def begin_dispatch(state, ctx, t, place):
    """The Dispatcher names a pawn."""
    seat = int(state.on_turn)
    pawn = (seat + place) % state.players
    require(state.seats[seat].role == DISPATCHER and place < state.players and may_dispatch(state, t, pawn))
    push(state, DISPATCH, seat, 0, pawn)
