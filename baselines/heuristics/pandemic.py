"""A scripted team for Pandemic: each decision from the View alone, the same rules for every seat.

On its turn a seat searches through what its remaining actions can do and takes the first step of the
best sequence.  A sequence is worth what it gains (danger taken off the board, cures, cards brought
together, stations) less what it costs (cards), plus how good a place it ends in.  Cards are valued
by how far the best hand of each colour is from a cure, so that one function tells what to collect,
give, keep, spend and discard.  Events answer the dangers that they are made for.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from outbreak_rl.envs.pandemic.board import MAPS, Map
from outbreak_rl.envs.pandemic.cards import (
    AIRLIFT,
    CITIES,
    FORECAST,
    GRANT,
    HAND_LIMIT,
    KINDS,
    MEDIC,
    OPERATIONS,
    QUARANTINE,
    QUIET_NIGHT,
    RESEARCHER,
    RESILIENT,
    SCIENTIST,
)  # fmt: skip
from outbreak_rl.envs.pandemic.state import (
    ACTION,
    ACTIONS,
    ASKED,
    BEFORE_CARD,
    BEFORE_CARDS,
    CARD,
    CONSENT,
    DESTINATION,
    DISPATCH,
    GIVE,
    IN_EPIDEMIC,
    LIMIT,
    PAWN,
    STATION,
    TAKE,
    WINDOW,
)  # fmt: skip
from outbreak_rl.envs.pandemic.view import FIELDS

from ..agents import Single

# What things are worth, in units of about one wasted action.
CURE_GAIN = 45.0
MISSING = (15.0, 9.5, 5.5, 3.0, 1.3, 0.3, 0.0, 0.0)  # of the best hand, by cards still missing for a cure
SPARE = 0.35  # a card of an uncured colour in another hand
FLIGHT = 0.25  # any city card, as a ticket
EVENT_CARD = 4.0
SCARCE = 6.0  # a discard that leaves too few cards of a colour
OUTBREAK = 4.0


@functools.lru_cache(maxsize=16)
def distances(found: Map) -> tuple[tuple[int, ...], ...]:
    """Drives between any two cities."""
    rows = []
    for start in range(len(found.cities)):
        row = {start: 0}
        queue = [start]
        for city in queue:
            for other in found.links[city]:
                if other not in row:
                    row[other] = row[city] + 1
                    queue.append(other)
        rows.append(tuple(row[city] for city in range(len(found.cities))))
    return tuple(rows)


class Table:
    """A View as plain numbers, and what they mean for the team.  Seats are relative: 0 is the observer."""

    def __init__(self, view: Any) -> None:
        self.map = MAPS[int(view["map"][0]), int(view["map"][1])]
        self.colour = self.map.colours
        self.links = self.map.links
        self.far = distances(self.map)
        self.n = len(self.colour)
        self.players = int(view["players"])
        seats = range(self.players)
        self.role = [int(view["role"][seat]) for seat in seats]
        self.pawn = [int(view["pawn"][seat].argmax()) for seat in seats]
        self.hands = [set(np.flatnonzero(view["hands"][seat]).tolist()) for seat in seats]
        self.hand_size = view["hand_size"].tolist()
        self.stored = view["stored"].tolist()
        self.cubes: list[list[int]] = view["cubes"].tolist()
        self.supply: list[int] = view["supply"].tolist()
        self.cure = view["cure"].tolist()
        self.stations = set(np.flatnonzero(view["station"]).tolist())
        self.stations_left = int(view["stations_left"])
        self.outbreaks = int(view["outbreaks"])
        self.rate_step = int(view["rate_step"])
        self.rate = int(view["rate"])
        self.deck_size = int(view["deck_size"])
        self.piles: list[int] = view["piles"].tolist()
        self.epidemic_out = bool(view["epidemic_out"])
        self.layer = view["infection_layer"].tolist()
        self.layer_size = view["layer_size"].tolist()
        self.discards = np.flatnonzero(view["infection_discard"]).tolist()
        self.spent = set(np.flatnonzero(view["player_discard"] | view["player_removed"]).tolist())
        self.quiet = bool(view["quiet_night"])
        self.hidden = bool(view["hidden"])
        self.actions_left = int(view["actions_left"])
        self.operations_used = bool(view["operations_used"])
        self.needs = [int(view["cure_cards"]) - (role == SCIENTIST) for role in self.role]
        self.on_turn = int(view["on_turn"]) - 1
        self.present = [self.colour.count(colour) for colour in range(KINDS)]

    # --- danger on the board ----------------------------------------------------------------------

    @functools.cached_property
    def epidemic_soon(self) -> float:
        """The chance that the next draw has an epidemic."""
        if self.epidemic_out or not self.piles[0]:
            follows = self.piles[1] if self.piles[0] < 2 else 0
            return 1 / follows if follows else 0.0
        return min(1.0, 2 / self.piles[0])

    def flips(self, steps: float) -> list[float]:
        """The chance of each city to be flipped in so many infection steps from now."""
        left = self.rate * steps
        chance = [0.0] * self.n
        share = {}
        for layer, size in enumerate(self.layer_size):
            if not size or left <= 0:
                break
            share[layer + 1] = min(1.0, left / size)
            left -= size
        for city in range(self.n):
            chance[city] = share.get(self.layer[city], 0.0)
        again = min(1.0, self.rate / max(1, len(self.discards) + 1)) * self.epidemic_soon
        for city in self.discards:
            chance[city] = max(chance[city], again)
        return chance

    @functools.cached_property
    def soon(self) -> list[float]:
        """The chance of each city to be flipped before the team has had a round."""
        return self.flips(self.players * 0.5 + 1)

    @functools.cached_property
    def struck(self) -> list[float]:
        """The chance of each city to be hit by the next draw's epidemic."""
        bottom = max([layer for layer in self.layer if layer], default=0)
        cities = [city for city in range(self.n) if self.layer[city] == bottom and bottom]
        chance = [0.0] * self.n
        for city in cities:
            chance[city] = self.epidemic_soon / len(cities)
        return chance

    def danger(self, city: int, colour: int, n: int) -> float:
        """What n cubes of a colour in a city cost the team, about."""
        if n == 0 or self.cure[colour] == 2:
            return 0.0
        outbreak = OUTBREAK * (1 + self.outbreaks / 4)
        crowd = sum(self.cubes[other][colour] == 3 for other in self.links[city])
        if self.colour[city] == colour:
            q = self.soon[city]
            risk = (0.0, 0.10 * q + 0.02, 0.30 * q + 0.06, 0.95 * q + 0.14)[n] + self.struck[city]
        else:
            risk = (0.0, 0.02, 0.05, 0.12)[n]
        risk += (0.0, 0.0, 0.02, 0.10)[n] * crowd
        return risk * outbreak * (1 + 0.4 * crowd) + n * self.cube_price(colour)

    def cube_price(self, colour: int) -> float:
        """What a cube on the board costs as the supply runs out."""
        left = self.supply[colour]
        return 0.15 if left > 12 else 0.35 if left > 8 else 0.9 if left > 4 else 2.0

    # --- cards -------------------------------------------------------------------------------------

    def cards(self, seat: int, colour: int) -> int:
        """City cards of a colour in a hand, as far as seen."""
        return sum(card < CITIES and self.colour[card] == colour for card in self.hands[seat])

    def worth(self, hands: list[set[int]]) -> float:
        """How far the team is with its cures: the best hand of each colour, the others a little."""
        total = 0.0
        count = [[0] * KINDS for _ in hands]
        for seat, hand in enumerate(hands):
            for card in hand:
                if card < CITIES:
                    count[seat][self.colour[card]] += 1
                    total += FLIGHT
                else:
                    total += EVENT_CARD
        for colour in range(KINDS):
            if self.cure[colour] or not self.present[colour]:
                continue
            best, held = 0.0, 0
            for seat in range(len(hands)):
                best = max(best, MISSING[max(0, self.needs[seat] - count[seat][colour])])
                held += count[seat][colour]
            total += best + SPARE * held
        return total

    def scarcity(self, card: int) -> float:
        """The cost of losing a card of which the team may not have too many."""
        if card >= CITIES or self.cure[self.colour[card]]:
            return 0.0
        colour = self.colour[card]
        left = self.present[colour] - sum(c < CITIES and self.colour[c] == colour for c in self.spent)
        slack = left - 1 - min(self.needs)
        return SCARCE if slack < 1 else 2.0 if slack < 3 else 0.7

    def without(self, seat: int, card: int) -> list[set[int]]:
        """The hands after a card is gone."""
        hands = list(self.hands)
        hands[seat] = hands[seat] - {card}
        return hands

    def price(self, seat: int, card: int) -> float:
        """What it costs to discard a card."""
        return self.worth(self.hands) - self.worth(self.without(seat, card)) + self.scarcity(card)

    def passing(self, giver: int, taker: int, card: int) -> float:
        """What the team gains when a card changes hands."""
        hands = self.without(giver, card)
        hands[taker] = hands[taker] | {card}
        gain = self.worth(hands) - self.worth(self.hands)
        if self.hand_size[taker] >= HAND_LIMIT:
            gain -= 1.0
        return gain

    def ready(self, seat: int, hand: Iterable[int]) -> list[int]:
        """Colours that a hand could cure at a station."""
        count = [0] * KINDS
        for card in hand:
            if card < CITIES:
                count[self.colour[card]] += 1
        return [
            k for k in range(KINDS) if not self.cure[k] and self.present[k] and count[k] >= self.needs[seat]
        ]

    def to_station(self, city: int, stations: Iterable[int]) -> int:
        """Drives to the nearest station."""
        row = self.far[city]
        return min((row[station] for station in stations), default=9)

    @functools.cached_property
    def meetings(self) -> list[tuple[float, int, int, int, int]]:
        """Transfers worth travelling for: (value, giver, taker, card, city), the best one first."""
        found = []
        for giver in range(self.players):
            for card in self.hands[giver]:
                if card >= CITIES or self.cure[self.colour[card]]:
                    continue
                for taker in range(self.players):
                    if taker == giver:
                        continue
                    gain = self.passing(giver, taker, card)
                    if gain < 1.0:
                        continue
                    if self.role[giver] == RESEARCHER:
                        for city in {self.pawn[giver], self.pawn[taker]}:
                            road = self.far[self.pawn[giver]][city] + self.far[self.pawn[taker]][city]
                            found.append((gain * 1.3 - 0.6 * road, giver, taker, card, city))
                    else:
                        road = self.far[self.pawn[giver]][card] + self.far[self.pawn[taker]][card]
                        found.append((gain - 0.6 * road, giver, taker, card, card))
        return sorted(found, reverse=True)


