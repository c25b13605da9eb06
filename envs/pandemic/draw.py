"""The board as a picture (SVG) and as text for a terminal, drawn from a View and nothing else.

So a seat's picture cannot show what its observation hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.draw import Pen, Svg, View, box, disc, flow, record_of
from .board import MAPS, Map
from .cards import CITIES, COLOURS, EVENT_NAMES, INFECTION_RATE, KINDS, OUTBREAK_LIMIT, ROLE_NAMES
from .state import (
    ACTION,
    ASKED,
    CARD,
    CONSENT,
    CURED,
    DESTINATION,
    DISPATCH,
    ERADICATED,
    LIMIT,
    PAWN,
    STATION,
    WINDOW,
)  # fmt: skip

# --- What the pictures show -----------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """One player as the observer sees him; `hand` holds the cards that lie open."""

    name: str
    mine: bool
    role: int
    city: int
    hand: tuple[int, ...]
    hidden: int
    stored: int
    acts: bool
    on_turn: bool


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows, read once from the View."""

    view: np.void
    map: Map
    seats: tuple[Seat, ...]
    headline: str
    notes: tuple[str, ...]

    def card(self, card: int) -> str:
        """The name of a player card."""
        return self.map.cities[card] if card < CITIES else EVENT_NAMES[card - CITIES]


def _scene(view: View, seat: int, reveal: Sequence[View] | None) -> Scene:
    here = record_of(view)
    mark = (int(here["map"][0]), int(here["map"][1]))
    if mark not in MAPS:
        raise ValueError("the View is of a map that this process has not loaded: load_map(path) first")
    players = int(here["players"])
    hands = [here["hands"][place] for place in range(players)]
    if reveal is not None:
        if not players - 1 <= len(reveal) <= players:
            raise ValueError(
                f"reveal holds {len(reveal)} views, expected one for each of the other "
                f"{players - 1} seats, or one for each of all {players}"
            )
        hands[players - len(reveal) :] = [record_of(other)["hands"][0] for other in reveal]
    observed = seat >= 0 and reveal is None
    seats = tuple(
        _seat(here, place, hands[place], (max(seat, 0) + place) % players, observed)
        for place in range(players)
    )
    found = MAPS[mark]
    return Scene(here, found, seats, _headline(here, seats, found), tuple(_notes(here)))


def _seat(here: np.void, place: int, hand: npt.NDArray[np.int8], number: int, observed: bool) -> Seat:
    cards = tuple(int(card) for card in np.flatnonzero(hand))
    return Seat(
        name=f"player_{number}",
        mine=observed and place == 0,
        role=int(here["role"][place]),
        city=int(here["pawn"][place].argmax()),
        hand=cards,
        hidden=max(int(here["hand_size"][place]) - len(cards), 0),
        stored=int(here["stored"][place]),
        acts=int(here["to_act"]) == place + 1,
        on_turn=int(here["on_turn"]) == place + 1,
    )


RESULTS = (
    "", "the players have won: all cures are found", "lost: the eighth outbreak", "lost: no cubes are left",
    "lost: no player cards are left", "cut off: the last turn allowed is over",
)  # fmt: skip
WINDOWS = (
    "", "at the start of the turn", "after the last action", "in the epidemic", "between two epidemics",
    "before the infections", "before the next action", "before the next infection card",
)  # fmt: skip


def _headline(here: np.void, seats: Sequence[Seat], found: Map) -> str:
    """What happens now, in one line."""
    if here["result"]:
        return RESULTS[int(here["result"])]
    acting = next((seat for seat in seats if seat.acts), None)
    if acting is None:
        return "nobody is asked"
    return f"{acting.name} {_question(here, seats, found)}"


