"""The referee of City of Horror: which actions a position offers, in slow and plain Python.

Written from the printed rules and from the page of rulings, by somebody who has not read the engine.
"Rulebook" is `rulebooks/city_of_horror.cs.txt` (with its pages); "page" is `games/city_of_horror.md`, which decides
only where the rulebook is silent; "ours" is what neither says and this referee had to settle.

    rule                                                          comes from
    ------------------------------------------------------------  ----------------------------------------------
    any of the six movement cards may be chosen                   rulebook p.3, phase 2; page, "Round", 2
    the mover must not be at the place already, and must be able  rulebook p.4, "Pravidla pohybu"; p.11, FAQ
    to move (Granny, the jammed armory)
    a full place: Service Entrance or Mama, else the crossroads   rulebook p.4, p.7, p.8
    cards and abilities at any time but after a vote              rulebook p.6; which times are windows: page
    abilities need the rested side                                rulebook p.6
    a play must be able to change something                       page, "Windows"
    cancel before the choices are made                            rulebook p.10, FAQ
    votes only for seats with a character that can be chosen      rulebook p.6, p.7, p.8; page, "Votes"
    all votes of a seat to one seat                               rulebook p.6; p.10, FAQ
    the first player breaks ties among the tied                   rulebook p.5
    the owner picks which of his dies                             rulebook p.6, p.10 example; page, "Votes"
    supplies: one to keep, then one each to the others            rulebook p.5; p.10, FAQ; page, "Votes"
    activation: at most once, optional; what it costs             rulebook p.9, p.10; page, "Round"
    any other colour for the Leader, one step at Bank B           rulebook p.7, p.8, p.10; page
    tokens to tower or armory, not to a shut armory               rulebook p.7, p.10; page, "Round"
    offers: one for one or a gift, something must change hands    page, "Trading"; the last: ours
    promises                                                      page, "Trading"; about whom: ours

Positions are dicts as `env.position()` writes them, described in the game's POSITION.md.  Action texts are those of
that file.  The pending decision is the last of `pending`: its name, its seat and numbers a to d.
"""

PLACES = ("tower", "church", "hospital", "armory", "bank", "crossroads")
KINDS = (
    "Alarm", "Energy Drink", "Canned Food", "Tear Gas", "Hideout", "Service Entrance", "Gun", "Infrared Goggles",
    "Chainsaw", "Magic Light", "Kitten", "Pickpocket", "Gun Replica", "Shotgun", "Running Shoes", "Molotov Cocktail",
    "Flare", "Improvised Bomb",
)  # fmt: skip
CHARACTERS = (
    "Blonde", "Businessman", "Businesswoman", "Chef", "Geek", "Grandpa", "Housewife", "Mama", "Student", "Boy", "Girl",
    "Pregnant Woman", "Priest", "Punk", "Rasta", "Rocker", "Secret Agent", "Teen", "Thief", "Guard and Rex", "Granny",
)  # fmt: skip
GOODS = ("nothing", "antidote", *KINDS)
ALL_ZOMBIES = 40
MOST_ZOMBIES = 8
ALL_TOKENS = 6
LAST_ROUND = 4
ALL_FOOD = [0] + [1] * 5 + [2] * 5 + [3]

# Windows by the number that a pending window bears.
PLANNING, INVASION, LOCATION, SUPPLIES, END = range(5)

MARKED = ("Molotov Cocktail", "Flare", "Improvised Bomb")
# Cards with times of their own:
NEVER_IN_WINDOWS = ("Canned Food", "Tear Gas", "Service Entrance", "Running Shoes")


def legal_actions(position: dict) -> set[str]:
    """The texts of all actions that the seat asked may choose (empty where the game is over)."""
    if not position["pending"]:
        return set()
    frame = position["pending"][-1]
    return DECISIONS[frame["decision"]](position, frame, frame["seat"])


# The set-up (rulebook p.3)


