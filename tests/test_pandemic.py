"""Pandemic: maps, uniform resampling, pictures, and the scripted team (rules are tested by cases)."""

import itertools
import os
from collections import Counter
from math import comb, factorial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from outbreak_rl.baselines.bench import pick
from outbreak_rl.baselines.evaluate import Cell, Games, play_cell
from outbreak_rl.baselines.heuristics.pandemic import Heuristic
from outbreak_rl.baselines.potentials.pandemic import potential
from outbreak_rl.envs import pandemic
from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.position import PositionError
from outbreak_rl.envs.core.rule import IllegalAction
from outbreak_rl.envs.pandemic.board import load_map
from outbreak_rl.envs.pandemic.cards import EPIDEMIC

SMALL = Path(pandemic.__file__).parent / "maps" / "small.toml"


def at(position: dict[str, Any], **options: Any) -> OutbreakEnv:
    """An environment that stands at a position."""
    env = pandemic.raw_env(**options)
    env.set_position(position)
    env.inspect()
    return env


# --- maps ---


def test_the_printed_map_has_48_cities_93_connections_and_twelve_cities_of_each_colour() -> None:
    world = load_map("world")
    assert len(world.cities) == 48
    assert sum(map(len, world.links)) == 2 * 93
    assert [world.colours.count(colour) for colour in range(4)] == [12] * 4


def test_a_users_map_is_played_under_its_own_names(tmp_path: Path) -> None:
    file = tmp_path / "harbour.toml"
    file.write_text(SMALL.read_text("utf-8").replace('"Anchor"', '"Harbour"'), "utf-8")
    env = pandemic.raw_env(map=str(file), players=2)
    env.reset(seed=1)
    assert env.position()["stations"] == ["Harbour"]
    assert env.action_text(env.parse_action("drive Beacon")) == "drive Beacon"
    with pytest.raises(ValueError, match="there is no action"):
        env.parse_action("drive Atlanta")
    while not env._ended:
        env.step(int(np.flatnonzero(env._lanes.masks[0])[0]))
        env.inspect()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"Lagoon"', '"Kelp"', "two cities of one name"),
        ('links = ["Islet"]', 'links = ["Jetty"]', "but not the other way"),
        ('colour = "red"', 'colour = "pink"', "the colour must be one of"),
        ('start = "Anchor"', 'start = "Atlantis"', "which is no city"),
        ("population = 150", "people = 150", "lacks or misuses 'population'"),
        ("[[city]]", "[[city", "is not TOML"),
    ],
)
def test_a_wrong_map_says_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(SMALL.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=message):
        pandemic.raw_env(map=str(file), players=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roles": ["Medic", "Medic", "Scientist", "Researcher"]}, "twice"),
        ({"roles": ["Medic"]}, "at least players"),
        ({"roles": "Medic"}, "'random' or a list"),
        ({"events": 6}, "0 to 5"),
        ({"events": ["Rain"]}, "names 'Rain'"),
        ({"map": "mars"}, "readable TOML file"),
    ],
)
def test_a_wrong_option_says_what_is_wrong(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pandemic.raw_env(**options)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"outbreaks": 8}, "would be over"),
        ({"cured": ["blue", "yellow"], "eradicated": ["black", "red"], "cubes": {}}, "would be over"),
        ({"cured": ["blue"], "eradicated": ["blue"]}, "named twice"),
        ({"stored": ["Airlift", "", "", ""], "roles": ["Medic", "", "", ""]}, "not the Contingency Planner"),
        ({"stations": ["Paris", "Paris"]}, "names a city twice"),
        ({"turns": 100}, "max_turns"),
        ({"hands": [["Paris"], ["Paris"], [], []]}, "has 2 cards 'Paris'"),
        ({"infection_deck": ["Paris"], "infection_discard": ["Paris"]}, "lies in two places"),
        (
            {"roles": ["Medic", "", "", ""], "cured": ["red"], "cubes": {"Atlanta": {"red": 1}}},
            "Medic stands",
        ),
    ],
)
def test_a_position_that_no_game_reaches_is_refused(position: dict[str, Any], message: str) -> None:
    env = pandemic.raw_env()
    with pytest.raises(PositionError, match=message):
        env.set_position(position)


