"""Rule cases: a position, actions in words, and what must hold after them, as data.

A case file is TOML with a list of ``[[case]]`` tables:

- ``name``, ``proves`` (ids of ledger lines), ``options``, ``seed``, ``script`` (chance values to use
  first), ``actions`` (texts, played in order);
- ``[case.position]``: where it starts (position.py); without one, a deal from ``seed``;
- ``[case.after]``: what must hold.  Any key of the game's position compares that key, lists of names
  as bags; ``<key>_includes`` asks for some of a list and ``<key>_in_order`` compares it exactly.
  Besides: ``legal`` (exactly these), ``legal_includes``, ``illegal``, ``refused`` (an action that must
  be refused with nothing changed), ``rewards``, and ``sees``: a list of
  ``{ seat, field, is | includes }`` over fields of that seat's View; ``"table:+1"`` is the entry of
  the seat one place clockwise, and labelled fields read as lists of names.

The game is named by ``game`` at the top of the file, or else by the file's folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .aec import OutbreakEnv
from .game import Game
from .position import only_keys
from .rule import IllegalAction
from .toml import tomllib

_CASE_KEYS = ("name", "proves", "options", "seed", "script", "actions", "position", "after", "note")
_WORDS = {dict: "table", list: "list", int: "whole number"}
_OWN_KEYS = ("legal", "legal_includes", "illegal", "refused", "rewards", "sees")


class CaseFailure(AssertionError):
    """What a case found to be otherwise than it says."""


@dataclass(frozen=True)
class Case:
    """One rule case of a file."""

    path: Path
    game: str
    body: dict[str, Any]

    @property
    def name(self) -> str:
        """The case in a player's words."""
        return str(self.body["name"])

    def run(self, find_game: Callable[[str], Game]) -> None:
        """Play the case; raises CaseFailure with the first difference."""
        for env in self.moments(find_game):
            last = env
        try:
            _compare(last, self.body.get("after", {}))
        except (AttributeError, LookupError, TypeError) as wrong:
            raise ValueError(f"after has something of a wrong kind: {wrong}") from None

    def moments(self, find_game: Callable[[str], Game]) -> Iterator[OutbreakEnv]:
        """The environment before each action of the case and after the last; raises as `run` does."""
        self._check()
        game = find_game(self.game)
        options = {
            key: tuple(v) if isinstance(v, list) else v for key, v in self.body.get("options", {}).items()
        }
        env = OutbreakEnv(game, game.make_options(**options), strict=True)
        seed, script = self.body.get("seed", 0), self.body.get("script", [])
        if "position" in self.body:
            env.set_position(self.body["position"], seed, script)
        else:
            env.reset(seed, {"chance": script})
        env.inspect()
        yield env
        for number, text in enumerate(self.body.get("actions", [])):
            try:
                env.step(env.parse_action(text))
            except (IllegalAction, ValueError) as wrong:
                raise CaseFailure(f"action {number + 1} of the case, {text!r}: {wrong}") from None
            env.inspect()
            yield env

    def _check(self) -> None:
        """Raise ValueError where a key has a value of the wrong kind."""
        kinds = {
            "options": dict,
            "position": dict,
            "after": dict,
            "script": list,
            "actions": list,
            "seed": int,
        }
        for key, kind in kinds.items():
            if type(self.body.get(key, kind())) is not kind:
                raise ValueError(f"{key} must be a {_WORDS[kind]}")
        if not all(isinstance(text, str) for text in self.body.get("actions", [])):
            raise ValueError("actions must be a list of texts")
        if not all(type(value) is int and 0 <= value < 1 << 31 for value in self.body.get("script", [])):
            raise ValueError("script must be a list of whole numbers from 0 to 2**31 - 1")
        after = self.body.get("after", {})
        for key in ("legal", "legal_includes", "illegal", "rewards", "sees"):
            if not isinstance(after.get(key, []), list):
                raise ValueError(f"after.{key} must be a list")


def load(path: str | Path) -> list[Case]:
    """The cases of a TOML file; raises ValueError where it is not a case file."""
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ValueError(f"{path} is not valid TOML: {wrong}") from None
    only_keys(content, ("game", "case"), str(path))
    game = content.get("game", path.resolve().parent.name)
    cases = content.get("case", [])
    if not isinstance(game, str):
        raise ValueError(f"{path}: game is {game!r}, must be a text")
    if not isinstance(cases, list) or not all(isinstance(body, dict) for body in cases):
        raise ValueError(f"{path}: case must be a list of tables, each under [[case]]")
    for number, body in enumerate(cases):
        where = f"{path}, case {number + 1}"
        if "name" not in body:
            raise ValueError(f"{where} has no name")
        only_keys(body, _CASE_KEYS, where)
    return [Case(path, game, body) for body in cases]


