"""The command line as a user meets it."""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from outbreak_rl.envs import game_names

GAME = "outbreak/run_for_your_lives"


OWN = """
import numpy as np

from outbreak_rl.baselines.agents import Single

class Mine(Single):
    def act(self, view, mask, rng, sampler=None):
        import friend

        assert view["to_act"] == 1 and friend.WORD
        return int(mask.nonzero()[0][-1])

class Half:
    def act(self, view, mask, rng, sampler=None):
        return 0

class Base(Single):
    pass

class Asks(Mine):
    def __init__(self, depth):
        pass
"""


def outbreak(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "outbreak_rl.baselines.cli", *arguments]
    with tempfile.TemporaryDirectory() as elsewhere:  # not the checkout, whose folders must not be imported
        return subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=300, cwd=elsewhere
        )


@pytest.mark.parametrize(
    "command", ["envs", "play", "evaluate", "exploit", "plot", "results", "bench", "cases", "replay"]
)
def test_every_command_has_help(command: str) -> None:
    result = outbreak(command, "--help")
    assert result.returncode == 0
    assert "Usage" in result.stdout


def test_envs_lists_every_game_and_shows_its_page() -> None:
    listed = outbreak("envs").stdout
    for name in game_names():
        assert f"outbreak/{name}" in listed
    page = outbreak("envs", GAME).stdout
    assert "fatal_special" in page
    assert "refreshes" in page


