"""Training runs: resumed byte for byte, interrupted, refused by the disk, fed with nonsense."""

import errno
import io
import json
import os
import pickle
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

from outbreak_rl.baselines import checkpoint, config, policy, progress  # noqa: E402
from outbreak_rl.baselines.agents import make_agent  # noqa: E402
from outbreak_rl.baselines.checkpoint import CheckpointError  # noqa: E402
from outbreak_rl.baselines.config import Config, ConfigError, Curriculum, from_dict, load  # noqa: E402
from outbreak_rl.baselines.curriculum import Levels  # noqa: E402
from outbreak_rl.baselines.policy import PolicyAgent  # noqa: E402
from outbreak_rl.baselines.ppo import Trainer, TrainingStopped, train  # noqa: E402
from outbreak_rl.baselines.selfplay import LEARNER, League  # noqa: E402
from outbreak_rl.envs import game, make_batch  # noqa: E402

RFYL = game("run_for_your_lives")
SMALL: dict[str, Any] = {
    "game": "outbreak/run_for_your_lives",
    "seed": 3,
    "env": {"players": [3, 5]},
    "network": {"hidden": [16]},
    "ppo": {"decisions": 6 * 24 * 10, "lanes": 24, "steps": 10, "minibatches": 2},
    "selfplay": {"scripted": ["heuristic", "random"], "past": 2, "every": 1, "latest": 0.3},
    "run": {"threads": 1, "checkpoint_every": 2, "tensorboard": False, "progress": False},
}


def small(folder: Path, *overrides: str) -> Config:
    return from_dict(SMALL, "SMALL", ["--run.folder", str(folder), *overrides])


def tensors(path: Path) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in checkpoint.read(path)[0].items()}


def everything(run: Path) -> dict[str, bytes]:
    """The state of a finished run: network, optimiser, batch, rollout, league."""
    update = json.loads((run / "checkpoints" / "latest.json").read_text())["update"]
    return tensors(run / "checkpoints" / f"update-{update:07d}.0.safetensors")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run from its start to its end."""
    folder = tmp_path_factory.mktemp("run")
    assert train(small(folder)) == folder / "policy.safetensors"
    return folder


# --- the run ---


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
    with pytest.raises(TrainingStopped, match=r"stopped at 720 of 1,440 decisions.*--run.resume true"):
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
        "--seed=9": r"seed.seed 3, not 9|seed 3, not 9",
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


# --- curricula, and the configurations of the other games ---

TEAM: dict[str, Any] = {
    "game": "outbreak/pandemic",
    "seed": 5,
    "env": {"epidemics": [0, 1, 4], "players": [2, 3], "map": "small"},
    "curriculum": {"option": "epidemics", "share": 0.0, "games": 3},
    "network": {"hidden": [16]},
    "ppo": {"decisions": 4 * 12 * 40, "lanes": 12, "steps": 40, "minibatches": 2},
    "selfplay": {"latest": 1.0, "past": 0},
    "run": {"threads": 1, "checkpoint_every": 2, "tensorboard": False, "progress": False},
}


def stopped_and_resumed(values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Train once whole and once stopped at its first checkpoint and resumed; both must end the same."""
    train(from_dict(values, "here", ["--run.folder", str(tmp_path / "whole")]))
    keep = Trainer.keep

    def stop(self: Trainer, report: Any) -> None:
        keep(self, report)
        self.stop = True

    monkeypatch.setattr(Trainer, "keep", stop)
    with pytest.raises(TrainingStopped, match=r"--run\.resume true"):
        train(from_dict(values, "here", ["--run.folder", str(tmp_path / "parts")]))
    monkeypatch.setattr(Trainer, "keep", keep)
    train(from_dict(values, "here", ["--run.folder", str(tmp_path / "parts"), "--run.resume", "true"]))
    assert everything(tmp_path / "parts") == everything(tmp_path / "whole")
    return tmp_path / "whole"


def test_a_curriculum_opens_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stopped_and_resumed(TEAM, tmp_path, monkeypatch)
    rows = [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]
    opened = [row["open/epidemics"] for row in rows]
    assert opened == sorted(opened)
    assert opened[-1] > 1
    assert all(0 <= row.get("won/epidemics 0", 0) <= 1 for row in rows)
    assert "curriculum.playing" in checkpoint.read(folder / "checkpoints" / "update-0000004.0.safetensors")[0]
    other = ["--run.folder", str(folder), "--run.resume", "true", "--curriculum.games", "9"]
    with pytest.raises(ConfigError, match=r"curriculum.games 3, not 9"):
        train(from_dict(TEAM, "here", other))


