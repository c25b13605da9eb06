"""Zombie cards: spawn zones, buildings that are opened, manholes, extra activations (p.14, p.17-18)."""

from __future__ import annotations

from ...core.chance import shuffle
from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import rule
from .. import cards as C
from .. import table as T
from ..state import ACTIVATE, ACTIVE, EVENTS, LINKS
from .common import danger, spawn, work

EXTRA_MOVES_BERSERKERS = False  # RULING: extra activation cards move standard zombies only (p.13)


@rule
def draw_zombie_card(state, ctx):
    """The top card; a used-up deck is made of the cards drawn so far (p.14, p.17)."""
    if state.spawn_size == 0:
        for card in range(C.ZOMBIE_CARDS):
            if state.spawn_discard[card] == 1:
                state.spawn_discard[card] = 0
                state.spawn_deck[state.spawn_size] = card + 1
                state.spawn_size += 1
        shuffle(state, ctx, state.spawn_deck, state.spawn_size)
    state.spawn_size -= 1
    card = int(state.spawn_deck[state.spawn_size]) - 1
    state.spawn_deck[state.spawn_size] = 0
    state.spawn_discard[card] = 1
    return card


@rule
def zombie_card(state, ctx, t, zone):
    """A card is drawn for a zone and carried out (p.17-18)."""
    card = draw_zombie_card(state, ctx)
    level = danger(state)
    log(ctx, EVENTS.card, 0, zone, card)
    if C.EXTRA_KIND[card] >= 0:
        if level > C.BLUE:
            extra_activation(state, ctx, int(C.EXTRA_KIND[card]))
        return
    kind = int(C.SPAWN_KIND[card, level])
    count = int(C.SPAWN_COUNT[card, level])
    if C.IS_MANHOLE[card]:
        for k in range(T.MANHOLES):
            if t.manhole_zone[k] > 0 and tile_has_survivor(state, t, int(t.manhole_tile[k])):
                spawn(state, ctx, t, int(t.manhole_zone[k]) - 1, kind, count)
    else:
        spawn(state, ctx, t, zone, kind, count)


@rule
def extra_activation(state, ctx, kind):
    """All zombies of a kind act once more; before that come those with a Zombie link (p.17)."""
    kinds = 1 << kind
    if EXTRA_MOVES_BERSERKERS:
        kinds |= 1 << (kind + C.BERSERKER)
    work(state, ACTIVATE, kinds, 0, 0, 0)
    log(ctx, EVENTS.activated, 0, kinds)
    linked = 0
    for i in range(C.SURVIVORS):
        if state.survivors[i].status == ACTIVE and state.survivors[i].skills[C.ZOMBIE_LINK] > 0:
            linked |= 1 << i
    if linked != 0:
        work(state, LINKS, linked, 0, 0, 0)


@rule
def tile_has_survivor(state, t, tile):
    """Whether a survivor stands in any zone of a tile (p.18)."""
    for i in range(C.SURVIVORS):
        me = state.survivors[i]
        if me.status == ACTIVE and t.tiles[me.zone] >> tile & 1:
            return True
    return False


@rule
def spawn_step(state, ctx, t):
    """One card for each active spawn zone, clockwise (p.17)."""
    frame = top(state)
    for place in range(int(frame.b), T.SPAWNS):
        if t.spawn_zone[place] > 0 and state.spawning[place] == 1:
            frame.b = place + 1
            zombie_card(state, ctx, t, int(t.spawn_zone[place]) - 1)
            return
    pop(state)


@rule
def reveal(state, ctx, t):
    """A building is opened for the first time: a card for each of its zones (p.14)."""
    for zone in range(t.zones):
        if state.to_draw[zone] == 1:
            state.to_draw[zone] = 0
            zombie_card(state, ctx, t, zone)
            return
    pop(state)


@rule
def draw_set(state, ctx, t):
    """An event draws a card for each zone of a set."""
    frame = top(state)
    for zone in range(int(frame.b), int(t.zones)):
        if t.sets[frame.a, zone] == 1:
            frame.b = zone + 1
            zombie_card(state, ctx, t, zone)
            return
    pop(state)


@rule
def draw_tile(state, ctx, t):
    """An event draws a card for each building zone of a tile."""
    frame = top(state)
    for zone in range(int(frame.b), int(t.zones)):
        if t.building[zone] > 0 and t.tiles[zone] >> frame.a & 1:
            frame.b = zone + 1
            zombie_card(state, ctx, t, zone)
            return
    pop(state)
