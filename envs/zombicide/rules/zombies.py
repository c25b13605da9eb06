"""The zombies' activation: attacks, ways, splitting, moves (p.15-16, p.18)."""

from __future__ import annotations

import numpy as np

from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import nth, require, rule
from ...core.state import fill
from .. import cards as C
from .. import table as T
from ..state import ACTIONS, ACTIVATE, ACTIVE, ATTACK, EVENTS, LOSE, VICTIM, WAY, WOUND_WORK
from .common import (
    ask,
    cards_held,
    crowd,
    crowd_of_zombies,
    has,
    hurt,
    in_hand,
    is_card,
    is_open,
    look,
    missing,
    spread,
    stands,
    survivor_at,
    toss,
    work,
)  # fmt: skip

STAY = T.NEAR  # the way of zombies that stay where they are
WAYS = T.NEAR + 1

# --- activation ----------------------------------------------------------------------------------

# Steps of an activation: attacks zone by zone, the two Abominations, everybody else, the Runners again.
ATTACKS, GIANTS, MOVES, AGAIN = 0, 1, 2, 3
SECOND, QUEUED = 1, 2  # marks of a frame: the Runners' second action; because figures were missing


@rule
def activate(state, ctx, t):
    """One step of an activation (p.15): all attacks, then all moves, then the Runners once more."""
    frame = top(state)
    if frame.b == ATTACKS:
        attack_somewhere(state, t)
    elif frame.b == GIANTS:
        move_giant(state, t)
    elif frame.b == MOVES:
        frame.b = AGAIN
        move_all(state, t, int(frame.a))
    else:
        fill(state.attacked, 0)
        runners = int(frame.a) & C.RUNNERS
        if frame.d & SECOND == 0 and runners != 0:
            frame.a = runners
            frame.b = ATTACKS
            frame.c = 0
            frame.d |= SECOND
        else:
            if frame.d & QUEUED:
                state.running = 0
            pop(state)


@rule
def attack_somewhere(state, t):
    """The next zone where zombies stand with survivors: all of them attack (p.15)."""
    frame = top(state)
    kinds = int(frame.a)
    for zone in range(int(frame.c), int(t.zones)):
        n = 0
        for kind in range(C.ZOMBIES):
            if kinds >> kind & 1:
                n += state.zombies[zone, kind]
        if n > 0 and crowd(state, zone) > 0:
            state.attacked[zone] = 1
            frame.c = zone + 1
            work(state, ATTACK, zone, n, 0, 0)
            return
    frame.b = GIANTS
    frame.c = 0


# --- wounds --------------------------------------------------------------------------------------


@rule
def attack(state, ctx, t):
    """Wound by wound the players choose who takes it; what is left when all are dead is lost (p.15)."""
    frame = top(state)
    zone = int(frame.a)
    if frame.b == 0 or crowd(state, zone) == 0:
        pop(state)
        return
    frame.b -= 1
    if state.options.auto:
        work(state, WOUND_WORK, sturdiest(state, zone), 1, 0, 0)
    else:
        push(state, VICTIM, int(state.first), zone)


@rule
def sturdiest(state, zone):
    """Who takes a wound by the fixed rule: whoever has most cards left and will not die of it."""
    best = -1
    most = -1
    for i in range(C.SURVIVORS):
        if stands(state, i, zone):
            me = state.survivors[i]
            value = 1 + cards_held(me) - 10 * me.wounds + 10 * C.ZOMBIVOR_WOUNDS
            if value > most:
                most = value
                best = i
    return best


@rule
def legal_victim(state, mask, seat, zone):
    """Any living survivor of the zone."""
    for place in range(int(state.options.survivors)):
        mask[ACTIONS.survivor + place] = stands(state, survivor_at(state, seat, place), zone)


@rule
def wound(state, survivor):
    """The players have chosen who takes a wound."""
    require(stands(state, survivor, int(top(state).a)))
    pop(state)
    work(state, WOUND_WORK, survivor, 1, 0, 0)


@rule
def take_wounds(state, ctx, t):
    """A survivor is about to take wounds: a shield in hand stops the first one of a Zombies' phase."""
    frame = top(state)
    survivor = int(frame.a)
    me = state.survivors[survivor]
    if frame.b == 0 or me.status != ACTIVE:
        pop(state)
        return
    frame.b -= 1
    by_friend = int(frame.c)
    if by_friend == 0 and me.shielded == 0 and holds(me, C.RIOT_SHIELD):
        me.shielded = 1
        return
    if state.options.auto:
        lose_by_rule(state, ctx, survivor, by_friend)
    else:
        ask(state, LOSE, survivor, 0, by_friend, 0)


@rule
def holds(me, kind):
    """Whether a card of a kind is in hand (or anywhere, with Webbing)."""
    for slot in range(C.SLOTS):
        if me.slots[slot] == kind and in_hand(me, slot):
            return True
    return False


