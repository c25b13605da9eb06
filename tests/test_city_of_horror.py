"""What only City of Horror has: tables of one's own, secret choices made at once, knowledge of hands."""

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checks.play import senses

from outbreak_rl.baselines.agents import Agent, Random
from outbreak_rl.baselines.evaluate import Cell, Games, play_cell, summarise
from outbreak_rl.baselines.heuristics.city_of_horror import Heuristic
from outbreak_rl.envs import game as find_game
from outbreak_rl.envs import make_batch
from outbreak_rl.envs.city_of_horror import GAME, PRESETS, raw_env, tables
from outbreak_rl.envs.city_of_horror.cards import CHARACTER_NAMES, KIND_NAMES, PLACE_NAMES
from outbreak_rl.envs.city_of_horror.view import FIELDS
from outbreak_rl.envs.core import cases as rule_cases
from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.rule import IllegalAction
from outbreak_rl.envs.core.toml import tomllib

CASES = Path(__file__).parent / "cases" / "city_of_horror"
OWN = (files("outbreak_rl.envs.city_of_horror") / "data" / "reconstructed.toml").read_text("utf-8")


def play_randomly(env: OutbreakEnv, seed: int) -> Iterator[int]:
    """Random actions to the end; gives the number of the decision before each."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    number = 0
    while not env._ended:
        yield number
        env.step(int(rng.choice(env._lanes.masks[0].nonzero()[0])))
        number += 1


def seats(*hands: list[str], **more: Any) -> list[dict[str, Any]]:
    people = (["Chef: bank", "Rocker: tower"], ["Geek: bank"], ["Teen: bank", "Thief: church"])
    return [{"characters": list(who), "hand": hand, **more} for who, hand in zip(people, hands, strict=True)]


# --- tables ---


def test_the_tables_that_come_with_the_game_are_whole() -> None:
    table = tables.load("")[0]
    printed = table["invasion"][3, 0]  # the rulebook's example
    assert printed["moves"].tolist() == [[2, 5], [0, 0]]
    assert printed["zombies"].tolist() == [2, 3, 2, 1, 0, 1]
    assert printed["antidotes"].tolist() == [0, 2, 0, 0, 1, 0]
    assert printed["cards"].tolist() == [0, 0, 0, 0, 1, 0]
    for hour in range(5):
        arrivals = table["invasion"][hour]["zombies"].sum(1)
        assert set(arrivals.tolist()) == {(7, 7, 8, 9, 10)[hour]}


def test_a_file_of_tables_replaces_them(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(OWN.replace("flare = 1", "flare = 2"))
    env = raw_env(players=3, negotiation="off", tables=str(mine))
    position = {"ask": "location", "location": "bank", "places": {"bank": {"zombies": 3}}}
    env.set_position({**position, "seats": seats(["Flare"], [], [])})
    for text in ("play Flare", "church", "tower"):
        env.step(env.parse_action(text))
    assert env.position()["places"]["church"]["zombies"] == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("flare = 1", "flare = 9", "flare is 9, must be a whole number from 1 to 8"),
        ("flare = 1", "flar = 1", "no key 'flar'; did you mean 'flare'"),
        ('wheel = ["green", ', 'wheel = ["black", ', "must name each of"),
        ("tower = [2, 2, 3]", "tower = [2, 2]", "capacity.tower is [2, 2], must be 3 numbers"),
        ('name = "2C"', 'name = "2E"', "must be each of"),
        ("moves = [[2, 5]]", "moves = [[2, 7]]", "invasion card 3A: a move is 7"),
        ("antidotes = [0, 2, 0, 0, 1, 0]", "antidotes = [1, 2, 0, 0, 1, 0]", "never dropped at location 1"),
        ("zombies = [2, 3, 2, 1, 0, 1]", "zombies = [2, 3, 2, 1, 0]", "must be 6 numbers"),
        ('status = "reconstructed"', "status =", "is not TOML"),
        ("bank = [3, 3]", "bank = [3, true]", "capacity.bank is True, must be a whole number from 1 to 21"),
        ("[capacity]", "[spaces]", "has no key 'spaces'"),
        ("[[invasion]]", "[[invasions]]", "did you mean 'invasion'"),
        ("moves = [[4, 2]]", "moves = [[4, 4]]", "the move [4, 4] must be two different location numbers"),
        ("moves = [[4, 2]]", "moves = [[4, 2], [2, 3], [3, 4]]", "must be a list of at most two pairs"),
        ("moves = [[4, 2]]", "moves = 4", "invasion card 2A: moves is 4"),
        (
            "zombies = [2, 2, 1, 2, 0, 1]",
            "zombies = [9, 2, 1, 2, 0, 1]",
            "zombies is 9, must be a whole number from 0 to 8",
        ),
        ("leader = 2", 'leader = "two"', "leader is 'two', must be a whole number from 0 to 6"),
        ("leader = 0", "leader = 1", "invasion card 0A: a set-up card has zombies only"),
        (
            'status = "printed"',
            'status = "guessed"',
            "invasion card 3A: status is 'guessed', must be one of printed",
        ),
        ("flare = 1", "", "flare is missing"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(tmp_path: Path, old: str, new: str, words: str) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(OWN.replace(old, new, 1))
    with pytest.raises(tables.TableError) as wrong:
        raw_env(tables=str(mine))
    assert words in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(b"flare = \xff")
    for path, words in ((mine, "is not TOML"), (tmp_path, "cannot be read")):
        with pytest.raises(tables.TableError, match=words):
            raw_env(tables=str(path))


def test_the_games_own_figures_say_where_they_come_from() -> None:
    own = tomllib.loads(OWN)
    assert own["status"] == "reconstructed"
    status = {card["name"]: card["status"] for card in own["invasion"]}
    assert {name for name, words in status.items() if words == "printed"} == {"3A"}
    assert set(status.values()) == {"printed", "reconstructed"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(tables.TableError, match="nowhere"):
        raw_env(tables=str(tmp_path / "nowhere.toml"))


# --- choices made at once ---


Senses = Callable[[OutbreakEnv, str], Any]


def everything(env: OutbreakEnv, agent: str) -> Any:
    """All that an agent is given, and what it has been told."""
    return senses(env, agent, pictures=True), env.event_texts(agent)


def unlike_for_others(env: OutbreakEnv, actions: Iterable[int], look: Senses) -> bool:
    """Whether any other agent senses a difference after one or the other action of the agent selected."""
    actor = env.agent_selection
    found = []
    for action in actions:
        world = env.clone()
        world.step(action)
        found.append({agent: look(world, agent) for agent in env.possible_agents if agent != actor})
    return any(one != found[0] for one in found)


def leaks_before_all_have_chosen(preset: str, look: Senses) -> tuple[dict[str, int], list[str]]:
    """Secret choices looked at, by kind, and the kinds in which others sensed what had been chosen."""
    env = raw_env(preset=preset, players=4)
    looked = dict.fromkeys(("card", "vote", "draft"), 0)
    leaks = []
    for seed in range(2):
        for _ in play_randomly(env, seed):
            kind = env.position()["decision"]
            if kind not in looked or env.record["depth"] < 2:  # the last one closes the choice
                continue
            legal = env._lanes.masks[0].nonzero()[0]
            if len(legal) > 1:
                looked[kind] += 1
                if unlike_for_others(env, (int(legal[0]), int(legal[-1])), look):
                    leaks.append(kind)
    return looked, leaks


@pytest.mark.parametrize("preset", ["default", "draft", "side_b"])
def test_nobody_senses_a_choice_before_all_have_made_theirs(preset: str) -> None:
    looked, leaks = leaks_before_all_have_chosen(preset, everything)
    assert looked["card"] > 10
    assert looked["vote"] > 2
    assert looked["draft"] > 10 or preset != "draft"
    assert leaks == []


PLANTED: dict[str, tuple[str, Senses]] = {
    "movement cards lie open": ("card", lambda env, agent: env.record["seats"]["chosen"].tolist()),
    "votes are counted as they come in": (
        "vote",
        lambda env, agent: np.bincount(env.record["votes"], minlength=7).tolist(),
    ),
    "the next seat sees what a packet has lost": (
        "draft",
        lambda env, agent: env.record["picks"].tolist(),
    ),
    "the log tells the action to everybody": (
        "card",
        lambda env, agent: env._lanes.events[: env._lanes.events[0, 0] + 1, 5].tolist(),
    ),
}


@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_is_found(leak: str) -> None:
    kind, look = PLANTED[leak]
    _, leaks = leaks_before_all_have_chosen("draft" if kind == "draft" else "default", look)
    assert kind in leaks


# --- who knows which card ---


def known(env: OutbreakEnv, observer: int, place: int) -> list[int]:
    """Kinds that a seat knows the one some places to its left to hold."""
    counts = env.view(env.possible_agents[observer])["known"][place]
    return np.repeat(np.arange(len(counts)), counts).tolist()  # type: ignore[no-any-return]


def test_an_exchange_is_seen_by_all_and_a_theft_by_two() -> None:
    alarm, gun = (KIND_NAMES.index(name) for name in ("Alarm", "Gun"))
    env = raw_env(players=3)
    hands = (["Gun", "Flare"], ["Alarm"], ["Pickpocket", "Shotgun"])
    env.set_position({"ask": "planning", "turn": 0, "seats": seats(*hands)}, chance=[0])
    for action in ("offer", "seat +1", "give Gun", "want Alarm", "yes"):
        env.step(env.parse_action(action))
    assert known(env, 2, 1) == [alarm]  # seat 0 has the Alarm
    assert known(env, 2, 2) == [gun]
    assert known(env, 0, 1) == [gun]
    while env.agent_selection != "player_2":
        env.step(env.parse_action("pass"))
    for action in ("play Pickpocket", "pass", "pass", "seat +2"):
        env.step(env.parse_action(action))
    assert env.position()["seats"][2]["hand"] == ["Gun", "Shotgun"]
    assert known(env, 0, 1) == []  # some card of seat 1 went: the Gun, for all that seat 0 can tell
    assert known(env, 0, 2) == []
    assert known(env, 1, 1) == [gun]


def test_what_a_seat_knows_of_others_is_true_and_survives_a_redeal() -> None:
    for preset in PRESETS:
        env = raw_env(preset=preset, players=3)
        for number in play_randomly(env, 11):
            env.inspect()
            if number % 40 == 0:
                for agent in (*env.possible_agents, None):
                    world = env.resampled(agent, number)
                    world.inspect()
                    assert world.view(agent).tobytes() == env.view(agent).tobytes()
                    assert world.agent_selection == env.agent_selection


# --- the length of a game, and a player ---


@pytest.mark.parametrize(("preset", "low", "high"), [("silent", 200, 500), ("default", 330, 810)])
def test_games_are_about_as_long_as_foreseen(preset: str, low: int, high: int) -> None:
    for players in (3, 6):
        env = raw_env(preset=preset, players=players)
        assert low < np.mean([max(play_randomly(env, seed)) for seed in range(3)]) < high


# A window closes when all have passed in a row, and what can be done in it is finite: 40 cards, 21 abilities,
# 12 offers, 6 promises, after each of which all six are asked again.
LONGEST_WINDOW = 1500


def play_many(preset: str, players: int, decisions: int, lanes: int) -> tuple[int, int, int]:
    """Random decisions in a batch, looked through after each; games ended, the longest one and the longest
    stay at one point of a round, in decisions."""
    batch = make_batch("city_of_horror", lanes, seed=players, preset=preset, players=players)
    batch.reset()
    rng = np.random.default_rng(players)
    made, stayed, ended = np.zeros(lanes, int), np.zeros(lanes, int), 0
    longest, longest_stay = 0, 0
    point = np.zeros((3, lanes), int)
    for _ in range(decisions // lanes):
        assert batch.masks.any(axis=1).all(), "somebody is asked and has no legal action"
        _, terminated, _ = batch.step(Random().act_batch(batch.flat_views, batch.masks, rng))
        batch._lanes.serve(kernel.INSPECT, 0, lanes)
        now = np.array([batch.states[name] for name in ("round", "step", "location")])
        made += 1
        longest = max(longest, int(made.max()))
        stayed = np.where((now == point).all(axis=0) & ~terminated, stayed + 1, 0)
        longest_stay = max(longest_stay, int(stayed.max()))
        assert longest_stay < LONGEST_WINDOW, "a window does not end"
        ended += int(terminated.sum())
        made[terminated] = 0
        point = now
    return ended, longest, longest_stay


CELLS = [(preset, players) for preset in PRESETS for players in range(3, 7)]


@pytest.mark.parametrize(("preset", "players"), CELLS)
def test_random_games_lose_nothing_and_end(preset: str, players: int) -> None:
    ended, longest, _ = play_many(preset, players, 40_000, 32)
    assert ended > 20
    assert longest < 3000


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), CELLS)
def test_ten_million_random_decisions(preset: str, players: int) -> None:
    ended, longest, stay = play_many(preset, players, 10_000_000 // len(CELLS) + 256, 256)
    print(f"{preset}, {players} players: {ended} games, the longest {longest} decisions, one window {stay}")
    assert ended > 200
    assert longest < 3000


def test_the_scripted_player_wins_more_than_its_share_among_random_ones() -> None:
    shares = []
    player = Heuristic()
    for seed in range(12):
        players = 3 + seed % 4
        env = raw_env(players=players, obs="view")
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not env._ended:
            mask = env._lanes.masks[0]
            if env.agent_selection == "player_0":
                env.step(player.act(env.view("player_0"), mask, rng))
            else:
                env.step(int(rng.choice(mask.nonzero()[0])))
        shares.append(env.rewards["player_0"] + 1 / players)
    assert np.mean(shares) > 0.45


@pytest.mark.parametrize("preset", ["silent", "default"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_scripted_player_has_nearly_twice_its_share_at_every_table(preset: str, players: int) -> None:
    cell = Cell({"preset": preset, "players": players}, "heuristic", "random")
    agents: dict[str, Agent] = {"heuristic": Heuristic(), "random": Random()}
    *_, games = play_cell(GAME, cell, agents, 40)
    assert isinstance(games, Games)
    assert summarise(GAME, cell, games)["low_times_fair"] > 1.8


# --- names ---


def test_names_of_fields_fit_their_values() -> None:
    for field in FIELDS:
        if field.labels:
            assert len(field.labels) == (field.high if field.kind == "category" else field.shape[-1]), (
                field.name
            )
    named = {field.name for field in FIELDS if field.labels}
    assert {"hand", "place", "decision", "source", "known", "attack_votes"} <= named


def test_a_refusal_says_what_is_being_decided() -> None:
    env = raw_env(players=3, obs="view")
    env.set_position({"ask": "vote", "location": "bank", "seats": seats(["Gun"], [], [])})
    with pytest.raises(IllegalAction, match="at the decision 'vote'"):
        env.step(env.parse_action("yes"))


@pytest.mark.parametrize(
    ("cards", "holds"), [('["bank", "none", "tower"]', True), ('["tower", "none", "bank"]', False)]
)
def test_a_case_tells_the_seats_of_a_row_apart(tmp_path: Path, cards: str, holds: bool) -> None:
    (tmp_path / "city_of_horror").mkdir()
    (tmp_path / "city_of_horror" / "some.toml").write_text(
        f"""