def _question(here: np.void, seats: Sequence[Seat], found: Map) -> str:
    kind = int(here["decision"])
    event = EVENT_NAMES[int(here["pending_event"]) - 1] if here["pending_event"] else ""
    city = found.cities[int(here["pending_city"]) - 1] if here["pending_city"] else ""
    other = seats[int(here["pending_pawn"]) - 1].name if here["pending_pawn"] else ""
    if kind == ACTION:
        n = int(here["actions_left"])
        return f"chooses an action ({n} left)"
    if kind == WINDOW:
        return f"may play an event {WINDOWS[int(here['window'])]}"
    if kind == LIMIT:
        return "has too many cards"
    if kind == CARD:
        if here["pending_colour"]:
            colour = COLOURS[int(here["pending_colour"]) - 1]
            return f"picks cards for the {colour} cure ({int(here['picks_left'])} more)"
        if event:
            return f"picks a card for {event}"
        if here["offer"]:
            return f"picks a card to {'give to' if here['offer'] == 1 else 'take from'} {other}"
        return f"picks the card for the flight to {city}"
    if kind == DESTINATION:
        return f"chooses a city for {event}" + (f" of {other}" if other else "")
    if kind == PAWN:
        return f"chooses whom {event} carries"
    if kind == STATION:
        return f"chooses a station to move to {city}"
    if kind == DISPATCH:
        return f"moves the pawn of {other}"
    if kind == CONSENT:
        what = (
            "",
            "is offered the card of",
            "is asked for the card of",
            "may be moved to",
            "may be flown to",
        )
        return f"{what[int(here['offer'])]} {city} by {other}"
    if kind == ASKED:
        return f"is asked for a card by {other}"
    return "decides"


def _notes(here: np.void) -> Iterator[str]:
    """What else is going on."""
    if here["quiet_night"]:
        yield "One Quiet Night"
    if here["operations_used"]:
        yield "operations flight used"
    if here["epidemics_due"]:
        yield f"epidemics to carry out: {int(here['epidemics_due'])}"
    if here["to_flip"]:
        yield f"infection cards to come: {int(here['to_flip'])}"


# --- Colours --------------------------------------------------------------------------------------

INK = ("#3f86e0", "#e8c531", "#4a4f57", "#d8433c")  # blue, yellow, black, red
EDGE = ("#a9cdf7", "#fff2ae", "#b9bec7", "#ffb3ae")
ON_CARD = ("#ffffff", "#2b2405", "#ffffff", "#ffffff")
ROLE_INK = ("#6fd0d8", "#d67bd2", "#f0913a", "#63c256", "#2f8f5b", "#b07a4a", "#eef0f2")
NIGHT, SEA, LAND, PANEL, RULE = "#0c1626", "#14263d", "#1d3a50", "#182c46", "#2d4668"
ROUTE, PALE, DIM, GOLD, EVENT = "#5f7ea6", "#eaf1fa", "#93a9c6", "#ffd24a", "#c98a2b"

WIDTH, HEIGHT = 1360, 930
MAP_X, MAP_Y, MAP_WIDTH, MAP_HEIGHT = 16, 52, 1040, 632
SIDE_X, SIDE_WIDTH = 1072, 272
SEATS_Y, SEAT_HEIGHT = 700, 216


def svg(view: View, seat: int = 0, reveal: Sequence[View] | None = None) -> str:
    """The board as the View shows it, as an SVG document of 1360 x 930.

    `seat` is the observer's absolute seat and only names the players; -1 is a spectator. `reveal`
    holds the Views of the other seats in relative order (or of all seats, the first included) and
    lays their hands open. Raises ValueError for anything but one View, or a wrong number to reveal.
    """
    scene = _scene(view, seat, reveal)
    picture = Svg(WIDTH, HEIGHT)
    picture.rect(0, 0, WIDTH, HEIGHT, fill=NIGHT)
    picture.label(MAP_X + 4, 34, scene.headline, 22, bold=True, fill=GOLD)
    if scene.notes:
        picture.label(WIDTH - 16, 33, ", ".join(scene.notes), 15, anchor="end", fill=DIM)
    _board(picture, scene)
    _side(picture, scene)
    width = (WIDTH - 16) / len(scene.seats) - 16
    for place, player in enumerate(scene.seats):
        with picture.group(16 + place * (width + 16), SEATS_Y):
            _mat(picture, scene, player, width)
    return picture.text()


