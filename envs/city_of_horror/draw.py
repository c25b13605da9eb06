"""The town as a picture (SVG) and as text for a terminal, drawn from a View and nothing else.

So a seat's picture cannot show what its observation hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.draw import Pen, Svg, View, box, flow, record_of
from .cards import (
    ATTACK_FROM,
    CARDS_AN_HOUR,
    CHARACTER_NAMES,
    CHARACTERS,
    CORNERS,
    CROSSROADS,
    KIND_NAMES,
    MOST_ZOMBIES,
    PLACE_NAMES,
    PLACE_SOURCE,
    PLACES,
    POINTS,
    SOURCE_NAMES,
    TOWER,
)
from .state import D_ANSWER, DECISIONS, GOODS, STEPS
from .tables import card_names

_STATES = ("tired", "hidden", "extra")

# --- What the pictures show ---------------------------------------------------------------------


@dataclass(frozen=True)
class Person:
    """A living character: index, seat (relative), and its state."""

    index: int
    seat: int
    place: int
    tired: bool
    hidden: bool
    extra: bool

    @property
    def points(self) -> int:
        """What the shown side is worth."""
        return int(POINTS[self.index, int(self.tired)])


@dataclass(frozen=True)
class Seat:
    """One player as the observer sees him; `hand` holds kinds that are known, `hidden` counts the rest."""

    name: str
    colour: int
    mine: bool
    hand: tuple[int, ...]
    hidden: int
    antidotes: int
    food: tuple[int, ...]
    food_hidden: int
    card: str
    alive: int
    dead: tuple[str, ...]
    score: int
    acts: bool
    first: bool
    leader: bool


@dataclass(frozen=True)
class Place:
    """One place: what lies and who stands there."""

    index: int
    number: int
    side: str
    zombies: int
    attack: str
    capacity: int
    antidotes: int
    cards: int
    seen: tuple[str, ...]
    tokens: int
    people: tuple[Person, ...]
    shut: bool
    now: bool


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows, read once from the View."""

    seats: tuple[Seat, ...]
    places: tuple[Place, ...]
    wheel: tuple[int, ...]
    headline: str
    notes: tuple[str, ...]
    box: tuple[str, ...]
    discard: tuple[int, ...]


def _scene(view: View, seat: int, reveal: Sequence[View] | None) -> Scene:
    here = record_of(view)
    players = int(here["players"])
    hands = [here["hand"] if seat >= 0 else here["known"][0], *here["known"][1:players]]
    if reveal is not None:
        if len(reveal) != players - 1:
            raise ValueError(
                f"reveal holds {len(reveal)} views, expected one for each of the other {players - 1} seats"
            )
        hands[1:] = [record_of(other)["hand"] for other in reveal]
    base = max(seat, 0)
    seats = tuple(
        _seat(here, k, hands[k], (base + k) % players, seat >= 0 and reveal is None) for k in range(players)
    )
    people = [
        Person(
            i, int(here["owner"][i]) - 1, int(here["place"][i]) - 1, *(bool(here[key][i]) for key in _STATES)
        )
        for i in range(CHARACTERS)
        if here["place"][i]
    ]
    order = sorted(range(players), key=lambda k: int(here["wheel"][k]))
    return Scene(
        seats=seats,
        places=tuple(_place(here, k, people) for k in range(PLACES)),
        wheel=tuple(order),
        headline=_headline(here, seats),
        notes=tuple(_notes(here, seats)),
        box=(
            f"deck {here['deck']}", f"zombies left {here['zombies_left']}",
            f"antidotes left {here['antidotes_left']}",
            f"explosions left {here['tokens_left']}", f"food face down {here['food_down']}",
            *([f"food face up {' '.join(_values(here['food_up']))}"] if here["food_up"].any() else []),
        ),
        discard=tuple(int(n) for n in here["discard"]),
    )  # fmt: skip


def _values(counts: npt.NDArray[np.int8]) -> list[str]:
    return [str(value) for value, n in enumerate(counts) for _ in range(int(n))]


