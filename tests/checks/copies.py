"""Seeds and copies (conformance lines 15 to 20)."""

from __future__ import annotations

import copy
import dataclasses
import multiprocessing
import pickle
import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.chance import seed_stream
from outbreak_rl.envs.core.state import packed

from .cases import Case, few
from .play import (
    LONGEST,
    batch,
    batch_digest,
    mask_of,
    moments,
    nth_legal,
    over,
    play_out,
    random_action,
    senses,
    strict,
    trace,
    traces,
    walk,
    without,
)


def resets_repeat(case: Case) -> None:
    """reset(42), reset(), reset() gives the same three deals in every instance, and three different ones."""
    runs = []
    for _ in range(2):
        env = strict(case)
        deals = []
        for seed in (42, None, None):
            env.reset(seed=seed)
            deals.append(env.digest())
            assert env.options == case.options
            assert env.record["options"].tobytes() == case.game.blank(case.options)[0]["options"].tobytes()
            play_out(env, most=few(10))
        runs.append(deals)
    assert runs[0] == runs[1], "a seeded reset does not repeat"
    assert len(set(runs[0])) == 3, "three resets gave equal deals"
    fresh = {unseeded.digest() for unseeded in _unseeded(case)}
    assert len(fresh) == 3, "environments without a seed are alike"


def _unseeded(case: Case) -> list[OutbreakEnv]:
    found = [strict(case) for _ in range(3)]
    for env in found:
        env.reset()
    return found


def games_repeat(case: Case) -> None:
    """The same seed and actions give the same bytes, also when another game is played in between."""
    env, other = strict(case), strict(case)
    env.reset(seed=9)
    actions = play_out(env, seed=1, most=few(120, 10))
    first = env.digest()
    env.reset(seed=9)
    other.reset(seed=10)
    rng = random.Random(2)
    for action in actions:
        if over(other):
            other.reset()
        other.step(random_action(other, rng))
        env.step(action)
        other.resampled("player_0", action)
    assert env.digest() == first, "two interleaved environments disturb each other"


def global_generators_are_left_alone(case: Case) -> None:
    """Python's and NumPy's global generators are neither used nor touched."""
    digests = set()
    kept = random.getstate(), np.random.get_state()
    try:
        for poison in (0, 1):
            random.seed(poison)
            np.random.seed(poison)
            before = random.getstate(), repr(np.random.get_state())
            env = strict(case)
            env.reset(seed=3)
            play_out(env, seed=3, most=few(120, 10))
            world = env.resampled("player_0", 4)
            many = batch(case, 3, seed=8)
            digests.add((env.digest(), world.digest(), batch_digest(many, few(30, 3))))
            env.draw("ansi")
            env.set_position(env.position())
            assert (random.getstate(), repr(np.random.get_state())) == before, "a global generator was used"
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])
    assert len(digests) == 1, "the global generators decide about the game"


def copies_are_the_game(case: Case, count: int = 12) -> None:
    """deepcopy, pickle, clone, bytes and position give the same state, the same senses, the same future; and
    nobody's copy changes while another one is played."""
    for number, env in enumerate(moments(case, few(count, 3))):
        state = env.digest()
        copies = {name: make(env) for name, make in COPIERS.items()}
        given = {agent: senses(env, agent) for agent in env.possible_agents}
        for name, new in copies.items():
            assert new.digest() == state, f"{name} has another state"
            for agent in env.possible_agents:
                here = senses(new, agent)
                if name in ("bytes", "position") and over(env):
                    here["rewards"] = given[agent]["rewards"]  # looked at below
                assert here == given[agent], f"{name}: {agent} senses a difference"
            assert new.rewards == env.rewards, name
            assert (new.terminations, new.truncations) == (env.terminations, env.truncations), name
            assert new.agents == env.agents, name
        if over(env):
            continue
        futures = {}
        for name, new in [("itself", env.clone()), *copies.items()]:
            bystander = new.clone()
            play_out(new, seed=number, most=few(60, 4))
            futures[name] = new.digest()
            assert bystander.digest() == state, f"a clone of {name} changed while it was played"
        assert len(set(futures.values())) == 1, futures
        assert env.digest() == state


def _by_bytes(env: OutbreakEnv) -> OutbreakEnv:
    new = OutbreakEnv(env.game, env.options, strict=env.strict)
    new.set_state(env.get_state())
    return new


