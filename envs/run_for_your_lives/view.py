"""What a seat may know: the View's fields, `observe`, and `resample` over everything else."""

from __future__ import annotations

import numpy as np

from ..core.chance import below_large, seed_stream, shuffle_with, ways_to_choose
from ..core.decisions import top
from ..core.fields import Field, Fields
from ..core.rule import rule
from ..core.state import copy_row, fill, total
from .cards import CARD_NAMES, CARDS, CODES, COPIES, GOAL, ITEMS, SEATS
from .rules import MAX_REFRESHES, NOTHING, clockwise, playability, was_reshuffled
from .state import LIVING, ZOMBIE

MOST_HELD = 12  # hands this large are shown as this large; four to six cards is usual

FIELDS = Fields(
    Field("players", (), SEATS, "category", "how many play"),
    Field("kinds", (), ITEMS, "count", "item kinds in the deck"),
    Field("copies", (), COPIES, "count", "cards of each code"),
    Field("goal", (), GOAL, "count", "different items that save, zombies that turn"),
    Field("forbid_fatal", (), 1, "flag", "nobody may sacrifice himself by the Special Rule"),
    Field("rank", (), 1, "flag", "the reward is by place, not by the win alone"),
    Field("turns_left", (), 127, "count", "turns until the game is cut off (127: or more)"),
    Field("decision", (), 2, "category", "1 a living player plays, 2 a zombie player gives a card"),
    Field("to_act", (), SEATS, "category", "whose decision, relative seat + 1"),
    Field(
        "turned_up", (), CODES, "category", "the card that a zombie player must give, code + 1", CARD_NAMES
    ),
    Field("special_spent", (), 1, "flag", "the Special Rule is used up this turn"),
    Field("refreshes", (), MAX_REFRESHES, "count", "hands shown and changed this turn"),
    Field("passes", (), SEATS, "count", "turns in a row that passed with both piles empty"),
    Field("winner", (), SEATS, "category", "who has won, relative seat + 1"),
    Field("hand", (CODES,), COPIES, "count", "own hand by code", CARD_NAMES),
    Field("hand_size", (SEATS,), MOST_HELD, "count", f"cards in each hand ({MOST_HELD}: or more)"),
    Field("turned", (SEATS,), SEATS, "count", "0 alive, else the order of turning"),
    Field("table", (SEATS, CODES), 1, "set", "cards lying before each seat", CARD_NAMES),
    Field(
        "known", (SEATS, CODES), COPIES, "count", "hand cards of other seats that all were shown", CARD_NAMES
    ),
    Field("discard", (CODES,), COPIES, "count", "discard pile by code", CARD_NAMES),
    Field("pile_size", (), CARDS, "count", "cards in the draw pile"),
    Field(
        "shuffled",
        (CODES,),
        COPIES,
        "count",
        "draw pile when it was made of discards (before: 0)",
        CARD_NAMES,
    ),
    Field(
        "out", (CODES,), COPIES, "count", "of these, surely taken since, as this seat can tell", CARD_NAMES
    ),
    Field("drawn", (SEATS,), CARDS, "count", "cards that each hand drew since (before: 0)"),
)
VIEW = FIELDS.dtype

MOST_TRIES = 100_000  # redeals before a position is given up as impossible; one to ten are usual


