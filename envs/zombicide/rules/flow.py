"""The flow of the game: who may do what now, and the one loop that drives everything (p.6)."""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, top
from ...core.rule import nth, require, rule
from ...core.state import fill
from .. import cards as C
from .. import table as T
from ..state import (
    ACT,
    ACTION_COUNT,
    ACTIONS,
    ACTIVATE,
    ACTIVE,
    ARRANGE_LEFT,
    ARRANGE_RIGHT,
    ATTACK,
    CHOOSE,
    COMBAT,
    DRAW_SET,
    DRAW_TILE,
    EQUIP,
    FIRST_WORK,
    FRIEND,
    GROW,
    HIT,
    KEEP,
    LEADING,
    LINK,
    LINKS,
    LOSE,
    PULL,
    REACH,
    REROLL,
    REVEAL,
    RIDE,
    RISE,
    ROUND,
    RUN_OVER,
    SEARCH,
    SEATS_TURN,
    SKILL,
    SPAWN,
    STEP,
    TARGET,
    TAUNTING,
    TRADE,
    VICTIM,
    WAY,
    WOUND_WORK,
)  # fmt: skip
from .actions import act, legal_act, legal_ways, may_step, step_to
from .cars import legal_drive, ride_on, run_over
from .combat import aim, assign, combat, hit_friend, legal_friend, legal_reroll, legal_target, reroll
from .common import named, share, survivor_at, toss, work
from .experience import (
    arrange,
    choose_skill,
    equip,
    grow,
    legal_equip,
    legal_hand,
)  # fmt: skip
from .missions import all_goals_met, cut_off, end_game, happen, is_lost, lowest_level
from .rounds import begin_link, choose, next_link, next_phase, next_seat, rise, waits
from .search import keep, legal_keep, search
from .setting_up import choose_characters, deal_equipment, lay_out, shuffle_decks
from .skills import lead, legal_lead, legal_pull, legal_reach, legal_taunt, pull, reach, taunt
from .spawn import draw_set, draw_tile, reveal, spawn_step
from .trades import legal_trade, trade
from .zombies import (
    activate,
    attack,
    legal_lose,
    legal_victim,
    legal_way,
    lose,
    move_giant_to,
    run_queue,
    take_wounds,
    wound,
)  # fmt: skip

# --- set-up (p.6) --------------------------------------------------------------------------------


@rule
def deal(state, ctx):
    """Lay out the mission, shuffle, hand out survivors and their first equipment (p.6)."""
    t = ctx.tables[state.table]
    lay_out(state, ctx, t)
    shuffle_decks(state, ctx)
    choose_characters(state, ctx, t)
    state.first = state.options.first_seat
    work(state, ROUND, 0, 0, 0, 0)
    deal_equipment(state, ctx)
    happen(state, ctx, t, T.ON_START, 0, 0)
    advance(state, ctx, t)


# --- legal actions -------------------------------------------------------------------------------


@rule
def legal(state, ctx, mask):
    """The legal actions of the pending decision."""
    options(state, ctx.tables[state.table], mask)


@rule
def options(state, t, mask):
    """The legal actions, into a zeroed mask."""
    frame = top(state)
    kind = int(frame.kind)
    seat = int(frame.seat)
    a = int(frame.a)
    b = int(frame.b)
    if kind == ACT:
        legal_act(state, t, mask, a, seat)
    elif kind == CHOOSE:
        for place in range(share(state)):
            mask[ACTIONS.survivor + place] = waits(state, survivor_at(state, seat, place))
    elif kind == STEP:
        legal_ways(state, t, mask, int(state.survivors[a].zone))
        mask[ACTIONS.done] = 1
    elif kind == KEEP:
        legal_keep(state, mask, a)
    elif kind == ARRANGE_LEFT:
        legal_hand(state, mask, a, 0)
        mask[ACTIONS.done] = 1
    elif kind == ARRANGE_RIGHT:
        legal_hand(state, mask, a, 1)
    elif kind == TRADE:
        legal_trade(state, mask, a, b, int(frame.c), int(frame.d))
    elif kind == TARGET:
        legal_target(state, t, mask, a, b)
    elif kind == REROLL:
        legal_reroll(state.survivors[a], state.fight, mask)
    elif kind == HIT:
        for zombie in range(C.ZOMBIES):
            mask[ACTIONS.hit + zombie] = b >> zombie & 1
    elif kind == FRIEND:
        legal_friend(state, mask, a, b, int(frame.c), seat)
    elif kind == VICTIM:
        legal_victim(state, mask, seat, a)
    elif kind == LOSE:
        legal_lose(state, mask, a)
    elif kind == SKILL:
        for choice in range(C.PLACES[b]):
            mask[ACTIONS.skill + choice] = 1
    elif kind == WAY:
        legal_way(mask, int(frame.c))
    elif kind == RIDE:
        legal_drive(state, t, mask, int(state.survivors[a].zone))
        mask[ACTIONS.done] = 1
    elif kind == LINK:
        for place in range(int(state.options.survivors)):
            mask[ACTIONS.survivor + place] = a >> survivor_at(state, seat, place) & 1
    elif kind == REACH:
        legal_reach(state, t, mask, a, b)
    elif kind == PULL:
        legal_pull(state, mask, b, seat)
    elif kind == TAUNTING:
        legal_taunt(state, t, mask, a)
    elif kind == LEADING:
        legal_lead(state, mask, a, seat)
    elif kind == EQUIP:
        legal_equip(state, mask, a)


