"""Networks over a game's declared View: an encoder, an actor and a critic, made from the description.

Views stay int8 until they are on the learner's device; the encoder there gives the very floats that
`Fields.encode` gives.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from outbreak_rl.envs.core.actions import ActionTexts
from outbreak_rl.envs.core.fields import Fields
from outbreak_rl.envs.core.game import Game
from outbreak_rl.envs.core.options import option
from outbreak_rl.envs.core.state import numbers

ACTIVATIONS: Mapping[str, type[nn.Module]] = {
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
    "silu": nn.SiLU,
    "gelu": nn.GELU,
}
CRITICS = ("shared", "own", "central")


@dataclass(frozen=True)
class Shape:
    """What decides the sizes of a policy's tensors; it is kept in its file.

    A ``shared`` critic is a second head on the actor's layers; an ``own`` one has layers of its own over
    the same View, a ``central`` one over the View and the full truth, `BatchEnv.state`, in training only.
    """

    hidden: tuple[int, ...] = option((256, 256), "widths of the hidden layers")
    activation: str = option("relu", f"after each hidden layer: {', '.join(ACTIVATIONS)}")
    critic: str = option(
        "shared",
        f"{', '.join(CRITICS)}: on the actor's layers, on its own, or on its own with the full truth",
    )


class Encoder(nn.Module):
    """int8 Views (n, bytes) -> float32 (n, width), on whatever device the Views are.

    Works through stretches of the View: neighbouring counts are divided by their highest values,
    categories compared with each of theirs.
    """

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self.width = fields.width
        self.stretches: list[tuple[int, int, str]] = []  # first byte, end, the buffer that belongs to it
        counts: list[float] = []
        at = 0
        for field in fields.fields:
            if field.kind == "category":
                self._end_counts(at, counts)
                self._add(at, at + field.size, torch.arange(1, field.high + 1, dtype=torch.int8))
            else:
                counts += [float(field.high)] * field.size
            at += field.size
        self._end_counts(at, counts)

    def _end_counts(self, end: int, highs: list[float]) -> None:
        if highs:
            self._add(end - len(highs), end, torch.tensor(highs, dtype=torch.float32))
            highs.clear()

    def _add(self, begin: int, end: int, buffer: torch.Tensor) -> None:
        name = f"stretch_{begin}"
        self.register_buffer(name, buffer, persistent=False)
        self.stretches.append((begin, end, name))

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """The encoding of Views."""
        parts = []
        for begin, end, name in self.stretches:
            buffer: torch.Tensor = getattr(self, name)
            part = views[:, begin:end]
            if buffer.dtype == torch.int8:
                parts.append((part[:, :, None] == buffer).flatten(1).float())
            else:
                parts.append(part.float() / buffer)
        return torch.cat(parts, 1)


class ActionHead(nn.Module):
    """Logits of all actions, sharing what is learnt between actions that share a verb or an argument.

    The weights of an action are its own, plus its verb's, plus one set for each of its arguments
    (``bus -> +2``: those of ``bus`` and of ``+2``), as the action table names them.
    """

    design: torch.Tensor

    def __init__(self, inputs: int, actions: ActionTexts) -> None:
        super().__init__()
        self.register_buffer("design", torch.from_numpy(shared_parts(actions)), persistent=False)
        self.own = layer(inputs, actions.size, 0.01)
        self.shared = nn.Parameter(torch.zeros(self.design.shape[1], inputs + 1))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """float32 (n, actions)."""
        shared = self.design @ self.shared
        return nn.functional.linear(hidden, self.own.weight + shared[:, 1:], self.own.bias + shared[:, 0])


def shared_parts(actions: ActionTexts) -> np.ndarray:
    """float32 (actions, parts): which verb and arguments each action is made of."""
    parts: dict[Any, int] = {}
    rows: list[list[int]] = []
    for name, verb in actions.verbs.items():
        for chosen in itertools.product(*(range(len(names)) for names in verb.arguments)):
            keys = [name, *((names, k) for names, k in zip(verb.arguments, chosen, strict=True))]
            rows.append([parts.setdefault(key, len(parts)) for key in keys])
    design = np.zeros((actions.size, len(parts)), np.float32)
    for action, row in enumerate(rows):
        design[action, row] = 1
    return design


def layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A linear layer with orthogonal weights and no bias at the start."""
    made = nn.Linear(inputs, outputs)
    if made.weight.device.type != "meta":
        nn.init.orthogonal_(made.weight, gain)
        nn.init.zeros_(made.bias)
    return made


