"""A scripted team for Zombicide: stay armed, kill what is near, go for the next task, come back.

It plays from the View and the mission's tables (which everybody knows), decision by decision.
"""

from __future__ import annotations

import functools
import heapq
from typing import Any

import numpy as np

from outbreak_rl.envs.zombicide import cards as C
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.mission import Mission, known
from outbreak_rl.envs.zombicide.state import ACTIONS as A
from outbreak_rl.envs.zombicide.state import ACTIVE, DECISION_NAMES
from outbreak_rl.envs.zombicide.view import FIELDS, HIDDEN

from ..agents import Single

VALUE = {  # what a card is worth to a survivor
    C.CHAINSAW: 34, C.NAILBAT: 33, C.KATANA: 20, C.KUKRI: 21, C.MEAT_CLEAVER: 25, C.CONCRETE_SAW: 30,
    C.GUNBLADE: 30,
    C.FIRE_AXE: 20, C.CLAW_HAMMER: 18, C.BAT: 14, C.HATCHET: 13, C.WAKIZACHI: 11, C.NIGHTSTICK: 10,
    C.MOLOTOV: 24,
    C.AUTO_SHOTGUN: 28, C.SHOTGUN: 23, C.SUB_MG: 19, C.SAWED_OFF: 17, C.PISTOL: 11, C.RIFLE: 12,
    C.SNIPER_RIFLE: 18,
    C.RIOT_SHIELD: 9, C.FLASHLIGHT: 5, C.NAILS: 4, C.GASOLINE: 4, C.GLASS_BOTTLES: 4, C.SCOPE: 4,
    C.LIGHT_AMMO: 3,
    C.HEAVY_AMMO: 3, C.RICE: 1, C.CANNED_FOOD: 1, C.WATER: 1,
}  # fmt: skip
CALM_ROUNDS = 12  # so long a team that is shut in looks for weapons first


class Heuristic(Single):
    """The scripted team: one object may play all seats."""

    name = "heuristic"
    fields = FIELDS

    def act(self, view: Any, mask: Any, rng: Any = None, sampler: Any = None) -> int:
        """An action for the seat whose View and mask these are."""
        here = view if isinstance(view, np.void) else np.asarray(view).view(FIELDS.dtype).reshape(-1)[0]
        legal = np.flatnonzero(mask)
        return int(_Turn(here, legal).choose())


class _Map:
    """A mission's graph as lists."""

    def __init__(self, mission: Mission) -> None:
        row = mission.record[0]
        self.row = row
        self.zones = int(row["zones"])
        self.near = [
            [
                (slot, int(z) - 1, int(row["near_barrier"][zone, slot]) - 1)
                for slot, z in enumerate(row["near"][zone])
                if z
            ]
            for zone in range(self.zones)
        ]
        self.locked = [bool(locked) for locked in row["barrier_locked"]]
        self.switches = [(int(z) - 1, int(c)) for z, c in zip(row["switch_zone"], row["switch_colour"]) if z]
        self.rooms = {z for z in range(self.zones) if row["kind"][z] == T.ROOM}

    def turned(self, is_open: list[int], colour: int, times: int) -> list[int]:
        """Which doors are open after the switch of a colour was used so many times."""
        row, after = self.row, list(is_open)
        for b in range(int(row["barriers"])):
            if row["barrier_colour"][b] != colour:
                continue
            if not row["barrier_gate"][b]:
                after[b] = is_open[b] ^ (times & 1)
                continue
            side = (int(row["barrier_side"][b]) - times) % 4
            same = (row["barrier_gate"] == row["barrier_gate"][b]) & (row["barrier_side"] == side)
            after[b] = is_open[int(np.flatnonzero(same)[0])]
        return after


_MAPS: dict[tuple[int, ...], _Map] = {}


