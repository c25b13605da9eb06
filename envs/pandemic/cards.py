"""The printed facts that hold on every map: roles, events, limits, the infection rate track.

Player cards are numbered: city cards by their city (0 to 47), then the five events; an epidemic card
in the player deck is EPIDEMIC.
"""

from __future__ import annotations

from importlib.resources import files

from ..core.toml import tomllib

SEATS = 4
CITIES = 48  # the most that a map may have (the printed one has exactly these)
COLOURS = ("blue", "yellow", "black", "red")
KINDS = len(COLOURS)
EVENTS_PRINTED = 5
CARDS = CITIES + EVENTS_PRINTED  # player cards that can lie in a hand
EPIDEMIC = CARDS
EPIDEMICS = 6  # the most that a deck holds
DECK = CARDS + EPIDEMICS

HAND_LIMIT = 7
ACTIONS_A_TURN = 4
DRAWN_A_TURN = 2
CITY_FULL = 3  # cubes of one colour in a city
OUTBREAK_LIMIT = 8
STATIONS = 6
INFECTION_RATE = (2, 2, 2, 3, 3, 4, 4)
SETUP_CUBES = (3, 3, 3, 2, 2, 2, 1, 1, 1)
HAND_DEALT = (0, 0, 4, 3, 2)  # by number of players
FORECAST_CARDS = 6
LAYERS = 20  # the first deck, six intensifies, two Forecasts of six, and one to spare

# Roles as numbers in the State (0: no role) and events as indices; `Names` holds their texts.
CONTINGENCY, DISPATCHER, MEDIC, OPERATIONS, QUARANTINE, RESEARCHER, SCIENTIST = range(1, 8)
AIRLIFT, FORECAST, GRANT, QUIET_NIGHT, RESILIENT = range(EVENTS_PRINTED)

_names = tomllib.loads((files(__package__) / "names.toml").read_text("utf-8"))
ROLE_NAMES: tuple[str, ...] = tuple(_names["roles"])
EVENT_NAMES: tuple[str, ...] = tuple(_names["events"])
ROLES = len(ROLE_NAMES)