@rule
def observe(state, ctx, seat, view):
    """Write the View of a seat (relative places: 0 is the seat itself), or of a spectator (-1)."""
    options = state.options
    players = int(state.players)
    base = max(int(seat), 0)
    view.players = players
    view.kinds = options.kinds
    view.copies = options.copies
    view.goal = options.goal
    view.forbid_fatal = options.forbid_fatal
    view.rank = options.rank
    view.turns_left = min(127, options.max_turns - state.turns)
    view.decision = 0
    view.to_act = 0
    view.turned_up = 0
    if state.depth > 0:
        decision = top(state)
        view.decision = decision.kind
        view.to_act = place_of(state, base, decision.seat) + 1
        if decision.kind == ZOMBIE:
            view.turned_up = decision.a + 1
    view.special_spent = state.special_spent
    view.refreshes = state.refreshes
    view.passes = state.passes
    view.winner = 0
    if state.winner > 0:
        view.winner = place_of(state, base, state.winner - 1) + 1
    if seat >= 0:
        copy_row(view.hand, state.seats[seat].hand)
    else:
        fill(view.hand, 0)
    remembers = was_reshuffled(state)
    for place in range(SEATS):
        if place < players:
            other = state.seats[clockwise(state, base, place)]
            view.hand_size[place] = min(MOST_HELD, total(other.hand))
            view.turned[place] = other.turned
            copy_row(view.table[place], other.table)
            copy_row(view.known[place], other.known)
            view.drawn[place] = total(other.took) if remembers else 0
        else:
            view.hand_size[place] = 0
            view.turned[place] = 0
            fill(view.table[place], 0)
            fill(view.known[place], 0)
            view.drawn[place] = 0
    copy_row(view.discard, state.discard)
    view.pile_size = state.pile_size
    copy_row(view.shuffled, state.shuffled)
    if remembers:
        for code in range(CODES):
            view.out[code] = surely_out(state, seat, code)
    else:
        fill(view.out, 0)


@rule
def place_of(state, base, seat):
    """How many places clockwise of one seat another sits."""
    return seat - base if seat >= base else seat - base + state.players


@rule
def surely_out(state, seat, code):
    """How many of a code have surely left the pile since it was shuffled, as a seat can tell.

    Its own draws and the cards turned up; besides, what other hands have shown beyond what could
    have lain in them at the shuffle.  The seat knows how many lay there, since it knows the pile,
    the tables and its own hand of that moment; the difference below is the same number.
    """
    own = 0
    excess = 0
    for other in range(state.players):
        him = state.seats[other]
        if other == seat:
            own = int(him.took[code])
        else:
            excess += him.took[code] - him.hand[code]
    return own + state.revealed[code] + max(0, excess)


# --- resample -----------------------------------------------------------------------------------


@rule
def resample(state, ctx, seat, seed):
    """Redeal what a seat (or a spectator, -1) cannot know, uniformly over labelled cards.

    Drawn anew until the world fits what the View remembers: the pile holds of each code at most
    what was shuffled into it less what is surely out; shown hands stay; a living player who is being
    asked has something to play; and some draws since the last shuffle explain the hands.  Worlds
    are not weighted by how many such draws there are, and what could be concluded from before the
    last shuffle is not in the View (both rulings).
    """
    seed_stream(state.random, seed)
    free = np.zeros(CODES, np.int64)  # hidden cards by code
    limit = np.zeros(CODES, np.int64)  # of these, the most that the pile can hold
    slots = np.zeros(SEATS, np.int64)  # hidden cards in each other hand
    chosen = np.zeros(CODES, np.int64)  # the pile of the new world
    count_hidden(state, seat, free, limit, slots)
    for _ in range(MOST_TRIES):
        redeal(state, seat, free, limit, slots, chosen)
        if asked_rightly(state, seat) and draws_explain_hands(state, seat, chosen):
            lay_pile(state, chosen)
            return
    raise ValueError("no world fits what this seat has seen: the position cannot have come about")


@rule
def count_hidden(state, seat, free, limit, slots):
    """What the seat cannot see, and how much of it can lie in the draw pile."""
    for i in range(state.pile_size):
        free[state.pile[i]] += 1
    for other in range(state.players):
        if other != seat:
            him = state.seats[other]
            for code in range(CODES):
                hidden = him.hand[code] - him.known[code]
                free[code] += hidden
                slots[other] += hidden
    for code in range(CODES):
        limit[code] = free[code]
        if was_reshuffled(state):
            limit[code] = min(free[code], state.shuffled[code] - surely_out(state, seat, code))


@rule
def redeal(state, seat, free, limit, slots, chosen):
    """One uniform redeal: pile counts into ``chosen``, the rest into the other hands."""
    choose_pile(state.random, free, limit, int(state.pile_size), chosen)
    cards = np.zeros(CARDS, np.int64)
    n = 0
    for code in range(CODES):
        for _ in range(free[code] - chosen[code]):
            cards[n] = code
            n += 1
    shuffle_with(state.random, cards, n)
    for other in range(state.players):
        if other != seat:
            him = state.seats[other]
            copy_row(him.hand, him.known)
            for _ in range(slots[other]):
                n -= 1
                him.hand[cards[n]] += 1


