"""Each check can fail: faults planted in the toy Tally are found by the check that is there for them.

A fault is a function that runs after the toy's real kernel and spoils what it wrote.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import golden
import numpy as np
import pytest
from checks import actions, copies, hidden, interfaces, oracles, turns, views, worlds
from checks.cases import Case, case
from checks.play import strict
from toys import tally

from outbreak_rl.envs.core import kernel
from outbreak_rl.envs.core.fields import Field, Fields
from outbreak_rl.envs.core.rule import CHECK, IllegalAction
from outbreak_rl.envs.core.state import packed

DEALING = (kernel.DEAL,)
PLAYING = (kernel.STEP, kernel.STEP_ON)
SEEING = (kernel.DEAL, kernel.STEP, kernel.STEP_ON, kernel.LOOK, kernel.RESAMPLE)
FOUND = (AssertionError, IllegalAction)  # a recorded action that is not legal any more is a find, too
Fault = Callable[[Any, Any, Any, int], None]  # state, view, mask, seat that looks


class Undone:
    """The toy's kernel, which takes every action but lets nothing come of it."""

    signatures = ("compiled already",)

    def __call__(self, order: Any, lanes: Any, states: Any, *others: Any) -> int:
        before = states.tobytes()
        summary = int(tally.GAME.serve(order, lanes, states, *others))
        if order[0] == kernel.STEP:
            states.view(np.uint8)[:] = np.frombuffer(before, np.uint8)
        return summary


class Planted:
    """The toy's kernel with a fault behind it."""

    signatures = ("compiled already",)

    def __init__(self, fault: Fault, when: tuple[int, ...]) -> None:
        self.fault = fault
        self.when = when

    def __call__(self, order: Any, lanes: Any, states: Any, *others: Any) -> int:
        summary = tally.GAME.serve(order, lanes, states, *others)
        if order[0] in self.when:
            for i in range(order[1], order[2]):
                looks = (
                    order[3]
                    if order[0] in (kernel.LOOK, kernel.RESAMPLE) and order[3] != kernel.ACTING
                    else lanes[i]["seat"]
                )
                self.fault(states[i], others[-2][i], others[-1][i], int(looks))
        return summary


def with_fault(fault: Fault, when: tuple[int, ...] = SEEING, preset: str = "default", **options: Any) -> Case:
    """Tally with a fault."""
    tally.GAME.compile()
    return case(tally.GAME, preset, **options).of(serve=Planted(fault, when))


def fails(check: Callable[..., Any], *arguments: Any) -> None:
    """Assert that a check finds the fault, and finds none in the toy as it is."""
    faulty = arguments[0]
    with pytest.raises(FOUND):
        check(*arguments)
    check(Case(tally.GAME, faulty.preset, faulty.options), *arguments[1:])


# --- the faults ---


def leak_in_the_view(state: Any, view: Any, mask: Any, seat: int) -> None:
    """The View tells whether the next card of the pile is a high one."""
    view["low_won"] = state["pile"][max(state["pile_size"] - 1, 0)] > 4


def leak_in_the_mask(state: Any, view: Any, mask: Any, seat: int) -> None:
    """Whether the winner may bury nothing hangs on what another seat holds."""
    if mask[tally.ACTIONS.keep]:
        mask[tally.ACTIONS.keep] = state["seats"][(seat + 1) % state["players"]]["hand"][:4].any()


def a_leak_of_dice(state: Any, view: Any, mask: Any, seat: int) -> None:
    """The View tells the next die."""
    view["low_won"] = state["random"][0] & 1


def a_legal_action_too_many(state: Any, view: Any, mask: Any, seat: int) -> None:
    """A card that is not held may be laid."""
    if mask.any() and not mask[tally.ACTIONS.keep]:
        mask[tally.ACTIONS.lay :][: state["options"]["cards"]] = 1


def a_legal_action_missing(state: Any, view: Any, mask: Any, seat: int) -> None:
    """Card 1 can never be laid."""
    mask[tally.ACTIONS.lay] = 0


def nothing_need_be_buried(state: Any, view: Any, mask: Any, seat: int) -> None:
    """The winner may only bury nothing."""
    mask[tally.ACTIONS.bury : tally.ACTIONS.keep] = 0


