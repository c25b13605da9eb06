"""What a position of City of Horror is worth to a seat, as far as its View tells: for the scripted player."""

from __future__ import annotations

import numpy as np

from outbreak_rl.envs.city_of_horror.cards import (
    ARMORY,
    ATTACK_FROM,
    CHARACTERS,
    CHURCH,
    CORNERS,
    CROSSROADS,
    HOSPITAL,
    KIND_NAMES,
    MOST_ZOMBIES,
    PLACES,
    POINTS,
    SEATS,
)
from outbreak_rl.envs.city_of_horror.state import (
    ANTIDOTE,
    CARD_GOODS,
    D_ENTER,
    D_MOVE,
    NO_GOODS,
)
from outbreak_rl.envs.core.rule import rule

# What a card in the hand is worth, in points.
_WORTH = {
    "Shotgun": 2.2, "Improvised Bomb": 2.0, "Chainsaw": 1.8, "Gun": 1.6, "Hideout": 1.6, "Energy Drink": 1.6,
    "Molotov Cocktail": 1.5, "Flare": 1.2, "Canned Food": 1.2, "Kitten": 1.1, "Gun Replica": 1.0,
    "Pickpocket": 0.9, "Running Shoes": 0.7, "Service Entrance": 0.6, "Tear Gas": 0.5, "Magic Light": 0.5,
    "Infrared Goggles": 0.3, "Alarm": 0.3,
}  # fmt: skip
WORTH = np.array([_WORTH[name] for name in KIND_NAMES])
ARRIVALS = 1.4  # zombies that come to a place in a round, where the card is not known
SPREAD = 1.6  # how unsure that is: an attack is certain (impossible) this much above (below) its number
LIFE = 4.0  # a character, beyond what it is worth itself: a vote, a space, a choice
SPARE_ANTIDOTE = 1.0
NEEDED_ANTIDOTE = 3.0
MANY_CARDS = 1.3  # cards that lie at a place, for those who will share them out
SECOND = 0.15  # the chance that the leader passes by the seat that is first in his way
WORTH_ACCEPTING = 0.3  # what an exchange must bring
NEVER = -1e6
NOBODY = -1

# --- what a position is worth -------------------------------------------------------------------
#
# Where characters might stand is said by one exception: `who` at `where` (place + 1); NOBODY: as it is.


@rule
def stands(view, i, who, where):  # type: ignore[no-untyped-def]
    """Place + 1 of a character."""
    if i == who:
        return where
    return int(view.place[i])


@rule
def is_mine(view, i):  # type: ignore[no-untyped-def]
    """A living character of one's own."""
    return view.owner[i] == 1 and view.place[i] > 0


@rule
def living(view, seat):  # type: ignore[no-untyped-def]
    """Living characters of a seat."""
    n = 0
    for i in range(CHARACTERS):
        if view.owner[i] == seat + 1 and view.place[i] > 0:
            n += 1
    return n


@rule
def worth(view, i):  # type: ignore[no-untyped-def]
    """What a character counts at the end."""
    return 1.0 * POINTS[i, view.tired[i]]


@rule
def turning(i):  # type: ignore[no-untyped-def]
    """What it costs to tire a character, or brings to rest it."""
    return 1.0 * POINTS[i, 0] - POINTS[i, 1]


@rule
def antidote_worth(view):  # type: ignore[no-untyped-def]
    """An antidote more."""
    return NEEDED_ANTIDOTE if view.vaccines[0] < living(view, 0) else SPARE_ANTIDOTE


@rule
def goods_worth(view, goods):  # type: ignore[no-untyped-def]
    """Something to be traded or shared."""
    if goods == NO_GOODS:
        return 0.0
    if goods == ANTIDOTE:
        return antidote_worth(view)
    return WORTH[goods - CARD_GOODS]


@rule
def strength(view, seat):  # type: ignore[no-untyped-def]
    """How well another seat stands, as far as can be seen: its best characters that may get antidotes."""
    left = view.vaccines[seat] + 2
    total = 0.5 * view.hand_size[seat] + view.vaccines[seat]
    for points in range(5, 0, -1):
        for i in range(CHARACTERS):
            here = view.owner[i] == seat + 1 and view.place[i] > 0
            if here and left > 0 and POINTS[i, view.tired[i]] == points:
                total += points
                left -= 1
    return total


@rule
def attack_number(view, place, crowd):  # type: ignore[no-untyped-def]
    """How many zombies attack."""
    least = int(ATTACK_FROM[place, view.side[place] - 1])
    return least if least > 0 else crowd + 1


