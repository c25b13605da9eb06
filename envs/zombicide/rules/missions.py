"""Missions: events, doors that open and shut, goals, the end (p.6, p.15)."""

from __future__ import annotations

from ...core.decisions import finish, top
from ...core.events import log
from ...core.rule import rule
from ...core.state import TERMINATED, TRUNCATED
from .. import cards as C
from .. import table as T
from ..state import ACTIVE, DRAW_SET, DRAW_TILE, EVENTS, FALLEN, LEFT, OUT, REVEAL
from .common import crowd_of_zombies, level_of, spawn, work

# --- doors ---------------------------------------------------------------------------------------


@rule
def note_opening(state, t, barrier):
    """Buildings behind a barrier that was just opened are revealed, if they were not yet (p.14)."""
    found = False
    for zone in range(t.zones):
        if t.building[zone] > 0 and state.revealed[t.building[zone] - 1] == 0:
            for slot in range(T.NEAR):
                if t.near_barrier[zone, slot] == barrier + 1:
                    mark_building(state, t, int(t.building[zone]))
                    found = True
    if found and not (state.depth > 0 and top(state).kind == REVEAL):
        work(state, REVEAL, 0, 0, 0, 0)


@rule
def mark_building(state, t, building):
    """A card will be drawn for each zone of a building."""
    state.revealed[building - 1] = 1
    for zone in range(t.zones):
        if t.building[zone] == building and t.safe[zone] == 0:
            state.to_draw[zone] = 1


@rule
def open_barrier(state, ctx, t, barrier):
    """A door or gate side opens."""
    if state.open[barrier] == 0:
        state.open[barrier] = 1
        note_opening(state, t, barrier)


@rule
def turn_switch(state, ctx, t, colour):
    """All doors of a colour open or shut, gates turn a quarter clockwise (p.15, prison places: ours)."""
    for barrier in range(t.barriers):
        if t.barrier_colour[barrier] == colour and t.barrier_gate[barrier] == 0:
            if state.open[barrier] == 1:
                state.open[barrier] = 0
            else:
                open_barrier(state, ctx, t, barrier)
    for gate in range(T.GATES):
        if t.gate_colour[gate] == colour:
            turn_gate(state, ctx, t, gate)


@rule
def turn_gate(state, ctx, t, gate):
    """The open sides of a gate move on clockwise."""
    sides = 0
    for barrier in range(t.barriers):
        if t.barrier_gate[barrier] == gate + 1 and state.open[barrier] == 1:
            sides |= 1 << ((t.barrier_side[barrier] + 1) % 4)
    for barrier in range(t.barriers):
        if t.barrier_gate[barrier] == gate + 1:
            if sides >> t.barrier_side[barrier] & 1:
                open_barrier(state, ctx, t, barrier)
            else:
                state.open[barrier] = 0


# --- events --------------------------------------------------------------------------------------


@rule
def happen(state, ctx, t, trigger, arg, zone):
    """Something happened that the mission may wait for; ``zone`` is where."""
    for event in range(T.EVENTS_MOST):
        if t.event_when[event] != trigger or state.fired[event] == 1:
            continue
        if (trigger == T.ON_TAKEN or trigger == T.ON_SWITCH) and t.event_arg[event] != arg:
            continue
        if (trigger == T.ON_LEVEL or trigger == T.ON_ROUND_NUMBER) and arg < t.event_arg[event]:
            continue
        if trigger != T.ON_ROUND and trigger != T.ON_TILE and trigger != T.ON_SWITCH:
            state.fired[event] = 1
        carry_out(state, ctx, t, event, arg, zone)


@rule
def carry_out(state, ctx, t, event, arg, zone):
    """The effect of an event."""
    effect = t.event_then[event]
    target = int(t.event_target[event])
    if effect == T.DO_SPAWN_ON or effect == T.DO_SPAWN_OFF:
        for place in range(T.SPAWNS):
            if t.spawn_zone[place] > 0 and t.spawn_colour[place] == target:
                state.spawning[place] = effect == T.DO_SPAWN_ON
    elif effect == T.DO_OPEN or effect == T.DO_SHUT or effect == T.DO_UNLOCK:
        for barrier in range(t.barriers):
            if t.barrier_colour[barrier] == target and t.barrier_gate[barrier] == 0:
                if effect == T.DO_OPEN:
                    open_barrier(state, ctx, t, barrier)
                elif effect == T.DO_SHUT:
                    state.open[barrier] = 0
                else:
                    state.unlocked[barrier] = 1
    elif effect == T.DO_EXIT:
        state.exit = zone + 1 if target == T.HERE else target
    elif effect == T.DO_DRAW:
        work(state, DRAW_SET, target, 0, 0, 0)
    elif effect == T.DO_DRAW_TILE:
        work(state, DRAW_TILE, arg, 0, 0, 0)
    elif effect == T.DO_PLACE:
        spawn(state, ctx, t, target - 1, int(t.event_kind[event]), int(t.event_count[event]))


