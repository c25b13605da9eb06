"""What the scripted team goes for: objectives, switches that open the way, the exit, weapons first."""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.zombicide import cards as C
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.view import HIDDEN

from .sense import (
    ARMS,
    CLEAR,
    EXIT,
    FAR,
    GATHER,
    OBJECTIVE,
    SHUT,
    SWITCH,
    arms,
    flood,
    holds_tool,
    measure_ways,
)  # fmt: skip


@rule
def plan(v, t, m):
    """Set what the team goes for, the zones to go to, and how far each zone is from them."""
    flood(v, t, m.open, m.reach, m, 1)
    for zone in range(t.zones):
        m.wanted[zone] = 0
    m.task_kind = ARMS
    if not wants_arms(v, t, m):
        m.task_kind = mark_tasks(v, t, m)
    if m.task_kind == ARMS:
        mark_sites(v, t, m)
    choose_together(v, t, m)
    measure_ways(v, t, m, holds_tool(v, m.me, C.HANDS), m.away, m.task)


# --- weapons first -------------------------------------------------------------------------------


@rule
def wants_arms(v, t, m):
    """Whether several of the team are badly armed, and there is time to look for better: much of it when shut in."""
    calm = shut_in(v, t, m)
    if v.round >= (m.w.calm_rounds if calm else m.w.search_rounds):
        return False
    if not calm and errand(v, t, m) < m.w.errand:
        return False
    enough = m.w.calm_arms if calm else m.w.arms
    weak = 0
    for k in range(v.survivors):
        weak += m.spot[k] >= 0 and arms(v, k) < enough
    return weak > 1


@rule
def errand(v, t, m):
    """How long the ways to all objectives are together, those that are shut off included."""
    total = 0.0
    for zone in range(t.zones):
        m.one[zone] = 0
    for number in range(t.objectives):
        zone = int(t.objective_zone[number]) - 1
        if v.objective[m.place[zone]] > 0 and needed(t, number):
            m.one[zone] = 1
            measure_ways(v, t, m, True, m.far, m.one)
            m.one[zone] = 0
            total += m.far[m.zone]
    return total


@rule
def shut_in(v, t, m):
    """Whether no active spawn zone has an open way to the survivor."""
    flood(v, t, m.open, m.task, m, 0)
    for zone in range(t.zones):
        if m.task[zone] == 1 and v.spawning[m.place[zone]] == 2:
            return False
    return True


@rule
def mark_sites(v, t, m):
    """Places to search: rooms and police cars."""
    for zone in range(t.zones):
        place = m.place[zone]
        if m.reach[zone] == 1 and (t.kind[zone] == T.ROOM or v.car_here[place] == C.POLICE):
            m.wanted[zone] = 1


# --- tasks ---------------------------------------------------------------------------------------


@rule
def mark_tasks(v, t, m):
    """Objectives first, then switches that open the way, the exit, the gathering place; else weapons."""
    found = False
    shut_off = False
    for number in range(t.objectives):
        zone = int(t.objective_zone[number]) - 1
        if v.objective[m.place[zone]] == 0 or not needed(t, number) or t.objective_level[number] > m.lowest:
            continue
        if m.reach[zone] == 1:
            m.wanted[zone] = 1
            found = True
        else:
            shut_off = True
    if found:
        return OBJECTIVE
    gather = False
    gather_open = False
    for zone in range(t.zones):
        if v.goal_zone[m.place[zone]] == 1:
            gather = True
            gather_open = gather_open or m.reach[zone] == 1
    if (shut_off or (gather and not gather_open)) and mark_switches(v, t, m):
        return SWITCH
    for zone in range(t.zones):
        if v.exit[m.place[zone]] == 1:
            m.wanted[zone] = 1
            found = True
    if found:
        return EXIT
    if not gather:
        return ARMS
    if all_gathered(v, m):
        if mark_to_clear(v, t, m):
            return CLEAR
        if mark_to_shut(v, t, m):
            return SHUT
    for zone in range(t.zones):
        m.wanted[zone] = v.goal_zone[m.place[zone]]
    return GATHER


@rule
def needed(t, number):
    """Whether a goal or an event asks for an objective."""
    colour = HIDDEN if t.objective_hidden[number] == 1 else int(t.objective_colour[number])
    for goal in range(T.GOALS_MOST):
        if t.goal_kind[goal] == T.GOAL_OBJECTIVES and (
            t.goal_arg[goal] == T.NEUTRAL or t.goal_arg[goal] == colour
        ):
            return True
    for event in range(T.EVENTS_MOST):
        if t.event_when[event] == T.ON_ALL_TAKEN:
            return True
        if t.event_when[event] == T.ON_TAKEN and (t.event_arg[event] == colour or colour == HIDDEN):
            return True
    return False


