"""The referee of Zombicide: which actions a position offers, in slow and plain Python.

Written from the printed rules (Czech rulebook, `rulebooks/zombicide_prison_outbreak.cs.txt`, called "rulebook"),
the page of rulings (`games/zombicide.md`, "page", with its tables) and the package's docstring ("rulings"), by
somebody who has not read the engine's rules.  Of the package it uses the mission loader only: zones, links,
doors, lines of sight (`mission`), and the tables of cards and skills.

    rule                                                         comes from
    -----------------------------------------------------------  ------------------------------------------
    a Move costs an action and one more for each zombie left     rulebook p. 13; page: the free Move pays the
    behind; Slippery none                                        Move alone
    only melee weapons with the sign open doors                  rulebook p. 14
    locked doors: switch, key or event only                      page, "Mission files"
    search: rooms without zombies, cars, once a turn             rulebook pp. 14 and 21
    one trade partner in the zone; wounds never cross            rulebook pp. 14 and 15
    two equal dual weapons strike as one                         rulebook p. 19
    shots: a zone in range and in sight with somebody in it      rulebook pp. 7 and 19
    target priority, berserkers immune and last of their kind    rulebook pp. 12, 13 and 20
    what a sniper or point-blank shooter chooses                 tables, section 4; rulings
    cars: seats, doors, driving                                  rulebook pp. 15, 20 and 21; rulings
    who is in a car or on a tower does not move, trade outward,  rulings
    open, take or switch
    objectives beside a switch of their colour go by it only     rulebook p. 15
    parts become one weapon if one lies aside                    rulebook p. 10; page
    wounds go to whom the first player says; his owner loses a   rulebook p. 15; page, "Zombies' phase"
    card or wards off
    where an Abomination may go                                  rulebook p. 16; page, "Targets"

A position is what `env.position()` writes, see `envs/zombicide/POSITION.md`.  The last entry of `stack` is the
decision: kind, seat, a, b, c, d.
"""

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


def legal_actions(position: dict) -> set[str]:
    """The texts of all actions that the seat being asked may choose (empty where the game is over)."""
    if position["decision"] == "over":
        return set()
    return {
        "choose": choices_of_survivor,
        "act": actions,
        "step": second_steps,
        "keep": keeping,
        "left hand": left_hands,
        "right hand": right_hands,
        "trade": crossings,
        "target": targets,
        "reroll": rerolls,
        "hit": hits,
        "friend": friends_hit,
        "victim": victims,
        "lose": losses,
        "skill": skills,
        "way": ways,
        "ride": rides,
        "link": linked,
        "reach": reaches,
        "pull": pulls,
        "taunt": taunts,
        "lead": followers,
        "equip": equipping,
    }[position["decision"]](position)


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


# Choosing who acts


