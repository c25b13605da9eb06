"""Views and their encoding."""

from __future__ import annotations

import numpy as np
import pytest

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs import game_names, make_batch
from outbreak_rl.envs.core.fields import Field, Fields

FIELDS = Fields(
    Field("flag", (), 1, "flag", "a flag"),
    Field("count", (2,), 5, "count", "two counts"),
    Field("category", (2,), 3, "category", "two categories", ("red", "green", "blue")),
    Field("set", (3,), 1, "set", "a set", ("a", "b", "c")),
)


def by_hand(fields: Fields, view: np.ndarray) -> list[float]:
    """The encoding as the documentation says it, one number after the other."""
    floats: list[float] = []
    place = 0
    for field in fields:
        for _ in range(field.size):
            value = int(view[place])
            if field.kind == "category":
                floats += [1.0 if value == n else 0.0 for n in range(1, field.high + 1)]
            else:
                floats.append(value / field.high)
            place += 1
    return floats


@pytest.mark.plain
def test_encoding_is_what_the_documentation_says() -> None:
    view = np.array([1, 0, 5, 1, 3, 0, 1, 1], np.int8)
    wanted = [1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 1]
    assert FIELDS.width == len(wanted)
    assert FIELDS.encode_row(view).tolist() == wanted
    assert FIELDS.encode(view[None]).tolist() == [wanted]
    assert FIELDS.encode_row(np.zeros(8, np.int8)).tolist() == [0.0] * 12


@pytest.mark.plain
@pytest.mark.parametrize("name", game_names())
def test_every_game_is_encoded_so(name: str) -> None:
    game = find_game(name)
    batch = make_batch(name, 3, seed=5)
    batch.reset()
    for _ in range(12):
        for view, row in zip(batch.flat_views, batch.encode(), strict=True):
            assert row.tolist() == np.array(by_hand(game.fields, view), np.float32).tolist()
            assert game.fields.encode_row(view.copy()).tolist() == row.tolist()
        batch.step(batch.masks.argmax(1))


def test_labelled_fields_read_as_names() -> None:
    assert FIELDS[2].words([0, 2]) == ["none", "green"]
    assert FIELDS[3].words([1, 0, 1]) == ["a", "c"]
    assert Field("pile", (2,), 3, "count", "a pile", ("x", "y")).words([2, 1]) == ["x", "x", "y"]
    assert FIELDS[3].words(1) == 1  # one entry of a row


@pytest.mark.parametrize(("kind", "high"), [("flag", 2), ("count", 0), ("count", 128)])
def test_wrong_declarations_are_refused(kind: str, high: int) -> None:
    with pytest.raises(ValueError, match="field 'wrong'"):
        Field("wrong", (), high, kind, "wrong")  # type: ignore[arg-type]