def test_only_open_values_are_dealt_and_counted_for_what_was_played(tmp_path: Path) -> None:
    """The lanes' games are what the curriculum believes them to be, at every step."""
    for share, most in ((1.0, 0), (0.0, 4)):
        overrides = ["--run.folder", str(tmp_path), "--curriculum.share", str(share)]
        trainer = Trainer(from_dict(TEAM, "here", overrides))
        trainer._begin()
        levels, batch = trainer.levels, trainer.batch
        assert levels is not None
        step, seen = batch.step, set()

        def watched(
            actions: Any, levels: Any = levels, batch: Any = batch, step: Any = step, seen: set[int] = seen
        ) -> Any:
            options = [batch.options[k] for k in levels.playing]
            assert [o.epidemics for o in options] == batch.states["options"]["epidemics"].tolist()
            assert [o.players for o in options] == batch.players.tolist()
            seen |= {o.epidemics for o in options}
            return step(actions)

        batch.step = watched  # type: ignore[method-assign]
        for _ in range(4):
            trainer.collect()
        assert max(seen) == most
        assert levels.games.sum() > 10


def test_a_curriculum_measures_each_value_and_opens_at_its_share() -> None:
    variants = [{"epidemics": e, "players": p} for e in (0, 1, 2) for p in (2, 3)]
    levels = Levels(Curriculum("epidemics", share=0.5, games=4, hardest=0.8), variants, 1000, seed=1)
    chosen = np.zeros(1000, np.int32)
    levels.begin(chosen)
    assert set(chosen) == {0, 1}  # both numbers of players, no epidemics
    levels.note(np.arange(8), np.array([1, 0, 0, 0, 0, 0, 0, 1], bool), chosen)
    assert (levels.open, levels.share[0]) == (1, 0.25)
    levels.note(np.arange(8), np.ones(8, bool), chosen)
    assert levels.open == 2
    assert levels.share[0] == pytest.approx(10 / 16)
    assert levels.games.tolist() == [16, 0, 0]
    levels.note(np.arange(1000), np.zeros(1000, bool), chosen)
    counts = np.bincount(levels.level[chosen], minlength=3)
    assert counts[2] == 0
    assert counts[1] / 1000 == pytest.approx(0.9, abs=0.04)  # 0.8, and half of the rest
    levels.note(np.arange(1000), np.zeros(1000, bool), chosen)  # what was already dealt
    before = int(levels.games[1])
    levels.note(np.arange(1000), np.zeros(1000, bool), chosen)
    assert levels.games[1] - before == counts[1]
    assert set(levels.figures()) == {"open/epidemics", "won/epidemics 0", "won/epidemics 1"}


@pytest.mark.parametrize("name", ["pandemic/ppo", "city_of_horror/ppo", "zombicide/ppo"])
def test_shipped_configurations_of_large_games_train_and_resume(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = load(name).as_dict()
    values["network"]["hidden"] = [16]
    values["ppo"] |= {"decisions": 4 * 8 * 16, "lanes": 8, "steps": 16, "minibatches": 2, "epochs": 1}
    values["selfplay"]["every"] = 1
    values["run"] |= {"threads": 1, "checkpoint_every": 2, "tensorboard": False, "progress": False}
    folder = stopped_and_resumed(values, tmp_path, monkeypatch)
    agent = PolicyAgent.load(folder / "policy.safetensors", game(values["game"]))
    batch = make_batch(values["game"], 4, seed=2)
    batch.reset()
    actions = agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(0))
    assert batch.masks[np.arange(4), actions].all()


