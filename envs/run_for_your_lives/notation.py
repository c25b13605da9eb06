"""Positions and events of Run for Your Lives as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.game import Lanes
from ..core.kernel import LOOK
from ..core.position import PositionError, only_keys, restore
from ..core.state import RUNNING, TERMINATED, TRUNCATED, no_tables
from .cards import CARD_NAMES, CODES, ITEMS
from .rules import MAX_REFRESHES
from .state import EVENTS, LIVING, ZOMBIE

_KEYS = (
    "turn", "decision", "hands", "tables", "known", "turned", "turned_up", "special_spent", "refreshes", "turns",
    "passes",
    "discard", "pile_size", "pile_top", "rest", "random", "memory", "over", "winner", "reward", "reward_unit",
)  # fmt: skip
_OVER = {"running": RUNNING, "terminated": TERMINATED, "truncated": TRUNCATED}
_MEMORY = ("shuffled", "revealed")
_SEAT_MEMORY = ("took", "shown")


def names(counts: Iterable[int]) -> list[str]:
    """Counts by code as a list of card names."""
    return [CARD_NAMES[code] for code, n in enumerate(counts) for _ in range(n)]


def code_of(name: Any) -> int:
    """The code of a card's name; raises PositionError."""
    if name not in CARD_NAMES:
        raise PositionError(f"there is no card {name!r}; cards are {', '.join(CARD_NAMES)}")
    return CARD_NAMES.index(name)


def _counted(cards: Any, where: str) -> np.ndarray:
    """A list of card names as counts by code."""
    if not isinstance(cards, list):
        raise PositionError(f"{where} has {cards!r}, must be a list of cards")
    counts = np.bincount([code_of(name) for name in cards], minlength=CODES)
    if counts.max(initial=0) > 100:
        raise PositionError(f"{where} names a card more often than there are cards")
    return counts


def write_position(state: np.void, options: Any) -> dict[str, Any]:
    """The whole State in words; piles with the top card first."""
    players = int(state["players"])
    seats = state["seats"][:players]
    frame = state["stack"][0]
    size = int(state["pile_size"])
    text: dict[str, Any] = {
        "turn": int(frame["seat"]),
        "decision": {LIVING: "living", ZOMBIE: "zombie"}.get(int(frame["kind"]), "over"),
        "hands": [names(seat["hand"]) for seat in seats],
        "tables": [names(seat["table"]) for seat in seats],
        "known": [names(seat["known"]) for seat in seats],
        "turned": [int(seat["turned"]) for seat in seats],
        "special_spent": bool(state["special_spent"]),
        "refreshes": int(state["refreshes"]),
        "turns": int(state["turns"]),
        "passes": int(state["passes"]),
        "pile_size": size,
        "pile_top": [CARD_NAMES[code] for code in state["pile"][:size][::-1]],
        "discard": names(state["discard"]),
        "over": next(name for name, number in _OVER.items() if number == state["over"]),
        "random": state["random"].tolist(),
        "memory": {
            **{key: names(state[key]) for key in _MEMORY},
            **{key: [names(seat[key]) for seat in seats] for key in _SEAT_MEMORY},
        },
    }
    if frame["kind"] == ZOMBIE:
        text["turned_up"] = CARD_NAMES[frame["a"]]
    if state["winner"]:
        text["winner"] = int(state["winner"]) - 1
    if state["over"] != RUNNING:
        text |= {"reward": state["reward"].tolist(), "reward_unit": int(state["reward_unit"])}
    return text


def read_position(text: dict[str, Any], state: np.void, options: Any, rng: np.random.Generator) -> None:
    """Fill a blank State from words.

    Cards that no key names are shuffled beneath ``pile_top`` (``rest = "pile"``, the default) or lie
    among the discards (``rest = "discard"``).
    """
    only_keys(text, _KEYS, "the position")
    players = int(state["players"])
    for key in ("hands", "tables", "known", "turned"):
        if len(text.get(key, [0] * players)) != players:
            raise PositionError(
                f"{key} has {len(text[key])} entries, must have one for each of {players} players"
            )
    none: list[list[str]] = [[]] * players
    for seat in range(players):
        record = state["seats"][seat]
        for key, field in (("hands", "hand"), ("tables", "table"), ("known", "known")):
            record[field] = _counted(text.get(key, none)[seat], key)
        record["turned"] = text.get("turned", [0] * players)[seat]
    state["fallen"] = np.count_nonzero(state["seats"]["turned"])
    state["discard"] = _counted(text.get("discard", []), "discard")
    _read_decision(text, state)
    if not isinstance(text.get("special_spent", False), bool):
        raise PositionError(f"special_spent is {text['special_spent']!r}, must be true or false")
    state["special_spent"] = text.get("special_spent", False)
    state["passes"] = text.get("passes", 0)
    state["turns"] = text.get("turns", 0)
    state["refreshes"] = text.get("refreshes", 0)
    state["winner"] = text["winner"] + 1 if "winner" in text else 0
    state["random"] = text.get("random", rng.integers(1 << 32, size=4, dtype=np.uint64).tolist())
    _read_memory(text.get("memory", {}), state)
    _lay_piles(text, state, options, rng)
    _refuse_impossible(state)


