"""The scripted team's search: all sequences of the actions that a turn has left, level by level.

A sequence is worth what it gains (danger taken off the board, cures, cards brought together, stations)
less what it costs (cards), plus how good a place it ends in.  The first action of the best one counts.
"""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.core.state import fill, record, table
from outbreak_rl.envs.pandemic.cards import (
    CITIES,
    DISPATCHER,
    KINDS,
    MEDIC,
    OPERATIONS,
    QUARANTINE,
    RESEARCHER,
    SEATS,
)
from outbreak_rl.envs.pandemic.state import ACTIONS

from .sense import FADE, TRANSFERS, best_errand, errand, passing, wanted

HOT_PLACES, HOT_FLIGHTS, MEETINGS = (
    8,
    5,
    2,
)  # dangerous cities that draw pawns; that are worth a flight; transfers
NEAR = table([0.55**n for n in range(CITIES + 1)], float)  # how the draw of danger fades with the way

# A task done in a sequence, in 12 bits: treated a colour in a city, cured, shared with a seat.
TREATED, CURED = 1, 1 + CITIES * KINDS
SHARED, MOVED = CURED + KINDS, CURED + KINDS + SEATS
TASK_BITS, TASKS = 12, 4

NODES, SLOTS = 1 << 13, 1 << 15
NODE = record([
    ("score", "f8"),
    ("hand", "i8"),
    ("stations", "i8"),
    ("done", "i8"),  # tasks, the largest in the lowest bits
    ("spot", "i2"),
    ("first", "i2"),  # action id that the sequence began with
    ("left", "i1"),
    ("flown", "i1"),
])  # fmt: skip


@rule
def search(v, g, m, nodes, slots):
    """The first action id of the best sequence."""
    attract(v, g, m)
    find_targets(v, g, m)
    fill(slots, -1)
    for pawn in range(1, v.players):
        m.sent[pawn] = best_errand(v, g, m, pawn, 0) if v.role[0] == DISPATCHER else -1
    m.best = -1e9
    m.first = ACTIONS.end
    m.nodes = 0
    reach(v, g, m, nodes, slots, -1, m.spot[0], v.actions_left, 0.0, m.hand, m.stations, 0, 0)
    k = 0
    while k < m.nodes:
        if nodes[k].left > 0:
            expand(v, g, m, nodes, slots, nodes[k])
        k += 1
    return m.first


# --- places ---------------------------------------------------------------------------------------


@rule
def attract(v, g, m):
    """How good each city is to end the turn in, by danger near it and transfers."""
    fill(m.goal, 0.0)
    taken = 0
    for _ in range(HOT_PLACES):
        hot = hottest(g, m.weight, taken)
        if hot < 0:
            break
        taken |= 1 << hot
        for city in range(g.cities):
            m.goal[city] += m.w.draw * m.weight[hot] * NEAR[1 + g.far[city, hot]]
    if v.role[0] == QUARANTINE:
        for city in range(g.cities):
            m.goal[city] += m.w.guard * m.weight[city]
            for place in range(g.degree[city]):
                m.goal[city] += m.w.guard * m.weight[g.links[city, place]]
    for k in range(TRANSFERS):
        t = m.transfers[k]
        if mine(m, k):
            for city in range(g.cities):
                m.goal[city] += min(t.value, m.w.meet_most) * m.w.meet * FADE[g.far[city, t.city]]


@rule
def mine(m, k):
    """Whether a transfer is one of the best ones of seat 0."""
    before = 0
    for other in range(k + 1):
        t = m.transfers[other]
        if t.value > 0.0 and (t.giver == 0 or t.taker == 0):
            if other == k:
                return before < MEETINGS
            before += 1
    return False


@rule
def hottest(g, weights, taken):
    """The city of the largest weight that is not among the bits taken; -1: none is left."""
    found = -1
    for city in range(g.cities):
        if not (taken >> city) & 1 and (found < 0 or weights[city] > weights[found]):
            found = city
    return found


@rule
def find_targets(v, g, m):
    """Cities worth a flight."""
    taken = 0
    for _ in range(HOT_FLIGHTS):
        hot = hottest(g, m.goal, taken)
        if hot >= 0:
            taken |= 1 << hot
    for k in range(TRANSFERS):
        if mine(m, k):
            taken |= 1 << int(m.transfers[k].city)
    taken |= m.stations
    m.aims = 0
    for city in range(g.cities):
        if (taken >> city) & 1:
            m.targets[m.aims] = city
            m.aims += 1


# --- positions of the search ----------------------------------------------------------------------


