"""Conformance lines 15 to 20: seeds, copies, logs, threads, processes; replays."""

from pathlib import Path

import pytest
from checks import copies
from checks.cases import GAMES, Case, case, every_case, every_game, main_case, preset_case
from checks.kernels import child
from checks.play import traces

from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.rule import PLAIN


@every_case
def test_15_resets_repeat(case: Case) -> None:
    copies.resets_repeat(case)


@preset_case
def test_16_global_generators_are_left_alone(case: Case) -> None:
    copies.global_generators_are_left_alone(case)


@preset_case
def test_17_interleaved_games_do_not_disturb_each_other(case: Case) -> None:
    copies.games_repeat(case)


@preset_case
def test_17_20_threads_agree(case: Case) -> None:
    copies.threads_agree(case)


@pytest.mark.checked
@pytest.mark.plain
@main_case
def test_18_copies_are_the_game(case: Case) -> None:
    copies.copies_are_the_game(case)


@preset_case
def test_18_logs_travel(case: Case) -> None:
    copies.logs_travel(case)


@preset_case
def test_18_what_a_seat_has_seen_only_grows(case: Case) -> None:
    copies.information_grows(case)


@pytest.mark.plain
@preset_case
def test_19_the_chance_log_replays_the_game(case: Case) -> None:
    copies.drawn_replays(case)


@pytest.mark.checked
@pytest.mark.plain
@main_case
def test_20_a_batch_is_many_games(case: Case) -> None:
    copies.batch_is_many_games(case)


@every_game
def test_20_variants_mix_in_a_batch(game: Game) -> None:
    copies.variants_mix([case(game, preset) for preset in game.presets])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_20_child_processes_agree(method: str) -> None:
    copies.child_processes_agree([case(game) for game in GAMES], method)


@pytest.mark.skipif(PLAIN, reason="compares compiled code with plain Python, which this is")
def test_20_plain_python_gives_the_same_bytes() -> None:
    plain, _ = child("trace", 12, NUMBA_DISABLE_JIT="1")
    assert plain == traces([case(game, preset) for game in GAMES for preset in game.presets], 12)


@preset_case
def test_records_have_no_holes(case: Case) -> None:
    copies.records_have_no_holes(case)


@preset_case
def test_replays_hold(case: Case, tmp_path: Path) -> None:
    copies.replays_hold(case, tmp_path / "game.json")