# --- The map --------------------------------------------------------------------------------------


def _board(picture: Svg, scene: Scene) -> None:
    picture.rect(MAP_X, MAP_Y, MAP_WIDTH, MAP_HEIGHT, rx=10, fill=SEA, stroke=RULE)
    with picture.group(MAP_X + 20, MAP_Y + 34):
        for outline in scene.map.land:
            corners = "L".join(f"{x:g} {y:g}" for x, y in outline)
            picture.path(f"M{corners}z", fill=LAND, stroke=LAND, stroke_width=10, stroke_linejoin="round")
        for city, others in enumerate(scene.map.links):
            for other in others:
                if city < other:
                    _route(picture, scene.map.places[city], scene.map.places[other])
        for city in range(len(scene.map.cities)):
            _city(picture, scene, city)
        for city in range(len(scene.map.cities)):
            _pieces(picture, scene, city)
        picture.circle(0, 584, 4, fill=PALE)
        picture.label(10, 588, "in the top layer of the infection deck", 11, fill=DIM)
        picture.path("M238 580l8 8M246 580l-8 8", stroke=PALE, stroke_width=2, fill="none")
        picture.label(252, 588, "in the infection discards", 11, fill=DIM)


def _route(picture: Svg, one: tuple[float, float], other: tuple[float, float]) -> None:
    """A connection; one that spans most of the map goes round the world."""
    (x1, y1), (x2, y2) = sorted((one, other))
    if x2 - x1 < 640:
        picture.line(x1, y1, x2, y2, stroke=ROUTE, stroke_width=1.8)
        return
    left, right = -20.0, MAP_WIDTH - 20.0
    share = (x1 - left) / ((x1 - left) + (right - x2))
    middle = y1 + (y2 - y1) * share
    for x, y, edge in ((x1, y1, left), (x2, y2, right)):
        picture.line(x, y, edge, middle, stroke=ROUTE, stroke_width=1.8, stroke_dasharray="7 4")


def _city(picture: Svg, scene: Scene, city: int) -> None:
    """A city in its colour, its name, and where its infection card is."""
    x, y = scene.map.places[city]
    colour = scene.map.colours[city]
    layer = int(scene.view["infection_layer"][city])
    if scene.view["pending_city"] == city + 1 or scene.view["forecast"][city]:
        picture.circle(x, y, 14, fill=GOLD)
    picture.circle(x, y, 9.5, fill=INK[colour], stroke=EDGE[colour], stroke_width=2)
    if layer == 1 and int(scene.view["layer_size"][1]):
        picture.circle(x, y, 3.4, fill=PALE)
    elif scene.view["infection_discard"][city]:
        picture.path(
            f"M{x - 4:g} {y - 4:g}l8 8M{x + 4:g} {y - 4:g}l-8 8", stroke=NIGHT, stroke_width=2, fill="none"
        )
    elif scene.view["infection_removed"][city]:
        picture.circle(x, y, 4.5, fill=NIGHT)
    picture.label(
        x, y + 22, scene.map.cities[city], 11.5, anchor="middle", fill=PALE, stroke=SEA, stroke_width=3,
        stroke_opacity=0.8, paint_order="stroke",
    )  # fmt: skip


