"""What a seat may know: the View's fields and `observe`."""

from __future__ import annotations

from ..core.decisions import top
from ..core.fields import Field, Fields
from ..core.rule import rule
from ..core.state import copy_row, fill, total
from .cards import (
    A_COST,
    A_PLACE,
    ANTIDOTES,
    ARMORY,
    CARD_LETTERS,
    CARDS,
    CARDS_AN_HOUR,
    CHARACTER_NAMES,
    CHARACTERS,
    CHOICES,
    COLOUR_NAMES,
    CORNERS,
    EFFECT,
    FOOD_NAMES,
    FOOD_VALUES,
    GRANNY,
    HOURS,
    KIND_NAMES,
    KINDS,
    MOST_PICKS,
    MOST_ZOMBIES,
    PLACE_NAMES,
    PLACES,
    ROUNDS,
    SEATS,
    SIDE_NAMES,
    SOURCE_NAMES,
    SOURCES,
    TOKENS,
    WINDOW_NAMES,
    WINDOWS,
    ZOMBIES,
)
from .rules.effects import card_left
from .rules.town import hand_size, voice
from .state import (
    D_ANSWER,
    D_CANCEL,
    D_CANNED,
    D_CARD,
    D_DRAFT,
    D_EFFECT,
    D_ENTER,
    D_GIVE,
    D_GIVE_TO,
    D_OFFER,
    D_TIE,
    D_TOKEN,
    D_TURN_BACK,
    D_VOTE,
    D_WINDOW,
    DECISIONS,
    DRAFTING,
    EVERYONE,
    GOODS,
    INVADING,
    PICKED,
    RELATIVE,
    STEPS,
    TALK,
)

