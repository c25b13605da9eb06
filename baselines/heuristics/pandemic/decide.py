"""The scripted team's answer to each kind of decision."""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.core.state import table
from outbreak_rl.envs.pandemic.cards import (
    AIRLIFT,
    CARDS,
    CITIES,
    CITY_FULL,
    EVENTS_PRINTED,
    FORECAST,
    GRANT,
    QUIET_NIGHT,
    RESILIENT,
)  # fmt: skip
from outbreak_rl.envs.pandemic.state import (
    ACTION,
    ACTIONS,
    ASKED,
    BEFORE_CARD,
    BEFORE_CARDS,
    CARD,
    CONSENT,
    DESTINATION,
    DISPATCH,
    GIVE,
    IN_EPIDEMIC,
    LIMIT,
    PAWN,
    STATION,
    TAKE,
    WINDOW,
)  # fmt: skip

from .plan import ready, search
from .sense import best_errand, errand, find_transfers, passing, price, price_hand, take_in

HARM = table([0.5, 1.0, 2.0, 9.0], float)  # an infection card, by the cubes that are there
HARM_NEIGHBOUR = 0.3  # more for each neighbour of a city that breaks out
STORE = table([QUIET_NIGHT, RESILIENT, AIRLIFT, GRANT, FORECAST])  # which event a planner takes back first
LATE = 5  # outbreaks so far, from which on the danger for an event to be played is smaller
PLAY = table(
    [QUIET_NIGHT, RESILIENT, GRANT, FORECAST, AIRLIFT]
)  # which event is played first at the hand limit
SURE_LAYER = 12  # Forecast first, where the top layer is smaller


@rule
def choose(v, mask, g, m, nodes, slots):
    """The action for one View and its mask."""
    only = first_legal(mask, 0, len(mask))
    if first_legal(mask, only + 1, len(mask)) < 0:
        return only
    take_in(v, g, m)
    action = answer(v, mask, g, m, nodes, slots)
    return action if action >= 0 and mask[action] else only


