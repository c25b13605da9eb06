"""What all rules need: who stands where, what is open, sight, distances, cards and figures."""

from __future__ import annotations

import numpy as np

from ...core.chance import shuffle
from ...core.decisions import push
from ...core.events import log
from ...core.rule import nth, require, rule
from ...core.state import fill
from .. import cards as C
from .. import table as T
from ..state import (
    ACTIONS,
    ACTIVE,
    EVENTS,
    FALLEN,
    OFF,
    OUT,
    QUEUE,
    RETURN,
)  # fmt: skip

MOST_EXTRAS = 24  # RULING: extra activations for missing figures in one round

# --- seats and survivors -------------------------------------------------------------------------


@rule
def share(state):
    """How many survivors each seat has."""
    return int(state.options.survivors) // int(state.players)


@rule
def survivor_at(state, seat, place):
    """The survivor in a place counted from the first one of a seat; -1 where there is none."""
    n = int(state.options.survivors)
    return (seat * share(state) + place) % n if place < n else -1


@rule
def named(state, seat, action):
    """The survivor that an answer "survivor n" names."""
    survivor = survivor_at(state, seat, nth(action, ACTIONS.survivor, C.SURVIVORS))
    require(survivor >= 0)
    return survivor


@rule
def place_of(state, seat, survivor):
    """The place of a survivor as a seat counts."""
    n = int(state.options.survivors)
    return (survivor - seat * share(state) + n) % n


@rule
def stands(state, survivor, zone):
    """Whether a survivor is alive in a zone (in a car or on a tower counts as in the zone)."""
    him = state.survivors[survivor]
    return him.status == ACTIVE and him.zone == zone


@rule
def crowd(state, zone):
    """Living survivors in a zone."""
    n = 0
    for i in range(C.SURVIVORS):
        n += stands(state, i, zone)
    return n


@rule
def level_of(xp):
    """The danger level of experience points (p.10)."""
    return int(xp >= C.XP_YELLOW) + int(xp >= C.XP_ORANGE) + int(xp >= C.XP_RED)


@rule
def danger(state):
    """The highest danger level among living survivors (p.17-18)."""
    highest = 0
    for i in range(C.SURVIVORS):
        if state.survivors[i].status == ACTIVE:
            highest = max(highest, level_of(state.survivors[i].xp))
    return highest


@rule
def inside(me):
    """Whether a survivor sits in a car or stands on a tower."""
    return me.car > 0 or me.tower > 0


@rule
def get_out(me):
    """Out of the car, down from the tower."""
    me.car = 0
    me.driver = 0
    me.tower = 0


@rule
def together(me, him):
    """Whether two survivors of a zone can reach each other: both in the same car, tower or neither."""
    return me.car == him.car and me.tower == him.tower


# --- the board -----------------------------------------------------------------------------------


@rule
def is_open(state, barrier):
    """Whether nothing bars the way (barrier + 1; 0: there is nothing)."""
    return barrier == 0 or state.open[barrier - 1] == 1


@rule
def leads_on(state, t, zone, slot):
    """Whether a neighbour slot leads to a zone with nothing in between."""
    return t.near[zone, slot] > 0 and is_open(state, int(t.near_barrier[zone, slot]))


@rule
def crowd_of_zombies(state, zone):
    """Zombies in a zone."""
    n = 0
    for kind in range(C.ZOMBIES):
        n += state.zombies[zone, kind]
    return n


@rule
def is_building(t, zone):
    """Rooms and cells are building zones; streets, alleys, yards and gates are not."""
    return t.building[zone] > 0


@rule
def make_noise(state, zone):
    """A noise token (p.9)."""
    if state.noise[zone] < 100:
        state.noise[zone] += 1


