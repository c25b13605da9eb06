"""Missions: TOML files over the real tiles (or over free zones), checked, and made run-time tables.

The format stands in MISSIONS.md.  `load` raises MissionError with one line for a bad file.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..core.options import nearest
from ..core.toml import tomllib
from . import table as T
from .board import BUILDING, OPEN_AIR, Board, Line, Link, Rect, Zone, build, sight_lines
from .cards import CAR_NAMES, ZOMBIE_NAMES

FOLDER = Path(__file__).parent / "missions"
_KEYS = {
    "title", "about", "status", "difficulty", "tiles", "zones", "links", "lines", "start", "spawns",
    "doors", "cells",
    "switches", "gates", "wire", "towers", "cars", "objectives", "zombies", "revealed", "safe", "events",
    "goals",
    "loses_any",
}  # fmt: skip


_KNOWN: dict[tuple[int, ...], Mission] = {}  # by the digest in the table


class MissionError(ValueError):
    """A mission file that cannot be played: the message says what is wrong, in one line."""


@dataclass
class Barrier:
    """A door, cell door or gate side: the zones on both sides of it."""

    kind: int
    colour: int
    pairs: list[tuple[int, int]]
    open: bool = False
    locked: bool = False
    gate: int = 0
    side: int = 0


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
    path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not path.is_file():
        raise MissionError(f"there is no mission {name!r}{nearest(name, list(mission_names()))}")
    try:
        text = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as wrong:
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


class _Maker:
    """Builds one mission, field by field."""

    def __init__(self, text: dict[str, Any], name: str) -> None:
        for key in text:
            if key not in _KEYS:
                raise MissionError(f"there is no key {key!r}{nearest(key, sorted(_KEYS))}")
        self.text = text
        self.name = name
        self.board = self._board()
        self.barriers: list[Barrier] = []
        self.by_pair: dict[frozenset[int], int] = {}
        self.opened: set[frozenset[int]] = set()  # torn wire
        self.sets: list[frozenset[int]] = []
        self.record = np.zeros(1, T.TABLE)
        self.row = self.record[0]

    def make(self) -> Mission:
        self._barriers()
        self._zones()
        lines = self._lines()
        self._rays(lines)
        self._pieces()
        self._towers()
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

    # --- the board -------------------------------------------------------------------------------

    def _board(self) -> Board:
        if ("tiles" in self.text) == ("zones" in self.text):
            raise MissionError("it must have either tiles or zones")
        if "tiles" in self.text:
            rows = self.text["tiles"]
            laid = [[_laid(word) for word in row] for row in rows]
            names = [tile for row in laid for tile, _ in row if tile]
            if len({len(row) for row in laid}) != 1:
                raise MissionError("all rows of tiles must be equally long")
            if len(names) != len(set(names)):
                raise MissionError("a tile lies on the board twice")
            board = build(laid)
        else:
            zones = [
                Zone(
                    z["name"],
                    z["kind"],
                    [_rect(z["rect"])],
                    [z.get("tile", 0)],
                    [z.get("tile", 0)] * z.get("manholes", 0),
                )
                for z in self.text["zones"]
            ]
            aliases = {zone.name: number for number, zone in enumerate(zones)}
            board = Board(zones, [], aliases)
            for a, b, *kind in self.text.get("links", ()):
                board.links.append(
                    Link(self._find(board, a), self._find(board, b), kind[0] if kind else "open")
                )
        if len(board.zones) > T.ZONES:
            raise MissionError(f"it has {len(board.zones)} zones, at most {T.ZONES} are possible")
        return board

    @staticmethod
    def _find(board: Board, name: str) -> int:
        if name not in board.aliases:
            raise MissionError(f"there is no zone {name!r}{nearest(name, list(board.aliases))}")
        return board.aliases[name]

    def zone(self, name: str) -> int:
        """The number of a zone by the name of any of its parts."""
        return self._find(self.board, name)

    def zones(self, patterns: list[str]) -> frozenset[int]:
        """Zones by names or patterns such as ``16P.A*``."""
        found: set[int] = set()
        for pattern in patterns:
            if any(mark in pattern for mark in "*?["):
                hits = {number for name, number in self.board.aliases.items() if fnmatchcase(name, pattern)}
                if not hits:
                    raise MissionError(f"no zone is named like {pattern!r}")
                found |= hits
            else:
                found.add(self.zone(pattern))
        return frozenset(found)

    def zone_set(self, zones: frozenset[int]) -> int:
        """The number of a set of zones in the table."""
        if zones not in self.sets:
            self.sets.append(zones)
        return self.sets.index(zones)

    # --- doors -----------------------------------------------------------------------------------

    def _barriers(self) -> None:
        for door in self.text.get("doors", ()):
            a, b = (self.zone(name) for name in door["between"])
            link = self.board.link(a, b)
            if link is None or not link.kind.endswith("site"):
                names = " and ".join(door["between"])
                raise MissionError(
                    f"no door can stand between {names}: there is {link.kind if link else 'no wall'}"
                )
            kind = T.DOUBLE_DOOR if link.kind == "double_door_site" else T.DOOR
            self._barrier(door, kind, [(a, b)])
        for cells in self.text.get("cells", ()):
            for name in cells["zones"]:
                for number in sorted(self.zones([name])):
                    link = next(
                        (k for k in self.board.links if number in (k.a, k.b) and k.kind == "cell_door"), None
                    )
                    if link is None:
                        raise MissionError(f"{name} is no cell")
                    self._barrier(cells, T.CELL_DOOR, [(link.a, link.b)])
        for number, gate in enumerate(self.text.get("gates", ())):
            zone = self.zone(gate["zone"])
            self.row["gate_colour"][number] = _colour(gate)
            for side, letter in enumerate(T.DIRECTIONS):
                pairs = [
                    (k.a, k.b)
                    for k in self.board.links
                    if zone in (k.a, k.b) and k.kind == f"gate_side_{letter}"
                ]
                barrier = Barrier(
                    T.GATE_SIDE, _colour(gate), pairs, letter in gate["open"], True, number + 1, side
                )
                self._put(barrier)
        for a, b in self.text.get("wire", ()):
            pair = (self.zone(a), self.zone(b))
            link = self.board.link(*pair)
            if link is None or link.kind != "fence":
                raise MissionError(f"no wire runs between {a} and {b}")
            self.opened.add(frozenset(pair))

    def _barrier(self, text: dict[str, Any], kind: int, pairs: list[tuple[int, int]]) -> None:
        colour = _colour(text)
        locked = kind == T.CELL_DOOR or colour != T.NEUTRAL
        self._put(Barrier(kind, colour, pairs, bool(text.get("open", False)), locked))

    def _put(self, barrier: Barrier) -> None:
        if len(self.barriers) == T.BARRIERS:
            raise MissionError(f"it has more than {T.BARRIERS} doors")
        for pair in barrier.pairs:
            if frozenset(pair) in self.by_pair:
                names = " and ".join(self.board.zones[number].name for number in pair)
                raise MissionError(f"two doors stand between {names}")
            self.by_pair[frozenset(pair)] = len(self.barriers)
        self.barriers.append(barrier)

    def passable(self, link: Link) -> bool:
        """Whether figures may ever pass a link."""
        pair = frozenset((link.a, link.b))
        if pair in self.by_pair or pair in self.opened:
            return True
        return link.kind in ("open", "doorway")

    # --- zones, links, sight ---------------------------------------------------------------------

    def _zones(self) -> None:
        row, board = self.row, self.board
        row["zones"] = len(board.zones)
        row["barriers"] = len(self.barriers)
        for number, zone in enumerate(board.zones):
            if zone.kind not in T.ZONE_KINDS:
                raise MissionError(
                    f"zone {zone.name} has kind {zone.kind!r}, must be one of {', '.join(T.ZONE_KINDS)}"
                )
            row["kind"][number] = T.ZONE_KINDS[zone.kind]
            row["tiles"][number] = sum(1 << tile for tile in set(zone.tiles))
            links = [link for link in board.links if number in (link.a, link.b) and self.passable(link)]
            others = sorted(
                {link.a + link.b - number for link in links}, key=lambda other: self._direction(number, other)
            )
            if len(others) > T.NEAR:
                raise MissionError(
                    f"zone {zone.name} has {len(others)} neighbours, at most {T.NEAR} are possible"
                )
            for slot, other in enumerate(others):
                row["near"][number, slot] = other + 1
                barrier = self.by_pair.get(frozenset((number, other)))
                if barrier is not None:
                    row["near_barrier"][number, slot] = barrier + 1
                kinds = {zone.kind, board.zones[other].kind}
                plain = barrier is None or self.barriers[barrier].kind == T.DOUBLE_DOOR
                fence = frozenset((number, other)) in self.opened
                row["by_car"][number, slot] = plain and kinds <= {"street", "alley"} and not fence
        manholes = [(z, tile) for z, zone in enumerate(board.zones) for tile in zone.manholes]
        for place, (zone_number, tile) in enumerate(manholes):
            row["manhole_zone"][place] = zone_number + 1
            row["manhole_tile"][place] = tile
        for number, one in enumerate(self.barriers):
            row["barrier_kind"][number] = one.kind
            row["barrier_colour"][number] = one.colour
            row["barrier_gate"][number] = one.gate
            row["barrier_side"][number] = one.side
            row["barrier_open"][number] = one.open
            row["barrier_locked"][number] = one.locked

    def _direction(self, here: int, there: int) -> tuple[int, float, int]:
        """Neighbours stand clockwise from the north."""
        pairs = [(a, b) for a in self.board.zones[here].rects for b in self.board.zones[there].rects]
        one, other = min(pairs, key=lambda p: max(0, _apart(p[0], p[1], 0)) + max(0, _apart(p[0], p[1], 1)))
        dx, dy = (other[k] + other[k + 2] - one[k] - one[k + 2] for k in (0, 1))
        if _apart(one, other, 1) >= _apart(one, other, 0):
            return (0 if dy < 0 else 2), (dx if dy < 0 else -dx), there
        return (1 if dx > 0 else 3), (dy if dx > 0 else -dy), there

    def _lines(self) -> list[Line]:
        if "tiles" in self.text:
            doors = [tuple(pair) for pair in self.by_pair]
            return [line for line in sight_lines(self.board, doors) if self._sees(line)]  # type: ignore[arg-type]
        lines: list[Line] = []
        for names in self.text.get("lines", ()):
            zones = tuple(self.zone(name) for name in names)
            links = [self.board.link(a, b) for a, b in pairwise(zones)]
            if None in links:
                raise MissionError(f"the line {' '.join(names)} runs between zones without a link")
            lines.append((zones, tuple(link for link in links if link)))
        for link in self.board.links:
            if link.kind == "doorway":
                lines.append(((link.a, link.b), (link,)))
        return lines

    def _sees(self, line: Line) -> bool:
        return all(
            self.passable(link) or link.kind == "fence" or link.kind.startswith("gate") for link in line[1]
        )

    def _rays(self, lines: list[Line]) -> None:
        rays: list[list[list[tuple[int, int]]]] = [[] for _ in self.board.zones]
        for zones, links in lines:
            barriers = [self.by_pair.get(frozenset((link.a, link.b)), -1) + 1 for link in links]
            walls = [b == 0 and link.kind.startswith("gate") for b, link in zip(barriers, links)]
            for at, zone in enumerate(zones):
                for order in (range(at + 1, len(zones)), range(at - 1, -1, -1)):
                    ray: list[tuple[int, int]] = []
                    for there in order:
                        between = min(there, there - 1 if there > at else there)
                        if walls[between]:
                            break
                        ray.append((zones[there], barriers[between]))
                        if self.board.zones[zones[there]].kind in BUILDING:
                            break
                    if ray and ray not in rays[zone]:
                        rays[zone].append(ray)
        count = 0
        row = self.row
        for number, own in enumerate(rays):
            row["ray_from"][number] = count
            whole = [
                ray for ray in own if not any(ray != other and other[: len(ray)] == ray for other in own)
            ]
            if len({zone for ray in whole for zone, _ in ray}) >= T.SIGHT:
                raise MissionError(
                    f"from zone {self.board.zones[number].name} more than {T.SIGHT - 1} zones can be seen"
                )
            for ray in whole:
                for place, (zone, barrier) in enumerate(ray):
                    if count == T.STEPS:
                        raise MissionError("the board has too many lines of sight")
                    row["step_zone"][count] = zone
                    row["step_barrier"][count] = barrier
                    row["step_first"][count] = place == 0
                    count += 1
        row["ray_from"][len(rays) :] = count

    # --- what lies on the board ------------------------------------------------------------------

    def _pieces(self) -> None:
        row, text = self.row, self.text
        starts = text["start"] if isinstance(text["start"], list) else [text["start"]]
        _fill(row["start"], [self.zone(name) + 1 for name in starts], "start zones")
        spawns = text.get("spawns", ())
        _fill(row["spawn_zone"], [self.zone(spawn["zone"]) + 1 for spawn in spawns], "spawn zones")
        _fill(row["spawn_colour"], [_colour(spawn, "red") for spawn in spawns], "spawn zones")
        _fill(row["spawn_active"], [spawn.get("active", True) for spawn in spawns], "spawn zones")
        objectives = text.get("objectives", ())
        row["objectives"] = len(objectives)
        places = [self.zone(objective["zone"]) for objective in objectives]
        if len(places) != len(set(places)):
            raise MissionError("two objectives lie in one zone")
        _fill(row["objective_zone"], [place + 1 for place in places], "objectives")
        _fill(row["objective_colour"], [_colour(objective, "red") for objective in objectives], "objectives")
        _fill(
            row["objective_xp"],
            [objective.get("xp", T.OBJECTIVE_XP) for objective in objectives],
            "objectives",
        )
        _fill(
            row["objective_hidden"],
            [objective.get("hidden", False) for objective in objectives],
            "objectives",
        )
        levels = [_word(objective.get("needs", "blue"), T.LEVELS, "level") for objective in objectives]
        _fill(row["objective_level"], levels, "objectives")
        switches = text.get("switches", ())
        places = [self.zone(switch["zone"]) for switch in switches]
        if len(places) != len(set(places)):
            raise MissionError("two switches stand in one zone")
        _fill(row["switch_zone"], [place + 1 for place in places], "switches")
        _fill(row["switch_colour"], [_colour(switch) for switch in switches], "switches")
        cars = text.get("cars", ())
        _fill(row["car_kind"], [_word(car["kind"], CAR_NAMES, "car") + 1 for car in cars], "cars")
        _fill(row["car_zone"], [self.zone(car["zone"]) + 1 for car in cars], "cars")
        _fill(row["car_drives"], [car.get("drivable", True) for car in cars], "cars")
        for car in cars:
            if self.board.zones[self.zone(car["zone"])].kind not in ("street", "alley"):
                raise MissionError(f"a {car['kind']} must stand in a street or an alley")
        zombies = text.get("zombies", ())
        _fill(row["placed_zone"], [self.zone(z["zone"]) + 1 for z in zombies], "zombies")
        _fill(row["placed_kind"], [_word(z["kind"], ZOMBIE_NAMES, "zombie") for z in zombies], "zombies")
        _fill(row["placed_count"], [z.get("count", 1) for z in zombies], "zombies")
        for zone in self.zones(list(text.get("safe", ()))):
            row["safe"][zone] = 1

    def _towers(self) -> None:
        for number, name in enumerate(self.text.get("towers", ())):
            zone = self.zone(name)
            self.row["tower_zone"][number] = zone + 1
            seen = self._from_tower(zone)
            if len(seen) > T.TOWER_VIEW:
                raise MissionError(f"the tower in {name} sees more than {T.TOWER_VIEW} zones")
            for place, (there, distance) in enumerate(seen):
                self.row["tower_sees"][number, place] = there + 1
                self.row["tower_range"][number, place] = distance

    def _from_tower(self, zone: int) -> list[tuple[int, int]]:
        """Open-air zones in a straight line over roofs, each with how many such zones away it lies."""
        found: dict[int, int] = {}
        for rect in self.board.zones[zone].rects:
            for axis in (0, 1):
                middle = (rect[1 - axis] + rect[3 - axis]) / 2
                for forward in (True, False):
                    ahead = []
                    for number, other in enumerate(self.board.zones):
                        if other.kind in OPEN_AIR and number != zone:
                            for place in other.rects:
                                away = place[axis] - rect[axis] if forward else rect[axis] - place[axis]
                                if place[1 - axis] < middle < place[3 - axis] and away > 0:
                                    ahead.append((away, number))
                    order = list(dict.fromkeys(number for _, number in sorted(ahead)))
                    for steps, number in enumerate(order, 1):
                        found[number] = min(steps, found.get(number, 99))
        return sorted(found.items(), key=lambda item: (item[1], item[0]))[: T.SIGHT - 2]

    # --- what happens ----------------------------------------------------------------------------

    def _events(self) -> None:
        row = self.row
        events = self.text.get("events", ())
        if len(events) > T.EVENTS_MOST:
            raise MissionError(f"it has {len(events)} events, at most {T.EVENTS_MOST} are possible")
        for number, event in enumerate(events):
            when, then = (
                _word(event["when"], tuple(T.TRIGGERS), "trigger"),
                _word(event["then"], tuple(T.EFFECTS), "effect"),
            )
            trigger, effect = list(T.TRIGGERS.values())[when], list(T.EFFECTS.values())[then]
            row["event_when"][number] = trigger
            row["event_then"][number] = effect
            if trigger in (T.ON_TAKEN, T.ON_SWITCH):
                row["event_arg"][number] = _word(event["of"], T.COLOURS, "colour")
            elif trigger == T.ON_LEVEL:
                row["event_arg"][number] = _word(event["of"], T.LEVELS, "level")
            elif trigger == T.ON_ROUND_NUMBER:
                row["event_arg"][number] = event["of"]
            if effect in (T.DO_SPAWN_ON, T.DO_SPAWN_OFF, T.DO_OPEN, T.DO_SHUT, T.DO_UNLOCK):
                row["event_target"][number] = _word(event["colour"], T.COLOURS, "colour")
            elif effect == T.DO_EXIT:
                row["event_target"][number] = self.zone(event["zone"]) + 1 if "zone" in event else T.HERE
            elif effect == T.DO_DRAW:
                row["event_target"][number] = self.zone_set(self.zones(event["zones"]))
            elif effect == T.DO_PLACE:
                row["event_target"][number] = self.zone(event["zone"]) + 1
                row["event_kind"][number] = _word(event["kind"], ZOMBIE_NAMES, "zombie")
                row["event_count"][number] = event.get("count", 1)

    def _goals(self) -> None:
        row = self.row
        goals = self.text.get("goals", ())
        if not 1 <= len(goals) <= T.GOALS_MOST:
            raise MissionError(f"it has {len(goals)} goals, must have 1 to {T.GOALS_MOST}")
        for number, goal in enumerate(goals):
            kind = T.GOALS[tuple(T.GOALS)[_word(goal["kind"], tuple(T.GOALS), "goal")]]
            row["goal_kind"][number] = kind
            if kind in (T.GOAL_OBJECTIVES, T.GOAL_SHUT):
                colour = _word(goal.get("colour", "neutral"), T.COLOURS, "colour")
                row["goal_arg"][number] = colour
                if kind == T.GOAL_OBJECTIVES and not any(
                    colour in (T.NEUTRAL, _colour(objective, "red"))
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
                row["goal_arg"][number] = _word(goal["level"], T.LEVELS, "level")
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


def _laid(word: str) -> tuple[str, int]:
    tile, _, turn = word.partition("@")
    return tile, int(turn or 0)


def _rect(values: Any) -> Rect:
    x0, y0, x1, y1 = (float(value) for value in values)
    return x0, y0, x1, y1


def _apart(one: Rect, other: Rect, axis: int) -> float:
    return max(one[axis] - other[axis + 2], other[axis] - one[axis + 2])


def _colour(text: dict[str, Any], default: str = "neutral") -> int:
    return _word(text.get("colour", default), T.COLOURS, "colour")


def _word(value: Any, allowed: tuple[str, ...], what: str) -> int:
    if value not in allowed:
        raise MissionError(f"there is no {what} {value!r}; there are {', '.join(allowed)}")
    return allowed.index(value)


def _fill(target: np.ndarray, values: list[Any], what: str) -> None:
    if len(values) > len(target):
        raise MissionError(f"it has {len(values)} {what}, at most {len(target)} are possible")
    target[: len(values)] = values


def mission_of(options: Any) -> Mission:
    """The mission of an option set: a shipped one, a file, or a random one."""
    if options.mission == "random":
        from .generator import generate

        return generate(options.map_seed, options.map_size, options.map_difficulty)
    return load(options.mission)
