"""Mini games whose worlds can be counted (conformance line 12): every deal that gives a seat the same
history is found by replaying chance scripts, and `resample` must reach exactly these, each as often as it should.

A game whose deals are too many for brute force gets a module ``worlds/<game>.py`` with
``scripts(case, truth, agent)``: chance scripts of all deals that the agent may hold possible at the truth's
deal, each with the number of labelled deals it stands for; ``MEMORY``: fields that only help later
resamples, so that one of several values is as good as another; ``PUBLIC_ACTIONS``: whether everybody sees every
action; ``ways(env, action)``: how many labelled choices look like this action of another seat (equal cards);
``unordered(states)``: the same with piles in order, where only their cards matter.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import math
from collections.abc import Callable, Iterator
from types import ModuleType

import numpy as np

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv

from .cases import Case
from .hidden import DICE, resamples, throw_others
from .play import lanes_of, mask_of, over, play_out, strict, without

Worlds = dict[bytes, tuple[OutbreakEnv, float]]
MOST_VALUES = 10_000
CHUNK, MOST_CHUNKS = 1000, 200


def helper(case: Case) -> ModuleType | None:
    """The module ``worlds/<game>.py``, if there is one."""
    name = f"worlds.{case.game.name}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def branches(start: Callable[[list[int]], OutbreakEnv]) -> Iterator[tuple[OutbreakEnv, float]]:
    """Every outcome of something that draws chance, with its probability.

    ``start(script)`` does it with these chance values first and returns the environment.
    """
    pending: list[tuple[list[int], float]] = [([], 1.0)]
    while pending:
        script, weight = pending.pop()
        env = start(script)
        if len(env.drawn) <= len(script):
            yield env, weight
            continue
        values = 0
        for value in range(MOST_VALUES):
            try:
                start([*script, value])
            except ValueError:
                break
            values += 1
        pending += [([*script, value], weight / values) for value in range(values)]


def deals(case: Case, truth: OutbreakEnv, agent: str) -> Iterator[tuple[OutbreakEnv, float]]:
    """All deals, or all that the agent may hold possible at the deal, with their weights."""

    def dealt(script: list[int]) -> OutbreakEnv:
        env = strict(case)
        env.reset(seed=0, options={"chance": script})
        return env

    own = helper(case)
    if own is None:
        yield from branches(dealt)
        return
    for script, weight in own.scripts(case, truth, agent):
        env = dealt(script)
        assert len(env.drawn) == len(script), "the script does not fit the deal"
        yield env, weight


def steps(env: OutbreakEnv, action: int, sample: int = 0) -> Iterator[tuple[OutbreakEnv, float]]:
    """All outcomes of an action; or only ``sample`` random ones."""
    for dice in range(sample):
        new = env.clone()
        throw_others(new, dice)
        new.step(action)
        yield new, 1.0
    if sample:
        return

    def stepped(script: list[int]) -> OutbreakEnv:
        new = env.clone()
        new._fresh_log(script)
        new.step(action)
        return new

    yield from branches(stepped)


def shown(env: OutbreakEnv, agent: str) -> tuple[bytes, str]:
    """What an agent is told: its View and all rewards."""
    return env.view(agent).tobytes(), repr(env.rewards)


def merged(worlds: Iterator[tuple[OutbreakEnv, float]], truth: OutbreakEnv, agent: str) -> Worlds:
    """The worlds that show the agent what it saw in truth; equal ones become one, their weights added."""
    wanted = shown(truth, agent)
    found: Worlds = {}
    for env, weight in worlds:
        if shown(env, agent) == wanted:
            key = without(env.record, DICE)
            found[key] = (env, weight + (found[key][1] if key in found else 0.0))
    return found


def histories(case: Case, seed: int, agent: str, sample: int = 0) -> Iterator[tuple[OutbreakEnv, Worlds]]:
    """A random game: at each decision the truth and all worlds that have given the agent the same history.

    With ``sample`` only so many random outcomes of each action are followed: there are many more worlds.
    """
    truth = strict(case)
    truth.reset(seed=seed)
    actions = play_out(truth.clone(), seed=seed)
    worlds = merged(deals(case, truth, agent), truth, agent)
    yield truth, worlds
    for action in actions:
        outcomes = outcomes_of(case, list(worlds.values()), truth.agent_selection, agent, action, sample)
        truth.step(action)
        worlds = merged(outcomes, truth, agent)
        if sample:
            worlds[without(truth.record, DICE)] = (truth.clone(), 1.0)
        assert without(truth.record, DICE) in worlds, "the truth itself is not among the worlds"
        yield truth, worlds


def outcomes_of(
    case: Case, worlds: list[tuple[OutbreakEnv, float]], asked: str, agent: str, action: int, sample: int
) -> Iterator[tuple[OutbreakEnv, float]]:
    """What can become of some worlds when the seat asked has acted: as the agent did itself, or, of another
    seat, by any action (only by the true one where all see it)."""
    public = getattr(helper(case), "PUBLIC_ACTIONS", False)
    ways = getattr(helper(case), "ways", lambda env, choice: 1)
    for env, weight in worlds:
        assert env.agent_selection == asked, "who is asked differs between worlds that look alike"
        legal = np.flatnonzero(mask_of(env)).tolist()
        assert asked != agent or action in legal, "a legal set differs between worlds that look alike"
        for choice in legal:
            if choice == action or (asked != agent and not public):
                labelled = 1 if asked == agent else ways(env, choice)
                for new, share in steps(env, choice, sample):
                    yield new, weight * share * labelled


def worlds_are_hit_uniformly(
    case: Case, truth: OutbreakEnv, agent: str, worlds: Worlds, per_world: int = 30
) -> int:
    """`resample` reaches exactly these worlds, as often as their weights say; returns how many there are."""
    memory = tuple(getattr(helper(case), "MEMORY", ()))
    wanted: dict[bytes, float] = {}
    for env, weight in worlds.values():
        key = without(env.record, DICE, *memory)
        wanted[key] = wanted.get(key, 0.0) + weight
    n = max(200, per_world * len(wanted))
    found = resamples(truth, case, agent, n)
    keys, counts = np.unique(cleared(found, DICE, *memory), return_counts=True)
    hits = dict(zip((key.tobytes() for key in keys), counts.tolist(), strict=True))
    strange = set(hits) - set(wanted)
    assert not strange, f"{len(strange)} of {len(hits)} resampled worlds cannot be, {len(wanted)} can"
    total = sum(wanted.values())
    expected = {key: n * weight / total for key, weight in wanted.items()}
    missed = [key for key, times in expected.items() if times > 25 and key not in hits]
    assert not missed, f"{len(missed)} of {len(wanted)} worlds are never reached"
    if len(wanted) > 1:
        square = sum((hits.get(key, 0) - times) ** 2 / times for key, times in expected.items())
        free = len(wanted) - 1
        # Wilson and Hilferty: the cube root of chi-square is nearly normal
        z = ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / math.sqrt(2 / (9 * free))
        assert z < 5, (
            f"{len(wanted)} worlds are not equally likely: chi-square {square:.0f}, {z:.1f} standard errors"
        )
    return len(wanted)


def cleared(states: np.ndarray, *names: str) -> np.ndarray:
    """The states as raw bytes (n,) with some fields zeroed; ``seats.took`` names a field within a field."""
    return np.frombuffer(without(states, *names), f"V{states.dtype.itemsize}")


def possible_worlds_are_reached(case: Case, truth: OutbreakEnv, agent: str, worlds: Worlds) -> int:
    """No world that can be is left out, and every resampled one keeps the View; returns how many there are.

    For views that forget something: other histories may lead to the same View, so `resample` may reach more.
    """
    own = helper(case)
    memory = tuple(getattr(own, "MEMORY", ()))
    unordered = getattr(own, "unordered", lambda states: states)
    one = [np.frombuffer(env.get_state(), case.game.state) for env, _ in worlds.values()]
    missing = {cleared(unordered(state), DICE, *memory)[0].tobytes() for state in one}
    seat, view = truth.possible_agents.index(agent), truth.view(agent).tobytes()
    for chunk in range(MOST_CHUNKS):
        found = resamples(truth, case, agent, CHUNK, first=chunk * CHUNK)
        lanes = lanes_of(case, found)
        lanes.serve(kernel.LOOK, 0, CHUNK, seat)
        assert (lanes.flat_views == np.frombuffer(view, np.int8)).all(), "a resampled world has another View"
        lanes.serve(kernel.INSPECT, 0, CHUNK)
        missing -= {key.tobytes() for key in cleared(unordered(found), DICE, *memory)}
        if not missing:
            return len(worlds)
    raise AssertionError(f"{len(missing)} of {len(worlds)} possible worlds are never reached")


def resample_reaches_all_worlds(case: Case, seeds: int = 3, most: int = 30) -> int:
    """The whole of line 12's enumeration for a game whose Views remember all that matters; returns the
    largest number of worlds met."""
    largest = 0
    for seed in range(seeds):
        agents = strict(case).possible_agents
        for agent in agents:
            for truth, worlds in itertools.islice(histories(case, seed, agent), most):
                largest = max(largest, worlds_are_hit_uniformly(case, truth, agent, worlds))
                if over(truth):
                    break
    return largest