@rule
def look(state, t, zone, tower, seen, steps):
    """The zones that can be seen from a zone, its own first, and how far off they are (p.7).

    Fills ``seen`` and ``steps`` (T.SIGHT places); returns how many there are.
    """
    seen[0] = zone
    steps[0] = 0
    n = 1
    if tower > 0:
        for k in range(T.TOWER_VIEW):
            there = int(t.tower_sees[tower - 1, k]) - 1
            if there >= 0 and n < T.SIGHT:
                seen[n] = there
                steps[n] = t.tower_range[tower - 1, k]
                n += 1
    distance = 0
    blocked = False
    for k in range(t.ray_from[zone], t.ray_from[zone + 1]):
        if t.step_first[k] == 1:
            distance = 0
            blocked = False
        distance += 1
        if not blocked and not is_open(state, int(t.step_barrier[k])):
            blocked = True
        if blocked:
            continue
        there = int(t.step_zone[k])
        found = False
        for j in range(n):
            if seen[j] == there:
                found = True
                steps[j] = min(steps[j], distance)
        if not found and n < T.SIGHT:
            seen[n] = there
            steps[n] = distance
            n += 1
    return n


@rule
def spread(state, t, start, distance, through):
    """How many moves each zone lies from one, -1 where there is no open way.

    ``through``: as if all doors were open.
    """
    line = np.empty(T.ZONES, np.int64)
    for zone in range(T.ZONES):
        distance[zone] = -1
    distance[start] = 0
    line[0] = start
    head = 0
    tail = 1
    while head < tail:
        zone = line[head]
        head += 1
        for slot in range(T.NEAR):
            other = int(t.near[zone, slot]) - 1
            if other < 0:
                break
            if distance[other] < 0 and (through or is_open(state, int(t.near_barrier[zone, slot]))):
                distance[other] = distance[zone] + 1
                line[tail] = other
                tail += 1


# --- equipment -----------------------------------------------------------------------------------


@rule
def toss(state, kind):
    """A card leaves play: on the discards, or aside where it came from there."""
    if kind == C.SNIPER_RIFLE:
        state.discard[C.RIFLE] += 1
        state.discard[C.SCOPE] += 1
    elif kind == C.MOLOTOV or kind == C.GUNBLADE:
        state.aside[kind] += 1
    elif kind != C.WOUND and kind != C.EMPTY:
        state.discard[kind] += 1


@rule
def draw_equipment(state, ctx):
    """The top card of the deck, EMPTY where there is none; used-up decks are made of discards (p.14)."""
    if state.deck_size == 0:
        for kind in range(1, C.KINDS):
            if not C.NOT_RESHUFFLED[kind]:
                for _ in range(state.discard[kind]):
                    state.deck[state.deck_size] = kind
                    state.deck_size += 1
                state.discard[kind] = 0
        shuffle(state, ctx, state.deck, state.deck_size)
    if state.deck_size == 0:
        return C.EMPTY
    state.deck_size -= 1
    kind = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = 0
    return kind


@rule
def is_card(kind):
    """Whether a slot holds equipment (no wound, not empty)."""
    return kind != C.EMPTY and kind != C.WOUND


@rule
def cards_held(me):
    """Pieces of equipment of a survivor."""
    n = 0
    for slot in range(C.SLOTS):
        n += is_card(me.slots[slot])
    return n


@rule
def free_slot(me):
    """The first empty place, reserve first; -1 where all are taken."""
    for k in range(C.SLOTS):
        slot = (k + C.HANDS) % C.SLOTS
        if me.slots[slot] == C.EMPTY:
            return slot
    return -1


@rule
def has(me, kind):
    """How many cards of a kind a survivor carries."""
    n = 0
    for slot in range(C.SLOTS):
        n += me.slots[slot] == kind
    return n


@rule
def in_hand(me, slot):
    """Whether a slot is ready for use: a hand, or any with Webbing."""
    return slot < C.HANDS or me.skills[C.WEBBING] > 0


@rule
def swap(me, one, other):
    """Two places change their cards."""
    me.slots[one], me.slots[other] = me.slots[other], me.slots[one]
    me.spent[one], me.spent[other] = me.spent[other], me.spent[one]


