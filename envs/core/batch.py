"""BatchEnv: any number of games of one kind side by side, over shared NumPy arrays.

One compiled kernel call plays, deals ended games anew, lists the legal actions and observes for a
slice of lanes.  Slices run on threads (the kernel holds no lock); the caller serves one itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from . import kernel
from .aec import check_seed
from .chance import derived_seed
from .game import Game, Lanes, same_bytes
from .rule import IllegalAction
from .state import TERMINATED, TRUNCATED, numbers

_SMALLEST_SLICE = 256  # lanes; below this a thread costs more than it brings
_pools: dict[int, ThreadPoolExecutor] = {}


def _pool(workers: int) -> ThreadPoolExecutor:
    """A pool made on first use in this very process: one made before a fork hangs in the child."""
    pool = _pools.get(os.getpid())
    if pool is None or pool._max_workers < workers:
        if pool is None:
            _pools.clear()
        pool = _pools[os.getpid()] = ThreadPoolExecutor(workers, thread_name_prefix="outbreak")
    return pool


class BatchEnv:
    """n games side by side; an ended one is dealt anew at once.

    game: its description.  num_envs: lanes.  seed: every episode's own seed is derived from it and
    can be read in ``seeds``: ``env.reset(seed=that)`` repeats the episode alone, byte for byte.
    variants: option sets; lane i is dealt from variant i modulo their number, or as ``variants``
    says at the next deal.  All lanes share the action table, so maps and player counts may be mixed.
    threads: how many serve the lanes.

    After `reset` and each `step`, without copies and overwritten by the next call:
    ``views`` View (n,) and ``flat_views`` int8 (n, bytes), ``masks`` int8 (n, actions), ``seats``
    int8 (n,): who is asked; ``rewards`` float32 (n, most seats), ``terminated`` and ``truncated``
    bool (n,); of lanes that ended in this step ``final_states`` State (n,) and ``final_seeds``.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int = 0,
        variants: Sequence[Mapping[str, Any]] = ({},),
        threads: int = 1,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}, must be 1 or more")
        if threads < 1:
            raise ValueError(f"threads is {threads}, must be 1 or more")
        if not variants:
            raise ValueError("variants is empty: give at least one set of options ({} for the defaults)")
        self.game = game
        self.num_envs = num_envs
        self.threads = threads
        self.options = [game.make_options(**values) for values in variants]
        tables = [game.tables(options) for options in self.options]
        starts = np.cumsum([0, *map(len, tables[:-1])])
        blanks = [game.blank(options, int(start)) for options, start in zip(self.options, starts, strict=True)]
        self._lanes = Lanes(game, num_envs, _joined(blanks), _joined(tables))
        self.seed = check_seed(seed)
        self._bind()

    def _bind(self) -> None:
        lanes = self._lanes
        self.states = lanes.states
        self.variants = lanes.variants
        self.views = lanes.views
        self.flat_views = lanes.views.view(np.int8).reshape(self.num_envs, -1)
        self.masks = lanes.masks
        self.seats = lanes.seats
        self.rewards = lanes.rewards
        self.seeds = lanes.seeds
        self.episodes = lanes.episodes
        self.final_states = lanes.finals
        self.final_seeds = lanes.final_seeds
        self.terminated = np.zeros(self.num_envs, bool)
        self.truncated = np.zeros(self.num_envs, bool)

    @property
    def players(self) -> np.ndarray:
        """int8 (n,): how many seats each lane's game has."""
        return self.states["players"]

    def reset(self, seed: int | None = None, seeds: np.ndarray | None = None) -> None:
        """Deal every lane anew: from a new batch seed, or from one given seed a lane, int64 (n,)."""
        lanes = self._lanes
        if seed is not None:
            self.seed = check_seed(seed)
        lanes.base = self.seed
        lanes.episodes[:] = 0
        if seeds is None:
            lanes.seeds[:] = derived_seeds(self.seed, np.arange(self.num_envs), 0)
        else:
            given = np.asarray(seeds)
            if given.shape != (self.num_envs,) or given.dtype.kind not in "iu" or (given < 0).any():
                raise ValueError(f"seeds must be {self.num_envs} whole numbers of 0 or more, one a lane")
            lanes.seeds[:] = given
        lanes.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False
        self._serve(kernel.DEAL)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play one action a lane, whole numbers (n,); returns rewards, terminated, truncated.

        Raises IllegalAction, with nothing changed, where an action is not legal.
        """
        lanes = self._lanes
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise TypeError(
                f"actions have shape {given.shape} and dtype {given.dtype}, must be {self.num_envs} whole numbers"
            )
        lanes.inputs[:] = given
        wrong = lanes.serve(kernel.VERIFY, 0, self.num_envs)
        if wrong >= 0:
            raise IllegalAction(f"action {int(given[wrong])} is not legal in lane {wrong}; nothing was played")
        self._serve(kernel.STEP_ON)
        np.equal(lanes.overs, TERMINATED, out=self.terminated)
        np.equal(lanes.overs, TRUNCATED, out=self.truncated)
        return self.rewards, self.terminated, self.truncated

    def _serve(self, what: int) -> None:
        n = self.num_envs
        slices = min(self.threads, max(1, n // _SMALLEST_SLICE))
        bounds = [n * k // slices for k in range(slices + 1)]
        if slices == 1:
            self._lanes.serve(what, 0, n)
            return
        pool = _pool(slices - 1)
        others = [pool.submit(self._lanes.serve, what, bounds[k], bounds[k + 1]) for k in range(1, slices)]
        try:
            self._lanes.serve(what, bounds[0], bounds[1])
        finally:
            for other in others:
                other.result()

    def observe(self, seat: int | np.ndarray, final: bool = False) -> np.ndarray:
        """Views of one seat (or one seat a lane, int (n,)), a copy: int8 (n, bytes).

        final: of the games that ended in the last step instead (other lanes: of their last end).
        """
        lanes = self._lanes
        other = Lanes(self.game, self.num_envs, lanes.blanks, lanes.tables)
        other.states = lanes.finals if final else lanes.states
        seats = np.broadcast_to(np.asarray(seat), (self.num_envs,))
        for lane in range(self.num_envs) if seats.min() != seats.max() else ():
            other.serve(kernel.LOOK, lane, lane + 1, int(seats[lane]))
        if seats.min() == seats.max():
            other.serve(kernel.LOOK, 0, self.num_envs, int(seats[0]))
        return other.views.view(np.int8).reshape(self.num_envs, -1)

    def state(self) -> np.ndarray:
        """Full truths for a centralised critic: float32 (n, width), as in the AEC form."""
        return numbers(self.states)

    def encode(self, views: np.ndarray | None = None) -> np.ndarray:
        """Views as float32 in [0, 1] (by default the present ones): (n, width)."""
        return self.game.fields.encode(self.flat_views if views is None else views)

    def save(self) -> dict[str, np.ndarray]:
        """Everything that the future depends on, as arrays (for checkpoints)."""
        lanes = self._lanes
        arrays = {name: same_bytes(getattr(lanes, name)).view(np.uint8) for name in _SAVED}
        return {**arrays, "base": np.array([lanes.base], np.int64)}

    def load(self, saved: Mapping[str, np.ndarray]) -> None:
        """Go on from `save`, byte for byte; the batch must have the same game, size and variants."""
        lanes = self._lanes
        for name in _SAVED:
            target = getattr(lanes, name).view(np.uint8)
            if saved[name].shape != target.shape:
                raise ValueError(f"the saved batch does not fit: {name} has shape {saved[name].shape}, not {target.shape}")
        for name in _SAVED:
            getattr(lanes, name).view(np.uint8)[:] = saved[name]
        lanes.base = self.seed = int(saved["base"][0])
        lanes.serve(kernel.LOOK, 0, self.num_envs)


_SAVED = ("states", "variants", "seeds", "episodes")


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    """Arrays of one record dtype end to end, through their bytes."""
    joined = b"".join(array.tobytes() for array in arrays)
    return np.frombuffer(bytearray(joined), arrays[0].dtype)


def derived_seeds(seed: int, lanes: np.ndarray, episode: int) -> np.ndarray:
    """The seeds of one episode of several lanes, int64, as the kernel derives them."""
    return np.array([derived_seed(seed, int(lane), episode) for lane in lanes], np.int64)
