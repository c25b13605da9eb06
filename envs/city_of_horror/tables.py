"""The facts that the rulebook's text does not print, as a run-time table that a file may replace."""

from __future__ import annotations

import functools
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..core.options import nearest
from ..core.toml import tomllib
from .cards import (
    CARD_LETTERS,
    CARDS_AN_HOUR,
    CHARACTERS,
    COLOUR_NAMES,
    CROSSROADS,
    HOURS,
    MOST_ZOMBIES,
    PLACE_NAMES,
    PLACES,
    ROUNDS,
    RUIN,
    SIDE_B,
    TOWER,
)

INVASION_CARD = np.dtype([
    ("moves", "i1", (2, 2)),  # location numbers from, to; zero where there is none
    ("zombies", "i1", (PLACES,)),  # by location number - 1, like the supplies
    ("antidotes", "i1", (PLACES,)),
    ("cards", "i1", (PLACES,)),
    ("leader", "i1"),
])  # fmt: skip
TABLE = np.dtype([
    ("invasion", INVASION_CARD, (HOURS, CARDS_AN_HOUR)),
    ("capacity", "i1", (PLACES, 3)),  # by side; the crossroads take everybody
    ("wheel", "i1", (len(COLOUR_NAMES),)),  # colours clockwise
    ("flare", "i1"),
])  # fmt: skip
RESERVED = "reconstructed"  # the file that comes with the game
STATUS = ("printed", "inferred", "reconstructed", "ours")  # what a figure may be marked as


class TableError(ValueError):
    """A file of tables that cannot be used: the message says what is wrong and where."""


@functools.lru_cache(maxsize=16)
def _read(path: str, changed: float) -> bytes:
    where = path or RESERVED
    try:
        text = Path(path).read_text("utf-8") if path else _own().read_text("utf-8")
    except UnicodeDecodeError as wrong:
        raise TableError(f"{where} is not TOML: byte {wrong.start} is not UTF-8") from None
    return parse(text, where).tobytes()


def _own() -> Any:
    return files(__package__) / "data" / f"{RESERVED}.toml"


def load(path: str) -> np.ndarray:
    """The tables (1,) of a TOML file; an empty path gives the game's own."""
    try:
        changed = Path(path).stat().st_mtime if path else 0.0
        return np.frombuffer(bytearray(_read(path, changed)), TABLE)
    except OSError as wrong:
        raise TableError(f"option tables: {path} cannot be read: {wrong.strerror}") from None


def card_names(hour: int) -> tuple[str, ...]:
    """The names of the four invasion cards of an hour."""
    return tuple(f"{hour}{letter}" for letter in CARD_LETTERS)


def parse(text: str, where: str) -> np.ndarray:
    """Tables (1,) from TOML text; raises TableError in one sentence for anything that cannot be."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise TableError(f"{where} is not TOML: {wrong}") from None
    _only(given, ("status", "flare", "wheel", "capacity", "invasion"), where)
    _status(given, where)
    tables = np.zeros(1, TABLE)
    record = tables[0]
    record["flare"] = _number(given.get("flare"), 1, MOST_ZOMBIES, f"{where}: flare")
    wheel = given.get("wheel")
    if not isinstance(wheel, list) or sorted(wheel, key=str) != sorted(COLOUR_NAMES):
        raise TableError(f"{where}: wheel is {wheel!r}, must name each of {', '.join(COLOUR_NAMES)} once")
    record["wheel"] = [COLOUR_NAMES.index(colour) for colour in wheel]
    _read_capacity(given.get("capacity"), record, where)
    _read_invasion(given.get("invasion"), record, where)
    return tables


def _read_capacity(given: Any, record: np.void, where: str) -> None:
    if not isinstance(given, dict):
        raise TableError(f"{where}: there must be a table [capacity]")
    _only(given, PLACE_NAMES[:CROSSROADS], f"{where}: capacity")
    for place, name in enumerate(PLACE_NAMES[:CROSSROADS]):
        sides = given.get(name)
        n = (RUIN if place == TOWER else SIDE_B) + 1
        if not isinstance(sides, list) or len(sides) != n:
            raise TableError(
                f"{where}: capacity.{name} is {sides!r}, must be {n} numbers (A, B{', ruin' * (n > 2)})"
            )
        for side, spaces in enumerate(sides):
            record["capacity"][place, side] = _number(spaces, 1, CHARACTERS, f"{where}: capacity.{name}")
    record["capacity"][CROSSROADS] = CHARACTERS


def _read_invasion(given: Any, record: np.void, where: str) -> None:
    names = [name for hour in range(HOURS) for name in card_names(hour)]
    if not isinstance(given, list) or not all(isinstance(card, dict) for card in given):
        raise TableError(f"{where}: there must be a list of tables [[invasion]]")
    found = [card.get("name") for card in given]
    if sorted(found, key=str) != names:
        raise TableError(f"{where}: the invasion cards are {found}, must be each of {', '.join(names)} once")
    for card in given:
        place = f"{where}: invasion card {card['name']}"
        _only(card, ("name", "status", "moves", "zombies", "antidotes", "cards", "leader"), place)
        _status(card, place)
        hour, letter = names.index(card["name"]) // CARDS_AN_HOUR, names.index(card["name"]) % CARDS_AN_HOUR
        _read_card(card, record["invasion"][hour, letter], hour, place)


def _read_card(card: dict[str, Any], row: np.void, hour: int, where: str) -> None:
    moves = card.get("moves", [])
    if not isinstance(moves, list) or len(moves) > 2:
        raise TableError(
            f"{where}: moves is {moves!r}, must be a list of at most two pairs of location numbers"
        )
    for k, move in enumerate(moves):
        if not isinstance(move, list) or len(move) != 2 or move[0] == move[1]:
            raise TableError(f"{where}: the move {move!r} must be two different location numbers")
        row["moves"][k] = [_number(number, 1, PLACES, f"{where}: a move") for number in move]
    for key, most in (("zombies", MOST_ZOMBIES), ("antidotes", 20), ("cards", 20)):
        counts = card.get(key, [0] * PLACES)
        if not isinstance(counts, list) or len(counts) != PLACES:
            raise TableError(f"{where}: {key} is {counts!r}, must be {PLACES} numbers, one a location number")
        row[key] = [_number(n, 0, most, f"{where}: {key}") for n in counts]
    supplies = row["antidotes"] + row["cards"]
    if supplies[0] or supplies[PLACES - 1]:
        raise TableError(
            f"{where}: supplies are never dropped at location 1 (tower) or {PLACES} (crossroads)"
        )
    row["leader"] = _number(card.get("leader", 0), 0, len(COLOUR_NAMES), f"{where}: leader")
    if hour == 0 and (moves or supplies.any() or row["leader"]):
        raise TableError(f"{where}: a set-up card has zombies only")


def _status(given: dict[str, Any], where: str) -> None:
    """A mark of where figures come from may be left out, but not be something else."""
    if given.get("status", "ours") not in STATUS:
        raise TableError(f"{where}: status is {given['status']!r}, must be one of {', '.join(STATUS)}")


def _number(value: Any, low: int, high: int, where: str) -> int:
    if value is None:
        raise TableError(f"{where} is missing, must be a whole number from {low} to {high}")
    if type(value) is not int or not low <= value <= high:
        raise TableError(f"{where} is {value!r}, must be a whole number from {low} to {high}")
    return value


def _only(given: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in given:
        if key not in known:
            raise TableError(f"{where} has no key {key!r}{nearest(key, list(known))}")


assert HOURS == ROUNDS + 1