@pytest.mark.parametrize(
    ("override", "message"),
    [
        (
            "--curriculum.option=roles",
            r"curriculum.option is 'roles', must be an option of \[env\] with a list",
        ),
        ("--env.epidemics=4", "must be an option of .env. with a list"),
        ("--curriculum.share=1.5", "curriculum.share is 1.5, must be from 0 to 1"),
        ("--curriculum.games=0", "curriculum.games is 0, must be 1 or more"),
        ("--curriculum.shares=1", "did you mean 'share'"),
    ],
)
def test_wrong_curricula_are_refused(override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(TEAM, "here", [override])


def test_a_curriculum_needs_a_game_that_all_win_together() -> None:
    with pytest.raises(ConfigError, match="is not won by all together"):
        from_dict(SMALL, "SMALL", ["--curriculum.option", "players"])


# --- policies and their files ---


def test_a_policy_plays_the_same_alone_and_in_batches(whole: Path) -> None:
    agent = PolicyAgent.load(whole / "policy.safetensors", RFYL)
    batch = make_batch(RFYL.id, 40, seed=2, players=5)
    batch.reset()
    for _ in range(10):
        actions = agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(7))
        assert batch.masks[np.arange(40), actions].all()
        alone = agent.act(batch.views[0], batch.masks[0], np.random.default_rng(7))
        assert alone == actions[0]
        batch.step(actions)
    with pytest.raises(ValueError, match="row 1 of the masks has no legal action"):
        agent.act_batch(
            batch.flat_views[:2], batch.masks[:2] * np.array([[1], [0]], np.int8), np.random.default_rng(0)
        )
    greedy = PolicyAgent.load(whole / "policy.safetensors", temperature=0.0)
    one, two = (greedy.act_batch(batch.flat_views, batch.masks, np.random.default_rng(s)) for s in (1, 2))
    assert (one == two).all()
    likely = agent.probabilities(batch.flat_views, batch.masks)
    assert (likely[batch.masks == 0] == 0).all()
    assert likely.sum(1) == pytest.approx(np.ones(40), abs=1e-5)
    drawn = [
        agent.act_batch(
            batch.flat_views[:1].repeat(4000, 0), batch.masks[:1].repeat(4000, 0), np.random.default_rng(3)
        )
    ]
    assert np.bincount(drawn[0], minlength=RFYL.actions.size) / 4000 == pytest.approx(likely[0], abs=0.04)
    assert (greedy.probabilities(batch.flat_views, batch.masks).argmax(1) == one).all()
    with pytest.raises(ValueError, match="temperature is -1"):
        PolicyAgent.load(whole / "policy.safetensors", temperature=-1)


def rewrite(path: Path, target: Path, arrays: dict[str, Any] | None = None, **changes: Any) -> Path:
    old, about = checkpoint.read(path)
    checkpoint.write(target, {**old, **(arrays or {})}, {**about, **changes})
    return target