class Plan:
    """The search through the actions of one turn of seat 0."""

    def __init__(self, table: Table) -> None:
        self.t = table
        self.role = table.role[0]
        self.best = -1e9
        self.first = int(ACTIONS.end)
        self.seen: dict[Any, list[float]] = {}  # best score by actions left
        self.places: dict[Any, float] = {}
        self.hands_ready: dict[frozenset[int], list[int]] = {}
        self.goals = self.attractions()
        self.targets = self.landmarks()
        self.base_worth = table.worth(table.hands)

    def attractions(self) -> list[float]:
        """How good each city is to end the turn in, by danger near it and meetings."""
        t = self.t
        weight = [0.0] * t.n
        for city in range(t.n):
            weight[city] = sum(t.danger(city, colour, t.cubes[city][colour]) for colour in range(KINDS))
        hot = sorted(range(t.n), key=lambda city: -weight[city])[:8]
        place = [
            sum(weight[city] * 0.55 ** (1 + t.far[here][city]) for city in hot) * 0.6 for here in range(t.n)
        ]
        if self.role == QUARANTINE:
            for here in range(t.n):
                near = (here, *t.links[here])
                place[here] += 0.5 * sum(weight[city] for city in near)
        for value, giver, taker, _, city in t.meetings[:2]:
            if 0 in (giver, taker) and value > 0:
                for here in range(t.n):
                    place[here] += min(value, 6.0) * 0.75 ** t.far[here][city]
        return place

    def landmarks(self) -> list[int]:
        """Cities worth a flight."""
        t = self.t
        hot = sorted(range(t.n), key=lambda city: -self.goals[city])[:5]
        meet = [city for _, giver, taker, _, city in t.meetings[:2] if 0 in (giver, taker)]
        return list(dict.fromkeys([*hot, *meet, *t.stations]))

    def search(self) -> int:
        """The first action id of the best sequence."""
        t = self.t
        self.walk(t.pawn[0], t.actions_left, 0.0, frozenset(t.hands[0]), frozenset(t.stations), (), -1, False)
        return self.first

    def place(self, pos: int, hand: frozenset[int], stations: frozenset[int]) -> float:
        """The value of ending the turn somewhere."""
        key = (pos, hand, stations)
        value = self.places.get(key)
        if value is None:
            value = self.goals[pos]
            if self.ready(hand):
                value -= 3.5 * self.t.to_station(pos, stations)
            self.places[key] = value
        return value

    def ready(self, hand: frozenset[int]) -> list[int]:
        """As the table's, remembered during the search."""
        found = self.hands_ready.get(hand)
        if found is None:
            found = self.hands_ready[hand] = self.t.ready(0, hand)
        return found

    def walk(
        self, pos: int, left: int, score: float, hand: frozenset[int], stations: frozenset[int],
        done: tuple[tuple[int, int], ...], first: int, flown: bool,
    ) -> None:  # fmt: skip
        """Try everything from here; keep the best end."""
        known = self.seen.setdefault((pos, hand, stations, done, flown), [-1e9] * 5)
        if max(known[left:]) >= score:
            return
        known[left] = score
        value = score + self.place(pos, hand, stations) + 0.01 * left
        if value > self.best + 1e-9:
            self.best = value
            self.first = first if first >= 0 else ACTIONS.end
        if left == 0:
            return
        for action, to, gain, cards, built, task, flight in self.steps(pos, hand, stations, done, flown):
            self.walk(
                to, left - 1, score + gain, hand - cards if cards else hand, stations | built if built else stations,
                (*done, task) if task else done, first if first >= 0 else action, flown or flight,
            )  # fmt: skip

    def steps(
        self,
        pos: int,
        hand: frozenset[int],
        stations: frozenset[int],
        done: tuple[tuple[int, int], ...],
        flown: bool,
    ) -> Iterator[tuple[int, int, float, frozenset[int], frozenset[int], tuple[int, int] | None, bool]]:
        """Actions from a place: (id, place after it, gain, cards spent, stations built, task, flown)."""
        t = self.t
        none: frozenset[int] = frozenset()
        yield from self.treatments(pos, done)
        if pos in stations:
            for colour in self.ready(hand):
                if (-1, colour) not in done:
                    spent = self.cure_cards(hand, colour)
                    yield ACTIONS.cure + colour, pos, CURE_GAIN, spent, none, (-1, colour), False
        elif (-2, pos) not in done and (self.role == OPERATIONS or pos in hand):
            gain = self.station_gain(pos, hand, stations)
            cost = 0.0 if self.role == OPERATIONS else self.card_price(pos)
            if gain > cost and t.stations_left:
                spent = none if self.role == OPERATIONS else frozenset({pos})
                yield ACTIONS.build, pos, gain - cost, spent, frozenset({pos}), (-2, pos), False
        yield from self.sharing(pos, hand, done)
        for city in t.links[pos]:
            yield ACTIONS.drive + city, city, self.medic_gain(city, done), none, none, None, False
        if pos in stations:
            for city in stations:
                if city != pos:
                    yield ACTIONS.shuttle + city, city, self.medic_gain(city, done), none, none, None, False
        for card in hand if not flown else none:
            if card < CITIES and card != pos and t.far[pos][card] > 1:
                cost = self.card_price(card)
                if cost < 6:
                    gain = self.medic_gain(card, done) - cost
                    yield ACTIONS.direct + card, card, gain, frozenset({card}), none, None, True
        if pos in hand and not flown:
            cost = self.card_price(pos)
            if cost < 6:
                for city in self.targets:
                    if t.far[pos][city] > 1:
                        gain = self.medic_gain(city, done) - cost
                        yield ACTIONS.charter + city, city, gain, frozenset({pos}), none, None, True
        if self.role == OPERATIONS and not flown and not t.operations_used and pos in stations:
            cheap = min((card for card in hand if card < CITIES), key=self.card_price, default=-1)
            if cheap >= 0 and self.card_price(cheap) < 6:
                for city in self.targets:
                    if t.far[pos][city] > 1:
                        yield (
                            ACTIONS.operations + city,
                            city,
                            -self.card_price(cheap),
                            frozenset({cheap}),
                            none,
                            None,
                            True,
                        )

    def treatments(self, pos: int, done: tuple[tuple[int, int], ...]) -> Iterator[Any]:
        t = self.t
        for colour in range(KINDS):
            n = t.cubes[pos][colour] - done.count((pos, colour))
            if n <= 0 or ((t.cure[colour] or self.role == MEDIC) and (pos, colour) in done):
                continue
            rest = 0 if t.cure[colour] or self.role == MEDIC else n - 1
            gain = t.danger(pos, colour, n) - t.danger(pos, colour, rest)
            if t.cure[colour] and sum(row[colour] for row in t.cubes) == n:
                gain += 5.0
            yield ACTIONS.treat + colour, pos, gain, frozenset(), frozenset(), (pos, colour), False

    def medic_gain(self, city: int, done: tuple[tuple[int, int], ...]) -> float:
        """Cubes of cured colours vanish before the Medic."""
        t = self.t
        if self.role != MEDIC:
            return 0.0
        return sum(
            t.danger(city, colour, t.cubes[city][colour])
            for colour in range(KINDS)
            if t.cure[colour] and t.cubes[city][colour] and (city, colour) not in done
        )

    @functools.cache  # noqa: B019 - a plan lives for one decision
    def card_price(self, card: int) -> float:
        return self.t.price(0, card)

    def cure_cards(self, hand: frozenset[int], colour: int) -> frozenset[int]:
        cards = [card for card in hand if card < CITIES and self.t.colour[card] == colour]
        return frozenset(sorted(cards)[: self.t.needs[0]])

    def station_gain(self, pos: int, hand: frozenset[int], stations: frozenset[int]) -> float:
        """A station pays where the others are far, and more for a hand that is ready."""
        t = self.t
        away = t.to_station(pos, stations)
        gain = max(0.0, away - 2) * 0.8 * (1.0 if len(stations) < 4 else 0.4)
        rest = hand if self.role == OPERATIONS else hand - {pos}
        if self.ready(rest):
            gain += 3.0 * away
        return gain

    def sharing(self, pos: int, hand: frozenset[int], done: tuple[tuple[int, int], ...]) -> Iterator[Any]:
        t = self.t
        none: frozenset[int] = frozenset()
        for other in range(1, t.players):
            if t.pawn[other] != pos or (-3, other) in done:
                continue
            card, gain = best_share(t, 0, other, pos, hand)
            if card >= 0 and gain > 0.5:
                yield ACTIONS.give + other - 1, pos, gain, frozenset({card}), none, (-3, other), False
            if t.hidden:
                continue
            card, gain = best_share(t, other, 0, pos, frozenset(t.hands[other]))
            if card >= 0 and gain > 0.5:
                yield ACTIONS.take + other - 1, pos, gain, none, none, (-3, other), False


