"""The State record: the whole truth of one game; decisions, actions and events by name."""

from __future__ import annotations

import numpy as np

from ..core.actions import Verb, action_table
from ..core.events import event_table
from ..core.state import record, state_record
from .cards import (
    CARDS,
    CHARACTER_NAMES,
    CHARACTERS,
    CORNERS,
    FOOD_VALUES,
    HOURS,
    KIND_NAMES,
    KINDS,
    MOST_PICKS,
    PLACE_NAMES,
    PLACES,
    SEATS,
)

DRAFT_OFF, DRAFT_PRINTED, DRAFT_FULL = range(3)
NO_TRADE, TRADE, TALK = range(3)
REWARD_WIN, REWARD_SCORE, REWARD_RANK = range(3)
SIDE_RANDOM = 2

OPTIONS = record([
    ("first_seat", "i1"),  # -1: at random
    ("sides", "i1", (PLACES,)),  # SIDE_A, SIDE_B or SIDE_RANDOM
    ("draft", "i1"),
    ("all_windows", "i1"),
    ("negotiation", "i1"),
    ("offers", "i1"),  # a seat's offers a round
    ("reward", "i1"),
])  # fmt: skip

PERSON = np.dtype([
    ("owner", "i1"),  # seat + 1, 0: not in this game
    ("place", "i1"),  # place + 1, 0: dead (or not placed yet)
    ("tired", "i1"),
    ("hidden", "i1"),  # until the round ends
    ("extra", "i1"),  # stands on an extra space of its own
    ("freed", "i1"),  # Grandpa may vote, Granny may move, until the round ends
])  # fmt: skip

SEAT = np.dtype([
    ("antidotes", "i1"),
    ("food", "i1", (FOOD_VALUES,)),  # tokens by value
    ("food_known", "i1", (FOOD_VALUES,)),  # of these, the ones taken face up
    ("colour", "i1"),
    ("chosen", "i1"),  # movement card: place + 1
    ("shown", "i1"),  # the movement card lies open
    ("moved", "i1"),  # had its move this round
    ("offers", "i1"),  # made this round
    ("promised", "i1"),  # in the present window
    ("canned", "i1"),  # Canned Food laid at the end
    ("partner", "i1"),  # of its last exchange: seat + 1
    ("gave", "i1"),  # goods + 1
    ("got", "i1"),
    ("score", "i1"),
])  # fmt: skip

# Who or what holds action cards: the seats, then the four corner places (face down).
HOLDERS = SEATS + CORNERS
SUPPLIES_OF = SEATS - 1  # the holder of a corner place is SUPPLIES_OF + place
EVERYONE = SEATS  # the row of `known` that all seats and spectators share

