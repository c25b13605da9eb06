"""A survivor's turn: what he may do and what happens (p.13-15)."""

from __future__ import annotations

from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import nth, require, rule
from .. import cards as C
from .. import table as T
from ..state import (
    ACTIONS,
    EVENTS,
    GROW,
    LEFT,
    STEP,
)  # fmt: skip
from .cars import begin_ride, can_drive, change_seat, enter, legal_drive, legal_seats
from .combat import choose_weapon, legal_fights
from .common import (
    ask,
    crowd_of_zombies,
    end_powers,
    get_out,
    in_hand,
    inside,
    is_card,
    leads_on,
    make_noise,
    survivor_at,
    work,
)  # fmt: skip
from .experience import can_combine, combine, discard, earn
from .missions import arrived, happen, lowest_level, open_barrier, turn_switch
from .search import HOUSE, begin_search, can_search, can_search_car
from .skills import legal_skills, use_skill
from .trades import begin_trade, legal_trades

# --- the turn ------------------------------------------------------------------------------------


@rule
def begin_turn(state, ctx, survivor):
    """Three actions, and what skills and leaders add (p.13)."""
    me = state.survivors[survivor]
    me.acting = 1
    me.actions = C.ACTIONS_A_TURN + me.skills[C.PLUS_ACTION] + me.gift
    me.gift = 0
    me.moves = me.skills[C.FREE_MOVE]
    me.melees = me.skills[C.FREE_MELEE]
    me.shots = me.skills[C.FREE_RANGED]
    me.fights = me.skills[C.FREE_COMBAT]
    log(ctx, EVENTS.turn, int(me.seat), survivor)


@rule
def end_turn(state, ctx, survivor):
    """The turn is over; whoever stands at the exit without zombies leaves the board."""
    frame = top(state)
    me = state.survivors[survivor]
    extra = int(frame.b)
    saved = int(frame.c)
    once = int(frame.d)
    pop(state)
    end_powers(me)
    if extra == 0:
        me.acted = 1
    elif saved > 0:
        restore_turn(me, saved, once)
    if state.exit > 0 and me.zone == state.exit - 1 and crowd_of_zombies(state, int(me.zone)) == 0:
        me.status = LEFT
        get_out(me)
        end_powers(me)  # a turn that was interrupted, too
        log(ctx, EVENTS.left, 0, survivor)


@rule
def packed_turn(me):
    """What is left of a turn that an extra turn interrupts, as one number (0: none was on)."""
    if me.acting == 0:
        return 0
    numbers = int(me.moves) << 4 | int(me.melees) << 6 | int(me.shots) << 8 | int(me.fights) << 10
    return 1 << 12 | numbers | min(15, int(me.actions))


@rule
def packed_once(me):
    """What a survivor has used up in this turn, as one number."""
    return me.searched | me.saved << 1 | me.shoved << 2 | me.taunted << 3 | me.led << 4


@rule
def restore_turn(me, numbers, once):
    """An interrupted turn goes on."""
    me.acting = 1
    me.actions = numbers & 15
    me.moves = numbers >> 4 & 3
    me.melees = numbers >> 6 & 3
    me.shots = numbers >> 8 & 3
    me.fights = numbers >> 10 & 3
    me.searched = once & 1
    me.saved = once >> 1 & 1
    me.shoved = once >> 2 & 1
    me.taunted = once >> 3 & 1
    me.led = once >> 4 & 1


# --- what is legal -------------------------------------------------------------------------------


@rule
def legal_act(state, t, mask, survivor, seat):
    """All that a survivor may do now; ending the turn always."""
    me = state.survivors[survivor]
    legal_moves(state, t, mask, me)
    legal_fights(state, t, mask, survivor)
    legal_skills(state, t, mask, survivor)
    if me.actions > 0:
        legal_doors(state, t, mask, me)
        legal_seats(state, t, mask, survivor)
        legal_places(state, t, mask, survivor)
        legal_trades(state, mask, survivor, seat)
        for slot in range(C.SLOTS):
            mask[ACTIONS.reload + slot] = me.spent[slot] == 1
    for recipe in range(len(C.RECIPES)):
        mask[ACTIONS.combine + recipe] = can_combine(state, me, recipe)
    busy = False
    for action in range(len(mask)):
        busy = busy or mask[action] == 1
    if busy:
        for slot in range(C.SLOTS):
            mask[ACTIONS.discard + slot] = is_card(me.slots[slot])
    mask[ACTIONS.end] = 1


@rule
def leaving_cost(state, me):
    """Actions that a Move costs on top, one for each zombie left behind (p.13)."""
    return 0 if me.skills[C.SLIPPERY] > 0 else crowd_of_zombies(state, int(me.zone))


@rule
def legal_moves(state, t, mask, me):
    """Move to a neighbouring zone, or drive there from behind the wheel."""
    if can_drive(t, me):
        legal_drive(state, t, mask, int(me.zone))
    elif can_walk(state, me):
        legal_ways(state, t, mask, int(me.zone))


