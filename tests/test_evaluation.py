"""The evaluation protocol and the agents it compares."""

from __future__ import annotations

import numpy as np
import pytest

from outbreak_rl.baselines.agents import Random, make_agent
from outbreak_rl.baselines.evaluate import FIRST_DEAL, Cell, Games, default_grid, play_cell, summarise
from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.aec import OutbreakEnv

GAME = find_game("run_for_your_lives")


def games_of(options: dict, lone: str, others: str, deals: int) -> Games:
    agents = {name: make_agent(name, GAME) for name in {lone, others}}
    *_, games = play_cell(GAME, Cell(options, lone, others), agents, deals)
    assert isinstance(games, Games)
    return games


def test_the_lone_seat_rotates_over_the_same_deals() -> None:
    games = games_of({"players": 5}, "heuristic", "random", 7)
    assert games.deal.tolist() == [FIRST_DEAL + d for d in range(7) for _ in range(5)]
    assert games.seat.tolist() == list(range(5)) * 7


def test_equal_agents_share_the_wins_fairly() -> None:
    """All seats are the same agent: over the rotations of one deal exactly one win falls to each."""
    games = games_of({"players": 4}, "random", "random", 400)
    line = summarise(GAME, Cell({"players": 4}, "random", "random"), games)
    assert line["low"] <= 0.25 <= line["high"]


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_the_scripted_player_beats_random_ones(players: int) -> None:
    games = games_of({"players": players}, "heuristic", "random", 300)
    line = summarise(GAME, Cell({"players": players}, "heuristic", "random"), games)
    assert line["low_times_fair"] > 2.3


def test_the_bootstrap_resamples_deals_not_games() -> None:
    """Rotations of a deal that always win together leave as few independent deals as there are."""
    won = np.repeat(np.arange(100) % 2, 4).astype(float)
    games = Games(
        deal=np.repeat(np.arange(100), 4),
        seat=np.tile(np.arange(4), 100),
        won=won,
        reward=won,
        truncated=np.zeros(400, bool),
        columns={},
    )
    line = summarise(GAME, Cell({"players": 4}, "a", "b"), games)
    assert line["share"] == 0.5
    assert 0.15 < line["high"] - line["low"] < 0.25  # about 4 standard errors of 100 deals: 0.2


def test_the_default_grid_is_every_number_of_players() -> None:
    assert [entry["players"] for entry in default_grid(GAME, {})] == [3, 4, 5, 6, 7]
    assert default_grid(GAME, {"preset": "mini"}) == [{"preset": "mini"}]


def test_random_is_uniform_over_legal_actions() -> None:
    masks = np.zeros((6000, 9), np.int8)
    masks[:, [1, 4, 8]] = 1
    actions = Random().act_batch(np.zeros((6000, 3), np.int8), masks, np.random.default_rng(0))
    counts = np.bincount(actions, minlength=9)
    assert counts[[1, 4, 8]].sum() == 6000
    assert (abs(counts[[1, 4, 8]] - 2000) < 200).all()
    masks[17] = 0
    with pytest.raises(ValueError, match="mask 17 is all zero"):
        Random().act_batch(np.zeros((6000, 3), np.int8), masks, np.random.default_rng(0))


@pytest.mark.parametrize("name", ["random", "heuristic"])
@pytest.mark.parametrize("preset", GAME.presets)
def test_no_agent_peeks(name: str, preset: str) -> None:
    """In every world that looks the same, an agent with the same dice does the same."""
    agent = make_agent(name, GAME)
    env = OutbreakEnv(GAME, GAME.make_options(preset=preset), strict=True)
    dice = np.random.default_rng(3)
    differed = 0
    for seed in range(3):
        env.reset(seed=seed)
        while not env.over:
            me = env.agent_selection
            mask = env.observe(me)["action_mask"]
            action = agent.act(env.view(me), mask, np.random.default_rng(9))
            for other in range(3):
                world = env.resampled(me, other)
                differed += world.digest() != env.digest()
                seen = world.observe(me)["action_mask"]
                assert agent.act(world.view(me), seen, np.random.default_rng(9)) == action
            env.step(int(dice.choice(mask.nonzero()[0])))
    assert differed > 50


def test_the_scripted_player_knows_what_matters() -> None:
    """It saves itself; it does not save others nor sacrifice itself."""
    agent = make_agent("heuristic", GAME)
    env = OutbreakEnv(GAME, GAME.make_options(players=3), strict=True)

    def best(position: dict) -> str:
        env.set_position(position)
        me = env.agent_selection
        mask = env.observe(me)["action_mask"]
        return env.action_text(agent.act(env.view(me), mask, np.random.default_rng(0)))

    four = ["bus", "bat", "umbrella", "torch"]
    assert (
        best({"hands": [["rope", "ladder zombie"], ["radio"], []], "tables": [four, four, []]})
        == "rope -> self"
    )
    spoil = best({"hands": [["bus", "bat zombie"], ["radio"], ["radio"]], "tables": [[], four, []]})
    assert spoil == "bat zombie -> +1"
    brink = ["ladder zombie", "radio zombie", "rope zombie", "whistle zombie"]
    text = best({"hands": [["rope", "bus zombie"], ["radio"], ["radio"]], "tables": [brink, [], []]})
    assert text == "rope -> self"
    only_fatal = {"hands": [["rope"], [], ["radio"]], "turned": [0, 1, 0]}
    assert best({**only_fatal, "tables": [["rope"], [], four]}) == "refresh"
