"""Combat: weapons, dice, re-rolls, hits in melee and at range (p.19-20)."""

from __future__ import annotations

import numpy as np

from ...core.chance import chance
from ...core.decisions import pop, top
from ...core.events import log
from ...core.rule import CHECK, require, rule
from ...core.state import fill
from .. import cards as C
from .. import table as T
from ..state import ACTIONS, COMBAT, EVENTS, FRIEND, HIT, MELEE, RANGED, REROLL, TARGET, WOUND_WORK
from .common import (
    ask,
    crowd,
    crowd_of_zombies,
    die,
    has,
    in_hand,
    look,
    make_noise,
    stands,
    survivor_at,
    toss,
    work,
)  # fmt: skip
from .experience import earn

BEST_ACCURACY = 2  # a one always misses

# --- weapons -------------------------------------------------------------------------------------


@rule
def can_fight(me, mode):
    """Whether an action is left for this kind of combat."""
    free = int(me.melees) if mode == MELEE else int(me.shots)
    return me.actions > 0 or me.fights > 0 or free > 0


@rule
def pay_fight(me, mode):
    """A combat action is paid by the narrowest free one first."""
    if mode == MELEE and me.melees > 0:
        me.melees -= 1
    elif mode == RANGED and me.shots > 0:
        me.shots -= 1
    elif me.fights > 0:
        me.fights -= 1
    else:
        me.actions -= 1


@rule
def serves(me, slot, mode):
    """Whether the card in a slot can be used as a weapon of this mode now."""
    kind = int(me.slots[slot])
    if not in_hand(me, slot):
        return False
    if mode == MELEE:
        return C.IS_MELEE[kind] == 1
    return C.IS_RANGED[kind] == 1 and me.spent[slot] == 0


@rule
def partner(me, slot, mode):
    """The slot of an equal weapon that can be used together with this one (p.9, p.19); -1: none."""
    kind = int(me.slots[slot])
    if not C.IS_DUAL[kind] and (me.skills[C.AMBIDEXTROUS] == 0 or kind == C.MOLOTOV):
        return -1
    for other in range(slot + 1, C.SLOTS):
        if me.slots[other] == kind and serves(me, other, mode):
            return other
    return -1


@rule
def is_first(me, slot):
    """Whether no equal card lies in an earlier slot (equal weapons are offered once)."""
    for other in range(slot):
        if me.slots[other] == me.slots[slot] and me.spent[other] == me.spent[slot]:
            return False
    return True


@rule
def legal_fights(state, t, mask, survivor):
    """Weapons, alone or as a pair, that have a target."""
    me = state.survivors[survivor]
    for slot in range(C.SLOTS):
        if can_strike(state, me, slot):
            mask[ACTIONS.melee + slot] = 1
            mask[ACTIONS.melee_pair + slot] = partner(me, slot, MELEE) >= 0
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    n = -1
    for slot in range(C.SLOTS):
        if is_loaded(me, slot):
            if n < 0:
                n = look(state, t, int(me.zone), int(me.tower), seen, steps)
            if reaches(state, survivor, slot, n, seen, steps):
                mask[ACTIONS.shoot + slot] = 1
                mask[ACTIONS.shoot_pair + slot] = partner(me, slot, RANGED) >= 0


@rule
def can_strike(state, me, slot):
    """Whether there is a weapon, an action and a zombie for melee (p.19)."""
    ready = can_fight(me, MELEE) and serves(me, slot, MELEE) and is_first(me, slot)
    return ready and crowd_of_zombies(state, int(me.zone)) > 0


@rule
def is_loaded(me, slot):
    """Whether there is a weapon and an action for ranged combat (p.19)."""
    return can_fight(me, RANGED) and serves(me, slot, RANGED) and is_first(me, slot)


@rule
def reaches(state, survivor, slot, n, seen, steps):
    """Whether the weapon in a slot has a target among the n zones seen."""
    for k in range(n):
        if is_target(state, survivor, int(state.survivors[survivor].slots[slot]), seen[k], steps[k]):
            return True
    return False


@rule
def can_shoot(state, t, survivor, slot):
    """Whether the weapon in a slot is loaded and has a target."""
    me = state.survivors[survivor]
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    n = look(state, t, int(me.zone), int(me.tower), seen, steps)
    return is_loaded(me, slot) and reaches(state, survivor, slot, n, seen, steps)


@rule
def is_target(state, survivor, kind, zone, distance):
    """Whether a zone in sight can be shot at: in range, holding a zombie or a friend (p.19-20)."""
    if distance < C.RANGE_FROM[kind] or distance > C.RANGE_TO[kind]:
        return False
    if crowd_of_zombies(state, zone) > 0:
        return True
    me = state.survivors[survivor]
    if not state.options.friendly_fire or (
        distance == 0 and me.skills[C.POINT_BLANK] > 0 and kind != C.MOLOTOV
    ):
        return False
    return crowd(state, zone) - stands(state, survivor, zone) > 0


