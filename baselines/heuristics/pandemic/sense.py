"""What a View means for the scripted team: danger on the board, worth of cards, transfers."""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.core.state import fill, record, table
from outbreak_rl.envs.pandemic.cards import (
    CARDS,
    CITIES,
    CITY_FULL,
    DRAWN_A_TURN,
    EPIDEMICS,
    HAND_LIMIT,
    KINDS,
    LAYERS,
    RESEARCHER,
    SCIENTIST,
    SEATS,
)  # fmt: skip

from .weights import WEIGHTS

# The chance that cubes become an outbreak: of the city's own colour as far as its card is due, and anyhow; of others.
DUE = table([0.0, 0.10, 0.30, 0.95], float)
ANYHOW = table([0.0, 0.02, 0.06, 0.14], float)
FOREIGN = table([0.0, 0.02, 0.05, 0.12], float)
CROWDED = table([0.0, 0.0, 0.02, 0.10], float)  # more, for each neighbour with three cubes
FADE = table([0.75**n for n in range(CITIES + 1)], float)  # a way to go, for a transfer
TRANSFERS = 6  # that a team keeps in mind

TRANSFER = record([("value", "f8"), ("giver", "i1"), ("taker", "i1"), ("card", "i1"), ("city", "i1")])

MIND = record([
    ("w", WEIGHTS),
    ("due", "f8", (CITIES,)),  # chance to be flipped before the team has had a round
    ("next", "f8", (CITIES,)),  # chance to be flipped in the next infection step
    ("struck", "f8", (CITIES,)),  # chance to be hit by the next draw's epidemic
    ("danger", "f8", (CITIES, KINDS, CITY_FULL + 1)),  # what so many cubes cost (as far as there are)
    ("weight", "f8", (CITIES,)),  # of all cubes of a city
    ("goal", "f8", (CITIES,)),  # how good a city is to end the turn in
    ("price", "f8", (CARDS,)),  # what it costs seat 0 to lose a card
    ("transfers", TRANSFER, (TRANSFERS,)),  # worth travelling for, the best one first; value 0: none
    ("best", "f8"),  # of the search
    ("hand", "i8"),  # own cards as bits
    ("stations", "i8"),
    ("count", "i8", (SEATS, KINDS)),  # city cards by colour, as far as seen
    ("needs", "i8", (SEATS,)),  # cards for a cure
    ("spot", "i8", (SEATS,)),  # where the pawns stand
    ("total", "i8", (KINDS,)),  # cubes on the board
    ("left", "i8", (KINDS,)),  # cards of a colour that are not spent
    ("away", "i8", (CITIES,)),  # drives to the nearest station
    ("targets", "i8", (CITIES,)),  # cities worth a flight
    ("sent", "i8", (SEATS,)),  # where a Dispatcher sends each pawn, -1: nowhere
    ("aims", "i8"),  # how many
    ("nodes", "i8"),  # of the search
    ("first", "i8"),  # action of the best sequence
])  # fmt: skip


@rule
def take_in(v, g, m):
    """Everything that decisions ask for, from a View and its map."""
    read_cards(v, g, m)
    read_board(v, g, m)
    soon = epidemic_soon(v)
    flips(v, g, soon, v.players * m.w.round + 1.0, m.due)
    flips(v, g, soon, 1.0, m.next)
    strikes(v, g, soon, m)
    dangers(v, g, m)


@rule
def read_cards(v, g, m):
    """Hands by colour, needs, places; the own hand as bits."""
    m.hand = 0
    for seat in range(v.players):
        m.needs[seat] = v.cure_cards - (1 if v.role[seat] == SCIENTIST else 0)
        m.spot[seat] = 0
        fill(m.count[seat], 0)
        for city in range(g.cities):
            if v.pawn[seat, city]:
                m.spot[seat] = city
            if v.hands[seat, city]:
                m.count[seat, g.colour[city]] += 1
    for card in range(CARDS):
        if v.hands[0, card]:
            m.hand |= 1 << card


@rule
def read_board(v, g, m):
    """Cubes in sum, stations, cards that are left."""
    m.stations = 0
    for colour in range(KINDS):
        m.total[colour] = 0
        m.left[colour] = g.present[colour]
    for city in range(g.cities):
        m.away[city] = 9
        if v.station[city]:
            m.stations |= 1 << city
        if v.player_discard[city] or v.player_removed[city]:
            m.left[g.colour[city]] -= 1
        for colour in range(KINDS):
            m.total[colour] += v.cubes[city, colour]
    for station in range(g.cities):
        if v.station[station]:
            for city in range(g.cities):
                m.away[city] = min(m.away[city], int(g.far[city, station]))


