"""The command line: ``outbreak envs | play | train | evaluate | exploit | plot | results | bench | cases | replay``."""

from __future__ import annotations

import ast
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs import game_names
from outbreak_rl.envs.core.extras import install

if TYPE_CHECKING:  # the rules' modules are loaded inside the commands, where main() can explain what is wrong
    from outbreak_rl.envs.core.game import Game

app = typer.Typer(
    help="Board games about epidemics and zombies as environments: look at them, play, measure, compare agents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
out = Console(width=None if sys.stdout is not None and sys.stdout.isatty() else 160)
GameArgument = Annotated[
    str, typer.Argument(help="A game, such as outbreak/run_for_your_lives.", show_default=False)
]
OptionList = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        help="An option of the game, such as -o players=5 or -o preset=mini (may be repeated).",
    ),
]


def main() -> None:
    """Run the command line; what a user can mend is one sentence, without a traceback."""
    try:
        app()
    except (ValueError, OSError, ImportError) as wrong:
        named = isinstance(wrong, OSError) and wrong.filename is not None
        says = f"{wrong.filename}: {wrong.strerror}" if named else str(wrong)  # type: ignore[union-attr]
        Console(stderr=True).print(f"[red]outbreak:[/red] {escape(says)}", soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        Console(stderr=True).print("outbreak: stopped")
        sys.exit(130)


def options_of(texts: Sequence[str] | None) -> dict[str, Any]:
    """``key=value`` texts as options: numbers, true/false and lists as such, anything else as text."""
    found = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ValueError(f"option {text!r} must have the form name=value")
        found[key.strip().replace("-", "_")] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return tuple(value) if isinstance(value, list) else value


def must_be_writable(path: Path | None) -> None:
    """Raise before any work is done where a result could not be written afterwards."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"{path} cannot be written: it is a folder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as wrong:
        raise ValueError(f"{path} cannot be written: {wrong.strerror}") from None


def must_be_a_picture(path: Path | None) -> None:
    """Raise before any work is done where no picture could be written afterwards."""
    from outbreak_rl.envs.core.draw import check_picture

    if path is not None:
        check_picture(path)
        must_be_writable(path)


def print_whole(table: Table) -> None:
    """Print a table uncut: on a screen too narrow for it the lines run on."""
    wide = Measurement.get(out, out.options.update(max_width=1000), table).maximum
    Console(width=max(out.width, wide)).print(table, crop=False)


@app.command()
def envs(
    name: Annotated[str | None, typer.Argument(help="One game: show its page.", show_default=False)] = None,
    option: OptionList = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Write the opening position under these options to this file, .svg or .png."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The deal that the picture shows.")] = 0,
) -> None:
    """List the games, or show one game's page: rules, options, presets, actions, what a seat sees.

    With --picture no page is shown, but the opening position drawn, all hands open.
    """
    if (option or picture) and name is None:
        raise ValueError(
            "--option and --picture need a game, such as outbreak envs pandemic --picture it.svg"
        )
    if option and picture is None:
        raise ValueError("--option needs --picture: a game's page is the same under all options")
    if name is None:
        for each in game_names():
            found = find_game(each)
            presets = ", ".join(found.presets)
            out.print(
                f"[bold]{found.id}[/bold]  {found.title}, up to {found.most_seats} seats; presets {presets}"
            )
        return
    found = find_game(name)
    if picture is not None:
        must_be_a_picture(picture)
        draw_opening(found, options_of(option), seed, picture)
        out.print(f"Written to {picture}", soft_wrap=True)
        return
    out.print(page(found), markup=False, highlight=False)


def draw_opening(found: Game, options: dict[str, Any], seed: int, path: Path) -> None:
    """Write a game's opening position as a picture, all hands open."""
    from outbreak_rl.envs.core.aec import OutbreakEnv
    from outbreak_rl.envs.core.draw import save_picture

    env = OutbreakEnv(found, found.make_options(**options))
    env.reset(seed)
    save_picture(path, env.draw("svg"))


def page(found: Game) -> str:
    """A game's page, generated from its description."""
    from outbreak_rl.envs.core.options import options_table

    presets = "\n".join(f"- `{name}`: {values or 'the defaults'}" for name, values in found.presets.items())
    verbs = "\n".join(
        f"- {verb} ({len(v.texts)}): `{v.texts[0]}` ..." for verb, v in found.actions.verbs.items()
    )
    content = "\n".join(f"- {what}: {source}" for what, source in found.content.items())
    parts = {
        "": str(sys.modules[found.module].__doc__),
        "Options": options_table(found.options),
        "Presets": presets,
        **({"Scenarios": "\n".join(f"- {line}" for line in found.scenarios())} if found.scenarios else {}),
        f"Actions ({found.actions.size})": verbs,
        f"View ({found.fields.size} bytes, {found.fields.width} floats encoded)": found.fields.table(),
        "What is printed, inferred or ours": content,
    }
    return "\n\n".join(f"## {title}\n\n{text}" if title else text for title, text in parts.items())


@app.command()
def play(
    name: GameArgument,
    option: OptionList = None,
    seat: Annotated[int, typer.Option(min=-1, help="Your seat; -1 lets the agents play alone.")] = 0,
    others: Annotated[
        str,
        typer.Option(
            help="Who plays the other seats: heuristic, random, idle, ppo:PATH, FILE.py:Class (an own agent), "
            "or several with commas."
        ),
    ] = "heuristic",
    seed: Annotated[int | None, typer.Option(help="The deal; without one, a new one each time.")] = None,
    position: Annotated[
        str | None,
        typer.Option(help="Begin at this position (TOML or JSON, or one of the suite) instead of a deal."),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write a replay of the game to this file.")] = None,
    colour: Annotated[bool, typer.Option(help="Colours in the terminal.")] = True,
) -> None:
    """Play a game in the terminal against agents."""
    import secrets

    from .agents import make_agent
    from .play import play as play_game
    from .starts import find as find_position

    found = find_game(name)
    agents = [make_agent(each.strip(), found) for each in others.split(",")]
    start = find_position(position) if position else None
    deal = secrets.randbits(31) if seed is None else seed
    shown = colour and out.is_terminal and not out.no_color
    must_be_writable(save)
    play_game(
        found, options_of(option), None if seat < 0 else seat, agents, deal, input, print, shown, save, start
    )


@app.command()
def evaluate(
    name: GameArgument,
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Two agents or more (one for cooperative games): heuristic, random, idle, ppo:PATH (a policy's "
            "file, its run's folder, or one of the suite), FILE.py:Class or package.module:Class (an own agent); "
            "NAME=AGENT names it in tables."
        ),
    ],
    deals: Annotated[
        int,
        typer.Option(min=1, help="Deals a line; in competitive games each is played once from every seat."),
    ] = 200,
    games: Annotated[
        int, typer.Option(min=0, help="Instead of --deals: at least so many games a line, in whole deals.")
    ] = 0,
    against: Annotated[
        list[str] | None,
        typer.Option(help="Play the agents beside this one only, both ways (may be repeated)."),
    ] = None,
    cross: Annotated[
        bool, typer.Option(help="Cooperative games: also teams of one agent and copies of another.")
    ] = False,
    option: OptionList = None,
    grid: Annotated[str | None, typer.Option(help="A named grid of option sets of the game.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads of the environment.")] = 1,
    save: Annotated[
        Path | None, typer.Option(help="Write games.csv.gz and results.json to this folder.")
    ] = None,
) -> None:
    """Compare agents over the same deals, with intervals.

    Without -o players=N, every number of players the game allows is a line.
    """
    from .evaluate import as_table, default_grid, provenance
    from .evaluate import evaluate as run
    from .evaluate import save as write

    found = find_game(name)
    options = options_of(option)
    must_be_writable(save and save / "results.json")
    if cross and not found.cooperative:
        raise ValueError(f"--cross mixes teams, and in {found.id} everybody plays alone")
    lines, played = run(
        found, agents, default_grid(found, options, grid), deals, threads, out,
        games=games, against=against or (), cross=cross,
    )  # fmt: skip
    print_whole(as_table(found, lines))
    if save is not None:
        about = provenance(found, ["outbreak", *sys.argv[1:]], [*agents, *(against or ())])
        write(save, about, lines, played)
        out.print(f"Written to {save}")


def show_keys(wished: bool) -> None:
    """List the keys of a configuration with types, defaults and meanings, and exit, if that is wished."""
    if not wished:
        return
    try:
        from .config import keys
    except ImportError as wrong:
        raise ValueError(f"training needs PyTorch: {install('train')} ({wrong})") from None
    table = Table("key", "type", "default", "meaning", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.columns[0].no_wrap = True
    for key in keys():
        default = "must be given" if key.default is None else key.default
        table.add_row(*(escape(text) for text in (key.name, key.type, default, key.about)))
    out.print(table)
    raise typer.Exit


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def train(
    context: typer.Context,
    config: Annotated[
        str,
        typer.Argument(
            help="A configuration: a TOML file, or one of the suite, such as run_for_your_lives/quick."
        ),
    ],
    deals: Annotated[
        int, typer.Option(min=0, help="Deals a line of the table that is shown at the end; 0: no table.")
    ] = 200,
    keys: Annotated[
        bool,
        typer.Option(
            "--keys", help="List the keys of a configuration and exit.", callback=show_keys, is_eager=True
        ),
    ] = False,
) -> None:
    """Train a policy by self-play, then compare it with the scripted and random players.

    Every key of the configuration (outbreak train --keys) can be overridden, for
    instance --ppo.decisions 200000 --env.players 5 --seed 3.  A run that was stopped
    goes on by the same command, with the same overrides, and --run.resume true.
    """
    try:
        from .config import load
        from .ppo import TrainingStopped
        from .ppo import train as run
    except ImportError as wrong:
        raise ValueError(f"training needs PyTorch: {install('train')} ({wrong})") from None
    settings = load(config, context.args)
    try:
        policy = run(settings)
    except TrainingStopped as stopped:
        Console(stderr=True).print(f"outbreak: {escape(str(stopped))}", soft_wrap=True)
        raise typer.Exit(1) from None
    out.print(f"The policy is in {policy}", soft_wrap=True)
    if deals == 0:
        return
    from .agents import has_heuristic
    from .evaluate import as_table, provenance
    from .evaluate import evaluate as compare
    from .evaluate import save as write

    found = settings.find_game()
    others = ["heuristic", "random"] if has_heuristic(found) else ["random"]
    name = f"trained=ppo:{policy}"
    lines, played = compare(
        found, [name], settings.variants(), deals, settings.run.env_threads, out, against=others
    )
    print_whole(as_table(found, lines))
    about = provenance(found, ["outbreak", *sys.argv[1:]], [name, *others])
    write(policy.parent / "evaluation", about, lines, played)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def exploit(
    context: typer.Context,
    config: Annotated[
        str,
        typer.Argument(
            help="A training configuration (outbreak train --keys): its game, and how (best responses) are trained."
        ),
    ],
    agent: Annotated[
        list[str] | None,
        typer.Option(help="Whom to exploit, such as ppo:PATH; with --exact, by default the run's policies."),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="By the whole tree of a small game, over --worlds.")
    ] = False,
    worlds: Annotated[int, typer.Option(min=1, help="Exact: deals that the tree begins with.")] = 1000,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", "-o", help="Exact: options of the tree's game other than the config's."),
    ] = None,
    points: Annotated[int, typer.Option(min=1, help="Exact: policies along the run.")] = 12,
    seeds: Annotated[
        int, typer.Option(min=1, help="Best responses, or training runs, from the seed on.")
    ] = 3,
    deals: Annotated[int, typer.Option(min=2, help="Deals that best responses are measured on.")] = 1000,
    save: Annotated[Path | None, typer.Option(help="Write results.json to this folder.")] = None,
) -> None:
    """How much could be gained against policies: exactly on small games, else a lower bound.

    With --exact and no --agent, the configuration is trained and its policies along the run make a curve.
    Without --exact, best responses are trained by PPO as configured, alone among copies of the agent.
    """
    try:
        from . import exploit as exploits
        from .config import load
    except ImportError as wrong:
        raise ValueError(f"this needs PyTorch: {install('train')} ({wrong})") from None
    from .evaluate import provenance, write_results
    from .evaluate import save as write

    must_be_writable(save and save / "results.json")
    settings = load(config, context.args)
    found = settings.find_game()
    numbers = range(settings.seed, settings.seed + seeds)
    about = provenance(found, ["outbreak", *sys.argv[1:]], agent or ())
    about |= {"config": {key: value for key, value in settings.as_dict().items() if key != "run"}}
    tell = partial(print, flush=True)
    if not exact:
        if not agent:
            raise ValueError("--agent must say whom to exploit")
        found_rows, lines, played = exploits.from_below(settings, agent, numbers, deals, tell)
        if save is not None:
            write(save, {**about, "exploit": found_rows}, lines, played)
        return
    tree = exploits.tree_of(settings, worlds, options_of(option))
    tell(f"{tree.nodes:,} nodes, {tree.infosets:,} information sets, {worlds:,} worlds")
    if agent:
        rows = exploits.exact_rows(found, tree, agent)
    else:
        runs = [replace(settings, seed=seed) for seed in numbers]
        paths = [path for run in runs for path in exploits.policies_along(run, points)]
        rows = exploits.curve(settings, tree, paths, tell)
    for row in (rows[0], rows[-1]):
        print(f"{row['agent']}: {row['exploitability']:.4f}, {row['of_uniform']:.1%} of the uniform policy's")
    if save is not None:
        about |= {"options": tree.options, "worlds": worlds, "nodes": tree.nodes, "infosets": tree.infosets}
        write_results(save, {**about, "curve": rows})


