"""Set-up for all tests: the shared checks explain their failures like tests do; one small training run."""

from pathlib import Path

import pytest

pytest.register_assert_rewrite("checks", "oracle", "golden", "runs")


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run from its start to its end; nobody changes its files."""
    from small_runs import small

    from outbreak_rl.baselines.ppo import train

    folder = tmp_path_factory.mktemp("run")
    assert train(small(folder)) == folder / "policy.safetensors"
    return folder