[[case]]
name = "shown movement cards"
options = {{ players = 3 }}
[case.position]
ask = "planning"
seats = [
    {{ characters = ["Chef: bank"], hand = ["Gun"], chosen = "bank", shown = true }},
    {{ characters = ["Geek: bank"], chosen = "church" }},
    {{ characters = ["Teen: bank"], chosen = "tower", shown = true }},
]
[case.after]
sees = [{{ seat = 0, field = "chosen", is = {cards} }}]
"""
    )
    (case,) = rule_cases.find([tmp_path])
    if holds:
        return case.run(find_game)
    with pytest.raises(rule_cases.CaseFailure):
        case.run(find_game)


# --- the cases ---

PLAYS = [*(f"play {name}" for name in KIND_NAMES), *(f"use {name}" for name in CHARACTER_NAMES)]


@pytest.mark.parametrize("play", PLAYS)
def test_every_card_and_ability_has_cases_where_it_works_and_where_it_is_illegal(play: str) -> None:
    bodies = [case.body for case in rule_cases.find([CASES])]
    after = [body.get("after", {}) for body in bodies]
    assert any(play in body.get("actions", []) for body in bodies)
    assert any(play in [*one.get("illegal", []), one.get("refused")] for one in after)


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("place", PLACE_NAMES[1:])
def test_every_side_is_activated_in_a_case(place: str, side: str) -> None:
    def stands_there(body: dict[str, Any]) -> bool:
        position = body.get("position", {})
        sides = str(body.get("options", {}).get("sides", "A")) * len(PLACE_NAMES)
        given = position.get("places", {}).get(place, {}).get("side", sides[PLACE_NAMES.index(place)])
        return position.get("location") == place and given == side

    bodies = [case.body for case in rule_cases.find([CASES])]
    assert any("activate" in body.get("actions", []) and stands_there(body) for body in bodies)