def test_the_missions_of_a_game_are_listed_and_can_be_drawn(tmp_path: Path) -> None:
    page = " ".join(outbreak("envs", "zombicide").stdout.split())
    assert "`tutorial` (easy, 1 tile, 9 zones, 4 to 6 survivors): One street, one house" in page
    assert "none may be lost" in page
    pictures = []
    for mission in ("tutorial", "yard"):
        path = tmp_path / f"{mission}.svg"
        drawn = outbreak("envs", "zombicide", "-o", f"mission={mission}", "--picture", str(path))
        assert drawn.returncode == 0, drawn.stderr
        pictures.append(path.read_text())
    assert all(text.startswith("<svg") for text in pictures)
    assert "First steps" in pictures[0]
    assert "The yard" in pictures[1]
    drawn = outbreak("envs", "zombicide", "--picture", str(tmp_path / "it.png"))
    assert drawn.returncode == 0, drawn.stderr
    assert (tmp_path / "it.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("envs", "outbreak/pandemc"), "there is no game 'outbreak/pandemc'"),
        (("evaluate", GAME, "heuristc", "random"), "there is no agent 'heuristc'"),
        (("evaluate", GAME, "idle", "random"), "has no idle player"),
        (("evaluate", GAME, "nowhere.py:Mine", "random"), "nowhere.py cannot be read: there is no such file"),
        (
            ("evaluate", GAME, "{folder}/own.py", "random"),
            "must name its class, such as {folder}/own.py:Class",
        ),
        (("evaluate", GAME, "{folder}/own.py:Mien", "random"), "has no class 'Mien'; did you mean 'Mine'"),
        (("evaluate", GAME, "{folder}/own.py:Half", "random"), "it has no act_batch, name (see"),
        (("evaluate", GAME, "{folder}/own.py:Base", "random"), "own.py:Base is no agent: it has no act (see"),
        (
            ("evaluate", GAME, "{folder}/own.py:Asks", "random"),
            "its class asks for depth, must ask for nothing",
        ),
        (
            ("evaluate", GAME, "{folder}/bad.py:Mine", "random"),
            "bad.py, line 2, cannot be loaded: KeyError: 'x'",
        ),
        (("evaluate", GAME, "no.such:Mine", "random"), "there is no module 'no.such' for an agent"),
        (("play", GAME, "--others", "{folder}/own.py:Half"), "it has no act_batch, name (see"),
        (("envs", "-o", "players=4"), "need a game"),
        (("envs", "zombicide", "-o", "players=4"), "--option needs --picture"),
        (("envs", "zombicide", "--picture", "it.jpg"), "'it.jpg', must end in .svg or .png"),
        (("envs", "zombicide", "--picture", "it"), "'it', must end in .svg or .png"),
        (("replay", "nowhere.json", "--picture", "it.gif"), "'it.gif', must end in .svg or .png"),
        (("plot", "nowhere", "-o", "it.gif"), "must end in one of .svg, .png, .pdf"),
        (("plot", "{folder}/lines", "-o", "it.svg"), "progress.jsonl is damaged"),
        (("plot", "{folder}/results", "-o", "it.svg"), "results.json is damaged"),
        (("play", GAME, "--save", "{folder}"), "cannot be written: it is a folder"),
        (("play", GAME, "--position", "nowhere.toml"), "there are run_for_your_lives/endgame"),
        (("play", GAME, "--seat", "-7"), "greater than or equal to -1"),
        (("replay", "nowhere.json", "--position", "{folder}"), "cannot be written: it is a folder"),
        (("bench", GAME, "-o", "players=9", "--no-starts"), "option players is 9"),
        (("evaluate", GAME, "=random", "heuristic"), "must have a name before the ="),
        (("envs", "zombicide", "-o", "mission=5", "--picture", "it.svg"), "mission is 5, must be a text"),
        (("envs", "zombicide", "-o", "characters=5", "--picture", "it.svg"), "must be a list of names"),
        (("results", "--root", "{folder}/checkout"), "README.md: No such file"),
        (("cases", "{folder}/a.toml"), "case must be a list of tables"),
        (("cases", "{folder}/b.toml"), "game is 7, must be a text"),
        (("envs", "zombicide", "-o", "mission=yrd", "--picture", "it.svg"), "did you mean 'yard'"),
        (("evaluate", GAME, "random", "heuristic", "-o", "players=9"), "option players is 9"),
        (("evaluate", GAME, "random", "heuristic", "-o", "player=4"), "did you mean 'players'"),
        (("evaluate", GAME, "random", "heuristic", "-o", "players"), "must have the form name=value"),
        (("play", GAME, "--seat", "9"), "seat is 9, must be 0 to 3"),
        (("replay", "nowhere.json"), "cannot be read"),
        (("results", "--check"), "run this in a checkout"),
        (("evaluate", GAME, "random", "heuristic", "--cross"), "everybody plays alone"),
        (("evaluate", GAME, "a=random", "a=heuristic"), "two agents are called 'a'"),
    ],
)
def test_what_a_user_can_mend_is_one_sentence(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    damaged = {
        "lines/progress.jsonl": "{",
        "results/results.json": '{"lines": [{}]}',
        "checkout/baselines/results/tables.toml": "",
        "a.toml": "case = [3]",
        "b.toml": "game = 7",
        "own.py": OWN,
        "bad.py": "table = {}\ntable['x']\n",
    }
    for name, content in damaged.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    result = outbreak(*(word.format(folder=tmp_path) for word in arguments))
    assert result.returncode == 2
    assert says.format(folder=tmp_path) in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_own_agents_are_evaluated_by_the_names_given_to_them(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "friend.py").write_text("WORD = 'a file beside it'\n")
    own = f"{tmp_path}/own.py:Mine"
    command = ("evaluate", GAME, f"mine={own}", "random", "--deals", "2", "-o", "players=3")
    result = outbreak(*command, "--save", str(tmp_path / "kept"))
    assert result.returncode == 0, result.stderr
    about = json.loads((tmp_path / "kept" / "results.json").read_text())
    assert [line["agent"] for line in about["lines"]] == ["mine", "random"]
    short = f"{tmp_path.name}/own.py:Mine"
    assert about["agents"]["mine"]["is"] == short
    assert f"mine={short}" in about["command"]  # without this machine's folders
    played = outbreak("play", GAME, "-o", "players=3", "--seat", "-1", "--seed", "1", "--others", own)
    assert "Result:" in played.stdout, played.stderr


@pytest.mark.parametrize("command", [("evaluate", "--help"), ("play", "--help")])
def test_help_names_all_kinds_of_agents(command: tuple[str, ...]) -> None:
    shown = " ".join(outbreak(*command).stdout.replace("│", " ").split())
    for kind in ("heuristic", "random", "idle", "ppo:PATH", "FILE.py:Class"):
        assert kind in shown


def test_train_lists_the_keys_of_a_configuration() -> None:
    shown = outbreak("train", "--keys")
    assert shown.returncode == 0, shown.stderr
    line = next(line for line in shown.stdout.splitlines() if "ppo.epochs" in line)
    assert line.split()[:4] == ["ppo.epochs", "whole", "number", "2"]
    assert "[env]" in shown.stdout
    assert "--keys" in outbreak("train", "--help").stdout


def test_cases_command_counts_and_fails(tmp_path: Path) -> None:
    folder = tmp_path / "run_for_your_lives"
    folder.mkdir()
    good = '[[case]]\nname = "four players"\n[case.after]\nturned = [0, 0, 0, 0]\n'
    (folder / "some.toml").write_text(good)
    assert outbreak("cases", str(folder)).stdout.splitlines()[-1] == "1 passed, 0 failed"
    (folder / "some.toml").write_text(good.replace("0, 0, 0, 0", "0, 1, 0, 0"))
    result = outbreak("cases", str(folder))
    assert result.returncode == 1
    assert "four players" in result.stdout
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("actions = [5]", "actions must be a list of texts"),
        ("seed = true", "seed must be a whole number"),
        ("after = { sees = [3] }", "after has something of a wrong kind"),
        ("after = { rewards = ['a', 'b', 'c', 'd'] }", "after has something of a wrong kind"),
    ],
)
def test_a_case_of_a_wrong_kind_fails_with_a_sentence(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "one.toml").write_text(f"game = '{GAME}'\n[[case]]\nname = 'one'\n{line}\n")
    result = outbreak("cases", str(tmp_path))
    assert result.returncode == 1
    assert says in result.stdout
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed"
    assert "Traceback" not in result.stderr