def _read_decision(text: dict[str, Any], state: np.void) -> None:
    if text.get("over", "running") not in _OVER:
        raise PositionError(f"over is {text['over']!r}, must be one of {', '.join(_OVER)}")
    state["over"] = _OVER[text.get("over", "running")]
    if state["over"] != RUNNING:
        restore(state, {key: text[key] for key in ("reward", "reward_unit") if key in text})
        return
    turn = text.get("turn", 0)
    if not isinstance(turn, int) or not 0 <= turn < state["players"]:
        raise PositionError(f"turn is {turn!r}, must be a seat from 0 to {state['players'] - 1}")
    state["depth"] = 1
    frame = state["stack"][0]
    frame["seat"] = turn
    frame["kind"] = ZOMBIE if state["seats"][turn]["turned"] else LIVING
    if frame["kind"] == ZOMBIE:
        if "turned_up" not in text:
            raise PositionError(f"seat {turn} has turned: the position must say which card is turned_up")
        frame["a"] = code_of(text["turned_up"])
    elif "turned_up" in text:
        raise PositionError(f"seat {turn} is alive: nothing is turned_up for it")


def _read_memory(memory: dict[str, Any], state: np.void) -> None:
    only_keys(memory, (*_MEMORY, *_SEAT_MEMORY), "memory")
    for key in _MEMORY:
        state[key] = _counted(memory.get(key, []), key)
    for key in _SEAT_MEMORY:
        rows = memory.get(key, [[]] * int(state["players"]))
        if len(rows) != state["players"]:
            raise PositionError(f"memory.{key} has {len(rows)} entries, must have one a player")
        for seat, cards in enumerate(rows):
            state["seats"][seat][key] = _counted(cards, key)


def _lay_piles(text: dict[str, Any], state: np.void, options: Any, rng: np.random.Generator) -> None:
    """Find the cards that nothing names and lay the piles."""
    top = [code_of(name) for name in text.get("pile_top", [])]
    used = (
        state["seats"]["hand"].sum(0, dtype=int)
        + state["seats"]["table"].sum(0, dtype=int)
        + state["discard"]
    )
    if state["depth"] and state["stack"][0]["kind"] == ZOMBIE:
        used[state["stack"][0]["a"]] += 1
    used += np.bincount(top, minlength=CODES)
    rest = np.array(
        [options.copies if code == CODES - 1 or code % ITEMS < options.kinds else 0 for code in range(CODES)]
    )
    rest -= used
    if (rest < 0).any():
        code = int(np.argmin(rest))
        raise PositionError(f"the position has {used[code]} cards {CARD_NAMES[code]!r}, the deck fewer")
    where = text.get("rest", "pile")
    if where not in ("pile", "discard"):
        raise PositionError(f"rest is {where!r}, must be 'pile' or 'discard'")
    beneath: list[int] = []
    if where == "discard":
        state["discard"] += rest.astype(np.int8)
    else:
        beneath = rng.permutation(np.repeat(np.arange(CODES), rest)).tolist()
    pile = beneath + top[::-1]
    state["pile"][: len(pile)] = pile
    state["pile_size"] = len(pile)
    if text.get("pile_size", len(pile)) != len(pile):
        raise PositionError(f"pile_size is {text['pile_size']}, but {len(pile)} cards are left for the pile")


