"""OpenSpiel: its ISMCTS plays, its best responses and exploitability are exact on small sets of worlds."""

import itertools

import numpy as np
import pytest

from outbreak_rl.envs import game
from outbreak_rl.envs.core.aec import OutbreakEnv

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy as spiel_policy  # noqa: E402
from open_spiel.python.algorithms import exploitability, ismcts, mcts  # noqa: E402

from outbreak_rl.wrappers.openspiel import AgentPolicy, OutbreakGame, deals, worlds_like  # noqa: E402

pytestmark = pytest.mark.interop
RFYL = game("run_for_your_lives")


def endgame(turns: int) -> OutbreakEnv:
    """A mini game in which every player lacks one item, cut off after some turns."""
    env = OutbreakEnv(RFYL, RFYL.make_options(preset="mini", max_turns=turns), strict=True)
    items = RFYL.actions.verbs["item"].arguments[0][:3]
    env.reset(0)
    zombies = RFYL.actions.verbs["zombie"].arguments[0][:3]
    hands = [[items[1], zombies[0]], [items[2], zombies[1]], [items[0], zombies[2]]]
    env.set_position({"turn": 0, "tables": [[name] for name in items], "hands": hands}, seed=1)
    return env


def uniform_values(state) -> np.ndarray:
    """Values of uniform play, by hand."""
    if state.is_terminal():
        return np.array(state.returns())
    moves = (
        state.chance_outcomes()
        if state.is_chance_node()
        else [(a, 1 / len(state.legal_actions())) for a in state.legal_actions()]
    )
    return sum(p * uniform_values(state.child(action)) for action, p in moves)


def test_openspiel_accepts_the_game() -> None:
    spiel = OutbreakGame(deals(RFYL, range(3), players=3))
    rng = np.random.default_rng(0)
    state = spiel.new_initial_state()
    assert [p for _, p in state.chance_outcomes()] == [pytest.approx(1 / 3)] * 3
    while not state.is_terminal():
        legal = state.legal_actions()
        assert legal == sorted(legal)
        assert all(state.action_to_string(state.current_player(), action) for action in legal)
        state.apply_action(int(rng.choice(legal)))
    assert sum(state.returns()) == pytest.approx(0)


def test_information_states_keep_worlds_apart_only_where_the_player_can() -> None:
    base = endgame(50)
    spiel = OutbreakGame(worlds_like(base, 40, seed=2))
    hands: dict[str, set[bytes]] = {}
    for world in range(40):
        state = spiel.new_initial_state().child(world)
        hands.setdefault(state.information_state_string(0), set()).add(state.observation(0))
    assert all(len(seen) == 1 for seen in hands.values())
    assert 1 < len(hands) <= 40
    state = spiel.new_initial_state().child(0)
    for _ in range(4):
        if state.is_terminal():
            break
        player = state.current_player()
        other = state.resample_from_infostate(player, itertools.cycle([0.3]).__next__)
        assert other.information_state_string() == state.information_state_string()
        assert other.observation_string() == state.observation_string()
        state.apply_action(state.legal_actions()[-1])


def test_exploitability_of_uniform_play_is_exact() -> None:
    base = endgame(1)
    spiel = OutbreakGame(worlds_like(base, 6, seed=3))
    uniform = spiel_policy.UniformRandomPolicy(spiel)
    found = exploitability.nash_conv(spiel, uniform, return_only_nash_conv=False)
    values = uniform_values(spiel.new_initial_state())
    best = exploitability.best_response(spiel, uniform, 0)
    assert best["on_policy_values"] == pytest.approx(values)
    # In one turn only player 0 decides: its best response wins wherever its hand lets it win.
    assert found.player_improvements[1:] == pytest.approx([0, 0])
    assert found.nash_conv == pytest.approx(best["best_response_value"] - values[0])
    assert found.nash_conv > 0.05


def test_training_takes_most_of_the_exploitability_away() -> None:
    """The policy of configs/run_for_your_lives/mini.toml on ends of games that it has not seen."""
    from outbreak_rl.baselines.policy import PolicyAgent

    spiel = OutbreakGame(worlds_like(endgame(3), 6, seed=4))
    trained = AgentPolicy(spiel, PolicyAgent.load("run_for_your_lives/mini", RFYL))
    found = [
        exploitability.nash_conv(spiel, each) for each in (spiel_policy.UniformRandomPolicy(spiel), trained)
    ]
    assert 0 <= found[1] < found[0] / 5


def test_our_best_responses_are_openspiels() -> None:
    from outbreak_rl.baselines import exact

    worlds = worlds_like(endgame(2), 8, seed=5)
    states = np.concatenate([np.frombuffer(world.get_state(), RFYL.state) for world in worlds])
    tree = exact.Tree(RFYL, {"preset": "mini", "max_turns": 2}, states)
    spiel = OutbreakGame(worlds)
    uniform = spiel_policy.UniformRandomPolicy(spiel)
    theirs = exploitability.nash_conv(spiel, uniform, return_only_nash_conv=False)
    ours = exact.exploitability(tree, exact.Uniform())
    assert ours.nash_conv == pytest.approx(theirs.nash_conv)
    assert ours.best - ours.values == pytest.approx(theirs.player_improvements)


@pytest.mark.parametrize("observations", [False, True])
def test_ismcts_plays(observations: bool) -> None:
    spiel = OutbreakGame(deals(RFYL, [4], preset="mini"))
    bot = ismcts.ISMCTSBot(
        game=spiel, uct_c=1.0, max_simulations=30, max_world_samples=-1, random_state=np.random.RandomState(1),
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(2)), use_observation_string=observations,
        allow_inconsistent_action_sets=False,
    )  # fmt: skip
    state = spiel.new_initial_state().child(0)
    for _ in range(6):
        if state.is_terminal():
            break
        action = int(bot.step(state))
        assert action in state.legal_actions()
        state.apply_action(action)
