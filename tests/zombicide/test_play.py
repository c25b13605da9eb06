"""Random play over all missions: nothing is lost, nobody is stuck, positions and copies round-trip."""

import numpy as np
import pytest

from outbreak_rl.envs import zombicide
from outbreak_rl.envs.core import kernel, position
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.rule import PLAIN
from outbreak_rl.envs.zombicide.mission import mission_names

GAME = zombicide.GAME
TEAMS = ({"players": 1}, {"players": 2, "zombivors": "return"}, {"players": 3, "zombivors": "start"},
{"players": 4},
         {"players": 5, "friendly_fire": False}, {"players": 6, "auto": True,
         "zombivors": "return"})  # fmt: skip
MISSIONS = (*mission_names(), "random")
VARIANTS = [
    {"mission": m, "map_seed": k, **TEAMS[k % len(TEAMS)]} for m in MISSIONS for k in range(len(TEAMS))
]


def random_actions(masks, rng):
    weights = masks.astype(np.float32)
    weights[:, 0] *= 0.2
    sums = weights.cumsum(1)
    return (sums <= rng.random((len(masks), 1), np.float32) * sums[:, -1:]).sum(1)


@pytest.fixture(scope="module")
def batch():
    return BatchEnv(GAME, len(VARIANTS), 5, VARIANTS)


def test_nothing_is_lost_and_nobody_is_stuck(batch):
    batch.reset(5)
    rng = np.random.default_rng(0)
    for step in range(3 if PLAIN else 1200):
        assert (batch.masks.sum(1) > 1).all()
        batch.step(random_actions(batch.masks, rng))
        if step % 4 == 0:
            batch._lanes.serve(kernel.INSPECT, 0, batch.num_envs)
            assert (batch.flat_views >= 0).all()
            assert (batch.flat_views <= GAME.fields.bounds).all()


def test_positions_round_trip(batch):
    batch.reset(6)
    rng = np.random.default_rng(1)
    for step in range(2 if PLAIN else 200):
        batch.step(random_actions(batch.masks, rng))
        if step % 20 == 1:
            for lane in range(0, batch.num_envs, 7):
                options = batch.options[int(batch.variants[lane])]
                text = position.write(GAME, options, batch.states[lane : lane + 1])
                again = position.read(GAME, options, text)
                again["table"] = batch.states[lane]["table"]
                assert again.tobytes() == batch.states[lane : lane + 1].tobytes()


def test_an_episode_of_a_batch_is_the_same_alone(batch):
    batch.reset(7)
    rng = np.random.default_rng(2)
    lane = 8
    env = zombicide.raw_env(**VARIANTS[lane])
    env.reset(int(batch.seeds[lane]))
    for _ in range(2 if PLAIN else 60):
        actions = random_actions(batch.masks, rng)
        env.step(int(actions[lane]))
        batch.step(actions)
        if batch.terminated[lane] or batch.truncated[lane]:
            break
        seat = int(batch.seats[lane])
        assert env.agent_selection == f"player_{seat}"
        assert (env.observe(env.agent_selection)["action_mask"] == batch.masks[lane]).all()


def test_resampled_worlds_look_the_same():
    env = zombicide.raw_env(mission="nightmare", players=2)
    env.reset(3)
    lanes = env._lanes.copy()
    before = lanes.flat_views.copy()
    truth = lanes.states.tobytes()
    for seed in range(1 if PLAIN else 20):
        lanes.books["input"] = seed
        lanes.serve(kernel.RESAMPLE, 0, 1)
        lanes.serve(kernel.INSPECT, 0, 1)
        assert (lanes.flat_views == before).all()
        assert lanes.states.tobytes() != truth
