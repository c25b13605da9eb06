"""The evaluation protocol and the agents it compares."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from checks.agents import agent_does_not_peek
from checks.cases import REGISTERED, Case, case
from rich.console import Console

from outbreak_rl.baselines.agents import Agent, Batched, Random, make_agent
from outbreak_rl.baselines.evaluate import (
    FIRST_DEAL,
    Cell,
    Games,
    as_table,
    default_grid,
    evaluate,
    play_cell,
    provenance,
    summarise,
)
from outbreak_rl.envs import game as find_game
from outbreak_rl.envs import game_names, make_batch
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.game import Game

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


every_preset = pytest.mark.parametrize(
    "case", [case(game, preset) for game in REGISTERED for preset in game.presets], ids=str
)


def looked_long_enough(case: Case, make: Callable[[OutbreakEnv], Agent]) -> None:
    """Whole games of Run for Your Lives, else 100 decisions a game: where an answer takes long, or a game."""
    whole = case.game is GAME
    assert agent_does_not_peek(case, make, 3 if whole else 2, None if whole else 100) > 50


@every_preset
def test_random_players_do_not_peek(case: Case) -> None:
    looked_long_enough(case, lambda env: make_agent("random", case.game))


@every_preset
def test_scripted_players_do_not_peek(case: Case) -> None:
    looked_long_enough(case, lambda env: make_agent("heuristic", case.game))


@every_preset
def test_policies_do_not_peek(case: Case) -> None:
    """The policy that comes with the suite; of games without one, a network as it is before training."""
    pytest.importorskip("torch")
    from outbreak_rl.baselines import networks
    from outbreak_rl.baselines.policy import PolicyAgent

    def policy(env: OutbreakEnv) -> Agent:
        if case.game is GAME:
            return make_agent("ppo:run_for_your_lives/default", GAME)
        return PolicyAgent(case.game, networks.make(case.game, networks.Shape((32,))), about={})

    assert agent_does_not_peek(case, policy, 2, 30) > 50


def weighed(env: OutbreakEnv) -> int:
    """A number that hangs on where everything lies."""
    numbers = env.state().astype(np.int64)
    return int(numbers @ np.arange(len(numbers)))


class Peeker(Batched):
    """A planted fault: its answer hangs on a card (or die) that it cannot see."""

    name = "peeker"

    def __init__(self, env: OutbreakEnv) -> None:
        self.env = env

    def act(self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Any = None) -> int:
        legal = mask.nonzero()[0]
        return int(legal[weighed(self.env) % len(legal)])


class Listener(Peeker):
    """Another: what is equal in all worlds for the seat differs by the environment's own dice."""

    name = "listener"

    def act(self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Any = None) -> int:
        legal = mask.nonzero()[0]
        return int(legal[int(self.env.record["random"][0]) % len(legal)])


class Searcher(Peeker):
    """No fault: it answers by what the sampler's worlds say."""

    name = "searcher"

    def act(self, view: np.void, mask: np.ndarray, rng: np.random.Generator, sampler: Any = None) -> int:
        legal = mask.nonzero()[0]
        return int(legal[sum(map(weighed, sampler(2))) % len(legal)])


@pytest.mark.parametrize("name", game_names())
def test_who_peeks_is_found(name: str) -> None:
    preset = "hidden" if name == "pandemic" else "default"
    one = case(find_game(name), preset)
    for fault in (Peeker, Listener):
        with pytest.raises(AssertionError, match=r"knows what player_\d cannot see"):
            agent_does_not_peek(one, fault)
    agent_does_not_peek(one, Searcher, games=1, most=20)


@pytest.mark.parametrize("name", game_names())
def test_scripted_players_play_alone_as_in_batches(name: str) -> None:
    game = find_game(name)
    agent = make_agent("heuristic", game)
    batch = make_batch(name, 6, seed=4)
    batch.reset()
    for _ in range(12):
        actions = agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(5))
        assert agent.name == "heuristic"
        assert actions.dtype == np.int64
        assert batch.masks[np.arange(6), actions].all()
        alone = agent.act(batch.views[0], batch.masks[0], np.random.default_rng(5))
        assert (
            alone == actions[0] or name == "run_for_your_lives"
        )  # whose dice are thrown for the batch at once
        batch.step(actions)


