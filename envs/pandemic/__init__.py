"""Pandemic (``outbreak/pandemic``): 2 to 4 players against four diseases, all win or lose together.

Game by Matt Leacock (Z-Man Games, 2013 edition).  Four cures win; the eighth outbreak, a missing cube
or a missing player card loses.

**A turn.**  Up to four actions (drive, flights, build, treat, share, cure, and the roles' own), two
player cards (epidemics first raise the rate, hit the bottom card and put the infection discards back
on top), hand limit of seven, then as many infections as the rate says.  Events may be played in
windows between these parts, and at a seat's own actions and hand limit.

**Rulings** where the rulebook is silent or leaves room:

- A tie of the most populous city card (Chicago, Lima) goes to the lowest seat; with no city card in any
  hand seat 0 begins.
- A list of roles longer than the table is dealt from at random.  Which events are in the game is public.
- Moves to where a pawn already stands, treating without a cube, building where a station stands and
  curing a cured colour are no actions.
- A cure with exactly enough cards needs no picks; with more, they are picked and discarded one by one.
- An Operations Expert always builds without a card.  His flight costs a *city* card.
- The Dispatcher names a pawn, then its move; his own pawn moves as everybody's, and besides to a city
  with another pawn.
- Government Grant moves one of six stations, too, when all are out.
- Forecast's cards are face up for all.  With fewer than six cards left it looks at these.
- An event that would do nothing is not playable: Forecast without an infection deck, One Quiet Night while
  one is pending, Resilient Population without infection discards.  It can be discarded.
- One Quiet Night marks the next infection step not yet begun.
- An empty infection deck is made anew from its discards when a card is needed; if there are none, nothing
  is flipped.
- An outbreak chain runs breadth first in map order; the marker moves first, then cubes are placed, and the
  first failure ends the game.
- A card that is offered (consent, hidden hands) is shown to the table; so is an event that is begun.  A
  refused offer costs nothing and may not be repeated this turn: a share by card and seat, a dispatched
  pawn by its destination, an Airlift by pawn and destination, a request for a card by seat.
- With hidden hands, a window asks every seat that may hold an event playable now as far as the table can
  tell, and nobody else.
- With hidden hands, what the choice of the first player says about the *other* hands is not kept.
- The turns that count for ``max_turns`` are finished turns; a game that is cut off pays 0.

**Actions** (474): see POSITION.md for their texts; big choices are split into small steps.

**Decisions a game**, random play: default 45, easy2 51, heroic 41, hidden 356, V1 29, V2 29 (7 to 9 turns); the
scripted team needs about 170 in easy2 (21 turns).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.actions import ActionTexts
from ..core.adapters import adapters
from ..core.game import Game
from ..core.options import Options, option
from . import counting, draw, notation
from .board import load_map
from .cards import EPIDEMICS, EVENT_NAMES, EVENTS_PRINTED, ROLE_NAMES, SEATS
from .kernel import serve
from .state import ACTIONS, CUBES, EVENTS, NOT_CURED, OUT_OF_CARDS, OUTBREAKS, STATE, texts_of
from .view import FIELDS


@dataclass(frozen=True)
class PandemicOptions(Options):
    """How a game is set up."""

    players: int = option(4, "how many play", low=2, high=SEATS)
    epidemics: int = option(
        5, "epidemic cards: 4 easy, 5 normal, 6 heroic; fewer for curricula", low=0, high=EPIDEMICS
    )
    roles: str | tuple[str, ...] = option(
        "random", "'random', or role names: in seat order, or more of them to be dealt from"
    )
    events: int | tuple[str, ...] = option(
        EVENTS_PRINTED, "how many events (drawn at random), or a list of their names"
    )
    hands: str = option("open", "whether hands lie open", choices=("open", "hidden"))
    consent: bool = option(False, "owners of hands and pawns are asked", choices=(False, True))
    windows: str = option(
        "turn",
        "events between the parts of a turn, or also between actions and cards",
        choices=("turn", "full"),
    )
    map: str = option("world", "'world', 'small', or the path of a map file")
    reward: str = option("win", "win: 1 for a win, else 0; signed: 1 and -1", choices=("win", "signed"))
    max_turns: int = option(100, "finished turns until truncation", low=1, high=30_000)

    def __post_init__(self) -> None:
        for item in dataclasses.fields(self):
            if isinstance(getattr(self, item.name), list):
                object.__setattr__(self, item.name, tuple(getattr(self, item.name)))
        super().__post_init__()

    def validate(self) -> None:
        """What single options cannot say."""
        _check_names("roles", self.roles, ROLE_NAMES, "'random' or a list of role names")
        _check_names(
            "events",
            self.events,
            EVENT_NAMES,
            f"a whole number from 0 to {EVENTS_PRINTED} or a list of event names",
        )
        if isinstance(self.roles, tuple) and len(self.roles) < self.players:
            raise ValueError(
                f"option roles has {len(self.roles)} names, must have at least players ({self.players})"
            )
        if not isinstance(self.map, str):
            raise ValueError(
                f"option map is {self.map!r}, must be 'world', 'small' or the path of a TOML file"
            )
        found = load_map(self.map)
        events = len(self.events) if isinstance(self.events, tuple) else int(self.events)
        cards = len(found.cities) + events - (8 if self.players != 3 else 9)
        if cards < max(self.epidemics, 2):
            raise ValueError(
                f"option map has too few cities: {cards} cards are left in the deck for {self.epidemics} epidemics"
            )


def _check_names(option_name: str, value: Any, known: tuple[str, ...], allowed: str) -> None:
    if isinstance(value, tuple):
        for name in value:
            if name not in known:
                raise ValueError(f"option {option_name} names {name!r}, must be of {', '.join(known)}")
        if len(set(value)) != len(value):
            raise ValueError(f"option {option_name} names one twice: {value!r}")
        return
    number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= EVENTS_PRINTED
    if not (value == "random" if option_name == "roles" else number):
        raise ValueError(f"option {option_name} is {value!r}, must be {allowed}")


V1 = ("Operations Expert", "Researcher", "Medic", "Scientist")
V2 = ("Medic", "Quarantine Specialist", "Researcher", "Scientist")
PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "easy2": {"players": 2, "epidemics": 4},
    "heroic": {"epidemics": 6},
    "hidden": {"hands": "hidden", "consent": True, "windows": "full"},
    "V1": {"roles": V1, "events": 0},
    "V2": {"roles": V2, "events": 0},
}


def _setup(options: PandemicOptions, state: np.void) -> None:
    state["players"] = options.players
    written = state["options"]
    written["max_turns"] = options.max_turns
    written["epidemics"] = options.epidemics
    written["hidden"] = options.hands == "hidden"
    written["consent"] = options.consent
    written["full"] = options.windows == "full"
    written["signed"] = options.reward == "signed"
    if isinstance(options.roles, tuple):
        written["roles"][: len(options.roles)] = [ROLE_NAMES.index(role) + 1 for role in options.roles]
        written["roles_in_order"] = len(options.roles) == options.players
    if isinstance(options.events, tuple):
        written["events"] = len(options.events)
        written["listed"] = sum(1 << EVENT_NAMES.index(event) for event in options.events)
    else:
        written["events"] = options.events


def _tables(options: PandemicOptions) -> np.ndarray:
    return load_map(options.map).table


def _actions_for(options: PandemicOptions) -> ActionTexts:
    return texts_of(load_map(options.map))


def _outcome(states: np.ndarray) -> dict[str, np.ndarray]:
    """Columns for result tables: finished turns, cures, the outbreak track, and what ended lost games."""
    result = states["result"]
    return {
        "turns": states["turns"],
        "cures": (states["cure"] > NOT_CURED).sum(axis=1),
        "outbreaks": states["outbreaks"],
        "lost_outbreaks": result == OUTBREAKS,
        "lost_cubes": result == CUBES,
        "lost_cards": result == OUT_OF_CARDS,
    }


GAME = Game(
    name="pandemic",
    title="Pandemic",
    module=__name__,
    options=PandemicOptions,
    presets=PRESETS,
    state=STATE,
    fields=FIELDS,
    actions=ACTIONS,
    events=EVENTS,
    decisions=notation.DECISIONS,
    serve=serve,
    setup=_setup,
    read_position=notation.read_position,
    write_position=notation.write_position,
    event_text=notation.event_text,
    svg=draw.svg,
    ansi=draw.ansi,
    cards=(counting.PLAYER_CARDS, counting.INFECTIONS),
    outcome=_outcome,
    grids={
        "pandemic": [
            {"preset": preset, "players": players, "epidemics": epidemics, "hands": "open"}
            for preset in ("V1", "V2", "default")
            for players in (2, 3, 4)
            for epidemics in (4, 5, 6)
        ]
    },
    tables=_tables,
    actions_for=_actions_for,
    cooperative=True,
    content={
        "cities, colours, populations, connections, roles, events, tracks, counts": "printed",
        "places of cities on the picture, the small map": "ours",
        "rulings": "ours",
    },
)
env, raw_env, parallel_env = adapters(GAME)
