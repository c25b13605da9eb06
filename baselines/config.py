"""Training configurations: typed, strict, from TOML, every field open to the command line.

A file has the keys of `Config`; ``[env]`` holds options of the game, where a list means that the
lanes are dealt from each of its values in turn.  What is not known is refused with the file, the key
and the nearest right one.
"""

from __future__ import annotations

import dataclasses
import itertools
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.options import nearest
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
    """The algorithm.  decisions: of all lanes and seats together, until the run ends."""

    decisions: int = 12_000_000
    lanes: int = 512
    steps: int = 64  # of every lane in one rollout
    epochs: int = 2
    minibatches: int = 8
    learning_rate: Schedule = (1e-3, 1e-4)
    entropy: Schedule = (0.1, 0.05)
    gamma: float = 1.0
    lam: float = 0.95
    clip: float = 0.2
    value: float = 0.5  # weight of the critic's loss
    gradient: float = 0.5  # largest norm of a gradient
    kl: float = 0.0  # an update ends when it has moved this far; 0: never
    memory: float = 0.99  # of the running statistics of the returns
    shaping: float = 0.0  # weight of the game's potential (potentials/), by which rewards are shaped; 0: none


@dataclass(frozen=True)
class SelfPlay:
    """Who sits at the table.  latest: share of deals in which all seats are the learner's."""

    latest: float = 0.5
    one: float = 0.5  # of the other deals, the share in which the learner has one seat
    past: int = 8  # earlier versions of the learner that are kept
    every: int = 20  # updates between two that are kept
    scripted: tuple[str, ...] = ()  # agents by name: heuristic, random, ppo:PATH
    scripted_share: float = 0.5  # of deals with opponents, where there are both kinds
    hardness: float = 1.0  # opponents are drawn with weights (1 - share of wins) ** hardness
    at_once: int = 2  # opponents that new deals are given between two updates


@dataclass(frozen=True)
class Curriculum:
    """Cooperative games: an option of ``[env]`` whose listed values open one after the other."""

    option: str = ""  # its list goes from easy to hard; "": all variants are dealt from the start
    share: float = 0.25  # of wins at the hardest open value that opens the next one
    games: int = 200  # that this share is taken over at least
    hardest: float = 0.5  # of deals that get the hardest open value; the others get any open one


@dataclass(frozen=True)
class Run:
    """Where and how it runs."""

    folder: str = "runs/{name}-{seed}"
    resume: bool = False
    device: str = "cpu"
    threads: int = 2  # of the learner; resumed runs are the same byte for byte only at the same number
    env_threads: int = 1
    checkpoint_every: int = 20  # updates
    policies_every: int = 0  # updates between two policies kept for good, in policies/; 0: only the last one
    tensorboard: bool = True
    progress: bool = True


@dataclass(frozen=True)
class Config:
    """One training run: game, seed (training seeds lie below 2**31) and the sections.

    position: a position's file or name, such as run_for_your_lives/endgame, at which every game begins
    instead of a deal (what a spectator cannot see of it is drawn anew); "": games are dealt.
    initial: the policy, by file or name, whose network the run begins with; "": one drawn from the seed.
    """

    game: str
    seed: int = 1
    position: str = ""
    initial: str = ""
    env: Mapping[str, Any] = field(default_factory=dict)
    network: Shape = field(default_factory=Shape)
    ppo: Ppo = field(default_factory=Ppo)
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    curriculum: Curriculum = field(default_factory=Curriculum)
    run: Run = field(default_factory=Run)
    name: str = "run"

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
        raise ConfigError(
            f"{where}: {full} is {value!r}, must be a number, or two: at the start and at the end"
        )
    if typing.get_origin(hint) is tuple:
        inner = typing.get_args(hint)[0]
        if isinstance(value, (list, tuple)) and all(_is(inner, item) for item in value):
            return tuple(value)
        raise ConfigError(f"{where}: {full} is {value!r}, must be a list of {_WORDS[inner]}s")
    if not _is(hint, value):
        raise ConfigError(f"{where}: {full} is {value!r}, must be a {_WORDS[hint]}")
    return float(value) if hint is float else value


_WORDS: dict[Any, str] = {int: "whole number", float: "number", bool: "true or false", str: "text"}


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