def a_mask_after_the_end(state: Any, view: Any, mask: Any, seat: int) -> None:
    """Somebody who is not asked seems to have an action."""
    mask[tally.ACTIONS.keep] = 1


def unseeded_chance(state: Any, view: Any, mask: Any, seat: int) -> None:
    """The deal turns the pile round by a global generator."""
    if np.random.random() < 0.5 and state["pile_size"] > 1:
        state["pile"][: state["pile_size"]] = state["pile"][: state["pile_size"]][::-1].copy()


def python_chance(state: Any, view: Any, mask: Any, seat: int) -> None:
    """The same by Python's."""
    if random.random() < 0.5 and state["pile_size"] > 1:
        state["pile"][: state["pile_size"]] = state["pile"][: state["pile_size"]][::-1].copy()


def a_field_out_of_bounds(state: Any, view: Any, mask: Any, seat: int) -> None:
    """Nine cards where the field says eight."""
    if state["turns"] == 1:
        view["pile_size"] = tally.CARDS + 1


def a_negative_field(state: Any, view: Any, mask: Any, seat: int) -> None:
    """A count below zero."""
    view["points"][0] = -1


def leftovers(state: Any, view: Any, mask: Any, seat: int) -> None:
    """A popped decision stays in its place."""
    if state["depth"] == 0:
        state["stack"][0]["kind"] = tally.BURY


def no_redeal(truth: dict[bytes, Any]) -> Fault:
    """Not a fault function but a maker of one: resample gives the truth, with other dice."""

    def fault(state: Any, view: Any, mask: Any, seat: int) -> None:
        for name in ("seats", "pile"):
            state[name] = truth["state"][name]

    return fault


def high_cards_elsewhere(state: Any, view: Any, mask: Any, seat: int) -> None:
    """resample puts the pile in order: its cards are right, their order is not."""
    state["pile"][: state["pile_size"]].sort()


def a_resample_that_forgets(state: Any, view: Any, mask: Any, seat: int) -> None:
    """resample loses what the seat itself has buried."""
    state["seats"][seat]["buried"] = 0


def a_resample_that_loses_a_card(state: Any, view: Any, mask: Any, seat: int) -> None:
    """A card of another seat is gone, and another one is there twice."""
    him = state["seats"][(seat + 1) % state["players"]]
    held = np.flatnonzero(him["hand"])
    free = np.flatnonzero(him["hand"][: state["options"]["cards"]] == 0)
    if len(held) and not him["laid"]:
        him["hand"][held[0]] = 0
        him["hand"][free[0]] = 1


def a_resample_with_the_true_laid_card(state: Any, view: Any, mask: Any, seat: int) -> None:
    """Of two cards the other seat has always laid the lower one."""
    him = state["seats"][1 - seat]
    if him["laid"] and len(np.flatnonzero(him["hand"])):
        him["laid"] = np.flatnonzero(him["hand"])[0] + 1


def a_reward_that_grows(state: Any, view: Any, mask: Any, seat: int) -> None:
    """The turn of a truncated game looks like an end."""
    if state["over"] == 2:
        state["over"] = 1


# --- and who finds them ---


def test_leaks_are_found() -> None:
    fails(hidden.worlds_look_alike, with_fault(leak_in_the_view))
    fails(hidden.worlds_look_alike, with_fault(leak_in_the_mask, players=3))
    fails(hidden.dice_are_out_of_reach, with_fault(a_leak_of_dice))


def test_wrong_masks_are_found() -> None:
    for fault in (a_legal_action_too_many, a_legal_action_missing):
        fails(oracles.oracle_agrees, with_fault(fault))
    fails(actions.somebody_can_always_act, with_fault(a_mask_after_the_end))
    fails(copies.copies_are_the_game, with_fault(a_legal_action_missing, when=DEALING + PLAYING))


@pytest.mark.checked
def test_wrong_masks_are_found_by_the_rules_themselves() -> None:
    """In the checked build a require of the rules raises; otherwise the kernel alone can be asked."""
    tally.GAME.compile()
    with pytest.raises(FOUND):
        actions.masks_are_the_law(case(tally.GAME).of(serve=Undone()), 2)
    if CHECK:
        with pytest.raises(IllegalAction):
            actions.masks_are_the_law(with_fault(a_legal_action_too_many), 5)
        with pytest.raises(AssertionError, match="the rules accept"):
            actions.masks_are_the_law(with_fault(nothing_need_be_buried, players=3), 5)


