"""Set-up (p.3): the town, the characters and their places, the cards or the draft, the first zombies."""

from __future__ import annotations

import numpy as np

from ...core.chance import chance, shuffle
from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import fill, total
from ..cards import (
    ANTIDOTES,
    CARDS_AN_HOUR,
    CARDS_EACH,
    CHARACTERS,
    CHARACTERS_EACH,
    COPIES,
    CORNERS,
    CROSSROADS,
    FOOD_COUNT,
    FOOD_SHOWN,
    FOOD_VALUES,
    HOURS,
    KINDS,
    MOST_PICKS,
    PLACES,
    PRINTED_PACKETS,
    SEATS,
    SIDE_B,
    TOKENS,
    TOWER,
    ZOMBIES,
)
from ..state import (
    D_DRAFT,
    D_PLACE,
    DEALING,
    DRAFT_OFF,
    DRAFT_PRINTED,
    DRAFTING,
    EVENTS,
    FIRST_ZOMBIES,
    PICKED,
    PLACING,
    SIDE_RANDOM,
    WATCH,
)
from .hands import fill_deck, learn, log_look, take_top
from .town import add_zombies, is_full, put


@rule
def set_up(state, ctx, t):
    """Build the town, seat the players, shuffle everything (p.3, steps 1 to 3)."""
    build_town(state, ctx)
    seat_players(state, ctx, t)
    state.deck_size = fill_deck(state, COPIES)
    shuffle(state, ctx, state.deck, state.deck_size)
    for hour in range(HOURS):
        state.invasion[hour] = chance(state, ctx, CARDS_AN_HOUR) + 1
    for value in range(FOOD_VALUES):
        state.food_down[value] = FOOD_COUNT[value]
    if state.side[CROSSROADS] == SIDE_B:
        for _ in range(FOOD_SHOWN):
            show_food(state, ctx)
    state.zombies_left = ZOMBIES
    state.antidotes_left = ANTIDOTES
    state.tokens_left = TOKENS
    state.step = PLACING


@rule
def build_town(state, ctx):
    """The tower is location 1, the crossroads 6, the corner buildings get 2 to 5 at random."""
    for place in range(PLACES):
        side = state.options.sides[place]
        state.side[place] = chance(state, ctx, 2) if side == SIDE_RANDOM else side
        state.at[place] = place
    corners = state.at[TOWER + 1 : CROSSROADS]
    shuffle(state, ctx, corners, CORNERS)
    for number in range(PLACES):
        state.number[state.at[number]] = number


@rule
def seat_players(state, ctx, t):
    """First player, colours on the wheel, characters: all rested, the others leave the game."""
    n = int(state.players)
    first = int(state.options.first_seat)
    state.first = chance(state, ctx, n) if first < 0 else first
    state.start = state.first
    colours = np.zeros(SEATS, np.int8)
    for colour in range(SEATS):
        colours[colour] = colour
    shuffle(state, ctx, colours, SEATS)
    for seat in range(n):
        state.seats[seat].colour = colours[seat]
    k = 0
    for i in range(SEATS):
        for seat in range(n):
            if state.seats[seat].colour == t.wheel[i]:
                state.wheel[k] = seat
                if seat == state.first:
                    state.leader = k
                k += 1
    people = np.zeros(CHARACTERS, np.int8)
    for i in range(CHARACTERS):
        people[i] = i
    shuffle(state, ctx, people, CHARACTERS)
    k = 0
    for seat in range(n):
        for _ in range(CHARACTERS_EACH[n]):
            state.people[people[k]].owner = seat + 1
            k += 1


@rule
def show_food(state, ctx):
    """Turn one of the face-down food tokens up, where there is one."""
    left = total(state.food_down)
    if left == 0:
        return
    k = chance(state, ctx, left)
    for value in range(FOOD_VALUES):
        k -= state.food_down[value]
        if k < 0:
            state.food_down[value] -= 1
            state.food_up[value] += 1
            log(ctx, EVENTS.showed_food, 0, value)
            return


# --- placing ------------------------------------------------------------------------------------


@rule
def placing(state, ctx):
    """Counter-clockwise from the first player's right neighbour: one character for each card turned up."""
    if state.turned != 0:
        number = 0
        while (state.turned >> number) & 1 == 0:
            number += 1
        seat = (state.first + state.players - state.cursor) % state.players
        push(state, D_PLACE, seat, state.at[number])
    elif state.cursor == state.players:
        state.cursor = 0
        state.step = DEALING
    else:
        state.cursor += 1
        turn_up(state, ctx)


