"""Exact best responses, by the whole game tree from a number of worlds.

The tree grows layer by layer through the compiled kernel; a world is a start that a chance player draws,
each equally likely, with its dice.  A seat's information set is everything it has seen: the row of its
Views, one after every decision of anybody.  Its policy is asked once for each.  What comes out is exact
for the game over these worlds; the more there are, the nearer it is to the game over all deals (with few,
a best response learns from what it sees which world it is in, and the figures are too high).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.game import Game, Lanes
from outbreak_rl.envs.core.state import RUNNING

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_BLOCK = 1 << 14  # nodes that are stepped at once
_NOBODY = -1


class Likely(Protocol):
    """An agent that says how likely it plays each action."""

    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float32 (n, actions) for Views int8 (n, bytes) and masks int8 (n, actions)."""
        ...


class Uniform:
    """Every legal action alike."""

    name = "random"

    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The masks, each divided by its sum."""
        return np.asarray(masks / masks.sum(axis=1, keepdims=True), np.float32)


class Mixture:
    """One of several agents, drawn anew at every decision."""

    def __init__(self, agents: Sequence[Likely], name: str = "mixture") -> None:
        self.agents, self.name = agents, name

    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The mean of theirs."""
        return np.asarray(np.mean([agent.probabilities(views, masks) for agent in self.agents], axis=0))


# --- the tree -------------------------------------------------------------------------------------


@dataclass
class Layer:
    """All positions after so many decisions, n nodes in k information sets (of the seats that are asked).

    actor int8 (n,): who is asked, -1 at an end.  infoset (n,): 0 .. k - 1, -1 at an end.  rewards float32
    (n, seats), zero before the end.  views, masks int8 (k, ...): what an information set's seat sees.
    edge_node, edge_action (m,): the actions of all nodes, by node; edge e leads to node e of the next
    layer.  pair (m,): number of the edge's (information set, action); pair_infoset: whose each pair is,
    ascending.
    """

    actor: NDArray[np.int8]
    infoset: Ints
    rewards: NDArray[np.float32]
    views: NDArray[np.int8]
    masks: NDArray[np.int8]
    edge_node: Ints
    edge_action: Ints
    pair: Ints
    pair_infoset: Ints


@dataclass
class _Growing:
    """The parts of a layer while blocks of worlds are grown one after the other, as of `Layer`; keys: the
    information set of the seat that is asked at each node, seen: those of the views and masks."""

    actor: list[Any] = field(default_factory=list)
    rewards: list[Any] = field(default_factory=list)
    keys: list[Any] = field(default_factory=list)
    edge_node: list[Any] = field(default_factory=list)
    edge_action: list[Any] = field(default_factory=list)
    seen: list[Any] = field(default_factory=list)
    views: list[Any] = field(default_factory=list)
    masks: list[Any] = field(default_factory=list)
    count: int = 0


def starts(
    game: Game, options: dict[str, Any], worlds: int, position: dict[str, Any] | None = None
) -> np.ndarray:
    """States (worlds,) to start from: deals, or what a spectator cannot tell from a position."""
    env = OutbreakEnv(game, game.make_options(**options), strict=True)
    found = []
    first = 1 << 33
    if position is not None:
        env.reset(0)
        env.set_position(position, seed=0)
    for world in range(worlds):
        if position is None:
            env.reset(first + world)
            found.append(env._lanes.states[0].tobytes())
        else:
            found.append(env.resampled(None, first + world)._lanes.states[0].tobytes())
    return np.frombuffer(bytearray(b"".join(found)), game.state)


