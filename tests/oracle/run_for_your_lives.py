"""The referee of Run for Your Lives: which actions a position offers, in slow and plain Python.

Written from the printed rules and from the page of rulings, by somebody who has not read the engine.
"Rulebook" below is the one printed page (Polish edition, version 1.1, `rulebooks/run_for_your_lives.pl.txt`);
"page" is `games/run_for_your_lives.md`, which decides only where the rulebook is silent.

    rule                                                        comes from
    ----------------------------------------------------------  -------------------------------------------------
    an item goes before yourself, a zombie to another player    rulebook, "Zasady gry", 1st paragraph
    that other player must be living                            page, "Turn of a living player", 3
                                                                (the rulebook says "another player" only)
    item and zombie of one symbol cancel each other             rulebook, "Zasady gry", 2nd paragraph
    the cockroach zombie has no item and never cancels          rulebook, Ps. 2; page, "Facts"
    nobody has two equal cards before him                       rulebook, "Zasady gry", 3rd paragraph
    a hand that cannot be played is shown and replaced          rulebook, "Zasady gry", 4th paragraph
    "cannot be played": no normal and no harmless special play  page, "What is offered" (ruling)
    a zombie player gives the top card to any living player     rulebook, "Jak ocalić życie", 2nd paragraph
    Special Rule: once a turn, a zombie before yourself or      rulebook, "Jak ocalić życie", 3rd paragraph
    an item before another living player
    nobody has to lay his own fifth zombie or another's         rulebook, "Jak ocalić życie", 4th paragraph
    fifth item; whether he may is the option `fatal_special`    page, "Options"
    cards cancel before a play is judged fatal                  page, "Turn of a living player" (ruling)
    what stands beside `refresh`                                page, "What is offered" (ruling)

A position is a dict:

    players        how many seats
    turn           the acting seat
    decision       "living": a living player plays a card; "zombie": a turned player gives the turned-up card;
                   anything else (the game is over) offers nothing
    hands, tables  lists of card texts by absolute seat
    turned         by seat: 0 = living, else the order of turning 1, 2, ...
    special_spent  whether the Special Rule was used this turn
    refreshes      hands shown and replaced this turn (does not change what is offered)
    turned_up      the card that a turned player has to give, else None
    options        fatal_special ("voluntary" | "forbidden"), goal, kinds, copies

Card texts: "bus" is the item, "bus zombie" the zombie with its symbol. Action texts name the target from the
acting seat: "bus -> self", "bus zombie -> +2", and "refresh".
"""

SYMBOLS = ("bus", "bat", "umbrella", "torch", "ladder", "radio", "whistle", "shovel", "bicycle", "rope")
COCKROACH = "cockroach zombie"


def from_position(position: dict) -> dict:
    """A position as the engine writes it: it leaves out a turned-up card that is not there."""
    return {"players": position["options"]["players"], "turned_up": None, **position}


def legal_actions(position: dict) -> set[str]:
    """The texts of all actions that the acting seat may choose (empty where nobody is asked)."""
    if position["decision"] == "zombie":
        return gifts(position)
    if position["decision"] != "living":
        return set()

    normal = normal_plays(position)
    special = harmless_special_plays(position)
    fatal = fatal_special_plays(position)

    # A hand with a normal or a harmless special play is playable, and then must be played.
    if normal or special:
        return normal | special | fatal
    # Only a sacrifice is left: nobody has to make it, so he may show his hand instead.
    if fatal:
        return fatal | {"refresh"}
    # Nothing is left: the hand is shown without asking.
    return set()


def must_refresh(position: dict) -> bool:
    """Whether a living player has nothing at all to choose, so that his hand is shown without asking.

    It is then replaced by five cards; but where three were replaced this turn already, or both piles are empty,
    the turn passes and the hand stays. No engine may ever stop at such a position.
    """
    if position["decision"] != "living":
        return False
    return not (normal_plays(position) or harmless_special_plays(position) or fatal_special_plays(position))


