"""The rules of Run for Your Lives, in the order of play (rulebook: one page).

Where the rulebook is silent the rulings are ours; they stand in this package's docstring.
"""

from __future__ import annotations

from ..core.chance import chance, shuffle
from ..core.decisions import finish, pop, push, top
from ..core.events import log
from ..core.rule import require, rule
from ..core.state import TERMINATED, TRUNCATED, copy_row, fill, total
from .cards import CARDS, COCKROACH, CODES, DEALT, ITEMS, REFRESH, SEATS
from .state import ACTIONS, EVENTS, LIVING, ZOMBIE

# Rulings as numbers (see the package's docstring).
MAX_REFRESHES = 3  # hands shown and discarded in one turn before it passes

# --- set-up -------------------------------------------------------------------------------------


@rule
def deal(state, ctx):
    """Shuffle, deal four each, choose who begins (p.1, preparation)."""
    state.pile_size = fill_pile(state)
    shuffle(state, ctx, state.pile, state.pile_size)
    for _ in range(DEALT):
        for seat in range(state.players):
            card = take_top(state)
            state.seats[seat].hand[card] += 1
            log(ctx, EVENTS.dealt, seat, 0, 0, 1 << seat, card)
    first = state.options.first_seat
    if first < 0:
        first = chance(state, ctx, state.players)
    begin_turn(state, ctx, first)
    drive(state, ctx)


@rule
def in_deck(options, code):
    """Whether cards of this code are in the deck (mini sizes leave kinds out, never the cockroach)."""
    return code == COCKROACH or code % ITEMS < options.kinds


@rule
def fill_pile(state):
    """Lay the whole deck into the pile in the order of codes; returns the number of cards."""
    size = 0
    for code in range(CODES):
        if in_deck(state.options, code):
            for _ in range(state.options.copies):
                state.pile[size] = code
                size += 1
    return size


@rule
def clockwise(state, seat, places):
    """The seat some places clockwise (fewer places than players; dividing would be slow)."""
    other = seat + places
    return other - state.players if other >= state.players else other


# --- the piles ----------------------------------------------------------------------------------


@rule
def take_top(state):
    """The top card of a pile that has one."""
    require(state.pile_size > 0)
    state.pile_size -= 1
    card = int(state.pile[state.pile_size])
    state.pile[state.pile_size] = 0
    return card


@rule
def piles_empty(state):
    """Whether nothing can be drawn: no draw pile, and no discards to be shuffled into a new one."""
    return state.pile_size == 0 and total(state.discard) == 0


@rule
def ready_pile(state, ctx):
    """Shuffle the discards into a new draw pile when the old one is used up (p.1, end of the game)."""
    if state.pile_size > 0:
        return
    for code in range(CODES):
        for _ in range(state.discard[code]):
            state.pile[state.pile_size] = code
            state.pile_size += 1
    copy_row(state.shuffled, state.discard)
    fill(state.discard, 0)
    fill(state.revealed, 0)
    for seat in range(state.players):
        fill(state.seats[seat].took, 0)
        fill(state.seats[seat].shown, 0)
    shuffle(state, ctx, state.pile, state.pile_size)
    log(ctx, EVENTS.reshuffled, 0, state.pile_size)


@rule
def was_reshuffled(state):
    """Whether the draw pile was made of discards, so that its cards are known."""
    return total(state.shuffled) > 0


@rule
def draw(state, ctx, seat):
    """Draw one card into a hand; with both piles empty there is nothing to draw."""
    if piles_empty(state):
        return
    ready_pile(state, ctx)
    card = take_top(state)
    me = state.seats[seat]
    me.hand[card] += 1
    if was_reshuffled(state):
        me.took[card] += 1
    log(ctx, EVENTS.drew, seat, 0, 0, 1 << seat, card)


@rule
def leave_hand(state, seat, card):
    """A card leaves a hand in sight of all."""
    me = state.seats[seat]
    me.hand[card] -= 1
    me.shown[card] += 1
    if me.known[card] > 0:
        me.known[card] -= 1


# --- cards on the table -------------------------------------------------------------------------


@rule
def is_item(card):
    """Items have the low codes."""
    return card < ITEMS


