"""The town: who stands where, who may vote and be chosen, who comes next; zombies, deaths, the wheel."""

from __future__ import annotations

from ...core.decisions import pop
from ...core.events import EVERYBODY, log
from ...core.rule import require, rule
from ...core.state import total
from ..cards import (
    ARMORY,
    CHARACTERS,
    CORNERS,
    CROSSROADS,
    GRANDPA,
    MOST_ZOMBIES,
    PLACES,
    PREGNANT,
    RUIN,
    SEATS,
    SIDE_A,
    TOWER,
)
from ..state import ANTIDOTE, CARD_GOODS, EVENTS, SCORING, SUPPLIES_OF

# --- characters ---------------------------------------------------------------------------------


@rule
def stands(person, seat, place):
    """Whether a character is this seat's and lives at this place."""
    return person.owner == seat + 1 and person.place == place + 1


@rule
def present(state, seat, place):
    """How many living characters a seat has at a place, hidden ones too."""
    n = 0
    for i in range(CHARACTERS):
        n += stands(state.people[i], seat, place)
    return n


@rule
def crowd(state, place):
    """How many living characters are at a place: all count for the attack, hidden or not (p.11)."""
    n = 0
    for i in range(CHARACTERS):
        n += state.people[i].place == place + 1
    return n


@rule
def living(state, seat):
    """How many living characters a seat has."""
    n = 0
    for i in range(CHARACTERS):
        n += state.people[i].owner == seat + 1 and state.people[i].place > 0
    return n


@rule
def clockwise_by(state, seat, places):
    """The seat that an action names by its place, counted clockwise from the seat that acts."""
    require(places >= 0 and places < state.players)
    return (seat + places) % state.players


@rule
def can_be_chosen(state, seat, place):
    """How many characters a seat has at a place that a vote can hit: living, present, not hidden."""
    n = 0
    for i in range(CHARACTERS):
        n += stands(state.people[i], seat, place) and state.people[i].hidden == 0
    return n


@rule
def candidates(state, place):
    """The seats that can be voted for at a place, as a bit set (p.6)."""
    seats = 0
    for i in range(CHARACTERS):
        person = state.people[i]
        if person.place == place + 1 and person.hidden == 0:
            seats |= 1 << (person.owner - 1)
    return seats


@rule
def voice(state, character):
    """The votes of a living character: one; hidden none; Grandpa none unless used; with a baby two (p.8)."""
    person = state.people[character]
    if person.hidden or (character == GRANDPA and person.freed == 0):
        return 0
    return 2 if character == PREGNANT and person.tired else 1


@rule
def votes_at(state, seat, place):
    """The votes of a seat at a place."""
    n = 0
    for i in range(CHARACTERS):
        if stands(state.people[i], seat, place):
            n += voice(state, i)
    return n


@rule
def how_many(seats):
    """How many seats a bit set holds."""
    n = 0
    for seat in range(SEATS):
        n += (seats >> seat) & 1
    return n


@rule
def lowest(seats):
    """The lowest seat of a bit set."""
    for seat in range(SEATS):
        if (seats >> seat) & 1:
            return seat
    return 0


@rule
def hand_size(state, seat):
    """Action cards in a hand."""
    return total(state.cards[seat])


@rule
def items_at(state, place):
    """Antidotes and face-down cards that lie at a place."""
    n = int(state.antidotes[place])
    if 1 <= place <= CORNERS:
        n += total(state.cards[SUPPLIES_OF + place])
    return n


@rule
def can_pay(state, seat, goods):
    """Whether a seat has these goods to give."""
    if goods >= CARD_GOODS:
        return state.cards[seat, goods - CARD_GOODS] > 0
    return goods != ANTIDOTE or state.seats[seat].antidotes > 0


@rule
def is_shut(state, place):
    """A burnt or jammed armory lets nobody in (p.10)."""
    return place == ARMORY and state.shut != 0


@rule
def is_full(state, t, place):
    """Whether no normal space is free; a shut armory is full for everybody."""
    if place == CROSSROADS:
        return False
    if is_shut(state, place):
        return True
    n = 0
    for i in range(CHARACTERS):
        n += state.people[i].place == place + 1 and state.people[i].extra == 0
    return n >= t.capacity[place, state.side[place]]


