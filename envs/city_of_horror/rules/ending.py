"""The end of a round and of the game (p.6), and conservation for tests."""

from __future__ import annotations

from ...core.decisions import finish, pop, push
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import TERMINATED, fill, total
from ..cards import (
    ANTIDOTES,
    CANNED_FOOD,
    CARDS,
    CHARACTERS,
    COPIES,
    END,
    FOOD_COUNT,
    FOOD_VALUES,
    KINDS,
    MOST_ZOMBIES,
    PLACES,
    POINTS,
    ROUNDS,
    SEATS,
    TOKENS,
    ZOMBIES,
)
from ..state import (
    ACTIONS,
    CANNED_STEP,
    D_CANNED,
    EVENTS,
    HOLDERS,
    REWARD_RANK,
    REWARD_WIN,
    SCORING,
    WATCH,
)
from .effects import play_card
from .moves import card_out
from .town import bury, hand_size, living
from .windows import open_window

# --- phase 6 ------------------------------------------------------------------------------------


@rule
def round_end(state, ctx):
    """The First Player token changes hands; what lasts a round is over (p.6)."""
    pass_first_player(state, ctx)
    for i in range(CHARACTERS):
        state.people[i].hidden = 0
        state.people[i].freed = 0
    for seat in range(SEATS):
        me = state.seats[seat]
        me.chosen = 0
        me.shown = 0
        me.moved = 0
        me.offers = 0
        me.promised = 0
        fill(state.against[seat], 0)
        fill(state.favour[seat], 0)
        fill(state.quiet[seat], 0)
        fill(state.help[seat], 0)
    for place in range(PLACES):
        fill(state.caster[place], 0)
        fill(state.attack_votes[place], 0)
        fill(state.supply_votes[place], 0)
    state.last_loss = 0
    state.turns += 1
    state.start = state.first
    state.cursor = 0
    if state.round < ROUNDS:
        state.round += 1
        state.step = WATCH
    elif state.options.all_windows:
        state.step = CANNED_STEP
        open_window(state, END, 0)
    else:
        state.step = SCORING


@rule
def pass_first_player(state, ctx):
    """Who lost a character last gets the token; without a death the next seat; it must have characters."""
    seat = state.last_loss - 1 if state.last_loss > 0 else (state.first + 1) % state.players
    while living(state, seat) == 0:
        seat = (seat + 1) % state.players
    state.first = seat
    log(ctx, EVENTS.first, seat)


# --- the end ------------------------------------------------------------------------------------


@rule
def laying_food(state):
    """In turn order all may lay their Canned Food, which can be cancelled like any card (p.10)."""
    if state.cursor == 0:
        state.start = state.first
    if state.cursor == state.players:
        state.cursor = 0
        state.step = SCORING
        return
    seat = (state.start + state.cursor) % state.players
    state.cursor += 1
    if hand_size(state, seat) > 0 and card_out(state, CANNED_FOOD):
        push(state, D_CANNED, seat)


@rule
def lay_food(state, ctx, seat, action):
    """A seat lays a card, and is asked again, or has done."""
    require(action == ACTIONS.play + CANNED_FOOD or action == ACTIONS.passes)
    pop(state)
    if action == ACTIONS.play + CANNED_FOOD:
        state.cursor -= 1
        play_card(state, ctx, seat, CANNED_FOOD)


@rule
def scoring(state, ctx):
    """Antidotes for the living, then points; the rewards fall due (p.6)."""
    for seat in range(state.players):
        vaccinate(state, ctx, seat)
    for seat in range(state.players):
        state.seats[seat].score = points(state, seat)
        log(ctx, EVENTS.scored, seat, state.seats[seat].score)
    set_rewards(state)
    state.step = SCORING
    finish(state, TERMINATED)


@rule
def vaccinate(state, ctx, seat):
    """Each living character needs an antidote; those worth most get them, the others die."""
    me = state.seats[seat]
    while living(state, seat) > me.antidotes:
        worst = -1
        for i in range(CHARACTERS):
            person = state.people[i]
            mine = person.owner == seat + 1 and person.place > 0
            if mine and (worst < 0 or worth(state, i) < worth(state, worst)):
                worst = i
        bury(state, ctx, worst)
    used = living(state, seat)
    me.antidotes -= used
    state.antidotes_left += used


