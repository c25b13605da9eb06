"""Look for a won game of a mission and keep it as a replay: python tests/zombicide/find_win.py MISSION FILE [SEED].

The scripted team plays many games side by side, round by round, with its weights varied and now and then
a random action instead; after each round the best positions are kept and gone on from.  It knows
everything (hidden objectives, too): what it finds proves that the mission can be won, no more.
"""

from __future__ import annotations

import sys

import numpy as np

from outbreak_rl.baselines.heuristics.zombicide import Heuristic
from outbreak_rl.baselines.heuristics.zombicide.weights import CARD_WORTH, LEAST_XP, VALUES
from outbreak_rl.envs.core import kernel, replay
from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.zombicide import GAME
from outbreak_rl.envs.zombicide import cards as C
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.mission import load
from outbreak_rl.envs.zombicide.state import ACTIONS as A
from outbreak_rl.envs.zombicide.state import ACTIVE, LEFT

LANES, KEPT, PER_PARENT, TEAMS = 1024, 128, 10, 8
FAR = 99
Node = tuple["Node | None", int, np.ndarray]  # parent, seed of the deal, actions since the parent


class Judge:
    """How good positions of a mission are."""

    def __init__(self, mission: str) -> None:
        self.row = row = load(mission).record[0]
        self.zones = n = int(row["zones"])
        self.steps = np.array([self._steps(zone) for zone in range(n)])
        self.places = row["objective_zone"][: row["objectives"]].astype(int) - 1
        goals = list(zip(row["goal_kind"], row["goal_arg"]))
        self.colours = {int(arg) for kind, arg in goals if kind == T.GOAL_OBJECTIVES}
        for when, arg in zip(row["event_when"], row["event_arg"]):
            if when == T.ON_TAKEN:
                self.colours.add(int(arg))
            elif when == T.ON_ALL_TAKEN:
                self.colours.add(T.NEUTRAL)
        sets = row["sets"][:, :n] == 1
        self.gather = [sets[arg] for kind, arg in goals if kind == T.GOAL_GATHER]
        self.clear = [sets[arg] for kind, arg in goals if kind == T.GOAL_CLEAR]
        shut = any(kind == T.GOAL_SHUT for kind, _ in goals)
        self.shut = np.flatnonzero(row["barrier_kind"] == T.DOUBLE_DOOR) if shut else []

    def _steps(self, start: int) -> list[int]:
        """Steps from a zone to all zones, doors not counted."""
        found, line = {start: 0}, [start]
        for zone in line:
            for other in self.row["near"][zone]:
                if other and int(other) - 1 not in found:
                    found[int(other) - 1] = found[zone] + 1
                    line.append(int(other) - 1)
        return [found.get(zone, FAR) for zone in range(self.zones)]

    def __call__(self, states: np.ndarray) -> np.ndarray:
        """Worth of State records (n,)."""
        team = states["survivors"]
        here, left = team["status"] == ACTIVE, team["status"] == LEFT
        zone = team["zone"].astype(int)
        crowd = states["zombies"][:, : self.zones].sum(2)
        arms = np.minimum(np.sort(CARD_WORTH[team["slots"]], axis=2)[:, :, -2:].sum(2), 60)
        worth = 7.0 * here.sum(1) + 30.0 * left.sum(1) + 0.1 * (arms * here).sum(1)
        worth -= 2.5 * (team["wounds"] * here).sum(1)
        worth -= 0.3 * (np.take_along_axis(crowd, zone, 1) * here).sum(1)
        # the level that objectives ask for, else as little experience as possible
        number = len(self.places)
        colours = states["colour"][:, :number]
        open_ = (states["taken"][:, :number] == 0) & (
            np.isin(colours, list(self.colours)) | (T.NEUTRAL in self.colours)
        )
        need = LEAST_XP[self.row["objective_level"][:number]].max(initial=0)
        xp = np.where(left, need, np.minimum(team["xp"], need) * here)
        behind = np.maximum(0, team["xp"].max(1, keepdims=True) - xp) ** 1.5
        worth += (
            xp.sum(1) - 0.03 * (behind * here).sum(1)
            if need
            else -0.15 * np.maximum(0, team["xp"].max(1) - 6)
        )
        ready = ((team["xp"] >= need) | ~here).all(1)
        worth += 10.0 * ready * (need > 0)
        # objectives, and the way to them
        worth += 14.0 * (states["taken"] == 1).sum(1)
        for k, place in enumerate(self.places):
            nearest = np.where(here, self.steps[zone, place], FAR).min(1)
            together = (self.steps[zone, place] * here).sum(1)
            worth -= open_[:, k] * (
                0.3 * nearest + (0.0 if not need else np.where(ready, 0.5, 0.1) * together)
            )
        # the last steps
        last = ~open_.any(1)
        exits = np.maximum(states["exit"].astype(int) - 1, 0)
        worth += (states["exit"] > 0) * (15.0 - (self.steps[zone, exits[:, None]] * here).sum(1))
        for inside in self.gather:
            worth += last * (10.0 - (self.steps[:, inside].min(1)[zone] * here).sum(1))
        for zones in self.clear:
            worth -= np.where(last, 0.7, 0.2) * crowd[:, zones].sum(1)
        if len(self.shut):
            worth -= last * 4.0 * states["open"][:, self.shut].sum(1)
        return worth


