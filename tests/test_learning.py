"""The learner's arithmetic against slow references written from the definitions."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from outbreak_rl.baselines import networks  # noqa: E402
from outbreak_rl.baselines.learning import MaskedCategorical, Rollout, Waiting, gae, schedule  # noqa: E402
from outbreak_rl.baselines.networks import Shape  # noqa: E402
from outbreak_rl.envs import game, game_names, make_batch  # noqa: E402

SEATS = 4

# --- gae ---


class Story:
    """A random run of games in some lanes: who decides when, what is given, where games end."""

    def __init__(self, steps: int, lanes: int, seed: int, cut: bool = False) -> None:
        rng = np.random.default_rng(seed)
        self.values = rng.normal(size=(steps, lanes)).astype(np.float32)
        seats = rng.integers(SEATS, size=(steps, lanes))
        again = rng.random((steps, lanes)) < 0.4  # the same seat several times running
        for t in range(1, steps):
            seats[t] = np.where(again[t], seats[t - 1], seats[t])
        self.seats = seats
        self.ended = rng.random((steps, lanes)) < 0.12
        self.rewards = rng.normal(size=(steps, lanes, SEATS)).astype(np.float32)
        self.rewards *= (rng.random((steps, lanes, 1)) < 0.3) | self.ended[..., None]
        cut_here = self.ended & (rng.random((steps, lanes)) < 0.5) & cut
        self.cut_values = (rng.normal(size=(steps, lanes, SEATS)) * cut_here[..., None]).astype(np.float32)

    def part(self, begin: int, end: int, waiting: Waiting, gamma: float, lam: float) -> Any:
        rows = slice(begin, end)
        return gae(
            self.values[rows], self.rewards[rows], self.seats[rows], self.ended[rows], waiting, gamma, lam,
            self.cut_values[rows],
        )  # fmt: skip

    def brute_force(self, t: int, lane: int, end: int, gamma: float, lam: float) -> float | None:
        """The advantage of one decision from the definition: the discounted sum of the errors along
        the seat's own decisions up to step ``end``; None where its seat is not heard of again."""
        seat = self.seats[t, lane]
        advantage, weight, here = 0.0, 1.0, t
        while True:
            reward, step = 0.0, here
            while step < end:
                reward += float(self.rewards[step, lane, seat])
                if self.ended[step, lane]:
                    error = (
                        reward
                        + gamma * float(self.cut_values[step, lane, seat])
                        - float(self.values[here, lane])
                    )
                    return advantage + weight * error
                step += 1
                if step < end and self.seats[step, lane] == seat:
                    break
            else:
                return None if here == t else advantage
            error = reward + gamma * float(self.values[step, lane]) - float(self.values[here, lane])
            advantage += weight * error
            weight *= gamma * lam
            here = step


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.9, 0.8), (1.0, 1.0), (0.97, 0.0)])
@pytest.mark.parametrize("cut", [False, True])
def test_advantages_follow_each_seats_own_decisions(gamma: float, lam: float, cut: bool) -> None:
    story = Story(40, 6, seed=1, cut=cut)
    found = story.part(0, 40, Waiting.none(6, SEATS), gamma, lam)
    assert 0 < (~found.complete).sum() <= 6 * SEATS
    for t, lane in np.ndindex(40, 6):
        expected = story.brute_force(t, lane, 40, gamma, lam)
        assert found.complete[t, lane] == (expected is not None)
        if expected is not None:
            assert found.advantages[t, lane] == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 0.95), (0.9, 0.5)])
