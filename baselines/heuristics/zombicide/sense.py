"""What a View means for the scripted team: zones by number, threats, weapons, ways."""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.core.state import record
from outbreak_rl.envs.zombicide import cards as C
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.state import ACTIVE

from .weights import CARD_WORTH, LEAST_XP, WEIGHTS

FAR = 1000.0  # no way
# What the team goes for.
ARMS, OBJECTIVE, SWITCH, EXIT, CLEAR, SHUT, GATHER = range(7)
RUNNER_ACTIONS = 2

MIND = record([
    ("w", WEIGHTS),
    ("away", "f8", (T.ZONES,)),  # to the nearest task, from each zone
    ("one", "i8", (T.ZONES,)),  # scratch: targets one by one
    ("far", "f8", (T.ZONES,)),  # scratch: distances to one zone
    ("task", "i8", (T.ZONES,)),  # zones to go to
    ("wanted", "i8", (T.ZONES,)),  # zones of the next task, before the team has chosen among them
    ("place", "i8", (T.ZONES,)),  # of a zone in the View
    ("crowd", "i8", (T.ZONES,)),  # zombies
    ("attack", "i8", (T.ZONES,)),  # wounds that they would deal in the next Zombies' phase
    ("close", "i8", (T.ZONES,)),  # zombies that would come there, without an attack yet
    ("people", "i8", (T.ZONES,)),  # living survivors
    ("reach", "i8", (T.ZONES,)),  # can be reached with tools
    ("spot", "i8", (C.SURVIVORS,)),  # the survivors' zones, -1: not on the board
    ("open", "i8", (T.BARRIERS,)),
    ("turned", "i8", (T.BARRIERS,)),  # scratch: doors after a switch was used
    ("line", "i8", (T.ZONES,)),  # scratch: zones to go on from
    ("queued", "i8", (T.ZONES,)),  # scratch: which of them stand in that line
    ("cost", "i8", (T.ZONES,)),  # moves from the acting survivor in this turn, -1: too far
    ("way", "i8", (T.ZONES,)),  # the first slot of that way
    ("me", "i8"),
    ("zone", "i8"),  # where he stands
    ("living", "i8"),
    ("limit", "i8"),  # experience by which the danger would grow
    ("lowest", "i8"),  # danger level that all living survivors have
    ("task_kind", "i8"),  # ARMS, OBJECTIVE ...
])  # fmt: skip


@rule
def take_in(v, t, m):
    """Zones by number, who stands where, what would attack where."""
    for place in range(t.zones):
        zone = int(v.zone[place]) - 1
        m.place[zone] = place
        m.people[zone] = v.people[place]
        m.crowd[zone] = 0
        for kind in range(C.ZOMBIES):
            m.crowd[zone] += v.zombies[place, kind]
    for barrier in range(t.barriers):
        m.open[barrier] = v.open[barrier]
    m.me = max(0, int(v.actor) - 1)
    m.living = 0
    for k in range(C.SURVIVORS):
        m.spot[k] = -1
        if k < v.survivors and v.status[k] == ACTIVE:
            m.spot[k] = int(v.zone[v.place[k] - 1]) - 1
            m.living += 1
    m.zone = max(0, m.spot[m.me])
    measure_threats(v, t, m)
    measure_levels(v, t, m)


@rule
def runners(v, m, zone):
    """Zombies with two actions."""
    place = m.place[zone]
    return int(v.zombies[place, C.RUNNER]) + int(v.zombies[place, C.RUNNER + C.BERSERKER])


@rule
def measure_threats(v, t, m):
    """Whoever stands in a zone attacks, Runners twice; Runners next door come and attack."""
    for zone in range(t.zones):
        m.attack[zone] = m.crowd[zone] + (RUNNER_ACTIONS - 1) * runners(v, m, zone)
        m.close[zone] = 0
        for slot in range(T.NEAR):
            other = int(t.near[zone, slot]) - 1
            if other < 0:
                break
            if way_open(t, m, zone, slot):
                fast = runners(v, m, other)
                m.attack[zone] += fast
                m.close[zone] += m.crowd[other] - fast


@rule
def way_open(t, m, zone, slot):
    """Whether nothing is shut between a zone and a neighbour."""
    barrier = int(t.near_barrier[zone, slot]) - 1
    return barrier < 0 or m.open[barrier] == 1


@rule
def measure_levels(v, t, m):
    """The level that all have, and the experience that would bring worse zombies without need."""
    m.lowest = C.RED
    for k in range(v.survivors):
        if v.status[k] == ACTIVE:
            m.lowest = min(m.lowest, level_of(int(v.xp[k])))
    asked = int(v.danger)
    for number in range(t.objectives):
        if v.objective[m.place[t.objective_zone[number] - 1]] > 0:
            asked = max(asked, int(t.objective_level[number]))
    for goal in range(T.GOALS_MOST):
        if t.goal_kind[goal] == T.GOAL_LEVEL:
            asked = max(asked, int(t.goal_arg[goal]))
    m.limit = LEAST_XP[asked + 1]


@rule
def level_of(xp):
    """The danger level of an experience."""
    return int(xp >= C.XP_YELLOW) + int(xp >= C.XP_ORANGE) + int(xp >= C.XP_RED)


