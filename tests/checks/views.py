"""Observations (conformance lines 8 to 11)."""

from __future__ import annotations

import random
import re
import sys

import numpy as np

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.game import Lanes
from outbreak_rl.envs.core.rule import PLAIN

from .cases import Case, few
from .play import batch, moments, nth_legal, strict, walk


def every_seat_sees_at_any_time(case: Case, count: int = 16) -> None:
    """`observe` works for each possible agent, to act or not, also after the end; always the same space."""
    for obs in ("features", "view"):
        env = strict(case, obs=obs)
        spaces = {id(env.observation_space(agent)) for agent in env.possible_agents for _ in range(2)}
        actions = {id(env.action_space(agent)) for agent in env.possible_agents for _ in range(2)}
        assert len(spaces) == len(actions) == 1, "spaces must be one object"
        space = env.observation_space("player_0")
        for moment in moments(case, few(count, 2)):
            env.reset(seed=0)
            env.set_state(moment.get_state())
            for agent in env.possible_agents:
                seen = env.observe(agent)
                assert space.contains(seen), f"{agent} sees what the space does not hold"
                assert list(seen) == ["observation", "action_mask"]
                for name, value in seen.items():
                    assert value.dtype == space[name].dtype
                    assert value.shape == space[name].shape


def views_stay_in_bounds(case: Case, states: int = 40_000) -> None:
    """Every number of every View lies in its field's bounds, and all bytes of a View are written."""
    game = case.game
    many = batch(case, few(1024, 2), seed=3)
    many.reset()
    players = int(case.options.players)
    lanes = Lanes(game, many.num_envs, game.blank(case.options), game.tables(case.options))
    lanes.states = many.states
    lanes.bind()
    for step in range(max(few(states // 8 if PLAIN else states) // many.num_envs, 1)):
        looked = [many.flat_views]
        if step % 8 == 0:
            for seat in (*range(players), kernel.SPECTATOR):
                lanes.flat_views[:] = 99 + step % 2  # what observe leaves out would stay
                lanes.serve(kernel.LOOK, 0, many.num_envs, seat)
                looked.append(lanes.flat_views.copy())
        for views in looked:
            wrong = (views < 0) | (views > game.fields.bounds)
            if wrong.any():
                lane, place = np.argwhere(wrong)[0]
                raise AssertionError(f"{field_at(case, place)} is {views[lane, place]}, beyond its bounds")
        assert ((many.masks == 0) | (many.masks == 1)).all()
        many.step(nth_legal(many.masks, step))


def field_at(case: Case, place: int) -> str:
    """The field that a View byte belongs to."""
    offset = 0
    for field in case.game.fields:
        if place < offset + field.size:
            return f"{field.name}[{place - offset}]"
        offset += field.size
    return "nothing"


def observations_are_kept(case: Case) -> None:
    """An observation handed out never changes later, and writing into it harms nobody."""
    for obs in ("features", "view"):
        env = strict(case, obs=obs)
        env.reset(seed=4)
        kept = []
        for _ in walk(env, random.Random(4), few(30, 5)):
            for agent in env.possible_agents:
                seen = env.observe(agent)
                kept.append((seen, {name: value.tobytes() for name, value in seen.items()}))
            kept.append((env.view("player_0"), env.view("player_0").tobytes()))
        for seen, before in kept:
            now = (
                {name: value.tobytes() for name, value in seen.items()}
                if isinstance(seen, dict)
                else seen.tobytes()
            )
            assert now == before, "an old observation changed"
        env.reset(seed=4)
        seen = env.observe(env.agent_selection)
        before = (env.digest(), env.observe(env.agent_selection)["action_mask"].tobytes())
        for value in seen.values():
            value[...] = 1
        assert before == (env.digest(), env.observe(env.agent_selection)["action_mask"].tobytes())


def encodings_match(case: Case) -> None:
    """The features are the encoding of the View: flags as they are, counts by their bound, categories one-hot."""
    fields = case.game.fields
    for env in moments(case, few(6, 2)):
        for agent in env.possible_agents:
            view = env.view(agent)
            wanted: list[float] = []
            for field in fields:
                for value in np.asarray(view[field.name]).ravel().tolist():
                    if field.kind == "category":
                        wanted += [float(value == k) for k in range(1, field.high + 1)]
                    else:
                        wanted.append(np.float32(value / field.high))
            got = env.observe(agent)["observation"]
            assert got.tolist() == np.array(wanted, np.float32).tolist()


def fields_are_documented(case: Case) -> None:
    """The generated table lists exactly the View's fields; the page's number of actions is the table's."""
    game = case.game
    rows = game.fields.table().splitlines()[2:]
    assert len(rows) == len(game.fields) == len(game.fields.dtype.names)
    for row, field, name in zip(rows, game.fields, game.fields.dtype.names, strict=True):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        dtype = game.fields.dtype[name]
        assert cells[0] == f"`{name}`" == f"`{field.name}`"
        assert cells[1] == ("x".join(map(str, dtype.shape)) or "1")
        assert cells[2] == f"0 to {field.high}"
        assert field.about, f"{name} says nothing"
    assert all(dtype.base == np.int8 for dtype, *_ in game.fields.dtype.fields.values())
    page = sys.modules[game.module].__doc__ or ""
    for number in re.findall(r"\*\*Actions\*\* \((\d+)\)", page):
        assert int(number) == game.actions.size, "the page states another number of actions"
