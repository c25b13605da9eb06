"""Policies and their files: damaged, foreign and hostile ones are refused, nothing in them runs."""

import contextlib
import errno
import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from small_runs import RFYL, rewrite, tensors  # noqa: E402

from outbreak_rl.baselines import checkpoint, policy  # noqa: E402
from outbreak_rl.baselines.checkpoint import CheckpointError  # noqa: E402
from outbreak_rl.baselines.config import completed, load  # noqa: E402
from outbreak_rl.baselines.policy import PolicyAgent  # noqa: E402
from outbreak_rl.envs import make_batch  # noqa: E402


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
    assert PolicyAgent.load(whole).name == f"ppo:{whole}"  # a run's folder holds its policy
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


@pytest.mark.parametrize("name", ["run_for_your_lives/default", "run_for_your_lives/mini"])
def test_policies_that_come_with_the_suite_play_and_say_where_they_come_from(name: str) -> None:
    agent = PolicyAgent.load(name)
    assert agent.name == f"ppo:{name}"
    assert {"config", "seed", "decisions", "seconds", "versions", "content"} <= set(agent.about)
    assert agent.about["results"]
    made, shipped = completed(agent.about["config"]), load(name).as_dict()
    assert {**made, "run": shipped["run"]} == shipped  # a policy is made anew when its configuration changes
    batch = make_batch(agent.game.id, 10, seed=1, variants=load(name).variants())
    batch.reset()
    for _ in range(60):
        batch.step(agent.act_batch(batch.flat_views, batch.masks, np.random.default_rng(0)))
    with pytest.raises(CheckpointError, match="did you mean 'run_for_your_lives/mini'"):
        PolicyAgent.load("run_for_your_lives/mimi")


def test_no_flipped_bit_of_a_header_goes_unnoticed(tmp_path: Path) -> None:
    good = tmp_path / "good.safetensors"
    checkpoint.write(
        good, {"a": np.arange(3), "b": np.ones((2, 2), np.float32)}, {"update": 3, "rng": [1, 2]}
    )
    content = good.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    for at in range(start):
        for bit in range(8):
            damaged = bytearray(content)
            damaged[at] ^= 1 << bit
            (tmp_path / "bad.safetensors").write_bytes(damaged)
            with contextlib.suppress(checkpoint.CheckpointError):
                arrays, about = checkpoint.read(tmp_path / "bad.safetensors")
                assert about == {"update": 3, "rng": [1, 2]}
                assert list(arrays) == ["a", "b"]
