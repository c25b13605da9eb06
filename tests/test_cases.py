"""Rule cases and ledgers of every game that has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checks.actions import mask_is_the_law, one_lane
from checks.cases import Case
from checks.play import mask_of, over

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs import game_names
from outbreak_rl.envs.core import cases as rule_cases
from outbreak_rl.envs.core.toml import tomllib

FOLDER = Path(__file__).parent / "cases"


def cases_of(game: str) -> list[rule_cases.Case]:
    """None where the folder is missing: `test_case_names_are_unique` fails then, not the collection."""
    return rule_cases.find([FOLDER / game]) if (FOLDER / game).is_dir() else []


def ledger_of(game: str) -> list[dict[str, Any]]:
    path = FOLDER / game / "ledger.toml"
    assert path.is_file(), f"{game} has no ledger: tests/cases/{game}/ledger.toml"
    rules: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["rule"]
    return rules


CASES = [case for name in game_names() for case in cases_of(name)]


@pytest.mark.checked
@pytest.mark.plain
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.name}")
def test_case_holds(case: rule_cases.Case) -> None:
    case.run(find_game)


@pytest.mark.checked
@pytest.mark.parametrize("game", game_names())
def test_the_mask_is_the_law_in_every_case(game: str) -> None:
    """Conformance line 1 where random play seldom comes; every verb is legal in one case and illegal in another."""
    table = find_game(game).actions
    masks = []
    for case in CASES:
        lanes = None
        for env in case.moments(find_game) if case.game == game else ():
            lanes = lanes or one_lane(Case(env.game, case.name, env.options), env)
            if not over(env):
                masks.append(mask_of(env))
                mask_is_the_law(env, lanes)
    starts = list(table)
    for verb, first, end in zip(table.verbs, starts, [*starts[1:], table.size], strict=True):
        seen = {bool(mask[first:end].any()) for mask in masks}
        assert seen == {True, False}, f"{verb} is always or never legal"


@pytest.mark.parametrize("game", game_names())
def test_case_names_are_unique(game: str) -> None:
    names = [case.name for case in CASES if case.game == game]
    assert names, f"{game} has no rule cases: tests/cases/{game}/"
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("game", game_names())
def test_every_rule_of_the_ledger_has_cases_or_a_reason(game: str) -> None:
    known = {case.name for case in CASES if case.game == game}
    ledger = ledger_of(game)
    ids = [line["id"] for line in ledger]
    assert sorted(set(ids)) == sorted(ids)
    for line in ledger:
        assert line["says"].strip(), f"{line['id']} says nothing"
        assert bool(line.get("cases")) != bool(line.get("reason", "").strip()), (
            f"{line['id']}: cases, or a reason"
        )
        assert set(line.get("cases", [])) <= known, f"{line['id']} names cases that do not exist"


@pytest.mark.parametrize("game", game_names())
def test_every_case_proves_lines_of_the_ledger(game: str) -> None:
    ids = {line["id"] for line in ledger_of(game)}
    for case in CASES:
        if case.game == game:
            assert case.body.get("proves"), f"{case.name} proves nothing"
            assert set(case.body["proves"]) <= ids, f"{case.name} proves lines that do not exist"


def test_a_game_without_cases_fails_and_does_not_stop_the_others() -> None:
    assert cases_of("hollow") == []
    with pytest.raises(AssertionError, match="hollow has no rule cases"):
        test_case_names_are_unique("hollow")
    for test in (
        test_every_rule_of_the_ledger_has_cases_or_a_reason,
        test_every_case_proves_lines_of_the_ledger,
    ):
        with pytest.raises(AssertionError, match="hollow has no ledger"):
            test("hollow")


# --- the runner itself: each kind of expectation must be able to fail ----------------------------

RIGHT = """
[[case]]
name = "an item goes before me"
options = { players = 3 }
actions = ["bus -> self"]
[case.position]
hands = [["bus", "rope"], ["bat"], ["torch"]]
pile_top = ["ladder"]
[case.after]
turn = 1
tables = [["bus"], [], []]
hands = [["rope"], ["bat", "ladder"], ["torch"]]
legal_includes = ["bat -> self"]
illegal = ["rope -> self"]
refused = "rope -> self"
sees = [{ seat = 0, field = "hand", is = ["rope"] }, { seat = 2, field = "table:+1", includes = ["bus"] }]
"""

WRONG = {
    "turn = 1": "turn = 2",
    'tables = [["bus"], [], []]': 'tables = [[], ["bus"], []]',
    '["bat", "ladder"]': '["bat", "radio"]',
    'legal_includes = ["bat -> self"]': 'legal_includes = ["rope -> self"]',
    'illegal = ["rope -> self"]': 'illegal = ["bat -> self"]',
    'refused = "rope -> self"': 'refused = "bat -> self"',
    'is = ["rope"]': 'is = ["bat"]',
    'includes = ["bus"]': 'includes = ["bat"]',
    'actions = ["bus -> self"]': 'actions = ["bat -> self"]',
}


def run_text(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "run_for_your_lives"
    folder.mkdir(exist_ok=True)
    (folder / "some.toml").write_text(text)
    for case in rule_cases.find([folder]):
        case.run(find_game)


def test_a_right_case_holds(tmp_path: Path) -> None:
    run_text(tmp_path, RIGHT)


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_expectation_fails(tmp_path: Path, line: str) -> None:
    assert line in RIGHT
    with pytest.raises(rule_cases.CaseFailure):
        run_text(tmp_path, RIGHT.replace(line, WRONG[line]))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[case]]\nnam = 1", "has no name"),
        ("[[case", "not valid TOML"),
        ('[[case]]\nname = "x"\nactons = []', "did you mean 'actions'"),
        (RIGHT.replace('"bus", "rope"', '"bus", "ropes"'), "there is no card 'ropes'"),
        (RIGHT.replace("players = 3", "player = 3"), "did you mean 'players'"),
    ],
)
def test_a_bad_case_file_says_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        run_text(tmp_path, text)
