"""Game: the one description of a game that every adapter reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from . import kernel
from .actions import ActionTexts
from .counting import Cards
from .events import COLUMNS
from .fields import Fields
from .options import Options, make_options
from .rule import build, entry_point
from .state import no_tables


def _one_table(options: Any) -> np.ndarray:
    return no_tables()


@dataclass(frozen=True, eq=False)
class Game:
    """A game for the adapters: what it is called, its records, its kernel, its texts and pictures.

    name: the folder's name; the id is ``outbreak/<name>``.
    options, presets: the options dataclass and at most six named sets of values.
    state, fields, actions, events: dtype, View declaration, action table, event kinds.
    decisions: what each kind of decision is called, by number.
    serve: the kernel of `kernel.bind`.
    setup(options, state): writes the options into a zeroed State record (``state.players`` too).
    module: where ``GAME`` lives, so that pickles find it again.
    tables(options): the run-time tables (an array of records); the default is one empty record.
    actions_for(options): an action table with other texts (a user's map has names of its own).
    outcome(states): columns for result tables, from States (n,) at the end (turns, causes of loss): (n,),
    or (n, seats) where every seat has its own value.
    cards: its decks, for card counters (counting.py).
    grids: named lists of option sets for evaluation; without one, every number of players.
    idle: actions that leave a turn or a choice out, the first legal one first (the agent ``idle``).
    scenarios(): lines about the maps or missions that come with the game, for ``outbreak envs``.
    events_per_step: more than one action can ever log, and more chance values than it can draw.
    worst: the reward of a seat that breaks the rules in `env`.
    read_position(position, state, options, chance), write_position(state, options): a position as a
    readable dict, both ways (position.py).
    event_text(row, options): one event as a seat saw it (a row of `events.seen_by`), in words.
    svg(view, seat, reveal), ansi(view, seat, reveal, colour): pictures of a View (draw.py).
    cooperative: whether all seats win or lose together.
    content: what is printed, inferred or ours, for result files.
    """

    name: str
    title: str
    options: type[Options]
    presets: Mapping[str, Mapping[str, Any]]
    state: np.dtype
    fields: Fields
    actions: ActionTexts
    events: Any
    serve: Callable[..., int]
    setup: Callable[[Any, np.void], None]
    module: str
    read_position: Callable[..., None]
    write_position: Callable[..., dict[str, Any]]
    event_text: Callable[..., str]
    svg: Callable[..., str]
    ansi: Callable[..., str]
    content: Mapping[str, str]
    decisions: Sequence[str] = ()
    tables: Callable[[Any], np.ndarray] = _one_table
    actions_for: Callable[[Any], ActionTexts] | None = None
    outcome: Callable[[np.ndarray], dict[str, np.ndarray]] | None = None
    cards: Sequence[Cards] = ()
    grids: Mapping[str, Sequence[Mapping[str, Any]]] | None = None
    idle: Sequence[int] = ()
    scenarios: Callable[[], Sequence[str]] | None = None
    worst: float = -1.0
    cooperative: bool = False
    events_per_step: int = 512
    version: int = 0

    @property
    def id(self) -> str:
        """The registered id without its version."""
        return f"outbreak/{self.name}"

    @property
    def most_seats(self) -> int:
        """The largest number of players: the width of the rewards."""
        return int(self.state["reward"].shape[0])

    def make_options(self, **values: Any) -> Any:
        """Options from keyword arguments; ``preset`` names a set of values to start from."""
        return make_options(self.options, self.presets, values)

    def decision_name(self, kind: int) -> str:
        """A kind of decision in words."""
        return self.decisions[kind] if kind < len(self.decisions) else f"kind {kind}"

    def texts(self, options: Any) -> ActionTexts:
        """The action texts under these options (a user's map has names of its own)."""
        return self.actions_for(options) if self.actions_for else self.actions

    def blank(self, options: Any, table: int = 0) -> np.ndarray:
        """A State (1,) with the options set and nothing dealt."""
        blank = np.zeros(1, self.state)
        self.setup(options, blank[0])
        blank[0]["table"] = table
        return blank

    @cached_property
    def content_digest(self) -> str:
        """Digest of the layout that saved states depend on: state, view, actions, version."""
        layout = [
            self.name,
            self.version,
            _layout(self.state),
            _layout(self.fields.dtype),
            self.actions.texts,
        ]
        return hashlib.sha256(json.dumps(layout).encode()).hexdigest()[:16]

    def table_digest(self, options: Any) -> str:
        """Digest of the run-time tables under these options."""
        return hashlib.sha256(self.tables(options).tobytes()).hexdigest()[:16]

    def compile(self) -> None:
        """Compile the kernel, or load it from the cache (adapters do this by themselves)."""
        Lanes(self, 1, self.blank(self.options()), self.tables(self.options()))


def _layout(dtype: np.dtype) -> Any:
    if dtype.subdtype is not None:
        return [_layout(dtype.subdtype[0]), list(dtype.subdtype[1])]
    if dtype.fields is None:
        return dtype.str
    return [[name, _layout(dtype.fields[name][0])] for name in dtype.names or ()]


def empty_log() -> np.ndarray:
    """An event log that keeps nothing."""
    return np.zeros((0, COLUMNS), np.int32)


def empty_list() -> np.ndarray:
    """A chance script or log of length 0."""
    return np.zeros(0, np.int32)


class Lanes:
    """The arrays that a kernel works on, n games side by side, and the call into the kernel.

    books: LANE (n,), see `kernel.lane_record`; states, finals: State (n,); views: View (n,);
    masks: int8 (n, actions).  Whoever replaces an array, by one of the same type, calls `bind`
    afterwards.  call: the kernel, to be given ``arguments``.
    """

    def __init__(self, game: Game, n: int, blanks: np.ndarray, tables: np.ndarray) -> None:
        self.game = game
        self.order = np.zeros(5, np.int64)
        self.books = np.zeros(n, kernel.lane_record(game.most_seats))
        self.books["variant"] = np.arange(n) % len(blanks)
        self.books["seat"] = -1
        self.states = np.zeros(n, game.state)
        self.finals = np.zeros(n, game.state)
        self.blanks = blanks
        self.tables = tables
        self.script = empty_list()
        self.drawn = empty_list()
        self.events = empty_log()
        self.views = np.zeros(n, game.fields.dtype)
        self.masks = np.zeros((n, game.actions.size), np.int8)
        whole, listed = np.dtype(np.int64), np.dtype(np.int32)
        self._dtypes = (
            whole, self.books.dtype, game.state, game.state, game.state, tables.dtype, listed, listed, listed,
            game.fields.dtype, self.masks.dtype,
        )  # fmt: skip
        self.bind()
        build(game.serve, self.arguments, game.title)
        self.call = entry_point(game.serve)

    def bind(self) -> None:
        """Take note of arrays that were replaced."""
        self.flat_views = self.views.view(np.int8).reshape(len(self.views), -1)
        self.first_view = self.flat_views[0]
        self.first_mask = self.masks[0]
        self.arguments = (
            self.order, self.books, self.states, self.finals, self.blanks, self.tables, self.script, self.drawn,
            self.events, self.views, self.masks,
        )  # fmt: skip
        for array, dtype in zip(self.arguments, self._dtypes, strict=True):
            if (array.dtype is not dtype and array.dtype != dtype) or not array.flags.c_contiguous:
                raise TypeError(f"an array of {self.game.id} is no row of {dtype}, or has holes")

    def serve(self, what: int, lo: int, hi: int, seat: int = kernel.ACTING, base: int = 0) -> int:
        """Ask the kernel for something (the constants of `kernel`) in lanes lo .. hi - 1."""
        order = np.array((what, lo, hi, seat, base), np.int64)
        return self.call(order, *self.arguments[1:])  # type: ignore[no-any-return]

    def look(self, seat: int, states: np.ndarray) -> None:
        """Observe other states for a seat into the views and masks of these lanes."""
        if self.states is not states:
            self.states = states
            self.bind()
        order = self.order
        order[0] = kernel.LOOK
        order[2] = len(states)
        order[3] = seat
        self.call(*self.arguments)

    def copy(self) -> Lanes:
        """An independent copy (shared are blanks and tables, which nobody writes to, and finals, which
        only a batch uses)."""
        new = object.__new__(Lanes)
        new.__dict__.update(self.__dict__)
        for name in ("order", "books", "states", "script", "drawn", "events", "views", "masks"):
            setattr(new, name, same_bytes(getattr(self, name)))
        new.bind()
        return new


def same_bytes(array: np.ndarray) -> np.ndarray:
    """A copy of an array through its bytes (many times faster than copying structured records)."""
    if array.dtype.names is None:
        return array.copy()
    return np.frombuffer(bytearray(array), array.dtype).reshape(array.shape)