def place_character(position: dict, frame: dict, seat: int) -> set[str]:
    """Any character of the seat that has no place yet."""
    return {
        person["name"] for person in people(position) if person["seat"] == seat and person["place"] == "off"
    }


def pick_from_packet(position: dict, frame: dict, seat: int) -> set[str]:
    """Any card of the packet in hand: packets stand by who got them first and go to the left (rulebook p.6, draft)."""
    first_holder = (seat - len(position["picks"][seat])) % len(position["seats"])
    return set(position["packets"][first_holder])


# Phases 2 and 4: movement cards and moves (rulebook p.3, p.4)


def choose_movement_card(position: dict, frame: dict, seat: int) -> set[str]:
    return {f"card {place}" for place in PLACES}


def move(position: dict, frame: dict, seat: int) -> set[str]:
    """A character that can move and is not there; before it Running Shoes, the Teen, and Granny where she could go."""
    target = position["seats"][seat]["chosen"]
    movers = {
        person["name"]
        for person in own(position, seat)
        if person["place"] != target and can_move(position, person)
    }
    changes = set()
    if "Running Shoes" in hand(position, seat):
        changes.add("play Running Shoes")
    if rested(position, seat, "Teen"):
        changes.add("use Teen")
    granny = rested(position, seat, "Granny")
    if granny and granny["place"] != target and not locked_in(position, granny):
        changes.add("use Granny")
    # Who can move must; who cannot may decline what is left (rulebook p.4, p.11).
    return movers | changes | (set() if movers else {"pass"})


def enter(position: dict, frame: dict, seat: int) -> set[str]:
    """The place is full: Service Entrance, Mama for herself, or off to the crossroads (rulebook p.4, p.7, p.8)."""
    plays = {"pass"}
    if "Service Entrance" in hand(position, seat):
        plays.add("play Service Entrance")
    if CHARACTERS[frame["a"]] == "Mama" and rested(position, seat, "Mama"):
        plays.add("use Mama")
    return plays


def turn_back(position: dict, frame: dict, seat: int) -> set[str]:
    """The Priest may cancel the move just made (rulebook p.8)."""
    return {"use Priest", "pass"} if rested(position, seat, "Priest") else set()


def can_move(position: dict, person: dict) -> bool:
    if person["name"] == "Granny" and not person["freed"]:
        return False
    return not locked_in(position, person)


def locked_in(position: dict, person: dict) -> bool:
    """Nobody leaves a jammed armory (side B); a burnt one holds nobody."""
    return person["place"] == "armory" and position["shut"]


# Phase 5 (rulebook p.5, p.9, p.10)


def activate(position: dict, frame: dict, seat: int) -> set[str]:
    """Optional (page); nobody is asked where it could not be done."""
    return {"activate", "pass"} if can_activate(position, PLACES[frame["a"]], seat) else set()


def can_activate(position: dict, place: str, seat: int) -> bool:
    """Whether the seat is present and has what the effect costs, and the effect what it gives."""
    if not any(person["place"] == place for person in own(position, seat)):
        return False
    cards = hand(position, seat)
    if place == "tower":
        return False
    side = position["places"][place]["side"]
    if place == "crossroads":
        return bool(cards) and len(food_left(position)) > 0
    if place == "church":
        return bool(tired_ones(position, seat)) and (side == "A" or bool(position["seats"][seat]["food"]))
    if place == "hospital":
        if antidotes_left(position) == 0:
            return False
        return bool(cards) if side == "A" else bool(patients(position, seat))
    if place == "armory":
        return bool(cards) and bool(position["deck"] if side == "A" else position["discard"])
    return bool(cards) if side == "A" else True


def vote(position: dict, frame: dict, seat: int) -> set[str]:
    """For any seat with a character that can be chosen there (rulebook p.6)."""
    place = PLACES[frame["b"]]
    return {
        f"vote {relative(position, seat, other)}"
        for other in seats(position)
        if choosable(position, other, place)
    }