def many_times(check: Callable[[Case], Any], faulty: Case) -> None:
    """A fault by chance may not show at once."""
    for _ in range(20):
        check(faulty)


def test_chance_from_elsewhere_is_found() -> None:
    for fault in (unseeded_chance, python_chance):
        fails(copies.global_generators_are_left_alone, with_fault(fault, when=DEALING))
    for check in (copies.games_repeat, copies.drawn_replays):
        with pytest.raises(FOUND):
            many_times(check, with_fault(unseeded_chance, when=DEALING))


def test_fields_out_of_bounds_are_found() -> None:
    fails(views.views_stay_in_bounds, with_fault(a_field_out_of_bounds))
    fails(views.views_stay_in_bounds, with_fault(a_negative_field))
    fails(views.every_seat_sees_at_any_time, with_fault(a_field_out_of_bounds))


def test_resamples_that_forget_are_found() -> None:
    fails(hidden.worlds_look_alike, with_fault(a_resample_that_forgets, when=(kernel.RESAMPLE,)))
    fails(hidden.worlds_look_alike, with_fault(a_resample_that_loses_a_card, when=(kernel.RESAMPLE,)))
    fails(hidden.deals_are_exchangeable, with_fault(high_cards_elsewhere, when=(kernel.RESAMPLE,)))
    lazy = with_fault(high_cards_elsewhere, (kernel.RESAMPLE,), "mini", cards=6, first_seat=0)
    fails(worlds.resample_reaches_all_worlds, lazy, 1)
    biased = with_fault(a_resample_with_the_true_laid_card, (kernel.RESAMPLE,), "mini", first_seat=0)
    fails(worlds.resample_reaches_all_worlds, biased, 2)


def test_a_resample_that_changes_nothing_is_found() -> None:
    truth: dict[Any, Any] = {}
    plain = with_fault(no_redeal(truth), when=(kernel.RESAMPLE,))
    env = strict(plain)
    env.reset(seed=0)
    truth["state"] = env.record.copy()
    assert hidden.without(env.resampled("player_0", 1).record, "random") == hidden.without(
        env.record, "random"
    )
    with pytest.raises(AssertionError):
        hidden.worlds_look_alike(plain)


def test_holes_and_leftovers_are_found() -> None:
    assert not packed(np.dtype([("a", "i1"), ("b", "i4")], align=True))
    assert not packed(np.dtype([("inner", np.dtype([("a", "i1"), ("b", "i2")], align=True), (3,))]))
    assert packed(tally.STATE)
    fails(copies.records_have_no_holes, with_fault(leftovers))


def test_a_truncation_that_looks_like_an_end_is_found() -> None:
    fails(turns.truncation_is_no_end, with_fault(a_reward_that_grows, when=PLAYING))


def test_a_position_that_loses_something_is_found() -> None:
    def forgetful(state: np.void, options: Any) -> dict[str, Any]:
        text = tally.write_position(state, options)
        for seat in text["state"]["seats"]:
            seat.pop("buried", None)
        return text

    forgets = case(tally.GAME, "long").of(write_position=forgetful)
    fails(copies.copies_are_the_game, forgets, 40)


def test_a_wrong_field_table_is_found() -> None:
    twice = tally.FIELDS[:3]
    fields = Fields(*twice, Field("another", (), 1, "flag", "nobody said so"))
    shown = dataclasses.replace(tally.GAME, fields=fields)
    shown.fields.fields = (*twice, twice[0])  # the declaration and the record differ
    with pytest.raises(AssertionError):
        views.fields_are_documented(Case(shown, "default", case(tally.GAME).options))


def test_an_observation_that_changes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = np.zeros(tally.FIELDS.width, np.float32)

    def encode_into_one(view: np.ndarray) -> np.ndarray:
        buffer[:] = tally.FIELDS.encode(view[None])[0]
        return buffer

    views.observations_are_kept(case(tally.GAME))
    monkeypatch.setattr(tally.FIELDS, "encode_own", encode_into_one, raising=False)
    with pytest.raises(AssertionError):
        views.observations_are_kept(case(tally.GAME))


