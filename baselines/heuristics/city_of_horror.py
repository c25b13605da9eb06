"""A scripted player of City of Horror.

It estimates for every place how likely the zombies take one of its characters there, and moves,
defends and votes by that; it gathers antidotes for its living, trades cards for them, and leaves its
characters rested.  The weights were set by hand.  Compiled like the rules, from Views alone.
"""

from __future__ import annotations

import numpy as np

from outbreak_rl.envs.city_of_horror.cards import (
    A_CHARACTER,
    A_COST,
    ALARM,
    AMOUNT,
    ARMORY,
    CHARACTERS,
    CHOICES,
    CHURCH,
    CROSSROADS,
    DUCK,
    EFFECT,
    FLARE,
    FOOD_SPENT,
    GRANDPA,
    HALVE,
    HIDE,
    HOSPITAL,
    KILL,
    KILL_HERE,
    KIND_NAMES,
    KINDS,
    KITTEN,
    LOCATION,
    PLACES,
    POINTS,
    PREGNANT,
    PUSH,
    REST,
    ROUNDS,
    SEATS,
    SUPPLIES,
)
from outbreak_rl.envs.city_of_horror.state import (
    ACTIONS,
    ANTIDOTE,
    CARD_GOODS,
    D_ACTIVATE,
    D_ANSWER,
    D_CANCEL,
    D_CANNED,
    D_CARD,
    D_DRAFT,
    D_EFFECT,
    D_ENTER,
    D_GIVE,
    D_GIVE_TO,
    D_MOVE,
    D_OFFER,
    D_TOKEN,
    D_TURN_BACK,
    D_VICTIM,
    D_VOTE,
    D_WINDOW,
    FACE_DOWN,
    NO_GOODS,
    SUPPLY_TALLY,
)
from outbreak_rl.envs.city_of_horror.view import FIELDS
from outbreak_rl.envs.core.rule import rule

from ..scripted import Scripted
from .city_of_horror_values import (
    NEEDED_ANTIDOTE,
    NEVER,
    NOBODY,
    SPARE_ANTIDOTE,
    WORTH,
    WORTH_ACCEPTING,
    antidote_worth,
    attack_number,
    best_move,
    goes_to,
    goods_worth,
    is_mine,
    living,
    risk,
    strength,
    turning,
    value,
    worth,
)

FOOD_WORTH = np.array([0.0, 1.0, 2.0, 3.0, 1.4])  # face down, the last one, is any of those left
DRINK = int(ACTIONS.play) + KIND_NAMES.index("Energy Drink")
WORTH_DEFENDING = 0.3  # chance of a loss from which on cards are played against an attack
WORTH_ENTERING = 1.0  # what a space in a full place must bring
CHEAP, DEAR = 1.0, 1.5  # cards below, from which on ...


@rule
def noise(ticket, k):  # type: ignore[no-untyped-def]
    """A number below 1 for each k, from the decision's ticket."""
    return (((ticket + 7919 * k) * 1103515245 + 12345) & 0x7FFFFFFF) / 2147483648.0


# --- decisions by what each action is worth -----------------------------------------------------


