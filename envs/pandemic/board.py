"""Maps: the printed one, a small one, or a user's file, as run-time tables.

A map is a TOML file::

    name = "World"
    start = "Atlanta"            # pawns and the first research station
    cards_for_cure = 5           # may be left out; the Scientist needs one less
    cubes = 24                   # of each colour; may be left out
    land = [[[0, 0], [9, 0], [9, 9]]]  # outlines for the picture; may be left out

    [[city]]
    name = "Atlanta"
    colour = "blue"              # blue, yellow, black or red
    population = 4715000
    at = [255, 205]              # place on a picture of 1000 x 560
    links = ["Chicago", "Miami", "Washington"]

Cities are numbered in the order of the file.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..core.state import record
from ..core.toml import tomllib
from .cards import CITIES, COLOURS, KINDS, SETUP_CUBES

MOST_LINKS = 12
SHIPPED = ("world", "small")

TABLE = record([
    ("near", "i8", (CITIES,)),  # bit c: city c is this city or next to it
    ("population", "i4", (CITIES,)),
    ("links", "i1", (CITIES, MOST_LINKS)),  # neighbours in map order
    ("degree", "i1", (CITIES,)),
    ("colour", "i1", (CITIES,)),
    ("supply", "i1", (KINDS,)),  # cubes of each colour; 0 for a colour that the map lacks
    ("mark", "i1", (2,)),  # tells maps apart in a View
    ("cities", "i1"),
    ("colours", "i1"),  # how many have to be cured
    ("start", "i1"),
    ("cure_cards", "i1"),
])  # fmt: skip


@dataclass(frozen=True)
class Map:
    """A map as its file says it; `table` is what the rules see."""

    name: str
    cities: tuple[str, ...]
    colours: tuple[int, ...]
    population: tuple[int, ...]
    places: tuple[tuple[float, float], ...]
    links: tuple[tuple[int, ...], ...]
    start: int
    cure_cards: int
    cubes: int
    mark: tuple[int, int]
    land: tuple[tuple[tuple[float, float], ...], ...] = ()

    @functools.cached_property
    def table(self) -> np.ndarray:
        """TABLE (1,)."""
        table = np.zeros(1, TABLE)
        row = table[0]
        n = len(self.cities)
        for city, links in enumerate(self.links):
            row["links"][city, : len(links)] = links
            row["degree"][city] = len(links)
            row["near"][city] = sum(1 << other for other in (city, *links))
        row["population"][:n] = self.population
        row["colour"][:n] = self.colours
        for colour in set(self.colours):
            row["supply"][colour] = self.cubes
        row["mark"] = self.mark
        row["cities"] = n
        row["colours"] = len(set(self.colours))
        row["start"] = self.start
        row["cure_cards"] = self.cure_cards
        return table


MAPS: dict[tuple[int, int], Map] = {}  # every map that this process has loaded, by its mark


def load_map(name: str) -> Map:
    """A shipped map by name, or a user's by the path of its file; raises ValueError."""
    if name in SHIPPED:
        return _shipped(name)
    try:
        text = Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise ValueError(
            f"option map is {name!r}, must be 'world', 'small' or a readable TOML file ({wrong})"
        ) from None
    return _parsed(text, name)


@functools.cache
def _shipped(name: str) -> Map:
    return _parsed((files(__package__) / "maps" / f"{name}.toml").read_text("utf-8"), name)


@functools.lru_cache(maxsize=64)
def _parsed(text: str, where: str) -> Map:
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise ValueError(f"map {where} is not TOML: {wrong}") from None
    try:
        found = _read(values, where)
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"map {where} lacks or misuses {wrong}") from None
    return MAPS.setdefault(found.mark, found)


def _read(values: dict[str, Any], where: str) -> Map:
    cities = values["city"]
    names = [str(city["name"]) for city in cities]
    _require(
        len(SETUP_CUBES) <= len(names) <= CITIES, where, f"has {len(names)} cities, must have 9 to {CITIES}"
    )
    _require(len(set(names)) == len(names), where, "has two cities of one name")
    for city in cities:
        _require(
            city["colour"] in COLOURS,
            where,
            f"{city['name']}: the colour must be one of {', '.join(COLOURS)}",
        )
        for other in city["links"]:
            _require(
                other in names and other != city["name"], where, f"{city['name']} is linked to {other!r}"
            )
        _require(
            1 <= len(set(city["links"])) <= MOST_LINKS,
            where,
            f"{city['name']} must have 1 to {MOST_LINKS} links",
        )
        _require(0 < city["population"] < 1 << 31, where, f"{city['name']}: no population of people")
    links = tuple(tuple(sorted({names.index(other) for other in city["links"]})) for city in cities)
    for city, others in enumerate(links):
        for other in others:
            _require(
                city in links[other],
                where,
                f"{names[city]} is linked to {names[other]} but not the other way",
            )
    reached, edge = {0}, {0}
    while edge:
        edge = {other for city in edge for other in links[city]} - reached
        reached |= edge
    _require(len(reached) == len(names), where, "is not connected")
    _require(values["start"] in names, where, f"starts in {values['start']!r}, which is no city")
    cure_cards, cubes = int(values.get("cards_for_cure", 5)), int(values.get("cubes", 24))
    _require(
        2 <= cure_cards <= 7 and 3 <= cubes <= 127, where, "cards_for_cure must be 2 to 7, cubes 3 to 127"
    )
    colours = tuple(COLOURS.index(city["colour"]) for city in cities)
    population = tuple(int(city["population"]) for city in cities)
    start = names.index(values["start"])
    told = repr((names, colours, population, links, start, cure_cards, cubes))
    digest = hashlib.sha256(told.encode()).digest()
    land = tuple(tuple((float(x), float(y)) for x, y in outline) for outline in values.get("land", []))
    places = tuple((float(city["at"][0]), float(city["at"][1])) for city in cities)
    return Map(
        str(values["name"]), tuple(names), colours, population, places, links, start, cure_cards, cubes,
        (digest[0] & 127, digest[1] & 127), land,
    )  # fmt: skip


def _require(holds: bool, where: str, wrong: str) -> None:
    if not holds:
        raise ValueError(f"map {where} {wrong}")
