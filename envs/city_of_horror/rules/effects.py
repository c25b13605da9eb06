"""What a card, an ability or the activation of a place does: announcing, cancelling, choices, effect.

All three are a *source*: a row of the tables in cards.py.  An effect in progress is a frame of the
decision stack with the source and its choices; a card's cancelling stands above it.
"""

from __future__ import annotations

from ...core.chance import chance
from ...core.decisions import pop, push, top
from ...core.events import log
from ...core.rule import require, rule
from ...core.state import total
from ..cards import (
    A_CHARACTER,
    A_COST,
    A_PLACE,
    A_SEAT,
    ALARM,
    AMOUNT,
    ARMORY,
    ARMORY_LIMIT,
    BE_FIRST,
    BIRTH,
    CALM,
    CHANGE,
    CHARACTERS,
    CHOICES,
    CHURCH_B,
    COPIES,
    CROSSROADS,
    CURE_A,
    CURE_B,
    DRAW,
    DUCK,
    EFFECT,
    ENTER,
    FLARE,
    FOOD_A,
    FOOD_B,
    FOOD_SHOWN,
    FOOD_SPENT,
    FOOD_TAKEN,
    FOOD_VALUES,
    FREE,
    FROM_PILE,
    HALVE,
    HIDE,
    HOSPITAL,
    HOURS,
    KILL,
    KILL_HERE,
    KINDS,
    KITTEN,
    LAY_FOOD,
    LEADER,
    MARKED,
    MOST_ZOMBIES,
    NO_CHOICE,
    OTHER_PLACE,
    PEEK,
    PLACE_SOURCE,
    PLACES,
    PREGNANT,
    PUNK,
    PUSH,
    REPLACE,
    REPLICA,
    REST,
    ROUNDS,
    RUIN,
    SHIFT,
    SPEAK,
    STEAL,
    STEP_LEADER,
    SWAP,
    TEAR_GAS,
    TOWER,
    TOWER_LIMIT,
)
from ..state import ACTIONS, BLONDE_STEP, D_CANCEL, D_EFFECT, D_TOKEN, EVENTS, FACE_DOWN, INVADING
from .hands import discard, draw, steal, take_discard
from .setting_up import show_food
from .town import (
    add_zombies,
    beside_leader,
    clockwise_by,
    collapse,
    hand_size,
    kill_zombies,
    leader_to,
    move_zombies,
    next_place_with_zombies,
    shut_armory,
    stands,
)

# --- what can be done now -----------------------------------------------------------------------


@rule
def can_rest(state, seat):
    """Whether a seat has a living tired character that can be turned; the Pregnant Woman never (p.8)."""
    for i in range(CHARACTERS):
        if may_rest(state, seat, i):
            return True
    return False


@rule
def may_rest(state, seat, character):
    """A living tired character of one's own, wherever it is."""
    person = state.people[character]
    return person.owner == seat + 1 and person.place > 0 and person.tired != 0 and character != PREGNANT


@rule
def may_hide(state, seat, character):
    """A living character of one's own that is not hidden yet."""
    person = state.people[character]
    return person.owner == seat + 1 and person.place > 0 and person.hidden == 0


@rule
def may_cure(state, seat, character):
    """Hospital B tires a rested character of one's own that is there, never the Pregnant Woman."""
    person = state.people[character]
    return stands(person, seat, HOSPITAL) and person.tired == 0 and character != PREGNANT


@rule
def may_steal(state, seat, victim):
    """Another seat with an action card."""
    return victim != seat and hand_size(state, victim) > 0


@rule
def votes_ahead(state, place):
    """Whether votes may still come at a place this round; the crossroads have none."""
    return place != CROSSROADS and state.number[place] + 1 >= state.location


@rule
def any_votes_ahead(state):
    """Whether a vote may still come this round: not once the crossroads, the sixth place, are reached."""
    return state.location < PLACES


@rule
def card_left(state):
    """The hour of the next invasion card, 0 when none is left."""
    hour = state.round if state.step <= INVADING else state.round + 1
    return hour if hour < HOURS else 0


