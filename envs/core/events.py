"""The event log: what happened, and which part of it each seat saw.

That something happened is always seen by everybody (who is asked follows from public facts); an
event has two public arguments and two that only the seats in its bit set ``who`` see.  The log is
what `information_state`, `History`, text and replays are made of.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from .rule import rule

COLUMNS = 7  # kind, seat, public a, public b, who, secret c, secret d
EVERYBODY = -1
NOBODY = 0
ACTED = 0  # the event kind that core logs itself: seat acted, secret c = action id (seen by that seat)


@rule
def log(ctx, kind, seat, a=0, b=0, who=0, c=0, d=0):  # type: ignore[no-untyped-def]
    """Write an event; costs nothing where no log is kept."""
    events = ctx.events
    if len(events) == 0:
        return
    n = events[0, 0] + 1
    events[0, 0] = n
    if n >= len(events):
        return
    row = events[n]
    row[0] = kind
    row[1] = seat
    row[2] = a
    row[3] = b
    row[4] = who
    row[5] = c
    row[6] = d


def event_table(*names: str) -> Any:
    """The kinds of events of a game as a named tuple of numbers; ``acted`` (0) is core's own."""
    kinds = namedtuple("Events", ("acted", *names))  # type: ignore[misc]
    return kinds(*range(len(names) + 1))


def seen_by(events: np.ndarray, seat: int) -> np.ndarray:
    """The log as a seat saw it: int32 (n, 7), secret arguments of others as -1, ``who`` as 0 or 1.

    ``seat = -1`` is a spectator.  Rows of the log as `log` writes them, row 0 being its count.
    """
    rows = events[1 : 1 + int(events[0, 0])].copy() if len(events) else np.zeros((0, COLUMNS), np.int32)
    who = rows[:, 4]
    sees = (who == EVERYBODY) if seat < 0 else ((who >> seat) & 1).astype(bool)
    rows[~sees, 5:] = -1
    rows[:, 4] = sees
    return rows
