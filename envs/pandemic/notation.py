"""Positions and events of Pandemic as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core.position import PositionError, dump, only_keys, restore
from ..core.state import RUNNING, TERMINATED, TRUNCATED
from .board import Map, load_map
from .cards import (
    CARDS,
    CITIES,
    CITY_FULL,
    COLOURS,
    CONTINGENCY,
    EPIDEMIC,
    EPIDEMICS,
    EVENT_NAMES,
    HAND_LIMIT,
    LAYERS,
    MEDIC,
    OUTBREAK_LIMIT,
    ROLE_NAMES,
    STATIONS,
)
from .state import ACT, ACTION, CURED, EPIDEMIC_PHASE, ERADICATED, EVENTS, INTENSIFY, LIMIT, NOT_CURED
from .view import DECISION_NAMES, RESULT_NAMES

PHASES = (
    "start", "act", "next action", "draw", "epidemic", "intensify", "hand limit", "before infection", "infection",
    "flip", "turn end",
)  # fmt: skip
RESULTS = ("", *RESULT_NAMES)
EPIDEMIC_NAME = "epidemic"
_OVER = {"running": RUNNING, "terminated": TERMINATED, "truncated": TRUNCATED}
_MEMORY = (
    "refused_dispatch", "refused_airlift", "refused_give", "refused_take", "refused_ask", "forecast", "epidemics_due",
    "to_flip",
)  # fmt: skip
_KEYS = (
    "turn", "actions", "roles", "pawns", "hands", "known", "stored", "stations", "cubes", "cured",
    "eradicated", "outbreaks", "rate_step", "player_deck", "player_discard", "player_removed", "player_rest",
    "epidemics_in_deck", "piles", "epidemic_out", "events_in_game", "infection_deck", "infection_bottom",
    "infection_discard", "infection_removed", "infection_rest", "layers", "quiet_night",
    "operations_flight_used", "turns", "phase", "stack", "memory", "random", "over", "result", "reward",
    "reward_unit", "decision", "asked",
)  # fmt: skip
DECISIONS = ("over", *DECISION_NAMES)


class _Names:
    """Names of cards and cities on one map, both ways."""

    def __init__(self, found: Map) -> None:
        self.cities = found.cities
        self.colours = found.colours
        blanks = [""] * (CITIES - len(found.cities))
        self.cards = (*found.cities, *blanks, *EVENT_NAMES, EPIDEMIC_NAME)

    def listed(self, flags: Iterable[int]) -> list[str]:
        """The names of the cards whose flag is set."""
        return [self.cards[card] for card, flag in enumerate(flags) if flag]

    def card(self, name: Any) -> int:
        """A player card by name."""
        if not name or name not in self.cards:
            raise PositionError(f"there is no card {name!r}")
        return self.cards.index(name)

    def city(self, name: Any) -> int:
        """A city by name."""
        if name not in self.cities:
            raise PositionError(f"there is no city {name!r}")
        return self.cities.index(name)


# --- writing --------------------------------------------------------------------------------------


def write_position(state: np.void, options: Any) -> dict[str, Any]:
    """The whole State in words; decks with the top card first."""
    names = _Names(load_map(options.map))
    players, depth = int(state["players"]), int(state["depth"])
    seats = state["seats"][:players]
    deck = state["deck"][: state["deck_size"]][::-1]
    infections = state["infection"][: state["infection_size"]][::-1]
    layers = state["layer_size"][: state["layers"]][::-1]
    text: dict[str, Any] = {
        "turn": int(state["on_turn"]),
        "actions": int(state["actions_left"]),
        "phase": PHASES[state["phase"]],
        "decision": DECISIONS[state["stack"][depth - 1]["kind"]] if depth else "over",
        "asked": int(state["stack"][depth - 1]["seat"]) if depth else -1,
        "roles": [ROLE_NAMES[seat["role"] - 1] for seat in seats],
        "pawns": [names.cities[seat["city"]] for seat in seats],
        "hands": [names.listed(seat["hand"]) for seat in seats],
        "known": [names.listed(seat["known"]) for seat in seats],
        "stored": [EVENT_NAMES[seat["stored"] - 1] if seat["stored"] else "" for seat in seats],
        "stations": names.listed(state["station"]),
        "cubes": {
            names.cities[city]: {COLOURS[colour]: int(n) for colour, n in enumerate(cubes) if n}
            for city, cubes in enumerate(state["cubes"])
            if cubes.any()
        },
        "cured": [COLOURS[colour] for colour, cure in enumerate(state["cure"]) if cure == CURED],
        "eradicated": [COLOURS[colour] for colour, cure in enumerate(state["cure"]) if cure == ERADICATED],
        "outbreaks": int(state["outbreaks"]),
        "rate_step": int(state["rate_step"]),
        "player_deck": [names.cards[card] for card in deck],
        "player_discard": names.listed(state["player_discard"]),
        "player_removed": names.listed(state["player_removed"]),
        "piles": [int(size) for size in state["piles"] if size],
        "epidemic_out": bool(state["epidemic_out"]),
        "events_in_game": [EVENT_NAMES[event] for event, flag in enumerate(state["events_in_game"]) if flag],
        "infection_deck": [names.cities[city] for city in infections],
        "infection_discard": names.listed(state["infection_discard"]),
        "infection_removed": names.listed(state["infection_removed"]),
        "layers": [int(size) for size in layers],
        "quiet_night": bool(state["quiet_night"]),
        "operations_flight_used": bool(state["operations_used"]),
        "turns": int(state["turns"]),
        "over": next(name for name, number in _OVER.items() if number == state["over"]),
        "result": RESULTS[state["result"]],
        "random": state["random"].tolist(),
    }
    if depth:
        text["stack"] = [dump(frame) for frame in state["stack"][:depth]]
    memory = {key: state[key].tolist() for key in _MEMORY if np.any(state[key])}
    if memory:
        text["memory"] = memory
    if state["over"] != RUNNING:
        text |= {"reward": state["reward"].tolist(), "reward_unit": int(state["reward_unit"])}
    return text


# --- reading --------------------------------------------------------------------------------------


def read_position(text: dict[str, Any], state: np.void, options: Any, rng: np.random.Generator) -> None:
    """Fill a blank State from words; the format is described in POSITION.md."""
    only_keys(text, _KEYS, "the position")
    found = load_map(options.map)
    names = _Names(found)
    state["random"] = text.get("random", rng.integers(1 << 32, size=4, dtype=np.uint64).tolist())
    _read_seats(text, state, options, names, found, rng)
    _read_board(text, state, names, found)
    for key in ("turns", "rate_step"):
        state[key] = _number(text, key, 0, 6 if key == "rate_step" else 30_000)
    state["on_turn"] = _number(text, "turn", 0, int(state["players"]) - 1)
    state["actions_left"] = _number(text, "actions", 0, 4, default=4)
    state["quiet_night"] = bool(text.get("quiet_night", False))
    state["operations_used"] = bool(text.get("operations_flight_used", False))
    _read_events(text, state, options, rng)
    _lay_player_cards(text, state, options, names, rng)
    _lay_infections(text, state, names, rng)
    memory = text.get("memory", {})
    only_keys(memory, _MEMORY, "memory")
    restore(state, memory, "memory")
    _read_decision(text, state)
    _refuse_impossible(state, names)


def _refuse_impossible(state: np.void, names: _Names) -> None:
    """What no game can reach would only confuse the rules."""
    if state["over"] != RUNNING:
        return
    colours = {names.colours[city] for city in range(len(names.cities))}
    for wrong, why in (
        (state["outbreaks"] >= OUTBREAK_LIMIT, f"outbreaks is {state['outbreaks']}: the game would be over"),
        (all(state["cure"][colour] for colour in colours), "all colours are cured: the game would be over"),
        (
            state["turns"] >= state["options"]["max_turns"],
            f"turns is {state['turns']}, max_turns {state['options']['max_turns']}",
        ),
    ):
        if wrong:
            raise PositionError(why)
    asked = [int(frame["seat"]) for frame in state["stack"][: state["depth"]] if frame["kind"] == LIMIT]
    drawing = state["phase"] in (EPIDEMIC_PHASE, INTENSIFY)
    for seat, record in enumerate(state["seats"][: state["players"]]):
        cubes = state["cubes"][record["city"]]
        if record["stored"] and record["role"] != CONTINGENCY:
            raise PositionError(f"seat {seat} has an event stored but is not the Contingency Planner")
        if record["role"] == MEDIC and (cubes[state["cure"] != NOT_CURED] > 0).any():
            raise PositionError(
                f"the Medic stands on cubes of a cured colour in {names.cities[record['city']]}"
            )
        if record["size"] > HAND_LIMIT and seat not in asked and not (drawing and seat == state["on_turn"]):
            raise PositionError(
                f"seat {seat} holds {record['size']} cards and is not asked for its hand limit"
            )


def _number(text: dict[str, Any], key: str, low: int, high: int, default: int = 0) -> int:
    value = text.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PositionError(f"{key} is {value!r}, must be a whole number from {low} to {high}")
    return value


def _by_seat(text: dict[str, Any], key: str, players: int, default: Any) -> list[Any]:
    values = text.get(key, [default] * players)
    if len(values) != players:
        raise PositionError(f"{key} has {len(values)} entries, must have one for each of {players} players")
    return list(values)


def _read_seats(
    text: dict[str, Any], state: np.void, options: Any, names: _Names, found: Map, rng: Any
) -> None:
    players = int(state["players"])
    allowed = [int(role) for role in state["options"]["roles"] if role] or list(range(1, len(ROLE_NAMES) + 1))
    if not state["options"]["roles_in_order"]:
        allowed = rng.permutation(allowed).tolist()
    roles = _by_seat(text, "roles", players, "")
    for seat in range(players):
        if roles[seat] not in ("", *ROLE_NAMES):
            raise PositionError(f"there is no role {roles[seat]!r}; roles are {', '.join(ROLE_NAMES)}")
    named = {ROLE_NAMES.index(role) + 1 for role in roles if role}
    if len(named) != len([role for role in roles if role]):
        raise PositionError("two seats have the same role")
    free = [role for role in allowed if role not in named]
    for seat in range(players):
        if not roles[seat] and state["options"]["roles_in_order"] and allowed[seat] in free:
            roles[seat] = ROLE_NAMES[allowed[seat] - 1]
            free.remove(allowed[seat])
    hands = _by_seat(text, "hands", players, [])
    known = _by_seat(text, "known", players, [])
    stored = _by_seat(text, "stored", players, "")
    pawns = _by_seat(text, "pawns", players, names.cities[found.start])
    for seat in range(players):
        record = state["seats"][seat]
        record["role"] = ROLE_NAMES.index(roles[seat]) + 1 if roles[seat] else free.pop()
        record["city"] = names.city(pawns[seat])
        for name in hands[seat]:
            record["hand"][_hand_card(names, name)] = 1
        for name in known[seat]:
            if not record["hand"][_hand_card(names, name)]:
                raise PositionError(f"seat {seat} is known to hold {name}, but does not")
            record["known"][names.card(name)] = 1
        record["size"] = record["hand"].sum()
        if stored[seat]:
            if stored[seat] not in EVENT_NAMES:
                raise PositionError(f"there is no event {stored[seat]!r}")
            record["stored"] = EVENT_NAMES.index(stored[seat]) + 1
    if state["seats"]["known"].any() and not state["options"]["hidden"]:
        raise PositionError("known is for hidden hands only")


def _hand_card(names: _Names, name: Any) -> int:
    card = names.card(name)
    if card == EPIDEMIC:
        raise PositionError("an epidemic cannot lie in a hand")
    return card


def _read_board(text: dict[str, Any], state: np.void, names: _Names, found: Map) -> None:
    stations = text.get("stations", [names.cities[found.start]])
    if len(set(stations)) != len(stations):
        raise PositionError("stations names a city twice")
    for name in stations:
        state["station"][names.city(name)] = 1
    if len(stations) > STATIONS:
        raise PositionError(f"there are {len(stations)} stations, the game has {STATIONS}")
    state["stations_left"] = STATIONS - int(state["station"].sum())
    for name, cubes in text.get("cubes", {}).items():
        only_keys(cubes, COLOURS, f"cubes.{name}")
        for colour in cubes:
            state["cubes"][names.city(name)][COLOURS.index(colour)] = _number(cubes, colour, 0, CITY_FULL)
    supply = found.table[0]["supply"].astype(int) - state["cubes"].sum(0, dtype=int)
    if (supply < 0).any():
        raise PositionError(f"there are too many {COLOURS[int(supply.argmin())]} cubes on the board")
    state["supply"] = supply
    for key, value in (("cured", CURED), ("eradicated", ERADICATED)):
        for name in text.get(key, []):
            if name not in COLOURS:
                raise PositionError(f"there is no colour {name!r}")
            if state["cure"][COLOURS.index(name)]:
                raise PositionError(f"{name} is named twice among cured and eradicated")
            state["cure"][COLOURS.index(name)] = value
    for colour, cure in enumerate(state["cure"]):
        on_board = bool(state["cubes"][:, colour].any())
        if cure == ERADICATED and on_board:
            raise PositionError(f"{COLOURS[colour]} is eradicated but has cubes on the board")
        if cure == CURED and not on_board:
            state["cure"][colour] = ERADICATED
    state["outbreaks"] = _number(text, "outbreaks", 0, OUTBREAK_LIMIT)


def _read_events(text: dict[str, Any], state: np.void, options: Any, rng: Any) -> None:
    listed = int(state["options"]["listed"])
    chosen = [e for e in range(len(EVENT_NAMES)) if listed >> e & 1]
    if not listed:
        chosen = rng.permutation(len(EVENT_NAMES))[: int(state["options"]["events"])].tolist()
        named = _named_events(text)
        chosen = sorted(
            {*named, *[event for event in chosen if event not in named][: max(0, len(chosen) - len(named))]}
        )
    if "events_in_game" in text:
        for name in text["events_in_game"]:
            if name not in EVENT_NAMES:
                raise PositionError(f"there is no event {name!r}")
        chosen = [EVENT_NAMES.index(name) for name in text["events_in_game"]]
    state["events_in_game"][chosen] = 1


def _named_events(text: dict[str, Any]) -> set[int]:
    """Events that the position names somewhere: they are in the game."""
    lists = [
        *text.get("hands", []),
        *(text.get(key, []) for key in ("player_deck", "player_discard", "player_removed")),
    ]
    names = [name for cards in lists for name in cards] + list(text.get("stored", []))
    return {EVENT_NAMES.index(name) for name in names if name in EVENT_NAMES}


def _lay_player_cards(text: dict[str, Any], state: np.void, options: Any, names: _Names, rng: Any) -> None:
    """Find the cards that nothing names; lay the deck and its piles."""
    top = [names.card(name) for name in text.get("player_deck", [])]
    for key in ("player_discard", "player_removed"):
        for name in text.get(key, []):
            state[key][_hand_card(names, name)] = 1
    used = state["seats"]["hand"].sum(0, dtype=int) + state["player_discard"] + state["player_removed"]
    used += np.bincount(top, minlength=EPIDEMIC + 1)[:EPIDEMIC]
    for event in state["seats"]["stored"]:
        used[CITIES + event - 1] += event > 0
    in_game = np.array([*(card < len(names.cities) for card in range(CITIES)), *state["events_in_game"]], int)
    if (used > in_game).any():
        card = int(np.argmax(used - in_game))
        raise PositionError(
            f"the position has {used[card]} cards {names.cards[card]!r}, the game {in_game[card]}"
        )
    rest = np.flatnonzero(in_game - used)
    where = text.get("player_rest", "deck")
    if where not in ("deck", "discard", "removed"):
        raise PositionError(f"player_rest is {where!r}, must be 'deck', 'discard' or 'removed'")
    beneath: list[int] = []
    if where == "deck":
        beneath = rng.permutation(rest).tolist()
    else:
        state[f"player_{where}"][rest] = 1
    named = top.count(EPIDEMIC)
    left = (
        max(named, options.epidemics - int(state["rate_step"]))
        if where == "deck" and "piles" not in text
        else named
    )
    left = _number(text, "epidemics_in_deck", named, EPIDEMICS, default=left)
    deck, piles = _piled(top, beneath, left, text, rng)
    state["deck"][: len(deck)] = deck[::-1]
    state["deck_size"] = len(deck)
    state["piles"][: len(piles)] = piles
    out = bool(deck) and EPIDEMIC not in deck[: piles[0]]
    if text.get("epidemic_out", out) != out:
        raise PositionError(f"epidemic_out is {text['epidemic_out']}, but the first pile says {out}")
    state["epidemic_out"] = out


def _piled(
    top: list[int], beneath: list[int], left: int, text: dict[str, Any], rng: Any
) -> tuple[list[int], list[int]]:
    """The deck from the top, with ``left`` epidemics, and the sizes of its piles."""
    total = len(top) + len(beneath) + left - top.count(EPIDEMIC)
    if total == 0:
        return [], []
    if "piles" in text:
        sizes = [int(size) for size in text["piles"]]
        deck = _fill_piles(top, beneath, sizes, rng)
        if sum(sizes) != total or len(sizes) > EPIDEMICS or min(sizes) < 1 or deck is None:
            raise PositionError(f"piles {sizes} do not fit a deck of {total} cards with {left} epidemics")
        return deck, sizes
    if left == 0:
        return top + beneath, [total]
    sizes = _even(total, left)
    deck = _fill_piles(top, beneath, sizes, rng)
    if deck is not None:
        return deck, sizes
    # A pile ends after each epidemic that is named; the rest is split evenly.
    ends = [place + 1 for place, card in enumerate(top) if card == EPIDEMIC]
    sizes = [end - start for start, end in zip([0, *ends], ends)]
    unnamed = left - len(ends)
    after = total - sum(sizes)
    if unnamed:
        sizes += _even(after, unnamed)
    elif after:
        sizes[-1] += after
    deck = _fill_piles(top, beneath, sizes, rng)
    if deck is None:
        raise PositionError("player_deck does not fit any piles: give piles, or fewer cards")
    return deck, sizes


def _even(cards: int, piles: int) -> list[int]:
    return [cards // piles + (pile < cards % piles) for pile in range(piles)]


def _fill_piles(
    top: Sequence[int], beneath: Sequence[int], sizes: Sequence[int], rng: Any
) -> list[int] | None:
    """Lay named cards on top and the others beneath, one epidemic in each pile; None where that cannot be.
    The first pile may have lost its epidemic, if there are not enough cards for one."""
    rest = list(beneath)
    deck: list[int] = []
    free = sum(sizes) - len(top) - len(rest)  # epidemics still to be laid
    for number, size in enumerate(sizes):
        pile = list(top[len(deck) : len(deck) + size])
        if pile.count(EPIDEMIC) > 1:
            return None
        lacking = EPIDEMIC not in pile
        later = sum(
            EPIDEMIC not in top[start : start + length] for start, length in _spans(sizes)[number + 1 :]
        )
        if lacking and (number > 0 or free > later):
            if len(pile) == size or free == 0:
                return None
            rest_of_pile = rest[: size - len(pile) - 1]
            rest_of_pile.insert(int(rng.integers(len(rest_of_pile) + 1)), EPIDEMIC)
            free -= 1
        else:
            rest_of_pile = rest[: size - len(pile)]
        rest = rest[len([card for card in rest_of_pile if card != EPIDEMIC]) :]
        pile += rest_of_pile
        if len(pile) != size:
            return None
        deck += pile
    return deck if not rest and free == 0 else None


def _spans(sizes: Sequence[int]) -> list[tuple[int, int]]:
    return [(sum(sizes[:number]), size) for number, size in enumerate(sizes)]


def _lay_infections(text: dict[str, Any], state: np.void, names: _Names, rng: Any) -> None:
    top = [names.city(name) for name in text.get("infection_deck", [])]
    bottom = [names.city(name) for name in text.get("infection_bottom", [])]
    for key in ("infection_discard", "infection_removed"):
        for name in text.get(key, []):
            state[key][names.city(name)] = 1
    used = (
        np.bincount(top + bottom, minlength=CITIES) + state["infection_discard"] + state["infection_removed"]
    )
    if (used > 1).any():
        raise PositionError(f"the infection card {names.cities[int(used.argmax())]} lies in two places")
    rest = np.flatnonzero(used[: len(names.cities)] == 0)
    where = text.get("infection_rest", "deck")
    if where not in ("deck", "discard"):
        raise PositionError(f"infection_rest is {where!r}, must be 'deck' or 'discard'")
    if where == "discard":
        state["infection_discard"][rest] = 1
        rest = rest[:0]
    deck = top + rng.permutation(rest).tolist() + bottom
    layers = [int(size) for size in text.get("layers", [len(deck)] if deck else [])]
    if sum(layers) != len(deck) or len(layers) > LAYERS or any(size < 1 for size in layers):
        raise PositionError(f"layers {layers} do not add up to an infection deck of {len(deck)}")
    state["infection"][: len(deck)] = deck[::-1]
    state["infection_size"] = len(deck)
    state["layer_size"][: len(layers)] = layers[::-1]
    state["layers"] = len(layers)


def _read_decision(text: dict[str, Any], state: np.void) -> None:
    over, phase, result = text.get("over", "running"), text.get("phase", PHASES[ACT]), text.get("result", "")
    for key, value, known in (("over", over, _OVER), ("phase", phase, PHASES), ("result", result, RESULTS)):
        if value not in known:
            raise PositionError(f"{key} is {value!r}, must be one of {', '.join(map(repr, known))}")
    state["over"], state["phase"], state["result"] = _OVER[over], PHASES.index(phase), RESULTS.index(result)
    if over != "running":
        restore(state, {key: text[key] for key in ("reward", "reward_unit") if key in text})
        return
    stack = text.get("stack", [{"kind": ACTION, "seat": int(state["on_turn"])}])
    if not 1 <= len(stack) <= len(state["stack"]):
        raise PositionError(f"stack has {len(stack)} entries, must have 1 to {len(state['stack'])}")
    if "stack" not in text and not state["actions_left"]:
        raise PositionError("actions is 0: a position stands at a decision, give it an action and play 'end'")
    for frame, values in zip(state["stack"], stack):
        restore(frame, values, "stack")
    state["depth"] = len(stack)
    for key, seen in (("decision", DECISIONS[stack[-1]["kind"]]), ("asked", stack[-1].get("seat", 0))):
        if text.get(key, seen) != seen:
            raise PositionError(f"{key} is {text[key]!r}, but the stack says {seen!r}")


# --- events ---------------------------------------------------------------------------------------


def event_text(row: np.ndarray, options: Any) -> str:
    """One event as a seat saw it (a row of `seen_by`), in words."""
    kind, seat, a, b, _, c, _ = (int(value) for value in row)
    names = _Names(load_map(options.map))
    who = f"player_{seat}"
    city = names.cities[a] if 0 <= a < len(names.cities) else "no city"
    card = names.cards[a] if 0 <= a < len(names.cards) else "no card"
    secret = names.cards[c] if 0 <= c < CARDS else "a card"
    event = EVENT_NAMES[a] if 0 <= a < len(EVENT_NAMES) else ""
    colours = dict(enumerate(COLOURS))
    other = names.cities[b] if 0 <= b < len(names.cities) else ""
    return {
        EVENTS.dealt: f"{who} is dealt {secret}",
        EVENTS.drew: f"{who} draws {secret}",
        EVENTS.epidemic: f"{who} draws an epidemic",
        EVENTS.first: f"{who} begins" + (f" with {card}" if a >= 0 else ""),
        EVENTS.infected: f"{city} is infected: {b}",
        EVENTS.protected: f"{city} is not infected with {colours.get(b, '')}",
        EVENTS.outbreak: f"{colours.get(b, '')} breaks out in {city}",
        EVENTS.moved: f"{who} moves player_{a} to {other}",
        EVENTS.discarded: f"{who} discards {card}",
        EVENTS.built: f"{who} builds a research station in {city}"
        + (f" with that of {other}" if b >= 0 else ""),
        EVENTS.treated: f"{who} treats {city}: {b}",
        EVENTS.vanished: f"{b} cubes vanish before {who} in {city}",
        EVENTS.given: f"{who} gives {secret} to player_{a}",
        EVENTS.offered: f"{who} asks for leave",
        EVENTS.refused: f"{who} refuses",
        EVENTS.cured: f"{who} cures {colours.get(a, '')}",
        EVENTS.eradicated: f"{colours.get(a, '')} is eradicated",
        EVENTS.stored: f"{who} stores {event}",
        EVENTS.played: f"{who} plays {event}",
        EVENTS.forecast: f"{who} sees {city}",
        EVENTS.laid_back: f"{who} lays {city} back as number {b + 1}",
        EVENTS.removed: f"{who} removes {city} from the infection cards",
        EVENTS.flipped: f"{city} is flipped" + (" from the bottom" if b else ""),
        EVENTS.intensified: f"{a} infection cards come back on top",
        EVENTS.reshuffled: f"{a} infection discards become a new deck",
        EVENTS.quiet: "the night is quiet",
        EVENTS.passed: f"{who} passes",
        EVENTS.ended: f"the game is over: {RESULTS[a] if 0 <= a < len(RESULTS) else ''}",
    }.get(kind, f"{who} acts")
