"""Shaped rewards, apart from the environments, which have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from outbreak_rl.envs.core.aec import Observation

from .information import Outbreak

Potential = Callable[[np.void], float]


class Shaped(Outbreak):
    """Adds ``gamma * potential(next View) - potential(View)`` between a seat's own decisions.

    The potential sees what the seat sees, a View record, and counts as 0 when the game has
    terminated, so that the best policies stay the best (Ng, Harada and Russell 1999).  ``gamma`` is
    the discount between a seat's own decisions.  A game that was cut off keeps its last potential.
    """

    def __init__(self, env: Any, potential: Potential, gamma: float = 1.0) -> None:
        super().__init__(env)
        if not callable(potential):
            raise TypeError(f"potential is {potential!r}, must be a function of a View")
        if not isinstance(gamma, (int, float)) or not 0 <= gamma <= 1:
            raise ValueError(f"gamma is {gamma!r}, must be a number from 0 to 1")
        self.potential = potential
        self.gamma = gamma

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game."""
        self.env.reset(seed=seed, options=options)
        self.rewards = dict.fromkeys(self.core.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.core.agents, 0.0)
        self._before: dict[str, float] = {}
        self._ask()

    def step(self, action: int | None) -> None:
        """Play on; what a seat is given stands in ``rewards`` and in what its next `last` returns."""
        core, before = self.core, self.core.over
        agent = core.agent_selection
        self.env.step(action)  # type: ignore[arg-type]
        if before:
            self.rewards = dict.fromkeys(core.agents, 0.0)
            self._cumulative_rewards = {name: self._cumulative_rewards[name] for name in core.agents}
            return
        self.rewards = dict(core.rewards)
        self._cumulative_rewards[agent] = 0.0
        if core.over:
            for name in list(self._before):
                self._pay(name, 0.0 if core.terminations[name] else self._potential(name))
        else:
            self._ask()
        for name, reward in self.rewards.items():
            self._cumulative_rewards[name] += reward

    def _ask(self) -> None:
        """A seat stands at a decision: pay for the way from its last one."""
        if self.core.over:
            return
        agent = self.core.agent_selection
        now = self._potential(agent)
        if agent in self._before:
            self._pay(agent, now)
        self._before[agent] = now

    def _pay(self, agent: str, now: float) -> None:
        self.rewards[agent] += self.gamma * now - self._before[agent]

    def _potential(self, agent: str) -> float:
        return float(self.potential(self.core.view(agent)))

    def observe(self, agent: str) -> Observation:
        """What the wrapped environment shows."""
        return self.env.observe(agent)  # type: ignore[return-value]
