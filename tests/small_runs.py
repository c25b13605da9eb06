"""A small training run, and what tests ask of its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from outbreak_rl.baselines import checkpoint
from outbreak_rl.baselines.config import Config, from_dict
from outbreak_rl.envs import game

RFYL = game("run_for_your_lives")
SMALL: dict[str, Any] = {
    "game": "outbreak/run_for_your_lives",
    "seed": 3,
    "env": {"players": [3, 5]},
    "network": {"hidden": [16]},
    "ppo": {"decisions": 6 * 24 * 10, "lanes": 24, "steps": 10, "minibatches": 2},
    "selfplay": {"scripted": ["heuristic", "random"], "past": 2, "every": 1, "latest": 0.3},
    "run": {"threads": 1, "checkpoint_every": 2, "tensorboard": False, "progress": False},
}


def small(folder: Path, *overrides: str) -> Config:
    return from_dict(SMALL, "SMALL", ["--run.folder", str(folder), *overrides])


def tensors(path: Path) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in checkpoint.read(path)[0].items()}


def everything(run: Path) -> dict[str, bytes]:
    """The state of a finished run: network, optimiser, batch, rollout, league."""
    update = json.loads((run / "checkpoints" / "latest.json").read_text())["update"]
    return tensors(run / "checkpoints" / f"update-{update:07d}.0.safetensors")


def rewrite(path: Path, target: Path, arrays: dict[str, Any] | None = None, **changes: Any) -> Path:
    old, about = checkpoint.read(path)
    checkpoint.write(target, {**old, **(arrays or {})}, {**about, **changes})
    return target
