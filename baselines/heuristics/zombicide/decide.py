"""The scripted team's answers, one function for each kind of decision."""

from __future__ import annotations

from outbreak_rl.envs.core.rule import rule
from outbreak_rl.envs.core.state import table
from outbreak_rl.envs.zombicide import cards as C
from outbreak_rl.envs.zombicide import table as T
from outbreak_rl.envs.zombicide.state import (
    ACT,
    ACTIONS,
    ARRANGE_LEFT,
    ARRANGE_RIGHT,
    CHOOSE,
    EQUIP,
    HIT,
    KEEP,
    LEADING,
    LOSE,
    PULL,
    REROLL,
    SKILL,
    TARGET,
    TRADE,
    VICTIM,
)  # fmt: skip

from .plan import plan
from .sense import (
    CLEAR,
    FAR,
    OBJECTIVE,
    RUNNER_ACTIONS,
    SHUT,
    SWITCH,
    arms,
    beside,
    damage,
    friends_near,
    holds_tool,
    is_tool,
    life,
    strength,
    take_in,
    two_best,
    way_open,
)  # fmt: skip
from .weights import (
    CARD_WORTH,
    LAST_TOOL,
    PAIR,
    PAIR_IN_HAND,
    SKILL_WORTH,
    TOOL_IN_HAND,
)  # fmt: skip

HIT_ORDER = table([2, 6, 3, 7, 1, 5, 0, 4])  # kinds of zombies: Runners first, then what is hard to kill


def _choose_batch(views, masks, tables, which, mind, actions):
    for i in range(len(views)):
        actions[i] = choose(views[i], tables[which[i]], mind[0], masks[i])


@rule
def choose(v, t, m, mask):
    """The action for a View and its mask."""
    take_in(v, t, m)
    kind = int(v.decision)
    action = -1
    if kind == ACT:
        action = on_act(v, t, m, mask)
    elif kind == CHOOSE:
        action = on_choose(v, t, m, mask)
    elif kind == KEEP:
        action = on_keep(v, m, mask)
    elif kind == ARRANGE_LEFT:
        action = best_hand(v, m, mask, 0)
    elif kind == ARRANGE_RIGHT:
        action = best_hand(v, m, mask, 1)
    elif kind == REROLL:
        action = on_reroll(v, mask)
    elif kind == HIT:
        action = on_hit(mask)
    elif kind == VICTIM:
        action = on_victim(v, mask)
    elif kind == LOSE:
        action = on_lose(v, m, mask)
    elif kind == SKILL:
        action = on_skill(v, m, mask)
    elif kind == TARGET:
        action = on_target(v, m, mask)
    elif kind == LEADING or kind == PULL:
        action = on_friend(v, mask)
    elif kind == EQUIP:
        action = on_equip(v, m, mask)
    elif kind == TRADE:
        action = on_trade(v, m, mask)
    if action >= 0 and mask[action] == 1:
        return action
    return first_legal(mask)


@rule
def first_legal(mask):
    """Done or nothing, else the first legal action."""
    if mask[ACTIONS.done] == 1:
        return int(ACTIONS.done)
    if mask[ACTIONS.nothing] == 1:
        return int(ACTIONS.nothing)
    for action in range(len(mask)):
        if mask[action] == 1:
            return action
    return -1


@rule
def first_of(mask, first, count):
    """The first legal one of a block of actions, -1: none."""
    for action in range(first, first + count):
        if mask[action] == 1:
            return action
    return -1


# --- whose turn ----------------------------------------------------------------------------------


@rule
def on_choose(v, t, m, mask):
    """First those among zombies; of them, and of all, those whose experience brings no danger, the least first."""
    best = -1
    most = -FAR
    for k in range(v.survivors):
        if mask[ACTIONS.survivor + k] == 0 or m.spot[k] < 0:
            continue
        worth = 10.0 * (m.crowd[m.spot[k]] > 0) - 0.1 * v.xp[k] + 2.0 * strength(v, k)
        if v.xp[k] + 1 >= m.limit:
            worth -= 20.0
        if worth > most:
            most = worth
            best = k
    return int(ACTIONS.survivor) + best if best >= 0 else -1


@rule
def on_friend(v, mask):
    """Help the best fighter."""
    best = -1
    most = -1.0
    for k in range(v.survivors):
        if mask[ACTIONS.survivor + k] == 1 and strength(v, k) > most:
            most = strength(v, k)
            best = k
    return int(ACTIONS.survivor) + best if best >= 0 else -1


# --- cards ---------------------------------------------------------------------------------------


