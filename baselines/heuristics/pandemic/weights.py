"""What things are worth to the scripted team, in units of about one wasted action."""

from __future__ import annotations

from typing import Any

import numpy as np

from outbreak_rl.envs.core.state import record

VALUES: dict[str, Any] = {
    "missing": (
        15.0,
        9.5,
        5.5,
        3.0,
        1.3,
        0.3,
        0.0,
        0.0,
    ),  # the best hand of a colour, by cards missing for a cure
    "spare": 0.35,  # a card of an uncured colour in another hand
    "flight": 0.25,  # any city card, as a ticket
    "event_card": 4.0,
    "surplus": 0.1,  # a card that will not fit into the hand
    "scarce": 6.0,  # a discard, by how few cards of a colour it leaves
    "tight": 2.0,
    "plenty": 0.7,
    "outbreak": 4.0,
    "late": 0.25,  # more, for each outbreak before
    "crowd": 0.4,  # more, for each neighbour with three cubes
    "round": 0.5,  # turns of each seat until the team has treated what is in danger now
    "cube": (0.15, 0.35, 0.9, 2.0),  # a cube on the board, as the supply runs out
    "full": 1.0,  # less, for a card given into a full hand
    "relieved": 0.0,  # more, for a card given out of one
    "road": 0.6,  # each drive on the way to a transfer
    "transfer": 1.0,  # what a transfer must bring
    "cure_gain": 45.0,
    "eradication_gain": 5.0,
    "spared": 0.01,  # an action left over
    "draw": 0.6,  # of danger, on a pawn that is to stop somewhere
    "meet": 1.0,  # of a transfer, likewise
    "meet_most": 6.0,
    "to_station": 3.5,  # each drive between a hand that is ready and a station
    "most_paid": 6.0,  # for a flight
    "share_at_least": 0.5,
    "guard": 0.5,  # a Quarantine Specialist beside danger
    "station": 0.8,  # a new one, for each drive that it is farther away than two
    "station_now": 3.0,  # likewise, before a cure
    "dispatch": 1.0,  # what a Dispatcher's move must bring
    "airlift": 4.0,  # what an Airlift must bring
    "due_calm": 0.7,  # outbreaks due for an event to be played
    "due_late": 0.3,  # likewise, when there have been many
    "kept": 1.0,  # a card that costs more is kept at the hand limit, and an event played
}

WEIGHTS = record([
    (name, "f8", (len(value),)) if isinstance(value, tuple) else (name, "f8") for name, value in VALUES.items()
])  # fmt: skip


def weights() -> np.ndarray:
    """The values as a WEIGHTS record (1,)."""
    found = np.zeros(1, WEIGHTS)
    for name, value in VALUES.items():
        found[0][name] = value
    return found
