"""What a training run says while it runs: a progress bar, TensorBoard, JSON lines; and where it came from."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .config import Config

_PLAIN_EVERY = 15.0  # seconds between two lines where there is no terminal


class Reporter:
    """Reports of one run; used with ``with``.  A disk that refuses a line costs the line, not the run."""

    def __init__(
        self, config: Config, folder: Path, update: int, decisions: int, quiet: bool = False
    ) -> None:
        self.config, self.folder, self.quiet = config, folder, quiet
        self.console = Console(file=sys.stderr)
        self.start, self.began_at = time.perf_counter(), decisions
        self.last_line = self.start
        self.failed = False
        self.writer: Any = None
        self.bar: Progress | None = None
        if quiet:
            return
        folder.mkdir(parents=True, exist_ok=True)
        self.lines = folder / "progress.jsonl"
        _forget_after(self.lines, update)
        if config.run.tensorboard:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(str(folder / "tensorboard"), purge_step=decisions + 1)
        if config.run.progress and self.console.is_terminal:
            self.bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[done]}"), TimeElapsedColumn(),
                TextColumn("left"), TimeRemainingColumn(), console=self.console,
            )  # fmt: skip
            self.task = self.bar.add_task(
                config.name, total=config.ppo.decisions, completed=decisions, done=""
            )
        if update:
            self.say(
                f"resumed at update {update} ({decisions:,} decisions); what came after it is played again"
            )

    def __enter__(self) -> Reporter:
        if self.bar:
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar:
            self.bar.stop()
        if self.writer:
            try:
                self.writer.close()
            except OSError as refused:
                self._refused(refused)

    def say(self, text: str) -> None:
        """One line for people."""
        if not self.quiet:
            self.console.print(text, highlight=False)

    def update(
        self,
        update: int,
        decisions: int,
        figures: Mapping[str, float],
        seconds: Mapping[str, float],
        shares: Mapping[str, float],
    ) -> None:
        """Figures of one update, for the bar, TensorBoard and the JSON lines."""
        if self.quiet:
            return
        now = time.perf_counter()
        speed = (decisions - self.began_at) / (now - self.start)
        spent = seconds["collect"] + seconds["learn"]
        row = {
            "update": update, "decisions": decisions, "seconds": round(now - self.start, 3),
            "decisions a second": round(speed, 1), "environment share": seconds["environment"] / spent,
            **figures, **shares,
        }  # fmt: skip
        try:
            with self.lines.open("a") as file:
                file.write(json.dumps(row) + "\n")
            if self.writer:
                for name, figure in row.items():
                    self.writer.add_scalar(name, figure, decisions)
        except OSError as refused:
            self._refused(refused)
        self._show(decisions, speed, row)

    def _show(self, decisions: int, speed: float, row: Mapping[str, Any]) -> None:
        done = (
            f"{decisions / 1e6:.2f} of {self.config.ppo.decisions / 1e6:.2f} M decisions, {speed:,.0f}/s, "
            f"entropy {row['entropy']:.2f}, environment {row['environment share']:.0%}"
        )
        if self.bar:
            self.bar.update(self.task, completed=decisions, done=done)
        elif self.config.run.progress:
            now = time.perf_counter()
            if now - self.last_line > _PLAIN_EVERY or decisions >= self.config.ppo.decisions:
                self.last_line = now
                left = (self.config.ppo.decisions - decisions) / max(speed, 1e-9)
                self.say(f"{done}, {max(0.0, left):,.0f} s left")

    def _refused(self, wrong: OSError) -> None:
        if not self.failed:
            self.say(
                f"progress cannot be written to {self.folder}: {wrong.strerror or wrong}; training goes on"
            )
        self.failed = True


def _forget_after(lines: Path, update: int) -> None:
    """Drop the lines of updates that will be played again (and a half-written one)."""
    if not lines.exists():
        return
    kept = []
    for line in lines.read_text().splitlines():
        try:
            if json.loads(line)["update"] <= update:
                kept.append(line + "\n")
        except (ValueError, KeyError, TypeError):
            continue
    lines.write_text("".join(kept))


def provenance(
    config: Config, update: int, decisions: int, seconds: Mapping[str, float], processes: int
) -> dict[str, Any]:
    """Where a policy comes from: configuration, seed, decisions, time, machine, versions."""
    game = config.find_game()
    settings = {
        key: value for key, value in config.as_dict().items() if key != "run"
    }  # no paths of this machine
    try:
        suite = version("outbreak-rl")
    except PackageNotFoundError:
        suite = "unknown"
    return {
        "config": settings, "seed": config.seed, "update": update, "decisions": decisions,
        "seconds": round(seconds["collect"] + seconds["learn"], 1), "threads": config.run.threads,
        "processes": processes, "device": config.run.device, "machine": platform.machine(),
        "versions": {
            "outbreak-rl": suite, game.id: game.version, "torch": torch.__version__,
            "python": platform.python_version(),
        },
        "content": dict(game.content),
    }  # fmt: skip
