"""What things are worth to the scripted team, in units of about one zone of the way; cards and skills by rank."""

from __future__ import annotations

import numpy as np

from outbreak_rl.envs.core.state import record, table
from outbreak_rl.envs.zombicide import cards as C

VALUES: dict[str, float] = {
    # where to end a turn
    "way": 1.2,  # a zone nearer to the task
    "wound": 2.0,  # a zombie that would attack there
    "hard": 2.0,  # more, if nobody there can kill it
    "death": 8.0,  # one more than the people there can bear
    "close": 0.2,  # a zombie that would come near, beyond what the people there can kill
    "company": 0.5,  # a friend there or next door, up to three
    "ahead": 0.8,  # a zone ahead of the team
    "lead": 4.0,  # so far ahead of the team is no matter
    # ways
    "crowd": 2.0,  # a zombie on the way
    "door": 1.0,  # a shut door, with a tool in hand
    "no_tool": 6.0,
    # rounds that are spent on looking for weapons: with zombies about, and shut in
    "search_rounds": 5.0,
    "calm_rounds": 14.0,
    "errand": 6.0,  # whoever has less of a way to all objectives together looks for no weapons
    "arms": 22.0,  # worth of two weapons that will do, likewise
    "calm_arms": 50.0,
    "well_armed": 30.0,  # who has so much searches no more
    "side_way": 3.0,  # so far off at most is an objective that one takes on the way
    "gift": 6.0,  # a card must be so much better than what a friend has to be handed over
    # fights
    "least_kills": 0.15,
}
WEIGHTS = record([(name, "f8") for name in VALUES])


def weights(**changed: float) -> np.ndarray:
    """WEIGHTS (1,), some of them changed."""
    found = np.zeros(1, WEIGHTS)
    for name, value in (VALUES | changed).items():
        found[name] = value
    return found


_CARDS: dict[int, float] = {
    C.CHAINSAW: 34, C.NAILBAT: 33, C.CONCRETE_SAW: 30, C.GUNBLADE: 30, C.AUTO_SHOTGUN: 28, C.MEAT_CLEAVER: 25,
    C.MOLOTOV: 24, C.SHOTGUN: 23, C.KUKRI: 21, C.KATANA: 20, C.FIRE_AXE: 20, C.SUB_MG: 19, C.CLAW_HAMMER: 18,
    C.SNIPER_RIFLE: 18, C.SAWED_OFF: 17, C.BAT: 14, C.HATCHET: 13, C.RIFLE: 12, C.WAKIZACHI: 11, C.PISTOL: 11,
    C.NIGHTSTICK: 10, C.RIOT_SHIELD: 9, C.FLASHLIGHT: 5, C.NAILS: 4, C.GASOLINE: 4, C.GLASS_BOTTLES: 4, C.SCOPE: 4,
    C.LIGHT_AMMO: 3, C.HEAVY_AMMO: 3, C.RICE: 1, C.CANNED_FOOD: 1, C.WATER: 1,
}  # fmt: skip
CARD_WORTH = table([_CARDS.get(kind, 0.0) for kind in range(C.KINDS)], float)
PAIR = 1.8  # a card that makes a pair, over its own worth
TOOL_IN_HAND, PAIR_IN_HAND = 12.0, 25.0
LAST_TOOL = 40.0  # the only tool of the team

_SKILLS: dict[int, float] = {  # where a level offers a choice
    C.FREE_COMBAT: 9, C.DIE_COMBAT: 8, C.ROLL_COMBAT: 7, C.FREE_MELEE: 7, C.SIX_COMBAT: 6, C.REAPER: 6,
    C.DAMAGE_MELEE: 6, C.SLIPPERY: 5, C.FREE_RANGED: 5, C.IS_THAT_ALL: 5, C.ROLL_MELEE: 5, C.SIX_MELEE: 4,
    C.FRENZY_COMBAT: 4, C.ROLL_RANGED: 4, C.SUPER_STRENGTH: 4, C.FRENZY_MELEE: 4, C.SHOVE: 4, C.LUCKY: 4,
    C.REGENERATION: 4, C.ZOMBIE_LINK: 4, C.TWO_ZONES: 3, C.AMBIDEXTROUS: 3, C.FREE_MOVE: 3, C.SIX_RANGED: 3,
    C.BORN_LEADER: 3, C.WEBBING: 2, C.FRENZY_RANGED: 2,
}  # fmt: skip
SKILL_WORTH = table([_SKILLS.get(skill, 0.0) for skill in range(C.SKILLS)], float)
LEAST_XP = table([0, C.XP_YELLOW, C.XP_ORANGE, C.XP_RED, 99])  # of each danger level
