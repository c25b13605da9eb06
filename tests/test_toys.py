"""What core gives to any game, for a toy with run-time tables that lies outside the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from checks import copies
from checks.cases import case
from checks.play import nth_legal, play_out, strict
from numba.core import event
from toys import tally, wells

from outbreak_rl.envs.core import replay
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.position import PositionError
from outbreak_rl.envs.core.rule import PLAIN, cache_folder, cache_root, game_folder


class Compiles(event.Listener):
    """Counts what Numba compiles."""

    def __init__(self) -> None:
        self.count = 0

    def on_start(self, event: Any) -> None:
        self.count += 1

    def on_end(self, event: Any) -> None:
        pass


@pytest.fixture
def star(monkeypatch: pytest.MonkeyPatch) -> str:
    """A map that was not there when the rules were compiled."""
    monkeypatch.setitem(wells.MAPS, "star", wells.made_map(5, 6, 0, [(0, 1), (0, 2), (0, 3), (0, 4)]))
    return "star"


def test_a_new_table_needs_no_compile(star: str) -> None:
    wells.GAME.compile()
    with event.install_listener("numba:compile", Compiles()) as listener:
        env = wells.raw_env(map=star)
        env.reset(seed=1)
        assert env.legal_texts() == ["walk to b", "walk to c", "walk to d", "walk to e", "dig"]
        play_out(env)
        assert env.record["turns"] == 6
        many = BatchEnv(wells.GAME, 64, 0, [{"map": "ring"}, {"map": star}])
        many.reset()
        many.step(nth_legal(many.masks, 0))
    assert listener.count == 0


def test_maps_mix_in_one_batch(star: str) -> None:
    copies.variants_mix(
        [case(wells.GAME, map=name, players=2 + n % 2) for n, name in enumerate(wells.MAPS)], steps=100
    )


def test_each_lane_has_its_own_map() -> None:
    many = BatchEnv(wells.GAME, 9, 0, [{"map": "ring"}, {"map": "row"}, {"map": "corner"}])
    many.reset()
    assert many.states["table"].tolist() == [0] * 9, "each lane counts its own tables from 0"
    assert many.views["wells"].tolist() == [6, 4, 3] * 3
    many.variants[:] = 2
    for step in range(60):
        many.step(nth_legal(many.masks, step))
    assert many.views["wells"].tolist() == [3] * 9, "the next deals are of the variant asked for"
    many.reset(seed=4)
    for lane in (0, 8):
        env = strict(case(wells.GAME, map="corner"))
        env.reset(seed=int(many.seeds[lane]))
        assert env.get_state() == many.states[lane].tobytes(), "the same bytes as alone"


def test_another_table_is_refused(star: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = wells.raw_env(map=star)
    env.reset(seed=3)
    position = env.position()
    actions = play_out(env)
    kept = replay.of_game(env, 3, actions)
    assert kept.run(wells.GAME).digest() == env.digest()
    monkeypatch.setitem(wells.MAPS, "star", wells.made_map(5, 7, 0, [(0, 1), (0, 2), (0, 3), (0, 4)]))
    with pytest.raises(replay.ReplayError, match="other tables"):
        kept.run(wells.GAME)
    with pytest.raises(PositionError, match="table"):
        wells.raw_env(map=star).set_position(position)


def test_rules_outside_the_package_have_a_cache_of_their_own() -> None:
    for module in (tally, wells):
        folder = game_folder(module.__name__)
        assert folder.name == "toys"
        assert cache_root() in cache_folder(folder).parents
    if not PLAIN:
        for game in (tally.GAME, wells.GAME):
            game.compile()
        names = {path.name.split("-")[0] for path in cache_folder(game_folder("toys.tally")).rglob("*.nbi")}
        assert {"tally.draw", "wells.carry_out"} <= names


def test_a_simultaneous_secret_stays_one() -> None:
    """What one seat has laid changes nothing that another is given."""
    seen = set()
    first = strict(case(tally.GAME, first_seat=0))
    first.reset(seed=4)
    for action in np.flatnonzero(first.observe("player_0")["action_mask"]):
        env = first.clone()
        env.step(action)
        given = env.observe("player_1")
        seen.add(
            (given["observation"].tobytes(), given["action_mask"].tobytes(), env.draw("ansi", "player_1"))
        )
    assert len(seen) == 1


def test_events_in_words() -> None:
    env = strict(case(tally.GAME, first_seat=0))
    env.reset(seed=4)
    play_out(env)
    mine = [tally.event_text(row, env.options) for row in env.information_state("player_0")]
    other = [tally.event_text(row, env.options) for row in env.information_state("player_1")]
    assert "player_0 is dealt a card" in other
    assert "player_0 is dealt a card" not in mine