STATE = state_record(
    [
        ("people", PERSON, (CHARACTERS,)),
        ("seats", SEAT, (SEATS,)),
        ("cards", "i1", (HOLDERS, KINDS)),
        ("known", "i1", (SEATS + 1, HOLDERS, KINDS)),  # cards that an observer knows a holder to have
        ("discard", "i1", (KINDS,)),
        ("deck", "i1", (CARDS,)),  # kinds, the top card last; zero above deck_size
        ("deck_size", "i1"),
        ("number", "i1", (PLACES,)),  # place -> location number - 1
        ("at", "i1", (PLACES,)),  # location number - 1 -> place
        ("side", "i1", (PLACES,)),  # SIDE_A, SIDE_B, RUIN
        ("shut", "i1"),  # the armory has burnt down or is jammed
        ("zombies", "i1", (PLACES,)),
        ("zombies_left", "i1"),  # in the box
        ("antidotes", "i1", (PLACES,)),
        ("antidotes_left", "i1"),
        ("tokens", "i1", (PLACES,)),
        ("tokens_left", "i1"),
        ("food_up", "i1", (FOOD_VALUES,)),
        ("food_down", "i1", (FOOD_VALUES,)),
        ("food_gone", "i1", (FOOD_VALUES,)),
        ("wheel", "i1", (SEATS,)),  # seats clockwise
        ("leader", "i1"),  # an index into the wheel
        ("invasion", "i1", (HOURS,)),  # card of each hour + 1
        ("seen", "i1"),  # bit set of the seats that have seen the next invasion card
        ("first", "i1"),
        ("start", "i1"),  # who was first when the step under way began
        ("round", "i1"),
        ("step", "i1"),
        ("cursor", "i1"),  # seats (picks) of the step that are done
        ("location", "i1"),  # location number that is being resolved, 0 outside phase 5
        ("turned", "i1"),  # set-up: bit set of the places still turned up
        ("last_loss", "i1"),  # seat + 1
        ("deaths", "i1", (HOURS,)),  # characters lost in each round, for result tables
        ("exchanges", "i2"),  # made in the game, for result tables
        ("votes", "i1", (SEATS,)),  # the vote under way, by voting seat: target + 1
        ("attack_votes", "i1", (PLACES, SEATS)),  # shown votes of the round
        ("supply_votes", "i1", (PLACES, SEATS)),
        ("caster", "i1", (PLACES, SEATS)),  # Gun Replica: who casts a seat's votes there, seat + 1
        ("packets", "i1", (SEATS, KINDS)),  # the draft's packets by the seat that first had them
        ("picks", "i1", (SEATS, MOST_PICKS)),  # kind + 1
        ("against", "i1", (SEATS, PLACES)),  # promised votes against a seat: seat + 1
        ("favour", "i1", (SEATS, PLACES)),  # promised votes for a seat
        ("quiet", "i1", (SEATS, PLACES + 1)),  # promised to play nothing: place + 1, 0 outside phase 5
        ("help", "i1", (SEATS, SEATS)),  # promised help for help
    ],
    OPTIONS,
    seats=SEATS,
    decisions=16,
)

STEPS = (
    "", "placing", "dealing", "drafting", "picked", "first zombies", "watch", "choosing", "showing",
    "late showing", "invasion", "moves", "moving", "blonde", "activating", "attack", "tally", "supplies",
    "supply vote", "supply tally", "next location", "round end", "canned food", "scoring",
)  # fmt: skip
(
    PLACING, DEALING, DRAFTING, PICKED, FIRST_ZOMBIES, WATCH, CHOOSING, SHOWING, LATE_SHOWING,
    INVADING, MOVES, MOVING, BLONDE_STEP, ACTIVATING, ATTACK, TALLY, SUPPLIES_STEP, SUPPLY_VOTE,
    SUPPLY_TALLY, NEXT_LOCATION, ROUND_END, CANNED_STEP, SCORING,
) = range(1, len(STEPS))  # fmt: skip

# Decisions with their arguments.  Frames of the stack that wait for something else (a cancelling
# that looks for the next seat to ask, an effect without choices) never stand at rest.
DECISIONS = (
    "", "place", "draft", "window", "cancel", "effect", "token", "card", "move", "enter", "turn back",
    "activate", "vote", "tie", "victim", "keep", "give to", "give", "offer", "answer", "canned food",
)  # fmt: skip
(
    D_PLACE,  # a place
    D_DRAFT,
    D_WINDOW,  # a window, b place, c seats that passed in a row
    D_CANCEL,  # a kind, b its player, c seats considered, d whether one is being asked
    D_EFFECT,  # a source, b and c its choices + 1
    D_TOKEN,
    D_CARD,  # a movement card
    D_MOVE,
    D_ENTER,  # a character, b place
    D_TURN_BACK,  # a character, b its old place + 1, c whether that was an extra space, d the mover
    D_ACTIVATE,  # a place
    D_VOTE,  # a voting seat, b place, c 1 for supplies
    D_TIE,  # a place, b bit set of seats
    D_VICTIM,  # a place
    D_KEEP,  # a place
    D_GIVE_TO,  # a place, b bit set of the seats that have something
    D_GIVE,  # a place, b receiver
    D_OFFER,  # a partner + 1, b goods given + 1
    D_ANSWER,  # a offerer, b goods given, c goods wanted
    D_CANNED,
) = range(1, len(DECISIONS))

