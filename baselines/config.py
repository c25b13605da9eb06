"""Training configurations: typed, strict, from TOML, every field open to the command line.

A file has the keys of `Config`; ``[env]`` holds options of the game, where a list means that the
lanes are dealt from each of its values in turn.  What is not known is refused with the file, the key
and the nearest right one.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.options import nearest
from outbreak_rl.envs.core.options import option as setting
from outbreak_rl.envs.core.toml import tomllib

from .agents import has_potential
from .networks import ACTIVATIONS, CRITICS, Shape
from .starts import find as find_position

T = TypeVar("T")
Schedule = tuple[float, float]  # at the start and at the end of the run; one number in TOML means both


class ConfigError(ValueError):
    """A configuration that cannot be: the message names file, key and what would be right."""


@dataclass(frozen=True)
class Ppo:
    """The algorithm."""

    decisions: int = setting(12_000_000, "decisions of all lanes and seats together, until the run ends")
    lanes: int = setting(512, "games side by side")
    steps: int = setting(64, "decisions of every lane in one rollout")
    epochs: int = setting(2, "times that an update goes over its rollout")
    minibatches: int = setting(8, "parts of a rollout, one gradient step each")
    learning_rate: Schedule = setting((1e-3, 1e-4), "Adam's learning rate")
    entropy: Schedule = setting((0.1, 0.05), "weight of the entropy bonus")
    gamma: float = setting(1.0, "discount between a seat's own decisions")
    lam: float = setting(0.95, "lambda of the generalised advantage estimation")
    clip: float = setting(0.2, "how far a probability ratio may leave 1")
    value: float = setting(0.5, "weight of the critic's loss")
    gradient: float = setting(0.5, "largest norm of a gradient")
    kl: float = setting(0.0, "an update ends when it has moved this far; 0: never")
    memory: float = setting(0.99, "how slowly the running statistics of the returns forget")
    shaping: float = setting(0.0, "weight of the game's potential, by which rewards are shaped; 0: none")


@dataclass(frozen=True)
class SelfPlay:
    """Who sits at the table."""

    latest: float = setting(0.5, "share of deals in which all seats are the learner's")
    one: float = setting(0.5, "of the other deals, the share in which the learner has one seat")
    past: int = setting(8, "earlier versions of the learner that are kept")
    every: int = setting(20, "updates between two versions that are kept")
    scripted: tuple[str, ...] = setting(
        (), "opponents by name: heuristic, random, idle, ppo:PATH, FILE.py:Class"
    )
    scripted_share: float = setting(
        0.5, "share of the scripted among deals with opponents, where there are both kinds"
    )
    hardness: float = setting(1.0, "opponents are drawn with weights (1 - share of wins) ** hardness")
    at_once: int = setting(2, "opponents that new deals are given between two updates")


@dataclass(frozen=True)
class Curriculum:
    """Cooperative games: an option of ``[env]`` whose listed values open one after the other."""

    option: str = setting(
        "", "option of [env] whose list goes from easy to hard; empty: all are dealt from the start"
    )
    share: float = setting(0.25, "share of wins at the hardest open value that opens the next one")
    games: int = setting(200, "games that this share is taken over at least")
    hardest: float = setting(
        0.5, "share of deals that get the hardest open value; the others get any open one"
    )


@dataclass(frozen=True)
class Run:
    """Where and how it runs."""

    folder: str = setting(
        "runs/{name}-{seed}", "where everything is kept; {name}, {seed}, {game} are filled in"
    )
    resume: bool = setting(False, "go on with the run that lies in the folder")
    device: str = setting("cpu", "device of the learner, such as cpu or cuda")
    threads: int = setting(2, "threads of the learner; runs repeat byte for byte only at the same number")
    env_threads: int = setting(1, "threads of the games")
    checkpoint_every: int = setting(20, "updates between two checkpoints")
    policies_every: int = setting(0, "updates between two policies kept for good; 0: only the last one")
    tensorboard: bool = setting(True, "write the figures for TensorBoard, too")
    progress: bool = setting(True, "show a progress bar")


@dataclass(frozen=True)
class Config:
    """One training run: game, seed and the sections."""

    game: str = field(metadata={"about": "the game, such as outbreak/pandemic"})
    seed: int = setting(1, "seed of the run, below 2**31")
    position: str = setting(
        "", "file or name of a position at which every game begins (hidden things drawn anew); empty: deals"
    )
    initial: str = setting("", "file or name of a policy whose network the run begins with; empty: a new one")
    env: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"about": "options of the game (outbreak envs GAME); a list gives lanes its values in turn"},
    )
    network: Shape = field(default_factory=Shape)
    ppo: Ppo = field(default_factory=Ppo)
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    curriculum: Curriculum = field(default_factory=Curriculum)
    run: Run = field(default_factory=Run)
    name: str = setting("run", "name of the run, by default that of the file")

    @property
    def folder(self) -> Path:
        """The folder of the run, names filled in."""
        return Path(self.run.folder.format(name=self.name, seed=self.seed, game=self.game.rpartition("/")[2]))

    def find_game(self) -> Game:
        """The game's description."""
        return find_game(self.game)

    def variants(self) -> list[dict[str, Any]]:
        """The option sets that the lanes are dealt from: every choice from the lists of ``[env]``."""
        defaults = {item.name: item.default for item in dataclasses.fields(self.find_game().options)}
        choices = []
        for key, value in self.env.items():
            row = isinstance(defaults.get(key), tuple)  # the option itself is a list
            many = isinstance(value, (list, tuple)) and (
                not row or any(isinstance(v, (list, tuple)) for v in value)
            )
            values = value if many else [value]
            choices.append([(key, tuple(v) if isinstance(v, list) else v) for v in values])
        return [dict(chosen) for chosen in itertools.product(*choices)]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as TOML or JSON hold them."""
        return _plain(dataclasses.asdict(self))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Key:
    """A key of a configuration: its full name, type, default (None: it must be given) and meaning, as text."""

    name: str
    type: str
    default: str | None
    about: str


def keys(kind: type[Any] = Config, section: str = "") -> Iterator[Key]:
    """All keys of a configuration, sections after single values, as the dataclasses declare them."""
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)
    for item in fields:
        hint = hints[item.name]
        if not dataclasses.is_dataclass(hint):
            factory = item.default_factory
            default = item.default if factory is dataclasses.MISSING else factory()
            text = None if default is dataclasses.MISSING else json.dumps(default)
            yield Key(f"{section}{item.name}", _word(hint), text, item.metadata["about"])
    for item in fields:
        if dataclasses.is_dataclass(hints[item.name]):
            yield from keys(typing.cast(type[Any], hints[item.name]), f"{item.name}.")


def completed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The plain values of a configuration that a run or a policy has kept; a setting that did not exist
    when it was made had its default."""
    fresh = Config("").as_dict()
    return {
        key: {**default, **values.get(key, {})} if isinstance(default, dict) else values.get(key, default)
        for key, default in fresh.items()
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


# --- reading --------------------------------------------------------------------------------------


def load(path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """A configuration from a file (or a name such as ``run_for_your_lives/quick``) and overrides
    as on a command line: ``--ppo.epochs 3`` or ``--ppo.epochs=3``."""
    place = find(path)
    try:
        values = tomllib.loads(place.read_text("utf-8"))
    except OSError as wrong:
        raise ConfigError(f"{place} cannot be read: {wrong.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{place} is not valid TOML: {wrong}") from None
    values.setdefault("name", place.stem)
    return from_dict(values, str(place), overrides)


def find(path: str | Path) -> Path:
    """The file of a configuration: a path, or the name of one that comes with the suite."""
    place = Path(path)
    if place.exists():
        return place
    shipped = Path(str(files("outbreak_rl.configs")))
    inside = shipped / place.with_suffix(".toml")
    if inside.exists():
        return inside
    names = sorted(str(file.relative_to(shipped).with_suffix("")) for file in shipped.glob("*/*.toml"))
    raise ConfigError(f"there is no configuration {str(path)!r}{nearest(str(path), names)}")


def from_dict(
    values: Mapping[str, Any], where: str = "the configuration", overrides: Sequence[str] = ()
) -> Config:
    """A configuration from plain values, with overrides; raises ConfigError."""
    merged: dict[str, Any] = {k: dict(v) if isinstance(v, Mapping) else v for k, v in values.items()}
    for key, value in parse_overrides(overrides):
        section, _, name = key.rpartition(".")
        holder = merged.setdefault(section, {}) if section else merged
        if not isinstance(holder, dict):
            raise ConfigError(f"--{key}: {section} is a single value and has no keys")
        holder[name] = value
    if "game" not in merged:
        raise ConfigError(f'{where} has no key game: it must name one, such as game = "outbreak/pandemic"')
    config = _build(Config, merged, where, "")
    _check(config, where)
    return config


def parse_overrides(words: Sequence[str]) -> list[tuple[str, Any]]:
    """``["--ppo.epochs", "3"]`` as ``[("ppo.epochs", 3)]``; values are TOML or else plain text."""
    found = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key, equals, text = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not key:
            raise ConfigError(f"{word!r} is not an override, such as --ppo.epochs 3")
        if not equals:
            if not rest or (rest[0].startswith("--") and "." in rest[0]):
                raise ConfigError(f"--{key} has no value")
            text = rest.pop(0)
        try:
            found.append((key.replace("-", "_"), tomllib.loads(f"value = {text}")["value"]))
        except tomllib.TOMLDecodeError:
            found.append((key.replace("-", "_"), text))
    return found


def _build(kind: type[T], values: Mapping[str, Any], where: str, section: str) -> T:
    hints = typing.get_type_hints(kind)
    place = f"{where}: [{section}]" if section else where
    for key in values:
        if key not in hints:
            raise ConfigError(f"{place} has no key {key!r}{nearest(str(key), list(hints))}")
    return kind(**{key: _value(hints[key], value, where, section, key) for key, value in values.items()})


def _value(hint: Any, value: Any, where: str, section: str, key: str) -> Any:
    """A value as its field's type; whole numbers do for floats, one number for a schedule."""
    full = f"{section}.{key}" if section else key
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise ConfigError(f"{where}: {full} is {value!r}, must be a section of keys")
        return _build(typing.cast(type[Any], hint), value, where, full)
    if typing.get_origin(hint) is Mapping:
        if not isinstance(value, Mapping):
            raise ConfigError(f"{where}: {full} is {value!r}, must be a section of keys")
        return dict(value)
    if hint == Schedule:
        pair = value if isinstance(value, (list, tuple)) else [value, value]
        if len(pair) == 2 and all(_is(float, number) for number in pair):
            return (float(pair[0]), float(pair[1]))
        raise ConfigError(f"{where}: {full} is {value!r}, must be a {_word(hint)}")
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        if isinstance(value, (list, tuple)) and all(_is(inner, item) for item in value):
            return tuple(value)
        raise ConfigError(f"{where}: {full} is {value!r}, must be a {_word(hint)}")
    if not _is(hint, value):
        raise ConfigError(f"{where}: {full} is {value!r}, must be a {_WORDS[hint]}")
    return float(value) if hint is float else value


_WORDS: dict[Any, str] = {int: "whole number", float: "number", bool: "true or false", str: "text"}


def _word(hint: Any) -> str:
    """A field's type in words."""
    if hint == Schedule:
        return "number, or two: at the start and at the end"
    if typing.get_origin(hint) is Mapping:
        return "section"
    if typing.get_origin(hint) is tuple:
        return f"list of {_WORDS[typing.get_args(hint)[0]]}s"
    return _WORDS[hint]


def _is(kind: Any, value: Any) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is kind


# --- what the values must be ----------------------------------------------------------------------

_AT_LEAST_ONE = (
    "ppo.decisions", "ppo.lanes", "ppo.steps", "ppo.epochs", "ppo.minibatches", "selfplay.every", "selfplay.at_once",
    "curriculum.games", "run.threads", "run.env_threads", "run.checkpoint_every",
)  # fmt: skip
_SHARES = (
    "ppo.gamma", "ppo.lam", "ppo.memory", "selfplay.latest", "selfplay.one", "selfplay.scripted_share",
    "curriculum.share", "curriculum.hardest",
)  # fmt: skip
_NOT_NEGATIVE = (
    "ppo.learning_rate", "ppo.entropy", "ppo.clip", "ppo.value", "ppo.gradient", "ppo.kl", "ppo.shaping",
    "selfplay.past", "selfplay.hardness",
)  # fmt: skip


def _check(config: Config, where: str) -> None:
    def value(key: str) -> Any:
        section, name = key.split(".")
        return getattr(getattr(config, section), name)

    def refuse(key: str, right: str) -> None:
        raise ConfigError(f"{where}: {key} is {value(key)!r}, must be {right}")

    for key in _AT_LEAST_ONE:
        if value(key) < 1:
            refuse(key, "1 or more")
    for key in _SHARES:
        if not 0 <= value(key) <= 1:
            refuse(key, "from 0 to 1")
    for key in _NOT_NEGATIVE:
        numbers = value(key) if isinstance(value(key), tuple) else (value(key),)
        if not all(number >= 0 for number in numbers):
            refuse(key, "0 or more")
    if not all(width >= 1 for width in config.network.hidden):
        refuse("network.hidden", "widths of 1 or more")
    if config.network.activation not in ACTIVATIONS:
        refuse("network.activation", f"one of {', '.join(ACTIVATIONS)}")
    if config.network.critic not in CRITICS:
        refuse("network.critic", f"one of {', '.join(CRITICS)}")
    if not 0 <= config.seed < 1 << 31:
        raise ConfigError(
            f"{where}: seed is {config.seed}, must be 0 or more and below 2**31 (training seeds)"
        )
    if config.run.policies_every < 0:
        refuse("run.policies_every", "0 or more")
    try:
        game = config.find_game()
        for variant in config.variants():
            game.make_options(**variant)
        if config.position:
            find_position(config.position)
    except (TypeError, ValueError) as wrong:
        raise ConfigError(f"{where}: {wrong}") from None
    if config.ppo.shaping and not has_potential(game):
        refuse("ppo.shaping", f"0: {game.id} has no potential")
    if config.curriculum.option:
        name = config.curriculum.option
        if len({repr(variant.get(name)) for variant in config.variants()}) < 2:
            refuse("curriculum.option", "an option of [env] with a list of values, from easy to hard")
        if not game.cooperative:
            refuse("curriculum.option", f"empty: {game.id} is not won by all together")
    try:
        config.folder  # noqa: B018
    except (KeyError, IndexError, ValueError):
        refuse("run.folder", "a path in which only {name}, {seed} and {game} stand in braces")