@rule
def reach(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown):
    """A sequence gets here: keep it if nothing better is known, and note it if it is the best end."""
    value = score + m.w.spared * left + m.goal[spot]
    if ready(v, g, m, hand) >= 0:
        value -= m.w.to_station * to_station(g, m, spot, stations)
    if value > m.best + 1e-9:
        m.best = value
        m.first = first if first >= 0 else ACTIONS.end
    if left == 0:
        return
    slot = (hand % 999983 * 31 + stations % 999979 * 17 + done % 999961 * 7 + spot * 101 + flown) % SLOTS
    while slots[slot] >= 0:
        node = nodes[slots[slot]]
        same = node.spot == spot and node.flown == flown and node.done == done
        if same and node.hand == hand and node.stations == stations:
            if score <= node.score:
                return
            if node.left == left:
                node.score = score
                node.first = first
                return
            break
        slot = (slot + 1) % SLOTS
    if m.nodes == NODES:
        return
    slots[slot] = m.nodes
    node = nodes[m.nodes]
    m.nodes += 1
    node.score = score
    node.hand = hand
    node.stations = stations
    node.done = done
    node.spot = spot
    node.first = first
    node.left = left
    node.flown = flown


@rule
def ready(v, g, m, hand):
    """A colour that seat 0 could cure with these cards at a station, -1: none."""
    for colour in range(KINDS):
        if wanted(v, g, colour) and bits(hand & g.of_colour[colour]) >= m.needs[0]:
            return colour
    return -1


@rule
def bits(x):
    """How many bits are set."""
    n = 0
    while x:
        x &= x - 1
        n += 1
    return n


@rule
def to_station(g, m, spot, stations):
    """Drives to the nearest station, new ones included."""
    found = m.away[spot]
    new = stations & ~m.stations
    city = 0
    while new:
        if new & 1:
            found = min(found, int(g.far[spot, city]))
        new >>= 1
        city += 1
    return found


@rule
def times(done, task):
    """How often a task has been done."""
    n = 0
    for _ in range(TASKS):
        if done & ((1 << TASK_BITS) - 1) == task:
            n += 1
        done >>= TASK_BITS
    return n


@rule
def with_task(done, task):
    """The tasks with one more, in order."""
    kept = 0
    shift = 0
    placed = False
    for _ in range(TASKS):
        other = done & ((1 << TASK_BITS) - 1)
        if not placed and task >= other:
            kept |= task << shift
            shift += TASK_BITS
            placed = True
        kept |= other << shift
        shift += TASK_BITS
        done >>= TASK_BITS
    return kept & ((1 << (TASK_BITS * TASKS)) - 1)


# --- actions --------------------------------------------------------------------------------------


@rule
def expand(v, g, m, nodes, slots, node):
    """All actions from a position."""
    score = node.score
    hand = int(node.hand)
    stations = int(node.stations)
    done = int(node.done)
    spot = int(node.spot)
    first = int(node.first)
    left = int(node.left) - 1
    flown = int(node.flown)
    treat(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown)
    work(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown)
    share(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown)
    if v.role[0] == DISPATCHER:
        send(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown)
    travel(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown)
    if not flown:
        fly(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done)


@rule
def began(first, action):
    """The action that a sequence begins with."""
    return first if first >= 0 else action


@rule
def treat(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown):
    """Treat each colour here."""
    for colour in range(KINDS):
        if v.cubes[spot, colour] == 0:
            continue
        task = TREATED + spot * KINDS + colour
        before = times(done, task)
        n = v.cubes[spot, colour] - before
        whole = v.cure[colour] > 0 or v.role[0] == MEDIC
        if n <= 0 or (whole and before > 0):
            continue
        gain = m.danger[spot, colour, n] - (0.0 if whole else m.danger[spot, colour, n - 1])
        if v.cure[colour] and m.total[colour] == n:
            gain += m.w.eradication_gain
        action = began(first, ACTIONS.treat + colour)
        tasks = with_task(done, task)
        reach(v, g, m, nodes, slots, action, spot, left, score + gain, hand, stations, tasks, flown)


@rule
def work(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown):
    """Cure at a station, build one elsewhere."""
    if (stations >> spot) & 1:
        for colour in range(KINDS):
            held = hand & g.of_colour[colour]
            if not wanted(v, g, colour) or bits(held) < m.needs[0] or times(done, CURED + colour):
                continue
            action = began(first, ACTIONS.cure + colour)
            rest = hand & ~lowest(held, m.needs[0])
            tasks = with_task(done, CURED + colour)
            reach(
                v, g, m, nodes, slots, action, spot, left, score + m.w.cure_gain, rest, stations, tasks, flown
            )
        return
    free = v.role[0] == OPERATIONS
    if v.stations_left == 0 or not (free or (hand >> spot) & 1):
        return
    rest = hand if free else hand & ~(1 << spot)
    away = to_station(g, m, spot, stations)
    gain = max(0, away - 2) * (m.w.station if bits(stations) < 4 else 0.4 * m.w.station)
    if ready(v, g, m, rest) >= 0:
        gain += m.w.station_now * away
    cost = 0.0 if free else m.price[spot]
    if gain > cost:
        action = began(first, ACTIONS.build)
        built = stations | (1 << spot)
        reach(v, g, m, nodes, slots, action, spot, left, score + gain - cost, rest, built, done, flown)


