"""Cars: driving and running over (p.15, p.20-21)."""

from __future__ import annotations

from ...core.chance import chance
from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import require, rule
from .. import cards as C
from .. import table as T
from ..state import ACTIONS, ACTIVE, EVENTS, FRIEND, RIDE, RUN_OVER
from .combat import friends, kill
from .common import ask, crowd_of_zombies, is_open, work
from .missions import arrived


@rule
def riders(state, car):
    """Survivors in a car."""
    n = 0
    for i in range(C.SURVIVORS):
        n += state.survivors[i].status == ACTIVE and state.survivors[i].car == car + 1
    return n


@rule
def has_driver(state, car):
    """Whether the driver's seat is taken."""
    for i in range(C.SURVIVORS):
        me = state.survivors[i]
        if me.status == ACTIVE and me.car == car + 1 and me.driver == 1:
            return True
    return False


@rule
def legal_seats(state, t, mask, survivor):
    """Enter a car of the zone (no zombies there), or change the seat (p.15)."""
    me = state.survivors[survivor]
    if me.car > 0:
        car = int(me.car) - 1
        mask[ACTIONS.driver] = me.driver == 0 and not has_driver(state, car)
        mask[ACTIONS.passenger] = me.driver == 1 and riders(state, car) < C.CAR_SEATS
    elif me.tower == 0 and crowd_of_zombies(state, int(me.zone)) == 0:
        for car in range(T.CARS_MOST):
            if t.car_kind[car] > 0 and state.car_zone[car] == me.zone:
                driven = has_driver(state, car)
                mask[ACTIONS.enter + 2 * car] = not driven
                mask[ACTIONS.enter + 2 * car + 1] = riders(state, car) - driven < C.CAR_SEATS - 1


@rule
def may_drive(state, t, zone, slot):
    """Whether a car can go on to a neighbouring zone: streets and alleys, through double doors."""
    return t.by_car[zone, slot] == 1 and is_open(state, int(t.near_barrier[zone, slot]))


@rule
def legal_drive(state, t, mask, zone):
    """The neighbours that a car can drive to."""
    for slot in range(T.NEAR):
        mask[ACTIONS.go + slot] = may_drive(state, t, zone, slot)


@rule
def begin_ride(state, ctx, t, survivor, slot):
    """One action: up to two zones, three in a muscle car; the zone left is run over, too (p.15, p.20)."""
    me = state.survivors[survivor]
    zone = int(me.zone)
    kind = int(t.car_kind[me.car - 1])
    me.actions -= 1
    ask(state, RIDE, survivor, int(C.CAR_ZONES[kind]) - 1, 0, 0)
    drive(state, ctx, t, survivor, slot)
    if kind != C.HIPPIEMOBILE:
        work(state, RUN_OVER, survivor, zone, 0, 0)


@rule
def drive(state, ctx, t, survivor, slot):
    """The car and everybody in it go to the next zone, over whoever stands there."""
    me = state.survivors[survivor]
    before = int(me.zone)
    car = int(me.car)
    require(may_drive(state, t, before, slot))
    zone = int(t.near[before, slot]) - 1
    state.car_zone[car - 1] = zone
    for i in range(C.SURVIVORS):
        if state.survivors[i].status == ACTIVE and state.survivors[i].car == car:
            state.survivors[i].zone = zone
    log(ctx, EVENTS.moved, 0, survivor, zone)
    arrived(state, ctx, t, survivor, before)
    if t.car_kind[car - 1] != C.HIPPIEMOBILE:
        work(state, RUN_OVER, survivor, zone, 0, 0)


@rule
def ride_on(state, ctx, t, action):
    """The driver goes on, or stops."""
    frame = top(state)
    survivor = int(frame.a)
    if action == ACTIONS.done:
        pop(state)
        return
    frame.b -= 1
    if frame.b == 0:
        pop(state)
    drive(state, ctx, t, survivor, action - ACTIONS.go)


@rule
def run_over(state, ctx, t):
    """A die for each figure outside cars, 4 and more is a hit of damage 1, by priority (p.20)."""
    frame = top(state)
    survivor = int(frame.a)
    zone = int(frame.b)
    if frame.c == 0:
        frame.c = 1
        targets = crowd_of_zombies(state, zone)
        if state.options.friendly_fire:
            targets += friends(state, survivor, zone, 1)
        for _ in range(targets):
            frame.d += chance(state, ctx, 6) + 1 >= C.CAR_HIT
        return
    if frame.d == 0:
        pop(state)
        return
    frame.d -= 1
    if state.options.friendly_fire and friends(state, survivor, zone, 1) > 0:
        ask(state, FRIEND, survivor, zone, 1, 1)
        return
    for place in range(len(C.PRIORITY)):
        kind = int(C.PRIORITY[place, 0])
        second = int(C.PRIORITY[place, 1])
        if state.zombies[zone, kind] > 0 or state.zombies[zone, second] > 0:
            if C.TOUGHNESS[kind] == 1 and state.zombies[zone, kind] > 0:
                kill(state, ctx, survivor, zone, kind)
                return
            break
    pop(state)