RELATIVE = ("self", *(f"+{k}" for k in range(1, SEATS)))
OTHERS = RELATIVE[1:]
GOODS = ("nothing", "antidote", *KIND_NAMES)
NO_GOODS, ANTIDOTE, CARD_GOODS = range(3)  # card kind k is goods CARD_GOODS + k
FACE_DOWN = FOOD_VALUES  # the fifth food action
ACTIONS = action_table(
    card=Verb("card {}", PLACE_NAMES),
    place=Verb("{}", PLACE_NAMES),
    character=Verb("{}", CHARACTER_NAMES),
    seat=Verb("seat {}", RELATIVE),
    play=Verb("play {}", KIND_NAMES),
    use=Verb("use {}", CHARACTER_NAMES),
    kind=Verb("{}", KIND_NAMES),
    food=Verb("food {}", (*map(str, range(FOOD_VALUES)), "face down")),
    vote=Verb("vote {}", RELATIVE),
    give=Verb("give {}", GOODS),
    want=Verb("want {}", GOODS),
    activate=Verb("activate"),
    offer=Verb("offer"),
    yes=Verb("yes"),
    no=Verb("no"),
    passes=Verb("pass"),
    against=Verb("promise a vote against {}", OTHERS),
    favour=Verb("promise a vote for {}", RELATIVE),
    quiet=Verb("promise to play nothing"),
    help=Verb("promise help for help to {}", OTHERS),
)
EVENTS = event_table(
    "placed",  # seat placed character a at place b
    "dealt",  # seat was dealt kind c (secret)
    "saw_card",  # seat looked at the next invasion card: c (secret)
    "invaded",  # hour a, card b
    "zombies_moved",  # n = c (public, who = everybody) from place a to place b
    "zombies_came",  # c to place a
    "zombies_killed",  # c at place a
    "supplies",  # a antidotes or cards at place b; c = 1: cards
    "showed",  # seat shows its movement card: place a
    "moved",  # seat moved character a to place b
    "turned_back",  # the Priest sent character a back to place b
    "played",  # seat played kind a
    "used",  # seat used character a
    "activated",  # seat activated place a
    "cancelled",  # kind a was cancelled
    "discarded",  # seat discarded kind a as a cost
    "took",  # seat took kind a from the discard pile
    "drew",  # seat drew kind c (secret)
    "stole",  # seat stole a card from seat a: kind c (secret)
    "food",  # seat took food: value a face up, or c (secret) face down (a = 4)
    "ate",  # seat spent food of value a
    "antidote",  # seat took an antidote
    "leader",  # the leader stands at the colour of seat
    "token",  # seat laid an explosion token at place a
    "ruined",  # the tower collapsed (a = tower), the armory burnt or jammed (a = armory)
    "died",  # seat lost character a
    "voted",  # votes shown: seat's votes at place b went to seat a; c = 1: supplies
    "chosen",  # seat is the victim's owner or wins the supplies at place a
    "kept",  # seat kept an antidote (a = 1) or a card: kind c (secret)
    "gave",  # seat gave seat a an antidote (b = 1) or a card: kind c (secret)
    "offered",  # seat offered seat a a change: goods c for goods d (public)
    "answered",  # seat answered: a = 1 yes
    "promised",  # seat promised action id a
    "first",  # seat has the First Player token
    "round",  # round a begins
    "scored",  # seat has a points
    "looked",  # seat looks at a card of the supplies at place a, or (a = -1) of its packet: kind c (secret)
    "turned_up",  # set-up: the movement card of place a
    "showed_food",  # a food token of value a is turned up
)
