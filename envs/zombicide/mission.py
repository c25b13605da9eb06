"""Missions: TOML files over the real tiles (or over free zones), checked, and made run-time tables.

The format stands in MISSIONS.md.  `load` raises MissionError with one line for a bad file.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core.options import nearest
from ..core.toml import tomllib
from . import table as T
from .board import BUILDING, Board, Line
from .cards import CAR_NAMES, FIGURES, ZOMBIE_NAMES
from .layout import Barrier, Layout, MissionError, colour_of, fill_row, word
from .schema import check

FOLDER = Path(__file__).parent / "missions"

_KNOWN: dict[tuple[int, ...], Mission] = {}  # by the digest in the table


@dataclass
class Mission:
    """A mission: its texts, its board, its barriers and lines of sight, and the table record (1,)."""

    name: str
    title: str
    about: str
    status: str
    difficulty: str
    board: Board
    barriers: list[Barrier]
    lines: list[Line]
    record: np.ndarray

    @property
    def zone_names(self) -> list[str]:
        """Names of the zones by number."""
        return [zone.name for zone in self.board.zones]


def mission_names() -> tuple[str, ...]:
    """The missions that come with the game, in order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def summary(name: str) -> str:
    """A mission in one line: what it is about, how big, how hard, what it is played with."""
    mission = load(name)
    row = mission.record[0]
    tiles = len({tile for zone in mission.board.zones for tile in zone.tiles})
    parts = [mission.difficulty, f"{tiles} tile{'s' * (tiles > 1)}", f"{len(mission.board.zones)} zones"]
    parts.append("4 to 6 survivors, none may be lost" if row["loses_any"] else "4 to 6 survivors")
    return f"`{name}` ({', '.join(parts)}): {mission.about}"


@functools.cache
def load(name: str) -> Mission:
    """A mission by its name, or by the path of a TOML file."""
    own = name.endswith(".toml")
    path = Path(name) if own else FOLDER / f"{name}.toml"
    if not own and not path.is_file():
        raise MissionError(f"there is no mission {name!r}{nearest(name, list(mission_names()))}")
    try:
        text = tomllib.loads(path.read_text("utf-8"))
    except OSError as wrong:
        raise MissionError(f"{name} cannot be read: {wrong.strerror}") from None
    except ValueError as wrong:  # no TOML, no UTF-8, no path
        raise MissionError(f"mission {name}: not TOML: {wrong}") from None
    return make(text, path.stem)


def known(digest: tuple[int, ...]) -> Mission | None:
    """The mission with this digest, if it is a shipped one or was made in this process."""
    if digest not in _KNOWN:
        for name in mission_names():
            load(name)
    return _KNOWN.get(digest)


def make(text: dict[str, Any], name: str = "mission") -> Mission:
    """A mission from its parsed file; raises MissionError."""
    try:
        return _Maker(text, name).make()
    except MissionError as wrong:
        raise MissionError(f"mission {name}: {wrong}") from None
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as wrong:
        what = f"key {wrong} is missing" if isinstance(wrong, KeyError) else str(wrong)
        raise MissionError(f"mission {name}: {what}") from None