FIELDS = Fields(
    # the game
    Field("players", (), SEATS, "category", "how many play"),
    Field("draft", (), 2, "category", "option draft: 1 printed, 2 full", ("printed", "full")),
    Field("all_windows", (), 1, "flag", "option windows is all"),
    Field("negotiation", (), 2, "category", "option negotiation: 1 trade, 2 talk", ("trade", "talk")),
    Field("reward", (), 3, "category", "option reward: 1 win, 2 score, 3 rank", ("win", "score", "rank")),
    Field("round", (), ROUNDS, "category", "round, 0 in the set-up"),
    Field("step", (), len(STEPS) - 1, "category", "the step that comes after what is pending", STEPS[1:]),
    Field("location", (), PLACES, "category", "the place being resolved + 1", PLACE_NAMES),
    Field(
        "window",
        (),
        WINDOWS,
        "category",
        "open window: 1 planning, 2 invasion, 3 location, 4 supplies, 5 end",
        WINDOW_NAMES,
    ),
    Field("passes", (), SEATS, "count", "seats that have passed in a row in the window"),
    Field("first", (), SEATS, "category", "relative seat + 1 with the First Player token", RELATIVE),
    Field(
        "last_loss",
        (),
        SEATS,
        "category",
        "relative seat + 1 that lost a character last this round",
        RELATIVE,
    ),
    # the decision
    Field("decision", (), len(DECISIONS) - 1, "category", "kind of the pending decision", DECISIONS[1:]),
    Field("to_act", (), SEATS, "category", "whose decision, relative seat + 1", RELATIVE),
    Field(
        "source",
        (),
        SOURCES,
        "category",
        "card, ability or place whose effect is in progress, + 1",
        SOURCE_NAMES,
    ),
    Field("source_seat", (), SEATS, "category", "who plays it, relative seat + 1", RELATIVE),
    Field("cancels", (), 5, "count", "cards on the way: 1 the first, 2 a Tear Gas against it, ..."),
    Field("about_place", (), PLACES, "category", "place the decision is about + 1", PLACE_NAMES),
    Field("about_seat", (), SEATS, "category", "seat the decision is about, relative + 1", RELATIVE),
    Field("about_seats", (SEATS,), 1, "set", "tied seats, or the seats that have their share", RELATIVE),
    Field(
        "about_character", (), CHARACTERS, "category", "character the decision is about + 1", CHARACTER_NAMES
    ),
    Field("about_kind", (), KINDS, "category", "card kind given up or to be cancelled + 1", KIND_NAMES),
    Field("give", (), len(GOODS), "category", "goods offered + 1", GOODS),
    Field("want", (), len(GOODS), "category", "goods wanted + 1", GOODS),
    # the town
    Field("number", (PLACES,), PLACES, "category", "location number of each place"),
    Field("side", (PLACES,), 3, "category", "1 side A, 2 side B, 3 ruin", SIDE_NAMES),
    Field("shut", (), 1, "flag", "the armory has burnt down or is jammed"),
    Field("capacity", (PLACES,), CHARACTERS, "count", "normal spaces"),
    Field("zombies", (PLACES,), MOST_ZOMBIES, "count", "zombies", PLACE_NAMES),
    Field("antidotes", (PLACES,), ANTIDOTES, "count", "antidotes lying there", PLACE_NAMES),
    Field(
        "cards",
        (CORNERS,),
        CARDS,
        "count",
        "face-down cards at church, hospital, armory, bank",
        PLACE_NAMES[1 : 1 + CORNERS],
    ),
    Field("cards_seen", (CORNERS, KINDS), 4, "count", "of these, the kinds this seat has seen", KIND_NAMES),
    Field("tokens", (PLACES,), TOKENS, "count", "explosion tokens", PLACE_NAMES),
    Field("turned", (PLACES,), 1, "set", "set-up: movement cards still turned up", PLACE_NAMES),
    Field("zombies_left", (), ZOMBIES, "count", "zombies in the box"),
    Field("antidotes_left", (), ANTIDOTES, "count", "antidotes in the supply"),
    Field("tokens_left", (), TOKENS, "count", "explosion tokens in the supply"),
    Field("food_up", (FOOD_VALUES,), 5, "count", "face-up food by value", FOOD_NAMES),
    Field("food_down", (), 12, "count", "face-down food"),
    Field("food_gone", (FOOD_VALUES,), 5, "count", "food that left the game by value", FOOD_NAMES),
    Field("deck", (), CARDS, "count", "action cards in the deck"),
    Field("discard", (KINDS,), 4, "count", "discard pile by kind", KIND_NAMES),
    # characters
    Field(
        "owner",
        (CHARACTERS,),
        SEATS,
        "category",
        "relative seat + 1 that each character belongs to",
        RELATIVE,
    ),
    Field("place", (CHARACTERS,), PLACES, "category", "place + 1, 0 dead or not placed", PLACE_NAMES),
    Field("tired", (CHARACTERS,), 1, "flag", "tired (the Pregnant Woman: with her baby)", CHARACTER_NAMES),
    Field("hidden", (CHARACTERS,), 1, "flag", "hidden this round", CHARACTER_NAMES),
    Field("extra", (CHARACTERS,), 1, "flag", "on an extra space", CHARACTER_NAMES),
    Field("voice", (CHARACTERS,), 2, "count", "votes where it stands", CHARACTER_NAMES),
    Field(
        "may_move",
        (CHARACTERS,),
        1,
        "flag",
        "can be moved (Granny only once freed; nobody out of a jam)",
        CHARACTER_NAMES,
    ),
    # seats
    Field("colour", (SEATS,), SEATS, "category", "colour + 1", COLOUR_NAMES),
    Field("wheel", (SEATS,), SEATS, "category", "steps from the leader clockwise to the seat's colour, + 1"),
    Field("hand_size", (SEATS,), CARDS, "count", "action cards in hand"),
    Field("vaccines", (SEATS,), ANTIDOTES, "count", "antidotes"),
    Field("food", (SEATS, FOOD_VALUES), 5, "count", "food by value that this seat knows of", FOOD_NAMES),
    Field("food_hidden", (SEATS,), 12, "count", "food whose value this seat does not know"),
    Field(
        "chosen", (SEATS,), PLACES, "category", "movement card + 1: one's own, and shown ones", PLACE_NAMES
    ),
    Field("moved", (SEATS,), 1, "flag", "has moved this round", RELATIVE),
    Field("offers_left", (SEATS,), 9, "count", "offers a seat may still make this round"),
    Field("partner", (SEATS,), SEATS, "category", "last exchange: with whom, relative seat + 1", RELATIVE),
    Field("gave", (SEATS,), len(GOODS), "category", "last exchange: goods given + 1", GOODS),
    Field("got", (SEATS,), len(GOODS), "category", "last exchange: goods got + 1", GOODS),
    Field("saw_next", (SEATS,), 1, "flag", "has seen the next invasion card", RELATIVE),
    Field("canned", (SEATS,), 2, "count", "Canned Food laid"),
    Field("score", (SEATS,), 127, "count", "points once the game is over"),
    # cards
    Field("hand", (KINDS,), 4, "count", "own hand by kind", KIND_NAMES),
    Field("known", (SEATS, KINDS), 4, "count", "cards that this seat knows others to hold", KIND_NAMES),
    Field(
        "packets",
        (MOST_PICKS, KINDS),
        4,
        "count",
        "draft: the packets as this seat got them, in order",
        KIND_NAMES,
    ),
    Field("picks", (), MOST_PICKS, "count", "draft: picks carried out"),
    # votes and promises
    Field(
        "my_votes",
        (SEATS,),
        SEATS,
        "category",
        "votes this seat has cast in the open vote, by voting seat",
        RELATIVE,
    ),
    Field(
        "caster",
        (PLACES, SEATS),
        SEATS,
        "category",
        "Gun Replica: who casts a seat's votes at a place",
        RELATIVE,
    ),
    Field(
        "attack_votes",
        (PLACES, SEATS),
        SEATS,
        "category",
        "shown votes of the round, by place and seat",
        RELATIVE,
    ),
    Field("supply_votes", (PLACES, SEATS), SEATS, "category", "the same for supplies", RELATIVE),
    Field("against", (SEATS, PLACES), SEATS, "category", "promised votes against", RELATIVE),
    Field("favour", (SEATS, PLACES), SEATS, "category", "promised votes for", RELATIVE),
    Field(
        "quiet",
        (SEATS, PLACES + 1),
        1,
        "flag",
        "promised to play nothing: before phase 5, then by place",
        ("before phase 5", *PLACE_NAMES),
    ),
    Field("help", (SEATS, SEATS), 1, "flag", "promised help for help", RELATIVE),
    # invasion cards
    Field("invasion", (HOURS,), CARDS_AN_HOUR, "category", "cards carried out, by hour", CARD_LETTERS),
    Field("next_known", (), 1, "flag", "this seat has seen the next invasion card"),
    Field("next_card", (), CARDS_AN_HOUR, "category", "which one it is", CARD_LETTERS),
    Field("next_moves", (2, 2), PLACES, "category", "its zombie moves: place + 1 from, to", PLACE_NAMES),
    Field("next_zombies", (PLACES,), MOST_ZOMBIES, "count", "its zombies by place", PLACE_NAMES),
    Field("next_antidotes", (PLACES,), ANTIDOTES, "count", "its antidotes by place", PLACE_NAMES),
    Field("next_cards", (PLACES,), ANTIDOTES, "count", "its action cards by place", PLACE_NAMES),
    Field("next_leader", (), SEATS, "count", "its leader steps"),
)
VIEW = FIELDS.dtype


