"""The run-time table of a mission: one record, read by the rules as ``ctx.tables[state.table]``."""

from __future__ import annotations

from ..core.state import record

# --- sizes ---------------------------------------------------------------------------------------

ZONES = 96
NEAR = 8  # neighbour slots of a zone
SIGHT = 16  # sight slots of a zone, its own the first
BARRIERS = 64  # doors, cell doors and gate sides
STEPS = 1024  # steps of all rays of sight
TILES = 12
STARTS, SPAWNS, OBJECTIVES, SWITCHES, CARS_MOST, GATES, TOWERS = 6, 12, 16, 8, 4, 2, 2
EVENTS_MOST, GOALS_MOST, SETS, MANHOLES, PLACED = 16, 8, 8, 32, 16
TOWER_VIEW = 40
OBJECTIVE_XP = 5  # of an objective, unless its mission says otherwise

# --- words as numbers ----------------------------------------------------------------------------

STREET, ALLEY, YARD, GATE, ROOM, CELL = range(1, 7)
ZONE_KINDS = {"street": STREET, "alley": ALLEY, "yard": YARD, "gate": GATE, "building": ROOM, "cell": CELL}
DOOR, DOUBLE_DOOR, CELL_DOOR, GATE_SIDE = range(1, 5)
COLOURS = ("neutral", "red", "blue", "green", "yellow", "violet", "white")
NEUTRAL = 0
DIRECTIONS = "NESW"

# When an event happens ...
ON_START, ON_ROUND, ON_TAKEN, ON_ALL_TAKEN, ON_SWITCH, ON_LEVEL, ON_TILE, ON_ROUND_NUMBER = range(1, 9)
TRIGGERS = {
    "start": ON_START, "round": ON_ROUND, "taken": ON_TAKEN, "all taken": ON_ALL_TAKEN, "switch": ON_SWITCH,
    "level": ON_LEVEL, "tile entered": ON_TILE, "round number": ON_ROUND_NUMBER,
}  # fmt: skip
# ... and what it does.
DO_SPAWN_ON, DO_SPAWN_OFF, DO_OPEN, DO_SHUT, DO_UNLOCK, DO_EXIT, DO_DRAW, DO_DRAW_TILE, DO_PLACE = range(
    1, 10
)
EFFECTS = {
    "start spawning": DO_SPAWN_ON, "stop spawning": DO_SPAWN_OFF, "open": DO_OPEN, "shut": DO_SHUT,
    "unlock": DO_UNLOCK, "exit": DO_EXIT, "draw": DO_DRAW, "draw on tile": DO_DRAW_TILE, "place": DO_PLACE,
}  # fmt: skip
HERE = -1  # an exit where the objective lay

GOAL_OBJECTIVES, GOAL_GATHER, GOAL_CLEAR, GOAL_SHUT, GOAL_LEFT, GOAL_ROUNDS, GOAL_ABOMINATION, GOAL_LEVEL = (
    range(1, 9)
)
GOALS = {
    "objectives": GOAL_OBJECTIVES, "gather": GOAL_GATHER, "clear": GOAL_CLEAR, "shut": GOAL_SHUT,
    "leave": GOAL_LEFT,
    "rounds": GOAL_ROUNDS, "abomination": GOAL_ABOMINATION, "level": GOAL_LEVEL,
}  # fmt: skip
LEVELS = ("blue", "yellow", "orange", "red")

# --- the record ----------------------------------------------------------------------------------