def test_a_refused_action_names_its_decision() -> None:
    env = at({"hands": [["Paris"], [], [], []]})
    with pytest.raises(IllegalAction, match=r"\(charter flight Lima\).*at the decision 'action'"):
        env.step(env.parse_action("charter flight Lima"))


# --- many games ---

TABLES = [
    {"preset": preset, "players": players, "epidemics": epidemics}
    for preset in pandemic.GAME.presets
    for players in (2, 3, 4)
    for epidemics in (0, 2, 4, 5, 6)
] + [
    {
        "map": "small",
        "players": 2,
        "epidemics": epidemics,
        "hands": hands,
        "consent": consent,
        "windows": windows,
    }
    for epidemics in (0, 1, 4)
    for hands in ("open", "hidden")
    for consent in (False, True)
    for windows in ("turn", "full")
]


@pytest.mark.slow
def test_random_decisions_break_no_conservation_empty_no_mask_and_end_every_window() -> None:
    """Half a million over all presets; OUTBREAK_DECISIONS=10000000 for ten million."""
    wanted = int(os.environ.get("OUTBREAK_DECISIONS", "500000"))
    n = 10 * len(TABLES)
    batch = BatchEnv(pandemic.GAME, n, 3, TABLES)
    batch.reset()
    rng, actions = np.random.default_rng(1), np.zeros(n, np.int64)
    turn, since = batch.states["turns"].copy(), np.zeros(n, int)
    longest, games, decisions = 0, np.zeros(6, int), 0
    for step in itertools.count():
        if decisions >= wanted:
            break
        assert batch.masks.any(axis=1).all()
        pick(batch.masks, rng.integers(1 << 31, size=n), actions)
        batch.step(actions)
        if step % 10 == 0:
            batch._lanes.serve(kernel.INSPECT, 0, n)
            assert (batch.flat_views >= 0).all()
            assert (batch.flat_views <= pandemic.GAME.fields.bounds).all()
        over = batch.terminated | batch.truncated
        games += np.bincount(batch.final_states[over]["result"], minlength=6)
        since = np.where(over | (batch.states["turns"] != turn), 0, since + 1)
        turn = batch.states["turns"].copy()
        longest, decisions = max(longest, int(since.max())), decisions + n
        assert longest < 1000, "a turn does not end"
    assert games.sum() > wanted / 1000
    print(f"{decisions:,} decisions, games by result {games.tolist()}, at most {longest} decisions in a turn")


# --- resampling ---


def worlds(env: OutbreakEnv, agent: str, n: int) -> Counter[tuple[Any, ...]]:
    """How often each world comes up: the hands, the player deck and the infection deck."""
    found: Counter[tuple[Any, ...]] = Counter()
    seen = env.view(agent).tobytes()
    other = env.clone()
    lanes = other._lanes
    for seed in range(n):
        lanes.books["input"] = seed
        lanes.serve(kernel.RESAMPLE, 0, 1, env._seat_of[agent])
        if seed < 50:
            lanes.serve(kernel.INSPECT, 0, 1)
            assert other.view(agent).tobytes() == seen
        state = lanes.states[0]
        found[state["seats"]["hand"].tobytes(), state["deck"].tobytes(), state["infection"].tobytes()] += 1
    return found


def assert_uniform(found: Counter[tuple[Any, ...]], expected: int) -> None:
    """All expected worlds and no others, by chi-square (six standard deviations)."""
    assert len(found) == expected
    mean = found.total() / expected
    chi2 = sum((n - mean) ** 2 / mean for n in found.values())
    assert abs(chi2 - (expected - 1)) < 6 * (2 * (expected - 1)) ** 0.5


