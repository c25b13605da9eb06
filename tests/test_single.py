"""The Gymnasium forms: one seat among others, one mind for all seats, and both as vectors."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import outbreak_rl.envs
from outbreak_rl.envs import run_for_your_lives
from outbreak_rl.envs.core.rule import IllegalAction
from outbreak_rl.wrappers.single import SingleEnv, SingleVectorEnv, Uniform, make, make_vector

RFYL = "outbreak/run_for_your_lives"
GAMES = outbreak_rl.envs.game_names()


def first_legal(env: SingleEnv) -> int:
    return int(env.action_masks().argmax())


class Recorder(Uniform):
    """Plays the first legal action and keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[np.void, np.ndarray]] = []

    def act(self, view, mask, rng, sampler=None):
        self.shown.append((view, mask.copy()))
        return int(mask.argmax())

    def act_batch(self, views, masks, rng):
        self.shown += list(zip(views, masks, strict=True))
        return masks.argmax(1)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, "any", "all"])
def test_gymnasium_accepts_the_single_form(name: str, seat: int | str) -> None:
    env = gymnasium.make(f"outbreak/{name}-v0", seat=seat)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_makes_the_vector_form(name: str) -> None:
    env = gymnasium.make_vec(f"outbreak/{name}-v0", num_envs=3)
    assert isinstance(env, SingleVectorEnv)
    observations, infos = env.reset(seed=4)
    assert env.observation_space.contains(observations)
    for _ in range(50):
        actions = infos["action_mask"].argmax(1)
        assert env.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert env.observation_space.contains(observations)
        assert rewards.shape == terminations.shape == truncations.shape == (3,)


def test_a_seat_is_only_asked_when_it_is_its_turn_and_gets_the_reward_of_the_aec_form() -> None:
    other = Recorder()
    env = make(RFYL, seat=1, others=other, players=4)
    env.reset(seed=11)
    twin = run_for_your_lives.raw_env(players=4)
    twin.reset(seed=11)
    reward, asked = 0.0, 0
    done = False
    while not done:
        assert env.aec.agent_selection == "player_1"
        _, step_reward, terminated, truncated, info = env.step(first_legal(env))
        reward += step_reward
        asked += 1
        done = terminated or truncated
    while not twin.over:  # everybody plays the first legal action: the same game
        twin.step(int(twin.observe(twin.agent_selection)["action_mask"].argmax()))
    assert reward == twin.rewards["player_1"]
    assert info["rewards"].tolist() == pytest.approx(list(twin.rewards.values()))
    assert asked + len(other.shown) > asked > 1
    assert all(view["decision"] and view["to_act"] == 1 for view, _ in other.shown)  # each saw its own turn


def test_one_mind_sees_the_acting_seats_observation_only() -> None:
    env = make(RFYL, seat="all", players=3, obs="view")
    observation, info = env.reset(seed=3)
    seen = set()
    for _ in range(20):
        agent = env.aec.possible_agents[info["seat"]]
        assert agent == env.aec.agent_selection
        assert observation.tobytes() == env.aec.view(agent).tobytes()
        seen.add(agent)
        observation, _, terminated, _, info = env.step(first_legal(env))
        if terminated:
            break
    assert len(seen) == 3


def test_any_seat_takes_every_seat_in_time() -> None:
    env = make(RFYL, seat="any", players=3)
    env.reset(seed=0)
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2}


def test_others_can_differ_and_must_fit() -> None:
    first, second = Recorder(), Recorder()
    env = make(RFYL, seat=1, others=[first, second], players=3)
    env.reset(seed=1)
    while not env.step(first_legal(env))[2]:
        pass
    assert first.shown
    assert second.shown
    with pytest.raises(ValueError, match="one for each of 2 seats"):
        make(RFYL, others=[first], players=3)
    for wrong in (3, 1.0, True, "x"):
        with pytest.raises(ValueError, match="must be 'all', 'any' or 0 to 2"):
            make(RFYL, seat=wrong, players=3)
    assert make(RFYL, seat=np.int64(2), players=3).seat == 2
    for wrong in ("heuristic", 5, Uniform, [first, "random"]):
        with pytest.raises(TypeError, match="must be policies with act and act_batch"):
            make(RFYL, others=wrong, players=3)
    says = r"make_agent\('heuristic', GAME\) from outbreak_rl.baselines.agents"
    with pytest.raises(TypeError, match=says):
        gymnasium.make("outbreak/run_for_your_lives-v0", others="heuristic")
    with pytest.raises(TypeError, match=says):
        make_vector(RFYL, 2, others="heuristic")


