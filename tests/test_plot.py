"""Plots: what they are made of, and that the same figures give the same file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from outbreak_rl.baselines.plot import BINS, binned, chosen, plot


def run(folder: Path, height: float, **more: str) -> Path:
    """A run of 2 million decisions whose learner gets better from 0 to a height."""
    folder.mkdir(parents=True)
    rows = []
    for k in range(1, 41):
        key = f"reward/among heuristic at {3 + k % 2}"
        rows.append({"update": k, "decisions": 50_000 * k, key: height * k / 40, "entropy": 1.0, **more})
    (folder / "progress.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def texts(file: Path) -> set[str]:
    return set(re.findall(r"<text[^>]*>([^<]+)</text>", file.read_text()))


def test_a_learning_curve_shows_mean_and_range_of_the_seeds(tmp_path: Path) -> None:
    runs = [run(tmp_path / name, height) for name, height in (("a", 1.0), ("b", 2.0))]
    rows = [
        [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()] for folder in runs
    ]
    at, means = binned(rows, "reward/among heuristic at 3")
    assert means.shape == (2, BINS)
    assert at[0] == pytest.approx(1e6 / BINS)
    assert means[1] == pytest.approx(2 * means[0])
    assert means[0, -1] == pytest.approx(40 / 40, abs=0.05)
    plot(runs, tmp_path / "curve.svg")
    shown = texts(tmp_path / "curve.svg")
    assert {"mean and range of 2 training seeds", "3 players", "4 players"} <= shown
    assert "mean reward of one learner among heuristic" in shown
    first = (tmp_path / "curve.svg").read_bytes()
    plot(runs, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == first
    plot(runs[:1], tmp_path / "curve.png", ["entropy"])
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_figures_are_chosen_by_name_or_by_what_says_most() -> None:
    rows: Any = [[{"decisions": 1, "entropy": 1, "won/epidemics 0": 0.5, "reward/among update 3 at 4": 0}]]
    assert chosen(rows, []) == ["won/epidemics 0"]
    assert chosen(rows, ["ent*"]) == ["entropy"]
    with pytest.raises(ValueError, match="no figure fits nothing; there are decisions, entropy"):
        chosen(rows, ["nothing"])
    with pytest.raises(ValueError, match="no figure says how it plays"):
        chosen([[{"decisions": 1}]], [])


def results(folder: Path, **values: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(values))
    return folder


def test_shares_of_wins_are_bars_with_intervals(tmp_path: Path) -> None:
    line = {"games": 9, "share": 0.5, "low": 0.4, "high": 0.7, "fair": 0.25, "mean_reward": 0.1}
    lines = [
        {"agent": agent, "others": "them", "players": n, **line, "games": 9}
        for agent in ("us", "you")
        for n in (3, 4)
    ]
    plot([results(tmp_path / "r", lines=lines)], tmp_path / "bars.svg")
    shown = texts(tmp_path / "bars.svg")
    assert {"us among them", "you among them", "fair share", "players", "3", "4"} <= shown
    team = [{**line, "agent": name, "others": name, "preset": "V1", "games": 9} for name in ("us", "you")]
    for each in team:
        del each["fair"]
    plot([results(tmp_path / "t", lines=team)], tmp_path / "team.svg")
    assert "us" in texts(tmp_path / "team.svg")
    assert "fair share" not in texts(tmp_path / "team.svg")


def test_exploitability_is_drawn_beside_the_uniform_policys(tmp_path: Path) -> None:
    curve = [{"agent": "random", "decisions": 0, "exploitability": 0.5}]
    curve += [
        {"agent": "ppo", "seed": seed, "decisions": at, "exploitability": 0.5 / (1 + at)}
        for seed in (1, 2)
        for at in np.arange(5).tolist()
    ]
    plot([results(tmp_path / "e", curve=curve, lines=[])], tmp_path / "e.svg")
    shown = texts(tmp_path / "e.svg")
    assert {"uniform policy", "a fifth of it", "mean and range of 2 training seeds"} <= shown


def test_what_cannot_be_drawn_is_one_sentence(tmp_path: Path) -> None:
    one = run(tmp_path / "a", 1.0)
    with pytest.raises(ValueError, match=r"must end in one of \.svg, \.png, \.pdf"):
        plot([one], tmp_path / "x.gif")
    with pytest.raises(ValueError, match="must be folders of runs"):
        plot([one, tmp_path], tmp_path / "x.svg")
    with pytest.raises(ValueError, match="neither lines nor a curve"):
        plot([results(tmp_path / "r", lines=[])], tmp_path / "x.svg")
    (one / "progress.jsonl").write_text("")
    with pytest.raises(ValueError, match="is empty"):
        plot([one], tmp_path / "x.svg")
    assert not list(tmp_path.glob("x.*"))


def test_the_command_writes_a_plot(tmp_path: Path) -> None:
    folder = run(tmp_path / "a", 1.0)
    command = [
        sys.executable,
        "-m",
        "outbreak_rl.baselines.cli",
        "plot",
        str(folder),
        "-o",
        str(tmp_path / "a.svg"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.svg").read_text().lstrip().startswith("<?xml")
