"""Evaluation: one protocol for every table of the suite.

Competitive games: "X among Y at n seats" is one X and n - 1 copies of Y; X's seat rotates over the
same deals, and all rotations of a deal are one cluster of the bootstrap.  Both directions are
reported.  Cooperative games: teams of one agent, or of one X and n - 1 copies of Y (cross-play), one
game a deal, Wilson intervals.

Deals are numbered from 2**33, so that no training seed is among them.  Files: one CSV row a game
(compressed), and a JSON with everything needed to repeat it and the lines of the table, which follow
from the rows.
"""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
import json
import platform
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from outbreak_rl.envs import make_batch
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.extras import install
from outbreak_rl.envs.core.files import write_atomically
from outbreak_rl.envs.core.game import Game

from .agents import Agent, checked, make_agent

FIRST_DEAL = 1 << 33
LANES = 1024
RESAMPLES = 2000
_NOBODY = -2  # the lone agent's seat where no game is left to play


@dataclass(frozen=True)
class Cell:
    """One line of a table: who plays whom under which options.

    lone is the agent whose share is reported; others fill the remaining seats (a team of one agent has
    it in both places).
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


def cells(
    game: Game,
    agents: Sequence[str],
    grid: Sequence[Mapping[str, Any]],
    against: Sequence[str] = (),
    cross: bool = False,
) -> list[Cell]:
    """All lines.

    Competitive: every ordered pair of different agents; with ``against``, each agent beside each of
    those, both ways, and no other pairs.  Cooperative: every agent as a team; with ``cross``, also
    every ordered pair of different agents as a mixed team.
    """
    if game.cooperative:
        teams = [(name, name) for name in (*agents, *against)]
        mixed = [(a, b) for a in agents for b in agents if a != b] if cross else []
        return [Cell(options, lone, others) for options in grid for lone, others in (*teams, *mixed)]
    if against:
        pairs = [pair for a in agents for b in against if a != b for pair in ((a, b), (b, a))]
    else:
        pairs = [(a, b) for a in agents for b in agents if a != b]
    pairs = pairs or [(agents[0], agents[0])]
    return [Cell(options, lone, others) for options in grid for lone, others in pairs]


def named(text: str | Agent) -> tuple[str, str]:
    """What an agent is called in tables, and what makes it: ``NAME=ppo:PATH``, or both the same; of an
    agent itself its name and its class."""
    if not isinstance(text, str):
        return getattr(text, "name", "agent"), f"{type(text).__module__}:{type(text).__qualname__}"
    name, equals, spec = text.partition("=")
    if equals and not name.strip():
        raise ValueError(f"{text!r} must have a name before the =")
    return (name.strip(), spec.strip()) if equals and ":" not in name else (text, text)


def deals_for(game: Game, options: Mapping[str, Any], games: int) -> int:
    """How many deals give at least so many games, each deal played from every seat."""
    rotations = 1 if game.cooperative else game.make_options(**options).players
    return -(-games // rotations)


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
    lone = np.arange(total) % (seats if cell.lone != cell.others else rotations)
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
        low, high = bootstrap(by_deal)
        fair = 1 / seats
        line |= {"share": float(by_deal.mean()), "low": low, "high": high, "fair": fair}
        line |= {"times_fair": line["share"] / fair, "low_times_fair": low / fair}
    line["mean_reward"] = float(games.reward.mean())
    line["truncated"] = float(games.truncated.mean())
    line["seconds"] = round(games.seconds, 3)
    line["games_a_second"] = n / games.seconds if games.seconds else 0.0
    line |= {name: float(values.mean()) for name, values in games.columns.items()}
    return line


def bootstrap(values: np.ndarray) -> tuple[float, float]:
    """95 % percentile bootstrap of the mean over deals, always from the same dice.

    A deal has one of few values, so how often each is drawn is all that counts.
    """
    kinds, counts = np.unique(np.round(values, 9), return_counts=True)
    n = len(values)
    drawn = np.random.default_rng(0).multinomial(n, counts / n, RESAMPLES)
    low, high = np.quantile(drawn @ kinds / n, (0.025, 0.975))
    return float(low), float(high)


def evaluate(
    game: Game,
    names: Sequence[str | Agent],
    grid: Sequence[Mapping[str, Any]],
    deals: int,
    threads: int = 1,
    console: Console | None = None,
    *,
    games: int = 0,
    against: Sequence[str | Agent] = (),
    cross: bool = False,
) -> tuple[list[dict[str, Any]], list[tuple[Cell, Games]]]:
    """Play all cells (`cells`); returns the lines of the table and the games behind them.

    names, against: what `make_agent` takes, ``NAME=`` before it or not, or agents, called by their ``name``.
    games: at least so many games a line, in whole deals, instead of ``deals``.
    """
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise ValueError(f"evaluation needs SciPy: {install('train')}") from None
    agents = make_agents(game, [*names, *against])
    first, second = [named(name)[0] for name in names], [named(name)[0] for name in against]
    _warm_up(game, agents.values(), grid[0])
    lines, played = [], []
    with Progress(console=console, transient=True) as progress:
        every = cells(game, first, grid, second, cross)
        bar = progress.add_task(f"{game.title}", total=len(every))
        for cell in every:
            here = progress.add_task(f"{cell.lone} among {cell.others} {dict(cell.options)}", total=None)
            wanted = deals_for(game, cell.options, games) if games else deals
            for news in play_cell(game, cell, agents, wanted, threads):
                if isinstance(news, int):
                    progress.update(here, completed=news)
                else:
                    lines.append(summarise(game, cell, news))
                    played.append((cell, news))
            progress.remove_task(here)
            progress.advance(bar)
    return lines, played


def _warm_up(game: Game, agents: Iterable[Agent], options: Mapping[str, Any]) -> None:
    """Let every agent decide once, so that nothing is compiled while games are timed."""
    batch = make_batch(game.id, 1, seed=FIRST_DEAL, **options)
    batch.reset()
    for agent in agents:
        agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(0))


def make_agents(game: Game, texts: Sequence[str | Agent]) -> dict[str, Agent]:
    """Agents by the names that tables give them."""
    agents: dict[str, Agent] = {}
    specs: dict[str, str] = {}
    for text in texts:
        given = None if isinstance(text, str) else checked(text, game)
        name, spec = named(text)
        twice = agents[name] is not given if given and name in agents else specs.get(name, spec) != spec
        if twice:
            raise ValueError(f"two agents are called {name!r}: {specs[name]} and {spec}")
        specs[name] = spec
        agents[name] = given or make_agent(spec, game)
    return agents


def provenance(game: Game, command: Sequence[str], names: Sequence[str | Agent]) -> dict[str, Any]:
    """Everything a reader needs to repeat a table.  ``agents``: what each is, and for a trained one where
    it comes from (configuration, seed, decisions, wall time, threads, device, versions, content)."""
    agents = {}
    for text in names:
        name, spec = named(text)
        agents[name] = {"is": _shortened(spec), **origin(spec)}
    return {
        "command": [_shortened(word) for word in command],
        "game": game.id,
        "environment_version": game.version,
        "layout": game.content_digest,
        "content": dict(game.content),
        "agents": agents,
        "first_deal_seed": FIRST_DEAL,
        "machine": platform.machine(),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Versions of what decides the figures."""
    found = {
        "outbreak-rl": version("outbreak-rl"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": version("numba"),
    }
    if "torch" in sys.modules:
        found["torch"] = version("torch")
    return found


def origin(spec: str) -> dict[str, Any]:
    """What the file of a trained policy says about where it comes from; nothing for other agents."""
    kind, _, path = spec.partition(":")
    if kind != "ppo":
        return {}
    from . import checkpoint
    from .policy import find

    about = checkpoint.read(find(path))[1]
    return {key: value for key, value in about.items() if key not in ("format", "layout", "network")}


def _shortened(word: str) -> str:
    """A word of a command line without this machine's folders: absolute paths keep their last two names."""
    parts = re.split("([:=])", word)  # NAME=ppo:PATH, NAME=FILE.py:Class
    places = [PurePath(part) for part in parts]
    return "".join(
        str(PurePath(*place.parts[-2:])) if place.is_absolute() else part
        for part, place in zip(parts, places, strict=True)
    )


COLUMNS = ("agent", "others", "options", "deal", "seat", "won", "reward", "truncated")


def save(
    folder: Path, about: dict[str, Any], lines: list[dict[str, Any]], played: list[tuple[Cell, Games]]
) -> None:
    """Write ``games.csv.gz`` (one row a game) and ``results.json``, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    extra = list(dict.fromkeys(name for _, games in played for name in games.columns))
    writer.writerow([*COLUMNS, *extra])
    for cell, games in played:
        options = json.dumps(dict(cell.options), sort_keys=True)
        for i in range(len(games.won)):
            row = [
                cell.lone,
                cell.others,
                options,
                int(games.deal[i]),
                int(games.seat[i]),
                f"{games.won[i]:.6g}",
            ]
            row += [f"{games.reward[i]:.6g}", int(games.truncated[i])]
            writer.writerow([*row, *(f"{games.columns[name][i]:g}" for name in extra)])
    packed = gzip.compress(text.getvalue().encode(), mtime=0)  # the same games give the same file
    write_atomically(folder / "games.csv.gz", packed)
    write_results(folder, {**about, "lines": lines})


def write_results(folder: Path, about: Mapping[str, Any]) -> None:
    """Write ``results.json``."""
    write_atomically(folder / "results.json", json.dumps(about, indent=1).encode())


def read_results(path: Path) -> dict[str, Any]:
    """What a file of results holds; raises ValueError where it is damaged."""
    try:
        about = json.loads(path.read_text("utf-8"))
    except ValueError as wrong:
        raise ValueError(f"{path} is damaged: {wrong}") from None
    if not isinstance(about, dict):
        raise ValueError(f"{path} is damaged: it holds a {type(about).__name__}, not keys and values")
    return about


def load(folder: Path) -> tuple[dict[str, Any], list[tuple[Cell, Games]]]:
    """What `save` has written; the games of each cell in the order of its lines."""
    try:
        import pandas as pd
    except ImportError:
        raise ValueError(f"kept games need pandas: {install('train')}") from None
    about = read_results(folder / "results.json")
    rows = pd.read_csv(folder / "games.csv.gz", keep_default_na=False)
    seconds = [float(line.get("seconds", 0)) for line in about["lines"]]
    played = []
    groups = rows.groupby(["agent", "others", "options"], sort=False)
    for number, ((lone, others, options), part) in enumerate(groups):
        columns = {name: part[name].to_numpy(float) for name in rows.columns[len(COLUMNS) :]}
        games = Games(
            part["deal"].to_numpy(),
            part["seat"].to_numpy(),
            part["won"].to_numpy(float),
            part["reward"].to_numpy(float),
            part["truncated"].to_numpy(bool),
            columns,
            seconds[number],
        )
        played.append((Cell(json.loads(options), lone, others), games))
    return about, played


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
    "mean_reward", "truncated", "seconds", "games_a_second",
)  # fmt: skip


def _option_names(game: Game) -> list[str]:
    return ["preset", *(item.name for item in dataclasses.fields(game.options))]
