"""Referee of Zombicide: maps, sight, who is where, cards."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

from outbreak_rl.envs.zombicide import cards as C
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.mission import Mission, mission_of

SLOTS = ("left", "right", "reserve 1", "reserve 2", "reserve 3")
HANDS = (0, 1)
NOTHING, WOUND = "nothing", "wound"
EQUIPMENT = {row[0]: row for row in C._EQUIPMENT}  # name: copies, melee, ranged, marks
KINDS = C.ZOMBIE_NAMES
TOUGHNESS = {"walker": 1, "fatty": 2, "runner": 1, "abomination": 3}
RECIPES = {
    "sniper rifle": ("rifle", "scope"),
    "nailbat": ("baseball bat", "nails"),
    "molotov": ("gasoline", "glass bottles"),
}
COMBINED_FROM_ASIDE = ("nailbat", "molotov")
AMMO = {"L": "light ammo", "H": "heavy ammo"}
CAR_SEATS = 4
MELEE, RANGED = 1, 2
SAVING, SHOVING = 1, 2
LEVEL_XP = {"blue": 0, "yellow": 7, "orange": 19, "red": 43}


# The map


class Map:
    """Zones, ways and rays of a mission, as plain Python."""

    def __init__(self, mission: Mission) -> None:
        row = mission.record[0]
        self.names = mission.zone_names
        self.number = {name: number for number, name in enumerate(self.names)}
        count = len(self.names)
        self.kind = [zone.kind for zone in mission.board.zones]
        self.barriers = [door_name(mission, number) for number in range(len(mission.barriers))]
        self.barrier_kind = [int(barrier.kind) for barrier in mission.barriers]
        self.locked = [bool(barrier.locked) for barrier in mission.barriers]
        self.near: list[
            list[tuple[int, int, bool]]
        ] = []  # by slot: zone, barrier (-1: none), passable by car
        for zone in range(count):
            ways = []
            for slot in range(T.NEAR):
                other = int(row["near"][zone, slot])
                if other:
                    ways.append(
                        (other - 1, int(row["near_barrier"][zone, slot]) - 1, bool(row["by_car"][zone, slot]))
                    )
            self.near.append(ways)
        self.rays: list[list[list[tuple[int, int]]]] = []  # lists of (zone, barrier before it)
        for zone in range(count):
            rays: list[list[tuple[int, int]]] = []
            for step in range(int(row["ray_from"][zone]), int(row["ray_from"][zone + 1])):
                if row["step_first"][step]:
                    rays.append([])
                rays[-1].append((int(row["step_zone"][step]), int(row["step_barrier"][step]) - 1))
            self.rays.append(rays)
        self.objectives = [
            (int(zone) - 1, int(row["objective_level"][n]))
            for n, zone in enumerate(row["objective_zone"])
            if zone
        ]
        self.switches = {
            int(zone) - 1: T.COLOURS[int(row["switch_colour"][n])]
            for n, zone in enumerate(row["switch_zone"])
            if zone
        }
        self.cars = [
            (C.CAR_NAMES[int(kind) - 1], bool(row["car_drives"][n]))
            for n, kind in enumerate(row["car_kind"])
            if kind
        ]
        self.towers = {
            int(zone) - 1: [
                (int(there) - 1, int(row["tower_range"][n, k]))
                for k, there in enumerate(row["tower_sees"][n])
                if there
            ]
            for n, zone in enumerate(row["tower_zone"])
            if zone
        }


def door_name(mission: Mission, number: int) -> str:
    """A door as positions call it: by the zones beside it."""
    barrier = mission.barriers[number]
    if not barrier.pairs:
        return f"gate {barrier.gate} {T.DIRECTIONS[barrier.side]}"
    a, b = sorted(mission.zone_names[zone] for zone in barrier.pairs[0])
    return f"{a} | {b}"


def map_of(position: dict) -> Map:
    """The map that a position lies on."""
    options = position["options"]
    keys = ("mission", "map_seed", "map_size", "map_difficulty")
    return made(*(options[key] for key in keys))


@cache
def made(mission: str, map_seed: int, map_size: int, map_difficulty: int) -> Map:
    """A map, made once."""
    options = SimpleNamespace(
        mission=mission, map_seed=map_seed, map_size=map_size, map_difficulty=map_difficulty
    )
    return Map(mission_of(options))


def is_open(position: dict, barrier: int) -> bool:
    """Whether nothing bars a way: no door, or an open one."""
    return barrier < 0 or map_of(position).barriers[barrier] in position["open"]


def open_ways(position: dict, zone: int) -> dict[int, int]:
    """Slots and zones that figures may go to."""
    near = map_of(position).near[zone]
    return {slot: other for slot, (other, barrier, _) in enumerate(near) if is_open(position, barrier)}


def sight(position: dict, zone: int, tower: bool = False) -> list[tuple[int, int]]:
    """What is seen, in the order of the sight slots, each with its range (rulebook p. 7; page, "Sight").

    From a tower all open-air zones in a straight line come first, over roofs.
    """
    seen = {zone: 0}
    if tower:
        for there, away in map_of(position).towers[zone]:
            seen[there] = min(away, seen.get(there, away))
    for ray in map_of(position).rays[zone]:
        for away, (there, barrier) in enumerate(ray, 1):
            if not is_open(position, barrier):
                break
            seen[there] = min(away, seen.get(there, away))
            if map_of(position).kind[there] in ("building", "cell"):
                break
    return list(seen.items())[: T.SIGHT]


# Who is where


def frame(position: dict) -> tuple[int, int, int, int, int, int]:
    """The decision: kind, seat, a, b, c, d."""
    kind, seat, a, b, c, d = position["stack"][-1]
    return kind, seat, a, b, c, d


def actor(position: dict) -> dict:
    """The survivor that the decision is about."""
    return position["survivors"][frame(position)[2]]


def named(position: dict, number: int) -> str:
    """A survivor as the asked seat counts: its own first."""
    count = len(position["survivors"])
    own = frame(position)[1] * (count // position["options"]["players"])
    return f"survivor {(number - own) % count + 1}"


def numbers_of(position: dict, chosen: list[int] | set[int]) -> set[str]:
    """Survivors as texts."""
    return {named(position, number) for number in chosen}


def zone_of(position: dict, me: dict) -> int:
    return map_of(position).number[me["zone"]]


def alive(position: dict) -> list[int]:
    """Everybody who takes part at the moment."""
    return [n for n, me in enumerate(position["survivors"]) if me["status"] == "alive"]


def people(position: dict, zone: int) -> list[int]:
    """The living survivors of a zone, those in cars and on towers too."""
    return [n for n in alive(position) if zone_of(position, position["survivors"][n]) == zone]


def zombies(position: dict, zone: int) -> dict[str, int]:
    """The zombies of a zone by kind."""
    return position["zombies"].get(map_of(position).names[zone], {})


def crowd(position: dict, zone: int) -> int:
    """How many zombies there are."""
    return sum(zombies(position, zone).values())


def in_the_open(me: dict) -> bool:
    """Neither in a car nor on a tower."""
    return not me.get("car") and not me.get("tower")


def has(me: dict, *names: str) -> bool:
    """Whether a survivor has one of these skills."""
    return any(name in me["skills"] for name in names)


# Cards


def slots(me: dict) -> list[str]:
    """What lies in the five slots, hands first."""
    return [*me["hands"], *me["reserve"]]


def is_equipment(card: str) -> bool:
    return card not in (NOTHING, WOUND)


def held(me: dict) -> list[int]:
    """The slots whose cards are in use: the hands, or all of them with Webbing."""
    usable = range(len(SLOTS)) if has(me, "webbing") else HANDS
    return [slot for slot in usable if is_equipment(slots(me)[slot])]


def in_hand(me: dict, name: str) -> list[int]:
    return [slot for slot in held(me) if slots(me)[slot] == name]


def is_melee(card: str) -> bool:
    return bool(EQUIPMENT[card][2])


def is_ranged(card: str) -> bool:
    return bool(EQUIPMENT[card][3])


def marks(card: str) -> str:
    return EQUIPMENT[card][4]
