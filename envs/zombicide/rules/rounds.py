"""Rounds: phases, whose turn it is, fallen survivors that stand up, extra turns (p.6, p.22)."""

from __future__ import annotations

from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import fill
from .. import cards as C
from .. import table as T
from ..state import (
    ACT,
    ACTIVATE,
    ACTIVE,
    CHOOSE,
    EVENTS,
    FALLEN,
    GROW,
    LINK,
    RISE,
    SEATS_TURN,
    SPAWN,
)  # fmt: skip
from .actions import begin_turn, packed_once, packed_turn
from .common import ask, end_powers, share, survivor_at, work
from .experience import rearrange
from .missions import happen

RISING, EVENT, PLAYERS, ZOMBIES, SPAWNING, ENDING = range(6)  # the phases of a round


@rule
def next_phase(state, ctx, t):
    """The phases of a round, one after the other."""
    frame = top(state)
    phase = int(frame.b)
    frame.b = phase + 1
    if phase == RISING:
        log(ctx, EVENTS.round, int(state.first), int(state.turns) + 1)
        work(state, RISE, 0, 0, 0, 0)
    elif phase == EVENT:
        happen(state, ctx, t, T.ON_ROUND, 0, 0)
        happen(state, ctx, t, T.ON_ROUND_NUMBER, int(state.turns) + 1, 0)
    elif phase == PLAYERS:
        work(state, SEATS_TURN, 0, 0, 0, 0)
    elif phase == ZOMBIES:
        work(state, ACTIVATE, C.ALL_KINDS, 0, 0, 0)
    elif phase == SPAWNING:
        work(state, SPAWN, 0, 0, 0, 0)
    else:
        frame.b = RISING
        end_round(state)


@rule
def end_round(state):
    """Noise goes, weapons are loaded, the token moves on (p.6)."""
    fill(state.noise, 0)
    state.extras = 0
    for i in range(C.SURVIVORS):
        me = state.survivors[i]
        fill(me.spent, 0)
        me.acted = 0
        me.shielded = 0
        if me.status == ACTIVE and me.skills[C.REGENERATION] > 0:
            heal(me)
    state.turns += 1
    for _ in range(state.players):
        state.first = (state.first + 1) % state.players
        if seat_lives(state, int(state.first)):
            break


@rule
def heal(me):
    """All wounds are discarded."""
    me.wounds = 0
    for slot in range(C.SLOTS):
        if me.slots[slot] == C.WOUND:
            me.slots[slot] = C.EMPTY


@rule
def seat_lives(state, seat):
    """Whether a seat has a survivor in play (or one who will stand up)."""
    for place in range(share(state)):
        status = state.survivors[survivor_at(state, seat, place)].status
        if status in (ACTIVE, FALLEN):
            return True
    return False


@rule
def next_seat(state, ctx):
    """Seats from the token on; each activates its survivors in the order it likes (p.6)."""
    frame = top(state)
    if frame.a == state.players:
        pop(state)
        return
    seat = (int(state.first) + int(frame.a)) % int(state.players)
    for place in range(share(state)):
        if waits(state, survivor_at(state, seat, place)):
            push(state, CHOOSE, seat)
            return
    frame.a += 1


@rule
def waits(state, survivor):
    """Whether a survivor has his turn of this round before him."""
    me = state.survivors[survivor]
    return me.status == ACTIVE and me.acted == 0


@rule
def choose(state, ctx, survivor):
    """The seat has chosen which of its survivors acts next."""
    require(state.survivors[survivor].seat == top(state).seat and waits(state, survivor))
    pop(state)
    ask(state, ACT, survivor, 0, 0, 0)
    begin_turn(state, ctx, survivor)


@rule
def rise(state, ctx):
    """Fallen survivors stand up as zombivors: wounds gone, skills chosen anew (p.22)."""
    frame = top(state)
    for i in range(int(frame.b), C.SURVIVORS):
        me = state.survivors[i]
        if me.status == FALLEN:
            frame.b = i + 1
            me.status = ACTIVE
            me.zombivor = 1
            log(ctx, EVENTS.rose, int(me.seat), i)
            work(state, GROW, i, 0, 0, 0)
            rearrange(state, i)
            return
    pop(state)


@rule
def next_link(state):
    """Extra turns of those with a Zombie link, in an order that the players choose."""
    frame = top(state)
    linked = 0
    for i in range(C.SURVIVORS):
        if frame.a >> i & 1 and state.survivors[i].status == ACTIVE:
            linked |= 1 << i
    frame.a = linked
    if linked == 0:
        pop(state)
    else:
        push(state, LINK, int(state.first), linked)


@rule
def begin_link(state, ctx, survivor):
    """A full extra turn; a turn that it interrupts goes on afterwards."""
    require(top(state).a >> survivor & 1 == 1)
    pop(state)
    top(state).a &= ~(1 << survivor)
    me = state.survivors[survivor]
    saved = packed_turn(me)
    once = packed_once(me)
    end_powers(me)
    ask(state, ACT, survivor, 1, saved, once)
    begin_turn(state, ctx, survivor)