@rule
def relative(seat, base, players):
    """A stored seat + 1 (0: none) as seen from a seat: relative place + 1."""
    if seat == 0:
        return 0
    return seat - base if seat > base else seat - base + players


@rule
def clockwise(seat, places, players):
    """The seat some places clockwise of another (a remainder would cost more than all the rest)."""
    return seat + places if seat + places < players else seat + places - players


@rule
def observe(state, ctx, seat, view):
    """Write the View of a seat (relative places: 0 is the seat itself), or of a spectator (-1)."""
    base = max(int(seat), 0)
    t = ctx.tables[state.table]
    observe_game(state, base, view)
    observe_decision(state, base, view)
    observe_town(state, t, seat, view)
    observe_people(state, base, view)
    observe_seats(state, seat, base, view)
    observe_cards(state, seat, base, view)
    observe_votes(state, seat, base, view)
    observe_invasion(state, t, seat, view)


@rule
def observe_game(state, base, view):
    """Options and where the game stands."""
    players = int(state.players)
    view.players = players
    view.draft = state.options.draft
    view.all_windows = state.options.all_windows
    view.negotiation = state.options.negotiation
    view.reward = state.options.reward + 1
    view.round = state.round
    view.step = state.step
    view.location = state.at[state.location - 1] + 1 if state.location > 0 else 0
    view.window = 0
    view.passes = 0
    for k in range(state.depth):
        frame = state.stack[k]
        if frame.kind == D_WINDOW:
            view.window = frame.a + 1
            view.passes = frame.c
    view.first = relative(state.first + 1, base, players)
    view.last_loss = relative(state.last_loss, base, players)


