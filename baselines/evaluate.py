"""Evaluation: one protocol for every table of the suite.

Competitive games: "X among Y at n seats" is one X and n - 1 copies of Y; X's seat rotates over the
same deals, and all rotations of a deal are one cluster of the bootstrap.  Both directions are
reported.  Cooperative games: teams of one agent, one game a deal, Wilson intervals.

Deals are numbered from 2**33, so that no training seed is among them.  Files: one CSV row a game, a
JSON with everything needed to repeat it, and the table.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from outbreak_rl.envs import make_batch
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.files import write_atomically
from outbreak_rl.envs.core.game import Game

from .agents import Agent, make_agent

FIRST_DEAL = 1 << 33
LANES = 1024
RESAMPLES = 2000
_NOBODY = -2  # the lone agent's seat where no game is left to play


@dataclass(frozen=True)
class Cell:
    """One line of a table: who plays whom under which options.

    lone is the agent whose share is reported; others fill the remaining seats (in cooperative games
    both are the same).
    """

    options: Mapping[str, Any]
    lone: str
    others: str


@dataclass
class Games:
    """The games of a cell, one entry a game: deal seed, seat of the lone agent, whether it won (a
    shared win counts its share), its reward, and columns: how many decisions it took, and the game's own
    outcome columns (where every seat has its own value, that of the lone agent)."""

    deal: np.ndarray
    seat: np.ndarray
    won: np.ndarray
    reward: np.ndarray
    truncated: np.ndarray
    columns: dict[str, np.ndarray]
    seconds: float = 0.0  # that all of them took, agents included


def cells(game: Game, agents: Sequence[str], grid: Sequence[Mapping[str, Any]]) -> list[Cell]:
    """All lines: every ordered pair of different agents (competitive), or every agent as a team."""
    if game.cooperative:
        return [Cell(options, name, name) for options in grid for name in agents]
    pairs = [(a, b) for a in agents for b in agents if a != b] or [(agents[0], agents[0])]
    return [Cell(options, lone, others) for options in grid for lone, others in pairs]


def default_grid(game: Game, options: Mapping[str, Any], name: str | None = None) -> list[dict[str, Any]]:
    """The option sets to evaluate over: a named grid, or every number of players the game allows."""
    if name is not None:
        known = game.grids or {}
        if name not in known:
            raise ValueError(f"{game.id} has no grid {name!r}; it has {', '.join(known) or 'none'}")
        found: list[dict[str, Any]] = []
        for entry in known[name]:
            if {**entry, **options} not in found:  # an option given may make several the same
                found.append({**entry, **options})
        return found
    players = next(item for item in dataclasses.fields(game.options) if item.name == "players")
    if "players" in options or "preset" in options:
        return [dict(options)]
    return [{**options, "players": n} for n in range(players.metadata["low"], players.metadata["high"] + 1)]


def play_cell(
    game: Game, cell: Cell, agents: Mapping[str, Agent], deals: int, threads: int = 1
) -> Iterator[Games | int]:
    """Play a cell's games; yields how many have ended, now and then, and the games last."""
    seats = game.make_options(**cell.options).players
    rotations = 1 if game.cooperative else seats
    total = deals * rotations
    deal = FIRST_DEAL + np.arange(total) // rotations
    lone = np.arange(total) % rotations
    lanes = min(LANES, total)
    batch = make_batch(game.id, lanes, threads=threads, **cell.options)
    batch.reset(seeds=deal[:lanes])
    game_of = np.arange(lanes)  # which game each lane plays; total: it has none left
    waiting = lanes
    rng = np.random.default_rng([FIRST_DEAL, *cell_key(cell)])
    won, reward = np.zeros(total), np.zeros(total)
    truncated = np.zeros(total, bool)
    columns = {"decisions": np.zeros(total, np.float64)}
    made = np.zeros(lanes, np.int64)  # decisions in each lane's present game
    ended = 0
    start = time.perf_counter()
    while ended < total:
        seat = np.where(game_of < total, lone[np.minimum(game_of, total - 1)], _NOBODY)
        actions = _decide(batch, agents[cell.lone], agents[cell.others], seat, rng)
        rewards, terminated, cut = batch.step(actions)
        made += 1
        over = np.flatnonzero((terminated | cut) & (game_of < total))
        if not len(over):
            continue
        games = game_of[over]
        mine = rewards[over, lone[games]]
        reward[games] = mine
        won[games] = _share_of_win(rewards[over, :seats], lone[games], cut[over], game.cooperative)
        truncated[games] = cut[over]
        columns["decisions"][games] = made[over]
        for name, values in (game.outcome(batch.final_states[over]) if game.outcome else {}).items():
            column = columns.setdefault(name, np.zeros(total, np.float64))
            column[games] = values if values.ndim == 1 else values[np.arange(len(over)), lone[games]]
        fresh = np.arange(waiting, min(waiting + len(over), total))
        game_of[over] = total
        game_of[over[: len(fresh)]] = fresh
        batch.deal(over[: len(fresh)], deal[fresh])
        made[over] = 0
        waiting += len(fresh)
        ended += len(over)
        yield ended
    yield Games(deal, lone, won, reward, truncated, columns, time.perf_counter() - start)


