"""Conformance lines 22, 24 and 25: pictures, the parallel form, PettingZoo's own tests.

Line 26 (Gymnasium's `check_env`) belongs to wrappers/single.py and is tested with it.
"""

import pytest
from checks import interfaces
from checks.cases import GAMES, REGISTERED, Case, case, every_case, every_game, main_case
from checks.kernels import child

from outbreak_rl.envs.core.game import Game


@every_game
def test_22_pictures_show_the_game(game: Game) -> None:
    interfaces.pictures_show_the_game(case(game))


def test_22_pictures_need_no_display_and_no_pygame() -> None:
    names = [game.name for game in GAMES]
    drawn, _ = child("render", names, DISPLAY=None, WAYLAND_DISPLAY=None)
    assert drawn == names


@main_case
def test_24_the_parallel_form_is_the_same_game(case: Case) -> None:
    interfaces.parallel_is_the_same_game(case)


@every_game
def test_24_the_parallel_form_refuses_what_it_must(game: Game) -> None:
    interfaces.parallel_refuses(case(game))


@every_case
def test_25_pettingzoo_is_content(case: Case) -> None:
    interfaces.pettingzoo_is_content(case)


@every_game
def test_25_pettingzoo_can_render(game: Game) -> None:
    interfaces.pettingzoo_can_render(case(game))


@pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.name)
def test_25_games_are_found_by_name(game: Game) -> None:
    for preset in game.presets:
        interfaces.made_by_name(case(game, preset))


@every_game
def test_25_a_module_offers_its_environments(game: Game) -> None:
    interfaces.makers_make(case(game))