def varied(rng: np.random.Generator) -> Heuristic:
    """The scripted team with other weights."""
    changed = {name: value * float(np.exp(rng.normal(0, 0.5))) for name, value in VALUES.items()}
    return Heuristic(**changed)


def play_round(
    batch: BatchEnv, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Play on to the next round in every lane: the States then, who lives, who won, the actions (-1: none)."""
    n = batch.num_envs
    teams = [Heuristic(), *(varied(rng) for _ in range(TEAMS - 1))]
    whose = rng.integers(0, TEAMS, n)
    wild = rng.choice([0.0, 0.02, 0.05, 0.1, 0.2], n)
    start = batch.states["turns"].copy()
    states, lives, won = batch.states.copy(), np.zeros(n, bool), np.zeros(n, bool)
    going = np.ones(n, bool)
    played = []
    while going.any():
        actions = batch.masks.argmax(1).astype(np.int64)
        for team, agent in enumerate(teams):
            lanes = np.flatnonzero(going & (whose == team))
            if len(lanes):
                actions[lanes] = agent.act_batch(batch.flat_views[lanes], batch.masks[lanes], rng)
        lanes = np.flatnonzero(going & (rng.random(n) < wild))
        if len(lanes):
            chances = rng.random((len(lanes), batch.masks.shape[1])) * batch.masks[lanes]
            chances[:, [A.noise, *range(A.discard, A.discard + C.SLOTS)]] = 0
            chances[:, A.end] *= 0.5
            lanes, chances = lanes[chances.any(1)], chances[chances.any(1)]
            actions[lanes] = chances.argmax(1)
        played.append(np.where(going, actions, -1))
        batch.step(actions)
        over = (batch.terminated | batch.truncated) & going
        won |= over & (batch.final_states["won"] == 1)
        turned = going & ~over & (batch.states["turns"] > start)
        states[turned] = batch.states[turned]
        lives |= turned
        going &= ~over & ~turned
    return states, lives, won, np.stack(played, 1)


def find(mission: str, seed: int) -> replay.Replay | None:
    """A won game, None: all positions were lost."""
    rng = np.random.default_rng(seed)
    judge = Judge(mission)
    batch = BatchEnv(GAME, LANES, seed, [{"mission": mission}])
    batch.reset()
    beam: list[tuple[np.ndarray, Node]] = [
        (batch.states[i : i + 1].copy(), (None, int(batch.seeds[i]), np.zeros(0, np.int64)))
        for i in range(LANES)
    ]
    while beam:
        better = (rng.random(LANES) ** 2 * len(beam)).astype(int)  # the best have most children
        parents = np.where(np.arange(LANES) < len(beam), np.arange(LANES), better)
        batch.states[:] = np.concatenate([beam[k][0] for k in parents])
        batch._lanes.serve(kernel.LOOK, 0, LANES)
        states, lives, won, played = play_round(batch, rng)
        nodes: list[Node] = [(beam[k][1], 0, row[row >= 0]) for k, row in zip(parents, played)]
        if won.any():
            return record(mission, nodes[int(won.argmax())])
        worth = np.where(lives, judge(states), -np.inf)
        children = np.zeros(len(beam), int)
        beam = []
        for i in np.argsort(-worth)[: int(lives.sum())]:
            if children[parents[i]] < PER_PARENT and len(beam) < KEPT:
                children[parents[i]] += 1
                beam.append((states[i : i + 1].copy(), nodes[i]))
        if beam:
            state = beam[0][0][0]
            print(
                f"round {state['turns']}: {worth.max():.1f}, {(state['taken'] == 1).sum()} taken", flush=True
            )
    return None


def record(mission: str, node: Node) -> replay.Replay:
    """The replay of the game that ends with a node."""
    pieces = []
    while node[0] is not None:
        pieces.append(node[2])
        node = node[0]
    actions = [int(action) for piece in reversed(pieces) for action in piece]
    env = OutbreakEnv(GAME, GAME.make_options(mission=mission), strict=True)
    env.reset(node[1])
    for action in actions:
        env.step(action)
    return replay.of_game(env, node[1], actions, ["search"])


if __name__ == "__main__":
    found = find(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    if found is None:
        sys.exit("no win was found; another seed may help")
    found.save(sys.argv[2])
