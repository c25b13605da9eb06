"""Random missions: seeded, of any size and difficulty, over the real tiles."""

from __future__ import annotations

import functools
import random
from typing import Any

from .board import build
from .layout import MissionError
from .mission import Mission, make

# The nine tiles: the face that is laid for a city (if it has one) and the others.
TILES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ("15P",)),
    ("", ("8P",)),
    ("3P", ("12P",)),
    ("4P", ("6P",)),
    ("", ("14P",)),
    ("", ("7P", "11P")),
    ("", ("9P",)),
    ("18P", ("10P",)),
    ("17P", ("16P",)),
)
TRIES = 200


@functools.lru_cache(64)
def generate(seed: int, size: int, difficulty: int) -> Mission:
    """A random mission: fetch all objectives and come back to the start; always reachable.

    size: tiles (1 to 9).  difficulty: 0 to 5; more spawn zones, objectives farther away.  At 0 there is one
    objective, in a street next to the start: a first lesson.
    """
    for attempt in range(TRIES):
        rng = random.Random(f"zombicide {seed} {size} {difficulty} {attempt}")
        try:
            return make(_draft(rng, size, difficulty), f"random-{seed}-{size}-{difficulty}")
        except MissionError:
            continue
    raise MissionError(f"no random mission comes from seed {seed}, size {size}, difficulty {difficulty}")


def _draft(rng: random.Random, size: int, difficulty: int) -> dict[str, Any]:
    """A mission text that may turn out to be impossible."""
    columns = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3, 7: 3, 8: 3, 9: 3}[size]
    drawn = rng.sample(TILES, size)
    cities = [pair for pair in drawn if pair[0]]
    if not cities:
        raise MissionError("no tile has a city on it")
    streets_on = cities[: max(1, (size + 1) // 2)]
    tiles = [pair[0] if pair in streets_on else rng.choice(pair[1]) for pair in drawn]
    rng.shuffle(tiles)
    laid = [(tile, rng.choice((0, 90, 180, 270))) for tile in tiles]
    laid += [("", 0)] * (-len(laid) % columns)
    rows = [laid[k : k + columns] for k in range(0, len(laid), columns)]
    board = build(rows)
    name = [zone.name for zone in board.zones]
    streets = [n for n, zone in enumerate(board.zones) if zone.kind == "street"]
    doors: list[dict[str, Any]] = []
    for link in board.links:
        rooms = [n for n in (link.a, link.b) if board.zones[n].kind == "building"]
        wanted = link.kind == "double_door_site" or (
            link.kind.endswith("site") and rooms and rng.random() < 0.6
        )
        if wanted and sum(bool(set(door["zones"]) & set(rooms)) for door in doors) < 2:
            doors.append({"zones": rooms, "between": [name[link.a], name[link.b]]})
    start = rng.choice(streets)
    distance = _distances(board, start, {frozenset(board.aliases[z] for z in d["between"]) for d in doors})
    rooms = [n for n, zone in enumerate(board.zones) if zone.kind == "building" and n in distance]
    if not rooms:
        raise MissionError("no room can be reached")
    rooms.sort(key=lambda n: (distance[n] * (3 - difficulty), rng.random()))
    targets = rooms[: min(len(rooms), 1 + (difficulty + 1) // 2)]
    if difficulty == 0:
        targets = [n for n in streets if distance.get(n) == 1][:1]
    if not targets:
        raise MissionError("no street lies next to the start")
    far = sorted((n for n in streets if distance.get(n, 0) > 1), key=lambda n: -distance[n])
    if not far:
        raise MissionError("no street is far enough")
    spawns = rng.sample(
        far[: max(3, len(far) // 2)], min(1 + difficulty // 2, len(far[: max(3, len(far) // 2)]))
    )
    cars = [
        {
            "kind": rng.choice(("police car", "pimpmobile", "taxi")),
            "zone": name[rng.choice(streets)],
            "drivable": True,
        }
    ]
    return {
        "title": "Random mission",
        "status": "made by the generator",
        "tiles": [[f"{tile}@{turn}" if tile else "" for tile, turn in row] for row in rows],
        "start": name[start],
        "spawns": [{"zone": name[n]} for n in spawns],
        "doors": [{"between": door["between"]} for door in doors],
        "objectives": [{"zone": name[n]} for n in targets],
        "cars": cars if difficulty < 5 else [],
        "goals": [{"kind": "objectives"}, {"kind": "gather", "zones": [name[start]]}],
    }


def _distances(board: Any, start: int, doors: set[frozenset[int]]) -> dict[int, int]:
    found = {start: 0}
    line = [start]
    for here in line:
        for link in board.links:
            if here in (link.a, link.b):
                there = link.a + link.b - here
                if there not in found and (
                    link.kind in ("open", "doorway") or frozenset((link.a, link.b)) in doors
                ):
                    found[there] = found[here] + 1
                    line.append(there)
    return found
