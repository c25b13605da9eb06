"""These tests need libraries that cannot all be installed side by side: they are looked at only when asked for."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    marks = config.option.markexpr
    return None if "interop" in marks and "not interop" not in marks else True
