"""The course of a turn: actions, draw, epidemics, hand limit, infections (pp. 3, 6, 7)."""

from __future__ import annotations

from ...core.decisions import finish, pop, push, top
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import TRUNCATED, fill
from ..cards import ACTIONS_A_TURN, CARDS, CITIES, DRAWN_A_TURN, EPIDEMIC, HAND_LIMIT, INFECTION_RATE
from ..state import (
    ACT,
    ACTION,
    ACTIONS,
    AFTER_ACTIONS,
    ASKED,
    BEFORE_ACTION,
    BEFORE_CARD,
    BEFORE_CARDS,
    BEFORE_INFECTION,
    BEFORE_TURN,
    BETWEEN_EPIDEMICS,
    CARD,
    CONSENT,
    CURE,
    CUT_OFF,
    DESTINATION,
    DISPATCH,
    DRAW,
    EPIDEMIC_PHASE,
    EVENTS,
    FLIGHT,
    FLIP,
    FORECASTED,
    GIVE,
    IN_EPIDEMIC,
    INFECTION,
    INTENSIFY,
    LIMIT,
    LIMIT_PHASE,
    NEXT_ACTION,
    OUT_OF_CARDS,
    PAWN,
    START,
    STATION,
    TAKE,
    TURN_END,
    WINDOW,
)  # fmt: skip
from .actions import (
    agree,
    answer_asked,
    begin_build,
    begin_cure,
    begin_dispatch,
    begin_operations,
    begin_share,
    choose_station,
    dispatch,
    fly_operations,
    may_travel,
    offer_share,
    pick_for_cure,
    refuse,
    store,
    travel,
    treat,
)  # fmt: skip
from .board import end_game, infect, infection_rate
from .events import (
    choose_destination,
    choose_pawn,
    find_asked,
    open_window,
    pick_forecast,
    play_event,
    remove_infection,
)
from .hands import discard, holds, seers, take_card
from .piles import draw_card, flip_bottom, flip_top, intensify, ready_infections

LAST_STEP = len(INFECTION_RATE) - 1

# --- what happens when nobody has to decide ---------------------------------------------------------


@rule
def drive(state, ctx):
    """Go on until somebody has to decide or the game is over."""
    t = ctx.tables[state.table]
    while state.over == 0:
        if state.depth == 0:
            advance(state, ctx, t)
            continue
        decision = top(state)
        if decision.kind == WINDOW:
            if find_asked(state):
                return
            pop(state)
        elif decision.kind == LIMIT and state.seats[decision.seat].size <= HAND_LIMIT:
            pop(state)
        else:
            return


@rule
def advance(state, ctx, t):
    """The next part of the turn."""
    phase = state.phase
    if phase == START:
        state.phase = ACT
        open_window(state, BEFORE_TURN)
    elif phase == ACT:
        push(state, ACTION, state.on_turn)
    elif phase == NEXT_ACTION:
        next_action(state)
    elif phase == DRAW:
        draw_two(state, ctx)
    elif phase == EPIDEMIC_PHASE:
        epidemic(state, ctx, t)
    elif phase == INTENSIFY:
        finish_epidemic(state, ctx)
    elif phase == LIMIT_PHASE:
        state.phase = BEFORE_INFECTION
        push(state, LIMIT, state.on_turn)
    elif phase == BEFORE_INFECTION:
        state.phase = INFECTION
        open_window(state, BEFORE_CARDS)
    elif phase == INFECTION:
        begin_infection(state, ctx)
    elif phase == FLIP:
        flip(state, ctx, t)
    else:
        end_turn(state, ctx)


@rule
def next_action(state):
    """Another action, or the window after the last one."""
    if state.actions_left == 0:
        state.phase = DRAW
        open_window(state, AFTER_ACTIONS)
    else:
        state.phase = ACT
        if state.options.full:
            open_window(state, BEFORE_ACTION)


@rule
def draw_two(state, ctx):
    """Draw two player cards together; if they are not there, the game is lost (p.6)."""
    if state.deck_size < DRAWN_A_TURN:
        end_game(state, ctx, OUT_OF_CARDS)
        return
    seat = int(state.on_turn)
    for _ in range(DRAWN_A_TURN):
        card = draw_card(state)
        if card == EPIDEMIC:
            state.epidemics_due += 1
            log(ctx, EVENTS.epidemic, seat)
        else:
            take_card(state, seat, card)
            log(ctx, EVENTS.drew, seat, 0, 0, seers(state, seat), card)
    state.phase = EPIDEMIC_PHASE


@rule
def epidemic(state, ctx, t):
    """First two parts of an epidemic: the rate goes up, the bottom card is hit (p.6)."""
    if state.epidemics_due == 0:
        state.phase = LIMIT_PHASE
        return
    state.rate_step = min(state.rate_step + 1, LAST_STEP)
    state.phase = INTENSIFY
    if ready_infections(state, ctx):
        infect(state, ctx, t, flip_bottom(state, ctx), 3)
    if state.over == 0:
        open_window(state, IN_EPIDEMIC)


@rule
def finish_epidemic(state, ctx):
    """The third part: intensify; then perhaps the second epidemic of the draw (p.6)."""
    intensify(state, ctx)
    state.epidemics_due -= 1
    state.phase = EPIDEMIC_PHASE
    if state.epidemics_due > 0:
        open_window(state, BETWEEN_EPIDEMICS)


@rule
def begin_infection(state, ctx):
    """Infect as many cities as the rate says, unless it is One Quiet Night (pp. 6, 7)."""
    if state.quiet_night == 1:
        state.quiet_night = 0
        log(ctx, EVENTS.quiet, state.on_turn)
        state.phase = TURN_END
        return
    state.to_flip = infection_rate(state)
    state.phase = FLIP


