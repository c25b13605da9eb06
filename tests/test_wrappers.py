"""Wrappers over the AEC form: what they show, what they hide, and that the game stays the same."""

import itertools
import math
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

from outbreak_rl.envs import game, game_names, run_for_your_lives
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.run_for_your_lives.cards import CARD_NAMES
from outbreak_rl.wrappers.information import (
    CardCounting,
    Determinized,
    FullInformation,
    History,
    PublicOnly,
    counted_names,
)
from outbreak_rl.wrappers.shaped import Shaped
from outbreak_rl.wrappers.text import Text
from outbreak_rl.wrappers.trainers import MaskInInfo, ParallelMaskInInfo, Renamed

WRAPPERS: dict[str, Any] = {
    "full": FullInformation,
    "public": PublicOnly,
    "history": lambda env: History(env, 4),
    "counting": lambda env: CardCounting(env, worlds=8),
    "determinized": Determinized,
    "shaped": lambda env: Shaped(env, lambda view: 0.5),
    "text": Text,
    "renamed": Renamed,
    "mask in info": MaskInInfo,
}


def new(name: str = "run_for_your_lives", **options: Any) -> OutbreakEnv:
    return OutbreakEnv(game(name), game(name).make_options(**options), strict=True)


def play(env: Any, n: int, seed: int = 0) -> None:
    """n random legal actions."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        if env.unwrapped.over:
            return
        mask = env.unwrapped.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(mask.nonzero()[0])))


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_wrapped_environment_stands_in_its_spaces(name: str, wrapper: str) -> None:
    env = WRAPPERS[wrapper](new(name))
    env.reset(seed=1)
    for step in range(12):
        for agent in env.possible_agents:
            space = env.observation_space(agent)
            assert space is env.observation_space(env.possible_agents[0])
            assert space.contains(env.observe(agent)), (agent, step)
        play(env, 3, seed=step)


@pytest.mark.parametrize("wrapper", ["full", "public", "history", "counting", "shaped"])
def test_pettingzoo_accepts_what_is_wrapped(wrapper: str) -> None:
    env = WRAPPERS[wrapper](run_for_your_lives.env(players=3))
    api_test(env, num_cycles=60)


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_wrapper_does_not_change_the_game(wrapper: str) -> None:
    bare, wrapped = new(players=5), WRAPPERS[wrapper](new(players=5))
    for env in (bare, wrapped):
        env.reset(seed=8)
        for step in range(400):
            for agent in env.possible_agents:
                env.observe(agent)
            play(env, 1, seed=step)
    assert bare.over
    assert wrapped.unwrapped.digest() == bare.digest()


def test_wrappers_refuse_foreign_environments() -> None:
    from pettingzoo.classic import connect_four_v3

    for foreign in (connect_four_v3.env(), run_for_your_lives.parallel_env(), 5):
        with pytest.raises(TypeError, match="wraps AEC environments of this suite, not"):
            FullInformation(foreign)
    for foreign in (new(), 5):
        with pytest.raises(TypeError, match="wraps parallel environments of this suite, not"):
            ParallelMaskInInfo(foreign)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda env: History(env, 1.5), "k is 1.5, must be a whole number"),
        (lambda env: CardCounting(env, "8"), "worlds is '8', must be a whole number"),
        (lambda env: CardCounting(env, seed="a"), "seed is 'a', must be a whole number"),
        (lambda env: Determinized(env, seed=None), "seed is None, must be a whole number"),
        (lambda env: Text(env, "all"), "events is 'all', must be a whole number"),
        (lambda env: Renamed(env, 5), "key is 5, must be a text"),
        (lambda env: Shaped(env, 5), "potential is 5, must be a function"),
        (lambda env: Shaped(env, lambda view: 0.0, "a"), "gamma is 'a', must be a number"),
    ],
)
def test_wrappers_say_what_they_must_be_given(make: Any, says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        make(new())


# --- information ---


def same_for(env: Any, agent: str, shown: Any) -> list[bool]:
    """Whether what is shown stays the same in 12 worlds that the agent cannot tell apart."""
    found = []
    for seed in range(12):
        world = env.unwrapped.resampled(agent, seed)
        found.append(
            all(np.array_equal(a, b) for a, b in zip(shown(world), shown(env.unwrapped), strict=True))
        )
    return found


@pytest.mark.parametrize("wrapper", ["public", "text", "renamed"])
def test_nothing_hidden_is_shown(wrapper: str) -> None:
    env = new(players=4)
    env.reset(seed=2)
    play(env, 17)
    for agent in env.possible_agents:

        def shown(world: OutbreakEnv, agent: str = agent) -> list[Any]:
            seen = WRAPPERS[wrapper](world).observe(agent)
            if wrapper == "text":  # a resampled world has no past
                parts = [part for part in seen["text"].split("\n\n") if not part.startswith("What happened")]
                return [parts, seen["action_mask"]]
            return list(seen.values())

        assert all(same_for(env, agent, shown))


def test_the_oracle_shows_the_truth_and_says_so() -> None:
    env = FullInformation(new(players=4))
    env.reset(seed=2)
    truth = env.observe("player_1")["truth"]
    assert truth.tobytes() == env.core.state().tobytes()
    assert env.oracle
    assert env.metadata["oracle"]
    assert not all(
        same_for(env, "player_1", lambda world: [FullInformation(world).observe("player_1")["truth"]])
    )


def test_public_only_is_the_same_for_all_but_the_mask() -> None:
    env = PublicOnly(new(players=4))
    env.reset(seed=3)
    play(env, 9)
    shown = [env.observe(agent) for agent in env.possible_agents]
    assert len({seen["observation"].tobytes() for seen in shown}) == 1
    assert [bool(seen["action_mask"].any()) for seen in shown].count(True) == 1
    own = env.core.observe("player_0")["observation"]
    assert shown[0]["observation"].tobytes() != own.tobytes()  # its own hand is missing


def test_history_is_the_end_of_what_the_seat_saw() -> None:
    env = History(new(players=3), 6)
    env.reset(seed=4)
    before = len(env.core.information_state("player_0"))
    short = History(new(players=3), before + 5)
    short.reset(seed=4)
    padded = short.observe("player_0")["history"]
    assert (padded[:5] == -1).all()
    assert (padded[5:] == env.core.information_state("player_0")).all()
    play(env, 15)
    for agent in env.possible_agents:
        assert (env.observe(agent)["history"] == env.core.information_state(agent)[-6:]).all()
    with pytest.raises(ValueError, match="k is 0"):
        History(new(), 0)


def test_card_counting_is_exact_at_first_and_sampled_after_a_reshuffle() -> None:
    """At the deal every unseen card is as likely in each hidden place (hypergeometric means)."""
    env = CardCounting(new(players=4, first_seat=0), worlds=64)
    env.reset(seed=6)
    seen = env.observe("player_0")
    names = {name: k for k, name in enumerate(counted_names(env.core.game))}
    assert len(names) == len(seen["expected"]) == len(seen["error"])
    hand = env.core.view("player_0")["hand"].astype(int)
    for place, code in itertools.product((1, 2, 3), range(21)):
        k = names[f"cards: hand +{place}: {CARD_NAMES[code]}"]
        assert seen["expected"][k] == pytest.approx(4 * (3 - hand[code]) / (63 - hand.sum()))
    for code in range(21):  # what the seat sees is certain
        assert seen["expected"][names[f"cards: hand +0: {CARD_NAMES[code]}"]] == hand[code]
    assert not seen["error"].any()
    reshuffled(env, 4)
    assert env.observe(env.agent_selection)["error"].any()


def reshuffled(env: Any, more: int = 0) -> None:
    """Bring an environment to some decisions after its first reshuffle; before that, counts are exact."""
    for seed in range(40):
        env.reset(seed=seed)
        for step in range(120):
            if env.unwrapped.over or env.unwrapped.record["shuffled"].any():
                break
            play(env, 1, seed=1000 * seed + step)
            if isinstance(env, CardCounting) and step % 20 == 0 and not env.core.record["shuffled"].any():
                assert not env.observe(env.possible_agents[0])["error"].any()
        play(env, more, seed=seed)
        if not env.unwrapped.over and env.unwrapped.record["shuffled"].any():
            return
    raise AssertionError("no game came to a reshuffle")


def test_sampled_counts_have_their_standard_error() -> None:
    """After a reshuffle: two times 256 worlds and 4,000 worlds agree as their errors say."""
    env = new(players=4)
    reshuffled(env, 4)
    agent = env.agent_selection
    first, second, many = (
        CardCounting(env, worlds, seed).observe(agent) for worlds, seed in ((256, 1), (256, 2), (4000, 3))
    )
    moving = many["error"] > 0
    assert moving.sum() > 10
    for one in (first, second):
        assert one["error"][moving] == pytest.approx(
            many["error"][moving] * math.sqrt(4000 / 256), rel=0.5, abs=0.02
        )
        assert (one["expected"][~moving] == many["expected"][~moving]).all()
        apart = np.abs(one["expected"] - many["expected"])[moving]
        assert (apart < 5 * np.hypot(one["error"], many["error"])[moving] + 0.02).all()
        assert apart.any()
    assert (first["expected"] != second["expected"]).any()


def test_card_counting_does_not_see_the_truth() -> None:
    """Before and after a reshuffle: worlds that look alike are counted alike."""
    for later in (False, True):
        env = new(players=4)
        env.reset(seed=2)
        if later:
            reshuffled(env)
        else:
            play(env, 8)
        assert not env.over
        agent = env.agent_selection
        shown = [CardCounting(world, worlds=256, seed=5) for world in (env, env.resampled(agent, 1))]
        first, second = (wrapper.observe(agent) for wrapper in shown)
        assert first["observation"].tobytes() == second["observation"].tobytes()
        # Other worlds are drawn from each, but both are draws from the same distribution.
        error = np.hypot(first["error"], second["error"])
        apart = np.abs(first["expected"] - second["expected"])
        assert (apart <= 5 * error + 0.05).all()


def test_card_counting_needs_a_description_of_the_cards() -> None:
    from toys import wells

    with pytest.raises(TypeError, match="does not say where its cards can lie"):
        CardCounting(wells.raw_env())


def test_determinized_worlds_look_the_same_and_leave_the_dice_alone() -> None:
    env = Determinized(new(players=4), seed=3)
    env.reset(seed=1)
    play(env, 10)
    agent = env.agent_selection
    before = env.core.get_state()
    worlds = env.worlds(agent, 8)
    assert env.core.get_state() == before
    assert {world.view(agent).tobytes() for world in worlds} == {env.core.view(agent).tobytes()}
    assert len({world.get_state() for world in worlds}) == 8
    assert len(env.sampler(agent)(3)) == 3
    worlds[0].step(int(worlds[0].observe(agent)["action_mask"].argmax()))
    assert env.core.get_state() == before


# --- shaped ---


def hand_of(view: np.void) -> float:
    return float(view["hand"].sum()) / 8


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaping_telescopes_along_each_seats_decisions(gamma: float) -> None:
    env = Shaped(run_for_your_lives.raw_env(players=4), hand_of, gamma)
    rng = np.random.default_rng(0)
    for seed in range(4):
        env.reset(seed=seed)
        given: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
        potentials: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            if terminated or truncated:
                given[agent].append(reward)
                env.step(None)
                continue
            given[agent].append(reward)
            potentials[agent].append(hand_of(env.core.view(agent)))
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
        own = {agent: env.core._final_rewards()[k] for k, agent in enumerate(env.possible_agents)}
        for agent, values in potentials.items():
            values.append(0.0)  # the end
            shaped = [gamma * after - before for before, after in itertools.pairwise(values)]
            assert given[agent][0] == 0  # nothing before the first decision
            assert given[agent][1:-1] == pytest.approx(shaped[:-1])
            assert given[agent][-1] == pytest.approx(shaped[-1] + own[agent])
            if gamma == 1.0:
                assert total[agent] == pytest.approx(own[agent] - values[0])


def test_a_potential_of_zero_changes_nothing_and_gamma_is_checked() -> None:
    plain, shaped = (
        run_for_your_lives.raw_env(players=3),
        Shaped(run_for_your_lives.raw_env(players=3), lambda view: 0.0),
    )
    for env in (plain, shaped):
        env.reset(seed=5)
        play(env, 500)
    assert shaped.rewards == plain.rewards
    assert shaped._cumulative_rewards == plain._cumulative_rewards
    with pytest.raises(ValueError, match="gamma is 2"):
        Shaped(plain, hand_of, 2)


def test_a_cut_off_game_keeps_its_potential() -> None:
    env = Shaped(run_for_your_lives.raw_env(players=3, max_turns=6), lambda view: 1.0)
    env.reset(seed=5)
    play(env, 500)
    assert all(env.core.truncations.values())
    assert set(env.rewards.values()) == {0.0}
    env = Shaped(run_for_your_lives.raw_env(players=3), lambda view: 1.0)
    env.reset(seed=5)
    play(env, 500)
    assert sum(env.rewards.values()) == pytest.approx(-3)  # the game's own rewards add up to zero


# --- text ---


def test_text_lists_what_may_be_answered_and_takes_the_answer() -> None:
    env = Text(new(players=4), events=5)
    env.reset(seed=1)
    for _ in range(25):
        agent = env.agent_selection
        text = env.observe(agent)["text"]
        offered = [line[2:] for line in text.partition("Answer with one of:\n")[2].splitlines()]
        assert offered == env.core.legal_texts()
        assert agent in text.splitlines()[0]
        events = text.partition("What happened last:\n")[2].partition("\n\n")[0].splitlines()
        assert [line[2:] for line in events] == env.core.event_texts(agent)[-5:]
        other = next(name for name in env.possible_agents if name != agent)
        assert "Answer with" not in env.observe(other)["text"]
        twin = env.core.clone()
        twin.step(env.core.parse_action(offered[-1]))
        env.step(offered[-1])
        assert env.core.digest() == twin.digest()
        if env.core.over:
            break
    with pytest.raises(ValueError, match="the nearest is"):
        env.step("fly away")


# --- trainers ---


def test_masks_move_where_trainers_look_for_them() -> None:
    env = MaskInInfo(new(players=3))
    env.reset(seed=1)
    agent = env.agent_selection
    observation, _, _, _, info = env.last()
    assert isinstance(env.observation_space(agent), gymnasium.spaces.Box)
    assert observation.tobytes() == env.core.observe(agent)["observation"].tobytes()
    assert info["action_mask"].tobytes() == env.core.observe(agent)["action_mask"].tobytes()
    assert not any(env.infos[other]["action_mask"].any() for other in env.agents if other != agent)
    renamed = Renamed(new(players=3))
    renamed.reset(seed=1)
    assert (
        set(renamed.observe(agent))
        == set(renamed.observation_space(agent).spaces)
        == {"observations", "action_mask"}
    )


def test_the_parallel_form_with_masks_in_its_infos() -> None:
    env = ParallelMaskInInfo(run_for_your_lives.parallel_env(players=3), env_defined=True)
    observations, infos = env.reset(seed=2)
    steps = 0
    while env.agents:
        assert all(env.observation_space(agent).contains(seen) for agent, seen in observations.items())
        asked = [agent for agent in env.agents if infos[agent]["env_defined_actions"] is None]
        assert len(asked) == 1
        actions = {agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}
        waiting = {actions[agent] for agent in env.agents if agent not in asked}
        assert waiting == {env.parallel.noop}
        assert actions[asked[0]] != env.parallel.noop
        observations, rewards, terminations, _, infos = env.step(actions)
        steps += 1
    assert steps > 5
    assert all(terminations.values())
    assert sum(rewards.values()) == pytest.approx(0)
