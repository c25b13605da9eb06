"""The stack of pending decisions: push what must be decided next, pop when it is done.

The engine always stands at the decision on top: a seat and a kind, with up to four arguments.
Handlers push and return; one loop in a game's ``play`` drives, so nothing recurses.
"""

from __future__ import annotations

from .rule import rule


@rule
def push(state, kind, seat, a=0, b=0, c=0, d=0):  # type: ignore[no-untyped-def]
    """Ask a seat for a decision before anything else goes on."""
    frame = state.stack[state.depth]
    frame.kind = kind
    frame.seat = seat
    frame.a = a
    frame.b = b
    frame.c = c
    frame.d = d
    state.depth += 1


@rule
def pop(state):  # type: ignore[no-untyped-def]
    """The decision on top is made; its place is zeroed so that equal positions have equal bytes."""
    state.depth -= 1
    frame = state.stack[state.depth]
    frame.kind = 0
    frame.seat = 0
    frame.a = 0
    frame.b = 0
    frame.c = 0
    frame.d = 0


@rule
def top(state):  # type: ignore[no-untyped-def]
    """The pending decision (a record, in place)."""
    return state.stack[state.depth - 1]


@rule
def acting_seat(state):  # type: ignore[no-untyped-def]
    """The seat that is asked, or -1 when the game is over."""
    if state.depth == 0:
        return -1
    return int(state.stack[state.depth - 1].seat)


@rule
def finish(state, how):  # type: ignore[no-untyped-def]
    """The game is over (TERMINATED or TRUNCATED): nothing is pending any more."""
    while state.depth > 0:
        pop(state)
    state.over = how