@rule
def flip(state, ctx, t):
    """Flip one infection card and infect its city."""
    if state.to_flip == 0 or not ready_infections(state, ctx):
        state.to_flip = 0
        state.phase = TURN_END
        return
    state.to_flip -= 1
    infect(state, ctx, t, flip_top(state, ctx), 1)
    if state.over == 0 and state.options.full and state.to_flip > 0:
        open_window(state, BEFORE_CARD)


@rule
def end_turn(state, ctx):
    """The next seat clockwise; after the last turn allowed the game is cut off."""
    state.turns += 1
    if state.turns >= state.options.max_turns:
        state.result = CUT_OFF
        state.reward_unit = 1
        log(ctx, EVENTS.ended, state.on_turn, CUT_OFF)
        finish(state, TRUNCATED)
        return
    state.on_turn = (state.on_turn + 1) % state.players
    state.actions_left = ACTIONS_A_TURN
    state.operations_used = 0
    fill(state.refused_dispatch, 0)
    fill(state.refused_airlift, 0)
    fill(state.refused_give, 0)
    state.refused_take = 0
    state.refused_ask = 0
    state.phase = START


# --- decisions --------------------------------------------------------------------------------------


@rule
def play(state, ctx, action):
    """Carry out an action of the pending decision."""
    t = ctx.tables[state.table]
    require(action >= 0 and action <= ACTIONS.no)
    kind = top(state).kind
    if kind == ACTION:
        take_action(state, ctx, t, action)
    elif kind == WINDOW:
        answer_window(state, ctx, t, action)
    elif kind == LIMIT:
        answer_limit(state, ctx, t, action)
    elif kind == CARD:
        require(ACTIONS.card <= action and action < ACTIONS.card + CITIES)
        pick_card(state, ctx, t, action - ACTIONS.card)
    elif kind == DESTINATION:
        require(ACTIONS.to <= action and action < ACTIONS.to + CITIES)
        choose_destination(state, ctx, t, action - ACTIONS.to)
    elif kind == PAWN:
        require(ACTIONS.pawn <= action and action < ACTIONS.pawn + 4)
        choose_pawn(state, ctx, t, action - ACTIONS.pawn)
    elif kind == STATION:
        require(ACTIONS.station <= action and action < ACTIONS.station + CITIES)
        choose_station(state, ctx, t, action - ACTIONS.station)
    elif kind == DISPATCH:
        require(action < ACTIONS.card)
        dispatch(state, ctx, t, action // CITIES, action % CITIES)
    elif action == ACTIONS.no:
        refuse(state, ctx)
    elif kind == CONSENT:
        require(action == ACTIONS.yes)
        agree(state, ctx, t)
    else:
        require(kind == ASKED and ACTIONS.card <= action and action < ACTIONS.card + CITIES)
        answer_asked(state, ctx, action - ACTIONS.card)
    drive(state, ctx)


@rule
def take_action(state, ctx, t, action):
    """The seat on turn uses an action, plays an event or ends its actions."""
    seat = int(state.on_turn)
    if action < ACTIONS.operations:
        way = action // CITIES
        require(may_travel(state, t, seat, seat, way, action % CITIES))
        travel(state, ctx, t, seat, seat, way, action % CITIES)
    elif action < ACTIONS.to:
        begin_operations(state, ctx, t, action - ACTIONS.operations)
    elif action < ACTIONS.treat:
        require(False)
    elif action < ACTIONS.cure:
        treat(state, ctx, t, action - ACTIONS.treat)
    elif action < ACTIONS.give:
        begin_cure(state, ctx, t, action - ACTIONS.cure)
    elif action < ACTIONS.take:
        begin_share(state, ctx, GIVE, action - ACTIONS.give + 1)
    elif action < ACTIONS.dispatch:
        begin_share(state, ctx, TAKE, action - ACTIONS.take + 1)
    elif action < ACTIONS.pawn:
        begin_dispatch(state, ctx, t, action - ACTIONS.dispatch)
    elif action < ACTIONS.store:
        require(False)
    elif action < ACTIONS.play:
        store(state, ctx, action - ACTIONS.store)
    elif action < ACTIONS.build:
        play_event(state, ctx, t, action - ACTIONS.play)
    elif action == ACTIONS.build:
        begin_build(state, ctx)
    else:
        require(action == ACTIONS.end)
        pop(state)
        state.actions_left = 0
        state.phase = NEXT_ACTION


@rule
def answer_window(state, ctx, t, action):
    """Play an event or pass."""
    if action == ACTIONS.skip:
        log(ctx, EVENTS.passed, top(state).seat)
        top(state).b += 1
        return
    require(ACTIONS.play <= action and action < ACTIONS.build)
    play_event(state, ctx, t, action - ACTIONS.play)


@rule
def answer_limit(state, ctx, t, action):
    """Discard a card or play an event (p.6)."""
    seat = int(top(state).seat)
    if action >= ACTIONS.play:
        require(action < ACTIONS.build)
        play_event(state, ctx, t, action - ACTIONS.play)
        return
    card = action - ACTIONS.discard
    require(card >= 0 and card < CARDS and holds(state, seat, card))
    discard(state, ctx, seat, card)


@rule
def pick_card(state, ctx, t, city):
    """A card is chosen for what the decision says."""
    decision = top(state)
    what = decision.a
    if what <= TAKE:
        offer_share(state, ctx, int(what), int(decision.b), city)
    elif what == CURE:
        pick_for_cure(state, ctx, t, city)
    elif what == FLIGHT:
        fly_operations(state, ctx, t, int(decision.b), city)
    elif what == FORECASTED:
        pick_forecast(state, ctx, city)
    else:
        remove_infection(state, ctx, city)