@rule
def counterpart(card):
    """The other card with the same symbol, or -1: nothing removes the cockroach (p.1, Ps. 2)."""
    if card == COCKROACH:
        return -1
    return (card + ITEMS) % (2 * ITEMS)


@rule
def meets_counterpart(table, card):
    """Whether a card laid on this table would cancel out with its counterpart."""
    other = counterpart(card)
    return other >= 0 and table[other] == 1


@rule
def items_on(table):
    """Items on a table."""
    n = 0
    for code in range(ITEMS):
        n += table[code]
    return n


@rule
def zombies_on(table):
    """Zombies on a table."""
    n = 0
    for code in range(ITEMS, CODES):
        n += table[code]
    return n


@rule
def completes(state, seat, card):
    """Whether a card, laid before a seat, makes the fifth of its type there after cancelling."""
    table = state.seats[seat].table
    if meets_counterpart(table, card):
        return False
    count = items_on(table) if is_item(card) else zombies_on(table)
    return count == state.options.goal - 1


@rule
def fits(state, seat, card):
    """Whether a card may lie before a seat: a living player who has no equal card there (p.1)."""
    return state.seats[seat].turned == 0 and state.seats[seat].table[card] == 0


@rule
def lay(state, ctx, seat, card):
    """Lay a card before a seat; matching cards leave, a fifth card saves or turns (p.1)."""
    table = state.seats[seat].table
    if meets_counterpart(table, card):
        table[counterpart(card)] = 0
        state.discard[card] += 1
        state.discard[counterpart(card)] += 1
        return
    table[card] = 1
    if is_item(card) and items_on(table) == state.options.goal:
        win(state, ctx, seat)
    elif not is_item(card) and zombies_on(table) == state.options.goal:
        turn_into_zombie(state, ctx, seat)


@rule
def turn_into_zombie(state, ctx, seat):
    """Five zombies: the player is one of them now, and his cards are discarded (p.1)."""
    me = state.seats[seat]
    state.fallen += 1
    me.turned = state.fallen
    log(ctx, EVENTS.turned, seat)
    for code in range(CODES):
        state.discard[code] += me.table[code]
        me.table[code] = 0
        for _ in range(me.hand[code]):
            leave_hand(state, seat, code)
            state.discard[code] += 1
            log(ctx, EVENTS.discarded, seat, code)
    if state.fallen == state.players - 1:
        for other in range(state.players):
            if state.seats[other].turned == 0:
                win(state, ctx, other)


# --- what a living player may do ----------------------------------------------------------------


@rule
def is_special(seat, target, card):
    """The Special Rule: a zombie before oneself, or an item before somebody else (p.1)."""
    return is_item(card) == (target != seat)


@rule
def is_fatal(state, seat, target, card):
    """A Special Rule play that would turn the player himself or save the other."""
    return is_special(seat, target, card) and completes(state, target, card)


@rule
def can_play(state, seat, target, card):
    """Whether a living player may lay a card of his hand before a target now."""
    if state.seats[seat].hand[card] == 0 or not fits(state, target, card):
        return False
    if not is_special(seat, target, card):
        return True
    if state.special_spent:
        return False
    return not (state.options.forbid_fatal and completes(state, target, card))


# What a hand allows: nothing at all, only plays that nobody has to make, or something to play.
NOTHING, ONLY_FATAL, PLAYABLE = 0, 1, 2


@rule
def playability(state, seat):
    """Whether the hand can be played (p.1): a fatal Special Rule play does not have to be made."""
    found = NOTHING
    hand = state.seats[seat].hand
    for card in range(CODES):
        if hand[card] > 0:
            for target in range(state.players):
                if can_play(state, seat, target, card):
                    if not is_fatal(state, seat, target, card):
                        return PLAYABLE
                    found = ONLY_FATAL
    return found