# --- danger on the board --------------------------------------------------------------------------


@rule
def epidemic_soon(v):
    """The chance that the next draw has an epidemic."""
    first = v.piles[0]
    if v.epidemic_out or first == 0:
        follows = v.piles[1] if first < 2 and EPIDEMICS > 1 else 0
        return 1.0 / follows if follows > 0 else 0.0
    return min(1.0, 2.0 / first)


@rule
def flips(v, g, soon, steps, chance):
    """The chance of each city to be flipped in so many infection steps from now."""
    discards = 0
    for city in range(g.cities):
        chance[city] = 0.0
        discards += v.infection_discard[city]
    again = min(1.0, v.rate / (discards + 1.0)) * soon
    left = v.rate * steps
    for layer in range(LAYERS):
        size = v.layer_size[layer]
        if size == 0 or left <= 0.0:
            break
        share = min(1.0, left / size)
        left -= size
        for city in range(g.cities):
            if v.infection_layer[city] == layer + 1:
                chance[city] = share
    for city in range(g.cities):
        if v.infection_discard[city]:
            chance[city] = max(chance[city], again)


@rule
def strikes(v, g, soon, m):
    """The chance of each city to be hit by the next draw's epidemic."""
    bottom = 0
    for city in range(g.cities):
        m.struck[city] = 0.0
        bottom = max(bottom, int(v.infection_layer[city]))
    if bottom == 0:
        return
    for city in range(g.cities):
        if v.infection_layer[city] == bottom:
            m.struck[city] = soon / v.layer_size[bottom - 1]


@rule
def dangers(v, g, m):
    """What the cubes cost the team, about, by city, colour and number."""
    outbreak = m.w.outbreak * (1.0 + v.outbreaks * m.w.late)
    for city in range(g.cities):
        m.weight[city] = 0.0
        for colour in range(KINDS):
            n = int(v.cubes[city, colour])
            if n == 0:
                continue
            for k in range(n + 1):
                m.danger[city, colour, k] = 0.0
            if v.cure[colour] == 2:
                continue
            crowd = 0
            for place in range(g.degree[city]):
                if v.cubes[g.links[city, place], colour] == CITY_FULL:
                    crowd += 1
            for k in range(1, n + 1):
                risk = FOREIGN[k] + CROWDED[k] * crowd
                if g.colour[city] == colour:
                    risk = DUE[k] * m.due[city] + ANYHOW[k] + m.struck[city] + CROWDED[k] * crowd
                m.danger[city, colour, k] = risk * outbreak * (1.0 + m.w.crowd * crowd) + k * cube_price(
                    v, m, colour
                )
            m.weight[city] += m.danger[city, colour, n]


@rule
def cube_price(v, m, colour):
    """What a cube on the board costs as the supply runs out."""
    left = v.supply[colour]
    if left > 12:
        return m.w.cube[0]
    if left > 8:
        return m.w.cube[1]
    if left > 4:
        return m.w.cube[2]
    return m.w.cube[3]


# --- cards ----------------------------------------------------------------------------------------


@rule
def progress(v, m, colour, loser, winner):
    """The best hand of a colour, after a seat has lost and another has won a card of it (-1: nobody)."""
    best = 0.0
    for seat in range(v.players):
        missing = m.needs[seat] - m.count[seat, colour]
        if seat == loser:
            missing += 1
        if seat == winner:
            missing -= 1
        best = max(best, m.w.missing[max(0, missing)])
    return best


@rule
def wanted(v, g, colour):
    """Whether a cure of this colour is still to be found."""
    return v.cure[colour] == 0 and g.present[colour] > 0


@rule
def price(v, g, m, card):
    """What it costs seat 0 to lose a card."""
    if card >= CITIES:
        return m.w.event_card
    colour = g.colour[card]
    if not wanted(v, g, colour):
        return m.w.flight
    fewest = m.needs[0]
    for seat in range(1, v.players):
        fewest = min(fewest, m.needs[seat])
    slack = m.left[colour] - 1 - fewest
    scarcity = m.w.plenty
    if slack < 1:
        scarcity = m.w.scarce
    elif slack < 3:
        scarcity = m.w.tight
    lost = progress(v, m, colour, -1, -1) - progress(v, m, colour, 0, -1)
    return m.w.flight + m.w.spare + lost + scarcity


