"""The loader against the graphs worked out by hand, and sight and ways against slow computations."""

import itertools
import json
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest

from outbreak_rl.envs.core.plain import plain
from outbreak_rl.envs.core.rule import PLAIN
from outbreak_rl.envs.core.toml import tomllib
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.board import BUILDING, build, sight_lines, tile_faces
from outbreak_rl.envs.zombicide.generator import generate
from outbreak_rl.envs.zombicide.layout import MissionError
from outbreak_rl.envs.zombicide.mission import FOLDER, load, make, mission_names
from outbreak_rl.envs.zombicide.rules.common import spread
from outbreak_rl.envs.zombicide.state import STATE

GRAPHS = json.loads((Path(__file__).parent / "graphs.json").read_text())


def board_of(name):
    rows = [[word.split("@") for word in row] for row in GRAPHS[name]["tiles"]]
    return build([[(tile, int(turn)) for tile, turn in row] for row in rows])


@pytest.mark.parametrize("name", GRAPHS)
def test_zones_are_those_of_the_worked_out_map(name):
    board = board_of(name)
    found = {
        z.name: [z.kind, [list(r) for r in z.rects], [board.tiles[t] for t in z.manholes]]
        for z in board.zones
    }
    assert found == GRAPHS[name]["zones"]


@pytest.mark.parametrize("name", GRAPHS)
def test_links_are_those_of_the_worked_out_map(name):
    board = board_of(name)
    found = sorted([*sorted((board.zones[k.a].name, board.zones[k.b].name)), k.kind] for k in board.links)
    assert found == GRAPHS[name]["links"]


@pytest.mark.parametrize("name", GRAPHS)
def test_open_air_sight_is_that_of_the_worked_out_map(name):
    board = board_of(name)
    pairs = set()
    for zones, links in sight_lines(board, ()):
        for i, j in itertools.combinations(range(len(zones)), 2):
            between = [link.kind for link in links[i:j]]
            through_gate = len(between) > 1 and any(kind.startswith("gate") for kind in between)
            if (
                "doorway" not in between
                and not through_gate
                and not any(board.zones[z].kind in BUILDING for z in (zones[i], zones[j]))
            ):
                pairs.add(tuple(sorted((board.zones[zones[i]].name, board.zones[zones[j]].name))))
    assert sorted(map(list, pairs)) == GRAPHS[name]["sight"]


# Zones by kind on every face (S street, A alley, Y yard, R room, C cell, G gate), and where the manhole is,
# counted on the tables of the faces.
FACES = {
    "1P": "5S 4Y S2", "2P": "5S 4Y S2", "3P": "7S 2R S2", "4P": "7S 2R S2", "5P": "4S 5R S2", "6P": "4S 5R S2",
    "7P": "3S 3A 5C", "8P": "3S 3A 5C", "9P": "5S 3R 1G S2", "10P": "5S 3R 1G S2", "11P": "1S 3A 5R",
    "12P": "1S 5A 1R 4C", "13P": "3A 10C", "14P": "4A 4R", "15P": "4A 4R", "16P": "2S 5A 2R", "17P": "7S 2R S2",
    "18P": "7S 2R S2",
}  # fmt: skip
LETTERS = {"street": "S", "alley": "A", "yard": "Y", "building": "R", "cell": "C", "gate": "G"}


def test_eighteen_faces_back_to_back():
    faces = tile_faces()
    assert list(faces) == list(FACES)
    assert all(faces[face["back"]]["back"] == name for name, face in faces.items())


@pytest.mark.parametrize("name", FACES)
def test_a_face_has_its_zones_and_its_manhole(name):
    board = build([[(name, 0)]])
    kinds = [LETTERS[zone.kind] for zone in board.zones]
    found = [f"{kinds.count(letter)}{letter}" for letter in "SAYRCG" if letter in kinds]
    manholes = [zone.name.partition(".")[2] for zone in board.zones if zone.manholes]
    assert " ".join([*found, *manholes]) == FACES[name]