@rule
def weigh(view, action, ticket):  # type: ignore[no-untyped-def]
    """What an action is worth where each stands for itself; NEVER: not what is being chosen."""
    decision = int(view.decision)
    if decision == D_EFFECT:
        return weigh_effect(view, action)
    if ACTIONS.card <= action < ACTIONS.card + PLACES and decision == D_CARD:
        place = action - ACTIONS.card
        return best_move(view, place) + 0.3 * noise(ticket, 200 + place)
    if ACTIONS.place <= action < ACTIONS.place + PLACES and decision == D_TOKEN:
        return crowd_at(view, action - ACTIONS.place, 3)
    if ACTIONS.character <= action < ACTIONS.character + CHARACTERS:
        return weigh_character(view, action - ACTIONS.character)
    if ACTIONS.kind <= action < ACTIONS.kind + KINDS and decision == D_DRAFT:
        return WORTH[action - ACTIONS.kind]
    if ACTIONS.vote <= action < ACTIONS.vote + SEATS and decision == D_VOTE:
        k = action - ACTIONS.vote
        if view.step == SUPPLY_TALLY:
            return 9.0 if k == 0 else -strength(view, k)
        return -99.0 if k == 0 else strength(view, k)
    if ACTIONS.seat <= action < ACTIONS.seat + SEATS:
        k = action - ACTIONS.seat
        if decision == D_GIVE_TO:
            return -strength(view, k)
        if decision == D_OFFER:
            return 1.0 * view.vaccines[k] - living(view, k)
        return -99.0 if k == 0 else strength(view, k)
    if ACTIONS.give <= action < ACTIONS.give + CARD_GOODS + KINDS:
        found = goods_worth(view, action - ACTIONS.give)
        return -found if decision == D_GIVE else found
    if ACTIONS.play <= action < ACTIONS.play + KINDS and decision == D_CANNED:
        return 1.0
    return NEVER


@rule
def weigh_character(view, i):  # type: ignore[no-untyped-def]
    """Which character is placed, moves or dies."""
    if view.decision == D_MOVE:
        return value(view, i, goes_to(view, view.chosen[0] - 1))
    if view.decision == D_VICTIM:
        return -worth(view, i)
    here = view.about_place - 1
    bad = here == CROSSROADS or attack_number(view, here, 1) < 3
    return -1.0 * POINTS[i, 0] if bad else 1.0 * POINTS[i, 0]


@rule
def weigh_effect(view, action):  # type: ignore[no-untyped-def]
    """The choices of an effect in progress."""
    effect = int(EFFECT[view.source - 1])
    if ACTIONS.place <= action < ACTIONS.place + PLACES:
        return weigh_place(view, effect, action - ACTIONS.place)
    if ACTIONS.character <= action < ACTIONS.character + CHARACTERS:
        i = action - ACTIONS.character
        if effect == HIDE:
            return risk(view, view.place[i] - 1, NOBODY, 0, 0.0)
        return turning(i) if effect == REST or CHOICES[effect, 1] == A_CHARACTER else -turning(i)
    if ACTIONS.seat <= action < ACTIONS.seat + SEATS:
        k = action - ACTIONS.seat
        return -9.0 if k == 0 else strength(view, k)
    if ACTIONS.kind <= action < ACTIONS.kind + KINDS:
        paying = CHOICES[effect, 0] == A_COST and view.about_kind == 0
        return -WORTH[action - ACTIONS.kind] if paying else WORTH[action - ACTIONS.kind]
    if ACTIONS.food <= action <= ACTIONS.food + FACE_DOWN:
        found = FOOD_WORTH[action - ACTIONS.food]
        return -found if CHOICES[effect, 0] == FOOD_SPENT else found
    return NEVER


@rule
def crowd_at(view, place, dislike):  # type: ignore[no-untyped-def]
    """Characters of others at a place, less mine, each as often as it is disliked."""
    total = 0.0
    for i in range(CHARACTERS):
        if view.place[i] == place + 1:
            total += -dislike if view.owner[i] == 1 else 1
    return total


@rule
def weigh_place(view, effect, place):  # type: ignore[no-untyped-def]
    """Zombies away from mine, to others."""
    if effect == ALARM or effect == PUSH or view.about_place > 0:
        return crowd_at(view, place, 4)
    mine = 0
    for i in range(CHARACTERS):
        if is_mine(view, i) and view.place[i] == place + 1:
            mine += 1
    now = 2.0 if view.location == place + 1 and mine > 0 else 0.0
    return 4.0 * risk(view, place, NOBODY, 0, 0.0) + mine + now


# --- windows ------------------------------------------------------------------------------------