def break_tie(position: dict, frame: dict, seat: int) -> set[str]:
    """The first player chooses among the tied seats (rulebook p.5)."""
    if seat != position["first"]:
        return set()
    return {f"seat {relative(position, seat, other)}" for other in seats(position) if frame["b"] >> other & 1}


def victim(position: dict, frame: dict, seat: int) -> set[str]:
    """The owner picks which of his characters there dies; hidden ones are safe."""
    return {person["name"] for person in choosable(position, seat, PLACES[frame["a"]])}


def supplies_item(position: dict, frame: dict, seat: int) -> set[str]:
    """One of the things lying there, to keep or to give (rulebook p.5)."""
    here = position["places"][PLACES[frame["a"]]]
    return {f"give {kind}" for kind in here.get("cards", [])} | (
        {"give antidote"} if here["antidotes"] else set()
    )


def supplies_receiver(position: dict, frame: dict, seat: int) -> set[str]:
    """Any seat without its share (rulebook p.5: one thing each), present or not."""
    return {
        f"seat {relative(position, seat, other)}" for other in seats(position) if not frame["b"] >> other & 1
    }


# Windows (rulebook p.6; page, "Windows")


def window(position: dict, frame: dict, seat: int) -> set[str]:
    """One card, one ability, an offer, a promise, or nothing."""
    which = frame["a"]
    plays = {"pass"}
    for kind in hand(position, seat):
        if kind not in NEVER_IN_WINDOWS and card_matters(position, kind, seat, which):
            plays.add(f"play {kind}")
    for person in own(position, seat):
        if not person["tired"] and ability_matters(position, person, seat, which):
            plays.add(f"use {person['name']}")
    if which == INVASION:  # no window for words (page, "Trading", lists the others)
        return plays
    negotiation = position["options"]["negotiation"]
    if negotiation != "off" and position["seats"][seat]["offers"] < position["options"]["offers"]:
        plays.add("offer")
    if negotiation == "talk" and not position["seats"][seat]["promised"]:
        plays |= promises(position, frame, seat)
    return plays


def card_matters(position: dict, kind: str, seat: int, which: int) -> bool:
    """Whether a card could change something now (rulebook p.7; page, "A play must be able to change something")."""
    if kind == "Infrared Goggles":
        return unseen_card(position, seat, which)
    if kind == "Energy Drink":
        return bool(tired_ones(position, seat))
    if kind == "Pickpocket":
        return bool(robbed_ones(position, seat))
    if kind == "Hideout":
        return which != END and bool(up_ones(position, seat))
    if kind == "Gun Replica":
        return bool(places_with_votes(position, which))
    if kind == "Magic Light":
        return True
    if kind in MARKED and not any(zombies(position, place) for place in PLACES):
        return tokens_left(position) > 0
    if kind == "Flare":
        return bool(flare_sources(position)) or tokens_left(position) > 0
    return bool(card_places(position, kind))


def card_places(position: dict, kind: str) -> list[str]:
    """Where a card that kills, calls or lures zombies can do so."""
    if kind == "Chainsaw":
        return [place for place in PLACES if zombies(position, place) >= 2]
    if kind == "Alarm":
        return with_room(position) if zombies_left(position) else []
    return [place for place in PLACES if zombies(position, place) >= 1]


def ability_matters(position: dict, person: dict, seat: int, which: int) -> bool:
    """Whether a rested character's ability could change something now (rulebook p.8)."""
    name, place = person["name"], person["place"]
    if name == "Blonde":
        return not (position["round"] == LAST_ROUND and which in (LOCATION, SUPPLIES, END))
    if name in ("Businessman", "Businesswoman"):
        return bool(hand(position, seat)) and bool(position["discard"])
    if name == "Chef":
        return bool(position["deck"])
    if name in ("Geek", "Rocker"):
        return zombies(position, place) > 0 and bool(with_room(position, place))
    if name in ("Housewife", "Guard and Rex"):
        return zombies(position, place) > 0
    if name in ("Boy", "Girl"):
        return which != END and not person["hidden"]
    if name == "Grandpa":
        return not person["freed"] and bool(places_with_votes(position, which))
    if name == "Pregnant Woman":
        return bool(places_with_votes(position, which)) or (position["round"] < LAST_ROUND and which != END)
    if name == "Student":
        return position["first"] != seat
    if name == "Rasta":
        return unseen_card(position, seat, which)
    if name == "Thief":
        return bool(robbed_ones(position, seat))
    # Mama, Priest, Punk, Teen and Granny have times of their own.
    return name == "Secret Agent"