def _refuse_impossible(state: np.void) -> None:
    """What no game can reach would only confuse the rules."""
    _refuse_impossible_numbers(state)
    _refuse_impossible_memory(state)
    if state["over"] == RUNNING and not _can_be_asked(state):
        raise PositionError("whoever is to act has nothing to play: the rules would not ask there")
    for seat, record in enumerate(state["seats"][: state["players"]]):
        table = record["table"]
        goal = state["options"]["goal"]
        if (table > 1).any():
            raise PositionError(f"seat {seat} has two equal cards before it, which is never allowed")
        if (table[:ITEMS] & table[ITEMS : 2 * ITEMS]).any():
            raise PositionError(f"seat {seat} has an item and its zombie before it, which cancel at once")
        if state["over"] == RUNNING and (table[:ITEMS].sum() >= goal or table[ITEMS:].sum() >= goal):
            raise PositionError(
                f"seat {seat} has {goal} cards of a type before it, which ends its game at once"
            )
        if record["turned"] and record["hand"].any() | table.any():
            raise PositionError(f"seat {seat} has turned and can have no cards")
        if (record["known"] > record["hand"]).any():
            raise PositionError(f"seat {seat} is known to hold cards that it does not hold")
    turned = sorted(int(order) for order in state["seats"]["turned"] if order)
    if turned != list(range(1, len(turned) + 1)):
        raise PositionError(f"turned has the orders {turned}, must have 1, 2, ... without gaps")
    if state["over"] == RUNNING and len(turned) >= state["players"] - 1:
        raise PositionError("at most all but two players can have turned while the game runs")


def _refuse_impossible_numbers(state: np.void) -> None:
    if not 0 <= state["refreshes"] <= MAX_REFRESHES:
        raise PositionError(f"refreshes is {state['refreshes']}, must be 0 to {MAX_REFRESHES}")
    if not 0 <= state["turns"] <= state["options"]["max_turns"]:
        raise PositionError(f"turns is {state['turns']}, must be 0 to max_turns")
    over = state["over"] != RUNNING
    if over and state["reward_unit"] < 1:
        raise PositionError("a game that is over must give reward and reward_unit (1 or more)")
    if not 0 <= state["winner"] <= (state["players"] if over else 0):
        raise PositionError(f"winner is {state['winner'] - 1}, must be a seat of a game that is over")


def _refuse_impossible_memory(state: np.void) -> None:
    """Since the last shuffle the pile has lost exactly what was drawn and turned up."""
    if not state["shuffled"].any():
        return
    seats = state["seats"][: state["players"]]
    pile = np.bincount(state["pile"][: state["pile_size"]], minlength=CODES)
    left = state["shuffled"].astype(int) - state["revealed"] - seats["took"].sum(0, dtype=int)
    if not np.array_equal(pile, left):
        raise PositionError("memory does not fit the pile: it must be shuffled less revealed and all took")
    if (seats["took"].astype(int) > seats["hand"].astype(int) + seats["shown"]).any():
        raise PositionError(
            "memory does not fit the hands: a seat took cards that it neither holds nor has shown"
        )


def _can_be_asked(state: np.void) -> bool:
    """Whether the decision pending has an answer (the rules' own list of what is legal)."""
    from . import GAME

    lanes = Lanes(GAME, 1, GAME.blank(GAME.options()), no_tables())
    lanes.states = np.frombuffer(bytearray(state.tobytes()), GAME.state)
    lanes.bind()
    lanes.serve(LOOK, 0, 1)
    mask = lanes.first_mask
    living = state["stack"][0]["kind"] == LIVING
    return bool(mask[:-1].any() if living else mask.any())


def event_text(row: np.ndarray, options: Any) -> str:
    """One event as a seat saw it (a row of `seen_by`), in words."""
    kind, seat, a, b, _, c, _ = (int(value) for value in row)
    who = f"player_{seat}"
    card = CARD_NAMES[a] if 0 <= a < CODES else ""
    secret = CARD_NAMES[c] if 0 <= c < CODES else "a card"
    return {
        EVENTS.dealt: f"{who} is dealt {secret}",
        EVENTS.drew: f"{who} draws {secret}",
        EVENTS.played: f"{who} lays {card} before player_{b}",
        EVENTS.turned_up: f"{who} turns up {card}",
        EVENTS.unplaceable: f"{card} fits nowhere and is discarded",
        EVENTS.shown: f"{who} shows {card}" + (" and discards it" if b else " and keeps it"),
        EVENTS.reshuffled: f"the discards become a new draw pile of {a}",
        EVENTS.turned: f"{who} has turned into a zombie",
        EVENTS.discarded: f"{who} discards {card}",
        EVENTS.passed: f"{who} passes",
        EVENTS.won: f"{who} has won",
    }.get(kind, f"{who} acts")
