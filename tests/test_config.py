"""Training configurations: what is wrong is named with its file, its key and what would be right."""

import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from small_runs import SMALL, small  # noqa: E402

from outbreak_rl.baselines import config  # noqa: E402
from outbreak_rl.baselines.config import ConfigError, from_dict, keys, load  # noqa: E402
from outbreak_rl.baselines.ppo import Trainer  # noqa: E402


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
            if key == "shaping":
                continue  # needs a game with a potential: test_shaping.py
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


def test_every_key_is_listed_with_its_type_default_and_meaning() -> None:
    listed = {key.name: key for key in keys()}
    plain = config.Config("").as_dict()
    flat = {key: value for key, value in plain.items() if not isinstance(value, dict) or key == "env"}
    sections = {key: value for key, value in plain.items() if key not in flat}
    flat |= {f"{section}.{key}": value for section, held in sections.items() for key, value in held.items()}
    assert set(listed) == set(flat)
    assert all(key.about and key.type for key in listed.values())
    assert listed.pop("game").default is None
    assert {name: json.loads(key.default) for name, key in listed.items()} == {
        name: value for name, value in flat.items() if name != "game"
    }
    assert listed["ppo.learning_rate"].type == "number, or two: at the start and at the end"
    assert listed["selfplay.scripted"].type == "list of texts"


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