@rule
def worth_of(v, k, kind):
    """What a card in a survivor's hands or reserve is worth to him."""
    worth = CARD_WORTH[kind]
    same = 0
    for slot in range(C.SLOTS):
        same += v.slots[k, slot] == kind
    if same > 1 and C.IS_DUAL[kind]:
        worth *= PAIR
    if is_tool(kind) and not team_has_tool(v, k):
        worth += LAST_TOOL
    return worth


@rule
def team_has_tool(v, k):
    """Whether another survivor has a tool."""
    for other in range(v.survivors):
        if other != k and v.place[other] > 0 and holds_tool(v, other, C.SLOTS):
            return True
    return False


@rule
def on_keep(v, m, mask):
    """Keep a card where there is room, or instead of one that is worth less."""
    kind = int(v.card)
    best = -1
    least = worth_of(v, m.me, kind)
    for slot in range(C.SLOTS):
        if mask[ACTIONS.slot + slot] == 1:
            held = int(v.slots[m.me, slot])
            if held == C.EMPTY:
                return int(ACTIONS.slot) + slot
            if worth_of(v, m.me, held) < least:
                least = worth_of(v, m.me, held)
                best = slot
    return int(ACTIONS.slot) + best if best >= 0 else int(ACTIONS.nothing)


@rule
def best_hand(v, m, mask, hand):
    """The best weapon, a pair together, and a tool in one of the hands."""
    left = int(v.slots[m.me, 0])
    tool_used = hand == 1 and is_tool(left)
    best = int(ACTIONS.nothing)
    most = -2.0
    for slot in range(C.SLOTS):
        if mask[ACTIONS.slot + slot] == 0:
            continue
        kind = int(v.slots[m.me, slot])
        worth = worth_of(v, m.me, kind) if kind != C.WOUND else -1.0
        if hand == 1 and kind == left and C.IS_DUAL[kind]:
            worth += PAIR_IN_HAND
        if is_tool(kind) and not tool_used:
            worth += TOOL_IN_HAND
        if worth > most:
            most = worth
            best = int(ACTIONS.slot) + slot
    return best


@rule
def on_equip(v, m, mask):
    """A new weapon takes the place of the worse one."""
    best = -1
    least = FAR
    for slot in range(C.HANDS):
        worth = CARD_WORTH[v.slots[m.me, slot]]
        if mask[ACTIONS.slot + slot] == 1 and worth < least:
            least = worth
            best = int(ACTIONS.slot) + slot
    return best


# --- wounds and skills ---------------------------------------------------------------------------


@rule
def on_victim(v, mask):
    """Whoever can bear most, then whoever has most cards to lose."""
    best = -1
    most = -FAR
    for k in range(v.survivors):
        if mask[ACTIONS.survivor + k] == 1:
            worth = 10.0 * life(v, k)
            for slot in range(C.SLOTS):
                worth += v.slots[k, slot] != C.EMPTY
            if worth > most:
                most = worth
                best = k
    return int(ACTIONS.survivor) + best if best >= 0 else -1


@rule
def on_lose(v, m, mask):
    """Ward off what would kill, and with what is made for it; else lose the worst card."""
    limit = C.ZOMBIVOR_WOUNDS if v.zombivor[m.me] else C.SURVIVOR_WOUNDS
    deadly = v.wounds[m.me] + 1 >= limit
    ward = -1
    worst = int(ACTIONS.nothing)
    least_ward = FAR
    least = FAR
    for slot in range(C.SLOTS):
        kind = int(v.slots[m.me, slot])
        made_for_it = kind == C.NIGHTSTICK or kind == C.RIOT_SHIELD
        wards = mask[ACTIONS.cancel + slot] == 1 and (deadly or made_for_it)
        if wards and CARD_WORTH[kind] < least_ward:
            least_ward = CARD_WORTH[kind]
            ward = int(ACTIONS.cancel) + slot
        if mask[ACTIONS.slot + slot] == 1 and worth_of(v, m.me, kind) < least:
            least = worth_of(v, m.me, kind)
            worst = int(ACTIONS.slot) + slot
    return ward if ward >= 0 else worst


@rule
def on_skill(v, m, mask):
    """The most useful of the skills."""
    level = int(v.level_asked)
    best = -1
    most = -1.0
    for choice in range(C.PLACES[level]):
        skill = C.BOARD_SKILLS[v.character[m.me] - 1, v.zombivor[m.me], C.FIRST_PLACE[level] + choice]
        if SKILL_WORTH[skill] > most:
            most = SKILL_WORTH[skill]
            best = int(ACTIONS.skill) + choice
    return best


# --- fights --------------------------------------------------------------------------------------


