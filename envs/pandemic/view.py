"""What a seat may know: the View's fields and `observe`."""

from __future__ import annotations

from ..core.decisions import top
from ..core.fields import Field, Fields
from ..core.rule import rule
from ..core.state import copy_row, fill
from .board import load_map
from .cards import (
    ACTIONS_A_TURN,
    CARDS,
    CITIES,
    CITY_FULL,
    COLOURS,
    DECK,
    EPIDEMICS,
    EVENT_NAMES,
    EVENTS_PRINTED,
    FORECAST_CARDS,
    HAND_LIMIT,
    INFECTION_RATE,
    KINDS,
    LAYERS,
    OUTBREAK_LIMIT,
    ROLE_NAMES,
    ROLES,
    SEATS,
    STATIONS,
)  # fmt: skip
from .rules.board import infection_rate
from .state import (
    AIRLIFTED,
    ASKED,
    CARD,
    CONSENT,
    CURE,
    DESTINATION,
    DISPATCH,
    DISPATCHED,
    FLIGHT,
    FORECASTED,
    PAWN,
    REMOVED,
    STATION,
    TAKE,
    WINDOW,
)  # fmt: skip

CITY_NAMES = load_map("world").cities  # labels: on the printed map (a user's map has names of its own)
CARD_NAMES = (*CITY_NAMES, *EVENT_NAMES)

DECISION_NAMES = (
    "action", "window", "hand limit", "card", "destination", "pawn", "station", "dispatch", "consent", "asked",
)  # fmt: skip
WINDOW_NAMES = (
    "start of turn", "after the actions", "in an epidemic", "between epidemics", "before the infections",
    "before an action", "before an infection card",
)  # fmt: skip
WAYS = ("drive", "direct", "charter", "shuttle", "operations", "join")
OFFERS = ("give", "take", "dispatch", "Airlift")
RESULT_NAMES = ("won", "outbreaks", "cubes", "cards", "cut off")

MOST_HELD = HAND_LIMIT + 2
MOST_CUBES = 127