def test_a_wrong_encoding_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    stretches = tally.FIELDS.stretches.copy()
    stretches["high"] += 1 - stretches["category"]
    monkeypatch.setitem(tally.FIELDS.__dict__, "stretches", stretches)
    with pytest.raises(AssertionError):
        views.encodings_match(case(tally.GAME))


def test_two_actions_with_one_text_are_found() -> None:
    class Texts:
        size = tally.ACTIONS.size

        def text(self, action: int) -> str:
            return tally.ACTIONS.text(max(action, 1))

        def parse(self, text: str) -> int:
            return int(tally.ACTIONS.parse(text))

    with pytest.raises(AssertionError):
        actions.texts_and_ids_match(case(tally.GAME).of(actions_for=lambda options: Texts()))


def test_a_picture_that_shows_everything_is_found() -> None:
    last: dict[str, Any] = {}

    def remember(state: Any, view: Any, mask: Any, seat: int) -> None:
        last["pile"] = state["pile"].tolist()

    def open_hands(view: np.void, seat: int, reveal: Any = None, colour: bool = True) -> str:
        return f"{tally.ansi(view, seat)} {last['pile']}"

    one = with_fault(remember)
    hidden.worlds_look_alike(one)
    with pytest.raises(AssertionError):
        hidden.worlds_look_alike(one.of(ansi=open_hands))
    with pytest.raises(AssertionError):
        interfaces.pictures_show_the_game(
            one.of(svg=lambda view, seat, reveal=None: tally.svg(np.zeros((), tally.FIELDS.dtype)[()], 0))
        )


def test_a_game_that_went_otherwise_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = case(tally.GAME)
    written = golden.load(tally.GAME)["default"]
    golden.compare(one, written)
    wrong = {**written, "digests": written["digests"][:16] + "00000000" + written["digests"][24:]}
    with pytest.raises(AssertionError, match="after 2 actions"):
        golden.compare(one, wrong)
    with pytest.raises(FOUND):
        golden.compare(with_fault(high_cards_elsewhere, when=DEALING), written)
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    with pytest.raises(AssertionError, match="no golden traces"):
        golden.load(tally.GAME)


def test_a_batch_that_differs_is_found() -> None:
    """A fault in one lane only is seen against the game played alone."""
    count = {"calls": 0}

    def now_and_then(state: Any, view: Any, mask: Any, seat: int) -> None:
        count["calls"] += 1
        if count["calls"] % 50 == 0:
            state["low_won"] ^= 1

    with pytest.raises(AssertionError):
        copies.batch_is_many_games(with_fault(now_and_then, when=PLAYING))
    with pytest.raises(AssertionError):
        copies.threads_agree(with_fault(now_and_then, when=PLAYING))


def test_a_reward_that_comes_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    one = case(tally.GAME)
    turns.rewards_come_once(one)
    from outbreak_rl.envs.core.aec import OutbreakEnv

    end = OutbreakEnv._end

    def too_much(self: OutbreakEnv, over: int, rewards: list[float]) -> None:
        end(self, over, rewards)
        for agent in self._cumulative_rewards:
            self._cumulative_rewards[agent] *= 2

    monkeypatch.setattr(OutbreakEnv, "_end", too_much)
    with pytest.raises(AssertionError):
        turns.rewards_come_once(one)


def test_a_silent_substitute_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from outbreak_rl.envs.core.aec import OutbreakEnv

    def substitute(self: OutbreakEnv, index: int) -> None:
        self.step(int(np.flatnonzero(self._lanes.masks[0])[0]))

    actions.illegal_actions_raise_or_end(case(tally.GAME))
    monkeypatch.setattr(OutbreakEnv, "_refuse", substitute)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        actions.illegal_actions_raise_or_end(case(tally.GAME))


def test_a_clone_that_shares_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from outbreak_rl.envs.core import game

    copy = game.Lanes.copy

    def shallow(self: game.Lanes) -> game.Lanes:
        new = copy(self)
        new.states = self.states
        new.bind()
        return new

    monkeypatch.setattr(game.Lanes, "copy", shallow)
    with pytest.raises(AssertionError):
        copies.copies_are_the_game(case(tally.GAME))


