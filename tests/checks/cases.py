"""What the tests run over: every registered game and the toys, their presets and seat counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from toys import tally, wells

from outbreak_rl.envs import game, game_names
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.rule import PLAIN

REGISTERED: tuple[Game, ...] = tuple(map(game, game_names()))
TOYS: tuple[Game, ...] = (tally.GAME, wells.GAME)
GAMES = REGISTERED + TOYS


@dataclass(frozen=True, eq=False)
class Case:
    """A game under certain options."""

    game: Game
    preset: str
    options: Any

    def __str__(self) -> str:
        return f"{self.game.name}-{self.preset}-{self.options.players}"

    def but(self, **changes: Any) -> Case:
        """The same with other options."""
        return Case(self.game, self.preset, dataclasses.replace(self.options, **changes))

    def of(self, **changes: Any) -> Case:
        """The same with the game's description changed (planted faults)."""
        return Case(dataclasses.replace(self.game, **changes), self.preset, self.options)


def case(game: Game, preset: str = "default", **options: Any) -> Case:
    """A case by the names of its options."""
    return Case(game, preset, game.make_options(preset=preset, **options))


def seat_counts(game: Game) -> list[int]:
    """How many may play at all, by the declaration of the option ``players``."""
    about = next(item for item in dataclasses.fields(game.options) if item.name == "players").metadata
    numbers = {choice for choice in about["choices"] if isinstance(choice, int)}
    if about["low"] is not None:
        numbers |= set(range(about["low"], about["high"] + 1))
    return sorted(numbers)


def _valid(games: tuple[Game, ...]) -> Iterator[Case]:
    """Every preset as it is, then with every other number of seats that it allows."""
    for one in games:
        for preset in one.presets:
            yield case(one, preset)
        for preset in one.presets:
            for players in seat_counts(one):
                try:
                    yield case(one, preset, players=players)
                except ValueError:
                    continue  # such as a mini deck that is too small for so many


def _distinct(cases: list[Case]) -> list[Case]:
    return list({(found.game.name, repr(found.options)): found for found in reversed(cases)}.values())[::-1]


def cases_of(*games: Game) -> list[Case]:
    """All different cases of games: presets x seat counts."""
    return _distinct(list(_valid(games)))


def main_cases_of(*games: Game) -> list[Case]:
    """Each preset once and each number of seats once."""
    found = []
    for one in games:
        all_cases = cases_of(one)
        presets = {preset: case(one, preset).options for preset in one.presets}
        found += [
            c for c in all_cases if c.options in presets.values() or c.preset == next(iter(one.presets))
        ]
    return found


def few(n: int, least: int = 1) -> int:
    """An amount of work; plain Python, some thousand times slower, does a fiftieth of it."""
    return max(least, n // 50) if PLAIN else n


every_case = pytest.mark.parametrize("case", cases_of(*GAMES), ids=str)
main_case = pytest.mark.parametrize("case", main_cases_of(*GAMES), ids=str)
preset_case = pytest.mark.parametrize("case", [case(g, p) for g in GAMES for p in g.presets], ids=str)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
registered_game = pytest.mark.parametrize("game", REGISTERED, ids=lambda game: game.name)
