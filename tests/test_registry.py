"""What the registry says of folders that are no games."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from outbreak_rl.envs import registry


def test_a_folder_without_a_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game_names", lambda: ("hollow", "pandemic"))
    monkeypatch.setitem(sys.modules, "outbreak_rl.envs.hollow", ModuleType("outbreak_rl.envs.hollow"))
    with pytest.raises(ValueError, match=r"envs.hollow is not a game: its __init__.py must have a GAME"):
        registry.game("hollow")
