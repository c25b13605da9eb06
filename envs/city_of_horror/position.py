"""Positions of City of Horror from words (POSITION.md describes the keys); notation.py writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core.options import nearest
from ..core.position import PositionError, only_keys, restore
from ..core.state import RUNNING
from .cards import (
    ANTIDOTES,
    CHARACTER_NAMES,
    CHARACTERS_EACH,
    COLOUR_NAMES,
    COPIES,
    CORNERS,
    CROSSROADS,
    END,
    FOOD_COUNT,
    FOOD_NAMES,
    GRANDPA,
    HOURS,
    KIND_NAMES,
    KINDS,
    LOCATION,
    MOST_ZOMBIES,
    PLACE_NAMES,
    PLACES,
    PLANNING,
    RUIN,
    SIDE_A,
    SIDE_NAMES,
    SUPPLIES,
    TOKENS,
    TOWER,
    ZOMBIES,
)
from .notation import BY_PLACE, OVER, PROMISES, STATES
from .state import (
    D_ACTIVATE,
    D_CANNED,
    D_CARD,
    D_KEEP,
    D_MOVE,
    D_TIE,
    D_TOKEN,
    D_VICTIM,
    D_VOTE,
    D_WINDOW,
    DECISIONS,
    EVERYONE,
    GOODS,
    SIDE_RANDOM,
    STEPS,
    SUPPLIES_OF,
)
from .tables import card_names, load

_KEYS = (
    "ask", "turn", "decision", "round", "location", "first", "leader", "wheel", "places", "shut", "seats",
    "deck", "discard", "rest", "food_up", "food_gone", "invasion", "seen", "last_loss", "known", "tied", "deaths",
    "exchanges",
    "step", "start", "cursor", "pending", "turned", "votes", "attack_votes", "supply_votes", "caster",
    "packets", "picks", "promises", "turns", "random", "over", "reward", "reward_unit",
)  # fmt: skip
_PLACE_KEYS = ("number", "side", "zombies", "antidotes", "cards", "tokens")
_SEAT_KEYS = (
    "characters", "hand", "antidotes", "food", "food_known", "colour", "chosen", "shown", "moved", "offers",
    "promised", "canned", "partner", "gave", "got", "score",
)  # fmt: skip


def _index(word: Any, words: Sequence[str], what: str) -> int:
    if word not in words:
        raise PositionError(f"there is no {what} {word!r}{nearest(str(word), list(words))}")
    return words.index(word)


def _count(given: Iterable[Any], words: Sequence[str], what: str) -> list[int]:
    counts = [0] * len(words)
    for word in given:
        counts[_index(word, words, what)] += 1
    return counts


def read_position(text: dict[str, Any], state: np.void, options: Any, rng: np.random.Generator) -> None:
    """Fill a blank State from words.

    What is left out: places on the side of the options with nothing there, corner buildings numbered
    2 to 5 in order, the wheel in the order of seats with the leader at the first player, cards that no
    key names shuffled beneath ``deck`` (``rest = "deck"``) or discarded (``rest = "discard"``), invasion
    cards and the random stream drawn.
    """
    only_keys(text, _KEYS, "the position")
    players = int(state["players"])
    if len(text.get("seats", [])) != players:
        raise PositionError(
            f"seats has {len(text.get('seats', []))} entries, must have one for each of {players} players"
        )
    table = load(options.tables)[0]
    state["first"] = _seat(text.get("first", 0), players, "first")
    state["start"] = _seat(text.get("start", text.get("first", 0)), players, "start")
    state["round"] = text.get("round", 1)
    if not 0 <= state["round"] < HOURS:
        raise PositionError(f"round is {text['round']}, must be 0 (set-up) to {HOURS - 1}")
    state["last_loss"] = text.get("last_loss", -1) + 1
    state["deaths"] = text.get("deaths", [0] * HOURS)
    state["exchanges"] = text.get("exchanges", 0)
    state["turns"] = text.get("turns", max(int(state["round"]) - 1, 0))
    state["random"] = text.get("random", rng.integers(1 << 32, size=4, dtype=np.uint64).tolist())
    _read_places(text, state)
    for seat, given in enumerate(text["seats"]):
        _read_seat(given, state, seat)
    _read_wheel(text, state, table)
    _read_cards(text, state, rng)
    _read_food(text, state)
    _read_invasion(text, state, rng)
    _read_known(text.get("known", []), state)
    _read_memory(text, state)
    _read_step(text, state)
    _refuse_impossible(state, table)


def _seat(value: Any, players: int, what: str) -> int:
    if type(value) is not int or not 0 <= value < players:
        raise PositionError(f"{what} is {value!r}, must be a seat from 0 to {players - 1}")
    return value


def _read_places(text: dict[str, Any], state: np.void) -> None:
    given = text.get("places", {})
    only_keys(given, PLACE_NAMES, "places")
    for place, name in enumerate(PLACE_NAMES):
        here = given.get(name, {})
        only_keys(here, _PLACE_KEYS, f"places.{name}")
        side = state["options"]["sides"][place]
        default = SIDE_NAMES[SIDE_A if side == SIDE_RANDOM else side]
        state["side"][place] = _index(here.get("side", default), SIDE_NAMES, "side")
        state["number"][place] = here.get("number", place + 1) - 1
        for key in ("zombies", "antidotes", "tokens"):
            state[key][place] = here.get(key, 0)
        if here.get("cards"):
            if not TOWER < place < CROSSROADS:
                raise PositionError(
                    f"places.{name} cannot have cards: supplies lie at the corner places alone"
                )
            state["cards"][SUPPLIES_OF + place] = _count(here["cards"], KIND_NAMES, "card")
    numbers = state["number"].tolist()
    if sorted(numbers) != list(range(PLACES)) or numbers[TOWER] != 0 or numbers[CROSSROADS] != PLACES - 1:
        raise PositionError(
            f"the numbers of the places are {[n + 1 for n in numbers]}; "
            "the tower is 1, the crossroads 6, the others 2 to 5"
        )
    state["at"] = np.argsort(numbers)
    state["shut"] = bool(text.get("shut", False))
    state["zombies_left"] = ZOMBIES - int(state["zombies"].sum())
    state["tokens_left"] = TOKENS - int(state["tokens"].sum())


def _read_seat(given: dict[str, Any], state: np.void, seat: int) -> None:
    where = f"seats[{seat}]"
    only_keys(given, _SEAT_KEYS, where)
    record = state["seats"][seat]
    for line in given.get("characters", []):
        _read_person(line, state, seat)
    state["cards"][seat] = _count(given.get("hand", []), KIND_NAMES, "card")
    for key in ("food", "food_known"):
        record[key] = _count(map(str, given.get(key, [])), FOOD_NAMES, "food value")
    for key in ("antidotes", "shown", "moved", "offers", "promised", "canned", "score"):
        record[key] = given.get(key, 0)
    if given.get("chosen", "none") != "none":
        record["chosen"] = _index(given["chosen"], PLACE_NAMES, "place") + 1
    if "partner" in given:
        record["partner"] = _seat(given["partner"], int(state["players"]), f"{where}.partner") + 1
        for key in ("gave", "got"):
            record[key] = _index(given.get(key, "nothing"), GOODS, "goods") + 1


def _read_person(line: Any, state: np.void, seat: int) -> None:
    name, colon, rest = str(line).partition(":")
    words = rest.split()
    person = state["people"][_index(name.strip(), CHARACTER_NAMES, "character")]
    if not colon or not words:
        raise PositionError(
            f"the character {line!r} must be written as 'Blonde: bank', with 'tired' and the like after it"
        )
    if person["owner"]:
        raise PositionError(f"the character {name!r} is there twice")
    person["owner"] = seat + 1
    person["place"] = 0 if words[0] == "off" else _index(words[0], PLACE_NAMES, "place") + 1
    for word in words[1:]:
        person[STATES[_index(word, STATES, "state of a character")]] = 1


def _read_wheel(text: dict[str, Any], state: np.void, table: np.void) -> None:
    players = int(state["players"])
    wheel = text.get("wheel", list(range(players)))
    if sorted(wheel) != list(range(players)):
        raise PositionError(f"wheel is {wheel}, must name each seat once")
    state["wheel"][:players] = wheel
    state["leader"] = wheel.index(_seat(text.get("leader", text.get("first", 0)), players, "leader"))
    for k, seat in enumerate(wheel):
        name = text["seats"][seat].get("colour", COLOUR_NAMES[table["wheel"][k]])
        state["seats"][seat]["colour"] = _index(name, COLOUR_NAMES, "colour")


def _read_cards(text: dict[str, Any], state: np.void, rng: np.random.Generator) -> None:
    players = int(state["players"])
    state["discard"] = _count(text.get("discard", []), KIND_NAMES, "card")
    for seat, packet in enumerate(text.get("packets", [])):
        state["packets"][seat] = _count(packet, KIND_NAMES, "card")
    for seat, picks in enumerate(text.get("picks", [])):
        for k, name in enumerate(picks):
            state["picks"][seat][k] = _index(name, KIND_NAMES, "card") + 1
    top = [_index(name, KIND_NAMES, "card") for name in text.get("deck", [])]
    used = state["cards"].sum(0, dtype=int) + state["discard"] + state["packets"].sum(0, dtype=int)
    used += np.bincount(top, minlength=KINDS)
    rest = np.array([COPIES[kind] for kind in range(KINDS)]) - used
    if (rest < 0).any():
        kind = int(np.argmin(rest))
        raise PositionError(
            f"the position has {used[kind]} cards {KIND_NAMES[kind]!r}, the game {COPIES[kind]}"
        )
    where = text.get("rest", "deck")
    if where not in ("deck", "discard"):
        raise PositionError(f"rest is {where!r}, must be 'deck' or 'discard'")
    beneath: list[int] = []
    if where == "discard":
        state["discard"] += rest.astype(np.int8)
    else:
        beneath = rng.permutation(np.repeat(np.arange(KINDS), rest)).tolist()
    deck = beneath + top[::-1]
    state["deck"][: len(deck)] = deck
    state["deck_size"] = len(deck)
    antidotes = int(state["antidotes"].sum()) + int(state["seats"]["antidotes"][:players].sum())
    state["antidotes_left"] = ANTIDOTES - antidotes
    if antidotes > ANTIDOTES:
        raise PositionError(f"the position has {antidotes} antidotes, the game {ANTIDOTES}")


def _read_food(text: dict[str, Any], state: np.void) -> None:
    for key in ("food_up", "food_gone"):
        state[key] = _count(map(str, text.get(key, [])), FOOD_NAMES, "food value")
    down = (
        np.array(FOOD_COUNT)
        - state["food_up"]
        - state["food_gone"]
        - state["seats"]["food"].sum(0, dtype=int)
    )
    if (down < 0).any():
        raise PositionError(f"the position has more food of value {int(np.argmin(down))} than the game")
    state["food_down"] = down


def _read_invasion(text: dict[str, Any], state: np.void, rng: np.random.Generator) -> None:
    state["invasion"] = rng.integers(1, 5, HOURS)
    for name in text.get("invasion", []):
        hour = next((hour for hour in range(HOURS) if name in card_names(hour)), -1)
        if hour < 0:
            raise PositionError(f"there is no invasion card {name!r}; they are 0A to 4D")
        state["invasion"][hour] = card_names(hour).index(name) + 1
    state["seen"] = sum(1 << _seat(seat, int(state["players"]), "seen") for seat in text.get("seen", []))


def _read_known(given: list[dict[str, Any]], state: np.void) -> None:
    players = int(state["players"])
    for entry in given:
        only_keys(entry, ("who", "holder", "cards"), "known")
        observer = EVERYONE if entry["who"] == "all" else _seat(entry["who"], players, "known.who")
        holder = entry["holder"]
        if isinstance(holder, str):
            holder = SUPPLIES_OF + _index(holder, PLACE_NAMES[1 : 1 + CORNERS], "corner place") + 1
        else:
            _seat(holder, players, "known.holder")
        state["known"][observer, holder] = _count(entry["cards"], KIND_NAMES, "card")


def _read_memory(text: dict[str, Any], state: np.void) -> None:
    """Votes and promises of the round."""
    players = int(state["players"])
    state["votes"][:players] = np.array(text.get("votes", [-1] * players)) + 1
    for key in BY_PLACE:
        only_keys(text.get(key, {}), PLACE_NAMES, key)
        for name, row in text.get(key, {}).items():
            state[key][PLACE_NAMES.index(name)][:players] = np.array(row) + 1
    promises = text.get("promises", {})
    only_keys(promises, PROMISES, "promises")
    restore(state, promises)
    for name in text.get("turned", []):
        state["turned"] |= 1 << int(state["number"][_index(name, PLACE_NAMES, "place")])
    if text.get("over", "running") not in OVER:
        raise PositionError(f"over is {text['over']!r}, must be one of {', '.join(OVER)}")
    state["over"] = OVER[text.get("over", "running")]
    if state["over"] != RUNNING:
        restore(state, {key: text[key] for key in ("reward", "reward_unit") if key in text})


def _read_step(text: dict[str, Any], state: np.void) -> None:
    """Where the game stands: ``pending`` and ``step`` as written, or ``ask`` in one word."""
    where = text.get("location", "none")
    if where != "none":
        state["location"] = int(state["number"][_index(where, PLACE_NAMES, "place")]) + 1
    if "pending" in text:
        state["step"] = _index(text.get("step", ""), STEPS[1:], "step") + 1
        state["cursor"] = text.get("cursor", 0)
        for given in text["pending"]:
            only_keys(given, ("decision", "seat", *"abcd"), "pending")
            kind = _index(given["decision"], DECISIONS[1:], "decision") + 1
            _push(state, kind, given["seat"], *(given.get(key, 0) for key in "abcd"))
        return
    ask = text.get("ask")
    if ask not in _ASKS:
        raise PositionError(f"ask is {ask!r}, must be one of {', '.join(_ASKS)} (or give step and pending)")
    turn = _seat(text.get("turn", int(state["first"])), int(state["players"]), "turn")
    needs, step = _ASKS[ask]
    if needs and not state["location"]:
        raise PositionError(f"ask = {ask!r} needs a location")
    state["step"] = STEPS.index(step)
    _ask(ask, turn, text, state)


# What a position can ask for in one word: whether it needs a location, the step that comes after it.
_ASKS = {
    "planning": (False, "choosing"), "card": (False, "showing"), "late card": (False, "late showing"),
    "move": (False, "moving"), "activate": (True, "activating"), "location": (True, "attack"),
    "token": (True, "attack"), "vote": (True, "tally"), "tie": (True, "supplies"),
    "victim": (True, "supplies"), "supplies": (True, "supply vote"), "supply vote": (True, "supply tally"),
    "keep": (True, "next location"), "end": (False, "canned food"), "canned food": (False, "canned food"),
}  # fmt: skip


def _push(state: np.void, kind: int, seat: int, *args: int) -> None:
    frame = state["stack"][state["depth"]]
    frame["kind"], frame["seat"] = kind, seat
    for key, value in zip("abcd", args, strict=False):
        frame[key] = value
    state["depth"] += 1


def _ask(ask: str, turn: int, text: dict[str, Any], state: np.void) -> None:
    players = int(state["players"])
    place = int(state["at"][state["location"] - 1]) if state["location"] else 0
    done = (turn - int(state["start"])) % players + 1
    windows = {
        "planning": PLANNING,
        "location": LOCATION,
        "token": LOCATION,
        "supplies": SUPPLIES,
        "end": END,
    }
    if ask in windows:
        _push(state, D_WINDOW, turn, windows[ask], place)
    if ask == "token":
        _push(state, D_TOKEN, turn)
    elif ask in ("card", "late card"):
        for seat in _in_order(state, turn):
            late = bool(state["side"][TOWER] == 1 and _present(state, seat, TOWER))
            alive = (state["people"]["owner"] == seat + 1) & (state["people"]["place"] > 0)
            if alive.any() and not state["seats"][seat]["chosen"] and late == (ask == "late card"):
                _push(state, D_CARD, seat)
    elif ask == "move":
        for seat in range(players):
            state["seats"][seat]["shown"] = state["seats"][seat]["chosen"] > 0
        if not state["seats"][turn]["chosen"]:
            raise PositionError(
                f"seat {turn} is to move: seats[{turn}].chosen must name the place of its card"
            )
        state["cursor"] = done
        _push(state, D_MOVE, turn)
    elif ask == "activate":
        state["cursor"] = done
        _push(state, D_ACTIVATE, turn, place)
    elif ask in ("vote", "supply vote"):
        for seat in _in_order(state, turn):
            if _votes(state, seat, place) and not state["votes"][seat]:
                caster = int(state["caster"][place, seat]) - 1
                _push(state, D_VOTE, caster if caster >= 0 else seat, seat, place, ask == "supply vote")
    elif ask == "tie":
        tied = text.get("tied", [])
        if len(tied) < 2:
            raise PositionError("ask = 'tie' needs tied: the seats with equal votes")
        _push(
            state, D_TIE, int(state["first"]), place, sum(1 << _seat(seat, players, "tied") for seat in tied)
        )
    elif ask == "victim":
        _push(state, D_VICTIM, turn, place)
    elif ask == "keep":
        if not TOWER < place < CROSSROADS:
            raise PositionError("supplies lie at the corner places alone")
        state["known"][turn, SUPPLIES_OF + place] = state["cards"][SUPPLIES_OF + place]
        _push(state, D_KEEP, turn, place)
    elif ask == "canned food":
        state["cursor"] = done
        _push(state, D_CANNED, turn)
    if not state["depth"]:
        raise PositionError(f"nobody is to be asked for ask = {ask!r} here")


def _in_order(state: np.void, turn: int) -> list[int]:
    """Seats in turn order from one on, the last one first (as they lie on the stack)."""
    players = int(state["players"])
    return [(turn + k) % players for k in range(players - 1, -1, -1)]


def _present(state: np.void, seat: int, place: int) -> bool:
    people = state["people"]
    return bool(((people["owner"] == seat + 1) & (people["place"] == place + 1)).any())


def _votes(state: np.void, seat: int, place: int) -> bool:
    """Whether a seat has a vote at a place."""
    for i, person in enumerate(state["people"]):
        mute = person["hidden"] or (i == GRANDPA and not person["freed"])
        if person["owner"] == seat + 1 and person["place"] == place + 1 and not mute:
            return True
    return False


def _refuse_impossible(state: np.void, table: np.void) -> None:
    """What no game can reach would only confuse the rules."""
    players = int(state["players"])
    if (state["zombies"] > MOST_ZOMBIES).any() or (state["zombies"] < 0).any() or state["zombies_left"] < 0:
        raise PositionError(f"there are at most {MOST_ZOMBIES} zombies at a place and {ZOMBIES} in all")
    if state["tokens_left"] < 0:
        raise PositionError(f"there are {TOKENS} explosion tokens")
    if (state["side"][1:] == RUIN).any():
        raise PositionError("the tower alone can be a ruin")
    for seat in range(players):
        owned = int((state["people"]["owner"] == seat + 1).sum())
        if owned > CHARACTERS_EACH[players]:
            raise PositionError(
                f"seat {seat} has {owned} characters, at most {CHARACTERS_EACH[players]} are dealt"
            )
        if (state["seats"]["food_known"][seat] > state["seats"]["food"][seat]).any():
            raise PositionError(f"seat {seat} is known to have food that it does not have")
    if (state["known"] > state["cards"]).any():
        raise PositionError("somebody is known to have cards that he does not have")
    for place in range(CROSSROADS):
        inside = (state["people"]["place"] == place + 1) & (state["people"]["extra"] == 0)
        if inside.sum() > table["capacity"][place, state["side"][place]]:
            raise PositionError(f"the {PLACE_NAMES[place]} has too many characters on normal spaces")
    if state["people"]["extra"][state["people"]["place"] == CROSSROADS + 1].any():
        raise PositionError("at the crossroads nobody needs an extra space")
    if state["round"] > 0 and (state["people"]["place"] == 0)[state["people"]["tired"] > 0].any():
        raise PositionError("a dead character is not tired")
