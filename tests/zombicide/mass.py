"""Random decisions in bulk over all missions, teams and random maps.

    python tests/zombicide/mass.py [DECISIONS]      five million by default; prints what was played

After every step in every lane: all cards, figures and wounds are there (the game's own check), the seat that is
asked has a choice, and no phase goes on for ever (a round takes at most MOST decisions).
"""

from __future__ import annotations

import sys
import time

import numpy as np

from outbreak_rl.envs import zombicide
from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.zombicide.mission import mission_names

MOST = 3000
TEAMS = (
    {"players": 1}, {"players": 1, "survivors": 4, "zombivors": "return"}, {"players": 2, "zombivors": "return"},
    {"players": 3, "zombivors": "start"}, {"players": 4}, {"players": 5, "friendly_fire": False},
    {"players": 6, "auto": True, "zombivors": "return"},
)  # fmt: skip
MISSIONS = (
    *mission_names(),
    *(f"random-{seed}-{1 + seed % 9}-{seed % 6}" for seed in range(12)),
)
VARIANTS = [{"mission": mission, **team} for mission in MISSIONS for team in TEAMS]


def random_actions(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Uniform over the legal actions, but turns are ended less often."""
    weights = masks.astype(np.float32)
    weights[:, 0] *= 0.2
    sums = weights.cumsum(1)
    chosen: np.ndarray = (sums <= rng.random((len(masks), 1), np.float32) * sums[:, -1:]).sum(1)
    return chosen


def play(decisions: int, seed: int, copies: int = 2) -> dict[str, int]:
    """Play so many decisions; raises AssertionError, or ValueError from the game's check."""
    batch = BatchEnv(zombicide.GAME, copies * len(VARIANTS), seed, VARIANTS)
    batch.reset(seed)
    rng = np.random.default_rng(seed)
    lanes = batch.num_envs
    turns = batch.states["turns"].copy()
    since = np.zeros(lanes, np.int64)  # decisions in this round
    played = games = rounds = longest = 0
    while played < decisions:
        assert (batch.masks.sum(1) > 1).all(), "a seat is asked that has no choice"
        _, terminated, truncated = batch.step(random_actions(batch.masks, rng))
        batch._lanes.serve(kernel.INSPECT, 0, lanes)
        new = (batch.states["turns"] != turns) | terminated | truncated
        since = np.where(new, 0, since + 1)
        longest = max(longest, int(since.max()))
        assert longest < MOST, f"a round of {MOST} decisions in lane {int(since.argmax())}"
        turns = batch.states["turns"].copy()
        played += lanes
        games += int((terminated | truncated).sum())
        rounds += int(new.sum())
    return {"decisions": played, "games": games, "rounds": rounds, "longest round": longest}


if __name__ == "__main__":
    start = time.perf_counter()
    for what, n in play(int((sys.argv[1:] or ["5_000_000"])[0]), seed=11).items():
        print(f"{what}: {n:,}")
    print(f"{len(VARIANTS)} option sets, {time.perf_counter() - start:.0f} s")
