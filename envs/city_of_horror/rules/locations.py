"""Phase 5: each place in number order is activated, attacked, and its supplies are shared (p.5)."""

from __future__ import annotations

from ...core.decisions import pop, push, top
from ...core.events import EVERYBODY, log
from ...core.rule import require, rule
from ...core.state import fill, total
from ..cards import ATTACK_FROM, CHARACTERS, CROSSROADS, KINDS, LOCATION, PLACES, SUPPLIES
from ..state import (
    ACTIONS,
    ACTIVATING,
    ANTIDOTE,
    ATTACK,
    CARD_GOODS,
    D_ACTIVATE,
    D_GIVE,
    D_GIVE_TO,
    D_KEEP,
    D_TIE,
    D_VICTIM,
    D_VOTE,
    EVENTS,
    NEXT_LOCATION,
    ROUND_END,
    SUPPLIES_OF,
    SUPPLIES_STEP,
    SUPPLY_TALLY,
    SUPPLY_VOTE,
    TALLY,
)
from .effects import activate, can_activate
from .hands import look_through, transfer
from .town import (
    bury,
    can_be_chosen,
    candidates,
    clockwise_by,
    crowd,
    end_if_nobody_lives,
    how_many,
    items_at,
    lowest,
    present,
    stands,
    step_leader,
    votes_at,
)
from .windows import open_window


@rule
def place_now(state):
    """The place that is being resolved."""
    return int(state.at[state.location - 1])


# --- a: activation ------------------------------------------------------------------------------


@rule
def activating(state):
    """In turn order, each seat present may use the place once; then comes the window of the attack."""
    place = place_now(state)
    if state.cursor < state.players:
        seat = (state.start + state.cursor) % state.players
        state.cursor += 1
        if present(state, seat, place) > 0 and can_activate(state, seat, place):
            push(state, D_ACTIVATE, seat, place)
        return
    state.cursor = 0
    state.step = ATTACK
    if crowd(state, place) > 0:
        open_window(state, LOCATION, place)


@rule
def answer_activate(state, ctx, seat, action):
    """A seat uses the place or does not."""
    place = int(top(state).a)
    require(action == ACTIONS.activate or action == ACTIONS.passes)
    pop(state)
    if action == ACTIONS.activate:
        activate(state, ctx, seat, place)


# --- b: attack ----------------------------------------------------------------------------------


@rule
def attacked(state, place):
    """Whether the zombies attack: from a number on, or when they outnumber the characters (p.9)."""
    least = ATTACK_FROM[place, state.side[place]]
    return state.zombies[place] >= (least if least > 0 else crowd(state, place) + 1)


@rule
def attack(state, ctx):
    """One character dies where the condition is met; who, a vote decides, at the crossroads the leader."""
    place = place_now(state)
    state.start = state.first
    state.step = SUPPLIES_STEP
    seats = candidates(state, place)
    if seats == 0 or not attacked(state, place):
        return
    if place == CROSSROADS:
        leader_hunts(state, ctx, seats)
    elif how_many(seats) == 1:
        doom(state, ctx, lowest(seats), place)
    else:
        call_vote(state, place, 0)
        state.step = TALLY


@rule
def leader_hunts(state, ctx, seats):
    """The leader stays or goes clockwise to the first colour that can be eaten (p.9)."""
    k = 0
    while (seats >> state.wheel[(state.leader + k) % state.players]) & 1 == 0:
        k += 1
    if k > 0:
        step_leader(state, ctx, k)
    doom(state, ctx, state.wheel[state.leader], CROSSROADS)


@rule
def doom(state, ctx, seat, place):
    """A seat loses one of its characters at a place; it picks which."""
    log(ctx, EVENTS.chosen, seat, place)
    push(state, D_VICTIM, seat, place)


@rule
def victim(state, ctx, seat, character):
    """The character dies; zombies stay.  At the crossroads the leader goes one step on (p.9)."""
    place = int(top(state).a)
    require(character >= 0 and character < CHARACTERS)
    require(stands(state.people[character], seat, place) and state.people[character].hidden == 0)
    pop(state)
    bury(state, ctx, character)
    if place == CROSSROADS:
        step_leader(state, ctx, 1)
    end_if_nobody_lives(state)


@rule
def call_vote(state, place, supplies):
    """Ask for the votes of every seat that has one, in secret, in turn order (p.6).

    Gun Replica: somebody else casts them.
    """
    for k in range(state.players - 1, -1, -1):
        voter = (state.start + k) % state.players
        if votes_at(state, voter, place) > 0:
            caster = state.caster[place, voter]
            push(state, D_VOTE, caster - 1 if caster > 0 else voter, voter, place, supplies)


@rule
def vote(state, seat, action):
    """All votes of a seat go to one seat that has a character there to be chosen."""
    frame = top(state)
    target = clockwise_by(state, seat, action - ACTIONS.vote)
    require(can_be_chosen(state, target, frame.b) > 0)
    state.votes[frame.a] = target + 1
    pop(state)


@rule
def most_voted(state, ctx, place, shown, supplies):
    """Show the votes; the seats with the most, as a bit set."""
    best = -1
    seats = 0
    for target in range(state.players):
        n = 0
        for voter in range(state.players):
            if state.votes[voter] == target + 1:
                n += votes_at(state, voter, place)
        if can_be_chosen(state, target, place) > 0 and n >= best:
            seats = (seats if n == best else 0) | (1 << target)
            best = n
    for voter in range(state.players):
        shown[voter] = state.votes[voter]
        if state.votes[voter] > 0:
            log(ctx, EVENTS.voted, voter, state.votes[voter] - 1, place, EVERYBODY, supplies)
    fill(state.votes, 0)
    return seats