@rule
def turn_up(state, ctx):
    """A seat turns up as many different movement cards as it has characters, at random."""
    numbers = np.zeros(PLACES, np.int8)
    for i in range(PLACES):
        numbers[i] = i
    shuffle(state, ctx, numbers, PLACES)
    for k in range(CHARACTERS_EACH[state.players]):
        state.turned |= 1 << numbers[k]
        log(ctx, EVENTS.turned_up, 0, state.at[numbers[k]])


@rule
def place_character(state, ctx, t, seat, character):
    """A character goes to the place of the card, or to the crossroads where that is full (p.3)."""
    place = top(state).a
    require(character >= 0 and character < CHARACTERS)
    require(state.people[character].owner == seat + 1 and state.people[character].place == 0)
    pop(state)
    state.turned &= ~(1 << state.number[place])
    if is_full(state, t, place):
        place = CROSSROADS
    put(state, character, place, 0)
    log(ctx, EVENTS.placed, seat, character, place)


# --- action cards -------------------------------------------------------------------------------


@rule
def packet_size(state):
    """Cards of a packet of the draft."""
    return (
        PRINTED_PACKETS[state.players] if state.options.draft == DRAFT_PRINTED else CARDS_EACH[state.players]
    )


@rule
def dealing(state, ctx):
    """Deal the hands, or the first packets of the draft."""
    for seat in range(state.players):
        for _ in range(packet_size(state)):
            kind = take_top(state)
            if state.options.draft == DRAFT_OFF:
                state.cards[seat, kind] += 1
                log(ctx, EVENTS.dealt, seat, 0, 0, 1 << seat, kind)
            else:
                state.packets[seat, kind] += 1
    state.step = FIRST_ZOMBIES if state.options.draft == DRAFT_OFF else DRAFTING


@rule
def packet_of(state, seat):
    """Which packet a seat holds now: packets go to the left, one seat a pick."""
    return (seat + state.players - state.cursor % state.players) % state.players


@rule
def drafting(state, ctx):
    """All pick one card of their packet at once, in secret (p.6)."""
    for seat in range(state.players - 1, -1, -1):
        log_look(ctx, seat, -1, state.packets[packet_of(state, seat)])
        push(state, D_DRAFT, seat)
    state.step = PICKED


@rule
def pick(state, seat, kind):
    """A seat has made its pick; it is carried out when all have."""
    require(kind >= 0 and kind < KINDS)
    require(state.packets[packet_of(state, seat), kind] > 0)
    state.picks[seat, state.cursor] = kind + 1
    pop(state)


@rule
def picked(state, ctx):
    """The picks go into the hands and the packets to the left, until they are empty."""
    for seat in range(state.players):
        kind = state.picks[seat, state.cursor] - 1
        state.packets[packet_of(state, seat), kind] -= 1
        state.cards[seat, kind] += 1
        log(ctx, EVENTS.dealt, seat, 0, 0, 1 << seat, kind)
    state.cursor += 1
    state.step = DRAFTING
    if state.cursor == packet_size(state):
        remember_draft(state)
        for seat in range(SEATS):
            fill(state.picks[seat], 0)
        state.cursor = 0
        state.step = FIRST_ZOMBIES


@rule
def remember_draft(state):
    """What a seat knows for sure after the draft: cards that left a packet it knew between two looks
    (or after the last one) and were all of one kind, so that each of those who picked has one."""
    n = int(state.players)
    size = packet_size(state)
    for observer in range(n):
        for packet in range(n):
            look = (observer + n - packet) % n
            while look < size - 1:
                end = min(look + n, size)
                kind = state.picks[(packet + look + 1) % n, look + 1]
                same = True
                for j in range(look + 1, end):
                    same = same and state.picks[(packet + j) % n, j] == kind
                if same:
                    for j in range(look + 1, end):
                        learn(state, 1 << observer, (packet + j) % n, kind - 1)
                look += n


@rule
def first_zombies(state, ctx, t):
    """A card of hour 0 says where the first zombies stand; it has nothing else."""
    card = t.invasion[0, state.invasion[0] - 1]
    log(ctx, EVENTS.invaded, 0, 0, state.invasion[0])
    for number in range(PLACES):
        add_zombies(state, ctx, state.at[number], card.zombies[number])
    state.round = 1
    state.step = WATCH


assert MOST_PICKS == max(CARDS_EACH)
