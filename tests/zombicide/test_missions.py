"""The missions: not won by chance nor by doing nothing, but by a scripted team; and the maker of random ones."""

import itertools

import pytest
from zombicide.mass import play

from outbreak_rl.baselines.agents import make_agent
from outbreak_rl.baselines.evaluate import Cell, Games, play_cell
from outbreak_rl.envs.zombicide import GAME
from outbreak_rl.envs.zombicide.generator import generate
from outbreak_rl.envs.zombicide.mission import mission_names, mission_of
from outbreak_rl.envs.zombicide.table import GOALS_MOST


def share_won(name: str, mission: str, deals: int) -> float:
    agents = {name: make_agent(name, GAME)}
    *_, games = play_cell(GAME, Cell({"mission": mission}, name, name), agents, deals)
    assert isinstance(games, Games)
    return float(games.won.mean())


@pytest.mark.parametrize("mission", mission_names())
def test_chance_and_doing_nothing_do_not_win(mission: str) -> None:
    assert share_won("random", mission, 300) < 0.02
    assert share_won("idle", mission, 100) == 0


def test_the_scripted_team_wins_the_tutorial() -> None:
    assert share_won("heuristic", "tutorial", 20) >= 0.5


@pytest.mark.slow
def test_the_scripted_team_wins_half_of_the_other_missions_now_and_then() -> None:
    others = [mission for mission in mission_names() if mission != "tutorial"]
    shares = [share_won("heuristic", mission, 100) for mission in others]
    assert 2 * sum(share > 0.05 for share in shares) >= len(others), dict(zip(others, shares, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("mission", mission_names())
def test_chance_and_doing_nothing_do_not_win_in_thousands_of_games(mission: str) -> None:
    """Ten thousand of each are kept in baselines/results, where test_results.py looks at them."""
    assert share_won("random", mission, 2_000) < 0.02
    assert share_won("idle", mission, 2_000) == 0


@pytest.mark.slow
def test_hundreds_of_thousands_of_random_decisions() -> None:
    """Nothing is lost, somebody always has a choice, every phase ends (more: run mass.py itself)."""
    played = play(300_000, seed=7)
    assert played["games"] > 150
    assert played["rounds"] > 1_500


# --- random missions ---


def test_random_missions_of_all_sizes_and_difficulties() -> None:
    for size, difficulty in itertools.product(range(1, 10), range(6)):
        mission = generate(5, size, difficulty)
        row = mission.record[0]
        tiles = {tile for zone in mission.board.zones for tile in zone.tiles}
        assert len(tiles) == size
        assert row["objectives"] >= 1
        assert (row["goal_kind"][:GOALS_MOST] > 0).sum() == 2
        assert generate.__wrapped__(5, size, difficulty).record.tobytes() == mission.record.tobytes()
    records = {generate(seed, 4, 2).record.tobytes() for seed in range(20)}
    assert len(records) == 20


def test_the_first_lesson_lies_next_door() -> None:
    for seed in range(20):
        row = generate(seed, 1 + seed % 9, 0).record[0]
        start = int(row["start"][0]) - 1
        assert row["objectives"] == 1
        assert row["objective_zone"][0] in row["near"][start]


def test_random_missions_by_name() -> None:
    named = GAME.make_options(mission="random-7-3-2")
    spelt = GAME.make_options(mission="random", map_seed=7, map_size=3, map_difficulty=2)
    assert mission_of(named) is mission_of(spelt)
    assert mission_of(named).name == "random-7-3-2"
    for wrong in ("random-7", "random-7-0-2", "random-7-3-6", "random-7-3-x", "random-2147483648-3-2"):
        with pytest.raises(ValueError, match="must be random-SEED-SIZE-DIFFICULTY"):
            GAME.make_options(mission=wrong)