@rule
def can_walk(state, me):
    """Whether a survivor on foot has what a Move costs (p.13)."""
    return not inside(me) and me.actions + int(me.moves > 0) >= 1 + leaving_cost(state, me)


@rule
def legal_ways(state, t, mask, zone):
    """Neighbours with nothing in between."""
    for slot in range(T.NEAR):
        mask[ACTIONS.go + slot] = leads_on(state, t, zone, slot)


@rule
def legal_doors(state, t, mask, me):
    """Shut doors of the zone that a tool in hand opens (p.14)."""
    silent = has_tool(me, 0)
    noisy = has_tool(me, 1)
    if silent or noisy:
        for slot in range(T.NEAR):
            if can_force(state, t, int(t.near_barrier[me.zone, slot]) - 1):
                mask[ACTIONS.open_silent + slot] = silent
                mask[ACTIONS.open_noisy + slot] = noisy


@rule
def has_tool(me, noisy):
    """Whether a survivor on foot has a tool in hand that opens doors, with noise or without."""
    if inside(me):
        return False
    for slot in range(C.SLOTS):
        opens = C.OPENS_NOISILY[me.slots[slot]] if noisy else C.OPENS_SILENTLY[me.slots[slot]]
        if opens == 1 and in_hand(me, slot):
            return True
    return False


@rule
def can_force(state, t, barrier):
    """Whether a tool opens a shut door: not a cell, not a gate, and not a locked one."""
    if barrier < 0 or state.open[barrier] == 1:
        return False
    kind = t.barrier_kind[barrier]
    if kind != T.DOOR and kind != T.DOUBLE_DOOR:
        return False
    return t.barrier_locked[barrier] == 0 or state.unlocked[barrier] == 1


@rule
def legal_places(state, t, mask, survivor):
    """What the zone itself offers: search, tower, objective, switch, noise."""
    me = state.survivors[survivor]
    mask[ACTIONS.noise] = 1
    mask[ACTIONS.leave] = inside(me)
    for car in range(T.CARS_MOST):
        mask[ACTIONS.search_car + car] = can_search_car(state, t, me, car)
    mask[ACTIONS.search] = can_search(state, t, me)
    mask[ACTIONS.climb] = can_climb(state, t, me)
    mask[ACTIONS.take] = can_take(state, t, me)
    mask[ACTIONS.switch] = can_switch(t, me)


@rule
def can_climb(state, t, me):
    """A tower is climbed from its foot, with no zombies there."""
    zone = int(me.zone)
    return not inside(me) and tower_of(t, zone) > 0 and crowd_of_zombies(state, zone) == 0


@rule
def can_take(state, t, me):
    """An objective of the zone is taken on foot: not one beside its switch (p.15), not before a level."""
    objective = objective_here(state, t, int(me.zone))
    if inside(me) or objective < 0:
        return False
    switch = switch_of(t, int(me.zone))
    if switch >= 0 and t.switch_colour[switch] == state.colour[objective]:
        return False
    return lowest_level(state) >= t.objective_level[objective]


@rule
def can_switch(t, me):
    """A switch of the zone is used on foot (p.15)."""
    return not inside(me) and switch_of(t, int(me.zone)) >= 0


@rule
def tower_of(t, zone):
    """Tower + 1 of a zone, 0: none."""
    for tower in range(T.TOWERS):
        if t.tower_zone[tower] == zone + 1:
            return tower + 1
    return 0


@rule
def switch_of(t, zone):
    """The switch of a zone, -1: none."""
    for switch in range(T.SWITCHES):
        if t.switch_zone[switch] == zone + 1:
            return switch
    return -1


@rule
def objective_here(state, t, zone):
    """The objective that lies in a zone, -1: none."""
    for objective in range(t.objectives):
        if t.objective_zone[objective] == zone + 1 and state.taken[objective] == 0:
            return objective
    return -1


# --- what happens --------------------------------------------------------------------------------


@rule
def act(state, ctx, t, action):
    """Carry out an action of a survivor's turn."""
    survivor = int(top(state).a)
    me = state.survivors[survivor]
    if action == ACTIONS.end:
        end_turn(state, ctx, survivor)
    elif action < ACTIONS.open_silent:
        go(state, ctx, t, survivor, nth(action, ACTIONS.go, T.NEAR))
    elif action >= ACTIONS.melee and action < ACTIONS.target:
        work(state, GROW, survivor, 0, 0, 0)
        choose_weapon(state, ctx, t, survivor, action)
    elif action >= ACTIONS.combine and action < ACTIONS.discard:
        combine(state, action - ACTIONS.combine)
    elif action >= ACTIONS.discard and action < ACTIONS.lifesaver:
        discard(state, survivor, action - ACTIONS.discard)
    elif action >= ACTIONS.lifesaver and action < ACTIONS.slot:
        use_skill(state, t, survivor, action)
    else:
        require(me.actions > 0)
        me.actions -= 1
        spend(state, ctx, t, survivor, action)