# --- play ----------------------------------------------------------------------------------------


@rule
def play(state, ctx, action):
    """Carry out an action, then go on until somebody has to decide or the game is over."""
    t = ctx.tables[state.table]
    require(action >= 0 and action < ACTION_COUNT)
    decide(state, ctx, t, action)
    advance(state, ctx, t)


@rule
def decide(state, ctx, t, action):
    """Carry out an action of the pending decision."""
    frame = top(state)
    kind = int(frame.kind)
    seat = int(frame.seat)
    a = int(frame.a)
    if kind == ACT:
        act(state, ctx, t, action)
    elif kind == CHOOSE:
        choose(state, ctx, named(state, seat, action))
    elif kind == STEP:
        pop(state)
        if action != ACTIONS.done:
            step_to(state, ctx, t, a, nth(action, ACTIONS.go, T.NEAR))
    elif kind == KEEP:
        keep(state, action)
    elif kind == ARRANGE_LEFT:
        if action == ACTIONS.done:
            pop(state)
        else:
            arrange(state, action, 0)
    elif kind == ARRANGE_RIGHT:
        arrange(state, action, 1)
    elif kind == TRADE:
        trade(state, action)
    elif kind == TARGET:
        aim(state, ctx, t, nth(action, ACTIONS.target, T.SIGHT))
    elif kind == REROLL:
        reroll(state, ctx, action)
    elif kind == HIT:
        assign(state, ctx, nth(action, ACTIONS.hit, C.ZOMBIES))
    elif kind == FRIEND:
        hit_friend(state, named(state, seat, action))
    elif kind == VICTIM:
        wound(state, named(state, seat, action))
    elif kind == LOSE:
        lose(state, ctx, action)
    elif kind == SKILL:
        choose_skill(state, ctx, nth(action, ACTIONS.skill, C.PLACES[frame.b]))
    elif kind == WAY:
        move_giant_to(state, t, action)
    elif kind == RIDE:
        ride_on(state, ctx, t, action)
    elif kind == LINK:
        begin_link(state, ctx, named(state, seat, action))
    elif kind == REACH:
        reach(state, t, nth(action, ACTIONS.go, T.NEAR))
    elif kind == PULL:
        if action == ACTIONS.done:
            pop(state)
        else:
            pull(state, ctx, t, a, named(state, seat, action))
    elif kind == TAUNTING:
        taunt(state, ctx, t, nth(action, ACTIONS.target, T.SIGHT))
    elif kind == LEADING:
        lead(state, named(state, seat, action))
    else:
        require(kind == EQUIP)
        equip(state, action)


@rule
def advance(state, ctx, t):
    """Do what comes next until somebody has a choice or the game is over."""
    mask = np.zeros(ACTION_COUNT, np.int8)
    while True:
        if all_goals_met(state, t):
            end_game(state, ctx, 1)
            return
        if is_lost(state, t):
            end_game(state, ctx, 0)
            return
        if state.turns >= state.options.max_rounds:
            cut_off(state)
            return
        if state.queued > 0 and state.running == 0:
            run_queue(state, ctx)
        kind = int(top(state).kind)
        if kind >= FIRST_WORK:
            go_on(state, ctx, t, kind)
        elif is_moot(state, kind):
            drop(state)
        else:
            fill(mask, 0)
            options(state, t, mask)
            only = single(mask)
            if only < 0:
                return
            decide(state, ctx, t, only)


@rule
def single(mask):
    """The only legal action, -1 where there are more."""
    only = -1
    for action in range(len(mask)):
        if mask[action] == 1:
            if only >= 0:
                return -1
            only = action
    require(only >= 0)
    return only


@rule
def is_moot(state, kind):
    """A survivor who died in the meantime has nothing more to decide; a Move that zombies end neither."""
    survivor = int(top(state).a)
    if kind == STEP and not may_step(state, survivor):
        return True
    own = kind in (ACT, STEP, KEEP, ARRANGE_LEFT, ARRANGE_RIGHT, TRADE, RIDE, PULL, EQUIP)
    return own and state.survivors[survivor].status != ACTIVE


@rule
def drop(state):
    """A moot decision is dropped; a card that was just drawn is discarded."""
    if top(state).kind == KEEP:
        toss(state, int(top(state).b))
    pop(state)


@rule
def go_on(state, ctx, t, kind):
    """One piece of work of the engine."""
    if kind == ROUND:
        next_phase(state, ctx, t)
    elif kind == SEATS_TURN:
        next_seat(state, ctx)
    elif kind == SEARCH:
        search(state, ctx, t)
    elif kind == REVEAL:
        reveal(state, ctx, t)
    elif kind == DRAW_SET:
        draw_set(state, ctx, t)
    elif kind == DRAW_TILE:
        draw_tile(state, ctx, t)
    elif kind == SPAWN:
        spawn_step(state, ctx, t)
    elif kind == ACTIVATE:
        activate(state, ctx, t)
    elif kind == ATTACK:
        attack(state, ctx, t)
    elif kind == WOUND_WORK:
        take_wounds(state, ctx, t)
    elif kind == COMBAT:
        combat(state, ctx, t)
    elif kind == RUN_OVER:
        run_over(state, ctx, t)
    elif kind == GROW:
        grow(state, ctx)
        happen(state, ctx, t, T.ON_LEVEL, lowest_level(state), 0)
    elif kind == RISE:
        rise(state, ctx)
    elif kind == LINKS:
        next_link(state)
