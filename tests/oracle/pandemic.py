"""The referee of Pandemic: which actions a position offers, in slow and plain Python.

Written from the printed rules and from the page of rulings, by somebody who has not read the engine's rules.
"Rulebook" below is the printed one (Hungarian edition of 2014, `rulebooks/pandemic.hu.txt`); "page" is
`games/pandemic.md`, which decides where the rulebook is silent.

    rule                                                         comes from
    -----------------------------------------------------------  ------------------------------------------
    drive, direct, charter and shuttle flight; build, treat,     rulebook p. 4
    share, cure
    nobody moves to where he is; nothing is treated, built or    page, "Turn as decisions", 1
    cured that is not there to treat, build or cure
    all six stations out: any one of them moves                  rulebook p. 4; page: which one is a decision
    a share goes between pawns in one city, the card is that     rulebook p. 4
    of the city
    the Researcher gives any city card, on either one's turn     rulebook p. 8
    the Scientist cures with four                                rulebook p. 8
    the Operations Expert builds without a card                  rulebook p. 8
    his flight from a station, once a turn, for any city card    rulebook p. 8 ("any card"); page: a city card
    the Dispatcher moves any pawn to another pawn's city, and    rulebook p. 8
    others' pawns like his own, with cards of his own hand
    the Contingency Planner stores one event of the discards     rulebook p. 8
    events on anybody's turn, not while a card is carried out    rulebook p. 7; page, "Windows"
    in an epidemic only Resilient Population                     its card, rulebook p. 1; page, "Draw"
    an event that would do nothing is not played                 page, "Windows"
    over seven cards: discard one or play an event               rulebook pp. 4 and 6
    owners are asked (option `consent`); what was refused is     rulebook pp. 4 and 8, card of Airlift; page,
    not offered again that turn                                  "Options"
    hidden hands: a seat is asked for a card, not for which one  page, "Turn as decisions", 1
    cards are picked one after another; no events meanwhile      page, "Turn as decisions", 2, and "Windows"

A position is what `env.position()` writes, see `envs/pandemic/POSITION.md`.  Besides the keys for case
writers, the last entry of `stack` tells what is being decided, by the arguments a and b (0 where left out);
`memory` holds what was refused this turn:

    card           a: 1 gift to seat b, 2 taking from seat b, 3 cure of colour b, 4 flight to city b,
                   5 Forecast, 6 Resilient Population
    destination    a: event + 1; b: the pawn
    pawn           a: event + 1
    dispatch       b: the pawn
    window         a: which one (3: within an epidemic)

Action texts name other seats from the acting one: "+1" is the next clockwise, "self" the own pawn.
"""

from __future__ import annotations

from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

COLOURS = ("blue", "yellow", "black", "red")
EVENTS = ("Airlift", "Forecast", "Government Grant", "One Quiet Night", "Resilient Population")
HAND_LIMIT = 7
GIFT, TAKING, CURE, FLIGHT, FORECAST, RESILIENT = range(1, 7)
WITHIN_EPIDEMIC = 3

