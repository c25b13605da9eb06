"""The arithmetic of learning, apart so that it can be tested: advantages, masked choice, storage.

Seats take turns in no fixed order, so the "next" decision of a seat may lie any number of steps
ahead, and a game may end, with a reward, without that seat being asked again.  Everything here
follows one seat of one lane from each of its own decisions to its next one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]


# --- advantages -----------------------------------------------------------------------------------


@dataclass
class Waiting:
    """Decisions whose seat has not been asked again yet, one place a seat of each lane: (n, seats).

    there: whether one waits.  values: the critic's estimate when it was made.  rewards: what the
    seat has been given since.
    """

    there: Flags
    values: Floats
    rewards: Floats

    @classmethod
    def none(cls, lanes: int, seats: int) -> Waiting:
        """Nothing waits, as before the first rollout."""
        zero = np.zeros((lanes, seats), np.float32)
        return cls(zero.astype(bool), zero, zero.copy())


@dataclass
class Advantages:
    """What `gae` finds.

    advantages (steps, n): of each decision.  complete (steps, n): whether its seat was asked again
    or its game ended within the rollout; the others wait.  collected (steps, n): the reward between
    a decision and the next one of its seat (or the end of the rollout).  earlier, earlier_complete,
    earlier_collected (n, seats): the same of the decisions that waited before.
    """

    advantages: Floats
    complete: Flags
    collected: Floats
    earlier: Floats
    earlier_complete: Flags
    earlier_collected: Floats


def gae(
    values: Floats,
    rewards: Floats,
    seats: NDArray[Any],
    ended: Flags,
    waiting: Waiting,
    gamma: float,
    lam: float,
    cut_values: Floats | None = None,
) -> Advantages:
    """Generalised advantage estimation (Schulman et al. 2016) along the decisions of each seat.

    values (steps, n): the critic's estimate for the seat that decides.  rewards (steps, n, seats):
    what fell due after the decision, for all seats.  seats (steps, n): who decided.  ended
    (steps, n): whether the lane's game ended with this step.  cut_values (steps, n, seats): the
    estimates for a game that was cut off, zero where it ended truly.  ``gamma`` and ``lam`` count a
    seat's own decisions.
    """
    steps, lanes = values.shape
    most = rewards.shape[2]
    lane = np.arange(lanes)
    found = Advantages(
        np.zeros((steps, lanes), np.float32), np.zeros((steps, lanes), bool), np.zeros((steps, lanes), np.float32),
        np.zeros((lanes, most), np.float32), np.zeros((lanes, most), bool), np.zeros((lanes, most), np.float32),
    )  # fmt: skip
    # Looking back from the end of the rollout, for each seat of each lane: its next estimate, its
    # next advantage, whether there is a next one at all, and the reward before it.
    next_value = np.zeros((lanes, most), np.float32)
    next_advantage = np.zeros((lanes, most), np.float32)
    known = np.zeros((lanes, most), bool)
    reward = np.zeros((lanes, most), np.float32)
    for t in range(steps - 1, -1, -1):
        over = ended[t]
        if over.any():
            next_value[over] = 0.0 if cut_values is None else cut_values[t, over]
            next_advantage[over] = 0.0
            known[over] = True
            reward[over] = 0.0
        reward += rewards[t]
        seat = seats[t]
        value = values[t]
        error = reward[lane, seat] + gamma * next_value[lane, seat] - value
        complete = known[lane, seat]
        advantage = np.where(complete, error + gamma * lam * next_advantage[lane, seat], 0.0)
        found.advantages[t] = advantage
        found.complete[t] = complete
        found.collected[t] = reward[lane, seat]
        next_value[lane, seat] = value
        next_advantage[lane, seat] = advantage
        known[lane, seat] = True
        reward[lane, seat] = 0.0
    found.earlier_collected = waiting.rewards + reward
    found.earlier_complete = waiting.there & known
    error = found.earlier_collected + gamma * next_value - waiting.values
    found.earlier = np.where(found.earlier_complete, error + gamma * lam * next_advantage, 0.0).astype(
        np.float32
    )
    return found


# --- masked choice --------------------------------------------------------------------------------


class MaskedCategorical:
    """The distribution over legal actions only, from logits of any float type.

    logits (n, actions); masks (n, actions), nonzero where legal.  Raises ValueError for a row
    without a legal action.  All arithmetic is float32.
    """

    def __init__(self, logits: torch.Tensor, masks: torch.Tensor) -> None:
        legal = masks if masks.dtype == torch.bool else masks != 0
        some = legal.any(-1)
        if not bool(some.all()):
            row = int((~some).nonzero()[0, 0])
            raise ValueError(f"row {row} of the masks has no legal action: nothing can be chosen there")
        self.legal = legal
        self.log_probs = torch.log_softmax(logits.float().masked_fill(~legal, -torch.inf), -1)

    @property
    def probs(self) -> torch.Tensor:
        """float32 (n, actions): exactly zero where not legal."""
        return self.log_probs.exp()

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """float32 (n,): of int64 actions (n,); -inf for one that is not legal."""
        return self.log_probs.gather(-1, actions[:, None])[:, 0]

    def entropy(self) -> torch.Tensor:
        """float32 (n,): in nats, over the legal actions; finite, and so is its gradient."""
        return -(self.probs * self.log_probs.masked_fill(~self.legal, 0.0)).sum(-1)

    def sample(self, uniform: torch.Tensor) -> torch.Tensor:
        """int64 (n,): one legal action a row from uniform numbers in [0, 1), float32 (n,).

        Inverts the cumulative sums: twenty times faster on a CPU than drawing by torch's own class.
        """
        sums = self.probs.cumsum(-1)
        whole = sums[:, -1:]
        ticket = torch.minimum(
            uniform[:, None] * whole, whole * (1 - 1e-6)
        )  # below the whole after rounding, too
        return torch.searchsorted(sums, ticket, right=True)[:, 0]

    def mode(self) -> torch.Tensor:
        """int64 (n,): the likeliest action of each row."""
        return self.log_probs.argmax(-1)


# --- storage --------------------------------------------------------------------------------------


@dataclass
class Samples:
    """Decisions to learn from, m rows.

    views int8 (m, bytes), masks int8 (m, actions), actions int64 (m,), log_probs, values,
    advantages, returns float32 (m,); states float32 (m, width), width 0 without a central critic.
    """

    views: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_probs: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    states: torch.Tensor

    def __len__(self) -> int:
        return len(self.actions)

    def to(self, device: torch.device) -> Samples:
        """The same on another device."""
        return Samples(**{name: tensor.to(device) for name, tensor in self.__dict__.items()})

    def rows(self, index: torch.Tensor) -> Samples:
        """Some of the rows."""
        return Samples(**{name: tensor[index] for name, tensor in self.__dict__.items()})


_KEPT = ("views", "masks", "actions", "log_probs", "values", "states")


@dataclass
class Rollout:
    """The decisions of one rollout, (steps, lanes), and those that wait from before, (lanes, seats).

    Views and masks are stored as int8, as the batch writes them, and reapplied in the update.
    """

    steps: int
    lanes: int
    seats: int
    view_size: int
    actions_size: int
    state_width: int = 0
    here: dict[str, NDArray[Any]] = field(init=False)
    before: dict[str, NDArray[Any]] = field(init=False)
    waiting: Waiting = field(init=False)

    def __post_init__(self) -> None:
        self.here = self._columns(self.steps, self.lanes)
        self.before = self._columns(self.lanes, self.seats)
        self.waiting = Waiting.none(self.lanes, self.seats)
        shape = (self.steps, self.lanes)
        self.asked = np.zeros(shape, np.int64)  # which seat decided
        self.mine = np.zeros(shape, bool)  # whether the learner did
        self.ended = np.zeros(shape, bool)
        self.rewards = np.zeros((*shape, self.seats), np.float32)
        self.cut_values = np.zeros((*shape, self.seats), np.float32)

    def _columns(self, *shape: int) -> dict[str, NDArray[Any]]:
        return {
            "views": np.zeros((*shape, self.view_size), np.int8),
            "masks": np.zeros((*shape, self.actions_size), np.int8),
            "actions": np.zeros(shape, np.int64),
            "log_probs": np.zeros(shape, np.float32),
            "values": np.zeros(shape, np.float32),
            "states": np.zeros((*shape, self.state_width), np.float32),
        }

    def finish(self, gamma: float, lam: float) -> Samples:
        """The learner's decisions that are complete; those that are not wait for the next rollout."""
        values = np.where(self.mine, self.here["values"], 0.0).astype(np.float32)
        found = gae(
            values, self.rewards, self.asked, self.ended, self.waiting, gamma, lam, self.cut_values
        )  # fmt: skip
        ready, earlier = self.mine & found.complete, found.earlier_complete
        columns = {
            name: np.concatenate([self.before[name][earlier], self.here[name][ready]]) for name in _KEPT
        }
        advantages = np.concatenate([found.earlier[earlier], found.advantages[ready]])
        columns["advantages"] = advantages
        columns["returns"] = advantages + columns["values"]
        self._keep(found)
        return Samples(**{name: torch.from_numpy(column) for name, column in columns.items()})

    def _keep(self, found: Advantages) -> None:
        """Remember what waits: at most one decision for each seat of a lane."""
        waiting = self.waiting
        waiting.there &= ~found.earlier_complete
        waiting.rewards = np.where(waiting.there, found.earlier_collected, 0.0).astype(np.float32)
        step, lane = np.nonzero(self.mine & ~found.complete)
        seat = self.asked[step, lane]
        for name in _KEPT:
            self.before[name][lane, seat] = self.here[name][step, lane]
        waiting.there[lane, seat] = True
        waiting.values = self.before["values"]
        waiting.rewards[lane, seat] = found.collected[step, lane]
        self.cut_values[:] = 0.0

    def save(self) -> dict[str, NDArray[Any]]:
        """All that the next rollout needs, as arrays."""
        kept = {f"before.{name}": column for name, column in self.before.items()}
        return {**kept, "waiting.there": self.waiting.there, "waiting.rewards": self.waiting.rewards}

    def load(self, saved: dict[str, NDArray[Any]]) -> None:
        """Go on from `save`."""
        for name, column in self.before.items():
            column[:] = saved[f"before.{name}"]
        self.waiting = Waiting(
            saved["waiting.there"].astype(bool), self.before["values"], saved["waiting.rewards"].copy()
        )


# --- running statistics ---------------------------------------------------------------------------


def normalised(advantages: torch.Tensor, mean: torch.Tensor, deviation: torch.Tensor) -> torch.Tensor:
    """Advantages with mean 0 and deviation 1 over the whole batch (all processes)."""
    return (advantages - mean) / (deviation + 1e-8)


def schedule(value: tuple[float, float], progress: float) -> float:
    """A number that moves linearly from the first to the second over the run (progress 0 .. 1)."""
    return value[0] + (value[1] - value[0]) * min(1.0, max(0.0, progress))
