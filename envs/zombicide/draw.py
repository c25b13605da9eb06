"""The board as a picture (SVG) and as text for a terminal, drawn from a View and the map it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.draw import Pen, Svg, View, box, flow, record_of
from . import cards as C
from . import table as T
from .board import BUILDING, Rect
from .layout import Barrier
from .mission import Mission, known
from .state import ACTIVE, DECISION_NAMES, FALLEN, LEFT
from .view import HIDDEN

WIDTH, HEIGHT = 1600, 1000
BOARD_LEFT, BOARD_TOP, BOARD_WIDTH, BOARD_HEIGHT = 20, 70, 1130, 910
PANEL_LEFT, PANEL_WIDTH = 1170, 410
BACKGROUND, PAPER, INK, FAINT, GOLD, WALL = "#1b1d1f", "#26292c", "#f2efe6", "#8d938f", "#ffd24a", "#0d0e0f"
FLOORS = {
    "street": "#57595c", "alley": "#6d675c", "yard": "#5d6b4c", "gate": "#7a6a4a", "building": "#8c7455",
    "cell": "#77808a",
}  # fmt: skip
COLOURS = ("#d9d4c4", "#d0443c", "#3f7fd0", "#3f9f58", "#e3c23a", "#9a5bd0", "#ffffff", "#222222")
PEOPLE = ("#ff9f43", "#54c7ec", "#7bd389", "#f5e663", "#d58cff", "#ff7b9c")
ZOMBIE_LETTERS = "WFRAWFRA"
ZOMBIE_INKS = ("#9fbf6b", "#c7a252", "#d97f5d", "#c04fc0")
LEVEL_INKS = ("#3f7fd0", "#e3c23a", "#e8882e", "#d0443c")
STATUS = {ACTIVE: "", FALLEN: "fallen", LEFT: "left", 3: "out", 0: ""}


def _mission(here: np.void) -> Mission:
    mission = known(tuple(int(value) for value in here["board"]))
    if mission is None:
        raise ValueError("the View shows a map that this process has not loaded: load its mission first")
    return mission


def _zones(here: np.void) -> dict[int, int]:
    """Zone number -> its place in the View."""
    return {int(number) - 1: place for place, number in enumerate(here["zone"]) if number}


def _headline(here: np.void, seat: int) -> str:
    if not here["decision"]:
        return "won" if here["goal_met"][here["goal_kind"] > 0].all() else "over"
    number = (max(seat, 0) + int(here["to_act"]) - 1) % int(here["players"])
    actor = f", survivor {int(here['actor'])}" if here["actor"] else ""
    return f"player_{number}{actor}: {DECISION_NAMES[here['decision']]}"


def _title(here: np.void, mission: Mission) -> str:
    goals = list(T.GOALS)
    words = [
        goals[kind - 1] + (" (met)" if met else "")
        for kind, met in zip(here["goal_kind"], here["goal_met"])
        if kind
    ]
    return f"{mission.title}, round {int(here['round']) + 1}.  Goal: {', '.join(words)}"


# --- the picture ---------------------------------------------------------------------------------


def svg(view: View, seat: int = 0, reveal: Sequence[View] | None = None) -> str:
    """The board, the survivors with cards and wounds, and the piles: an SVG of 1600 x 1000.

    All is open, so ``reveal`` changes nothing.  Raises ValueError for a map that was never loaded.
    """
    here = record_of(view)
    mission = _mission(here)
    picture = Svg(WIDTH, HEIGHT)
    picture.rect(0, 0, WIDTH, HEIGHT, fill=BACKGROUND)
    picture.label(BOARD_LEFT, 34, _title(here, mission), 20, bold=True, fill=INK)
    picture.label(BOARD_LEFT, 58, _headline(here, seat), 17, fill=GOLD)
    _board(picture, here, mission)
    for k in range(int(here["survivors"])):
        _person(picture, here, k, PANEL_LEFT, 20 + 143 * k)
    _piles(picture, here)
    return picture.text()


def _board(picture: Svg, here: np.void, mission: Mission) -> None:
    rects = [rect for zone in mission.board.zones for rect in zone.rects]
    x0, y0 = min(r[0] for r in rects), min(r[1] for r in rects)
    x1, y1 = max(r[2] for r in rects), max(r[3] for r in rects)
    scale = min(BOARD_WIDTH / (x1 - x0), BOARD_HEIGHT / (y1 - y0))
    left = BOARD_LEFT + (BOARD_WIDTH - scale * (x1 - x0)) / 2

    def at(rect: Rect) -> tuple[float, float, float, float]:
        return (
            left + scale * (rect[0] - x0),
            BOARD_TOP + scale * (rect[1] - y0),
            scale * (rect[2] - rect[0]),
            scale * (rect[3] - rect[1]),
        )

    places = _zones(here)
    picture.rect(left - 4, BOARD_TOP - 4, scale * (x1 - x0) + 8, scale * (y1 - y0) + 8, fill=WALL)
    for number, zone in enumerate(mission.board.zones):
        place = places[number]
        for rect in zone.rects:
            x, y, w, h = at(rect)
            picture.rect(
                x,
                y,
                w,
                h,
                fill=FLOORS[zone.kind],
                stroke=WALL,
                stroke_width=2 if zone.kind in BUILDING else 0.6,
            )
            if here["unopened"][place]:
                picture.rect(
                    x + 2,
                    y + 2,
                    w - 4,
                    h - 4,
                    fill="none",
                    stroke=WALL,
                    stroke_width=2,
                    stroke_dasharray="6 5",
                )
    for link in mission.board.links:
        if link.kind == "fence":
            torn = link.b + 1 in mission.record[0]["near"][link.a]
            _wire(picture, torn, at(_between(mission, link.a, link.b)))
    for number, barrier in enumerate(mission.barriers):
        for a, b in barrier.pairs:
            _door(picture, barrier, bool(here["open"][number]), at(_between(mission, a, b)))
    for number, zone in enumerate(mission.board.zones):
        rect = max(zone.rects, key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
        _contents(picture, here, places[number], zone.name.split("+")[0], at(rect))


def _between(mission: Mission, a: int, b: int) -> Rect:
    """Where a door stands: the strip between two facing rectangles."""
    best: Rect = (0, 0, 0, 0)
    nearest = 99.0
    for p in mission.board.zones[a].rects:
        for q in mission.board.zones[b].rects:
            gaps = [max(p[k] - q[k + 2], q[k] - p[k + 2]) for k in (0, 1)]
            if max(gaps) < nearest:
                nearest = max(gaps)
                axis = gaps.index(max(gaps))
                edge = (min(p[axis + 2], q[axis + 2]) + max(p[axis], q[axis])) / 2
                low, high = max(p[1 - axis], q[1 - axis]), min(p[3 - axis], q[3 - axis])
                middle, half = (low + high) / 2, min(0.8, (high - low) / 2)
                best = (edge - 0.2, middle - half, edge + 0.2, middle + half)
                if axis == 1:
                    best = (middle - half, edge - 0.2, middle + half, edge + 0.2)
    return best


def _wire(picture: Svg, torn: bool, box_: tuple[float, float, float, float]) -> None:
    """Barbed wire as a row of crosses; where it is torn, a gap between two posts."""
    x, y, w, h = box_
    if torn:
        picture.rect(x, y, w, h, fill="#5d6b4c", stroke="#c9b27a", stroke_width=2, stroke_dasharray="3 4")
        return
    along = max(w, h)
    for k in range(5):
        cx = x + w / 2 if h > w else x + along * (k + 0.5) / 5
        cy = y + along * (k + 0.5) / 5 if h > w else y + h / 2
        cross = f"M{cx - 5:.1f} {cy - 5:.1f}l10 10M{cx - 5:.1f} {cy + 5:.1f}l10-10"
        picture.path(cross, fill="none", stroke="#b9bdb9", stroke_width=1.5)


def _door(picture: Svg, barrier: Barrier, is_open: bool, box_: tuple[float, float, float, float]) -> None:
    x, y, w, h = box_
    colour = COLOURS[barrier.colour]
    if is_open:
        picture.rect(x, y, w, h, fill="none", stroke=colour, stroke_width=2, stroke_dasharray="3 3")
    else:
        picture.rect(x, y, w, h, rx=2, fill=colour, stroke=WALL, stroke_width=1.5)


def _contents(
    picture: Svg, here: np.void, place: int, name: str, box_: tuple[float, float, float, float]
) -> None:
    x, y, w, h = box_
    picture.label(x + 4, y + 11, name, 9, fill="#00000088")
    marks: list[tuple[str, str, str]] = []
    if here["spawning"][place]:
        marks.append(("S", COLOURS[1] if here["spawning"][place] == 2 else "#777777", "#ffffff"))
    if here["objective"][place]:
        colour = int(here["objective"][place])
        marks.append(
            ("?" if colour == HIDDEN else "X", COLOURS[colour], "#000000" if colour != HIDDEN else "#ffffff")
        )
    if here["switch"][place]:
        marks.append(("I", COLOURS[int(here["switch"][place])], "#000000"))
    if here["exit"][place]:
        marks.append(("E", "#3fd07a", "#000000"))
    if here["tower_here"][place]:
        marks.append(("T", "#c9b27a", "#000000"))
    if here["car_here"][place]:
        marks.append((C.CAR_NAMES[int(here["car_here"][place]) - 1][0].upper(), "#30506e", "#ffffff"))
    if here["goal_zone"][place]:
        marks.append(("G", "#2f7f5f", "#ffffff"))
    for _ in range(int(here["manholes"][place])):
        marks.append(("o", "#2a2a2a", "#bbbbbb"))
    for k, (letter, paper, ink) in enumerate(marks):
        mx, my = x + w - 13 - 18 * (k % 4), y + 12 + 18 * (k // 4)
        picture.rect(mx - 8, my - 8, 16, 16, rx=3, fill=paper, stroke=WALL)
        picture.label(mx, my + 4.5, letter, 12, anchor="middle", bold=True, fill=ink)
    if here["noise"][place]:
        picture.label(x + w - 6, y + h - 6, f"♪{int(here['noise'][place])}", 13, anchor="end", fill=GOLD)
    people = [k for k in range(int(here["survivors"])) if here["place"][k] == place + 1]
    zombies = [(k, int(n)) for k, n in enumerate(here["zombies"][place]) if n]
    step = min(26.0, (w - 8) / max(1, len(people)))
    for order, k in enumerate(people):
        cx, cy = x + 15 + step * order, y + min(h - 14, 26)
        fallen = here["status"][k] == FALLEN
        picture.circle(cx, cy, 11, fill=PEOPLE[int(here["character"][k]) - 1],
        stroke=GOLD if here["acting"][k] else WALL,
                       stroke_width=2.5, opacity=0.4 if fallen else 1)  # fmt: skip
        picture.label(
            cx,
            cy + 4.5,
            C.CHARACTERS[int(here["character"][k]) - 1][0],
            12,
            anchor="middle",
            bold=True,
            fill=WALL,
        )
    for order, (kind, n) in enumerate(zombies):
        across = max(1, int((w - 6) // 36))
        zx, zy = x + 5 + 36 * (order % across), y + h - 22 - 21 * (order // across)
        berserk = kind >= C.BERSERKER
        picture.rect(zx, zy, 34, 18, rx=8, fill=ZOMBIE_INKS[kind % 4], stroke="#b01010" if berserk else WALL,
                     stroke_width=3 if berserk else 1)  # fmt: skip
        picture.label(
            zx + 17, zy + 13.5, f"{n}{ZOMBIE_LETTERS[kind]}", 12, anchor="middle", bold=True, fill=WALL
        )


def _person(picture: Svg, here: np.void, k: int, x: float, y: float) -> None:
    """A survivor: level, wounds, cards, skills."""
    acts = int(here["actor"]) == k + 1
    picture.rect(x, y, PANEL_WIDTH, 136, rx=8, fill=PAPER, stroke=GOLD if acts else "#3a3e42", stroke_width=2)
    character = int(here["character"][k])
    if not character:
        return
    picture.circle(x + 18, y + 18, 11, fill=PEOPLE[character - 1])
    picture.label(x + 18, y + 22.5, C.CHARACTERS[character - 1][0], 12, anchor="middle", bold=True, fill=WALL)
    name = f"{k + 1} {C.CHARACTERS[character - 1]}" + (" (zombivor)" if here["zombivor"][k] else "")
    state = STATUS[int(here["status"][k])]
    if here["acting"][k]:
        state = f"{int(here['actions'][k])} actions" + (
            f" +{int(here['free'][k].sum())} free" if here["free"][k].any() else ""
        )
    picture.label(x + 36, y + 23, name, 15, bold=True, fill=INK)
    picture.label(x + PANEL_WIDTH - 10, y + 23, state, 13, anchor="end", fill=GOLD if acts else FAINT)
    xp = int(here["xp"][k])
    picture.rect(x + 10, y + 34, PANEL_WIDTH - 20, 8, rx=3, fill="#3a3e42")
    picture.rect(x + 10, y + 34, (PANEL_WIDTH - 20) * xp / C.XP_RED, 8, rx=3, fill=LEVEL_INKS[_level(xp)])
    seated = (
        f"car {int(here['car'][k])}" + (" (driver)" if here["driver"][k] else "") if here["car"][k] else ""
    )
    words = [f"{xp} xp", f"player +{int(here['seat'][k]) - 1}", seated, "tower" if here["tower"][k] else ""]
    picture.label(x + 10, y + 57, "  ".join(word for word in words if word), 12, fill=FAINT)
    for slot in range(C.SLOTS):
        kind = int(here["slots"][k][slot])
        sx = x + 10 + 78 * slot
        paper = (
            "#3a3e42"
            if not kind
            else "#7c1f1f"
            if kind == C.WOUND
            else "#d9d4c4"
            if slot < C.HANDS
            else "#a9a594"
        )
        picture.rect(sx, y + 64, 74, 40, rx=5, fill=paper, stroke=WALL)
        ink = INK if kind in (0, C.WOUND) else WALL
        lines = flow((C.CARD_NAMES[kind] if kind else "").split(), 11)
        for row, line in enumerate(lines[:3]):
            picture.label(sx + 37, y + 78 + 11 * row, line, 10, anchor="middle", fill=ink)
        if here["spent"][k][slot]:
            picture.label(sx + 70, y + 101, "↺", 12, anchor="end", fill="#a01010")
    skills = [C.SKILL_NAMES[s] for s in range(C.SKILLS) for _ in range(int(here["skills"][k][s]))]
    picture.label(
        x + 10, y + 123, ", ".join(skills), min(12.0, 700 / max(1, len(", ".join(skills)))), fill=FAINT
    )


def _level(xp: int) -> int:
    return sum(xp >= least for least in (C.XP_YELLOW, C.XP_ORANGE, C.XP_RED))


def _piles(picture: Svg, here: np.void) -> None:
    y = 890
    picture.label(
        PANEL_LEFT,
        y,
        f"equipment {int(here['deck_size'])}   zombie cards {int(here['spawn_size'])}",
        14,
        fill=INK,
    )
    counts = ", ".join(f"{int(n)} {C.ZOMBIE_NAMES[k]}" for k, n in enumerate(here["pool"]))
    for row, line in enumerate(flow(["figures left:", *counts.split(" ")], 58)):
        picture.label(PANEL_LEFT, y + 18 + 15 * row, line, 12, fill=FAINT)
    if here["faces"].any():
        faces = " ".join(str(face + 1) for face in range(6) for _ in range(int(here["faces"][face])))
        picture.label(PANEL_LEFT, y + 68, f"dice {faces}", 15, bold=True, fill=GOLD)
    if here["card"]:
        picture.label(
            PANEL_LEFT, y + 88, f"drawn: {C.CARD_NAMES[int(here['card'])]}", 15, bold=True, fill=GOLD
        )


# --- the terminal --------------------------------------------------------------------------------

COLUMNS = 110


def ansi(view: View, seat: int = 0, reveal: Sequence[View] | None = None, colour: bool = True) -> str:
    """The game as text 110 columns wide: zones where something is, the survivors, the piles."""
    here = record_of(view)
    mission = _mission(here)
    pen = Pen(colour)
    places = _zones(here)
    zones = []
    for number, zone in enumerate(mission.board.zones):
        words = list(_words(here, places[number], pen))
        if words:
            zones.append(f"{zone.name.split('+')[0]:<8} {zone.kind:<9}" + " ".join(words))
    shut = sum(not here["open"][b] for b in range(len(mission.barriers)))
    people = [line for k in range(int(here["survivors"])) for line in _person_lines(here, k, pen)]
    top = [_title(here, mission)[: COLUMNS - 4], pen(_headline(here, seat), 220, bold=True)]
    piles = [
        f"doors shut {shut} of {len(mission.barriers)}, equipment {int(here['deck_size'])}, "
        f"zombie cards {int(here['spawn_size'])}, figures left {int(here['pool'].sum())}"
    ]
    if here["faces"].any():
        piles.append(
            "dice " + " ".join(str(face + 1) for face in range(6) for _ in range(int(here["faces"][face])))
        )
    if here["card"]:
        piles.append(f"drawn: {C.CARD_NAMES[int(here['card'])]}")
    return box([top, zones, people, piles], COLUMNS, "Zombicide: Prison Outbreak")


def _words(here: np.void, place: int, pen: Pen) -> Any:
    for k in range(int(here["survivors"])):
        if here["place"][k] == place + 1:
            yield pen(C.CHARACTERS[int(here["character"][k]) - 1], 75, bold=True)
    for kind, n in enumerate(here["zombies"][place]):
        if n:
            yield pen(f"{int(n)} {C.ZOMBIE_NAMES[kind]}", 157 if kind < C.BERSERKER else 203)
    for key, word in (
        ("spawning", "spawn"),
        ("objective", "objective"),
        ("switch", "switch"),
        ("exit", "EXIT"),
        ("tower_here", "tower"),
    ):
        if here[key][place]:
            yield word
    if here["car_here"][place]:
        yield C.CAR_NAMES[int(here["car_here"][place]) - 1]
    if here["noise"][place]:
        yield f"noise {int(here['noise'][place])}"


def _person_lines(here: np.void, k: int, pen: Pen) -> Any:
    character = int(here["character"][k])
    if not character:
        return
    cards = [C.CARD_NAMES[int(kind)] if kind else "-" for kind in here["slots"][k]]
    mark = "> " if int(here["actor"]) == k + 1 else "  "
    state = STATUS[int(here["status"][k])] or f"{int(here['actions'][k])} actions" * bool(here["acting"][k])
    name = f"{k + 1} {C.CHARACTERS[character - 1]}" + ("*" if here["zombivor"][k] else "")
    yield (
        pen(f"{mark}{name:<12}", 214, bold=True)
        + f" {int(here['xp'][k]):>2} xp  {state:<10} "
        + " | ".join(cards)
    )