def _by_position(env: OutbreakEnv) -> OutbreakEnv:
    new = OutbreakEnv(env.game, env.options, strict=env.strict)
    new.set_position(env.position())
    return new


COPIERS: dict[str, Callable[[OutbreakEnv], OutbreakEnv]] = {
    "clone": lambda env: env.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "bytes": _by_bytes,
    "position": _by_position,
}


def logs_travel(case: Case) -> None:
    """Clones and pickles keep what every seat has seen; a batch goes on from what it saved."""
    env = strict(case)
    env.reset(seed=6)
    play_out(env, most=few(30, 5))
    for new in (env.clone(), pickle.loads(pickle.dumps(env))):
        assert new.drawn == env.drawn
        for agent in env.possible_agents:
            assert new.infoset_key(agent) == env.infoset_key(agent)
            assert new.information_state(agent).tobytes() == env.information_state(agent).tobytes()
    many = batch(case, 4, seed=2)
    many.reset()
    for step in range(few(20, 3)):
        many.step(nth_legal(many.masks, step))
    other = batch(case, 4, seed=77)
    other.load(pickle.loads(pickle.dumps(many.save())))
    for step in range(few(100, 4)):
        for one in (many, other):
            one.step(nth_legal(one.masks, step))
        for name in ("states", "views", "masks", "seats", "seeds"):
            assert getattr(many, name).tobytes() == getattr(other, name).tobytes(), name


def information_grows(case: Case) -> None:
    """What a seat has seen only grows, hides what others alone saw, and can be put into words."""
    env = strict(case)
    env.reset(seed=12)
    before = {agent: env.information_state(agent) for agent in env.possible_agents}
    for _ in walk(env, random.Random(0), few(60, 5)):
        for seat, agent in enumerate(env.possible_agents):
            now = env.information_state(agent)
            assert now[: len(before[agent])].tobytes() == before[agent].tobytes(), "the past has changed"
            before[agent] = now
            own = env._lanes.events[1 : 1 + len(now)]
            hidden = (own[:, 4] >> seat) & 1 == 0
            assert (now[hidden, 5:] == -1).all(), "a secret of others shows"
            assert all(isinstance(case.game.event_text(row, case.options), str) for row in now[-20:])


def drawn_replays(case: Case) -> None:
    """The log of chance values replays the game with no generator at all."""
    env = strict(case)
    env.reset(seed=13)
    deal = env.clone()
    actions = play_out(env, seed=13, most=few(LONGEST, 30))
    again = strict(case)
    again.reset(seed=999, options={"chance": env.drawn, "anything": 1})
    assert without(again.record, "random") == without(deal.record, "random")
    for action in actions:
        again.step(action)
    assert without(again.record, "random") == without(env.record, "random"), (
        "the chance log does not replay the game"
    )
    assert again.drawn == env.drawn
    untouched = case.game.blank(case.options)
    seed_stream(_words(untouched), 999)
    assert again.record["random"].tobytes() == untouched[0]["random"].tobytes(), "the generator was used"


def _words(states: np.ndarray) -> Any:
    from outbreak_rl.envs.core.plain import plain
    from outbreak_rl.envs.core.rule import PLAIN

    return plain(states[0]["random"]) if PLAIN else states[0]["random"]


def batch_is_many_games(case: Case, lanes: int = 6, steps: int = 80) -> None:
    """Each lane of a batch plays, byte for byte, the game that its seed gives alone."""
    many = batch(case, few(lanes, 2), seed=21)
    many.reset()
    alone = [strict(case) for _ in range(many.num_envs)]
    for lane, env in enumerate(alone):
        env.reset(seed=int(many.seeds[lane]))
    for step in range(few(steps, 8)):
        for lane, env in enumerate(alone):
            assert many.states[lane].tobytes() == env.record.tobytes(), f"step {step}, lane {lane}"
            agent = env.agent_selection
            assert many.seats[lane] == env.possible_agents.index(agent)
            assert many.views[lane].tobytes() == env.view(agent).tobytes()
            assert many.masks[lane].tobytes() == mask_of(env).tobytes()
        actions = nth_legal(many.masks, step)
        rewards, terminated, truncated = many.step(actions)
        for lane, env in enumerate(alone):
            env.step(int(actions[lane]))
            assert over(env) == bool(terminated[lane] or truncated[lane])
            assert rewards[lane][: len(alone[lane].possible_agents)].tolist() == [
                np.float32(env.rewards[a]) for a in env.possible_agents
            ]
            assert not rewards[lane][len(env.possible_agents) :].any()
            if over(env):
                assert any(env.terminations.values()) == bool(terminated[lane])
                assert many.final_states[lane].tobytes() == env.record.tobytes()
                env.reset(seed=int(many.seeds[lane]))