@rule
def price_hand(v, g, m):
    """Prices of the own cards; those that the hand limit is about to take cost little."""
    for card in range(CARDS):
        m.price[card] = price(v, g, m, card) if v.hands[0, card] else 0.0
    for _ in range(int(v.hand_size[0]) + DRAWN_A_TURN - HAND_LIMIT):
        cheap = -1
        for card in range(g.cities):
            if (
                v.hands[0, card]
                and m.price[card] > m.w.surplus
                and (cheap < 0 or m.price[card] < m.price[cheap])
            ):
                cheap = card
        if cheap >= 0:
            m.price[cheap] = m.w.surplus


@rule
def passing(v, g, m, giver, taker, card):
    """What the team gains when a city card changes hands."""
    colour = g.colour[card]
    gain = 0.0
    if wanted(v, g, colour):
        gain = progress(v, m, colour, giver, taker) - progress(v, m, colour, -1, -1)
    if v.hand_size[taker] >= HAND_LIMIT:
        gain -= m.w.full
    if v.hand_size[giver] + DRAWN_A_TURN > HAND_LIMIT:
        gain += m.w.relieved
    return gain


@rule
def find_transfers(v, g, m):
    """The transfers worth travelling for, the best ones."""
    for k in range(TRANSFERS):
        m.transfers[k].value = 0.0
    for giver in range(v.players):
        for card in range(g.cities):
            if not v.hands[giver, card] or v.cure[g.colour[card]]:
                continue
            for taker in range(v.players):
                if taker == giver:
                    continue
                gain = passing(v, g, m, giver, taker, card)
                if gain < m.w.transfer:
                    continue
                a = m.spot[giver]
                b = m.spot[taker]
                if v.role[giver] == RESEARCHER:
                    keep_transfer(m, gain * 1.3 - m.w.road * g.far[a, b], giver, taker, card, a)
                    if a != b:
                        keep_transfer(m, gain * 1.3 - m.w.road * g.far[a, b], giver, taker, card, b)
                else:
                    road = g.far[a, card] + g.far[b, card]
                    keep_transfer(m, gain - m.w.road * road, giver, taker, card, card)


@rule
def keep_transfer(m, value, giver, taker, card, city):
    """Put a transfer among the best ones, if it belongs there."""
    if value <= 0.0 or value < m.transfers[TRANSFERS - 1].value:
        return
    place = TRANSFERS - 1
    while place > 0 and value >= m.transfers[place - 1].value:
        move_transfer(m.transfers[place - 1], m.transfers[place])
        place -= 1
    kept = m.transfers[place]
    kept.value = value
    kept.giver = giver
    kept.taker = taker
    kept.card = card
    kept.city = city


@rule
def move_transfer(source, target):
    """Copy one."""
    target.value = source.value
    target.giver = source.giver
    target.taker = source.taker
    target.card = source.card
    target.city = source.city


# --- pawns ----------------------------------------------------------------------------------------


@rule
def can_cure(v, g, m, seat):
    """Whether a hand has the cards of a cure, as far as seen."""
    for colour in range(KINDS):
        if wanted(v, g, colour) and m.count[seat, colour] >= m.needs[seat]:
            return True
    return False


@rule
def errand(v, g, m, seat, city):
    """How well a pawn would stand in a city for its cure and its transfers."""
    value = 0.0
    if can_cure(v, g, m, seat):
        value -= m.w.to_station * m.away[city]
    for k in range(TRANSFERS):
        t = m.transfers[k]
        if t.value > 0.0 and (t.giver == seat or t.taker == seat):
            value += min(t.value, m.w.meet_most) * m.w.meet * FADE[g.far[city, t.city]]
    return value


@rule
def best_errand(v, g, m, seat, anywhere):
    """The city that a pawn should be moved to, where another pawn is or (if not anywhere) next to it; -1: none."""
    found = -1
    most = errand(v, g, m, seat, m.spot[seat])
    for city in range(g.cities):
        if city != m.spot[seat] and (anywhere or reaches(v, g, m, seat, city)):
            value = errand(v, g, m, seat, city)
            if value > most + 1e-9:
                found = city
                most = value
    return found


@rule
def reaches(v, g, m, seat, city):
    """Whether a Dispatcher gets a pawn there with one action and no card."""
    here = m.spot[seat]
    if g.far[here, city] == 1 or (v.station[here] and v.station[city]):
        return True
    for other in range(v.players):
        if other != seat and m.spot[other] == city:
            return True
    return False