FIELDS = Fields(
    Field("players", (), SEATS, "category", "how many play"),
    Field("epidemics", (), EPIDEMICS, "count", "epidemic cards of the game"),
    Field("hidden", (), 1, "flag", "hands are hidden"),
    Field("consent", (), 1, "flag", "owners of hands and pawns are asked"),
    Field("full", (), 1, "flag", "windows before every action and infection card"),
    Field("signed", (), 1, "flag", "a loss pays -1"),
    Field("map", (2,), 127, "count", "mark of the map"),
    Field("cities", (), CITIES, "count", "cities of the map"),
    Field("cure_cards", (), HAND_LIMIT, "count", "cards that a cure takes (the Scientist: one less)"),
    Field("turns_left", (), 127, "count", "turns until the game is cut off (127: or more)"),
    Field("decision", (), ASKED, "category", "1 action, 2 window, 3 hand limit, 4 card pick, 5 destination, 6 pawn, "
          "7 station pick, 8 move of a pawn, 9 consent, 10 asked for a card", DECISION_NAMES),
    Field("to_act", (), SEATS, "category", "whose decision, relative seat + 1"),
    Field("window", (), 7, "category", "which one: 1 start of turn, 2 after the actions, 3 in an epidemic, 4 between "
          "epidemics, 5 before the infections, 6 before an action, 7 before an infection card", WINDOW_NAMES),
    Field("on_turn", (), SEATS, "category", "whose turn, relative seat + 1"),
    Field("actions_left", (), ACTIONS_A_TURN, "count", "actions left this turn"),
    Field("operations_used", (), 1, "flag", "the Operations Expert has flown this turn"),
    Field("quiet_night", (), 1, "flag", "the next infection step is skipped"),
    Field("epidemics_due", (), 2, "count", "epidemics drawn and not finished"),
    Field("to_flip", (), INFECTION_RATE[-1], "count", "infection cards still to be flipped in this step"),
    Field("pending_event", (), EVENTS_PRINTED, "category", "event being carried out, index + 1", EVENT_NAMES),
    Field("pending_pawn", (), SEATS, "category", "pawn or seat that the decision concerns, relative seat + 1"),
    Field("pending_city", (), CITIES, "category", "city or card that it concerns, index + 1", CITY_NAMES),
    Field("pending_colour", (), KINDS, "category", "colour being cured, index + 1", COLOURS),
    Field("pending_way", (), 6, "category", "way of the pawn: 1 drive, 2 direct, 3 charter, 4 shuttle, 6 join", WAYS),
    Field("picks_left", (), HAND_LIMIT, "count", "cards still to be picked"),
    Field("offer", (), AIRLIFTED, "category", "1 give, 2 take, 3 dispatch, 4 Airlift", OFFERS),
    Field("cubes", (CITIES, KINDS), CITY_FULL, "count", "cubes in each city by colour"),
    Field("supply", (KINDS,), MOST_CUBES, "count", "cubes left by colour"),
    Field("cure", (KINDS,), 2, "category", "1 cured, 2 eradicated", ("cured", "eradicated")),
    Field("station", (CITIES,), 1, "set", "cities with a research station", CITY_NAMES),
    Field("stations_left", (), STATIONS, "count", "research stations left"),
    Field("outbreaks", (), OUTBREAK_LIMIT, "count", "outbreaks so far"),
    Field("rate_step", (), len(INFECTION_RATE) - 1, "count", "place on the infection rate track"),
    Field("rate", (), INFECTION_RATE[-1], "count", "cities infected each turn"),
    Field("role", (SEATS,), ROLES, "category", "role of each seat", ROLE_NAMES),
    Field("pawn", (SEATS, CITIES), 1, "set", "where each pawn stands", CITY_NAMES),
    Field("stored", (SEATS,), EVENTS_PRINTED, "category", "event on the role card, index + 1", EVENT_NAMES),
    Field("hands", (SEATS, CARDS), 1, "set", "own hand; of the others what may be seen of theirs", CARD_NAMES),
    Field("hand_size", (SEATS,), MOST_HELD, "count", "cards in each hand"),
    Field("shown", (CARDS,), 1, "set", "own hand cards that the table has seen (hidden hands)", CARD_NAMES),
    Field("player_discard", (CARDS,), 1, "set", "player discards", CARD_NAMES),
    Field("player_removed", (CARDS,), 1, "set", "player cards out of the game", CARD_NAMES),
    Field("events_in_game", (EVENTS_PRINTED,), 1, "set", "events of this game", EVENT_NAMES),
    Field("deck_size", (), DECK, "count", "cards in the player deck"),
    Field("piles", (EPIDEMICS,), DECK, "count", "cards in each pile of it, the current one first"),
    Field("epidemic_out", (), 1, "flag", "the current pile's epidemic is out"),
    Field("infection_layer", (CITIES,), LAYERS, "count", "layer of the infection deck that it lies in, 1 the top one"),
    Field("layer_size", (LAYERS,), CITIES, "count", "cards in each layer, the top one first"),
    Field("infection_size", (), CITIES, "count", "cards in the infection deck"),
    Field("infection_discard", (CITIES,), 1, "set", "infection discards", CITY_NAMES),
    Field("infection_removed", (CITIES,), 1, "set", "infection cards out of the game"),
    Field("forecast", (CITIES,), FORECAST_CARDS + 1, "category", "1 waits to be laid back, 2 is the new top, 3 next"),
    Field("result", (), 5, "category", "1 won, 2 lost by outbreaks, 3 by cubes, 4 by cards, 5 cut off", RESULT_NAMES),
)  # fmt: skip
VIEW = FIELDS.dtype


@rule
def observe(state, ctx, seat, view):
    """Write the View of a seat (relative places: 0 is the seat itself), or of a spectator (-1)."""
    t = ctx.tables[state.table]
    base = max(int(seat), 0)
    observe_options(state, t, view)
    observe_decision(state, base, view)
    observe_board(state, view)
    observe_seats(state, seat, base, view)
    observe_decks(state, view)


@rule
def relative(state, base, seat):
    """A seat as an observer numbers it, plus 1; 0 in a record that holds no game yet."""
    if state.players == 0:
        return 0
    return (seat - base + state.players) % state.players + 1


@rule
def observe_options(state, t, view):
    """How the game is set up."""
    options = state.options
    view.players = state.players
    view.epidemics = options.epidemics
    view.hidden = options.hidden
    view.consent = options.consent
    view.full = options.full
    view.signed = options.signed
    view.map[0] = t.mark[0]
    view.map[1] = t.mark[1]
    view.cities = t.cities
    view.cure_cards = t.cure_cards
    view.turns_left = min(127, options.max_turns - state.turns)
    view.result = state.result