@pytest.mark.parametrize("side", [0, 1])
def test_all_nine_tiles_lie_together_on_either_side(side):
    """Three by three: every face is in one of the two arrangements, each part in exactly one zone."""
    fronts = [name for name, face in tile_faces().items() if int(name[:-1]) < int(face["back"][:-1])]
    chosen = [(tile_faces()[name]["back"] if side else name) for name in fronts]
    board = build([[(name, 90 * (k % 4)) for k, name in enumerate(chosen[r : r + 3])] for r in (0, 3, 6)])
    assert len(chosen) == 9
    assert set(board.tiles) == set(chosen)
    parts = {f"{name}.{part}" for name in chosen for part in tile_faces()[name]["zones"]}
    assert parts <= set(board.aliases)
    assert set(board.aliases.values()) == set(range(len(board.zones)))
    for name in chosen:
        number = board.tiles.index(name)
        own = {board.aliases[part] for part in parts if part.startswith(f"{name}.")}
        assert own == {z for z, zone in enumerate(board.zones) if number in zone.tiles}
    assert sum(len(zone.rects) for zone in board.zones) == len(parts)
    assert sum(len(zone.manholes) for zone in board.zones) == sum(
        FACES[name].endswith("S2") for name in chosen
    )
    inside = {frozenset((board.zones[k.a].tiles[0], board.zones[k.b].tiles[0])) for k in board.links}
    assert any(len(pair) == 2 for pair in inside)


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize("tile", tile_faces())
def test_a_turned_tile_keeps_its_links_and_sight(tile, turn):
    def shape(board):
        lines = {frozenset((zones, zones[::-1])) for zones, _ in sight_lines(board, ())}
        return {frozenset((k.a, k.b)) for k in board.links}, lines

    assert shape(build([[(tile, 0)]])) == shape(build([[(tile, turn)]]))


def missions():
    return [load(name) for name in mission_names()] + [
        generate(seed, 1 + seed % 6, 1 + seed % 5) for seed in range(12)
    ]


def seen_by_a_ruler(board):
    """Pairs of open-air zones that see each other with all doors walls, slowly: a ruler one wide is laid across the
    board at every twentieth of a unit, and slid from zone to zone as far as each is linked to the next."""
    links = {frozenset((k.a, k.b)): k.kind for k in board.links}
    places = [
        (n, rect) for n, zone in enumerate(board.zones) if zone.kind not in BUILDING for rect in zone.rects
    ]
    pairs = set()
    for axis in (0, 1):
        for tick in range(20 * 10 * max(board.rows, board.columns)):
            low, high = tick / 20, tick / 20 + 1
            band = [(n, r) for n, r in places if r[1 - axis] <= low + 1e-6 and r[3 - axis] >= high - 1e-6]
            following = {
                (n, r): [
                    (m, q)
                    for m, q in band
                    if q[axis] > r[axis]
                    and (n == m or links.get(frozenset((n, m))) in ("open", "fence"))
                    and abs(q[axis] - r[axis + 2])
                    <= (1.1 if links.get(frozenset((n, m))) == "fence" else 0.25)
                ]
                for n, r in band
            }
            for first in band:
                line = [first]
                for place in line:
                    line += following[place]
                pairs |= {frozenset((first[0], n)) for n, _ in line if n != first[0]}
    return pairs


def test_open_air_sight_is_what_a_ruler_shows():
    for seed in range(10):
        board = generate(seed, 2 + seed % 5, 1 + seed % 5).board
        found = set()
        for zones, links in sight_lines(board, ()):
            for i, j in itertools.combinations(range(len(zones)), 2):
                kinds = {link.kind for link in links[i:j]}
                if kinds <= {"open", "fence"} and not any(
                    board.zones[z].kind in BUILDING for z in zones[i : j + 1]
                ):
                    found.add(frozenset((zones[i], zones[j])))
        assert found == seen_by_a_ruler(board), seed


