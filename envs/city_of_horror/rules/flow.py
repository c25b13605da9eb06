"""The order of play: one loop goes from decision to decision; the steps push what must be decided.

Answers that public facts force are given here, so that nobody is asked for nothing.
"""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, top
from ...core.rule import require, rule
from ...core.state import total
from ..cards import (
    A_COST,
    ARMORY,
    CANNED_FOOD,
    CHARACTERS,
    FOOD_SPENT,
    KINDS,
    NO_CHOICE,
    PLACES,
    PRIEST,
    PUNK,
    TEAR_GAS,
    TOWER,
)
from ..state import (
    ACTIONS,
    ACTIVATING,
    ATTACK,
    BLONDE_STEP,
    CANNED_STEP,
    CHOOSING,
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
    D_KEEP,
    D_MOVE,
    D_OFFER,
    D_PLACE,
    D_TIE,
    D_TOKEN,
    D_TURN_BACK,
    D_VICTIM,
    D_VOTE,
    D_WINDOW,
    DEALING,
    DRAFTING,
    FIRST_ZOMBIES,
    INVADING,
    LATE_SHOWING,
    MOVES,
    MOVING,
    NEXT_LOCATION,
    PICKED,
    PLACING,
    ROUND_END,
    SCORING,
    SHOWING,
    SUPPLIES_STEP,
    SUPPLY_TALLY,
    SUPPLY_VOTE,
    TALLY,
    WATCH,
)
from .effects import (
    answer_cancel,
    ask_to_cancel,
    choose,
    lay_token,
    legal_choices,
    next_choice,
    owns_rested,
    resolve,
)
from .ending import lay_food, laying_food, round_end, scoring
from .locations import (
    activating,
    answer_activate,
    attack,
    break_tie,
    give,
    give_to,
    keep,
    legal_item,
    next_location,
    only_one_sort,
    sharing_is_done,
    supplies,
    supply_tally,
    supply_vote,
    tally,
    victim,
    vote,
)
from .moves import (
    blonde,
    choose_card,
    choosing,
    enter,
    enter_is_open,
    invade,
    legal_enter,
    legal_move,
    move,
    move_is_open,
    moving,
    show_cards,
    squeeze_in,
    turn_back,
    watch,
)
from .setting_up import (
    dealing,
    drafting,
    first_zombies,
    packet_of,
    pick,
    picked,
    place_character,
    placing,
    set_up,
)
from .town import can_be_chosen, can_pay, stands
from .windows import act_in_window, answer_offer, find_asked, legal_in_window, legal_offer, make_offer

NOBODY_FORCED = -1

# --- what the kernel calls ----------------------------------------------------------------------


@rule
def deal(state, ctx):
    """A new game, up to its first decision."""
    set_up(state, ctx, ctx.tables[state.table])
    go_on(state, ctx, NOBODY_FORCED)


@rule
def play(state, ctx, action):
    """An action of the seat that is asked, and all that follows up to the next decision."""
    require(action >= 0 and action < MASK_SIZE)
    go_on(state, ctx, action)


@rule
def go_on(state, ctx, action):
    """Play an action, then run; a forced answer is an action, too."""
    t = ctx.tables[state.table]
    while True:
        if action >= 0:
            handle(state, ctx, t, action)
        while state.over == 0:
            if state.depth == 0:
                advance(state, ctx, t)
            elif stands_at_decision(state, ctx, t):
                break
        if state.over != 0:
            return
        action = forced_answer(state, ctx)
        if action < 0:
            return


# --- steps --------------------------------------------------------------------------------------


