"""Observation and legal actions as text, for language models and for reading along."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from outbreak_rl.envs.core.aec import whole_number

from .information import Anything, Outbreak


class Words(gymnasium.Space[str]):
    """Any text."""

    def __init__(self) -> None:
        super().__init__((), None)

    def contains(self, x: Any) -> bool:
        """Whether something is a text."""
        return isinstance(x, str)

    @property
    def is_np_flattenable(self) -> bool:
        """Texts are not numbers."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Some text."""
        return "text" * int(self.np_random.integers(1, 4))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words)

    def __hash__(self) -> int:
        return hash(Words)


class Text(Outbreak):
    """Observations are a Dict of ``text`` and ``action_mask``; actions may be given as text.

    The text has what the seat sees, what it has seen happen (the last ``events``) and, on its turn,
    its legal actions, one a line, in the words that `step` takes.
    """

    def __init__(self, env: Any, events: int = 20) -> None:
        super().__init__(env)
        if whole_number("events", events) < 0:
            raise ValueError(f"events is {events}, must be 0 or more")
        self.events = events

    def change_space(self, space: Anything) -> Anything:
        assert isinstance(space, gymnasium.spaces.Dict)
        return gymnasium.spaces.Dict({"text": Words(), "action_mask": space["action_mask"]})

    def observe(self, agent: str) -> dict[str, Any]:
        """The text for an agent, and its mask."""
        mask = self.core.observe(agent)["action_mask"]
        return {"text": self.describe(agent, mask), "action_mask": mask}

    def describe(self, agent: str, mask: np.ndarray) -> str:
        """What an agent sees, in words."""
        core = self.core
        parts = [
            f"{core.game.title}. You are {agent} of {len(core.possible_agents)}.",
            core.draw("text", agent).rstrip(),
        ]
        seen = core.event_texts(agent)[-self.events :] if self.events else []
        if seen:
            parts.append("What happened last:\n" + "\n".join(f"- {line}" for line in seen))
        legal = [core.action_text(int(action)) for action in mask.nonzero()[0]]
        if legal:
            parts.append("It is your turn. Answer with one of:\n" + "\n".join(f"- {text}" for text in legal))
        return "\n\n".join(parts)

    def step(self, action: int | str | None) -> None:
        """Play an action given as id or text; raises ValueError with the nearest text where it is none."""
        self.env.step(self.core.parse_action(action) if isinstance(action, str) else action)  # type: ignore[arg-type]
