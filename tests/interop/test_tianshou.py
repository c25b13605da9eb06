"""Tianshou 2: a DQN seat among uniform ones, through its own PettingZoo wrapper."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tianshou")
from tianshou.algorithm import DQN  # noqa: E402
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy  # noqa: E402
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm  # noqa: E402
from tianshou.algorithm.optim import AdamOptimizerFactory  # noqa: E402
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm  # noqa: E402
from tianshou.data import Collector, VectorReplayBuffer  # noqa: E402
from tianshou.env import DummyVectorEnv, PettingZooEnv  # noqa: E402
from tianshou.trainer import OffPolicyTrainerParams  # noqa: E402
from tianshou.utils.net.common import Net  # noqa: E402

from outbreak_rl.envs import run_for_your_lives  # noqa: E402

pytestmark = pytest.mark.interop


def test_a_dqn_seat_trains_and_only_plays_legal_actions() -> None:
    torch.manual_seed(0)
    np.random.seed(0)

    def new() -> PettingZooEnv:
        return PettingZooEnv(run_for_your_lives.raw_env(players=3))  # an illegal action would raise

    env = new()
    game = run_for_your_lives.GAME
    net = Net(state_shape=(game.fields.width,), action_shape=(game.actions.size,), hidden_sizes=(32,))
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.2)
    seat = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=50)
    rest = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in range(2)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[seat, *rest], env=env)
    before = [parameter.detach().clone() for parameter in net.parameters()]
    venv = DummyVectorEnv([new for _ in range(4)])
    collector = Collector(algorithm, venv, VectorReplayBuffer(4000, 4), exploration_noise=True)
    tests = Collector(algorithm, DummyVectorEnv([new]))
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector, test_collector=tests, max_epochs=1, epoch_num_steps=400,
            collection_step_num_env_steps=100, test_step_num_episodes=2, batch_size=32,
            update_step_num_gradient_steps_per_sample=0.1, multi_agent_return_reduction=lambda rewards: rewards[:, 0],
        )
    )  # fmt: skip
    assert result is not None
    assert any((old != new).any() for old, new in zip(before, net.parameters(), strict=True))
    played = tests.collect(n_episode=4, reset_before_collect=True)
    assert played.n_collected_episodes == 4
    assert np.isfinite(played.returns).all()
    assert (
        np.abs(played.returns.reshape(4, -1).sum(1)).max() < 1e-5
    )  # the rewards of all seats add up to zero