def test_rays_show_what_lines_show():
    """With every set of open doors: seen over rays = on one line, separators open, open air between."""
    rng = np.random.default_rng(3)
    for mission in missions():
        row = mission.record[0]
        numbers = {frozenset(pair): b for b, barrier in enumerate(mission.barriers) for pair in barrier.pairs}
        for _ in range(6):
            is_open = rng.integers(0, 2, T.BARRIERS)
            slow = {}
            for zones, links in mission.lines:
                for i, j in itertools.permutations(range(len(zones)), 2):
                    lo, hi = min(i, j), max(i, j)
                    doors = [numbers.get(frozenset((k.a, k.b))) for k in links[lo:hi]]
                    gates = [k.kind.startswith("gate") and d is None for k, d in zip(links[lo:hi], doors)]
                    rooms = [mission.board.zones[z].kind in BUILDING for z in zones[lo + 1 : hi]]
                    if all(d is None or is_open[d] for d in doors) and not any(rooms) and not any(gates):
                        key = (zones[i], zones[j])
                        slow[key] = min(slow.get(key, 99), hi - lo)
            fast = {}
            for zone in range(int(row["zones"])):
                blocked = steps = 0
                for k in range(row["ray_from"][zone], row["ray_from"][zone + 1]):
                    if row["step_first"][k]:
                        blocked = steps = 0
                    steps += 1
                    barrier = row["step_barrier"][k]
                    blocked = blocked or (barrier and not is_open[barrier - 1])
                    if not blocked:
                        key = (zone, int(row["step_zone"][k]))
                        fast[key] = min(fast.get(key, 99), steps)
            assert fast == slow, mission.name


@pytest.mark.parametrize("through", [0, 1])
def test_ways_are_the_shortest(through):
    """Breadth first over open doors = Floyd and Warshall over the same graph."""
    rng = np.random.default_rng(4)
    for mission in missions():
        tables, states = mission.record, np.zeros(1, STATE)
        row, zones = tables[0], int(tables[0]["zones"])
        states["open"] = rng.integers(0, 2, T.BARRIERS)
        slow = np.full((zones, zones), 10_000)
        np.fill_diagonal(slow, 0)
        for a in range(zones):
            for other, barrier in zip(row["near"][a], row["near_barrier"][a]):
                if other and (through or not barrier or states[0]["open"][barrier - 1]):
                    slow[a, other - 1] = 1
        for middle in range(zones):
            slow = np.minimum(slow, slow[:, middle, None] + slow[middle])
        slow[slow >= 10_000] = -1
        state, t = (plain(states[0]), plain(row)) if PLAIN else (states[0], row)
        fast = np.zeros(T.ZONES, np.int64)
        for start in range(zones):
            spread(state, t, start, fast, through)
            assert (fast[:zones] == slow[start]).all(), mission.name


def test_sight_and_ways_go_both_ways():
    for mission in missions():
        row = mission.record[0]
        zones = int(row["zones"])
        ways = {
            (z, int(n) - 1, int(b))
            for z in range(zones)
            for n, b in zip(row["near"][z], row["near_barrier"][z])
            if n
        }
        assert {(b, a, door) for a, b, door in ways} == ways, mission.name


def test_a_room_on_the_back_of_a_tower():
    text = {
        "tiles": [["1P"]],
        "start": "1P.Y1",
        "extras": [{"name": "hut", "in": "1P.Y2", "opens": "S"}],
        "doors": [{"between": ["hut", "1P.Y2"]}],
        "objectives": [{"zone": "hut"}],
        "goals": [{"kind": "objectives"}],
    }
    mission = make(text)
    row, number = mission.record[0], mission.board.aliases
    hut, yard, south = (number[name] for name in ("hut", "1P.Y2", "1P.Y4"))
    assert row["building"][hut] > 0
    assert row["near"][hut].tolist() == [yard + 1, *[0] * 7]
    assert row["near_barrier"][hut, 0] == 1
    seen = row["step_zone"][row["ray_from"][hut] : row["ray_from"][hut + 1]]
    assert seen.tolist() == [yard, south]  # out of the door, and on to the south
    blank = make({**text, "doors": [], "objectives": [], "goals": [{"kind": "rounds", "rounds": 3}]}).record[
        0
    ]
    assert not blank["near"][hut].any()
    assert blank["ray_from"][hut] == blank["ray_from"][hut + 1]
    for change, message in (
        ({"doors": []}, "objective 1 in hut cannot be reached"),
        ({"extras": [{"name": "1P.Y1", "in": "1P.Y2", "opens": "S"}]}, "two zones '1P.Y1'"),
        ({"extras": [{"name": "hut", "in": "1P.Y2", "opens": "up"}]}, "there is no direction 'up'"),
        ({"tiles": [["4P"]], "extras": [{"name": "hut", "in": "4P.R1", "opens": "N"}]}, "not in the open"),
        ({"towers": ["1P.Y1", "1P.Y3"]}, "there are 2 towers"),
    ):
        with pytest.raises(MissionError, match=message):
            make({**text, **change})


