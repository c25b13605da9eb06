"""Training runs: repeated and resumed byte for byte, interrupted, refused by the disk, fed with nonsense."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

torch = pytest.importorskip("torch")
from small_runs import RFYL, SMALL, everything, small, tensors  # noqa: E402

from outbreak_rl.baselines import checkpoint, progress  # noqa: E402
from outbreak_rl.baselines.agents import make_agent  # noqa: E402
from outbreak_rl.baselines.config import ConfigError  # noqa: E402
from outbreak_rl.baselines.policy import PolicyAgent  # noqa: E402
from outbreak_rl.baselines.ppo import Trainer, TrainingStopped, train  # noqa: E402
from outbreak_rl.envs import make_batch  # noqa: E402


def test_a_run_leaves_a_policy_its_origin_and_its_figures(whole: Path) -> None:
    about = checkpoint.read(whole / "policy.safetensors")[1]
    assert (about["seed"], about["update"], about["decisions"]) == (3, 6, 1440)
    assert about["game"] == "outbreak/run_for_your_lives"
    assert about["config"]["ppo"]["lanes"] == 24
    assert {"outbreak-rl", "torch", "python"} <= set(about["versions"])
    rows = [json.loads(line) for line in (whole / "progress.jsonl").read_text().splitlines()]
    assert [row["update"] for row in rows] == [1, 2, 3, 4, 5, 6]
    for row in rows:
        assert 0 < row["environment share"] < 1
        assert row["entropy"] > 0
        assert row["decisions a second"] > 0
    assert any(key.startswith("reward/among ") for row in rows for key in row)
    assert len(list((whole / "checkpoints").glob("update-*"))) == 2


def test_a_run_repeats_and_another_seed_differs(whole: Path, tmp_path: Path) -> None:
    train(small(tmp_path / "again"))
    assert tensors(tmp_path / "again" / "policy.safetensors") == tensors(whole / "policy.safetensors")
    assert everything(tmp_path / "again") == everything(whole)
    train(small(tmp_path / "other", "--seed", "4"))
    assert tensors(tmp_path / "other" / "policy.safetensors") != tensors(whole / "policy.safetensors")


def test_a_run_stopped_by_ctrl_c_goes_on_as_if_it_had_not_been(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect = Trainer.collect

    def pressed(self: Trainer) -> dict[str, float]:
        if self.update == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return collect(self)

    monkeypatch.setattr(Trainer, "collect", pressed)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(
        TrainingStopped, match=r"stopped at 720 of 1,440 decisions.*overrides and --run.resume true"
    ):
        train(small(tmp_path))
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.setattr(Trainer, "collect", collect)
    with pytest.raises(ConfigError, match="holds a run"):
        train(small(tmp_path))
    train(small(tmp_path, "--run.resume", "true"))
    assert everything(tmp_path) == everything(whole)
    rows = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    assert [row["update"] for row in rows] == [1, 2, 3, 4, 5, 6]


def test_a_killed_run_goes_on_from_its_last_checkpoint(whole: Path, tmp_path: Path) -> None:
    settings = json.dumps({**SMALL, "run": {**SMALL["run"], "folder": str(tmp_path)}})
    program = (
        "import json, sys, time; from outbreak_rl.baselines import config, ppo\n"
        "collect = ppo.Trainer.collect\n"
        "def slow(self):\n"
        "    if self.update == 3: print('here', flush=True); time.sleep(60)\n"
        "    return collect(self)\n"
        "ppo.Trainer.collect = slow\n"
        "ppo.train(config.from_dict(json.loads(sys.argv[1])))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, settings], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    (tmp_path / "progress.jsonl").open("a").write('{"update": 4, "half a li')
    train(small(tmp_path, "--run.resume", "true"))
    assert everything(tmp_path) == everything(whole)
    rows = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    assert [row["update"] for row in rows] == [1, 2, 3, 4, 5, 6]


def test_a_checkpoint_counts_only_when_it_is_named(whole: Path, tmp_path: Path) -> None:
    train(small(tmp_path, "--ppo.decisions", "480"))
    folder = tmp_path / "checkpoints"
    (folder / "update-0000009.0.safetensors").write_bytes(b"half of one")  # killed while writing
    trainer = Trainer(small(tmp_path, "--ppo.decisions", "480", "--run.resume", "true"))
    trainer._begin()
    assert trainer.update == 2


def test_a_run_is_not_resumed_under_other_settings(whole: Path, tmp_path: Path) -> None:
    for override, message in {
        "--ppo.gamma=0.5": r"ppo.gamma 1.0, not 0.5",
        "--seed=9": r"has seed 3, not 9; it goes on by .* with the same overrides and --run.resume true",
        "--env.players=4": r"env.players \[3, 5\], not 4",
        "--selfplay.every=3": r"selfplay.every 1, not 3",
    }.items():
        with pytest.raises(ConfigError, match=message):
            train(small(whole, "--run.resume", "true", override))
    with pytest.raises(ConfigError, match="no checkpoint to resume from"):
        train(small(tmp_path, "--run.resume", "true"))


def test_a_finished_run_resumed_gives_its_policy(whole: Path) -> None:
    before = tensors(whole / "policy.safetensors")
    assert train(small(whole, "--run.resume", "true")) == whole / "policy.safetensors"
    assert tensors(whole / "policy.safetensors") == before


def test_a_full_disk_costs_a_checkpoint_and_not_the_run(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = checkpoint.write_atomically

    def full(path: Path, content: bytes) -> None:
        if "update-0000004" in path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(path, content)

    monkeypatch.setattr(checkpoint, "write_atomically", full)
    train(small(tmp_path))
    said = " ".join(capsys.readouterr().err.split())
    assert "checkpoint of update 4 not written (No space left on device)" in said
    assert "the last one is of update 2" in said
    assert everything(tmp_path) == everything(whole)

    def always(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(checkpoint, "write_atomically", always)
    with pytest.raises(TrainingStopped, match="could not be written"):
        train(small(tmp_path / "never"))


def test_a_loss_that_is_not_a_number_stops_with_the_last_good_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = Trainer.learn

    def poisoned(self: Trainer, samples: Any, progress: float) -> dict[str, float]:
        if self.update == 3:
            samples.advantages[0] = float("nan")
        return learn(self, samples, progress)

    monkeypatch.setattr(Trainer, "learn", poisoned)
    with pytest.raises(TrainingStopped, match=r"the loss is nan .* in update 4: .* the good one of update 2"):
        train(small(tmp_path))
    agent = PolicyAgent.load(tmp_path / "policy.safetensors")
    assert agent.about["update"] == 2
    with pytest.raises(TrainingStopped, match="no checkpoint was written yet"):
        train(small(tmp_path / "wild", "--ppo.learning_rate", "1e30", "--run.checkpoint_every", "50"))


@pytest.mark.parametrize("critic", ["own", "central"])
def test_other_critics_train_and_resume(critic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extra = ["--network.critic", critic, "--env.max_turns", "9"]  # games that are cut off, too
    train(small(tmp_path / "whole", *extra))
    keep = Trainer.keep

    def stop(self: Trainer, report: Any) -> None:
        keep(self, report)
        self.stop = True

    monkeypatch.setattr(Trainer, "keep", stop)
    with pytest.raises(TrainingStopped):
        train(small(tmp_path / "parts", *extra))
    monkeypatch.setattr(Trainer, "keep", keep)
    train(small(tmp_path / "parts", *extra, "--run.resume", "true"))
    assert everything(tmp_path / "parts") == everything(tmp_path / "whole")
    assert PolicyAgent.load(tmp_path / "whole" / "policy.safetensors").network.shape.critic == critic


def test_games_that_are_cut_off_are_bootstrapped(tmp_path: Path) -> None:
    trainer = Trainer(small(tmp_path, "--env.max_turns", "6", "--env.players", "4"))
    trainer.batch.reset()
    trainer.collect()
    cut = trainer.rollout.cut_values
    assert trainer.rollout.ended.any()
    assert ((cut != 0).any(2) == trainer.rollout.ended).all()
    assert (cut[..., 4:] == 0).all()  # seats that are not there


def test_training_beats_random_players(tmp_path: Path) -> None:
    chosen = [
        "--env.players", "3", "--env.kinds", "3", "--env.copies", "2", "--env.goal", "2", "--network.hidden", "[64]",
        "--ppo.decisions", "120000", "--ppo.lanes", "100", "--ppo.steps", "30", "--ppo.learning_rate", "3e-3",
        "--selfplay.scripted", "[]", "--selfplay.every", "10",
    ]  # fmt: skip
    path = train(small(tmp_path, *chosen))
    agent, other, rng = make_agent(f"ppo:{path}", RFYL), make_agent("random", RFYL), np.random.default_rng(0)
    batch = make_batch(RFYL.id, 1500, seed=1 << 33, preset="mini")
    batch.reset()
    mine = np.arange(1500) % 3
    won, done = np.zeros(1500), np.zeros(1500, bool)
    while not done.all():
        actions = other.act_batch(batch.flat_views, batch.masks, rng)
        rows = np.flatnonzero(batch.seats == mine)
        actions[rows] = agent.act_batch(batch.flat_views[rows], batch.masks[rows], rng)
        rewards, terminated, truncated = batch.step(actions)
        over = (terminated | truncated) & ~done
        won[over] = rewards[over, mine[over]] > 0
        done |= over
    assert won.mean() - 1.96 * won.std() / np.sqrt(1500) > 1.25 / 3


@pytest.mark.slow
def test_two_processes_share_a_run(tmp_path: Path) -> None:
    settings = json.dumps({**SMALL, "run": {**SMALL["run"], "folder": str(tmp_path)}})
    program = tmp_path / "program.py"
    program.write_text(
        "import json; from outbreak_rl.baselines import config, ppo\n"
        f"print(ppo.train(config.from_dict(json.loads({settings!r}))))\n"
    )
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
        str(program),
    ]
    subprocess.run(torchrun, check=True, timeout=300, capture_output=True)
    first, second = (
        tensors(tmp_path / "checkpoints" / f"update-0000006.{rank}.safetensors") for rank in (0, 1)
    )
    names = [name for name in first if name.startswith(("network.", "optimiser."))]
    assert names
    assert all(first[name] == second[name] for name in names)
    assert first["batch.states"] != second["batch.states"]
    assert PolicyAgent.load(tmp_path / "policy.safetensors").about["processes"] == 2


def test_nothing_of_the_callers_is_touched(tmp_path: Path) -> None:
    torch.manual_seed(5)
    np.random.seed(5)
    expected = torch.rand(3), np.random.rand(3)
    torch.manual_seed(5)
    np.random.seed(5)
    path = train(small(tmp_path, "--ppo.decisions", "480"))
    PolicyAgent.load(path)
    assert torch.equal(torch.rand(3), expected[0])
    assert (np.random.rand(3) == expected[1]).all()


def test_figures_reach_tensorboard(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    train(small(tmp_path, "--run.tensorboard", "true", "--ppo.decisions", "720"))
    events = accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    rows = [json.loads(line) for line in (tmp_path / "progress.jsonl").read_text().splitlines()]
    shown = [(event.step, event.value) for event in events.Scalars("entropy")]
    assert shown == [(row["decisions"], pytest.approx(row["entropy"])) for row in rows]


def test_the_progress_bar_says_how_fast_and_how_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=200)
    monkeypatch.setattr(progress, "Console", lambda **_: terminal)
    train(small(tmp_path, "--run.progress", "true"))
    text = shown.getvalue()
    assert re.search(r"0\.00 of 0\.00 M decisions, [\d,]+/s, entropy \d\.\d\d, environment \d+%", text)
    assert "left" in text
