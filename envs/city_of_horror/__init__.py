"""City of Horror (``outbreak/city_of_horror``): secret moves, votes, trades and betrayal for 3 to 6.

Game by Nicolas Normandon (Repos Production 2012).  Everybody has a few characters in a town that
zombies overrun for four rounds.  Where they attack, those present vote on who dies.  At the end the
living need antidotes; the most points win.  See the README for what is printed, inferred and ours.

**A round.**  Watch on the tower; secret movement cards; the invasion card; moves; then place by place
activation, attack and sharing of supplies; the First Player token goes to who lost a character last.
Windows, in which anybody may play cards, use abilities, trade and promise, lie before the choice of
movement cards, before each attack and before each sharing (option ``windows``: in two more places).

**Reconstructed** (data/reconstructed.toml, replaceable by option ``tables``): 19 of the 20 invasion
cards, six capacities, the Flare's number, the place of yellow on the wheel.

**Rulings** where the rulebook is silent:

- Nothing is reshuffled.  What runs short (zombies, antidotes, cards, tokens) is missing at the higher
  location numbers; a place that has nothing to give cannot be activated.
- Location 1 is the tower, 6 the crossroads; the corner buildings get 2 to 5 at random.
- A window closes when all seats have passed in a row.  A seat is asked if it holds a card, has a
  rested character whose ability could work now, or may still make an offer: all see that.
- A play must be able to change something; a Kitten may draw its own start, an explosion card may be
  played for its token alone when no zombie is out.  Abilities and cards about votes are not to be had
  after the last vote (the birth: the last of the game); the Blonde's not after her last zombie.
  Granny's only where she could then be moved.
- Running Shoes, Teen and Granny belong to the own move, Service Entrance and Mama to a full place, the
  Priest to a move just made (one's own, too, if the character changed its place).
- A theft is void when the last card of the others went into cancelling.
- All others may cancel in turn order, counted from the first player; a Tear Gas can be cancelled
  again.  A cancelled card is spent, and so is what was spent on it.
- A character that came into a full place stands on an extra space of its own.  The Priest sends a
  character back to the very space it left.
- A burnt or jammed armory counts as full for everybody; a jammed one lets nobody out either.
- Hidden characters cannot be chosen in either vote, and have no voice.
- The Pregnant Woman's card never turns but by her ability.
- Two Gun Replicas on one seat's votes at a place: the later one holds.
- With one seat that can be chosen there is no vote; where nobody has a vote the first player picks
  the victim's owner, and supplies stay.
- Who shares supplies first says who gets the next thing, then what.
- A spent food token is shown.  A food token that was taken face up and one of the same value taken
  face down are alike: the shown one is spent first.
- An exchange is seen by all, with the kinds; a card offered is proof that it is there.  After a theft
  or a hidden gift an observer knows of each kind one card less than before.
- A card that somebody is known to hold is one particular card for `resample`.
- After the draft a seat knows for sure only what all pickers of one packet must have taken.
- The game ends at once when nobody lives.  All at 0 points: everybody shares the win.

**Actions** (see `state.ACTIONS`): choices by name (place, character, card kind), seats relative to the
acting seat, ``play`` a card, ``use`` an ability, offers in three steps, promises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.adapters import adapters
from ..core.game import Game
from ..core.options import Options, option
from . import counting, draw, notation, position, tables
from .cards import HOURS, PLACE_NAMES, PLACES, SEATS
from .kernel import serve
from .state import ACTIONS, DECISIONS, EVENTS, SIDE_RANDOM, STATE
from .view import FIELDS

_SIDES = {"A": 0, "B": 1, "?": SIDE_RANDOM}
_DRAFTS = ("off", "printed", "full")
_NEGOTIATIONS = ("off", "trade", "talk")
_REWARDS = ("win", "score", "rank")


@dataclass(frozen=True)
class CityOfHorrorOptions(Options):
    """How a game is set up."""

    players: int = option(4, "how many play", low=3, high=SEATS)
    sides: str = option(
        "A",
        f"A, B or ? (at random) for all places, or a letter for each of {', '.join(PLACE_NAMES)}",
    )
    first_seat: int | str = option("random", "who begins", choices=("random",), low=0, high=SEATS - 1)
    draft: str = option("off", "deal the action cards, or draft them from packets", choices=_DRAFTS)
    windows: str = option(
        "essential", "all: windows after the invasion card and at the end, too", choices=("essential", "all")
    )
    negotiation: str = option("trade", "exchanges, and promises besides", choices=_NEGOTIATIONS)
    offers: int = option(2, "exchanges that a seat may offer in a round", low=0, high=9)
    tables: str = option("", "a TOML file in place of the reconstructed facts")
    reward: str = option(
        "win",
        "win: a share of the win less 1/players; score: points; rank: (seats below - above) / (players - 1)",
        choices=_REWARDS,
    )

    def validate(self) -> None:
        """What single options cannot say."""
        if self.first_seat != "random" and int(self.first_seat) >= self.players:
            raise ValueError(
                f"option first_seat is {self.first_seat}, must be below players ({self.players})"
            )
        sides = self.sides
        if not isinstance(sides, str) or len(sides) not in (1, PLACES) or set(sides) - set(_SIDES):
            raise ValueError(f"option sides is {sides!r}, must be A, B or ?, or {PLACES} of these letters")
        if not isinstance(self.tables, str):
            raise ValueError(f"option tables is {self.tables!r}, must be the name of a file, or empty")


PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "silent": {"negotiation": "off"},
    "talk": {"players": 6, "negotiation": "talk"},
    "side_b": {"sides": "B"},
    "draft": {"draft": "full"},
    "all_windows": {"windows": "all"},
}


def _setup(options: CityOfHorrorOptions, state: np.void) -> None:
    state["players"] = options.players
    written = state["options"]
    written["first_seat"] = -1 if options.first_seat == "random" else options.first_seat
    sides = options.sides * PLACES if len(options.sides) == 1 else options.sides
    written["sides"] = [_SIDES[letter] for letter in sides]
    written["draft"] = _DRAFTS.index(options.draft)
    written["all_windows"] = options.windows == "all"
    written["negotiation"] = _NEGOTIATIONS.index(options.negotiation)
    written["offers"] = options.offers
    written["reward"] = _REWARDS.index(options.reward)


def _tables(options: CityOfHorrorOptions) -> np.ndarray:
    return tables.load(options.tables)


def _outcome(states: np.ndarray) -> dict[str, np.ndarray]:
    """Columns for result tables: a seat's score and its living; of the whole town the living, the
    deaths of each round and the exchanges made."""
    people = states["people"]
    alive = people["place"] > 0
    columns = {
        "score": states["seats"]["score"],
        "own_alive": np.stack(
            [(alive & (people["owner"] == seat + 1)).sum(axis=1) for seat in range(SEATS)], axis=1
        ),
        "alive": (alive & (people["owner"] > 0)).sum(axis=1),
    }
    columns |= {f"deaths_{hour}": states["deaths"][:, hour] for hour in range(1, HOURS)}
    return columns | {"exchanges": states["exchanges"]}


GAME = Game(
    name="city_of_horror",
    title="City of Horror",
    module=__name__,
    options=CityOfHorrorOptions,
    presets=PRESETS,
    state=STATE,
    fields=FIELDS,
    actions=ACTIONS,
    events=EVENTS,
    decisions=DECISIONS,
    serve=serve,
    setup=_setup,
    tables=_tables,
    read_position=position.read_position,
    write_position=notation.write_position,
    event_text=notation.event_text,
    svg=draw.svg,
    ansi=draw.ansi,
    cards=(counting.ACTION_CARDS, counting.FOOD, counting.INVASIONS),
    outcome=_outcome,
    grids={
        "city_of_horror": [
            {"preset": preset, "players": players}
            for preset in ("silent", "default")
            for players in range(3, SEATS + 1)
        ],
        "presets": [{"preset": preset} for preset in PRESETS],
    },
    content={
        "characters, action cards, places and their sides, set-up, end": "printed",
        "invasion card 3A, capacities 2 and 4, the wheel but for yellow": "printed",
        "six capacities of 3, the Flare's number, yellow on the wheel": "inferred",
        "invasion cards but 3A": "ours (reconstructed)",
        "names": "ours, after the rulebook",
        "rulings": "ours",
    },
)
env, raw_env, parallel_env = adapters(GAME)
