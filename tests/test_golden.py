"""Conformance line 21: golden traces, one for each preset of each game."""

import golden
import pytest
from checks.cases import Case, every_game, few, preset_case

from outbreak_rl.envs.core.game import Game


@pytest.mark.checked
@pytest.mark.plain
@preset_case
def test_21_games_go_as_they_went(case: Case) -> None:
    written = golden.load(case.game)[case.preset]
    golden.compare(case, written, few(golden.MOST, 20))


@every_game
def test_21_every_preset_has_a_trace(game: Game) -> None:
    written = golden.load(game)
    assert list(written) == list(game.presets), "run python tests/golden.py --write"
    for trace in written.values():
        assert len(trace["digests"]) == 8 * (len(trace["actions"]) + 1)
        assert len(trace["actions"]) > 3