def _pieces(picture: Svg, scene: Scene, city: int) -> None:
    """Cubes above a city, a station on its left, pawns on its right."""
    x, y = scene.map.places[city]
    rows = [(colour, int(n)) for colour, n in enumerate(scene.view["cubes"][city]) if n]
    for row, (colour, n) in enumerate(rows):
        for k in range(n):
            picture.rect(
                x - 5.5 * n + 11 * k + 0.5, y - 22 - 11 * row, 10, 10, rx=1.5, fill=INK[colour],
                stroke="#ffffff", stroke_width=1.6 if n == 3 else 0.9,
            )  # fmt: skip
    if scene.view["station"][city]:
        with picture.group(x - 27, y - 9):
            picture.path("M0 16v-9l8-7l8 7v9z", fill="#ffffff", stroke=NIGHT)
            picture.path("M6 5.5h4v3h3v4h-3v3h-4v-3h-3v-4h3z", fill="#d8433c")
    standing = [seat for seat in scene.seats if seat.city == city]
    for k, seat in enumerate(standing):
        with picture.group(x + 11 + 11 * k, y - 13 - 2 * (k % 2), 0.9):
            _pawn(picture, seat)


def _pawn(picture: Svg, seat: Seat) -> None:
    """A pawn of 16 x 24 in its role's colour."""
    edge = GOLD if seat.acts else "#10151d"
    picture.path(
        "M2 24q-1-5 3-7l1.5-7h3l1.5 7q4 2 3 7z" + disc(8, 6, 5), fill=ROLE_INK[seat.role - 1], stroke=edge,
        stroke_width=2 if seat.acts else 1.2,
    )  # fmt: skip


# --- Tracks and decks -----------------------------------------------------------------------------


def _side(picture: Svg, scene: Scene) -> None:
    view = scene.view
    picture.rect(SIDE_X, MAP_Y, SIDE_WIDTH, MAP_HEIGHT, rx=10, fill=PANEL, stroke=RULE)
    with picture.group(SIDE_X + 14, MAP_Y + 10):
        _title(picture, 14, "infection rate")
        _track(picture, 22, [str(rate) for rate in INFECTION_RATE], int(view["rate_step"]), "#63c256")
        _title(picture, 76, "outbreaks")
        _track(
            picture, 84, [str(n) for n in range(OUTBREAK_LIMIT)] + ["✕"], int(view["outbreaks"]), "#d8433c"
        )
        _title(picture, 138, "cures and cubes left")
        for colour in range(KINDS):
            _cure(picture, scene, colour, 62 * colour, 146)
        _title(picture, 240, f"player deck {int(view['deck_size'])}")
        _piles(picture, view, 250)
        _title(picture, 322, f"player discards {int(view['player_discard'].sum())}")
        _chips(picture, scene, view["player_discard"], 332, 3)
        _title(picture, 404, f"infection deck {int(view['infection_size'])} in known layers")
        _layers(picture, scene, 414)
        _title(picture, 500, f"infection discards {int(view['infection_discard'].sum())}")
        _chips(picture, scene, view["infection_discard"], 510, 3)
        out = [EVENT_NAMES[e] for e, flag in enumerate(view["player_removed"][CITIES:]) if flag]
        out += [scene.map.cities[city] for city in np.flatnonzero(view["infection_removed"])]
        text = f"stations left {int(view['stations_left'])}" + (f"; out: {', '.join(out)}" if out else "")
        picture.label(0, 606, text, 12, fill=DIM)


def _title(picture: Svg, y: float, text: str) -> None:
    picture.label(0, y, text, 13, bold=True, fill=PALE)


def _track(picture: Svg, y: float, steps: Sequence[str], at: int, ink: str) -> None:
    """A row of places with a marker."""
    for k, text in enumerate(steps):
        x = 13 + 27 * k
        picture.circle(
            x, y + 16, 12, fill=ink if k == at else NIGHT, stroke=GOLD if k == at else ROUTE, stroke_width=2
        )
        picture.label(x, y + 20.5, text, 13, anchor="middle", bold=k == at, fill=PALE)


