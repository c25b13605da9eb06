"""Rules that no shipped mission brings into play: rule cases on a small mission of the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.cases import Case

MISSION = """
tiles = [["4P@180"]]
start = "4P.S5"
spawns = [{ zone = "4P.S1" }]
doors = [{ between = ["4P.R2", "4P.S6"], colour = "violet" }, { between = ["4P.R1", "4P.S7"] }]
switches = [{ zone = "4P.S6", colour = "violet" }]
objectives = [{ zone = "4P.S6", colour = "violet" }, { zone = "4P.S1" }]
cars = [
    { kind = "pimpmobile", zone = "4P.S5" },
    { kind = "pimpmobile", zone = "4P.S5" },
    { kind = "hippiemobile", zone = "4P.S5" },
    { kind = "muscle car", zone = "4P.S5" },
]
safe = ["4P.R1"]
goals = [{ kind = "objectives" }]
"""


def run(tmp_path: Path, actions: list[str], position: dict[str, Any], after: dict[str, Any]) -> None:
    file = tmp_path / "own.toml"
    file.write_text(MISSION)
    names = [one["name"] for one in position["survivors"]]
    options = {"players": 1, "survivors": len(names), "characters": names, "mission": str(file)}
    body = {"name": "", "options": options, "actions": actions, "position": position, "after": after}
    Case(file, "zombicide", body).run(find_game)


@pytest.mark.checked
@pytest.mark.plain
def test_the_first_user_of_a_switch_takes_the_objective_beside_it(tmp_path: Path) -> None:
    survivors = [{"name": "Kim", "zone": "4P.S6", "actions": 3}]
    position = {"survivors": survivors, "zombie_deck_top": [91, 95]}
    run(tmp_path, [], position, {"illegal": ["take the objective"], "legal_includes": ["use the switch"]})
    taken = {"taken": ["4P.S6"], "xp": [5], "actions": [2], "open": ["4P.R2 | 4P.S6"]}
    run(tmp_path, ["use the switch"], position, taken)
    again = {"xp": [5], "actions": [1], "open": []}
    run(tmp_path, ["use the switch", "use the switch"], position, again)


@pytest.mark.checked
@pytest.mark.plain
def test_a_door_that_is_opened_once_more_spawns_nothing(tmp_path: Path) -> None:
    survivors = [{"name": "Kim", "zone": "4P.S6", "actions": 4}]
    position = {"survivors": survivors, "zombie_deck_top": [92, 95]}
    drawn = {"drawn_zombie_cards": [92], "zombies": {"4P.R2": {"walker": 1}}, "open": ["4P.R2 | 4P.S6"]}
    run(tmp_path, ["use the switch"] * 3, position, drawn)


@pytest.mark.checked
@pytest.mark.plain
def test_of_several_pimpmobiles_and_hippiemobiles_one_holds_a_gunblade(tmp_path: Path) -> None:
    survivors = [{"name": "Kim", "zone": "4P.S5", "actions": 3}, {"name": "Belle", "zone": "4P.S5"}]
    nothing = {"illegal": [f"search car {car}" for car in (1, 2, 3, 4)]}
    full = {"legal_includes": [f"search car {car}" for car in (1, 2, 3)], "illegal": ["search car 4"]}
    run(tmp_path, [], {"survivors": survivors}, full)
    run(tmp_path, ["search car 3", "nothing", "end turn"], {"survivors": survivors}, nothing)


@pytest.mark.checked
@pytest.mark.plain
def test_nothing_is_spawned_in_a_safety_zone(tmp_path: Path) -> None:
    survivors = [{"name": "Kim", "zone": "4P.S7", "actions": 3, "hands": ["claw hammer"]}]
    position = {"survivors": survivors, "zombie_deck_top": [92]}
    after = {"drawn_zombie_cards": [92], "zombies": {"4P.R2": {"walker": 1}}}
    run(tmp_path, ["open 2 silently"], position, after)
