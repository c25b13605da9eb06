"""Games that begin at a position instead of a deal, in batches: for puzzles, ends of games, curricula."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.options import nearest
from outbreak_rl.envs.core.position import load


def find(name: str) -> dict[str, Any]:
    """A position by its file, or by the name of one that comes with the suite."""
    path = Path(name)
    shipped = Path(str(files("outbreak_rl.configs")))
    inside = shipped / path.parent / f"{path.name}.json"
    if not path.exists() and not inside.exists():
        names = sorted(str(file.relative_to(shipped).with_suffix("")) for file in shipped.glob("*/*.json"))
        raise ValueError(f"there is no position {name!r}{nearest(name, names)}")
    return load(path if path.exists() else inside)


class StartsAt(BatchEnv):
    """A batch whose every deal is the position instead, with what a spectator cannot see of it (hidden
    hands, the order of piles) and the dice drawn anew from the episode's seed."""

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int,
        variants: Sequence[Mapping[str, Any]],
        threads: int,
        position: Mapping[str, Any],
    ) -> None:
        super().__init__(game, num_envs, seed, variants, threads)
        self.position = dict(position)
        begun = []
        for options in self.options:
            env = OutbreakEnv(game, options, strict=True)
            env.reset(0)
            env.set_position(self.position)
            begun.append(np.frombuffer(env.get_state(), np.uint8))
        self._starts = np.stack(begun)  # one a variant

    def reset(self, seed: int | None = None, seeds: np.ndarray | None = None) -> None:
        """Every lane at the position."""
        super().reset(seed, seeds)
        self._place(np.arange(self.num_envs))

    def deal(self, lanes: np.ndarray, seeds: np.ndarray) -> None:
        """Some lanes at the position, from given seeds."""
        super().deal(lanes, seeds)
        self._place(np.asarray(lanes))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As in any batch; games that ended begin at the position again."""
        found = super().step(actions)
        self._place(np.flatnonzero(self.terminated | self.truncated))
        return found

    def _about(self) -> np.ndarray:
        """The positions count, too: a run does not go on from others."""
        return np.concatenate([super()._about(), self._starts.ravel()])

    def _place(self, lanes: np.ndarray) -> None:
        serve, books = self._lanes.serve, self._lanes.books
        raw = self.states.view(np.uint8).reshape(self.num_envs, -1)
        raw[lanes] = self._starts[self.variants[lanes]]
        books["input"][lanes] = self.seeds[lanes]
        for lane in lanes.tolist():
            serve(kernel.RESAMPLE, lane, lane + 1, kernel.SPECTATOR)
            serve(kernel.LOOK, lane, lane + 1)

    def __reduce__(self) -> tuple[Any, ...]:
        module, num_envs, values, threads, saved = super().__reduce__()[1]
        return _rebuilt, (module, num_envs, values, threads, self.position, saved)


def _rebuilt(
    module: str,
    num_envs: int,
    values: list[dict[str, Any]],
    threads: int,
    position: dict[str, Any],
    saved: Mapping[str, np.ndarray],
) -> StartsAt:
    """A batch from what `StartsAt.__reduce__` keeps."""
    batch = StartsAt(importlib.import_module(module).GAME, num_envs, 0, values, threads, position)
    batch.load(saved)
    return batch
