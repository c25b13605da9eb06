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
from .rule import PLAIN, rebound, rule
from .state import fill, record

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

LOG_HALF_FULL = 64


def lane_record(seats: int) -> np.dtype:
    """LANE: the books of one lane, for games of at most this many seats."""
    return record([
        ("input", "i8"),
        ("seed", "i8"),  # of the present episode
        ("episode", "i8"),  # episodes ended so far
        ("final_seed", "i8"),  # of the episode that ended last
        ("variant", "i4"),  # which blank the next episode is dealt from
        ("first_table", "i4"),  # where its variant's run-time tables begin
        ("final_table", "i4"),  # the same for the episode that ended last
        ("reward", "f4", (seats,)),  # what fell due in this step
        ("seat", "i1"),  # who is asked, -1: nobody
        ("over", "i1"),  # how the game ended by this step, 0: it did not
    ])  # fmt: skip


def _missing(*arguments: Any) -> Any:
    raise NotImplementedError("bind() gives this function")


deal = legal = play = observe = resample = check = _missing


def serve(order, lanes, states, finals, blanks, tables, script, drawn, events, views, masks):  # type: ignore[no-untyped-def]
    """Serve the lanes lo .. hi - 1 of ``order``: int64 (what, lo, hi, seat, base seed).

    Few and packed arguments: each costs a quarter of a microsecond a call.  lanes LANE (n,): input
    (an action, or a seed for RESAMPLE) and the books of each lane.  states, finals: State (n,).
    blanks: a State for each variant, with the options set and nothing dealt (its ``table`` says
    where the variant's tables begin; a dealt state counts from there).  tables, script, drawn,
    events: see Ctx.  views View (n,), masks int8 (n, actions).

    Returns a negative number -1 - i for the first lane i whose action is not legal (STEP, VERIFY),
    else a summary of the last lane: seat asked + 1, plus 16 times how the game ended by this step,
    plus LOG_HALF_FULL where a log wants more room.
    """
    what = order[0]
    lo = order[1]
    hi = order[2]
    seat = order[3]
    if what == VERIFY:
        return first_illegal(lanes, masks, lo, hi)
    ctx = Ctx(tables, script, drawn, events)
    summary = 0
    for i in range(lo, hi):
        lane = lanes[i]
        state = states[i]
        mask = masks[i]
        over = 0
        if what == STEP or what == STEP_ON:
            action = int(lane.input)
            if what == STEP and (action < 0 or action >= len(mask) or mask[action] == 0):
                return -1 - i
            state.table += lane.first_table  # a state counts its own tables from 0, the rules all
            who = acting_seat(state)
            log(ctx, ACTED, who, 0, 0, 1 << who, action)
            play(state, ctx, action)
            over = int(state.over)
            settle(lane, state, over)
            if over != 0 and what == STEP_ON:
                finals[i] = states[i]
                finals[i].table -= lane.first_table
                lane.final_table = lane.first_table
                lane.final_seed = lane.seed
                lane.episode += 1
                lane.seed = derived_seed(order[4], i, lane.episode)
        elif what >= LOOK:
            state.table += lane.first_table
        if what == DEAL or (over != 0 and what == STEP_ON):
            lane.first_table = table_of(lane, blanks)
            states[i] = blanks[lane.variant]
            seed_stream(state.random, lane.seed)
            deal(state, ctx)
        if what == RESAMPLE:
            resample(state, ctx, seat, lane.input)
        if what == INSPECT:
            check(state, ctx)
            state.table -= lane.first_table
            continue
        who = acting_seat(state)
        lane.seat = who
        looker = seat if what >= LOOK and seat != ACTING else who
        fill(mask, 0)
        if who >= 0 and looker == who:
            legal(state, ctx, mask)
        observe(state, ctx, max(looker, SPECTATOR), views[i])
        state.table -= lane.first_table
        summary = who + 1 + 16 * over
    if half_full(drawn) or half_full(events[:, 0]):
        summary += LOG_HALF_FULL
    return summary


@rule
def half_full(log_counts):  # type: ignore[no-untyped-def]
    """Whether a log (its count stands first) should be given more room before the next step."""
    return len(log_counts) > 0 and 2 * log_counts[0] > len(log_counts)


@rule
def table_of(lane, blanks):  # type: ignore[no-untyped-def]
    """The first of the run-time tables of a lane's variant: there the lane counts from 0."""
    if lane.variant < 0 or lane.variant >= len(blanks):
        raise ValueError("a lane's variant is not one of the batch's variants")
    return blanks[lane.variant].table


@rule
def first_illegal(lanes, masks, lo, hi):  # type: ignore[no-untyped-def]
    """-1 - i for the first lane whose input its mask forbids, 0 where all are legal."""
    for i in range(lo, hi):
        action = lanes[i].input
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            return -1 - i
    return 0


@rule
def settle(lane, state, over):  # type: ignore[no-untyped-def]
    """The rewards that fall due at the end of a game, zero before it."""
    lane.over = over
    for p in range(len(lane.reward)):
        lane.reward[p] = state.reward[p] / state.reward_unit if over != 0 else 0.0


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