@app.command()
def bench(
    name: Annotated[str | None, typer.Argument(help="One game; without it, all.", show_default=False)] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            help="Options of the one setting to measure; without it, the default and the largest number of players.",
        ),
    ] = None,
    lanes: Annotated[int, typer.Option(min=1, help="Environments in the batch.")] = 4096,
    threads: Annotated[int, typer.Option(min=1, help="Threads for the second batch figure.")] = 2,
    runs: Annotated[int, typer.Option(min=1, help="Runs of which the median is shown.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds a run.")] = 1.0,
    starts: Annotated[
        bool, typer.Option(help="Also time the first start (with compiling) and later ones.")
    ] = True,
    save: Annotated[
        Path | None, typer.Option(help="Write the figures to this folder, a JSON file a game.")
    ] = None,
) -> None:
    """Measure speed: batches, the AEC form beside PettingZoo's connect_four, clones, start-up."""
    from outbreak_rl.envs.core.files import write_atomically

    from .bench import as_json
    from .bench import bench as measure

    must_be_writable(save and save / "any.json")
    for each in [name] if name else game_names():
        found = find_game(each)
        most = found.make_options().__class__.__dataclass_fields__["players"].metadata["high"]
        settings = [options_of(option)] if option else [{}, {"players": most}]
        for options in settings:
            found.make_options(**options)
        print(found.title)
        rows = measure(found, settings, lanes, threads, runs, seconds, starts, print)
        if save is not None:
            write_atomically(save / f"{found.name}.json", as_json(found, rows, ["outbreak", *sys.argv[1:]]))


