"""Phases 1 to 4: the watch on the tower, movement cards, the invasion card, the moves (p.3, p.4)."""

from __future__ import annotations

from ...core.decisions import pop, push, top
from ...core.events import EVERYBODY, log
from ...core.rule import require, rule
from ..cards import (
    BLONDE,
    CHARACTERS,
    COPIES,
    CROSSROADS,
    GRANNY,
    MAMA,
    MOST_ZOMBIES,
    PLACES,
    PLANNING,
    PRIEST,
    RUNNING_SHOES,
    SERVICE_ENTRANCE,
    SIDE_A,
    SIDE_B,
    TEEN,
    TOWER,
)
from ..cards import INVASION as INVASION_WINDOW
from ..state import (
    ACTIONS,
    ACTIVATING,
    BLONDE_STEP,
    CHOOSING,
    D_CARD,
    D_ENTER,
    D_MOVE,
    D_TURN_BACK,
    EVENTS,
    LATE_SHOWING,
    MOVES,
    MOVING,
    SHOWING,
)
from .effects import owns_rested, play_card, see_next_card, tire, use_ability
from .hands import drop_cards
from .town import (
    add_zombies,
    hand_size,
    is_full,
    is_shut,
    living,
    move_zombies,
    present,
    put,
    step_leader,
)
from .windows import open_window

# --- phases 1 and 2 -----------------------------------------------------------------------------


@rule
def watch(state, ctx):
    """Phase 1: who has a character on the tower, side A, looks at the invasion card; then the plans."""
    log(ctx, EVENTS.round, state.first, state.round)
    state.start = state.first
    if state.side[TOWER] == SIDE_A:
        for seat in range(state.players):
            if present(state, seat, TOWER) > 0:
                see_next_card(state, ctx, seat)
    state.step = CHOOSING
    open_window(state, PLANNING, 0)


@rule
def chooses_late(state, seat):
    """Tower, side B: seats there choose after the others have shown (p.9)."""
    return state.side[TOWER] == SIDE_B and present(state, seat, TOWER) > 0


@rule
def choosing(state, late):
    """Phase 2: all seats with a living character choose a movement card in secret, in turn order."""
    state.start = state.first
    for k in range(state.players - 1, -1, -1):
        seat = (state.start + k) % state.players
        if living(state, seat) > 0 and chooses_late(state, seat) == late:
            push(state, D_CARD, seat)
    state.step = LATE_SHOWING if late else SHOWING


@rule
def choose_card(state, seat, place):
    """A seat has chosen its movement card."""
    require(place >= 0 and place < PLACES)
    state.seats[seat].chosen = place + 1
    pop(state)


@rule
def show_cards(state, ctx):
    """The movement cards chosen so far are shown together."""
    for seat in range(state.players):
        me = state.seats[seat]
        if me.chosen > 0 and me.shown == 0:
            me.shown = 1
            log(ctx, EVENTS.showed, seat, me.chosen - 1)


# --- phase 3 ------------------------------------------------------------------------------------


@rule
def invade(state, ctx, t):
    """Phase 3: zombie moves, arrivals, supplies, the leader (p.4); what is short goes to low numbers."""
    card = t.invasion[state.round, state.invasion[state.round] - 1]
    log(ctx, EVENTS.invaded, 0, state.round, state.invasion[state.round])
    for k in range(2):
        if card.moves[k, 0] > 0:
            source = state.at[card.moves[k, 0] - 1]
            move_zombies(state, ctx, source, state.at[card.moves[k, 1] - 1], MOST_ZOMBIES)
    for number in range(PLACES):
        add_zombies(state, ctx, state.at[number], card.zombies[number])
    for number in range(PLACES):
        place = state.at[number]
        n = min(card.antidotes[number], state.antidotes_left)
        if n > 0:
            state.antidotes_left -= n
            state.antidotes[place] += n
            log(ctx, EVENTS.supplies, 0, n, place, EVERYBODY, 0)
        if card.cards[number] > 0:
            n = drop_cards(state, place, card.cards[number])
            log(ctx, EVENTS.supplies, 0, n, place, EVERYBODY, 1)
    if card.leader > 0:
        step_leader(state, ctx, card.leader)
    state.seen = 0
    state.step = MOVES
    if state.options.all_windows:
        open_window(state, INVASION_WINDOW, 0)


# --- phase 4 ------------------------------------------------------------------------------------


@rule
def moving(state):
    """Phase 4: each seat in turn order moves one character to the place of its card."""
    if state.step == MOVES:
        state.start = state.first
        state.cursor = 0
        state.step = MOVING
    if state.cursor == state.players:
        state.cursor = 0
        state.step = BLONDE_STEP
        return
    seat = (state.start + state.cursor) % state.players
    state.cursor += 1
    if living(state, seat) > 0 and state.seats[seat].chosen > 0:
        push(state, D_MOVE, seat)


@rule
def may_move(state, seat, character):
    """A living character that is not at the target already, not in a jammed armory, not Granny."""
    person = state.people[character]
    if person.owner != seat + 1 or person.place == 0 or person.place == state.seats[seat].chosen:
        return False
    if character == GRANNY and person.freed == 0:
        return False
    return not is_shut(state, person.place - 1)


@rule
def can_move(state, seat):
    """Whether a seat has a character that may move."""
    for i in range(CHARACTERS):
        if may_move(state, seat, i):
            return True
    return False


@rule
def card_out(state, kind):
    """Whether a card of this kind may be in somebody's hand: not all of them are discarded."""
    return state.discard[kind] < COPIES[kind]


