"""AgileRL: IPPO with one policy for all seats, through its own vector environment and our `ParallelMaskInInfo`.

AgileRL 2.58 asks for pettingzoo<1.27, so that pip refuses to install it beside this package (and it is not in the
extra `interop`); it works with 1.27 all the same.  It imports peft without asking for it.  In an environment of
its own, where this test must pass and is not skipped:

    pip install agilerl peft pytest numba filelock platformdirs tomlkit typer
    pip install --no-deps pettingzoo==1.27.0 .
    pytest -m interop tests/interop/test_agilerl.py
"""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("agilerl")
import torch
from agilerl.algorithms import IPPO
from agilerl.training.train_multi_agent_on_policy import train_multi_agent_on_policy
from agilerl.vector import PzDummyVecEnv

from outbreak_rl.envs import run_for_your_lives
from outbreak_rl.wrappers.trainers import ParallelMaskInInfo

pytestmark = pytest.mark.interop


class LiveMasks(ParallelMaskInInfo):
    """Two ways round AgileRL 2.58: masks as lists, since its IPPO stumbles over arrays (it asks whether None is
    among them), in one dict for all steps, since its vector environment deals the next game itself but gives on
    the infos of the last one."""

    infos: Any = None

    def _split(self, seen: Any) -> Any:
        observations, infos = super()._split(seen)
        self.infos = self.infos or {agent: {} for agent in infos}
        for agent, info in infos.items():
            self.infos[agent].update(info, action_mask=info["action_mask"].tolist())
        return observations, self.infos


def test_ippo_trains_one_policy_for_all_seats_and_plays_legal_actions() -> None:
    torch.manual_seed(0)
    env = LiveMasks(run_for_your_lives.parallel_env(players=3), env_defined=True)  # illegal raises
    agents = env.possible_agents
    spaces = [env.observation_space(agent) for agent in agents], [env.action_space(agent) for agent in agents]
    layers = {"encoder_config": {"hidden_size": [32]}, "head_config": {"hidden_size": [32]}}
    agent = IPPO(*spaces, agent_ids=agents, net_config=layers, batch_size=64, learn_step=256, update_epochs=2)
    assert list(agent.actors) == ["player"]  # one policy for all
    before = [parameter.detach().clone() for parameter in agent.actors["player"].parameters()]
    (trained,), fitnesses = train_multi_agent_on_policy(
        PzDummyVecEnv(env), "run_for_your_lives", "IPPO", [agent], sum_scores=False,
        max_steps=512, evo_steps=256, eval_steps=50, eval_loop=1, verbose=False,
    )  # fmt: skip
    after = list(trained.actors["player"].parameters())
    assert any((old != new).any() for old, new in zip(before, after, strict=True))
    assert all(torch.isfinite(parameter).all() for parameter in after)
    assert fitnesses
    trained.set_training_mode(False)
    observations, infos = env.reset(seed=5)
    total = np.zeros(3)
    while env.agents:
        actions, *_ = trained.get_action(observations, infos)
        chosen = {name: int(np.asarray(action).item()) for name, action in actions.items()}
        assert all(infos[name]["action_mask"][chosen[name]] for name in agents)
        observations, rewards, _, _, infos = env.step(chosen)
        total += [rewards[name] for name in agents]
    assert total.sum() == pytest.approx(0)