def test_a_person_plays_a_game_and_the_replay_comes_out_the_same(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    played = outbreak(
        "play",
        GAME,
        "-o",
        "players=3",
        "--seed",
        "4",
        "--save",
        str(saved),
        given="nonsense\nlog\nlook\n" + "1\n" * 200,
    )
    assert played.returncode == 0, played.stderr
    assert "'nonsense' is not a legal action here" in played.stdout
    assert "Result:" in played.stdout
    end = tmp_path / "end.toml"
    again = outbreak("replay", str(saved), "--picture", str(tmp_path / "end.svg"), "--position", str(end))
    assert again.returncode == 0, again.stderr
    assert "the same end as recorded" in again.stdout
    assert (tmp_path / "end.svg").read_text().startswith("<svg")
    assert outbreak("replay", str(saved), "--picture", str(tmp_path / "end.png")).returncode == 0
    assert (tmp_path / "end.png").read_bytes().startswith(b"\x89PNG")
    shown = outbreak("play", GAME, "-o", "players=3", "--position", str(end))
    assert "Result:" in shown.stdout, shown.stderr
    end.write_text(end.read_text().replace("pile_size", "pile_sise"))
    assert (
        "did you mean 'pile_size'" in outbreak("play", GAME, "-o", "players=3", "--position", str(end)).stderr
    )
    spoilt = json.loads(saved.read_text())
    spoilt["actions"][0] = (spoilt["actions"][0] + 1) % 148
    saved.write_text(json.dumps(spoilt))
    assert outbreak("replay", str(saved)).returncode == 2


def test_a_person_may_leave() -> None:
    assert "You have left" in outbreak("play", GAME, "--seed", "4", given="quit\n").stdout
    assert "You have left" in outbreak("play", GAME, "--seed", "4", given="").stdout


def test_evaluate_writes_rows_and_a_table(tmp_path: Path) -> None:
    command = (
        "evaluate",
        GAME,
        "heuristic",
        "random",
        "--deals",
        "20",
        "-o",
        "players=4",
        "--save",
        str(tmp_path),
    )
    result = outbreak(*command)
    assert result.returncode == 0, result.stderr
    with gzip.open(tmp_path / "games.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 20 * 4
    about = json.loads((tmp_path / "results.json").read_text())
    assert about["lines"][0]["agent"] == "heuristic"
    assert about["first_deal_seed"] == 1 << 33
    first = (tmp_path / "games.csv.gz").read_bytes()
    outbreak(*command)
    assert (tmp_path / "games.csv.gz").read_bytes() == first


def test_the_checkout_refuses_to_be_imported_as_envs() -> None:
    root = Path(__file__).parent.parent
    result = subprocess.run([sys.executable, "-c", "import envs"], cwd=root, capture_output=True, text=True)
    assert result.returncode != 0
    assert "import outbreak_rl.envs, not envs" in result.stderr
