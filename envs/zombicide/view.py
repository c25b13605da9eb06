"""What a seat may know: the View's fields, `observe`, and `resample` over the rest.

Everything is open but the order of both decks and the colours of hidden objectives.  Survivors stand
in the order in which the observer counts them (his own first).  Zones stand in breadth-first order
from the survivor who is asked: his zone, its neighbours by slot, what he sees by slot, then the rest;
so the same place of the View means the same on every map.
"""

from __future__ import annotations

import numpy as np

from ..core.chance import seed_stream, shuffle_with
from ..core.decisions import top
from ..core.fields import Field, Fields
from ..core.rule import rule
from ..core.state import copy_row, fill
from . import cards as C
from . import table as T
from .rules.common import danger, is_open, look, place_of
from .rules.missions import goal_met
from .state import (
    ACT,
    ACTIVE,
    ARRANGE_LEFT,
    ARRANGE_RIGHT,
    DECISION_NAMES,
    EQUIP,
    FALLEN,
    FRIEND,
    HIT,
    KEEP,
    LEADING,
    LOSE,
    PULL,
    REACH,
    REROLL,
    RIDE,
    SEARCH,
    SKILL,
    STEP,
    TARGET,
    TAUNTING,
    TRADE,
    VICTIM,
    WAY,
)  # fmt: skip

KINDS = C.KINDS - 1
HIDDEN = len(T.COLOURS)  # a hidden objective, after the colours 1 (red) .. 6 (white)
MOST_NOISE = 20