@rule
def move_is_open(state):
    """Whether all can see what the mover may do: it has no card that could be Running Shoes."""
    return hand_size(state, top(state).seat) == 0 or not card_out(state, RUNNING_SHOES)


@rule
def can_free_granny(state, seat):
    """Whether a rested Granny could be moved, were she allowed to (p.8)."""
    granny = state.people[GRANNY]
    if not owns_rested(state, seat, GRANNY) or granny.freed != 0:
        return False
    return granny.place != state.seats[seat].chosen and not is_shut(state, granny.place - 1)


@rule
def legal_move(state, seat, mask):
    """Pick a character; before that, Running Shoes, the Teen and Granny; to pass only if none can move."""
    able = False
    for i in range(CHARACTERS):
        if may_move(state, seat, i):
            mask[ACTIONS.character + i] = 1
            able = True
    mask[ACTIONS.passes] = not able
    mask[ACTIONS.play + RUNNING_SHOES] = state.cards[seat, RUNNING_SHOES] > 0
    mask[ACTIONS.use + TEEN] = owns_rested(state, seat, TEEN)
    mask[ACTIONS.use + GRANNY] = can_free_granny(state, seat)


@rule
def move(state, ctx, t, seat, action):
    """The mover plays something first, moves a character, or cannot."""
    if action >= ACTIONS.play:
        if action == ACTIONS.play + RUNNING_SHOES:
            play_card(state, ctx, seat, RUNNING_SHOES)
        elif action != ACTIONS.passes:
            require(action == ACTIONS.use + TEEN or action == ACTIONS.use + GRANNY)
            require(action == ACTIONS.use + TEEN or can_free_granny(state, seat))
            use_ability(state, ctx, seat, action - ACTIONS.use)
        else:
            require(not can_move(state, seat))
            pop(state)
            state.seats[seat].moved = 1
        return
    character = action - ACTIONS.character
    require(character >= 0 and character < CHARACTERS and may_move(state, seat, character))
    pop(state)
    state.seats[seat].moved = 1
    place = state.seats[seat].chosen - 1
    if is_full(state, t, place):
        push(state, D_ENTER, seat, character, place)
    else:
        arrive(state, ctx, seat, character, place, 0)


@rule
def enter_is_open(state):
    """Whether all can see that the character has no way into the full place."""
    frame = top(state)
    if is_shut(state, frame.b):
        return True
    if frame.a == MAMA and state.people[MAMA].tired == 0:
        return False
    return hand_size(state, frame.seat) == 0 or not card_out(state, SERVICE_ENTRANCE)


@rule
def legal_enter(state, frame, mask):
    """Before a full place: Service Entrance, Mama's ability, or the crossroads."""
    mask[ACTIONS.passes] = 1
    if not is_shut(state, frame.b):
        mask[ACTIONS.play + SERVICE_ENTRANCE] = state.cards[frame.seat, SERVICE_ENTRANCE] > 0
        mask[ACTIONS.use + MAMA] = frame.a == MAMA and state.people[MAMA].tired == 0


@rule
def enter(state, ctx, seat, action):
    """Into the full place, if nobody cancels the card, or to the crossroads (p.4)."""
    frame = top(state)
    require(action == ACTIONS.passes or not is_shut(state, frame.b))
    if action == ACTIONS.play + SERVICE_ENTRANCE:
        play_card(state, ctx, seat, SERVICE_ENTRANCE)
    elif action == ACTIONS.use + MAMA:
        require(frame.a == MAMA)
        use_ability(state, ctx, seat, MAMA)
    else:
        require(action == ACTIONS.passes)
        character = int(frame.a)
        pop(state)
        arrive(state, ctx, seat, character, CROSSROADS, 0)


@rule
def squeeze_in(state, ctx):
    """A character may enter although the place is full: it gets an extra space (p.7)."""
    frame = top(state)
    seat = int(frame.seat)
    character = int(frame.a)
    place = int(frame.b)
    pop(state)
    arrive(state, ctx, seat, character, place, 1)


@rule
def arrive(state, ctx, seat, character, place, extra):
    """The move is made; the owner of a rested Priest may undo it (p.8)."""
    person = state.people[character]
    old_place = int(person.place)
    old_extra = int(person.extra)
    if old_place == place + 1:
        return
    put(state, character, place, extra)
    log(ctx, EVENTS.moved, seat, character, place)
    priest = state.people[PRIEST].owner - 1
    if priest >= 0 and owns_rested(state, priest, PRIEST):
        push(state, D_TURN_BACK, priest, character, old_place, old_extra, seat)


@rule
def turn_back(state, ctx, seat, action):
    """The Priest sends a character back; its seat does not move again."""
    frame = top(state)
    character = int(frame.a)
    old_place = int(frame.b)
    old_extra = int(frame.c)
    require(action == ACTIONS.use + PRIEST or action == ACTIONS.passes)
    pop(state)
    if action == ACTIONS.use + PRIEST:
        tire(state, ctx, seat, PRIEST)
        put(state, character, old_place - 1, old_extra)
        log(ctx, EVENTS.turned_back, seat, character, old_place - 1)


@rule
def blonde(state, ctx):
    """After the moves a rested Blonde draws a zombie to her place (p.8)."""
    person = state.people[BLONDE]
    if person.place > 0 and person.tired == 0:
        add_zombies(state, ctx, person.place - 1, 1)
    state.location = 1
    state.start = state.first
    state.cursor = 0
    state.step = ACTIVATING


assert ACTIONS.passes > ACTIONS.use > ACTIONS.play > ACTIONS.character
