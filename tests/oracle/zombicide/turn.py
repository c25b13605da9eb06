"""Referee of Zombicide: whose turn it is and what he may do in it."""

from __future__ import annotations

from .board import (
    CAR_SEATS,
    COMBINED_FROM_ASIDE,
    EQUIPMENT,
    LEVEL_XP,
    RECIPES,
    SLOTS,
    actor,
    alive,
    crowd,
    frame,
    has,
    held,
    in_the_open,
    is_equipment,
    is_melee,
    is_open,
    is_ranged,
    map_of,
    marks,
    named,
    numbers_of,
    open_ways,
    people,
    sight,
    slots,
    zone_of,
)

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