FIELDS = Fields(
    Field("board", (4,), 127, "count", "a digest of the map (for pictures and lookups)"),
    Field("players", (), C.SEATS, "category", "how many play"),
    Field("survivors", (), C.SURVIVORS, "count", "how many survivors the team has"),
    Field(
        "zombivors", (), 2, "category", "1 the fallen return as zombivors, 2 all are zombivors from the start"
    ),
    Field("friendly_fire", (), 1, "flag", "shots and cars hit friends"),
    Field("round", (), 127, "count", "finished rounds (127: or more)"),
    Field("rounds_left", (), 127, "count", "rounds until the game is cut off (127: or more)"),
    Field("decision", (), len(DECISION_NAMES) - 1, "category", "what is decided (see the package's page)"),
    Field("to_act", (), C.SEATS, "category", "whose decision, relative seat + 1"),
    Field("actor", (), C.SURVIVORS, "category", "the survivor it is about, as counted here, + 1"),
    Field("partner", (), C.SURVIVORS, "category", "the partner of a trade + 1"),
    Field("extra_turn", (), 1, "flag", "an extra turn by a zombie link"),
    Field("card", (), KINDS, "category", "the card that was drawn"),
    Field("steps", (), 3, "count", "zones that a car may still go, cards still to draw"),
    Field("level_asked", (), 3, "category", "the level whose skill is chosen"),
    Field("gives", (C.SLOTS,), 1, "set", "slots whose cards cross to the partner"),
    Field("takes", (C.SLOTS,), 1, "set", "the partner's slots whose cards come over"),
    Field("fight_mode", (), 2, "category", "1 melee, 2 ranged"),
    Field("fight_slot", (), C.SLOTS, "category", "the weapon's slot + 1, also while its target is chosen"),
    Field("fight_pair", (), 1, "flag", "a second, equal weapon is used with it"),
    Field(
        "fight_place", (), T.ZONES, "count", "the zone that is fought in, as the place of the zone below + 1"
    ),
    Field("faces", (6,), 100, "count", "dice by number of pips"),
    Field("hits", (), 100, "count", "hits still to assign"),
    Field("damage", (), 5, "count", "what a hit does"),
    Field("ammo_used", (), 1, "flag", "the re-roll by Plenty of Ammo is used"),
    Field("luck_used", (), 1, "flag", "the re-roll by Lucky is used"),
    Field("danger", (), 3, "category", "the highest danger level"),
    Field("first", (), C.SEATS, "category", "who has the first-player token, relative seat + 1"),
    Field("deck_size", (), C.CARDS, "count", "cards in the equipment deck"),
    Field("discard", (C.KINDS,), 6, "count", "discarded equipment by kind"),
    Field("aside", (C.KINDS,), 6, "count", "equipment that lies aside by kind"),
    Field("spawn_size", (), C.ZOMBIE_CARDS, "count", "cards in the zombie deck"),
    Field("spawn_discard", (C.ZOMBIE_CARDS,), 1, "set", "zombie cards drawn since the last shuffle"),
    Field("pool", (C.ZOMBIES,), 30, "count", "figures not on the board"),
    Field("abominations", (), 10, "count", "Abominations killed (10: or more)"),
    Field("gunblade", (), 1, "flag", "the gunblade of the cars is taken"),
    Field("goal_kind", (T.GOALS_MOST,), len(T.GOALS), "category", "the goals of the mission"),
    Field("goal_met", (T.GOALS_MOST,), 1, "flag", "which of them are met now"),
    Field(
        "status",
        (C.SURVIVORS,),
        4,
        "category",
        "1 alive, 2 fallen and to return, 3 eliminated, 4 left by the exit",
    ),
    Field("seat", (C.SURVIVORS,), C.SEATS, "category", "whose survivor, relative seat + 1"),
    Field("character", (C.SURVIVORS,), C.SURVIVORS, "category", "who it is"),
    Field("zombivor", (C.SURVIVORS,), 1, "flag", "plays as a zombivor"),
    Field("place", (C.SURVIVORS,), T.ZONES, "count", "where, as the place of the zone below + 1"),
    Field("wounds", (C.SURVIVORS,), C.ZOMBIVOR_WOUNDS, "count", "wounds"),
    Field("xp", (C.SURVIVORS,), C.XP_RED, "count", "experience"),
    Field("slots", (C.SURVIVORS, C.SLOTS), KINDS, "category", "what lies in each slot, the hands first"),
    Field("spent", (C.SURVIVORS, C.SLOTS), 1, "flag", "must be reloaded"),
    Field("skills", (C.SURVIVORS, C.SKILLS), 2, "count", "skills, how often"),
    Field("actions", (C.SURVIVORS,), 10, "count", "ordinary actions left in this turn"),
    Field("free", (C.SURVIVORS, 4), 3, "count", "free moves, melee, ranged and combat actions left"),
    Field("gift", (C.SURVIVORS,), 5, "count", "actions handed over for the next turn"),
    Field("acting", (C.SURVIVORS,), 1, "flag", "his turn is on"),
    Field("acted", (C.SURVIVORS,), 1, "flag", "his turn of this round is over"),
    Field(
        "once", (C.SURVIVORS, 5), 1, "flag", "used this turn: search, Lifesaver, Shove, Taunt, Born leader"
    ),
    Field("car", (C.SURVIVORS,), T.CARS_MOST, "category", "sits in this car"),
    Field("driver", (C.SURVIVORS,), 1, "flag", "at the wheel"),
    Field("tower", (C.SURVIVORS,), 1, "flag", "on a watch tower"),
    Field("near", (T.NEAR,), T.ZONES, "count", "by neighbour slot: the place of that zone + 1"),
    Field(
        "near_barrier", (T.NEAR,), 4, "category", "between: 1 door, 2 double door, 3 cell door, 4 gate side"
    ),
    Field("near_open", (T.NEAR,), 1, "flag", "the way is open"),
    Field("near_locked", (T.NEAR,), 1, "flag", "no tool opens it"),
    Field("sight", (T.SIGHT,), T.ZONES, "count", "by sight slot: the place of that zone + 1"),
    Field("sight_range", (T.SIGHT,), T.ZONES, "count", "how far off it lies"),
    Field(
        "open", (T.BARRIERS,), 1, "flag", "doors and gate sides that are open, by their number in the mission"
    ),
    Field("unlocked", (T.BARRIERS,), 1, "flag", "locked doors that a tool opens now"),
    Field("zone", (T.ZONES,), T.ZONES, "count", "by place: the zone's number in the mission + 1"),
    Field("zone_kind", (T.ZONES,), 6, "category", "street, alley, yard, gate, room, cell"),
    Field("distance", (T.ZONES,), T.ZONES, "count", "steps from the acting survivor + 1, doors not counted"),
    Field("zombies", (T.ZONES, C.ZOMBIES), 30, "count", "zombies by kind"),
    Field("noise", (T.ZONES,), MOST_NOISE, "count", f"noise tokens ({MOST_NOISE}: or more)"),
    Field("people", (T.ZONES,), C.SURVIVORS, "count", "living survivors"),
    Field("unopened", (T.ZONES,), 1, "flag", "a building that was never opened"),
    Field("objective", (T.ZONES,), HIDDEN, "category", f"its colour; {HIDDEN}: hidden"),
    Field("objective_level", (T.ZONES,), 3, "count", "the level that all need to take it"),
    Field("switch", (T.ZONES,), HIDDEN - 1, "category", "a switch, by its colour"),
    Field("spawning", (T.ZONES,), 2, "category", "a spawn zone: 1 asleep, 2 active"),
    Field("car_here", (T.ZONES,), 5, "category", "a car, by its kind"),
    Field("tower_here", (T.ZONES,), 1, "flag", "a watch tower"),
    Field("exit", (T.ZONES,), 1, "flag", "the exit"),
    Field("manholes", (T.ZONES,), 4, "count", "manholes"),
    Field("goal_zone", (T.ZONES,), 1, "flag", "a goal names it as the place to gather"),
)
VIEW = FIELDS.dtype