@rule
def sort_reserve(me):
    """The reserve lies in a fixed order, empty places last."""
    for _ in range(2):
        for slot in range(C.HANDS, C.SLOTS - 1):
            if me.slots[slot] < me.slots[slot + 1]:
                swap(me, slot, slot + 1)


# --- zombies -------------------------------------------------------------------------------------


@rule
def missing(state, kind):
    """Figures of a kind are missing: all of that kind will be activated once more (p.18)."""
    for k in range(state.queued):
        if state.queue[k] == kind + 1:
            return
    if state.queued < QUEUE and state.extras < MOST_EXTRAS:
        state.queue[state.queued] = kind + 1
        state.queued += 1
        state.extras += 1


@rule
def put(state, zone, kind, n):
    """Place n figures of a kind as far as there are any; returns how many were placed."""
    placed = min(n, int(state.pool[kind]))
    state.pool[kind] -= placed
    state.zombies[zone, kind] += placed
    if placed < n:
        missing(state, kind)
    return placed


@rule
def spawn(state, ctx, t, zone, kind, n):
    """Zombies appear: Fatties with two Walkers of their kind each, at most one Abomination (p.12)."""
    if n == 0 or t.safe[zone] == 1:
        return
    berserker = kind // C.BERSERKER * C.BERSERKER
    what = kind
    count = n
    if kind == C.ABOMINATION + berserker and state.pool[kind] < n:
        what = C.FATTY + berserker
    placed = put(state, zone, what, count)
    if what == C.FATTY + berserker:
        put(state, zone, C.WALKER + berserker, 2 * placed)
    log(ctx, EVENTS.spawned, 0, what, zone)


# --- wounds and death ----------------------------------------------------------------------------


@rule
def wound_limit(me):
    """How many wounds kill (p.15, p.22)."""
    return C.ZOMBIVOR_WOUNDS if me.zombivor == 1 else C.SURVIVOR_WOUNDS


@rule
def die(state, ctx, survivor, by_friend):
    """A survivor is eliminated, or falls and will stand up as a zombivor (p.15, p.22)."""
    me = state.survivors[survivor]
    returns = state.options.zombivors == RETURN and me.zombivor == 0 and by_friend == 0
    me.status = FALLEN if returns else OUT
    for slot in range(C.SLOTS):
        if me.slots[slot] == C.WOUND or not returns:
            toss(state, int(me.slots[slot]))
            me.slots[slot] = C.EMPTY
            me.spent[slot] = 0
    me.wounds = 0
    get_out(me)
    me.gift = 0
    me.shielded = 0
    fill(me.skills, 0)
    me.gained = 0
    if not returns:
        me.zone = 0
    end_powers(me)
    log(ctx, EVENTS.fell, 0, survivor, returns)


@rule
def end_powers(me):
    """What belongs to one turn is over."""
    me.acting = 0
    me.actions = 0
    me.moves = 0
    me.melees = 0
    me.shots = 0
    me.fights = 0
    me.searched = 0
    me.saved = 0
    me.shoved = 0
    me.taunted = 0
    me.led = 0


@rule
def hurt(state, ctx, survivor, slot, by_friend):
    """The wound is taken in a slot; the card there is lost (p.15)."""
    me = state.survivors[survivor]
    toss(state, int(me.slots[slot]))
    me.slots[slot] = C.WOUND
    me.spent[slot] = 0
    me.wounds += 1
    log(ctx, EVENTS.wounded, 0, survivor, int(me.wounds))
    if me.wounds >= wound_limit(me):
        die(state, ctx, survivor, by_friend)


@rule
def starts_as_zombivor(state):
    """Whether all begin as zombivors."""
    return state.options.zombivors > RETURN


@rule
def may_return(state):
    """Whether fallen survivors stand up again."""
    return state.options.zombivors != OFF


@rule
def ask(state, kind, survivor, b, c, d):
    """Ask the owner of a survivor."""
    push(state, kind, int(state.survivors[survivor].seat), survivor, b, c, d)


@rule
def work(state, kind, a, b, c, d):
    """What the engine does before anything else goes on."""
    push(state, kind, int(state.first), a, b, c, d)
