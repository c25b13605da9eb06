"""The referee of Zombicide: which actions a position offers, in slow and plain Python.

Written from the printed rules (Czech rulebook, `rulebooks/zombicide_prison_outbreak.cs.txt`, called "rulebook"),
the page of rulings (`games/zombicide.md`, "page", with its tables) and the package's docstring ("rulings"), by
somebody who has not read the engine's rules.  Of the package it uses the mission loader only: zones, links,
doors, lines of sight (`mission`), and the tables of cards and skills.

    rule                                                         comes from
    -----------------------------------------------------------  ------------------------------------------
    a Move costs an action and one more for each zombie left     rulebook p. 13; page: the free Move pays the
    behind; Slippery none                                        Move alone
    only melee weapons with the sign open doors                  rulebook p. 14
    locked doors: switch, key or event only                      page, "Mission files"
    search: rooms without zombies, cars, once a turn             rulebook pp. 14 and 21
    one trade partner in the zone; wounds never cross            rulebook pp. 14 and 15
    two equal dual weapons strike as one                         rulebook p. 19
    shots: a zone in range and in sight with somebody in it      rulebook pp. 7 and 19
    target priority, berserkers immune and last of their kind    rulebook pp. 12, 13 and 20
    what a sniper or point-blank shooter chooses                 tables, section 4; rulings
    cars: seats, doors, driving                                  rulebook pp. 15, 20 and 21; rulings
    who is in a car or on a tower does not move, trade outward,  rulings
    open, take or switch
    objectives beside a switch of their colour go by it only     rulebook p. 15
    parts become one weapon if one lies aside                    rulebook p. 10; page
    wounds go to whom the first player says; his owner loses a   rulebook p. 15; page, "Zombies' phase"
    card or wards off
    where an Abomination may go                                  rulebook p. 16; page, "Targets"

A position is what `env.position()` writes, see `envs/zombicide/POSITION.md`.  The last entry of `stack` is the
decision: kind, seat, a, b, c, d.
"""

from __future__ import annotations

from .answers import (
    crossings,
    equipping,
    followers,
    friends_hit,
    hits,
    keeping,
    left_hands,
    linked,
    losses,
    pulls,
    reaches,
    rerolls,
    rides,
    right_hands,
    second_steps,
    skills,
    targets,
    taunts,
    victims,
    ways,
)
from .turn import actions, choices_of_survivor


def legal_actions(position: dict) -> set[str]:
    """The texts of all actions that the seat being asked may choose (empty where the game is over)."""
    if position["decision"] == "over":
        return set()
    return {
        "choose": choices_of_survivor,
        "act": actions,
        "step": second_steps,
        "keep": keeping,
        "left hand": left_hands,
        "right hand": right_hands,
        "trade": crossings,
        "target": targets,
        "reroll": rerolls,
        "hit": hits,
        "friend": friends_hit,
        "victim": victims,
        "lose": losses,
        "skill": skills,
        "way": ways,
        "ride": rides,
        "link": linked,
        "reach": reaches,
        "pull": pulls,
        "taunt": taunts,
        "lead": followers,
        "equip": equipping,
    }[position["decision"]](position)
