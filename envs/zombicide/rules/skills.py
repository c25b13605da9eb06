"""Skills that are used like actions: Lifesaver, Shove, Taunt, Born leader."""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, top
from ...core.rule import require, rule
from .. import cards as C
from .. import table as T
from ..state import ACTIONS, ACTIVE, LEADING, PULL, REACH, SAVING, SHOVING, TAUNTING
from .common import ask, crowd_of_zombies, inside, is_open, look, stands, survivor_at
from .missions import arrived
from .zombies import lured


@rule
def legal_skills(state, t, mask, survivor):
    """Lifesaver, Shove, Taunt and Born leader: free, each once a turn."""
    me = state.survivors[survivor]
    zone = int(me.zone)
    if me.skills[C.LIFESAVER] > 0 and me.saved == 0 and not inside(me):
        for slot in range(T.NEAR):
            if can_save(state, t, zone, slot):
                mask[ACTIONS.lifesaver] = 1
    if me.skills[C.SHOVE] > 0 and me.shoved == 0 and not inside(me) and crowd_of_zombies(state, zone) > 0:
        for slot in range(T.NEAR):
            if t.near[zone, slot] > 0 and is_open(state, int(t.near_barrier[zone, slot])):
                mask[ACTIONS.shove] = 1
    if me.skills[C.TAUNT] > 0 and me.taunted == 0:
        seen = np.empty(T.SIGHT, np.int64)
        steps = np.empty(T.SIGHT, np.int64)
        for k in range(look(state, t, zone, int(me.tower), seen, steps)):
            if crowd_of_zombies(state, seen[k]) > 0:
                mask[ACTIONS.taunt] = 1
    if me.skills[C.BORN_LEADER] > 0 and me.led == 0:
        for i in range(C.SURVIVORS):
            if i != survivor and state.survivors[i].status == ACTIVE:
                mask[ACTIONS.lead] = 1


@rule
def can_save(state, t, zone, slot):
    """Whether survivors can be pulled over from a neighbouring zone: zombies there, the way open."""
    other = int(t.near[zone, slot]) - 1
    if (
        other < 0
        or not is_open(state, int(t.near_barrier[zone, slot]))
        or crowd_of_zombies(state, other) == 0
    ):
        return False
    for i in range(C.SURVIVORS):
        if stands(state, i, other) and not inside(state.survivors[i]):
            return True
    return False


@rule
def use_skill(state, survivor, action):
    """A free skill is used: its target is asked."""
    me = state.survivors[survivor]
    if action == ACTIONS.lifesaver:
        me.saved = 1
        ask(state, REACH, survivor, SAVING, 0, 0)
    elif action == ACTIONS.shove:
        me.shoved = 1
        ask(state, REACH, survivor, SHOVING, 0, 0)
    elif action == ACTIONS.taunt:
        me.taunted = 1
        ask(state, TAUNTING, survivor, 0, 0, 0)
    else:
        me.led = 1
        ask(state, LEADING, survivor, 0, 0, 0)


@rule
def legal_reach(state, t, mask, survivor, what):
    """The neighbouring zones that a Lifesaver or a Shove can reach."""
    zone = int(state.survivors[survivor].zone)
    for slot in range(T.NEAR):
        if what == SAVING:
            mask[ACTIONS.go + slot] = can_save(state, t, zone, slot)
        elif t.near[zone, slot] > 0:
            mask[ACTIONS.go + slot] = is_open(state, int(t.near_barrier[zone, slot]))


@rule
def reach(state, t, slot):
    """The neighbouring zone is chosen."""
    frame = top(state)
    survivor = int(frame.a)
    what = int(frame.b)
    zone = int(state.survivors[survivor].zone)
    there = int(t.near[zone, slot]) - 1
    require(there >= 0 and is_open(state, int(t.near_barrier[zone, slot])))
    pop(state)
    if what == SAVING:
        ask(state, PULL, survivor, there, 0, 0)
        return
    for kind in range(C.ZOMBIES):
        n = int(state.zombies[zone, kind])
        state.zombies[zone, kind] = 0
        state.zombies[there, kind] += n


@rule
def legal_pull(state, mask, zone, seat):
    """Survivors of the zone that are not in a car or on a tower; or nobody else."""
    n = int(state.options.survivors)
    for place in range(n):
        other = survivor_at(state, seat, place)
        mask[ACTIONS.survivor + place] = stands(state, other, zone) and not inside(state.survivors[other])
    mask[ACTIONS.done] = 1


@rule
def pull(state, ctx, t, survivor, other):
    """A survivor comes over into the rescuer's zone."""
    frame = top(state)
    require(stands(state, other, int(frame.b)))
    state.survivors[other].zone = state.survivors[survivor].zone
    arrived(state, ctx, t, other, int(frame.b))


@rule
def legal_taunt(state, t, mask, survivor):
    """Zones in sight that hold zombies."""
    me = state.survivors[survivor]
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    for k in range(look(state, t, int(me.zone), int(me.tower), seen, steps)):
        mask[ACTIONS.target + k] = crowd_of_zombies(state, seen[k]) > 0


@rule
def taunt(state, ctx, t, place):
    """The zombies of a zone come for the taunter."""
    survivor = int(top(state).a)
    me = state.survivors[survivor]
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    n = look(state, t, int(me.zone), int(me.tower), seen, steps)
    require(place < n)
    pop(state)
    lured(state, ctx, t, survivor, seen[place])


@rule
def legal_lead(state, mask, survivor, seat):
    """Any other living survivor."""
    for place in range(int(state.options.survivors)):
        other = survivor_at(state, seat, place)
        mask[ACTIONS.survivor + place] = other != survivor and state.survivors[other].status == ACTIVE


@rule
def lead(state, other):
    """The action is kept until the end of the other's next turn."""
    pop(state)
    state.survivors[other].gift += 1
