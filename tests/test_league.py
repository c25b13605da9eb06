"""The opponents of self-play: who is drawn, who sits where, who is forgotten."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from small_runs import RFYL, SMALL  # noqa: E402

from outbreak_rl.baselines.agents import make_agent  # noqa: E402
from outbreak_rl.baselines.config import from_dict  # noqa: E402
from outbreak_rl.baselines.selfplay import LEARNER, League  # noqa: E402


def test_hard_opponents_are_drawn_more_often_and_tables_are_planned() -> None:
    settings = from_dict(
        SMALL, "SMALL", ["--selfplay.latest", "0.25", "--selfplay.one", "0.5", "--selfplay.at_once", "1"]
    ).selfplay
    league = League(settings, 4000, 7, [make_agent("random", RFYL)], seed=1)
    for name in ("easy", "hard"):
        league.add(name, make_agent("random", RFYL))
    league.members[0].share, league.members[1].share, league.members[2].share = 0.5, 0.9, 0.2
    drawn = np.zeros(3)
    for _ in range(4000):
        league.draw_active()
        drawn[league.active[0]] += 1
    assert drawn / 4000 == pytest.approx([0.5, 0.5 / 9, 0.5 * 8 / 9], abs=0.03)
    players = np.where(np.arange(4000) % 2, 3, 6)
    league.active = [2]
    league.deal(np.arange(4000), players)
    theirs = (league.seated != LEARNER).sum(1)
    assert (theirs < players).all()  # the learner always has a seat
    assert (theirs == 0).mean() == pytest.approx(0.25, abs=0.03)
    six = theirs[(players == 6) & (theirs > 0)]
    assert (six == 5).mean() == pytest.approx(0.5 + 0.5 / 5, abs=0.04)
    assert all((league.seated[players == n, n:] == LEARNER).all() for n in (3, 6))
    where = (league.seated[(players == 3)][:, :3] != LEARNER).mean(0)
    assert where == pytest.approx([where.mean()] * 3, abs=0.05)  # no seat is preferred


def test_results_count_for_the_opponent_at_the_table() -> None:
    league = League(from_dict(SMALL).selfplay, 3, 7, [make_agent("random", RFYL)], seed=1)
    league.seated[0, 1:3] = 0  # the learner alone at seat 0 of three
    league.seated[1, 0] = 0  # one opponent
    rewards = np.zeros((3, 7), np.float32)
    rewards[0, :3] = [2 / 3, -1 / 3, -1 / 3]
    rewards[1, :3] = [2 / 3, -1 / 3, -1 / 3]
    alone = league.note(np.arange(3), rewards, np.array([3, 3, 3]))
    assert alone == [("random", 3, pytest.approx(2 / 3))]
    assert league.members[0].games == 2
    assert league.members[0].share == pytest.approx(0.5)  # one won, one lost


def test_the_league_forgets_its_easiest_past_but_nobody_who_sits_at_a_table() -> None:
    league = League(from_dict(SMALL).selfplay, 2, 3, [make_agent("random", RFYL)], seed=1)
    for name, share in (("a", 0.9), ("b", 0.8)):
        league.add(name, make_agent("random", RFYL))
        league.members[-1].share = share
    league.seated[0, 0] = 1  # "a" plays
    league.add("c", make_agent("random", RFYL))
    assert [member.name for member in league.members] == ["random", "a", "c"]
    league.seated[:] = LEARNER
    league.add("d", make_agent("random", RFYL))
    assert [member.name for member in league.members] == ["random", "d", "c"]
