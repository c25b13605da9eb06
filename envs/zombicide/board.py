"""The board: tile faces laid side by side make zones, links and lines of sight (rulebook p.7-8).

Measures are tenths of a tile, x to the right, y down; the tile in column c and row r covers
10 c .. 10 c + 10 by 10 r .. 10 r + 10.  Tiles are turned clockwise in steps of 90 degrees.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from ..core.toml import tomllib

Rect = tuple[float, float, float, float]
Laid = tuple[str, int]  # a tile face and by how many degrees it is turned clockwise

STREET_MERGE = 0.6  # share of the shorter contact that two street zones must share to be one zone
LINK = 0.3  # the same for two alleys, yards or a gate
OPENINGS_MEET = 1.2  # how far apart the middles of two facing room openings may lie
WALL_GAP, WALL_SHARED = 0.9, 1.5  # how thick a wall may be, and how long, for a door to be put there
SIGHT_BAND = 1.0  # the width of a line of sight
TOUCH = 0.25  # painted kerbs between two linked rectangles
FENCE_GAP = 1.1  # the strip along barbed wire
SIDES = "NESW"
OPEN_AIR = ("street", "alley", "yard", "gate")
BUILDING = ("building", "cell")


@dataclass
class Zone:
    """One zone: its name (all its parts), kind, rectangles, tiles (indices) and manholes (tiles)."""

    name: str
    kind: str
    rects: list[Rect]
    tiles: list[int]
    manholes: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Link:
    """What lies between two zones: open, doorway, cell_door, gate_side_X, or a place for a door
    (door_site, double_door_site, wall_site); fence: sight only; window: a wall."""

    a: int
    b: int
    kind: str


@dataclass
class Board:
    """zones, links between them, and aliases: every part's name -> zone index."""

    zones: list[Zone]
    links: list[Link]
    aliases: dict[str, int]
    columns: int = 0
    rows: int = 0
    tiles: tuple[str, ...] = ()

    def link(self, a: int, b: int) -> Link | None:
        """The link between two zones, if there is one."""
        return next((link for link in self.links if {link.a, link.b} == {a, b}), None)


@functools.cache
def tile_faces() -> dict[str, Any]:
    """The 18 tile faces as printed."""
    return tomllib.loads((Path(__file__).parent / "tiles" / "tiles.toml").read_text("utf-8"))


def _turned_rect(rect: Rect, turns: int) -> Rect:
    x0, y0, x1, y1 = rect
    for _ in range(turns):
        x0, y0, x1, y1 = 10 - y1, x0, 10 - y0, x1
    return x0, y0, x1, y1


def _turned_contact(side: str, lo: float, hi: float, turns: int) -> tuple[str, float, float]:
    for _ in range(turns):
        if side in "EW":
            lo, hi = 10 - hi, 10 - lo
        side = SIDES[(SIDES.index(side) + 1) % 4]
    return side, lo, hi


def _round(values: Iterable[float]) -> Any:
    return tuple(round(value, 3) for value in values)


@dataclass
class _Part:
    """A zone of one tile before streets are merged."""

    name: str
    kind: str
    rect: Rect
    tile: int
    manhole: bool
    contacts: list[tuple[str, float, float]] = field(default_factory=list)


def build(layout: Sequence[Sequence[Laid]]) -> Board:
    """Lay tiles in rows and join their zones."""
    parts: dict[str, _Part] = {}
    inner: list[tuple[str, str, str]] = []
    names: list[str] = []
    for r, row in enumerate(layout):
        for c, (tile, degrees) in enumerate(row):
            if tile:
                _lay(tile, degrees, c, r, len(names), parts, inner)
            names.append(tile)
    merged: dict[str, str] = {name: name for name in parts}

    def root(name: str) -> str:
        while merged[name] != name:
            name = merged[name]
        return name

    across: list[tuple[str, str, str]] = []
    columns = max(len(row) for row in layout)
    for one, other, kind in _joins(parts, columns):
        if kind == "same":
            first, second = sorted((root(one), root(other)), key=list(parts).index)
            merged[second] = first
        else:
            across.append((one, other, kind))
    groups: dict[str, list[str]] = {}
    for name in parts:
        groups.setdefault(root(name), []).append(name)
    zones = [_zone([parts[name] for name in group]) for group in groups.values()]
    aliases = {name: number for number, group in enumerate(groups.values()) for name in group}
    aliases |= {zone.name: number for number, zone in enumerate(zones)}
    board = Board(zones, [], aliases, columns, len(layout), tuple(names))
    for a, b, kind in [*inner, *across]:
        _add(board, aliases[a], aliases[b], kind)
    _add_walls(board)
    board.links.sort(key=lambda link: sorted((zones[link.a].name, zones[link.b].name)))
    return board