@rule
def tally(state, ctx):
    """The seat with the most votes loses a character; the first player breaks ties (p.5)."""
    place = place_now(state)
    seats = most_voted(state, ctx, place, state.attack_votes[place], 0)
    state.step = SUPPLIES_STEP
    if how_many(seats) == 1:
        doom(state, ctx, lowest(seats), place)
    else:
        push(state, D_TIE, state.first, place, seats)


@rule
def break_tie(state, ctx, seat, action):
    """The first player picks one of the tied seats."""
    place = int(top(state).a)
    target = clockwise_by(state, seat, action - ACTIONS.seat)
    require((top(state).b >> target) & 1 != 0)
    pop(state)
    doom(state, ctx, target, place)


# --- c: supplies --------------------------------------------------------------------------------


@rule
def supplies(state):
    """Where something lies and somebody can be chosen, there is a window and a vote."""
    place = place_now(state)
    state.step = NEXT_LOCATION
    if items_at(state, place) > 0 and candidates(state, place) != 0:
        state.step = SUPPLY_VOTE
        open_window(state, SUPPLIES, place)


@rule
def supply_vote(state, ctx):
    """Vote who shares the supplies; without a vote they stay."""
    place = place_now(state)
    state.start = state.first
    state.step = NEXT_LOCATION
    seats = candidates(state, place)
    votes = 0
    for seat in range(state.players):
        votes += votes_at(state, seat, place)
    if seats == 0 or votes == 0:
        return
    if how_many(seats) == 1:
        win_supplies(state, ctx, lowest(seats), place)
    else:
        call_vote(state, place, 1)
        state.step = SUPPLY_TALLY


@rule
def supply_tally(state, ctx):
    """A tie leaves everything where it is (p.5)."""
    place = place_now(state)
    seats = most_voted(state, ctx, place, state.supply_votes[place], 1)
    state.step = NEXT_LOCATION
    if how_many(seats) == 1:
        win_supplies(state, ctx, lowest(seats), place)


@rule
def win_supplies(state, ctx, seat, place):
    """The winner looks at the cards and keeps one thing (p.5)."""
    log(ctx, EVENTS.chosen, seat, place)
    look_through(state, ctx, seat, place)
    push(state, D_KEEP, seat, place)


@rule
def only_one_sort(state, place):
    """Whether all can see which thing is taken next: one is left, or antidotes alone."""
    return items_at(state, place) == 1 or total(state.cards[SUPPLIES_OF + place]) == 0


@rule
def legal_item(state, place, mask):
    """What lies at a place."""
    mask[ACTIONS.give + ANTIDOTE] = state.antidotes[place] > 0
    for kind in range(KINDS):
        mask[ACTIONS.give + CARD_GOODS + kind] = state.cards[SUPPLIES_OF + place, kind] > 0


@rule
def take_item(state, ctx, winner, receiver, place, goods):
    """An item goes to a seat; of a card only the winner and the receiver see the kind."""
    is_card = goods >= CARD_GOODS
    require(goods >= ANTIDOTE and goods < CARD_GOODS + KINDS)
    kind = goods - CARD_GOODS if is_card else 0
    both = (1 << winner) | (1 << receiver)
    if is_card:
        transfer(state, both, SUPPLIES_OF + place, receiver, kind)
    else:
        require(state.antidotes[place] > 0)
        state.antidotes[place] -= 1
        state.seats[receiver].antidotes += 1
    if winner == receiver:
        log(ctx, EVENTS.kept, winner, not is_card, 0, both if is_card else 0, kind)
    else:
        log(ctx, EVENTS.gave, winner, receiver, not is_card, both if is_card else 0, kind)


@rule
def keep(state, ctx, seat, action):
    """The winner keeps one thing, then must give one each to others while there are things and seats."""
    place = int(top(state).a)
    pop(state)
    take_item(state, ctx, seat, seat, place, action - ACTIONS.give)
    push(state, D_GIVE_TO, seat, place, 1 << seat)


@rule
def sharing_is_done(state):
    """Nothing is left, or every seat has something (p.10)."""
    frame = top(state)
    return items_at(state, frame.a) == 0 or how_many(frame.b) == state.players


@rule
def give_to(state, seat, action):
    """The winner says who gets the next thing: anybody who has none yet, present or not."""
    frame = top(state)
    place = int(frame.a)
    receiver = clockwise_by(state, seat, action - ACTIONS.seat)
    require((frame.b >> receiver) & 1 == 0)
    frame.b |= 1 << receiver
    push(state, D_GIVE, seat, place, receiver)


@rule
def give(state, ctx, seat, action):
    """The winner gives it."""
    place = int(top(state).a)
    receiver = int(top(state).b)
    pop(state)
    take_item(state, ctx, seat, receiver, place, action - ACTIONS.give)


@rule
def next_location(state):
    """The next place in number order; after the sixth the round ends."""
    state.location += 1
    state.start = state.first
    state.step = ACTIVATING
    if state.location > PLACES:
        state.location = 0
        state.step = ROUND_END
