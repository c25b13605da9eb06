"""A scripted player of Run for Your Lives: it weighs each legal action by what the tables show.

It saves itself when it can, keeps a player who is about to be saved from it, turns those who stand
at four zombies, removes zombies while they are dangerous, and otherwise collects items.  The weights
were set by hand.
"""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.run_for_your_lives.cards import SEATS
from outbreak_rl.envs.run_for_your_lives.rules import (
    counterpart,
    is_item,
    items_on,
    meets_counterpart,
    zombies_on,
)
from outbreak_rl.envs.run_for_your_lives.state import ACTIONS
from outbreak_rl.envs.run_for_your_lives.view import FIELDS

from ..scripted import Scripted

# What an action is worth; the unit is one item laid on an empty table.
WIN = 1000.0
LOSE = -1000.0
REFRESH = -5.0  # only offered beside plays that turn oneself or save another
SPECIAL = -3.0  # an extra card does not repay a zombie on oneself or an item given away
ITEM, ITEM_MORE = 1.0, 0.3  # a new item, and more for each that lies there
EXPOSED = 0.1  # less for each zombie of its kind that is still about
CURE, CURE_MORE, CURE_LAST = 0.6, 0.35, 3.0  # removing a zombie, by the zombies there, and from the brink
SPOIL, SPOIL_MORE, SPOIL_LAST = 0.7, 0.3, 4.0  # taking an item from another, likewise
BITE, BITE_MORE, BITE_ITEMS = 0.5, 0.15, 0.15  # a zombie for another, by his zombies and items
TURN, TURN_ITEMS = 1.5, 0.5  # his last zombie


@rule
def still_about(view, code):  # type: ignore[no-untyped-def]
    """Cards of a code that lie neither on a table, nor in the own hand, nor among the discards."""
    n = view.copies - view.hand[code] - view.discard[code]
    for place in range(SEATS):
        n -= view.table[place, code]
    return n


@rule
def weigh_own_item(view, card):  # type: ignore[no-untyped-def]
    """An item before oneself."""
    table = view.table[0]
    items = items_on(table)
    zombies = zombies_on(table)
    if meets_counterpart(table, card):
        return CURE + CURE_MORE * zombies + (CURE_LAST if zombies == view.goal - 1 else 0.0)
    if items == view.goal - 1:
        return WIN
    return ITEM + ITEM_MORE * items - EXPOSED * still_about(view, counterpart(card))


@rule
def weigh_zombie(view, place, card):  # type: ignore[no-untyped-def]
    """A zombie before another player."""
    table = view.table[place]
    items = items_on(table)
    zombies = zombies_on(table)
    if meets_counterpart(table, card):
        return SPOIL + SPOIL_MORE * items + (SPOIL_LAST if items == view.goal - 1 else 0.0)
    if zombies == view.goal - 1:
        return TURN + TURN_ITEMS * items + (SPOIL_LAST if items == view.goal - 1 else 0.0)
    return BITE + BITE_MORE * zombies + BITE_ITEMS * items


@rule
def weigh(view, action):  # type: ignore[no-untyped-def]
    """What an action is worth."""
    if action == ACTIONS.refresh:
        return REFRESH
    card = action // SEATS
    place = action % SEATS
    if view.decision == 2:  # a zombie player cannot win: it hinders the one who is ahead
        if is_item(card):
            return -1.0 * items_on(view.table[place]) - (
                10.0 if items_on(view.table[place]) == view.goal - 1 else 0.0
            )
        return weigh_zombie(view, place, card)
    if is_item(card):
        if place == 0:
            return weigh_own_item(view, card)
        table = view.table[place]
        if meets_counterpart(table, card):
            return SPECIAL - 1.0
        return LOSE if items_on(table) == view.goal - 1 else SPECIAL - ITEM_MORE * items_on(table)
    if place > 0:
        return weigh_zombie(view, place, card)
    table = view.table[0]
    if meets_counterpart(table, card):
        return SPECIAL - 2.0
    return LOSE if zombies_on(table) == view.goal - 1 else SPECIAL - BITE_MORE * zombies_on(table)


@rule
def choose(view, mask, ticket):  # type: ignore[no-untyped-def]
    """The best legal action; among equals the one that ``ticket`` (0 .. 2**31 - 1) points at."""
    best = LOSE - 1.0
    equals = 0
    for action in range(len(mask)):
        if mask[action]:
            worth = weigh(view, action)
            if worth > best:
                best = worth
                equals = 1
            elif worth == best:
                equals += 1
    k = ticket % equals
    for action in range(len(mask)):
        if mask[action] and weigh(view, action) == best:
            if k == 0:
                return action
            k -= 1
    return -1


def _choose_batch(views, masks, tickets, actions):  # type: ignore[no-untyped-def]
    for i in range(len(views)):
        actions[i] = choose(views[i], masks[i], tickets[i])


choose_batch = rule(_choose_batch, entry=True)


class Heuristic(Scripted):
    """The scripted player; without a state of its own."""

    fields = FIELDS
    choose_batch = staticmethod(choose_batch)
