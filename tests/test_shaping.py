"""Rewards shaped by a game's potential, in training."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from test_curriculum import TEAM  # noqa: E402

from outbreak_rl.baselines.agents import make_potential  # noqa: E402
from outbreak_rl.baselines.config import ConfigError, from_dict  # noqa: E402
from outbreak_rl.baselines.ppo import Trainer, _same_run  # noqa: E402


def test_shaped_rewards_are_a_known_part_of_the_values(tmp_path: Path) -> None:
    overrides = ["--run.folder", str(tmp_path), "--ppo.shaping", "0.5"]
    trainer = Trainer(from_dict(TEAM, "here", overrides))
    trainer._begin()
    trainer.collect()
    rollout = trainer.rollout
    views = np.ascontiguousarray(rollout.here["views"]).reshape(-1, trainer.game.fields.size)
    known = 0.5 * make_potential(trainer.game)(views.view(trainer.game.fields.dtype)[:, 0])
    assert known.std() > 0
    with torch.inference_mode():
        estimates = trainer.network.rewards(
            trainer.network(torch.from_numpy(views), torch.zeros(len(views), 0))[1]
        )
    values = rollout.here["values"].reshape(-1)
    np.testing.assert_allclose(values, estimates.numpy() + known, atol=1e-5)


@pytest.mark.parametrize(("name", "message"), [("run_for_your_lives", "has no potential")])
def test_shaping_needs_a_potential(name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=f"ppo.shaping is 1.0, must be 0: outbreak/{name} {message}"):
        from_dict({"game": f"outbreak/{name}", "ppo": {"shaping": 1.0}}, "here", [])


def test_a_run_from_before_a_setting_goes_on_with_its_default() -> None:
    now = from_dict(TEAM, "here").as_dict()
    before = {**now, "ppo": {key: value for key, value in now["ppo"].items() if key != "shaping"}}
    _same_run(before, now, Path("run"))
    with pytest.raises(ConfigError, match=r"the run in run has ppo.shaping 0.0, not 1.0"):
        _same_run(before, {**now, "ppo": {**now["ppo"], "shaping": 1.0}}, Path("run"))
