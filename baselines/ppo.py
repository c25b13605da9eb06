"""Proximal policy optimisation by self-play (Schulman et al. 2017), whole, for any game of the suite.

One network plays every seat at every player count.  Read `Trainer.run` first: collect, learn, keep.
The arithmetic stands in learning.py, the networks in networks.py, the opponents in selfplay.py.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch import nn

from outbreak_rl.envs.core.batch import BatchEnv
from outbreak_rl.envs.core.chance import episode_seed
from outbreak_rl.envs.core.state import numbers

from . import networks, policy
from .agents import make_agent, make_potential
from .checkpoint import CheckpointError, Checkpoints, room
from .config import Config, ConfigError, completed
from .curriculum import Levels
from .learning import MaskedCategorical, Rollout, Samples, normalised, schedule
from .policy import PolicyAgent
from .progress import Reporter, provenance
from .selfplay import LEARNER, League, rng_state, set_rng_state
from .starts import StartsAt
from .starts import find as find_position


class TrainingStopped(RuntimeError):
    """Training cannot go on: the message says why and what is left."""


def train(config: Config) -> Path:
    """Train as configured and return the path of the policy.

    Interrupted (Ctrl-C), it finishes the update it is in, keeps a checkpoint and raises
    TrainingStopped; killed, a run loses what came after its last checkpoint.  The same
    configuration with ``run.resume`` goes on.
    Under ``torchrun`` each process plays its share of the lanes and gradients are averaged.
    """
    with _processes() as (rank, ranks):
        return Trainer(config, rank, ranks).run()


class Trainer:
    """A training run: the batch of games, the network, the league, and what is kept of them."""

    def __init__(self, config: Config, rank: int = 0, ranks: int = 1) -> None:
        self.config, self.rank, self.ranks = config, rank, ranks
        settings = config.ppo
        if settings.lanes % ranks:
            raise ConfigError(f"ppo.lanes is {settings.lanes}, must be a multiple of the {ranks} processes")
        self.folder = config.folder
        self.checkpoints = Checkpoints(self.folder, rank, ranks)
        self.game = game = config.find_game()
        self.lanes = settings.lanes // ranks
        torch.set_num_threads(config.run.threads)
        self.device = _device(config.run.device)
        seed = config.seed if rank == 0 else episode_seed(config.seed, rank, 1 << 20)
        self.rng = np.random.Generator(np.random.PCG64([config.seed, rank]))
        variants = config.variants()
        self.batch = BatchEnv(game, self.lanes, seed, variants, config.run.env_threads)
        if config.position:
            start = find_position(config.position)
            self.batch = StartsAt(game, self.lanes, seed, variants, config.run.env_threads, start)
        self.levels: Levels | None = None
        if config.curriculum.option:
            self.levels = Levels(config.curriculum, variants, self.lanes, seed)
        self.network = networks.make(game, config.network, self.device, config.seed)
        if config.initial:
            self.network.load_state_dict(_initial(config))
        self.optimiser = torch.optim.Adam(self.network.parameters(), settings.learning_rate[0], eps=1e-5)
        scripted = [make_agent(name, game) for name in config.selfplay.scripted]
        self.league = League(config.selfplay, self.lanes, game.most_seats, scripted, seed)
        self.potential = make_potential(game) if settings.shaping else None
        self.central = config.network.critic == "central"
        width = networks.state_width(game) if self.central else 0
        self.rollout = Rollout(
            settings.steps, self.lanes, game.most_seats, game.fields.size, game.actions.size, width
        )  # fmt: skip
        self.update, self.decisions, self.kept_at = 0, 0, -1
        self.updates = max(1, settings.decisions // (settings.lanes * settings.steps))
        self.seconds: dict[str, float] = defaultdict(float)  # in all, by part
        self.stop = False

    # --- the run --------------------------------------------------------------------------------

    def run(self) -> Path:
        """All updates, from the start or from the last checkpoint."""
        config = self.config
        self._begin()
        report = Reporter(config, self.folder, self.update, self.decisions, quiet=self.rank > 0)
        with report, _interruptible(self):
            self._keep_for_good(report)
            while self.update < self.updates and not self._agreed(self.stop):
                progress = self.update / self.updates
                self.league.draw_active()
                figures = self._timed("collect", self.collect)
                samples = self.rollout.finish(config.ppo.gamma, config.ppo.lam)
                figures |= self._timed("learn", self.learn, samples, progress)
                self.update += 1
                self.decisions += config.ppo.lanes * config.ppo.steps
                if self.update % config.selfplay.every == 0:
                    self._add_to_league()
                report.update(self.update, self.decisions, figures, self.seconds, self._shares())
                self._keep_for_good(report)
                if self.update % config.run.checkpoint_every == 0:
                    self.keep(report)
            if self.kept_at != self.update:
                self.keep(report)
        if self.kept_at != self.update:
            raise TrainingStopped(
                f"the last checkpoint could not be written to {self.folder} ({room(self.folder)})"
            )
        if self.update < self.updates:
            raise TrainingStopped(
                f"stopped at {self.decisions:,} of {config.ppo.decisions:,} decisions; "
                f"{self.folder} holds all of it: go on by the same command with the same overrides "
                "and --run.resume true"
            )
        return self.policy_path

    @property
    def policy_path(self) -> Path:
        """Where the policy is kept."""
        return self.folder / "policy.safetensors"

    def _timed(self, part: str, function: Any, *arguments: Any) -> Any:
        start = time.perf_counter()
        found = function(*arguments)
        self.seconds[part] += time.perf_counter() - start
        return found

    # --- collecting -----------------------------------------------------------------------------

    @torch.inference_mode()
    def collect(self) -> dict[str, float]:
        """One rollout: the learner and its opponents play ``steps`` decisions in every lane."""
        rollout, batch, league, lanes = self.rollout, self.batch, self.league, np.arange(self.lanes)
        games, alone = 0, defaultdict(list)
        for t in range(self.config.ppo.steps):
            here = {name: column[t] for name, column in rollout.here.items()}
            here["views"][:] = batch.flat_views
            here["masks"][:] = batch.masks
            if self.central:
                here["states"][:] = batch.state()
            rollout.asked[t] = batch.seats
            who = league.seated[lanes, batch.seats]
            rollout.mine[t] = who == LEARNER
            self._choose(here, np.flatnonzero(who == LEARNER))
            league.answer(who, here["views"], here["masks"], here["actions"])
            rewards, terminated, truncated = self._timed("environment", batch.step, here["actions"])
            rollout.rewards[t] = rewards
            rollout.ended[t] = terminated | truncated
            if truncated.any():
                self._estimate_ends(np.flatnonzero(truncated), rollout.cut_values[t])
            over = np.flatnonzero(rollout.ended[t])
            if len(over):
                games += len(over)
                for name, players, reward in league.note(
                    over, rewards[over], batch.final_states["players"][over]
                ):
                    alone[f"reward/among {name} at {players}"].append(reward)
                if self.levels:
                    self.levels.note(over, rewards[over, 0] > 0, batch.variants)
                league.deal(over, batch.players[over])
        length = self.lanes * self.config.ppo.steps / max(1, games)
        return {
            "games": games,
            "decisions a game": length,
            **(self.levels.figures() if self.levels else {}),
            **{key: float(np.mean(r)) for key, r in alone.items()},
        }

    def _choose(self, here: dict[str, np.ndarray], rows: np.ndarray) -> None:
        """The learner's actions, their log probabilities and the critic's estimates, in place."""
        uniform = torch.from_numpy(self.rng.random(len(rows), dtype=np.float32)).to(self.device)
        views, masks, states = (self._there(here[name][rows]) for name in ("views", "masks", "states"))
        logits, values = self.network(views, states)
        choice = MaskedCategorical(logits, masks)
        actions = choice.sample(uniform)
        here["actions"][rows] = actions.cpu().numpy()
        here["log_probs"][rows] = choice.log_prob(actions).cpu().numpy()
        here["values"][rows] = self.network.rewards(values).cpu().numpy() + self._known(here["views"][rows])

    def _there(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    def _estimate_ends(self, lanes: np.ndarray, values: np.ndarray) -> None:
        """The critic's estimates for every seat of games that were cut off: values (lanes, seats)."""
        finals = self.batch.final_states
        states = numbers(finals[lanes]) if self.central else np.zeros((len(lanes), 0), np.float32)
        for seat in range(self.game.most_seats):
            there = finals["players"][lanes] > seat
            if there.any():
                views = self.batch.observe(np.minimum(seat, np.maximum(finals["players"], 1) - 1), final=True)
                _, found = self.network(self._there(views[lanes[there]]), self._there(states[there]))
                estimates = self.network.rewards(found).cpu().numpy()
                values[lanes[there], seat] = estimates + self._known(views[lanes[there]])

    def _known(self, views: np.ndarray) -> np.ndarray:
        """The potential of Views int8 (n, bytes), as a part of their value that need not be learnt: float32 (n,).

        An estimate of potential + critic gives the very advantages that the critic alone gives under rewards
        shaped by ``gamma * potential(next) - potential`` (Wiewiora 2003), so the best policies stay the best.
        """
        if self.potential is None:
            return np.zeros(len(views), np.float32)
        records = np.ascontiguousarray(views).view(self.game.fields.dtype)[:, 0]
        return self.config.ppo.shaping * self.potential(records)

    # --- learning -------------------------------------------------------------------------------

    def learn(self, samples: Samples, progress: float) -> dict[str, float]:
        """Some epochs of clipped policy gradients over the samples; returns figures of the update."""
        settings, network = self.config.ppo, self.network
        samples = samples.to(self.device)
        rate = schedule(settings.learning_rate, progress)
        entropy_weight = schedule(settings.entropy, progress)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        unknown = samples.returns - self._there(self._known(samples.views.cpu().numpy()))
        count, first, second, advantage, square = self._summed(
            len(samples), unknown.sum(), unknown.square().sum(), samples.advantages.sum(),
            samples.advantages.square().sum(),
        )  # fmt: skip
        if count < settings.minibatches * self.ranks:
            raise TrainingStopped(
                f"a rollout gave only {int(count)} decisions to learn from: raise ppo.lanes or ppo.steps"
            )
        network.take_note(first / count, second / count, settings.memory)
        mean, deviation = network.scale
        targets = (unknown - mean) / deviation
        centre = advantage / count
        spread = (square / count - centre**2).clamp(min=0).sqrt()
        samples.advantages = normalised(samples.advantages, centre.float(), spread.float())
        figures: dict[str, list[float]] = defaultdict(list)
        for _ in range(settings.epochs):
            moved = []
            order = torch.from_numpy(self.rng.permutation(len(samples))).to(self.device)
            for rows in torch.tensor_split(order, settings.minibatches):
                step = self._step(samples.rows(rows), targets[rows], entropy_weight)
                moved.append(step["kl"])
                for name, figure in step.items():
                    figures[name].append(figure)
            if settings.kl and float(np.mean(moved)) > settings.kl:
                break
        explained = 1 - float(
            (samples.returns - samples.values).var() / samples.returns.var().clamp(min=1e-8)
        )
        averages = {name: float(np.mean(values)) for name, values in figures.items()}
        return {
            **averages, "explained variance": explained, "learning rate": rate, "entropy weight": entropy_weight,
            "samples": float(count), "epochs": len(figures["kl"]) / settings.minibatches,
        }  # fmt: skip

    def _step(self, part: Samples, targets: torch.Tensor, entropy_weight: float) -> dict[str, float]:
        """One step of the optimiser on a minibatch; masks are applied as they were in the rollout."""
        settings, network = self.config.ppo, self.network
        logits, values = network(part.views, part.states)
        choice = MaskedCategorical(logits, part.masks)
        log_ratio = choice.log_prob(part.actions) - part.log_probs
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
        policy_loss = -torch.minimum(part.advantages * ratio, part.advantages * clipped).mean()
        value_loss = 0.5 * (values - targets).square().mean()
        entropy = choice.entropy().mean()
        loss = policy_loss + settings.value * value_loss - entropy_weight * entropy
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._average_gradients()
        norm = nn.utils.clip_grad_norm_(network.parameters(), settings.gradient)
        kl = ((ratio - 1) - log_ratio).mean()
        outside = ((ratio - 1).abs() > settings.clip).float().mean()
        summed = self._summed(loss.detach(), kl.detach(), entropy.detach())
        loss_now, kl_now, entropy_now = (float(number) / self.ranks for number in summed)
        if not np.isfinite(loss_now) or not bool(torch.isfinite(norm)):
            raise TrainingStopped(self._not_finite(loss_now, float(norm)))
        self.optimiser.step()
        return {
            "loss": loss_now, "policy loss": float(policy_loss.detach()), "value loss": float(value_loss.detach()),
            "entropy": entropy_now, "kl": kl_now, "clipped": float(outside), "gradient": float(norm),
        }  # fmt: skip

    def _not_finite(self, loss: float, norm: float) -> str:
        last = self.checkpoints.latest()
        kept = (
            "no checkpoint was written yet"
            if last is None
            else f"{self.folder} holds the good one of update {last}"
        )
        return (
            f"the loss is {loss} and the gradient {norm} in update {self.update + 1}: training stops; {kept} "
            f"(a smaller ppo.learning_rate may help)"
        )

    # --- several processes ------------------------------------------------------------------------

    def _summed(self, *numbers: Any) -> torch.Tensor:
        """Numbers summed over all processes, float64."""
        total = torch.stack([torch.as_tensor(number).double().cpu() for number in numbers])
        if self.ranks > 1:
            dist.all_reduce(total)
        return total.to(self.device)

    def _average_gradients(self) -> None:
        if self.ranks == 1:
            return
        gradients = [p.grad for p in self.network.parameters() if p.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(flat)
        flat /= self.ranks
        at = 0
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient))
            at += gradient.numel()

    def _agreed(self, flag: bool) -> bool:
        """Whether any process says so."""
        return bool(self._summed(float(flag))[0] > 0)

    # --- opponents and checkpoints ------------------------------------------------------------------

    def _add_to_league(self) -> None:
        """An earlier version, frozen, becomes an opponent."""
        frozen = networks.make(self.game, self.config.network, self.device)
        frozen.load_state_dict(self.network.state_dict())
        name = f"update {self.update}"
        self.league.add(name, PolicyAgent(self.game, frozen, name=name, about={}))

    def _shares(self) -> dict[str, float]:
        """How often the learner comes out ahead of each opponent."""
        return {f"ahead of {m.name}": m.share for m in self.league.members if m.games}

    def keep(self, report: Reporter) -> None:
        """Write a checkpoint and the policy; a disk that is full does not end the run."""
        failed = ""
        try:
            self.checkpoints.write(self.update, *self._save())
        except OSError as wrong:
            failed = f"{wrong.strerror or wrong}"
        if self._agreed(bool(failed)):
            report.say(f"checkpoint of update {self.update} not written ({failed or 'by another process'}); "
                       f"{room(self.folder)}; the last one is of update {self.kept_at}")  # fmt: skip
            return
        try:
            if self.rank == 0:
                about = provenance(self.config, self.update, self.decisions, self.seconds, self.ranks)
                policy.save(self.policy_path, self.game, self.network, about)
                self.checkpoints.declare(self.update)
        except OSError as wrong:
            failed = f"{wrong.strerror or wrong}"
        if self._agreed(bool(failed)):
            report.say(f"checkpoint of update {self.update} not written ({failed}); {room(self.folder)}")
            return
        self.kept_at = self.update

    def _keep_for_good(self, report: Reporter) -> None:
        """One of the policies along the run, if the configuration asks for them (the first one, too)."""
        every = self.config.run.policies_every
        if self.rank or not every or (self.update % every and self.update < self.updates):
            return
        path = self.folder / "policies" / f"decisions-{self.decisions:010d}.safetensors"
        about = provenance(self.config, self.update, self.decisions, self.seconds, self.ranks)
        try:
            policy.save(path, self.game, self.network, about)
        except OSError as wrong:
            report.say(f"{path} not written ({wrong.strerror or wrong}); {room(self.folder)}")

    def _save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The whole state of the run: arrays and plain values."""
        arrays = {f"network.{k}": v for k, v in networks.snapshot(self.network).items()}
        parameters = dict(self.network.named_parameters())
        for name, parameter in parameters.items():
            for key, tensor in self.optimiser.state.get(parameter, {}).items():
                arrays[f"optimiser.{name}.{key}"] = torch.as_tensor(tensor).cpu().numpy()
        arrays |= {f"batch.{k}": v for k, v in self.batch.save().items()}
        arrays |= {f"rollout.{k}": v for k, v in self.rollout.save().items()}
        seated, league = self.league.save()
        arrays |= {f"league.{k}": v for k, v in seated.items()}
        for member in self.league.members:
            if not member.scripted:
                assert isinstance(member.agent, PolicyAgent)
                arrays |= {
                    f"past.{member.name}.{k}": v for k, v in networks.snapshot(member.agent.network).items()
                }
        about = {
            "config": self.config.as_dict(), "layout": self.game.content_digest, "league": league,
            "decisions": self.decisions, "seconds": dict(self.seconds), "rng": rng_state(self.rng),
        }  # fmt: skip
        if self.levels:
            levels, about["curriculum"] = self.levels.save()
            arrays |= {f"curriculum.{k}": v for k, v in levels.items()}
        return arrays, about

    def _begin(self) -> None:
        """Deal, or go on from the folder's last checkpoint."""
        resume, folder = self.config.run.resume, self.folder
        found = self.checkpoints.latest()
        if found is not None and not resume:
            raise ConfigError(
                f"{folder} holds a run: go on with it (--run.resume true) or name another --run.folder"
            )
        if found is None:
            if resume:
                raise ConfigError(f"{folder} holds no checkpoint to resume from")
            if self.levels:
                self.levels.begin(self.batch.variants)
            self.batch.reset()
            return
        saved = self.checkpoints.read()
        assert saved is not None
        arrays, about = saved
        if about.get("layout") != self.game.content_digest:
            raise CheckpointError(f"the run in {folder} is of another version of {self.game.id}")
        _same_run(about["config"], self.config.as_dict(), folder)
        try:
            self._load(arrays, about)
        except (KeyError, RuntimeError) as wrong:
            raise CheckpointError(f"the checkpoint in {folder} lacks something: {wrong}") from None

    def _load(self, arrays: dict[str, np.ndarray], about: dict[str, Any]) -> None:
        def part(prefix: str) -> dict[str, np.ndarray]:
            return {k[len(prefix) :]: v for k, v in arrays.items() if k.startswith(prefix)}

        def tensors(prefix: str) -> dict[str, torch.Tensor]:
            return {name: torch.from_numpy(array) for name, array in part(prefix).items()}

        self.network.load_state_dict(tensors("network."))
        for name, parameter in self.network.named_parameters():
            state = tensors(f"optimiser.{name}.")
            if state:
                self.optimiser.state[parameter] = {
                    key: tensor if key == "step" else tensor.to(self.device) for key, tensor in state.items()
                }
        past = {}
        for name, scripted, _, _ in about["league"]["members"]:
            if not scripted:
                frozen = networks.make(self.game, self.config.network, self.device)
                frozen.load_state_dict(tensors(f"past.{name}."))
                past[name] = PolicyAgent(self.game, frozen, name=name, about={})
        self.league.load(part("league."), about["league"], past)
        self.rollout.load(part("rollout."))
        self.batch.load(part("batch."))
        if self.levels:
            self.levels.load(part("curriculum."), about["curriculum"])
        set_rng_state(self.rng, about["rng"])
        self.seconds.update(about["seconds"])
        self.update, self.decisions = about["update"], about["decisions"]
        self.kept_at = self.update