BARE = {"player_rest": "removed", "infection_rest": "discard"}
HIDDEN = {"map": "small", "players": 2, "hands": "hidden", "events": 0}


def test_resample_is_uniform_over_hands_piles_and_layers() -> None:
    position = {
        **BARE,
        "hands": [["Anchor"], ["Beacon", "Coral", "Dune"]],
        "known": [[], ["Beacon"]],
        "player_deck": ["Ember", "epidemic", "Fjord"],
        "infection_deck": ["Anchor", "Beacon", "Coral", "Dune"],
        "layers": [1, 3],
    }
    env = at(position, **HIDDEN, epidemics=1)
    # Two of four cards in the other hand, the others in order, the epidemic anywhere; three infection cards.
    assert_uniform(worlds(env, "player_0", 6_000), comb(4, 2) * 2 * 3 * factorial(3))


def test_resample_with_open_hands_moves_only_what_lies_in_decks() -> None:
    position = {
        **BARE,
        "hands": [["Anchor"], ["Beacon", "Coral"]],
        "player_deck": ["Ember", "epidemic", "epidemic", "Fjord"],
        "piles": [2, 2],
        "infection_deck": ["Anchor", "Beacon", "Coral", "Dune", "Ember"],
        "layers": [2, 3],
    }
    env = at(position, map="small", players=2, events=0, epidemics=2)
    # Two cards in two piles, each with its epidemic above or below; two layers.
    found = worlds(env, "player_1", 4_000)
    assert_uniform(found, 2 * 2 * 2 * factorial(2) * factorial(3))
    assert len({hands for hands, _, _ in found}) == 1


def test_resample_keeps_later_piles_apart() -> None:
    position = {**BARE, "player_deck": ["Ember", "Fjord", "epidemic", "Grotto"], "piles": [1, 3]}
    env = at(position | {"epidemic_out": True}, **HIDDEN, epidemics=1)
    assert_uniform(worlds(env, "player_0", 3_000), factorial(3) * 3)


def test_resample_gives_a_seat_that_picks_cards_a_hand_with_a_choice() -> None:
    position = {
        **BARE,
        "turn": 1,
        "roles": ["Medic", "Researcher"],
        "hands": [[], ["Anchor", "Beacon", "Coral", "Dune", "Ember"]],
        "player_deck": ["Fjord", "Grotto"],
    }
    env = at(position, **HIDDEN, epidemics=0)
    env.step(env.parse_action("cure blue"))
    assert env.position()["decision"] == "card"
    # Five of seven cards, all four blue ones among them (three to pick, and a choice): one of three
    # others; the two cards left lie in any order.
    assert_uniform(worlds(env, "player_0", 1_000), 3 * 2)


def test_the_owner_of_a_hand_knows_it() -> None:
    env = pandemic.raw_env(preset="hidden")
    env.reset(seed=5)
    for seed in range(20):
        world = env.resampled("player_2", seed)
        assert (world.record["seats"][2]["hand"] == env.record["seats"][2]["hand"]).all()
        deck = world.record["deck"][: world.record["deck_size"]]
        assert np.count_nonzero(deck == EPIDEMIC) == 5


# --- pictures ---


@pytest.mark.parametrize("options", [{}, {"map": "small", "players": 3}, {"preset": "hidden", "players": 2}])
def test_a_picture_shows_every_city_and_all_that_lies_open(options: dict[str, Any]) -> None:
    env = pandemic.raw_env(**options)
    env.reset(seed=3)
    svg = env.draw("svg")
    ElementTree.fromstring(svg)
    for name in load_map(env.options.map).cities:
        assert f">{name}</text>" in svg
    text = env.draw("ansi")
    for hand in env.position()["hands"]:
        for card in hand:
            assert card in text


def test_a_seats_picture_does_not_show_hidden_hands() -> None:
    env = pandemic.raw_env(preset="hidden", players=2)
    env.reset(seed=3)
    other = env.position()["hands"][1]
    env.step(env.parse_action(env.legal_texts()[0]))
    drawn = [env.draw(form, "player_0") for form in ("svg", "ansi")]
    for seed in range(10):
        world = env.resampled("player_0", seed)
        assert [world.draw(form, "player_0") for form in ("svg", "ansi")] == drawn
    assert any(card in env.draw("ansi") for card in other)