# --- the tables of the games ---


@pytest.mark.parametrize("name", game_names())
def test_grids_are_option_sets_of_their_game(name: str) -> None:
    game = find_game(name)
    for grid, entries in (game.grids or {}).items():
        assert default_grid(game, {}, grid) == [dict(entry) for entry in entries]
        for entry in entries:
            game.make_options(**entry)
    with pytest.raises(ValueError, match=f"{game.id} has no grid 'nothing'"):
        default_grid(game, {}, "nothing")


def test_an_option_given_narrows_a_grid() -> None:
    grid = default_grid(find_game("pandemic"), {"players": 3, "epidemics": 5}, "pandemic")
    assert [entry["preset"] for entry in grid] == ["V1", "V2", "default"]
    assert len(default_grid(find_game("pandemic"), {}, "pandemic")) == 27
    assert len(default_grid(find_game("city_of_horror"), {}, "city_of_horror")) == 8


def test_a_team_is_measured_by_wins_losses_and_their_causes() -> None:
    game = find_game("pandemic")
    options = {"preset": "V1", "players": 2, "epidemics": 4}
    lines, played = evaluate(game, ["random"], [options], 40)
    (line,), ((_, games),) = lines, played
    assert line["games"] == len(games.won) == 40
    assert line["share"] == 0
    assert (line["low"], line["high"]) == pytest.approx((0, 0.0876), abs=1e-4)  # Wilson, 0 of 40
    causes = [games.columns[f"lost_{cause}"] for cause in ("outbreaks", "cubes", "cards")]
    assert (np.sum(causes, axis=0) == 1).all()
    assert ((games.columns["outbreaks"] == 8) == (games.columns["lost_outbreaks"] == 1)).all()
    assert 5 < line["turns"] < 12
    assert line["games_a_second"] == pytest.approx(40 / games.seconds)
    text = shown(game, lines)
    assert all(words in text for words in ("agent", "preset", "V1", "0.0% to 8.8%", "turns", "second"))


def test_a_scripted_team_is_measured_like_any_other() -> None:
    game = find_game("pandemic")
    lines, played = evaluate(game, ["heuristic"], [{"preset": "V1", "players": 2, "epidemics": 4}], 3)
    games = played[0][1]
    assert ((games.won == 1) == (games.columns["cures"] == 4)).all()
    assert lines[0]["turns"] > 10


@pytest.mark.parametrize("name", game_names())
def test_an_idle_team_leaves_out_what_it_can(name: str) -> None:
    game = find_game(name)
    if not game.idle:
        with pytest.raises(ValueError, match=f"{game.id} has no idle player"):
            make_agent("idle", game)
        return
    agent = make_agent("idle", game)
    batch = make_batch(name, 16, seed=2)
    batch.reset()
    for _ in range(60):
        actions = agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(0))
        for mask, action in zip(batch.masks, actions.tolist(), strict=True):
            assert mask[action]
            wanted = [idle for idle in game.idle if mask[idle]]
            assert action == (wanted[0] if wanted else mask.argmax())
        batch.step(actions)


def test_missions_are_measured_by_rounds_kills_and_losses() -> None:
    """The winners of the tutorial take both objectives; who does nothing kills nothing and falls."""
    game = find_game("zombicide")
    grid = default_grid(game, {"mission": "tutorial"}, "zombicide")
    assert grid == [{"mission": "tutorial"}]
    lines, played = evaluate(game, ["heuristic", "idle"], grid, 6)
    scripted, idle = (games for _, games in played)
    assert scripted.won.sum() >= 5
    assert (scripted.columns["rounds"] < 10).all()
    assert scripted.columns["kills"].sum() > 0
    assert (idle.columns["kills"] == 0).all()
    assert (idle.won == 0).all()
    assert (idle.columns["survivors_lost"] == 6).all()
    assert "survivors" in shown(game, lines)


@pytest.mark.parametrize("preset", ["silent", "default"])
def test_a_town_is_measured_by_scores_and_deaths(preset: str) -> None:
    game = find_game("city_of_horror")
    _, played = evaluate(game, ["heuristic", "random"], [{"preset": preset, "players": 3}], 2)
    for _, games in played:
        dead = sum(games.columns[f"deaths_{hour}"] for hour in range(1, 5))
        assert (dead + games.columns["alive"] == 15).all()
        assert (games.columns["own_alive"] <= games.columns["alive"]).all()
        assert (games.columns["exchanges"] == 0).all() or preset == "default"
    first, second = (games for _, games in played)
    assert first.columns["score"].mean() > second.columns["score"].mean()  # the lone agent's