@rule
def observe_decision(state, base, view):
    """Where the turn stands, who is asked and what about."""
    view.decision = 0
    view.to_act = 0
    view.window = 0
    view.pending_event = 0
    view.pending_pawn = 0
    view.pending_city = 0
    view.pending_colour = 0
    view.pending_way = 0
    view.picks_left = 0
    view.offer = 0
    view.on_turn = relative(state, base, state.on_turn)
    view.actions_left = state.actions_left
    view.operations_used = state.operations_used
    view.quiet_night = state.quiet_night
    view.epidemics_due = state.epidemics_due
    view.to_flip = state.to_flip
    if state.depth == 0:
        return
    decision = top(state)
    kind = decision.kind
    view.decision = kind
    view.to_act = relative(state, base, decision.seat)
    if kind == WINDOW:
        view.window = decision.a
    elif kind >= CARD:
        observe_pending(state, base, decision, view)


@rule
def observe_pending(state, base, decision, view):
    """What a pick, a dispatch or an offer is about: all of it is public."""
    kind = decision.kind
    if kind == CARD:
        view.picks_left = max(1, int(decision.c))
        if decision.a <= TAKE:
            view.offer = decision.a
            view.pending_pawn = relative(state, base, decision.b)
        elif decision.a == CURE:
            view.pending_colour = decision.b + 1
        elif decision.a == FLIGHT:
            view.pending_city = decision.b + 1
        elif decision.a == FORECASTED:
            view.pending_event = 2
        elif decision.a == REMOVED:
            view.pending_event = 5
    elif kind == DESTINATION:
        view.pending_event = decision.a
        if decision.a == 1:
            view.pending_pawn = relative(state, base, decision.b)
    elif kind == PAWN:
        view.pending_event = decision.a
    elif kind == STATION:
        view.pending_event = decision.a
        view.pending_city = decision.b + 1
    elif kind == DISPATCH:
        view.pending_pawn = relative(state, base, decision.b)
    elif kind == CONSENT:
        view.offer = decision.a
        view.pending_city = decision.b + 1
        view.pending_pawn = relative(state, base, decision.c)
        if decision.a == DISPATCHED:
            view.pending_way = decision.d + 1
    else:
        view.offer = TAKE
        view.pending_pawn = relative(state, base, decision.b)


@rule
def observe_board(state, view):
    """Cubes, cures, stations, tracks."""
    for city in range(CITIES):
        for colour in range(KINDS):
            view.cubes[city, colour] = state.cubes[city, colour]
    copy_row(view.supply, state.supply)
    copy_row(view.cure, state.cure)
    copy_row(view.station, state.station)
    view.stations_left = state.stations_left
    view.outbreaks = state.outbreaks
    view.rate_step = state.rate_step
    view.rate = infection_rate(state)


@rule
def observe_seats(state, seat, base, view):
    """Roles, pawns, and hands as far as they may be seen."""
    players = int(state.players)
    hidden = state.options.hidden == 1
    for place in range(SEATS):
        fill(view.pawn[place], 0)
        if place < players:
            other = state.seats[(base + place) % players]
            view.role[place] = other.role
            view.pawn[place, other.city] = 1
            view.stored[place] = other.stored
            view.hand_size[place] = min(MOST_HELD, other.size)
            if hidden and (place > 0 or seat < 0):
                copy_row(view.hands[place], other.known)
            else:
                copy_row(view.hands[place], other.hand)
        else:
            view.role[place] = 0
            view.stored[place] = 0
            view.hand_size[place] = 0
            fill(view.hands[place], 0)
    if seat >= 0:
        copy_row(view.shown, state.seats[seat].known)
    else:
        fill(view.shown, 0)


@rule
def observe_decks(state, view):
    """Discards, piles of the player deck, layers of the infection deck."""
    copy_row(view.player_discard, state.player_discard)
    copy_row(view.player_removed, state.player_removed)
    copy_row(view.events_in_game, state.events_in_game)
    view.deck_size = state.deck_size
    copy_row(view.piles, state.piles)
    view.epidemic_out = state.epidemic_out
    fill(view.infection_layer, 0)
    fill(view.layer_size, 0)
    place = int(state.infection_size)
    for layer in range(state.layers):
        size = int(state.layer_size[state.layers - 1 - layer])
        view.layer_size[layer] = size
        for _ in range(size):
            place -= 1
            view.infection_layer[state.infection[place]] = layer + 1
    view.infection_size = state.infection_size
    copy_row(view.infection_discard, state.infection_discard)
    copy_row(view.infection_removed, state.infection_removed)
    copy_row(view.forecast, state.forecast)