@rule
def spend(state, ctx, t, survivor, action):
    """Actions that cost one ordinary action."""
    me = state.survivors[survivor]
    if action < ACTIONS.open_noisy:
        open_door(state, ctx, t, survivor, action - ACTIONS.open_silent, 0)
    elif action < ACTIONS.search:
        open_door(state, ctx, t, survivor, action - ACTIONS.open_noisy, 1)
    elif action == ACTIONS.search:
        require(can_search(state, t, me))
        begin_search(state, survivor, HOUSE)
    elif action < ACTIONS.trade:
        car = action - ACTIONS.search_car
        require(can_search_car(state, t, me, car))
        begin_search(state, survivor, int(t.car_kind[car]))
    elif action < ACTIONS.melee:
        begin_trade(state, survivor, survivor_at(state, int(me.seat), action - ACTIONS.trade))
    elif action >= ACTIONS.enter and action < ACTIONS.driver:
        seat = action - ACTIONS.enter
        enter(state, t, me, seat // 2, seat % 2 == 0)
    elif action == ACTIONS.driver or action == ACTIONS.passenger:
        change_seat(state, me, action == ACTIONS.driver)
    elif action == ACTIONS.climb:
        require(can_climb(state, t, me))
        me.tower = tower_of(t, int(me.zone))
    elif action == ACTIONS.leave:
        require(inside(me))
        get_out(me)
    elif action == ACTIONS.take:
        require(can_take(state, t, me))
        take(state, ctx, t, survivor, objective_here(state, t, int(me.zone)))
    elif action == ACTIONS.switch:
        require(can_switch(t, me))
        use_switch(state, ctx, t, survivor)
    elif action == ACTIONS.noise:
        make_noise(state, int(me.zone))
    else:
        reload(me, nth(action, ACTIONS.reload, C.SLOTS))


@rule
def go(state, ctx, t, survivor, slot):
    """Move one zone (p.13), or drive."""
    me = state.survivors[survivor]
    if me.car > 0:
        work(state, GROW, survivor, 0, 0, 0)
        begin_ride(state, ctx, t, survivor, slot)
        return
    require(can_walk(state, me))
    cost = leaving_cost(state, me)
    if me.moves > 0:
        me.moves -= 1
    else:
        cost += 1
    me.actions -= cost
    if me.skills[C.TWO_ZONES] > 0:
        ask(state, STEP, survivor, 0, 0, 0)
    step_to(state, ctx, t, survivor, slot)


@rule
def step_to(state, ctx, t, survivor, slot):
    """Enter a neighbouring zone."""
    me = state.survivors[survivor]
    before = int(me.zone)
    require(leads_on(state, t, before, slot))
    me.zone = t.near[before, slot] - 1
    log(ctx, EVENTS.moved, 0, survivor, int(me.zone))
    arrived(state, ctx, t, survivor, before)


@rule
def may_step(state, survivor):
    """A zone with zombies ends a Move, but for the slippery (p.13)."""
    me = state.survivors[survivor]
    return me.skills[C.SLIPPERY] > 0 or crowd_of_zombies(state, int(me.zone)) == 0


@rule
def open_door(state, ctx, t, survivor, slot, noisy):
    """A tool opens a door, with noise or without (p.14)."""
    me = state.survivors[survivor]
    barrier = int(t.near_barrier[me.zone, slot]) - 1
    require(has_tool(me, noisy) and can_force(state, t, barrier))
    if noisy:
        make_noise(state, int(me.zone))
    log(ctx, EVENTS.opened, 0, survivor, barrier)
    open_barrier(state, ctx, t, barrier)


@rule
def take(state, ctx, t, survivor, objective):
    """An objective is taken: experience, and what the mission says (p.15)."""
    state.taken[objective] = 1
    work(state, GROW, survivor, 0, 0, 0)
    earn(state.survivors[survivor], int(t.objective_xp[objective]))
    log(ctx, EVENTS.took, 0, survivor, objective)
    log(ctx, EVENTS.uncovered, 0, objective, int(state.colour[objective]))
    zone = int(t.objective_zone[objective]) - 1
    happen(state, ctx, t, T.ON_TAKEN, int(state.colour[objective]), zone)
    for other in range(t.objectives):
        if state.taken[other] == 0:
            return
    happen(state, ctx, t, T.ON_ALL_TAKEN, 0, zone)


@rule
def use_switch(state, ctx, t, survivor):
    """Doors of its colour open or shut; its first user takes the objective beside it (p.15)."""
    zone = int(state.survivors[survivor].zone)
    switch = switch_of(t, zone)
    colour = int(t.switch_colour[switch])
    log(ctx, EVENTS.switched, 0, survivor, switch)
    objective = objective_here(state, t, zone)
    if objective >= 0 and state.colour[objective] == colour:
        take(state, ctx, t, survivor, objective)
    turn_switch(state, ctx, t, colour)
    happen(state, ctx, t, T.ON_SWITCH, colour, zone)


@rule
def reload(me, slot):
    """One weapon, or both of an equal pair in hand (p.20)."""
    require(me.spent[slot] == 1)
    me.spent[slot] = 0
    for other in range(C.SLOTS):
        if in_hand(me, slot) and in_hand(me, other) and me.slots[other] == me.slots[slot]:
            me.spent[other] = 0