class _Maker(Layout):
    """Builds one mission, field by field."""

    def __init__(self, text: dict[str, Any], name: str) -> None:
        check(text)
        super().__init__(text)
        self.name = name

    def make(self) -> Mission:
        lines = self.lay_out()
        self._pieces()
        self._events()
        self._goals()
        self._sets()
        self._buildings()
        self._reachable()
        shape = repr([(zone.name, zone.rects) for zone in self.board.zones]).encode()
        digest = hashlib.sha256(self.record.tobytes() + shape).digest()
        self.row["board"] = [byte & 127 for byte in digest[:4]]
        get = self.text.get
        mission = Mission(
            self.name, get("title", self.name), get("about", ""), get("status", ""), get("difficulty", ""),
            self.board, self.barriers, lines, self.record,
        )  # fmt: skip
        _KNOWN[tuple(self.row["board"].tolist())] = mission
        return mission

    # --- what lies on the board ------------------------------------------------------------------

    def _pieces(self) -> None:
        row, text = self.row, self.text
        starts = text["start"] if isinstance(text["start"], list) else [text["start"]]
        fill_row(row["start"], [self.zone(name) + 1 for name in starts], "start zones")
        spawns = text.get("spawns", ())
        fill_row(row["spawn_zone"], [self.zone(spawn["zone"]) + 1 for spawn in spawns], "spawn zones")
        fill_row(row["spawn_colour"], [colour_of(spawn, "red") for spawn in spawns], "spawn zones")
        fill_row(row["spawn_active"], [spawn.get("active", True) for spawn in spawns], "spawn zones")
        objectives = text.get("objectives", ())
        row["objectives"] = len(objectives)
        places = [self.zone(objective["zone"]) for objective in objectives]
        if len(places) != len(set(places)):
            raise MissionError("two objectives lie in one zone")
        fill_row(row["objective_zone"], [place + 1 for place in places], "objectives")
        fill_row(
            row["objective_colour"], [colour_of(objective, "red") for objective in objectives], "objectives"
        )
        fill_row(
            row["objective_xp"],
            [objective.get("xp", T.OBJECTIVE_XP) for objective in objectives],
            "objectives",
        )
        fill_row(
            row["objective_hidden"],
            [objective.get("hidden", False) for objective in objectives],
            "objectives",
        )
        levels = [word(objective.get("needs", "blue"), T.LEVELS, "level") for objective in objectives]
        fill_row(row["objective_level"], levels, "objectives")
        switches = text.get("switches", ())
        places = [self.zone(switch["zone"]) for switch in switches]
        if len(places) != len(set(places)):
            raise MissionError("two switches stand in one zone")
        for objective in objectives:  # whether it can be taken would tell its colour
            if objective.get("hidden", False) and self.zone(objective["zone"]) in places:
                raise MissionError(
                    f"the objective in {objective['zone']} lies beside a switch and cannot be hidden"
                )
        fill_row(row["switch_zone"], [place + 1 for place in places], "switches")
        fill_row(row["switch_colour"], [colour_of(switch) for switch in switches], "switches")
        cars = text.get("cars", ())
        fill_row(row["car_kind"], [word(car["kind"], CAR_NAMES, "car") + 1 for car in cars], "cars")
        fill_row(row["car_zone"], [self.zone(car["zone"]) + 1 for car in cars], "cars")
        fill_row(row["car_drives"], [car.get("drivable", True) for car in cars], "cars")
        for car in cars:
            if self.board.zones[self.zone(car["zone"])].kind not in ("street", "alley"):
                raise MissionError(f"a {car['kind']} must stand in a street or an alley")
        zombies = text.get("zombies", ())
        fill_row(row["placed_zone"], [self.zone(z["zone"]) + 1 for z in zombies], "zombies")
        fill_row(row["placed_kind"], [word(z["kind"], ZOMBIE_NAMES, "zombie") for z in zombies], "zombies")
        fill_row(row["placed_count"], [z.get("count", 1) for z in zombies], "zombies")
        for kind, figures in zip(ZOMBIE_NAMES, FIGURES):
            count = sum(z.get("count", 1) for z in zombies if z["kind"] == kind)
            if count > figures:
                raise MissionError(f"zombies: {kind} stands there {count} times, there are {figures} figures")
        for zone in self.zones(list(text.get("safe", ()))):
            row["safe"][zone] = 1

    # --- what happens ----------------------------------------------------------------------------

    def _events(self) -> None:
        row = self.row
        events = self.text.get("events", ())
        if len(events) > T.EVENTS_MOST:
            raise MissionError(f"it has {len(events)} events, at most {T.EVENTS_MOST} are possible")
        for number, event in enumerate(events):
            when, then = (
                word(event["when"], tuple(T.TRIGGERS), "trigger"),
                word(event["then"], tuple(T.EFFECTS), "effect"),
            )
            trigger, effect = list(T.TRIGGERS.values())[when], list(T.EFFECTS.values())[then]
            row["event_when"][number] = trigger
            row["event_then"][number] = effect
            if trigger in (T.ON_TAKEN, T.ON_SWITCH):
                row["event_arg"][number] = word(event["of"], T.COLOURS, "colour")
            elif trigger == T.ON_LEVEL:
                row["event_arg"][number] = word(event["of"], T.LEVELS, "level")
            elif trigger == T.ON_ROUND_NUMBER:
                row["event_arg"][number] = event["of"]
            if effect in (T.DO_SPAWN_ON, T.DO_SPAWN_OFF, T.DO_OPEN, T.DO_SHUT, T.DO_UNLOCK):
                row["event_target"][number] = word(event["colour"], T.COLOURS, "colour")
            elif effect == T.DO_EXIT:
                row["event_target"][number] = self.zone(event["zone"]) + 1 if "zone" in event else T.HERE
            elif effect == T.DO_DRAW:
                row["event_target"][number] = self.zone_set(self.zones(event["zones"]))
            elif effect == T.DO_PLACE:
                row["event_target"][number] = self.zone(event["zone"]) + 1
                row["event_kind"][number] = word(event["kind"], ZOMBIE_NAMES, "zombie")
                row["event_count"][number] = event.get("count", 1)

    def _goals(self) -> None:
        row = self.row
        goals = self.text.get("goals", ())
        if not 1 <= len(goals) <= T.GOALS_MOST:
            raise MissionError(f"it has {len(goals)} goals, must have 1 to {T.GOALS_MOST}")
        for number, goal in enumerate(goals):
            kind = T.GOALS[tuple(T.GOALS)[word(goal["kind"], tuple(T.GOALS), "goal")]]
            row["goal_kind"][number] = kind
            if kind in (T.GOAL_OBJECTIVES, T.GOAL_SHUT):
                colour = word(goal.get("colour", "neutral"), T.COLOURS, "colour")
                row["goal_arg"][number] = colour
                if kind == T.GOAL_OBJECTIVES and not any(
                    colour in (T.NEUTRAL, colour_of(objective, "red"))
                    for objective in self.text.get("objectives", ())
                ):
                    raise MissionError(
                        f"goal {number + 1} asks for objectives that the mission does not have"
                    )
                main = colour == T.NEUTRAL  # no colour: all main entries
                doors = [
                    b for b in self.barriers if (b.kind == T.DOUBLE_DOOR if main else b.colour == colour)
                ]
                if kind == T.GOAL_SHUT and not doors:
                    raise MissionError(f"goal {number + 1} asks for doors that the mission does not have")
            elif kind in (T.GOAL_GATHER, T.GOAL_CLEAR):
                row["goal_arg"][number] = self.zone_set(self.zones(goal["zones"]))
            elif kind == T.GOAL_ROUNDS:
                row["goal_arg"][number] = goal["rounds"]
            elif kind == T.GOAL_LEVEL:
                row["goal_arg"][number] = word(goal["level"], T.LEVELS, "level")
            elif kind == T.GOAL_LEFT and T.DO_EXIT not in row["event_then"]:
                raise MissionError("the goal is to leave, but no event makes an exit")
        row["loses_any"] = bool(self.text.get("loses_any", False))

    def _sets(self) -> None:
        if len(self.sets) > T.SETS:
            raise MissionError(f"it names {len(self.sets)} sets of zones, at most {T.SETS} are possible")
        for number, zones in enumerate(self.sets):
            for zone in zones:
                self.row["sets"][number, zone] = 1

    def _buildings(self) -> None:
        """Rooms joined by openings are one building; each cell is one of its own."""
        row, zones = self.row, self.board.zones
        group = list(range(len(zones)))
        for link in self.board.links:
            if link.kind == "doorway":
                a, b = group[link.a], group[link.b]
                group = [a if g == b else g for g in group]
        roots = sorted({group[n] for n, zone in enumerate(zones) if zone.kind in BUILDING})
        for number, zone in enumerate(zones):
            if zone.kind in BUILDING:
                row["building"][number] = roots.index(group[number]) + 1
        row["buildings"] = len(roots)
        open_to = {n for n, zone in enumerate(zones) if zone.kind not in BUILDING}
        reached = self._flood(open_to, lambda barrier: barrier.open)
        for number in (
            reached
            | {int(z) - 1 for z in row["start"] if z}
            | self.zones(list(self.text.get("revealed", ())))
        ):
            if row["building"][number]:
                row["revealed"][row["building"][number] - 1] = 1

    def _flood(self, zones: set[int], may: Any) -> set[int]:
        reached = set(zones)
        grown = True
        while grown:
            grown = False
            for number in list(reached):
                for slot in range(T.NEAR):
                    other = int(self.row["near"][number, slot]) - 1
                    barrier = int(self.row["near_barrier"][number, slot]) - 1
                    if other >= 0 and other not in reached and (barrier < 0 or may(self.barriers[barrier])):
                        reached.add(other)
                        grown = True
        return reached

    # --- can it be won? --------------------------------------------------------------------------

    def _reachable(self) -> None:
        """Whether survivors can come to every objective and gathering place, one key after the other."""
        row = self.row
        keys: set[int] = set()
        starts = {int(z) - 1 for z in row["start"] if z}
        if not starts:
            raise MissionError("it has no start zone")
        events = [
            (int(row["event_when"][n]), int(row["event_arg"][n]), int(row["event_target"][n]))
            for n in range(T.EVENTS_MOST)
            if row["event_then"][n] in (T.DO_OPEN, T.DO_UNLOCK)
        ]
        while True:
            reached = self._flood(starts, lambda b, keys=keys: b.open or not b.locked or b.colour in keys)
            found = {
                int(row["switch_colour"][n])
                for n, z in enumerate(row["switch_zone"])
                if z and int(z) - 1 in reached
            }
            taken = {
                int(row["objective_colour"][n])
                for n, z in enumerate(row["objective_zone"])
                if z and int(z) - 1 in reached
            }
            for when, arg, colour in events:
                if when not in (T.ON_TAKEN, T.ON_SWITCH) or arg in (taken if when == T.ON_TAKEN else found):
                    found.add(colour)
            if found <= keys:
                break
            keys |= found
        for number, zone in enumerate(row["objective_zone"]):
            if zone and int(zone) - 1 not in reached:
                raise MissionError(
                    f"objective {number + 1} in {self.board.zones[int(zone) - 1].name} cannot be reached"
                )
        for number, kind in enumerate(row["goal_kind"]):
            if kind == T.GOAL_GATHER and not any(
                row["sets"][row["goal_arg"][number], zone] for zone in reached
            ):
                raise MissionError(f"the zones of goal {number + 1} cannot be reached")


def mission_of(options: Any) -> Mission:
    """The mission of an option set: a shipped one, a file, or a random one."""
    from .generator import generate

    if options.mission == "random":
        return generate(options.map_seed, options.map_size, options.map_difficulty)
    if options.mission.startswith("random-") and not options.mission.endswith(".toml"):
        return generate(*_named(options.mission))
    return load(options.mission)


def _named(name: str) -> tuple[int, int, int]:
    """Seed, size and difficulty from the name of a random mission."""
    _, *parts = name.split("-")
    if len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts):
        seed, size, difficulty = map(int, parts)
        if seed < 2**31 and 1 <= size <= 9 and difficulty <= 5:
            return seed, size, difficulty
    raise MissionError(f"{name!r} must be random-SEED-SIZE-DIFFICULTY: below 2**31, 1 to 9, 0 to 5")