@rule
def observe_decision(state, base, view):
    """Whose decision it is and what it is about; all of it is public."""
    players = int(state.players)
    view.decision = 0
    view.to_act = 0
    view.source = 0
    view.source_seat = 0
    view.cancels = 0
    view.about_place = 0
    view.about_seat = 0
    fill(view.about_seats, 0)
    view.about_character = 0
    view.about_kind = 0
    view.give = 0
    view.want = 0
    for k in range(state.depth):
        frame = state.stack[k]
        if frame.kind == D_EFFECT:
            view.source = frame.a + 1
            view.source_seat = relative(frame.seat + 1, base, players)
        elif frame.kind == D_CANCEL:
            view.cancels += 1
            view.about_kind = frame.a + 1
            view.about_seat = relative(frame.b + 1, base, players)
        elif frame.kind == D_ENTER or frame.kind == D_TURN_BACK:
            view.about_character = frame.a + 1
    if state.depth == 0:
        return
    frame = top(state)
    kind = int(frame.kind)
    view.decision = kind
    view.to_act = relative(frame.seat + 1, base, players)
    if kind == D_EFFECT:
        observe_choice(frame, view)
    elif kind == D_WINDOW or kind == D_VOTE or kind == D_ENTER:
        view.about_place = frame.b + 1 if kind != D_WINDOW or state.location > 0 else 0
        if kind == D_VOTE:
            view.about_seat = relative(frame.a + 1, base, players)
    elif kind == D_TURN_BACK:
        view.about_place = frame.b
        view.about_seat = relative(frame.d + 1, base, players)
    elif kind == D_OFFER or kind == D_ANSWER:
        view.about_seat = relative(frame.a if kind == D_OFFER else frame.a + 1, base, players)
        view.give = frame.b if kind == D_OFFER else frame.b + 1
        view.want = 0 if kind == D_OFFER else frame.c + 1
    elif kind == D_TIE or kind == D_GIVE_TO:
        view.about_place = frame.a + 1
        for place in range(players):
            view.about_seats[place] = (frame.b >> (clockwise(base, place, players))) & 1
    elif kind == D_GIVE:
        view.about_place = frame.a + 1
        view.about_seat = relative(frame.b + 1, base, players)
    elif kind != D_CANCEL and kind != D_CARD and kind != D_DRAFT:
        view.about_place = frame.a + 1 if kind != D_TOKEN and kind != D_CANNED else 0


@rule
def observe_choice(frame, view):
    """The first choice of an effect that asks for a second one."""
    if frame.b == 0:
        return
    choice = CHOICES[EFFECT[frame.a], 0]
    if choice == A_PLACE:
        view.about_place = frame.b
    elif choice == A_COST:
        view.about_kind = frame.b


