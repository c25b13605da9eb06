"""Golden traces: what each game did when they were written, byte for byte.

    python tests/golden.py            compare
    python tests/golden.py --write    write anew (from the first release on: with a line in the CHANGELOG
                                      and a higher version of the game)

``golden/<game>.json`` holds for each preset a seed, the actions of one random game and, before each action
and after the last, eight hex digits of a digest of the state, of every View and of the mask.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from checks.cases import GAMES, Case, case
from checks.play import play_out, strict, trace

from outbreak_rl.envs.core.game import Game

FOLDER = Path(__file__).parent / "golden"
SEED, MOST = 20, 400


def path_of(game: Game) -> Path:
    """The file of a game."""
    return FOLDER / f"{game.name}.json"


def recorded(game: Game) -> dict[str, Any]:
    """The traces of a game as it is now."""
    found: dict[str, Any] = {}
    for preset in game.presets:
        env = strict(case(game, preset))
        env.reset(seed=SEED)
        actions = play_out(env.clone(), seed=SEED, most=MOST)
        found[preset] = {"seed": SEED, "actions": actions, "digests": "".join(trace(env, actions))}
    return found


def load(game: Game) -> dict[str, Any]:
    """The traces as they were written; AssertionError where there are none."""
    assert path_of(game).exists(), f"{game.id} has no golden traces: run python tests/golden.py --write"
    found: dict[str, Any] = json.loads(path_of(game).read_text())
    return found


def compare(case: Case, written: dict[str, Any], most: int | None = None) -> None:
    """Replay one preset; AssertionError names the first decision that came out otherwise."""
    env = strict(case)
    env.reset(seed=written["seed"])
    actions = written["actions"][:most]
    digests = [written["digests"][8 * i : 8 * i + 8] for i in range(len(written["actions"]) + 1)]
    for number, digest in enumerate(trace(env, actions)):
        assert digest == digests[number], (
            f"{case}: after {number} actions of the golden trace something is different"
        )


def write() -> None:
    """Write the traces of all games."""
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        path_of(game).write_text(json.dumps(recorded(game)) + "\n")
        print(f"wrote {path_of(game)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:]:
        sys.exit(str(__doc__))
    for one in GAMES:
        for name in one.presets:
            compare(case(one, name), load(one)[name])