def body(inputs: int, shape: Shape) -> tuple[nn.Sequential, int]:
    """Hidden layers and the width of their output."""
    parts: list[nn.Module] = []
    for width in shape.hidden:
        parts += [layer(inputs, width, math.sqrt(2)), ACTIVATIONS[shape.activation]()]
        inputs = width
    return nn.Sequential(*parts), inputs


class Actor(nn.Module):
    """Logits of all actions from a View alone."""

    def __init__(self, fields: Fields, actions: ActionTexts, shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(fields)
        self.body, width = body(self.encoder.width, shape)
        self.head = ActionHead(width, actions)

    def features(self, views: torch.Tensor) -> torch.Tensor:
        """The last hidden layer."""
        hidden: torch.Tensor = self.body(self.encoder(views))
        return hidden

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """float32 (n, actions); masks are applied by `learning.MaskedCategorical`."""
        logits: torch.Tensor = self.head(self.features(views))
        return logits


class ActorCritic(nn.Module):
    """The actor and the critic that trains it.

    The critic estimates in units of the returns' running deviation; ``mean`` and ``deviation`` turn
    its output into rewards.
    """

    mean: torch.Tensor
    square: torch.Tensor
    weight: torch.Tensor

    def __init__(self, fields: Fields, actions: ActionTexts, state_width: int, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.actor = Actor(fields, actions, shape)
        width = shape.hidden[-1] if shape.hidden else self.actor.encoder.width
        self.critic_body: nn.Sequential | None = None
        if shape.critic != "shared":
            inputs = self.actor.encoder.width + (state_width if shape.critic == "central" else 0)
            self.critic_body, width = body(inputs, shape)
        self.critic_head = layer(width, 1, 1.0)
        for name in ("mean", "square", "weight"):  # running first and second moments, and their weight
            self.register_buffer(name, torch.zeros((), dtype=torch.float64))

    def forward(self, views: torch.Tensor, states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n, actions) and normalised values (n,); states (n, width) for a central critic only."""
        encoded = self.actor.encoder(views)
        hidden = self.actor.body(encoded)
        logits = self.actor.head(hidden)
        if self.critic_body is not None:
            central = self.shape.critic == "central"
            hidden = self.critic_body(torch.cat([encoded, squeezed(states)], 1) if central else encoded)
        return logits, self.critic_head(hidden)[:, 0]

    @property
    def scale(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Mean and deviation of the returns so far (0 and 1 before any)."""
        weight = self.weight.clamp(min=1e-8)
        mean = self.mean / weight
        variance = (self.square / weight - mean**2).clamp(min=1e-4)
        seen = self.weight > 0
        one = torch.ones_like(mean)
        return torch.where(seen, mean, 0 * one).float(), torch.where(seen, variance.sqrt(), one).float()

    def rewards(self, normalised: torch.Tensor) -> torch.Tensor:
        """The critic's output in units of reward."""
        mean, deviation = self.scale
        return normalised * deviation + mean

    @torch.no_grad()
    def take_note(self, first: torch.Tensor, second: torch.Tensor, keep: float) -> None:
        """Count the mean return and mean squared return of a batch in; the critic's last layer is
        changed so that its estimates stay what they were (van Hasselt et al. 2016)."""
        old_mean, old_deviation = self.scale
        self.mean.mul_(keep).add_(first.double() * (1 - keep))
        self.square.mul_(keep).add_(second.double() * (1 - keep))
        self.weight.mul_(keep).add_(1 - keep)
        mean, deviation = self.scale
        self.critic_head.weight.mul_(old_deviation / deviation)
        self.critic_head.bias.mul_(old_deviation).add_(old_mean - mean).div_(deviation)


def squeezed(states: torch.Tensor) -> torch.Tensor:
    """Numbers of any size brought near 0, order and sign kept."""
    return states.sign() * states.abs().log1p()


def state_width(game: Game) -> int:
    """Numbers in `BatchEnv.state`."""
    return int(numbers(np.zeros(1, game.state)).shape[1])


def make(game: Game, shape: Shape, device: str | torch.device = "cpu", seed: int = 0) -> ActorCritic:
    """A new network for a game, drawn from the seed; torch's own generator stays as it is."""
    width = state_width(game) if shape.critic == "central" else 0
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ActorCritic(game.fields, game.actions, width, shape).to(device)


def expected_tensors(game: Game, shape: Shape) -> dict[str, tuple[Sequence[int], torch.dtype]]:
    """Names, shapes and types of a network's tensors, without making them."""
    width = state_width(game) if shape.critic == "central" else 0
    with torch.device("meta"):
        network = ActorCritic(game.fields, game.actions, width, shape)
    return {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in network.state_dict().items()}


def snapshot(network: nn.Module) -> dict[str, Any]:
    """The tensors of a network as independent NumPy arrays."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in network.state_dict().items()}
