"""Zombicide: Prison Outbreak (``outbreak/zombicide``): a team fights its way through missions on tiles.

Board game by Guillotine Games (2013).  All win or lose together; 1 to 6 players lead 4 to 6 survivors
(alone four to six; two players three each, three players two each, else one each).

**A round.**  Seat by seat from the first-player token each survivor takes his turn: three actions,
free ones by skills.  Then all zombies attack or move, Runners twice, and new ones appear; noise goes,
weapons are loaded, the token passes on.

**Decisions.**  Each is small: which survivor acts, one action, a target, a hit, a wound, a hand.  What
has one answer only is not asked.  Survivors are counted from the seat that is asked; ways are the
neighbour slots of a zone (clockwise from the north), targets its sight slots (`view`).

**Missions** are TOML files (MISSIONS.md): eight come with the game, ``mission="random"`` makes
one from ``map_seed``, ``map_size`` and ``map_difficulty``, ``mission="random-7-3-2"`` names all three.
`mission.mission_names` lists them.  The prison places' rules and all missions but the tiles, rules and
pieces of `nightmare` are ours.

**Rulings** (the rulebook is silent, unclear, or contradicts a card):

- Kukri: damage 2 (the examples of p.19).  Gunblade is dual, Meat Cleaver is not.  Sub MG and Gunblade
  use light ammunition, the Automatic Shotgun heavy.
- Extra activation cards move standard zombies only (p.13, item 4); missing figures move their very kind.
- Extra activations for missing figures come one after the other, each kind once a step or card, and at
  most 24 a round.  Those of a split come after all moves of that activation.
- Two rooms on one straight line over a street see each other through open doors.
- A ranged hit that kills nothing at the head of the order is lost, and so are all that follow.  Where a
  Fatty and an Abomination stand together the hit goes where it kills.
- A sniper is never asked to hit a friend or what he cannot kill, nor is a fighter in melee.  Dice are
  re-rolled only if one missed or a friend would be hit.
- A weapon made of parts stays in the hand that held one; else its owner is asked.
- A one always misses.  Riot Shield: the first wound of a round by zombies is ignored, whoever holds it.
- A Molotov kills without wounds: nothing wards it off.  Whoever dies by it was killed by a friend.
- Zombies that reach a closed door by the shortest way as if all were open wait there.  An Abomination
  may stay where others would split and a part of them stay.
- In a car or tower: no Move, door, objective, switch, building search or trade with people outside;
  occupants count as in the zone below for noise, sight and attacks.  From a tower all open-air zones in a
  straight line are seen over roofs.
- Climbing a tower and getting down is an action each; nobody climbs among zombies.
- A wound in a hand can be laid into the reserve, but no wound is picked into a hand (it would only be worse).
- A car's way is chosen zone by zone.  Whoever sits in it arrives with the driver.
- A safety zone is never spawned in.  A gate is turned a quarter clockwise by its switch; its shut sides
  count as closed doors.  Cells and coloured doors open by their switch, key or event only.
- Taunt: Abominations take the first of equal ways.  An extra turn interrupts a turn, which goes on after it.
- After Shove, zombies do not act.  Lifesaver works on survivors who stand in the open.
- A team that has fallen whole but will return has not lost.
- Unused actions and gifts are lost at the end of a turn.  A turn in which only ending is left ends by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.adapters import adapters
from ..core.game import Game
from ..core.options import Options, option
from . import counting, draw, notation
from .cards import ABOMINATION, CHARACTERS, SEATS, SURVIVORS, WALKER, ZOMBIE_XP
from .kernel import serve
from .layout import MissionError
from .mission import mission_names, mission_of, summary
from .state import ACTIONS, DECISION_NAMES, EVENTS, FALLEN, OUT, STATE
from .table import OBJECTIVE_XP
from .view import FIELDS

ZOMBIVORS = ("off", "return", "start")


@dataclass(frozen=True)
class ZombicideOptions(Options):
    """How a game is set up."""

    players: int = option(2, "how many play", low=1, high=SEATS)
    survivors: int = option(
        0, "survivors of the team (0: six, or four and five players one each)", low=0, high=SURVIVORS
    )
    characters: tuple[str, ...] = option((), "who takes part, in the order of the seats; others are drawn")
    mission: str = option(
        "tutorial", "a mission's name, `random`, `random-SEED-SIZE-DIFFICULTY`, or the path of a mission file"
    )
    map_seed: int = option(0, "the seed of a random mission", low=0, high=2**31 - 1)
    map_size: int = option(3, "tiles of a random mission", low=1, high=9)
    map_difficulty: int = option(2, "how hard a random mission is", low=0, high=5)
    first_seat: int = option(0, "who has the first-player token", low=0, high=SEATS - 1)
    zombivors: str = option(
        "off", "whether the fallen return as zombivors, or all start as such", choices=ZOMBIVORS
    )
    friendly_fire: bool = option(True, "shots and cars hit friends", choices=(True, False))
    reward: str = option(
        "win", "win: +1 for all on a win, else 0; signed: -1 on a loss", choices=("win", "signed")
    )
    max_rounds: int = option(40, "rounds until truncation", low=1, high=1000)
    auto: bool = option(False, "wounds are shared by a fixed rule", choices=(True, False))

    def validate(self) -> None:
        """What single options cannot say."""
        team = self.team
        if team % self.players or (
            self.players > 1 and self.players <= 3 and self.survivors not in (0, 6, self.players)
        ):
            raise ValueError(f"option survivors is {team}: {self.players} players cannot share them equally")
        if self.first_seat >= self.players:
            raise ValueError(
                f"option first_seat is {self.first_seat}, must be below players ({self.players})"
            )
        if not isinstance(self.characters, (list, tuple)):
            raise ValueError(f"option characters is {self.characters!r}, must be a list of names")
        if not isinstance(self.mission, str):
            raise ValueError(f"option mission is {self.mission!r}, must be a text")
        for name in self.characters:
            if name not in CHARACTERS:
                raise ValueError(f"option characters names {name!r}, must be among {', '.join(CHARACTERS)}")
        if len(set(self.characters)) != len(self.characters) or len(self.characters) > team:
            raise ValueError(
                f"option characters is {self.characters!r}, must name at most {team} different survivors"
            )
        try:
            mission_of(self)
        except MissionError as wrong:
            raise ValueError(f"option mission: {wrong}") from None

    @property
    def team(self) -> int:
        """How many survivors take part."""
        return self.survivors or (self.players if self.players >= 4 else SURVIVORS)


PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "solo6": {"players": 1},
    "six": {"players": 6},
    "zombivors": {"zombivors": "start", "mission": "break_in"},
    "random_map": {"mission": "random"},
    "auto": {"auto": True, "mission": "nightmare", "zombivors": "return"},
}


def _setup(options: ZombicideOptions, state: np.void) -> None:
    state["players"] = options.players
    written = state["options"]
    written["max_rounds"] = options.max_rounds
    written["survivors"] = options.team
    written["first_seat"] = options.first_seat
    for place, name in enumerate(options.characters):
        written["characters"][place] = CHARACTERS.index(name) + 1
    written["zombivors"] = ZOMBIVORS.index(options.zombivors)
    written["friendly_fire"] = options.friendly_fire
    written["signed"] = options.reward == "signed"
    written["auto"] = options.auto


def _outcome(states: np.ndarray) -> dict[str, np.ndarray]:
    """Columns for result tables: finished rounds, zombies killed, survivors lost.

    Kills are what the survivors' experience shows: objectives and the Abominations' four extra points
    taken off.  Experience stops at 43, so whoever gets there is credited with no later kills.
    """
    team = states["survivors"]
    points = team["xp"].sum(axis=1, dtype=np.int64) - OBJECTIVE_XP * (states["taken"] == 1).sum(axis=1)
    more = int(ZOMBIE_XP[ABOMINATION] - ZOMBIE_XP[WALKER])
    return {
        "rounds": states["turns"],
        "kills": np.maximum(points - more * states["abominations"].astype(np.int64), 0),
        "survivors_lost": ((team["status"] == OUT) | (team["status"] == FALLEN)).sum(axis=1),
    }


def _scenarios() -> list[str]:
    """One line about every mission that comes with the game."""
    return [*map(summary, mission_names()), "`random`: made from map_seed, map_size and map_difficulty"]


GAME = Game(
    name="zombicide",
    title="Zombicide: Prison Outbreak",
    module=__name__,
    options=ZombicideOptions,
    presets=PRESETS,
    state=STATE,
    fields=FIELDS,
    actions=ACTIONS,
    events=EVENTS,
    decisions=DECISION_NAMES,
    serve=serve,
    setup=_setup,
    tables=lambda options: mission_of(options).record,
    read_position=notation.read_position,
    write_position=notation.write_position,
    event_text=notation.event_text,
    svg=draw.svg,
    ansi=draw.ansi,
    outcome=_outcome,
    grids={"zombicide": [{"mission": name} for name in (*mission_names(), "random")]},
    idle=(int(ACTIONS.end), int(ACTIONS.done), int(ACTIONS.nothing)),
    scenarios=_scenarios,
    cards=(counting.EQUIPMENT, counting.ZOMBIE_CARDS, counting.OBJECTIVES),
    cooperative=True,
    content={
        "equipment, zombie cards, survivors, skills, figures": "printed",
        "tile faces": "read from pictures of the tiles",
        "prison places (cells, switches, gate, wire, towers)": "ours",
        "mission nightmare": "official rules and tiles, arrangement ours",
        "all other missions": "ours",
        "rulings": "ours",
    },
)
env, raw_env, parallel_env = adapters(GAME)