@rule
def place_suits(state, effect, place):
    """Whether a place can be the (first) place of an effect."""
    if effect == HALVE:
        return state.zombies[place] >= 2
    if effect == ALARM:
        return state.zombies[place] < MOST_ZOMBIES
    if effect == REPLICA:
        return votes_ahead(state, place)
    return state.zombies[place] > 0  # KILL, KITTEN, FLARE


@rule
def can_work(state, seat, source):
    """Whether playing or using a source could change something; for abilities public facts decide."""
    effect = EFFECT[source]
    if effect == KILL or effect == KITTEN or effect == FLARE:
        if source < KINDS and MARKED[source] and state.tokens_left > 0:
            return True  # an explosion card may be played for its token alone
        return next_place_with_zombies(state, 1) >= 0
    if effect == HALVE:
        return next_place_with_zombies(state, 2) >= 0
    if effect == ALARM:
        return state.zombies_left > 0
    if effect == REST:
        return can_rest(state, seat)
    if effect == HIDE:
        for i in range(CHARACTERS):
            if may_hide(state, seat, i):
                return True
        return False
    if effect == PEEK:
        return card_left(state) > 0 and (state.seen >> seat) & 1 == 0
    if effect == STEAL:
        for victim in range(state.players):
            if may_steal(state, seat, victim):
                return True
        return False
    if effect == CALM:
        return state.round < ROUNDS or state.step <= BLONDE_STEP
    if effect == SWAP:
        return hand_size(state, seat) > 0 and total(state.discard) > 0
    if effect == DRAW:
        return state.deck_size > 0
    if effect == BE_FIRST:
        return state.first != seat
    if effect == PUSH or effect == KILL_HERE:
        return state.zombies[state.people[source - KINDS].place - 1] > 0
    if effect == REPLICA:
        return any_votes_ahead(state)
    if effect == SPEAK:
        return state.people[source - KINDS].freed == 0 and any_votes_ahead(state)
    if effect == BIRTH:
        return state.round < ROUNDS or any_votes_ahead(state)
    if effect == DUCK:
        return state.people[source - KINDS].hidden == 0
    return True


# --- playing, using, cancelling -----------------------------------------------------------------


@rule
def play_card(state, ctx, seat, kind):
    """A card is announced and spent; it takes effect unless somebody cancels it (p.10)."""
    discard(state, seat, kind)
    log(ctx, EVENTS.played, seat, kind)
    push(state, D_EFFECT, seat, kind)
    push(state, D_CANCEL, seat, kind, seat)


@rule
def use_ability(state, ctx, seat, character):
    """A rested character is tired for its ability, which nobody can cancel (p.6)."""
    tire(state, ctx, seat, character)
    push(state, D_EFFECT, seat, KINDS + character)


@rule
def tire(state, ctx, seat, character):
    """Turn a character's card to its tired side."""
    require(owns_rested(state, seat, character))
    state.people[character].tired = 1
    log(ctx, EVENTS.used, seat, character)


@rule
def owns_rested(state, seat, character):
    """Whether a seat has this character, alive and rested."""
    person = state.people[character]
    return person.owner == seat + 1 and person.place > 0 and person.tired == 0


@rule
def may_cancel(state, seat):
    """Who is asked to cancel: holders of any card while a Tear Gas is out, the owner of a rested Punk."""
    gas = state.discard[TEAR_GAS] < COPIES[TEAR_GAS] and hand_size(state, seat) > 0
    return gas or owns_rested(state, seat, PUNK)


@rule
def ask_to_cancel(state, ctx):
    """Find the next seat, in turn order, that is asked to cancel; nobody left: the card stands."""
    frame = top(state)
    while frame.c < state.players:
        seat = (state.first + frame.c) % state.players
        frame.c += 1
        if seat != frame.b and may_cancel(state, seat):
            frame.seat = seat
            frame.d = 1
            return
    kind = int(frame.a)
    pop(state)
    if kind == TEAR_GAS:
        cancel(state, ctx)


@rule
def answer_cancel(state, ctx, seat, action):
    """A seat lets the card stand, plays Tear Gas (which can be cancelled again) or uses the Punk."""
    top(state).d = 0
    if action == ACTIONS.play + TEAR_GAS:
        discard(state, seat, TEAR_GAS)
        log(ctx, EVENTS.played, seat, TEAR_GAS)
        push(state, D_CANCEL, seat, TEAR_GAS, seat)
    elif action == ACTIONS.use + PUNK:
        tire(state, ctx, seat, PUNK)
        cancel(state, ctx)
    else:
        require(action == ACTIONS.passes)