@rule
def legal(state, ctx, mask):
    """The legal actions of the pending decision."""
    decision = top(state)
    seat = int(decision.seat)
    if decision.kind == ZOMBIE:
        for place in range(1, state.players):
            mask[decision.a * SEATS + place] = fits(state, clockwise(state, seat, place), decision.a)
        return
    hand = state.seats[seat].hand
    special = state.special_spent == 0
    for place in range(state.players):
        target = clockwise(state, seat, place)
        him = state.seats[target]
        if him.turned == 0:
            if place == 0 or special:
                for card in range(ITEMS):
                    mask[card * SEATS + place] = (hand[card] > 0) & (him.table[card] == 0)
            if place != 0 or special:
                for card in range(ITEMS, CODES):
                    mask[card * SEATS + place] = (hand[card] > 0) & (him.table[card] == 0)
            if state.options.forbid_fatal:
                for card in range(CODES):
                    if is_fatal(state, seat, target, card):
                        mask[card * SEATS + place] = 0
    if playability(state, seat) != PLAYABLE:
        mask[ACTIONS.refresh] = 1


# --- a turn -------------------------------------------------------------------------------------


@rule
def begin_turn(state, ctx, seat):
    """A living player draws; a zombie player turns up a card (p.1)."""
    state.special_spent = 0
    state.refreshes = 0
    if state.seats[seat].turned == 0:
        draw(state, ctx, seat)
        push(state, LIVING, seat)
    else:
        push(state, ZOMBIE, seat, turn_up(state, ctx, seat))


@rule
def turn_up(state, ctx, seat):
    """Turn up cards until one fits somebody; -1 when there is none.

    Without an end to it where no card of a new pile fits anybody: all have seen the discards, so
    the turn passes there (ruling).
    """
    while not piles_empty(state):
        if state.pile_size == 0 and not any_fits(state, state.discard):
            return -1
        ready_pile(state, ctx)
        card = take_top(state)
        state.revealed[card] += 1
        log(ctx, EVENTS.turned_up, seat, card)
        if fits_anybody(state, card):
            return card
        state.discard[card] += 1
        log(ctx, EVENTS.unplaceable, seat, card)
    return -1


@rule
def fits_anybody(state, card):
    """Whether some living player can be given this card."""
    for seat in range(state.players):
        if fits(state, seat, card):
            return True
    return False


@rule
def any_fits(state, counts):
    """Whether one of these cards fits some living player."""
    for code in range(CODES):
        if counts[code] > 0 and fits_anybody(state, code):
            return True
    return False


@rule
def drive(state, ctx):
    """Go on until somebody has to decide or the game is over."""
    while state.over == 0:
        decision = top(state)
        if decision.kind == ZOMBIE:
            if decision.a >= 0:
                return
            pass_turn(state, ctx)
        elif playability(state, decision.seat) != NOTHING:
            return
        elif may_refresh(state):
            refresh(state, ctx, decision.seat)
        else:
            keep_hand(state, ctx, decision.seat)


@rule
def may_refresh(state):
    """Whether a hand may be changed for a new one: three times a turn, and there must be cards."""
    return state.refreshes < MAX_REFRESHES and not piles_empty(state)


@rule
def refresh(state, ctx, seat):
    """A hand that cannot be played is shown, discarded, and five cards are drawn (p.1)."""
    me = state.seats[seat]
    for code in range(CODES):
        for _ in range(me.hand[code]):
            leave_hand(state, seat, code)
            state.discard[code] += 1
            log(ctx, EVENTS.shown, seat, code, 1)
    for _ in range(REFRESH):
        draw(state, ctx, seat)
    state.refreshes += 1


@rule
def keep_hand(state, ctx, seat):
    """No new hand is to be had: the hand is shown and kept, and the turn passes (ruling)."""
    me = state.seats[seat]
    copy_row(me.known, me.hand)
    for code in range(CODES):
        for _ in range(me.hand[code]):
            log(ctx, EVENTS.shown, seat, code, 0)
    pass_turn(state, ctx)


@rule
def pass_turn(state, ctx):
    """The turn passes with nothing played; where no card can move any more that is counted."""
    log(ctx, EVENTS.passed, top(state).seat)
    state.passes = state.passes + 1 if piles_empty(state) else 0
    end_turn(state, ctx)


@rule
def end_turn(state, ctx):
    """The next seat clockwise begins its turn; after the last turn allowed, or where all have passed
    with no card left to draw, the game is cut off."""
    seat = int(top(state).seat)
    pop(state)
    state.turns += 1
    if state.turns >= state.options.max_turns or state.passes == state.players:
        state.reward_unit = 1
        finish(state, TRUNCATED)
    else:
        begin_turn(state, ctx, clockwise(state, seat, 1))


