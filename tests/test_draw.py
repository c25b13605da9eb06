"""Pictures: what is seen in them, what is not, and that they are the same everywhere."""

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from outbreak_rl.envs.core.draw import (
    Pen,
    Svg,
    box,
    flow,
    number,
    pad,
    rasterise,
    save_picture,
    visible_length,
)
from outbreak_rl.envs.run_for_your_lives import draw
from outbreak_rl.envs.run_for_your_lives.cards import CARD_NAMES
from outbreak_rl.envs.run_for_your_lives.view import VIEW

CODE = {name: code for code, name in enumerate(CARD_NAMES)}
PLAYERS = range(3, 8)
FORMS = [draw.svg, draw.ansi]


def seen(players: int = 4, hand: tuple[str, ...] = (), **values: Any) -> np.ndarray:
    """The View of a seat on its turn, four cards in every hand; `hand` names its own."""
    view = np.zeros((), VIEW)
    view["players"] = players
    view["kinds"], view["copies"], view["goal"] = 10, 3, 5
    view["hand_size"][:players] = 4
    view["pile_size"] = 63 - 4 * players
    view["to_act"] = view["decision"] = 1
    for name in hand:
        view["hand"][CODE[name]] += 1
    for field, value in values.items():
        view[field] = value
    return view


def lay(view: np.ndarray, place: int, *names: str, field: str = "table") -> np.ndarray:
    """The View with the named cards before (or known in the hand of) the seat at a place."""
    changed = view.copy()
    for name in names:
        changed[field][place][CODE[name]] += 1
    return changed


def crowded(players: int) -> np.ndarray:
    """As full a table as the game allows, and a large hand of long names."""
    view = seen(players, ("umbrella zombie",) * 3 + ("bicycle zombie",) * 3 + ("cockroach zombie",) * 3)
    items = ("umbrella", "bicycle", "whistle", "shovel", "ladder")
    zombies = ("cockroach zombie", "radio zombie", "torch zombie", "rope zombie")
    for place in range(players):
        view = lay(view, place, *items, *zombies)
    view["hand_size"][:players] = 9
    view["discard"] = 3
    return view


# --- the builder ---


def test_a_document_is_exactly_this_text() -> None:
    picture = Svg(20, 10)
    picture.rect(0, 0, 20, 10, fill="#123")
    with picture.group(1, 2.5, 0.5, opacity=0.5):
        picture.circle(1 / 3, 2.0, 1)
        picture.line(0, 0, np.int8(3), np.float32(0.25), stroke_width=2)
        picture.path("M0 0h1", fill="none")
    picture.label(3, 4, "hello", 12, anchor="end", bold=True)
    assert picture.text() == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10" '
        'font-family="DejaVu Sans, Verdana, sans-serif">\n'
        '<rect x="0" y="0" width="20" height="10" fill="#123"/>\n'
        '<g transform="translate(1 2.5) scale(0.5)" opacity="0.5">\n'
        '<circle cx="0.333" cy="2" r="1"/>\n'
        '<line x1="0" y1="0" x2="3" y2="0.25" stroke-width="2"/>\n'
        '<path d="M0 0h1" fill="none"/>\n'
        "</g>\n"
        '<text x="3" y="4" font-size="12" text-anchor="end" font-weight="bold">hello</text>\n'
        "</svg>\n"
    )


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (-0.0001, "0"), (0.1 + 0.2, "0.3"), (100, "100")])
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_text_is_escaped() -> None:
    nasty = "<b> & \"quotes' \x1b \x00"
    picture = Svg(10, 10)
    picture.label(0, 0, nasty, 5)
    picture.rect(0, 0, 1, 1, fill='"/><script/>')
    label, rect = ElementTree.fromstring(picture.text())
    assert label.text == nasty.replace("\x1b", "\ufffd").replace("\x00", "\ufffd")
    assert rect.get("fill") == '"/><script/>'


# --- pixels ---


def test_pixels_need_no_display_and_no_fonts_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("FONTCONFIG_PATH", "nowhere")
    picture = Svg(60, 20)
    picture.rect(0, 0, 60, 20, fill="#000")
    picture.label(2, 15, "Mm", 14, fill="#fff")
    image = rasterise(picture.text())
    assert image.shape == (20, 60, 3)
    assert image.dtype == np.uint8
    assert image.max() > 200, "the text is missing"
    assert rasterise(picture.text(), width=120).shape == (40, 120, 3)


