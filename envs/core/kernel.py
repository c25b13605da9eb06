"""The batch kernel, written once: play, deal anew, list the legal actions, observe.

A game binds it to its own rules (``serve = bind(...)`` in its ``kernel.py``).  One entry point does
everything: each further one would link and optimise the whole engine again at the first compile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .chance import Ctx, derived_seed, seed_stream
from .decisions import acting_seat
from .events import ACTED, log
from .rule import PLAIN, rebound
from .state import fill

# What the kernel is asked to do with the lanes lo .. hi - 1.
DEAL = 0  # a new game in each lane from seeds[i]
STEP = 1  # play inputs[i]; an ended game stays as it is
STEP_ON = 2  # play inputs[i]; an ended game goes to finals[i] and its lane is dealt anew
VERIFY = 3  # only look for an action that the mask forbids
LOOK = 4  # observe for the seat given (ACTING: whose turn it is), and its mask
RESAMPLE = 5  # redeal what the seat given cannot know, from inputs[i]; then as LOOK
INSPECT = 6  # conservation: raises where a state breaks it

ACTING = -2
SPECTATOR = -1


def _missing(*arguments: Any) -> Any:
    raise NotImplementedError("bind() gives this function")


deal = legal = play = observe = resample = check = _missing


def serve(  # type: ignore[no-untyped-def]
    what, lo, hi, seat, states, blanks, variants, tables, script, drawn, events,
    inputs, seeds, episodes, base, views, masks, seats, rewards, overs, finals, final_seeds,
):  # fmt: skip
    """Serve lanes lo .. hi - 1; returns -1, or the first lane whose action is not legal.

    states, finals: State (n,).  blanks: a State for each variant (options set, nothing dealt) and
    variants int32 (n,) which one a lane is dealt from.  tables, script, drawn, events: see Ctx.
    inputs int64 (n,): actions, or seeds for RESAMPLE.  seeds, episodes, final_seeds int64 (n,).
    views View (n,), masks int8 (n, actions), seats int8 (n,), rewards float32 (n, seats),
    overs int8 (n,): RUNNING, TERMINATED or TRUNCATED by this step.
    """
    ctx = Ctx(tables, script, drawn, events)
    if what == VERIFY:
        for i in range(lo, hi):
            action = inputs[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
        return -1
    for i in range(lo, hi):
        state = states[i]
        who = acting_seat(state)
        if what == INSPECT:
            check(state, ctx)
            continue
        if what == STEP or what == STEP_ON:
            action = inputs[i]
            fill(rewards[i], 0)
            overs[i] = 0
            log(ctx, ACTED, who, 0, 0, 1 << who, action)
            play(state, ctx, action)
            if state.over != 0:
                overs[i] = state.over
                for p in range(state.players):
                    rewards[i, p] = state.reward[p] / state.reward_unit
                if what == STEP_ON:
                    finals[i] = states[i]
                    final_seeds[i] = seeds[i]
                    episodes[i] += 1
                    seeds[i] = derived_seed(base, i, episodes[i])
        if what == DEAL or (what == STEP_ON and overs[i] != 0):
            states[i] = blanks[variants[i]]
            seed_stream(state.random, seeds[i])
            deal(state, ctx)
        if what == RESAMPLE:
            resample(state, ctx, seat, inputs[i])
        who = acting_seat(state)
        seats[i] = who
        looker = seat if what >= LOOK and seat != ACTING else who
        mask = masks[i]
        fill(mask, 0)
        if who >= 0 and looker == who:
            legal(state, ctx, mask)
        observe(state, ctx, max(looker, SPECTATOR), views[i])
    return -1


def bind(module: str, **functions: Any) -> Any:
    """The kernel with a game's own deal, legal, play, observe, resample and check.

    All are compiled rules over records in place:
    ``deal(state, ctx)`` from a blank state with its stream seeded; ``legal(state, ctx, mask)`` sets
    ones in a zeroed mask; ``play(state, ctx, action)``; ``observe(state, ctx, seat, view)`` writes
    every byte of the view, for a seat or SPECTATOR; ``resample(state, ctx, seat, seed)``;
    ``check(state, ctx)`` raises where something was lost.
    """
    if not PLAIN:
        return rebound(serve, module, functions)  # type: ignore[arg-type]
    from .plain import plain

    own = rebound(serve, module, functions)  # type: ignore[arg-type]

    def serve_plain(*arguments: Any) -> int:
        return int(own(*[plain(a) if isinstance(a, np.ndarray) else a for a in arguments]))

    return serve_plain