# The printed map, as read from the board: each city with the cities it is joined to.
WORLD = """
blue
San Francisco: Chicago, Los Angeles, Manila, Tokyo
Chicago: Atlanta, Los Angeles, Mexico City, Montreal, San Francisco
Atlanta: Chicago, Miami, Washington
Montreal: Chicago, New York, Washington
Washington: Atlanta, Miami, Montreal, New York
New York: London, Madrid, Montreal, Washington
Madrid: Algiers, London, New York, Paris, Sao Paulo
London: Essen, Madrid, New York, Paris
Paris: Algiers, Essen, London, Madrid, Milan
Essen: London, Milan, Paris, St. Petersburg
Milan: Essen, Istanbul, Paris
St. Petersburg: Essen, Istanbul, Moscow
yellow
Los Angeles: Chicago, Mexico City, San Francisco, Sydney
Mexico City: Bogota, Chicago, Lima, Los Angeles, Miami
Miami: Atlanta, Bogota, Mexico City, Washington
Bogota: Buenos Aires, Lima, Mexico City, Miami, Sao Paulo
Lima: Bogota, Mexico City, Santiago
Santiago: Lima
Buenos Aires: Bogota, Sao Paulo
Sao Paulo: Bogota, Buenos Aires, Lagos, Madrid
Lagos: Khartoum, Kinshasa, Sao Paulo
Kinshasa: Johannesburg, Khartoum, Lagos
Johannesburg: Khartoum, Kinshasa
Khartoum: Cairo, Johannesburg, Kinshasa, Lagos
black
Algiers: Cairo, Istanbul, Madrid, Paris
Cairo: Algiers, Baghdad, Istanbul, Khartoum, Riyadh
Istanbul: Algiers, Baghdad, Cairo, Milan, Moscow, St. Petersburg
Moscow: Istanbul, St. Petersburg, Tehran
Baghdad: Cairo, Istanbul, Karachi, Riyadh, Tehran
Riyadh: Baghdad, Cairo, Karachi
Tehran: Baghdad, Delhi, Karachi, Moscow
Karachi: Baghdad, Delhi, Mumbai, Riyadh, Tehran
Mumbai: Chennai, Delhi, Karachi
Delhi: Chennai, Karachi, Kolkata, Mumbai, Tehran
Chennai: Bangkok, Delhi, Jakarta, Kolkata, Mumbai
Kolkata: Bangkok, Chennai, Delhi, Hong Kong
red
Bangkok: Chennai, Ho Chi Minh City, Hong Kong, Jakarta, Kolkata
Jakarta: Bangkok, Chennai, Ho Chi Minh City, Sydney
Ho Chi Minh City: Bangkok, Hong Kong, Jakarta, Manila
Hong Kong: Bangkok, Ho Chi Minh City, Kolkata, Manila, Shanghai, Taipei
Shanghai: Beijing, Hong Kong, Seoul, Taipei, Tokyo
Beijing: Seoul, Shanghai
Seoul: Beijing, Shanghai, Tokyo
Tokyo: Osaka, San Francisco, Seoul, Shanghai
Osaka: Taipei, Tokyo
Taipei: Hong Kong, Manila, Osaka, Shanghai
Manila: Ho Chi Minh City, Hong Kong, San Francisco, Sydney, Taipei
Sydney: Jakarta, Los Angeles, Manila
"""


def legal_actions(position: dict) -> set[str]:
    """The texts of all actions that the seat being asked may choose (empty where the game is over)."""
    return {
        "over": nothing,
        "action": actions,
        "window": window,
        "hand limit": hand_limit,
        "card": card_picks,
        "destination": destinations,
        "pawn": pawn_picks,
        "station": station_picks,
        "dispatch": dispatched_moves,
        "consent": answers,
        "asked": answers_with_a_card,
    }[position["decision"]](position)


def nothing(position: dict) -> set[str]:
    """The game is over: nobody is asked."""
    return set()


# The actions of a turn


def actions(position: dict) -> set[str]:
    """One of the four actions, an event, or the end of the actions."""
    return {
        "end",
        *own_moves(position),
        *operations_flights(position),
        *building(position),
        *treatments(position),
        *cures(position),
        *gifts(position),
        *takings(position),
        *dispatches(position),
        *storing(position),
        *events(position, position["asked"]),
    }


def own_moves(position: dict) -> set[str]:
    """The four ways to move one's own pawn."""
    seat = position["asked"]
    return {f"{way} {city}" for way, city in moves(position, seat, seat)}


def moves(position: dict, mover: int, pawn: int) -> set[tuple[str, str]]:
    """Ways and goals of a pawn, flights paid from the mover's hand: p. 4, and p. 8 for the Dispatcher."""
    here = position["pawns"][pawn]
    hand = position["hands"][mover]
    found = {("drive", city) for city in neighbours(position, here)}
    for city in cities(position):
        if city == here:
            continue
        if city in hand:
            found.add(("direct flight", city))
        if here in hand:
            found.add(("charter flight", city))
        if here in position["stations"] and city in position["stations"]:
            found.add(("shuttle flight", city))
    return found


