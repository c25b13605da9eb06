"""A trained policy: its file, and the agent that plays by it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch

from outbreak_rl.envs import game as find_game
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.options import nearest

from . import checkpoint
from .checkpoint import CheckpointError
from .learning import MaskedCategorical
from .networks import ACTIVATIONS, CRITICS, ActorCritic, Shape, expected_tensors, make, snapshot

FORMAT = 1
_MOST_WIDTH = 1 << 16
_KEYS = ("format", "game", "layout", "network")


class PolicyAgent:
    """Plays by a network: sampled at a temperature, or the likeliest action at temperature 0.

    It sees Views and masks only; the critic of its file is not used.
    """

    def __init__(
        self,
        game: Game,
        network: ActorCritic,
        *,
        name: str = "ppo",
        temperature: float = 1.0,
        about: Mapping[str, Any],
    ) -> None:
        if not (math.isfinite(temperature) and temperature >= 0):
            raise ValueError(f"temperature is {temperature}, must be 0 or more")
        self.game = game
        self.name = name
        self.about = dict(about)
        self.temperature = temperature
        self.network = network.eval()
        self.device = network.critic_head.weight.device

    @classmethod
    def load(
        cls, path: str | Path, game: Game | None = None, *, device: str = "cpu", temperature: float = 1.0
    ) -> PolicyAgent:
        """The agent of a policy file, of a run's folder, or of a policy that comes with the suite, such as
        ``run_for_your_lives/default``; raises CheckpointError where it cannot be used (for this game)."""
        given, path = path, find(path)
        arrays, about = checkpoint.read(path)
        shape = read_shape(path, about)
        found = game_of(path, about, game)
        network = load_network(path, found, shape, arrays, device)
        return cls(found, network, name=f"ppo:{given}", temperature=temperature, about=about)

    def act(
        self,
        view: np.void,
        mask: np.ndarray,
        rng: np.random.Generator,
        sampler: Callable[[int], list[Any]] | None = None,
    ) -> int:
        """The action id for one View record and its mask."""
        views = np.frombuffer(view.tobytes(), np.int8)[None].copy()
        return int(self.act_batch(views, np.asarray(mask)[None], rng)[0])

    @torch.inference_mode()
    def act_batch(self, views: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Action ids int64 (n,) for Views int8 (n, bytes) and masks int8 (n, actions); one random
        number of ``rng`` a row.  Raises ValueError for a mask without a legal action."""
        uniform = torch.from_numpy(rng.random(len(views), dtype=np.float32)).to(self.device)
        choice = self._choice(views, masks)
        chosen = choice.mode() if self.temperature == 0 else choice.sample(uniform)
        return np.asarray(chosen.cpu().numpy())

    @torch.inference_mode()
    def probabilities(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """float32 (n, actions): how likely each action is to be played, for exact values."""
        choice = self._choice(views, masks)
        if self.temperature == 0:
            return np.asarray(np.eye(masks.shape[1], dtype=np.float32)[choice.mode().cpu().numpy()])
        return np.asarray(choice.probs.cpu().numpy())

    def _choice(self, views: np.ndarray, masks: np.ndarray) -> MaskedCategorical:
        logits = self.network.actor(torch.from_numpy(views).to(self.device))
        legal = torch.from_numpy(np.asarray(masks)).to(self.device)
        return MaskedCategorical(logits / (self.temperature or 1.0), legal)


def find(path: str | Path) -> Path:
    """The file of a policy: a path, the folder of a run, or the name of one that comes with the suite."""
    place = Path(path)
    if (place / "policy.safetensors").is_file():
        return place / "policy.safetensors"
    if place.exists():
        return place
    shipped = Path(str(files(__package__))) / "weights"
    inside = shipped / place.parent / f"{place.name}.safetensors"
    if inside.exists():
        return inside
    names = sorted(str(file.relative_to(shipped).with_suffix("")) for file in shipped.glob("*/*.safetensors"))
    raise CheckpointError(
        f"{path} cannot be read: No such file, nor a policy of the suite{nearest(str(path), names)}"
    )


def save(path: str | Path, game: Game, network: ActorCritic, about: Mapping[str, Any]) -> None:
    """Write a policy's file; ``about`` says where it comes from."""
    shape = network.shape
    head = {
        "format": FORMAT, "game": game.id, "layout": game.content_digest,
        "network": {"hidden": list(shape.hidden), "activation": shape.activation, "critic": shape.critic},
    }  # fmt: skip
    checkpoint.write(path, snapshot(network), {**about, **head})


def read_shape(path: str | Path, about: Mapping[str, Any]) -> Shape:
    """The network's shape as a file describes it."""
    missing = [key for key in _KEYS if key not in about]
    if missing:
        raise CheckpointError(f"{path} is not a policy: its description has no {', '.join(missing)}")
    if about["format"] != FORMAT:
        raise CheckpointError(f"{path} has policy format {about['format']!r}, this version reads {FORMAT}")
    network = about["network"]
    if not isinstance(network, dict) or set(network) != {"hidden", "activation", "critic"}:
        raise CheckpointError(f"{path} is corrupt: it does not say how its network is built")
    hidden = network["hidden"]
    whole = isinstance(hidden, list) and all(
        type(width) is int and 1 <= width <= _MOST_WIDTH for width in hidden
    )
    named = network["activation"] in list(ACTIVATIONS) and network["critic"] in CRITICS
    if not whole or len(hidden) > 64 or not named:
        raise CheckpointError(f"{path} is corrupt: no network is built like {str(network)[:80]}")
    return Shape(tuple(hidden), network["activation"], network["critic"])


def game_of(path: str | Path, about: Mapping[str, Any], wanted: Game | None) -> Game:
    """The game that a file is for, which must be the wanted one in the present version."""
    if wanted is not None and about["game"] != wanted.id:
        raise CheckpointError(f"{path} is a policy for {str(about['game'])[:80]}, not for {wanted.id}")
    try:
        game = wanted or find_game(str(about["game"]))
    except ValueError:
        raise CheckpointError(
            f"{path} is a policy for {str(about['game'])[:80]!r}, which is not a game here"
        ) from None
    if about["layout"] != game.content_digest:
        raise CheckpointError(f"{path} was trained on another version of {game.id} (views or actions differ)")
    return game


def load_network(
    path: str | Path,
    game: Game,
    shape: Shape,
    arrays: Mapping[str, np.ndarray],
    device: str | torch.device = "cpu",
) -> ActorCritic:
    """A network with the tensors of a file; nothing is made before their shapes are checked."""
    expected = expected_tensors(game, shape)
    if set(arrays) != set(expected):
        odd = sorted(set(arrays) ^ set(expected))[0]
        raise CheckpointError(
            f"{path} does not fit its network: tensor {odd[:60]!r} is missing or one too many"
        )
    tensors = {}
    for name, (size, dtype) in expected.items():
        tensor = torch.from_numpy(arrays[name])
        if tuple(tensor.shape) != tuple(size) or tensor.dtype != dtype:
            raise CheckpointError(
                f"{path} does not fit its network: {name} is {tuple(tensor.shape)}, not {tuple(size)}"
            )
        if not bool(torch.isfinite(tensor).all()):
            raise CheckpointError(f"{path} is of no use: its {name} has numbers that are not finite")
        tensors[name] = tensor
    network = make(game, shape)
    network.load_state_dict(tensors)
    return network.to(device)
