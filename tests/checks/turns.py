"""Rewards, turns and ends (conformance lines 5 to 7)."""

from __future__ import annotations

import dataclasses
import random

import numpy as np

from outbreak_rl.envs.core.state import RUNNING, TERMINATED, TRUNCATED

from .cases import Case, few
from .play import LONGEST, batch, lenient, mask_of, nth_legal, over, random_action, strict, walk


def has_option(case: Case, name: str) -> bool:
    """Whether the game has an option of this name."""
    return name in {item.name for item in dataclasses.fields(case.options)}


def cut_short(case: Case, turns: int) -> Case:
    """The case with games cut off early, where the game can be cut off."""
    return case.but(max_turns=turns) if has_option(case, "max_turns") else case


def rewards_come_once(case: Case, games: int = 3) -> None:
    """What `last` returned, what stood in `rewards` and the game's own result are the same, seat by seat."""
    for game in range(few(games)):
        env = lenient(cut_short(case, few(40, 2)))  # some of them are cut off
        env.reset(seed=game)
        rng = random.Random(game)
        returned = dict.fromkeys(env.possible_agents, 0.0)
        stood = dict.fromkeys(env.possible_agents, 0.0)
        nonzero = dict.fromkeys(env.possible_agents, 0)
        told = dict.fromkeys(env.possible_agents, 0)
        while env.agents:
            agent = env.agent_selection
            _, reward, terminated, truncated, _ = env.last()
            returned[agent] += reward
            nonzero[agent] += reward != 0
            told[agent] += terminated or truncated
            running = not over(env)
            env.step(random_action(env, rng) if running else None)
            if running:
                for other in env.possible_agents:
                    stood[other] += env.rewards[other]
                assert over(env) or not any(env.rewards.values()), "a reward before the end"
        state = env.record
        result = (state["reward"] / state["reward_unit"]).tolist()
        for seat, agent in enumerate(env.possible_agents):
            assert returned[agent] == stood[agent] == result[seat], agent
            assert nonzero[agent] == (result[seat] != 0), (
                f"{agent} was given its reward {nonzero[agent]} times"
            )
            assert told[agent] == 1, f"{agent} was told {told[agent]} times that the game is over"
        if case.game.cooperative:
            assert len({result[seat] for seat in range(len(env.possible_agents))}) == 1


def the_rules_say_who_acts(case: Case, games: int = 3) -> set[tuple[int, int]]:
    """The agent selected is always the seat on top of the decision stack; returns the pairs of seats that
    acted one after the other."""
    pairs = set()
    for game in range(few(games)):
        env = strict(case)
        env.reset(seed=game)
        before = -1
        for _ in walk(env, random.Random(game), few(400, 15)):
            state = env.record
            if over(env):
                assert state["depth"] == 0
                assert state["over"] != RUNNING
                break
            seat = int(state["stack"][state["depth"] - 1]["seat"])
            assert env.agent_selection == env.possible_agents[seat]
            assert 0 <= seat < state["players"]
            if before >= 0:
                pairs.add((before, seat))
            before = seat
    return pairs


def truncation_is_no_end(case: Case) -> None:
    """A game cut off at ``max_turns`` says `truncations` alone, with Views and masks in order; a game
    without that option always comes to its own end."""
    if not has_option(case, "max_turns"):
        for seed in range(few(20, 2)):
            env = strict(case)
            env.reset(seed=seed)
            for _ in walk(env, random.Random(seed)):
                pass
            assert env.record["over"] == TERMINATED
            assert not any(env.truncations.values())
        return
    least = int(
        next(item for item in dataclasses.fields(case.options) if item.name == "max_turns").metadata["low"]
    )
    seen = 0
    for turns in (least, least + 2):
        short = case.but(max_turns=turns)
        seen += _cut_off(short, turns)
    assert seen, "no game was cut off"
    many = batch(short, few(64, 4))
    many.reset()
    ended = np.zeros(many.num_envs, bool)
    for step in range(few(LONGEST, 20)):
        _, terminated, truncated = many.step(nth_legal(many.masks, step))
        assert not (terminated & truncated).any()
        assert (many.final_states["over"][truncated] == TRUNCATED).all()
        assert (many.final_states["over"][terminated] == TERMINATED).all()
        if truncated.any():
            views = many.observe(0, final=True)[truncated]
            assert views.any(1).all()
        ended |= terminated | truncated
        if ended.all():
            break
    assert ended.any()


def _cut_off(short: Case, turns: int) -> int:
    """How many of some games were cut off, rightly."""
    space = strict(short).observation_space("player_0")
    seen = 0
    for seed in range(few(6, 2)):
        env = strict(short)
        env.reset(seed=seed)
        for _ in walk(env, random.Random(seed)):
            assert env.record["turns"] <= turns
        if env.record["over"] != TRUNCATED:
            continue  # somebody was quicker
        seen += 1
        assert all(env.truncations.values())
        assert not any(env.terminations.values())
        for agent in env.possible_agents:
            observation = env.observe(agent)
            assert space.contains(observation)
            assert observation["observation"].any(), "nothing to bootstrap from"
            assert not mask_of(env, agent).any()
    return seen