@rule
def still_to_move(view):  # type: ignore[no-untyped-def]
    """The zombies of this round, and the leader, are still to come."""
    return view.step > 0 and view.location == 0 and view.decision != D_MOVE and view.decision != D_ENTER


@rule
def to_come(view, place):  # type: ignore[no-untyped-def]
    """Zombies still to come to a place before it is resolved."""
    if not still_to_move(view):
        return 0.0
    return 1.0 * view.next_zombies[place] if view.next_known else ARRIVALS


@rule
def chance_of_attack(view, place, crowd, coming):  # type: ignore[no-untyped-def]
    """How likely a place is attacked."""
    number = attack_number(view, place, crowd)
    zombies = min(view.zombies[place] + coming, 1.0 * MOST_ZOMBIES)
    if coming == 0.0:
        return 1.0 if zombies >= number else 0.0
    return min(max((zombies - number + SPREAD / 2 + 0.5) / (2 * SPREAD), 0.0), 1.0)


@rule
def risk(view, place, who, where, coming):  # type: ignore[no-untyped-def]
    """The chance that I lose a character at a place."""
    crowd = 0
    seats = 0  # bit set of owners
    against = 0
    for_me = 0
    for i in range(CHARACTERS):
        if stands(view, i, who, where) == place + 1:
            crowd += 1
            if view.owner[i] == 1:
                for_me += view.voice[i]
            else:
                against += view.voice[i]
            if view.hidden[i] == 0:
                seats |= 1 << (view.owner[i] - 1)
    if seats & 1 == 0:
        return 0.0
    attack = chance_of_attack(view, place, crowd, coming)
    if place == CROSSROADS:
        return attack * eaten_first(view, seats)
    if seats == 1:
        return attack
    others = -1
    for seat in range(SEATS):
        others += (seats >> seat) & 1
    return attack * min(against / (against + for_me * others + 1e-9), 1.0)


@rule
def eaten_first(view, seats):  # type: ignore[no-untyped-def]
    """The chance that the leader takes me among the seats (a bit set) at the crossroads."""
    if seats == 1:
        return 1.0
    steps = 2 * SEATS
    first = 0
    for seat in range(SEATS):
        if (seats >> seat) & 1:
            way = int(view.wheel[seat])
            if way == 1 and still_to_move(view):  # he will have left this colour
                way += SEATS
            if way < steps:
                steps = way
                first = seat
    return 1.0 if first == 0 else SECOND


@rule
def gain_at(view, place, who, where):  # type: ignore[no-untyped-def]
    """What a place may give me if I have a character there."""
    here = 0
    votes = 0
    others = 0
    for i in range(CHARACTERS):
        if stands(view, i, who, where) == place + 1:
            if view.owner[i] == 1:
                here += 1
                votes += view.voice[i]
            else:
                others += view.voice[i]
    if here == 0:
        return 0.0
    gain = 0.0
    if CHURCH <= place <= CORNERS and view.antidotes[place] + view.cards[place - 1] > 0:
        if votes > others:
            gain += antidote_worth(view) if view.antidotes[place] > 0 else MANY_CARDS
        elif votes > 0:
            gain += 0.5
    if place == HOSPITAL and view.hand_size[0] > 0:
        gain += antidote_worth(view) - 1.0
    return gain


@rule
def value(view, who, where):  # type: ignore[no-untyped-def]
    """How good it is to stand like this: what places may give, less what the zombies may take."""
    total = 0.0
    for place in range(PLACES):
        least = 0.0
        for i in range(CHARACTERS):
            if is_mine(view, i) and view.hidden[i] == 0 and stands(view, i, who, where) == place + 1:
                least = worth(view, i) if least == 0.0 else min(least, worth(view, i))
        total += gain_at(view, place, who, where)
        if least > 0.0:
            total -= risk(view, place, who, where, to_come(view, place)) * (LIFE + least)
    return total


@rule
def goes_to(view, place):  # type: ignore[no-untyped-def]
    """Where a character that moves to a place comes to stand, place + 1 (full: the crossroads)."""
    inside = 0
    for i in range(CHARACTERS):
        if view.place[i] == place + 1 and view.extra[i] == 0:
            inside += 1
    full = inside >= view.capacity[place] or (place == ARMORY and view.shut != 0)
    return CROSSROADS + 1 if full and place != CROSSROADS else place + 1


@rule
def best_move(view, place):  # type: ignore[no-untyped-def]
    """The value of the best of my moves to a place."""
    found = NEVER
    target = goes_to(view, place)
    for i in range(CHARACTERS):
        if is_mine(view, i) and view.may_move[i] != 0 and view.place[i] != place + 1:
            found = max(found, value(view, i, target))
    return found if found > NEVER else value(view, NOBODY, 0)
