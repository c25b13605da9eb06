"""What a game's module offers: ``env``, ``raw_env`` and ``parallel_env``, made from its Game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .aec import OutbreakEnv
from .game import Game
from .parallel import ParallelOutbreakEnv

_ADAPTER_KEYWORDS = ("obs", "render_mode", "render_agent")


def adapters(
    game: Game,
) -> tuple[Callable[..., OutbreakEnv], Callable[..., OutbreakEnv], Callable[..., ParallelOutbreakEnv]]:
    """The three makers of a game's environments; each takes the game's options, ``preset``, and
    ``obs``, ``render_mode``, ``render_agent`` (see `aec.OutbreakEnv`)."""

    def make(strict: bool, keywords: dict[str, Any]) -> OutbreakEnv:
        given = {key: keywords.pop(key) for key in _ADAPTER_KEYWORDS if key in keywords}
        return OutbreakEnv(game, game.make_options(**keywords), strict=strict, **given)

    def env(**keywords: Any) -> OutbreakEnv:
        """An AEC environment; an illegal action ends the game for the offender."""
        return make(False, keywords)

    def raw_env(**keywords: Any) -> OutbreakEnv:
        """An AEC environment that raises IllegalAction, unchanged, for an illegal action."""
        return make(True, keywords)

    def parallel_env(**keywords: Any) -> ParallelOutbreakEnv:
        """A parallel environment with one no-op for seats that are not asked."""
        return ParallelOutbreakEnv(make(True, keywords))

    return env, raw_env, parallel_env
