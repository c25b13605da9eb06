"""Recorded games that a scripted team won: each mission can be won."""

from pathlib import Path

import pytest

from outbreak_rl.envs import zombicide
from outbreak_rl.envs.core import replay
from outbreak_rl.envs.zombicide.mission import mission_names

FILES = sorted((Path(__file__).parent / "replays").glob("*.json"))


def test_every_mission_has_a_recorded_win():
    assert [path.stem for path in FILES] == list(mission_names())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_recorded_game_is_won_again(path):
    env = replay.load(path).run(zombicide.GAME)
    assert env.options == zombicide.GAME.make_options(mission=path.stem)  # the default options otherwise
    assert env._lanes.states[0]["won"] == 1
    assert set(env.rewards.values()) == {1.0}