def test_bare_ground_is_white() -> None:
    assert (rasterise(Svg(4, 3).text()) == 255).all()


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[viz\]' in the checkout"):
        rasterise(Svg(1, 1).text())


def test_a_picture_file_is_what_its_name_says(tmp_path: Path) -> None:
    picture = Svg(40, 20)
    picture.rect(0, 0, 40, 20, fill="#f00")
    for name in ("it.svg", "it.png", "folder/it.png"):
        save_picture(tmp_path / name, picture.text())
    assert (tmp_path / "it.svg").read_text("utf-8") == picture.text()
    with Image.open(tmp_path / "it.png") as image:
        assert image.format == "PNG"
        assert (np.array(image.convert("RGB")) == rasterise(picture.text())).all()
    for name in ("it.jpg", "it", "it.svg.txt"):
        with pytest.raises(ValueError, match=r"must end in \.svg or \.png"):
            save_picture(tmp_path / name, picture.text())
        assert not (tmp_path / name).exists()


# --- terminals ---


def test_visible_length_counts_columns() -> None:
    assert visible_length(Pen()("bus", 214, 16, bold=True)) == 3
    assert visible_length("僵尸") == 4
    assert visible_length("e\u0301") == 1


def test_a_pen_without_colour_leaves_words_alone() -> None:
    assert Pen(False)("bus", 214, bold=True, dim=True) == "bus"
    assert Pen()("bus") == "bus"


def test_words_flow_into_lines_that_fit() -> None:
    red = Pen()("bbb", 1)
    assert flow(["aaa", red, "cc"], 7) == [f"aaa {red}", "cc"]
    assert flow(["longer than that"], 3) == ["longer than that"]
    assert flow([], 5) == []


def test_a_box_has_straight_sides() -> None:
    lines = box([["a", Pen()("b", 1)], ["c"]], 12, "title").split("\n")
    assert [visible_length(line) for line in lines] == [12] * 6
    assert pad("abc", 2) == "abc"


# --- Run for Your Lives ---


@pytest.mark.parametrize("players", PLAYERS)
def test_a_picture_is_the_same_whenever_it_is_drawn(players: int) -> None:
    view = crowded(players)
    for form in FORMS:
        assert form(view) == form(np.array([view], VIEW)) == form(np.array([view], VIEW)[0])


@pytest.mark.parametrize("players", PLAYERS)
def test_every_table_size_makes_a_picture(players: int) -> None:
    text = draw.svg(crowded(players), seat=players - 1)
    ElementTree.fromstring(text)
    image = rasterise(text, width=320)
    assert image.shape == (226, 320, 3)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("form", FORMS)
def test_whatever_happens_can_be_seen(form: Any) -> None:
    start = seen(4, ("bus", "bat zombie"))
    turned = seen(4, turned=[0, 1, 0, 0, 0, 0, 0], hand_size=[4, 0, 4, 4, 0, 0, 0])
    views = [
        start,
        seen(5, ("bus", "bat zombie")),
        seen(4, ("bus", "bat")),
        lay(start, 2, "bus"),
        lay(start, 2, "bus zombie"),
        lay(start, 3, "bus"),
        lay(start, 1, "bus", field="known"),
        seen(4, ("bus", "bat zombie"), hand_size=[4, 4, 5, 4, 0, 0, 0]),
        seen(4, ("bus", "bat zombie"), discard=np.eye(21, dtype=np.int8)[4]),
        seen(4, ("bus", "bat zombie"), pile_size=46),
        seen(4, ("bus", "bat zombie"), special_spent=1),
        seen(4, ("bus", "bat zombie"), refreshes=1),
        seen(4, ("bus", "bat zombie"), to_act=2),
        seen(4, ("bus", "bat zombie"), goal=4),
        seen(4, ("bus", "bat zombie"), to_act=0, decision=0),
        seen(4, ("bus", "bat zombie"), to_act=0, decision=0, winner=1),
        seen(4, ("bus", "bat zombie"), to_act=0, decision=0, winner=3),
        turned,
        seen(4, turned=[0, 2, 1, 0, 0, 0, 0], hand_size=[4, 0, 4, 4, 0, 0, 0]),
        seen(4, to_act=2, decision=2, turned_up=CODE["rope"] + 1),
        seen(4, to_act=2, decision=2, turned_up=CODE["rope zombie"] + 1),
    ]
    assert len({form(view) for view in views}) == len(views)