@rule
def arrived(state, ctx, t, survivor, before):
    """A survivor (or a driver with his passengers) came to a zone: tiles without others may stir."""
    me = state.survivors[survivor]
    new = int(t.tiles[me.zone]) & ~int(t.tiles[before])
    if new == 0:
        return
    for other in range(C.SURVIVORS):
        him = state.survivors[other]
        rides = me.car > 0 and him.car == me.car
        if other != survivor and him.status == ACTIVE and not rides:
            new &= ~int(t.tiles[him.zone])
    for tile in range(T.TILES):
        if new >> tile & 1:
            happen(state, ctx, t, T.ON_TILE, tile, int(me.zone))


@rule
def lowest_level(state):
    """The lowest danger level among living survivors."""
    lowest = C.RED
    for i in range(C.SURVIVORS):
        if state.survivors[i].status == ACTIVE:
            lowest = min(lowest, level_of(state.survivors[i].xp))
    return lowest


# --- the end -------------------------------------------------------------------------------------


@rule
def count_status(state, status):
    """Survivors of a status."""
    n = 0
    for i in range(C.SURVIVORS):
        n += state.survivors[i].status == status
    return n


@rule
def goal_met(state, t, goal):
    """Whether one goal of the mission is met now."""
    kind = t.goal_kind[goal]
    arg = int(t.goal_arg[goal])
    if kind == T.GOAL_OBJECTIVES:
        for k in range(t.objectives):
            if state.taken[k] == 0 and (arg == T.NEUTRAL or state.colour[k] == arg):
                return False
        return True
    if kind == T.GOAL_GATHER:
        living = 0
        for i in range(C.SURVIVORS):
            if state.survivors[i].status == ACTIVE:
                living += 1
                if t.sets[arg, state.survivors[i].zone] == 0:
                    return False
        return living > 0
    if kind == T.GOAL_CLEAR:
        for zone in range(t.zones):
            if t.sets[arg, zone] == 1 and crowd_of_zombies(state, zone) > 0:
                return False
        return True
    if kind == T.GOAL_SHUT:
        for barrier in range(t.barriers):
            main = arg == T.NEUTRAL and t.barrier_kind[barrier] == T.DOUBLE_DOOR
            coloured = arg != T.NEUTRAL and t.barrier_colour[barrier] == arg and t.barrier_gate[barrier] == 0
            if (main or coloured) and state.open[barrier] == 1:
                return False
        return True
    if kind == T.GOAL_LEFT:
        return count_status(state, LEFT) == state.options.survivors
    if kind == T.GOAL_ROUNDS:
        return state.turns >= arg
    if kind == T.GOAL_ABOMINATION:
        return state.abominations > 0
    return count_status(state, ACTIVE) > 0 and lowest_level(state) >= arg


@rule
def all_goals_met(state, t):
    """Whether all goals of the mission are met (p.6: the win is immediate)."""
    for goal in range(T.GOALS_MOST):
        if t.goal_kind[goal] > 0 and not goal_met(state, t, goal):
            return False
    return True


@rule
def is_lost(state, t):
    """Nobody is left who could still win (p.6)."""
    if t.loses_any == 1 and count_status(state, OUT) > 0:
        return True
    return count_status(state, ACTIVE) == 0 and count_status(state, FALLEN) == 0


@rule
def end_game(state, ctx, won):
    """All win or lose together."""
    state.reward_unit = 1
    state.won = won
    for seat in range(state.players):
        state.reward[seat] = 1 if won else -int(state.options.signed)
    if won:
        log(ctx, EVENTS.won, 0)
    else:
        log(ctx, EVENTS.lost, 0)
    finish(state, TERMINATED)


@rule
def cut_off(state):
    """The last round allowed is over."""
    state.reward_unit = 1
    finish(state, TRUNCATED)