# The plays of a living player


def normal_plays(position: dict) -> set[str]:
    """An item before yourself, or a zombie before another living player."""
    plays = set()
    for card in own_hand(position):
        if is_item(card) and fits(position, card, position["turn"]):
            plays.add(text(position, card, position["turn"]))
        if is_zombie(card):
            for seat in others_living(position):
                if fits(position, card, seat):
                    plays.add(text(position, card, seat))
    return plays


def harmless_special_plays(position: dict) -> set[str]:
    """The plays of the Special Rule that sacrifice nobody."""
    return {text(position, *play) for play in special_plays(position) if not is_fatal(position, *play)}


def fatal_special_plays(position: dict) -> set[str]:
    """The plays of the Special Rule that sacrifice the player; none where the option forbids them."""
    if position["options"].get("fatal_special", "voluntary") == "forbidden":
        return set()
    return {text(position, *play) for play in special_plays(position) if is_fatal(position, *play)}


def special_plays(position: dict) -> list[tuple[str, int]]:
    """The Special Rule, once a turn: a zombie before yourself, or an item before another living player."""
    if position["special_spent"]:
        return []
    plays = []
    for card in own_hand(position):
        if is_zombie(card) and fits(position, card, position["turn"]):
            plays.append((card, position["turn"]))
        if is_item(card):
            for seat in others_living(position):
                if fits(position, card, seat):
                    plays.append((card, seat))
    return plays


def is_fatal(position: dict, card: str, target: int) -> bool:
    """Whether this special play turns the player himself or saves another one, judged after cards have cancelled."""
    table = table_after(position["tables"][target], card)
    goal = position["options"].get("goal", 5)
    if target == position["turn"]:
        return len([c for c in table if is_zombie(c)]) >= goal
    return len([c for c in table if is_item(c)]) >= goal


# The gifts of a turned player


def gifts(position: dict) -> set[str]:
    """The turned-up card, item or zombie, to any living player whom it fits."""
    card = position["turned_up"]
    if card is None:
        return set()
    return {text(position, card, seat) for seat in others_living(position) if fits(position, card, seat)}


# Cards, tables, seats


def is_zombie(card: str) -> bool:
    return card.endswith(" zombie")


def is_item(card: str) -> bool:
    return not is_zombie(card)


def counterpart(card: str) -> str | None:
    """The card of the other type with the same symbol; the cockroach zombie has none."""
    if card == COCKROACH:
        return None
    return card.removesuffix(" zombie") if is_zombie(card) else card + " zombie"


def matches(card: str, other: str) -> bool:
    """Whether the two cards cancel each other when they lie before one player."""
    return counterpart(card) == other


def table_after(table: list[str], card: str) -> list[str]:
    """The table once the card lies on it: with its counterpart there, both leave; else the card stays."""
    for other in table:
        if matches(card, other):
            rest = list(table)
            rest.remove(other)
            return rest
    return [*table, card]


def fits(position: dict, card: str, target: int) -> bool:
    """Nobody has two equal cards before him."""
    return card not in position["tables"][target]


def own_hand(position: dict) -> list[str]:
    return position["hands"][position["turn"]]


def others_living(position: dict) -> list[int]:
    """The seats, other than the acting one, that have not turned."""
    return [
        seat
        for seat in range(position["players"])
        if seat != position["turn"] and position["turned"][seat] == 0
    ]


def text(position: dict, card: str, target: int) -> str:
    """The action as text, its target counted clockwise from the acting seat."""
    steps = (target - position["turn"]) % position["players"]
    return f"{card} -> self" if steps == 0 else f"{card} -> +{steps}"


def deck(options: dict) -> list[str]:
    """All cards of the game: each kind in `copies` copies, the cockroach zombies included."""
    symbols = SYMBOLS[: options.get("kinds", 10)]
    kinds = [*symbols, *(symbol + " zombie" for symbol in symbols), COCKROACH]
    return [card for card in kinds for _ in range(options.get("copies", 3))]