@rule
def on_reroll(v, mask):
    """Roll again if at most half of the dice are high."""
    total = 0
    high = 0
    for face in range(6):
        total += v.faces[face]
        if face >= 3:
            high += v.faces[face]
    if 2 * high > total:
        return int(ACTIONS.done)
    return int(ACTIONS.ammo) if mask[ACTIONS.ammo] == 1 else int(ACTIONS.lucky)


@rule
def on_hit(mask):
    """The most dangerous zombie."""
    for place in range(C.ZOMBIES):
        if mask[ACTIONS.hit + HIT_ORDER[place]] == 1:
            return int(ACTIONS.hit) + HIT_ORDER[place]
    return -1


@rule
def on_target(v, m, mask):
    """The zone with most zombies, far from friends' backs; the nearest of equal ones."""
    best = -1
    most = -FAR
    for k in range(T.SIGHT):
        if mask[ACTIONS.target + k] == 1:
            place = int(v.sight[k]) - 1
            zombies = v.zombies[place]
            friends = int(v.people[place]) - int(k == 0)
            worth = 1.0 * (zombies[0] + zombies[1] + zombies[3]) + 1.5 * zombies[2] - 0.1 * k
            worth -= 100.0 * friends * v.friendly_fire
            if worth > most:
                most = worth
                best = int(ACTIONS.target) + k
    return best


@rule
def attack_value(v, m, action):
    """Kills that an attack brings on the average."""
    slot = (action - int(ACTIONS.melee)) % C.SLOTS
    form = (action - int(ACTIONS.melee)) // C.SLOTS
    kind = int(v.slots[m.me, slot])
    weapons = 2 if form % 2 == 1 else 1
    if form >= 2:
        return shot_value(v, m, kind, weapons)
    chance = (7 - C.MELEE_ACCURACY[kind]) / 6.0
    fit = 0
    for zombie in range(C.ZOMBIES):
        if C.TOUGHNESS[zombie] <= C.MELEE_DAMAGE[kind]:
            fit += v.zombies[m.place[m.zone], zombie]
    return min(1.0 * fit, chance * weapons * C.MELEE_DICE[kind])


@rule
def shot_value(v, m, kind, weapons):
    """Kills of the best shot; nobody shoots at friends."""
    best = 0.0
    for k in range(T.SIGHT):
        place = int(v.sight[k]) - 1
        steps = v.sight_range[k]
        if place < 0 or steps < C.RANGE_FROM[kind] or steps > C.RANGE_TO[kind]:
            continue
        if int(v.people[place]) - int(k == 0) > 0 and v.friendly_fire:
            continue
        if kind == C.MOLOTOV:
            crowd = m.crowd[v.zone[place] - 1]
            giants = v.zombies[place, C.ABOMINATION] + v.zombies[place, C.ABOMINATION + C.BERSERKER]
            if k > 0 and v.people[place] == 0 and crowd + 4 * giants >= 5:
                best = max(best, 1.0 * crowd)
            continue
        hits = (7 - C.RANGED_ACCURACY[kind]) / 6.0 * weapons * C.RANGED_DICE[kind]
        best = max(best, 0.9 * kills(v.zombies[place], hits, int(C.RANGED_DAMAGE[kind])))
    return best


@rule
def kills(zombies, hits, damage):
    """Kills by shots in their order of priority."""
    done = 0.0
    for order in range(len(C.PRIORITY)):
        there = 0
        fit = 0
        for choice in range(2):
            kind = C.PRIORITY[order, choice]
            if choice == 1 and kind == C.PRIORITY[order, 0]:
                continue
            there += zombies[kind]
            if kind < C.BERSERKER and C.TOUGHNESS[kind] <= damage:
                fit += zombies[kind]
        if there > 0 and fit == 0:
            return done
        done += min(1.0 * fit, hits - done)
        if done >= hits:
            return done
    return done


@rule
def fight(v, m, mask, first, last):
    """The attack (of these actions) that kills most, if any is worth it."""
    best = -1
    most = m.w.least_kills
    for action in range(first, last):
        if mask[action] == 1:
            worth = attack_value(v, m, action)
            if worth > most:
                most = worth
                best = action
    return best


# --- the turn ------------------------------------------------------------------------------------


