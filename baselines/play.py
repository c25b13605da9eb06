"""Play in a terminal: a person against agents, with a replay at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from outbreak_rl.envs.core.aec import OutbreakEnv
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.replay import of_game

from .agents import Agent, Sampler

HELP = (
    "Type the number or the text of an action; 'look' shows the table again, "
    "'log' all that you have seen, 'quit' ends."
)


class Quit(Exception):
    """The person has left the table."""


def worlds_of(env: OutbreakEnv, agent: str, rng: np.random.Generator) -> Sampler:
    """A sampler of worlds for a search agent: what it cannot know is dealt anew in each."""
    return lambda n: [env.resampled(agent, int(rng.integers(1 << 31))) for _ in range(n)]


def play(
    game: Game,
    options: dict[str, object],
    seat: int | None,
    others: Sequence[Agent],
    seed: int,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
    colour: bool = True,
    save: Path | None = None,
    position: dict[str, Any] | None = None,
) -> OutbreakEnv | None:
    """One game; ``seat`` is the person's (None: the agents play alone and the table is shown).

    ask(prompt) reads a line and raises EOFError at the end of input, tell(text) prints.  ``others``
    sit on the remaining seats in turn.  Returns the environment, or None where the person has left.
    """
    env = OutbreakEnv(game, game.make_options(**options), strict=True)
    if seat is not None and not 0 <= seat < len(env.possible_agents):
        raise ValueError(f"seat is {seat}, must be 0 to {len(env.possible_agents) - 1}")
    if position is not None and save is not None:
        raise ValueError("a replay begins at a deal: a game from a position cannot be saved as one")
    if position is None:
        env.reset(seed=seed)
    else:
        env.set_position(position, seed)
    rng = np.random.default_rng(seed)
    sitting = {agent: others[k % len(others)] for k, agent in enumerate(env.possible_agents)}
    me = None if seat is None else env.possible_agents[seat]
    told = 0
    actions: list[int] = []
    tell(f"{game.title}, seed {seed}. " + (f"You are {me}. {HELP}" if me else "Agents alone."))
    try:
        while not env.over:
            agent = env.agent_selection
            if agent == me:
                told = tell_news(env, agent, told, tell)
                tell(picture(env, me, colour))
                action = ask_action(env, ask, tell, colour)
            else:
                mask = env.observe(agent)["action_mask"]
                action = sitting[agent].act(env.view(agent), mask, rng, worlds_of(env, agent, rng))
            env.step(action)
            actions.append(action)
            if me is None:
                told = tell_news(env, None, told, tell)
    except Quit:
        tell("You have left the game.")
        return None
    tell_news(env, me, told, tell)
    tell(picture(env, None, colour))
    tell("Result: " + ", ".join(f"{agent} {env.rewards[agent]:+.3g}" for agent in env.possible_agents))
    if save is not None:
        names = [agent if agent == me else sitting[agent].name for agent in env.possible_agents]
        of_game(env, seed, actions, names).save(save)
        tell(f"Replay written to {save}")
    return env


def picture(env: OutbreakEnv, agent: str | None, colour: bool) -> str:
    """The table as an agent sees it (None: all hands open)."""
    return env.draw("ansi" if colour else "text", agent)


def tell_news(env: OutbreakEnv, agent: str | None, told: int, tell: Callable[[str], None]) -> int:
    """Say what has happened since the last time, as the agent saw it; returns how much that is."""
    lines = env.event_texts(agent)
    for line in lines[told:]:
        tell(f"  {line}")
    return len(lines)


def ask_action(env: OutbreakEnv, ask: Callable[[str], str], tell: Callable[[str], None], colour: bool) -> int:
    """Ask until the person names a legal action; raises Quit."""
    legal = env.legal_texts()
    width = max(map(len, legal)) + 6
    per_line = max(1, 100 // width)
    cells = [f"{number:3d} {text}".ljust(width) for number, text in enumerate(legal, 1)]
    tell("\n".join("".join(cells[k : k + per_line]) for k in range(0, len(cells), per_line)))
    while True:
        try:
            line = ask("> ").strip()
        except (EOFError, KeyboardInterrupt, RuntimeError):  # RuntimeError: there is no standard input
            raise Quit from None
        if line in ("quit", "q", "exit"):
            raise Quit
        if line in ("help", "?"):
            tell(HELP)
        elif line == "look":
            tell(picture(env, env.agent_selection, colour))
        elif line == "log":
            tell_news(env, env.agent_selection, 0, tell)
        elif line.isdigit() and 1 <= int(line) <= len(legal):
            return env.parse_action(legal[int(line) - 1])
        elif line in legal:
            return env.parse_action(line)
        elif line:
            tell(f"{line!r} is not a legal action here. {HELP}")
