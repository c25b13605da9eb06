"""The flow of the game: set-up, rounds and phases, and the one loop that drives everything (p.6)."""

from __future__ import annotations

import numpy as np

from ...core.chance import chance, shuffle
from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import CHECK, require, rule
from ...core.state import copy_row, fill
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
    EVENTS,
    FALLEN,
    FIRST_WORK,
    FRIEND,
    FROM_START,
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
from .actions import (
    act,
    begin_turn,
    lead,
    legal_act,
    legal_lead,
    legal_pull,
    legal_reach,
    legal_taunt,
    legal_trade,
    legal_ways,
    may_step,
    packed_once,
    packed_turn,
    pull,
    reach,
    step_to,
    taunt,
    trade,
)  # fmt: skip
from .cars import legal_drive, ride_on, run_over
from .combat import aim, assign, combat, hit_friend, legal_friend, legal_target, may_reroll, reroll
from .common import ask, end_powers, share, survivor_at, toss, work
from .experience import (
    arrange,
    choose_skill,
    equip,
    gain_card,
    grow,
    legal_equip,
    legal_hand,
    rearrange,
)  # fmt: skip
from .missions import all_goals_met, cut_off, end_game, happen, is_lost, lowest_level
from .search import keep, legal_keep, search
from .spawn import draw_set, draw_tile, reveal, spawn_step
from .zombies import (
    activate,
    attack,
    legal_lose,
    legal_victim,
    lose,
    move_giant_to,
    run_queue,
    take_wounds,
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


@rule
def lay_out(state, ctx, t):
    """Doors, figures, objectives and cars of the mission."""
    copy_row(state.open, t.barrier_open)
    copy_row(state.revealed, t.revealed)
    copy_row(state.pool, C.FIGURES)
    copy_row(state.spawning, t.spawn_active)
    copy_row(state.colour, t.objective_colour)
    for car in range(T.CARS_MOST):
        state.car_zone[car] = max(0, t.car_zone[car] - 1)
    for k in range(T.PLACED):
        if t.placed_zone[k] > 0:
            kind = t.placed_kind[k]
            n = min(int(t.placed_count[k]), int(state.pool[kind]))
            state.pool[kind] -= n
            state.zombies[t.placed_zone[k] - 1, kind] += n
    for k in range(T.OBJECTIVES - 1, 0, -1):
        if t.objective_hidden[k] == 1:
            hidden = 0
            for j in range(k + 1):
                hidden += t.objective_hidden[j]
            other = nth_hidden(t, chance(state, ctx, hidden))
            state.colour[k], state.colour[other] = state.colour[other], state.colour[k]


@rule
def nth_hidden(t, n):
    """The n-th hidden objective."""
    for k in range(T.OBJECTIVES):
        if t.objective_hidden[k] == 1:
            if n == 0:
                return k
            n -= 1
    return 0


@rule
def shuffle_decks(state, ctx):
    """The equipment deck without what lies aside, and the zombie deck."""
    for kind in range(1, C.KINDS):
        n = int(C.COPIES[kind])
        if C.SET_ASIDE[kind]:
            state.aside[kind] = n
            continue
        if kind == C.CLAW_HAMMER or kind == C.FIRE_AXE or kind == C.PISTOL:
            state.aside[kind] = 1
            n -= 1
        for _ in range(n):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
    shuffle(state, ctx, state.deck, state.deck_size)
    for card in range(C.ZOMBIE_CARDS):
        state.spawn_deck[card] = card + 1
    state.spawn_size = C.ZOMBIE_CARDS
    shuffle(state, ctx, state.spawn_deck, C.ZOMBIE_CARDS)


@rule
def choose_characters(state, ctx, t):
    """Who takes part; names that the options leave open are drawn."""
    n = int(state.options.survivors)
    left = np.ones(C.SURVIVORS, np.int64)
    for i in range(n):
        if state.options.characters[i] > 0:
            left[state.options.characters[i] - 1] = 0
    starts = 0
    for k in range(T.STARTS):
        starts += t.start[k] > 0
    for i in range(n):
        me = state.survivors[i]
        me.character = state.options.characters[i]
        if me.character == 0:
            me.character = nth_left(left, chance(state, ctx, total_left(left))) + 1
            left[me.character - 1] = 0
        me.status = ACTIVE
        me.seat = i // share(state)
        me.zone = t.start[i % starts] - 1
        me.zombivor = state.options.zombivors == FROM_START


@rule
def total_left(left):
    """Characters that nobody has yet."""
    n = 0
    for i in range(C.SURVIVORS):
        n += left[i]
    return n


@rule
def nth_left(left, n):
    """The n-th of them."""
    for i in range(C.SURVIVORS):
        if left[i] == 1:
            if n == 0:
                return i
            n -= 1
    return 0


@rule
def deal_equipment(state, ctx):
    """A random starting card each, Watts a bat besides, and the first skill (p.6)."""
    n = int(state.options.survivors)
    cards = np.zeros(C.SURVIVORS, np.int64)
    copy_row(cards, C.STARTING)
    shuffle(state, ctx, cards, n)
    for i in range(n):
        state.aside[cards[i]] -= 1
        gain_card(state, ctx, i, cards[i])
        if state.survivors[i].character == C.WATTS + 1:
            take_bat(state)
            gain_card(state, ctx, i, C.BAT)
        work(state, GROW, n - 1 - i, 0, 0, 0)


@rule
def take_bat(state):
    """A baseball bat leaves the deck, whose order stays as it is."""
    for k in range(state.deck_size):
        if state.deck[k] == C.BAT:
            for j in range(k, state.deck_size - 1):
                state.deck[j] = state.deck[j + 1]
            state.deck_size -= 1
            state.deck[state.deck_size] = 0
            return


# --- the round (p.6) -----------------------------------------------------------------------------

RISING, EVENT, PLAYERS, ZOMBIES, SPAWNING, ENDING = range(6)


@rule
def next_phase(state, ctx, t):
    """The phases of a round, one after the other."""
    frame = top(state)
    phase = int(frame.b)
    frame.b = phase + 1
    if phase == RISING:
        log(ctx, EVENTS.round, int(state.first), int(state.turns) + 1)
        work(state, RISE, 0, 0, 0, 0)
    elif phase == EVENT:
        happen(state, ctx, t, T.ON_ROUND, 0, 0)
        happen(state, ctx, t, T.ON_ROUND_NUMBER, int(state.turns) + 1, 0)
    elif phase == PLAYERS:
        work(state, SEATS_TURN, 0, 0, 0, 0)
    elif phase == ZOMBIES:
        work(state, ACTIVATE, C.ALL_KINDS, 0, 0, 0)
    elif phase == SPAWNING:
        work(state, SPAWN, 0, 0, 0, 0)
    else:
        frame.b = RISING
        end_round(state)


@rule
def end_round(state):
    """Noise goes, weapons are loaded, the token moves on (p.6)."""
    fill(state.noise, 0)
    state.extras = 0
    for i in range(C.SURVIVORS):
        me = state.survivors[i]
        fill(me.spent, 0)
        me.acted = 0
        me.shielded = 0
        if me.status == ACTIVE and me.skills[C.REGENERATION] > 0:
            heal(me)
    state.turns += 1
    for _ in range(state.players):
        state.first = (state.first + 1) % state.players
        if seat_lives(state, int(state.first)):
            break


@rule
def heal(me):
    """All wounds are discarded."""
    me.wounds = 0
    for slot in range(C.SLOTS):
        if me.slots[slot] == C.WOUND:
            me.slots[slot] = C.EMPTY


@rule
def seat_lives(state, seat):
    """Whether a seat has a survivor in play (or one who will stand up)."""
    for place in range(share(state)):
        status = state.survivors[survivor_at(state, seat, place)].status
        if status in (ACTIVE, FALLEN):
            return True
    return False


@rule
def next_seat(state, ctx):
    """Seats from the token on; each activates its survivors in the order it likes (p.6)."""
    frame = top(state)
    if frame.a == state.players:
        pop(state)
        return
    seat = (int(state.first) + int(frame.a)) % int(state.players)
    for place in range(share(state)):
        me = state.survivors[survivor_at(state, seat, place)]
        if me.status == ACTIVE and me.acted == 0:
            push(state, CHOOSE, seat)
            return
    frame.a += 1


@rule
def rise(state, ctx):
    """Fallen survivors stand up as zombivors: wounds gone, skills chosen anew (p.22)."""
    frame = top(state)
    for i in range(int(frame.b), C.SURVIVORS):
        me = state.survivors[i]
        if me.status == FALLEN:
            frame.b = i + 1
            me.status = ACTIVE
            me.zombivor = 1
            log(ctx, EVENTS.rose, int(me.seat), i)
            work(state, GROW, i, 0, 0, 0)
            rearrange(state, i)
            return
    pop(state)


@rule
def next_link(state):
    """Extra turns of those with a Zombie link, in an order that the players choose."""
    frame = top(state)
    linked = 0
    for i in range(C.SURVIVORS):
        if frame.a >> i & 1 and state.survivors[i].status == ACTIVE:
            linked |= 1 << i
    frame.a = linked
    if linked == 0:
        pop(state)
    else:
        push(state, LINK, int(state.first), linked)


@rule
def begin_link(state, ctx, survivor):
    """A full extra turn; a turn that it interrupts goes on afterwards."""
    pop(state)
    top(state).a &= ~(1 << survivor)
    me = state.survivors[survivor]
    saved = packed_turn(me)
    once = packed_once(me)
    end_powers(me)
    ask(state, ACT, survivor, 1, saved, once)
    begin_turn(state, ctx, survivor)


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
    first = seat * share(state)
    if kind == ACT:
        legal_act(state, t, mask, a, seat)
    elif kind == CHOOSE:
        for place in range(share(state)):
            me = state.survivors[survivor_at(state, seat, place)]
            mask[ACTIONS.survivor + place] = me.status == ACTIVE and me.acted == 0
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
        may_reroll(state.survivors[a], state.fight, mask)
    elif kind == HIT:
        for zombie in range(C.ZOMBIES):
            mask[ACTIONS.hit + zombie] = b >> zombie & 1
    elif kind == FRIEND:
        legal_friend(state, mask, a, b, int(frame.c), first)
    elif kind == VICTIM:
        legal_victim(state, mask, first, a)
    elif kind == LOSE:
        legal_lose(state, mask, a)
    elif kind == SKILL:
        for choice in range(C.PLACES[b]):
            mask[ACTIONS.skill + choice] = 1
    elif kind == WAY:
        for slot in range(T.NEAR):
            mask[ACTIONS.go + slot] = frame.c >> slot & 1
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
def refuse_illegal(state, ctx, action):
    """In the checked build an action outside the legal answers is refused before anything happens."""
    if CHECK:
        mask = np.zeros(ACTION_COUNT, np.int8)
        legal(state, ctx, mask)
        require(mask[action] != 0)


@rule
def play(state, ctx, action):
    """Carry out an action, then go on until somebody has to decide or the game is over."""
    t = ctx.tables[state.table]
    require(action >= 0 and action < ACTION_COUNT)
    refuse_illegal(state, ctx, action)
    decide(state, ctx, t, action)
    advance(state, ctx, t)


@rule
def decide(state, ctx, t, action):
    """Carry out an action of the pending decision."""
    frame = top(state)
    kind = int(frame.kind)
    seat = int(frame.seat)
    a = int(frame.a)
    who = 0
    if action >= ACTIONS.survivor and action < ACTIONS.go:
        who = survivor_at(state, seat, action - ACTIONS.survivor)
        require(who >= 0)
    if kind == ACT:
        act(state, ctx, t, action)
    elif kind == CHOOSE:
        pop(state)
        ask(state, ACT, who, 0, 0, 0)
        begin_turn(state, ctx, who)
    elif kind == STEP:
        pop(state)
        if action != ACTIONS.done:
            step_to(state, ctx, t, a, action - ACTIONS.go)
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
        aim(state, ctx, t, action - ACTIONS.target)
    elif kind == REROLL:
        reroll(state, ctx, action)
    elif kind == HIT:
        assign(state, ctx, action - ACTIONS.hit)
    elif kind == FRIEND:
        hit_friend(state, who)
    elif kind == VICTIM:
        pop(state)
        work(state, WOUND_WORK, who, 1, 0, 0)
    elif kind == LOSE:
        lose(state, ctx, action)
    elif kind == SKILL:
        choose_skill(state, ctx, action - ACTIONS.skill)
    elif kind == WAY:
        move_giant_to(state, t, action - ACTIONS.go)
    elif kind == RIDE:
        ride_on(state, ctx, t, action)
    elif kind == LINK:
        begin_link(state, ctx, who)
    elif kind == REACH:
        reach(state, t, action - ACTIONS.go)
    elif kind == PULL:
        if action == ACTIONS.done:
            pop(state)
        else:
            pull(state, ctx, t, a, who)
    elif kind == TAUNTING:
        taunt(state, ctx, t, action - ACTIONS.target)
    elif kind == LEADING:
        lead(state, who)
    elif kind == EQUIP:
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
            go_on(state, ctx, t, kind, mask)
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
def go_on(state, ctx, t, kind, scratch):
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
        combat(state, ctx, t, scratch)
    elif kind == RUN_OVER:
        run_over(state, ctx, t)
    elif kind == GROW:
        grow(state, ctx)
        happen(state, ctx, t, T.ON_LEVEL, lowest_level(state), 0)
    elif kind == RISE:
        rise(state, ctx)
    elif kind == LINKS:
        next_link(state)
