"""BatchEnv: any number of games of one kind side by side, over shared NumPy arrays.

One compiled kernel call plays, deals ended games anew, lists the legal actions and observes for a
slice of lanes.  Slices run on threads (the kernel holds no lock); the caller serves one itself.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from . import kernel
from .aec import MOST_SEED, check_seed, whole_number
from .chance import episode_seed
from .game import Game, Lanes
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
        num_envs, threads = whole_number("num_envs", num_envs), whole_number("threads", threads)
        if not isinstance(variants, Sequence) or not all(isinstance(one, Mapping) for one in variants):
            raise TypeError(f"variants are {variants!r}, must be a list of sets of options, each a dict")
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
        blanks = [
            game.blank(options, int(start)) for options, start in zip(self.options, starts, strict=True)
        ]
        self._lanes = Lanes(game, num_envs, _joined(blanks), _joined(tables))
        self.seed = check_seed(seed)
        self._bind()

    def _bind(self) -> None:
        lanes, books = self._lanes, self._lanes.books
        self.states = lanes.states
        self.views = lanes.views
        self.flat_views = lanes.flat_views
        self.masks = lanes.masks
        self.variants = books["variant"]
        self.seats = books["seat"]
        self.rewards = books["reward"]
        self.seeds = books["seed"]
        self.episodes = books["episode"]
        self.final_states = lanes.finals
        self.final_seeds = books["final_seed"]
        self.terminated = np.zeros(self.num_envs, bool)
        self.truncated = np.zeros(self.num_envs, bool)

    @property
    def players(self) -> np.ndarray:
        """int8 (n,): how many seats each lane's game has."""
        return self.states["players"]

    def reset(self, seed: int | None = None, seeds: np.ndarray | None = None) -> None:
        """Deal every lane anew: from a new batch seed, or from one given seed a lane, int64 (n,)."""
        base = self.seed if seed is None else check_seed(seed)
        if seeds is None:
            self.seeds[:] = [episode_seed(base, lane, 0) for lane in range(self.num_envs)]
        else:
            self.seeds[:] = self._checked_seeds(seeds, self.num_envs)
        self.seed = base
        self.episodes[:] = 0
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False
        self._serve(kernel.DEAL)

    def deal(self, lanes: np.ndarray, seeds: np.ndarray) -> None:
        """Deal some lanes, int (k,), anew from given seeds, int64 (k,); the others stay as they are."""
        chosen = np.asarray(lanes)
        if chosen.dtype == bool and chosen.shape == (self.num_envs,):
            chosen = np.flatnonzero(chosen)
        chosen = self._checked_lanes(chosen)
        self.seeds[chosen] = self._checked_seeds(seeds, len(chosen))
        for lane in chosen.tolist():
            self._lanes.serve(kernel.DEAL, lane, lane + 1)

    def _checked_lanes(self, lanes: np.ndarray) -> np.ndarray:
        fits = lanes.ndim == 1 and (
            not len(lanes) or (lanes.dtype.kind in "iu" and lanes.min() >= 0 and lanes.max() < self.num_envs)
        )
        if not fits or len(np.unique(lanes)) < len(lanes):
            raise ValueError(f"lanes must be different whole numbers from 0 to {self.num_envs - 1}")
        return lanes.astype(np.int64)

    def _checked_seeds(self, seeds: Any, n: int) -> np.ndarray:
        given = np.asarray(seeds)
        fits = given.shape == (n,) and (n == 0 or (given.dtype.kind in "iu" and int(given.min()) >= 0))
        if not fits or (n and int(given.max()) > MOST_SEED):
            raise ValueError(f"seeds must be {n} whole numbers of 0 to 2**62 - 1, one a lane")
        return given

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play one action a lane, whole numbers (n,); returns rewards, terminated, truncated.

        Raises IllegalAction, with nothing changed, where an action is not legal.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise TypeError(
                f"actions have shape {given.shape} and dtype {given.dtype}, must be {self.num_envs} whole numbers"
            )
        books = self._lanes.books
        books["input"] = given
        wrong = self._lanes.serve(kernel.VERIFY, 0, self.num_envs)
        if wrong < 0:
            self._refuse(-1 - wrong)
        self._serve(kernel.STEP_ON)
        np.equal(books["over"], TERMINATED, out=self.terminated)
        np.equal(books["over"], TRUNCATED, out=self.truncated)
        return self.rewards, self.terminated, self.truncated

    def step_lanes(self, lanes: np.ndarray, actions: np.ndarray) -> None:
        """Play one action in some lanes only, whole numbers (k,) both; the others stand still, with
        rewards and flags of zero.

        Raises IllegalAction, with nothing changed, where an action is not legal.
        """
        lanes, given = self._checked_lanes(np.asarray(lanes)), np.asarray(actions)
        if given.shape != lanes.shape or given.dtype.kind not in "iu":
            raise TypeError(
                f"actions have shape {given.shape} and dtype {given.dtype}, must be {len(lanes)} whole numbers"
            )
        books = self._lanes.books
        books["input"] = self.masks.argmax(1)  # legal everywhere, so that only the given ones can be wrong
        books["input"][lanes] = given
        wrong = self._lanes.serve(kernel.VERIFY, 0, self.num_envs)
        if wrong < 0:
            self._refuse(-1 - wrong)
        books["over"] = 0
        self.rewards[:] = 0
        for lane in lanes.tolist():
            self._lanes.serve(kernel.STEP_ON, lane, lane + 1, base=self.seed)
        np.equal(books["over"], TERMINATED, out=self.terminated)
        np.equal(books["over"], TRUNCATED, out=self.truncated)

    def _refuse(self, lane: int) -> None:
        if self.seats[lane] < 0:
            raise RuntimeError("there are no games yet: call reset() first")
        action = int(self._lanes.books[lane]["input"])
        raise IllegalAction(f"action {action} is not legal in lane {lane}; nothing was played")

    def _serve(self, what: int) -> None:
        n = self.num_envs
        slices = min(self.threads, max(1, n // _SMALLEST_SLICE))
        bounds = [n * k // slices for k in range(slices + 1)]
        if slices == 1:
            self._lanes.serve(what, 0, n, base=self.seed)
            return
        pool, serve = _pool(slices - 1), self._lanes.serve
        others = [
            pool.submit(serve, what, bounds[k], bounds[k + 1], base=self.seed) for k in range(1, slices)
        ]
        try:
            serve(what, bounds[0], bounds[1], base=self.seed)
        finally:
            for other in others:
                other.result()

    def observe(self, seat: int | np.ndarray, final: bool = False) -> np.ndarray:
        """Views of one seat (or one seat a lane, int (n,)), a copy: int8 (n, bytes).

        final: of the games that ended in the last step instead (other lanes: of their last end, zero
        where there was none).  Raises ValueError for a seat that a lane's game does not have.
        """
        lanes = self._lanes
        other = Lanes(self.game, self.num_envs, lanes.blanks, lanes.tables)
        other.states = lanes.finals if final else lanes.states
        other.books = lanes.books.copy()
        if final:
            other.books["first_table"] = lanes.books["final_table"]
        other.bind()
        seats = np.asarray(seat)
        if seats.shape not in ((), (self.num_envs,)):
            raise ValueError(
                f"seats have shape {seats.shape}, must be one, or one for each of {self.num_envs} lanes"
            )
        seats = np.broadcast_to(seats, (self.num_envs,))
        players = other.states["players"]
        there = players > 0  # a lane that has not ended yet has no final state: its View stays zero
        if seats.dtype.kind not in "iu" or ((seats < -1) | (seats >= players))[there].any():
            raise ValueError(
                "seat must be a whole number: a seat of every lane's game, or -1 for a spectator"
            )
        for lane in np.flatnonzero(there).tolist():
            other.serve(kernel.LOOK, lane, lane + 1, int(seats[lane]))
        return other.flat_views

    def state(self) -> np.ndarray:
        """Full truths for a centralised critic: float32 (n, width), as in the AEC form."""
        return numbers(self.states)

    def encode(self, views: np.ndarray | None = None) -> np.ndarray:
        """Views as float32 in [0, 1] (by default the present ones): (n, width)."""
        return self.game.fields.encode(self.flat_views if views is None else np.asarray(views))

    def save(self) -> dict[str, np.ndarray]:
        """Everything that the future depends on, as arrays (for checkpoints)."""
        lanes = self._lanes
        return {
            "states": lanes.states.view(np.uint8).copy(),
            "books": lanes.books.view(np.uint8).copy(),
            "seed": np.array([self.seed], np.int64),
            "about": self._about(),
        }

    def _about(self) -> np.ndarray:
        """What a saved batch must have in common with this one, as bytes."""
        tables = [self.game.table_digest(options) for options in self.options]
        about = repr((self.game.id, self.game.content_digest, self.num_envs, self.options, tables))
        return np.frombuffer(about.encode(), np.uint8)

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchEnv:
        new: BatchEnv = self.__reduce__()[0](*self.__reduce__()[1])
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        values = [options.as_dict() for options in self.options]
        return _rebuilt, (self.game.module, self.num_envs, values, self.threads, self.save())

    def load(self, saved: Mapping[str, np.ndarray]) -> None:
        """Go on from `save`, byte for byte; the batch must have the same game, size and variants."""
        lanes = self._lanes
        if not isinstance(saved, Mapping) or not np.array_equal(saved.get("about"), self._about()):  # type: ignore[arg-type]
            raise ValueError("the saved batch does not fit: it has another game, size, variants or start")
        targets = {"states": lanes.states.view(np.uint8), "books": lanes.books.view(np.uint8)}
        for name, target in targets.items():
            found = np.asarray(saved.get(name))
            if found.shape != target.shape or found.dtype != target.dtype:
                raise ValueError(
                    f"the saved batch does not fit: {name} has {found.nbytes} bytes, not {target.nbytes}"
                )
        for name, target in targets.items():
            target[:] = saved[name]
        self.seed = int(saved["seed"][0])
        lanes.serve(kernel.LOOK, 0, self.num_envs)


def _rebuilt(
    module: str, num_envs: int, values: list[dict[str, Any]], threads: int, saved: dict[str, np.ndarray]
) -> BatchEnv:
    """A batch from what `BatchEnv.__reduce__` keeps."""
    batch = BatchEnv(importlib.import_module(module).GAME, num_envs, 0, values, threads)
    batch.load(saved)
    return batch


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    """Arrays of one record dtype end to end, through their bytes."""
    joined = b"".join(array.tobytes() for array in arrays)
    return np.frombuffer(bytearray(joined), arrays[0].dtype)