def operations_flights(position: dict) -> set[str]:
    """The Operations Expert, once a turn, from a station to any other city for any city card."""
    seat = position["asked"]
    here = position["pawns"][seat]
    if role(position, seat) != "Operations Expert" or position["operations_flight_used"]:
        return set()
    if here not in position["stations"] or not city_cards(position, seat):
        return set()
    return {f"operations flight {city}" for city in cities(position) if city != here}


def building(position: dict) -> set[str]:
    """Where no station stands, for the card of the city; the Operations Expert without."""
    seat = position["asked"]
    here = position["pawns"][seat]
    if here in position["stations"]:
        return set()
    if here in position["hands"][seat] or role(position, seat) == "Operations Expert":
        return {"build"}
    return set()


def treatments(position: dict) -> set[str]:
    """Any colour of which a cube lies here."""
    here = position["pawns"][position["asked"]]
    return {f"treat {colour}" for colour, cubes in position["cubes"].get(here, {}).items() if cubes}


def cures(position: dict) -> set[str]:
    """At any station, with enough cards of a colour that has no cure."""
    seat = position["asked"]
    if position["pawns"][seat] not in position["stations"]:
        return set()
    known = position["cured"] + position["eradicated"]
    needed = cards_for_cure(position) - (role(position, seat) == "Scientist")
    return {
        f"cure {colour}"
        for colour in COLOURS
        if colour not in known and len(cards_of_colour(position, seat, colour)) >= needed
    }


def gifts(position: dict) -> set[str]:
    """To a seat in the same city, where there is a card that may be given to it."""
    seat = position["asked"]
    return {
        f"give {place(position, other)}"
        for other in others_here(position, seat)
        if giveable(position, seat, other)
    }


def takings(position: dict) -> set[str]:
    """From a seat in the same city; with hidden hands whatever that seat holds, as nobody else can know."""
    seat = position["asked"]
    found = set()
    for other in others_here(position, seat):
        if hidden(position):
            possible = position["hands"][other] and not refused_request(position, other)
        else:
            possible = takeable(position, other)
        if possible:
            found.add(f"take {place(position, other)}")
    return found


def giveable(position: dict, seat: int, other: int) -> set[str]:
    """The cards that a seat may give to another one in its city, less those refused this turn."""
    return {card for card in shareable(position, seat) if not refused_gift(position, other, card)}


def takeable(position: dict, other: int) -> set[str]:
    """The cards that may be taken from a seat, less those refused this turn."""
    return {card for card in shareable(position, other) if not refused_taking(position, card)}


def shareable(position: dict, giver: int) -> set[str]:
    """The card of the city; the Researcher's any city card. Events never."""
    held = city_cards(position, giver)
    if role(position, giver) == "Researcher":
        return held
    return held & {position["pawns"][giver]}


def dispatches(position: dict) -> set[str]:
    """The Dispatcher: each pawn for which there is a move; his own joins others only."""
    seat = position["asked"]
    if role(position, seat) != "Dispatcher":
        return set()
    return {
        f"dispatch {place(position, pawn)}" for pawn in seats(position) if moves_of_dispatched(position, pawn)
    }


def storing(position: dict) -> set[str]:
    """The Contingency Planner: any discarded event onto the empty role card."""
    seat = position["asked"]
    if role(position, seat) != "Contingency Planner" or position["stored"][seat]:
        return set()
    return {f"store {event}" for event in EVENTS if event in position["player_discard"]}


# Events


def events(position: dict, seat: int, only: tuple[str, ...] = EVENTS) -> set[str]:
    """The events of a seat's hand and role card that would do something."""
    held = [*position["hands"][seat], position["stored"][seat]]
    return {f"play {event}" for event in only if event in held and does_something(position, event)}


def does_something(position: dict, event: str) -> bool:
    """Whether an event can be played for any effect."""
    if event == "Forecast":
        return bool(position["infection_deck"])
    if event == "One Quiet Night":
        return not position["quiet_night"]
    if event == "Resilient Population":
        return bool(position["infection_discard"])
    return True  # there is always a pawn to lift (the own one) and a city without a station


