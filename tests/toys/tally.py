"""Tally: a toy card game for 2 or 3.  Cards 1 to 8; most points win.

**A round.**  Everybody secretly lays a card of his hand; when all have, the cards are turned up and
discarded, and a die says whether the highest or the lowest wins the round.  The winner gets a point
and may bury a card of his hand face down: only he will ever know which.  Then everybody draws a card
while there are any.  After the last round, or with an empty hand, the game is over.

Hidden: hands, the pile, cards laid but not yet turned up, what others buried.  Memory: own buried cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from outbreak_rl.envs.core.actions import Verb, action_table
from outbreak_rl.envs.core.adapters import adapters
from outbreak_rl.envs.core.chance import below, chance, seed_stream, shuffle, shuffle_with
from outbreak_rl.envs.core.counting import Cards, from_seat, hands, spread
from outbreak_rl.envs.core.decisions import finish, pop, push, top
from outbreak_rl.envs.core.draw import Svg
from outbreak_rl.envs.core.events import EVERYBODY, event_table, log
from outbreak_rl.envs.core.fields import Field, Fields
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.kernel import bind
from outbreak_rl.envs.core.options import Options, option
from outbreak_rl.envs.core.position import PositionError, dump, restore
from outbreak_rl.envs.core.rule import require, rule
from outbreak_rl.envs.core.state import TERMINATED, TRUNCATED, copy_row, fill, record, state_record, total

SEATS, CARDS, DEALT = 3, 8, 2

SEAT = np.dtype([
    ("hand", "i1", (CARDS,)),  # 1: holds this card
    ("buried", "i1", (CARDS,)),
    ("laid", "i1"),  # card + 1, still in the hand; 0: none yet
    ("points", "i1"),
])  # fmt: skip
OPTIONS = record([("max_turns", "i2"), ("cards", "i1"), ("rounds", "i1"), ("first_seat", "i1")])
STATE = state_record(
    [
        ("seats", SEAT, (SEATS,)),
        ("pile", "i1", (CARDS,)),  # card + 1, the top one last
        ("discard", "i1", (CARDS,)),
        ("pile_size", "i1"),
        ("first", "i1"),
        ("low_won", "i1"),  # the last die
    ],
    OPTIONS,
    seats=SEATS,
    decisions=1,
)
LAY, BURY = 1, 2
NAMES = tuple(map(str, range(1, CARDS + 1)))
ACTIONS = action_table(lay=Verb("lay {}", NAMES), bury=Verb("bury {}", NAMES), keep=Verb("bury nothing"))
EVENTS = event_table("dealt", "laid", "turned_up", "buried", "drew", "won")
FIELDS = Fields(
    Field("players", (), SEATS, "category", "how many play"),
    Field("cards", (), CARDS, "count", "cards in the deck"),
    Field("turns_left", (), 127, "count", "rounds until the game is over or cut off (127: or more)"),
    Field("decision", (), 2, "category", "1 lay a card, 2 bury one"),
    Field("to_act", (), SEATS, "category", "whose decision, relative seat + 1"),
    Field("hand", (CARDS,), 1, "set", "own hand"),
    Field("laid", (), CARDS, "category", "own card laid, card + 1"),
    Field("buried", (CARDS,), 1, "set", "own buried cards"),
    Field("hand_size", (SEATS,), CARDS, "count", "cards in each hand"),
    Field("has_laid", (SEATS,), 1, "set", "who has laid a card"),
    Field("buried_size", (SEATS,), CARDS, "count", "cards buried by each seat"),
    Field("points", (SEATS,), 127, "count", "rounds won"),
    Field("discard", (CARDS,), 1, "set", "cards turned up"),
    Field("pile_size", (), CARDS, "count", "cards in the pile"),
    Field("low_won", (), 1, "flag", "the lowest card won the last round"),
)


@rule
def deal(state, ctx):
    """Shuffle, deal, choose who lays first."""
    for card in range(state.options.cards):
        state.pile[card] = card + 1
    state.pile_size = state.options.cards
    shuffle(state, ctx, state.pile, state.pile_size)
    for _ in range(DEALT):
        for seat in range(state.players):
            draw(state, ctx, seat, EVENTS.dealt)
    state.first = state.options.first_seat
    if state.first < 0:
        state.first = chance(state, ctx, state.players)
    push(state, LAY, state.first)


@rule
def draw(state, ctx, seat, kind):
    """Take the top card, if there is one."""
    if state.pile_size == 0:
        return
    state.pile_size -= 1
    card = state.pile[state.pile_size] - 1
    state.pile[state.pile_size] = 0
    state.seats[seat].hand[card] = 1
    log(ctx, kind, seat, 0, 0, 1 << seat, card)


@rule
def legal(state, ctx, mask):
    """Any card of the hand; a card need not be buried."""
    decision = top(state)
    start = ACTIONS.lay if decision.kind == LAY else ACTIONS.bury
    for card in range(CARDS):
        mask[start + card] = state.seats[decision.seat].hand[card]
    if decision.kind == BURY:
        mask[ACTIONS.keep] = 1


@rule
def play(state, ctx, action):
    """Lay a card, or bury one."""
    require(action >= 0 and action <= ACTIONS.keep)
    decision = top(state)
    seat = int(decision.seat)
    me = state.seats[seat]
    if decision.kind == LAY:
        require(action < ACTIONS.bury and me.hand[action] == 1)
        me.laid = action + 1
        log(ctx, EVENTS.laid, seat, 0, 0, 1 << seat, action)
        pop(state)
        following = (seat + 1) % state.players
        if following != state.first:
            push(state, LAY, following)
        else:
            turn_up(state, ctx)
        return
    require(action >= ACTIONS.bury)
    pop(state)
    if action != ACTIONS.keep:
        card = action - ACTIONS.bury
        require(me.hand[card] == 1)
        me.hand[card] = 0
        me.buried[card] = 1
        log(ctx, EVENTS.buried, seat, 0, 0, 1 << seat, card)
    end_round(state, ctx)


@rule
def turn_up(state, ctx):
    """All cards are seen; a die says which wins; the winner may bury a card."""
    state.low_won = chance(state, ctx, 2)
    winner = 0
    for seat in range(state.players):
        me = state.seats[seat]
        if (me.laid < state.seats[winner].laid) == (state.low_won == 1):
            winner = seat
    for seat in range(state.players):
        me = state.seats[seat]
        card = me.laid - 1
        me.laid = 0
        me.hand[card] = 0
        state.discard[card] = 1
        log(ctx, EVENTS.turned_up, seat, card, 0, EVERYBODY)
    state.seats[winner].points += 1
    log(ctx, EVENTS.won, winner)
    push(state, BURY, winner)


@rule
def end_round(state, ctx):
    """Everybody draws; the winner lays first in the next round, if there is one."""
    state.turns += 1
    for seat in range(state.players):
        draw(state, ctx, (state.first + seat) % state.players, EVENTS.drew)
    state.first = (state.first + 1) % state.players
    empty = 0
    for seat in range(state.players):
        empty += total(state.seats[seat].hand) == 0
    if empty > 0 or state.turns >= state.options.rounds:
        score(state)
    elif state.turns >= state.options.max_turns:
        state.reward_unit = 1
        finish(state, TRUNCATED)
    else:
        push(state, LAY, state.first)


@rule
def score(state):
    """Points less the mean of all points."""
    points = 0
    for seat in range(state.players):
        points += state.seats[seat].points
    state.reward_unit = state.players
    for seat in range(state.players):
        state.reward[seat] = state.players * state.seats[seat].points - points
    finish(state, TERMINATED)


@rule
def observe(state, ctx, seat, view):
    """What a seat (or a spectator, -1) may know."""
    base = max(int(seat), 0)
    players = int(state.players)
    view.players = players
    view.cards = state.options.cards
    view.turns_left = min(127, min(int(state.options.rounds), int(state.options.max_turns)) - state.turns)
    view.decision = 0
    view.to_act = 0
    if state.depth > 0:
        view.decision = top(state).kind
        view.to_act = (top(state).seat - base + players) % players + 1
    fill(view.hand, 0)
    fill(view.buried, 0)
    view.laid = 0
    if seat >= 0:
        copy_row(view.hand, state.seats[seat].hand)
        copy_row(view.buried, state.seats[seat].buried)
        view.laid = state.seats[seat].laid
    for place in range(SEATS):
        view.hand_size[place] = 0
        view.has_laid[place] = 0
        view.buried_size[place] = 0
        view.points[place] = 0
        if place < players:
            other = state.seats[(base + place) % players]
            view.hand_size[place] = total(other.hand)
            view.has_laid[place] = other.laid > 0
            view.buried_size[place] = total(other.buried)
            view.points[place] = other.points
    copy_row(view.discard, state.discard)
    view.pile_size = state.pile_size
    view.low_won = state.low_won


@rule
def resample(state, ctx, seat, seed):
    """Deal anew, uniformly, all cards that the seat does not see."""
    seed_stream(state.random, seed)
    free = np.zeros(CARDS, np.int64)
    n = 0
    for card in range(state.options.cards):
        mine = seat >= 0 and state.seats[seat].hand[card] + state.seats[seat].buried[card] > 0
        if not mine and state.discard[card] == 0:
            free[n] = card
            n += 1
    shuffle_with(state.random, free, n)
    for other in range(state.players):
        if other != seat:
            him = state.seats[other]
            held = total(him.hand)
            hidden = total(him.buried)
            fill(him.hand, 0)
            fill(him.buried, 0)
            laid = below(state.random, held) if him.laid > 0 else -1
            for i in range(held):
                n -= 1
                him.hand[free[n]] = 1
                if i == laid:
                    him.laid = free[n] + 1
            for _ in range(hidden):
                n -= 1
                him.buried[free[n]] = 1
    for i in range(state.pile_size):
        state.pile[i] = free[i] + 1


@rule
def check(state, ctx):
    """Every card of the deck is in one place."""
    for card in range(CARDS):
        n = int(state.discard[card])
        for i in range(CARDS):
            n += state.pile[i] == card + 1
        for seat in range(SEATS):
            n += state.seats[seat].hand[card] + state.seats[seat].buried[card]
        if n != (1 if card < state.options.cards else 0):
            raise AssertionError("a card was lost or made")
    for seat in range(SEATS):
        if state.seats[seat].laid > 0 and state.seats[seat].hand[state.seats[seat].laid - 1] == 0:
            raise AssertionError("a card was laid that is not held")


serve = bind(__name__, deal=deal, legal=legal, play=play, observe=observe, resample=resample, check=check)


@dataclass(frozen=True)
class TallyOptions(Options):
    """How a game is set up."""

    players: int = option(2, "how many play", low=2, high=SEATS)
    cards: int = option(8, "cards in the deck", low=4, high=CARDS)
    rounds: int = option(4, "rounds", low=1, high=100)
    first_seat: int | str = option("random", "who lays first", choices=("random",), low=0, high=SEATS - 1)
    max_turns: int = option(1000, "rounds until truncation", low=1, high=30_000)

    def validate(self) -> None:
        """What single options cannot say."""
        if self.first_seat != "random" and int(self.first_seat) >= self.players:
            raise ValueError(
                f"option first_seat is {self.first_seat}, must be below players ({self.players})"
            )
        if self.cards < DEALT * self.players:
            raise ValueError(
                f"option cards is {self.cards}, {self.players} players need {DEALT * self.players}"
            )


def _setup(options: TallyOptions, state: np.void) -> None:
    state["players"] = options.players
    for name in ("max_turns", "cards", "rounds"):
        state["options"][name] = getattr(options, name)
    state["options"]["first_seat"] = -1 if options.first_seat == "random" else options.first_seat


def count_cards(states: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Hands (with the card laid), what each seat has buried, and the pile."""
    players = int(states[0]["players"])
    held, buried = (from_seat(states["seats"][name], seat, players) for name in ("hand", "buried"))
    pile = (states["pile"][:, :, None] == np.arange(1, CARDS + 1)).sum(1)
    return np.concatenate([held, buried, pile[:, None]], axis=1).astype(np.int64)