@rule
def cancel(state, ctx):
    """The announced card on top is cancelled: its effect is gone, what it would have cancelled stands."""
    kind = int(top(state).a)
    log(ctx, EVENTS.cancelled, top(state).b, kind)
    pop(state)
    if kind != TEAR_GAS:
        pop(state)


# --- choices ------------------------------------------------------------------------------------


@rule
def next_choice(state, frame):
    """Which choice an effect asks for next.

    None for an explosion card without a zombie to work on, and for a theft where the last card of the
    others went into cancelling.
    """
    effect = EFFECT[frame.a]
    if frame.b == 0:
        if effect == STEAL and not can_work(state, frame.seat, frame.a):
            return NO_CHOICE
        if frame.a < KINDS and MARKED[frame.a] and next_place_with_zombies(state, 1) < 0:
            return NO_CHOICE
        return CHOICES[effect, 0]
    if frame.c == 0:
        return CHOICES[effect, 1]
    return NO_CHOICE


@rule
def push_source(state, frame):
    """Where an effect moves zombies from: the first place chosen, or where the character stands."""
    if EFFECT[frame.a] == PUSH:
        return state.people[frame.a - KINDS].place - 1
    return frame.b - 1


@rule
def legal_choices(state, frame, mask):
    """The legal answers to the choice that an effect asks for."""
    seat = int(frame.seat)
    effect = EFFECT[frame.a]
    choice = next_choice(state, frame)
    if choice == A_PLACE:
        for place in range(PLACES):
            mask[ACTIONS.place + place] = choice_of_place(state, effect, seat, place)
    elif choice == OTHER_PLACE:
        for place in range(PLACES):
            mask[ACTIONS.place + place] = has_room(state, frame, place)
    elif choice == A_CHARACTER:
        for i in range(CHARACTERS):
            mask[ACTIONS.character + i] = character_suits(state, effect, seat, i)
    elif choice == A_SEAT:
        for place in range(state.players):
            mask[ACTIONS.seat + place] = seat_suits(state, effect, seat, (seat + place) % state.players)
    elif choice == A_COST:
        for kind in range(KINDS):
            mask[ACTIONS.kind + kind] = state.cards[seat, kind] > 0
    elif choice == FROM_PILE:
        for kind in range(KINDS):
            mask[ACTIONS.kind + kind] = state.discard[kind] > 0
    elif choice == FOOD_SPENT:
        for value in range(FOOD_VALUES):
            mask[ACTIONS.food + value] = state.seats[seat].food[value] > 0
    elif choice == FOOD_TAKEN:
        for value in range(FOOD_VALUES):
            mask[ACTIONS.food + value] = state.food_up[value] > 0
        mask[ACTIONS.food + FACE_DOWN] = total(state.food_down) > 0


@rule
def choice_of_place(state, effect, seat, place):
    """Whether a place can be the first one chosen: a changed movement card must be another one."""
    return place != state.seats[seat].chosen - 1 if effect == CHANGE else place_suits(state, effect, place)


@rule
def has_room(state, frame, place):
    """Whether zombies can move to a place: another one that is not full of them."""
    return place != push_source(state, frame) and state.zombies[place] < MOST_ZOMBIES


@rule
def character_suits(state, effect, seat, character):
    """Whether a character can be the one that an effect asks for."""
    if effect == HIDE:
        return may_hide(state, seat, character)
    if effect == CURE_B:
        return may_cure(state, seat, character)
    return may_rest(state, seat, character)


@rule
def seat_suits(state, effect, seat, other):
    """Whether a seat can be the one that an effect asks for."""
    if effect == STEAL:
        return may_steal(state, seat, other)
    if effect == REPLICA:
        return other != seat
    if effect == STEP_LEADER:
        return beside_leader(state, other)
    return state.wheel[state.leader] != other  # the leader goes to another colour