def _map(here: np.void) -> _Map:
    key = tuple(int(value) for value in here["board"])
    if key not in _MAPS:
        mission = known(key)
        if mission is None:
            raise ValueError("the View shows a mission that this process has not loaded")
        _MAPS[key] = _Map(mission)
    return _MAPS[key]


class _Turn:
    """One decision."""

    def __init__(self, here: np.void, legal: np.ndarray) -> None:
        self.here = here
        self.legal: set[int] = {int(action) for action in legal}
        self.map = _map(here)
        self.row = self.map.row
        self.zone_at = [number - 1 for number in here["zone"].tolist()]
        self.me = max(0, int(here["actor"]) - 1)
        self.zone = self.zone_at[int(here["place"][self.me]) - 1] if here["place"][self.me] else 0

    # What most decisions do not need is made when it is asked for.

    @functools.cached_property
    def place(self) -> dict[int, int]:
        """Zone -> its place in the View."""
        return {zone: place for place, zone in enumerate(self.zone_at) if zone >= 0}

    @functools.cached_property
    def zombies(self) -> list[int]:
        """Zombies by zone."""
        found = [0] * self.map.zones
        for zone, crowd in zip(self.zone_at, self.here["zombies"].sum(1).tolist()):
            if zone >= 0:
                found[zone] = crowd
        return found

    @functools.cached_property
    def open(self) -> list[int]:
        """Which doors are open."""
        found: list[int] = self.here["open"].tolist()
        return found

    @functools.cached_property
    def tools(self) -> list[bool]:
        """Which doors a tool opens."""
        unlocked = self.here["unlocked"].tolist()
        return [not locked or bool(k) for locked, k in zip(self.map.locked, unlocked)]

    @functools.cached_property
    def slots(self) -> list[list[int]]:
        """The survivors' cards."""
        found: list[list[int]] = self.here["slots"].tolist()
        return found

    def first(self, *actions: int) -> int | None:
        """The first of these that is legal."""
        return next((action for action in actions if action in self.legal), None)

    def choose(self) -> int:
        """The action for this kind of decision."""
        name = DECISION_NAMES[int(self.here["decision"])].replace(" ", "_")
        method = getattr(self, f"on_{name}", None)
        action = method() if method else None
        if action is None or action not in self.legal:
            action = self.first(int(A.done), int(A.nothing))
        return action if action is not None else min(self.legal)

    # --- small decisions -------------------------------------------------------------------------

    def on_choose(self) -> int:
        """Whoever has a weapon for zombies in his zone goes first, then those with tools."""

        def urgency(action: int) -> tuple[int, int]:
            k = action - A.survivor
            place = int(self.here["place"][k]) - 1
            return -int(self.here["zombies"][place].sum()), -self.best_weapon(k)

        return min((a for a in self.legal), key=urgency)

    def on_keep(self) -> int:
        kind = int(self.here["card"])
        slots = [a for a in self.legal if a < A.nothing]
        if self.here["slots"][self.me][slots[0] - A.slot] == 0 if slots else False:
            return slots[0]
        worst = min(
            slots,
            key=lambda a: self.worth(int(self.here["slots"][self.me][a - A.slot]), self.me),
            default=None,
        )
        if worst is None or VALUE.get(kind, 0) <= VALUE.get(
            int(self.here["slots"][self.me][worst - A.slot]), 0
        ):
            return int(A.nothing)
        return worst

    def worth(self, kind: int, k: int) -> float:
        """What one more card of a kind is worth to a survivor."""
        value = float(VALUE.get(kind, 0))
        if kind and C.IS_DUAL[kind] and int((self.here["slots"][k] == kind).sum()) > 1:
            value *= 1.8
        return value

    def on_left_hand(self) -> int:
        """Best weapon left; a door tool is kept in a hand."""
        return self.best_hand(0)

    def on_right_hand(self) -> int:
        return self.best_hand(1)

    def best_hand(self, hand: int) -> int:
        slots = self.here["slots"][self.me]
        tool_used = hand == 1 and self.is_tool(int(slots[0]))

        def value(action: int) -> float:
            kind = int(slots[action - A.slot])
            if kind == C.WOUND:
                return -1
            score = self.worth(kind, self.me)
            if hand == 1 and kind == int(slots[0]) and C.IS_DUAL[kind]:
                score += 25
            if self.is_tool(kind) and not tool_used:
                score += 12
            return score

        options = [a for a in self.legal if A.slot <= a < A.slot + C.SLOTS]
        return max(options, key=value) if options else int(A.nothing)

    @staticmethod
    def is_tool(kind: int) -> bool:
        """Whether a card opens doors."""
        return bool(C.OPENS_SILENTLY[kind] or C.OPENS_NOISILY[kind])

    def best_weapon(self, k: int) -> int:
        return max((VALUE.get(kind, 0) for kind in self.slots[k][: C.HANDS]), default=0)

    def on_reroll(self) -> int:
        faces = self.here["faces"]
        total, high = int(faces.sum()), int(faces[3:].sum())
        return self.first(int(A.ammo), int(A.lucky)) if 2 * high <= total else int(A.done)  # type: ignore[return-value]

    def on_hit(self) -> int:
        order = (3, 7, 2, 6, 1, 5, 0, 4)
        return next(int(A.hit) + kind for kind in order if A.hit + kind in self.legal)

    def on_victim(self) -> int:
        def price(action: int) -> tuple[int, int]:
            k = action - A.survivor
            limit = C.ZOMBIVOR_WOUNDS if self.here["zombivor"][k] else C.SURVIVOR_WOUNDS
            left = limit - int(self.here["wounds"][k])
            spare = int((self.here["slots"][k] > 0).sum())
            return -left, -spare

        return min(self.legal, key=price)

    def on_lose(self) -> int:
        ward = [a for a in self.legal if A.cancel <= a < A.cancel + C.SLOTS]
        limit = C.ZOMBIVOR_WOUNDS if self.here["zombivor"][self.me] else C.SURVIVOR_WOUNDS
        deadly = int(self.here["wounds"][self.me]) + 1 >= limit
        slots = self.here["slots"][self.me]
        if ward and (deadly or int(slots[ward[0] - A.cancel]) in (C.NIGHTSTICK, C.RIOT_SHIELD)):
            return min(ward, key=lambda a: VALUE.get(int(slots[a - A.cancel]), 0))
        return min(
            (a for a in self.legal if A.slot <= a < A.slot + C.SLOTS or a == A.nothing),
            key=lambda a: self.worth(int(slots[a - A.slot]), self.me) if a < A.nothing else 0,
        )

    def on_skill(self) -> int:
        return self.first(A.skill, A.skill + 1, A.skill + 2) or min(self.legal)

    def on_target(self) -> int:
        def value(action: int) -> float:
            place = int(self.here["sight"][action - A.target]) - 1
            zombies = self.here["zombies"][place]
            friends: int = int(self.here["people"][place]) - (self.zone_at[place] == self.zone)
            return float(zombies[:4].sum() + 0.5 * zombies[2]) - 100 * friends * int(
                self.here["friendly_fire"]
            )

        return max(self.legal, key=value)

    def on_lead(self) -> int:
        return max(self.legal, key=lambda a: self.best_weapon(a - A.survivor))

    def on_equip(self) -> int:
        slots = self.here["slots"][self.me]
        hands = [a for a in self.legal if A.slot <= a < A.slot + C.HANDS]
        return min(hands, key=lambda a: VALUE.get(int(slots[a - A.slot]), 0)) if hands else int(A.nothing)

    # --- the turn --------------------------------------------------------------------------------

    def on_act(self) -> int:
        """Combine, fight, take, search, go on; else wait."""
        for action in range(A.combine, A.discard):
            if action in self.legal:
                return action
        if self.here["car"][self.me] or self.here["tower"][self.me]:
            return self.first(A.leave) or int(A.end)
        fight = self.fight()
        if fight is not None:
            return fight
        if A.take in self.legal:
            return int(A.take)
        inside = None if self.armed() else self.shut_in()
        if inside is None and self.wants_switch():
            return int(A.switch)
        here_now = self.zombies[self.zone]
        left = int(self.here["actions"][self.me]) + int(self.here["free"][self.me][0])
        if here_now and left <= here_now:
            return int(A.end)
        search = self.search()
        if search is not None:
            return search
        go = self.go_on() if inside is None else self.prepare(inside)
        if go is not None:
            return go
        reload = self.first(*range(A.reload, A.reload + C.SLOTS))
        if reload is not None:
            return reload
        return int(A.end)

    def fight(self) -> int | None:
        """The attack that kills most, if any is worth it."""
        best, most = None, 0.15
        zombies = self.here["zombies"][self.place[self.zone]]
        friends = int(self.here["people"][self.place[self.zone]]) - 1
        slots = self.here["slots"][self.me]
        for action in self.legal:
            if not A.melee <= action < A.target:
                continue
            slot, pair = (action - A.melee) % C.SLOTS, (action - A.melee) // C.SLOTS
            kind, dice = int(slots[slot]), 2 if pair in (1, 3) else 1
            if pair < 2:
                chance = (7 - int(C.MELEE_ACCURACY[kind])) / 6
                fit = sum(int(n) for k, n in enumerate(zombies) if C.TOUGHNESS[k] <= C.MELEE_DAMAGE[kind])
                value = min(fit, chance * dice * int(C.MELEE_DICE[kind]))
            else:
                value = self.shot_value(kind, dice, friends)
            if value > most:
                best, most = action, value
        return best

    def shot_value(self, kind: int, dice: int, friends: int) -> float:
        best = 0.0
        for k in range(T.SIGHT):
            place = int(self.here["sight"][k]) - 1
            if place < 0 or not C.RANGE_FROM[kind] <= int(self.here["sight_range"][k]) <= C.RANGE_TO[kind]:
                continue
            others = int(self.here["people"][place]) - (k == 0)
            if others and self.here["friendly_fire"]:
                continue
            zombies = self.here["zombies"][place]
            if kind == C.MOLOTOV:
                if k and int(zombies.sum()) + 4 * int(zombies[3] + zombies[7]) >= 5:
                    best = max(best, float(zombies.sum()))
                continue
            chance = (7 - int(C.RANGED_ACCURACY[kind])) / 6
            hits = chance * dice * int(C.RANGED_DICE[kind])
            best = max(best, 0.9 * self.kills(zombies, hits, int(C.RANGED_DAMAGE[kind])))
        return best

    @staticmethod
    def kills(zombies: np.ndarray, hits: float, damage: int) -> float:
        """Kills by shots in their order of priority."""
        done = 0.0
        for kinds in ((0,), (4,), (1, 3), (5, 7), (2,), (6,)):
            n = sum(int(zombies[k]) for k in kinds if k < C.BERSERKER and C.TOUGHNESS[k] <= damage)
            if any(zombies[k] for k in kinds) and n == 0:
                return done
            done += min(n, hits - done)
            if done >= hits:
                return done
        return done

    def armed(self) -> bool:
        """Whether most of the team have two good weapons each."""
        weak = 0
        for k in range(int(self.here["survivors"])):
            values = sorted(VALUE.get(kind, 0) for kind in self.slots[k])
            weak += self.here["status"][k] == ACTIVE and sum(values[-2:]) < 44
        return weak <= 1

    def shut_in(self) -> set[int] | None:
        """Zones open to the team, if no spawn zone is among them and there is time; else None."""
        if int(self.here["round"]) >= CALM_ROUNDS:
            return None
        found, line = {self.zone}, [self.zone]
        for zone in line:
            if self.here["spawning"][self.place[zone]] == 2:
                return None
            for _, other, barrier in self.map.near[zone]:
                if other not in found and (barrier < 0 or self.open[barrier]):
                    found.add(other)
                    line.append(other)
        return found

    def prepare(self, inside: set[int]) -> int | None:
        """Shut in: kill what is inside, stay in a room to search, or go to one that can be opened."""
        rooms = self.map.rooms
        hunted = {zone for zone in inside if self.zombies[zone]}
        if not hunted and self.zone in rooms:
            return None
        slot, barrier = self.step_towards(hunted or rooms)
        if slot is None:
            return None
        return (
            self.first(A.go + slot)
            if barrier is None
            else self.first(A.open_silent + slot, A.open_noisy + slot)
        )

    def search(self) -> int | None:
        """Search where it costs no detour, until well armed."""
        armed = sorted(VALUE.get(kind, 0) for kind in self.slots[self.me])[-2:]
        if sum(armed) >= 50 and self.slots[self.me].count(0) == 0:
            return None
        return self.first(A.search, *range(A.search_car, A.search_car + T.CARS_MOST))

    # --- where to go -----------------------------------------------------------------------------

    def go_on(self) -> int | None:
        """One step towards the next task: a move, or the door in between."""
        tasks = self.tasks
        if not tasks or self.zone in tasks:
            return None
        slot, barrier = self.step_towards(tasks)
        if slot is None:
            return None
        if barrier is not None:
            return self.first(A.open_silent + slot, A.open_noisy + slot)
        return self.first(A.go + slot)

    @functools.cached_property
    def tasks(self) -> set[int]:
        """Zones to go to: objectives, then switches that open the way, then the gathering place or exit."""
        row, reach = self.row, self.reach
        wanted = set()
        lowest = min(
            (self.level(k) for k in range(int(self.here["survivors"])) if self.here["status"][k] == ACTIVE),
            default=0,
        )
        shut_off = False
        for number in range(int(row["objectives"])):
            zone = int(row["objective_zone"][number]) - 1
            if not self.here["objective"][self.place[zone]] or not self.needed(number):
                continue
            if int(row["objective_level"][number]) > lowest:
                continue
            if zone in reach:
                wanted.add(zone)
            else:
                shut_off = True
        if wanted:
            return wanted
        gather = self.gather()
        if shut_off or (gather and not gather & reach):
            switches = self.useful_switches(reach)
            if switches:
                return switches
        exits = {z for z, p in self.place.items() if self.here["exit"][p]}
        if exits:
            return exits
        if gather and self.all_in(gather):
            return self.to_clear() & reach or self.to_shut() & reach or gather
        return gather

    def all_in(self, zones: set[int]) -> bool:
        """Whether all living survivors are in these zones."""
        places = [
            int(self.here["place"][k]) - 1 for k in range(C.SURVIVORS) if self.here["status"][k] == ACTIVE
        ]
        return all(self.zone_at[place] in zones for place in places)

    def to_clear(self) -> set[int]:
        """Zones that a goal wants free of zombies and that are not."""
        row = self.row
        sets = [arg for kind, arg in zip(row["goal_kind"], row["goal_arg"]) if kind == T.GOAL_CLEAR]
        return {
            zone
            for zone in range(self.map.zones)
            if self.zombies[zone] and any(row["sets"][arg, zone] for arg in sets)
        }

    def to_shut(self) -> set[int]:
        """Switches of doors that a goal wants shut and that are open."""
        row = self.row
        colours = set()
        for kind, arg in zip(row["goal_kind"], row["goal_arg"]):
            for b in range(int(row["barriers"])) if kind == T.GOAL_SHUT else ():
                main = arg == T.NEUTRAL and row["barrier_kind"][b] == T.DOUBLE_DOOR
                if self.here["open"][b] and (main or (arg != T.NEUTRAL and row["barrier_colour"][b] == arg)):
                    colours.add(int(row["barrier_colour"][b]))
        zones = zip(row["switch_zone"], row["switch_colour"])
        return {int(z) - 1 for z, colour in zones if z and int(colour) in colours}

    def level(self, k: int) -> int:
        xp = int(self.here["xp"][k])
        return sum(xp >= least for least in (C.XP_YELLOW, C.XP_ORANGE, C.XP_RED))

    def needed(self, number: int) -> bool:
        """Whether a goal or an event asks for an objective."""
        row = self.row
        colour = HIDDEN if row["objective_hidden"][number] else int(row["objective_colour"][number])
        for goal, arg in zip(row["goal_kind"], row["goal_arg"]):
            if goal == T.GOAL_OBJECTIVES and arg in (T.NEUTRAL, colour):
                return True
        events = zip(row["event_when"], row["event_arg"])
        return any(
            w == T.ON_ALL_TAKEN or (w == T.ON_TAKEN and (arg == colour or colour == HIDDEN))
            for w, arg in events
        )

    def gather(self) -> set[int]:
        return {z for z, p in self.place.items() if self.here["goal_zone"][p]}

    def objectives(self) -> set[int]:
        return {z for z, p in self.place.items() if self.here["objective"][p]}

    def passable(self, barrier: int) -> bool:
        """Whether a way is open, or a tool may open it."""
        return barrier < 0 or bool(self.open[barrier]) or self.tools[barrier]

    @functools.cached_property
    def reach(self) -> set[int]:
        """Zones that can be reached with tools."""
        return self.reachable(self.open)

    def reachable(self, is_open: list[int]) -> set[int]:
        """Zones that could be reached with tools, if these doors were open."""
        near, tools = self.map.near, self.tools
        found, line = {self.zone}, [self.zone]
        for zone in line:
            for _, other, barrier in near[zone]:
                if other not in found and (barrier < 0 or is_open[barrier] or tools[barrier]):
                    found.add(other)
                    line.append(other)
        return found

    def useful_switches(self, reach: set[int]) -> set[int]:
        """Switches that open the way to what is shut off, those that need the fewest uses."""
        wanted = {z for z in self.objectives() if z not in reach} or self.gather()
        best: dict[int, set[int]] = {}
        for zone, colour in self.map.switches:
            if zone not in reach:
                continue
            for times in (1, 2, 3):
                if wanted & self.reachable(self.map.turned(self.open, colour, times)):
                    best.setdefault(times, set()).add(zone)
                    break
        return best[min(best)] if best else set()

    def wants_switch(self) -> bool:
        """Whether using the switch of this zone is the task now."""
        if A.switch not in self.legal:
            return False
        if self.zone in self.objectives():
            return True
        if self.zone not in self.tasks:
            return False
        if self.all_in(self.gather()) and self.zone in self.to_shut():
            return True
        return self.zone in self.useful_switches(self.reach)

    def step_towards(self, targets: set[int]) -> tuple[int | None, int | None]:
        """The first slot of the cheapest way, and the shut door in it if there is one."""
        tools = any(self.is_tool(kind) for kind in self.slots[self.me][: C.HANDS])
        queue: list[tuple[float, int, int | None, int | None]] = [(0.0, self.zone, None, None)]
        done: set[int] = set()
        while queue:
            cost, zone, slot, barrier = heapq.heappop(queue)
            if zone in done:
                continue
            done.add(zone)
            if zone in targets:
                return slot, barrier
            for k, other, door in self.map.near[zone]:
                if other in done or not self.passable(door):
                    continue
                shut = door >= 0 and not self.open[door]
                step = 1 + 1.5 * self.zombies[other] + (2 if tools else 6) * shut
                first = slot if slot is not None else k
                heapq.heappush(
                    queue, (cost + step, other, first, (door if shut else None) if slot is None else barrier)
                )
        return None, None