class Tree:
    """The tree of a game from given States under one set of options; raises ValueError where it has more
    than ``most`` nodes."""

    def __init__(
        self,
        game: Game,
        options: dict[str, Any],
        states: np.ndarray,
        most: int = 20_000_000,
        block: int = 16,
    ) -> None:
        self.game, self.options = game, options
        self.seats = int(states[0]["players"])
        self.worlds = len(states)
        made = game.make_options(**options)
        self._new = lambda n: Lanes(game, n, game.blank(made), game.tables(made))
        self._factors = np.random.default_rng(1).integers(
            1 << 63, size=-(-game.fields.size // 8), dtype=np.uint64
        ) * np.uint64(2) + np.uint64(1)
        self._most, self.nodes = most, 0
        self._parts: list[_Growing] = []
        for begin in range(0, len(states), block):
            self._grow(states[begin : begin + block])
        self.layers = [self._finished(part) for part in self._parts]
        del self._parts
        self.infosets = sum(len(layer.views) for layer in self.layers)

    def _grow(self, states: np.ndarray) -> None:
        """Add the trees of some worlds."""
        n, depth = len(states), 0
        raw, actions = states.view(np.uint8).reshape(n, -1), np.full(n, -1)
        keys = np.zeros((n, self.seats), np.uint64) + np.arange(1, self.seats + 1, dtype=np.uint64)
        while len(raw):
            if depth == len(self._parts):
                self._parts.append(_Growing())
            blocks = np.array_split(np.arange(len(raw)), -(-len(raw) // _BLOCK))
            found = [self._served(raw[at], actions[at], keys[at]) for at in blocks]
            raw, actor, rewards, keys, views, masks = (np.concatenate(column) for column in zip(*found))
            node, actions = self._add(self._parts[depth], actor, rewards, keys, views, masks)
            self.nodes += len(actor)
            if self.nodes > self._most:
                raise ValueError(f"the tree has more than {self._most:,} nodes: take fewer worlds or turns")
            raw, keys, depth = raw[node], keys[node], depth + 1

    def _add(
        self,
        part: _Growing,
        actor: np.ndarray,
        rewards: np.ndarray,
        keys: np.ndarray,
        views: np.ndarray,
        masks: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Count nodes into their layer; returns node and action of each edge."""
        alive = np.flatnonzero(actor != _NOBODY)
        own = np.zeros(len(actor), np.uint64)
        own[alive] = keys[alive, actor[alive]]
        seen, where = np.unique(own[alive], return_index=True)
        masks[actor == _NOBODY] = 0
        node, action = np.nonzero(masks)
        part.actor.append(actor)
        part.rewards.append(rewards)
        part.keys.append(own)
        part.seen.append(seen)
        part.views.append(views[alive[where]])
        part.masks.append(masks[alive[where]])
        part.edge_node.append(node + part.count)
        part.edge_action.append(action)
        part.count += len(actor)
        return node, action

    def _served(self, raw: np.ndarray, actions: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, ...]:
        """Play an action in each state (-1: none) and look: states, actors, rewards, keys, Views, masks."""
        n = len(raw)
        lanes = self._new(n)
        lanes.states.view(np.uint8).reshape(n, -1)[:] = raw
        if (actions >= 0).all():
            lanes.books["input"] = actions
            lanes.masks[:] = 1
            lanes.serve(kernel.STEP, 0, n)
        seen = []
        for seat in range(self.seats):
            lanes.serve(kernel.LOOK, 0, n, seat)
            seen.append(lanes.flat_views.copy())
        lanes.serve(kernel.LOOK, 0, n)
        keys = np.stack([self._hash(keys[:, seat], seen[seat]) for seat in range(self.seats)], 1)
        over = lanes.states["over"] != RUNNING
        actor = np.where(over, _NOBODY, lanes.books["seat"]).astype(np.int8)
        rewards = np.where(over[:, None], lanes.books["reward"][:, : self.seats], 0).astype(np.float32)
        raw = lanes.states.view(np.uint8).reshape(n, -1)
        return raw, actor, rewards, keys, lanes.flat_views, lanes.masks

    def _hash(self, keys: np.ndarray, views: np.ndarray) -> np.ndarray:
        """What a seat knew, and its new View, as one number of 64 bits."""
        room = np.zeros((len(views), len(self._factors) * 8), np.int8)
        room[:, : views.shape[1]] = views
        words = room.view(np.uint64)
        mixed = (words ^ (words >> np.uint64(29))) * self._factors
        mixed ^= mixed >> np.uint64(32)
        found: np.ndarray = keys * np.uint64(0x9E3779B97F4A7C15) + (mixed * self._factors[::-1]).sum(
            axis=1, dtype=np.uint64
        )
        found = (found ^ (found >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
        return np.asarray(found ^ (found >> np.uint64(27)))

    def _finished(self, part: _Growing) -> Layer:
        """A layer with its information sets numbered."""
        actor, keys = np.concatenate(part.actor), np.concatenate(part.keys)
        seen = np.concatenate(part.seen)
        known, first = np.unique(seen, return_index=True)
        infoset = np.where(actor == _NOBODY, -1, np.searchsorted(known, keys))
        node, action = np.concatenate(part.edge_node), np.concatenate(part.edge_action)
        pairs, pair = np.unique(infoset[node] * self.game.actions.size + action, return_inverse=True)
        return Layer(
            actor, infoset, np.concatenate(part.rewards),
            np.concatenate(part.views)[first], np.concatenate(part.masks)[first], node, action, pair,
            pairs // self.game.actions.size,
        )  # fmt: skip


# --- values ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exploitability:
    """What a policy that all seats play is worth to each, and what each could have by playing its best
    against it; (seats,) both, in reward."""

    values: Floats
    best: Floats

    @property
    def nash_conv(self) -> float:
        """The sum over the seats of what each could gain."""
        return float((self.best - self.values).sum())

    @property
    def mean(self) -> float:
        """Exploitability: what a seat could gain, on average over the seats."""
        return self.nash_conv / len(self.values)


def exploitability(tree: Tree, agent: Likely, rows: int = 1 << 14) -> Exploitability:
    """Values and best responses against a policy that all seats play."""
    seats, layers = tree.seats, tree.layers
    chances = [_edge_chances(layer, agent, rows) for layer in layers]
    reach = np.full((tree.worlds, seats), 1 / tree.worlds)  # by chance and all other seats
    reaches = [reach]
    for layer, chance in zip(layers[:-1], chances[:-1], strict=True):
        moved = reaches[-1][layer.edge_node]
        own = layer.actor[layer.edge_node][:, None] == np.arange(seats)
        reaches.append(moved * np.where(own, 1.0, chance[:, None]))
    values = np.zeros((0, seats))
    best = np.zeros((0, seats))
    for layer, chance, reach in zip(reversed(layers), reversed(chances), reversed(reaches), strict=True):
        new_values, new_best = layer.rewards.astype(float), layer.rewards.astype(float)
        if len(layer.edge_node):
            inner, begin = np.unique(layer.edge_node, return_index=True)
            new_values[inner] = np.add.reduceat(values * chance[:, None], begin)
            new_best[inner] = np.add.reduceat(best * chance[:, None], begin)
            chosen = _best_actions(layer, reach, best)
            own = np.add.reduceat(np.where(chosen[:, None], best, 0.0), begin)
            seat = layer.actor[inner]
            new_best[inner, seat] = own[np.arange(len(inner)), seat]
        values, best = new_values, new_best
    return Exploitability(values.mean(axis=0), best.mean(axis=0))


def _edge_chances(layer: Layer, agent: Likely, rows: int) -> Floats:
    """How likely each edge is taken."""
    chances = np.zeros(len(layer.edge_node))
    found = np.zeros(len(layer.pair_infoset))
    first = np.zeros(len(found), np.int64)
    first[layer.pair] = layer.edge_action  # the action of each pair
    for begin in range(0, len(layer.views), rows):
        likely = agent.probabilities(layer.views[begin : begin + rows], layer.masks[begin : begin + rows])
        likely = likely / likely.sum(axis=1, keepdims=True, dtype=float)
        lo, hi = np.searchsorted(layer.pair_infoset, (begin, begin + rows))
        found[lo:hi] = likely[layer.pair_infoset[lo:hi] - begin, first[lo:hi]]
    chances[:] = found[layer.pair]
    return chances


def _best_actions(layer: Layer, reach: Floats, best: Floats) -> NDArray[np.bool_]:
    """Which edges the best response of the seat that is asked takes: one action an information set."""
    seat = layer.actor[layer.edge_node]
    worth = reach[layer.edge_node, seat] * best[np.arange(len(seat)), seat]
    sums = np.bincount(layer.pair, worth, len(layer.pair_infoset))
    sets, begin = np.unique(layer.pair_infoset, return_index=True)
    most = np.maximum.reduceat(sums, begin)
    is_best = sums == most[np.searchsorted(sets, layer.pair_infoset)]
    firsts = np.zeros(len(sums), bool)  # of several that are equally good, the first
    places = np.flatnonzero(is_best)
    firsts[places[np.unique(layer.pair_infoset[places], return_index=True)[1]]] = True
    return np.asarray(firsts[layer.pair])