def _lay(
    tile: str,
    degrees: int,
    c: int,
    r: int,
    number: int,
    parts: dict[str, _Part],
    inner: list[tuple[str, str, str]],
) -> None:
    face = tile_faces().get(tile)
    if face is None:
        raise ValueError(f"there is no tile {tile!r}; tiles are {', '.join(tile_faces())}")
    if degrees % 90:
        raise ValueError(f"tile {tile} is turned by {degrees} degrees, must be 0, 90, 180 or 270")
    turns = degrees // 90 % 4
    for name, (kind, *numbers) in face["zones"].items():
        x0, y0, x1, y1 = _turned_rect(tuple(numbers[:4]), turns)
        rect = _round((x0 + 10 * c, y0 + 10 * r, x1 + 10 * c, y1 + 10 * r))
        parts[f"{tile}.{name}"] = _Part(f"{tile}.{name}", kind, rect, number, len(numbers) > 4)
    for side, name, lo, hi in face["borders"]:
        side, lo, hi = _turned_contact(side, lo, hi, turns)
        offset = 10 * c if side in "NS" else 10 * r
        parts[f"{tile}.{name}"].contacts.append((side, *_round((lo + offset, hi + offset))))
    for a, b, kind in face["links"]:
        if kind.startswith("gate_side_"):
            side = SIDES[(SIDES.index(kind[-1]) + turns) % 4]
            kind = f"gate_side_{side}"
        inner.append((f"{tile}.{a}", f"{tile}.{b}", kind))
    for kind, key in (("fence", "fence"), ("window", "windows")):
        inner.extend((f"{tile}.{a}", f"{tile}.{b}", kind) for a, b in face.get(key, ()))


def _joins(parts: dict[str, _Part], columns: int) -> Iterator[tuple[str, str, str]]:
    """What becomes of each pair of contacts on the border of two neighbouring tiles."""
    by_tile: dict[int, list[_Part]] = {}
    for part in parts.values():
        by_tile.setdefault(part.tile, []).append(part)
    for number, own in by_tile.items():
        for side, opposite, step in (("E", "W", 1), ("S", "N", columns)):
            if side == "E" and (number + 1) % columns == 0:
                continue
            for part in own:
                for other in by_tile.get(number + step, ()):
                    for where, lo, hi in part.contacts:
                        for facing, low, high in other.contacts:
                            if where == side and facing == opposite:
                                kind = _join(part, other, (lo, hi), (low, high), side)
                                if kind:
                                    yield part.name, other.name, kind
            for part, other, at in (
                *((p, o, side) for p in own for o in by_tile.get(number + step, ())),
                *((o, p, opposite) for p in own for o in by_tile.get(number + step, ())),
            ):
                if part.kind == "building" and other.kind in ("street", "alley", "yard"):
                    for where, lo, hi in part.contacts:
                        if where == at and _faces(other.rect, (lo, hi), side, parts, part):
                            yield part.name, other.name, "door_site"


def _join(one: _Part, other: _Part, a: tuple[float, float], b: tuple[float, float], side: str) -> str:
    shared = min(a[1], b[1]) - max(a[0], b[0])
    share = shared / min(a[1] - a[0], b[1] - b[0])
    kinds = {one.kind, other.kind}
    if kinds == {"street"}:
        return "same" if share >= STREET_MERGE else ""
    if kinds == {"building"}:
        return "doorway" if abs(sum(a) - sum(b)) / 2 < OPENINGS_MEET else ""
    if share <= LINK:
        return ""
    if "gate" in kinds and not kinds & {"building", "cell"}:
        towards = side if one.kind == "gate" else SIDES[(SIDES.index(side) + 2) % 4]
        return f"gate_side_{towards}"
    if kinds in ({"alley"}, {"yard"}):
        return "open"
    return "double_door_site" if kinds == {"street", "alley"} else ""


