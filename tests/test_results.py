"""Tables made anew from the games that are kept, and the lines that `evaluate` can be asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outbreak_rl.baselines import tables
from outbreak_rl.baselines.evaluate import (
    FIRST_DEAL,
    Cell,
    cells,
    deals_for,
    evaluate,
    load,
    named,
    play_cell,
    provenance,
    save,
)
from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.zombicide.mission import mission_names

pytest.importorskip("pandas")
GAME, TEAM = find_game("run_for_your_lives"), find_game("pandemic")
AGENTS = ["scripted=heuristic", "A 1=random", "A 2=random"]
DESCRIBED = """
[among]
results = ["games"]
across = "players"
cell = "{times_fair:.3f}"
rows = [
  { text = "A", agent = "A *", others = "scripted", cell = "{share:.4f} {share.least:.4f} {share.most:.4f}" },
  { text = "{agent}", agent = "A *", others = "scripted", each = true },
]
[lines]
results = ["games"]
where = { agent = "scripted", players = 3 }
names = { scripted = "the script" }
columns = { "who" = "{agent} among {others}", "won" = "{share:.1%}" }
caption = false
[agents]
results = ["games"]
list = "agents"
columns = { "called" = "{agent}", "is" = "{is}" }
[speed]
results = ["speed/*.json"]
list = "bench"
columns = { "game" = "{title}", "batch" = "{batch_1[1].millions:.2f} M" }
"""
README = "".join(
    f"Before.\n<!-- table {name} -->\nold\n<!-- end of {name} -->\n"
    for name in ("among", "lines", "agents", "speed")
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with a README and results: a few games of three agents at two sizes, and a speed."""
    root = tmp_path_factory.mktemp("checkout")
    folder = root / tables.FOLDER
    folder.mkdir(parents=True)
    (folder / "tables.toml").write_text(DESCRIBED)
    (root / "README.md").write_text(README)
    grid = [{"players": 3}, {"players": 4}]
    lines, played = evaluate(GAME, AGENTS[1:], grid, 0, games=50, against=AGENTS[:1])
    about = provenance(GAME, ["outbreak", "evaluate", "ppo:/home/me/runs/x/policy.safetensors"], AGENTS)
    save(folder / "games", about, lines, played)
    rows = [{"key": "batch_1", "value": 1e6 * n, "ratio": None} for n in (1, 2)]
    speed = {"title": "G", "command": ["x"], "versions": {"python": "3"}, "machine": {}, "rows": rows}
    (folder / "speed").mkdir()
    (folder / "speed" / "g.json").write_text(json.dumps(speed))
    return root


def table(root: Path, name: str) -> list[str]:
    text = (root / "README.md").read_text()
    return text.partition(f"<!-- table {name} -->\n")[2].partition(f"<!-- end of {name} -->")[0].splitlines()


def test_tables_are_made_from_the_games(made: Path) -> None:
    assert len(tables.check(made)) == 4
    assert tables.rebuild(made) == ["among", "lines", "agents", "speed"]
    assert tables.check(made) == []
    assert tables.rebuild(made) == []
    _, played = load(made / tables.FOLDER / "games")
    share = {
        (cell.lone, cell.others, cell.options["players"]): float(games.won.mean()) for cell, games in played
    }
    first, second = (share[f"A {n}", "scripted", 3] for n in (1, 2))
    head, _, mean, one, other, *caption = table(made, "among")
    assert head == "|  | 3 | 4 |"
    low, high = sorted([first, second])
    assert mean.startswith(f"| A | {(low + high) / 2:.4f} {low:.4f} {high:.4f} | ")
    assert one.startswith(f"| A 1 | {3 * first:.3f} | ")
    assert other.startswith(f"| A 2 | {3 * second:.3f} | ")
    assert "outbreak evaluate ppo:x/policy.safetensors" in " ".join(caption)
    assert "/home" not in " ".join(caption)
    assert table(made, "lines")[2:] == [
        f"| the script among A {n} | {share['scripted', f'A {n}', 3]:.1%} |" for n in (1, 2)
    ]
    assert table(made, "agents")[2:5] == ["| scripted | heuristic |", "| A 1 | random |", "| A 2 | random |"]
    assert table(made, "speed")[2] == "| G | 2.00 M |"
    assert (made / "README.md").read_text().startswith("Before.\n<!-- table among -->")