def test_loaded_dice_are_found() -> None:
    """Deals that are all alike; dice that always fall in the same way."""

    def loaded(state: Any, view: Any, mask: Any, seat: int) -> None:
        state["random"] = [4, 3, 2, 1]

    with pytest.raises(AssertionError):
        copies.resets_repeat(with_fault(_always_the_same, when=DEALING))
    with pytest.raises(AssertionError):
        hidden.deals_differ(with_fault(_always_the_same, when=DEALING))
    with pytest.raises(AssertionError):
        hidden.middle_chance(with_fault(loaded, when=PLAYING, preset="long"))


def _always_the_same(state: Any, view: Any, mask: Any, seat: int) -> None:
    state["seats"] = 0
    state["pile"] = 0
    state["random"] = [4, 3, 2, 1]
    state["first"] = state["stack"][0]["seat"] = 0
    for place in range(state["players"]):
        state["seats"][place]["hand"][2 * place : 2 * place + 2] = 1


def test_a_float_taken_for_an_action_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from outbreak_rl.envs.core.aec import OutbreakEnv

    actions.whole_numbers_are_actions(case(tally.GAME))
    monkeypatch.setattr(OutbreakEnv, "_index", lambda self, action: int(action))
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        actions.whole_numbers_are_actions(case(tally.GAME))


def test_a_rotation_of_seats_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever assumes that the next seat is always asked next."""
    from outbreak_rl.envs.core.aec import OutbreakEnv

    one = case(tally.GAME, players=3)
    turns.the_rules_say_who_acts(one)
    step = OutbreakEnv.step

    def rotate(self: OutbreakEnv, action: int | None) -> None:
        before = self.agent_selection
        step(self, action)
        if not self.over:
            seats = self.possible_agents
            self.agent_selection = seats[(seats.index(before) + 1) % len(seats)]

    monkeypatch.setattr(OutbreakEnv, "step", rotate)
    with pytest.raises(AssertionError):
        turns.the_rules_say_who_acts(one)


def test_a_reward_before_the_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It could tell of hidden cards."""
    from outbreak_rl.envs.core.aec import OutbreakEnv

    step = OutbreakEnv.step

    def generous(self: OutbreakEnv, action: int | None) -> None:
        step(self, action)
        if not self.over:
            self.rewards["player_0"] = 1.0 + self.record["seats"][1]["hand"][0]

    monkeypatch.setattr(OutbreakEnv, "step", generous)
    for check in (turns.rewards_come_once, hidden.dice_are_out_of_reach):
        with pytest.raises(AssertionError, match="reward before the end"):
            check(case(tally.GAME))


def test_dice_in_the_full_state_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from outbreak_rl.envs.core.aec import OutbreakEnv

    state = OutbreakEnv.state

    def with_dice(self: OutbreakEnv) -> np.ndarray:
        return np.append(state(self), np.float32(self.record["random"][0] % 1000))

    monkeypatch.setattr(OutbreakEnv, "state", with_dice)
    with pytest.raises(AssertionError, match="holds the dice"):
        hidden.dice_are_out_of_reach(case(tally.GAME))


def test_the_full_state_in_an_observation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from outbreak_rl.envs.core.aec import OutbreakEnv

    observe = OutbreakEnv.observe

    def oracle(self: OutbreakEnv, agent: str) -> dict[str, np.ndarray]:
        return {**observe(self, agent), "state": self.state()}

    monkeypatch.setattr(OutbreakEnv, "observe", oracle)
    for check in (hidden.dice_are_out_of_reach, views.every_seat_sees_at_any_time):
        with pytest.raises(AssertionError):
            check(case(tally.GAME))