@rule
def window(view, mask):  # type: ignore[no-untyped-def]
    """Defend the place at hand, rest characters, look for an exchange; otherwise pass."""
    here = view.about_place - 1
    if view.window == LOCATION + 1:
        defence = defend(view, mask, here)
        if defence >= 0:
            return defence
    if mask[DRINK] and rest_gain(view) >= (1.0 if view.round == ROUNDS else 2.0):
        return DRINK
    grandpa = ACTIONS.use + GRANDPA
    if view.window == SUPPLIES + 1 and mask[grandpa] and view.place[GRANDPA] == here + 1:
        return grandpa
    if mask[ACTIONS.offer]:
        for seat in range(1, view.players):
            if view.vaccines[seat] > 0:
                return int(ACTIONS.offer)
    return int(ACTIONS.passes)


@rule
def rest_gain(view):  # type: ignore[no-untyped-def]
    """Points for turning the best tired character of mine."""
    found = 0.0
    for i in range(CHARACTERS):
        if is_mine(view, i) and view.tired[i] != 0 and i != PREGNANT:
            found = max(found, turning(i))
    return found


@rule
def defend(view, mask, here):  # type: ignore[no-untyped-def]
    """The cheapest play that keeps the zombies from taking one of mine here, or -1."""
    if risk(view, here, NOBODY, 0, 0.0) < WORTH_DEFENDING:
        return -1
    crowd = 0
    for i in range(CHARACTERS):
        if view.place[i] == here + 1:
            crowd += 1
    need = view.zombies[here] - attack_number(view, here, crowd) + 1
    enough, cheapest = -1, 99.0
    strong, most, total = -1, 0, 0
    for source in range(KINDS + CHARACTERS):
        action = ACTIONS.play + source if source < KINDS else ACTIONS.use + source - KINDS
        power = defence(view, source, here, need) if mask[action] else 0
        if power > 0:
            cost = WORTH[source] if source < KINDS else turning(source - KINDS)
            if EFFECT[source] == KITTEN:
                cost += 1.0
            if power >= need and cost < cheapest:
                enough, cheapest = action, cost
            if power > most:
                strong, most = action, power
            total += power
    if enough >= 0:
        return enough
    return strong if total >= need else -1


@rule
def defence(view, source, here, need):  # type: ignore[no-untyped-def]
    """How many zombies a source takes away from a place (hiding: all that is needed)."""
    effect = int(EFFECT[source])
    if source >= KINDS and view.place[source - KINDS] != here + 1:
        return 0
    if effect == KILL or effect == KILL_HERE or effect == PUSH:
        return int(AMOUNT[source])
    if effect == FLARE:
        return 1
    if effect == HALVE:
        return view.zombies[here] // 2
    if effect == KITTEN:
        return int(view.zombies[here])
    if effect == HIDE or effect == DUCK:
        mine = 0
        for i in range(CHARACTERS):
            if is_mine(view, i) and view.place[i] == here + 1 and view.hidden[i] == 0:
                mine += 1
        return need if mine == 1 else 0
    return 0


# --- yes or no ----------------------------------------------------------------------------------


@rule
def enter(view, mask):  # type: ignore[no-untyped-def]
    """Into the full place where that is much better than the crossroads."""
    who = view.about_character - 1
    better = value(view, who, view.about_place) > value(view, who, CROSSROADS + 1) + WORTH_ENTERING
    for action in range(len(mask)):
        if better and mask[action] and action != ACTIONS.passes:
            return action
    return int(ACTIONS.passes)


@rule
def activate(view):  # type: ignore[no-untyped-def]
    """Whether what a place gives is worth what it takes."""
    here = view.about_place - 1
    side_a = view.side[here] == 1
    cheapest = 9.0
    cards = 0
    for k in range(KINDS):
        cards += view.hand[k]
        if view.hand[k] > 0:
            cheapest = min(cheapest, WORTH[k])
    if here == HOSPITAL:
        good = antidote_worth(view) > (cheapest if side_a else 1.6)
    elif here == CROSSROADS:
        good = cheapest < DEAR and cards > 1
    elif here == ARMORY:
        good = cheapest < 0.8
    elif here == CHURCH:
        good = side_a
        for food in range(2):
            good = good or view.food[0, food] > 0
    else:
        eaten = risk(view, CROSSROADS, NOBODY, 0, 0.0) > 0.5
        good = eaten and (not side_a or cheapest < CHEAP)
    return int(ACTIONS.activate) if good else int(ACTIONS.passes)


