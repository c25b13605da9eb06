"""RLlib: PPO with its action-masking module, through its own PettingZoo wrapper and our `Renamed`."""

import numpy as np
import pytest

pytest.importorskip("ray.rllib")
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from outbreak_rl.envs import run_for_your_lives
from outbreak_rl.wrappers.trainers import Renamed

pytestmark = pytest.mark.interop


def test_rllib_trains_one_policy_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # or it leaves a token in the user's folder
    ray.init(num_cpus=1, include_dashboard=False, ignore_reinit_error=True)
    try:
        # raw_env: an illegal action would raise
        register_env("outbreak", lambda _: PettingZooEnv(Renamed(run_for_your_lives.raw_env(players=3))))
        config = (
            PPOConfig()
            .environment("outbreak", disable_env_checking=True)  # the check plays without the mask
            .env_runners(num_env_runners=0)
            .learners(num_learners=0)
            .training(train_batch_size_per_learner=300, minibatch_size=100, num_epochs=2)
            .multi_agent(policies={"all"}, policy_mapping_fn=lambda *_, **__: "all")
            .rl_module(
                rl_module_spec=MultiRLModuleSpec(
                    rl_module_specs={
                        "all": RLModuleSpec(
                            module_class=ActionMaskingTorchRLModule,
                            model_config={"head_fcnet_hiddens": [32], "head_fcnet_activation": "relu"},
                        )
                    }
                )
            )
        )
        algorithm = config.build_algo()
        before = {name: np.array(value) for name, value in algorithm.get_module("all").get_state().items()}
        for _ in range(2):
            result = algorithm.train()
        after = algorithm.get_module("all").get_state()
        assert any((np.array(after[name]) != value).any() for name, value in before.items())
        assert np.isfinite(result["learners"]["all"]["total_loss"])
        algorithm.stop()
    finally:
        ray.shutdown()
