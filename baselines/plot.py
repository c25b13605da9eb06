"""Plots of what is kept: learning curves of runs, shares of wins and exploitability of result folders."""

from __future__ import annotations

import fnmatch
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outbreak_rl.envs.core.extras import install
from outbreak_rl.envs.core.files import write_atomically

from .evaluate import read_results

Rows = list[dict[str, Any]]
COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#000000",
    "#F0E442",
)  # Okabe, Ito
BINS = 20  # stretches of a learning curve that are averaged
_FORMATS = ("svg", "png", "pdf")
_FIRST = ("reward/among heuristic at *", "won/*", "reward/among random at *", "reward/among *", "entropy")


def plot(paths: Sequence[Path], target: Path, figures: Sequence[str] = ()) -> None:
    """Draw run folders (several: seeds of one experiment), or one result folder, into a file.

    figures: names of a run's figures, patterns allowed; by default those that say how it plays.  Raises
    ValueError where there is nothing to draw.
    """
    if target.suffix[1:] not in _FORMATS:
        raise ValueError(f"{target} must end in one of {', '.join('.' + name for name in _FORMATS)}")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise ValueError(f"plots need Matplotlib: {install('viz')}") from None
    with mpl.rc_context({"svg.hashsalt": "outbreak", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8, 4.2), layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
        if all((path / "progress.jsonl").is_file() for path in paths):
            _learning(axes, [_progress(path) for path in paths], figures)
        elif len(paths) == 1 and (paths[0] / "results.json").is_file():
            _results(axes, _kept(paths[0] / "results.json"))
        else:
            raise ValueError(
                f"{' '.join(map(str, paths))}: must be folders of runs (progress.jsonl), or one of results"
            )
        content = io.BytesIO()
        kind = target.suffix[1:]
        undated = {"Date": None} if kind == "svg" else None  # the same figures give the same file
        figure.savefig(content, format=kind, metadata=undated)
    write_atomically(target, content.getvalue())


# --- learning curves ------------------------------------------------------------------------------


def _progress(folder: Path) -> Rows:
    path = folder / "progress.jsonl"
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except ValueError as wrong:
        raise ValueError(f"{path} is damaged: {wrong}") from None
    if not rows:
        raise ValueError(f"{path} is empty")
    if not all(isinstance(row, dict) and "decisions" in row for row in rows):
        raise ValueError(f"{path} is damaged: every line must be an object with decisions")
    return rows


def chosen(runs: Sequence[Rows], figures: Sequence[str]) -> list[str]:
    """The figures to draw: those that fit the patterns, or the first kind that there is."""
    there = sorted({key for rows in runs for row in rows for key in row})
    if figures:
        found = [key for key in there if any(fnmatch.fnmatchcase(key, each) for each in figures)]
        if not found:
            raise ValueError(f"no figure fits {', '.join(figures)}; there are {', '.join(there)}")
        return found
    for pattern in _FIRST:
        found = fnmatch.filter(there, pattern)
        if found:
            return found
    raise ValueError(f"no figure says how it plays; there are {', '.join(there)}")


def binned(runs: Sequence[Rows], key: str) -> tuple[np.ndarray, np.ndarray]:
    """Decisions (k,) at the middle of each stretch, and the means of a figure there: (runs, k), nan where
    a run has none."""
    most = max(row["decisions"] for rows in runs for row in rows)
    edges = np.linspace(0, most, BINS + 1)
    means = np.full((len(runs), BINS), np.nan)
    for number, rows in enumerate(runs):
        points = [(row["decisions"], row[key]) for row in rows if key in row]
        if not points:
            continue
        at, value = np.array(points, float).T
        place = np.minimum(np.searchsorted(edges, at, side="left") - 1, BINS - 1)
        counts = np.bincount(place, minlength=BINS)
        sums = np.bincount(place, value, minlength=BINS)
        means[number, counts > 0] = sums[counts > 0] / counts[counts > 0]
    there = ~np.isnan(means).all(axis=0)
    return ((edges[1:] + edges[:-1]) / 2)[there], means[:, there]


def _learning(axes: Any, runs: Sequence[Rows], figures: Sequence[str]) -> None:
    keys = chosen(runs, figures)
    common = keys[0].rpartition(" at ")[0] if all(" at " in key for key in keys) else ""
    alike = bool(common) and all(key.startswith(f"{common} at ") for key in keys)
    for number, key in enumerate(keys):
        at, means = binned(runs, key)
        colour = COLOURS[number % len(COLOURS)]
        label = f"{key.rpartition(' at ')[2]} players" if alike else key
        axes.plot(at / 1e6, np.nanmean(means, axis=0), color=colour, label=label)
        if len(runs) > 1:
            low, high = np.nanmin(means, axis=0), np.nanmax(means, axis=0)
            axes.fill_between(at / 1e6, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set_xlabel("decisions of all seats, millions")
    if alike:
        axes.set_ylabel(common.replace("reward/", "mean reward of one learner "))
    if len(runs) > 1:
        axes.set_title(f"mean and range of {len(runs)} training seeds", fontsize="medium")
    axes.legend(frameon=False, fontsize="small")


# --- results --------------------------------------------------------------------------------------


def _kept(path: Path) -> dict[str, Any]:
    """What results.json holds; raises ValueError where its rows cannot be drawn."""
    about = read_results(path)
    needed = {
        "lines": {"agent", "others", "games", "share", "low", "high"},
        "curve": {"agent", "exploitability"},
    }
    for key, columns in needed.items():
        rows = about.get(key, [])
        if not isinstance(rows, list) or not all(
            isinstance(row, dict) and columns <= set(row) for row in rows
        ):
            raise ValueError(f"{path} is damaged: {key} must be rows with {', '.join(sorted(columns))}")
    return about


def _results(axes: Any, about: Mapping[str, Any]) -> None:
    if about.get("curve"):
        _exploitability(axes, about)
    elif about.get("lines"):
        _shares(axes, about["lines"])
    else:
        raise ValueError("the results hold neither lines nor a curve")


def _shares(axes: Any, lines: Rows) -> None:
    """Bars with their intervals: a group for each option set, a bar for each pair of agents."""
    numbers = {"agent", "others", "games", "share", "low", "high", "fair"}
    options = [key for key in list(lines[0])[: list(lines[0]).index("games")] if key not in numbers]
    options = [key for key in options if len({str(line[key]) for line in lines}) > 1]
    groups = list(dict.fromkeys(_words(line, options) for line in lines))
    pairs = list(dict.fromkeys((line["agent"], line["others"]) for line in lines))
    width = 0.8 / len(pairs)
    for number, (agent, others) in enumerate(pairs):
        here = [line for line in lines if (line["agent"], line["others"]) == (agent, others)]
        at = [groups.index(_words(line, options)) + width * (number - (len(pairs) - 1) / 2) for line in here]
        share = np.array([line["share"] for line in here])
        ends = np.array([[line["low"] for line in here], [line["high"] for line in here]])
        axes.bar(
            at, share, width, color=COLOURS[number % len(COLOURS)], yerr=np.abs(ends - share), capsize=2,
            label=agent if agent == others else f"{agent} among {others}", error_kw={"linewidth": 1},
        )  # fmt: skip
    fair = {_words(line, options): line["fair"] for line in lines if "fair" in line}
    if fair:
        at = [groups.index(group) for group in fair]
        axes.hlines(
            list(fair.values()), np.array(at) - 0.45, np.array(at) + 0.45, colors="black", linestyles="dotted",
            label="fair share",
        )  # fmt: skip
    turned = 60 if max(map(len, groups)) > 6 and len(groups) > 5 else 0
    axes.set_xticks(range(len(groups)), groups, rotation=turned, fontsize="small")
    axes.set_xlabel(", ".join(options))
    axes.set_ylabel("share of wins, 95 % intervals")
    axes.set_ylim(0, 1)
    axes.legend(frameon=False, fontsize="small", ncols=2)


def _words(line: Mapping[str, Any], options: Sequence[str]) -> str:
    return " ".join(str(line[key]) for key in options)


def _exploitability(axes: Any, about: Mapping[str, Any]) -> None:
    """Exploitability along training runs beside the uniform policy's and a fifth of it."""
    rows = [row for row in about["curve"] if row["agent"] != "random"]
    uniform = next(row["exploitability"] for row in about["curve"] if row["agent"] == "random")
    by_seed: dict[Any, dict[int, float]] = {}
    for row in rows:
        by_seed.setdefault(row.get("seed"), {})[row.get("decisions", 0)] = row["exploitability"]
    shared = sorted(set.intersection(*(set(points) for points in by_seed.values())))
    values = np.array([[points[at] for at in shared] for points in by_seed.values()])
    at = np.array(shared) / 1e6
    axes.plot(at, values.mean(axis=0), marker="o", markersize=3, color=COLOURS[0], label="PPO, self-play")
    if len(values) > 1:
        axes.fill_between(
            at, values.min(axis=0), values.max(axis=0), color=COLOURS[0], alpha=0.2, linewidth=0
        )
        axes.set_title(f"mean and range of {len(values)} training seeds", fontsize="medium")
    axes.axhline(uniform, color="black", linestyle="dashed", label="uniform policy")
    axes.axhline(uniform / 5, color="grey", linestyle="dotted", label="a fifth of it")
    axes.set_ylim(0, uniform * 1.1)
    axes.set_xlabel("decisions of all seats, millions")
    axes.set_ylabel("exploitability (reward a seat could gain)")
    axes.legend(frameon=False, fontsize="small")