@rule
def all_gathered(v, m):
    """Whether all living survivors are where a goal wants them."""
    for k in range(v.survivors):
        if m.spot[k] >= 0 and v.goal_zone[m.place[m.spot[k]]] == 0:
            return False
    return True


@rule
def mark_to_clear(v, t, m):
    """Zones that a goal wants free of zombies and that are not."""
    found = False
    for goal in range(T.GOALS_MOST):
        if t.goal_kind[goal] == T.GOAL_CLEAR:
            for zone in range(t.zones):
                if t.sets[t.goal_arg[goal], zone] == 1 and m.crowd[zone] > 0 and m.reach[zone] == 1:
                    m.wanted[zone] = 1
                    found = True
    return found


@rule
def must_be_shut(t, m, barrier):
    """Whether a goal wants a door shut that is open."""
    for goal in range(T.GOALS_MOST):
        if t.goal_kind[goal] == T.GOAL_SHUT and m.open[barrier] == 1:
            colour = t.goal_arg[goal]
            if colour == T.NEUTRAL and t.barrier_kind[barrier] == T.DOUBLE_DOOR:
                return True
            if colour != T.NEUTRAL and t.barrier_colour[barrier] == colour:
                return True
    return False


@rule
def shuts(t, m, switch):
    """Whether a switch shuts a door that a goal wants shut."""
    for barrier in range(t.barriers):
        if t.barrier_colour[barrier] == t.switch_colour[switch] and must_be_shut(t, m, barrier):
            return True
    return False


@rule
def mark_to_shut(v, t, m):
    """Switches of doors that a goal wants shut and that are open."""
    found = False
    for switch in range(T.SWITCHES):
        zone = int(t.switch_zone[switch]) - 1
        if zone >= 0 and m.reach[zone] == 1 and shuts(t, m, switch):
            m.wanted[zone] = 1
            found = True
    return found


# --- switches ------------------------------------------------------------------------------------

MOST_USES = 3  # of one switch: a gate is back after four


@rule
def turn(t, m, colour, times):
    """Doors after the switch of a colour was used so many times."""
    for barrier in range(t.barriers):
        m.turned[barrier] = m.open[barrier]
        if t.barrier_colour[barrier] != colour:
            continue
        if t.barrier_gate[barrier] == 0:
            m.turned[barrier] = m.open[barrier] ^ (times & 1)
            continue
        side = (t.barrier_side[barrier] - times) % 4
        for other in range(t.barriers):
            if t.barrier_gate[other] == t.barrier_gate[barrier] and t.barrier_side[other] == side:
                m.turned[barrier] = m.open[other]


@rule
def uses_needed(v, t, m, switch):
    """How often a switch must be used to open the way to what is shut off; more than MOST_USES: never."""
    objectives = False
    for zone in range(t.zones):
        if v.objective[m.place[zone]] > 0 and m.reach[zone] == 0:
            objectives = True
    for times in range(1, MOST_USES + 1):
        turn(t, m, int(t.switch_colour[switch]), times)
        flood(v, t, m.turned, m.task, m, 1)
        for zone in range(t.zones):
            place = m.place[zone]
            shut_off = m.reach[zone] == 0 and v.objective[place] > 0
            if m.task[zone] == 1 and (shut_off if objectives else v.goal_zone[place] == 1):
                return times
    return MOST_USES + 1


@rule
def mark_switches(v, t, m):
    """Of the switches that open the way, those that need the fewest uses."""
    least = MOST_USES
    for switch in range(T.SWITCHES):
        zone = int(t.switch_zone[switch]) - 1
        if zone >= 0 and m.reach[zone] == 1:
            least = min(least, uses_needed(v, t, m, switch))
    found = False
    for switch in range(T.SWITCHES):
        zone = int(t.switch_zone[switch]) - 1
        if zone >= 0 and m.reach[zone] == 1 and uses_needed(v, t, m, switch) == least:
            m.wanted[zone] = 1
            found = True
    return found


# --- together ------------------------------------------------------------------------------------


@rule
def choose_together(v, t, m):
    """The team goes for what is nearest to all; a survivor takes other objectives that lie close to him."""
    if m.task_kind == EXIT or m.task_kind == GATHER:
        for zone in range(t.zones):
            m.task[zone] = m.wanted[zone]
        return
    best = -1
    least = FAR * C.SURVIVORS
    for zone in range(t.zones):
        m.task[zone] = 0
        m.one[zone] = 0
    for zone in range(t.zones):
        if m.wanted[zone] == 0:
            continue
        m.one[zone] = 1
        measure_ways(v, t, m, True, m.far, m.one)
        m.one[zone] = 0
        total = 0.0
        for k in range(v.survivors):
            if m.spot[k] >= 0:
                total += m.far[m.spot[k]]
        if total < least:
            least = total
            best = zone
        if m.task_kind == OBJECTIVE and m.far[m.zone] <= m.w.side_way:
            m.task[zone] = 1
    if best >= 0:
        m.task[best] = 1