def test_a_known_part_of_the_values_does_what_shaped_rewards_do(gamma: float, lam: float) -> None:
    """One seat in one lane: potentials added to the values, or their differences to the rewards."""
    rng = np.random.default_rng(4)
    n = 12
    values, potential = rng.normal(size=(2, n, 1)).astype(np.float32)
    rewards, seats = np.zeros((n, 1, SEATS), np.float32), np.zeros((n, 1), np.int8)
    ended = np.zeros((n, 1), bool)
    ended[[5, n - 1]] = True
    rewards[ended, 0] = 1.0
    shaped = rewards.copy()
    following = np.where(ended, 0.0, np.roll(potential, -1, axis=0))
    shaped[:, :, 0] += gamma * following - potential
    waiting = Waiting.none(1, SEATS)
    known = gae(values + potential, rewards, seats, ended, waiting, gamma, lam)
    as_rewards = gae(values, shaped, seats, ended, waiting, gamma, lam)
    np.testing.assert_allclose(known.advantages, as_rewards.advantages, atol=1e-5)


def test_a_last_reward_reaches_a_seat_that_is_not_asked_again() -> None:
    seats = np.array([[0], [1], [1], [2]])
    rewards = np.zeros((4, 1, SEATS), np.float32)
    rewards[3, 0] = [-1.0, 0.25, 1.0, 0.0]
    ended = np.array([[False], [False], [False], [True]])
    found = gae(np.zeros((4, 1), np.float32), rewards, seats, ended, Waiting.none(1, SEATS), 1.0, 1.0)
    assert found.complete.all()
    assert found.advantages[:, 0].tolist() == [-1.0, 0.25, 0.25, 1.0]


def test_decisions_that_wait_are_completed_by_later_rollouts_exactly_once() -> None:
    """Cut into rollouts, every decision gets one advantage; with lambda 0 it is the same as uncut."""
    story, lanes = Story(60, 5, seed=3, cut=True), 5
    whole = story.part(0, 60, Waiting.none(lanes, SEATS), 0.95, 0.0)
    waiting, where, done = Waiting.none(lanes, SEATS), np.full((lanes, SEATS), -1), {}
    for begin in range(0, 60, 7):
        end = min(60, begin + 7)
        found = story.part(begin, end, waiting, 0.95, 0.0)
        for lane, seat in np.argwhere(found.earlier_complete):
            done[(int(where[lane, seat]), int(lane))] = found.earlier[lane, seat]
            waiting.there[lane, seat] = False
        waiting.rewards = np.where(waiting.there, found.earlier_collected, 0).astype(np.float32)
        for t, lane in np.argwhere(found.complete):
            assert (begin + t, lane) not in done
            done[(int(begin + t), int(lane))] = found.advantages[t, lane]
        for t, lane in np.argwhere(~found.complete):
            seat = story.seats[begin + t, lane]
            assert not waiting.there[lane, seat]
            waiting.there[lane, seat] = True
            waiting.values[lane, seat] = story.values[begin + t, lane]
            waiting.rewards[lane, seat] = found.collected[t, lane]
            where[lane, seat] = begin + t
    assert len(done) == whole.complete.sum()
    for (t, lane), advantage in done.items():
        assert whole.complete[t, lane]
        assert advantage == pytest.approx(whole.advantages[t, lane], abs=1e-5)


def test_a_rollout_keeps_what_waits_and_learns_from_every_decision_once() -> None:
    rng = np.random.default_rng(0)
    rollout = Rollout(8, 3, SEATS, view_size=5, actions_size=4)
    story = Story(48, 3, seed=7)
    number, learnt = 0, []
    for begin in range(0, 48, 8):
        for t in range(8):
            step = begin + t
            here = {name: column[t] for name, column in rollout.here.items()}
            here["views"][:] = rng.integers(5, size=(3, 5))
            here["masks"][:] = 1
            here["actions"][:] = np.arange(number, number + 3)  # a mark for each decision
            here["values"][:] = story.values[step]
            number += 3
            rollout.asked[t], rollout.ended[t] = story.seats[step], story.ended[step]
            rollout.mine[t] = story.seats[step] != 3  # seat 3 is an opponent's
            rollout.rewards[t] = story.rewards[step]
        samples = rollout.finish(1.0, 0.0)
        learnt += samples.actions.tolist()
        assert torch.allclose(samples.returns, samples.advantages + samples.values)
        for action, value in zip(samples.actions.tolist(), samples.values.tolist(), strict=True):
            assert value == story.values.reshape(-1)[action]
    whole = story.part(0, 48, Waiting.none(3, SEATS), 1.0, 0.0)
    expected = [3 * t + lane for t, lane in np.argwhere(whole.complete & (story.seats != 3))]
    assert sorted(learnt) == sorted(expected)
    again = Rollout(8, 3, SEATS, view_size=5, actions_size=4)
    again.load(rollout.save())
    assert (again.waiting.there == rollout.waiting.there).all()
    assert again.waiting.there.any()
    assert (again.before["views"] == rollout.before["views"]).all()


