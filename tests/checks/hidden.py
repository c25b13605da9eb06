"""Hidden information and chance (conformance lines 12 to 14)."""

from __future__ import annotations

import importlib.util
import random

import numpy as np

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.game import Lanes, same_bytes
from outbreak_rl.envs.core.state import numbers

from .cases import Case, few
from .play import batch, lanes_of, mask_of, moments, over, random_action, senses, strict, without

DICE = "random"


def _decisions(env: OutbreakEnv) -> list[tuple[int, int]]:
    state = env.record
    return [(int(frame["seat"]), int(frame["kind"])) for frame in state["stack"][: state["depth"]]]


def keys_tell_views_apart(case: Case, count: int = 60, steps: int = 60) -> None:
    """Deals, and two worlds that go on by the same actions: where an agent's keys are equal, it sees the same."""
    views: dict[str, bytes] = {}
    for seed in range(few(40, 3)):
        env = strict(case)
        env.reset(seed=seed)
        for agent in env.possible_agents:
            assert (
                views.setdefault(env.infoset_key(agent), env.view(agent).tobytes())
                == env.view(agent).tobytes()
            )
    rng = random.Random(7)
    for env in moments(case, few(count, 2)):
        agent = rng.choice(env.possible_agents)
        one, two = env.resampled(agent, 1), env.resampled(agent, 2)
        for _ in range(few(steps, 5)):
            for other in env.possible_agents:
                if one.infoset_key(other) == two.infoset_key(other):
                    assert senses(one, other) == senses(two, other), f"{other} has one key for two views"
            if over(one) or over(two) or one.agent_selection != two.agent_selection:
                break
            both = np.flatnonzero(mask_of(one) & mask_of(two)).tolist()
            if not both:
                break
            action = rng.choice(both)
            one.step(action)
            two.step(action)


def worlds_look_alike(case: Case, count: int = 6, worlds: int = 20) -> None:
    """A resampled world is legal, has other dice, and nothing that the seat is given tells it from the truth."""
    moved = 0
    for number, env in enumerate(moments(case, few(count, 2))):
        for agent in env.possible_agents:
            truth, picture = senses(env, agent), senses(env, agent, pictures=True)
            differ = 0
            for seed in range(few(worlds, 3)):
                world = env.resampled(agent, seed)
                pictures = seed < 2
                assert senses(world, agent, pictures) == (picture if pictures else truth), (
                    f"{agent} sees a difference"
                )
                world.inspect()
                assert _decisions(world) == _decisions(env), "who is asked, or for what, has changed"
                for name in ("options", "players", "table", "turns", "over", "reward", "reward_unit"):
                    assert world.record[name].tobytes() == env.record[name].tobytes(), f"{name} has changed"
                assert world.record[DICE].tobytes() != env.record[DICE].tobytes(), (
                    "the world has the true dice"
                )
                assert world.drawn == [], "the world remembers how it came about"
                assert len(world.information_state(agent)) == 0
                assert env.resampled(agent, seed).digest() == world.digest(), "not repeatable"
                differ += without(world.record, DICE) != without(env.record, DICE)
            if number == 0:
                assert differ, f"at the deal {agent} knows all, or resample changes nothing"
            moved += differ
        spectator = env.view(None).tobytes()
        for seed in range(few(3)):
            world = env.resampled(None, seed)
            world.inspect()
            assert world.view(None).tobytes() == spectator
        _goes_on(env.resampled(env.possible_agents[-1], 5))
    assert moved


def _goes_on(world: OutbreakEnv, decisions: int = 30) -> None:
    """A world can be played in, and stays legal."""
    rng = random.Random(0)
    for _ in range(few(decisions, 3)):
        if over(world):
            return
        world.step(random_action(world, rng))
        world.inspect()


def throw_others(env: OutbreakEnv, seed: int) -> None:
    """Give an environment other dice, its present position left as it is."""
    env.record[DICE][:] = np.random.default_rng(seed).integers(1 << 32, size=4)


def dice_are_out_of_reach(case: Case, count: int = 6) -> None:
    """Other dice change nothing that anybody is given, `state` and resampled worlds included."""
    for env in moments(case, few(count, 2)):
        other = env.clone()
        throw_others(other, 1)
        assert np.array_equal(env.state(), other.state()), "state() holds the dice"
        assert env.state().dtype == np.float32
        assert env.state_space.contains(env.state())
        for agent in env.possible_agents:
            assert senses(env, agent, pictures=True) == senses(other, agent, pictures=True)
            seed = 17
            assert env.resampled(agent, seed).digest() == other.resampled(agent, seed).digest()
        seen = env.observe("player_0")
        assert set(seen) == {"observation", "action_mask"}
        assert all(env.infos[agent] == {} for agent in env.infos)
        if not over(env):
            assert not any(env.rewards.values()), "a reward before the end"


