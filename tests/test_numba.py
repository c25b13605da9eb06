"""Compiled code: cache, signatures, builds (what Numba can do wrong without a word)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from checks.cases import GAMES, case
from checks.kernels import child, finish, read_beyond, start, use_all

from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.rule import CHECK, PLAIN, cache_folder, cache_root, game_folder

compiled_only = pytest.mark.skipif(PLAIN, reason="is about compiled code, and nothing is compiled here")
NAMES = [game.name for game in GAMES]


def files_in(folder: Path) -> dict[str, int]:
    """Every cache file and its size."""
    return {str(path.relative_to(folder)): path.stat().st_size for path in folder.rglob("*.nb?")}


@compiled_only
def test_another_process_loads_all_kernels_and_compiles_nothing() -> None:
    """Recursion, for one, is compiled without complaint and crashes when loaded."""
    here = {game.name: use_all(case(game)) for game in GAMES}
    child("kernels", NAMES)  # writes what this process had no need of
    before = files_in(cache_root())
    there, said = child("kernels", NAMES)
    assert there["compiled"] == []
    assert there["digests"] == here
    assert "compiling" not in said
    assert files_in(cache_root()) == before, "the cache grows from start to start"


@compiled_only
def test_of_two_cold_processes_one_compiles_and_says_so(tmp_path: Path) -> None:
    """The other waits and loads; a third finds everything, and the cache does not grow."""
    both = [start("kernels", ["wells"], OUTBREAK_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    answers, said = zip(*(finish(process) for process in both), strict=True)
    assert answers[0]["digests"] == answers[1]["digests"]
    assert any(answer["compiled"] for answer in answers)
    assert "".join(said).count("compiling the rules of Wells") == 1
    before = files_in(tmp_path)
    third, said_last = child("kernels", ["wells"], OUTBREAK_CACHE_DIR=str(tmp_path))
    assert third == {"compiled": [], "digests": answers[0]["digests"]}
    assert said_last == ""
    assert files_in(tmp_path) == before


@compiled_only
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_rule_is_compiled_for_more_than_two_signatures(game: Game) -> None:
    """A rule compiled for each literal or width of integer multiplies the compile time."""
    game.compile()
    folder = cache_folder(game_folder(game.module))
    count = Counter(path.name.rsplit(".", 2)[0] for path in folder.rglob("*.nbc"))
    assert count, "nothing is cached"
    assert {name: n for name, n in count.items() if n > 2} == {}


@pytest.mark.checked
@pytest.mark.plain
def test_a_read_beyond_a_row_is_seen() -> None:
    """Where bounds are checked; elsewhere it goes unseen, which is why there is a checked build."""
    assert read_beyond() == ("IndexError" if CHECK or PLAIN else "unseen")


@compiled_only
def test_each_build_has_its_own_cache() -> None:
    """Checked and unchecked code side by side: neither is taken for the other."""
    assert child("out_of_range", OUTBREAK_CHECK="1")[0] == "IndexError"
    assert child("out_of_range", OUTBREAK_CHECK="0")[0] == "unseen"
    assert child("out_of_range", OUTBREAK_CHECK="1")[0] == "IndexError"
    assert child("out_of_range", OUTBREAK_CHECK=None, NUMBA_DISABLE_JIT="1")[0] == "IndexError"