def as_free_zones(text):
    """A mission over tiles as one over a list of zones, links and lines that says the same."""
    mission = make(text)
    board = mission.board
    name = {alias: board.zones[number].name for alias, number in board.aliases.items()}

    def renamed(value, key=""):
        if isinstance(value, dict):
            return {inner: renamed(entry, inner) for inner, entry in value.items()}
        if isinstance(value, list) and key == "zones":
            hits = [{number for n, number in board.aliases.items() if fnmatchcase(n, one)} for one in value]
            return [board.zones[number].name for found in hits for number in sorted(found)]
        if isinstance(value, list):
            return [renamed(entry) for entry in value]
        return name.get(value, value) if isinstance(value, str) else value

    free = {key: renamed(value, key) for key, value in text.items() if key != "tiles"}
    free["zones"] = [
        {"name": z.name, "kind": z.kind, "rects": z.rects, "tiles": z.tiles, "manholes": z.manholes}
        for z in board.zones
    ]
    free["links"] = [[board.zones[k.a].name, board.zones[k.b].name, k.kind] for k in board.links]
    free["lines"] = [[board.zones[number].name for number in zones] for zones, _ in mission.lines]
    return mission, free


@pytest.mark.parametrize("name", mission_names())
def test_a_mission_written_as_free_zones_is_the_same(name):
    text = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    mission, free = as_free_zones(text)
    again = make(free)
    for field in set(mission.record.dtype.names) - {"board"}:  # a digest of texts, 5 and 5.0 differ there
        assert (again.record[field] == mission.record[field]).all(), field


