"""Referee of Zombicide: answers within an action, attacks, the Zombies' phase, skills."""

from __future__ import annotations

from .board import (
    AMMO,
    HANDS,
    NOTHING,
    RANGED,
    SAVING,
    SLOTS,
    TOUGHNESS,
    WOUND,
    actor,
    alive,
    frame,
    has,
    in_hand,
    is_equipment,
    is_open,
    map_of,
    marks,
    numbers_of,
    open_ways,
    people,
    sight,
    slots,
    zombies,
    zone_of,
)
from .turn import aims, car_ways, once_each, savable, saving_ways, shoving_ways, taunted_zones

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
    """Where an Abomination goes: any shortest way to any of the loudest zones; one of them may be its own."""
    zone = frame(position)[3]
    next_zones = onward(position, zone)
    near = map_of(position).near[zone]
    found = {
        f"go {slot + 1}"
        for slot, (other, barrier, _) in enumerate(near)
        if other in next_zones and is_open(position, barrier)
    }
    waits = any(other in next_zones and not is_open(position, barrier) for other, barrier, _ in near)
    return found | {NOTHING} if waits or zone in next_zones else found


def noise(position: dict, zone: int) -> int:
    """Tokens, and every survivor counts as one."""
    return position["noise"].get(map_of(position).names[zone], 0) + len(people(position, zone))


def onward(position: dict, zone: int) -> set[int]:
    """The next zones of zombies (rulebook p. 16; page, "Targets"); their own where they may stay."""
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
    """The neighbours that begin a shortest way to one of the goals (behind shut doors, too); a goal itself."""
    found = {zone} & set(goals)
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