def _seat(here: np.void, k: int, hand: npt.NDArray[np.int8], number: int, observed: bool) -> Seat:
    cards = tuple(int(kind) for kind in np.repeat(np.arange(len(hand)), hand))
    mine = here["owner"] == k + 1
    placed = here["round"] > 0
    return Seat(
        name=f"player_{number}",
        colour=int(here["colour"][k]) - 1,
        mine=observed and k == 0,
        hand=cards,
        hidden=max(int(here["hand_size"][k]) - len(cards), 0),
        antidotes=int(here["vaccines"][k]),
        food=tuple(int(value) for value in _values(here["food"][k])),
        food_hidden=int(here["food_hidden"][k]),
        card=PLACE_NAMES[here["chosen"][k] - 1] if here["chosen"][k] else "",
        alive=int((mine & (here["place"] > 0)).sum()),
        dead=tuple(CHARACTER_NAMES[i] for i in np.flatnonzero(mine & (here["place"] == 0)) if placed),
        score=int(here["score"][k]),
        acts=int(here["to_act"]) == k + 1,
        first=int(here["first"]) == k + 1,
        leader=int(here["wheel"][k]) == 1,
    )


def _place(here: np.void, place: int, people: Sequence[Person]) -> Place:
    corner = TOWER < place < CROSSROADS
    side = int(here["side"][place])
    least = int(ATTACK_FROM[place, side - 1]) if side else 0
    seen = here["cards_seen"][place - 1] if corner else np.zeros(0, np.int8)
    return Place(
        index=place,
        number=int(here["number"][place]),
        side=("", "A", "B", "ruin")[side],
        zombies=int(here["zombies"][place]),
        attack=f"{least}+" if least else "> characters",
        capacity=int(here["capacity"][place]),
        antidotes=int(here["antidotes"][place]),
        cards=int(here["cards"][place - 1]) if corner else 0,
        seen=tuple(KIND_NAMES[kind] for kind, n in enumerate(seen) for _ in range(int(n))),
        tokens=int(here["tokens"][place]),
        people=tuple(person for person in people if person.place == place),
        shut=PLACE_NAMES[place] == "armory" and bool(here["shut"]),
        now=int(here["location"]) == place + 1,
    )


def _headline(here: np.void, seats: Sequence[Seat]) -> str:
    """What happens now, in one line."""
    turn = f"round {here['round']}" if here["round"] else "set-up"
    for seat in seats:
        if seat.acts:
            return f"{turn}: {seat.name} is asked: {DECISIONS[here['decision']]}"
    best = max(seat.score for seat in seats)
    return (
        "the game is over: "
        + ", ".join(seat.name for seat in seats if seat.score == best)
        + f" with {best} points"
    )


def _notes(here: np.void, seats: Sequence[Seat]) -> list[str]:
    """More about the pending decision and what the observer knows of the next hour."""
    found = []
    if here["window"]:
        found.append(f"window: {('planning', 'invasion', 'location', 'supplies', 'end')[here['window'] - 1]}")
    elif here["step"]:
        found.append(f"step: {STEPS[here['step']]}")
    if here["source"]:
        source = int(here["source"]) - 1
        does = "activates" if source >= PLACE_SOURCE else "uses"
        found.append(f"{seats[here['source_seat'] - 1].name} {does} {SOURCE_NAMES[source]}")
    if here["decision"] == D_ANSWER:
        give, want = GOODS[here["give"] - 1], GOODS[here["want"] - 1]
        found.append(f"offer of {seats[here['about_seat'] - 1].name}: {give} for {want}")
    if here["next_known"]:
        hour = int((here["invasion"] > 0).sum())
        letter = int(here["next_card"]) - 1
        if 0 <= letter < CARDS_AN_HOUR:
            found.append(f"next invasion card: {card_names(hour)[letter]}")
    return found


# --- SVG ----------------------------------------------------------------------------------------