@pytest.mark.parametrize("form", FORMS)
def test_each_card_looks_different(form: Any) -> None:
    assert len({form(seen(3, (name,))) for name in CARD_NAMES}) == len(CARD_NAMES)


@pytest.mark.parametrize("form", FORMS)
def test_cards_that_only_other_hands_hold_are_not_named(form: Any) -> None:
    view = lay(seen(4, ("bus", "bat zombie")), 2, "rope", "torch zombie")
    view["discard"][CODE["ladder"]] = 2
    view = lay(view, 3, "radio", field="known")
    text = form(view, seat=1)
    for name in ("bus", "bat", "rope", "torch"):
        assert name in text
    for name in ("umbrella", "whistle", "shovel", "bicycle", "cockroach"):
        assert name not in text


@pytest.mark.parametrize("form", FORMS)
def test_a_spectator_sees_no_hand(form: Any) -> None:
    text = form(seen(4), seat=-1)
    assert not any(name in text for name in CARD_NAMES)
    assert "(you)" not in text
    assert "player_0 plays a card" in text


@pytest.mark.parametrize("form", FORMS)
def test_revealed_hands_lie_open(form: Any) -> None:
    view = seen(3, ("bus",) * 3)
    others = [seen(3, ("shovel",) * 4), seen(3, ("rope zombie",) * 4)]
    spectator = seen(3)
    pictures = {
        form(view),
        form(view, reveal=others),
        form(view, reveal=others[::-1]),
        form(spectator, seat=-1, reveal=[view, *others]),
        form(spectator, seat=-1, reveal=[others[0], view, others[1]]),
    }
    assert len(pictures) == 4, "with all hands open it does not matter who looks"
    with pytest.raises(ValueError, match="reveal holds 1 views"):
        form(view, reveal=others[:1])


def test_revealed_cards_are_named_in_the_terminal() -> None:
    text = draw.ansi(seen(3), reveal=[seen(3, ("shovel",) * 3), seen(3, ("rope zombie",) * 3)])
    assert "shovel" in text
    assert "rope zombie" in text


@pytest.mark.parametrize("form", FORMS)
def test_seats_keep_their_own_names(form: Any) -> None:
    text = form(seen(5, to_act=3), seat=3)
    assert "player_3 (you)" in text
    assert "player_0 plays a card" in text
    assert all(f"player_{seat}" in text for seat in range(5))
    assert "player_5" not in text


def test_the_terminal_lists_seats_clockwise_from_the_observer() -> None:
    seats = draw.ansi(seen(4), seat=2, colour=False).split("\n")[3:]
    named = [word for line in seats for word in line.split() if word.startswith("player_")]
    assert named == ["player_2", "player_3", "player_0", "player_1"]


@pytest.mark.parametrize("form", FORMS)
def test_the_end_says_who_won_and_how(form: Any) -> None:
    saved = lay(seen(4, to_act=0, decision=0, winner=2), 1, "bus", "bat", "rope", "torch", "radio")
    assert "player_1 is saved and wins" in form(saved)
    alone = seen(4, to_act=0, decision=0, winner=2, turned=[1, 0, 2, 3, 0, 0, 0])
    assert "player_1 is the last one living and wins" in form(alone)
    assert "nobody wins" in form(seen(4, to_act=0, decision=0))


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_terminal_table_is_100_columns_wide(players: int, colour: bool) -> None:
    view = crowded(players)
    text = draw.ansi(view, seat=2, reveal=[view] * players, colour=colour)
    assert {visible_length(line) for line in text.split("\n")} == {100}
    assert ("\x1b" in text) == colour


def test_the_caller_alone_decides_on_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    before = draw.ansi(seen())
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "40")
    assert draw.ansi(seen()) == before


def test_a_picture_shows_one_view() -> None:
    with pytest.raises(ValueError, match="one View"):
        draw.svg(np.zeros(2, VIEW))
