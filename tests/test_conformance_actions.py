"""Conformance lines 1 to 7, 23: masks, illegal actions, rewards, turns, texts; and the oracles."""

import pytest
from checks import actions, oracles, turns
from checks.cases import Case, case, every_case, every_game, main_case, preset_case
from toys import wells

from outbreak_rl.envs.core.game import Game


@pytest.mark.checked
@pytest.mark.plain
@preset_case
def test_1_exactly_what_the_mask_allows_is_accepted(case: Case) -> None:
    actions.masks_are_the_law(case)


@preset_case
def test_1_the_oracle_agrees(case: Case) -> None:
    oracles.oracle_agrees(case)


@pytest.mark.checked
@main_case
def test_2_who_is_asked_can_act_and_nobody_else(case: Case) -> None:
    actions.somebody_can_always_act(case)


@preset_case
def test_3_illegal_actions_raise_or_end_the_game(case: Case) -> None:
    actions.illegal_actions_raise_or_end(case)


@every_game
def test_4_whole_numbers_alone_are_actions(game: Game) -> None:
    actions.whole_numbers_are_actions(case(game))


@main_case
def test_5_every_reward_comes_once(case: Case) -> None:
    turns.rewards_come_once(case)


@main_case
def test_6_the_rules_say_who_acts(case: Case) -> None:
    turns.the_rules_say_who_acts(case)


def test_6_a_toy_asks_one_seat_twice_running_and_out_of_turn() -> None:
    pairs = turns.the_rules_say_who_acts(case(wells.GAME, players=3), games=20)
    assert pairs == {(first, second) for first in range(3) for second in range(3)}


@main_case
def test_7_a_truncation_is_no_end(case: Case) -> None:
    turns.truncation_is_no_end(case)


@every_case
def test_23_every_action_has_a_text_of_its_own(case: Case) -> None:
    actions.texts_and_ids_match(case)