def threads_agree(case: Case) -> None:
    """One, two and three threads give the same bytes, also with two batches in two threads at once."""
    wanted = batch_digest(batch(case, 800, seed=4), 20)
    for threads in (2, 3):
        assert batch_digest(batch(case, 800, seed=4, threads=threads), 20) == wanted
    found: list[str] = []
    both = [
        threading.Thread(target=lambda: found.append(batch_digest(batch(case, 800, seed=4, threads=2), 20)))
        for _ in range(2)
    ]
    for one in both:
        one.start()
    for one in both:
        one.join(120)
    assert found == [wanted, wanted]


def child_processes_agree(cases: list[Case], method: str) -> None:
    """A child made by fork or spawn plays the same bytes as its parent."""
    here = {str(case): batch_digest(batch(case, 600, seed=4, threads=2), 8) for case in cases}
    with multiprocessing.get_context(method).Pool(1) as pool:
        names = [(case.game.name, case.preset, case.options.as_dict()) for case in cases]
        there, played = pool.apply_async(_in_child, (names,)).get(300)
    assert there == here
    assert played == traces(cases, 12)


def _in_child(names: list[tuple[str, str, dict[str, Any]]]) -> tuple[dict[str, str], dict[str, list[str]]]:
    from .cases import GAMES

    games = {game.name: game for game in GAMES}
    cases = [Case(games[name], preset, games[name].make_options(**values)) for name, preset, values in names]
    return {str(c): batch_digest(batch(c, 600, seed=4, threads=2), 8) for c in cases}, traces(cases, 12)


def records_have_no_holes(case: Case) -> None:
    """No dtype has padding bytes, and unused places are zero: equal positions have equal bytes."""
    game = case.game
    assert packed(game.state)
    assert packed(game.fields.dtype)
    assert game.fields.dtype.itemsize == game.fields.size
    assert packed(game.tables(case.options).dtype)
    for env in moments(case, few(6, 2)):
        state = env.record
        assert not state["reward"][int(state["players"]) :].any(), "an absent seat has a reward"
        unused = state["stack"][int(state["depth"]) :]
        assert not np.frombuffer(unused.tobytes(), np.uint8).any(), "a popped decision left something"
        if "spare" in (state.dtype.names or ()):
            assert not state["spare"].any()


def replays_hold(case: Case, path: Any) -> None:
    """A replay saved to a file comes out the same."""
    from outbreak_rl.envs.core import replay

    env = strict(case)
    env.reset(seed=31)
    actions = play_out(env, seed=31, most=few(60, 6))
    replay.of_game(env, 31, actions, ["random"] * len(env.possible_agents)).save(path)
    again = replay.load(path)
    assert again.run(case.game).digest() == env.digest()
    assert trace(again.start(case.game), actions)[-1] == trace(env, [])[0]
    assert dataclasses.asdict(again)["actions"] == actions


def mixed(cases: list[Case], n: int, seed: int = 0) -> BatchEnv:
    """A batch whose lanes are dealt from several option sets in turn."""
    return BatchEnv(cases[0].game, n, seed, [case.options.as_dict() for case in cases])


def variants_mix(cases: list[Case], steps: int = 60) -> None:
    """Lanes of several option sets (seats, maps) in one batch play the games that each would play alone;
    only the number of the table differs."""
    many = mixed(cases, 2 * len(cases), seed=3)
    many.reset()
    alone = [strict(cases[lane % len(cases)]) for lane in range(many.num_envs)]
    for lane, env in enumerate(alone):
        env.reset(seed=int(many.seeds[lane]))
    for step in range(few(steps, 6)):
        actions = nth_legal(many.masks, step)
        for lane, env in enumerate(alone):
            assert without(many.states[lane : lane + 1], "table") == without(env.record, "table")
            assert many.views[lane].tobytes() == env.view(env.agent_selection).tobytes()
            assert many.masks[lane].tobytes() == mask_of(env).tobytes()
            env.step(int(actions[lane]))
        many.step(actions)
        for lane, env in enumerate(alone):
            if over(env):
                assert without(many.final_states[lane : lane + 1], "table") == without(env.record, "table")
                env.reset(seed=int(many.seeds[lane]))
