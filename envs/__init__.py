"""Outbreak's games.  Importing this registers every game's id; its rules load on first use.

``pettingzoo.make("aec", "outbreak/<game>")``, ``gymnasium.make("outbreak/<game>")``,
`make_batch`, or a game's own module: ``from outbreak_rl.envs import pandemic; pandemic.env()``.
"""

if __name__ == "envs":
    raise ImportError(
        "import outbreak_rl.envs, not envs: the checkout's folder would load everything a second time"
    )

from .registry import game, game_names, make_batch, register_all

register_all()

__all__ = ["game", "game_names", "make_batch"]
