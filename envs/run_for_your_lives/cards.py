"""The deck: ten kinds of items and eleven kinds of zombies, three cards of each (63 cards, p.1).

Cards of one kind are alike and are counted by *code*: item k is code k, the zombie with the same
symbol is code 10 + k, and the cockroach, which no item removes, is code 20.
"""

from __future__ import annotations

from importlib.resources import files

from ..core.toml import tomllib

ITEMS = 10  # item kinds
ZOMBIES = 11  # zombie kinds
CODES = ITEMS + ZOMBIES
COPIES = 3
CARDS = CODES * COPIES
GOAL = 5  # different items that save a player, and zombies that turn one
DEALT = 4  # cards dealt to each player
REFRESH = 5  # cards drawn for a hand that could not be played
COCKROACH = CODES - 1  # this code matches no item
SEATS = 7

_names = tomllib.loads((files(__package__) / "names.toml").read_text("utf-8"))
ITEM_NAMES: tuple[str, ...] = tuple(_names["kinds"])
ZOMBIE_NAMES: tuple[str, ...] = tuple(
    _names["zombie"].format(kind=kind) for kind in (*_names["kinds"], _names["itemless"])
)
CARD_NAMES: tuple[str, ...] = ITEM_NAMES + ZOMBIE_NAMES