def expect_cards(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
    """Every card that the seat does not see is as likely in each hidden place."""
    counts = count_cards(worlds, tables, seat)[0]
    own = np.zeros_like(counts)
    if seat >= 0:
        own[[0, SEATS]] = counts[[0, SEATS]]
    return own + spread((counts - own).sum(0), (counts - own).sum(1))


PLACES = (*hands(SEATS), *(f"buried by +{place}" for place in range(SEATS)), "pile")


def write_position(state: np.void, options: TallyOptions) -> dict[str, Any]:
    """All fields that are not zero."""
    return {"state": dump(state, skip=("options", "players", "table"))}


def read_position(
    text: dict[str, Any], state: np.void, options: TallyOptions, rng: np.random.Generator
) -> None:
    """The fields given; the rest is zero."""
    if set(text) != {"state"}:
        raise PositionError(f"the position has the keys {sorted(text)}, must have only 'state'")
    restore(state, text["state"])


def event_text(row: np.ndarray, options: TallyOptions) -> str:
    """One event as a seat saw it."""
    kind, seat, a, _, _, c, _ = (int(value) for value in row)
    card = "a card" if c < 0 else NAMES[c] if c < CARDS else ""
    return {
        EVENTS.dealt: f"player_{seat} is dealt {card}",
        EVENTS.laid: f"player_{seat} lays {card}",
        EVENTS.turned_up: f"player_{seat} turns up {NAMES[a] if a < CARDS else ''}",
        EVENTS.buried: f"player_{seat} buries {card}",
        EVENTS.drew: f"player_{seat} draws {card}",
        EVENTS.won: f"player_{seat} wins the round",
    }.get(kind, f"player_{seat} acts")


def ansi(view: np.void, seat: int, reveal: Any = None, colour: bool = True) -> str:
    """The View, field by field; with ``reveal`` the other Views beneath it."""
    lines = [f"{name}: {value}" for name, value in FIELDS.named(view).items()]
    return "\n".join(lines + [ansi(other, seat + 1 + place) for place, other in enumerate(reveal or ())])


def svg(view: np.void, seat: int, reveal: Any = None) -> str:
    """The same as a picture."""
    lines = ansi(view, seat, reveal).splitlines()
    picture = Svg(400, 14 * len(lines) + 10)
    picture.rect(0, 0, 400, 14 * len(lines) + 10, fill="#fff")
    for place, line in enumerate(lines):
        picture.label(5, 14 * place + 14, line, 10)
    return picture.text()


GAME = Game(
    name="tally",
    title="Tally",
    module=__name__,
    options=TallyOptions,
    presets={"default": {}, "mini": {"cards": 5, "rounds": 2}, "long": {"rounds": 100}},
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
    cards=(Cards("cards", PLACES, NAMES, count_cards, expect_cards),),
    content={"all": "ours"},
)
env, raw_env, parallel_env = adapters(GAME)