def _cure(picture: Svg, scene: Scene, colour: int, x: float, y: float) -> None:
    """A vial: empty, full when cured, crossed out when eradicated; and the supply."""
    cure = int(scene.view["cure"][colour])
    ink, edge = INK[colour], EDGE[colour]
    with picture.group(x + 14, y):
        picture.path(
            "M9 2h14v5h-2v14a5 5 0 0 1-10 0v-14h-2z", fill=ink if cure else NIGHT, stroke=edge, stroke_width=2
        )
        if cure == CURED:
            picture.path("M12 15l4 5l8-12", fill="none", stroke="#ffffff", stroke_width=3)
        if cure == ERADICATED:
            picture.path("M6 4l20 26M26 4l-20 26", fill="none", stroke="#ffffff", stroke_width=3)
        word = ("", "cured", "eradicated")[cure]
        picture.label(16, 44, word, 10, anchor="middle", fill=PALE)
        picture.rect(2, 52, 11, 11, rx=1.5, fill=ink, stroke="#ffffff")
        picture.label(18, 62, str(int(scene.view["supply"][colour])), 14, bold=True, fill=PALE)


def _piles(picture: Svg, view: np.void, y: float) -> None:
    """The piles of the player deck side by side; each hides an epidemic unless it is out."""
    sizes = [int(size) for size in view["piles"] if size]
    x = 0.0
    for pile, size in enumerate(sizes):
        width = max(16.0, 200.0 * size / max(1, sum(sizes)))
        out = pile == 0 and bool(view["epidemic_out"])
        picture.rect(
            x,
            y,
            width - 3,
            34,
            rx=4,
            fill="#274b74" if out else "#3d6b3a",
            stroke=EDGE[0] if out else "#a6d39f",
        )
        picture.label(x + width / 2 - 1.5, y + 15, str(size), 12, anchor="middle", bold=True, fill=PALE)
        picture.label(x + width / 2 - 1.5, y + 29, "-" if out else "☣", 12, anchor="middle", fill=PALE)
        x += width + 1
    if not sizes:
        picture.label(0, y + 20, "empty", 13, fill=DIM)


def _layers(picture: Svg, scene: Scene, y: float) -> None:
    """The known layers of the infection deck; small ones with their cities."""
    sizes = [int(size) for size in scene.view["layer_size"] if size]
    if not sizes:
        picture.label(0, y + 14, "empty", 13, fill=DIM)
    rows = 4 if len(sizes) > 4 else len(sizes)
    for layer in range(rows):
        cities = np.flatnonzero(scene.view["infection_layer"] == layer + 1)
        names = ", ".join(scene.map.cities[city] for city in cities)
        text = f"{sizes[layer]}: {names}"
        if len(text) > 44:
            text = text[:43] + "…"
        picture.label(0, y + 12 + 16 * layer, text, 11, fill=DIM if layer else PALE)
    if len(sizes) > rows:
        picture.label(0, y + 12 + 16 * rows, f"and {len(sizes) - rows} more layers", 11, fill=DIM)


