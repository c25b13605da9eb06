"""Curricula, and the configurations of the large games."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from small_runs import SMALL, everything  # noqa: E402

from outbreak_rl.baselines import checkpoint  # noqa: E402
from outbreak_rl.baselines.config import ConfigError, Curriculum, from_dict, load  # noqa: E402
from outbreak_rl.baselines.curriculum import Levels  # noqa: E402
from outbreak_rl.baselines.policy import PolicyAgent  # noqa: E402
from outbreak_rl.baselines.ppo import Trainer, TrainingStopped, train  # noqa: E402
from outbreak_rl.envs import game, make_batch  # noqa: E402

TEAM: dict[str, Any] = {
    "game": "outbreak/pandemic",
    "seed": 5,
    "env": {"epidemics": [0, 1, 4], "players": [2, 3], "map": "small"},
    "curriculum": {"option": "epidemics", "share": 0.0, "games": 3},
    "network": {"hidden": [16]},
    "ppo": {"decisions": 4 * 12 * 40, "lanes": 12, "steps": 40, "minibatches": 2},
    "selfplay": {"latest": 1.0, "past": 0},
    "run": {"threads": 1, "checkpoint_every": 2, "tensorboard": False, "progress": False},
}


def stopped_and_resumed(values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Train once whole and once stopped at its first checkpoint and resumed; both must end the same."""
    train(from_dict(values, "here", ["--run.folder", str(tmp_path / "whole")]))
    keep = Trainer.keep

    def stop(self: Trainer, report: Any) -> None:
        keep(self, report)
        self.stop = True

    monkeypatch.setattr(Trainer, "keep", stop)
    with pytest.raises(TrainingStopped, match=r"--run\.resume true"):
        train(from_dict(values, "here", ["--run.folder", str(tmp_path / "parts")]))
    monkeypatch.setattr(Trainer, "keep", keep)
    train(from_dict(values, "here", ["--run.folder", str(tmp_path / "parts"), "--run.resume", "true"]))
    assert everything(tmp_path / "parts") == everything(tmp_path / "whole")
    return tmp_path / "whole"


def test_a_curriculum_opens_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stopped_and_resumed(TEAM, tmp_path, monkeypatch)
    rows = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
    opened = [row["open/epidemics"] for row in rows]
    assert opened == sorted(opened)
    assert opened[-1] > 1
    assert all(0 <= row.get("won/epidemics 0", 0) <= 1 for row in rows)
    assert "curriculum.playing" in checkpoint.read(folder / "checkpoints" / "update-0000004.0.safetensors")[0]
    other = ["--run.folder", str(folder), "--run.resume", "true", "--curriculum.games", "9"]
    with pytest.raises(ConfigError, match=r"curriculum.games 3, not 9"):
        train(from_dict(TEAM, "here", other))


def test_only_open_values_are_dealt_and_counted_for_what_was_played(tmp_path: Path) -> None:
    """The lanes' games are what the curriculum believes them to be, at every step."""
    for share, most in ((1.0, 0), (0.0, 4)):
        overrides = ["--run.folder", str(tmp_path), "--curriculum.share", str(share)]
        trainer = Trainer(from_dict(TEAM, "here", overrides))
        trainer._begin()
        levels, batch = trainer.levels, trainer.batch
        assert levels is not None
        step, seen = batch.step, set()

        def watched(
            actions: Any, levels: Any = levels, batch: Any = batch, step: Any = step, seen: set[int] = seen
        ) -> Any:
            options = [batch.options[k] for k in levels.playing]
            assert [o.epidemics for o in options] == batch.states["options"]["epidemics"].tolist()
            assert [o.players for o in options] == batch.players.tolist()
            seen |= {o.epidemics for o in options}
            return step(actions)

        batch.step = watched  # type: ignore[method-assign]
        for _ in range(4):
            trainer.collect()
        assert max(seen) == most
        assert levels.games.sum() > 10


def test_a_curriculum_measures_each_value_and_opens_at_its_share() -> None:
    variants = [{"epidemics": e, "players": p} for e in (0, 1, 2) for p in (2, 3)]
    levels = Levels(Curriculum("epidemics", share=0.5, games=4, hardest=0.8), variants, 1000, seed=1)
    chosen = np.zeros(1000, np.int32)
    levels.begin(chosen)
    assert set(chosen) == {0, 1}  # both numbers of players, no epidemics
    levels.note(np.arange(8), np.array([1, 0, 0, 0, 0, 0, 0, 1], bool), chosen)
    assert (levels.open, levels.share[0]) == (1, 0.25)
    levels.note(np.arange(8), np.ones(8, bool), chosen)
    assert levels.open == 2
    assert levels.share[0] == pytest.approx(10 / 16)
    assert levels.games.tolist() == [16, 0, 0]
    levels.note(np.arange(1000), np.zeros(1000, bool), chosen)
    counts = np.bincount(levels.level[chosen], minlength=3)
    assert counts[2] == 0
    assert counts[1] / 1000 == pytest.approx(0.9, abs=0.04)  # 0.8, and half of the rest
    levels.note(np.arange(1000), np.zeros(1000, bool), chosen)  # what was already dealt
    before = int(levels.games[1])
    levels.note(np.arange(1000), np.zeros(1000, bool), chosen)
    assert levels.games[1] - before == counts[1]
    assert set(levels.figures()) == {"open/epidemics", "won/epidemics 0", "won/epidemics 1"}


@pytest.mark.parametrize("name", ["pandemic/ppo", "city_of_horror/ppo", "zombicide/ppo"])
def test_shipped_configurations_of_large_games_train_and_resume(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = load(name).as_dict()
    values["network"]["hidden"] = [16]
    values["ppo"] |= {"decisions": 4 * 8 * 16, "lanes": 8, "steps": 16, "minibatches": 2, "epochs": 1}
    values["selfplay"]["every"] = 1
    values["run"] |= {"threads": 1, "checkpoint_every": 2, "tensorboard": False, "progress": False}
    folder = stopped_and_resumed(values, tmp_path, monkeypatch)
    agent = PolicyAgent.load(folder / "policy.safetensors", game(values["game"]))
    batch = make_batch(values["game"], 4, seed=2)
    batch.reset()
    actions = agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(0))
    assert batch.masks[np.arange(4), actions].all()


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "--curriculum.option=roles",
            r"curriculum.option is 'roles', must be an option of \[env\] with a list",
        ),
        ("--env.epidemics=4", "must be an option of .env. with a list"),
        ("--curriculum.share=1.5", "curriculum.share is 1.5, must be from 0 to 1"),
        ("--curriculum.games=0", "curriculum.games is 0, must be 1 or more"),
        ("--curriculum.shares=1", "did you mean 'share'"),
    ],
)
def test_wrong_curricula_are_refused(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(TEAM, "here", [override])


def test_a_curriculum_needs_a_game_that_all_win_together() -> None:
    with pytest.raises(ConfigError, match="is not won by all together"):
        from_dict(SMALL, "SMALL", ["--curriculum.option", "players"])