@rule
def worth(state, character):
    """The points of a character's shown side."""
    return POINTS[character, state.people[character].tired]


@rule
def points(state, seat):
    """Characters, left antidotes, food and Canned Food; without a living character nothing (p.6)."""
    if living(state, seat) == 0:
        return 0
    me = state.seats[seat]
    n = me.antidotes + me.canned
    if state.options.all_windows == 0:
        n += state.cards[seat, CANNED_FOOD]  # nobody can cancel it: it counts from the hand
    for value in range(FOOD_VALUES):
        n += value * me.food[value]
    for i in range(CHARACTERS):
        if state.people[i].owner == seat + 1 and state.people[i].place > 0:
            n += worth(state, i)
    return n


@rule
def set_rewards(state):
    """A share of the win less 1/players, the points, or the place."""
    n = int(state.players)
    best = 0
    for seat in range(n):
        best = max(best, state.seats[seat].score)
    winners = 0
    for seat in range(n):
        winners += state.seats[seat].score == best
    for seat in range(n):
        mine = state.seats[seat].score
        if state.options.reward == REWARD_WIN:
            state.reward_unit = n * winners
            state.reward[seat] = n - winners if mine == best else -winners
        elif state.options.reward == REWARD_RANK:
            state.reward_unit = n - 1
            for other in range(n):
                state.reward[seat] += state.seats[other].score < mine
                state.reward[seat] -= state.seats[other].score > mine
        else:
            state.reward_unit = 1
            state.reward[seat] = mine


# --- conservation -------------------------------------------------------------------------------


@rule
def check(state, ctx):
    """Raise where something of the game was lost or made."""
    cards = int(state.deck_size)
    for kind in range(KINDS):
        n = int(state.discard[kind])
        for i in range(state.deck_size):
            n += state.deck[i] == kind
        for holder in range(HOLDERS):
            n += state.cards[holder, kind]
            for observer in range(SEATS + 1):
                if (
                    state.known[observer, holder, kind] > state.cards[holder, kind]
                    or state.cards[holder, kind] < 0
                ):
                    raise AssertionError("a holder is known to have cards that it does not have")
        for seat in range(SEATS):
            n += state.packets[seat, kind]
        if n != COPIES[kind]:
            raise AssertionError("the action cards of a kind do not add up")
        cards += n
    if cards - state.deck_size != CARDS:
        raise AssertionError("there are not 40 action cards")
    for i in range(state.deck_size, CARDS):
        if state.deck[i] != 0:
            raise AssertionError("an unused place of the deck is not zero")
    check_town(state)
    check_goods(state)


@rule
def check_town(state):
    """Zombies, explosion tokens, characters."""
    if (
        total(state.zombies) + state.zombies_left != ZOMBIES
        or total(state.tokens) + state.tokens_left != TOKENS
    ):
        raise AssertionError("the zombies or the explosion tokens do not add up")
    for place in range(PLACES):
        if state.zombies[place] > MOST_ZOMBIES or state.zombies[place] < 0:
            raise AssertionError("a place has more than eight zombies or less than none")
    owned = 0
    for i in range(CHARACTERS):
        person = state.people[i]
        owned += person.owner > 0
        if person.owner > state.players or (person.owner == 0 and person.place > 0):
            raise AssertionError("a character belongs to nobody")
        if person.place == 0 and person.tired + person.hidden + person.extra + person.freed > 0:
            raise AssertionError("a character that is not in the town has a state")
    if owned > CHARACTERS or owned < state.players:
        raise AssertionError("the characters do not add up")


@rule
def check_goods(state):
    """Antidotes and food."""
    antidotes = total(state.antidotes) + state.antidotes_left
    for seat in range(SEATS):
        antidotes += state.seats[seat].antidotes
    if antidotes != ANTIDOTES:
        raise AssertionError("the antidotes do not add up")
    for value in range(FOOD_VALUES):
        n = state.food_up[value] + state.food_down[value] + state.food_gone[value]
        for seat in range(SEATS):
            n += state.seats[seat].food[value]
            if state.seats[seat].food_known[value] > state.seats[seat].food[value]:
                raise AssertionError("a seat is known to have food that it does not have")
        if n != FOOD_COUNT[value]:
            raise AssertionError("the food tokens do not add up")
