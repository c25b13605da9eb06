"""The deals of Run for Your Lives that a seat may hold possible."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
from checks.cases import Case

from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.run_for_your_lives.cards import COCKROACH, CODES, DEALT, ITEMS, SEATS
from outbreak_rl.envs.run_for_your_lives.state import LIVING

MEMORY = ("seats.took",)  # one way to have drawn what a hand holds is as good as another
PUBLIC_ACTIONS = True


def ways(env: OutbreakEnv, action: int) -> int:
    """How many of the acting seat's cards an action can mean: equal ones are different cards that look alike."""
    state = env.record
    frame = state["stack"][0]
    code = action // SEATS
    return int(state["seats"][frame["seat"]]["hand"][code]) if frame["kind"] == LIVING and code < CODES else 1


def scripts(case: Case, truth: OutbreakEnv, agent: str) -> Iterator[tuple[list[int], float]]:
    """Every way to deal the cards that the agent does not hold, and in how many labelled ways it comes about."""
    me = truth.possible_agents.index(agent)
    hands = [
        [code for code in range(CODES) for _ in range(seat["hand"][code])] for seat in truth.record["seats"]
    ]
    first = next(seat for seat, hand in enumerate(hands) if len(hand) > DEALT)  # he has drawn
    hidden = Counter(deck(case)) - Counter(hands[me])
    sizes = [len(hand) for seat, hand in enumerate(hands) if seat != me and hand]
    labelled = [(code, copy) for code, n in hidden.items() for copy in range(n)]
    for dealt, weight in Counter(splits(labelled, sizes)).items():
        others = iter(dealt)
        new = [list(hands[me] if seat == me else next(others)) for seat in range(truth.record["players"])]
        pile = list(next(others))
        order = [new[seat][turn] for turn in range(DEALT) for seat in range(len(new))] + [
            new[first][DEALT],
            *pile,
        ]
        yield [*shuffled_into(case, order[::-1]), first], weight


def unordered(states: np.ndarray) -> np.ndarray:
    """The states with the cards of their piles in order."""
    sorted_piles = np.frombuffer(bytearray(states.tobytes()), states.dtype)
    for state in sorted_piles:
        state["pile"][: state["pile_size"]].sort()
    return sorted_piles


def splits(cards: list[tuple[int, int]], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The codes in hands of these sizes (in order of code) and in the pile (in any order), label by label."""
    if not sizes:
        for order in itertools.permutations(cards):
            yield (tuple(code for code, _ in order),)
        return
    for hand in itertools.combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in splits(rest, sizes[1:]):
            yield (tuple(code for code, _ in hand), *others)


def deck(case: Case) -> list[int]:
    """The codes of the deck in the order in which it is laid before it is shuffled."""
    kinds = [code for code in range(CODES) if code == COCKROACH or code % ITEMS < case.options.kinds]
    return [code for code in kinds for _ in range(case.options.copies)]


def shuffled_into(case: Case, wanted: list[int]) -> list[int]:
    """The chance values that shuffle the deck into an order."""
    cards = deck(case)
    script = []
    for i in range(len(cards) - 1, 0, -1):
        j = cards.index(wanted[i], 0, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
        script.append(j)
    return script
