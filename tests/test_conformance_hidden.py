"""Conformance lines 12 to 14: hidden information and chance."""

import itertools

import pytest
from checks import hidden, worlds
from checks.cases import Case, case, every_game, main_case, preset_case
from checks.play import play_out, strict
from toys import tally, wells

from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.run_for_your_lives import GAME as RUN_FOR_YOUR_LIVES


@pytest.mark.checked
@pytest.mark.plain
@main_case
def test_12_resampled_worlds_look_alike(case: Case) -> None:
    hidden.worlds_look_alike(case)


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
