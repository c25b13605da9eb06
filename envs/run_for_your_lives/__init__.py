"""Run for Your Lives (``outbreak/run_for_your_lives``): a zombie card game for 3 to 7, hidden hands.

Game by Danila Gorjunov (Right Games 2011, Polish edition G3 2013).  Each player collects five
different items before himself to be saved; five zombies turn him into one of them.  See the
README for what is printed, inferred and ours.

**A turn.**  Draw a card, then lay an item before yourself or a zombie before another living player.
A card and its counterpart of the same symbol cancel out.  Once a turn, before that, the Special
Rule: a zombie before yourself or an item before another, then one more card.  A player who has
turned turns up the top card and must give it to a living player whom it fits.

**Rulings** where the rulebook is silent:

- A card that meets its counterpart cancels before a count of five is taken.
- A saved player may have zombies before him: five items are all that is asked for.
- A hand is playable when a normal play or a Special Rule play that is not fatal is there.  Fatal
  ones (the own fifth zombie, another's fifth item) nobody has to make: a hand with nothing else may
  be refreshed instead.
- A hand is changed at most three times a turn.  Then, or at once where both piles are empty, the
  hand is shown and kept and the turn passes.  (With both piles empty, showing, discarding and
  drawing as the rulebook says gives the same cards back.)  Everybody knows it from then on (`known`).
- The shown cards of a refresh are discarded before five are drawn; they may come back.
- With both piles empty the Special Rule is spent without an extra card.
- A zombie player whose new pile holds no card that fits anybody passes.
- Where both piles are empty and all players pass in a row, nothing can change any more: the game is
  cut off there as by ``max_turns``.
- Who has turned keeps his place and his turns; a turn that passes counts for ``max_turns``.

**Actions** (148): card k on target t, targets relative to the acting seat (``bus -> self``,
``bus zombie -> +2``), and ``refresh``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.adapters import adapters
from ..core.game import Game
from ..core.options import Options, option
from . import counting, draw, notation
from .cards import COPIES, GOAL, ITEMS, SEATS
from .kernel import serve
from .state import ACTIONS, EVENTS, STATE
from .view import FIELDS


@dataclass(frozen=True)
class RunForYourLivesOptions(Options):
    """How a game is set up."""

    players: int = option(4, "how many play", low=3, high=SEATS)
    fatal_special: str = option(
        "voluntary", "may a player sacrifice himself by the Special Rule?", choices=("voluntary", "forbidden")
    )
    reward: str = option(
        "win",
        "win: 1 for the winner less 1/players for all; rank: (n + 1 - 2 place) / (n - 1)",
        choices=("win", "rank"),
    )
    first_seat: int | str = option("random", "who begins", choices=("random",), low=0, high=SEATS - 1)
    max_turns: int = option(1000, "finished turns of all seats until truncation", low=1, high=30_000)
    kinds: int = option(ITEMS, "item kinds in the deck (one zombie kind more)", low=1, high=ITEMS)
    copies: int = option(COPIES, "cards of each kind", low=1, high=COPIES)
    goal: int = option(GOAL, "items that save a player, zombies that turn one", low=2, high=GOAL)

    def validate(self) -> None:
        """What single options cannot say."""
        if self.first_seat != "random" and int(self.first_seat) >= self.players:
            raise ValueError(
                f"option first_seat is {self.first_seat}, must be below players ({self.players})"
            )
        if self.goal > self.kinds:
            raise ValueError(f"option goal is {self.goal}, must not be above kinds ({self.kinds})")
        cards = (2 * self.kinds + 1) * self.copies
        if cards < 4 * self.players:
            raise ValueError(
                f"options kinds and copies give a deck of {cards} cards, "
                f"{self.players} players need at least {4 * self.players}"
            )


PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "duel3": {"players": 3},
    "full7": {"players": 7},
    "forbidden": {"fatal_special": "forbidden"},
    "rank": {"reward": "rank"},
    "mini": {"players": 3, "kinds": 3, "copies": 2, "goal": 2},
}


def _setup(options: RunForYourLivesOptions, state: np.void) -> None:
    state["players"] = options.players
    written = state["options"]
    written["max_turns"] = options.max_turns
    written["first_seat"] = -1 if options.first_seat == "random" else options.first_seat
    written["forbid_fatal"] = options.fatal_special == "forbidden"
    written["rank"] = options.reward == "rank"
    written["kinds"] = options.kinds
    written["copies"] = options.copies
    written["goal"] = options.goal


def _outcome(states: np.ndarray) -> dict[str, np.ndarray]:
    """Columns for result tables: finished turns, and whether five items decided the game."""
    players = states["players"]
    return {
        "turns": states["turns"],
        "by_items": (states["winner"] > 0) & (states["fallen"] < players - 1),
        "turned": states["fallen"],
    }


GAME = Game(
    name="run_for_your_lives",
    title="Run for Your Lives",
    module=__name__,
    options=RunForYourLivesOptions,
    presets=PRESETS,
    state=STATE,
    fields=FIELDS,
    actions=ACTIONS,
    events=EVENTS,
    decisions=("nothing", "play a card", "give the card turned up"),
    serve=serve,
    setup=_setup,
    read_position=notation.read_position,
    write_position=notation.write_position,
    event_text=notation.event_text,
    svg=draw.svg,
    ansi=draw.ansi,
    cards=(counting.CARDS,),
    outcome=_outcome,
    content={
        "card counts, deal, goal of five": "printed",
        "kinds and copies (ten item kinds, eleven zombie kinds, three of each)": "inferred",
        "names of kinds": "ours, except bus, bat, umbrella and cockroach",
        "rulings": "ours",
    },
)
env, raw_env, parallel_env = adapters(GAME)