@rule
def advance(state, ctx, t):
    """Nothing is pending: take the next step of the round (p.3 to p.6)."""
    step = int(state.step)
    if step == ACTIVATING:
        activating(state)
    elif step == ATTACK:
        attack(state, ctx)
    elif step == TALLY:
        tally(state, ctx)
    elif step == SUPPLIES_STEP:
        supplies(state)
    elif step == SUPPLY_VOTE:
        supply_vote(state, ctx)
    elif step == SUPPLY_TALLY:
        supply_tally(state, ctx)
    elif step == NEXT_LOCATION:
        next_location(state)
    elif step == WATCH:
        watch(state, ctx)
    elif step == CHOOSING:
        choosing(state, False)
    elif step == SHOWING:
        show_cards(state, ctx)
        choosing(state, True)
    elif step == LATE_SHOWING:
        show_cards(state, ctx)
        state.step = INVADING
    elif step == INVADING:
        invade(state, ctx, t)
    elif step == MOVES or step == MOVING:
        moving(state)
    elif step == BLONDE_STEP:
        blonde(state, ctx)
    elif step == ROUND_END:
        round_end(state, ctx)
    elif step == CANNED_STEP:
        laying_food(state)
    elif step == SCORING:
        scoring(state, ctx)
    elif step == PLACING:
        placing(state, ctx)
    elif step == DEALING:
        dealing(state, ctx)
    elif step == DRAFTING:
        drafting(state, ctx)
    elif step == PICKED:
        picked(state, ctx)
    else:
        require(step == FIRST_ZOMBIES)
        first_zombies(state, ctx, t)


@rule
def stands_at_decision(state, ctx, t):
    """Whether the frame on top asks a seat; if it only leads on to something else, that is done."""
    frame = top(state)
    kind = int(frame.kind)
    if kind == D_WINDOW:
        return find_asked(state)
    if kind == D_CANCEL:
        if frame.d == 0:
            ask_to_cancel(state, ctx)
            return False
    elif kind == D_EFFECT:
        if next_choice(state, frame) == NO_CHOICE:
            resolve(state, ctx, t)
            return False
    elif kind == D_ENTER:
        if frame.c != 0:
            squeeze_in(state, ctx)
            return False
    elif kind == D_GIVE_TO and sharing_is_done(state):
        pop(state)
        return False
    return True


# --- one answer ---------------------------------------------------------------------------------


@rule
def is_open(state):
    """Whether all can see what the seat that is asked may answer."""
    frame = top(state)
    kind = int(frame.kind)
    if kind == D_EFFECT:
        choice = next_choice(state, frame)
        return choice != A_COST and choice != FOOD_SPENT
    if kind == D_MOVE:
        return move_is_open(state)
    if kind == D_ENTER:
        return enter_is_open(state)
    if kind == D_KEEP or kind == D_GIVE:
        return only_one_sort(state, frame.a)
    if kind == D_DRAFT:
        return total(state.packets[packet_of(state, frame.seat)]) == 1
    return kind == D_PLACE or kind == D_TOKEN or kind == D_VICTIM or kind == D_GIVE_TO


@rule
def forced_answer(state, ctx):
    """The one answer where all can see that there is no other, else -1."""
    if not is_open(state):
        return NOBODY_FORCED
    mask = np.zeros(MASK_SIZE, np.int8)
    legal(state, ctx, mask)
    found = NOBODY_FORCED
    for action in range(MASK_SIZE):
        if mask[action] != 0:
            if found >= 0:
                return NOBODY_FORCED
            found = action
    return found


# --- what is legal, and what happens ------------------------------------------------------------