@app.command()
def plot(
    paths: Annotated[
        list[Path], typer.Argument(help="Folders of runs (seeds of one experiment), or one of results.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file: .svg, .png or .pdf.")],
    figure: Annotated[
        list[str] | None,
        typer.Option(help="Runs: a figure of progress.jsonl, * allowed (may be repeated)."),
    ] = None,
) -> None:
    """Draw learning curves of runs, shares of wins or exploitability of results."""
    from .plot import plot as draw

    must_be_writable(output)
    draw(paths, output, figure or ())
    print(f"Written to {output}")


@app.command()
def results(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 where README and files differ.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--list", help="Print the tables and the commands that made their files.")
    ] = False,
    root: Annotated[Path, typer.Option(help="The checkout.")] = Path("."),
) -> None:
    """Make the README's tables anew from the games, figures and runs kept in baselines/results."""
    from . import tables

    described = tables.describe(root)
    if show:
        for table in described:
            out.print(f"[bold]{escape(table.name)}[/bold]")
            for command in table.commands:
                print(command)
        return
    if check:
        wrong = tables.check(root)
        for line in wrong:
            print(line)
        if wrong:
            raise typer.Exit(1)
        print(f"{len(described)} tables are what the files say")
        return
    changed = tables.rebuild(root)
    print(f"changed: {', '.join(changed)}" if changed else "nothing to change")