@rule
def choose(state, ctx, seat, action):
    """A choice is made; costs are paid at once."""
    frame = top(state)
    effect = EFFECT[frame.a]
    choice = next_choice(state, frame)
    if choice == A_PLACE or choice == OTHER_PLACE:
        value = action - ACTIONS.place
        require(value >= 0 and value < PLACES)
        require(
            choice_of_place(state, effect, seat, value)
            if choice == A_PLACE
            else has_room(state, frame, value)
        )
    elif choice == A_CHARACTER:
        value = action - ACTIONS.character
        require(value >= 0 and value < CHARACTERS and character_suits(state, effect, seat, value))
    elif choice == A_SEAT:
        value = clockwise_by(state, seat, action - ACTIONS.seat)
        require(seat_suits(state, effect, seat, value))
    elif choice == A_COST:
        value = action - ACTIONS.kind
        require(value >= 0 and value < KINDS)
        discard(state, seat, value)
        log(ctx, EVENTS.discarded, seat, value)
    elif choice == FROM_PILE:
        value = action - ACTIONS.kind
        require(value >= 0 and value < KINDS and state.discard[value] > 0)
    else:
        value = action - ACTIONS.food
        require(value >= 0 and value <= FACE_DOWN and (choice == FOOD_TAKEN or value < FACE_DOWN))
        if choice == FOOD_SPENT:
            spend_food(state, ctx, seat, value)
        else:
            require((total(state.food_down) if value == FACE_DOWN else state.food_up[value]) > 0)
    if frame.b == 0:
        frame.b = value + 1
    else:
        frame.c = value + 1


# --- effects ------------------------------------------------------------------------------------


@rule
def resolve(state, ctx, t):
    """The effect on top has all its choices: it happens, then its explosion token is laid (p.7)."""
    frame = top(state)
    seat = int(frame.seat)
    source = int(frame.a)
    first = frame.b - 1
    second = frame.c - 1
    place = push_source(state, frame)
    pop(state)
    take_effect(state, ctx, t, seat, source, first, second, place)
    if source < KINDS and MARKED[source] and state.tokens_left > 0:
        push(state, D_TOKEN, seat)