@rule
def legal_target(state, t, mask, survivor, slot):
    """The zones that a weapon can be aimed at, by sight slot."""
    me = state.survivors[survivor]
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    n = look(state, t, int(me.zone), int(me.tower), seen, steps)
    for k in range(n):
        mask[ACTIONS.target + k] = is_target(state, survivor, int(me.slots[slot]), seen[k], steps[k])


@rule
def choose_weapon(state, ctx, t, survivor, action):
    """An attack begins: in melee at once, at range after the zone is chosen."""
    me = state.survivors[survivor]
    mode = MELEE if action < ACTIONS.shoot else RANGED
    first = int(ACTIONS.melee) if mode == MELEE else int(ACTIONS.shoot)
    slot = (action - first) % C.SLOTS
    other = -1
    if action - first >= C.SLOTS:
        other = partner(me, slot, mode)
        require(other >= 0)
    if mode == MELEE:
        require(can_strike(state, me, slot))
        begin_fight(state, ctx, survivor, slot, other, mode, int(me.zone), 0)
    else:
        if CHECK:
            require(can_shoot(state, t, survivor, slot))
        ask(state, TARGET, survivor, slot, other + 1, mode)


@rule
def aim(state, ctx, t, place):
    """The zone to shoot at is chosen."""
    frame = top(state)
    survivor = int(frame.a)
    slot = int(frame.b)
    other = int(frame.c) - 1
    me = state.survivors[survivor]
    seen = np.empty(T.SIGHT, np.int64)
    steps = np.empty(T.SIGHT, np.int64)
    n = look(state, t, int(me.zone), int(me.tower), seen, steps)
    require(place < n and is_target(state, survivor, int(me.slots[slot]), seen[place], steps[place]))
    zone = seen[place]
    distance = steps[place]
    pop(state)
    if me.slots[slot] == C.MOLOTOV:
        throw_molotov(state, ctx, survivor, slot, zone)
    else:
        begin_fight(state, ctx, survivor, slot, other, RANGED, zone, distance)


@rule
def throw_molotov(state, ctx, survivor, slot, zone):
    """Everything in the zone dies, survivors included (p.10)."""
    me = state.survivors[survivor]
    pay_fight(me, RANGED)
    make_noise(state, int(me.zone))
    toss(state, C.MOLOTOV)
    me.slots[slot] = C.EMPTY
    for kind in range(C.ZOMBIES):
        while state.zombies[zone, kind] > 0:
            kill(state, ctx, survivor, zone, kind)
    for i in range(C.SURVIVORS):
        if stands(state, i, zone):
            die(state, ctx, i, 1)


# --- dice ----------------------------------------------------------------------------------------


@rule
def begin_fight(state, ctx, survivor, slot, other, mode, zone, distance):
    """The action is paid, noise is made, the dice are rolled (p.19)."""
    me = state.survivors[survivor]
    kind = int(me.slots[slot])
    pay_fight(me, mode)
    fight = state.fight
    fight.mode = mode
    fight.slot = slot
    fight.other = other + 1
    fight.zone = zone
    fight.close = mode == RANGED and distance == 0 and me.skills[C.POINT_BLANK] > 0
    fight.chooses = mode == MELEE or kind == C.SNIPER_RIFLE or fight.close
    fight.damage = damage_of(me, kind, mode)
    if mode == RANGED or C.NOISY_MELEE[kind]:
        make_noise(state, int(me.zone))
    if mode == RANGED and C.RELOADS[kind]:
        me.spent[slot] = 1
        if other >= 0:
            me.spent[other] = 1
    roll(state, ctx, dice_of(me, slot, mode) * (2 if other >= 0 else 1))
    work(state, COMBAT, survivor, 0, 0, 0)


@rule
def damage_of(me, kind, mode):
    """What one hit does."""
    if mode == RANGED:
        return int(C.RANGED_DAMAGE[kind])
    if me.skills[C.SUPER_STRENGTH] > 0:
        return max(3, int(C.MELEE_DAMAGE[kind]))
    return int(C.MELEE_DAMAGE[kind]) + int(me.skills[C.DAMAGE_MELEE])


@rule
def dice_of(me, slot, mode):
    """How many dice one weapon rolls, with skills and the Katana's companion."""
    kind = int(me.slots[slot])
    dice = int(me.skills[C.DIE_COMBAT]) + int(me.skills[C.FRENZY_COMBAT]) * int(me.wounds)
    if mode == RANGED:
        return dice + int(C.RANGED_DICE[kind]) + int(me.skills[C.FRENZY_RANGED]) * int(me.wounds)
    dice += int(me.skills[C.DIE_MELEE]) + int(me.skills[C.FRENZY_MELEE]) * int(me.wounds)
    if kind == C.KATANA:
        for other in range(C.SLOTS):
            if in_hand(me, other) and me.slots[other] == C.WAKIZACHI:
                dice += 2
                break
    return dice + int(C.MELEE_DICE[kind])