def find(paths: list[Path]) -> Iterator[Case]:
    """The cases of files, and of all files in folders (ledgers apart)."""
    for path in paths:
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        for file in files:
            if file.name != "ledger.toml":
                yield from load(file)


def _compare(env: OutbreakEnv, after: dict[str, Any]) -> None:
    position = env.position()
    for key, wanted in after.items():
        if key in _OWN_KEYS:
            continue
        plain = key.removesuffix("_includes").removesuffix("_in_order")
        if plain not in position and plain not in after and wanted not in (None, [], False):
            raise CaseFailure(f"the position afterwards has no {plain!r}, expected {wanted!r}")
        _expect(key, position.get(plain), wanted)
    legal = env.legal_texts()
    if "legal" in after:
        _expect("legal actions", legal, after["legal"])
    for text in after.get("legal_includes", []):
        if text not in legal:
            raise CaseFailure(f"{text!r} should be legal; legal are {legal}")
    for text in after.get("illegal", []):
        env.parse_action(text)
        if text in legal:
            raise CaseFailure(f"{text!r} should not be legal")
    if "refused" in after:
        _expect_refusal(env, after["refused"])
    if "rewards" in after:
        rewards = [env.rewards[agent] for agent in env.possible_agents]
        if len(rewards) != len(after["rewards"]) or any(
            abs(a - b) > 1e-3 for a, b in zip(rewards, after["rewards"], strict=True)
        ):
            raise CaseFailure(f"rewards are {rewards}, expected {after['rewards']}")
    for look in after.get("sees", []):
        only_keys(look, ("seat", "field", "is", "includes"), "a line of sees")
        if look.get("seat") not in range(len(env.possible_agents)) or "field" not in look:
            raise ValueError(f"a line of sees must name a seat of the game and a field, not {look}")
        found = seen(env, look["seat"], look["field"])
        wanted = look.get("is")
        if isinstance(wanted, list) and isinstance(found, list) and _nothing(found[len(wanted) :]):
            found = found[: len(wanted)]  # absent seats may be left out
        how = "_includes" if "includes" in look else "_in_order" if _is_category(env, look["field"]) else ""
        _expect(
            f"what seat {look['seat']} sees as {look['field']}{how}",
            found,
            look.get("includes", wanted),
        )


def _expect_refusal(env: OutbreakEnv, text: str) -> None:
    before = env.get_state()
    try:
        env.step(env.parse_action(text))
    except IllegalAction:
        if env.get_state() != before:
            raise CaseFailure(f"{text!r} was refused but changed the state") from None
        return
    raise CaseFailure(f"{text!r} was not refused")


def _expect(key: str, found: Any, wanted: Any) -> None:
    if key.endswith("_includes"):
        missing = Counter(map(str, wanted)) - Counter(map(str, found))
        if missing:
            raise CaseFailure(f"{key.removesuffix('_includes')} is {found}, lacks {sorted(missing)}")
        return
    same = found == wanted if key.endswith("_in_order") else _as_bag(found) == _as_bag(wanted)
    if not same:
        raise CaseFailure(f"{key} is {found!r}, expected {wanted!r}")


def _is_category(env: OutbreakEnv, field: str) -> bool:
    """Whether a field of the View holds categories (one by one in order, not a bag of names)."""
    return any(one.name == field.partition(":")[0] and one.kind == "category" for one in env.game.fields)


def _nothing(values: list[Any]) -> bool:
    """Whether there are only zeros and "none"."""
    return all(not one or one == "none" for one in values)


def _as_bag(value: Any) -> Any:
    """Lists of names without their order; lists of anything else in order."""
    if isinstance(value, list):
        inner = [_as_bag(item) for item in value]
        return sorted(inner) if inner and all(isinstance(item, str) for item in inner) else inner
    return value


def seen(env: OutbreakEnv, seat: int, field: str) -> Any:
    """A field of a seat's View as a case writes it: numbers, or names where the field has labels."""
    name, _, place = field.partition(":")
    declared = {one.name: one for one in env.game.fields}
    if name not in declared:
        raise ValueError(f"the View has no field {name!r}; it has {', '.join(declared)}")
    value = env.view(env.possible_agents[seat])[name]
    if place:
        value = value[int(place)]
    return declared[name].words(value.tolist())