_WIDTH, _HEIGHT = 1120, 760
_COLOURS = ("#e2b33c", "#cf4a40", "#4d9a54", "#e07f2e", "#8a5bb0", "#3f78b8")  # as COLOUR_NAMES
_INK, _PAPER, _CARD, _LINE, _SOFT = "#2b2b2b", "#f2ede2", "#fffdf8", "#b9af9c", "#7a7264"
_CELL = (252, 226)
# Where each location number is drawn: column and row of the 3 x 3 town.
_GRID = {1: (1, 0), 2: (0, 0), 3: (2, 0), 4: (2, 2), 5: (0, 2), 6: (1, 1)}


def svg(view: View, seat: int, reveal: Sequence[View] | None = None) -> str:
    """The town from a View: places, characters, zombies, supplies, the wheel, seats and hands.

    seat: who observes (-1: a spectator); reveal: the Views of the other seats, to show all hands.
    """
    scene = _scene(view, seat, reveal)
    picture = Svg(_WIDTH, _HEIGHT)
    picture.rect(0, 0, _WIDTH, _HEIGHT, fill=_PAPER)
    picture.label(16, 28, scene.headline, 18, bold=True, fill=_INK)
    picture.label(16, 48, " · ".join(scene.notes), 12, fill=_SOFT)
    for place in scene.places:
        column, row = _GRID.get(place.number, (0, 1))
        _draw_place(picture, scene, place, 12 + column * (_CELL[0] + 8), 60 + row * (_CELL[1] + 8))
    _draw_wheel(picture, scene, 12, 60 + _CELL[1] + 8)
    _draw_box(picture, scene, 12 + 2 * (_CELL[0] + 8), 60 + _CELL[1] + 8)
    _draw_discard(picture, scene, 12 + _CELL[0] + 8, 60 + 2 * (_CELL[1] + 8))
    height = (_HEIGHT - 72) / len(scene.seats)
    for k, player in enumerate(scene.seats):
        _draw_seat(picture, player, 800, 60 + k * height, height - 6)
    return picture.text()