ABOUT_ONE = (
    ACT, STEP, KEEP, ARRANGE_LEFT, ARRANGE_RIGHT, TRADE, TARGET, REROLL, HIT, FRIEND, LOSE, SKILL, RIDE,
    REACH, PULL,
    TAUNTING, LEADING, EQUIP,
)  # fmt: skip


@rule
def observe(state, ctx, seat, view):
    """Write the View of a seat, or of a spectator (-1, who counts as seat 0 does)."""
    t = ctx.tables[state.table]
    base = max(int(seat), 0)
    place = np.empty(T.ZONES, np.int64)
    order = np.empty(T.ZONES, np.int64)
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    zone = origin(state, t)
    tower = 0
    if state.depth > 0 and top(state).kind in ABOUT_ONE:
        tower = int(state.survivors[top(state).a].tower)
    n = look(state, t, zone, tower, seen, steps)
    distance = np.empty(T.ZONES, np.int64)
    count = breadth_first(state, t, zone, seen, n, order, place, distance)
    observe_table(state, t, base, view)
    observe_decision(state, base, view)
    observe_fight(state, place, view)
    observe_survivors(state, base, place, view)
    observe_sight(state, t, zone, seen, steps, n, place, view)
    observe_zones(state, t, order, distance, count, view)
    observe_marks(state, t, place, view)


@rule
def origin(state, t):
    """The zone that the View starts from: that of the survivor or the zombies it is about."""
    if state.depth == 0:
        return max(0, int(t.start[0]) - 1)
    frame = top(state)
    if frame.kind in ABOUT_ONE:
        return int(state.survivors[frame.a].zone)
    if frame.kind == VICTIM:
        return int(frame.a)
    if frame.kind == WAY:
        return int(frame.b)
    for i in range(C.SURVIVORS):
        if state.survivors[i].status == ACTIVE and state.survivors[i].seat == frame.seat:
            return int(state.survivors[i].zone)
    return max(0, int(t.start[0]) - 1)


@rule
def breadth_first(state, t, zone, seen, n, order, place, distance):
    """Order the zones: this one, its neighbours, what is seen, then outwards; returns how many there are."""
    zones = int(t.zones)
    for z in range(zones):
        place[z] = -1
        distance[z] = 0
    order[0] = zone
    place[zone] = 0
    distance[zone] = 1
    count = 1
    for slot in range(T.NEAR):
        other = int(t.near[zone, slot]) - 1
        if other < 0:
            break
        if place[other] < 0:
            place[other] = count
            order[count] = other
            count += 1
    for k in range(n):
        if place[seen[k]] < 0:
            place[seen[k]] = count
            order[count] = seen[k]
            count += 1
    line = np.empty(T.ZONES, np.int64)
    line[0] = zone
    head = 0
    tail = 1
    while head < tail:
        here = line[head]
        head += 1
        for slot in range(T.NEAR):
            other = int(t.near[here, slot]) - 1
            if other < 0:
                break
            if distance[other] == 0:
                distance[other] = distance[here] + 1
                line[tail] = other
                tail += 1
                if place[other] < 0:
                    place[other] = count
                    order[count] = other
                    count += 1
    for z in range(zones):
        if place[z] < 0:
            place[z] = count
            order[count] = z
            count += 1
    return count


