"""The README's Python runs as it stands there, and its tables are the files' figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_python_blocks_run(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})


def test_the_own_agent_is_evaluated_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy")
    from outbreak_rl.baselines import cli

    (block,) = (block for block in BLOCKS if "(Single)" in block)
    (command,) = re.findall(r"^outbreak (evaluate .*own\.py:.*)$", README, re.MULTILINE)
    (tmp_path / "own.py").write_text(block)
    monkeypatch.chdir(tmp_path)
    cli.app(command.replace("--deals 100", "--deals 4").split(), standalone_mode=False)
    assert re.search(r"medic +4 ", capsys.readouterr().out)


def test_links_inside_the_repository_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README):
        assert (ROOT / target).exists(), target


def test_tables_are_what_the_files_say() -> None:
    pytest.importorskip("pandas")
    from outbreak_rl.baselines import tables

    assert tables.check(ROOT) == []
