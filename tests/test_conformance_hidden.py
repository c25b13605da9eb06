"""Conformance lines 12 to 14: hidden information and chance."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from checks import hidden, worlds
from checks.cases import Case, case, every_game, main_case, preset_case
from checks.play import play_out, strict
from toys import tally, wells

from outbreak_rl.envs.city_of_horror import GAME as CITY_OF_HORROR
from outbreak_rl.envs.city_of_horror import cards as city_cards
from outbreak_rl.envs.city_of_horror import state as city
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.run_for_your_lives import GAME as RUN_FOR_YOUR_LIVES
from outbreak_rl.envs.zombicide import GAME as ZOMBICIDE


@pytest.mark.checked
@pytest.mark.plain
@main_case
def test_12_resampled_worlds_look_alike(case: Case) -> None:
    hidden.worlds_look_alike(case)


@preset_case
def test_12_equal_information_states_see_the_same(case: Case) -> None:
    hidden.keys_tell_views_apart(case)


@preset_case
def test_12_truth_and_resampled_world_are_exchangeable(case: Case) -> None:
    hidden.deals_are_exchangeable(case)


@pytest.mark.parametrize(
    ("mini", "most"),
    [
        (case(tally.GAME, "mini"), 6),
        (case(tally.GAME, "mini", players=3, cards=6, first_seat=0), 24),
        (case(wells.GAME, "mini"), 18),
        (case(wells.GAME, "mini", players=3, first_seat=1), 54),
    ],
    ids=str,
)
def test_12_every_world_of_a_toy_is_hit_uniformly(mini: Case, most: int) -> None:
    assert worlds.resample_reaches_all_worlds(mini, seeds=2) == most


@pytest.mark.parametrize("seed", range(3))
def test_12_every_world_of_run_for_your_lives_is_hit_uniformly_before_a_reshuffle(seed: int) -> None:
    mini = case(RUN_FOR_YOUR_LIVES, "mini")
    for agent in strict(mini).possible_agents:
        counts = []
        for truth, possible in worlds.histories(mini, seed, agent):
            if truth.record["shuffled"].any():
                break
            counts.append(worlds.worlds_are_hit_uniformly(mini, truth, agent, possible))
        assert counts[0] > 50


def few_hidden_cards_in_the_town(mini: Case) -> OutbreakEnv:
    """A late position of City of Horror for three: seat 0 cannot place two of three cards of seat 1 (one it
    knows), one of seat 2, one of the church's supplies, and two of the deck, all of different kinds; two food
    tokens of different worth, before seat 1 and on the truck; the last invasion card is over."""
    env = strict(mini)
    env.reset(seed=1)
    state = env.record
    for name in ("cards", "known", "deck", "seen"):
        state[name] = 0
    state["cards"][1, [0, 1, 2]] = 1
    state["known"][[0, 2, city.EVERYONE], 1, 0] = 1  # all but the holder know the first of them
    state["cards"][2, 3] = state["cards"][city.SUPPLIES_OF + 1, 4] = 1
    state["deck"][:2] = 5, 6
    state["deck_size"] = 2
    state["seats"]["food"] = state["seats"]["food_known"] = state["food_down"] = 0
    state["seats"]["food"][1, 2] = state["food_down"][1] = 1
    state["seats"]["chosen"] = 0
    state["round"], state["step"] = city_cards.ROUNDS, city.MOVES
    return env


def few_hidden_cards_in_the_prison(mini: Case) -> OutbreakEnv:
    """A position of Zombicide with three cards in one deck and two in the other."""
    env = strict(mini)
    env.reset(seed=1)
    state = env.record
    for name, cards in (("deck", [3, 4, 5]), ("spawn_deck", [7, 8])):
        state[name] = 0
        state[name][: len(cards)] = cards
    state["deck_size"], state["spawn_size"] = 3, 2
    return env


@pytest.mark.parametrize(
    ("game", "position", "most"),
    [
        # 6 cards: 2 of them to seat 1, one each to seat 2 and the church, two in order; 2 places of the food
        (CITY_OF_HORROR, few_hidden_cards_in_the_town, 360 * 2),
        (ZOMBICIDE, few_hidden_cards_in_the_prison, 6 * 2),
    ],
    ids=["city_of_horror", "zombicide"],
)
def test_12_every_world_of_a_small_position_is_hit_uniformly(
    game: Game, position: Callable[[Case], OutbreakEnv], most: int
) -> None:
    mini = case(game, players=3)
    env = position(mini)
    found = hidden.resamples(env, mini, "player_0", 30 * most)
    keys, counts = np.unique(worlds.cleared(found, hidden.DICE), return_counts=True)
    assert len(keys) == most
    square = ((counts - 30.0) ** 2 / 30).sum()
    assert abs(square - (most - 1)) < 5 * np.sqrt(2 * (most - 1))


def games_with_a_reshuffle(mini: Case, count: int) -> list[int]:
    """Seeds of games in which the discards become the pile, with decisions left after that."""
    found = []
    for seed in itertools.count():
        env = strict(mini)
        env.reset(seed=seed)
        actions = play_out(env.clone(), seed=seed)
        for action in actions[:-2]:
            env.step(action)
            if env.record["shuffled"].any():
                found.append(seed)
                break
        if len(found) == count:
            return found
    return found


@pytest.mark.parametrize("number", range(4))
def test_12_no_possible_world_of_run_for_your_lives_is_left_out_after_a_reshuffle(number: int) -> None:
    mini = case(RUN_FOR_YOUR_LIVES, "mini")
    seed = games_with_a_reshuffle(mini, 4)[number]
    for agent in strict(mini).possible_agents:
        met = []
        for truth, possible in worlds.histories(mini, seed, agent, sample=2):
            if truth.record["shuffled"].any():
                met.append(worlds.possible_worlds_are_reached(mini, truth, agent, possible))
            if len(met) == 3:
                break
        assert met


@pytest.mark.plain
@preset_case
def test_13_dice_are_out_of_reach(case: Case) -> None:
    hidden.dice_are_out_of_reach(case)


@every_game
def test_14_chance_in_the_middle_of_a_game(game: Game) -> None:
    assert sum(hidden.middle_chance(case(game, preset)) for preset in game.presets), (
        "no game drew chance after the deal"
    )


@preset_case
def test_14_deals_differ(case: Case) -> None:
    hidden.deals_differ(case)