# --- survivors -----------------------------------------------------------------------------------


@rule
def life(v, k):
    """Wounds that a survivor can still take and live, those included that he can ward off."""
    left = (C.ZOMBIVOR_WOUNDS if v.zombivor[k] else C.SURVIVOR_WOUNDS) - 1 - int(v.wounds[k])
    for slot in range(C.HANDS):
        left += v.slots[k, slot] == C.NIGHTSTICK or v.slots[k, slot] == C.RIOT_SHIELD
    return left


@rule
def is_tool(kind):
    """Whether a card opens doors."""
    return C.OPENS_SILENTLY[kind] == 1 or C.OPENS_NOISILY[kind] == 1


@rule
def holds_tool(v, k, slots):
    """Whether one of a survivor's first slots holds a tool."""
    for slot in range(slots):
        if is_tool(v.slots[k, slot]):
            return True
    return False


@rule
def arms(v, k):
    """Worth of a survivor's two best cards."""
    best = 0.0
    second = 0.0
    for slot in range(C.SLOTS):
        best, second = two_best(best, second, CARD_WORTH[v.slots[k, slot]])
    return best + second


@rule
def two_best(best, second, worth):
    """The two best so far and one more: the two best of the three."""
    if worth > best:
        return worth, best
    return best, max(second, worth)


@rule
def strength(v, k):
    """Zombies that a survivor kills with one action on the average, in his own zone."""
    best = 0.0
    for slot in range(C.HANDS):
        kind = int(v.slots[k, slot])
        dice = float(max(C.MELEE_DICE[kind] * (7 - C.MELEE_ACCURACY[kind]), 0))
        if C.RANGE_FROM[kind] == 0:
            dice = max(dice, float(C.RANGED_DICE[kind] * (7 - C.RANGED_ACCURACY[kind])))
        if slot > 0 and kind == v.slots[k, 0] and C.IS_DUAL[kind]:
            dice *= 2.0
        best = max(best, dice / 6.0)
    return best


@rule
def damage(v, k, table):
    """The most damage that a weapon in a survivor's hands does, by melee or ranged weapons' table."""
    best = 0
    for slot in range(C.HANDS):
        best = max(best, int(table[v.slots[k, slot]]))
    return best


@rule
def friends_near(v, t, m, k, zone):
    """Other living survivors in a zone or next door."""
    n = 0
    for other in range(v.survivors):
        if other != k and m.spot[other] >= 0 and beside(t, m, zone, m.spot[other]):
            n += 1
    return n


@rule
def beside(t, m, zone, other):
    """Whether two zones are the same or next to each other with the way open."""
    if zone == other:
        return True
    for slot in range(T.NEAR):
        if t.near[zone, slot] == 0:
            return False
        if t.near[zone, slot] - 1 == other:
            return way_open(t, m, zone, slot)
    return False


# --- ways ----------------------------------------------------------------------------------------


@rule
def passable(v, t, m, barrier):
    """Whether a way (barrier -1: nothing between) is open, or a tool may open it."""
    if barrier < 0 or m.open[barrier] == 1:
        return True
    return t.barrier_locked[barrier] == 0 or v.unlocked[barrier] == 1


@rule
def flood(v, t, doors, found, m, tools):
    """Mark the zones that can be reached from the acting survivor through these doors (and by tools)."""
    for zone in range(t.zones):
        found[zone] = 0
    found[m.zone] = 1
    m.line[0] = m.zone
    head = 0
    tail = 1
    while head < tail:
        zone = m.line[head]
        head += 1
        for slot in range(T.NEAR):
            other = int(t.near[zone, slot]) - 1
            if other < 0:
                break
            barrier = int(t.near_barrier[zone, slot]) - 1
            shut = barrier >= 0 and doors[barrier] == 0
            if found[other] == 0 and (not shut or (tools == 1 and passable(v, t, m, barrier))):
                found[other] = 1
                m.line[tail] = other
                tail += 1


@rule
def measure_ways(v, t, m, tool, distance, targets):
    """Costs from every zone to the nearest target: steps, zombies in the way, shut doors."""
    head = 0
    waiting = 0
    for zone in range(t.zones):
        distance[zone] = FAR
        m.queued[zone] = 0
        if targets[zone] == 1:
            distance[zone] = 0.0
            m.queued[zone] = 1
            m.line[waiting] = zone
            waiting += 1
    while waiting > 0:
        zone = m.line[head]
        head = (head + 1) % T.ZONES
        waiting -= 1
        m.queued[zone] = 0
        for slot in range(T.NEAR):
            other = int(t.near[zone, slot]) - 1
            if other < 0:
                break
            barrier = int(t.near_barrier[zone, slot]) - 1
            if not passable(v, t, m, barrier):
                continue
            cost = distance[zone] + 1.0 + m.w.crowd * m.crowd[zone]
            if barrier >= 0 and m.open[barrier] == 0:
                cost += m.w.door if tool else m.w.no_tool
            if cost < distance[other] - 1e-9:
                distance[other] = cost
                if m.queued[other] == 0:
                    m.queued[other] = 1
                    m.line[(head + waiting) % T.ZONES] = other
                    waiting += 1