# --- the masked choice ---


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_one_legal_action_among_two_thousand(kind: Any) -> None:
    logits = (
        (torch.randn(50, 2000, generator=torch.Generator().manual_seed(0)) * 30).to(kind).requires_grad_()
    )
    masks = torch.zeros(50, 2000, dtype=torch.int8)
    only = torch.arange(50) * 7 % 2000
    masks[torch.arange(50), only] = 1
    choice = MaskedCategorical(logits, masks)
    assert (choice.sample(torch.rand(50)) == only).all()
    assert (choice.mode() == only).all()
    assert choice.entropy().tolist() == [0.0] * 50
    assert choice.log_prob(only).tolist() == [0.0] * 50
    (choice.entropy().sum() + choice.log_prob(only).sum()).backward()
    assert torch.isfinite(logits.grad).all()


def test_entropy_and_probabilities_are_those_of_the_legal_actions_alone() -> None:
    logits = torch.randn(
        20, 9, dtype=torch.float32, generator=torch.Generator().manual_seed(1), requires_grad=True
    )
    masks = torch.rand(20, 9, generator=torch.Generator().manual_seed(2)) < 0.5
    masks[:, 4] = True
    choice = MaskedCategorical(logits, masks.to(torch.int8))
    (gradient,) = torch.autograd.grad(choice.entropy().sum(), logits, retain_graph=True)
    assert (gradient[~masks] == 0).all()
    for row in range(20):
        legal = masks[row].nonzero()[:, 0]
        reference = torch.distributions.Categorical(logits=logits[row, legal])
        assert float(choice.entropy()[row].detach()) == pytest.approx(
            float(reference.entropy().detach()), abs=1e-6
        )
        assert torch.allclose(choice.probs[row, legal], reference.probs, atol=1e-6)
    assert (choice.probs[~masks] == 0).all()


def test_a_row_without_a_legal_action_is_named() -> None:
    masks = torch.ones(4, 6, dtype=torch.int8)
    masks[2] = 0
    with pytest.raises(ValueError, match="row 2 of the masks has no legal action"):
        MaskedCategorical(torch.zeros(4, 6), masks)


def test_samples_follow_the_probabilities_and_never_leave_the_mask() -> None:
    logits = torch.tensor([[2.0, 5.0, -1.0, 0.0, 1.0]])
    masks = torch.tensor([[1, 0, 1, 1, 0]], dtype=torch.int8)
    choice = MaskedCategorical(logits.expand(1, -1), masks)
    uniform = torch.linspace(0, 1, 20_001)[:-1]
    drawn = MaskedCategorical(logits.expand(20_000, -1), masks.expand(20_000, -1)).sample(uniform)
    counts = torch.bincount(drawn, minlength=5) / 20_000
    assert torch.allclose(counts, choice.probs[0], atol=1e-3)
    assert counts[1] == counts[4] == 0
    edge = MaskedCategorical(
        torch.randn(3000, 640), (torch.rand(3000, 640) < 0.02).to(torch.int8) | (torch.arange(640) == 0)
    )
    last = edge.sample(torch.full((3000,), 1 - 2**-24))
    assert edge.legal[torch.arange(3000), last].all()


