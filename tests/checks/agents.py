"""Agents and hidden information (evaluation protocol: the no-peeking test)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from outbreak_rl.baselines.agents import Agent, Sampler
from outbreak_rl.envs.core.aec import OutbreakEnv

from .cases import Case
from .play import strict

WORLDS = 3


def sampler_of(env: OutbreakEnv, agent: str) -> Sampler:
    """What an agent is given to ask for worlds, the same ones whenever it looks the same."""
    return lambda n: [env.resampled(agent, seed) for seed in range(n)]


def agent_does_not_peek(
    case: Case, make: Callable[[OutbreakEnv], Agent], games: int = 2, most: int | None = 100
) -> int:
    """In every world that looks the same, an agent with the same dice does the same; returns how many worlds
    differed from the truth.

    ``make(env)`` gives the agent; ``env`` always stands where the agent is asked (only a planted peeker
    looks there).
    """
    env = strict(case)
    stage = strict(case)  # stands at the truth, then at the worlds
    agent = make(stage)
    dice = np.random.default_rng(3)
    differed = 0
    for seed in range(games):
        env.reset(seed=seed)
        asked = 0
        while not env.over and (most is None or asked < most):
            me = env.agent_selection
            mask = env.observe(me)["action_mask"]
            if mask.sum() > 1:
                asked += 1
                answers = set()
                for world in [env, *(env.resampled(me, other) for other in range(WORLDS))]:
                    stage.set_state(world.get_state())
                    differed += world.digest() != env.digest()
                    seen = world.observe(me)["action_mask"]
                    action = agent.act(world.view(me), seen, np.random.default_rng(9), sampler_of(env, me))
                    assert mask[action], f"{agent.name} answers {env.action_text(action)}, which is not legal"
                    answers.add(action)
                assert len(answers) == 1, f"{agent.name} knows what {me} cannot see, after {asked} decisions"
            env.step(int(dice.choice(mask.nonzero()[0])))
    return differed