def _initial(config: Config) -> dict[str, Any]:
    """The tensors of the policy that a run begins with."""
    network = PolicyAgent.load(config.initial, config.find_game()).network
    if network.shape != config.network:
        raise ConfigError(f"initial {config.initial} has the network {network.shape}, not {config.network}")
    return network.state_dict()


def _device(name: str) -> torch.device:
    """The learner's device; raises ConfigError where there is none of that name."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as wrong:
        raise ConfigError(
            f"run.device is {name!r}, which cannot be used here: {str(wrong).splitlines()[0]}"
        ) from None
    return device


def _same_run(before: dict[str, Any], now: dict[str, Any], folder: Path) -> None:
    """A run goes on only under its own settings; where and how it runs may change."""
    before = completed(before)
    for section in ("game", "seed", "position", "initial", "env", "network", "ppo", "selfplay", "curriculum"):
        old, new = before[section], now[section]
        if not isinstance(old, dict):
            old, new = {section: old}, {section: new}
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                name = key if key == section else f"{section}.{key}"
                raise ConfigError(
                    f"the run in {folder} has {name} {old.get(key)!r}, not {new.get(key)!r}; it goes on by the "
                    "command that began it, with the same overrides and --run.resume true"
                )


@contextmanager
def _interruptible(trainer: Trainer) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) ends the run after the present update, the second at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in signals]

    def ask(number: int, frame: FrameType | None) -> None:
        if trainer.stop:
            raise KeyboardInterrupt
        trainer.stop = True

    for number in signals:
        signal.signal(number, ask)
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def _processes() -> Iterator[tuple[int, int]]:
    """Rank and number of processes: one, or those that ``torchrun`` started."""
    ranks = int(os.environ.get("WORLD_SIZE", "1"))
    if ranks == 1:
        yield 0, 1
        return
    dist.init_process_group("gloo")
    try:
        yield dist.get_rank(), ranks
    finally:
        dist.destroy_process_group()