def cell_key(cell: Cell) -> list[int]:
    """A cell as whole numbers, so that its agents' dice depend on nothing else."""
    return list(repr((sorted(cell.options.items()), cell.lone, cell.others)).encode())


def _decide(
    batch: BatchEnv, lone: Agent, others: Agent, seat: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Actions of all lanes; ``seat`` int (n,) is the lone agent's, or _NOBODY in lanes that have no game left."""
    actions: np.ndarray = batch.masks.argmax(axis=1)
    playing, mine = seat != _NOBODY, batch.seats == seat
    parts = ((lone, playing),) if lone is others else ((lone, mine), (others, playing & ~mine))
    for agent, here in parts:
        if here.any():
            actions[here] = agent.act_batch(batch.flat_views[here], batch.masks[here], rng)
    return actions


def _share_of_win(rewards: np.ndarray, seat: np.ndarray, cut: np.ndarray, cooperative: bool) -> np.ndarray:
    """The lone seat's share of the win: 1, 1/k among k that share the best reward, or 0."""
    mine = rewards[np.arange(len(rewards)), seat]
    if cooperative:
        return (mine > 0).astype(float)
    best = rewards.max(axis=1)
    sharers = (rewards == best[:, None]).sum(axis=1)
    return np.where(cut | (mine < best), 0.0, 1.0 / sharers)


def summarise(game: Game, cell: Cell, games: Games) -> dict[str, Any]:
    """A line of the table: share, its 95 % interval, fair share, and means of the outcome columns."""
    from scipy import stats

    seats = game.make_options(**cell.options).players
    n = len(games.won)
    line: dict[str, Any] = {"agent": cell.lone, "others": cell.others, **cell.options, "games": n}
    if game.cooperative:
        wins = int(games.won.sum())
        interval = stats.binomtest(wins, n).proportion_ci(method="wilson")
        line |= {"share": wins / n, "low": float(interval.low), "high": float(interval.high)}
    else:
        by_deal = games.won.reshape(-1, seats).mean(axis=1)
        low, high = _bootstrap(by_deal)
        fair = 1 / seats
        line |= {"share": float(by_deal.mean()), "low": low, "high": high, "fair": fair}
        line |= {"times_fair": line["share"] / fair, "low_times_fair": low / fair}
    line["mean_reward"] = float(games.reward.mean())
    line["truncated"] = float(games.truncated.mean())
    line["games_a_second"] = n / games.seconds if games.seconds else 0.0
    line |= {name: float(values.mean()) for name, values in games.columns.items()}
    return line


def _bootstrap(values: np.ndarray) -> tuple[float, float]:
    """95 % percentile bootstrap of the mean over deals, always from the same dice."""
    from scipy import stats

    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    interval = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(0),
        batch=200,
    ).confidence_interval
    return float(interval.low), float(interval.high)


def against_others(
    game: Game,
    name: str,
    others: Sequence[str],
    grid: Sequence[Mapping[str, Any]],
    deals: int,
    threads: int = 1,
    console: Console | None = None,
) -> tuple[list[dict[str, Any]], list[tuple[Cell, Games]]]:
    """One agent beside each of several others (not those among themselves), as `evaluate` does it."""
    lines, played = [], []
    for names in [[name, *others]] if game.cooperative else [[name, other] for other in others]:
        more_lines, more_played = evaluate(game, names, grid, deals, threads, console)
        lines += more_lines
        played += more_played
    return lines, played