@rule
def roll(state, ctx, n):
    """Throw n dice, counted by face."""
    fill(state.fight.faces, 0)
    for _ in range(n):
        state.fight.faces[chance(state, ctx, 6)] += 1
    for face in range(6):
        if state.fight.faces[face] > 0:
            log(ctx, EVENTS.dice, 0, face + 1, int(state.fight.faces[face]))


@rule
def bonus(me, mode):
    """What is added to each die (p.25 skills)."""
    special = int(me.skills[C.ROLL_MELEE]) if mode == MELEE else int(me.skills[C.ROLL_RANGED])
    return special + int(me.skills[C.ROLL_COMBAT])


@rule
def accuracy(me, fight):
    """The face from which a die hits, bonuses included."""
    kind = int(me.slots[fight.slot])
    need = int(C.MELEE_ACCURACY[kind]) if fight.mode == MELEE else int(C.RANGED_ACCURACY[kind])
    return max(BEST_ACCURACY, need - bonus(me, int(fight.mode)))


@rule
def count_hits(me, fight):
    """Dice that hit."""
    hits = 0
    for face in range(accuracy(me, fight) - 1, 6):
        hits += fight.faces[face]
    return hits


@rule
def legal_reroll(me, fight, mask):
    """Roll again, or leave it at that."""
    mask[ACTIONS.ammo] = can_use_ammo(me, fight)
    mask[ACTIONS.lucky] = can_use_luck(me, fight)
    mask[ACTIONS.done] = 1


@rule
def can_use_ammo(me, fight):
    """Plenty of Ammo of the weapon's kind, once an action."""
    kind = int(me.slots[fight.slot])
    return fight.mode == RANGED and fight.ammo == 0 and C.AMMO[kind] > 0 and has(me, int(C.AMMO[kind])) > 0


@rule
def can_use_luck(me, fight):
    """The skill Lucky, once an action."""
    return me.skills[C.LUCKY] > 0 and fight.lucky == 0


@rule
def is_worth_it(state, survivor):
    """Whether to roll again can be wished for: a die has missed, or a friend would be hit (ruling)."""
    fight = state.fight
    for face in range(accuracy(state.survivors[survivor], fight) - 1):
        if fight.faces[face] > 0:
            return True
    friendly = state.options.friendly_fire and not fight.chooses
    return friendly and friends(state, survivor, int(fight.zone), 0) > 0


@rule
def reroll(state, ctx, action):
    """All dice once more; the second result stands."""
    frame = top(state)
    me = state.survivors[frame.a]
    pop(state)
    fight = state.fight
    if action == ACTIONS.done:
        top(state).b = 1
        return
    if action == ACTIONS.ammo:
        require(can_use_ammo(me, fight))
        fight.ammo = 1
    else:
        require(action == ACTIONS.lucky and can_use_luck(me, fight))
        fight.lucky = 1
    n = 0
    for face in range(6):
        n += fight.faces[face]
    roll(state, ctx, n)


@rule
def sixes(state, ctx, survivor):
    """Each six brings one more die, as long as sixes come (after all re-rolls)."""
    me = state.survivors[survivor]
    fight = state.fight
    own = C.SIX_MELEE if fight.mode == MELEE else C.SIX_RANGED
    if me.skills[own] == 0 and me.skills[C.SIX_COMBAT] == 0:
        return
    least = max(0, 5 - bonus(me, int(fight.mode)))
    pending = 0
    for face in range(least, 6):
        pending += fight.faces[face]
    for _ in range(MOST_SIXES):
        if pending == 0:
            return
        pending -= 1
        face = chance(state, ctx, 6)
        fight.faces[face] += 1
        log(ctx, EVENTS.dice, 0, face + 1, 1)
        pending += face >= least


MOST_SIXES = 60

# --- hits ----------------------------------------------------------------------------------------


@rule
def combat(state, ctx, t):
    """What follows the dice: re-rolls, then the hits one by one (p.19-20)."""
    frame = top(state)
    survivor = int(frame.a)
    me = state.survivors[survivor]
    fight = state.fight
    if frame.b == 0:
        if (can_use_ammo(me, fight) or can_use_luck(me, fight)) and is_worth_it(state, survivor):
            ask(state, REROLL, survivor, 0, 0, 0)
        else:
            frame.b = 1
        return
    if frame.b == 1:
        sixes(state, ctx, survivor)
        fight.hits = count_hits(me, fight)
        log(ctx, EVENTS.rolled, 0, survivor, int(fight.hits))
        frame.b = 2
        return
    if fight.hits == 0:
        end_fight(state)
    elif fight.chooses:
        choose_hit(state, survivor)
    else:
        next_hit(state, ctx, survivor)