@rule
def observe_table(state, t, base, view):
    """What concerns the whole table."""
    players = int(state.players)
    options = state.options
    copy_row(view.board, t.board)
    copy_row(view.open, state.open)
    copy_row(view.unlocked, state.unlocked)
    view.players = players
    view.survivors = options.survivors
    view.zombivors = options.zombivors
    view.friendly_fire = options.friendly_fire
    view.round = min(127, int(state.turns))
    view.rounds_left = min(127, max(0, int(options.max_rounds) - int(state.turns)))
    view.danger = danger(state)
    view.first = (state.first - base + players) % players + 1
    view.deck_size = state.deck_size
    copy_row(view.discard, state.discard)
    copy_row(view.aside, state.aside)
    view.spawn_size = state.spawn_size
    copy_row(view.spawn_discard, state.spawn_discard)
    copy_row(view.pool, state.pool)
    view.abominations = min(10, int(state.abominations))
    view.gunblade = state.gunblade
    for goal in range(T.GOALS_MOST):
        view.goal_kind[goal] = t.goal_kind[goal]
        view.goal_met[goal] = t.goal_kind[goal] > 0 and goal_met(state, t, goal)


@rule
def observe_decision(state, base, view):
    """What is decided, by whom, and its arguments."""
    view.decision = 0
    view.to_act = 0
    view.actor = 0
    view.partner = 0
    view.extra_turn = 0
    view.card = 0
    view.steps = 0
    view.level_asked = 0
    fill(view.gives, 0)
    fill(view.takes, 0)
    if state.depth == 0:
        return
    players = int(state.players)
    frame = top(state)
    kind = int(frame.kind)
    view.decision = kind
    view.to_act = (frame.seat - base + players) % players + 1
    if kind in ABOUT_ONE:
        view.actor = place_of(state, base, int(frame.a)) + 1
    if kind == ACT:
        view.extra_turn = frame.b
    elif kind == KEEP:
        view.card = frame.b
        for k in range(state.depth):
            if state.stack[k].kind == SEARCH:
                view.steps = min(3, int(state.stack[k].c))
    elif kind == RIDE:
        view.steps = frame.b
    elif kind == SKILL:
        view.level_asked = frame.b
    elif kind == TRADE:
        view.partner = place_of(state, base, int(frame.b)) + 1
        for slot in range(C.SLOTS):
            view.gives[slot] = frame.c >> slot & 1
            view.takes[slot] = frame.d >> slot & 1


@rule
def observe_fight(state, place, view):
    """Weapon, dice and hits of the fight that is on; while the target is chosen, the weapon."""
    fight = state.fight
    view.fight_mode = fight.mode
    for face in range(6):
        view.faces[face] = min(100, int(fight.faces[face]))
    view.hits = min(100, int(fight.hits))
    view.damage = min(5, int(fight.damage))
    view.ammo_used = fight.ammo
    view.luck_used = fight.lucky
    view.fight_slot = 0
    view.fight_pair = 0
    view.fight_place = 0
    if fight.mode > 0:
        view.fight_slot = fight.slot + 1
        view.fight_pair = fight.other > 0
        view.fight_place = place[fight.zone] + 1
    elif state.depth > 0 and top(state).kind == TARGET:
        view.fight_mode = top(state).d
        view.fight_slot = top(state).b + 1
        view.fight_pair = top(state).c > 0


@rule
def observe_survivors(state, base, place, view):
    """All survivors, the observer's first."""
    players = int(state.players)
    n = int(state.options.survivors)
    per_seat = n // players
    for k in range(C.SURVIVORS):
        i = (base * per_seat + k) % n if k < n else k
        me = state.survivors[i]
        view.status[k] = me.status
        view.seat[k] = (me.seat - base + players) % players + 1 if k < n else 0
        view.character[k] = me.character
        view.zombivor[k] = me.zombivor
        view.place[k] = place[me.zone] + 1 if me.status == ACTIVE or me.status == FALLEN else 0
        view.wounds[k] = me.wounds
        view.xp[k] = me.xp
        copy_row(view.slots[k], me.slots)
        copy_row(view.spent[k], me.spent)
        copy_row(view.skills[k], me.skills)
        view.actions[k] = min(10, int(me.actions))
        view.free[k, 0] = me.moves
        view.free[k, 1] = me.melees
        view.free[k, 2] = me.shots
        view.free[k, 3] = me.fights
        view.gift[k] = min(5, int(me.gift))
        view.acting[k] = me.acting
        view.acted[k] = me.acted
        view.once[k, 0] = me.searched
        view.once[k, 1] = me.saved
        view.once[k, 2] = me.shoved
        view.once[k, 3] = me.taunted
        view.once[k, 4] = me.led
        view.car[k] = me.car
        view.driver[k] = me.driver
        view.tower[k] = me.tower > 0