def _draw_place(picture: Svg, scene: Scene, place: Place, x: float, y: float) -> None:
    width, height = _CELL
    with picture.group(x, y):
        edge = "#c0392b" if place.now else _LINE
        picture.rect(0, 0, width, height, rx=8, fill=_CARD, stroke=edge, stroke_width=3 if place.now else 1)
        name = f"{place.number} {PLACE_NAMES[place.index]} {place.side}" + (" (shut)" if place.shut else "")
        picture.label(10, 21, name, 15, bold=True, fill=_INK)
        room = "" if place.index == CROSSROADS else f"room {place.capacity} · "
        picture.label(width - 10, 78, f"{room}attack {place.attack}", 10, anchor="end", fill=_SOFT)
        for k in range(MOST_ZOMBIES):
            style = (
                {"fill": "#5f8f5a", "stroke": "#38573a"}
                if k < place.zombies
                else {"fill": "none", "stroke": "#d8d0c0"}
            )
            picture.circle(18 + 22 * k, 42, 8, **style)
        picture.label(width - 10, 47, f"{place.zombies}", 14, anchor="end", bold=True, fill="#38573a")
        _draw_items(picture, place)
        columns, size = (3, 42) if len(place.people) <= 9 else (5, 32)
        for k, person in enumerate(place.people):
            px = 6 + (k % columns) * ((width - 12) / columns)
            _draw_person(
                picture, scene, person, px, 88 + (k // columns) * (size + 3), (width - 12) / columns - 4, size
            )


def _draw_items(picture: Svg, place: Place) -> None:
    x = 10.0
    for k in range(place.antidotes):
        picture.rect(x + 13 * k, 58, 11, 18, rx=3, fill="#dff0f7", stroke="#4a90a8")
    x += 13 * place.antidotes + (6 if place.antidotes else 0)
    for k in range(place.cards):
        picture.rect(x + 16 * k, 58, 14, 18, rx=2, fill="#8c7b5e", stroke=_INK)
    x += 16 * place.cards + (6 if place.cards else 0)
    for k in range(place.tokens):
        picture.circle(x + 8 + 16 * k, 67, 7, fill="#e8842c", stroke="#8a3d10")
    if place.seen:
        picture.label(242, 21, "seen: " + ", ".join(place.seen), 9, anchor="end", fill=_SOFT)


def _draw_person(
    picture: Svg, scene: Scene, person: Person, x: float, y: float, width: float, height: float
) -> None:
    colour = _COLOURS[scene.seats[person.seat].colour]
    dash = {"stroke_dasharray": "4 3"} if person.hidden else {}
    picture.rect(
        x, y, width, height, rx=5, fill=colour, stroke="#c0392b" if person.extra else _INK, stroke_width=1.5,
        fill_opacity=0.35 if person.tired else 0.95, **dash,
    )  # fmt: skip
    ink = _INK if person.tired else "#ffffff"
    words = CHARACTER_NAMES[person.index].split()
    size = 8 if height <= 40 or max(map(len, words)) > 12 else 10
    if height > 40:
        picture.label(x + 5, y + 14, words[0], size, bold=True, fill=ink)
        if len(words) > 1:
            picture.label(x + 5, y + 26, " ".join(words[1:]), size, bold=True, fill=ink)
        state = " ".join(["tired"] * person.tired + ["hidden"] * person.hidden)
        picture.label(x + 5, y + height - 5, state, 8, fill=ink)
    else:
        picture.label(x + 3, y + 12, words[0][:8], size, bold=True, fill=ink)
        picture.label(x + 3, y + height - 5, "tired" * person.tired, 7, fill=ink)
    picture.label(x + width - 4, y + height - 5, str(person.points), size, anchor="end", bold=True, fill=ink)


def _draw_wheel(picture: Svg, scene: Scene, x: float, y: float) -> None:
    """The colours in play, clockwise, the leader's first."""
    with picture.group(x, y):
        picture.label(10, 20, "Zombie Leader (clockwise)", 13, bold=True, fill=_INK)
        for k, seat in enumerate(scene.wheel):
            player = scene.seats[seat]
            picture.circle(
                26,
                46 + 30 * k,
                11,
                fill=_COLOURS[player.colour],
                stroke=_INK,
                stroke_width=3 if k == 0 else 1,
            )
            picture.label(
                46, 51 + 30 * k, player.name + (" - the leader is here" if k == 0 else ""), 12, fill=_INK
            )


def _draw_box(picture: Svg, scene: Scene, x: float, y: float) -> None:
    with picture.group(x, y):
        picture.label(10, 20, "Supply", 13, bold=True, fill=_INK)
        for k, line in enumerate(scene.box):
            picture.label(10, 44 + 20 * k, line, 12, fill=_INK)


def _draw_discard(picture: Svg, scene: Scene, x: float, y: float) -> None:
    with picture.group(x, y):
        picture.label(10, 20, "Discard pile", 13, bold=True, fill=_INK)
        rows = [(kind, n) for kind, n in enumerate(scene.discard) if n]
        for k, (kind, n) in enumerate(rows):
            picture.label(10 + 126 * (k // 9), 40 + 20 * (k % 9), f"{n} {KIND_NAMES[kind]}", 11, fill=_INK)


def _draw_seat(picture: Svg, seat: Seat, x: float, y: float, height: float) -> None:
    with picture.group(x, y):
        picture.rect(
            0,
            0,
            308,
            height,
            rx=8,
            fill=_CARD,
            stroke=_INK if seat.acts else _LINE,
            stroke_width=3 if seat.acts else 1,
        )
        picture.rect(0, 0, 8, height, rx=4, fill=_COLOURS[seat.colour])
        marks = " ".join(["(you)"] * seat.mine + ["first player"] * seat.first)
        picture.label(18, 20, f"{seat.name} {marks}", 13, bold=True, fill=_INK)
        picture.label(
            298,
            20,
            f"{seat.score} points" if seat.score else f"{seat.alive} alive",
            12,
            anchor="end",
            fill=_INK,
        )
        card = f" · goes to the {seat.card}" if seat.card else ""
        picture.label(18, 38, f"antidotes {seat.antidotes} · food {_food(seat)}{card}", 11, fill=_INK)
        lines = flow([*_hand(seat), *([f"dead: {', '.join(seat.dead)}"] if seat.dead else [])], 44, " · ")
        for k, line in enumerate(lines[: int((height - 44) // 15)]):
            picture.label(18, 55 + 15 * k, line, 11, fill=_SOFT)


def _food(seat: Seat) -> str:
    return " ".join([*map(str, seat.food), *["?"] * seat.food_hidden]) or "none"


def _hand(seat: Seat) -> list[str]:
    """The hand in words: known cards, then how many are not known."""
    known = [KIND_NAMES[kind] for kind in seat.hand]
    return [*known, *([f"{seat.hidden} unknown"] if seat.hidden else [])] or ["no cards"]


# --- Terminal -----------------------------------------------------------------------------------

_INKS = (178, 160, 71, 208, 97, 68)  # the seats' colours in the 256-colour palette


def ansi(view: View, seat: int, reveal: Sequence[View] | None = None, colour: bool = True) -> str:
    """The same for a terminal: a line or two for each place, then the seats."""
    scene = _scene(view, seat, reveal)
    pen = Pen(colour)
    places = []
    for place in sorted(scene.places, key=lambda place: place.number):
        places += _place_lines(scene, place, pen)
    seats = []
    for player in scene.seats:
        seats += _seat_lines(player, pen)
    leader = " > ".join(pen(scene.seats[k].name, _INKS[scene.seats[k].colour]) for k in scene.wheel)
    rest = [f"leader: {leader}", *flow(scene.box, 96, ", ")]
    pile = [f"{n} {KIND_NAMES[kind]}" for kind, n in enumerate(scene.discard) if n]
    rest += [f"discard pile: {line}" for line in flow(pile or ["empty"], 80, ", ")]
    head = [scene.headline, *scene.notes]
    return box([head, places, seats, rest], 100, "City of Horror")


def _place_lines(scene: Scene, place: Place, pen: Pen) -> list[str]:
    mark = ">" if place.now else " "
    name = f"{mark}{place.number} {PLACE_NAMES[place.index]} {place.side}" + (" shut" if place.shut else "")
    lying = {"antidote": place.antidotes, "card": place.cards, "explosion": place.tokens}
    goods = [_amount(n, what) for what, n in lying.items() if n]
    seen = [f"seen: {', '.join(place.seen)}"] * bool(place.seen)
    zombies = pen(_amount(place.zombies, "zombie"), 65, bold=place.zombies > 0)
    head = " · ".join([pen(name, bold=True), f"{zombies} (attack {place.attack})", *goods, *seen])
    people = [
        pen(
            CHARACTER_NAMES[person.index] + "*" * person.tired + "'" * person.hidden + "+" * person.extra,
            _INKS[scene.seats[person.seat].colour],
        )
        for person in place.people
    ]
    return [head, *("   " + line for line in flow(people, 90, ", "))]


def _amount(n: int, what: str) -> str:
    return f"{n} {what}" + "s" * (n != 1)


def _seat_lines(seat: Seat, pen: Pen) -> list[str]:
    marks = ["(you)"] * seat.mine + ["first"] * seat.first + ["asked"] * seat.acts
    head = [
        pen(seat.name, _INKS[seat.colour], bold=True), *marks, f"{seat.alive} alive",
        f"antidotes {seat.antidotes}", f"food {_food(seat)}",
        *([f"goes to {seat.card}"] if seat.card else []),
        *([f"{seat.score} points"] if seat.score else []),
    ]  # fmt: skip
    return [" · ".join(head), *("   " + line for line in flow(_hand(seat), 90, ", "))]


assert CORNERS == CROSSROADS - 1
