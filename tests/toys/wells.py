"""Wells: a toy with maps.  Two or three diggers look for the deepest of some wells.

The wells lie on a map, one of the run-time tables; their depths (1, 2, ...) are shuffled.  In a round
everybody secretly plans to walk along a path or to dig where he stands; when all have planned, all
plans are carried out.  Who digs sees how deep the well is; the others see that he dug.  When the last
round of the map is over, the deeper the well where one stands the better, and all depths are told.

Hidden: depths, plans of others.  Memory: the depths that one has seen.  Chance in the middle: who plans first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from outbreak_rl.envs.core.actions import Verb, action_table
from outbreak_rl.envs.core.adapters import adapters
from outbreak_rl.envs.core.chance import below, chance, seed_stream, shuffle, shuffle_with
from outbreak_rl.envs.core.decisions import finish, pop, push, top
from outbreak_rl.envs.core.draw import Svg
from outbreak_rl.envs.core.events import EVERYBODY, event_table, log
from outbreak_rl.envs.core.fields import Field, Fields
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.kernel import bind
from outbreak_rl.envs.core.options import Options, option
from outbreak_rl.envs.core.position import PositionError, dump, restore
from outbreak_rl.envs.core.rule import require, rule
from outbreak_rl.envs.core.state import TERMINATED, TRUNCATED, fill, record, state_record

SEATS, WELLS = 3, 6

MAP = record([("wells", "i1"), ("rounds", "i1"), ("start", "i1"), ("path", "i1", (WELLS, WELLS))])


def made_map(wells: int, rounds: int, start: int, paths: list[tuple[int, int]]) -> np.ndarray:
    """A MAP (1,)."""
    found = np.zeros(1, MAP)
    found["wells"], found["rounds"], found["start"] = wells, rounds, start
    for a, b in paths:
        found[0]["path"][a, b] = found[0]["path"][b, a] = 1
    return found


MAPS = {
    "ring": made_map(6, 8, 0, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),
    "row": made_map(4, 5, 1, [(0, 1), (1, 2), (2, 3)]),
    "corner": made_map(3, 3, 0, [(0, 1), (0, 2)]),
}

SEAT = np.dtype([
    ("dug", "i1", (WELLS,)),  # which wells it has looked into
    ("at", "i1"),
    ("plan", "i1"),  # action + 1; 0: none yet
])  # fmt: skip
STATE = state_record(
    [("seats", SEAT, (SEATS,)), ("depth_of", "i1", (WELLS,)), ("first", "i1")],
    record([("max_turns", "i2"), ("first_seat", "i1")]),
    seats=SEATS,
    decisions=1,
)
PLAN = 1
NAMES = tuple("abcdef")
ACTIONS = action_table(walk=Verb("walk to {}", NAMES), dig=Verb("dig"))
EVENTS = event_table("planned", "walked", "dug", "first", "shown")
FIELDS = Fields(
    Field("players", (), SEATS, "category", "how many play"),
    Field("wells", (), WELLS, "count", "wells on the map"),
    Field("path", (WELLS, WELLS), 1, "set", "paths of the map"),
    Field("rounds_left", (), 127, "count", "rounds until the end"),
    Field("to_act", (), SEATS, "category", "whose decision, relative seat + 1"),
    Field("at", (SEATS,), WELLS, "category", "where each seat stands, well + 1"),
    Field("has_planned", (SEATS,), 1, "set", "who has planned"),
    Field("plan", (), WELLS + 1, "category", "own plan, action + 1"),
    Field("dug", (SEATS, WELLS), 1, "set", "who has dug where"),
    Field("seen", (WELLS,), WELLS, "category", "depths that this seat has seen (at the end: all)"),
)


@rule
def deal(state, ctx):
    """Shuffle the depths, put everybody at the start."""
    t = ctx.tables[state.table]
    for well in range(t.wells):
        state.depth_of[well] = well + 1
    shuffle(state, ctx, state.depth_of, t.wells)
    for seat in range(state.players):
        state.seats[seat].at = t.start
    state.first = state.options.first_seat
    if state.first < 0:
        state.first = chance(state, ctx, state.players)
    push(state, PLAN, state.first)


@rule
def legal(state, ctx, mask):
    """Walk along a path, or dig."""
    t = ctx.tables[state.table]
    for well in range(t.wells):
        mask[ACTIONS.walk + well] = t.path[state.seats[top(state).seat].at, well]
    mask[ACTIONS.dig] = 1


@rule
def play(state, ctx, action):
    """Plan; the last plan lets all happen."""
    t = ctx.tables[state.table]
    require(action >= 0 and action <= ACTIONS.dig)
    seat = int(top(state).seat)
    if action != ACTIONS.dig:
        require(action < t.wells and t.path[state.seats[seat].at, action] == 1)
    state.seats[seat].plan = action + 1
    log(ctx, EVENTS.planned, seat, 0, 0, 1 << seat, action)
    pop(state)
    following = (seat + 1) % state.players
    if following != state.first:
        push(state, PLAN, following)
    else:
        carry_out(state, ctx, t)


@rule
def carry_out(state, ctx, t):
    """All walk or dig; then the next round begins, or the game ends."""
    for seat in range(state.players):
        me = state.seats[seat]
        if me.plan - 1 == ACTIONS.dig:
            me.dug[me.at] = 1
            log(ctx, EVENTS.dug, seat, me.at, 0, 1 << seat, state.depth_of[me.at])
        else:
            me.at = me.plan - 1
            log(ctx, EVENTS.walked, seat, me.at, 0, EVERYBODY)
        me.plan = 0
    state.turns += 1
    if state.turns >= t.rounds:
        score(state, ctx)
    elif state.turns >= state.options.max_turns:
        state.reward_unit = 1
        finish(state, TRUNCATED)
    else:
        state.first = chance(state, ctx, state.players)
        log(ctx, EVENTS.first, state.first)
        push(state, PLAN, state.first)


@rule
def score(state, ctx):
    """The depth under each seat less the mean."""
    depths = 0
    for well in range(WELLS):
        log(ctx, EVENTS.shown, 0, well, state.depth_of[well])
    for seat in range(state.players):
        depths += state.depth_of[state.seats[seat].at]
    state.reward_unit = state.players
    for seat in range(state.players):
        state.reward[seat] = state.players * state.depth_of[state.seats[seat].at] - depths
    finish(state, TERMINATED)


@rule
def has_seen(state, seat, well):
    """Whether a seat knows a depth: it has dug there, or the game is over (the scores tell)."""
    return state.over == TERMINATED or (seat >= 0 and state.seats[seat].dug[well] == 1)


@rule
def observe(state, ctx, seat, view):
    """What a seat (or a spectator, -1) may know."""
    t = ctx.tables[state.table]
    base = max(int(seat), 0)
    players = int(state.players)
    view.players = players
    view.wells = t.wells
    for a in range(WELLS):
        for b in range(WELLS):
            view.path[a, b] = t.path[a, b]
    view.rounds_left = min(int(t.rounds), int(state.options.max_turns)) - state.turns
    view.to_act = 0
    if state.depth > 0:
        view.to_act = (top(state).seat - base + players) % players + 1
    view.plan = 0
    fill(view.seen, 0)
    if seat >= 0:
        view.plan = state.seats[seat].plan
    for well in range(WELLS):
        if has_seen(state, seat, well):
            view.seen[well] = state.depth_of[well]
    for place in range(SEATS):
        view.at[place] = 0
        view.has_planned[place] = 0
        fill(view.dug[place], 0)
        if place < players:
            other = state.seats[(base + place) % players]
            view.at[place] = other.at + 1
            view.has_planned[place] = other.plan > 0
            for well in range(WELLS):
                view.dug[place, well] = other.dug[well]


@rule
def resample(state, ctx, seat, seed):
    """Shuffle the depths that the seat has not seen; plan anew for the others."""
    t = ctx.tables[state.table]
    seed_stream(state.random, seed)
    free = np.zeros(WELLS, np.int64)
    n = 0
    for well in range(t.wells):
        if not has_seen(state, seat, well):
            free[n] = state.depth_of[well]
            n += 1
    shuffle_with(state.random, free, n)
    for well in range(t.wells):
        if not has_seen(state, seat, well):
            n -= 1
            state.depth_of[well] = free[n]
    for other in range(state.players):
        him = state.seats[other]
        if other != seat and him.plan > 0:
            choices = 1
            for well in range(t.wells):
                choices += t.path[him.at, well]
            k = below(state.random, choices)
            him.plan = ACTIONS.dig + 1
            for well in range(t.wells):
                if t.path[him.at, well]:
                    if k == 0:
                        him.plan = well + 1
                    k -= 1


@rule
def check(state, ctx):
    """Every depth lies in one well."""
    t = ctx.tables[state.table]
    for depth in range(1, WELLS + 1):
        n = 0
        for well in range(WELLS):
            n += state.depth_of[well] == depth
        if n != (1 if depth <= t.wells else 0):
            raise AssertionError("a depth was lost or made")


serve = bind(__name__, deal=deal, legal=legal, play=play, observe=observe, resample=resample, check=check)


@dataclass(frozen=True)
class WellsOptions(Options):
    """How a game is set up."""

    players: int = option(2, "how many play", low=2, high=SEATS)
    map: str = option("ring", "a name in MAPS")
    first_seat: int | str = option("random", "who plans first", choices=("random",), low=0, high=SEATS - 1)
    max_turns: int = option(1000, "rounds until truncation", low=1, high=30_000)

    def validate(self) -> None:
        """What single options cannot say."""
        if self.map not in MAPS:
            raise ValueError(f"option map is {self.map!r}, must be one of {', '.join(MAPS)}")
        if self.first_seat != "random" and int(self.first_seat) >= self.players:
            raise ValueError(
                f"option first_seat is {self.first_seat}, must be below players ({self.players})"
            )


def _setup(options: WellsOptions, state: np.void) -> None:
    state["players"] = options.players
    state["options"]["max_turns"] = options.max_turns
    state["options"]["first_seat"] = -1 if options.first_seat == "random" else options.first_seat


def tables(options: WellsOptions) -> np.ndarray:
    """The map that is played on."""
    return MAPS[options.map]


def write_position(state: np.void, options: WellsOptions) -> dict[str, Any]:
    """All fields that are not zero."""
    return {"state": dump(state, skip=("options", "players", "table"))}


def read_position(
    text: dict[str, Any], state: np.void, options: WellsOptions, rng: np.random.Generator
) -> None:
    """The fields given; the rest is zero."""
    if set(text) != {"state"}:
        raise PositionError(f"the position has the keys {sorted(text)}, must have only 'state'")
    restore(state, text["state"])


def event_text(row: np.ndarray, options: WellsOptions) -> str:
    """One event as a seat saw it."""
    kind, seat, a, b, sees, c, _ = (int(value) for value in row)
    well = NAMES[a] if 0 <= a < WELLS else ""
    return {
        EVENTS.planned: f"player_{seat} has planned" + (f" to {ACTIONS.text(c)}" if sees else ""),
        EVENTS.walked: f"player_{seat} walks to {well}",
        EVENTS.shown: f"{well} is {b} deep",
        EVENTS.dug: f"player_{seat} digs at {well}" + (f": {c} deep" if sees else ""),
        EVENTS.first: f"player_{seat} plans first",
    }.get(kind, f"player_{seat} acts")


def ansi(view: np.void, seat: int, reveal: Any = None, colour: bool = True) -> str:
    """The View, field by field; with ``reveal`` the other Views beneath it."""
    lines = [f"{name}: {value}" for name, value in FIELDS.named(view).items()]
    return "\n".join(lines + [ansi(other, seat + 1 + place) for place, other in enumerate(reveal or ())])


def svg(view: np.void, seat: int, reveal: Any = None) -> str:
    """The same as a picture."""
    lines = ansi(view, seat, reveal).splitlines()
    picture = Svg(500, 14 * len(lines) + 10)
    picture.rect(0, 0, 500, 14 * len(lines) + 10, fill="#fff")
    for place, line in enumerate(lines):
        picture.label(5, 14 * place + 14, line, 10)
    return picture.text()


GAME = Game(
    name="wells",
    title="Wells",
    module=__name__,
    options=WellsOptions,
    presets={"default": {}, "row": {"map": "row"}, "mini": {"map": "corner"}},
    state=STATE,
    fields=FIELDS,
    actions=ACTIONS,
    events=EVENTS,
    serve=serve,
    setup=_setup,
    read_position=read_position,
    write_position=write_position,
    event_text=event_text,
    svg=svg,
    ansi=ansi,
    content={"all": "ours"},
    tables=tables,
)
env, raw_env, parallel_env = adapters(GAME)
