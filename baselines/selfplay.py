"""Self-play: who sits where, against whom the learner plays, and how it fares.

Each deal of a lane is given its players: all seats the learner's, or some of them an opponent's (an
earlier version of the learner, or a scripted player).  Opponents that are hard to beat are drawn
more often.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .agents import Agent
from .config import SelfPlay

LEARNER = -1


@dataclass
class Member:
    """An opponent.  share: the learner's running share of won comparisons; games: how many."""

    name: str
    agent: Agent
    scripted: bool
    share: float = 0.5
    games: int = 0


_MEMORY = 0.99  # of the running shares
_YOUNG = 50  # games after which a share counts as measured


class League:
    """The opponents, and the table plan of every lane.

    seated: int16 (lanes, seats), LEARNER or the number of a member.  The league draws from its own
    generator, so that a resumed run goes on as it would have.
    """

    def __init__(
        self, settings: SelfPlay, lanes: int, seats: int, scripted: Sequence[Agent], seed: int
    ) -> None:
        self.settings = settings
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.members = [Member(agent.name, agent, True) for agent in scripted]
        self.seated = np.full((lanes, seats), LEARNER, np.int16)
        self.active: list[int] = []

    def draw_active(self) -> None:
        """Choose the opponents of the deals until the next call, hard ones with greater weight."""
        self.active = []
        groups = [[k for k, m in enumerate(self.members) if m.scripted is kind] for kind in (True, False)]
        for _ in range(self.settings.at_once):
            filled = [group for group in groups if group]
            if not filled:
                return
            share = self.settings.scripted_share
            group = filled[0] if len(filled) == 1 else groups[0 if self.rng.random() < share else 1]
            weights = np.array([1.0 - self.members[k].share for k in group]) ** self.settings.hardness + 1e-3
            self.active.append(group[int(self.rng.choice(len(group), p=weights / weights.sum()))])

    def deal(self, lanes: NDArray[Any], players: NDArray[Any]) -> None:
        """Seat new players in lanes (their numbers) that have just been dealt, games of so many players."""
        for lane, seats in zip(lanes.tolist(), players.tolist(), strict=True):
            self.seated[lane] = LEARNER
            if not self.active or seats < 2 or self.rng.random() < self.settings.latest:
                continue
            member = self.active[int(self.rng.integers(len(self.active)))]
            mine = 1 if self.rng.random() < self.settings.one else int(self.rng.integers(1, seats))
            theirs = self.rng.permutation(seats)[mine:]
            self.seated[lane, theirs] = member

    def answer(
        self, who: NDArray[Any], views: NDArray[Any], masks: NDArray[Any], actions: NDArray[Any]
    ) -> None:
        """Fill in the actions of opponents: ``who`` (n,) says whose decision each row is."""
        for number in np.unique(who[who != LEARNER]):
            rows = np.flatnonzero(who == number)
            actions[rows] = self.members[number].agent.act_batch(views[rows], masks[rows], self.rng)

    def note(
        self, lanes: NDArray[Any], rewards: NDArray[Any], players: NDArray[Any]
    ) -> list[tuple[str, int, float]]:
        """Count ended games: rewards (m, seats) of the lanes given, before they are dealt anew.

        Returns (opponent, players, reward of the learner) of those in which the learner had one
        seat among copies of one opponent.
        """
        alone = []
        for lane, reward, seats in zip(lanes.tolist(), rewards, players.tolist(), strict=True):
            plan = self.seated[lane, :seats]
            theirs = plan != LEARNER
            if not theirs.any():
                continue
            member = self.members[int(plan[theirs][0])]
            mean = float(reward[:seats][~theirs].mean()), float(reward[:seats][theirs].mean())
            won = 0.5 + 0.5 * float(np.sign(mean[0] - mean[1]))
            keep = min(_MEMORY, 1 - 1 / (member.games + 2))
            member.share = keep * member.share + (1 - keep) * won
            member.games += 1
            if theirs.sum() == seats - 1:
                alone.append((member.name, seats, float(reward[:seats][~theirs][0])))
        return alone

    def add(self, name: str, agent: Agent) -> None:
        """Keep an earlier version of the learner; the easiest old one makes room where there is none.

        Its number is used again only when nobody sits at a table under it.
        """
        past = [k for k, member in enumerate(self.members) if not member.scripted]
        if self.settings.past < 1:
            return
        if len(past) < self.settings.past:
            self.members.append(Member(name, agent, False))
            return
        busy = set(np.unique(self.seated).tolist())
        free = [k for k in past if k not in busy and self.members[k].games >= _YOUNG] or [
            k for k in past if k not in busy
        ]
        if free:
            easiest = max(free, key=lambda k: self.members[k].share)
            self.members[easiest] = Member(name, agent, False)
            self.active = [k for k in self.active if k != easiest]

    # --- kept in checkpoints ----------------------------------------------------------------------

    def save(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Arrays and plain values; the agents of earlier versions are kept by the caller."""
        members = [[m.name, m.scripted, m.share, m.games] for m in self.members]
        return {"seated": self.seated}, {
            "members": members,
            "active": self.active,
            "rng": rng_state(self.rng),
        }

    def load(
        self, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any], past: Mapping[str, Agent]
    ) -> None:
        """Go on from `save`, with the agents of earlier versions by name."""
        scripted = {member.name: member.agent for member in self.members}
        self.members = [
            Member(name, scripted[name] if is_scripted else past[name], is_scripted, share, games)
            for name, is_scripted, share, games in about["members"]
        ]
        self.active = list(about["active"])
        self.seated[:] = arrays["seated"]
        set_rng_state(self.rng, about["rng"])


def rng_state(rng: np.random.Generator) -> str:
    """The state of a generator as JSON text."""
    return json.dumps(rng.bit_generator.state)


def set_rng_state(rng: np.random.Generator, text: str) -> None:
    """Put a generator into a state of `rng_state`."""
    rng.bit_generator.state = json.loads(text)
