"""TorchRL: its PettingZoo wrapper takes the environment as it is, and its PPO loss trains on it."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")
from tensordict.nn import TensorDictModule  # noqa: E402
from torchrl.envs.libs.pettingzoo import PettingZooWrapper  # noqa: E402
from torchrl.envs.utils import check_env_specs  # noqa: E402
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator  # noqa: E402
from torchrl.objectives import ClipPPOLoss  # noqa: E402

from outbreak_rl.envs import run_for_your_lives  # noqa: E402

pytestmark = [pytest.mark.interop, pytest.mark.filterwarnings("ignore::UserWarning")]
SEATS = ["player_0", "player_1", "player_2"]


def test_torchrl_trains_on_masked_rollouts() -> None:
    torch.manual_seed(0)
    # raw_env: an illegal action would raise
    env = PettingZooWrapper(run_for_your_lives.raw_env(players=3), use_mask=True, group_map={"seats": SEATS})
    check_env_specs(env)
    width, actions = run_for_your_lives.GAME.fields.width, run_for_your_lives.GAME.actions.size
    seen = ("seats", "observation", "observation")
    body = TensorDictModule(torch.nn.Linear(width, actions), in_keys=[seen], out_keys=[("seats", "logits")])
    actor = ProbabilisticActor(
        body, in_keys={"logits": ("seats", "logits"), "mask": ("seats", "action_mask")}, out_keys=[("seats", "action")],
        distribution_class=MaskedCategorical, return_log_prob=True, log_prob_key=("seats", "log_prob"),
    )  # fmt: skip
    critic = ValueOperator(torch.nn.Linear(width, 1), in_keys=[seen], out_keys=[("seats", "state_value")])
    loss = ClipPPOLoss(actor, critic)
    loss.set_keys(
        action=("seats", "action"), sample_log_prob=("seats", "log_prob"), value=("seats", "state_value"),
        advantage=("seats", "advantage"), value_target=("seats", "value_target"),
    )  # fmt: skip
    optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
    before = body.module.weight.detach().clone()
    ends = 0
    for _ in range(6):
        with torch.no_grad():
            played = env.rollout(200, actor)
        asked = played["seats", "mask"]  # who was asked at each step
        assert (asked.sum(1) == 1).all()
        reward = played["next", "seats", "reward"]
        ends += int(played["next", "done"].any())
        gained = reward.flip(0).cumsum(0).flip(0)
        # the others had nothing to choose: only the decisions of the seat that was asked are learnt from
        played["seats", "advantage"] = gained * asked[..., None]
        played["seats", "value_target"] = gained
        losses = loss(played)
        total = losses["loss_objective"] + losses["loss_critic"]
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
        assert torch.isfinite(total)
    assert ends == 6
    assert (body.module.weight != before).any()