@rule
def observe_town(state, t, seat, view):
    """Places, supplies and what lies in the box."""
    for place in range(PLACES):
        view.number[place] = state.number[place] + 1
        view.side[place] = state.side[place] + 1
        view.capacity[place] = t.capacity[place, state.side[place]]
        view.turned[place] = (state.turned >> state.number[place]) & 1
    copy_row(view.zombies, state.zombies)
    copy_row(view.antidotes, state.antidotes)
    copy_row(view.tokens, state.tokens)
    view.shut = state.shut
    view.zombies_left = state.zombies_left
    view.antidotes_left = state.antidotes_left
    view.tokens_left = state.tokens_left
    copy_row(view.food_up, state.food_up)
    view.food_down = total(state.food_down)
    copy_row(view.food_gone, state.food_gone)
    view.deck = state.deck_size
    copy_row(view.discard, state.discard)
    for k in range(CORNERS):
        view.cards[k] = total(state.cards[SEATS + k])
        copy_row(view.cards_seen[k], state.known[seat if seat >= 0 else EVERYONE, SEATS + k])


@rule
def observe_people(state, base, view):
    """The characters."""
    players = int(state.players)
    for i in range(CHARACTERS):
        person = state.people[i]
        view.owner[i] = relative(person.owner, base, players)
        view.place[i] = person.place
        view.tired[i] = person.tired
        view.hidden[i] = person.hidden
        view.extra[i] = person.extra
        alive = person.place > 0
        view.voice[i] = voice(state, i) if alive else 0
        stuck = (state.shut != 0 and person.place == ARMORY + 1) or (i == GRANNY and person.freed == 0)
        view.may_move[i] = alive and not stuck


@rule
def observe_seats(state, seat, base, view):
    """What lies before each seat."""
    players = int(state.players)
    offers = state.options.offers if state.options.negotiation else 0
    for place in range(SEATS):
        if place < players:
            who = clockwise(base, place, players)
            him = state.seats[who]
            view.colour[place] = him.colour + 1
            view.hand_size[place] = hand_size(state, who)
            view.vaccines[place] = him.antidotes
            hidden = 0
            for value in range(FOOD_VALUES):
                known = him.food[value] if who == seat else him.food_known[value]
                view.food[place, value] = known
                hidden += him.food[value] - known
            view.food_hidden[place] = hidden
            view.chosen[place] = him.chosen if who == seat or him.shown else 0
            view.moved[place] = him.moved
            view.offers_left[place] = offers - him.offers if offers else 0
            view.partner[place] = relative(him.partner, base, players)
            view.gave[place] = him.gave
            view.got[place] = him.got
            view.saw_next[place] = (state.seen >> who) & 1
            view.canned[place] = him.canned
            view.score[place] = him.score
        else:
            view.colour[place] = 0
            view.hand_size[place] = 0
            view.vaccines[place] = 0
            fill(view.food[place], 0)
            view.food_hidden[place] = 0
            view.chosen[place] = 0
            view.moved[place] = 0
            view.offers_left[place] = 0
            view.partner[place] = 0
            view.gave[place] = 0
            view.got[place] = 0
            view.saw_next[place] = 0
            view.canned[place] = 0
            view.score[place] = 0
        view.wheel[place] = 0
    for k in range(players):
        who = state.wheel[clockwise(state.leader, k, players)]
        view.wheel[relative(who + 1, base, players) - 1] = k + 1


@rule
def observe_cards(state, seat, base, view):
    """Hands as far as known, and the packets of the draft."""
    players = int(state.players)
    row = seat if seat >= 0 else EVERYONE
    for place in range(SEATS):
        if place < players:
            copy_row(view.known[place], state.known[row, clockwise(base, place, players)])
        else:
            fill(view.known[place], 0)
    if seat >= 0:
        copy_row(view.hand, state.cards[seat])
    else:
        fill(view.hand, 0)
    for pick in range(MOST_PICKS):
        fill(view.packets[pick], 0)
    view.picks = 0
    if state.step == DRAFTING or state.step == PICKED:
        view.picks = state.cursor
        if seat >= 0:
            observe_draft(state, seat, view)