def _faces(rect: Rect, opening: tuple[float, float], side: str, parts: dict[str, _Part], part: _Part) -> bool:
    """Whether a room's opening in a border faces this rectangle on the other side."""
    lo, hi = (rect[1], rect[3]) if side == "E" else (rect[0], rect[2])
    middle = (opening[0] + opening[1]) / 2
    if not lo <= middle <= hi:
        return False
    x0, y0, x1, y1 = part.rect
    gap = max(rect[0] - x1, x0 - rect[2]) if side == "E" else max(rect[1] - y1, y0 - rect[3])
    return gap <= WALL_GAP


def _zone(group: list[_Part]) -> Zone:
    manholes = [part.tile for part in group if part.manhole]
    tiles = list(dict.fromkeys(part.tile for part in group))
    return Zone(
        "+".join(part.name for part in group), group[0].kind, [part.rect for part in group], tiles, manholes
    )


def _add(board: Board, a: int, b: int, kind: str) -> None:
    """Add a link between two zones unless there is one already."""
    if a != b and board.link(a, b) is None:
        board.links.append(Link(a, b, kind))


def _add_walls(board: Board) -> None:
    """Walls between a building and the open air, where a mission may put a door."""
    for a, b in combinations(range(len(board.zones)), 2):
        kinds = {board.zones[a].kind, board.zones[b].kind}
        if "building" not in kinds or not kinds & {"street", "alley", "yard"}:
            continue
        if any(_wall(one, other) for one in board.zones[a].rects for other in board.zones[b].rects):
            _add(board, a, b, "wall_site")


def _wall(one: Rect, other: Rect) -> bool:
    across, along = _gap(one, other, 0), _gap(one, other, 1)
    return (0 <= across <= WALL_GAP and -along >= WALL_SHARED) or (
        0 <= along <= WALL_GAP and -across >= WALL_SHARED
    )


def _gap(one: Rect, other: Rect, axis: int) -> float:
    """How far two rectangles lie apart along an axis (negative: how much they share)."""
    return round(max(one[axis] - other[axis + 2], other[axis] - one[axis + 2]), 3)


# --- sight --------------------------------------------------------------------------------------

# A line is a list of zones and of the links between consecutive ones.
Line = tuple[tuple[int, ...], tuple[Link, ...]]


def sight_lines(board: Board, doors: Iterable[tuple[int, int]]) -> list[Line]:
    """All longest straight lines of sight (p.7); ``doors``: zone pairs where a mission put a door.

    A band at least 1.0 wide and parallel to a border runs through open-air zones that are linked one
    after the other, and through doors between them.  The door of a room or cell has a line of its
    own, through the middle of the two facing rectangles.  A room ends a line.
    """
    passable = _passable(board, doors)
    found: dict[tuple[int, ...], Line] = {}
    for axis in (0, 1):
        rects = [
            (rect, number)
            for number, zone in enumerate(board.zones)
            if zone.kind in OPEN_AIR
            for rect in zone.rects
        ]
        starts = sorted(
            {r[0][1 - axis] for r in rects} | {round(r[0][3 - axis] - SIGHT_BAND, 3) for r in rects}
        )
        for lo in starts:
            band = [r for r in rects if r[0][1 - axis] <= lo and r[0][3 - axis] >= lo + SIGHT_BAND - 1e-6]
            for line in _chains(band, passable, axis):
                found.setdefault(line[0], line)
        for a, b in passable:
            for line in _door_lines(board, a, b, passable, axis):
                found.setdefault(line[0], line)
    for (a, b), link in passable.items():
        if link.kind == "doorway":
            found.setdefault((a, b), ((a, b), (link,)))
    return _longest(list(found.values()))