TABLE = record([
    ("tiles", "i4", (ZONES,)),  # bit set of the tiles that a zone belongs to
    ("ray_from", "i2", (ZONES + 1,)),  # the rays of zone z are the steps ray_from[z] .. ray_from[z + 1] - 1
    ("step_zone", "i1", (STEPS,)),
    ("step_barrier", "i1", (STEPS,)),  # barrier + 1 that must be open for this step, 0: none
    ("step_first", "i1", (STEPS,)),  # 1: a new ray begins at the zone itself
    ("kind", "i1", (ZONES,)),  # STREET ... CELL, 0: no such zone
    ("building", "i1", (ZONES,)),  # building + 1 of rooms and cells
    ("near", "i1", (ZONES, NEAR)),  # neighbour + 1 by slot
    ("near_barrier", "i1", (ZONES, NEAR)),  # barrier + 1 in between, 0: always open
    ("by_car", "i1", (ZONES, NEAR)),  # 1: a car may pass here (when open)
    ("barrier_kind", "i1", (BARRIERS,)),
    ("barrier_colour", "i1", (BARRIERS,)),
    ("barrier_gate", "i1", (BARRIERS,)),  # gate + 1
    ("barrier_side", "i1", (BARRIERS,)),  # 0 .. 3 clockwise from the north, of gate sides
    ("barrier_open", "i1", (BARRIERS,)),  # at set-up
    ("barrier_locked", "i1", (BARRIERS,)),  # no tool opens it
    ("gate_colour", "i1", (GATES,)),
    ("revealed", "i1", (ZONES,)),  # by building: nothing spawns at its first opening
    ("safe", "i1", (ZONES,)),  # safety zone: nothing is ever spawned there
    ("start", "i1", (STARTS,)),  # zone + 1
    ("spawn_zone", "i1", (SPAWNS,)),  # zone + 1, clockwise
    ("spawn_colour", "i1", (SPAWNS,)),
    ("spawn_active", "i1", (SPAWNS,)),
    ("objective_zone", "i1", (OBJECTIVES,)),  # zone + 1
    ("objective_colour", "i1", (OBJECTIVES,)),
    ("objective_xp", "i1", (OBJECTIVES,)),
    ("objective_hidden", "i1", (OBJECTIVES,)),
    ("objective_level", "i1", (OBJECTIVES,)),  # may be taken once all living survivors have this level
    ("switch_zone", "i1", (SWITCHES,)),  # zone + 1
    ("switch_colour", "i1", (SWITCHES,)),
    ("car_kind", "i1", (CARS_MOST,)),
    ("car_zone", "i1", (CARS_MOST,)),  # zone + 1
    ("car_drives", "i1", (CARS_MOST,)),
    ("tower_zone", "i1", (TOWERS,)),  # zone + 1
    ("tower_sees", "i1", (TOWERS, TOWER_VIEW)),  # zone + 1
    ("tower_range", "i1", (TOWERS, TOWER_VIEW)),
    ("manhole_zone", "i1", (MANHOLES,)),  # zone + 1, once for each manhole
    ("manhole_tile", "i1", (MANHOLES,)),
    ("placed_zone", "i1", (PLACED,)),  # zombies on the board at set-up: zone + 1
    ("placed_kind", "i1", (PLACED,)),
    ("placed_count", "i1", (PLACED,)),
    ("event_when", "i1", (EVENTS_MOST,)),
    ("event_arg", "i1", (EVENTS_MOST,)),
    ("event_then", "i1", (EVENTS_MOST,)),
    ("event_target", "i1", (EVENTS_MOST,)),  # a colour, a set, a zone + 1, or HERE
    ("event_kind", "i1", (EVENTS_MOST,)),  # zombies to place
    ("event_count", "i1", (EVENTS_MOST,)),
    ("goal_kind", "i1", (GOALS_MOST,)),
    ("goal_arg", "i1", (GOALS_MOST,)),  # a colour (NEUTRAL: all), a set, a number or a level
    ("sets", "i1", (SETS, ZONES)),  # sets of zones
    ("board", "i1", (4,)),  # a digest of the map, by which pictures find it
    ("loses_any", "i1"),  # lost as soon as a starting survivor is eliminated
    ("zones", "i1"),
    ("barriers", "i1"),
    ("buildings", "i1"),
    ("objectives", "i1"),
])  # fmt: skip
