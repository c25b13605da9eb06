"""Skills that are used like actions: Lifesaver, Shove, Taunt, Born leader."""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, top
from ...core.rule import require, rule
from .. import cards as C
from .. import table as T
from ..state import ACTIONS, ACTIVE, LEADING, PULL, REACH, SAVING, SHOVING, TAUNTING
from .common import ask, crowd_of_zombies, inside, leads_on, look, stands, survivor_at
from .missions import arrived
from .zombies import lured


@rule
def legal_skills(state, t, mask, survivor):
    """Lifesaver, Shove, Taunt and Born leader: free, each once a turn."""
    me = state.survivors[survivor]
    mask[ACTIONS.lifesaver] = can_be_lifesaver(state, t, me)
    mask[ACTIONS.shove] = can_shove(state, t, me)
    mask[ACTIONS.taunt] = can_taunt(state, t, me)
    mask[ACTIONS.lead] = can_lead(state, survivor)


@rule
def can_be_lifesaver(state, t, me):
    """Lifesaver: on foot, with somebody to save next door."""
    if me.skills[C.LIFESAVER] == 0 or me.saved == 1 or inside(me):
        return False
    for slot in range(T.NEAR):
        if can_save(state, t, int(me.zone), slot):
            return True
    return False


@rule
def can_shove(state, t, me):
    """Shove: on foot, with zombies here and a zone to push them to."""
    zone = int(me.zone)
    if me.skills[C.SHOVE] == 0 or me.shoved == 1 or inside(me) or crowd_of_zombies(state, zone) == 0:
        return False
    for slot in range(T.NEAR):
        if leads_on(state, t, zone, slot):
            return True
    return False


@rule
def can_taunt(state, t, me):
    """Taunt: with zombies in sight."""
    if me.skills[C.TAUNT] == 0 or me.taunted == 1:
        return False
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    for k in range(look(state, t, int(me.zone), int(me.tower), seen, steps)):
        if crowd_of_zombies(state, seen[k]) > 0:
            return True
    return False


@rule
def can_lead(state, survivor):
    """Born leader: with somebody to lead."""
    me = state.survivors[survivor]
    if me.skills[C.BORN_LEADER] == 0 or me.led == 1:
        return False
    for i in range(C.SURVIVORS):
        if follows(state, survivor, i):
            return True
    return False


@rule
def follows(state, survivor, other):
    """Whether an action can be handed over: to any other living survivor."""
    return other != survivor and state.survivors[other].status == ACTIVE


@rule
def can_save(state, t, zone, slot):
    """Whether survivors can be pulled over from a neighbouring zone: zombies there, the way open."""
    if not leads_on(state, t, zone, slot):
        return False
    other = int(t.near[zone, slot]) - 1
    if crowd_of_zombies(state, other) == 0:
        return False
    for i in range(C.SURVIVORS):
        if can_come(state, i, other):
            return True
    return False


@rule
def can_come(state, survivor, zone):
    """Whether a survivor can be pulled over from a zone: not out of a car or off a tower."""
    return stands(state, survivor, zone) and not inside(state.survivors[survivor])


@rule
def use_skill(state, t, survivor, action):
    """A free skill is used: its target is asked."""
    me = state.survivors[survivor]
    if action == ACTIONS.lifesaver:
        require(can_be_lifesaver(state, t, me))
        me.saved = 1
        ask(state, REACH, survivor, SAVING, 0, 0)
    elif action == ACTIONS.shove:
        require(can_shove(state, t, me))
        me.shoved = 1
        ask(state, REACH, survivor, SHOVING, 0, 0)
    elif action == ACTIONS.taunt:
        require(can_taunt(state, t, me))
        me.taunted = 1
        ask(state, TAUNTING, survivor, 0, 0, 0)
    else:
        require(action == ACTIONS.lead and can_lead(state, survivor))
        me.led = 1
        ask(state, LEADING, survivor, 0, 0, 0)


@rule
def legal_reach(state, t, mask, survivor, what):
    """The neighbouring zones that a Lifesaver or a Shove can reach."""
    zone = int(state.survivors[survivor].zone)
    for slot in range(T.NEAR):
        mask[ACTIONS.go + slot] = can_reach(state, t, zone, slot, what)


@rule
def can_reach(state, t, zone, slot, what):
    """Whether the next zone will do: for a Shove any one that is open."""
    return can_save(state, t, zone, slot) if what == SAVING else leads_on(state, t, zone, slot)


@rule
def reach(state, t, slot):
    """The neighbouring zone is chosen."""
    frame = top(state)
    survivor = int(frame.a)
    what = int(frame.b)
    zone = int(state.survivors[survivor].zone)
    there = int(t.near[zone, slot]) - 1
    require(can_reach(state, t, zone, slot, what))
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
    for place in range(int(state.options.survivors)):
        mask[ACTIONS.survivor + place] = can_come(state, survivor_at(state, seat, place), zone)
    mask[ACTIONS.done] = 1


@rule
def pull(state, ctx, t, survivor, other):
    """A survivor comes over into the rescuer's zone."""
    frame = top(state)
    require(can_come(state, other, int(frame.b)))
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
    require(place < n and crowd_of_zombies(state, seen[place]) > 0)
    pop(state)
    lured(state, ctx, t, survivor, seen[place])


@rule
def legal_lead(state, mask, survivor, seat):
    """Any other living survivor."""
    for place in range(int(state.options.survivors)):
        mask[ACTIONS.survivor + place] = follows(state, survivor, survivor_at(state, seat, place))


@rule
def lead(state, other):
    """The action is kept until the end of the other's next turn."""
    require(follows(state, int(top(state).a), other))
    pop(state)
    state.survivors[other].gift += 1
