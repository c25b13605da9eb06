"""Where cards can be, for card counters: closed forms against resampled and against enumerated worlds."""

import dataclasses
import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from checks import hidden, worlds
from checks.cases import REGISTERED, Case, case, preset_case
from checks.play import moments, over, strict, walk
from toys import tally

from outbreak_rl.envs.city_of_horror.state import DRAFTING, PICKED
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.pandemic import GAME as PANDEMIC
from outbreak_rl.envs.run_for_your_lives import GAME as RUN_FOR_YOUR_LIVES
from outbreak_rl.envs.run_for_your_lives.counting import _playable
from outbreak_rl.envs.run_for_your_lives.state import LIVING


@preset_case
def test_closed_forms_are_the_means_of_resampled_worlds(case: Case) -> None:
    if case.game.cards:
        assert hidden.counts_are_right(case) > 0
    else:
        assert case.game.name == "wells"  # a game need not describe cards


@pytest.mark.parametrize("seed", range(3))
def test_the_closed_form_is_the_mean_of_all_worlds_of_a_mini_game(seed: int) -> None:
    """By enumeration: every deal with the same history, until the discards first become the pile."""
    mini = case(RUN_FOR_YOUR_LIVES, "mini")
    assert met_by_enumeration(mini, seed, lambda env: bool(env.record["shuffled"].any())) > 10


@pytest.mark.parametrize(("preset", "options"), [("mini", {}), ("mini", {"players": 3, "cards": 6})])
def test_the_closed_form_is_the_mean_of_all_worlds_of_a_toy(preset: str, options: dict[str, Any]) -> None:
    assert met_by_enumeration(case(tally.GAME, preset, **options), 0, over) > 8


PICKS = {
    "cure blue": {"roles": ["Medic", "Scientist"]},
    "operations flight Coral": {"roles": ["Medic", "Operations Expert"], "stations": ["Anchor"]},
    "give +1": {"roles": ["Medic", "Researcher"]},
}


@pytest.mark.parametrize("action", PICKS)
@pytest.mark.parametrize("known", [[], ["Beacon"]])
def test_a_hidden_hand_that_is_picked_from_has_a_choice(action: str, known: list[str]) -> None:
    """Pandemic: the mean over all worlds, each of which `resample` reaches in 3,000 tries."""
    one = case(PANDEMIC, "hidden", map="small", players=2, events=0, epidemics=1)
    position = {
        "player_rest": "removed",
        "infection_rest": "discard",
        "turn": 1,
        "hands": [["Grotto"], ["Anchor", "Beacon", "Coral", "Dune", "Ember"]],
        "known": [[], known],
        "player_deck": ["Fjord", "epidemic"],
        "infection_deck": ["Anchor", "Beacon", "Coral"],
        "layers": [1, 2],
        **PICKS[action],
    }
    env = strict(one)
    env.set_position(position)
    env.step(env.parse_action(action))
    assert env.position()["decision"] == "card"
    found = hidden.resamples(env, one, "player_0", 3000)
    different = distinct(found)
    tables = one.game.tables(one.options)
    moving = 0
    for cards in one.game.cards:
        mean = cards.count(different, tables, 0).mean(0)
        exact = cards.expect(found, tables, 0)
        assert exact is not None
        assert np.allclose(exact, mean, atol=1e-9), cards.name
        moving += ((mean % 1) > 0).sum()
    assert moving > 8


def distinct(states: np.ndarray) -> np.ndarray:
    """The different ones among states, whatever their dice."""
    keys = [hidden.without(state, hidden.DICE) for state in states]
    return states[np.unique(keys, return_index=True)[1]]


def met_by_enumeration(mini: Case, seed: int, until: Callable[[Any], bool]) -> int:
    """Compare at every decision, for every seat; returns how often."""
    (cards,) = mini.game.cards
    tables = mini.game.tables(mini.options)
    met = 0
    for seat, agent in enumerate(strict(mini).possible_agents):
        for truth, possible in worlds.histories(mini, seed, agent):
            if until(truth):
                break
            weights = np.array([weight for _, weight in possible.values()])
            states = np.concatenate(
                [np.frombuffer(env.get_state(), mini.game.state) for env, _ in possible.values()]
            )
            counts = cards.count(states, tables, seat)
            mean = (counts * weights[:, None, None]).sum(0) / weights.sum()
            exact = cards.expect(np.frombuffer(truth.get_state(), mini.game.state), tables, seat)
            assert exact is not None
            assert np.allclose(exact, mean, atol=1e-9), (agent, met)
            met += 1
    return met


@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.name)
def test_closed_forms_are_there_where_they_are_promised(game: Game) -> None:
    found = {True: 0, False: 0}
    for preset in game.presets:
        start = strict(case(game, preset))
        start.reset(seed=1)
        early = itertools.islice(walk(start, random.Random(1)), 40)  # a draft, if there is one
        for env in itertools.chain(early, moments(case(game, preset), 12)):
            state = np.frombuffer(env.get_state(), game.state)
            tables = game.tables(env.options)
            sampled = [c.name for c in game.cards if c.expect(state, tables, 0) is None]
            if game.name == "run_for_your_lives" and state["shuffled"].any():
                assert sampled == ["cards"]
            elif game.name == "city_of_horror" and state[0]["step"] in (DRAFTING, PICKED):
                assert sampled == ["action cards"]
            else:
                assert sampled == []
            found[bool(sampled)] += 1
    assert found[False]
    assert bool(found[True]) == (game.name in ("run_for_your_lives", "city_of_horror"))


@pytest.mark.parametrize("preset", RUN_FOR_YOUR_LIVES.presets)
def test_what_can_be_played_is_what_the_mask_says(preset: str) -> None:
    """The condition on a living player who is asked, against the rules."""
    asked = 0
    one = case(RUN_FOR_YOUR_LIVES, preset)
    for seed in range(4):
        env = strict(one)
        env.reset(seed=seed)
        for now in walk(env, random.Random(seed)):
            if over(now) or now.record["stack"][0]["kind"] != LIVING:
                continue
            seat = int(now.record["stack"][0]["seat"])
            mask = now.observe(now.agent_selection)["action_mask"][:-1].reshape(-1, 7).any(1)
            for code in np.flatnonzero(now.record["seats"][seat]["hand"]):
                assert _playable(now.record, seat, code) == mask[code]
                asked += 1
    assert asked > 50


def test_wrong_closed_forms_are_found() -> None:
    """One that knows the truth, and one that takes the hands for smaller than they are."""
    (cards,) = tally.GAME.cards

    def knows(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
        return cards.count(worlds, tables, seat)[0].astype(float)

    def forgets(worlds: np.ndarray, tables: np.ndarray, seat: int) -> np.ndarray:
        mean = tally.expect_cards(worlds, tables, seat)
        mean[[1, -1]] = mean[[-1, 1]]
        return mean

    one = case(tally.GAME)
    hidden.counts_are_right(one)
    for wrong, found in ((knows, "the truth shines through"), (forgets, "by the closed form")):
        with pytest.raises(AssertionError, match=found):
            hidden.counts_are_right(one.of(cards=(dataclasses.replace(cards, expect=wrong),)))


def test_names_are_unique() -> None:
    for game in REGISTERED:
        names = list(itertools.chain.from_iterable(cards.names for cards in game.cards))
        assert len(set(names)) == len(names) == sum(cards.size for cards in game.cards)