@rule
def wards(me, slot):
    """Whether the card in a slot may be discarded to cancel a wound."""
    kind = int(me.slots[slot])
    if not is_card(kind):
        return False
    if me.skills[C.IS_THAT_ALL] > 0:
        return True
    return (kind == C.NIGHTSTICK or kind == C.RIOT_SHIELD) and in_hand(me, slot)


@rule
def legal_lose(state, mask, survivor):
    """Which card a wound costs, or which one wards it off; nothing where there is none."""
    me = state.survivors[survivor]
    for slot in range(C.SLOTS):
        if is_card(me.slots[slot]):
            mask[ACTIONS.slot + slot] = 1
            mask[ACTIONS.cancel + slot] = wards(me, slot)
    mask[ACTIONS.nothing] = cards_held(me) == 0


@rule
def lose(state, ctx, action):
    """The owner has decided about a wound."""
    frame = top(state)
    survivor = int(frame.a)
    by_friend = int(frame.c)
    me = state.survivors[survivor]
    pop(state)
    if action >= ACTIONS.cancel and action < ACTIONS.cancel + C.SLOTS:
        ward_off(state, ctx, survivor, action - ACTIONS.cancel)
    elif action == ACTIONS.nothing:
        require(cards_held(me) == 0)
        hurt(state, ctx, survivor, last_empty(me), by_friend)
    else:
        slot = nth(action, ACTIONS.slot, C.SLOTS)
        require(is_card(me.slots[slot]))
        hurt(state, ctx, survivor, slot, by_friend)


@rule
def ward_off(state, ctx, survivor, slot):
    """A card is discarded instead of taking a wound."""
    me = state.survivors[survivor]
    require(wards(me, slot))
    kind = int(me.slots[slot])
    toss(state, kind)
    me.slots[slot] = C.EMPTY
    me.spent[slot] = 0
    log(ctx, EVENTS.warded, 0, survivor, kind)


@rule
def last_empty(me):
    """Where a wound goes when there is no card to lose."""
    for k in range(C.SLOTS):
        slot = C.SLOTS - 1 - k
        if me.slots[slot] == C.EMPTY:
            return slot
    return 0


@rule
def lose_by_rule(state, ctx, survivor, by_friend):
    """Ward off if possible; else lose spare items first, then the reserve, then a hand."""
    me = state.survivors[survivor]
    best = -1
    least = 1000
    for slot in range(C.SLOTS):
        kind = int(me.slots[slot])
        if wards(me, slot) and (kind == C.NIGHTSTICK or kind == C.RIOT_SHIELD):
            ward_off(state, ctx, survivor, slot)
            return
        if is_card(kind):
            value = 40 if slot < C.HANDS else 20
            if not (C.IS_MELEE[kind] or C.IS_RANGED[kind]):
                value = 0
            if value + has(me, kind) < least:
                least = value + has(me, kind)
                best = slot
    hurt(state, ctx, survivor, best if best >= 0 else last_empty(me), by_friend)


# --- ways ----------------------------------------------------------------------------------------


@rule
def listen(state, t, loud, people):
    """How loud each zone is: noise tokens and survivors (p.9)."""
    for zone in range(t.zones):
        loud[zone] = state.noise[zone]
        people[zone] = 0
    for i in range(C.SURVIVORS):
        me = state.survivors[i]
        if me.status == ACTIVE:
            loud[me.zone] += 1
            people[me.zone] += 1


@rule
def field(state, t, target, fields, known):
    """The distances to a target, computed once."""
    if known[target] == 0:
        known[target] = 1
        spread(state, t, target, fields[target], 0)


@rule
def add_ways(state, t, zone, distance, way, through):
    """The neighbours one step nearer to a target.

    ``through``: distances are as if all doors were open, and a shut one in between keeps the zombies here.
    """
    here = distance[zone]
    if here == 0:
        way[STAY] = 1
        return
    for slot in range(T.NEAR):
        other = int(t.near[zone, slot]) - 1
        if other < 0:
            break
        if distance[other] == here - 1:
            if is_open(state, int(t.near_barrier[zone, slot])):
                way[slot] = 1
            elif through:
                way[STAY] = 1