@rule
def legal(state, ctx, mask):
    """The legal answers to the pending decision."""
    frame = top(state)
    kind = int(frame.kind)
    seat = int(frame.seat)
    if kind == D_WINDOW:
        legal_in_window(state, frame, mask)
    elif kind == D_CANCEL:
        mask[ACTIONS.passes] = 1
        mask[ACTIONS.play + TEAR_GAS] = state.cards[seat, TEAR_GAS] > 0
        mask[ACTIONS.use + PUNK] = owns_rested(state, seat, PUNK)
    elif kind == D_EFFECT:
        legal_choices(state, frame, mask)
    elif kind == D_VOTE:
        for k in range(state.players):
            mask[ACTIONS.vote + k] = can_be_chosen(state, (seat + k) % state.players, frame.b) > 0
    elif kind == D_ACTIVATE:
        mask[ACTIONS.activate] = 1
        mask[ACTIONS.passes] = 1
    elif kind == D_MOVE:
        legal_move(state, seat, mask)
    elif kind == D_ENTER:
        legal_enter(state, frame, mask)
    elif kind == D_OFFER:
        legal_offer(state, frame, mask)
    elif kind == D_ANSWER:
        mask[ACTIONS.no] = 1
        mask[ACTIONS.yes] = can_pay(state, seat, frame.c)
    elif kind == D_KEEP or kind == D_GIVE:
        legal_item(state, frame.a, mask)
    elif kind == D_GIVE_TO or kind == D_TIE:
        for k in range(state.players):
            other = (seat + k) % state.players
            mask[ACTIONS.seat + k] = ((frame.b >> other) & 1) == (kind == D_TIE)
    elif kind == D_VICTIM:
        for i in range(CHARACTERS):
            mask[ACTIONS.character + i] = (
                stands(state.people[i], seat, frame.a) and state.people[i].hidden == 0
            )
    else:
        legal_else(state, frame, seat, mask)


@rule
def legal_else(state, frame, seat, mask):
    """The rarer decisions."""
    kind = int(frame.kind)
    if kind == D_TOKEN:
        mask[ACTIONS.place + TOWER] = 1
        mask[ACTIONS.place + ARMORY] = state.shut == 0
    elif kind == D_CARD:
        for place in range(PLACES):
            mask[ACTIONS.card + place] = 1
    elif kind == D_TURN_BACK:
        mask[ACTIONS.use + PRIEST] = 1
        mask[ACTIONS.passes] = 1
    elif kind == D_PLACE:
        for i in range(CHARACTERS):
            mask[ACTIONS.character + i] = state.people[i].owner == seat + 1 and state.people[i].place == 0
    elif kind == D_DRAFT:
        packet = state.packets[packet_of(state, seat)]
        for k in range(KINDS):
            mask[ACTIONS.kind + k] = packet[k] > 0
    elif kind == D_CANNED:
        mask[ACTIONS.play + CANNED_FOOD] = state.cards[seat, CANNED_FOOD] > 0
        mask[ACTIONS.passes] = 1


@rule
def handle(state, ctx, t, action):
    """The seat that is asked answers."""
    frame = top(state)
    kind = int(frame.kind)
    seat = int(frame.seat)
    if kind == D_WINDOW:
        act_in_window(state, ctx, seat, action)
    elif kind == D_CANCEL:
        answer_cancel(state, ctx, seat, action)
    elif kind == D_EFFECT:
        choose(state, ctx, seat, action)
    elif kind == D_VOTE:
        vote(state, seat, action)
    elif kind == D_ACTIVATE:
        answer_activate(state, ctx, seat, action)
    elif kind == D_CARD:
        choose_card(state, seat, action - ACTIONS.card)
    elif kind == D_MOVE:
        move(state, ctx, t, seat, action)
    elif kind == D_ENTER:
        enter(state, ctx, seat, action)
    elif kind == D_OFFER:
        make_offer(state, ctx, seat, action)
    elif kind == D_ANSWER:
        answer_offer(state, ctx, seat, action)
    elif kind == D_KEEP:
        keep(state, ctx, seat, action)
    elif kind == D_GIVE_TO:
        give_to(state, seat, action)
    elif kind == D_GIVE:
        give(state, ctx, seat, action)
    elif kind == D_VICTIM:
        victim(state, ctx, seat, action - ACTIONS.character)
    elif kind == D_TIE:
        break_tie(state, ctx, seat, action)
    elif kind == D_TOKEN:
        lay_token(state, ctx, seat, action - ACTIONS.place)
    elif kind == D_TURN_BACK:
        turn_back(state, ctx, seat, action)
    elif kind == D_PLACE:
        place_character(state, ctx, t, seat, action - ACTIONS.character)
    elif kind == D_DRAFT:
        pick(state, seat, action - ACTIONS.kind)
    elif kind == D_CANNED:
        lay_food(state, ctx, seat, action)


MASK_SIZE = ACTIONS.size