def test_a_column_with_a_value_for_each_seat_gives_the_lone_agents() -> None:
    """All four seats of a deal that is played alike: its rotations show every seat's score once."""
    game = find_game("city_of_horror")
    agents = {"first": First()}
    *_, games = play_cell(game, Cell({"players": 4}, "first", "first"), agents, 2)
    assert isinstance(games, Games)
    scores = games.columns["score"].reshape(2, 4)
    batch = make_batch(game.id, 2, players=4)
    batch.reset(seeds=FIRST_DEAL + np.arange(2))
    wanted: dict[int, list[float]] = {}
    while len(wanted) < 2:
        _, terminated, truncated = batch.step(batch.masks.argmax(axis=1))
        for lane in np.flatnonzero(terminated | truncated):
            wanted.setdefault(int(lane), batch.final_states[lane]["seats"]["score"][:4].tolist())
    assert scores.tolist() == [wanted[0], wanted[1]]


class Counted(Random):
    """A random player that counts how often it is asked."""

    asked = 0

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        self.asked += len(masks)
        return super().act_batch(views, masks, rng)


def test_the_decisions_of_a_game_are_counted() -> None:
    player = Counted()
    *_, games = play_cell(GAME, Cell({"players": 3}, "random", "random"), {"random": player}, 700)
    assert isinstance(games, Games)  # more games than lanes: a lane plays several
    assert games.columns["decisions"].sum() == player.asked
    assert games.columns["decisions"].min() > 3


def test_agents_themselves_are_evaluated_by_their_names() -> None:
    player = Counted()
    player.name = "counted"
    lines, _ = evaluate(GAME, [player, "mine=random"], [{"players": 3}], 2)
    assert [(line["agent"], line["others"]) for line in lines] == [("counted", "mine"), ("mine", "counted")]
    assert player.asked > 10
    about = provenance(GAME, [], [player, "mine=random"])["agents"]
    assert about["counted"]["is"].endswith("test_evaluation:Counted")
    with pytest.raises(ValueError, match="two agents are called 'random'"):
        evaluate(GAME, ["random", Random()], [{"players": 3}], 2)
    with pytest.raises(ValueError, match="two agents are called 'random'"):
        evaluate(GAME, [Random(), Random()], [{"players": 3}], 2)
    with pytest.raises(ValueError, match="is a class, must be an agent: Counted"):
        evaluate(GAME, [Counted, "random"], [{"players": 3}], 2)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="5 is no agent: it has no act, act_batch, name"):
        evaluate(GAME, [5, "random"], [{"players": 3}], 2)  # type: ignore[list-item]


def test_an_own_agent_comes_from_a_module_too() -> None:
    assert isinstance(make_agent("outbreak_rl.baselines.agents:Random", GAME), Random)
    made = make_agent("outbreak_rl.baselines.agents:Idle", find_game("zombicide"))  # with the game
    assert made.name == "idle"
    with pytest.raises(ValueError, match="has no class 'Randm'; did you mean 'Random'"):
        make_agent("outbreak_rl.baselines.agents:Randm", GAME)


class First(Batched):
    """Takes the first legal action."""

    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        assert masks.any(axis=1).all()
        return np.asarray(masks.argmax(axis=1))


def shown(game: Game, lines: list[dict]) -> str:
    console = Console(width=160, file=io.StringIO())
    console.print(as_table(game, lines))
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_tables_name_what_changes_and_say_the_rest_once() -> None:
    line = {"agent": "a", "others": "a", "hands": "open", "games": 9, "share": 0.5, "low": 0.2, "high": 0.8}
    lines = [{**line, "players": n, "turns": 7.0 * n, "games_a_second": 3.2} for n in (2, 3)]
    text = shown(find_game("pandemic"), lines)
    assert "Pandemic, hands open: share of wins" in text
    assert "players" in text
    assert "20.0% to 80.0%" in text
    assert "14.00" in text
    assert "3.20" in text


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
