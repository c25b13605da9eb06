"""The printed facts of City of Horror: places, characters, action cards and what each of them does.

Everything is counted by index: places, card kinds and characters in the order of names.toml.  What a
card, an ability or a place does is one row of the tables here: an effect, an amount and the choices
that it asks for.  Facts that are not printed in the rulebook's text stand in data/ (see tables.py).
"""

from __future__ import annotations

from importlib.resources import files

from ..core.state import table
from ..core.toml import tomllib

_names = tomllib.loads((files(__package__) / "names.toml").read_text("utf-8"))
PLACE_NAMES: tuple[str, ...] = tuple(_names["places"])
COLOUR_NAMES: tuple[str, ...] = tuple(_names["colours"])
KIND_NAMES: tuple[str, ...] = tuple(_names["kinds"])
CHARACTER_NAMES: tuple[str, ...] = tuple(_names["characters"])

# --- how many of everything (rulebook p.2, p.3) -------------------------------------------------

SEATS = 6
PLACES = 6
TOWER, CHURCH, HOSPITAL, ARMORY, BANK, CROSSROADS = range(PLACES)
CORNERS = 4  # church to bank: the places that supplies are dropped on
SIDE_A, SIDE_B, RUIN = range(3)
SIDE_NAMES = ("A", "B", "ruin")
ROUNDS = 4
HOURS = ROUNDS + 1  # hour 0 is the set-up
CARDS_AN_HOUR = 4
CARD_LETTERS = ("A", "B", "C", "D")
ZOMBIES = 40
MOST_ZOMBIES = 8  # at one place
ANTIDOTES = 20
TOKENS = 6
FOOD_VALUES = 4
FOOD_NAMES = ("0", "1", "2", "3")
FOOD_COUNT = (1, 5, 5, 1)  # tokens worth 0, 1, 2 and 3
FOOD_SHOWN = 3  # face up at the crossroads, side B
TOWER_LIMIT = 3  # explosion tokens that bring the tower down
ARMORY_LIMIT = table([3, 2])  # side A burns, side B jams
CHARACTERS_EACH = table([0, 0, 0, 5, 4, 3, 3])  # by number of players
CARDS_EACH = table([0, 0, 0, 7, 6, 5, 4])
PRINTED_PACKETS = table([0, 0, 0, 5, 4, 3, 3])
MOST_PICKS = 7

# Zombies attack from this number on; 0: when there are more of them than characters.
ATTACK_FROM = table([[4, 4, 0], [3, 0, 0], [0, 2, 0], [3, 0, 0], [3, 0, 0], [1, 1, 0]])

# --- what cards, abilities and places do --------------------------------------------------------

EFFECTS = 34
(
    KILL, HALVE, ALARM, REST, HIDE, PEEK, LEADER, KITTEN, STEAL, REPLICA, CHANGE, FLARE, ENTER, LAY_FOOD,
    CANCELS, CALM, SWAP, DRAW, PUSH, SPEAK, KILL_HERE, BE_FIRST, DUCK, BIRTH, TURN_BACK, FREE, FOOD_A,
    FOOD_B, CHURCH_B, CURE_A, CURE_B, REPLACE, SHIFT, STEP_LEADER,
) = range(1, EFFECTS + 1)  # fmt: skip

# The choices that an effect asks for, at most two, one after the other.
NO_CHOICE, A_PLACE, OTHER_PLACE, A_CHARACTER, A_SEAT, A_COST, FROM_PILE, FOOD_SPENT, FOOD_TAKEN = range(9)
_CHOICES = {
    KILL: (A_PLACE,), HALVE: (A_PLACE,), ALARM: (A_PLACE,), REST: (A_CHARACTER,), HIDE: (A_CHARACTER,),
    LEADER: (A_SEAT,), KITTEN: (A_PLACE,), STEAL: (A_SEAT,), REPLICA: (A_PLACE, A_SEAT), CHANGE: (A_PLACE,),
    FLARE: (A_PLACE, OTHER_PLACE), SWAP: (A_COST, FROM_PILE), PUSH: (OTHER_PLACE,), FOOD_A: (A_COST,),
    FOOD_B: (A_COST, FOOD_TAKEN), CHURCH_B: (FOOD_SPENT, A_CHARACTER), CURE_A: (A_COST,),
    CURE_B: (A_CHARACTER,), REPLACE: (A_COST,), SHIFT: (A_COST, A_SEAT), STEP_LEADER: (A_SEAT,),
}  # fmt: skip
CHOICES = table([(*_CHOICES.get(effect, ()), NO_CHOICE, NO_CHOICE)[:2] for effect in range(EFFECTS + 1)])

# Windows, as bits: in which of them a card or an ability may be used.
PLANNING, INVASION, LOCATION, SUPPLIES, END = range(5)
WINDOW_NAMES = ("planning", "invasion", "location", "supplies", "end")
WINDOWS = len(WINDOW_NAMES)
_ANY = 0b11111
_VOTES_AHEAD = 0b01111  # not after the last vote
_NEVER = 0  # only in a decision of its own: a move, a cancelling, the end

