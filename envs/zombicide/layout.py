"""The layout of a mission: its board, doors, zones, lines of sight and towers, from its parsed file."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any

import numpy as np

from ..core.options import nearest
from . import table as T
from .board import (
    BUILDING,
    OPEN_AIR,
    Board,
    Line,
    Link,
    Rect,
    Zone,
    build,
    line_out_of,
    sight_lines,
    tile_faces,
)


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


class Layout:
    """The map of one mission, and its part of the table ``row``."""

    def __init__(self, text: dict[str, Any]) -> None:
        self.text = text
        self.board = self._board()
        self.barriers: list[Barrier] = []
        self.by_pair: dict[frozenset[int], int] = {}
        self.opened: set[frozenset[int]] = set()  # torn wire
        self.sets: list[frozenset[int]] = []
        self.record = np.zeros(1, T.TABLE)
        self.row = self.record[0]

    def lay_out(self) -> list[Line]:
        """Doors, zones and what can be seen from where; returns the lines of sight."""
        self._barriers()
        self._zones()
        lines = self._lines()
        self._rays(lines)
        self._towers()
        return lines

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
            for name in names:
                if tile_faces()[name]["back"] in names:
                    raise MissionError(f"{name} and {tile_faces()[name]['back']} are two faces of one tile")
        else:
            zones = [_free_zone(zone) for zone in self.text["zones"]]
            aliases = {zone.name: number for number, zone in enumerate(zones)}
            board = Board(zones, [], aliases)
            for a, b, *kind in self.text.get("links", ()):
                board.links.append(
                    Link(self._find(board, a), self._find(board, b), kind[0] if kind else "open")
                )
        for extra in self.text.get("extras", ()):
            self._extra(board, extra)
        if len(board.zones) > T.ZONES:
            raise MissionError(f"it has {len(board.zones)} zones, at most {T.ZONES} are possible")
        return board

    def _extra(self, board: Board, text: dict[str, Any]) -> None:
        """The back of a tower: a room of its own in the middle of an open-air zone."""
        host = self._find(board, text["in"])
        if text["name"] in board.aliases:
            raise MissionError(f"there are two zones {text['name']!r}")
        if board.zones[host].kind not in OPEN_AIR:
            raise MissionError(f"{text['name']} cannot stand in {text['in']}: it is not in the open")
        word(text["opens"], tuple(T.DIRECTIONS), "direction")
        x0, y0, x1, y1 = board.zones[host].rects[0]
        rect = ((3 * x0 + x1) / 4, (3 * y0 + y1) / 4, (x0 + 3 * x1) / 4, (y0 + 3 * y1) / 4)
        board.aliases[text["name"]] = len(board.zones)
        board.zones.append(Zone(text["name"], "building", [rect], board.zones[host].tiles[:1]))
        board.links.append(Link(board.aliases[text["name"]], host, "wall_site"))

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
        gates = self.text.get("gates", ())
        fill_row(self.row["gate_colour"], [colour_of(gate) for gate in gates], "gates")
        for number, gate in enumerate(gates):
            zone = self.zone(gate["zone"])
            for side, letter in enumerate(T.DIRECTIONS):
                pairs = [
                    (k.a, k.b)
                    for k in self.board.links
                    if zone in (k.a, k.b) and k.kind == f"gate_side_{letter}"
                ]
                barrier = Barrier(
                    T.GATE_SIDE, colour_of(gate), pairs, letter in gate["open"], True, number + 1, side
                )
                self._put(barrier)
        for a, b in self.text.get("wire", ()):
            pair = (self.zone(a), self.zone(b))
            link = self.board.link(*pair)
            if link is None or link.kind != "fence":
                raise MissionError(f"no wire runs between {a} and {b}")
            self.opened.add(frozenset(pair))

    def _barrier(self, text: dict[str, Any], kind: int, pairs: list[tuple[int, int]]) -> None:
        colour = colour_of(text)
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
        fill_row(row["manhole_zone"], [zone_number + 1 for zone_number, _ in manholes], "manholes")
        fill_row(row["manhole_tile"], [tile for _, tile in manholes], "manholes")
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
            doors: Any = [tuple(pair) for pair in self.by_pair]
            found = sight_lines(self.board, doors)
            for extra in self.text.get("extras", ()):
                pair = (self.zone(extra["name"]), self.zone(extra["in"]))
                if frozenset(pair) in self.by_pair:
                    found.append(line_out_of(self.board, *pair, extra["opens"], doors))
            return [line for line in found if self._sees(line)]
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

    def _towers(self) -> None:
        if len(self.text.get("towers", ())) + len(self.text.get("extras", ())) > T.TOWERS:
            raise MissionError(f"there are {T.TOWERS} towers, the extra rooms on their backs included")
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


def _laid(text: str) -> tuple[str, int]:
    tile, _, turn = text.partition("@")
    if turn not in ("", "0", "90", "180", "270"):
        raise MissionError(f"tile {tile} is turned by {turn!r}, must be 0, 90, 180 or 270")
    return tile, int(turn or 0)


def _free_zone(text: dict[str, Any]) -> Zone:
    """A zone of a free list: one rectangle or several, on one tile (a number) or several."""
    tiles = text.get("tiles", [text.get("tile", 0)])
    manholes = text.get("manholes", 0)
    return Zone(
        text["name"],
        text["kind"],
        [_rect(rect) for rect in text.get("rects") or [text["rect"]]],
        list(tiles),
        list(manholes) if isinstance(manholes, list) else tiles[:1] * manholes,
    )


def _rect(values: Any) -> Rect:
    x0, y0, x1, y1 = (float(value) for value in values)
    return x0, y0, x1, y1


def _apart(one: Rect, other: Rect, axis: int) -> float:
    return max(one[axis] - other[axis + 2], other[axis] - one[axis + 2])


def colour_of(text: dict[str, Any], default: str = "neutral") -> int:
    return word(text.get("colour", default), T.COLOURS, "colour")


def word(value: Any, allowed: tuple[str, ...], what: str) -> int:
    if value not in allowed:
        raise MissionError(f"there is no {what} {value!r}; there are {', '.join(allowed)}")
    return allowed.index(value)


def fill_row(target: np.ndarray, values: list[Any], what: str) -> None:
    if len(values) > len(target):
        raise MissionError(f"it has {len(values)} {what}, at most {len(target)} are possible")
    target[: len(values)] = values