def test_an_illegal_action_ends_the_game_or_raises() -> None:
    for strict in (False, True):
        env = make(RFYL, strict=strict, players=3)
        env.reset(seed=2)
        wrong = int(env.action_masks().argmin())
        if strict:
            with pytest.raises(IllegalAction):
                env.step(wrong)
            continue
        _, reward, terminated, truncated, info = env.step(wrong)
        assert (reward, terminated, truncated) == (env.aec.game.worst, True, False)
        assert not env.action_masks().any()
        assert not info["action_mask"].any()
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)


def test_the_picture_hides_what_the_seat_cannot_see() -> None:
    env = make(RFYL, seat=2, players=4, render_mode="ansi")
    env.reset(seed=5)
    shown = env.render()
    for seed in range(3):
        world = env.aec.resampled("player_2", seed)
        world.render_agent = "player_2"
        assert world.render() == shown
    assert env.aec.draw("ansi", None) != shown


def test_the_vector_form_gives_the_games_of_the_single_form() -> None:
    """Everybody plays the first legal action, so a game follows from its deal alone."""
    vector = make_vector(RFYL, num_envs=5, seat=2, others=Recorder(), players=4, obs="view")
    _, infos = vector.reset(seed=9)
    seeds = vector.batch.seeds.copy()
    finished: dict[int, tuple[float, bytes]] = {}
    while len(finished) < 5:
        _, rewards, terminations, _, infos = vector.step(infos["action_mask"].argmax(1))
        for lane in np.flatnonzero(terminations):
            finished.setdefault(int(lane), (float(rewards[lane]), infos["final_obs"][lane].tobytes()))
            assert infos["_final_obs"][lane]
    for lane, (reward, last) in finished.items():
        env = make(RFYL, seat=2, others=Recorder(), players=4, obs="view")
        env.reset(seed=int(seeds[lane]))
        while True:
            observation, single_reward, terminated, _, _ = env.step(first_legal(env))
            if terminated:
                break
        assert single_reward == pytest.approx(reward)
        assert observation.tobytes() == last


@pytest.mark.parametrize("seat", [0, "any", "all"])
def test_the_vector_form_asks_only_the_learner(seat: int | str) -> None:
    other = Recorder()
    vector = make_vector(
        RFYL, num_envs=16, seat=seat, others=other, variants=[{"players": n} for n in (3, 5)]
    )
    _, infos = vector.reset(seed=1)
    total, games = np.zeros(16), 0
    for _ in range(200):
        assert (vector.batch.seats == infos["seat"]).all()
        assert (infos["action_mask"].sum(1) > 0).all()
        assert (vector.action_masks() == (infos["action_mask"] == 1)).all()
        _, rewards, terminations, truncations, infos = vector.step(infos["action_mask"].argmax(1))
        assert not truncations.any()
        assert (rewards[~terminations] == 0).all()
        total += rewards
        games += int(terminations.sum())
    assert games > 30
    if seat == "all":
        assert not other.shown
        assert total == pytest.approx(np.zeros(16), abs=1e-5)  # the mean over the seats of a zero-sum game
    else:
        assert other.shown
        assert (total != 0).any()


def test_the_vector_form_repeats_under_a_seed_and_refuses_illegal_actions() -> None:
    def digest() -> bytes:
        vector = make_vector(RFYL, num_envs=4, seat="any", players=3)
        observations, infos = vector.reset(seed=21)
        for _ in range(60):
            observations, _, _, _, infos = vector.step(infos["action_mask"].argmax(1))
        return observations.tobytes()

    assert digest() == digest()
    vector = make_vector(RFYL, num_envs=2, players=3)
    _, infos = vector.reset(seed=1)
    before = vector.batch.states.tobytes()
    with pytest.raises(IllegalAction, match="lane"):
        vector.step(infos["action_mask"].argmin(1))
    assert vector.batch.states.tobytes() == before


def test_a_cut_off_game_is_truncated_in_both_forms() -> None:
    env = make(RFYL, players=3, max_turns=4)
    env.reset(seed=0)
    flags = [env.step(first_legal(env))[2:4]]
    while not any(flags[-1]):
        flags.append(env.step(first_legal(env))[2:4])
    assert flags[-1] == (False, True)
    vector = make_vector(RFYL, num_envs=4, players=3, max_turns=4)
    _, infos = vector.reset(seed=0)
    cut = np.zeros(4, bool)
    for _ in range(6):
        _, _, terminations, truncations, infos = vector.step(infos["action_mask"].argmax(1))
        assert not terminations.any()
        cut |= truncations
    assert cut.all()
