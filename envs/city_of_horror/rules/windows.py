"""Windows, in which all may play, use abilities, trade and promise until everybody has passed in a row."""

from __future__ import annotations

from ...core.decisions import pop, push, top
from ...core.events import EVERYBODY, log
from ...core.rule import require, rule
from ..cards import CHARACTERS, CROSSROADS, INVASION, KINDS, LOCATION, SUPPLIES, WHEN
from ..state import (
    ACTIONS,
    ANTIDOTE,
    CARD_GOODS,
    D_ANSWER,
    D_OFFER,
    D_WINDOW,
    EVENTS,
    GOODS,
    NO_GOODS,
    NO_TRADE,
    TALK,
)
from .effects import can_work, play_card, use_ability
from .hands import ALL_OBSERVERS, prove, transfer
from .town import can_be_chosen, can_pay, hand_size

GOODS_KINDS = len(GOODS)


@rule
def open_window(state, window, place):
    """Everybody is asked in turn order, beginning with the first player."""
    for seat in range(state.players):
        state.seats[seat].promised = 0
    push(state, D_WINDOW, state.first, window, place)


@rule
def serves(source, window):
    """Whether a source may be used in a window."""
    return (WHEN[source] >> window) & 1 != 0


@rule
def can_use(state, seat, character, window):
    """Whether a seat could use a character's ability in a window: all see this."""
    person = state.people[character]
    if person.owner != seat + 1 or person.place == 0 or person.tired != 0:
        return False
    return serves(KINDS + character, window) and can_work(state, seat, KINDS + character)


@rule
def can_offer(state, seat, window):
    """Whether a seat may still make an offer."""
    options = state.options
    return (
        options.negotiation != NO_TRADE and window != INVASION and state.seats[seat].offers < options.offers
    )


@rule
def is_asked(state, seat, window):
    """Who is asked in a window follows from what all can see, else the asking would tell of hands."""
    if hand_size(state, seat) > 0 or can_offer(state, seat, window):
        return True
    for i in range(CHARACTERS):
        if can_use(state, seat, i, window):
            return True
    return False


@rule
def find_asked(state):
    """Go on to the next seat that is asked, or close the window when all have passed in a row."""
    frame = top(state)
    while frame.c < state.players:
        if is_asked(state, frame.seat, frame.a):
            return True
        frame.c += 1
        frame.seat = (frame.seat + 1) % state.players
    pop(state)
    return False


@rule
def legal_in_window(state, frame, mask):
    """What a seat may do in a window."""
    seat = int(frame.seat)
    window = int(frame.a)
    mask[ACTIONS.passes] = 1
    for kind in range(KINDS):
        if state.cards[seat, kind] > 0 and serves(kind, window):
            mask[ACTIONS.play + kind] = can_work(state, seat, kind)
    for i in range(CHARACTERS):
        mask[ACTIONS.use + i] = can_use(state, seat, i, window)
    mask[ACTIONS.offer] = can_offer(state, seat, window)
    if state.options.negotiation == TALK and window != INVASION and state.seats[seat].promised == 0:
        legal_promises(state, seat, window, frame.b, mask)


@rule
def act_in_window(state, ctx, seat, action):
    """A pass, or something done, after which all must pass anew."""
    frame = top(state)
    window = int(frame.a)
    place = int(frame.b)
    frame.seat = (seat + 1) % state.players
    if action == ACTIONS.passes:
        frame.c += 1
        return
    frame.c = 0
    if action == ACTIONS.offer:
        require(can_offer(state, seat, window))
        state.seats[seat].offers += 1
        push(state, D_OFFER, seat)
    elif action >= ACTIONS.against:
        promise(state, ctx, seat, window, place, action)
    elif action >= ACTIONS.use:
        character = action - ACTIONS.use
        require(character < CHARACTERS and can_use(state, seat, character, window))
        use_ability(state, ctx, seat, character)
    else:
        kind = action - ACTIONS.play
        require(kind >= 0 and serves(kind, window) and can_work(state, seat, kind))
        play_card(state, ctx, seat, kind)


# --- trading ------------------------------------------------------------------------------------


@rule
def legal_offer(state, frame, mask):
    """An offer in three steps: to whom, what for, and what is wanted (whatever the partner holds)."""
    seat = int(frame.seat)
    if frame.a == 0:
        for place in range(1, state.players):
            mask[ACTIONS.seat + place] = 1
    elif frame.b == 0:
        for goods in range(GOODS_KINDS):
            mask[ACTIONS.give + goods] = can_pay(state, seat, goods)
    else:
        for goods in range(GOODS_KINDS):
            mask[ACTIONS.want + goods] = goods != frame.b - 1


