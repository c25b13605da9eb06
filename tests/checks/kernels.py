"""Compiled code: everything that a game's kernel does, a planted fault, processes of their own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.rule import PLAIN, rule

from .cases import Case
from .hidden import resamples
from .play import batch, batch_digest, lanes_of, play_out, strict

TESTS = Path(__file__).resolve().parents[1]


def use_all(case: Case) -> str:
    """Ask the kernel for each of the things that it can do; a digest of what came out."""
    found = hashlib.sha256()
    env = strict(case)
    env.reset(seed=7)
    play_out(env, seed=7, most=20)
    found.update(env.get_state())
    for seat, agent in enumerate(env.possible_agents):
        found.update(env.observe(agent)["observation"].tobytes())
        found.update(resamples(env, case, agent, 3).tobytes())
        found.update(env.information_state(agent).tobytes() + bytes([seat]))
    env.inspect()
    found.update(batch_digest(batch(case, 16), 30).encode())
    many = batch(case, 8)
    many.reset()
    found.update(many.encode().tobytes())
    lanes_of(case, many.states).serve(kernel.INSPECT, 0, 8)
    return found.hexdigest()


@rule
def beyond(row, index):  # type: ignore[no-untyped-def]
    """A planted fault: whoever calls this with index 99 reads what is not there."""
    return row[index]


def read_beyond() -> str:
    """ "IndexError" where this build sees the fault, "unseen" where it does not."""
    from outbreak_rl.envs.core.plain import plain

    row: Any = np.zeros(100, np.int8)[:4]  # the bytes behind it are ours: no harm is done
    try:
        beyond(plain(row) if PLAIN else row, 99)
    except IndexError:
        return "IndexError"
    return "unseen"


def child(command: str, value: Any = None, timeout: float = 600, **changes: str | None) -> tuple[Any, str]:
    """Run a command of child.py in a process of its own: its answer and what it said on stderr."""
    done = start(command, value, **changes)
    return finish(done, timeout)


def start(command: str, value: Any = None, **changes: str | None) -> subprocess.Popen[str]:
    """Start such a process; an environment variable of None is taken away."""
    environment = {**os.environ, **{key: value for key, value in changes.items() if value is not None}}
    for key, change in changes.items():
        if change is None:
            environment.pop(key, None)
    return subprocess.Popen(
        [sys.executable, str(TESTS / "child.py"), command, json.dumps(value)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=os.path.expanduser("/"),
    )  # fmt: skip


def finish(process: subprocess.Popen[str], timeout: float = 600) -> tuple[Any, str]:
    """Wait for it."""
    out, err = process.communicate(timeout=timeout)
    assert process.returncode == 0, f"exit {process.returncode}\n{out}\n{err}"
    return json.loads(out), err