def window(position: dict) -> set[str]:
    """An event or a pass; within an epidemic only Resilient Population."""
    return {"pass", *events(position, position["asked"], events_of_window(position))}


def events_of_window(position: dict) -> tuple[str, ...]:
    """The events that the window is open for."""
    return ("Resilient Population",) if argument(position, "a") == WITHIN_EPIDEMIC else EVENTS


def askable_in_window(position: dict) -> set[int]:
    """The seats that the window asks, from what the whole table knows (the page, "Windows").

    Open hands: who holds an event that can be played now.  Hidden hands: who is seen to hold one, and who has
    hidden cards while such an event is neither seen nor out of the game.
    """
    able = [event for event in events_of_window(position) if does_something(position, event)]
    found = set()
    for seat in seats(position):
        hand = position["hands"][seat]
        seen = position["known"][seat] if hidden(position) else hand
        secret = len(hand) > len(seen)
        if any(event in (*seen, position["stored"][seat]) for event in able):
            found.add(seat)
        if secret and any(
            event not in seen_events(position) for event in able if event in position["events_in_game"]
        ):
            found.add(seat)
    if argument(position, "a") in (1, 6):  # the start of the turn and between actions: the others
        found.discard(position["turn"])
    return found


def seen_events(position: dict) -> set[str]:
    """The events of which the table knows where they are, hidden hands."""
    places = [*position["known"], position["player_discard"], position["player_removed"], position["stored"]]
    return {card for cards in places for card in cards if card in EVENTS}


def hand_limit(position: dict) -> set[str]:
    """More than seven cards: any of them is discarded, or an event is played."""
    seat = position["asked"]
    if len(position["hands"][seat]) <= HAND_LIMIT:
        return set()  # nobody should have been asked
    return {f"discard {card}" for card in position["hands"][seat]} | events(position, seat)


# Steps within an action or event


def card_picks(position: dict) -> set[str]:
    """One card after another."""
    seat = position["asked"]
    what, which = argument(position, "a"), argument(position, "b")
    cards = {
        GIFT: lambda: giveable(position, seat, which),
        TAKING: lambda: takeable(position, which),
        CURE: lambda: cards_of_colour(position, seat, COLOURS[which]),
        FLIGHT: lambda: city_cards(position, seat),
        FORECAST: lambda: not_yet_laid_back(position),
        RESILIENT: lambda: set(position["infection_discard"]),
    }[what]()
    return {f"card {card}" for card in cards}


def not_yet_laid_back(position: dict) -> set[str]:
    """The Forecast's cards that still wait; the `memory` numbers cities in map order (1: waits)."""
    marks = position["memory"]["forecast"]
    return {city for city, mark in zip(cities(position), marks) if mark == 1}


def destinations(position: dict) -> set[str]:
    """Airlift: any other city. Government Grant: any city without a station."""
    if EVENTS[argument(position, "a") - 1] == "Government Grant":
        return {f"to {city}" for city in cities(position) if city not in position["stations"]}
    return {f"to {city}" for city in lifts(position, argument(position, "b"))}


def pawn_picks(position: dict) -> set[str]:
    """Airlift: any pawn."""
    return {f"pawn {place(position, pawn)}" for pawn in seats(position) if lifts(position, pawn)}


def lifts(position: dict, pawn: int) -> set[str]:
    """Where a pawn may be lifted to, less what its owner has refused this turn."""
    here = position["pawns"][pawn]
    return {city for city in cities(position) if city != here and not refused_lift(position, pawn, city)}


def station_picks(position: dict) -> set[str]:
    """Any of the stations on the board moves."""
    return {f"station {city}" for city in position["stations"]}


def dispatched_moves(position: dict) -> set[str]:
    """The moves of the pawn that the Dispatcher has named."""
    return {f"{way} {city}" for way, city in moves_of_dispatched(position, argument(position, "b"))}


