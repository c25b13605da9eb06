"""Masks, illegal actions and action texts (conformance lines 1 to 4 and 23)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.game import Lanes
from outbreak_rl.envs.core.rule import CHECK, IllegalAction

from .cases import Case, few
from .play import (
    LONGEST,
    batch,
    lanes_of,
    lenient,
    mask_of,
    moments,
    nth_legal,
    over,
    play_out,
    strict,
    walk,
)


def masks_are_the_law(case: Case, games: int = 50 if CHECK else 10, nth: int = 7) -> None:
    """Every so many decisions of random games the mask is the law (plain Python looks at fewer, and so does the
    default build, in which the rules themselves refuse nothing)."""
    rng = random.Random(5)
    env = strict(case)
    env.reset(seed=0)
    lanes = one_lane(case, env)
    for game in range(few(games)):
        env.reset(seed=rng.randrange(1 << 31))
        for number, _ in enumerate(walk(env, rng, few(LONGEST, 30))):
            if (number + game) % nth == 0 and not over(env):
                mask_is_the_law(env, lanes)


def one_lane(case: Case, env: OutbreakEnv) -> Lanes:
    """A lane that stands where the environment does."""
    return lanes_of(case, np.frombuffer(env.get_state(), case.game.state))


def mask_is_the_law(env: OutbreakEnv, lanes: Lanes) -> None:
    """Exactly what the mask allows is accepted now, and changes the state; in the checked build the rules
    themselves refuse the rest, mask or no mask."""
    before = np.frombuffer(env.get_state(), np.uint8)
    state = lanes.states.view(np.uint8)
    mask = mask_of(env)
    for action in range(env.game.actions.size):
        state[:] = before
        lanes.books["input"] = action
        lanes.masks[0] = mask
        summary = lanes.serve(kernel.STEP, 0, 1)
        changed = bool((state != before).any())
        text = repr(env.game.actions.text(action))
        assert (summary >= 0) == changed == bool(mask[action]), (
            f"{text}: mask {mask[action]}, accepted {summary >= 0}, changed {changed}"
        )
        if CHECK and not mask[action]:
            state[:] = before
            try:
                lanes.serve(kernel.STEP_ON, 0, 1)
            except IllegalAction:
                continue
            except IndexError as wrong:
                raise AssertionError(f"an index fails before a rule refuses {text}") from wrong
            raise AssertionError(f"the rules accept {text}, which the mask forbids")


def somebody_can_always_act(case: Case, games: int = 4) -> None:
    """The mover has a legal action while the game runs; nobody else has one, and nobody after the end."""
    for game in range(few(games)):
        env = strict(case)
        env.reset(seed=game)
        for _ in walk(env, random.Random(game), few(400, 15)):
            for agent in env.possible_agents:
                asked = agent == env.agent_selection and not over(env)
                assert mask_of(env, agent).any() == asked, f"the mask of {agent} at {env.position()}"


def illegal_actions_raise_or_end(case: Case, count: int = 6) -> None:
    """`raw_env` raises in words and changes nothing; `env` ends the game and punishes the offender alone."""
    rng = random.Random(3)
    for env in moments(case, few(count)):
        if over(env):
            continue
        forbidden = np.flatnonzero(mask_of(env) == 0).tolist()
        for action in [
            *rng.sample(forbidden, min(3, len(forbidden))),
            -1,
            -5,
            case.game.actions.size,
            1 << 40,
        ]:
            before = (
                env.get_state(),
                env.agent_selection,
                dict(env.rewards),
                env.information_state(env.agents[0]).tobytes(),
            )
            with pytest.raises(IllegalAction) as wrong:
                env.step(action)
            said = str(wrong.value)
            words = env.action_text(action) if 0 <= action < case.game.actions.size else str(action)
            assert words in said, said
            assert env.agent_selection in said, said
            assert "decision" in said, said
            after = (
                env.get_state(),
                env.agent_selection,
                dict(env.rewards),
                env.information_state(env.agents[0]).tobytes(),
            )
            assert before == after, "a refused action changed something"
            soft = lenient(case)
            soft.reset(seed=0)
            soft.set_state(env.get_state())
            offender = soft.agent_selection
            soft.step(action)
            assert soft.rewards == {
                a: case.game.worst if a == offender else 0.0 for a in soft.possible_agents
            }
            assert all(soft.terminations.values())
            assert not any(soft.truncations.values())
            assert soft.get_state() == env.get_state(), (
                "an illegal action was played, or another in its stead"
            )


def whole_numbers_are_actions(case: Case) -> None:
    """int, NumPy's integers and 0-d arrays are the same action; floats, bools, texts and None are refused."""
    env = strict(case)
    env.reset(seed=1)
    action = int(np.flatnonzero(mask_of(env))[0])
    results = set()
    for given in (action, np.int32(action), np.int64(action), np.uint8(action % 256), np.array(action)):
        if int(given) != action:
            continue
        other = env.clone()
        other.step(given)
        results.add(other.digest())
    assert len(results) == 1
    before = env.digest()
    for wrong in (
        float(action),
        np.float32(action),
        True,
        np.bool_(True),
        str(action),
        [action],
        np.array([action]),
        None,
    ):
        with pytest.raises(TypeError):
            env.step(wrong)
        assert env.digest() == before, f"{wrong!r} changed the state"
    many = batch(case, 2)
    many.reset()
    right = nth_legal(many.masks, 0)
    for wrong in (
        right.astype(float),
        right.astype(bool),
        right[:1],
        right[:, None],
        [*right.tolist(), 0],
        ["a", "b"],
    ):
        before = many.states.tobytes()
        with pytest.raises(TypeError):
            many.step(wrong)
        assert many.states.tobytes() == before
    for wrong in (-1, case.game.actions.size, int(np.flatnonzero(many.masks[1] == 0)[0])):
        actions = right.copy()
        actions[1] = wrong
        with pytest.raises(IllegalAction, match="lane 1"):
            many.step(actions)
        assert many.states.tobytes() == before, "lane 0 was played though lane 1 was refused"


def texts_and_ids_match(case: Case) -> None:
    """Every id has a text of its own, and each text gives its id."""
    texts = case.game.texts(case.options)
    all_texts = [texts.text(action) for action in range(case.game.actions.size)]
    assert len(set(all_texts)) == case.game.actions.size
    assert [texts.parse(text) for text in all_texts] == list(range(case.game.actions.size))
    for wrong in ("no such action", "", all_texts[0] + " x"):
        with pytest.raises(ValueError, match="nearest"):
            texts.parse(wrong)
    for wrong in (-1, case.game.actions.size):
        with pytest.raises(ValueError, match="does not exist"):
            texts.text(wrong)
    env = strict(case)
    env.reset(seed=2)
    play_out(env, most=few(20))
    if not over(env):
        assert [env.parse_action(text) for text in env.legal_texts()] == np.flatnonzero(mask_of(env)).tolist()
