"""The State record: the whole truth of one game."""

from __future__ import annotations

import numpy as np

from ..core.actions import Verb, action_table
from ..core.events import event_table
from ..core.state import record, state_record
from .cards import CARDS, CODES, ITEM_NAMES, SEATS, ZOMBIE_NAMES

OPTIONS = record([
    ("max_turns", "i2"),
    ("first_seat", "i1"),  # -1: at random
    ("forbid_fatal", "i1"),  # 1: nobody may sacrifice himself by the Special Rule
    ("rank", "i1"),  # 1: reward by place, 0: by the win alone
    ("kinds", "i1"),  # item kinds in the deck
    ("copies", "i1"),
    ("goal", "i1"),
])  # fmt: skip

SEAT = np.dtype([
    ("hand", "i1", (CODES,)),
    ("table", "i1", (CODES,)),  # 0 or 1 of each: nobody has two equal cards before him
    ("took", "i1", (CODES,)),  # drawn from the present pile since it was shuffled
    ("shown", "i1", (CODES,)),  # hand cards that became public since then
    ("known", "i1", (CODES,)),  # hand cards that everybody has been shown
    ("turned", "i1"),  # 0: alive, else the order of turning, from 1
])  # fmt: skip

STATE = state_record(
    [
        ("seats", SEAT, (SEATS,)),
        ("pile", "i1", (CARDS,)),  # codes, the top card last; zero above pile_size
        ("discard", "i1", (CODES,)),
        ("shuffled", "i1", (CODES,)),  # the pile's cards when it was made of discards; zero before
        ("revealed", "i1", (CODES,)),  # cards turned up for zombie players since then
        ("pile_size", "i1"),
        ("fallen", "i1"),  # how many players have turned
        ("special_spent", "i1"),
        ("refreshes", "i1"),  # this turn
        ("passes", "i1"),  # turns in a row that passed with both piles empty
        ("winner", "i1"),  # seat + 1, 0 while nobody has won
    ],
    OPTIONS,
    seats=SEATS,
    decisions=1,
)

# Decisions.  ZOMBIE carries the turned-up card as argument a.
LIVING, ZOMBIE = 1, 2

TARGETS = ("self", *(f"+{place}" for place in range(1, SEATS)))
ACTIONS = action_table(
    item=Verb("{} -> {}", ITEM_NAMES, TARGETS),
    zombie=Verb("{} -> {}", ZOMBIE_NAMES, TARGETS),
    refresh=Verb("refresh"),
)
# The two card verbs lie next to each other, so that the card with code c on target t is c * SEATS + t.
EVENTS = event_table(
    "dealt",  # seat was dealt code c (secret)
    "drew",  # seat drew code c (secret)
    "played",  # seat played code a on seat b
    "turned_up",  # zombie player turned up code a
    "unplaceable",  # it fits nowhere and was discarded
    "shown",  # seat showed code a of its hand; b = 1: and discarded it
    "reshuffled",  # the discards became the draw pile
    "turned",  # seat became a zombie; its table and hand went to the discards
    "discarded",  # code a went from the hand of a seat that turned to the discards
    "passed",  # the turn passed with nothing played
    "won",
)
