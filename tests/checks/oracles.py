"""The oracles: slow lists of legal actions, written from the rulebook (``oracle/<game>.py``).

An oracle has ``legal_actions(position) -> set of action texts``; where its positions have other keys than
`OutbreakEnv.position` gives, ``from_position(position)`` maps them.
"""

from __future__ import annotations

import importlib
import random
from types import ModuleType

from .cases import Case, few
from .play import over, random_action, strict


def oracle_of(case: Case) -> ModuleType:
    """The game's oracle; a game without one fails."""
    return importlib.import_module(f"oracle.{case.game.name}")


def oracle_agrees(case: Case, decisions: int = 2000) -> None:
    """The oracle lists the same actions as the mask at many random decisions."""
    oracle = oracle_of(case)
    adapt = getattr(oracle, "from_position", dict)
    rng = random.Random(1)
    env = strict(case)
    env.reset(seed=rng.randrange(1 << 31))
    for _ in range(few(decisions)):
        position = env.position()
        wanted, got = set(oracle.legal_actions(adapt(position))), set(env.legal_texts())
        assert wanted == got, f"oracle alone {wanted - got}, rules alone {got - wanted} at {position}"
        env.step(random_action(env, rng))
        if over(env):
            env.reset(seed=rng.randrange(1 << 31))