@rule
def play(state, ctx, action):
    """Carry out an action of the pending decision."""
    state.passes = 0
    require(0 <= action and action <= ACTIONS.refresh)
    decision = top(state)
    if decision.kind == ZOMBIE:
        give_turned_up(state, ctx, action)
    elif action == ACTIONS.refresh:
        require(playability(state, decision.seat) != PLAYABLE)
        if may_refresh(state):
            refresh(state, ctx, decision.seat)
        else:
            keep_hand(state, ctx, decision.seat)
    else:
        play_card(state, ctx, action // SEATS, action % SEATS)
    drive(state, ctx)


@rule
def give_turned_up(state, ctx, action):
    """A zombie player gives the turned-up card to a living player whom it fits (p.1)."""
    decision = top(state)
    card = action // SEATS
    target = clockwise(state, decision.seat, action % SEATS)
    require(card == decision.a and action % SEATS < state.players and fits(state, target, card))
    log(ctx, EVENTS.played, decision.seat, card, target)
    lay(state, ctx, target, card)
    if state.over == 0:
        end_turn(state, ctx)


@rule
def play_card(state, ctx, card, place):
    """A living player lays a card of his hand before himself or another (p.1)."""
    seat = int(top(state).seat)
    target = clockwise(state, seat, place)
    require(card < CODES and place < state.players and can_play(state, seat, target, card))
    special = is_special(seat, target, card)
    leave_hand(state, seat, card)
    log(ctx, EVENTS.played, seat, card, target)
    lay(state, ctx, target, card)
    if state.over != 0:
        return
    if special and state.seats[seat].turned == 0:
        state.special_spent = 1
        draw(state, ctx, seat)
    else:
        end_turn(state, ctx)


# --- the end ------------------------------------------------------------------------------------


@rule
def win(state, ctx, seat):
    """Saved by five items, or the last one alive: the game ends at once (p.1)."""
    state.winner = seat + 1
    log(ctx, EVENTS.won, seat)
    players = int(state.players)
    if state.options.rank:
        state.reward_unit = players - 1
        for other in range(players):
            better, equal = places(state, other)
            # Places better + 1 .. better + equal are shared: twice the mean place is their sum.
            state.reward[other] = players + 1 - (2 * better + equal + 1)
    else:
        state.reward_unit = players
        for other in range(players):
            state.reward[other] = players - 1 if other == seat else -1
    finish(state, TERMINATED)


@rule
def standing(state, seat):
    """How well a seat stands at the end, as one number: winner, then living by more items and fewer
    zombies, then turned players, the later the better (reward ``rank``)."""
    me = state.seats[seat]
    if state.winner == seat + 1:
        return 10_000
    if me.turned == 0:
        return 1_000 + 20 * items_on(me.table) + (19 - zombies_on(me.table))
    return int(me.turned)


@rule
def places(state, seat):
    """How many seats stand better than this one, and how many stand equal (itself included)."""
    mine = standing(state, seat)
    better = 0
    equal = 0
    for other in range(state.players):
        better += standing(state, other) > mine
        equal += standing(state, other) == mine
    return better, equal


# --- conservation -------------------------------------------------------------------------------


@rule
def check(state, ctx):
    """Raise where a card was lost or made: every code has its copies, whatever happens."""
    for code in range(CODES):
        n = int(state.discard[code])
        for i in range(state.pile_size):
            n += state.pile[i] == code
        for seat in range(SEATS):
            me = state.seats[seat]
            n += me.hand[code] + me.table[code]
            if (
                me.hand[code] < 0
                or me.table[code] < 0
                or me.table[code] > 1
                or me.known[code] > me.hand[code]
            ):
                raise AssertionError("a seat holds a count of cards that cannot be")
            if me.turned != 0 and me.hand[code] + me.table[code] > 0:
                raise AssertionError("a seat that has turned still has cards")
        if state.depth > 0 and top(state).kind == ZOMBIE and top(state).a == code:
            n += 1
        if n != (state.options.copies if in_deck(state.options, code) else 0):
            raise AssertionError("the cards of a kind do not add up")
    for i in range(state.pile_size, CARDS):
        if state.pile[i] != 0:
            raise AssertionError("an unused place of the pile is not zero")