@rule
def put(state, character, place, extra):
    """A character stands at a place from now on."""
    state.people[character].place = place + 1
    state.people[character].extra = extra


# --- zombies ------------------------------------------------------------------------------------


@rule
def add_zombies(state, ctx, place, n):
    """Zombies come from the box: at most eight at a place, the surplus is not placed (p.4)."""
    n = min(n, MOST_ZOMBIES - state.zombies[place], state.zombies_left)
    if n > 0:
        state.zombies[place] += n
        state.zombies_left -= n
        log(ctx, EVENTS.zombies_came, 0, place, 0, EVERYBODY, n)


@rule
def kill_zombies(state, ctx, place, n):
    """Zombies go back into the box."""
    n = min(n, state.zombies[place])
    if n > 0:
        state.zombies[place] -= n
        state.zombies_left += n
        log(ctx, EVENTS.zombies_killed, 0, place, 0, EVERYBODY, n)


@rule
def move_zombies(state, ctx, source, target, n):
    """Zombies go from place to place; the surplus over eight stays where it was (p.4)."""
    n = min(n, state.zombies[source], MOST_ZOMBIES - state.zombies[target])
    if n > 0 and source != target:
        state.zombies[source] -= n
        state.zombies[target] += n
        log(ctx, EVENTS.zombies_moved, 0, source, target, EVERYBODY, n)


# --- deaths and ruins ---------------------------------------------------------------------------


@rule
def bury(state, ctx, character):
    """A character dies; once nobody lives in the whole town the game is over at once."""
    person = state.people[character]
    seat = person.owner - 1
    person.place = 0
    person.tired = 0
    person.hidden = 0
    person.extra = 0
    person.freed = 0
    state.last_loss = seat + 1
    state.deaths[state.round] += 1
    log(ctx, EVENTS.died, seat, character)


@rule
def end_if_nobody_lives(state):
    """After the last death nothing pending matters any more."""
    for i in range(CHARACTERS):
        if state.people[i].place > 0:
            return
    while state.depth > 0:
        pop(state)
    state.step = SCORING


@rule
def collapse(state, ctx):
    """Three explosion tokens bring the tower down: characters and zombies there die (p.9)."""
    log(ctx, EVENTS.ruined, 0, TOWER)
    state.side[TOWER] = RUIN
    kill_zombies(state, ctx, TOWER, MOST_ZOMBIES)
    hit = 0
    for i in range(CHARACTERS):
        if state.people[i].place == TOWER + 1:
            hit |= 1 << (state.people[i].owner - 1)
            bury(state, ctx, i)
    for k in range(state.players - 1, -1, -1):
        seat = (state.first + k) % state.players
        if (hit >> seat) & 1:
            state.last_loss = seat + 1  # the first such seat in turn order (p.6)
    end_if_nobody_lives(state)


@rule
def shut_armory(state, ctx):
    """Side A burns and sends everybody to the crossroads; side B jams with everybody inside (p.10)."""
    log(ctx, EVENTS.ruined, 0, ARMORY)
    state.shut = 1
    if state.side[ARMORY] == SIDE_A:
        for i in range(CHARACTERS):
            if state.people[i].place == ARMORY + 1:
                put(state, i, CROSSROADS, 0)


# --- the Zombie Leader --------------------------------------------------------------------------


@rule
def step_leader(state, ctx, steps):
    """The leader goes clockwise over the colours in play."""
    state.leader = (state.leader + steps) % state.players
    log(ctx, EVENTS.leader, state.wheel[state.leader])


@rule
def leader_to(state, ctx, seat):
    """The leader goes to a seat's colour."""
    for k in range(state.players):
        if state.wheel[k] == seat:
            state.leader = k
    log(ctx, EVENTS.leader, seat)


@rule
def beside_leader(state, seat):
    """Whether a seat's colour is one step from the leader, either way."""
    n = state.players
    return seat == state.wheel[(state.leader + 1) % n] or seat == state.wheel[(state.leader + n - 1) % n]


@rule
def next_place_with_zombies(state, least):
    """The first place with so many zombies, or -1."""
    for place in range(PLACES):
        if state.zombies[place] >= least:
            return place
    return -1
