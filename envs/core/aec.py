"""The PettingZoo AEC form of any game: one record, one kernel call a step.

Order, bounds and legality are checked here; PettingZoo's stacked wrappers would cost most of the
speed.  `observe` works for every seat at any time after reset, also at the end.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import operator
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from . import kernel, position
from .chance import episode_seed
from .draw import rasterise
from .events import ACTED, COLUMNS, seen_by
from .game import Game, Lanes, empty_list, same_bytes
from .rule import IllegalAction
from .state import RUNNING, TRUNCATED, numbers

Observation = dict[str, np.ndarray]
MOST_SEED = (1 << 62) - 1


@functools.cache
def observation_space(game: Game, obs: str) -> gymnasium.spaces.Dict:
    """The observation space: the same object for every seat and environment."""
    mask = gymnasium.spaces.Box(0, 1, (game.actions.size,), np.int8)
    features = gymnasium.spaces.Box(0.0, 1.0, (game.fields.width,), np.float32)
    view = gymnasium.spaces.Box(np.zeros_like(game.fields.bounds), game.fields.bounds, dtype=np.int8)
    observation = view if obs == "view" else features
    return gymnasium.spaces.Dict({"observation": observation, "action_mask": mask})


def check_seed(seed: Any) -> int:
    """A seed as an int; raises where it is not a whole number of 0 .. 2**62 - 1."""
    number = whole_number("seed", seed)
    if not 0 <= number <= MOST_SEED:
        raise ValueError(f"seed is {number}, must be from 0 to 2**62 - 1")
    return number


def whole_number(name: str, value: Any) -> int:
    """A value as an int; raises TypeError for a bool, a float or anything else that is not a whole number."""
    if not isinstance(value, (bool, np.bool_)):
        with contextlib.suppress(TypeError):
            return operator.index(value)
    raise TypeError(f"{name} is {value!r}, must be a whole number")


def check_chance(script: Any) -> list[int]:
    """Chance values to use before the generator; raises where they are not whole numbers from 0 on."""
    if isinstance(script, (str, bytes)) or not isinstance(script, (Sequence, np.ndarray)):
        raise TypeError(f"chance is {script!r}, must be a list of whole numbers")
    values = [whole_number("a chance value", value) for value in script]
    for value in values:
        if not 0 <= value < 1 << 31:
            raise ValueError(f"a chance value is {value}, must be from 0 to 2**31 - 1")
    return values


class OutbreakEnv(AECEnv[str, Observation, int]):
    """One game as a PettingZoo AEC environment.

    game: its description.  options: of the game's own dataclass.  obs: ``"features"`` gives the
    encoding (float32 in [0, 1]), ``"view"`` the int8 View.  render_mode: ``"ansi"``,
    ``"rgb_array"`` or None.  render_agent: draw only what this agent may see (None: everything that
    lies in hands is shown).  strict: an illegal action raises `IllegalAction` and changes nothing
    (`raw_env`); otherwise it ends the game with the game's worst reward for the offender and 0 for
    the others (`env`).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's)
        "render_modes": ["ansi", "rgb_array"],
        "name": "outbreak",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Game,
        options: Any,
        *,
        obs: str = "features",
        render_mode: str | None = None,
        render_agent: str | None = None,
        strict: bool = False,
    ) -> None:
        if obs not in ("features", "view"):
            raise ValueError(f"obs is {obs!r}, must be 'features' or 'view'")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}, must be 'ansi', 'rgb_array' or None")
        self.game = game
        self.options = options
        self.obs = obs
        self.render_mode = render_mode
        self.strict = strict
        self.metadata = {**self.metadata, "name": f"{game.name}_v{game.version}"}
        self._lanes = Lanes(game, 1, game.blank(options), game.tables(options))
        self._attach()
        seats = range(int(self._lanes.blanks[0]["players"]))
        self.possible_agents = [f"player_{seat}" for seat in seats]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        if render_agent is not None and render_agent not in self.possible_agents:
            raise ValueError(
                f"render_agent is {render_agent!r}, must be one of {', '.join(self.possible_agents)}"
            )
        self.render_agent = render_agent
        self._own_spaces()
        self.agents: list[str] = []
        self._ended = True
        self._began = same_bytes(self._lanes.states)  # where the log begins
        self._base_seed, self._deals = 0, -1  # unseeded resets follow from the last seed, by their number

    def _attach(self) -> None:
        """Short ways to what every step needs; the lanes to look through are made when needed."""
        self._glance_lanes: Lanes | None = None
        self._serve = self._lanes.call
        self._n_actions = self.game.actions.size
        self._input = self._lanes.books["input"]
        self._observation = np.copy if self.obs == "view" else self.game.fields.encode_own

    def _own_spaces(self) -> None:
        """Spaces by agent.  The action space is this environment's own: who samples from it or seeds it
        must not disturb another environment."""
        spaces: list[gymnasium.spaces.Space[Any]] = [
            observation_space(self.game, self.obs),
            gymnasium.spaces.Discrete(self._n_actions),
        ]
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces[0])
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces[1])

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Dict of ``observation`` and ``action_mask``: one object for all seats."""
        self.seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Discrete(number of actions): one object for all seats."""
        self.seat(agent)
        return self.action_spaces[agent]

    def seat(self, agent: str) -> int:
        """The seat number of an agent; raises ValueError where there is no such agent."""
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise ValueError(f"there is no agent {agent!r}; there are {', '.join(self.possible_agents)}")
        return self._seat_of[agent]

    # --- reset and step -------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        seed: 0 to 2**62 - 1; without one, the seed follows from the last one (or is drawn by the
        operating system the first time).  ``options={"chance": [...]}`` gives chance values to use
        before the generator; other entries are ignored.
        """
        if not isinstance(options, (Mapping, type(None))):
            raise TypeError(f"options are {options!r}, must be a dict")
        chance = check_chance((options or {}).get("chance", ()))
        if seed is not None:
            self._base_seed, self._deals = check_seed(seed), 0
        elif self._deals < 0:
            self._base_seed, self._deals = secrets.randbits(31), 0
        else:
            self._deals += 1
        seed = self._base_seed if self._deals == 0 else episode_seed(self._base_seed, 0, self._deals)
        lanes = self._lanes
        lanes.books["seed"] = seed
        self._fresh_log(chance)
        self._break_off()
        lanes.serve(kernel.DEAL, 0, 1)
        self._began = same_bytes(lanes.states)
        self._start()

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} is not there yet: call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def needs_game(self) -> None:
        """Raise RuntimeError before the first `reset`."""
        if "rewards" not in self.__dict__:
            raise RuntimeError("there is no game yet: call reset() first")

    def needs_agents(self) -> None:
        """Raise RuntimeError before the first `reset` and where all agents have left the game."""
        if not self.agents:
            self.needs_game()
            raise RuntimeError("the game is over and all agents have left it: call reset() first")

    def _break_off(self) -> None:
        """There is no game: a chance script or a rule has failed in the middle of one."""
        self._ended = True
        self.agents = []

    def _fresh_log(self, chance: Sequence[int] = ()) -> None:
        room = 2 * self.game.events_per_step  # never less than half of it is free before a step
        lanes = self._lanes
        lanes.events = np.zeros((room, COLUMNS), np.int32)
        lanes.drawn = np.zeros(room, np.int32)
        lanes.script = np.array([0, *chance], np.int32) if len(chance) else empty_list()
        lanes.order[:] = (kernel.STEP, 0, 1, kernel.ACTING, 0)
        lanes.bind()

    def _start(self) -> None:
        """Put the dicts of PettingZoo into the state that the record says."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._ended = False
        over = int(self._lanes.states[0]["over"])
        if over == RUNNING:
            self.agent_selection = self.possible_agents[self._lanes.books[0]["seat"]]
        else:
            self._end(over, self._final_rewards())

    def _final_rewards(self) -> list[float]:
        state = self._lanes.states[0]
        return (state["reward"] / state["reward_unit"]).tolist()  # type: ignore[no-any-return]

    def step(self, action: int | None) -> None:
        """Play an action id of the agent selected (None for an agent whose game is over)."""
        if self._ended:
            if not self.agents:
                raise RuntimeError("there is no game to step: call reset() first")
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        lanes = self._lanes
        index = action if type(action) is int else self._index(action)
        if not -1 < index < self._n_actions:
            self._refuse(index)
            return
        self._input[0] = index
        try:
            summary = self._serve(*lanes.arguments)
        except Exception:
            self._break_off()
            raise
        if summary < 0:
            self._refuse(index)
        elif summary < 16:
            self.agent_selection = self.possible_agents[summary - 1]
        else:
            self._after(summary)

    def _index(self, action: Any) -> int:
        """An action as an int; raises TypeError for anything that is not a whole number."""
        return whole_number("action", action)

    def _after(self, summary: int) -> None:
        """What seldom happens after a step: the logs want more room, the game is over."""
        if summary >= kernel.LOG_HALF_FULL:
            lanes = self._lanes
            if lanes.events[0, 0] >= len(lanes.events) or lanes.drawn[0] >= len(lanes.drawn):
                raise RuntimeError(f"{self.game.id} logged more in one step than events_per_step allows")
            lanes.events = np.concatenate([lanes.events, np.zeros_like(lanes.events)])
            lanes.drawn = np.concatenate([lanes.drawn, np.zeros_like(lanes.drawn)])
            lanes.bind()
        over = summary % kernel.LOG_HALF_FULL // 16
        if over:
            self._end(over, self._final_rewards())
        else:
            self.agent_selection = self.possible_agents[summary % 16 - 1]

    def _refuse(self, index: int) -> None:
        if self.strict:
            inside = 0 <= index < self.game.actions.size
            text = f"{index} ({self.action_text(index)})" if inside else f"{index} (there is no such id)"
            state = self._lanes.states[0]
            decision = self.game.decision_name(int(state["stack"][state["depth"] - 1]["kind"]))
            raise IllegalAction(
                f"action {text} is not legal for {self.agent_selection} at the decision {decision!r}; "
                f"legal are: {', '.join(self.legal_texts())}"
            )
        rewards = [0.0] * self.game.most_seats
        rewards[self._seat_of[self.agent_selection]] = self.game.worst
        self._end(over=1, rewards=rewards)

    def _end(self, over: int, rewards: list[float]) -> None:
        self._ended = True
        for agent, reward in zip(self.agents, rewards, strict=False):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] = reward
            self.terminations[agent] = over != TRUNCATED
            self.truncations[agent] = over == TRUNCATED
        self.agent_selection = self.agents[0]

    # --- what a seat sees -----------------------------------------------------------------------

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """The agents to act, in turn; raises RuntimeError before `reset`, when there is nobody yet."""
        self.needs_game()
        return super().agent_iter(max_iter)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, termination, truncation and info of the agent selected."""
        if not self.agents:
            self.needs_agents()
        agent = self.agent_selection  # as in AECEnv.last, whose call would cost a tenth of it
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What an agent sees now: a dict of new arrays ``observation`` and ``action_mask`` (int8)."""
        lanes = self._lanes
        if self._ended or agent != self.agent_selection:
            self.needs_game()
            self._look(self.seat(agent))
            lanes = self._glance
        observation = self._observation(lanes.first_view)
        return {"observation": observation, "action_mask": lanes.first_mask.copy()}

    @property
    def _glance(self) -> Lanes:
        if self._glance_lanes is None:
            self._glance_lanes = self._lanes.copy()
        return self._glance_lanes

    def _look(self, seat: int) -> np.ndarray:
        """The View (1,) of a seat, or of a spectator (-1), in a buffer used again."""
        self._glance.look(seat, self._lanes.states)
        if self._ended:
            self._glance.first_mask.fill(0)
        return self._glance.views

    def view(self, agent: str | None) -> np.void:
        """An agent's View as a record (None: a spectator's), a copy."""
        self.needs_game()
        seat = -1 if agent is None else self.seat(agent)
        return same_bytes(self._look(seat))[0]  # type: ignore[no-any-return]

    def state(self) -> np.ndarray:
        """The full truth for a centralised critic, float32: every number of the State record except
        the random stream (future dice are nobody's to know)."""
        self.needs_game()
        return np.asarray(numbers(self._lanes.states)[0])

    @property
    def state_space(self) -> gymnasium.spaces.Box:
        """The space of `state`."""
        width = numbers(np.zeros(1, self.game.state)).shape[1]
        return gymnasium.spaces.Box(-np.inf, np.inf, (width,), np.float32)

    def information_state(self, agent: str) -> np.ndarray:
        """Everything the agent has seen, in order: int32 (n, 7) rows as `events.seen_by` gives them."""
        return seen_by(self._lanes.events, self.seat(agent))

    def infoset_key(self, agent: str) -> str:
        """Digest of the agent's information state, its seat, the options and what it saw at the beginning."""
        seat = self.seat(agent)
        key = hashlib.sha256(repr((self.game.id, seat, self.options)).encode())
        self._glance.look(seat, self._began)
        key.update(self._glance.flat_views.tobytes())
        key.update(self.information_state(agent).tobytes())
        return key.hexdigest()

    @property
    def over(self) -> bool:
        """Whether the game has ended (or has not begun)."""
        return self._ended

    # --- texts and pictures ---------------------------------------------------------------------

    def action_text(self, action: int) -> str:
        """An action id in words."""
        return self.game.texts(self.options).text(whole_number("action", action))

    def parse_action(self, text: str) -> int:
        """The action id of a text; raises ValueError with the nearest text where it is none."""
        if not isinstance(text, str):
            raise TypeError(f"action is {text!r}, must be a text")
        return self.game.texts(self.options).parse(text)

    def is_legal(self, action: int) -> bool:
        """Whether an action id is legal for the agent selected."""
        index = whole_number("action", action)
        return not self._ended and 0 <= index < self._n_actions and bool(self._lanes.first_mask[index])

    def legal_texts(self) -> list[str]:
        """The legal actions of the agent selected, in words."""
        if self._ended:
            return []
        return [self.action_text(int(action)) for action in self._lanes.masks[0].nonzero()[0]]

    def event_texts(self, agent: str | None = None) -> list[str]:
        """What has happened, in words, as an agent saw it (None: a spectator)."""
        seat = -1 if agent is None else self.seat(agent)
        rows = seen_by(self._lanes.events, seat)
        return [self.game.event_text(row, self.options) for row in rows if row[0] != ACTED]

    def render(self) -> str | np.ndarray | None:
        """The picture of `render_mode`: text, or uint8 (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode")
            return None
        if self.render_mode == "ansi":
            return self.draw("ansi", self.render_agent)
        return rasterise(self.draw("svg", self.render_agent))

    def close(self) -> None:
        """Nothing is held that would have to be closed (PettingZoo asks for the method)."""

    def draw(self, form: str, agent: str | None = None) -> str:
        """``"svg"``, ``"ansi"`` or ``"text"`` (the same without colours): what an agent may see, or
        (None) all hands open."""
        if form not in ("svg", "ansi", "text"):
            raise ValueError(f"form is {form!r}, must be 'svg', 'ansi' or 'text'")
        seat = 0 if agent is None else self.seat(agent)
        players = len(self.possible_agents)
        reveal = None
        if agent is None:
            reveal = [
                self.view(self.possible_agents[(seat + place) % players]) for place in range(1, players)
            ]
        view = self.view(self.possible_agents[seat])
        if form == "svg":
            return self.game.svg(view, seat, reveal)
        return self.game.ansi(view, seat, reveal, form == "ansi")

    # --- copies, positions, chance ----------------------------------------------------------------

    @property
    def drawn(self) -> list[int]:
        """The chance values drawn since the deal; ``reset(options={"chance": drawn})`` repeats them."""
        log = self._lanes.drawn
        return log[1 : 1 + int(log[0])].tolist() if len(log) else []

    @property
    def record(self) -> np.void:
        """The State record itself: the whole truth, in place (for tests and searchers' copies)."""
        return self._lanes.states[0]  # type: ignore[no-any-return]

    def digest(self) -> str:
        """Digest of the State's bytes."""
        return hashlib.sha256(self._lanes.states.tobytes()).hexdigest()

    def clone(self) -> OutbreakEnv:
        """An independent copy at this very moment."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new._lanes = self._lanes.copy()
        new._attach()
        new._own_spaces()
        new.agents = self.agents[:]
        if hasattr(self, "rewards"):
            new.infos = {agent: {} for agent in self.infos}
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(new, name, getattr(self, name).copy())
        return new

    def __copy__(self) -> OutbreakEnv:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> OutbreakEnv:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        kept = {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_glance_lanes", "_lanes", "game")
        }
        arrays = {name: getattr(self._lanes, name).tobytes() for name in ("states", *_LOGS)}
        seed = int(self._lanes.books[0]["seed"])
        for name in ("observation_spaces", "action_spaces", "_input", "_serve", "_observation"):
            del kept[name]
        return {
            "module": self.game.module,
            "layout": self.game.content_digest,
            "kept": kept,
            "arrays": arrays,
            "seed": seed,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.game = importlib.import_module(saved["module"]).GAME
        if saved["layout"] != self.game.content_digest:
            raise ValueError(f"the saved {self.game.id} comes from another version of the game")
        self.__dict__.update(saved["kept"])
        lanes = Lanes(self.game, 1, self.game.blank(self.options), self.game.tables(self.options))
        lanes.books["seed"] = saved["seed"]
        lanes.states.view(np.uint8)[:] = np.frombuffer(saved["arrays"]["states"], np.uint8)
        lanes.order[:] = (kernel.STEP, 0, 1, kernel.ACTING, 0)
        for name in _LOGS:
            like = getattr(lanes, name)
            log = np.frombuffer(bytearray(saved["arrays"][name]), like.dtype)
            setattr(lanes, name, log.reshape(-1, COLUMNS) if like.ndim == 2 else log)
        lanes.bind()
        self._lanes = lanes
        lanes.serve(kernel.LOOK, 0, 1)
        self._attach()
        self._own_spaces()

    def get_state(self) -> bytes:
        """The State record as bytes; `set_state` on an environment with the same options restores it."""
        return self._lanes.states.tobytes()

    def set_state(self, state: bytes) -> None:
        """Go on from a State of `get_state`; the event log starts anew.

        Raises ValueError, with nothing changed, where the bytes have another length or other options, or
        where something of the game was lost in them (`inspect`).  Other damage goes unnoticed and may
        bring the process down: positions (`set_position`) are the form to take from strangers.
        """
        if not isinstance(state, (bytes, bytearray)):
            raise TypeError(f"the state is a {type(state).__name__}, must be the bytes of get_state()")
        if len(state) != self.game.state.itemsize:
            raise ValueError(
                f"the state has {len(state)} bytes, {self.game.id} needs {self.game.state.itemsize}"
            )
        new = np.frombuffer(bytearray(state), self.game.state)
        if any(new[name].tobytes() != self._lanes.blanks[name].tobytes() for name in _FROM_OPTIONS):
            raise ValueError("the state comes from an environment with other options, or is damaged")
        frames = new[0]["stack"][: int(new[0]["depth"])]
        if len(frames) != new[0]["depth"] or not all(
            frame["kind"] > 0 and 0 <= frame["seat"] < new[0]["players"] for frame in frames
        ):
            raise ValueError("the state is damaged: nobody could be asked what it asks")
        self._glance.states = new
        self._glance.bind()
        try:
            self._glance.serve(kernel.INSPECT, 0, 1)
        except AssertionError as wrong:
            raise ValueError(f"the state is damaged: {wrong}") from None
        self._lanes.states = new
        self._resume()

    def _resume(self, chance: Sequence[int] = ()) -> None:
        self._fresh_log(chance)
        self._began = same_bytes(self._lanes.states)
        self._lanes.serve(kernel.LOOK, 0, 1)
        self._start()

    def position(self) -> dict[str, Any]:
        """The state as a readable dict (TOML-like), see position.py."""
        self.needs_game()
        return position.write(self.game, self.options, self._lanes.states)

    def set_position(self, text: dict[str, Any], seed: int = 0, chance: Sequence[int] = ()) -> None:
        """Go on from a position; what it leaves open is drawn from the seed."""
        script = check_chance(chance)
        self._lanes.states = position.read(self.game, self.options, text, check_seed(seed))
        self._resume(script)

    def resampled(self, agent: str | None, seed: int) -> OutbreakEnv:
        """A world that the agent cannot tell from this one: what it cannot know is dealt anew, the
        dice are new, scripts and logs are dropped."""
        self.needs_game()
        new = self.clone()
        lanes = new._lanes
        lanes.books["input"] = lanes.books["seed"] = check_seed(seed)  # the true seed would tell everything
        new._base_seed, new._deals = seed, 0
        new._fresh_log()
        lanes.serve(kernel.RESAMPLE, 0, 1, -1 if agent is None else self.seat(agent))
        new._began = same_bytes(lanes.states)
        lanes.serve(kernel.LOOK, 0, 1)
        return new

    def inspect(self) -> None:
        """Raise AssertionError where something of the game was lost (conservation)."""
        self._lanes.serve(kernel.INSPECT, 0, 1)


_AFTER_RESET = (
    "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
)  # fmt: skip
_FROM_OPTIONS = ("options", "table", "players")  # of the State: what a deal never changes
_LOGS = ("script", "drawn", "events")
