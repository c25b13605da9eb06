"""The State record: the whole truth of one game, and what can be asked and said in it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..core.actions import ActionTexts, Verb, action_table
from ..core.events import event_table
from ..core.state import record, state_record
from .board import Map, load_map
from .cards import CARDS, CITIES, COLOURS, DECK, EPIDEMICS, EVENT_NAMES, EVENTS_PRINTED, KINDS, LAYERS, SEATS

OPTIONS = record([
    ("max_turns", "i2"),
    ("epidemics", "i1"),
    ("hidden", "i1"),  # hands are hidden
    ("consent", "i1"),  # owners are asked
    ("full", "i1"),  # windows before every action and infection card
    ("signed", "i1"),  # reward -1 for a loss
    ("roles", "i1", (7,)),  # roles to deal from, 0: no more; all zero: all seven
    ("roles_in_order", "i1"),  # seat by seat instead
    ("events", "i1"),  # how many events
    ("listed", "i1"),  # bit e: event e is in the game; 0: drawn at random
])  # fmt: skip

SEAT = np.dtype([
    ("hand", "i1", (CARDS,)),  # 1 for each card held
    ("known", "i1", (CARDS,)),  # of these, what the table has seen (hidden hands only)
    ("size", "i1"),  # cards in hand
    ("role", "i1"),  # 1..7
    ("city", "i1"),  # where the pawn stands
    ("stored", "i1"),  # event on the Contingency Planner's role card, index + 1
])  # fmt: skip

STATE = state_record(
    [
        ("seats", SEAT, (SEATS,)),
        # Offers refused this turn, as bits by city (or card).
        ("refused_dispatch", "i8", (SEATS,)),
        ("refused_airlift", "i8", (SEATS,)),
        ("refused_give", "i8", (SEATS,)),
        ("refused_take", "i8"),
        ("refused_ask", "i8"),  # by seat
        ("cubes", "i1", (CITIES, KINDS)),
        ("supply", "i1", (KINDS,)),
        ("cure", "i1", (KINDS,)),
        ("station", "i1", (CITIES,)),
        ("stations_left", "i1"),
        ("outbreaks", "i1"),
        ("rate_step", "i1"),  # place on the infection rate track
        ("deck", "i1", (DECK,)),  # player cards, the top one last; zero above deck_size
        ("deck_size", "i1"),
        ("piles", "i1", (EPIDEMICS,)),  # sizes of the piles left, the current one first
        ("epidemic_out", "i1"),  # the current pile has no epidemic (any more)
        ("player_discard", "i1", (CARDS,)),
        ("player_removed", "i1", (CARDS,)),
        ("events_in_game", "i1", (EVENTS_PRINTED,)),
        ("infection", "i1", (CITIES,)),  # infection deck, the top card last; zero above infection_size
        ("infection_size", "i1"),
        ("layer_size", "i1", (LAYERS,)),  # known layers of that deck, the bottom one first
        ("layers", "i1"),
        ("infection_discard", "i1", (CITIES,)),
        ("infection_removed", "i1", (CITIES,)),
        ("forecast", "i1", (CITIES,)),  # 1: waits to be laid back; 2 + k: laid as number k from the top
        ("on_turn", "i1"),
        ("phase", "i1"),
        ("actions_left", "i1"),
        ("operations_used", "i1"),  # the Operations Expert's flight, this turn
        ("quiet_night", "i1"),
        ("epidemics_due", "i1"),  # drawn and not yet carried out
        ("to_flip", "i1"),  # infection cards of this step
        ("result", "i1"),
    ],
    OPTIONS,
    seats=SEATS,
    decisions=4,
)

NOT_CURED, CURED, ERADICATED = 0, 1, 2
WON, OUTBREAKS, CUBES, OUT_OF_CARDS, CUT_OFF = 1, 2, 3, 4, 5

# Where a turn stands when nothing is pending.
(
    START,
    ACT,
    NEXT_ACTION,
    DRAW,
    EPIDEMIC_PHASE,
    INTENSIFY,
    LIMIT_PHASE,
    BEFORE_INFECTION,
    INFECTION,
    FLIP,
    TURN_END,
) = range(11)

# Decisions (kind of a frame) and their arguments.
ACTION = 1
WINDOW = 2  # a: which one; b: how many seats have passed or were not asked
LIMIT = 3
CARD = 4  # a: what for (below); b: seat, colour or city; c: cards left to pick
DESTINATION = 5  # a: event + 1; b: pawn
PAWN = 6  # a: event + 1
STATION = 7  # a: event + 1, or 0 for the action; b: the city that gets the station
DISPATCH = 8  # b: pawn
CONSENT = 9  # a: which offer; b: card or city; c: seat that asks; d: way of a dispatched pawn
ASKED = 10  # b: seat that asks for a card

# What a card is picked for: the first two are offers, too.
GIVE, TAKE, DISPATCHED, AIRLIFTED = 1, 2, 3, 4
CURE, FLIGHT, FORECASTED, REMOVED = 3, 4, 5, 6

# Windows.
BEFORE_TURN, AFTER_ACTIONS, IN_EPIDEMIC, BETWEEN_EPIDEMICS, BEFORE_CARDS, BEFORE_ACTION, BEFORE_CARD = range(
    1, 8
)

# Ways to move a pawn, in the order of the first verbs.
DRIVE, DIRECT, CHARTER, SHUTTLE, OPERATIONS_WAY, JOIN = range(6)

PAWNS = ("self", *(f"+{place}" for place in range(1, SEATS)))


def actions_of(cities: tuple[str, ...]) -> Any:
    """The ActionTexts with a map's city names, verbs by name; the ids are the same on all maps."""
    names = (*cities, *(f"city {number}" for number in range(len(cities), CITIES)))
    return action_table(
        drive=Verb("drive {}", names),
        direct=Verb("direct flight {}", names),
        charter=Verb("charter flight {}", names),
        shuttle=Verb("shuttle flight {}", names),
        operations=Verb("operations flight {}", names),
        to=Verb("to {}", names),
        card=Verb("card {}", names),
        station=Verb("station {}", names),
        discard=Verb("discard {}", (*names, *EVENT_NAMES)),
        treat=Verb("treat {}", COLOURS),
        cure=Verb("cure {}", COLOURS),
        give=Verb("give {}", PAWNS[1:]),
        take=Verb("take {}", PAWNS[1:]),
        dispatch=Verb("dispatch {}", PAWNS),
        pawn=Verb("pawn {}", PAWNS),
        store=Verb("store {}", EVENT_NAMES),
        play=Verb("play {}", EVENT_NAMES),
        build=Verb("build"),
        end=Verb("end"),
        skip=Verb("pass"),
        yes=Verb("yes"),
        no=Verb("no"),
    )