def best_share(t: Table, giver: int, taker: int, pos: int, hand: frozenset[int]) -> tuple[int, float]:
    """The card that may be given here with the largest gain, and the gain (-1: none)."""
    cards = [
        c for c in hand if c < CITIES and c in t.hands[giver] and (c == pos or t.role[giver] == RESEARCHER)
    ]
    if not cards:
        return -1, 0.0
    gains = {card: t.passing(giver, taker, card) for card in cards}
    card = max(sorted(cards), key=lambda c: gains[c])
    return card, gains[card]


class Heuristic(Single):
    """The scripted team; nothing is remembered between decisions, and no chance is needed."""

    name = "heuristic"
    fields = FIELDS

    def act(self, view: Any, mask: np.ndarray, rng: Any = None, sampler: Any = None) -> int:
        """An action id for a View record and its mask, int8 (actions,)."""
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            return int(legal[0])
        t = Table(view)
        kind = int(view["decision"])
        choose = {
            ACTION: self.action, WINDOW: self.window, LIMIT: self.limit, CARD: self.card, DESTINATION: self.destination,
            PAWN: self.pawn, STATION: self.station, DISPATCH: self.dispatch, CONSENT: self.consent, ASKED: self.asked,
        }[kind]  # fmt: skip
        action = choose(t, view, mask)
        return action if mask[action] else int(legal[0])

    # --- own turn ---------------------------------------------------------------------------------

    def action(self, t: Table, view: Any, mask: np.ndarray) -> int:
        event = self.event_for_cure(t, mask)
        if event >= 0:
            return event
        plan = Plan(t)
        action = plan.search()
        if action == ACTIONS.end:
            return self.spare_action(t, mask)
        return action

    def event_for_cure(self, t: Table, mask: np.ndarray) -> int:
        """Grant or Airlift where a hand is ready and the next station is far."""
        if not t.ready(0, t.hands[0]) or t.to_station(t.pawn[0], t.stations) < max(2, t.actions_left):
            return -1
        for event in (GRANT, AIRLIFT):
            if mask[ACTIONS.play + event]:
                return int(ACTIONS.play + event)
        return -1

    def spare_action(self, t: Table, mask: np.ndarray) -> int:
        """Nothing better to do: take an event back, or end."""
        for event in (QUIET_NIGHT, RESILIENT, AIRLIFT, GRANT, FORECAST):
            if mask[ACTIONS.store + event]:
                return int(ACTIONS.store + event)
        return int(ACTIONS.end)

    def dispatch(self, t: Table, view: Any, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[0])

    # --- events -----------------------------------------------------------------------------------

    def outbreaks_due(self, t: Table) -> float:
        """Outbreaks to expect from the next infection step."""
        flips = t.flips(1)
        return sum(flips[c] for c in range(t.n) if t.cubes[c][t.colour[c]] == 3 and t.cure[t.colour[c]] != 2)

    def window(self, t: Table, view: Any, mask: np.ndarray) -> int:
        window = int(view["window"])
        play = ACTIONS.play
        if window == IN_EPIDEMIC and mask[play + RESILIENT]:
            return int(play + RESILIENT)
        if window in (BEFORE_CARDS, BEFORE_CARD) and not t.quiet:
            due = self.outbreaks_due(t)
            limit = 0.7 if t.outbreaks < 5 else 0.3
            if due > limit:
                for event in (FORECAST, QUIET_NIGHT) if t.layer_size[0] < 12 else (QUIET_NIGHT, FORECAST):
                    if mask[play + event] and (event == FORECAST or window == BEFORE_CARDS):
                        return int(play + event)
        return int(ACTIONS.skip)

    def pawn(self, t: Table, view: Any, mask: np.ndarray) -> int:
        return int(ACTIONS.pawn)

    def destination(self, t: Table, view: Any, mask: np.ndarray) -> int:
        if int(view["pending_event"]) == GRANT + 1:
            here = t.pawn[0]
            if mask[ACTIONS.to + here]:
                return int(ACTIONS.to + here)
            cities = [c for c in range(t.n) if mask[ACTIONS.to + c]]
            return int(ACTIONS.to + max(cities, key=lambda c: t.to_station(c, t.stations)))
        cities = [c for c in t.stations if mask[ACTIONS.to + c]]
        return int(ACTIONS.to + cities[0]) if cities else int(np.flatnonzero(mask)[0])

    def station(self, t: Table, view: Any, mask: np.ndarray) -> int:
        """Move the station that is nearest to another one."""

        def alone(city: int) -> int:
            return t.to_station(city, t.stations - {city})

        return int(ACTIONS.station + min(sorted(t.stations), key=alone))

    # --- cards ------------------------------------------------------------------------------------

    def limit(self, t: Table, view: Any, mask: np.ndarray) -> int:
        hand = sorted(t.hands[0])
        for event in (QUIET_NIGHT,):
            if mask[ACTIONS.play + event] and self.outbreaks_due(t) > 0.5:
                return int(ACTIONS.play + event)
        return int(ACTIONS.discard + min(hand, key=lambda card: t.price(0, card)))

    def card(self, t: Table, view: Any, mask: np.ndarray) -> int:
        cities = [c for c in range(t.n) if mask[ACTIONS.card + c]]
        offer = int(view["offer"])
        other = int(view["pending_pawn"]) - 1
        if offer == GIVE:
            best = max(cities, key=lambda c: t.passing(0, other, c))
        elif offer == TAKE:
            best = max(cities, key=lambda c: t.passing(other, 0, c))
        elif int(view["pending_event"]) == FORECAST + 1:
            best = min(cities, key=lambda c: self.harm(t, c))
        elif int(view["pending_event"]) == RESILIENT + 1:
            best = max(cities, key=lambda c: self.harm(t, c))
        else:
            best = min(cities, key=lambda c: t.price(0, c))
        return int(ACTIONS.card + best)

    def harm(self, t: Table, city: int) -> float:
        """What an infection card would do."""
        colour = t.colour[city]
        if t.cure[colour] == 2:
            return 0.0
        n = t.cubes[city][colour]
        return (0.5, 1.0, 2.0, 9.0)[n] + 0.3 * len(t.links[city]) * (n == 3)

    def consent(self, t: Table, view: Any, mask: np.ndarray) -> int:
        return int(ACTIONS.yes)

    def asked(self, t: Table, view: Any, mask: np.ndarray) -> int:
        other = int(view["pending_pawn"]) - 1
        cities = [c for c in range(t.n) if mask[ACTIONS.card + c]]
        if not cities:
            return int(ACTIONS.no)
        best = max(cities, key=lambda c: t.passing(0, other, c))
        return int(ACTIONS.card + best) if t.passing(0, other, best) > 0 else int(ACTIONS.no)
