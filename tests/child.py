"""Commands for tests that need a process of their own:  python tests/child.py COMMAND [JSON].

Prints one JSON value.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any


def trace(value: Any) -> Any:
    """Short random games of every preset."""
    from checks.cases import GAMES, case
    from checks.play import traces

    return traces([case(game, preset) for game in GAMES for preset in game.presets], value)


def kernels(names: list[str]) -> Any:
    """Everything that compiled code does, for these games: how often Numba compiled, and a digest."""
    from numba.core import event
    from numba.core.errors import NumbaWarning

    warnings.simplefilter("error", NumbaWarning)
    compiled: list[str] = []

    class Count(event.Listener):
        def on_start(self, event: Any) -> None:
            compiled.append(str(event.data["dispatcher"]))

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Count()):
        from checks.cases import GAMES, case
        from checks.kernels import use_all

        digests = {game.name: use_all(case(game)) for game in GAMES if game.name in names}
    return {"compiled": compiled, "digests": digests}


def render(names: list[str]) -> Any:
    """Pictures without a display and without pygame."""
    from checks.cases import GAMES, case
    from checks.interfaces import pictures_need_nothing

    assert "DISPLAY" not in os.environ
    for game in GAMES:
        if game.name in names:
            pictures_need_nothing(case(game))
    return names


def out_of_range(value: Any) -> Any:
    """A rule that reads beyond its row: what becomes of it in this build."""
    from checks.kernels import read_beyond

    return read_beyond()


def folder(value: Any) -> Any:
    """Where compiled rules would be kept."""
    from outbreak_rl.envs.core.rule import cache_root

    return str(cache_root())


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](json.loads(sys.argv[2]) if len(sys.argv) > 2 else None)))