def test_pictures_of_different_positions_differ() -> None:
    pictures = [
        at({"cubes": {"Paris": {"blue": n}}}).draw(form, "player_0")
        for form in ("svg", "ansi")
        for n in (1, 2, 3)
    ]
    assert len(set(pictures)) == 6


# --- the scripted team ---


def played(seed: int, **options: Any) -> OutbreakEnv:
    env = pandemic.raw_env(obs="view", **options)
    env.reset(seed=seed)
    team = Heuristic()
    while not env._ended:
        env.step(team.act(env._lanes.views[0], env._lanes.masks[0], np.random.default_rng(0)))
    return env


@pytest.mark.parametrize(
    ("options", "least"),
    [({"preset": "V1", "players": 2, "epidemics": 4}, 0.40), ({"players": 2, "epidemics": 4}, 0.28)],
)
def test_the_scripted_team_wins_its_share(options: dict[str, Any], least: float) -> None:
    """Over 400 deals; its true shares lie five standard deviations above."""
    cell = Cell(options, "heuristic", "heuristic")
    *_, games = play_cell(pandemic.GAME, cell, {"heuristic": Heuristic()}, 400)
    assert isinstance(games, Games)
    assert games.won.mean() >= least


def test_the_scripted_team_decides_for_views_of_several_maps_at_once() -> None:
    variants = [{"map": "small", "players": 2}, {"players": 3}, {"preset": "hidden"}]
    batch = BatchEnv(pandemic.GAME, 12, 1, variants)
    batch.reset()
    team, rng = Heuristic(), np.random.default_rng(0)
    for _ in range(300):
        actions = team.act_batch(batch.flat_views, batch.masks, rng)
        for lane in range(12):
            assert actions[lane] == team.act(batch.views[lane], batch.masks[lane], rng)
        batch.step(actions)


@pytest.mark.parametrize(
    "options", [{"preset": "hidden"}, {"preset": "heroic", "players": 3}, {"map": "small"}]
)
def test_the_scripted_team_plays_every_kind_of_game_to_its_end(options: dict[str, Any]) -> None:
    assert played(1, **options).position()["over"] == "terminated"


def test_the_scripted_team_cures_when_it_can() -> None:
    blue = ["Paris", "London", "Essen", "Milan", "Madrid"]
    env = at(
        {"hands": [blue, [], [], []], "roles": ["Medic", "Researcher", "Dispatcher", "Operations Expert"]}
    )
    action = Heuristic().act(env._lanes.views[0], env._lanes.masks[0], np.random.default_rng(0))
    assert env.action_text(action) == "cure blue"


def test_the_potential_rises_with_cards_of_a_colour_cures_and_the_way_to_a_station() -> None:
    blue = ["Paris", "London", "Essen", "Milan", "Madrid"]
    team = {"roles": ["Medic", "Researcher", "Dispatcher", "Operations Expert"]}
    steps = [
        {**team, "hands": [["Lima"], blue[:1], [], []]},
        {**team, "hands": [blue[:1], ["Lima"], blue[1:4], []]},
        {**team, "hands": [blue, [], [], []], "pawns": ["Sydney", "Atlanta", "Atlanta", "Atlanta"]},
        {**team, "hands": [blue, [], [], []]},
        {**team, "hands": [[], [], [], []], "cured": ["blue"]},
        {**team, "hands": [[], [], [], []], "cured": ["blue", "red", "black"]},
    ]
    values = [
        float(potential(np.frombuffer(at(step).view("player_3").tobytes(), pandemic.GAME.fields.dtype))[0])
        for step in steps
    ]
    assert values == sorted(values)
    assert len(set(values)) == len(values)
    assert 0 <= values[0] < values[-1] < 1