def unseen_card(position: dict, seat: int, which: int) -> bool:
    """Whether an invasion card is still to come that the seat has not seen (page; the second half: ours)."""
    return (position["round"] < LAST_ROUND or which == PLANNING) and seat not in position["seen"]


def places_with_votes(position: dict, which: int) -> list[str]:
    """Where a vote can still be held this round: not at the crossroads, not at settled locations (rulebook p.5)."""
    if which == END:
        return []
    first = 1
    if which in (LOCATION, SUPPLIES):
        first = position["places"][position["location"]]["number"]
    return [place for place in PLACES[:-1] if position["places"][place]["number"] >= first]


# The choices of a card, an ability or a place (rulebook p.7 to p.10)


def effect(position: dict, frame: dict, seat: int) -> set[str]:
    """What may be chosen next for the effect in progress; a is its source, b the first choice made (0: none yet)."""
    source, first = frame["a"], frame["b"]
    if source < len(KINDS):
        return card_choices(position, KINDS[source], first, seat)
    source -= len(KINDS)
    if source < len(CHARACTERS):
        return ability_choices(position, CHARACTERS[source], first, seat)
    source -= len(CHARACTERS)
    return place_choices(position, PLACES[source % 6], "AB"[source // 6], first, seat)


def card_choices(position: dict, kind: str, first: int, seat: int) -> set[str]:
    if kind == "Energy Drink":
        return tired_ones(position, seat)
    if kind == "Hideout":
        return up_ones(position, seat)
    if kind == "Magic Light":
        return other_colours(position, seat)
    if kind == "Pickpocket":
        return robbed_ones(position, seat)
    if kind == "Running Shoes":
        return other_cards(position, seat)
    if kind == "Gun Replica":
        if not first:
            return set(places_with_votes(position, window_below(position)))
        return {f"seat {relative(position, seat, other)}" for other in seats(position) if other != seat}
    if kind == "Flare":
        return set(with_room(position, PLACES[first - 1])) if first else flare_sources(position)
    return set(card_places(position, kind))


def ability_choices(position: dict, name: str, first: int, seat: int) -> set[str]:
    if name in ("Businessman", "Businesswoman"):
        return swap(position, first, seat)
    if name in ("Geek", "Rocker"):
        return set(with_room(position, find(position, name)["place"]))
    if name == "Secret Agent":
        return other_colours(position, seat)
    if name == "Thief":
        return robbed_ones(position, seat)
    if name == "Teen":
        return other_cards(position, seat)
    return set()


def place_choices(position: dict, place: str, side: str, first: int, seat: int) -> set[str]:
    cost = set(hand(position, seat))
    if place == "church" and side == "A":
        return tired_ones(position, seat)
    if place == "church":
        return (
            tired_ones(position, seat)
            if first
            else {f"food {value}" for value in position["seats"][seat]["food"]}
        )
    if place == "hospital":
        return cost if side == "A" else patients(position, seat)
    if place == "armory":
        return cost if side == "A" else swap(position, first, seat)
    if place == "bank" and side == "A":
        return other_colours(position, seat) if first else cost
    if place == "bank":
        return one_step(position, seat)
    if not first:
        return cost
    face_down = {"food face down"} if len(food_left(position)) > len(position["food_up"]) else set()
    return {f"food {value}" for value in position["food_up"]} | face_down


def swap(position: dict, first: int, seat: int) -> set[str]:
    """First a card of the hand, then any card of the pile, the discarded one too."""
    return set(position["discard"]) if first else set(hand(position, seat))


def other_cards(position: dict, seat: int) -> set[str]:
    """Another movement card: one of the five other places."""
    return {place for place in PLACES if place != position["seats"][seat]["chosen"]}


def other_colours(position: dict, seat: int) -> set[str]:
    """Any other colour in play, also one without characters."""
    return {
        f"seat {relative(position, seat, other)}" for other in seats(position) if other != position["leader"]
    }


def one_step(position: dict, seat: int) -> set[str]:
    """One colour either way on the wheel."""
    wheel = position["wheel"]
    k = wheel.index(position["leader"])
    near = (wheel[(k + 1) % len(wheel)], wheel[(k - 1) % len(wheel)])
    return {f"seat {relative(position, seat, other)}" for other in near}


def robbed_ones(position: dict, seat: int) -> set[str]:
    """The other seats that hold a card."""
    return {
        f"seat {relative(position, seat, other)}"
        for other in seats(position)
        if other != seat and hand(position, other)
    }


def tired_ones(position: dict, seat: int) -> set[str]:
    """Living tired characters of the seat, wherever they are; the Pregnant Woman's card is never turned back."""
    return {
        person["name"]
        for person in own(position, seat)
        if person["tired"] and person["name"] != "Pregnant Woman"
    }


def up_ones(position: dict, seat: int) -> set[str]:
    """Living characters of the seat that are not hidden."""
    return {person["name"] for person in own(position, seat) if not person["hidden"]}


def patients(position: dict, seat: int) -> set[str]:
    """Rested characters at the hospital, side B; the Pregnant Woman's card cannot be turned."""
    return {
        person["name"]
        for person in own(position, seat)
        if person["place"] == "hospital" and not person["tired"] and person["name"] != "Pregnant Woman"
    }


def flare_sources(position: dict) -> set[str]:
    return {place for place in PLACES if zombies(position, place) and with_room(position, place)}


def with_room(position: dict, besides: str = "") -> list[str]:
    """Places with fewer than eight zombies."""
    return [place for place in PLACES if place != besides and zombies(position, place) < MOST_ZOMBIES]


def lay_token(position: dict, frame: dict, seat: int) -> set[str]:
    """Tower or armory; a burnt or jammed armory takes none (rulebook p.10)."""
    return {"tower"} if position["shut"] else {"tower", "armory"}


def cancel(position: dict, frame: dict, seat: int) -> set[str]:
    """Tear Gas or the Punk against the card just announced (rulebook p.7, p.8)."""
    plays = {"pass"}
    if "Tear Gas" in hand(position, seat):
        plays.add("play Tear Gas")
    if rested(position, seat, "Punk"):
        plays.add("use Punk")
    return plays


def lay_canned_food(position: dict, frame: dict, seat: int) -> set[str]:
    return {"pass", "play Canned Food"} if "Canned Food" in hand(position, seat) else {"pass"}


# Trading and promises (page, "Trading")


def make_offer(position: dict, frame: dict, seat: int) -> set[str]:
    """Partner, then what is given, then what is wanted; something must change hands."""
    partner, give = frame["a"], frame["b"]
    if not partner:
        return {f"seat {relative(position, seat, other)}" for other in seats(position) if other != seat}
    if not give:
        has = set(hand(position, seat)) | ({"antidote"} if position["seats"][seat]["antidotes"] else set())
        return {"give nothing"} | {f"give {goods}" for goods in has}
    return {f"want {goods}" for goods in GOODS if goods != GOODS[give - 1]}


def answer(position: dict, frame: dict, seat: int) -> set[str]:
    """Yes only if the seat can pay."""
    wanted = GOODS[frame["c"]]
    if wanted == "antidote":
        can_pay = position["seats"][seat]["antidotes"] > 0
    else:
        can_pay = wanted == "nothing" or wanted in hand(position, seat)
    return {"yes", "no"} if can_pay else {"no"}


def promises(position: dict, frame: dict, seat: int) -> set[str]:
    """One from a fixed list, once a window."""
    which, place = frame["a"], PLACES[frame["b"]]
    found = {"promise to play nothing"}
    others = [other for other in seats(position) if other != seat]
    found |= {f"promise help for help to {relative(position, seat, other)}" for other in others}
    if which == LOCATION and place != "crossroads":
        against = [other for other in others if choosable(position, other, place)]
        found |= {f"promise a vote against {relative(position, seat, other)}" for other in against}
    if which == SUPPLIES:
        favour = [other for other in seats(position) if choosable(position, other, place)]
        found |= {f"promise a vote for {relative(position, seat, other)}" for other in favour}
    return found


# Reading a position


def seats(position: dict) -> range:
    return range(len(position["seats"]))


def relative(position: dict, seat: int, other: int) -> str:
    """A seat as the acting one names it."""
    steps = (other - seat) % len(position["seats"])
    return f"+{steps}" if steps else "self"


def hand(position: dict, seat: int) -> list[str]:
    return position["seats"][seat].get("hand", [])


def people(position: dict) -> list[dict]:
    """All characters in play, the dead ("off") included."""
    found = []
    for seat in seats(position):
        for line in position["seats"][seat].get("characters", []):
            name, _, rest = line.partition(": ")
            place, *states = rest.split()
            flags = {state: state in states for state in ("tired", "hidden", "extra", "freed")}
            found.append({"name": name, "seat": seat, "place": place, **flags})
    return found


def own(position: dict, seat: int) -> list[dict]:
    """The living characters of a seat."""
    return [person for person in people(position) if person["seat"] == seat and person["place"] != "off"]


def find(position: dict, name: str) -> dict:
    return next(person for person in people(position) if person["name"] == name)


def rested(position: dict, seat: int, name: str) -> dict | None:
    """The seat's living and rested character of that name, if it has it."""
    return next((one for one in own(position, seat) if one["name"] == name and not one["tired"]), None)


def choosable(position: dict, seat: int, place: str) -> list[dict]:
    """Living, present and not hidden: who can be chosen in a vote there."""
    return [person for person in own(position, seat) if person["place"] == place and not person["hidden"]]


def zombies(position: dict, place: str) -> int:
    return position["places"][place]["zombies"]


def zombies_left(position: dict) -> int:
    return ALL_ZOMBIES - sum(zombies(position, place) for place in PLACES)


def tokens_left(position: dict) -> int:
    return ALL_TOKENS - sum(position["places"][place]["tokens"] for place in PLACES)


def antidotes_left(position: dict) -> int:
    lying = sum(position["places"][place]["antidotes"] for place in PLACES)
    return 20 - lying - sum(seat["antidotes"] for seat in position["seats"])


def food_left(position: dict) -> list[int]:
    """The values of the food at the crossroads, face up and face down."""
    left = list(ALL_FOOD)
    for value in [v for seat in position["seats"] for v in seat["food"]] + position["food_gone"]:
        left.remove(int(value))
    return left


def window_below(position: dict) -> int:
    """The window in which the effect in progress was started."""
    return next(frame["a"] for frame in position["pending"][::-1] if frame["decision"] == "window")


DECISIONS = {
    "place": place_character,
    "draft": pick_from_packet,
    "window": window,
    "cancel": cancel,
    "effect": effect,
    "token": lay_token,
    "card": choose_movement_card,
    "move": move,
    "enter": enter,
    "turn back": turn_back,
    "activate": activate,
    "vote": vote,
    "tie": break_tie,
    "victim": victim,
    "keep": supplies_item,
    "give to": supplies_receiver,
    "give": supplies_item,
    "offer": make_offer,
    "answer": answer,
    "canned food": lay_canned_food,
}