@rule
def first_legal(mask, start, stop):
    """The first legal id of a stretch, -1: none."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return -1


@rule
def answer(v, mask, g, m, nodes, slots):
    """By the kind of the decision; what is not answered here takes the first legal action."""
    kind = v.decision
    if kind == ACTION:
        return act(v, mask, g, m, nodes, slots)
    if kind == WINDOW:
        return in_window(v, mask, g, m)
    if kind == LIMIT:
        return at_limit(v, mask, g, m)
    if kind == CARD:
        return pick(v, mask, g, m)
    if kind == DESTINATION:
        return destination(v, mask, g, m)
    if kind == PAWN:
        return pawn_to_fly(v, g, m)
    if kind == DISPATCH:
        return pawn_to_send(v, mask, g, m)
    if kind == STATION:
        return station_to_move(v, g)
    if kind == CONSENT:
        return ACTIONS.yes
    if kind == ASKED:
        return asked(v, mask, g, m)
    return -1


# --- own turn -------------------------------------------------------------------------------------


@rule
def act(v, mask, g, m, nodes, slots):
    """An event where it saves a long way to a cure; else what the search finds."""
    play = ACTIONS.play
    far = m.away[m.spot[0]] >= max(2, int(v.actions_left))
    if far and mask[play + GRANT] and ready(v, g, m, m.hand) >= 0:
        return play + GRANT
    price_hand(v, g, m)
    find_transfers(v, g, m)
    if mask[play + AIRLIFT] and best_flight(v, g, m) >= 0:
        return play + AIRLIFT
    action = search(v, g, m, nodes, slots)
    if action == ACTIONS.end:
        for k in range(EVENTS_PRINTED):
            if mask[ACTIONS.store + STORE[k]]:
                return ACTIONS.store + STORE[k]
    return action


# --- events ---------------------------------------------------------------------------------------


@rule
def outbreaks_due(v, g, m):
    """Outbreaks to expect from the next infection step."""
    due = 0.0
    for city in range(g.cities):
        colour = g.colour[city]
        if v.cubes[city, colour] == CITY_FULL and v.cure[colour] != 2:
            due += m.next[city]
    return due


@rule
def in_window(v, mask, g, m):
    """Resilient Population in an epidemic; Forecast or One Quiet Night before bad infections."""
    play = ACTIONS.play
    if v.window == IN_EPIDEMIC and mask[play + RESILIENT]:
        return play + RESILIENT
    if (v.window != BEFORE_CARDS and v.window != BEFORE_CARD) or v.quiet_night:
        return ACTIONS.skip
    if outbreaks_due(v, g, m) <= (m.w.due_calm if v.outbreaks < LATE else m.w.due_late):
        return ACTIONS.skip
    forecast = mask[play + FORECAST]
    quiet = mask[play + QUIET_NIGHT] and v.window == BEFORE_CARDS
    if forecast and (v.layer_size[0] < SURE_LAYER or not quiet):
        return play + FORECAST
    return play + QUIET_NIGHT if quiet else ACTIONS.skip


@rule
def best_flight(v, g, m):
    """The pawn that an Airlift helps most, if it helps enough; -1: none."""
    found = -1
    most = m.w.airlift
    for pawn in range(v.players):
        city = best_errand(v, g, m, pawn, 1)
        if city >= 0:
            gain = errand(v, g, m, pawn, city) - errand(v, g, m, pawn, m.spot[pawn])
            if gain > most:
                found = pawn
                most = gain
    return found


@rule
def pawn_to_fly(v, g, m):
    """For an Airlift."""
    find_transfers(v, g, m)
    return ACTIONS.pawn + max(0, best_flight(v, g, m))


@rule
def pawn_to_send(v, mask, g, m):
    """Where the Dispatcher moves the pawn that he has named."""
    pawn = v.pending_pawn - 1
    find_transfers(v, g, m)
    city = best_errand(v, g, m, pawn, 0)
    if city < 0:
        return -1
    for verb in (ACTIONS.drive, ACTIONS.shuttle, ACTIONS.to):
        if mask[verb + city]:
            return verb + city
    return -1


@rule
def destination(v, mask, g, m):
    """Government Grant: here, or far from the other stations.  Airlift: to a station."""
    to = ACTIONS.to
    if v.pending_event == AIRLIFT + 1:
        find_transfers(v, g, m)
        city = best_errand(v, g, m, v.pending_pawn - 1, 1)
        if city >= 0:
            return to + city
    if v.pending_event != GRANT + 1:
        for city in range(g.cities):
            if v.station[city] and mask[to + city]:
                return to + city
        return -1
    if mask[to + m.spot[0]]:
        return to + m.spot[0]
    found = -1
    for city in range(g.cities):
        if mask[to + city] and (found < 0 or m.away[city] > m.away[found]):
            found = city
    return to + found


@rule
def station_to_move(v, g):
    """The station that is nearest to another one."""
    found = -1
    least = CITIES
    for station in range(g.cities):
        if v.station[station]:
            near = CITIES
            for other in range(g.cities):
                if other != station and v.station[other]:
                    near = min(near, int(g.far[station, other]))
            if near < least or found < 0:
                found = station
                least = near
    return ACTIONS.station + found


# --- cards ----------------------------------------------------------------------------------------


@rule
def at_limit(v, mask, g, m):
    """The cheapest card, or an event rather than a card that is wanted."""
    found = -1
    least = 0.0
    for card in range(CARDS):
        if mask[ACTIONS.discard + card]:
            cost = price(v, g, m, card)
            if found < 0 or cost < least:
                found = card
                least = cost
    if least > m.w.kept:
        for k in range(EVENTS_PRINTED):
            if mask[ACTIONS.play + PLAY[k]]:
                return ACTIONS.play + PLAY[k]
    return ACTIONS.discard + found


@rule
def pick(v, mask, g, m):
    """A card to pass, to spend, to lay back or to remove."""
    found = -1
    most = 0.0
    for card in range(g.cities):
        if mask[ACTIONS.card + card]:
            worth = pick_worth(v, g, m, card)
            if found < 0 or worth > most:
                found = card
                most = worth
    return ACTIONS.card + found


@rule
def pick_worth(v, g, m, card):
    """How good a pick is."""
    if v.offer == GIVE:
        return passing(v, g, m, 0, v.pending_pawn - 1, card)
    if v.offer == TAKE:
        return passing(v, g, m, v.pending_pawn - 1, 0, card)
    if v.pending_event == FORECAST + 1:
        return -harm(v, g, card)
    if v.pending_event == RESILIENT + 1:
        return harm(v, g, card)
    return -price(v, g, m, card)


@rule
def harm(v, g, city):
    """What an infection card would do."""
    colour = g.colour[city]
    if v.cure[colour] == 2:
        return 0.0
    n = v.cubes[city, colour]
    return HARM[n] + (HARM_NEIGHBOUR * g.degree[city] if n == CITY_FULL else 0.0)


@rule
def asked(v, mask, g, m):
    """Asked for a card: the one that helps most, if it helps."""
    other = v.pending_pawn - 1
    found = -1
    most = 0.0
    for card in range(g.cities):
        if mask[ACTIONS.card + card]:
            gain = passing(v, g, m, 0, other, card)
            if gain > most:
                found = card
                most = gain
    return ACTIONS.card + found if found >= 0 else ACTIONS.no


def choose_batch(views, masks, maps, which, minds, nodes, slots, actions):
    """The actions of many Views, one after the other."""
    for i in range(len(views)):
        actions[i] = choose(views[i], masks[i], maps[which[i]], minds[0], nodes, slots)


choose_compiled = rule(choose_batch, entry=True)