def test_what_was_changed_by_hand_is_found(made: Path) -> None:
    tables.rebuild(made)
    readme, folder = made / "README.md", made / tables.FOLDER / "games"
    whole, kept = readme.read_text(), (folder / "results.json").read_text()
    readme.write_text(whole.replace("| G | 2.00 M |", "| G | 3.00 M |"))
    assert tables.check(made) == ["README.md: table speed is not what its files say"]
    readme.write_text(whole)
    changed = json.loads(kept)
    changed["lines"][0]["share"] += 0.01
    (folder / "results.json").write_text(json.dumps(changed))
    assert tables.check(made) == [f"{folder / 'results.json'}: its lines are not what the games say"]
    (folder / "results.json").write_text(kept)
    assert tables.check(made) == []


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('across = "players"', 'acros = "players"', r"\[among\] has no key 'acros'; did you mean 'across'"),
        ('["games"]\nwhere', '["game"]\nwhere', "table lines: there is nothing at"),
        ('agent = "scripted", players = 3', 'agent = "nobody"', "table lines: none of its records fits"),
        ('agent = "A *", others = "scripted", each', 'agent = "B *", each', "nothing fits the row '{agent}'"),
        ("{share:.1%}", "{shares:.1%}", r"'\{shares:.1%\}' cannot be filled"),
        ("[speed]", "[sped]", "there is no table 'speed'; did you mean 'sped'"),
        ("[speed]", '[more]\nresults = ["games"]\n[speed]', "has no place .* for more"),
        ("[speed]", "[speed", "is not valid TOML"),
        ('list = "agents"', 'list = "nothing"', "has no list 'nothing'"),
    ],
)
def test_wrong_descriptions_are_one_sentence(made: Path, before: str, after: str, message: str) -> None:
    path = made / tables.FOLDER / "tables.toml"
    assert before in DESCRIBED
    path.write_text(DESCRIBED.replace(before, after, 1))
    try:
        with pytest.raises(ValueError, match=message):
            tables.rebuilt(made)
    finally:
        path.write_text(DESCRIBED)


def test_commands_of_the_suites_tables_are_well_formed() -> None:
    """Every table of the suite says how its files are made."""
    described = tables.describe(Path(__file__).parent.parent)
    made = [command for table in described for command in table.commands]
    assert all("outbreak " in command for command in made)
    for entry in described:
        saved = [f"{tables.FOLDER.as_posix()}/{pattern.partition('*')[0]}" for pattern in entry.results]
        for place in saved:
            folder = place.rpartition("/")[0] if place.endswith(".json") else place.rstrip("/")
            assert any(folder in command for command in made), f"{entry.name}: nothing makes {place}"


def test_the_suites_figures_reach_their_aim() -> None:
    """On the smallest deck self-play ends below a fifth of the uniform policy's exploitability."""
    folder = Path(__file__).parent.parent / "baselines" / "results" / "exploitability"
    for name in ("endgame", "mini"):
        about = json.loads((folder / name / "results.json").read_text())
        ends = [row["of_uniform"] for row in about["curve"] if row["last"]]
        assert ends
        assert max(ends) < 0.2


# --- lines that can be asked for ---


def test_chance_and_doing_nothing_won_no_mission_of_zombicide() -> None:
    """Random play wins less than 2 % of ten thousand games of every mission, an idle team none."""
    folder = Path(__file__).parents[1] / tables.FOLDER / "zombicide" / "random"
    _, played = load(folder)
    shipped = [(cell, games) for cell, games in played if cell.options["mission"] != "random"]
    assert {cell.options["mission"] for cell, _ in shipped} == set(mission_names())
    assert {cell.lone for cell, _ in shipped} == {"random", "idle"}
    for cell, games in shipped:
        assert len(games.won) == 10_000
        assert games.won.mean() < (0.02 if cell.lone == "random" else 1e-9)


def test_games_a_line_are_whole_deals() -> None:
    assert [deals_for(GAME, {"players": n}, 4200) for n in (3, 4, 5, 6, 7)] == [1400, 1050, 840, 700, 600]
    assert deals_for(GAME, {"players": 7}, 15) == 3
    assert deals_for(TEAM, {"players": 4}, 15) == 15


def test_agents_have_names_in_tables() -> None:
    assert named("PPO 1=ppo:runs/a=b/policy") == ("PPO 1", "ppo:runs/a=b/policy")
    assert named("ppo:runs/a=b/policy") == ("ppo:runs/a=b/policy",) * 2
    assert named("heuristic") == ("heuristic", "heuristic")


def test_agents_are_played_against_some_and_not_among_themselves() -> None:
    found = [(cell.lone, cell.others) for cell in cells(GAME, ["a", "b"], [{}], ["x", "a"])]
    assert found == [("a", "x"), ("x", "a"), ("b", "x"), ("x", "b"), ("b", "a"), ("a", "b")]


def test_teams_are_mixed_from_two_agents() -> None:
    pairs = [(cell.lone, cell.others) for cell in cells(TEAM, ["a", "b"], [{}], cross=True)]
    assert pairs == [("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")]
    seen: dict[str, set[int]] = {"one": set(), "many": set()}

    class Watching:
        def __init__(self, name: str) -> None:
            self.name = name

        def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: Any) -> np.ndarray:
            records = np.ascontiguousarray(views).view(TEAM.fields.dtype)[:, 0]
            seen[self.name] |= set(records["players"].tolist())
            return np.asarray(masks.argmax(axis=1))

    agents: Any = {name: Watching(name) for name in seen}
    options = {"players": 3, "epidemics": 4}
    *_, games = play_cell(TEAM, Cell(options, "one", "many"), agents, 6)
    assert games.deal.tolist() == [FIRST_DEAL + n for n in range(6)]
    assert games.seat.tolist() == [0, 1, 2, 0, 1, 2]  # the lone one sits elsewhere from deal to deal
    assert seen == {"one": {3}, "many": {3}}
