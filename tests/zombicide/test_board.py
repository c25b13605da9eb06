"""The loader against the graphs worked out by hand, and sight and ways against slow computations."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from outbreak_rl.envs.core.plain import plain
from outbreak_rl.envs.core.rule import PLAIN
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.board import BUILDING, build, sight_lines, tile_faces
from outbreak_rl.envs.zombicide.generator import generate
from outbreak_rl.envs.zombicide.mission import MissionError, load, make, mission_names
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


def test_eighteen_faces_back_to_back():
    faces = tile_faces()
    assert len(faces) == 18
    assert all(faces[face["back"]]["back"] == name for name, face in faces.items())


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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": "4P.S9"}, "there is no zone '4P.S9'"),
        ({"tiles": [["4P", "6P@45"]]}, "must be 0, 90, 180 or 270"),
        ({"tiles": [["99P"]]}, "there is no tile '99P'"),
        ({"doors": [{"between": ["4P.S1", "4P.S2"]}]}, "no door can stand between"),
        ({"goals": []}, "0 goals"),
        ({"goals": [{"kind": "dance"}]}, "there is no goal 'dance'"),
        ({"goals": [{"kind": "leave"}]}, "no event makes an exit"),
        ({"doors": []}, "cannot be reached"),
        ({"cars": [{"kind": "police car", "zone": "4P.R1"}]}, "must stand in a street"),
        ({"colour": "red"}, "there is no key 'colour'"),
        ({"objectives": [{"zone": "4P.R1"}, {"zone": "4P.R1"}]}, "two objectives lie in one zone"),
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