@rule
def find_ways(state, t, zone, loud, people, fields, known, seen, steps, way):
    """Where the zombies of a zone go: marks neighbour slots (or STAY); returns how many ways (p.16).

    Seen survivors with an open way to them: the loudest such zone.  Else the loudest zone with an
    open way; if no survivor can be reached, the loudest one as if all doors were open.
    """
    fill(way, 0)
    best = 0
    n = look(state, t, zone, 0, seen, steps)
    for k in range(n):
        if people[seen[k]] > 0 and loud[seen[k]] > best:
            field(state, t, seen[k], fields, known)
            if fields[seen[k], zone] >= 0:
                best = loud[seen[k]]
    if best > 0:
        for k in range(n):
            there = seen[k]
            if people[there] > 0 and loud[there] == best:
                field(state, t, there, fields, known)
                if fields[there, zone] >= 0:
                    add_ways(state, t, zone, fields[there], way, 0)
    else:
        anybody = False
        loudest = 0
        for there in range(t.zones):
            if loud[there] > 0:
                loudest = max(loudest, loud[there])
                field(state, t, there, fields, known)
                if fields[there, zone] >= 0:
                    anybody = anybody or people[there] > 0
                    best = max(best, loud[there])
        for there in range(t.zones):
            if anybody and loud[there] == best and fields[there, zone] >= 0:
                add_ways(state, t, zone, fields[there], way, 0)
        if not anybody and loudest > 0:
            distance = np.empty(T.ZONES, np.int64)
            for there in range(t.zones):
                if loud[there] == loudest:
                    spread(state, t, there, distance, 1)
                    if distance[zone] >= 0:
                        add_ways(state, t, zone, distance, way, 1)
    count = 0
    for k in range(WAYS):
        count += way[k]
    return count


# --- moves ---------------------------------------------------------------------------------------


@rule
def moves_here(state, zone, kinds):
    """Zombies of these kinds that have not attacked and will move."""
    if state.attacked[zone] == 1:
        return 0
    n = 0
    for kind in range(C.ZOMBIES):
        if kinds >> kind & 1 and kind % C.BERSERKER != C.ABOMINATION:
            n += state.zombies[zone, kind]
    return n


@rule
def move_all(state, t, kinds):
    """All zombies that did not attack move one zone, splitting up where ways are equal (p.16)."""
    loud = np.zeros(T.ZONES, np.int64)
    people = np.zeros(T.ZONES, np.int64)
    listen(state, t, loud, people)
    fields = np.empty((T.ZONES, T.ZONES), np.int64)
    known = np.zeros(T.ZONES, np.int64)
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    way = np.empty(WAYS, np.int64)
    arriving = np.zeros((T.ZONES, C.ZOMBIES), np.int64)
    for zone in range(t.zones):
        if moves_here(state, zone, kinds) > 0:
            count = find_ways(state, t, zone, loud, people, fields, known, seen, steps, way)
            if count > 0:
                split(state, t, zone, kinds, count, way, arriving)
    for zone in range(t.zones):
        for kind in range(C.ZOMBIES):
            if arriving[zone, kind] > 0:
                state.zombies[zone, kind] += arriving[zone, kind]


@rule
def split(state, t, zone, kinds, count, way, arriving):
    """Equal groups for equal ways, figures being added; what is missing the last ways lack (p.16)."""
    for kind in range(C.ZOMBIES):
        n = int(state.zombies[zone, kind])
        if n == 0 or kinds >> kind & 1 == 0 or kind % C.BERSERKER == C.ABOMINATION:
            continue
        each = (n + count - 1) // count
        left = n + int(state.pool[kind])
        for k in range(WAYS):
            if way[k] == 1:
                group = min(each, left)
                left -= group
                if group < each:
                    missing(state, kind)
                arriving[zone if k == STAY else int(t.near[zone, k]) - 1, kind] += group
        state.zombies[zone, kind] = 0
        state.pool[kind] = left


@rule
def move_giant(state, t):
    """Abominations never split: where ways are equal the players choose (p.16).

    A Berserker Abomination moves up to two zones (p.13).  ``frame.c`` counts its steps: the standard
    one, the berserker's first, the berserker's second.
    """
    frame = top(state)
    turn = int(frame.c)
    if turn > 2:
        frame.b = MOVES
        frame.c = 0
        return
    frame.c = turn + 1
    kind = C.ABOMINATION if turn == 0 else C.ABOMINATION + C.BERSERKER
    if frame.a >> kind & 1 == 0 or state.pool[kind] > 0:
        return
    zone = where_is(state, t, kind)
    if zone < 0:
        return
    if turn < 2 and state.attacked[zone] == 1:
        if turn == 1:
            frame.c = 3  # it has attacked: no second step either
        return
    if crowd(state, zone) > 0:
        return
    ways = giant_ways(state, t, zone)
    if ways != 0 and ways != 1 << STAY:
        push(state, WAY, int(state.first), kind, zone, ways)


@rule
def where_is(state, t, kind):
    """The zone of an Abomination, -1 where it is not on the board."""
    for zone in range(t.zones):
        if state.zombies[zone, kind] > 0:
            return zone
    return -1


