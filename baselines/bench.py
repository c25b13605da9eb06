"""Speed, printed beside a fixed reference of the same run.

Batches: decisions a second with mask and View written at each, random legal actions picked by a
small compiled helper that is not counted.  AEC: the loop of reset / agent_iter / last / step with
random legal actions, counted whole, against PettingZoo's ``connect_four`` in the same loop.
Medians of several runs; machines drift, so the ratio is what to quote.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from outbreak_rl.envs import make_batch
from outbreak_rl.envs.core.extras import install
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.rule import rule

from .evaluate import versions

Row = dict[str, Any]


def _pick(masks, tickets, actions):  # type: ignore[no-untyped-def]
    for i in range(len(masks)):
        n = 0
        for action in range(masks.shape[1]):
            n += masks[i, action]
        k = tickets[i] % n
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                if k == 0:
                    actions[i] = action
                    break
                k -= 1


pick = rule(_pick, entry=True)


def batch_speed(game: Game, options: Mapping[str, Any], lanes: int, threads: int, seconds: float) -> float:
    """Decisions a second of BatchEnv.step, with random legal actions."""
    batch = make_batch(game.id, lanes, threads=threads, **options)
    batch.reset()
    rng = np.random.default_rng(0)
    actions = np.zeros(lanes, np.int64)
    steps, spent = -20, 0.0  # the first steps warm up, and mix the lanes' games
    while spent < seconds:
        pick(batch.masks, rng.integers(1 << 31, size=lanes), actions)
        start = time.perf_counter()
        batch.step(actions)
        steps += 1
        spent = spent + time.perf_counter() - start if steps > 0 else 0.0
    return steps * lanes / spent


def aec_speed(env: Any, seconds: float) -> float:
    """Decisions a second of the whole AEC loop with random legal actions."""
    dice = random.Random(0)
    env.reset(seed=1)
    env.last()  # what is compiled for it is not counted
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(dice.random() * len(legal))]))
            steps += 1
    return steps / (time.perf_counter() - start)


def clone_speed(game: Game, options: Mapping[str, Any], seconds: float) -> tuple[float, float]:
    """Clones a second: of a live AEC environment, and of a record by its bytes."""
    import pettingzoo

    env: Any = pettingzoo.make("aec", game.id, **options)
    env.reset(seed=1)
    source = np.zeros(1, game.state).view(np.uint8)
    target = np.zeros_like(source)

    def copy_bytes() -> None:
        target[:] = source

    return per_second(env.clone, seconds), per_second(copy_bytes, seconds)


def per_second(call: Callable[[], Any], seconds: float) -> float:
    """Calls a second."""
    calls, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(100):
            call()
        calls += 100
    return calls / (time.perf_counter() - start)


_START = """
import time; t = time.perf_counter()
import pettingzoo, outbreak_rl.envs
env = pettingzoo.make("aec", {id!r}); env.reset(seed=1)
observation = env.last()[0]; env.step(int(observation["action_mask"].nonzero()[0][0]))
print(time.perf_counter() - t)
"""


def start_times(game: Game) -> tuple[float, float]:
    """Seconds from the first import to the first step: with an empty cache, and with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        place = {**os.environ, "OUTBREAK_CACHE_DIR": folder}
        command = [sys.executable, "-c", _START.format(id=game.id)]
        times = [
            float(subprocess.run(command, env=place, check=True, capture_output=True, text=True).stdout)
            for _ in range(4)
        ]
    return times[0], statistics.median(times[1:])


def median(measure: Callable[[], float], runs: int) -> float:
    """The median of several runs."""
    return statistics.median(measure() for _ in range(runs))


def bench(
    game: Game,
    settings: Sequence[Mapping[str, Any]],
    lanes: int,
    threads: int,
    runs: int,
    seconds: float,
    starts: bool,
    tell: Callable[[str], None],
) -> list[Row]:
    """Measure a game under several option sets; returns one row a figure.

    A row has a ``key`` for files (``batch_1``: the batch on one thread), and in words ``what``.
    """
    import pettingzoo

    rows: list[Row] = []

    def add(
        key: str, what: str, options: Mapping[str, Any], value: float, unit: str, ratio: float | None = None
    ) -> None:
        rows.append(
            {"key": key, "what": what, "options": dict(options), "value": value, "unit": unit, "ratio": ratio}
        )
        tell(
            f"  {what}, {_words(options)}: {value:,.3g} {unit}"
            + (f" ({ratio:.1f} x connect_four)" if ratio else "")
        )

    if starts:
        cold, warm = start_times(game)
        add("cold_start", "first start, with compiling", {}, cold, "s")
        add("warm_start", "later start", {}, warm, "s")
    for options in settings:
        for workers in dict.fromkeys((1, threads)):
            speed = median(lambda o=options, w=workers: batch_speed(game, o, lanes, w, seconds), runs)  # type: ignore[misc]
            what = f"batch of {lanes}, {workers} thread{'s' * (workers > 1)}"
            add(f"batch_{workers}", what, options, speed, "decisions/s")
    try:
        reference = pettingzoo.make("aec", "classic/connect_four-v3")
    except Exception:
        tell(f"  connect_four is not installed ({install('test')}): no ratios")
        reference = None
    for options in settings:
        ours = pettingzoo.make("aec", game.id, **options)
        speeds, ratios = [], []
        for _ in range(runs):
            speeds.append(aec_speed(ours, seconds))
            if reference is not None:
                ratios.append(speeds[-1] / aec_speed(reference, seconds))
        ratio = statistics.median(ratios) if ratios else None
        add("aec", "AEC, random legal play", options, statistics.median(speeds), "decisions/s", ratio)
    live, record = clone_speed(game, settings[0], seconds)
    add("clone_live", "clone of a live AEC environment", settings[0], live, "/s")
    add("clone_record", "clone of a record by its bytes", settings[0], record, "/s")
    return rows


def _words(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in options.items()) or "default options"


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
    }


def as_json(game: Game, rows: list[Row], command: Sequence[str] = ()) -> bytes:
    """The figures with the machine and the command, for files."""
    about = {"game": game.id, "title": game.title, "command": list(command), "machine": machine()}
    return json.dumps({**about, "versions": versions(), "rows": rows}, indent=1).encode()