def deals_are_exchangeable(case: Case, lanes: int = 6000, limit: float = 6.5) -> None:
    """Over many deals, the truth and a resampled world are alike in every number of the state and in
    products of any two: each is as likely as the other, given what the seat sees."""
    width = numbers(np.zeros(1, case.game.state)).shape[1]
    n = few(min(lanes, 12_000_000 // width), 50)
    many = batch(case, n, seed=5)
    many.reset()
    truth = many.states
    rng = np.random.default_rng(0)
    for seat in {0, int(case.options.players) - 1}:
        world = Lanes(case.game, n, case.game.blank(case.options), case.game.tables(case.options))
        world.states = same_bytes(truth)
        world.bind()
        world.books["input"] = np.arange(n) + 1_000_003
        world.serve(kernel.RESAMPLE, 0, n, seat)
        fits = same_story(case, truth, world.states)
        t, w = numbers(truth[fits]), numbers(world.states[fits])
        assert len(t) > min(n // 20, 100), "hardly any world begins as the truth did"
        moving = np.flatnonzero((t != w).any(0) & (t.std(0) > 0))
        assert len(moving), "resample changes nothing"
        pairs = rng.choice(moving, (400, 2))
        first, second = pairs.T
        for what, a, b in (
            ("numbers", t[:, moving], w[:, moving]),
            ("squares", t[:, moving] ** 2, w[:, moving] ** 2),
            ("products", t[:, first] * t[:, second], w[:, first] * w[:, second]),
        ):
            difference = (a - b).astype(np.float64)
            spread = np.sqrt((difference**2).sum(0))
            z = np.divide(difference.sum(0), spread, out=np.zeros_like(spread), where=spread > 0)
            worst = int(np.argmax(np.abs(z)))
            assert abs(z[worst]) < limit, (
                f"seat {seat}: {what} {worst} differ by {z[worst]:.1f} standard errors"
            )


def same_story(case: Case, truth: np.ndarray, worlds: np.ndarray) -> np.ndarray:
    """bool (n,): the worlds that a game's tests/worlds file takes for as likely as the truth (all,
    where it says nothing)."""
    if importlib.util.find_spec(f"worlds.{case.game.name}") is None:
        return np.ones(len(truth), bool)
    module = importlib.import_module(f"worlds.{case.game.name}")
    every = lambda options, truth, worlds: np.ones(len(truth), bool)  # noqa: E731
    return np.asarray(getattr(module, "same_story", every)(case.options, truth, worlds))


def resamples(env: OutbreakEnv, case: Case, agent: str, n: int, first: int = 3) -> np.ndarray:
    """n resampled worlds as State (n,) records, from the seeds first, first + 1, ..."""
    lanes = lanes_of(
        case,
        np.repeat(np.frombuffer(env.get_state(), case.game.state).view(f"V{case.game.state.itemsize}"), n),
    )
    lanes.books["input"] = np.arange(n) + first
    lanes.serve(kernel.RESAMPLE, 0, n, env.possible_agents.index(agent))
    return lanes.states


def middle_chance(case: Case, games: int = 12) -> int:
    """From the middle of a game on, the same dice repeat and others do not; returns in how many games
    chance came into play after the deal."""
    found = varied = 0
    for game in range(few(games, 3)):
        start = strict(case)
        start.reset(seed=game)
        dealt = len(start.drawn)
        futures: list[tuple[list[int], str]] = []
        for dice in (5, 5, 6, 7):
            env = start.clone()
            throw_others(env, 10 * game + dice)
            rng = random.Random(game)
            for _ in range(few(2000, 40)):
                if over(env) or len(env.drawn) > dealt + 8:
                    break
                env.step(int(rng.choice(np.flatnonzero(mask_of(env)).tolist())))
            futures.append((env.drawn[dealt:], env.digest()))
        assert futures[0] == futures[1], "the same dice gave two futures"
        found += bool(futures[0][0])
        varied += len({tuple(drawn) for drawn, _ in futures}) > 1
    assert varied or not found, "other dice never fall otherwise"
    return found


def deals_differ(case: Case, n: int = 64) -> None:
    """Different seeds deal differently."""
    many = batch(case, few(n, 4))
    many.reset()
    deals = {without(many.states[i : i + 1], DICE) for i in range(many.num_envs)}
    assert len(deals) > many.num_envs // 8, f"{many.num_envs} seeds gave {len(deals)} deals"


def counts_are_right(case: Case, count: int = 5, worlds: int = 2000) -> int:
    """Where a game says in closed form where its cards can be, that is the mean of many resampled worlds, and
    the same from each of them; returns in how many positions it said so."""
    exact = 0
    tables = case.game.tables(case.options)
    for env in moments(case, few(count, 2)):
        for seat, agent in enumerate(env.possible_agents):
            found = resamples(env, case, agent, few(worlds, 40))
            truth = np.frombuffer(env.get_state(), case.game.state)
            for cards in case.game.cards:
                counts = cards.count(found, tables, seat)
                shape = (len(cards.places), len(cards.kinds))
                assert counts.shape == (len(found), *shape)
                assert (counts.sum((1, 2)) == cards.count(truth, tables, seat).sum()).all(), "cards are lost"
                mean = cards.expect(truth, tables, seat)
                if mean is None:
                    continue
                exact += 1
                assert mean.shape == shape
                assert (mean >= -1e-9).all()
                for world in range(5):
                    again = cards.expect(found[world : world + 1], tables, seat)
                    assert again is not None
                    assert np.allclose(mean, again, atol=1e-9), f"{cards.name}: the truth shines through"
                _means_agree(mean, counts, cards.names)
    return exact


def _means_agree(mean: np.ndarray, counts: np.ndarray, names: list[str]) -> None:
    """A mean is that of counts (n, places, kinds) within 5 standard errors (and 5 rare cases, which
    have hardly any spread of their own)."""
    n = len(counts)
    part = mean - np.floor(mean + 1e-9)
    variance = np.maximum(counts.var(0), part * (1 - part))
    apart = np.abs(counts.mean(0) - mean) - np.where(variance > 1e-6, 5 * np.sqrt(variance / n) + 5 / n, 1e-9)
    worst = int(apart.argmax())
    assert apart.max() <= 0, (
        f"{names[worst]}: {mean.ravel()[worst]:.4f} by the closed form, "
        f"{counts.mean(0).ravel()[worst]:.4f} in {n} worlds"
    )