@rule
def giant_ways(state, t, zone):
    """The neighbour slots that an Abomination may take (or STAY), as a bit set."""
    loud = np.zeros(T.ZONES, np.int64)
    people = np.zeros(T.ZONES, np.int64)
    listen(state, t, loud, people)
    fields = np.empty((T.ZONES, T.ZONES), np.int64)
    known = np.zeros(T.ZONES, np.int64)
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    way = np.empty(WAYS, np.int64)
    find_ways(state, t, zone, loud, people, fields, known, seen, steps, way)
    ways = 0
    for k in range(WAYS):
        ways |= way[k] << k
    return ways


@rule
def legal_way(mask, ways):
    """The ways that are equal; to stay where its own zone is as loud as another, or a shut door stops it."""
    for slot in range(T.NEAR):
        mask[ACTIONS.go + slot] = ways >> slot & 1
    mask[ACTIONS.nothing] = ways >> STAY & 1


@rule
def move_giant_to(state, t, action):
    """An Abomination goes where the players (or the only way) send it."""
    frame = top(state)
    kind = int(frame.a)
    zone = int(frame.b)
    way = STAY if action == ACTIONS.nothing else nth(action, ACTIONS.go, T.NEAR)
    require(frame.c >> way & 1 == 1)
    pop(state)
    if way != STAY:
        state.zombies[zone, kind] -= 1
        state.zombies[int(t.near[zone, way]) - 1, kind] += 1


# --- taunt and extra activations -----------------------------------------------------------------


@rule
def lured(state, ctx, t, survivor, zone):
    """All zombies of a zone are activated against one survivor, past all others (skill Taunt).

    Abominations take the first of equal ways (ruling); Runners act twice, the berserker one moves two.
    """
    target = int(state.survivors[survivor].zone)
    distance = np.empty(T.ZONES, np.int64)
    spread(state, t, target, distance, 0)
    wounds = 0
    if zone == target:
        wounds = crowd_of_zombies(state, zone)
        wounds += state.zombies[zone, C.RUNNER] + state.zombies[zone, C.RUNNER + C.BERSERKER]
    elif distance[zone] > 0:
        way = np.zeros(WAYS, np.int64)
        arriving = np.zeros((T.ZONES, C.ZOMBIES), np.int64)
        wounds = lure_group(state, t, zone, target, distance, way, arriving)
        for there in range(t.zones):
            for kind in range(C.ZOMBIES):
                state.zombies[there, kind] += arriving[there, kind]
    if wounds > 0:
        work(state, WOUND_WORK, survivor, wounds, 0, 0)


@rule
def lure_group(state, t, zone, target, distance, way, arriving):
    """The moves of taunted zombies; returns the attacks of Runners that reach the taunter."""
    add_ways(state, t, zone, distance, way, 0)
    count = 0
    for k in range(WAYS):
        count += way[k]
    for giant in (C.ABOMINATION, C.ABOMINATION + C.BERSERKER):
        n = int(state.zombies[zone, giant])
        if n > 0:
            there = first_step(t, zone, way)
            if giant > C.BERSERKER and there != target:
                fill(way, 0)
                add_ways(state, t, there, distance, way, 0)
                there = first_step(t, there, way)
                fill(way, 0)
                add_ways(state, t, zone, distance, way, 0)
            state.zombies[zone, giant] = 0
            arriving[there, giant] += n
    split(state, t, zone, C.ALL_KINDS, count, way, arriving)
    wounds = 0
    second = np.zeros((T.ZONES, C.ZOMBIES), np.int64)
    for kind in (C.RUNNER, C.RUNNER + C.BERSERKER):
        for there in range(t.zones):
            n = arriving[there, kind]
            if n == 0:
                continue
            if there == target:
                wounds += n
                continue
            arriving[there, kind] = 0
            before = int(state.zombies[there, kind])
            state.zombies[there, kind] = n
            fill(way, 0)
            add_ways(state, t, there, distance, way, 0)
            count = 0
            for k in range(WAYS):
                count += way[k]
            split(state, t, there, 1 << kind, count, way, second)
            state.zombies[there, kind] = before
    for there in range(t.zones):
        for kind in range(C.ZOMBIES):
            arriving[there, kind] += second[there, kind]
    return wounds


@rule
def first_step(t, zone, way):
    """The first marked neighbour."""
    for k in range(T.NEAR):
        if way[k] == 1:
            return int(t.near[zone, k]) - 1
    return zone


@rule
def run_queue(state, ctx):
    """A kind whose figures were missing is activated: first come, first served (p.18)."""
    kind = int(state.queue[0]) - 1
    for k in range(state.queued - 1):
        state.queue[k] = state.queue[k + 1]
    state.queued -= 1
    state.queue[state.queued] = 0
    state.running = 1
    fill(state.attacked, 0)
    work(state, ACTIVATE, 1 << kind, ATTACKS, 0, QUEUED)
    log(ctx, EVENTS.activated, 0, 1 << kind)
