"""Playing on: random legal play, moments of random games, what a seat senses, traces."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.game import Lanes

from .cases import Case, few

LONGEST = 3000  # decisions of one random game; a longer one is left there


def strict(case: Case, **keywords: Any) -> OutbreakEnv:
    """`raw_env` of a case."""
    return OutbreakEnv(case.game, case.options, strict=True, **keywords)


def lenient(case: Case, **keywords: Any) -> OutbreakEnv:
    """`env` of a case."""
    return OutbreakEnv(case.game, case.options, **keywords)


def batch(case: Case, n: int, seed: int = 0, threads: int = 1) -> BatchEnv:
    """A batch of a case."""
    return BatchEnv(case.game, n, seed, [case.options.as_dict()], threads)


def over(env: OutbreakEnv) -> bool:
    """Whether the game has ended."""
    return all(env.terminations.values()) or all(env.truncations.values())


def mask_of(env: OutbreakEnv, agent: str | None = None) -> np.ndarray:
    """The mask of an agent (by default of the one selected)."""
    return env.observe(agent or env.agent_selection)["action_mask"]


def random_action(env: OutbreakEnv, rng: random.Random) -> int:
    """A legal action of the agent selected."""
    legal = np.flatnonzero(mask_of(env)).tolist()
    assert legal, f"{env.agent_selection} is asked and has no legal action"
    return int(rng.choice(legal))


def walk(env: OutbreakEnv, rng: random.Random, most: int = LONGEST) -> Iterator[OutbreakEnv]:
    """Random legal play from where the environment stands: itself before each decision and at the end."""
    for _ in range(most):
        yield env
        if over(env):
            return
        env.step(random_action(env, rng))


def play_out(env: OutbreakEnv, seed: int = 0, most: int = LONGEST) -> list[int]:
    """Random legal play to the end; returns the actions."""
    rng = random.Random(seed)
    actions: list[int] = []
    while not over(env) and len(actions) < most:
        actions.append(random_action(env, rng))
        env.step(actions[-1])
    return actions


def moments(case: Case, count: int, seed: int = 0) -> list[OutbreakEnv]:
    """Copies of strict environments at random times of random games: deals and ends, too."""
    rng = random.Random(seed)
    kept: list[OutbreakEnv] = []
    per_game = min(8, count)
    while len(kept) < count:
        env = strict(case)
        env.reset(seed=rng.randrange(1 << 31))
        kept.append(env.clone())
        between: list[OutbreakEnv] = []
        for number, _ in enumerate(walk(env, rng, few(LONGEST, 30))):
            if len(between) < per_game - 2:
                between.append(env.clone())
            elif rng.random() < (per_game - 2) / (number + 1):
                between[rng.randrange(len(between))] = env.clone()
        kept += [*between, env]
    return kept[:count]


def senses(env: OutbreakEnv, agent: str, pictures: bool = False) -> dict[str, Any]:
    """Everything that an agent is given now, in comparable form."""
    seen = env.observe(agent)
    found: dict[str, Any] = {
        "observation": seen["observation"].tobytes(),
        "mask": seen["action_mask"].tobytes(),
        "view": env.view(agent).tobytes(),
        "info": repr(env.infos[agent]),
        "asked": env.agent_selection,
        "ended": over(env),
        "rewards": repr(env.rewards),
    }
    if agent == env.agent_selection:
        found["legal"] = env.legal_texts()
    if pictures:
        found |= {form: env.draw(form, agent) for form in ("ansi", "svg")}
    return found


def without(record: np.ndarray, *names: str) -> bytes:
    """The bytes of State records with some fields zeroed; ``seats.took`` is a field within a field."""
    copy = np.frombuffer(bytearray(record.tobytes()), record.dtype)
    for name in names:
        *outer, last = name.split(".")
        within = copy
        for part in outer:
            within = within[part]
        within[last] = np.zeros((), within.dtype[last].base)
    return copy.tobytes()


def moment_digest(env: OutbreakEnv) -> str:
    """Digest of the state, of every seat's and a spectator's View and of the mask: eight hex digits."""
    found = hashlib.sha256(env.get_state())
    for agent in (*env.possible_agents, None):
        found.update(env.view(agent).tobytes())
    found.update(mask_of(env).tobytes())
    return found.hexdigest()[:8]


def trace(env: OutbreakEnv, actions: list[int]) -> list[str]:
    """The digests before each action and after the last."""
    digests = [moment_digest(env)]
    for action in actions:
        env.step(action)
        digests.append(moment_digest(env))
    return digests


def traces(cases: list[Case], most: int) -> dict[str, list[str]]:
    """The trace of a short random game for each case (compared between processes and modes)."""
    found = {}
    for case in cases:
        env = strict(case)
        env.reset(seed=11)
        actions = play_out(env.clone(), seed=5, most=most)
        found[str(case)] = trace(env, actions)
    return found


def nth_legal(masks: np.ndarray, step: int) -> np.ndarray:
    """A legal action for each row of masks, the same ones in every process: int64 (n,)."""
    counts = masks.sum(1, dtype=np.int64)
    lane = np.arange(len(masks), dtype=np.int64)
    wanted = (step * 7919 + lane * 104729) % np.maximum(counts, 1)
    return (np.cumsum(masks, 1, dtype=np.int64) > wanted[:, None]).argmax(1)


def batch_digest(env: BatchEnv, steps: int) -> str:
    """Digest of everything that a batch shows while it plays."""
    found = hashlib.sha256()
    env.reset()
    for step in range(steps):
        for array in (env.states, env.views, env.masks, env.seats, env.seeds, env.final_states):
            found.update(array.tobytes())
        for result in env.step(nth_legal(env.masks, step)):
            found.update(result.tobytes())
    return found.hexdigest()


def lanes_of(case: Case, states: np.ndarray) -> Lanes:
    """Lanes that stand at given states, observed for the acting seats."""
    lanes = Lanes(case.game, len(states), case.game.blank(case.options), case.game.tables(case.options))
    lanes.states = np.frombuffer(bytearray(states.tobytes()), case.game.state)
    lanes.bind()
    return lanes
