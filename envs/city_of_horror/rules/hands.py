"""Action cards change hands, and who knows of it.

`known[o][h][k]`: how many cards of kind k observer o knows holder h to have.  What everybody sees
also counts for the row EVERYONE.  A row never counts a holder's knowledge of itself.
"""

from __future__ import annotations

from ...core.chance import chance
from ...core.events import log
from ...core.rule import require, rule
from ..cards import CARDS, KINDS, SEATS
from ..state import EVENTS, EVERYONE, SUPPLIES_OF
from .town import hand_size

ALL_OBSERVERS = (1 << (SEATS + 1)) - 1


@rule
def looks_on(state, observer, holder):
    """Whether a row of knowledge is in use: a seat in play, not about itself, or everybody's."""
    return (observer < state.players and observer != holder) or observer == EVERYONE


@rule
def learn(state, observers, holder, kind):
    """Observers (a bit set) see that a holder gets a card."""
    for o in range(SEATS + 1):
        if (observers >> o) & 1 and looks_on(state, o, holder):
            state.known[o, holder, kind] += 1


@rule
def lose(state, observers, holder, kind):
    """A holder gives up a card: who sees its kind takes it off, all others know each kind one less."""
    require(state.cards[holder, kind] > 0)
    state.cards[holder, kind] -= 1
    for o in range(SEATS + 1):
        known = state.known[o, holder]
        if (observers >> o) & 1:
            known[kind] = max(0, known[kind] - 1)
        else:
            for k in range(KINDS):
                known[k] = max(0, known[k] - 1)


@rule
def transfer(state, observers, source, target, kind):
    """A card goes from holder to holder; those who do not see it count it for nobody."""
    lose(state, observers, source, kind)
    state.cards[target, kind] += 1
    learn(state, observers, target, kind)


@rule
def prove(state, seat, kind):
    """A seat has shown that it holds a card of this kind."""
    for o in range(SEATS + 1):
        if looks_on(state, o, seat) and state.known[o, seat, kind] == 0:
            state.known[o, seat, kind] = 1


@rule
def discard(state, seat, kind):
    """A hand card goes to the discard pile, in sight of all."""
    lose(state, ALL_OBSERVERS, seat, kind)
    state.discard[kind] += 1


@rule
def take_discard(state, ctx, seat, kind):
    """A card comes from the discard pile into a hand, in sight of all."""
    require(state.discard[kind] > 0)
    state.discard[kind] -= 1
    state.cards[seat, kind] += 1
    learn(state, ALL_OBSERVERS, seat, kind)
    log(ctx, EVENTS.took, seat, kind)


@rule
def take_top(state):
    """The top card of the deck, which must have one."""
    require(state.deck_size > 0)
    state.deck_size -= 1
    kind = int(state.deck[state.deck_size])
    state.deck[state.deck_size] = 0
    return kind


@rule
def draw(state, ctx, seat):
    """Draw the top card; an empty deck gives none (p.2)."""
    if state.deck_size > 0:
        kind = take_top(state)
        state.cards[seat, kind] += 1
        log(ctx, EVENTS.drew, seat, 0, 0, 1 << seat, kind)


@rule
def drop_cards(state, place, n):
    """Cards are dropped face down at a corner place; returns how many there were to drop."""
    n = min(n, state.deck_size)
    for _ in range(n):
        state.cards[SUPPLIES_OF + place, take_top(state)] += 1
    return n


@rule
def steal(state, ctx, thief, victim):
    """A random card of another hand: the two know which (p.7)."""
    k = chance(state, ctx, hand_size(state, victim))
    for kind in range(KINDS):
        k -= state.cards[victim, kind]
        if k < 0:
            both = (1 << thief) | (1 << victim)
            transfer(state, both, victim, thief, kind)
            log(ctx, EVENTS.stole, thief, victim, 0, both, kind)
            return


@rule
def look_through(state, ctx, seat, place):
    """A seat sees all cards that lie at a place."""
    holder = SUPPLIES_OF + place
    for kind in range(KINDS):
        state.known[seat, holder, kind] = state.cards[holder, kind]
    log_look(ctx, seat, place, state.cards[holder])


@rule
def log_look(ctx, seat, place, cards):
    """What a seat looks at, card by card (how many there are is public)."""
    for kind in range(KINDS):
        for _ in range(cards[kind]):
            log(ctx, EVENTS.looked, seat, place, 0, 1 << seat, kind)


@rule
def fill_deck(state, copies):
    """Lay all action cards into the deck by kind; returns their number."""
    n = 0
    for kind in range(KINDS):
        for _ in range(copies[kind]):
            state.deck[n] = kind
            n += 1
    require(n == CARDS)
    return n