# --- trading ------------------------------------------------------------------------------------


@rule
def offer(view, mask, ticket):  # type: ignore[no-untyped-def]
    """An antidote is asked of the seat that can spare one most.

    One that can spare it gets a good card for one that I need; others a cheap card, or nothing at all."""
    if view.about_seat == 0:
        return best(view, mask, ticket)
    if view.give > 0:
        return ACTIONS.want + ANTIDOTE
    partner = view.about_seat - 1
    needed = view.vaccines[0] < living(view, 0)
    fair = needed and view.vaccines[partner] > living(view, partner)
    low = SPARE_ANTIDOTE + WORTH_ACCEPTING if fair else 0.0
    high = NEEDED_ANTIDOTE if fair else CHEAP
    found = -1
    for k in range(KINDS):
        fits = view.hand[k] > 0 and low < WORTH[k] < high
        if fits and (found < 0 or WORTH[k] < WORTH[found]):
            found = k
    if found < 0 or (not fair and view.hand_size[0] <= 2):
        return ACTIONS.give + NO_GOODS
    return ACTIONS.give + CARD_GOODS + found


@rule
def answer(view):  # type: ignore[no-untyped-def]
    """Yes to what brings more than it costs; an antidote that a character needs costs most."""
    wanted = view.want - 1
    price = goods_worth(view, wanted)
    if wanted == ANTIDOTE and view.vaccines[0] <= living(view, 0):
        price = NEEDED_ANTIDOTE
    good = goods_worth(view, view.give - 1) > price + WORTH_ACCEPTING
    return int(ACTIONS.yes) if good else int(ACTIONS.no)


# --- choosing -----------------------------------------------------------------------------------


@rule
def decline(mask, ticket):  # type: ignore[no-untyped-def]
    """Pass or say no where that can be done, else anything."""
    if mask[ACTIONS.passes]:
        return int(ACTIONS.passes)
    if mask[ACTIONS.no]:
        return int(ACTIONS.no)
    legal = 0
    for action in range(len(mask)):
        legal += mask[action]
    k = ticket % legal
    for action in range(len(mask)):
        if mask[action]:
            if k == 0:
                return action
            k -= 1
    return -1


@rule
def best(view, mask, ticket):  # type: ignore[no-untyped-def]
    """The legal action that is worth most; equals by chance."""
    found = -1
    most = NEVER
    for action in range(len(mask)):
        if mask[action]:
            here = weigh(view, action, ticket)
            if here > NEVER:
                here += 1e-6 * noise(ticket, action)
                if here > most:
                    most = here
                    found = action
    return found


@rule
def choose(view, mask, ticket):  # type: ignore[no-untyped-def]
    """The action for a View."""
    legal = 0
    only = -1
    for action in range(len(mask)):
        if mask[action]:
            legal += 1
            only = action
    if legal == 1:
        return only
    decision = int(view.decision)
    if decision == D_WINDOW:
        chosen = window(view, mask)
    elif decision == D_ENTER:
        chosen = enter(view, mask)
    elif decision == D_ACTIVATE:
        chosen = activate(view)
    elif decision == D_OFFER:
        chosen = offer(view, mask, ticket)
    elif decision == D_ANSWER:
        chosen = answer(view)
    elif decision == D_CANCEL or decision == D_TURN_BACK:
        chosen = int(ACTIONS.passes)
    else:
        chosen = best(view, mask, ticket)
    if chosen >= 0 and mask[chosen]:
        return chosen
    return decline(mask, ticket)


def _choose_batch(views, masks, tickets, actions):  # type: ignore[no-untyped-def]
    for i in range(len(views)):
        actions[i] = choose(views[i], masks[i], tickets[i])


choose_batch = rule(_choose_batch, entry=True)


class Heuristic(Scripted):
    """The scripted player; without a state of its own."""

    fields = FIELDS
    choose_batch = staticmethod(choose_batch)
