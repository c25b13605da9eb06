"""Maps as the scripted team sees them: distances, links and colours as records."""

from __future__ import annotations

import functools

import numpy as np

from outbreak_rl.envs.core.state import record
from outbreak_rl.envs.pandemic.board import MAPS, MOST_LINKS, Map
from outbreak_rl.envs.pandemic.cards import CITIES, KINDS

GEOGRAPHY = record([
    ("of_colour", "i8", (KINDS,)),  # bit c: city c has this colour
    ("far", "i1", (CITIES, CITIES)),  # drives between two cities
    ("links", "i1", (CITIES, MOST_LINKS)),
    ("degree", "i1", (CITIES,)),
    ("colour", "i1", (CITIES,)),
    ("present", "i1", (KINDS,)),  # how many cities each colour has
    ("cities", "i1"),
])  # fmt: skip


def drives(links: tuple[tuple[int, ...], ...], start: int) -> list[int]:
    """Drives from a city to all cities."""
    found = {start: 0}
    queue = [start]
    for city in queue:
        for other in links[city]:
            if other not in found:
                found[other] = found[city] + 1
                queue.append(other)
    return [found[city] for city in range(len(links))]


@functools.lru_cache(maxsize=16)
def geography(found: Map) -> np.ndarray:
    """GEOGRAPHY (1,) of a map."""
    table = np.zeros(1, GEOGRAPHY)
    row = table[0]
    n = len(found.cities)
    for city, links in enumerate(found.links):
        row["far"][city, :n] = drives(found.links, city)
        row["links"][city, : len(links)] = links
        row["degree"][city] = len(links)
    row["colour"][:n] = found.colours
    for city, colour in enumerate(found.colours):
        row["of_colour"][colour] |= 1 << city
        row["present"][colour] += 1
    row["cities"] = n
    return table


def geographies(marks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The maps of Views by their marks, int8 (n, 2): GEOGRAPHY (maps,) and which one each View has, int64 (n,)."""
    found, which = np.unique(marks, axis=0, return_inverse=True)
    maps = [geography(MAPS[int(a), int(b)]) for a, b in found]
    joined = maps[0] if len(maps) == 1 else np.concatenate(maps)
    return joined, np.ascontiguousarray(which.reshape(-1), np.int64)
