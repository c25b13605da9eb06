"""Adapters for outside trainers: where each of them looks for the mask.

TorchRL's and Tianshou's PettingZoo wrappers take the environments as they are (the mask stands in the
observation); MaskablePPO of sb3-contrib takes `single.SingleEnv`.  For the others:

- `Renamed`: RLlib's masking modules want the key ``observations``.
- `MaskInInfo` and `ParallelMaskInInfo`: AgileRL and SuperSuit want plain Box observations and the
  mask in ``infos``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo.utils.wrappers import BaseParallelWrapper

from outbreak_rl.envs.core.aec import Observation, OutbreakEnv
from outbreak_rl.envs.core.parallel import ParallelOutbreakEnv

from .information import Anything, Outbreak


class Renamed(Outbreak):
    """The observation under another key (``observations`` for RLlib); the mask stays ``action_mask``."""

    def __init__(self, env: Any, key: str = "observations") -> None:
        super().__init__(env)
        if not isinstance(key, str) or key == "action_mask":
            raise ValueError(f"key is {key!r}, must be a text other than 'action_mask', which the mask has")
        self.key = key

    def change_space(self, space: Anything) -> Anything:
        assert isinstance(space, gymnasium.spaces.Dict)
        return gymnasium.spaces.Dict({self._name(key): part for key, part in space.spaces.items()})

    def _name(self, key: str) -> str:
        return self.key if key == "observation" else key

    def observe(self, agent: str) -> Observation:
        """The wrapped observation with its key renamed."""
        return {self._name(key): part for key, part in (self.env.observe(agent) or {}).items()}


class MaskInInfo(Outbreak):
    """Observations are the plain Box; ``infos[agent]["action_mask"]`` has each agent's mask (int8)."""

    def change_space(self, space: Anything) -> Anything:
        assert isinstance(space, gymnasium.spaces.Dict)
        return space["observation"]

    def observe(self, agent: str) -> np.ndarray:  # type: ignore[override]
        """The observation alone."""
        return self.core.observe(agent)["observation"]

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """The masks, zero for agents that are not asked."""
        core: OutbreakEnv = self.core
        return {agent: {"action_mask": core.observe(agent)["action_mask"]} for agent in core.agents}

    @infos.setter
    def infos(self, value: Any) -> None:
        raise AttributeError("infos are made from the masks")


class ParallelMaskInInfo(BaseParallelWrapper[str, np.ndarray, int]):
    """The same for the parallel form: every agent has a mask with at least the no-op.

    ``env_defined`` also gives ``env_defined_actions``: the no-op for agents that are not asked, None
    for the one that is (AgileRL fills it in with its own choice).
    """

    def __init__(self, env: ParallelOutbreakEnv, env_defined: bool = False) -> None:
        if not isinstance(env, ParallelOutbreakEnv):
            raise TypeError(
                f"{type(self).__name__} wraps parallel environments of this suite, not {type(env).__name__}"
            )
        super().__init__(env)  # type: ignore[arg-type]
        self.parallel = env
        self.env_defined = env_defined

    def observation_space(self, agent: str) -> Anything:
        """The plain Box: one object for all agents."""
        space = self.parallel.observation_space(agent)
        assert isinstance(space, gymnasium.spaces.Dict)
        return space["observation"]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        """Deal a new game."""
        observations, _ = self.parallel.reset(seed, options)
        return self._split(observations)

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        """As the parallel form, with the masks in the infos."""
        seen, rewards, terminations, truncations, _ = self.parallel.step(actions)
        observations, infos = self._split(seen)
        return observations, rewards, terminations, truncations, infos

    def _split(self, seen: dict[str, Observation]) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": both["action_mask"]} for agent, both in seen.items()
        }
        if self.env_defined:
            for info in infos.values():
                mask = info["action_mask"]
                info["env_defined_actions"] = self.parallel.noop if mask[-1] or not mask.any() else None
        return {agent: both["observation"] for agent, both in seen.items()}, infos