def _passable(board: Board, doors: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Link]:
    """Links that sight can pass (if their doors are open), by zone pair in both orders."""
    wanted = {frozenset(pair) for pair in doors}
    result: dict[tuple[int, int], Link] = {}
    for link in board.links:
        site = link.kind.endswith("_site") or link.kind == "cell_door"
        if link.kind == "window" or (site and frozenset((link.a, link.b)) not in wanted):
            continue
        result[link.a, link.b] = result[link.b, link.a] = link
    return result


def _chains(band: list[tuple[Rect, int]], passable: dict[tuple[int, int], Link], axis: int) -> Iterator[Line]:
    """Longest runs of touching, linked rectangles of a band."""
    band = sorted(band, key=lambda item: (item[0][axis], item[0][axis + 2]))
    zones: list[int] = []
    links: list[Link] = []
    end = -1.0
    for rect, zone in band:
        link = passable.get((zones[-1], zone)) if zones else None
        touches = zones and abs(rect[axis] - end) <= (FENCE_GAP if link and link.kind == "fence" else TOUCH)
        if touches and zone == zones[-1]:
            pass
        elif touches and (zones[-1], zone) in passable:
            links.append(passable[zones[-1], zone])
            zones.append(zone)
        else:
            if len(zones) > 1:
                yield tuple(zones), tuple(links)
            zones, links = [zone], []
        end = rect[axis + 2]
    if len(zones) > 1:
        yield tuple(zones), tuple(links)


def _door_lines(
    board: Board, a: int, b: int, passable: dict[tuple[int, int], Link], axis: int
) -> Iterator[Line]:
    """The line from room a through its door (or gate side) to zone b and on along the open air."""
    room, outside = board.zones[a], board.zones[b]
    if room.kind not in BUILDING or outside.kind in BUILDING:
        return
    for one in room.rects:
        for other in outside.rects:
            shared = -_gap(one, other, 1 - axis)
            if shared <= 0 or not -TOUCH * 2 <= _gap(one, other, axis) <= WALL_GAP:
                continue
            middle = (max(one[1 - axis], other[1 - axis]) + min(one[3 - axis], other[3 - axis])) / 2
            forward = one[axis] + one[axis + 2] < other[axis] + other[axis + 2]
            yield _walk(board, a, b, other, middle, axis, forward, passable)


def line_out_of(board: Board, room: int, zone: int, side: str, doors: Iterable[tuple[int, int]]) -> Line:
    """The line from a room that stands in an open-air zone through its door, which faces a side."""
    rect, axis = board.zones[zone].rects[0], int(side in "NS")
    middle = (rect[1 - axis] + rect[3 - axis]) / 2
    return _walk(board, room, zone, rect, middle, axis, side in "ES", _passable(board, doors))


def _walk(
    board: Board, a: int, b: int, rect: Rect, at: float, axis: int, forward: bool,
    passable: dict[tuple[int, int], Link],
) -> Line:  # fmt: skip
    zones, links = [a, b], [passable[a, b]]
    while True:
        end = rect[axis + 2] if forward else rect[axis]
        following = None
        for number, zone in enumerate(board.zones):
            for other in zone.rects:
                start = other[axis] if forward else other[axis + 2]
                near = TOUCH if zone.kind in OPEN_AIR else WALL_GAP
                ahead = (start - end) if forward else (end - start)
                same = number == zones[-1] and other != rect
                linked = (same or (zones[-1], number) in passable) and number not in zones[:-1]
                if linked and -TOUCH <= ahead <= near and other[1 - axis] < at < other[3 - axis]:
                    following = (number, other)
        if following is None:
            return tuple(zones), tuple(links)
        number, rect = following
        if number != zones[-1]:
            links.append(passable[zones[-1], number])
            zones.append(number)
        if board.zones[number].kind in BUILDING:
            return tuple(zones), tuple(links)


def _longest(lines: list[Line]) -> list[Line]:
    """Without lines that are part of another one, forwards or backwards."""
    kept: list[Line] = []
    for zones, links in sorted(lines, key=lambda line: -len(line[0])):
        for other, _ in kept:
            if _within(zones, other) or _within(zones[::-1], other):
                break
        else:
            kept.append((zones, links))
    return kept


def _within(part: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