@rule
def choose_pile(random, free, limit, size, chosen):
    """How many cards of each code lie in the pile: ``size`` of the free labelled cards, uniformly
    among the choices with at most ``limit`` of each code.

    ``ways[code][n]`` counts the choices of n cards from the codes below (at most C(63, 31) < 2**63).
    """
    ways = np.zeros((CODES + 1, CARDS + 1), np.int64)
    ways[0, 0] = 1
    for code in range(CODES):
        for n in range(size + 1):
            for k in range(min(n, limit[code]) + 1):
                ways[code + 1, n] += ways[code, n - k] * ways_to_choose(free[code], k)
    if ways[CODES, size] == 0:
        raise ValueError("the draw pile cannot hold so many cards of what was shuffled into it")
    n = size
    for code in range(CODES - 1, -1, -1):
        ticket = below_large(random, ways[code + 1, n])
        k = 0
        while ticket >= ways[code, n - k] * ways_to_choose(free[code], k):
            ticket -= ways[code, n - k] * ways_to_choose(free[code], k)
            k += 1
        chosen[code] = k
        n -= k


@rule
def asked_rightly(state, seat):
    """A living player who is being asked has something to play, else he would not be asked."""
    if state.depth == 0:
        return True
    decision = top(state)
    return decision.kind != LIVING or decision.seat == seat or playability(state, decision.seat) != NOTHING


@rule
def draws_explain_hands(state, seat, chosen):
    """Whether the other hands can have come about by the draws since the last shuffle; if so, their
    ``took`` is set to one such way, so that the world is a legal one for them, too.

    Each seat drew a number of cards that all have seen, each from cards that it holds or has shown;
    per code the draws of all others are what is missing from the pile.  (A transport problem; one
    card after the other is assigned, earlier ones are moved along a path of seats where needed.)
    """
    if not was_reshuffled(state):
        return True
    room = np.zeros(SEATS, np.int64)
    for other in range(state.players):
        if other != seat:
            room[other] = total(state.seats[other].took)
            fill(state.seats[other].took, 0)
    for code in range(CODES):
        missing = int(state.shuffled[code]) - state.revealed[code] - chosen[code]
        if seat >= 0:
            missing -= state.seats[seat].took[code]
        for _ in range(missing):
            if not assign_draw(state, seat, code, room):
                give_back_draws(state, seat, room)
                return False
    return True


@rule
def give_back_draws(state, seat, room):
    """After a failed try only the numbers of draws matter: keep them on any code."""
    for other in range(state.players):
        if other != seat:
            state.seats[other].took[0] += room[other]


@rule
def assign_draw(state, seat, code, room):
    """Let one more card of a code have been drawn by some other seat; False where none can have."""
    parent = np.full(SEATS, -1, np.int64)  # the seat before on the path; itself at its start
    moved = np.zeros(SEATS, np.int64)  # the code that the seat takes over from its parent
    queue = np.zeros(SEATS, np.int64)
    n = 0
    for other in range(state.players):
        if other != seat and could_have_drawn(state.seats[other], code):
            parent[other] = other
            moved[other] = code
            queue[n] = other
            n += 1
    i = 0
    while i < n:
        here = queue[i]
        i += 1
        if room[here] > 0:
            room[here] -= 1
            while parent[here] != here:
                state.seats[here].took[moved[here]] += 1
                state.seats[parent[here]].took[moved[here]] -= 1
                here = parent[here]
            state.seats[here].took[code] += 1
            return True
        for other in range(state.players):
            if other != seat and parent[other] < 0:
                for k in range(CODES):
                    if state.seats[here].took[k] > 0 and could_have_drawn(state.seats[other], k):
                        parent[other] = here
                        moved[other] = k
                        queue[n] = other
                        n += 1
                        break
    return False


@rule
def could_have_drawn(him, code):
    """Whether one more of the cards that a seat holds or has shown can come from its draws."""
    return him.took[code] < him.hand[code] + him.shown[code]


@rule
def lay_pile(state, chosen):
    """Lay the chosen cards into the pile in a random order."""
    n = 0
    for code in range(CODES):
        for _ in range(chosen[code]):
            state.pile[n] = code
            n += 1
    shuffle_with(state.random, state.pile, n)