@app.command()
def cases(
    paths: Annotated[list[Path], typer.Argument(help="Case files or folders of them.", exists=True)],
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Name the cases that hold, too.")] = False,
) -> None:
    """Run rule cases (position, actions, what must hold); exits with 1 where one fails."""
    from outbreak_rl.envs.core import cases as rule_cases

    passed = failed = 0
    for case in rule_cases.find(paths):
        try:
            case.run(find_game)
        except (AssertionError, ValueError) as wrong:
            failed += 1
            out.print(
                f"[red]failed[/red] {escape(f'{case.path}: {case.name}')}\n       {escape(str(wrong))}",
                soft_wrap=True,
            )
        else:
            passed += 1
            if verbose:
                out.print(f"[green]holds[/green]  {escape(case.name)}", soft_wrap=True)
    print(f"{passed} passed, {failed} failed")
    if failed or not passed:
        raise typer.Exit(1)


@app.command()
def replay(
    path: Annotated[Path, typer.Argument(help="A replay file (outbreak play --save).")],
    show: Annotated[bool, typer.Option(help="Show the table after each action.")] = False,
    stop: Annotated[int | None, typer.Option(min=0, help="Stop after this many actions.")] = None,
    agent: Annotated[
        str | None, typer.Option(help="Show only what this agent may see, such as player_0.")
    ] = None,
    position: Annotated[
        Path | None, typer.Option(help="Write the last position as a TOML or JSON file.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the last position into this file, .svg or .png.")
    ] = None,
    colour: Annotated[bool, typer.Option(help="Colours in the terminal.")] = True,
) -> None:
    """Follow a replay action by action, and prove that it comes out the same."""
    from outbreak_rl.envs.core import replay as replays
    from outbreak_rl.envs.core.draw import save_picture
    from outbreak_rl.envs.core.position import save as save_position

    must_be_a_picture(picture)
    must_be_writable(position)
    found = replays.load(path)
    env = found.start(find_game(found.game))
    if agent is not None and agent not in env.possible_agents:
        raise ValueError(f"agent is {agent!r}, must be one of {', '.join(env.possible_agents)}")
    shown = "ansi" if colour and out.is_terminal and not out.no_color else "text"
    told = 0
    for action in [None, *found.actions[:stop]]:
        if action is not None:
            found.play(env, action)
        lines = env.event_texts(agent)
        for line in lines[told:]:
            print(f"  {line}")
        told = len(lines)
        if show:
            print(env.draw(shown, agent))
    if not show:
        print(env.draw(shown, agent))
    if stop is None or stop >= len(found.actions):
        found.verify(env)
        print(f"{len(found.actions)} actions, the same end as recorded")
    if position is not None:
        save_position(position, env.position())
    if picture is not None:
        save_picture(picture, env.draw("svg", agent))


if __name__ == "__main__":
    main()
