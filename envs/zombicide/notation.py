"""Positions and events of Zombicide as text (POSITION.md says what a position may hold)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.options import nearest
from ..core.position import PositionError, dump, only_keys, restore
from ..core.state import RUNNING, TERMINATED, TRUNCATED
from . import cards as C
from . import table as T
from .mission import Mission, mission_of
from .state import (
    ABSENT,
    ACT,
    ACTIVE,
    CHOOSE,
    DECISION_NAMES,
    EQUIP,
    EVENTS,
    FALLEN,
    FIRST_WORK,
    KEEP,
    LEFT,
    LINKS,
    OUT,
    ROUND,
    SEATS_TURN,
)  # fmt: skip

_STATUS = {"alive": ACTIVE, "fallen": FALLEN, "out": OUT, "left": LEFT}
_OVER = {"running": RUNNING, "terminated": TERMINATED, "truncated": TRUNCATED}
_KEYS = (
    "survivors", "zombies", "noise", "open", "shut", "unlocked", "unopened", "taken", "objectives",
    "spawning", "cars", "exit",
    "first", "rounds", "deck_top", "deck", "zombie_deck_top", "zombie_deck", "discard", "aside",
    "drawn_zombie_cards",
    "abominations", "decision", "turn", "stack", "random", "over", "won", "reward", "reward_unit", "rest",
    "memory",
)  # fmt: skip
_SUMMARY = ("where", "status", "cards", "wounds", "xp", "actions")  # written for readers, not read
_SURVIVOR_KEYS = (
    "name", "zombivor", "status", "zone", "hands", "reserve", "spent", "wounds", "xp", "skills", "gained",
    "actions",
    "acted", "acting", "car", "driver", "tower", "gift", "free", "used", "shielded",
)  # fmt: skip
_FREE = ("moves", "melees", "shots", "fights")
_ONCE = ("searched", "saved", "shoved", "taunted", "led")
_MEMORY = ("fight", "attacked", "to_draw", "fired", "queue", "queued", "running", "extras", "gunblade")


# --- writing -------------------------------------------------------------------------------------


def write_position(state: np.void, options: Any) -> dict[str, Any]:
    """The whole State in words; piles with the top card first."""
    mission = mission_of(options)
    zones = mission.zone_names
    frame = state["stack"][int(state["depth"]) - 1] if state["depth"] else state["stack"][0]
    text: dict[str, Any] = {
        "turn": int(frame["seat"]) if state["depth"] else -1,
        "decision": DECISION_NAMES[frame["kind"]] if state["depth"] else "over",
        "rounds": int(state["turns"]),
        "first": int(state["first"]),
        "survivors": [
            _survivor(state["survivors"][i], zones) for i in range(int(state["options"]["survivors"]))
        ],
        "zombies": {
            zones[z]: {C.ZOMBIE_NAMES[k]: int(n) for k, n in enumerate(row) if n}
            for z, row in enumerate(state["zombies"][: len(zones)])
            if row.any()
        },
        "noise": {zones[z]: int(n) for z, n in enumerate(state["noise"][: len(zones)]) if n},
        "open": [barrier_name(mission, b) for b in range(len(mission.barriers)) if state["open"][b]],
        "unlocked": [barrier_name(mission, b) for b in range(len(mission.barriers)) if state["unlocked"][b]],
        "unopened": [
            zones[z]
            for z, b in enumerate(mission.record[0]["building"])
            if b and not state["revealed"][b - 1]
        ],
        "taken": [
            zones[z - 1] for k, z in enumerate(mission.record[0]["objective_zone"]) if z and state["taken"][k]
        ],
        "objectives": [T.COLOURS[c] for c in state["colour"][: int(mission.record[0]["objectives"])]],
        "spawning": [
            zones[z - 1] for k, z in enumerate(mission.record[0]["spawn_zone"]) if z and state["spawning"][k]
        ],
        "cars": [zones[z] for k, z in enumerate(state["car_zone"]) if mission.record[0]["car_kind"][k]],
        "deck": [C.CARD_NAMES[k] for k in state["deck"][: int(state["deck_size"])][::-1]],
        "zombie_deck": [
            int(c) - 1 + C.FIRST_CARD for c in state["spawn_deck"][: int(state["spawn_size"])][::-1]
        ],
        "drawn_zombie_cards": [c + C.FIRST_CARD for c, n in enumerate(state["spawn_discard"]) if n],
        "discard": _counts(state["discard"]),
        "aside": _counts(state["aside"]),
        "abominations": int(state["abominations"]),
        "over": next(name for name, number in _OVER.items() if number == state["over"]),
        "random": state["random"].tolist(),
        "stack": [[int(value) for value in state["stack"][k]] for k in range(int(state["depth"]))],
        "memory": {name: value for name, value in dump(state).items() if name in _MEMORY},
    }
    living = state["survivors"][: int(state["options"]["survivors"])]
    text["where"] = [zones[int(me["zone"])] if me["status"] in (ACTIVE, FALLEN) else "" for me in living]
    text["status"] = [one["status"] for one in text["survivors"]]
    text["cards"] = [
        [card for card in (*one["hands"], *one["reserve"]) if card != "nothing"] for one in text["survivors"]
    ]
    for key in ("wounds", "xp", "actions"):
        text[key] = [one[key] for one in text["survivors"]]
    if state["exit"]:
        text["exit"] = zones[int(state["exit"]) - 1]
    if state["over"] != RUNNING:
        text |= {
            "reward": state["reward"].tolist(),
            "reward_unit": int(state["reward_unit"]),
            "won": bool(state["won"]),
        }
    return text


def barrier_name(mission: Mission, barrier: int) -> str:
    """A door by the zones beside it."""
    pairs = mission.barriers[barrier].pairs
    if not pairs:
        return f"gate {mission.barriers[barrier].gate} {T.DIRECTIONS[mission.barriers[barrier].side]}"
    a, b = sorted(mission.zone_names[number] for number in pairs[0])
    return f"{a} | {b}"


def _counts(row: np.ndarray) -> list[str]:
    return [C.CARD_NAMES[kind] for kind, n in enumerate(row) for _ in range(n)]


def _survivor(me: np.void, zones: list[str]) -> dict[str, Any]:
    text: dict[str, Any] = {
        "name": C.CHARACTERS[me["character"] - 1],
        "status": next(name for name, number in _STATUS.items() if number == me["status"]),
        "zone": zones[int(me["zone"])],
        "hands": [C.CARD_NAMES[k] for k in me["slots"][: C.HANDS]],
        "reserve": [C.CARD_NAMES[k] for k in me["slots"][C.HANDS :]],
        "wounds": int(me["wounds"]),
        "xp": int(me["xp"]),
        "gained": int(me["gained"]),
        "skills": [C.SKILL_NAMES[k] for k, n in enumerate(me["skills"]) for _ in range(n)],
        "actions": int(me["actions"]),
    }
    if me["spent"].any():
        text["spent"] = [int(k) for k in np.flatnonzero(me["spent"])]
    for key in ("zombivor", "acting", "acted", "driver", "shielded"):
        if me[key]:
            text[key] = True
    for key in ("car", "tower", "gift"):
        if me[key]:
            text[key] = int(me[key])
    if any(me[key] for key in _FREE):
        text["free"] = [int(me[key]) for key in _FREE]
    if any(me[key] for key in _ONCE):
        text["used"] = [key for key in _ONCE if me[key]]
    return text


# --- reading -------------------------------------------------------------------------------------


def read_position(text: dict[str, Any], state: np.void, options: Any, rng: np.random.Generator) -> None:
    """Fill a blank State from words; what nothing names is as at the start of the mission, or drawn."""
    only_keys(text, (*_KEYS, *_SUMMARY), "the position")
    mission = mission_of(options)
    row = mission.record[0]
    _read_board(text, state, mission)
    _read_survivors(text, state, mission)
    state["turns"] = text.get("rounds", 0)
    state["first"] = text.get("first", 0)
    state["abominations"] = text.get("abominations", 0)
    state["won"] = bool(text.get("won", False))
    state["random"] = text.get("random", rng.integers(1 << 32, size=4, dtype=np.uint64).tolist())
    colours = [_find(c, T.COLOURS, "colour") for c in text.get("objectives", ())]
    state["colour"] = row["objective_colour"]
    state["colour"][: len(colours)] = colours
    restore(state, {key: value for key, value in text.get("memory", {}).items() if key in _MEMORY})
    _lay_decks(text, state, rng)
    _read_decision(text, state)


def _find(word: Any, names: Any, what: str) -> int:
    if word not in names:
        raise PositionError(f"there is no {what} {word!r}{nearest(str(word), list(names))}")
    return list(names).index(word)


def _zone(name: Any, mission: Mission) -> int:
    if name not in mission.board.aliases:
        raise PositionError(f"there is no zone {name!r}{nearest(str(name), list(mission.board.aliases))}")
    return mission.board.aliases[name]


def _barrier(name: Any, mission: Mission) -> int:
    names = [barrier_name(mission, b) for b in range(len(mission.barriers))]
    if isinstance(name, str) and "|" in name and name not in names:
        pair = {_zone(part.strip(), mission) for part in name.split("|")}
        for number, barrier in enumerate(mission.barriers):
            if any(set(zones) == pair for zones in barrier.pairs):
                return number
    return _find(name, names, "door")


def _read_board(text: dict[str, Any], state: np.void, mission: Mission) -> None:
    row = mission.record[0]
    state["pool"] = C.FIGURES if isinstance(C.FIGURES, np.ndarray) else C.FIGURES.array
    for name, counts in text.get("zombies", {}).items():
        for word, n in counts.items():
            kind = _find(word, C.ZOMBIE_NAMES, "zombie")
            if n > state["pool"][kind]:
                raise PositionError(f"the position has more {word}s than there are figures")
            state["zombies"][_zone(name, mission), kind] += n
            state["pool"][kind] -= n
    for name, n in text.get("noise", {}).items():
        state["noise"][_zone(name, mission)] = n
    state["open"][: len(row["barrier_open"])] = row["barrier_open"]
    state["revealed"] = row["revealed"]
    if "unopened" in text:
        state["revealed"][: int(row["buildings"])] = 1
        for name in text["unopened"]:
            state["revealed"][row["building"][_zone(name, mission)] - 1] = 0
    if "stack" in text:
        state["open"][:] = 0
    for name in text.get("open", ()):
        number = _barrier(name, mission)
        state["open"][number] = 1
        if "unopened" not in text:
            for pair in mission.barriers[number].pairs:
                for zone in pair:
                    if row["building"][zone]:
                        state["revealed"][row["building"][zone] - 1] = 1
    for name in text.get("shut", ()):
        state["open"][_barrier(name, mission)] = 0
    for name in text.get("unlocked", ()):
        state["unlocked"][_barrier(name, mission)] = 1
    objectives = [int(z) - 1 for z in row["objective_zone"] if z]
    for name in text.get("taken", ()):
        state["taken"][_find(_zone(name, mission), objectives, "objective in zone")] = 1
    spawns = [int(z) - 1 for z in row["spawn_zone"] if z]
    state["spawning"] = row["spawn_active"]
    if "spawning" in text:
        state["spawning"][:] = 0
        for name in text["spawning"]:
            state["spawning"][_find(_zone(name, mission), spawns, "spawn zone")] = 1
    for car, zone in enumerate(row["car_zone"]):
        state["car_zone"][car] = max(0, zone - 1)
    for car, name in enumerate(text.get("cars", ())):
        state["car_zone"][car] = _zone(name, mission)
    if "exit" in text:
        state["exit"] = _zone(text["exit"], mission) + 1


def _read_survivors(text: dict[str, Any], state: np.void, mission: Mission) -> None:
    count = int(state["options"]["survivors"])
    given = text.get("survivors", [])
    if len(given) != count:
        raise PositionError(f"the position has {len(given)} survivors, the options say {count}")
    names = [one.get("name") for one in given]
    if len(set(names)) != count:
        raise PositionError("every survivor needs a name of his own")
    for number, one in enumerate(given):
        only_keys(one, _SURVIVOR_KEYS, f"survivor {number + 1}")
        me = state["survivors"][number]
        me["character"] = _find(one["name"], C.CHARACTERS, "survivor") + 1
        me["seat"] = number // (count // int(state["players"]))
        me["status"] = _STATUS[list(_STATUS)[_find(one.get("status", "alive"), tuple(_STATUS), "status")]]
        me["zone"] = _zone(one["zone"], mission) if "zone" in one else int(mission.record[0]["start"][0]) - 1
        me["zombivor"] = bool(one.get("zombivor", False))
        me["xp"] = one.get("xp", 0)
        cards = [*_padded(one.get("hands", []), C.HANDS), *_padded(one.get("reserve", []), C.SLOTS - C.HANDS)]
        me["slots"] = [_find(card, C.CARD_NAMES, "card") for card in cards]
        me["wounds"] = np.count_nonzero(me["slots"] == C.WOUND)
        for slot in one.get("spent", ()):
            me["spent"][slot] = 1
        level = sum(int(me["xp"]) >= least for least in (0, C.XP_YELLOW, C.XP_ORANGE, C.XP_RED))
        me["gained"] = one.get("gained", level if me["status"] == ACTIVE else 0)
        for skill in one.get("skills", _first_skills(me)):
            me["skills"][_find(skill, C.SKILL_NAMES, "skill")] += 1
        for key in ("acting", "acted", "driver", "car", "tower", "gift", "shielded", "actions"):
            me[key] = int(one.get(key, 0))
        for key, n in zip(_FREE, one.get("free", ())):
            me[key] = n
        for key in one.get("used", ()):
            me[_ONCE[_find(key, _ONCE, "power")]] = 1


def _first_skills(me: np.void) -> list[str]:
    """Skills that nobody chose: the first of each level."""
    board = C._BOARDS[int(me["character"]) - 1][int(me["zombivor"])]
    return [C.SKILL_NAMES[board[place]] for place in (0, 1, 2, 4)[: int(me["gained"])]]


def _padded(cards: list[str], n: int) -> list[str]:
    if len(cards) > n:
        raise PositionError(f"{len(cards)} cards do not fit into {n} places")
    return [*cards, *["nothing"] * (n - len(cards))]


def _lay_decks(text: dict[str, Any], state: np.void, rng: np.random.Generator) -> None:
    copies = np.array([0, *(row[1] for row in C._EQUIPMENT)])
    left = copies.copy()
    for me in state["survivors"]:
        for kind in me["slots"]:
            if kind == C.SNIPER_RIFLE:
                left[C.RIFLE] -= 1
                left[C.SCOPE] -= 1
            elif kind not in (C.EMPTY, C.WOUND):
                left[kind] -= 1
    for frame in text.get("stack", ()):
        if frame[0] == KEEP:
            left[frame[3]] -= 1
    for key in ("discard", "aside"):
        for name in text.get(key, ()):
            kind = _find(name, C.CARD_NAMES, "card")
            state[key][kind] += 1
            left[kind] -= 1
    whole = "deck" in text
    top = [_find(name, C.CARD_NAMES, "card") for name in text.get("deck", text.get("deck_top", ()))]
    for kind in top:
        left[kind] -= 1
    if (left < 0).any():
        raise PositionError(f"the position has too many cards {C.CARD_NAMES[int(np.argmin(left))]!r}")
    for kind in (C.NIGHTSTICK, C.MOLOTOV, C.GUNBLADE, C.NAILBAT):
        if "aside" not in text:
            state["aside"][kind] += left[kind]
            left[kind] = 0
    beneath = [] if whole else rng.permutation(np.repeat(np.arange(C.KINDS), left)).tolist()
    if text.get("rest") == "discard" and not whole:
        for kind in beneath:
            state["discard"][kind] += 1
        beneath = []
    elif whole and left.any():
        raise PositionError(f"the card {C.CARD_NAMES[int(np.argmax(left))]!r} is missing in the position")
    pile = beneath + top[::-1]
    state["deck"][: len(pile)] = pile
    state["deck_size"] = len(pile)
    drawn = [number - C.FIRST_CARD for number in text.get("drawn_zombie_cards", ())]
    state["spawn_discard"][drawn] = 1
    upper = [number - C.FIRST_CARD for number in text.get("zombie_deck", text.get("zombie_deck_top", ()))]
    rest = [card for card in range(C.ZOMBIE_CARDS) if card not in upper and card not in drawn]
    cards = ([] if "zombie_deck" in text else rng.permutation(rest).tolist()) + upper[::-1]
    if sorted(cards + drawn) != list(range(C.ZOMBIE_CARDS)):
        raise PositionError("each zombie card must be in the deck or drawn, once")
    state["spawn_deck"][: len(cards)] = np.array(cards, np.int8) + 1
    state["spawn_size"] = len(cards)


def _read_decision(text: dict[str, Any], state: np.void) -> None:
    """The whole stack, or whose turn it is: the first survivor that has ``actions`` acts,
    else one is chosen."""
    over = _OVER[list(_OVER)[_find(text.get("over", "running"), tuple(_OVER), "end")]]
    state["over"] = over
    if over != RUNNING:
        restore(state, {key: text[key] for key in ("reward", "reward_unit") if key in text})
        return
    frames = text.get("stack")
    if frames is None:
        acting = [i for i, me in enumerate(state["survivors"]) if me["actions"] and me["status"] == ACTIVE]
        seat = int(state["survivors"][acting[0]]["seat"]) if acting else int(text.get("turn", state["first"]))
        players, first = int(state["players"]), int(state["first"])
        frames = [[ROUND, first, 0, 3, 0, 0], [SEATS_TURN, first, (seat - first) % players, 0, 0, 0]]
        if acting:
            state["survivors"][acting[0]]["acting"] = 1
            frames.append([ACT, seat, acting[0], 0, 0, 0])
        else:
            frames.append([CHOOSE, seat, 0, 0, 0, 0])
    if not frames or frames[-1][0] >= FIRST_WORK:
        raise PositionError("the position's stack must end with a decision that somebody is asked")
    for k, frame in enumerate(frames):
        asked, work = 0 < frame[0] <= EQUIP, FIRST_WORK <= frame[0] <= LINKS
        if not (asked or work) or not 0 <= frame[1] < state["players"]:
            raise PositionError(f"the position's stack has {list(frame)}, no decision of this game")
        state["stack"][k] = tuple(frame)
    state["depth"] = len(frames)
    if any(me["status"] == ABSENT for me in state["survivors"][: int(state["options"]["survivors"])]):
        raise PositionError("a survivor has no status")


# --- events --------------------------------------------------------------------------------------


def event_text(row: np.ndarray, options: Any) -> str:
    """One event as a seat saw it, in words."""
    kind, seat, a, b = (int(value) for value in row[:4])
    zones = mission_of(options).zone_names
    who = f"survivor {a + 1}"
    card = C.CARD_NAMES[b] if 0 <= b < C.KINDS else ""
    zombie = C.ZOMBIE_NAMES[b % C.ZOMBIES]
    there = zones[b] if 0 <= b < len(zones) else ""
    return {
        EVENTS.dealt: f"{who} gets {card}",
        EVENTS.turn: f"{who} begins his turn",
        EVENTS.moved: f"{who} comes to {there}",
        EVENTS.opened: f"{who} opens a door",
        EVENTS.found: f"{who} draws {card}",
        EVENTS.took: f"{who} takes objective {b + 1}",
        EVENTS.switched: f"{who} uses switch {b + 1}",
        EVENTS.rolled: f"{who} hits {b} times",
        EVENTS.uncovered: f"objective {a + 1} is {T.COLOURS[b % len(T.COLOURS)]}",
        EVENTS.dice: f"a {a} is rolled" if b == 1 else f"a {a} is rolled {b} times",
        EVENTS.killed: f"{who} kills a {zombie}",
        EVENTS.wounded: f"{who} is wounded ({b})",
        EVENTS.warded: f"{who} wards off a wound with {card}",
        EVENTS.fell: f"{who} falls" + (" and will return" if b else " for good"),
        EVENTS.rose: f"{who} stands up as a zombivor",
        EVENTS.learned: f"{who} learns {C.SKILL_NAMES[b % C.SKILLS]}",
        EVENTS.card: f"zombie card {b + C.FIRST_CARD} for {zones[a] if 0 <= a < len(zones) else ''}",
        EVENTS.spawned: f"{C.ZOMBIE_NAMES[a % C.ZOMBIES]} at {there}",
        EVENTS.activated: "extra activation: "
        + ", ".join(C.ZOMBIE_NAMES[k] for k in range(C.ZOMBIES) if a >> k & 1),
        EVENTS.left: f"{who} leaves by the exit",
        EVENTS.round: f"round {a} begins",
        EVENTS.won: "the mission is won",
        EVENTS.lost: "the mission is lost",
    }.get(kind, f"player_{seat} acts")