@rule
def end_fight(state):
    """The attack is over."""
    pop(state)
    fight = state.fight
    fill(fight.faces, 0)
    fight.mode = 0
    fight.slot = 0
    fight.other = 0
    fight.zone = 0
    fight.damage = 0
    fight.hits = 0
    fight.chooses = 0
    fight.close = 0
    fight.ammo = 0
    fight.lucky = 0
    fight.reaped = 0


@rule
def can_kill(state, kind):
    """Whether a hit of this fight kills a zombie of a kind: Berserkers fear no bullets (p.12)."""
    fight = state.fight
    if fight.damage < C.TOUGHNESS[kind]:
        return False
    return fight.mode == MELEE or fight.close == 1 or kind < C.BERSERKER


@rule
def choose_hit(state, survivor):
    """The attacker chooses a target for the next hit among those it can kill."""
    kinds = 0
    for kind in range(C.ZOMBIES):
        if state.zombies[state.fight.zone, kind] > 0 and can_kill(state, kind):
            kinds |= 1 << kind
    if kinds == 0:
        end_fight(state)
    else:
        ask(state, HIT, survivor, kinds, 0, 0)


@rule
def assign(state, ctx, kind):
    """A hit kills a chosen zombie."""
    frame = top(state)
    survivor = int(frame.a)
    require(frame.b >> kind & 1 == 1)
    pop(state)
    state.fight.hits -= 1
    kill_in_fight(state, ctx, survivor, kind)


@rule
def kill_in_fight(state, ctx, survivor, kind):
    """A kill by a weapon, with Reaper a second one of the same kind."""
    fight = state.fight
    zone = int(fight.zone)
    kill(state, ctx, survivor, zone, kind)
    if state.survivors[survivor].skills[C.REAPER] > 0 and fight.reaped == 0 and state.zombies[zone, kind] > 0:
        fight.reaped = 1
        kill(state, ctx, survivor, zone, kind)


@rule
def kill(state, ctx, survivor, zone, kind):
    """A zombie dies: its figure goes back, the killer gets its experience (p.10, p.12)."""
    state.zombies[zone, kind] -= 1
    state.pool[kind] += 1
    if kind % C.BERSERKER == C.ABOMINATION:
        state.abominations += 1
    earn(state.survivors[survivor], int(C.ZOMBIE_XP[kind]))
    log(ctx, EVENTS.killed, 0, survivor, kind)


@rule
def next_hit(state, ctx, survivor):
    """Shots hit by priority: friends, Walkers, Fatties and Abominations, Runners (p.20)."""
    fight = state.fight
    zone = int(fight.zone)
    if state.options.friendly_fire and friends(state, survivor, zone, 0) > 0:
        fight.hits -= 1
        ask(state, FRIEND, survivor, zone, 0, int(fight.damage))
        return
    for place in range(len(C.PRIORITY)):
        for choice in range(2):
            kind = int(C.PRIORITY[place, choice])
            if state.zombies[zone, kind] > 0 and can_kill(state, kind):
                fight.hits -= 1
                kill_in_fight(state, ctx, survivor, kind)
                return
        if state.zombies[zone, C.PRIORITY[place, 0]] > 0 or state.zombies[zone, C.PRIORITY[place, 1]] > 0:
            break
    end_fight(state)


@rule
def friends(state, survivor, zone, by_car):
    """Survivors that a shot (or a car: those outside cars) can hit."""
    n = 0
    for i in range(C.SURVIVORS):
        n += is_friend(state, survivor, i, zone, by_car)
    return n


@rule
def is_friend(state, survivor, other, zone, by_car):
    """Whether another survivor stands in the way of a shot or a car."""
    if other == survivor or not stands(state, other, zone):
        return False
    return by_car == 0 or state.survivors[other].car == 0


@rule
def legal_friend(state, mask, survivor, zone, by_car, seat):
    """Which friend is hit: the shooter chooses (p.20)."""
    for place in range(int(state.options.survivors)):
        other = survivor_at(state, seat, place)
        mask[ACTIONS.survivor + place] = is_friend(state, survivor, other, zone, by_car)


@rule
def hit_friend(state, other):
    """A friend takes the whole damage of one hit."""
    frame = top(state)
    damage = int(frame.d)
    require(is_friend(state, int(frame.a), other, int(frame.b), int(frame.c)))
    pop(state)
    work(state, WOUND_WORK, other, damage, 1, 0)