def test_a_mission_without_tiles():
    """Two streets, a house: what a file of one's own needs at least."""
    text = {
        "zones": [
            {"name": "road", "kind": "street", "rect": [0, 0, 5, 3], "manholes": 1},
            {"name": "square", "kind": "street", "rect": [5, 0, 10, 3], "tile": 1},
            {"name": "shop", "kind": "building", "rect": [0, 3.2, 5, 6]},
            {"name": "store", "kind": "building", "rect": [5, 3.2, 10, 6]},
        ],
        "links": [["road", "square"], ["road", "shop", "wall_site"], ["shop", "store", "doorway"]],
        "lines": [["road", "square"], ["shop", "road"]],
        "start": "square",
        "doors": [{"between": ["shop", "road"]}],
        "objectives": [{"zone": "store"}],
        "goals": [{"kind": "objectives"}],
    }
    row = make(text).record[0]
    assert row["zones"] == 4
    assert row["near"][0, :2].tolist() == [2, 3]  # the square in the east, the shop in the south
    assert row["near_barrier"][0, :2].tolist() == [0, 1]
    assert row["building"][:4].tolist() == [0, 0, 1, 1]  # joined by the doorway
    assert row["manhole_zone"][:2].tolist() == [1, 0]
    assert row["step_zone"][row["ray_from"][3] : row["ray_from"][4]].tolist() == [
        2
    ]  # the store sees the shop
    for change, message in (
        ({"lines": [["square", "shop"]]}, "runs between zones without a link"),
        ({"links": [["road", "market"]]}, "there is no zone 'market'"),
        ({"zones": [{**text["zones"][0], "kind": "roof"}, *text["zones"][1:]]}, "has kind 'roof'"),
        ({"tiles": [["4P"]]}, "either tiles or zones"),
    ):
        with pytest.raises(MissionError, match=message):
            make({**text, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": "4P.S9"}, "there is no zone '4P.S9'"),
        ({"tiles": [["4P", "6P@45"]]}, "must be 0, 90, 180 or 270"),
        ({"tiles": [["99P"]]}, "there is no tile '99P'"),
        ({"tiles": [["4P@180", "6P"]]}, "4P and 6P are two faces of one tile"),
        ({"doors": [{"between": ["4P.S1", "4P.S2"]}]}, "no door can stand between"),
        ({"goals": []}, "0 goals"),
        ({"goals": [{"kind": "dance"}]}, "there is no goal 'dance'"),
        ({"goals": [{"kind": "leave"}]}, "no event makes an exit"),
        ({"doors": []}, "cannot be reached"),
        ({"cars": [{"kind": "police car", "zone": "4P.R1"}]}, "must stand in a street"),
        ({"colour": "red"}, "there is no key 'colour'"),
        ({"objectives": [{"zone": "4P.R1"}, {"zone": "4P.R1"}]}, "two objectives lie in one zone"),
        (
            {
                "objectives": [{"zone": "4P.S6", "hidden": True}],
                "switches": [{"zone": "4P.S6", "colour": "red"}],
            },
            "beside a switch and cannot be hidden",
        ),
        # zombies: as many as there are figures
        *(
            (
                {"zombies": [{"zone": "4P.S1", "kind": "walker", "count": count}]},
                f"zombies 1: count is {count!r}, must be a whole number from 1 to 30",
            )
            for count in (-1, 0, 31, 200, 2.0, True, "two")
        ),
        ({"zombies": [{"zone": "4P.S1", "kind": "fatty", "count": 4}] * 2}, "fatty stands there 8 times"),
        # keys
        *(
            ({what: [{"colr": "red"}]}, f"{what} 1: there is no key 'colr'; did you mean 'colour'")
            for what in ("objectives", "spawns", "doors", "cells", "switches", "gates")
        ),
        *(
            ({what: [{"nmae": "x"}]}, f"{what} 1: there is no key 'nmae'")
            for what in ("extras", "cars", "zombies", "events", "goals")
        ),
        ({"goals": [{"kind": "abomination", "rounds": 3}]}, "goals 1: there is no key 'rounds'"),
        ({"goals": [{"zones": ["4P.S5"]}]}, "goals 1: key 'kind' is missing"),
        ({"zombies": [{"zone": "4P.S1", "count": 2}]}, "zombies 1: key 'kind' is missing"),
        ({"goals": [{"kind": "gather"}]}, "goals 1: key 'zones' is missing"),
        *(({key: 5}, f"{key} is 5, must be a text") for key in ("title", "about", "status", "difficulty")),
        # values
        ({"spawns": ["4P.S1"]}, "spawns 1 is '4P.S1', must be a table { zone, colour, active }"),
        ({"doors": [{"between": ["4P.R2"]}]}, "doors 1: between is .'4P.R2'., must be two names of zones"),
        (
            {"doors": [{"between": ["4P.R2", "4P.S6"], "open": 3}]},
            "doors 1: open is 3, must be true or false",
        ),
        ({"start": 5}, "start is 5, must be the name of a zone or a list of names of zones"),
        ({"zombies": 5}, "zombies is 5, must be a list of tables { zone, kind, count }"),
        (
            {"goals": [{"kind": "gather", "zones": "4P.S5"}]},
            "goals 1: zones is '4P.S5', must be a list of names",
        ),
        ({"tiles": "4P"}, "tiles is '4P', must be a list of rows"),
        ({"tiles": ["4P"]}, "must be a list of rows, each a list of tile faces"),
        ({"tiles": [["8P@x"]]}, "tile 8P is turned by 'x', must be 0, 90, 180 or 270"),
        *(
            (
                {"objectives": [{"zone": "4P.R1", "xp": xp}]},
                f"objectives 1: xp is {xp!r}, must be a whole number",
            )
            for xp in ("five", 200)
        ),
        ({"objectives": [{"zone": "4P.R1", "hidden": "yes"}]}, "hidden is 'yes', must be true or false"),
        (
            {"events": [{"when": "round number", "of": "red", "then": "exit"}]},
            "events 1: of is 'red', must be a whole number",
        ),
    ],
)
def test_a_bad_mission_is_refused_in_one_line(change, message):
    good = {
        "tiles": [["4P@180"]],
        "start": "4P.S5",
        "doors": [{"between": ["4P.R2", "4P.S6"]}],
        "objectives": [{"zone": "4P.R1"}],
        "goals": [{"kind": "objectives"}],
    }
    make(good)
    with pytest.raises(MissionError, match=message) as wrong:
        make({**good, **change})
    assert "\n" not in str(wrong.value)


def test_a_mission_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "odd.toml").write_bytes(b"title = '\xff'")
    with pytest.raises(MissionError, match="not TOML"):
        load(str(tmp_path / "odd.toml"))
    with pytest.raises(MissionError, match=r"^nope.toml cannot be read: No such file or directory$"):
        load("nope.toml")