@rule
def observe_draft(state, seat, view):
    """Each packet as the seat got it: what is in it now and what has been picked from it since."""
    players = int(state.players)
    for look in range(state.cursor + 1):
        packet = (seat + players - look % players) % players
        copy_row(view.packets[look], state.packets[packet])
        for later in range(look, state.cursor):
            view.packets[look, state.picks[(packet + later) % players, later] - 1] += 1


@rule
def observe_votes(state, seat, base, view):
    """Votes and promises, with seats counted from the observer; most of the time there are none."""
    players = int(state.players)
    fill(view.my_votes, 0)
    for i in range(SEATS):
        fill(view.caster[i], 0)
        fill(view.attack_votes[i], 0)
        fill(view.supply_votes[i], 0)
        fill(view.against[i], 0)
        fill(view.favour[i], 0)
        fill(view.quiet[i], 0)
        fill(view.help[i], 0)
    for here in range(PLACES):
        for who in range(players):
            if state.caster[here, who] > 0:
                place = relative(who + 1, base, players) - 1
                view.caster[here, place] = relative(state.caster[here, who], base, players)
    if state.location > 0:
        here = state.at[state.location - 1]
        for who in range(players):
            caster = state.caster[here, who] - 1 if state.caster[here, who] > 0 else who
            if caster == seat:
                view.my_votes[relative(who + 1, base, players) - 1] = relative(
                    state.votes[who], base, players
                )
        for number in range(state.location):
            here = state.at[number]
            for who in range(players):
                place = relative(who + 1, base, players) - 1
                view.attack_votes[here, place] = relative(state.attack_votes[here, who], base, players)
                view.supply_votes[here, place] = relative(state.supply_votes[here, who], base, players)
    if state.options.negotiation == TALK:
        observe_promises(state, base, view)


@rule
def observe_promises(state, base, view):
    """What has been promised this round."""
    players = int(state.players)
    for place in range(players):
        who = clockwise(base, place, players)
        for here in range(PLACES):
            view.against[place, here] = relative(state.against[who, here], base, players)
            view.favour[place, here] = relative(state.favour[who, here], base, players)
        copy_row(view.quiet[place], state.quiet[who])
        for other in range(players):
            view.help[place, other] = state.help[who, clockwise(base, other, players)]


@rule
def observe_invasion(state, t, seat, view):
    """The cards carried out, and the next one from the moment it is seen."""
    for hour in range(HOURS):
        done = state.round > 0 and (hour < state.round or (hour == state.round and state.step > INVADING))
        view.invasion[hour] = state.invasion[hour] if done else 0
    hour = card_left(state)
    seen = seat >= 0 and hour > 0 and state.round > 0 and (state.seen >> seat) & 1 == 1
    view.next_known = seen
    view.next_card = state.invasion[hour] if seen else 0
    view.next_leader = 0
    for place in range(PLACES):
        view.next_zombies[place] = 0
        view.next_antidotes[place] = 0
        view.next_cards[place] = 0
    for k in range(2):
        view.next_moves[k, 0] = 0
        view.next_moves[k, 1] = 0
    if not seen:
        return
    card = t.invasion[hour, state.invasion[hour] - 1]
    view.next_leader = card.leader
    for place in range(PLACES):
        number = state.number[place]
        view.next_zombies[place] = card.zombies[number]
        view.next_antidotes[place] = card.antidotes[number]
        view.next_cards[place] = card.cards[number]
    for k in range(2):
        for end in range(2):
            if card.moves[k, end] > 0:
                view.next_moves[k, end] = state.at[card.moves[k, end] - 1] + 1