@rule
def take_effect(state, ctx, t, seat, source, first, second, place):
    """What a source does, with its choices."""
    effect = EFFECT[source]
    if effect == KILL or effect == FLARE or effect == PUSH:
        if place >= 0 and effect == KILL:
            kill_zombies(state, ctx, place, AMOUNT[source])
        elif place >= 0:
            target = second if effect == FLARE else first
            move_zombies(state, ctx, place, target, t.flare if effect == FLARE else AMOUNT[source])
    elif effect == HALVE:
        kill_zombies(state, ctx, first, state.zombies[first] // 2)
    elif effect == KILL_HERE:
        kill_zombies(state, ctx, state.people[source - KINDS].place - 1, AMOUNT[source])
    elif effect == ALARM:
        add_zombies(state, ctx, first, AMOUNT[source])
    elif effect == KITTEN:
        move_zombies(state, ctx, first, chance(state, ctx, PLACES), MOST_ZOMBIES)
    elif effect == REST or effect == CHURCH_B:
        state.people[second if effect == CHURCH_B else first].tired = 0
    elif effect == HIDE:
        state.people[first].hidden = 1
    elif effect == DUCK:
        state.people[source - KINDS].hidden = 1
    elif effect == SPEAK or effect == FREE:
        state.people[source - KINDS].freed = 1
    elif effect == PEEK:
        see_next_card(state, ctx, seat)
    elif effect == LEADER or effect == STEP_LEADER or effect == SHIFT:
        leader_to(state, ctx, second if effect == SHIFT else first)
    elif effect == STEAL:
        if first >= 0:
            steal(state, ctx, seat, first)
    elif effect == REPLICA:
        state.caster[first, second] = seat + 1
    elif effect == CHANGE:
        state.seats[seat].chosen = first + 1
        log(ctx, EVENTS.showed, seat, first)
    elif effect == ENTER:
        top(state).c = 1  # the decision beneath, where the character stands before a full place
    elif effect == LAY_FOOD:
        state.seats[seat].canned += AMOUNT[source]
    elif effect == SWAP:
        take_discard(state, ctx, seat, second)
    elif effect == DRAW or effect == REPLACE:
        draw(state, ctx, seat)
    elif effect == BE_FIRST:
        state.first = seat
        log(ctx, EVENTS.first, seat)
    elif effect == CURE_A or effect == CURE_B:
        if effect == CURE_B:
            tire(state, ctx, seat, first)
        take_antidote(state, ctx, seat)
    elif effect == FOOD_A or effect == FOOD_B:
        take_food(state, ctx, seat, FACE_DOWN if effect == FOOD_A else second)


@rule
def see_next_card(state, ctx, seat):
    """A seat looks at the next invasion card."""
    state.seen |= 1 << seat
    log(ctx, EVENTS.saw_card, seat, 0, 0, 1 << seat, state.invasion[card_left(state)])


@rule
def take_antidote(state, ctx, seat):
    """An antidote comes from the supply."""
    require(state.antidotes_left > 0)
    state.antidotes_left -= 1
    state.seats[seat].antidotes += 1
    log(ctx, EVENTS.antidote, seat)


@rule
def take_food(state, ctx, seat, value):
    """A food token: a face-up one in sight of all, or a random face-down one; three are shown (p.9)."""
    me = state.seats[seat]
    if value < FACE_DOWN:
        require(state.food_up[value] > 0)
        state.food_up[value] -= 1
        me.food[value] += 1
        me.food_known[value] += 1
        log(ctx, EVENTS.food, seat, value)
        if total(state.food_up) < FOOD_SHOWN:
            show_food(state, ctx)
        return
    k = chance(state, ctx, total(state.food_down))
    for v in range(FOOD_VALUES):
        k -= state.food_down[v]
        if k < 0:
            state.food_down[v] -= 1
            me.food[v] += 1
            log(ctx, EVENTS.food, seat, FACE_DOWN, 0, 1 << seat, v)
            return


@rule
def spend_food(state, ctx, seat, value):
    """A food token leaves the game in sight of all (p.11)."""
    me = state.seats[seat]
    require(me.food[value] > 0)
    me.food[value] -= 1
    me.food_known[value] = max(0, me.food_known[value] - 1)
    state.food_gone[value] += 1
    log(ctx, EVENTS.ate, seat, value)


# --- explosion tokens ---------------------------------------------------------------------------


@rule
def lay_token(state, ctx, seat, place):
    """The player of the card lays its token; what follows, follows at once (p.9, p.10)."""
    require(place == TOWER or (place == ARMORY and state.shut == 0))
    pop(state)
    state.tokens_left -= 1
    state.tokens[place] += 1
    log(ctx, EVENTS.token, seat, place)
    if place == TOWER and state.side[TOWER] != RUIN and state.tokens[TOWER] >= TOWER_LIMIT:
        collapse(state, ctx)
    elif place == ARMORY and state.tokens[ARMORY] >= ARMORY_LIMIT[state.side[ARMORY]]:
        shut_armory(state, ctx)


# --- activation ---------------------------------------------------------------------------------


@rule
def activation(state, place):
    """The source that a place is when it is activated."""
    return PLACE_SOURCE + PLACES * state.side[place] + place


@rule
def can_activate(state, seat, place):
    """Whether a seat could use a place, as far as all can see; the tower has phases of its own."""
    if place == TOWER:
        return False
    effect = EFFECT[activation(state, place)]
    if effect == REST or effect == CHURCH_B:
        return can_rest(state, seat) and (effect == REST or total(state.seats[seat].food) > 0)
    if effect == STEP_LEADER:
        return True
    if effect == CURE_B:
        for i in range(CHARACTERS):
            if may_cure(state, seat, i):
                return state.antidotes_left > 0
        return False
    if hand_size(state, seat) == 0:
        return False
    if effect == CURE_A:
        return state.antidotes_left > 0
    if effect == REPLACE:
        return state.deck_size > 0
    if effect == SWAP:
        return total(state.discard) > 0
    if effect == FOOD_A or effect == FOOD_B:
        return total(state.food_down) + total(state.food_up) > 0
    return True  # SHIFT


@rule
def activate(state, ctx, seat, place):
    """A seat uses the place, once however many characters it has there (p.5)."""
    log(ctx, EVENTS.activated, seat, place)
    push(state, D_EFFECT, seat, activation(state, place))