def test_environments_that_share_something_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One random stream for all."""
    from outbreak_rl.envs.core.aec import OutbreakEnv

    stream = np.zeros(4, np.uint32)
    step = OutbreakEnv.step

    def share(self: OutbreakEnv, action: int | None) -> None:
        self.record["random"][:] = stream + self.record["random"] * (not stream.any())
        step(self, action)
        stream[:] = self.record["random"]

    one = case(tally.GAME, "long")
    copies.games_repeat(one)
    monkeypatch.setattr(OutbreakEnv, "step", share)
    with pytest.raises(FOUND):  # another digest, or a recorded action that is not legal any more
        copies.games_repeat(one)


def test_a_child_that_plays_otherwise_is_found() -> None:
    """The child looks the game up by its name and plays it as it is."""
    with pytest.raises(AssertionError):
        copies.child_processes_agree([with_fault(unseeded_chance, when=DEALING)], "fork")


def test_a_picture_that_needs_pygame_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pygame", sys.modules.get("pygame"))

    def svg(view: np.void, seat: int, reveal: Any = None) -> str:
        import pygame

        assert pygame
        return tally.svg(view, seat, reveal)

    interfaces.pictures_need_nothing(case(tally.GAME))
    with pytest.raises(ImportError):
        interfaces.pictures_need_nothing(case(tally.GAME).of(svg=svg))


def test_a_parallel_form_that_lets_all_act_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from outbreak_rl.envs.core.parallel import ParallelOutbreakEnv

    one = case(tally.GAME)
    interfaces.parallel_is_the_same_game(one, 1)
    observations = ParallelOutbreakEnv._observations
    step = ParallelOutbreakEnv.step

    def no_noop(self: ParallelOutbreakEnv) -> Any:
        seen = observations(self)
        for part in seen.values():
            part["action_mask"][:] = part["action_mask"].any()
        return seen

    def four(self: ParallelOutbreakEnv, chosen: dict[str, int]) -> Any:
        result = step(self, chosen)
        return result if self.agents else result[:4]

    for name, fault in (("_observations", no_noop), ("step", four)):
        with monkeypatch.context() as planted:
            planted.setattr(ParallelOutbreakEnv, name, fault)
            with pytest.raises((AssertionError, ValueError)):
                interfaces.parallel_is_the_same_game(one, 1)


def test_what_pettingzoo_forbids_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal that no seed repeats; an observation that does not fit its space; a picture that is none."""
    from outbreak_rl.envs.core.aec import OutbreakEnv

    with pytest.raises(AssertionError):
        many_times(interfaces.pettingzoo_is_content, with_fault(unseeded_chance, when=DEALING))
    with monkeypatch.context() as planted:
        observe = OutbreakEnv.observe
        planted.setattr(
            OutbreakEnv, "observe", lambda self, agent: {**observe(self, agent), "more": np.zeros(1)}
        )
        with pytest.raises(AssertionError):
            interfaces.pettingzoo_is_content(case(tally.GAME))
    monkeypatch.setattr(OutbreakEnv, "render", lambda self: 7)
    with pytest.raises(AssertionError):
        interfaces.pettingzoo_can_render(case(tally.GAME))


def test_what_gymnasium_forbids_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conformance line 26: Gymnasium's check of the single-agent form, and ours of the vector form."""
    from gymnasium.utils.env_checker import check_env

    from outbreak_rl.wrappers import single

    check_env(single.make("outbreak/run_for_your_lives"), skip_render_check=True)
    reset = single.SingleEnv.reset

    def forgets_its_seed(self: Any, *, seed: Any = None, options: Any = None) -> Any:
        return reset(self, seed=None, options=options)

    monkeypatch.setattr(single.SingleEnv, "reset", forgets_its_seed)
    with pytest.raises(AssertionError):
        check_env(single.make("outbreak/run_for_your_lives"), skip_render_check=True)


def test_wrong_masks_of_a_game_are_found_by_its_oracle() -> None:
    """Not the toy alone: a mask of Run for Your Lives with one card too few, one too many."""
    from outbreak_rl.envs.run_for_your_lives import GAME

    GAME.compile()

    class Spoilt:
        signatures = ("compiled already",)

        def __init__(self, change: Callable[[np.ndarray], None]) -> None:
            self.change = change

        def __call__(self, order: Any, lanes: Any, states: Any, *others: Any) -> int:
            summary = int(GAME.serve(order, lanes, states, *others))
            if order[0] in SEEING:
                for mask in others[-1][order[1] : order[2]]:
                    if mask.any():
                        self.change(mask)
            return summary

    def too_few(mask: np.ndarray) -> None:
        if mask.sum() > 1:
            mask[np.flatnonzero(mask)[0]] = 0

    def too_many(mask: np.ndarray) -> None:
        mask[np.flatnonzero(mask == 0)[0]] = 1

    oracles.oracle_agrees(case(GAME), 50)
    for change in (too_few, too_many):
        with pytest.raises(AssertionError, match="alone"):
            oracles.oracle_agrees(case(GAME).of(serve=Spoilt(change)), 50)