def moves_of_dispatched(position: dict, pawn: int) -> set[tuple[str, str]]:
    """To a city where another pawn stands; another's pawn also as his own, but without its role's moves."""
    seat = position["asked"]
    here = position["pawns"][pawn]
    found = {("to", city) for city in position["pawns"] if city != here}
    if pawn != seat:
        found |= moves(position, seat, pawn)
    return {(way, city) for way, city in found if not refused_dispatch(position, pawn, city)}


def answers(position: dict) -> set[str]:
    """Agreeing or refusing."""
    return {"yes", "no"}


def answers_with_a_card(position: dict) -> set[str]:
    """A seat asked for a card gives one that it may give, or refuses."""
    return {"no", *(f"card {card}" for card in shareable(position, position["asked"]))}


# What was refused this turn: bit sets by city (a city's card has its number)


def refused_gift(position: dict, receiver: int, card: str) -> bool:
    return bit(position, by_seat(position, "refused_give", receiver), card)


def refused_taking(position: dict, card: str) -> bool:
    return bit(position, memory(position).get("refused_take", 0), card)


def refused_dispatch(position: dict, pawn: int, city: str) -> bool:
    return bit(position, by_seat(position, "refused_dispatch", pawn), city)


def refused_lift(position: dict, pawn: int, city: str) -> bool:
    return bit(position, by_seat(position, "refused_airlift", pawn), city)


def refused_request(position: dict, other: int) -> bool:
    return bool(memory(position).get("refused_ask", 0) >> other & 1)


def memory(position: dict) -> dict:
    return position.get("memory", {})


def by_seat(position: dict, key: str, seat: int) -> int:
    values = memory(position).get(key)
    return values[seat] if values else 0


def bit(position: dict, bits: int, city: str) -> bool:
    return bool(bits >> list(cities(position)).index(city) & 1)


# Seats, cards, map


def seats(position: dict) -> range:
    return range(len(position["pawns"]))


def place(position: dict, seat: int) -> str:
    """A seat as the acting one names it."""
    steps = (seat - position["asked"]) % len(position["pawns"])
    return f"+{steps}" if steps else "self"


def role(position: dict, seat: int) -> str:
    return position["roles"][seat]


def others_here(position: dict, seat: int) -> list[int]:
    """The other seats whose pawns stand in the same city."""
    here = position["pawns"][seat]
    return [other for other in seats(position) if other != seat and position["pawns"][other] == here]


def hidden(position: dict) -> bool:
    return position["options"].get("hands", "open") == "hidden"


def argument(position: dict, name: str) -> int:
    """An argument of the decision that is asked."""
    return position["stack"][-1].get(name, 0)


def city_cards(position: dict, seat: int) -> set[str]:
    return {card for card in position["hands"][seat] if card not in EVENTS}


def cards_of_colour(position: dict, seat: int, colour: str) -> set[str]:
    board = cities(position)
    return {card for card in city_cards(position, seat) if board[card][0] == colour}


def neighbours(position: dict, city: str) -> set[str]:
    return cities(position)[city][1]


def cards_for_cure(position: dict) -> int:
    """Five, where an own map says nothing else."""
    return own_map(position).get("cards_for_cure", 5)


def cities(position: dict) -> dict[str, tuple[str, set[str]]]:
    """Colour and neighbours of each city, in map order."""
    named = position["options"].get("map", "world")
    if named == "world":
        return printed_map()
    return {city["name"]: (city["colour"], set(city["links"])) for city in own_map(position)["city"]}


def own_map(position: dict) -> dict:
    """The file of a map that is not the printed one; nothing for the printed one."""
    named = position["options"].get("map", "world")
    if named == "world":
        return {}
    shipped = Path(__file__).parents[2] / "envs" / "pandemic" / "maps" / f"{named}.toml"
    return tomllib.loads((shipped if shipped.exists() else Path(named)).read_text("utf-8"))


def printed_map() -> dict[str, tuple[str, set[str]]]:
    board = {}
    colour = ""
    for line in WORLD.split("\n"):
        if line in COLOURS:
            colour = line
        elif line:
            city, links = line.split(": ")
            board[city] = (colour, set(links.split(", ")))
    return board
