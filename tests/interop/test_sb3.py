"""MaskablePPO of sb3-contrib, on the Gymnasium form."""

import numpy as np
import pytest

from outbreak_rl.wrappers.single import make

sb3_contrib = pytest.importorskip("sb3_contrib")
pytestmark = pytest.mark.interop


def test_maskable_ppo_trains_and_plays_legal_actions() -> None:
    env = make("outbreak/run_for_your_lives", seat=0, players=3, strict=True)  # an illegal action would raise
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=2, seed=1)
    before = {name: value.clone() for name, value in model.policy.state_dict().items()}
    model.learn(512)
    assert any((value != before[name]).any() for name, value in model.policy.state_dict().items())
    observation, _ = env.reset(seed=5)
    over = False
    while not over:
        action, _ = model.predict(observation, action_masks=env.action_masks())
        assert env.action_masks()[int(action)]
        observation, reward, terminated, truncated, _ = env.step(int(action))
        over = terminated or truncated
    assert np.isfinite(reward)