KINDS = 18
_CARDS = (  # count, effect, amount, windows, explosion mark (p.7)
    ("Alarm", 2, ALARM, 3, _ANY, 0),
    ("Energy Drink", 2, REST, 0, _ANY, 0),
    ("Canned Food", 2, LAY_FOOD, 1, _NEVER, 0),
    ("Tear Gas", 3, CANCELS, 0, _NEVER, 0),
    ("Hideout", 2, HIDE, 0, _VOTES_AHEAD, 0),
    ("Service Entrance", 2, ENTER, 0, _NEVER, 0),
    ("Gun", 3, KILL, 1, _ANY, 0),
    ("Infrared Goggles", 2, PEEK, 0, _ANY, 0),
    ("Chainsaw", 1, HALVE, 0, _ANY, 0),
    ("Magic Light", 2, LEADER, 0, _ANY, 0),
    ("Kitten", 2, KITTEN, 0, _ANY, 0),
    ("Pickpocket", 1, STEAL, 0, _ANY, 0),
    ("Gun Replica", 2, REPLICA, 0, _VOTES_AHEAD, 0),
    ("Shotgun", 4, KILL, 2, _ANY, 0),
    ("Running Shoes", 2, CHANGE, 0, _NEVER, 0),
    ("Molotov Cocktail", 3, KILL, 1, _ANY, 1),
    ("Flare", 3, FLARE, 0, _ANY, 1),
    ("Improvised Bomb", 2, KILL, 2, _ANY, 1),
)
CANNED_FOOD, TEAR_GAS, SERVICE_ENTRANCE, RUNNING_SHOES = 2, 3, 5, 14
COPIES = table([card[1] for card in _CARDS])
CARDS = 40
MARKED = table([card[5] for card in _CARDS])

CHARACTERS = 21
_PEOPLE = (  # points rested and tired, effect, amount, windows (p.8)
    ("Blonde", 5, 3, CALM, 0, _ANY),
    ("Businessman", 3, 2, SWAP, 0, _ANY),
    ("Businesswoman", 3, 2, SWAP, 0, _ANY),
    ("Chef", 4, 3, DRAW, 0, _ANY),
    ("Geek", 4, 3, PUSH, 1, _ANY),
    ("Grandpa", 5, 3, SPEAK, 0, _VOTES_AHEAD),
    ("Housewife", 4, 2, KILL_HERE, 2, _ANY),
    ("Mama", 4, 3, ENTER, 0, _NEVER),
    ("Student", 3, 2, BE_FIRST, 0, _ANY),
    ("Boy", 5, 2, DUCK, 0, _VOTES_AHEAD),
    ("Girl", 5, 2, DUCK, 0, _VOTES_AHEAD),
    ("Pregnant Woman", 4, 2, BIRTH, 0, _VOTES_AHEAD),
    ("Priest", 4, 2, TURN_BACK, 0, _NEVER),
    ("Punk", 4, 3, CANCELS, 0, _NEVER),
    ("Rasta", 4, 3, PEEK, 0, _ANY),
    ("Rocker", 4, 3, PUSH, 1, _ANY),
    ("Secret Agent", 4, 2, LEADER, 0, _ANY),
    ("Teen", 4, 2, CHANGE, 0, _NEVER),
    ("Thief", 4, 2, STEAL, 0, _ANY),
    ("Guard and Rex", 4, 2, KILL_HERE, 2, _ANY),
    ("Granny", 5, 2, FREE, 0, _NEVER),
)
BLONDE, GRANDPA, MAMA, PREGNANT, PRIEST, PUNK, TEEN, GRANNY = 0, 5, 7, 11, 12, 13, 17, 20
POINTS = table([[person[1], person[2]] for person in _PEOPLE])  # rested, tired

# Activating a place (p.9, p.10), by side: the tower's effects come in phases of their own.
_ACTIVATION = ((0, REST, CURE_A, REPLACE, SHIFT, FOOD_A), (0, CHURCH_B, CURE_B, SWAP, STEP_LEADER, FOOD_B))

# A source is what causes an effect: a card kind, KINDS + a character, or PLACE_SOURCE + 6 * side + a place.
PLACE_SOURCE = KINDS + CHARACTERS
SOURCES = PLACE_SOURCE + 2 * PLACES
EFFECT = table([
    *(card[2] for card in _CARDS),
    *(person[3] for person in _PEOPLE),
    *_ACTIVATION[SIDE_A],
    *_ACTIVATION[SIDE_B],
])  # fmt: skip
AMOUNT = table([*(card[3] for card in _CARDS), *(person[4] for person in _PEOPLE), *([0] * 2 * PLACES)])
WHEN = table([*(card[4] for card in _CARDS), *(person[5] for person in _PEOPLE), *([0] * 2 * PLACES)])
SOURCE_NAMES = (*KIND_NAMES, *CHARACTER_NAMES, *(f"{place} {side}" for side in "AB" for place in PLACE_NAMES))

assert tuple(card[0] for card in _CARDS) == KIND_NAMES
assert tuple(person[0] for person in _PEOPLE) == CHARACTER_NAMES
assert sum(card[1] for card in _CARDS) == CARDS