@rule
def on_act(v, t, m, mask):
    """Fight what is here, do what is to be done here, search, go on, shoot; at last see to the others."""
    action = first_of(mask, int(ACTIONS.combine), int(ACTIONS.discard - ACTIONS.combine))
    if action >= 0:
        return action
    if mask[ACTIONS.leave] == 1:
        return int(ACTIONS.leave)
    if mask[ACTIONS.lead] == 1:
        return int(ACTIONS.lead)
    here = m.crowd[m.zone]
    if here > 0:
        action = fight(v, m, mask, int(ACTIONS.melee), int(ACTIONS.target))
        if action >= 0:
            return action
    plan(v, t, m)
    action = do_here(v, t, m, mask)
    if action >= 0:
        return action
    careful = v.xp[m.me] + 1 >= m.limit and m.task_kind != CLEAR
    if not careful and m.close[m.zone] + m.attack[m.zone] > 0:
        action = fight(v, m, mask, int(ACTIONS.melee), int(ACTIONS.target))
        if action >= 0:
            return action
    action = give(v, m, mask)
    if action >= 0:
        return action
    action = search(v, m, mask)
    if action >= 0:
        return action
    action = go_on(v, t, m, mask)
    if action >= 0:
        return action
    if not careful:
        action = fight(v, m, mask, int(ACTIONS.melee), int(ACTIONS.target))
        if action >= 0:
            return action
    action = first_of(mask, int(ACTIONS.reload), C.SLOTS)
    if action >= 0:
        return action
    if here > 0 and mask[ACTIONS.shove] == 1:
        return int(ACTIONS.shove)
    return int(ACTIONS.end)


@rule
def do_here(v, t, m, mask):
    """Take the objective, use the switch."""
    if mask[ACTIONS.take] == 1 and may_take(v, t, m):
        return int(ACTIONS.take)
    if mask[ACTIONS.switch] == 1 and m.task[m.zone] == 1:
        beside_it = m.task_kind == OBJECTIVE and mask[ACTIONS.take] == 0
        if beside_it or m.task_kind == SWITCH or m.task_kind == SHUT:
            return int(ACTIONS.switch)
    return -1


@rule
def may_take(v, t, m):
    """An objective is left to a friend close by whom its experience does not make more dangerous."""
    if v.xp[m.me] + T.OBJECTIVE_XP < m.limit:
        return True
    for k in range(v.survivors):
        near = m.spot[k] >= 0 and k != m.me and beside(t, m, m.zone, m.spot[k])
        if near and v.xp[k] + T.OBJECTIVE_XP < m.limit:
            return False
    return True


@rule
def search(v, m, mask):
    """Search where it costs no detour, until well armed."""
    room = 0
    for slot in range(C.SLOTS):
        room += v.slots[m.me, slot] == C.EMPTY
    if arms(v, m.me) >= m.w.well_armed and room == 0:
        return -1
    car = first_of(mask, int(ACTIONS.search_car), T.CARS_MOST)
    if car >= 0:
        return car
    return int(ACTIONS.search) if mask[ACTIONS.search] == 1 else -1


# --- gifts ---------------------------------------------------------------------------------------


@rule
def spare_gift(v, m, other):
    """The slot of the best card that the acting survivor can spare and that a friend wants; -1: none.

    He keeps his two best; a friend wants what is better than his second best, marked gifts included.
    """
    wanted = second_best(v, m, other) + m.w.gift
    best = -1
    for slot in range(C.SLOTS):
        worth = CARD_WORTH[v.slots[m.me, slot]]
        if v.gives[slot] == 0 and worth > wanted and is_spare(v, m.me, slot):
            wanted = worth
            best = slot
    return best


@rule
def is_spare(v, k, slot):
    """Whether a survivor has two cards that are as good as the one in a slot."""
    better = 0
    for other in range(C.SLOTS):
        difference = CARD_WORTH[v.slots[k, other]] - CARD_WORTH[v.slots[k, slot]]
        better += difference > 0.0 or (difference == 0.0 and other < slot)
    return better >= C.HANDS


@rule
def second_best(v, m, other):
    """Worth of a friend's second best card, with the gifts that are marked for him."""
    best = 0.0
    second = 0.0
    for place in range(2 * C.SLOTS):
        slot = place % C.SLOTS
        worth = CARD_WORTH[v.slots[other, slot]]
        if place >= C.SLOTS:
            worth = CARD_WORTH[v.slots[m.me, slot]] if v.gives[slot] == 1 else 0.0
        best, second = two_best(best, second, worth)
    return second


@rule
def give(v, m, mask):
    """Hand a weapon that lies idle to the friend beside who is armed worst."""
    best = -1
    least = FAR
    for k in range(v.survivors):
        if k != m.me and mask[ACTIONS.trade + k] == 1 and arms(v, k) < least and spare_gift(v, m, k) >= 0:
            least = arms(v, k)
            best = int(ACTIONS.trade) + k
    return best


