"""The table as a picture (SVG) and as text for a terminal, drawn from a View and nothing else.

So a seat's picture cannot show what its observation hides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.draw import Pen, Svg, View, box, disc, flow, pad, record_of
from .cards import CARD_NAMES, COCKROACH, ITEMS
from .state import ZOMBIE

# --- What the pictures show ---------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """One player as the observer sees him; cards are codes, `hand` holds those that lie open."""

    name: str
    colour: int
    mine: bool
    hand: tuple[int, ...]
    hidden: int
    items: tuple[int, ...]
    zombies: tuple[int, ...]
    turned: int
    acts: bool
    wins: bool


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows, read once from the View."""

    seats: tuple[Seat, ...]
    goal: int
    kinds: int
    pile: int
    discard: tuple[int, ...]
    turned_up: int | None
    headline: str
    notes: tuple[str, ...]


def _scene(view: View, seat: int, reveal: Sequence[View] | None) -> Scene:
    here = record_of(view)
    players = int(here["players"])
    hands = [here["hand"] if here["hand"].any() else here["known"][0], *here["known"][1:players]]
    if reveal is not None:
        if not players - 1 <= len(reveal) <= players:
            raise ValueError(
                f"reveal holds {len(reveal)} views, expected one for each of the other "
                f"{players - 1} seats, or one for each of all {players}"
            )
        hands[players - len(reveal) :] = [record_of(other)["hand"] for other in reveal]
    observed = seat >= 0 and reveal is None
    seats = tuple(
        _seat(here, relative, hands[relative], (max(seat, 0) + relative) % players, observed)
        for relative in range(players)
    )
    return Scene(
        seats=seats,
        goal=int(here["goal"]),
        kinds=int(here["kinds"]),
        pile=int(here["pile_size"]),
        discard=tuple(int(count) for count in here["discard"]),
        turned_up=int(here["turned_up"]) - 1 if here["turned_up"] else None,
        headline=_headline(here, seats),
        notes=tuple(_notes(here)),
    )


def _seat(here: np.void, relative: int, hand: npt.NDArray[np.int8], number: int, observed: bool) -> Seat:
    cards = tuple(int(code) for code in np.repeat(np.arange(len(hand)), hand))
    table = [int(code) for code in np.flatnonzero(here["table"][relative])]
    return Seat(
        name=f"player_{number}",
        colour=number,
        mine=observed and relative == 0,
        hand=cards,
        hidden=max(int(here["hand_size"][relative]) - len(cards), 0),
        items=tuple(code for code in table if code < ITEMS),
        zombies=tuple(code for code in table if code >= ITEMS),
        turned=int(here["turned"][relative]),
        acts=int(here["to_act"]) == relative + 1,
        wins=int(here["winner"]) == relative + 1,
    )


def _headline(here: np.void, seats: Sequence[Seat]) -> str:
    """What happens now, in one line."""
    for seat in seats:
        if seat.wins:
            saved = len(seat.items) >= int(here["goal"])
            return f"{seat.name} {'is saved' if saved else 'is the last one living'} and wins"
    for seat in seats:
        if seat.acts and int(here["decision"]) == ZOMBIE:
            return f"{seat.name}, a zombie, gives the card"
        if seat.acts:
            return f"{seat.name} plays a card"
    return "the game is over, nobody wins"


def _notes(here: np.void) -> Iterator[str]:
    """What this turn has used up."""
    if here["special_spent"]:
        yield "Special Rule used"
    if here["refreshes"]:
        yield f"hand shown and renewed: {int(here['refreshes'])}"


def _symbol(code: int) -> int:
    """The symbol of a card: 0..9 shared by item and zombie, 10 for the cockroaches."""
    return code if code < ITEMS else code - ITEMS


def _symbol_name(code: int) -> str:
    """The card's name without what its colour says anyway."""
    return CARD_NAMES[code].removesuffix(" zombie")