class Bomb:
    """What a hostile pickle may hold."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {os.environ['BOMB']}",)


def test_a_pickle_bomb_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOMB", str(tmp_path / "exploded"))
    for protocol in (2, 4, 5):
        path = tmp_path / f"policy{protocol}.pt"
        path.write_bytes(pickle.dumps(Bomb(), protocol))
        with pytest.raises(CheckpointError, match="looks like a pickle"):
            PolicyAgent.load(path)
    torch.save(Bomb(), tmp_path / "torch.pt")
    with pytest.raises(CheckpointError, match="looks like a pickle"):
        PolicyAgent.load(tmp_path / "torch.pt")
    assert not (tmp_path / "exploded").exists()
    pickle.loads((tmp_path / "policy4.pt").read_bytes())
    assert (tmp_path / "exploded").exists()  # the bomb is a real one


def test_damaged_files_are_refused_wherever_they_are_damaged(whole: Path, tmp_path: Path) -> None:
    content = (whole / "policy.safetensors").read_bytes()
    path = tmp_path / "damaged.safetensors"
    for size in [*range(0, 40), *np.linspace(40, len(content) - 1, 60).astype(int).tolist()]:
        path.write_bytes(content[:size])
        with pytest.raises(CheckpointError):
            PolicyAgent.load(path)
    rng = np.random.default_rng(0)
    for place in [*range(0, 12), *rng.integers(len(content), size=60).tolist()]:
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(changed))
        try:
            found = PolicyAgent.load(path)
        except CheckpointError:
            continue
        # a bit of the description (a text in the header) may change unnoticed, a number may not
        assert {k: v.tobytes() for k, v in policy.snapshot(found.network).items()} == tensors(
            whole / "policy.safetensors"
        )
    path.write_bytes(content + b"more")
    with pytest.raises(CheckpointError, match="4 bytes too many"):
        PolicyAgent.load(path)


def test_foreign_and_hostile_files_are_refused_in_one_sentence(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd"

    def header(entries: Any, body: bytes = b"") -> bytes:
        text = json.dumps(entries).encode()
        return len(text).to_bytes(8, "little") + text + body

    ours = {"__metadata__": {"outbreak": "{}", "sha256": ""}}
    entry = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
    hostile = {
        b"": "not a file of tensors",
        b"\x89PNG\r\n\x1a\n and so on": "not a file of tensors",
        (1 << 62).to_bytes(8, "little") + b"{}": "not a file of tensors",
        (100).to_bytes(8, "little") + b"[" * 100: "not a file of tensors",
        header({"a": entry}, bytes(4)): "not one of Outbreak's",
        header({**ours, "a": {**entry, "shape": [1 << 39, 1 << 39]}}, bytes(4)): "does not fill the place",
        header({**ours, "a": {**entry, "data_offsets": [-4, 0]}}, bytes(4)): "makes no sense",
        header({**ours, "a": {**entry, "dtype": "PICKLE"}}, bytes(4)): "makes no sense",
        header({**ours, "a": {**entry, "data_offsets": [0, 1 << 39], "shape": [1 << 37]}}): "cut off",
        header({**ours, "a": entry, "b": entry}, bytes(4)): "does not fill the place",
        header({**ours, "a": entry}, bytes(4)): "digest",
    }
    for content, message in hostile.items():
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match=message) as caught:
            PolicyAgent.load(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(CheckpointError, match="cannot be read: No such file"):
        PolicyAgent.load(tmp_path / "nothing")
    with pytest.raises(CheckpointError, match="cannot be read: Is a directory"):
        PolicyAgent.load(tmp_path)
    with pytest.raises(CheckpointError, match="is not a policy: its description has no format"):
        PolicyAgent.load(next((whole / "checkpoints").glob("update-*")))


def test_policies_of_other_games_versions_and_shapes_are_refused(whole: Path, tmp_path: Path) -> None:
    source, target = whole / "policy.safetensors", tmp_path / "p.safetensors"
    for changes, message in (
        ({"game": "outbreak/chess"}, "a policy for outbreak/chess, not for outbreak/run_for_your_lives"),
        ({"layout": "0" * 16}, "trained on another version of outbreak/run_for_your_lives"),
        ({"format": 99}, "policy format 99, this version reads 1"),
        (
            {"network": {"hidden": [1 << 15] * 60, "activation": "relu", "critic": "shared"}},
            "missing or one too many",
        ),
        (
            {"network": {"hidden": [1 << 15], "activation": "relu", "critic": "shared"}},
            r"is \(16, \d+\), not \(32768, \d+\)",
        ),
        ({"network": {"hidden": [-1], "activation": "relu", "critic": "shared"}}, "no network is built like"),
        (
            {"network": {"hidden": [16], "activation": "__class__", "critic": "shared"}},
            "no network is built like",
        ),
        ({"network": None}, "does not say how its network is built"),
    ):
        with pytest.raises(CheckpointError, match=message):
            PolicyAgent.load(rewrite(source, target, **changes), RFYL)
    with pytest.raises(CheckpointError, match="which is not a game here"):
        PolicyAgent.load(rewrite(source, target, game="outbreak/chess"))
    bias = checkpoint.read(source)[0]["actor.body.0.bias"]
    for array, message in (
        (bias * np.nan, "not finite"),
        (bias.astype(np.float64), "does not fit its network"),
    ):
        with pytest.raises(CheckpointError, match=message):
            PolicyAgent.load(rewrite(source, target, {"actor.body.0.bias": array}))
    with pytest.raises(CheckpointError, match="missing or one too many"):
        PolicyAgent.load(rewrite(source, target, {"extra": bias}))


def test_files_are_written_whole_or_not_at_all(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays, about = checkpoint.read(whole / "policy.safetensors")
    path = tmp_path / "again.safetensors"
    checkpoint.write(path, arrays, about)
    before = path.read_bytes()

    def broken(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="full"):
        checkpoint.write(path, {}, {})
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["again.safetensors"]


# --- the league ---


def test_hard_opponents_are_drawn_more_often_and_tables_are_planned() -> None:
    settings = from_dict(
        SMALL, "SMALL", ["--selfplay.latest", "0.25", "--selfplay.one", "0.5", "--selfplay.at_once", "1"]
    ).selfplay
    league = League(settings, 4000, 7, [make_agent("random", RFYL)], seed=1)
    for name in ("easy", "hard"):
        league.add(name, make_agent("random", RFYL))
    league.members[0].share, league.members[1].share, league.members[2].share = 0.5, 0.9, 0.2
    drawn = np.zeros(3)
    for _ in range(4000):
        league.draw_active()
        drawn[league.active[0]] += 1
    assert drawn / 4000 == pytest.approx([0.5, 0.5 / 9, 0.5 * 8 / 9], abs=0.03)
    players = np.where(np.arange(4000) % 2, 3, 6)
    league.active = [2]
    league.deal(np.arange(4000), players)
    theirs = (league.seated != LEARNER).sum(1)
    assert (theirs < players).all()  # the learner always has a seat
    assert (theirs == 0).mean() == pytest.approx(0.25, abs=0.03)
    six = theirs[(players == 6) & (theirs > 0)]
    assert (six == 5).mean() == pytest.approx(0.5 + 0.5 / 5, abs=0.04)
    assert all((league.seated[players == n, n:] == LEARNER).all() for n in (3, 6))
    where = (league.seated[(players == 3)][:, :3] != LEARNER).mean(0)
    assert where == pytest.approx([where.mean()] * 3, abs=0.05)  # no seat is preferred


def test_results_count_for_the_opponent_at_the_table() -> None:
    league = League(from_dict(SMALL).selfplay, 3, 7, [make_agent("random", RFYL)], seed=1)
    league.seated[0, 1:3] = 0  # the learner alone at seat 0 of three
    league.seated[1, 0] = 0  # one opponent
    rewards = np.zeros((3, 7), np.float32)
    rewards[0, :3] = [2 / 3, -1 / 3, -1 / 3]
    rewards[1, :3] = [2 / 3, -1 / 3, -1 / 3]
    alone = league.note(np.arange(3), rewards, np.array([3, 3, 3]))
    assert alone == [("random", 3, pytest.approx(2 / 3))]
    assert league.members[0].games == 2
    assert league.members[0].share == pytest.approx(0.5)  # one won, one lost


def test_the_league_forgets_its_easiest_past_but_nobody_who_sits_at_a_table() -> None:
    league = League(from_dict(SMALL).selfplay, 2, 3, [make_agent("random", RFYL)], seed=1)
    for name, share in (("a", 0.9), ("b", 0.8)):
        league.add(name, make_agent("random", RFYL))
        league.members[-1].share = share
    league.seated[0, 0] = 1  # "a" plays
    league.add("c", make_agent("random", RFYL))
    assert [member.name for member in league.members] == ["random", "a", "c"]
    league.seated[:] = LEARNER
    league.add("d", make_agent("random", RFYL))
    assert [member.name for member in league.members] == ["random", "d", "c"]


# --- configurations ---


@pytest.mark.parametrize(
    "file",
    sorted(config.find("run_for_your_lives/quick").parent.parent.glob("*/*.toml")),
    ids=lambda f: f.stem,
)
def test_shipped_configurations_are_valid(file: Path) -> None:
    found = load(file)
    assert found.find_game().name == file.parent.name
    assert found.name == file.stem
    assert found.ppo.decisions <= 12_000_000


def test_overrides_reach_every_field() -> None:
    base = load("run_for_your_lives/quick")
    plain = base.as_dict()
    for section in ("network", "ppo", "selfplay", "run"):
        for key, value in plain[section].items():
            new: Any = {
                "hidden": [7, 7], "activation": "tanh", "critic": "own", "folder": "x", "device": "cuda",
                "scripted": ["random"],
            }.get(key)  # fmt: skip
            if new is None:
                new = (
                    (not value) if isinstance(value, bool) else [0.5, 0.25] if isinstance(value, list) else 1
                )
            text = json.dumps(new)
            for words in ([f"--{section}.{key}", text], [f"--{section}.{key}={text}"]):
                changed = load("run_for_your_lives/quick", words).as_dict()
                assert changed[section][key] == new
                changed[section][key] = value
                assert changed == plain
    assert load("run_for_your_lives/quick", ["--seed", "5", "--env.players", "4"]).variants() == [
        {"players": 4}
    ]
    assert load("run_for_your_lives/quick", ["--ppo.learning-rate", "0.5"]).ppo.learning_rate == (0.5, 0.5)


def test_lists_of_options_are_mixed() -> None:
    found = from_dict({**SMALL, "env": {"players": [3, 4], "reward": ["win", "rank"], "max_turns": 50}})
    assert found.variants() == [
        {"players": n, "reward": reward, "max_turns": 50} for n in (3, 4) for reward in ("win", "rank")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[ppo]\ngama = 1", r"\[ppo\] has no key 'gama'; did you mean 'gamma'\?"),
        ("pop = 1", "has no key 'pop'; did you mean 'ppo'"),
        ("[env]\nplayer = 3", "there is no option 'player'; did you mean 'players'"),
        ("[env]\nplayers = 9", "option players is 9, must be a whole number from 3 to 7"),
        ("[env]\nplayers = [3, 9]", "option players is 9"),
        ("[ppo]\nlanes = 2.5", "ppo.lanes is 2.5, must be a whole number"),
        ("[ppo]\nlanes = true", "ppo.lanes is True, must be a whole number"),
        ("[ppo]\nlanes = 0", "ppo.lanes is 0, must be 1 or more"),
        ("[ppo]\ngamma = 1.5", "ppo.gamma is 1.5, must be from 0 to 1"),
        ("[ppo]\ngamma = nan", "ppo.gamma is nan, must be from 0 to 1"),
        ("[ppo]\nlearning_rate = [1, 2, 3]", "must be a number, or two"),
        ("[ppo]\nlearning_rate = -1", "must be 0 or more"),
        ("[network]\nhidden = 64", "network.hidden is 64, must be a list of whole numbers"),
        ("[network]\ncritic = 'oracle'", "must be one of shared, own, central"),
        ("[run]\nfolder = 'runs/{nobody}'", "run.folder is .* must be a path"),
        ("run = 3", "run is 3, must be a section of keys"),
        ("seed = 2147483648", r"seed is 2147483648, must be 0 or more and below 2\*\*31"),
        ("seed = ", "is not valid TOML"),
    ],
)
def test_wrong_configurations_name_file_key_and_what_is_right(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'game = "outbreak/run_for_your_lives"\n{text}\n')
    with pytest.raises(ConfigError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value).partition("TOML")[0]


def test_wrong_names_and_overrides_say_what_would_be_right(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'run_for_your_lives/quick'"):
        load("run_for_your_lives/quik")
    (tmp_path / "none.toml").write_text("seed = 1")
    with pytest.raises(ConfigError, match="has no key game"):
        load(tmp_path / "none.toml")
    for words, message in (
        (["ppo.gamma", "1"], "is not an override"),
        (["--ppo.gamma"], "--ppo.gamma has no value"),
        (["--ppo.gamma", "--ppo.lam", "1"], "--ppo.gamma has no value"),
        (["--ppo.gama", "1"], "did you mean 'gamma'"),
        (["--seed.x", "1"], "seed is a single value"),
    ):
        with pytest.raises(ConfigError, match=message):
            load("run_for_your_lives/quick", words)
    with pytest.raises(ValueError, match="there is no agent 'heuristik'"):
        Trainer(small(tmp_path, "--selfplay.scripted", '["heuristik"]'))
    with pytest.raises(ConfigError, match=r"run.device is 'abacus', which cannot be used here"):
        Trainer(small(tmp_path, "--run.device", "abacus"))


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


@pytest.mark.parametrize("name", ["run_for_your_lives/default", "run_for_your_lives/mini"])
def test_policies_that_come_with_the_suite_play_and_say_where_they_come_from(name: str) -> None:
    agent = PolicyAgent.load(name)
    assert agent.name == f"ppo:{name}"
    assert {"config", "seed", "decisions", "seconds", "versions", "content"} <= set(agent.about)
    shipped = {key: value for key, value in load(name).as_dict().items() if key != "run"}
    assert {"curriculum": shipped["curriculum"], **agent.about["config"]} == shipped
    batch = make_batch(agent.game.id, 10, seed=1, variants=load(name).variants())
    batch.reset()
    for _ in range(60):
        batch.step(agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(0)))
    with pytest.raises(CheckpointError, match="did you mean 'run_for_your_lives/mini'"):
        PolicyAgent.load("run_for_your_lives/mimi")
