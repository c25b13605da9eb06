"""PettingZoo's contracts and pictures (conformance lines 22, 24, 25)."""

from __future__ import annotations

import contextlib
import importlib
import io
import random
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test, state_test

from outbreak_rl.envs.core.parallel import ParallelOutbreakEnv
from outbreak_rl.envs.core.rule import IllegalAction

from .cases import Case, few
from .play import lenient, moments, strict


def parallel(case: Case, **keywords: Any) -> ParallelOutbreakEnv:
    """The parallel form of a case."""
    return ParallelOutbreakEnv(strict(case, **keywords))


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """PettingZoo's tests print, and warn where an environment does more than they know."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def pettingzoo_is_content(case: Case) -> None:
    """PettingZoo's own tests."""
    with _quietly():
        for obs in ("features", "view"):
            api_test(lenient(case, obs=obs), num_cycles=few(40, 4))
        seed_test(lambda: lenient(case), num_cycles=few(20, 2))
        parallel_api_test(parallel(case), num_cycles=few(40, 4))
        state_test(lenient(case), parallel(case), num_cycles=few(10, 2))


def pettingzoo_can_render(case: Case) -> None:
    """PettingZoo's test of the pictures; it first asks for the mode "human", whether there is one or not."""

    def made(render_mode: str) -> Any:
        return lenient(case, render_mode=None if render_mode == "human" else render_mode)

    with _quietly():
        render_test(made)


def made_by_name(case: Case) -> None:
    """`pettingzoo.make` finds a registered game by its id, with its options."""
    import pettingzoo

    env = pettingzoo.make("aec", case.game.id, **case.options.as_dict())
    assert type(env) is type(strict(case))
    assert env.options == case.options
    env.reset(seed=1, options={"anything": 1})
    same = strict(case)
    same.reset(seed=1)
    assert env.digest() == same.digest()
    assert (
        pettingzoo.make("parallel", case.game.id, **case.options.as_dict()).possible_agents
        == env.possible_agents
    )


def makers_make(case: Case) -> None:
    """``env``, ``raw_env`` and ``parallel_env`` of the game's module."""
    module = importlib.import_module(case.game.module)
    values = case.options.as_dict()
    assert module.env(**values).strict is False
    assert module.raw_env(**values).strict is True
    assert module.parallel_env(**values).aec.strict is True
    assert module.env(preset=case.preset, **values).options == case.options
    env = module.env(**values)
    assert env.metadata["name"] == f"{case.game.name}_v{case.game.version}"
    assert env.metadata["is_parallelizable"]


def parallel_is_the_same_game(case: Case, games: int = 2) -> None:
    """Whole episodes of the parallel form: five-tuples also when done, one no-op for who is not asked."""
    for game in range(games):
        runs = []
        for _ in range(2):
            env = parallel(case)
            rng = random.Random(game)
            observations, infos = env.reset(seed=game)
            same = strict(case)
            same.reset(seed=game)
            told: list[Any] = []
            for _ in range(few(600, 6)):
                actions = {}
                for agent in env.agents:
                    legal = np.flatnonzero(observations[agent]["action_mask"]).tolist()
                    assert env.observation_space(agent).contains(observations[agent])
                    assert (legal == [env.noop]) == (agent != env.aec.agent_selection)
                    actions[agent] = rng.choice(legal)
                same.step(actions[env.aec.agent_selection])
                result = env.step(actions)
                assert len(result) == 5
                observations, rewards, terminations, truncations, infos = result
                for part in result:
                    assert set(part) == set(env.possible_agents)
                assert infos == {agent: {} for agent in env.possible_agents}
                assert env.aec.digest() == same.digest()
                assert (rewards, terminations, truncations) == (
                    same.rewards,
                    same.terminations,
                    same.truncations,
                )
                told.append((env.aec.digest(), tuple(rewards.values())))
                if not env.agents:
                    assert all(terminations.values()) or all(truncations.values())
                    assert not any(seen["action_mask"].any() for seen in observations.values())
                    break
            runs.append(told)
        assert runs[0] == runs[1]


def parallel_refuses(case: Case) -> None:
    """A missing answer, a move out of turn, and stepping before reset or after the end."""
    env = parallel(case)
    with pytest.raises(RuntimeError, match="reset"):
        env.step({})
    observations, _ = env.reset(seed=5)
    asked = env.aec.agent_selection
    right = {a: int(np.flatnonzero(observations[a]["action_mask"])[0]) for a in env.agents}
    before = env.aec.digest()
    with pytest.raises(ValueError, match="no action for"):
        env.step({})
    if len(env.agents) > 1:
        idle = next(agent for agent in env.agents if agent != asked)
        with pytest.raises(IllegalAction, match=idle):
            env.step({**right, idle: 0})
    with pytest.raises(IllegalAction):
        env.step({**right, asked: env.noop})
    assert env.aec.digest() == before
    env.step(right)


def pictures_show_the_game(case: Case) -> None:
    """Frames of different states differ, and equal ones are equal."""
    env = strict(case, render_mode="rgb_array", render_agent="player_0")
    frames = {}
    for moment in moments(case, 3):
        env.set_state(moment.get_state())
        frame = env.render()
        assert isinstance(frame, np.ndarray)
        assert frame.dtype == np.uint8
        assert frame.ndim == 3
        assert frame.shape[2] == 3
        assert np.array_equal(frame, env.render())
        frames[env.view("player_0").tobytes()] = frame.tobytes()
    assert len(set(frames.values())) == len(frames) > 1, "different states look the same"
    text = strict(case, render_mode="ansi", render_agent="player_0")
    text.reset(seed=1)
    assert isinstance(text.render(), str)
    assert text.render() == text.draw("ansi", "player_0")


def pictures_need_nothing(case: Case) -> None:
    """A frame where there is no display and pygame cannot be imported (call it in a process of its own)."""
    sys.modules["pygame"] = None  # type: ignore[assignment]
    env = strict(case, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().any()