def _rank(turned: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(turned, f"{turned}th")


# --- Symbols ------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """Path data on a field of 40 x 40, filled, or drawn as a line where `width` is not 0.

    What is `cut` has the colour of the card, all else the ink of the symbol.
    """

    d: str
    width: float = 0
    cut: bool = False


SYMBOLS: tuple[tuple[Shape, ...], ...] = (
    (  # bus
        Shape("M5 7h30a3 3 0 0 1 3 3v21h-36v-21a3 3 0 0 1 3-3z"),
        Shape(disc(10, 31, 5) + disc(30, 31, 5)),
        Shape("M5 11h8v8h-8zM15 11h8v8h-8zM25 11h10v8h-10zM4 23h32v2h-32z", cut=True),
        Shape(disc(10, 31, 2.2) + disc(30, 31, 2.2), cut=True),
    ),
    (  # bat
        Shape("M8 30L25 7q4-5 9-1t0 9L11 33z" + disc(8, 33, 3.6) + disc(31, 31, 5.5)),
        Shape("M11 25.5l4.5 3.5M13.5 22l4.5 3.5M29 28q3 3 0 6", 1.8, cut=True),
    ),
    (  # umbrella
        Shape("M3 22A17 17 0 0 1 37 22q-4.5-4-8.5 0q-4-4-8.5 0q-4-4-8.5 0q-4-4-8.5 0z"),
        Shape("M20 3v5M20 18v14.5a4 4 0 0 1-8 0", 3),
    ),
    (  # torch
        Shape("M11 19h18l-3 6h-12zM15.5 26h9l-2.5 12h-4z"),
        Shape("M21 1c1 5 9 8 6 17h-14c-3-7 2-9 3-13c2 1.5 2 2 3 3.5c1-2 2-4 2-7.5z"),
        Shape("M20.5 9c0 3 4 4 2.5 8h-6c-1-3 2.5-4 3.5-8z", cut=True),
    ),
    (  # ladder
        Shape("M12.5 3L9 38M27.5 3L31 38M12 9h16M11.3 17h17.4M10.5 25h19M9.7 33h20.6", 3.4),
    ),
    (  # radio
        Shape("M5 14h30a2 2 0 0 1 2 2v18a2 2 0 0 1-2 2h-30a2 2 0 0 1-2-2v-18a2 2 0 0 1 2-2z"),
        Shape("M9 14L29 3", 2.6),
        Shape(disc(13, 25, 7) + "M24 18h10v4h-10z", cut=True),
        Shape(disc(26, 30, 2.4) + disc(32.5, 30, 2.4), cut=True),
        Shape(disc(13, 25, 4)),
    ),
    (  # whistle
        Shape(disc(14, 25, 11)),
        Shape("M14 14h24v9h-14l-3 4h-7z"),
        Shape(disc(14, 25, 4.5) + "M20 14h6v4h-3z", cut=True),
        Shape("M22 9v-5M29 9l3-4M15 9l-3-4", 2.6),
    ),
    (  # shovel
        Shape("M11 21h18v6q0 7-9 12q-9-5-9-12z"),
        Shape("M20 22V4M14 3.5h12", 3.6),
        Shape("M20 25v7", 1.8, cut=True),
    ),
    (  # bicycle
        Shape(disc(9.5, 27, 7.5) + disc(30.5, 27, 7.5), 2.6),
        Shape("M9.5 27L15 14.5H26.5L19.5 27zM19.5 27L14 11", 2.6),
        Shape("M30.5 27L25 9H31M10.5 10.5H17", 2.6),
    ),
    (  # rope
        Shape(disc(20, 15, 16, 10) + disc(20, 15, 9, 5), 3.2),
        Shape("M36 15v5a16 10 0 0 1-32 0v-5M36 20v5a16 10 0 0 1-32 0v-5M36 22q0 8-4 14", 3.2),
    ),
    (  # cockroach
        Shape("M12 15L5 11M11 22H3M12 28L5 35M28 15l7-4M29 22h8M28 28l7 7", 2.4),
        Shape("M17.5 8C15 3 11 2 7 4M22.5 8C25 3 29 2 33 4", 2),
        Shape(disc(20, 10, 4.6, 4) + disc(20, 25, 8.5, 13)),
        Shape("M20 16v21M13 18h14", 1.8, cut=True),
    ),
)
ZOMBIE_HEAD = (
    Shape("M8 4h24a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4h-24a4 4 0 0 1-4-4v-16a4 4 0 0 1 4-4z"),
    Shape("M8 26h24v8a3 3 0 0 1-3 3h-18a3 3 0 0 1-3-3z"),
    Shape(disc(27, 16, 4.5), cut=True),
    Shape("M9.5 13l7 7M16.5 13l-7 7M20 21v3M26 4l-3 5", 2, cut=True),
    Shape("M10 29h20M13 26.5v5M18 26.5v5M23 26.5v5M28 26.5v5", 1.6, cut=True),
)
CROWN = (Shape("M4 32L2 12l10 8l8-14l8 14l10-8l-2 20z"), Shape("M6 28h28", 2, cut=True))

ON_PAPER = (
    "#c0392b", "#8a5a2b", "#7d3c98", "#d35400", "#4d5b66", "#0e6655",
    "#a67c00", "#2e4a7d", "#1b74a8", "#94623a", "#5d4037",
)  # fmt: skip
ON_NIGHT = (
    "#ff8a7a", "#d9a86c", "#cf9df0", "#ffac5e", "#b9c6d0", "#6fd6bd",
    "#ead25f", "#9bb7f0", "#7cc8f5", "#dcb089", "#b6d36a",
)  # fmt: skip
SEAT_COLOURS = ("#e8a33d", "#5ab4e8", "#3fbf8f", "#efe05a", "#8f9dff", "#f0703c", "#e58bbd")

FLOOR, RIM, FELT, MAT, MAT_TURNED = "#17130f", "#4a3220", "#1d4d3a", "#163c2e", "#262c22"
SLOT, FAINT, DIM, PALE, GOLD = "#2f6e57", "#2a604c", "#9fb8aa", "#eef3ea", "#ffd24a"
PAPER, PAPER_EDGE = "#f7f3e6", "#b8ae92"
NIGHT, NIGHT_EDGE, ROT, TEETH = "#191b20", "#6f9443", "#a9cc6b", "#d9dfc4"
BACK, BACK_EDGE = "#8c2f2a", "#e9dcc0"


def _draw(svg: Svg, shapes: Sequence[Shape], ink: str, paper: str) -> None:
    for d, width, cut in shapes:
        colour = paper if cut else ink
        if width:
            svg.path(d, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round")
        else:
            svg.path(d, fill=colour)


# --- Cards --------------------------------------------------------------------------------------

CARD_WIDTH, CARD_HEIGHT = 46, 64
NAMED_FROM = 40  # the name on a narrower card could not be read
TEETH_ABOVE = "M4 1" + "l3.8 5l3.8-5" * 5 + "z"
TEETH_BELOW = "M4 63" + "l3.8-5l3.8 5" * 5 + "z"


def _height(width: float) -> float:
    return width * CARD_HEIGHT / CARD_WIDTH


def _card(picture: Svg, code: int, x: float, y: float, width: float) -> None:
    """An open card: items on paper, zombies on black between teeth."""
    symbol = _symbol(code)
    if code < ITEMS:
        ink, paper, edge, top = ON_PAPER[symbol], PAPER, PAPER_EDGE, 5
    else:
        ink, paper, edge, top = ON_NIGHT[symbol], NIGHT, NIGHT_EDGE, 7
    named = width >= NAMED_FROM
    with picture.group(x, y, width / CARD_WIDTH):
        picture.rect(0.5, 0.5, 45, 63, rx=5, fill=paper, stroke=edge)
        if code >= ITEMS:
            picture.path(TEETH_ABOVE + TEETH_BELOW, fill=TEETH)
        with picture.group(3, top if named else 12):
            _draw(picture, SYMBOLS[symbol], ink, paper)
        if named:
            name = _symbol_name(code)
            size = min(9, 66 / len(name))
            picture.label(23, 57 if code < ITEMS else 55, name, size, anchor="middle", bold=True, fill=ink)


def _back(picture: Svg, x: float, y: float, width: float) -> None:
    """A card that lies face down."""
    with picture.group(x, y, width / CARD_WIDTH):
        picture.rect(0.5, 0.5, 45, 63, rx=5, fill=BACK, stroke=BACK_EDGE)
        picture.path("M23 9l15 23l-15 23l-15-23zM23 19l8 13l-8 13l-8-13z", fill="none", stroke=BACK_EDGE)


def _place(picture: Svg, x: float, y: float, width: float) -> None:
    """A place where a card can come to lie."""
    picture.rect(
        x + 1, y + 1, width - 2, _height(width) - 2, rx=5, fill="none", stroke=SLOT, stroke_dasharray="4 4"
    )


def _hand(picture: Svg, seat: Seat, x: float, middle: float, room: float, largest: float) -> None:
    """A hand in one row, open cards first; cards shrink to a third, then overlap."""
    cards = [*seat.hand, *[None] * seat.hidden]
    if not cards:
        picture.label(x, middle + 5, "no cards in hand", 13, fill=DIM)
        return
    width = max(min(largest, room / len(cards) - 4), largest / 3)
    step = min(width + 4, (room - width) / max(len(cards) - 1, 1))
    y = middle - _height(width) / 2
    for place, code in enumerate(cards):
        if code is None:
            _back(picture, x + place * step, y, width)
        else:
            _card(picture, code, x + place * step, y, width)


def _rows(picture: Svg, seat: Seat, goal: int, y: float, room: float, width: float) -> None:
    """The cards before a player, items above zombies, and how far he is with each."""
    height = _height(width)
    places = max(goal, len(seat.items), len(seat.zombies))
    step = min(width + 5, (room - 50 - width) / max(places - 1, 1))
    for title, cards, ink, top in (
        ("items", seat.items, PALE, y),
        ("zombies", seat.zombies, ROT, y + height + 5),
    ):
        middle = top + height / 2
        picture.label(25, middle + 2, f"{len(cards)}/{goal}", 17, anchor="middle", bold=True, fill=ink)
        picture.label(25, middle + 15, title, 9.5, anchor="middle", fill=ink)
        for place in range(places):
            if place < len(cards):
                _card(picture, cards[place], 50 + place * step, top, width)
            else:
                _place(picture, 50 + place * step, top, width)


# --- Seats --------------------------------------------------------------------------------------

WIDTH, HEIGHT = 1280, 904
SEAT_WIDTH, SEAT_HEIGHT = 300, 226
OWN_LEFT, OWN_TOP, OWN_WIDTH = 240, 656, 800
LEFT, RIGHT, TOP = 24, WIDTH - 24 - SEAT_WIDTH, 24
PLACES: dict[int, tuple[tuple[int, int], ...]] = {  # of the others, clockwise from the left
    3: ((130, 36), (850, 36)),
    4: ((LEFT, 260), (490, TOP), (RIGHT, 260)),
    5: ((LEFT, 330), (170, TOP), (810, TOP), (RIGHT, 330)),
    6: ((LEFT, 410), (LEFT, 168), (490, TOP), (RIGHT, 168), (RIGHT, 410)),
    7: ((LEFT, 410), (LEFT, 172), (334, TOP), (646, TOP), (RIGHT, 172), (RIGHT, 410)),
}


def _seat_mat(picture: Svg, seat: Seat, goal: int, x: float, y: float) -> None:
    """Another seat: his hand above the cards before him."""
    with picture.group(x, y):
        _mat(picture, seat, SEAT_WIDTH)
        if not seat.turned:
            _hand(picture, seat, 12, 60, SEAT_WIDTH - 24, 34)
            _rows(picture, seat, goal, 91, SEAT_WIDTH - 8, 44)


def _own_mat(picture: Svg, seat: Seat, goal: int) -> None:
    """The observer's seat: the cards before him, and beside them his hand, larger."""
    with picture.group(OWN_LEFT, OWN_TOP):
        _mat(picture, seat, OWN_WIDTH)
        if not seat.turned:
            with picture.group(4):
                _rows(picture, seat, goal, 48, 344, 54)
            picture.line(360, 48, 360, 206, stroke=SLOT)
            _hand(picture, seat, 378, 126, OWN_WIDTH - 394, 88)


def _mat(picture: Svg, seat: Seat, width: float) -> None:
    """A seat's mat with his name and how he fares; nothing else for one who has turned."""
    colour = SEAT_COLOURS[seat.colour]
    ground = MAT_TURNED if seat.turned else MAT
    if seat.acts or seat.wins:
        picture.rect(-5, -5, width + 10, SEAT_HEIGHT + 10, rx=19, fill=GOLD)
    picture.rect(0, 0, width, SEAT_HEIGHT, rx=14, fill=ground, stroke=colour, stroke_width=2)
    picture.circle(22, 21, 8, fill=colour)
    picture.label(38, 27, f"{seat.name} (you)" if seat.mine else seat.name, 16, bold=True, fill=PALE)
    state = "winner" if seat.wins else "zombie" if seat.turned else "living"
    if seat.acts:
        state += ", to act"
    marked = seat.acts or seat.wins
    ink = GOLD if marked else ROT if seat.turned else PALE
    picture.label(width - 16, 26, state, 14, anchor="end", bold=marked, fill=ink)
    if seat.wins:
        with picture.group(width - 106, 9, 0.6):
            _draw(picture, CROWN, GOLD, ground)
    if seat.turned:
        with picture.group(width / 2 - 52, 52, 2.6):
            _draw(picture, ZOMBIE_HEAD, ROT, ground)
        picture.label(width / 2, 190, f"turned {_rank(seat.turned)}", 15, anchor="middle", fill=ROT)


# --- The table ----------------------------------------------------------------------------------


def svg(view: View, seat: int = 0, reveal: Sequence[View] | None = None) -> str:
    """The table as the View shows it, as an SVG document of 1280 x 904.

    `seat` is the observer's absolute seat and only names the players; -1 is a spectator. `reveal`
    holds the Views of the other seats in relative order (or of all seats, the first included) and
    lays their hands open. Raises ValueError for anything but one View, or a wrong number to reveal.
    """
    scene = _scene(view, seat, reveal)
    picture = Svg(WIDTH, HEIGHT)
    picture.rect(0, 0, WIDTH, HEIGHT, fill=FLOOR)
    picture.rect(2, 2, WIDTH - 4, HEIGHT - 4, rx=150, fill=RIM)
    picture.rect(12, 12, WIDTH - 24, HEIGHT - 24, rx=140, fill=FELT)
    _centre(picture, scene)
    own, *others = scene.seats
    for other, (x, y) in zip(others, PLACES[len(scene.seats)], strict=True):
        _seat_mat(picture, other, scene.goal, x, y)
    _own_mat(picture, own, scene.goal)
    return picture.text()


def _centre(picture: Svg, scene: Scene) -> None:
    """What happens, the draw pile, the card turned up and the discard pile."""
    middle = WIDTH / 2
    picture.label(middle, 294, scene.headline, 22, anchor="middle", bold=True, fill=GOLD)
    if scene.notes:
        picture.label(middle, 316, ", ".join(scene.notes), 14, anchor="middle", fill=DIM)
    _pile(picture, scene.pile, middle - 108, 334)
    _turned_up(picture, scene.turned_up, middle + 32, 334)
    _discard(picture, scene, 494)


def _pile(picture: Svg, size: int, x: float, y: float) -> None:
    """The draw pile, the higher the more cards it has."""
    layers = (size + 9) // 10
    for layer in range(layers):
        _back(picture, x - 2 * layer, y - 2 * layer, 76)
    if not layers:
        _place(picture, x, y, 76)
    picture.label(x + 38, y + 126, f"draw pile {size}", 14, anchor="middle", fill=PALE)


def _turned_up(picture: Svg, code: int | None, x: float, y: float) -> None:
    """The card that a zombie player must give, or the place for it."""
    if code is None:
        _place(picture, x, y, 76)
    else:
        picture.rect(x - 5, y - 5, 86, _height(76) + 10, rx=12, fill=GOLD)
        _card(picture, code, x, y, 76)
    ink = DIM if code is None else PALE
    picture.label(x + 38, y + 126, "turned up", 14, anchor="middle", fill=ink)


def _discard(picture: Svg, scene: Scene, y: float) -> None:
    """The open discard pile, sorted: items above, zombies below, with how many of each."""
    title = f"discard pile {sum(scene.discard)}"
    picture.label(WIDTH / 2, y, title, 14, anchor="middle", fill=PALE)
    columns = [*range(scene.kinds), _symbol(COCKROACH)]
    left = WIDTH / 2 - 27 * len(columns)
    for column, symbol in enumerate(columns):
        if symbol < ITEMS:
            _heap(picture, symbol, scene.discard[symbol], left + 54 * column, y + 14)
        _heap(picture, ITEMS + symbol, scene.discard[ITEMS + symbol], left + 54 * column, y + 70)


def _heap(picture: Svg, code: int, count: int, x: float, y: float) -> None:
    """All discarded cards of one code, or the place for them."""
    if not count:
        picture.rect(x + 9.5, y + 0.5, 35, 49, rx=4, fill="none", stroke=FAINT)
        with picture.group(x + 13, y + 11, 0.7):
            _draw(picture, SYMBOLS[_symbol(code)], FAINT, FELT)
        return
    _card(picture, code, x + 9, y, 36)
    if count > 1:
        picture.circle(x + 45, y + 44, 9, fill=GOLD)
        picture.label(x + 45, y + 48.5, str(count), 12, anchor="middle", bold=True, fill=FLOOR)


# --- The terminal -------------------------------------------------------------------------------

COLUMNS = 100
INNER_COLUMNS, NAME_COLUMNS = COLUMNS - 4, 22
SEAT_INKS = (214, 75, 43, 227, 105, 209, 176)  # of the 256 colours, as are the inks and papers below
GOLD_INK, ROT_INK, DARK_INK, LIGHT_PAPER, DARK_PAPER = 220, 157, 16, 255, 22


def ansi(view: View, seat: int = 0, reveal: Sequence[View] | None = None, colour: bool = True) -> str:
    """The table as text 100 columns wide; the arguments before `colour` are those of `svg`.

    With `colour` items stand dark on light and zombies light on dark; without it the text is plain.
    """
    scene = _scene(view, seat, reveal)
    pen = Pen(colour)
    top = [pen(scene.headline, GOLD_INK, bold=True) + "".join(f"  ({note})" for note in scene.notes)]
    if scene.turned_up is not None:
        top.append("turned up: " + _word(pen, scene.turned_up, CARD_NAMES[scene.turned_up]))
    seats = [line for player in scene.seats for line in _seat_lines(pen, player, scene.goal)]
    piles = [f"draw pile {scene.pile}, discard pile {sum(scene.discard)}"]
    for title, codes in (("items", range(ITEMS)), ("zombies", range(ITEMS, len(CARD_NAMES)))):
        words = [f"{_word(pen, code)} {scene.discard[code]}" for code in codes if scene.discard[code]]
        if words:
            piles += _titled(pen, f"  {title:<8}  ", words, INNER_COLUMNS)
    return box([top, seats, piles], COLUMNS, "Run for Your Lives")


def _seat_lines(pen: Pen, seat: Seat, goal: int) -> Iterator[str]:
    """Who a player is and how he fares on the left, his cards on the right."""
    mark = "> " if seat.acts else "* " if seat.wins else "  "
    name = f"{seat.name} (you)" if seat.mine else seat.name
    state = f"{'winner' if seat.wins else 'living'}, hand {len(seat.hand) + seat.hidden}"
    if seat.turned:
        state = f"zombie, turned {_rank(seat.turned)}"
    left = [pen(mark, GOLD_INK, bold=True) + pen(name, SEAT_INKS[seat.colour], bold=True), f"  {state}"]
    right: list[str] = []
    if not seat.turned:
        for title, cards in (("items", seat.items), ("zombies", seat.zombies)):
            words = [_word(pen, code) for code in cards]
            right += _titled(pen, f"{title:<8} {len(cards)}/{goal}  ", words, INNER_COLUMNS - NAME_COLUMNS)
    if seat.hand:
        words = [_word(pen, code, CARD_NAMES[code]) for code in seat.hand]
        words += [f"{seat.hidden} hidden"] if seat.hidden else []
        right += _titled(pen, "hand          ", words, INNER_COLUMNS - NAME_COLUMNS)
    for who, what in zip_longest(left, right, fillvalue=""):
        yield pad(who, NAME_COLUMNS) + what


def _word(pen: Pen, code: int, name: str | None = None) -> str:
    """A card in its colours; named by its symbol alone where no name is given."""
    name = _symbol_name(code) if name is None else name
    if not pen.colour:
        return name
    if code < ITEMS:
        return pen(f" {name} ", DARK_INK, LIGHT_PAPER)
    return pen(f" {name} ", ROT_INK, DARK_PAPER)


def _titled(pen: Pen, title: str, words: Sequence[str], width: int) -> list[str]:
    """Words after a title, in as many lines as they need."""
    lines = flow(words, width - len(title), " " if pen.colour else ", ") or [""]
    return [(" " * len(title) if index else title) + line for index, line in enumerate(lines)]