# --- networks ---


@pytest.mark.parametrize("name", game_names())
def test_the_encoding_on_the_device_is_that_of_the_description(name: str) -> None:
    described = game(name)
    encoder = networks.Encoder(described.fields)
    bounds = described.fields.bounds.astype(int)
    views = (
        np.random.default_rng(0).integers(0, bounds + 1, size=(300, described.fields.size)).astype(np.int8)
    )
    views[0], views[1] = 0, bounds
    assert encoder(torch.from_numpy(views)).numpy().tobytes() == described.fields.encode(views).tobytes()


@pytest.mark.parametrize("name", game_names())
def test_every_category_has_a_column_of_its_own(name: str) -> None:
    described = game(name)
    at = column = 0
    for field in described.fields:
        if field.kind == "category":
            for value in range(field.high + 1):
                view = np.zeros((1, described.fields.size), np.int8)
                view[0, at] = value
                encoded = described.fields.encode(view)[0, column : column + field.high]
                assert encoded.tolist() == [float(value == n) for n in range(1, field.high + 1)]
        at += field.size
        column += field.width


@pytest.mark.parametrize("critic", networks.CRITICS)
def test_the_actor_never_sees_the_state(critic: str) -> None:
    described = game("run_for_your_lives")
    network = networks.make(described, Shape((16,), "tanh", critic))
    batch = make_batch(described.id, 4, seed=1)
    batch.reset()
    views = torch.from_numpy(batch.flat_views.copy())
    width = networks.state_width(described) if critic == "central" else 0
    states = torch.from_numpy(batch.state())[:, :width].clone().requires_grad_()
    logits, values = network(views, states)
    assert torch.equal(logits, network.actor(views))
    if critic == "central":
        (seen,) = torch.autograd.grad(values.sum(), states, retain_graph=True)
        assert (seen != 0).any()
        assert torch.autograd.grad(logits.sum(), states, allow_unused=True) == (None,)
    shared = {id(p) for p in network.actor.parameters()} & {
        id(p)
        for p in [
            *(network.critic_body.parameters() if network.critic_body else []),
            *network.critic_head.parameters(),
        ]
    }
    assert not shared


def test_new_scales_leave_the_critics_estimates_alone() -> None:
    described = game("run_for_your_lives")
    network = networks.make(described, Shape((16,)))
    views = torch.randint(0, 2, (10, described.fields.size), dtype=torch.int8)
    none = torch.zeros(10, 0)
    returns = torch.randn(4000, dtype=torch.float64) * 3 + 5
    for _ in range(3):
        before = network.rewards(network(views, none)[1])
        network.take_note(returns.mean(), returns.square().mean(), 0.9)
        after = network.rewards(network(views, none)[1])
        assert torch.allclose(before, after, atol=1e-4)
    mean, deviation = network.scale
    assert (float(mean), float(deviation)) == (
        pytest.approx(float(returns.mean()), abs=1e-3), pytest.approx(float(returns.std()), abs=1e-2),
    )  # fmt: skip


def test_actions_share_what_belongs_to_their_verb_and_arguments() -> None:
    actions = game("run_for_your_lives").actions
    design = networks.shared_parts(actions)
    assert design.sum(1).tolist() == [3.0] * (actions.size - 1) + [
        1.0
    ]  # verb, card, target; refresh has no arguments
    bus_self, bus_next, bat_self = (
        actions.parse(text) for text in ("bus -> self", "bus -> +1", "bat -> self")
    )
    assert (design[bus_self] * design[bus_next]).sum() == 2  # the verb and the card
    assert (design[bus_self] * design[bat_self]).sum() == 2  # the verb and the target
    assert (design[bus_next] * design[bat_self]).sum() == 1


def test_schedules_are_lines() -> None:
    assert [schedule((4.0, 2.0), p) for p in (-1, 0, 0.5, 1, 2)] == [4, 4, 3, 2, 2]