def _chips(picture: Svg, scene: Scene, flags: npt.NDArray[np.int8], y: float, rows: int) -> None:
    """Small cards with the first letters of their names, sorted by colour."""
    cards = sorted((int(card) for card in np.flatnonzero(flags)), key=lambda card: _sort_key(scene.map, card))
    per_row = max(8, -(-len(cards) // rows))
    step = min(31.0, 246.0 / per_row)
    for k, card in enumerate(cards):
        x, top = (k % per_row) * step, y + (k // per_row) * 20
        colour = scene.map.colours[card] if card < CITIES else None
        fill, ink = (EVENT, "#ffffff") if colour is None else (INK[colour], ON_CARD[colour])
        picture.rect(x, top, step - 2, 17, rx=3, fill=fill)
        letters = max(1, min(4, int(step / 7)))
        picture.label(x + step / 2 - 1, top + 12.5, scene.card(card)[:letters], 10, anchor="middle", fill=ink)


def _sort_key(found: Map, card: int) -> tuple[int, int]:
    return (found.colours[card] if card < CITIES else KINDS, card)


# --- Seats ----------------------------------------------------------------------------------------


def _mat(picture: Svg, scene: Scene, seat: Seat, width: float) -> None:
    """A seat: name, role, where the pawn is, and the hand."""
    ink = ROLE_INK[seat.role - 1]
    if seat.acts:
        picture.rect(-4, -4, width + 8, SEAT_HEIGHT + 8, rx=13, fill=GOLD)
    picture.rect(0, 0, width, SEAT_HEIGHT, rx=10, fill=PANEL, stroke=ink, stroke_width=2)
    with picture.group(10, 8):
        _pawn(picture, seat)
    title = seat.name + (" (you)" if seat.mine else "")
    picture.label(32, 22, title, 15, bold=True, fill=PALE)
    picture.label(width - 12, 22, ROLE_NAMES[seat.role - 1], 13, anchor="end", bold=True, fill=ink)
    where = f"in {scene.map.cities[seat.city]}" + (", on turn" if seat.on_turn else "")
    if seat.stored:
        where += f", keeps {EVENT_NAMES[seat.stored - 1]}"
    picture.label(32, 39, where, 12, fill=GOLD if seat.on_turn else DIM)
    cards: list[int | None] = [
        *sorted(seat.hand, key=lambda card: _sort_key(scene.map, card)),
        *[None] * seat.hidden,
    ]
    columns = 2 if width < 500 else 3
    step = (width - 20) / columns
    for k, card in enumerate(cards):
        _card(picture, scene, card, 10 + (k % columns) * step, 50 + (k // columns) * 32, step - 6)


def _card(picture: Svg, scene: Scene, card: int | None, x: float, y: float, width: float) -> None:
    """A player card as a bar, or its back."""
    if card is None:
        picture.rect(x, y, width, 28, rx=5, fill="#2c5c86", stroke="#8fb9de")
        picture.label(x + width / 2, y + 18.5, "?", 14, anchor="middle", bold=True, fill="#8fb9de")
        return
    if card < CITIES:
        colour = scene.map.colours[card]
        fill, edge, ink = INK[colour], EDGE[colour], ON_CARD[colour]
    else:
        fill, edge, ink = EVENT, "#ffe0a3", "#ffffff"
    picture.rect(x, y, width, 28, rx=5, fill=fill, stroke=edge, stroke_width=1.4)
    name = scene.card(card)
    size = min(13.0, 1.62 * (width - 12) / len(name))
    picture.label(x + width / 2, y + 18.5, name, size, anchor="middle", bold=True, fill=ink)


# --- The terminal ---------------------------------------------------------------------------------

COLUMNS = 110
INNER = COLUMNS - 4
COLOUR_INK = (75, 220, 250, 203)  # of the 256 colours, as are the inks below
COLOUR_PAPER = (25, 178, 240, 124)
ROLE_INK_256 = (80, 176, 208, 114, 36, 137, 255)
GOLD_256, DIM_256, EVENT_256 = 220, 245, 172


def ansi(view: View, seat: int = 0, reveal: Sequence[View] | None = None, colour: bool = True) -> str:
    """The board as text 110 columns wide; the arguments before `colour` are those of `svg`."""
    scene = _scene(view, seat, reveal)
    pen = Pen(colour)
    top = [pen(scene.headline, GOLD_256, bold=True) + "".join(f"  ({note})" for note in scene.notes)]
    seats = [line for player in scene.seats for line in _seat_lines(pen, scene, player)]
    return box(
        [top, list(_track_lines(pen, scene)), list(_city_lines(pen, scene)), seats], COLUMNS, "Pandemic"
    )


def _track_lines(pen: Pen, scene: Scene) -> Iterator[str]:
    view = scene.view
    step = int(view["rate_step"])
    rates = " ".join(
        pen(f"[{rate}]", GOLD_256, bold=True) if k == step else str(rate)
        for k, rate in enumerate(INFECTION_RATE)
    )
    yield (
        f"rate {rates}   outbreaks {pen(str(int(view['outbreaks'])), 203, bold=True)}/{OUTBREAK_LIMIT}   "
        f"stations left {int(view['stations_left'])}"
    )
    words = []
    for colour in range(KINDS):
        if colour in scene.map.colours:
            state = ("", ", cured", ", eradicated")[int(view["cure"][colour])]
            words.append(
                pen(f"{COLOURS[colour]} {int(view['supply'][colour])} left{state}", COLOUR_INK[colour])
            )
    yield "cubes: " + "   ".join(words)
    piles = [
        f"{int(n)}{'' if k == 0 and view['epidemic_out'] else '!'}" for k, n in enumerate(view["piles"]) if n
    ]
    layers = " / ".join(str(int(n)) for n in view["layer_size"] if n)
    yield (
        f"player deck {int(view['deck_size'])} in piles {' '.join(piles) or '-'} (! an epidemic), "
        f"infection layers {layers or '-'}"
    )
    for title, flags in (("discards ", view["player_discard"]), ("infected ", view["infection_discard"])):
        cards = sorted(
            (int(card) for card in np.flatnonzero(flags)), key=lambda card: _sort_key(scene.map, card)
        )
        yield from _titled(title, [_word(pen, scene, card) for card in cards])
    lifted = sorted(np.flatnonzero(view["forecast"]), key=lambda city: int(view["forecast"][city]))
    if lifted:
        yield from _titled("forecast ", [f"{int(view['forecast'][c])}:{scene.map.cities[c]}" for c in lifted])


def _city_lines(pen: Pen, scene: Scene) -> Iterator[str]:
    """The cities where something is: cubes, stations, pawns."""
    words = []
    for city in sorted(range(len(scene.map.cities)), key=lambda city: (scene.map.colours[city], city)):
        cubes = "".join(
            pen("■" * int(n) if pen.colour else COLOURS[k][:2] * int(n), COLOUR_INK[k])
            for k, n in enumerate(scene.view["cubes"][city])
            if n
        )
        station = "+" if scene.view["station"][city] else ""
        pawns = "".join(
            pen(f"@{seat.name[-1]}", ROLE_INK_256[seat.role - 1], bold=True)
            for seat in scene.seats
            if seat.city == city
        )
        if cubes or station or pawns:
            name = pen(scene.map.cities[city], COLOUR_INK[scene.map.colours[city]])
            words.append(" ".join(part for part in (name + station, cubes, pawns) if part))
    yield from flow(words, INNER, "   ")


def _seat_lines(pen: Pen, scene: Scene, seat: Seat) -> Iterator[str]:
    mark = pen("> " if seat.acts else "  ", GOLD_256, bold=True)
    name = seat.name + (" (you)" if seat.mine else "")
    role = ROLE_NAMES[seat.role - 1]
    kept = f", keeps {EVENT_NAMES[seat.stored - 1]}" if seat.stored else ""
    turn = ", on turn" if seat.on_turn else ""
    yield (
        mark
        + pen(f"{name}, {role}", ROLE_INK_256[seat.role - 1], bold=True)
        + f" in {scene.map.cities[seat.city]}{turn}{kept}"
    )
    words = [
        _word(pen, scene, card) for card in sorted(seat.hand, key=lambda card: _sort_key(scene.map, card))
    ]
    words += [f"{seat.hidden} hidden"] if seat.hidden else []
    yield from _titled("    ", words or ["no cards"], ", " if not pen.colour else " ")


def _word(pen: Pen, scene: Scene, card: int) -> str:
    """A card in its colour."""
    name = scene.card(card)
    if not pen.colour:
        return name
    if card >= CITIES:
        return pen(f" {name} ", 255, EVENT_256)
    colour = scene.map.colours[card]
    return pen(f" {name} ", 16 if colour == 1 else 255, COLOUR_PAPER[colour])


def _titled(title: str, words: Sequence[str], gap: str = " ") -> list[str]:
    """Words after a title, in as many lines as they need."""
    lines = flow(words, INNER - len(title), gap) or ["-"]
    return [(" " * len(title) if index else title) + line for index, line in enumerate(lines)]
