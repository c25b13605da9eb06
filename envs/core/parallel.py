"""The parallel form: all seats answer every step, those that are not asked with one no-op.

The no-op is the last action id, which the AEC form lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import ParallelEnv

from .aec import Observation, OutbreakEnv
from .rule import IllegalAction


class ParallelOutbreakEnv(ParallelEnv[str, Observation, int]):
    """A game as a PettingZoo parallel environment over its AEC form.

    Each step takes an action of every agent: the one asked plays, all others give ``noop``
    (the last id).  Anything else raises `IllegalAction` and changes nothing.
    """

    def __init__(self, aec: OutbreakEnv) -> None:
        self.aec = aec
        self.metadata = aec.metadata
        self.render_mode = aec.render_mode
        self.possible_agents = aec.possible_agents
        self.agents: list[str] = []
        self.noop = aec.game.actions.size
        features = aec.observation_space(aec.possible_agents[0])["observation"]  # type: ignore[index]
        mask = gymnasium.spaces.Box(0, 1, (self.noop + 1,), np.int8)
        space = gymnasium.spaces.Dict({"observation": features, "action_mask": mask})
        self.observation_spaces: dict[str, gymnasium.spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, space
        )
        self.action_spaces: dict[str, gymnasium.spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, gymnasium.spaces.Discrete(self.noop + 1)
        )

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """As in the AEC form, with one more place in the mask."""
        self.aec.seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """As in the AEC form, with the no-op."""
        self.aec.seat(agent)
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal a new game; see the AEC form."""
        self.aec.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        running = not self.aec._ended
        observations = {}
        for agent in self.agents:
            seen = self.aec.observe(agent)
            mask = np.append(seen["action_mask"], np.int8(running and agent != self.aec.agent_selection))
            observations[agent] = {"observation": seen["observation"], "action_mask": mask}
        return observations

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        """Play the action of the agent asked; returns observations, rewards, terminations, truncations, infos."""
        if not self.agents:
            raise RuntimeError("there is no game to step: call reset() first")
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions are {actions!r}, must be a dict with one of each agent")
        asked = self.aec.agent_selection
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"there is no action for {agent}: every agent answers every step")
            if agent != asked and self.aec._index(actions[agent]) != self.noop:
                raise IllegalAction(
                    f"{agent} is not asked and must answer {self.noop} (no-op), not {actions[agent]}"
                )
        if self.aec._index(actions[asked]) == self.noop:
            raise IllegalAction(
                f"{asked} is asked and cannot answer {self.noop} (no-op); "
                f"legal are: {', '.join(self.aec.legal_texts())}"
            )
        self.aec.step(actions[asked])
        results: tuple[Any, Any, Any, Any, Any] = (
            self._observations(),
            dict(self.aec.rewards),
            dict(self.aec.terminations),
            dict(self.aec.truncations),
            {agent: {} for agent in self.agents},
        )
        if self.aec._ended:
            self.agents = []
        return results

    def state(self) -> np.ndarray:
        """The full truth, as in the AEC form."""
        return self.aec.state()

    @property
    def state_space(self) -> gymnasium.spaces.Box:
        """The space of `state`."""
        return self.aec.state_space

    def render(self) -> str | np.ndarray | None:
        """The picture, as in the AEC form."""
        return self.aec.render()

    def close(self) -> None:
        """As in the AEC form."""
