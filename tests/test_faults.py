"""Faults that the suite must survive: one clear sentence, and nothing changed."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checks.cases import GAMES, Case, case, cases_of, every_game, few, seat_counts
from checks.kernels import child
from checks.play import batch, mask_of, nth_legal, over, play_out, random_action, strict
from toys import tally, wells

from outbreak_rl.envs import game, make_batch
from outbreak_rl.envs.core import position, replay
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.parallel import ParallelOutbreakEnv
from outbreak_rl.envs.core.rule import PLAIN, IllegalAction, cache_root
from outbreak_rl.envs.run_for_your_lives import GAME as RUN_FOR_YOUR_LIVES
from outbreak_rl.envs.run_for_your_lives.cards import CARD_NAMES
from outbreak_rl.wrappers.information import History
from outbreak_rl.wrappers.single import SingleEnv, SingleVectorEnv

ROOT = Path(__file__).resolve().parents[1]

# --- before the beginning and after the end -----------------------------------------------------


@every_game
def test_stepping_before_reset_and_after_the_end(game: Game) -> None:
    env = strict(case(game))
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    play_out(env, most=few(3000))
    if not over(env):
        return
    while env.agents:
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        env.step(None)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(None)
    env.reset(seed=1)
    assert not over(env)
    assert env.agents == env.possible_agents


@every_game
def test_agents_that_are_none(game: Game) -> None:
    env = strict(case(game))
    wrapped, parallel = History(env, 3), ParallelOutbreakEnv(env)
    env.reset(seed=1)
    for wrong in ("bob", f"player_{len(env.possible_agents)}", 0, None, ["player_0"]):
        says = re.escape(f"there is no agent {wrong!r}; there are player_0, player_1")
        for ask in (
            env.observe, env.observation_space, env.action_space, env.seat, env.information_state, env.infoset_key,
            wrapped.observe, wrapped.observation_space, wrapped.action_space, wrapped.seat,
            parallel.observation_space, parallel.action_space,
        ):  # fmt: skip
            with pytest.raises(ValueError, match=says):
                ask(wrong)
        for ask in (env.view, env.event_texts, lambda agent: env.draw("text", agent)):
            if wrong is not None:  # a spectator
                with pytest.raises(ValueError, match=says):
                    ask(wrong)


@every_game
def test_nobody_is_asked_before_reset_and_when_all_have_left(game: Game) -> None:
    env = strict(case(game))
    wrapped = History(env, 3)
    assert env.action_space("player_0").n == game.actions.size
    before = [
        lambda: env.observe("player_0"), env.last, env.agent_iter, env.state, lambda: env.draw("text"),
        lambda: wrapped.observe("player_0"), wrapped.last, wrapped.agent_iter,
    ]  # fmt: skip
    for ask in before:
        with pytest.raises(RuntimeError, match="no game yet: call reset"):
            ask()
    env.reset(seed=1)
    play_out(env, most=few(3000))
    if not over(env):
        return
    while env.agents:
        assert wrapped.last()[2] or wrapped.last()[3]
        env.step(None)
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))
        assert wrapped.observation_space(agent).contains(wrapped.observe(agent))
    for ask in (env.last, wrapped.last):
        with pytest.raises(RuntimeError, match="all agents have left it: call reset"):
            ask()
    assert not list(env.agent_iter())


@every_game
def test_a_batch_is_not_stepped_before_its_reset(game: Game) -> None:
    many = BatchEnv(game, 2)
    with pytest.raises(RuntimeError, match="reset"):
        many.step(np.zeros(2, np.int64))
    with pytest.raises(RuntimeError, match="reset"):
        many.step_lanes(np.array([1]), np.array([0]))


@every_game
def test_seeds_that_are_none(game: Game) -> None:
    env = strict(case(game))
    forms = [env, ParallelOutbreakEnv(env), BatchEnv(game, 2), SingleEnv(game), SingleVectorEnv(game, 2)]
    cores = [env, env, forms[2], forms[3].aec, forms[4].batch]
    for form, core in zip(forms, cores, strict=True):
        form.reset(seed=5)
        before = pickle.dumps(core)
        for wrong in (1.5, "7", True, [1], np.float64(2), np.True_):
            with pytest.raises(TypeError, match=re.escape(f"seed is {wrong!r}, must be a whole number")):
                form.reset(seed=wrong)
        for beyond in (-1, 1 << 62):
            with pytest.raises(ValueError, match=rf"seed is {beyond}, must be from 0 to 2\*\*62 - 1"):
                form.reset(seed=beyond)
        assert pickle.dumps(core) == before, "a refused seed changed the game"
        form.reset(seed=np.int64(3))
    env.reset(seed=(1 << 62) - 1)
    env.reset(seed=np.int64(3))
    first = env.digest()
    env.reset(seed=3)
    assert env.digest() == first
    many = batch(case(game), 2)
    for wrong in ([1, 2, 3], [0.5, 1.5], [-1, 4]):
        with pytest.raises(ValueError, match="seeds"):
            many.reset(seeds=np.array(wrong))


# --- options ------------------------------------------------------------------------------------


@every_game
def test_unknown_options_and_presets(game: Game) -> None:
    with pytest.raises(ValueError, match="did you mean 'players'"):
        game.make_options(playrs=3)
    with pytest.raises(ValueError, match="preset is 'nonsense', must be one of"):
        game.make_options(preset="nonsense")
    for wrong in (0, 99, "4", 4.0, True, None, -1):
        with pytest.raises(ValueError, match="option players is"):
            game.make_options(players=wrong)
    for limit in {"max_turns", "max_rounds"} & {item.name for item in dataclasses.fields(game.options)}:
        for wrong in (0, "many", 1.5, 1 << 40):
            with pytest.raises(ValueError, match=f"option {limit} is"):
                game.make_options(**{limit: wrong})
    with pytest.raises(ValueError, match="obs is"):
        strict(case(game), obs="pixels")
    with pytest.raises(ValueError, match="render_mode is"):
        strict(case(game), render_mode="human")
    with pytest.raises(ValueError, match="render_agent is"):
        strict(case(game), render_agent="player_99")
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.make_options().players = 2  # type: ignore[misc]


@every_game
def test_at_most_six_presets_and_the_first_is_the_default(game: Game) -> None:
    assert len(game.presets) <= 6
    assert next(iter(game.presets)) == "default"
    assert game.make_options(preset="default") == game.make_options()
    assert case(game).options.players in seat_counts(game)
    assert len({str(one) for one in cases_of(game)}) == len(cases_of(game))


def test_unknown_games() -> None:
    with pytest.raises(ValueError, match="did you mean 'run_for_your_lives'"):
        game("outbreak/run_for_your_live")
    assert game("outbreak/run_for_your_lives-v0") is RUN_FOR_YOUR_LIVES
    with pytest.raises(ValueError, match="either variants or single options"):
        make_batch("run_for_your_lives", 2, variants=[{}], players=3)
    for wrong in (5, None, ["pandemic"]):
        with pytest.raises(TypeError, match="must be a name, such as 'outbreak/pandemic'"):
            game(wrong)
    for variants in ({}, "ab", 3, [3], [None]):
        with pytest.raises(TypeError, match="must be a list of sets of options"):
            BatchEnv(tally.GAME, 2, variants=variants)
    for wrong in ({"num_envs": 0}, {"num_envs": 2, "threads": 0}, {"num_envs": 2, "variants": []}):
        with pytest.raises(ValueError, match=r"must be|is empty"):
            BatchEnv(tally.GAME, **wrong)


# --- replays, positions, states, pickles --------------------------------------------------------


@pytest.fixture(params=GAMES, ids=lambda game: game.name)
def played(request: pytest.FixtureRequest) -> tuple[Case, Any, list[int]]:
    """A game in its middle, with the actions so far."""
    one = case(request.param)
    env = strict(one)
    env.reset(seed=8)
    return one, env, play_out(env, most=few(7, 5))


def test_spoilt_replays(played: tuple[Case, Any, list[int]], tmp_path: Path) -> None:
    one, env, actions = played
    good = replay.of_game(env, 8, actions)
    path = tmp_path / "good.json"
    good.save(path)
    text = path.read_bytes()
    found = json.loads(text)
    illegal = int(np.flatnonzero(mask_of(_at_deal(one)) == 0)[0])
    spoilt: dict[str, bytes] = {
        "cut": text[: len(text) // 2],
        "empty": b"",
        "binary": bytes(range(256)),
        "list": b"[]",
        "number": b"7",
        "missing": json.dumps({k: v for k, v in found.items() if k != "seed"}).encode(),
        "more": json.dumps({**found, "extra": 1}).encode(),
        "format": json.dumps({**found, "format": 99}).encode(),
    }
    for key, wrong in {
        "seed": "8", "actions": {"a": 1}, "options": [], "game": 5, "digest": None, "chance": "abc", "agents": 3,
    }.items():  # fmt: skip
        spoilt[f"kind of {key}"] = json.dumps({**found, key: wrong}).encode()
    spoilt["float actions"] = json.dumps({**found, "actions": [1.0]}).encode()
    spoilt["bool actions"] = json.dumps({**found, "actions": [True]}).encode()
    for name, content in spoilt.items():
        bad = tmp_path / "bad.json"
        bad.write_bytes(content)
        with pytest.raises(replay.ReplayError, match=r"bad\.json"):
            raise AssertionError(f"{name} was read: {replay.load(bad)}")
    with pytest.raises(replay.ReplayError, match="cannot be read"):
        replay.load(tmp_path / "nowhere.json")
    changed: dict[str, Any] = {
        "game": {"game": "outbreak/other"},
        "layout": {"layout": "0" * 16},
        "table": {"table": "0" * 16},
        "options": {"options": {**good.options, "players": 77}},
        "unknown option": {"options": {**good.options, "colour": 1}},
        "seed": {"seed": 9},
        "negative seed": {"seed": -1},
        "digest": {"digest": "0" * 64},
        "beyond": {"actions": [one.game.actions.size]},
        "negative": {"actions": [-1]},
        "illegal": {"actions": [illegal]},
        "longer": {"actions": [*actions, illegal]},
        "chance": {"chance": [10**6]},
        "negative chance": {"chance": [-1]},
    }
    for name, change in changed.items():
        wrong = dataclasses.replace(good, **change)
        with pytest.raises(replay.ReplayError):
            raise AssertionError(f"{name} was played: {wrong.run(one.game)}")
    other = next(g for g in GAMES if g is not one.game)
    with pytest.raises(replay.ReplayError, match="not of"):
        good.run(other)
    assert replay.load(path).run(one.game).digest() == env.digest()


def _at_deal(one: Case) -> Any:
    env = strict(one)
    env.reset(seed=8)
    return env


def test_spoilt_positions(played: tuple[Case, Any, list[int]]) -> None:
    _, env, _ = played
    good = env.position()
    before = env.digest()
    body = {key: value for key, value in good.items() if key not in ("game", "options", "table")}
    spoilt: list[dict[str, Any]] = [
        {**good, "game": "outbreak/other"},
        {**good, "table": "0" * 16},
        {**good, "options": {}},
        {**good, "no_such_key": 1},
    ]
    for key in body:
        for wrong in ("nonsense", -7.5, [[["x"]]], {"no": {"such": "thing"}}, [1, 2, 3] * 50):
            spoilt.append({**good, key: wrong})
    refused = 0
    for text in spoilt:
        try:
            env.set_position(text)
        except position.PositionError:
            refused += 1
            assert env.digest() == before, f"a refused position changed the game: {text}"
        else:  # such as a word where any is allowed: then it must be a game that can be read again
            env.set_position(env.position())
            env.set_position(good)
            assert env.digest() == before
    assert refused >= 4 + len(body)
    env.set_position(json.loads(json.dumps(good)))
    assert env.digest() == before


def test_spoilt_states_and_pickles(
    played: tuple[Case, Any, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, env, _ = played
    before = env.digest()
    state = env.get_state()
    for wrong in (b"", state[:-1], state + b"\0", bytes(10)):
        with pytest.raises(ValueError, match="bytes"):
            env.set_state(wrong)
    for wrong in ("text", None, 5, [1]):
        with pytest.raises(TypeError, match="must be the bytes of get_state"):
            env.set_state(wrong)
    damaged = np.frombuffer(bytearray(state), one.game.state)
    damaged["players"] = 99
    with pytest.raises(ValueError, match="is damaged"):
        env.set_state(damaged.tobytes())
    other = strict(next(c for c in cases_of(one.game) if c.options != one.options))
    other.reset(seed=1)
    if other.record["options"].tobytes() != env.record["options"].tobytes():
        with pytest.raises(ValueError, match="other options"):
            env.set_state(other.get_state())
    assert env.digest() == before
    saved = pickle.dumps(env)
    for part in (len(saved) // 3, len(saved) - 3):
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError)):
            pickle.loads(saved[:part])
    monkeypatch.setitem(one.game.__dict__, "content_digest", "f" * 16)
    with pytest.raises(ValueError, match="another version"):
        pickle.loads(saved)


def test_a_state_in_which_something_was_lost() -> None:
    env = strict(case(tally.GAME))
    env.reset(seed=1)
    before = env.digest()
    damaged = np.frombuffer(bytearray(env.get_state()), tally.GAME.state)
    damaged["discard"][0, 0] += 1
    with pytest.raises(ValueError, match="the state is damaged: a card was lost or made"):
        env.set_state(damaged.tobytes())
    assert env.digest() == before
    assert env.observation_space("player_1").contains(env.observe("player_1"))


def test_positions_that_are_none() -> None:
    env = strict(case(tally.GAME))
    with pytest.raises(RuntimeError, match="call reset"):
        env.position()
    for wrong in ("text", None, 5, [1]):
        with pytest.raises(position.PositionError, match=r"the position is a \w+, must be a dict"):
            env.set_position(wrong)


def test_final_views_are_those_of_the_mission_that_ended() -> None:
    variants = [{"mission": "tutorial", "max_rounds": 1}, {"mission": "nightmare", "max_rounds": 1}]
    many = make_batch("outbreak/zombicide", 2, 3, variants=variants)
    many.reset()
    many.variants[:] = [1, 0]  # what the next games are
    ended: set[int] = set()
    while ended != {0, 1}:
        many.step(many.masks.argmax(1))
        for lane in set(np.flatnonzero(many.terminated | many.truncated).tolist()) - ended:
            ended.add(lane)
            env = strict(case(game("zombicide"), **variants[lane]))
            env.reset()
            env.set_state(many.final_states[lane].tobytes())
            assert many.observe(0, final=True)[lane].tobytes() == env.view("player_0").tobytes()


def test_a_seat_that_is_never_asked_is_refused() -> None:
    options = {"players": 3, "max_turns": 1, "first_seat": 1}
    with pytest.raises(RuntimeError, match="seat 0 was asked nothing"):
        SingleEnv(RUN_FOR_YOUR_LIVES, seat=0, options=options).reset(seed=1)
    with pytest.raises(RuntimeError, match="seat 0 was asked nothing"):
        SingleVectorEnv(RUN_FOR_YOUR_LIVES, 2, seat=0, variants=[options]).reset(seed=1)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("run_for_your_lives", "hands", 3),
        ("pandemic", "cubes", 5),
        ("city_of_horror", "zombies", "many"),
        ("zombicide", "survivors", [7]),
    ],
)
def test_a_position_of_a_wrong_kind_names_the_key(name: str, key: str, value: Any) -> None:
    env = strict(case(game(name)))
    env.reset(seed=1)
    with pytest.raises(position.PositionError, match=key):
        env.set_position(env.position() | {key: value})


def test_lanes_and_seats_that_are_none() -> None:
    many = batch(case(tally.GAME), 4)
    many.reset()
    before = many.states.tobytes()
    legal = many.masks.argmax(1)
    for lanes in ([9], [-1], [0.0], ["x"], [0, 0], 0, None, "x", [True, False]):
        with pytest.raises(ValueError, match="lanes must be different whole numbers from 0 to 3"):
            many.step_lanes(lanes, legal[: np.size(lanes)])
        with pytest.raises(ValueError, match="lanes must be different whole numbers from 0 to 3"):
            many.deal(lanes, np.zeros(np.size(lanes), np.int64))
    for seat in ("x", None, 1.0, 9, -2, True, [0, 0, 0], [[0]]):
        with pytest.raises(ValueError, match="seat"):
            many.observe(seat)
    for views in ("x", 5, np.zeros((2, 3), np.int8)):
        with pytest.raises(ValueError, match="views have"):
            many.encode(views)
    with pytest.raises(ValueError, match="seeds must be"):
        many.reset(seed=9, seeds=["a"] * 4)
    for saved in ("x", None, {}, {"about": 1}, {"about": many.save()["about"]}):
        with pytest.raises(ValueError, match="does not fit"):
            many.load(saved)
    assert many.states.tobytes() == before
    assert many.seed == 0
    many.deal(np.array([True, False, False, True]), np.array([3, 4]))
    many.deal([], [])


def test_a_saved_batch_of_another_size() -> None:
    many, other = batch(case(tally.GAME), 4), batch(case(tally.GAME), 5)
    many.reset()
    other.reset()
    before = other.states.tobytes()
    with pytest.raises(ValueError, match="does not fit"):
        other.load(many.save())
    assert other.states.tobytes() == before


def test_chance_that_cannot_be() -> None:
    env = strict(case(wells.GAME, "mini"))
    for script in ([3], [-1], [0, 99]):
        with pytest.raises(ValueError, match="chance value"):
            env.reset(seed=1, options={"chance": script})
    for script in ("123", 5, [1.5], [True], ["1"]):
        with pytest.raises(TypeError, match="chance"):
            env.reset(seed=1, options={"chance": script})
    with pytest.raises(TypeError, match="options are 'abc', must be a dict"):
        env.reset(seed=1, options="abc")
    env.reset(seed=1)
    assert env.legal_texts()
    before = env.digest()
    with pytest.raises(TypeError, match="chance"):
        env.set_position(env.position(), chance=["1"])
    assert env.digest() == before


def test_actions_that_are_none() -> None:
    env = strict(case(wells.GAME, "mini"))
    env.reset(seed=1)
    for ask in (env.step, env.is_legal, env.action_text):
        for wrong in ("0", 1.0, True):
            with pytest.raises(TypeError, match=f"action is {wrong!r}, must be a whole number"):
                ask(wrong)
    with pytest.raises(TypeError, match="action is 3, must be a text"):
        env.parse_action(3)
    parallel = ParallelOutbreakEnv(env)
    parallel.reset(seed=1)
    with pytest.raises(IllegalAction, match=f"is asked and cannot answer {parallel.noop}"):
        parallel.step(dict.fromkeys(parallel.agents, parallel.noop))
    with pytest.raises(TypeError, match="must be a dict"):
        parallel.step([0, 1])
    with pytest.raises(ValueError, match="form is 'jpg'"):
        env.draw("jpg")


# --- folders, processes -------------------------------------------------------------------------


@pytest.fixture
def no_home(tmp_path: Path) -> dict[str, str]:
    """A home and a cache where nobody, not even root, can write: they lie beneath a file."""
    file = tmp_path / "file"
    file.write_text("")
    return {
        "HOME": str(file / "home"),
        "XDG_CACHE_HOME": str(file / "cache"),
        "LOCALAPPDATA": str(file / "cache"),
    }


def test_the_cache_falls_back(
    no_home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in no_home.items():
        monkeypatch.setenv(key, value)
    monkeypatch.delenv("OUTBREAK_CACHE_DIR", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = cache_root.__wrapped__()
    assert first.parent == tmp_path
    assert first.stat().st_mode & 0o077 == 0
    assert cache_root.__wrapped__() == first
    first.chmod(0o755)  # others could read it, or have made it: a fresh folder instead
    second = cache_root.__wrapped__()
    assert second != first
    assert second.parent == tmp_path
    first.rmdir()
    first.symlink_to(second)  # somebody else's trap
    assert cache_root.__wrapped__() not in (first, second)
    monkeypatch.setenv("OUTBREAK_CACHE_DIR", str(tmp_path / "file" / "x"))
    with pytest.raises(OSError, match="OUTBREAK_CACHE_DIR names"):
        cache_root.__wrapped__()


def test_a_start_with_nothing_writable_but_a_temporary_folder(
    no_home: dict[str, str], tmp_path: Path
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    folder, _ = child("folder", OUTBREAK_CACHE_DIR=None, TMPDIR=str(temporary), **no_home)
    assert Path(folder).parent == temporary
    played, said = child("kernels", ["tally"], OUTBREAK_CACHE_DIR=None, TMPDIR=str(temporary), **no_home)
    assert set(played["digests"]) == {"tally"}
    assert PLAIN or "compiling the rules of Tally" in said


def test_nothing_is_written_beside_the_sources() -> None:
    """The package's folders and the tests' are as they were after all that compiling."""
    folders = [
        Path(sys.modules[RUN_FOR_YOUR_LIVES.module].__file__ or "").parents[1],
        Path(__file__).parent / "toys",
    ]
    for folder in folders:
        assert list(folder.rglob("*.nb?")) == []


def test_import_envs_from_the_checkout_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import envs"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode != 0
    assert "import outbreak_rl.envs, not envs" in done.stderr.splitlines()[-1]


def test_importing_the_suite_loads_no_rules() -> None:
    code = "import sys, outbreak_rl.envs as e; print([n for n in e.game_names() if f'{e.__name__}.{n}' in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd="/", capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr


# --- a corner of Run for Your Lives -------------------------------------------------------------


@pytest.mark.checked
@pytest.mark.plain
@pytest.mark.parametrize("seed", range(3))
def test_both_piles_empty_with_seven_players(seed: int) -> None:
    """All 63 cards are in hands: nothing can be drawn, and the game goes on to its end all the same."""
    one = case(RUN_FOR_YOUR_LIVES, "full7")
    cards = np.random.default_rng(seed).permutation(np.repeat(CARD_NAMES, 3)).tolist()
    env = strict(one)
    env.reset(seed=seed)
    env.set_position({"hands": [cards[9 * seat : 9 * seat + 9] for seat in range(7)], "turn": seed}, seed)
    assert env.record["pile_size"] == 0
    assert not env.record["discard"].any()
    rng = random.Random(seed)
    for number in range(3000):
        if over(env):
            break
        env.step(random_action(env, rng))
        if number % few(10) == 0:
            env.inspect()
            env.resampled("player_3", number).inspect()
    assert over(env)


def test_a_full_batch_of_seven_goes_on_without_end() -> None:
    many = batch(case(RUN_FOR_YOUR_LIVES, "full7"), few(256, 2), seed=1)
    many.reset()
    ended = 0
    for step in range(few(400, 10)):
        _, terminated, truncated = many.step(nth_legal(many.masks, step))
        ended += int((terminated | truncated).sum())
    assert ended or PLAIN