@rule
def make_offer(state, ctx, seat, action):
    """One step of an offer; a card offered is shown to be there."""
    frame = top(state)
    if frame.a == 0:
        place = action - ACTIONS.seat
        require(place > 0 and place < state.players)
        frame.a = (seat + place) % state.players + 1
    elif frame.b == 0:
        goods = action - ACTIONS.give
        require(goods >= 0 and goods < GOODS_KINDS and can_pay(state, seat, goods))
        frame.b = goods + 1
        if goods >= CARD_GOODS:
            prove(state, seat, goods - CARD_GOODS)
    else:
        partner = frame.a - 1
        given = frame.b - 1
        wanted = action - ACTIONS.want
        require(wanted >= 0 and wanted < GOODS_KINDS and wanted != given)
        pop(state)
        log(ctx, EVENTS.offered, seat, partner, 0, EVERYBODY, given, wanted)
        push(state, D_ANSWER, partner, seat, given, wanted)


@rule
def answer_offer(state, ctx, seat, action):
    """The partner says yes, and the goods change hands at once, or no."""
    frame = top(state)
    offerer = int(frame.a)
    given = int(frame.b)
    wanted = int(frame.c)
    pop(state)
    require(action == ACTIONS.yes or action == ACTIONS.no)
    agreed = action == ACTIONS.yes
    log(ctx, EVENTS.answered, seat, agreed)
    if agreed:
        require(can_pay(state, seat, wanted))
        state.exchanges += 1
        hand_over(state, offerer, seat, given)
        hand_over(state, seat, offerer, wanted)
        note_exchange(state.seats[offerer], seat, given, wanted)
        note_exchange(state.seats[seat], offerer, wanted, given)


@rule
def hand_over(state, giver, receiver, goods):
    """One side of an exchange, in sight of all."""
    if goods >= CARD_GOODS:
        transfer(state, ALL_OBSERVERS, giver, receiver, goods - CARD_GOODS)
    elif goods != NO_GOODS:
        state.seats[giver].antidotes -= 1
        state.seats[receiver].antidotes += 1


@rule
def note_exchange(me, partner, gave, got):
    """What a seat's last exchange was."""
    me.partner = partner + 1
    me.gave = gave + 1
    me.got = got + 1


# --- promises -----------------------------------------------------------------------------------


@rule
def legal_promises(state, seat, window, place, mask):
    """One promise a window, from a fixed list: about the vote at hand, about playing, about help."""
    mask[ACTIONS.quiet] = 1
    for k in range(state.players):
        other = (seat + k) % state.players
        if k > 0:
            mask[ACTIONS.help + k - 1] = 1
            if window == LOCATION and place != CROSSROADS:
                mask[ACTIONS.against + k - 1] = can_be_chosen(state, other, place) > 0
        if window == SUPPLIES:
            mask[ACTIONS.favour + k] = can_be_chosen(state, other, place) > 0


@rule
def may_promise(state, seat, window, place, action):
    """One promise a window, only about what may still come: the list above, one by one."""
    if state.options.negotiation != TALK or window == INVASION or state.seats[seat].promised != 0:
        return False
    if action >= ACTIONS.help:
        return action - ACTIONS.help < state.players - 1
    if action == ACTIONS.quiet:
        return True
    if action >= ACTIONS.favour:
        k = action - ACTIONS.favour
        if window != SUPPLIES or k >= state.players:
            return False
    else:
        k = 1 + action - ACTIONS.against
        if window != LOCATION or place == CROSSROADS or k >= state.players:
            return False
    return can_be_chosen(state, (seat + k) % state.players, place) > 0


@rule
def promise(state, ctx, seat, window, place, action):
    """A promise binds nobody; all remember it until the round ends."""
    require(may_promise(state, seat, window, place, action))
    state.seats[seat].promised = 1
    log(ctx, EVENTS.promised, seat, action)
    if action >= ACTIONS.help:
        state.help[seat, (seat + 1 + action - ACTIONS.help) % state.players] = 1
    elif action == ACTIONS.quiet:
        here = place + 1 if window == LOCATION or window == SUPPLIES else 0
        state.quiet[seat, here] = 1
    elif action >= ACTIONS.favour:
        state.favour[seat, place] = (seat + action - ACTIONS.favour) % state.players + 1
    else:
        state.against[seat, place] = (seat + 1 + action - ACTIONS.against) % state.players + 1


assert ACTIONS.help > ACTIONS.quiet > ACTIONS.favour > ACTIONS.against > ACTIONS.use > ACTIONS.play
assert ANTIDOTE == NO_GOODS + 1