@rule
def on_trade(v, m, mask):
    """Mark gifts one by one; nothing is asked for."""
    slot = spare_gift(v, m, int(v.partner) - 1)
    return int(ACTIONS.slot) + slot if slot >= 0 else int(ACTIONS.done)


# --- where to go ---------------------------------------------------------------------------------


@rule
def moves_left(v, k):
    """Moves that are left in this turn."""
    return int(v.actions[k]) + min(1, int(v.free[k, 0]))


@rule
def measure_turn(v, t, m):
    """Zones that can be reached in this turn: what it costs, and by which slot the way begins."""
    moves = moves_left(v, m.me)
    slippery = v.skills[m.me, C.SLIPPERY] > 0
    for zone in range(t.zones):
        m.cost[zone] = -1
    m.cost[m.zone] = 0
    m.way[m.zone] = -1
    m.line[0] = m.zone
    head = 0
    tail = 1
    while head < tail:
        zone = m.line[head]
        head += 1
        cost = m.cost[zone] + 1 + (0 if slippery else m.crowd[zone])
        if cost > moves:
            continue
        for slot in range(T.NEAR):
            other = int(t.near[zone, slot]) - 1
            if other < 0:
                break
            if way_open(t, m, zone, slot) and m.cost[other] < 0:
                m.cost[other] = cost
                m.way[other] = slot if zone == m.zone else m.way[zone]
                m.line[tail] = other
                tail += 1


@rule
def weigh_zone(v, t, m, zone, rear):
    """How good it is to be in a zone at the end of the turn."""
    me = m.me
    people = 1
    room = life(v, me)
    power = strength(v, me) * (moves_left(v, me) - m.cost[zone])
    melee = damage(v, me, C.MELEE_DAMAGE)
    shot = damage(v, me, C.RANGED_DAMAGE)
    for k in range(v.survivors):
        if k != me and m.spot[k] == zone:
            people += 1
            room += life(v, k)
            if v.acted[k] == 0:
                power += strength(v, k) * C.ACTIONS_A_TURN
                melee = max(melee, damage(v, k, C.MELEE_DAMAGE))
                shot = max(shot, damage(v, k, C.RANGED_DAMAGE))
    hard = 0
    for kind in range(C.ZOMBIES):
        if C.TOUGHNESS[kind] > (max(melee, shot) if kind < C.BERSERKER else melee):
            n = int(v.zombies[m.place[zone], kind])
            hard += n * (RUNNER_ACTIONS if C.RUNNERS >> kind & 1 else 1)
    attack = hard + max(0.0, m.attack[zone] - hard - power)
    worth = -m.w.way * m.away[zone]
    worth -= m.w.wound * attack + m.w.hard * hard + m.w.death * max(0.0, attack - room)
    worth -= m.w.close * max(0.0, m.close[zone] - 2.0 * people)
    worth += m.w.company * min(3, friends_near(v, t, m, me, zone))
    worth -= m.w.ahead * max(0.0, rear - m.away[zone] - m.w.lead)
    return worth


@rule
def rear_of_team(v, m):
    """How far the team is from the task on the average."""
    total = 0.0
    n = 0
    for k in range(v.survivors):
        if k != m.me and m.spot[k] >= 0 and m.away[m.spot[k]] < FAR:
            total += m.away[m.spot[k]]
            n += 1
    return total / n if n > 0 else 0.0


@rule
def go_on(v, t, m, mask):
    """One step towards the best zone of this turn, or the door that shuts the way."""
    measure_turn(v, t, m)
    rear = rear_of_team(v, m)
    best = m.zone
    most = weigh_zone(v, t, m, m.zone, rear)
    for zone in range(t.zones):
        if m.cost[zone] > 0:
            worth = weigh_zone(v, t, m, zone, rear) - 0.01 * m.cost[zone]
            if worth > most + 1e-6:
                most = worth
                best = zone
    if best != m.zone:
        return int(ACTIONS.go) + m.way[best]
    return open_way(v, t, m, mask)


@rule
def open_way(v, t, m, mask):
    """Open the shut door that leads on to the task, once the others are near."""
    if m.task[m.zone] == 1:
        return -1
    best = -1
    least = m.away[m.zone] - 1e-6
    for slot in range(T.NEAR):
        other = int(t.near[m.zone, slot]) - 1
        if other < 0:
            break
        silent = int(ACTIONS.open_silent) + slot
        noisy = int(ACTIONS.open_noisy) + slot
        if (mask[silent] == 1 or mask[noisy] == 1) and m.away[other] < least:
            least = m.away[other]
            best = silent if mask[silent] == 1 else noisy
    return best


choose_batch = rule(_choose_batch, entry=True)
