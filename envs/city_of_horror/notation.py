"""Positions and events of City of Horror as text (POSITION.md describes the keys); position.py reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core.state import RUNNING, TERMINATED
from .cards import (
    CHARACTER_NAMES,
    CHARACTERS,
    COLOUR_NAMES,
    CROSSROADS,
    FOOD_NAMES,
    HOURS,
    KIND_NAMES,
    KINDS,
    PLACE_NAMES,
    PLACES,
    SIDE_NAMES,
    TOWER,
)
from .state import (
    ACTIONS,
    DECISIONS,
    EVENTS,
    EVERYONE,
    FACE_DOWN,
    GOODS,
    HOLDERS,
    STEPS,
    SUPPLIES_OF,
)
from .tables import card_names

STATES = ("tired", "hidden", "extra", "freed")
OVER = {"running": RUNNING, "terminated": TERMINATED}
BY_PLACE = ("attack_votes", "supply_votes", "caster")
PROMISES = ("against", "favour", "quiet", "help")


def names(counts: Iterable[int], words: Sequence[str] = KIND_NAMES) -> list[str]:
    """Counts by index as a list of names."""
    return [words[k] for k, n in enumerate(counts) for _ in range(n)]


# --- writing ------------------------------------------------------------------------------------


def write_position(state: np.void, options: Any) -> dict[str, Any]:
    """The whole State in words; piles with the top card first."""
    players = int(state["players"])
    asked = state["stack"][state["depth"] - 1] if state["depth"] else None
    text: dict[str, Any] = {
        "turn": -1 if asked is None else int(asked["seat"]),
        "decision": "over" if asked is None else DECISIONS[asked["kind"]],
        "round": int(state["round"]),
        "step": STEPS[state["step"]],
        "location": PLACE_NAMES[state["at"][state["location"] - 1]] if state["location"] else "none",
        "first": int(state["first"]),
        "start": int(state["start"]),
        "cursor": int(state["cursor"]),
        "leader": int(state["wheel"][state["leader"]]),
        "wheel": state["wheel"][:players].tolist(),
        "places": {name: _write_place(state, place) for place, name in enumerate(PLACE_NAMES)},
        "shut": bool(state["shut"]),
        "seats": [_write_seat(state, seat) for seat in range(players)],
        "deck": [KIND_NAMES[kind] for kind in state["deck"][: state["deck_size"]][::-1]],
        "discard": names(state["discard"]),
        "food_up": names(state["food_up"], FOOD_NAMES),
        "food_gone": names(state["food_gone"], FOOD_NAMES),
        "invasion": [card_names(hour)[state["invasion"][hour] - 1] for hour in range(HOURS)],
        "seen": [seat for seat in range(players) if state["seen"] >> seat & 1],
        "last_loss": int(state["last_loss"]) - 1,
        "deaths": state["deaths"].tolist(),
        "exchanges": int(state["exchanges"]),
        "known": _write_known(state, players),
        "pending": [_write_frame(state["stack"][k]) for k in range(state["depth"])],
        "turned": [PLACE_NAMES[state["at"][k]] for k in range(PLACES) if state["turned"] >> k & 1],
        "votes": (state["votes"][:players] - 1).tolist(),
        "packets": [names(state["packets"][seat]) for seat in range(players)],
        "picks": [[KIND_NAMES[k - 1] for k in state["picks"][seat] if k] for seat in range(players)],
        "promises": {key: state[key].tolist() for key in PROMISES},
        "turns": int(state["turns"]),
        "random": state["random"].tolist(),
        "over": next(name for name, number in OVER.items() if number == state["over"]),
    }
    for key in BY_PLACE:
        text[key] = {
            name: (state[key][place][:players] - 1).tolist() for place, name in enumerate(PLACE_NAMES)
        }
    if state["over"] != RUNNING:
        text |= {"reward": state["reward"].tolist(), "reward_unit": int(state["reward_unit"])}
    return text


def _write_place(state: np.void, place: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": int(state["number"][place]) + 1,
        "side": SIDE_NAMES[state["side"][place]],
        **{key: int(state[key][place]) for key in ("zombies", "antidotes", "tokens")},
    }
    if TOWER < place < CROSSROADS:
        found["cards"] = names(state["cards"][SUPPLIES_OF + place])
    return found


def _write_seat(state: np.void, seat: int) -> dict[str, Any]:
    record = state["seats"][seat]
    found: dict[str, Any] = {
        "characters": [
            _write_person(person, CHARACTER_NAMES[i])
            for i, person in enumerate(state["people"])
            if person["owner"] == seat + 1
        ],
        "hand": names(state["cards"][seat]),
        "antidotes": int(record["antidotes"]),
        "food": names(record["food"], FOOD_NAMES),
        "food_known": names(record["food_known"], FOOD_NAMES),
        "colour": COLOUR_NAMES[record["colour"]],
        "chosen": PLACE_NAMES[record["chosen"] - 1] if record["chosen"] else "none",
        **{key: bool(record[key]) for key in ("shown", "moved", "promised")},
        **{key: int(record[key]) for key in ("offers", "canned", "score")},
    }
    if record["partner"]:
        goods = {key: GOODS[record[key] - 1] for key in ("gave", "got")}
        found |= {"partner": int(record["partner"]) - 1, **goods}
    return found


def _write_person(person: np.void, name: str) -> str:
    where = PLACE_NAMES[person["place"] - 1] if person["place"] else "off"
    return " ".join([f"{name}:", where, *(key for key in STATES if person[key])])


def _write_known(state: np.void, players: int) -> list[dict[str, Any]]:
    found = []
    for observer in (*range(players), EVERYONE):
        for holder in range(HOLDERS):
            if state["known"][observer, holder].any():
                cards = names(state["known"][observer, holder])
                who = "all" if observer == EVERYONE else observer
                found.append({"who": who, "holder": _holder_name(holder), "cards": cards})
    return found


def _holder_name(holder: int) -> int | str:
    return holder if holder <= SUPPLIES_OF else PLACE_NAMES[holder - SUPPLIES_OF]


def _write_frame(frame: np.void) -> dict[str, Any]:
    args = {key: int(frame[key]) for key in "abcd"}
    return {"decision": DECISIONS[frame["kind"]], "seat": int(frame["seat"]), **args}


# --- events -------------------------------------------------------------------------------------


def event_text(row: np.ndarray, options: Any) -> str:
    """One event as a seat saw it (a row of `seen_by`), in words."""
    kind, seat, a, b, _, c, d = (int(value) for value in row)
    who = f"player_{seat}"
    person = CHARACTER_NAMES[a] if 0 <= a < CHARACTERS else ""
    card = KIND_NAMES[a] if 0 <= a < KINDS else ""
    secret = KIND_NAMES[c] if 0 <= c < KINDS else "a card"
    place = PLACE_NAMES[a] if 0 <= a < PLACES else ""
    target = PLACE_NAMES[b] if 0 <= b < PLACES else ""
    goods = [GOODS[k] if 0 <= k < len(GOODS) else "" for k in (c, d)]
    item = "an antidote" if a == 1 else secret
    gift = "an antidote" if b == 1 else secret
    dropped = f"{a} {'cards' if c == 1 else 'antidotes'}"
    ruined = "the tower collapses" if a == TOWER else "the armory burns down or jams"
    eaten = f"food {c}" if c >= 0 and a == FACE_DOWN else "food" if a == FACE_DOWN else f"food {a}"
    hour = f"invasion card {card_names(a)[b - 1]}" if 0 <= a < HOURS and 1 <= b <= 4 else ""
    return {
        EVENTS.placed: f"{who} places {person}: {target}",
        EVENTS.dealt: f"{who} gets {secret}",
        EVENTS.saw_card: f"{who} looks at the next invasion card",
        EVENTS.invaded: hour,
        EVENTS.zombies_moved: f"{c} zombies go from the {place} to the {target}",
        EVENTS.zombies_came: f"{c} zombies come to the {place}",
        EVENTS.zombies_killed: f"{c} zombies are killed at the {place}",
        EVENTS.supplies: f"{dropped} are dropped at the {target}",
        EVENTS.showed: f"{who} shows the movement card {place}",
        EVENTS.moved: f"{who} moves {person} to the {target}",
        EVENTS.turned_back: f"{who} sends {person} back to the {target}",
        EVENTS.played: f"{who} plays {card}",
        EVENTS.used: f"{who} tires {person}",
        EVENTS.activated: f"{who} activates the {place}",
        EVENTS.cancelled: f"{card} of {who} is cancelled",
        EVENTS.discarded: f"{who} discards {card}",
        EVENTS.took: f"{who} takes {card} from the discard pile",
        EVENTS.drew: f"{who} draws {secret}",
        EVENTS.stole: f"{who} steals {secret} from player_{a}",
        EVENTS.food: f"{who} takes {eaten}",
        EVENTS.ate: f"{who} gives up food {a}",
        EVENTS.antidote: f"{who} takes an antidote",
        EVENTS.leader: f"the leader goes to the colour of {who}",
        EVENTS.token: f"{who} lays an explosion token at the {place}",
        EVENTS.ruined: ruined,
        EVENTS.died: f"{who} loses {person}",
        EVENTS.voted: f"{who} votes {'for' if c == 1 else 'against'} player_{a} at the {target}",
        EVENTS.chosen: f"{who} is chosen at the {place}",
        EVENTS.kept: f"{who} keeps {item}",
        EVENTS.gave: f"{who} gives player_{a} {gift}",
        EVENTS.offered: f"{who} offers player_{a} {goods[0]} for {goods[1]}",
        EVENTS.answered: f"{who} says {'yes' if a == 1 else 'no'}",
        EVENTS.promised: f"{who}: {ACTIONS.texts[a] if 0 <= a < ACTIONS.size else ''}",
        EVENTS.first: f"{who} is the first player",
        EVENTS.round: f"round {a}",
        EVENTS.scored: f"{who} has {a} points",
        EVENTS.turned_up: f"the movement card {place} is turned up",
        EVENTS.showed_food: f"food {a} is turned up",
        EVENTS.looked: f"{who} looks at {secret}" + (f" at the {place}" if place else " of the packet"),
    }.get(kind, f"{who} acts")