@rule
def observe_sight(state, t, zone, seen, steps, n, place, view):
    """Neighbour slots and sight slots of the zone in question."""
    for slot in range(T.NEAR):
        other = int(t.near[zone, slot])
        barrier = int(t.near_barrier[zone, slot])
        view.near[slot] = place[other - 1] + 1 if other > 0 else 0
        view.near_barrier[slot] = t.barrier_kind[barrier - 1] if barrier > 0 else 0
        view.near_open[slot] = other > 0 and is_open(state, barrier)
        locked = barrier > 0 and t.barrier_locked[barrier - 1] == 1 and state.unlocked[barrier - 1] == 0
        view.near_locked[slot] = locked
    for k in range(T.SIGHT):
        view.sight[k] = place[seen[k]] + 1 if k < n else 0
        view.sight_range[k] = steps[k] if k < n else 0


@rule
def observe_zones(state, t, order, distance, count, view):
    """The zones, place by place; places without a zone are zero."""
    for k in range(T.ZONES):
        view.people[k] = 0
        view.objective[k] = 0
        view.objective_level[k] = 0
        view.switch[k] = 0
        view.spawning[k] = 0
        view.car_here[k] = 0
        view.tower_here[k] = 0
        view.exit[k] = 0
        view.manholes[k] = 0
        view.goal_zone[k] = 0
    for k in range(count):
        zone = order[k]
        view.zone[k] = zone + 1
        view.zone_kind[k] = t.kind[zone]
        view.distance[k] = distance[zone]
        view.noise[k] = min(MOST_NOISE, int(state.noise[zone]))
        view.unopened[k] = t.building[zone] > 0 and state.revealed[t.building[zone] - 1] == 0
        copy_row(view.zombies[k], state.zombies[zone])
    for k in range(count, T.ZONES):
        view.zone[k] = 0
        view.zone_kind[k] = 0
        view.distance[k] = 0
        view.noise[k] = 0
        view.unopened[k] = 0
        fill(view.zombies[k], 0)


@rule
def observe_marks(state, t, place, view):
    """What lies in the zones."""
    for i in range(C.SURVIVORS):
        if state.survivors[i].status == ACTIVE:
            view.people[place[state.survivors[i].zone]] += 1
    for k in range(t.objectives):
        if state.taken[k] == 0:
            where = place[t.objective_zone[k] - 1]
            view.objective[where] = HIDDEN if t.objective_hidden[k] == 1 else state.colour[k]
            view.objective_level[where] = t.objective_level[k]
    for k in range(T.SWITCHES):
        if t.switch_zone[k] > 0:
            view.switch[place[t.switch_zone[k] - 1]] = t.switch_colour[k]
    for k in range(T.SPAWNS):
        if t.spawn_zone[k] > 0:
            where = place[t.spawn_zone[k] - 1]
            view.spawning[where] = max(int(view.spawning[where]), 1 + state.spawning[k])
    for k in range(T.CARS_MOST):
        if t.car_kind[k] > 0:
            view.car_here[place[state.car_zone[k]]] = t.car_kind[k]
    for k in range(T.TOWERS):
        if t.tower_zone[k] > 0:
            view.tower_here[place[t.tower_zone[k] - 1]] = 1
    if state.exit > 0:
        view.exit[place[state.exit - 1]] = 1
    for k in range(T.MANHOLES):
        if t.manhole_zone[k] == 0:
            break
        view.manholes[place[t.manhole_zone[k] - 1]] += 1
    for goal in range(T.GOALS_MOST):
        if t.goal_kind[goal] == T.GOAL_GATHER:
            for zone in range(t.zones):
                if t.sets[t.goal_arg[goal], zone] == 1:
                    view.goal_zone[place[zone]] = 1


@rule
def resample(state, ctx, seat, seed):
    """Shuffle both decks and the colours of hidden objectives anew; all else is open."""
    t = ctx.tables[state.table]
    seed_stream(state.random, seed)
    shuffle_with(state.random, state.deck, state.deck_size)
    shuffle_with(state.random, state.spawn_deck, state.spawn_size)
    hidden = np.empty(T.OBJECTIVES, np.int64)
    colours = np.empty(T.OBJECTIVES, np.int64)
    n = 0
    for k in range(t.objectives):
        if t.objective_hidden[k] == 1 and state.taken[k] == 0:
            hidden[n] = k
            colours[n] = state.colour[k]
            n += 1
    shuffle_with(state.random, colours, n)
    for k in range(n):
        state.colour[hidden[k]] = colours[k]
