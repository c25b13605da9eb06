"""A scripted player of City of Horror.

It estimates for every place how likely the zombies take one of its characters there, and moves,
defends and votes by that; it gathers antidotes for its living, trades spare cards for them, and
leaves its characters rested.  The weights were set by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from outbreak_rl.envs.city_of_horror.cards import (
    A_CHARACTER,
    A_COST,
    ALARM,
    AMOUNT,
    ARMORY,
    ATTACK_FROM,
    CHARACTER_NAMES,
    CHARACTERS,
    CHOICES,
    CORNERS,
    CROSSROADS,
    EFFECT,
    FLARE,
    FOOD_SPENT,
    GRANDPA,
    HALVE,
    HIDE,
    HOSPITAL,
    KILL,
    KILL_HERE,
    KIND_NAMES,
    KINDS,
    KITTEN,
    LOCATION,
    PLACES,
    POINTS,
    PREGNANT,
    PUSH,
    REST,
    SEATS,
    SUPPLIES,
    TOWER,
)
from outbreak_rl.envs.city_of_horror.state import (
    ACTIONS,
    ANTIDOTE,
    CARD_GOODS,
    D_ACTIVATE,
    D_ANSWER,
    D_CANNED,
    D_CARD,
    D_DRAFT,
    D_EFFECT,
    D_ENTER,
    D_GIVE,
    D_GIVE_TO,
    D_KEEP,
    D_MOVE,
    D_OFFER,
    D_PLACE,
    D_TIE,
    D_TOKEN,
    D_TURN_BACK,
    D_VICTIM,
    D_VOTE,
    D_WINDOW,
    NO_GOODS,
    SUPPLY_TALLY,
)
from outbreak_rl.envs.city_of_horror.view import FIELDS

from ..agents import Sampler, Single

# What a card in the hand is worth, in points.
_WORTH = {
    "Shotgun": 2.2, "Improvised Bomb": 2.0, "Chainsaw": 1.8, "Gun": 1.6, "Hideout": 1.6, "Energy Drink": 1.6,
    "Molotov Cocktail": 1.5, "Flare": 1.2, "Canned Food": 1.2, "Kitten": 1.1, "Gun Replica": 1.0,
    "Pickpocket": 0.9, "Running Shoes": 0.7, "Service Entrance": 0.6, "Tear Gas": 0.5, "Magic Light": 0.5,
    "Infrared Goggles": 0.3, "Alarm": 0.3,
}  # fmt: skip
WORTH = tuple(_WORTH[name] for name in KIND_NAMES)
ARRIVALS = 1.4  # zombies that come to a place in a round, where the card is not known
SPREAD = 1.6  # how unsure that is: an attack is certain (impossible) this much above (below) its number
LIFE = 4.0  # a character, beyond what it is worth itself: a vote, a space, a choice
SPARE_ANTIDOTE = 1.0
NEEDED_ANTIDOTE = 3.0
WORTH_DEFENDING = 0.3  # chance of a loss from which on cards are played against an attack
WORTH_ACCEPTING = 0.3  # what an exchange must bring


class Heuristic(Single):
    """Plays any seat from its View alone: ``act(view, mask, rng) -> action``."""

    name = "heuristic"
    fields = FIELDS

    def act(self, view: Any, mask: Any, rng: np.random.Generator, sampler: Sampler | None = None) -> int:
        """One decision: a View record, int8 (actions,) and a NumPy generator give an action id."""
        legal = np.flatnonzero(mask).tolist()
        if len(legal) == 1:
            return int(legal[0])
        return int(_Look(np.asarray(view).reshape(-1)[0], legal, rng).choose())


class _Look:
    """One look at the table: the View as plain numbers, and what follows from it."""

    def __init__(self, view: Any, legal: list[int], rng: np.random.Generator) -> None:
        self.view = view
        self.legal = legal
        self.rng = rng
        self.decision = int(view["decision"])
        self.players = int(view["players"])
        self.zombies = view["zombies"].tolist()
        self.side = view["side"].tolist()
        self.owner = view["owner"].tolist()
        self.place = view["place"].tolist()
        self.tired = view["tired"].tolist()
        self.hidden = view["hidden"].tolist()
        self.voice = view["voice"].tolist()
        self.mine = [i for i in range(CHARACTERS) if self.owner[i] == 1 and self.place[i]]
        self.hand = view["hand"].tolist()
        self.antidotes = view["vaccines"].tolist()

    # --- what a position is worth ---------------------------------------------------------------

    def worth(self, character: int) -> float:
        """What a character counts at the end."""
        return float(POINTS[character, self.tired[character]])

    def antidote_worth(self) -> float:
        """An antidote more."""
        return NEEDED_ANTIDOTE if self.antidotes[0] < len(self.mine) else SPARE_ANTIDOTE

    def goods_worth(self, goods: int) -> float:
        """Something to be traded or shared."""
        if goods == NO_GOODS:
            return 0.0
        return self.antidote_worth() if goods == ANTIDOTE else WORTH[goods - CARD_GOODS]

    def strength(self, seat: int) -> float:
        """How well another seat stands, as far as can be seen."""
        points = [
            float(POINTS[i, self.tired[i]])
            for i in range(CHARACTERS)
            if self.owner[i] == seat + 1 and self.place[i]
        ]
        covered = sorted(points, reverse=True)[: self.antidotes[seat] + 2]
        return float(sum(covered) + 0.5 * int(self.view["hand_size"][seat]) + self.antidotes[seat])

    def attack_number(self, place: int, crowd: int) -> int:
        """How many zombies attack."""
        least = int(ATTACK_FROM[place, self.side[place] - 1])
        return least or crowd + 1

    def to_come(self, place: int) -> float:
        """Zombies still to come to a place before it is resolved."""
        if not 0 < int(self.view["step"]) or int(self.view["location"]) or self.decision in (D_MOVE, D_ENTER):
            return 0.0
        if self.view["next_known"]:
            return float(self.view["next_zombies"][place])
        return ARRIVALS

    def chance_of_attack(self, place: int, crowd: int, coming: float, fewer: int = 0) -> float:
        """How likely a place is attacked."""
        number = self.attack_number(place, crowd)
        zombies = min(self.zombies[place] - fewer + coming, 8.0)
        if not coming:
            return float(zombies >= number)
        return float(min(max((zombies - number + SPREAD / 2 + 0.5) / (2 * SPREAD), 0.0), 1.0))

    def risk(self, place: int, places: list[int], coming: float, fewer: int = 0) -> float:
        """The chance that I lose a character at a place, with characters standing as given."""
        there = [i for i in range(CHARACTERS) if places[i] == place + 1]
        open_ones = [i for i in there if not self.hidden[i]]
        mine = [i for i in open_ones if self.owner[i] == 1]
        if not mine:
            return 0.0
        attack = self.chance_of_attack(place, len(there), coming, fewer)
        seats = {self.owner[i] for i in open_ones}
        if place == CROSSROADS:
            return attack * self.eaten_first(seats)
        against = sum(self.voice[i] for i in there if self.owner[i] != 1)
        for_me = sum(self.voice[i] for i in mine)
        share = 1.0 if len(seats) == 1 else against / (against + for_me * (len(seats) - 1) + 1e-9)
        return attack * min(share, 1.0)

    def eaten_first(self, seats: set[int]) -> float:
        """The chance that the leader takes me among the seats at the crossroads."""
        wheel = self.view["wheel"].tolist()
        order = sorted((wheel[seat - 1], seat) for seat in seats)
        moves_yet = 0 if int(self.view["location"]) or self.decision in (D_MOVE, D_ENTER) else 1
        if moves_yet and len(order) > 1:
            order = [*order[1:], order[0]] if order[0][0] == 1 else order
        return 1.0 if order[0][1] == 1 else 0.15 if len(order) > 1 else 1.0

    def danger(self, places: list[int]) -> float:
        """Expected loss over the whole town."""
        total = 0.0
        for place in range(PLACES):
            mine = [i for i in self.mine if places[i] == place + 1 and not self.hidden[i]]
            if mine:
                least = min(self.worth(i) for i in mine)
                total += self.risk(place, places, self.to_come(place)) * (LIFE + least)
        return total

    def moved(self, character: int, place: int) -> list[int]:
        """Where all stand after a move (into a full place: at the crossroads)."""
        places = list(self.place)
        room = int(self.view["capacity"][place])
        inside = sum(places[i] == place + 1 and not self.view["extra"][i] for i in range(CHARACTERS))
        shut = place == ARMORY and bool(self.view["shut"])
        full = place != CROSSROADS and (inside >= room or shut)
        places[character] = (CROSSROADS if full else place) + 1
        return places

    def gain_at(self, places: list[int]) -> float:
        """What the places where I stand may give."""
        total = 0.0
        for place in range(PLACES):
            mine = [i for i in self.mine if places[i] == place + 1]
            if not mine:
                continue
            if 1 <= place <= CORNERS:
                items = int(self.view["antidotes"][place]) + int(self.view["cards"][place - 1])
                votes = sum(self.voice[i] for i in mine)
                others = sum(
                    self.voice[i] for i in range(CHARACTERS) if places[i] == place + 1 and self.owner[i] != 1
                )
                if items and votes > others:
                    total += self.antidote_worth() if self.view["antidotes"][place] else 1.3
                elif items and votes:
                    total += 0.5
            if place == HOSPITAL and sum(self.hand):
                total += self.antidote_worth() - 1.0
        return total

    def value(self, places: list[int]) -> float:
        """How good it is to stand like this."""
        return self.gain_at(places) - self.danger(places)

    # --- decisions ------------------------------------------------------------------------------

    def choose(self) -> int:
        """The action."""
        chosen = {
            D_PLACE: self.place_character, D_DRAFT: self.draft, D_WINDOW: self.window, D_EFFECT: self.effect,
            D_TOKEN: self.token, D_CARD: self.card, D_MOVE: self.move, D_ENTER: self.enter,
            D_TURN_BACK: self.turn_back, D_ACTIVATE: self.activate, D_VOTE: self.vote, D_TIE: self.tie,
            D_VICTIM: self.victim, D_KEEP: self.keep, D_GIVE: self.give, D_GIVE_TO: self.give_to,
            D_OFFER: self.offer, D_ANSWER: self.answer, D_CANNED: self.canned,
        }.get(self.decision, self.decline)()  # fmt: skip
        return chosen if chosen in self.legal else self.decline()

    def decline(self) -> int:
        """Pass or say no where that can be done, else anything."""
        for action in (ACTIONS.passes, ACTIONS.no):
            if action in self.legal:
                return int(action)
        return int(self.legal[self.rng.integers(len(self.legal))])

    def best(self, start: int, score: Any, count: int) -> int:
        """The legal action of a block with the highest score of its index; equals by chance."""
        found = [a for a in self.legal if start <= a < start + count]
        if not found:
            return self.decline()
        scores = [score(a - start) + 1e-6 * self.rng.random() for a in found]
        return found[int(np.argmax(scores))]

    def place_character(self) -> int:
        """Set-up: the crossroads and crowded places for those worth least."""
        here = int(self.view["about_place"]) - 1
        bad = here == CROSSROADS or not self.attack_number(here, 1) >= 3
        return self.best(ACTIONS.character, lambda i: -POINTS[i, 0] if bad else POINTS[i, 0], CHARACTERS)

    def draft(self) -> int:
        return self.best(ACTIONS.kind, lambda k: WORTH[k], KINDS)

    def card(self) -> int:
        """The place to which the best of my moves goes."""
        scores = []
        for place in range(PLACES):
            options = [self.value(self.moved(i, place)) for i in self.movable() if self.place[i] != place + 1]
            scores.append(max(options, default=self.value(self.place)))
        return self.best(ACTIONS.card, lambda place: scores[place] + 0.3 * self.rng.random(), PLACES)

    def movable(self) -> list[int]:
        return [i for i in self.mine if self.view["may_move"][i]]

    def move(self) -> int:
        target = int(self.view["chosen"][0]) - 1
        return self.best(ACTIONS.character, lambda i: self.value(self.moved(i, target)), CHARACTERS)

    def enter(self) -> int:
        """Into the full place where that is much better than the crossroads."""
        who = int(self.view["about_character"]) - 1
        inside, outside = list(self.place), list(self.place)
        inside[who] = int(self.view["about_place"])
        outside[who] = CROSSROADS + 1
        ways = [a for a in self.legal if a != ACTIONS.passes]
        return ways[0] if ways and self.value(inside) > self.value(outside) + 1.0 else ACTIONS.passes

    def turn_back(self) -> int:
        return int(ACTIONS.passes)

    def activate(self) -> int:
        here = int(self.view["about_place"]) - 1
        cards = sum(self.hand)
        cheapest = min((WORTH[k] for k in range(KINDS) if self.hand[k]), default=9.0)
        side_a = self.side[here] == 1
        if here == HOSPITAL:
            worthwhile = self.antidote_worth() > (cheapest if side_a else 1.6)
        elif here == CROSSROADS:
            worthwhile = cheapest < 1.5 and cards > 1
        elif here == ARMORY:
            worthwhile = cheapest < 0.8
        elif here == TOWER + 1:  # the church
            worthwhile = side_a or min((v for v in range(4) if self.view["food"][0][v]), default=9) <= 1
        else:
            worthwhile = self.eaten_at_crossroads() and (not side_a or cheapest < 1.0)
        return int(ACTIONS.activate if worthwhile else ACTIONS.passes)

    def eaten_at_crossroads(self) -> bool:
        return self.risk(CROSSROADS, self.place, 0.0) > 0.5

    # --- windows --------------------------------------------------------------------------------

    def window(self) -> int:
        """Defend the place at hand, rest characters, look for an exchange; otherwise pass."""
        window = int(self.view["window"]) - 1
        here = int(self.view["about_place"]) - 1
        if window == LOCATION:
            defence = self.defend(here)
            if defence >= 0:
                return defence
        drink = int(ACTIONS.play) + KIND_NAMES.index("Energy Drink")
        if drink in self.legal and self.rest_gain() >= (1 if int(self.view["round"]) == 4 else 2):
            return drink
        if window == SUPPLIES and ACTIONS.use + GRANDPA in self.legal and self.place[GRANDPA] == here + 1:
            return int(ACTIONS.use + GRANDPA)
        if ACTIONS.offer in self.legal and max(self.antidotes[1 : self.players]) > 0:
            return int(ACTIONS.offer)
        return int(ACTIONS.passes)

    def rest_gain(self) -> float:
        """Points for turning the best tired character of mine."""
        gains = [float(POINTS[i, 0] - POINTS[i, 1]) for i in self.mine if self.tired[i] and i != PREGNANT]
        return max(gains, default=0.0)

    def defend(self, here: int) -> int:
        """The cheapest play that keeps the zombies from taking one of mine here, or -1."""
        if self.risk(here, self.place, 0.0) < WORTH_DEFENDING:
            return -1
        crowd = sum(place == here + 1 for place in self.place)
        need = self.zombies[here] - self.attack_number(here, crowd) + 1
        plays = []
        for action in self.legal:
            source = self.source_of(action)
            if source >= 0:
                power, cost = self.defence(source, here, need)
                if power > 0:
                    plays.append((power >= need, -cost, power, action))
        if not plays:
            return -1
        if max(plays)[0]:
            return max(plays)[3]
        total = sum(play[2] for play in plays)
        return max(plays, key=lambda play: play[2])[3] if total >= need else -1

    def source_of(self, action: int) -> int:
        """The source that a window action plays, or -1."""
        if ACTIONS.play <= action < ACTIONS.play + KINDS:
            return action - int(ACTIONS.play)
        if ACTIONS.use <= action < ACTIONS.use + CHARACTERS:
            return KINDS + action - int(ACTIONS.use)
        return -1

    def defence(self, source: int, here: int, need: int) -> tuple[int, float]:
        """How many zombies a source takes away from a place (hiding: all that is needed), at what cost."""
        effect = int(EFFECT[source])
        if source < KINDS:
            cost = WORTH[source]
        else:
            who = source - KINDS
            cost = float(POINTS[who, 0] - POINTS[who, 1])
        mine = [i for i in self.mine if self.place[i] == here + 1 and not self.hidden[i]]
        if source >= KINDS and effect in (KILL_HERE, PUSH) and self.place[source - KINDS] != here + 1:
            return 0, cost
        if effect in (KILL, KILL_HERE, PUSH):
            return int(AMOUNT[source]), cost
        if effect == FLARE:
            return 1, cost
        if effect == HALVE:
            return self.zombies[here] // 2, cost
        if effect == KITTEN:
            return self.zombies[here], cost + 1.0
        hides = effect == HIDE or (source >= KINDS and CHARACTER_NAMES[source - KINDS] in ("Boy", "Girl"))
        if hides and len(mine) == 1 and (effect == HIDE or mine[0] == source - KINDS):
            return need, cost
        return 0, cost

    # --- effects --------------------------------------------------------------------------------

    def effect(self) -> int:
        """The choices of an effect in progress."""
        source = int(self.view["source"]) - 1
        effect = int(EFFECT[source])
        asked = self.legal[0]
        if asked < ACTIONS.place + PLACES and asked >= ACTIONS.place:
            return self.choose_place(effect)
        if ACTIONS.character <= asked < ACTIONS.character + CHARACTERS:
            if effect == HIDE:
                return self.best(ACTIONS.character, self.risk_of, CHARACTERS)
            sign = 1.0 if effect == REST or int(CHOICES[effect, 1]) == A_CHARACTER else -1.0
            return self.best(ACTIONS.character, lambda i: sign * (POINTS[i, 0] - POINTS[i, 1]), CHARACTERS)
        if ACTIONS.seat <= asked < ACTIONS.seat + SEATS:
            return self.best(ACTIONS.seat, lambda k: self.strength(k) if k else -9.0, SEATS)
        if ACTIONS.kind <= asked < ACTIONS.kind + KINDS:
            paying = int(CHOICES[effect, 0]) == A_COST and not self.view["about_kind"]
            return self.best(ACTIONS.kind, lambda k: -WORTH[k] if paying else WORTH[k], KINDS)
        if int(CHOICES[effect, 0]) == FOOD_SPENT:
            return self.best(ACTIONS.food, lambda v: -v, 5)
        return self.best(ACTIONS.food, lambda v: (0, 1, 2, 3, 1.4)[v], 5)

    def risk_of(self, character: int) -> float:
        place = self.place[character] - 1
        return self.risk(place, self.place, 0.0) if place >= 0 else 0.0

    def choose_place(self, effect: int) -> int:
        """Zombies away from mine, to others."""
        mine = [sum(self.place[i] == place + 1 for i in self.mine) for place in range(PLACES)]
        others = [self.place.count(place + 1) - mine[place] for place in range(PLACES)]
        here = int(self.view["location"]) - 1
        if effect == ALARM or self.view["about_place"] or effect == PUSH:
            return self.best(ACTIONS.place, lambda p: others[p] - 4 * mine[p], PLACES)
        risks = [4 * self.risk(place, self.place, 0.0) for place in range(PLACES)]
        return self.best(
            ACTIONS.place, lambda p: risks[p] + mine[p] + 2 * (p == here and mine[p] > 0), PLACES
        )

    def token(self) -> int:
        """Explosion tokens go where others stand and I do not."""
        return self.best(
            ACTIONS.place,
            lambda p: sum(
                (-3 if self.owner[i] == 1 else 1) for i in range(CHARACTERS) if self.place[i] == p + 1
            ),
            PLACES,
        )

    # --- votes and sharing ----------------------------------------------------------------------

    def vote(self) -> int:
        """Against the strongest other seat; for myself when supplies are shared."""
        if int(self.view["step"]) == SUPPLY_TALLY:
            return self.best(ACTIONS.vote, lambda k: 9.0 if k == 0 else -self.strength(k), SEATS)
        return self.best(ACTIONS.vote, lambda k: -99.0 if k == 0 else self.strength(k), SEATS)

    def tie(self) -> int:
        return self.best(ACTIONS.seat, lambda k: -99.0 if k == 0 else self.strength(k), SEATS)

    def victim(self) -> int:
        return self.best(ACTIONS.character, lambda i: -self.worth(i), CHARACTERS)

    def keep(self) -> int:
        return self.best(ACTIONS.give, self.goods_worth, CARD_GOODS + KINDS)

    def give(self) -> int:
        return self.best(ACTIONS.give, lambda g: -self.goods_worth(g), CARD_GOODS + KINDS)

    def give_to(self) -> int:
        return self.best(ACTIONS.seat, lambda k: -self.strength(k), SEATS)

    # --- trading --------------------------------------------------------------------------------

    def offer(self) -> int:
        """A card that I can spare for an antidote of the seat that has most."""
        if self.view["about_seat"] == 0:
            return self.best(ACTIONS.seat, lambda k: self.antidotes[k], SEATS)
        if self.view["give"] == 0:
            spare = [k for k in range(KINDS) if self.hand[k] and WORTH[k] < 1.0]
            if spare and sum(self.hand) > 2:
                return int(ACTIONS.give + CARD_GOODS + min(spare, key=lambda k: WORTH[k]))
            return int(ACTIONS.give + NO_GOODS)
        return int(ACTIONS.want + ANTIDOTE)

    def answer(self) -> int:
        given, wanted = int(self.view["give"]) - 1, int(self.view["want"]) - 1
        price = self.goods_worth(wanted)
        if wanted == ANTIDOTE and self.antidotes[0] <= len(self.mine):
            price = NEEDED_ANTIDOTE
        good = self.goods_worth(given) > price + WORTH_ACCEPTING
        return int(ACTIONS.yes if good else ACTIONS.no)

    def canned(self) -> int:
        return self.best(ACTIONS.play, lambda k: 1.0, KINDS)
