"""Cars: driving and running over (p.15, p.20-21)."""

from __future__ import annotations

from ...core.chance import chance
from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import nth, require, rule
from .. import cards as C
from .. import table as T
from ..state import ACTIONS, ACTIVE, EVENTS, FRIEND, RIDE, RUN_OVER
from .combat import friends, kill
from .common import ask, crowd_of_zombies, inside, is_open, work
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
        mask[ACTIONS.driver] = can_change_seat(state, me, 1)
        mask[ACTIONS.passenger] = can_change_seat(state, me, 0)
    else:
        for car in range(T.CARS_MOST):
            mask[ACTIONS.enter + 2 * car] = can_enter(state, t, me, car, 1)
            mask[ACTIONS.enter + 2 * car + 1] = can_enter(state, t, me, car, 0)


@rule
def has_seat(state, car, driver):
    """Whether the wheel, or one of the other seats, is free."""
    driven = has_driver(state, car)
    return not driven if driver else riders(state, car) - driven < C.CAR_SEATS - 1


@rule
def can_enter(state, t, me, car, driver):
    """Whether a seat of a car can be taken: from the same zone, which holds no zombies (p.15)."""
    if t.car_kind[car] == 0 or state.car_zone[car] != me.zone or inside(me):
        return False
    return crowd_of_zombies(state, int(me.zone)) == 0 and has_seat(state, car, driver)


@rule
def enter(state, t, me, car, driver):
    """A seat of a car is taken."""
    require(can_enter(state, t, me, car, driver))
    me.car = car + 1
    me.driver = driver


@rule
def can_change_seat(state, me, driver):
    """Whether whoever sits in a car can go to the wheel, or away from it."""
    return me.car > 0 and me.driver != driver and has_seat(state, int(me.car) - 1, driver)


@rule
def change_seat(state, me, driver):
    """To the wheel, or away from it."""
    require(can_change_seat(state, me, driver))
    me.driver = driver


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
def can_drive(t, me):
    """Whether a survivor can set a car going: at the wheel of one that drives, with an action left."""
    return me.car > 0 and me.driver == 1 and me.actions > 0 and t.car_drives[me.car - 1] == 1


@rule
def begin_ride(state, ctx, t, survivor, slot):
    """One action: up to two zones, three in a muscle car; the zone left is run over, too (p.15, p.20)."""
    me = state.survivors[survivor]
    require(can_drive(t, me))
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
    drive(state, ctx, t, survivor, nth(action, ACTIONS.go, T.NEAR))


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
        log(ctx, EVENTS.rolled, 0, survivor, int(frame.d))
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