@rule
def lowest(cards, n):
    """The lowest n bits of a set."""
    kept = 0
    for _ in range(n):
        one = cards & -cards
        kept |= one
        cards ^= one
    return kept


@rule
def share(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown):
    """Give a card to, or take one from, whoever stands here."""
    for other in range(1, v.players):
        if m.spot[other] != spot or times(done, SHARED + other):
            continue
        tasks = with_task(done, SHARED + other)
        card = best_to_pass(v, g, m, 0, other, spot, hand)
        if card >= 0:
            gain = passing(v, g, m, 0, other, card)
            if gain > m.w.share_at_least:
                action = began(first, ACTIONS.give + other - 1)
                rest = hand & ~(1 << card)
                reach(v, g, m, nodes, slots, action, spot, left, score + gain, rest, stations, tasks, flown)
        if v.hidden:
            continue
        card = best_to_pass(v, g, m, other, 0, spot, (1 << CITIES) - 1)
        if card >= 0:
            gain = passing(v, g, m, other, 0, card)
            if gain > m.w.share_at_least:
                action = began(first, ACTIONS.take + other - 1)
                reach(v, g, m, nodes, slots, action, spot, left, score + gain, hand, stations, tasks, flown)


@rule
def best_to_pass(v, g, m, giver, taker, spot, among):
    """The card of a hand that may be given here with the largest gain, -1: none."""
    found = -1
    most = 0.0
    for card in range(g.cities):
        if v.hands[giver, card] and (among >> card) & 1 and (card == spot or v.role[giver] == RESEARCHER):
            gain = passing(v, g, m, giver, taker, card)
            if found < 0 or gain > most:
                found = card
                most = gain
    return found


@rule
def vanishing(v, m, city, done):
    """What a Medic gains on coming to a city: cubes of cured colours vanish."""
    gain = 0.0
    if v.role[0] == MEDIC:
        for colour in range(KINDS):
            n = v.cubes[city, colour]
            if n > 0 and v.cure[colour] and not times(done, TREATED + city * KINDS + colour):
                gain += m.danger[city, colour, n]
    return gain


@rule
def travel(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown):
    """Drive, or fly between stations."""
    for place in range(g.degree[spot]):
        city = int(g.links[spot, place])
        gain = vanishing(v, m, city, done)
        action = began(first, ACTIONS.drive + city)
        reach(v, g, m, nodes, slots, action, city, left, score + gain, hand, stations, done, flown)
    if (stations >> spot) & 1:
        for city in range(g.cities):
            if city != spot and (stations >> city) & 1:
                gain = vanishing(v, m, city, done)
                action = began(first, ACTIONS.shuttle + city)
                reach(v, g, m, nodes, slots, action, city, left, score + gain, hand, stations, done, flown)


@rule
def fly(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done):
    """Flights that cost a card, at most one a turn."""
    cheap = -1
    for card in range(g.cities):
        if not (hand >> card) & 1:
            continue
        if cheap < 0 or m.price[card] < m.price[cheap]:
            cheap = card
        if g.far[spot, card] > 1 and m.price[card] < m.w.most_paid:
            gain = vanishing(v, m, card, done) - m.price[card]
            action = began(first, ACTIONS.direct + card)
            reach(
                v,
                g,
                m,
                nodes,
                slots,
                action,
                card,
                left,
                score + gain,
                hand & ~(1 << card),
                stations,
                done,
                1,
            )
    charter = (hand >> spot) & 1 and m.price[spot] < m.w.most_paid
    operations = v.role[0] == OPERATIONS and not v.operations_used and (stations >> spot) & 1
    if not charter and not (operations and cheap >= 0 and m.price[cheap] < m.w.most_paid):
        return
    spent = spot if charter else cheap
    verb = ACTIONS.charter if charter else ACTIONS.operations
    if operations and m.price[cheap] < m.price[spent]:
        spent = cheap
        verb = ACTIONS.operations
    for k in range(m.aims):
        city = m.targets[k]
        if g.far[spot, city] > 1:
            gain = vanishing(v, m, city, done) - m.price[spent]
            action = began(first, verb + city)
            reach(
                v,
                g,
                m,
                nodes,
                slots,
                action,
                city,
                left,
                score + gain,
                hand & ~(1 << spent),
                stations,
                done,
                1,
            )


@rule
def send(v, g, m, nodes, slots, first, spot, left, score, hand, stations, done, flown):
    """A Dispatcher moves another pawn, each at most once in a sequence."""
    for pawn in range(1, v.players):
        if m.sent[pawn] < 0 or times(done, MOVED + pawn):
            continue
        gain = errand(v, g, m, pawn, m.sent[pawn]) - errand(v, g, m, pawn, m.spot[pawn])
        if gain > m.w.dispatch:
            action = began(first, ACTIONS.dispatch + pawn)
            tasks = with_task(done, MOVED + pawn)
            reach(v, g, m, nodes, slots, action, spot, left, score + gain, hand, stations, tasks, flown)