def evaluate(
    game: Game,
    names: Sequence[str],
    grid: Sequence[Mapping[str, Any]],
    deals: int,
    threads: int = 1,
    console: Console | None = None,
) -> tuple[list[dict[str, Any]], list[tuple[Cell, Games]]]:
    """Play all cells; returns the lines of the table and the games behind them."""
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise ValueError("evaluation needs SciPy: pip install 'outbreak-rl[train]'") from None
    agents = {name: make_agent(name, game) for name in names}
    lines, played = [], []
    with Progress(console=console, transient=True) as progress:
        every = cells(game, names, grid)
        bar = progress.add_task(f"{game.title}", total=len(every))
        for cell in every:
            here = progress.add_task(f"{cell.lone} among {cell.others} {dict(cell.options)}", total=None)
            for news in play_cell(game, cell, agents, deals, threads):
                if isinstance(news, int):
                    progress.update(here, completed=news)
                else:
                    lines.append(summarise(game, cell, news))
                    played.append((cell, news))
            progress.remove_task(here)
            progress.advance(bar)
    return lines, played


def provenance(game: Game, command: Sequence[str], names: Sequence[str], deals: int) -> dict[str, Any]:
    """Everything a reader needs to repeat a table."""
    return {
        "command": list(command),
        "game": game.id,
        "environment_version": game.version,
        "layout": game.content_digest,
        "content": dict(game.content),
        "agents": list(names),
        "deals": deals,
        "first_deal_seed": FIRST_DEAL,
        "versions": {
            "outbreak-rl": version("outbreak-rl"),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": version("numba"),
        },
    }


def save(
    folder: Path, about: dict[str, Any], lines: list[dict[str, Any]], played: list[tuple[Cell, Games]]
) -> None:
    """Write ``games.csv`` (one row a game) and ``results.json``, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    extra = list(dict.fromkeys(name for _, games in played for name in games.columns))
    writer.writerow(["agent", "others", "options", "deal", "seat", "won", "reward", "truncated", *extra])
    for cell, games in played:
        options = json.dumps(dict(cell.options), sort_keys=True)
        for i in range(len(games.won)):
            row = [
                cell.lone,
                cell.others,
                options,
                int(games.deal[i]),
                int(games.seat[i]),
                f"{games.won[i]:.4g}",
            ]
            row += [f"{games.reward[i]:.6g}", int(games.truncated[i])]
            writer.writerow([*row, *(f"{games.columns[name][i]:g}" for name in extra)])
    write_atomically(folder / "games.csv", text.getvalue().encode())
    write_atomically(folder / "results.json", json.dumps({**about, "lines": lines}, indent=1).encode())


def as_table(game: Game, lines: list[dict[str, Any]]) -> Table:
    """The lines as a table for the terminal; options that never change stand in its title."""
    given = list(
        dict.fromkeys(k for line in lines for k in line if k not in _COLUMNS and k in _option_names(game))
    )
    options = [k for k in given if len(lines) == 1 or len({str(line.get(k, "")) for line in lines}) > 1]
    constant = "".join(f", {k} {lines[0][k]}" for k in given if k not in options)
    table = Table(
        title=f"{game.title}{constant}: share of wins with 95 % intervals",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    extra = list(dict.fromkeys(k for line in lines for k in line if k not in (*_COLUMNS, *given)))
    heads = ["agent", *([] if game.cooperative else ["among"]), *options, "games", "share", "95 %"]
    heads += [] if game.cooperative else ["fair", "times fair"]
    for head in (*heads, *(name.replace("_", " ") for name in extra), "games a second"):
        lines_of_head = head if head == "95 %" else head.replace(" ", "\n")
        table.add_column(
            lines_of_head, justify="left" if head in ("agent", "among") else "right", no_wrap=True
        )
    for line in lines:
        row = [line["agent"], *([] if game.cooperative else [line["others"]])]
        row += [str(line.get(name, "")) for name in options]
        row += [str(line["games"]), f"{line['share']:.1%}", f"{line['low']:.1%} to {line['high']:.1%}"]
        if not game.cooperative:
            row += [f"{line['fair']:.1%}", f"{line['times_fair']:.2f}"]
        row += [f"{line[name]:.2f}" if name in line else "" for name in extra]
        table.add_row(*row, f"{line['games_a_second']:,.{0 if line['games_a_second'] >= 10 else 2}f}")
    return table


_COLUMNS = (
    "agent", "others", "games", "share", "low", "high", "fair", "times_fair", "low_times_fair", 
    "mean_reward", "truncated", "games_a_second",
)  # fmt: skip


def _option_names(game: Game) -> list[str]:
    return ["preset", *(item.name for item in dataclasses.fields(game.options))]