def choices_of_survivor(position: dict) -> set[str]:
    """The seat's living survivors whose turn is still to come (rulebook p. 6)."""
    seat = frame(position)[1]
    per_seat = len(position["survivors"]) // position["options"]["players"]
    return numbers_of(
        position,
        {n for n in alive(position) if n // per_seat == seat and not position["survivors"][n].get("acted")},
    )


# The actions of a turn


def actions(position: dict) -> set[str]:
    """One action, a free deed, or the end of the turn."""
    return {
        "end turn",
        *moves(position),
        *drives(position),
        *door_openings(position),
        *searches(position),
        *trades(position),
        *strikes(position),
        *shots(position),
        *car_seats(position),
        *tower_steps(position),
        *missions_deeds(position),
        *noises(position),
        *reloads(position),
        *combinations(position),
        *discards(position),
        *powers(position),
    }


def free(me: dict) -> dict[str, int]:
    """Free actions left, by what they are good for."""
    return dict(zip(("move", "melee", "ranged", "combat"), me.get("free", [0, 0, 0, 0])))


def can_fight(me: dict, how: str) -> bool:
    """Whether an action for an attack is left."""
    return bool(me["actions"] or free(me)[how] or free(me)["combat"])


def moves(position: dict) -> set[str]:
    """To a neighbour zone: an action, and one more for every zombie left behind."""
    me = actor(position)
    zone = zone_of(position, me)
    extra = 0 if has(me, "slippery") else crowd(position, zone)
    cost = extra if free(me)["move"] else extra + 1
    if not in_the_open(me) or me["actions"] < cost:
        return set()
    return {f"go {slot + 1}" for slot in open_ways(position, zone)}


def drives(position: dict) -> set[str]:
    """The driver's first zone."""
    me = actor(position)
    if not me.get("car") or not me.get("driver") or not me["actions"]:
        return set()
    if not map_of(position).cars[me["car"] - 1][1]:
        return set()
    return car_ways(position, zone_of(position, me))


def car_ways(position: dict, zone: int) -> set[str]:
    """Streets and alleys beside a zone, through open double doors."""
    near = map_of(position).near[zone]
    return {
        f"go {slot + 1}"
        for slot, (_, barrier, by_car) in enumerate(near)
        if by_car and is_open(position, barrier)
    }


def door_openings(position: dict) -> set[str]:
    """Shut doors that a tool opens; silently or noisily by the tool."""
    me = actor(position)
    if not in_the_open(me) or not me["actions"]:
        return set()
    board = map_of(position)
    found = set()
    for slot, (_, barrier, _) in enumerate(board.near[zone_of(position, me)]):
        if is_open(position, barrier):
            continue
        if board.locked[barrier] and board.barriers[barrier] not in position["unlocked"]:
            continue
        for mine in held(me):
            card = slots(me)[mine]
            if "d" in marks(card):
                found.add(f"open {slot + 1} silently")
            if "D" in marks(card):
                found.add(f"open {slot + 1} noisily")
    return found


def searches(position: dict) -> set[str]:
    """Rooms and cells, and cars, once a turn, without zombies."""
    me = actor(position)
    zone = zone_of(position, me)
    if not me["actions"] or "searched" in me.get("used", ()) or crowd(position, zone):
        return set()
    board = map_of(position)
    found = set()
    if in_the_open(me) and board.kind[zone] in ("building", "cell") and cards_to_draw(position):
        found.add("search")
    for car, (kind, _) in enumerate(board.cars):
        if position["cars"][car] != board.names[zone]:
            continue
        if kind in ("police car", "taxi") and cards_to_draw(position):
            found.add(f"search car {car + 1}")
        if kind in ("pimpmobile", "hippiemobile") and gunblade_waits(position):
            found.add(f"search car {car + 1}")
    return found


def cards_to_draw(position: dict) -> bool:
    """Whether there is a card in the deck, or one to make a new deck of."""
    kept_out = ("nightstick", "molotov", "gunblade")
    return bool(position["deck"]) or any(card not in kept_out for card in position["discard"])


def gunblade_waits(position: dict) -> bool:
    """One Gunblade a mission."""
    return not position["memory"].get("gunblade") and "gunblade" in position["aside"]


def trades(position: dict) -> set[str]:
    """With somebody in the same zone; with oneself: laying one's own cards anew (p. 14)."""
    me = actor(position)
    if not me["actions"]:
        return set()
    found = set()
    for number in people(position, zone_of(position, me)):
        other = position["survivors"][number]
        together = other.get("car", 0) == me.get("car", 0) and other.get("tower", 0) == me.get("tower", 0)
        cards = [*slots(me), *slots(other)]
        useful = any(is_equipment(card) for card in cards)
        if together and useful:
            found.add(named(position, number))
    return {f"trade with {who}" for who in found}


def strikes(position: dict) -> set[str]:
    """Melee weapons in hand, where there are zombies."""
    me = actor(position)
    if not can_fight(me, "melee") or not crowd(position, zone_of(position, me)):
        return set()
    weapons = [slot for slot in held(me) if is_melee(slots(me)[slot])]
    return {f"strike with {SLOTS[slot]}" for slot in once_each(me, weapons)} | {
        f"strike with the pair of {SLOTS[slot]}" for slot in pairs(me, weapons)
    }


def shots(position: dict) -> set[str]:
    """Loaded ranged weapons in hand that have a target."""
    me = actor(position)
    if not can_fight(me, "ranged"):
        return set()
    weapons = [
        slot
        for slot in held(me)
        if is_ranged(slots(me)[slot])
        and slot not in me.get("spent", ())
        and aims(position, me, slots(me)[slot])
    ]
    return {f"shoot with {SLOTS[slot]}" for slot in once_each(me, weapons)} | {
        f"shoot with the pair of {SLOTS[slot]}" for slot in pairs(me, weapons)
    }


def once_each(me: dict, chosen: list[int]) -> list[int]:
    """Equal cards make no difference: the first slot of each kind (page, "Do not ask")."""
    cards = [(slots(me)[slot], slot in me.get("spent", ())) for slot in chosen]
    return [slot for n, slot in enumerate(chosen) if cards[n] not in cards[:n]]


def pairs(me: dict, weapons: list[int]) -> list[int]:
    """The first slots of two equal weapons that are dual (all are to the Ambidextrous), once for each kind."""
    found = []
    for slot in once_each(me, weapons):
        card = slots(me)[slot]
        others = [other for other in weapons if other != slot and slots(me)[other] == card]
        earlier = any(slots(me)[other] == card for other in found)
        if others and not earlier and ("2" in marks(card) or has(me, "ambidextrous")):
            found.append(slot)
    return found


def aims(position: dict, me: dict, card: str) -> dict[int, int]:
    """Zones that a weapon may be aimed at, by their sight slots: in range, in sight, with somebody in them."""
    low, high = EQUIPMENT[card][3][:2]
    found = {}
    for place, (zone, away) in enumerate(sight(position, zone_of(position, me), bool(me.get("tower")))):
        friends = [n for n in people(position, zone) if position["survivors"][n] is not me]
        spared = not away and has(me, "point-blank") and card != "molotov"
        if not position["options"]["friendly_fire"] or spared:
            friends = []
        if low <= away <= high and (crowd(position, zone) or friends):
            found[place] = zone
    return found


def car_seats(position: dict) -> set[str]:
    """Getting in and out and changing seats (rulebook p. 15)."""
    me = actor(position)
    if not me["actions"]:
        return set()
    zone = zone_of(position, me)
    if me.get("car"):
        found = {"get out"}
        driven, riders = occupants(position, me["car"])
        if not me.get("driver") and not driven:
            found.add("take the wheel")
        if me.get("driver") and riders < CAR_SEATS - 1:
            found.add("leave the wheel")
        return found
    found = set()
    if in_the_open(me) and not crowd(position, zone):
        for car in range(len(map_of(position).cars)):
            if position["cars"][car] == map_of(position).names[zone]:
                driven, riders = occupants(position, car + 1)
                if not driven:
                    found.add(f"enter car {car + 1} as driver")
                if riders < CAR_SEATS - 1:
                    found.add(f"enter car {car + 1} as passenger")
    return found


def occupants(position: dict, car: int) -> tuple[bool, int]:
    """Whether somebody is at the wheel, and how many passengers there are."""
    inside = [position["survivors"][n] for n in alive(position) if position["survivors"][n].get("car") == car]
    drivers = [one for one in inside if one.get("driver")]
    return bool(drivers), len(inside) - len(drivers)


def tower_steps(position: dict) -> set[str]:
    """Up the tower of the zone and down again, for an action."""
    me = actor(position)
    if not me["actions"]:
        return set()
    zone = zone_of(position, me)
    if me.get("tower"):
        return {"get out"}
    if in_the_open(me) and zone in map_of(position).towers and not crowd(position, zone):
        return {"climb the tower"}
    return set()


def missions_deeds(position: dict) -> set[str]:
    """Objectives and switches of the zone."""
    me = actor(position)
    if not me["actions"] or not in_the_open(me):
        return set()
    board = map_of(position)
    zone = zone_of(position, me)
    found = set()
    if zone in board.switches:
        found.add("use the switch")
    for number, (place, level) in enumerate(board.objectives):
        if place != zone or board.names[place] in position["taken"]:
            continue
        by_switch = board.switches.get(zone) == position["objectives"][number]
        needed = list(LEVEL_XP.values())[level]
        if not by_switch and all(position["survivors"][n]["xp"] >= needed for n in alive(position)):
            found.add("take the objective")
    return found


def noises(position: dict) -> set[str]:
    """Anybody may be loud."""
    return {"make noise"} if actor(position)["actions"] else set()


def reloads(position: dict) -> set[str]:
    """A fired weapon; two equal ones in the hands are one reload."""
    me = actor(position)
    if not me["actions"]:
        return set()
    return {f"reload {SLOTS[slot]}" for slot in me.get("spent", ())}


def combinations(position: dict) -> set[str]:
    """Parts that become one weapon, if one of it lies aside (rulebook p. 10)."""
    cards = slots(actor(position))
    return {
        f"make a {made}"
        for made, parts in RECIPES.items()
        if all(part in cards for part in parts)
        and (made not in COMBINED_FROM_ASIDE or made in position["aside"])
    }


def discards(position: dict) -> set[str]:
    """Any card but a wound, for nothing (rulebook p. 11)."""
    return {
        f"discard {SLOTS[slot]}" for slot, card in enumerate(slots(actor(position))) if is_equipment(card)
    }


def powers(position: dict) -> set[str]:
    """Skills that are used once a turn."""
    me = actor(position)
    used = me.get("used", ())
    found = set()
    if has(me, "lifesaver") and "saved" not in used and saving_ways(position, me):
        found.add("lifesaver")
    if has(me, "shove") and "shoved" not in used and shoving_ways(position, me):
        found.add("shove")
    if has(me, "taunt") and "taunted" not in used and taunted_zones(position, me):
        found.add("taunt")
    if has(me, "born leader") and "led" not in used and len(alive(position)) > 1:
        found.add("lead")
    return found


def saving_ways(position: dict, me: dict) -> set[int]:
    """Neighbour zones with a zombie and somebody to save; not out of or into a car or tower."""
    if not in_the_open(me):
        return set()
    return {
        slot
        for slot, zone in open_ways(position, zone_of(position, me)).items()
        if crowd(position, zone) and savable(position, zone)
    }


def savable(position: dict, zone: int) -> list[int]:
    return [n for n in people(position, zone) if in_the_open(position["survivors"][n])]


def shoving_ways(position: dict, me: dict) -> set[int]:
    """Neighbour zones, where there are zombies to shove; not from a car."""
    zone = zone_of(position, me)
    if not in_the_open(me) or not crowd(position, zone):
        return set()
    return set(open_ways(position, zone))


def taunted_zones(position: dict, me: dict) -> set[int]:
    """Sight slots with zombies."""
    seen = sight(position, zone_of(position, me), bool(me.get("tower")))
    return {place for place, (zone, _) in enumerate(seen) if crowd(position, zone)}


# Steps within an action


def second_steps(position: dict) -> set[str]:
    """The second zone of a Move, or none."""
    return {"done", *(f"go {slot + 1}" for slot in open_ways(position, zone_of(position, actor(position))))}


def rides(position: dict) -> set[str]:
    """The next zone of the car, or none."""
    return {"done", *car_ways(position, zone_of(position, actor(position)))}


def keeping(position: dict) -> set[str]:
    """A drawn card goes into a free slot, or in place of another card, or away."""
    cards = slots(actor(position))
    free_slots = [slot for slot in (2, 3, 4, 0, 1) if cards[slot] == NOTHING]
    if free_slots:
        return {NOTHING, SLOTS[free_slots[0]]}
    return {NOTHING, *(SLOTS[slot] for slot, card in enumerate(cards) if is_equipment(card))}


def left_hands(position: dict) -> set[str]:
    """What goes into the left hand; done leaves all as it is."""
    return {"done", *for_hand(actor(position), 0)}


def right_hands(position: dict) -> set[str]:
    """What goes into the right hand, the left one being settled."""
    return for_hand(actor(position), 1)


def for_hand(me: dict, hand: int) -> set[str]:
    """A card, what is there, or nothing, if the rest has room for what is there.

    A wound can be moved like a card (p. 15), but it is not picked into a hand, where it would only be worse.
    """
    cards = slots(me)
    choice = [
        s
        for s, card in enumerate(cards)
        if s >= hand and (is_equipment(card) or (card == WOUND and s == hand))
    ]
    found = {SLOTS[slot] for slot in once_each(me, choice)}
    if NOTHING in cards[hand:]:
        found.add(NOTHING)
    return found


def crossings(position: dict) -> set[str]:
    """A trade, card by card: each crosses once, and in the end both have at most five."""
    _, _, _, partner, gives, takes = frame(position)
    mine, theirs = slots(actor(position)), slots(position["survivors"][partner])
    balance = bin(takes).count("1") - bin(gives).count("1")  # what I gain
    my_count = len(SLOTS) - mine.count(NOTHING) + balance
    their_count = len(SLOTS) - theirs.count(NOTHING) - balance
    my_left = [s for s, card in enumerate(mine) if is_equipment(card) and not gives >> s & 1]
    their_left = [s for s, card in enumerate(theirs) if is_equipment(card) and not takes >> s & 1]
    found = set()
    if my_count <= len(SLOTS) and their_count <= len(SLOTS):
        found.add("done")
    if their_count + 1 - len(their_left) <= len(SLOTS):  # they can give back enough
        found |= {SLOTS[s] for s in my_left}
    if my_count + 1 - len(my_left) <= len(SLOTS):
        found |= {f"partner's {SLOTS[s]}" for s in their_left}
    return found


def equipping(position: dict) -> set[str]:
    """A combined weapon goes into a hand, if wished; a hand with a wound is no place for it."""
    cards = slots(actor(position))
    return {NOTHING, *(SLOTS[hand] for hand in HANDS if cards[hand] != WOUND)}


# Attacks


def targets(position: dict) -> set[str]:
    """The zone that is shot at."""
    me = actor(position)
    card = slots(me)[frame(position)[3]]
    return {target(place) for place in aims(position, me, card)}


def target(place: int) -> str:
    return f"target {place}" if place else "target here"


def rerolls(position: dict) -> set[str]:
    """Plenty of Ammo once an action, Lucky once besides."""
    me = actor(position)
    fight = position["memory"].get("fight", {})
    found = {"done"}
    if fight.get("mode", 0) == RANGED and not fight.get("ammo"):
        sort = next((mark for mark in marks(slots(me)[fight.get("slot", 0)]) if mark in AMMO), "")
        if sort and AMMO[sort] in slots(me):
            found.add("reroll by ammo")
    if has(me, "lucky") and not fight.get("lucky"):
        found.add("reroll by luck")
    return found


def hits(position: dict) -> set[str]:
    """Which zombie is hit: any in melee, or as sniper or point-blank; else the first of the order."""
    fight = position["memory"].get("fight", {})
    there = zombies(position, fight.get("zone", 0))
    damage = fight.get("damage", 0)
    killable = [kind for kind in there if TOUGHNESS[kind.removeprefix("berserker ")] <= damage]
    if fight.get("mode", 0) == RANGED and not fight.get("close"):
        killable = [kind for kind in killable if not kind.startswith("berserker")]
        if not fight.get("chooses"):
            killable = [kind for kind in killable if kind in ("fatty", "abomination")]
    return {f"hit {kind}" for kind in killable}


def friends_hit(position: dict) -> set[str]:
    """The friends of a zone, any of whom the shooter may name; by a car only those outside of cars."""
    _, _, number, zone, by_car, _ = frame(position)
    found = {n for n in people(position, zone) if n != number}
    if by_car:
        found = {n for n in found if not position["survivors"][n].get("car")}
    return numbers_of(position, found)


# Zombies' phase


def victims(position: dict) -> set[str]:
    """Who of the zone is wounded."""
    return numbers_of(position, people(position, frame(position)[2]))


def losses(position: dict) -> set[str]:
    """The card that a wound costs; or what wards it off."""
    me = actor(position)
    cards = [slot for slot, card in enumerate(slots(me)) if is_equipment(card)]
    wards = (
        cards if has(me, "is that all you've got") else in_hand(me, "nightstick") + in_hand(me, "riot shield")
    )
    return {SLOTS[slot] for slot in cards} | {f"ward off with {SLOTS[slot]}" for slot in wards}


def skills(position: dict) -> set[str]:
    """Two at orange, three at red."""
    return {f"skill {n + 1}" for n in range((1, 1, 2, 3)[frame(position)[3]])}


def linked(position: dict) -> set[str]:
    """Whose extra turn comes next."""
    return numbers_of(position, {n for n in alive(position) if frame(position)[2] >> n & 1})


def ways(position: dict) -> set[str]:
    """Where an Abomination goes: any shortest way to any of the loudest zones."""
    zone = frame(position)[3]
    next_zones = onward(position, zone)
    near = map_of(position).near[zone]
    return {f"go {slot + 1}" for slot, (other, _, _) in enumerate(near) if other in next_zones}


def noise(position: dict, zone: int) -> int:
    """Tokens, and every survivor counts as one."""
    return position["noise"].get(map_of(position).names[zone], 0) + len(people(position, zone))


def onward(position: dict, zone: int) -> set[int]:
    """The next zones of zombies (rulebook p. 16; page, "Targets")."""
    away = distances(position, zone, False)
    seen = [there for there, _ in sight(position, zone) if people(position, there) and there in away]
    if seen:
        return first_steps(position, zone, loudest(position, seen), False)
    if any(people(position, there) for there in away):
        return first_steps(position, zone, loudest(position, list(away)), False)
    everywhere = distances(position, zone, True)
    return first_steps(position, zone, loudest(position, list(everywhere)), True)


def loudest(position: dict, zones: list[int]) -> list[int]:
    most = max(noise(position, there) for there in zones)
    return [there for there in zones if noise(position, there) == most]


def distances(position: dict, zone: int, through_doors: bool) -> dict[int, int]:
    """Steps to every zone that can be reached."""
    found = {zone: 0}
    line = [zone]
    for here in line:
        for other, barrier, _ in map_of(position).near[here]:
            if other not in found and (through_doors or is_open(position, barrier)):
                found[other] = found[here] + 1
                line.append(other)
    return found


def first_steps(position: dict, zone: int, goals: list[int], through_doors: bool) -> set[int]:
    """The neighbours that begin a shortest way to one of the goals."""
    found = set()
    for goal in goals:
        back = distances(position, goal, through_doors)
        for other, barrier, _ in map_of(position).near[zone]:
            passable = through_doors or is_open(position, barrier)
            if passable and other in back and back[other] == back[zone] - 1:
                found.add(other)
    return found


# Skills


def reaches(position: dict) -> set[str]:
    """The neighbouring zone of Lifesaver or Shove."""
    me = actor(position)
    found = saving_ways(position, me) if frame(position)[3] == SAVING else shoving_ways(position, me)
    return {f"go {slot + 1}" for slot in found}


def pulls(position: dict) -> set[str]:
    """Who comes over; nobody else."""
    return {"done", *numbers_of(position, savable(position, frame(position)[3]))}


def taunts(position: dict) -> set[str]:
    """The zone that is called."""
    return {target(place) for place in taunted_zones(position, actor(position))}


def followers(position: dict) -> set[str]:
    """Who gets the leader's action."""
    return numbers_of(position, {n for n in alive(position) if n != frame(position)[2]})