@functools.lru_cache(maxsize=64)
def texts_of(found: Map) -> ActionTexts:
    """The action texts on a map."""
    texts: ActionTexts = actions_of(found.cities)
    return texts


ACTIONS: Any = actions_of(load_map("world").cities)
EVENTS = event_table(
    "dealt",  # seat was dealt card c
    "drew",  # seat drew card c
    "epidemic",  # seat drew an epidemic
    "first",  # seat begins; it showed card a (-1: none)
    "infected",  # city a was infected with b cubes
    "protected",  # city a got no cubes of colour b
    "outbreak",  # in city a, colour b
    "moved",  # seat moved pawn a to city b
    "discarded",  # seat discarded card a
    "built",  # seat built in city a, taking the station of city b (-1: from the supply)
    "treated",  # seat removed b cubes from city a
    "vanished",  # b cubes vanished in city a before the Medic
    "given",  # seat gave a card to seat a; c: the card
    "offered",  # seat offered something (a: which offer; b: card or city)
    "refused",  # seat refused
    "cured",  # seat found the cure of colour a
    "eradicated",  # colour a
    "stored",  # seat put event a onto its role card
    "played",  # seat played event a
    "forecast",  # the infection card a is seen
    "laid_back",  # infection card a is laid back as number b
    "removed",  # infection card a left the game
    "flipped",  # infection card a; b = 1: from the bottom
    "intensified",  # a discards were shuffled and put on top of the infection deck
    "reshuffled",  # the infection discards became a new deck of a
    "quiet",  # no cities are infected this turn
    "passed",  # seat played no event
    "ended",  # result a
)
