"""Replays: a game as its id, version, options, seed and actions, in one JSON file.

The seed and the actions are enough, since the same seed gives the same bytes on any machine; the
digest of the last state proves that a replay was followed truly.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .aec import OutbreakEnv
from .files import write_atomically
from .game import Game

FORMAT = 1
_WORDS = {str: "text", dict: "table", list: "list", int: "whole number"}


class ReplayError(ValueError):
    """A replay file that cannot be used: the message says why."""


@dataclass
class Replay:
    """game: the id.  layout: digest of the game's records and actions.  options, seed, actions: the
    game.  table: digest of its run-time tables.  chance: scripted values.  digest: of the last State.
    agents: who played, for people to read."""

    game: str
    layout: str
    options: dict[str, Any]
    table: str
    seed: int
    actions: list[int]
    digest: str
    chance: list[int] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    format: int = FORMAT

    def save(self, path: str | Path) -> None:
        """Write the file whole or not at all."""
        write_atomically(Path(path), json.dumps(asdict(self)).encode())

    def run(self, game: Game) -> OutbreakEnv:
        """Play it to its end; raises ReplayError where it does not come out the same."""
        env = self.start(game)
        for action in self.actions:
            self.play(env, action)
        self.verify(env)
        return env

    def play(self, env: OutbreakEnv, action: int) -> None:
        """Play one of its actions; raises ReplayError where it is not legal."""
        if env.over or not env.is_legal(action):
            raise ReplayError(f"the replay's action {action} is not legal where it is played")
        try:
            env.step(action)
        except ValueError as wrong:  # a chance value that the rules do not draw
            raise ReplayError(f"the replay's action {action} cannot be played: {wrong}") from None

    def verify(self, env: OutbreakEnv) -> None:
        """Raise ReplayError where the game came out otherwise than recorded."""
        if env.digest() != self.digest:
            raise ReplayError("the replay ends in another state than it was recorded with")

    def start(self, game: Game, **keywords: Any) -> OutbreakEnv:
        """An environment at the replay's deal."""
        if self.game != game.id:
            raise ReplayError(f"the replay is of {self.game}, not of {game.id}")
        if self.layout != game.content_digest:
            raise ReplayError(f"the replay comes from another version of {game.id}")
        values = {key: tuple(v) if isinstance(v, list) else v for key, v in self.options.items()}
        try:
            options = game.make_options(**values)
        except (TypeError, ValueError) as wrong:
            raise ReplayError(f"the replay's options are not valid: {wrong}") from None
        if self.table != game.table_digest(options):
            raise ReplayError("the replay was played on other tables (map or mission) than are there now")
        env = OutbreakEnv(game, options, strict=True, **keywords)
        try:
            env.reset(self.seed, {"chance": self.chance})
        except (OverflowError, ValueError) as wrong:
            raise ReplayError(f"the replay cannot be dealt: {wrong}") from None
        return env


def of_game(env: OutbreakEnv, seed: int, actions: list[int], agents: list[str] | None = None) -> Replay:
    """The replay of an environment that was dealt from a seed and played these actions."""
    game = env.game
    options = {key: list(v) if isinstance(v, tuple) else v for key, v in env.options.as_dict().items()}
    return Replay(
        game.id, game.content_digest, options, game.table_digest(env.options), seed, list(map(int, actions)),
        env.digest(), agents=agents or [],
    )  # fmt: skip


def load(path: str | Path) -> Replay:
    """Read a replay file; raises ReplayError in one sentence for anything that is not one."""
    try:
        found = json.loads(Path(path).read_bytes())
    except OSError as wrong:
        raise ReplayError(f"{path} cannot be read: {wrong.strerror}") from None
    except ValueError:
        raise ReplayError(f"{path} is not a whole JSON file") from None
    kinds = {
        "game": str, "layout": str, "options": dict, "table": str, "seed": int, "actions": list, "digest": str,
        "chance": list, "agents": list, "format": int,
    }  # fmt: skip
    if not isinstance(found, dict) or set(found) != set(kinds):
        raise ReplayError(f"{path} is not a replay: it must have exactly the keys {', '.join(kinds)}")
    for key, kind in kinds.items():
        if type(found[key]) is not kind:
            raise ReplayError(f"{path}: {key} must be a {_WORDS[kind]}")
    if found["format"] != FORMAT:
        raise ReplayError(f"{path} has replay format {found['format']}, this version reads {FORMAT}")
    if any(type(n) is not int for n in (*found["actions"], *found["chance"])):
        raise ReplayError(f"{path}: actions and chance must be whole numbers")
    return Replay(**found)
