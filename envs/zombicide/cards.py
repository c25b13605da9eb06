"""Printed facts: equipment, zombies and their deck, survivors and skills, as tables by number."""

from __future__ import annotations

from ..core.state import table

# --- sizes ---------------------------------------------------------------------------------------

SEATS, SURVIVORS = 6, 6
HANDS, SLOTS = 2, 5  # two hands, three places in reserve
SURVIVOR_WOUNDS, ZOMBIVOR_WOUNDS, WOUND_CARDS = 2, 5, 24
ACTIONS_A_TURN = 3
XP_YELLOW, XP_ORANGE, XP_RED = 7, 19, 43
BLUE, YELLOW, ORANGE, RED = 0, 1, 2, 3

# --- equipment (83 cards) ------------------------------------------------------------------------

# name, copies, melee (dice, accuracy, damage), ranged (from, to, dice, accuracy, damage), marks
# marks: 2 dual; d opens doors silently, D noisily; n noisy in melee, r reload; L light ammo, H heavy
_EQUIPMENT: tuple[tuple[str, int, tuple[int, ...], tuple[int, ...], str], ...] = (
    ("Aaahh", 4, (), (), ""),
    ("automatic shotgun", 2, (), (0, 1, 3, 4, 2), "H"),
    ("bag of rice", 3, (), (), ""),
    ("baseball bat", 2, (1, 3, 1), (), ""),
    ("canned food", 3, (), (), ""),
    ("chainsaw", 2, (5, 5, 2), (), "Dn"),
    ("claw hammer", 4, (3, 5, 1), (), "2d"),
    ("concrete saw", 1, (3, 5, 3), (), "Dn"),
    ("fire axe", 2, (1, 4, 2), (), "D"),
    ("flashlight", 2, (), (), ""),
    ("gasoline", 2, (), (), ""),
    ("glass bottles", 2, (), (), ""),
    ("gunblade", 2, (2, 4, 2), (0, 1, 1, 4, 2), "2L"),  # RULING: dual
    ("hatchet", 4, (1, 3, 1), (), "2"),
    ("katana", 2, (2, 4, 1), (), ""),
    ("kukri", 4, (1, 4, 2), (), "2"),  # RULING: damage 2, as in the examples of p.19
    ("meat cleaver", 2, (1, 3, 2), (), ""),  # RULING: not dual
    ("molotov", 2, (), (0, 1, 0, 0, 0), ""),
    ("nailbat", 2, (2, 3, 2), (), ""),
    ("nails", 2, (), (), ""),
    ("nightstick", 3, (1, 4, 1), (), ""),
    ("pistol", 6, (), (0, 1, 1, 4, 1), "2L"),
    ("light ammo", 3, (), (), ""),
    ("heavy ammo", 3, (), (), ""),
    ("rifle", 2, (), (1, 3, 1, 3, 1), "L"),
    ("riot shield", 2, (), (), ""),
    ("sawed off", 4, (), (0, 1, 2, 3, 1), "2rH"),
    ("scope", 2, (), (), ""),
    ("shotgun", 2, (), (0, 1, 2, 4, 2), "H"),
    ("sub mg", 2, (), (0, 1, 3, 5, 1), "2L"),
    ("wakizachi", 2, (1, 4, 1), (), "2"),
    ("water", 3, (), (), ""),
    ("sniper rifle", 0, (), (1, 3, 1, 3, 1), "L"),  # a rifle and a scope that stay together
    ("wound", 0, (), (), ""),
)
EMPTY = 0  # a slot holds EMPTY or a kind from 1 on
KINDS = len(_EQUIPMENT) + 1
CARD_NAMES = ("nothing", *(row[0] for row in _EQUIPMENT))
(
    AAAHH, AUTO_SHOTGUN, RICE, BAT, CANNED_FOOD, CHAINSAW, CLAW_HAMMER, CONCRETE_SAW, FIRE_AXE, FLASHLIGHT,
    GASOLINE, GLASS_BOTTLES, GUNBLADE, HATCHET, KATANA, KUKRI, MEAT_CLEAVER, MOLOTOV, NAILBAT, NAILS,
    NIGHTSTICK, PISTOL, LIGHT_AMMO, HEAVY_AMMO, RIFLE, RIOT_SHIELD, SAWED_OFF, SCOPE, SHOTGUN, SUB_MG,
    WAKIZACHI, WATER, SNIPER_RIFLE, WOUND,
) = range(1, KINDS)  # fmt: skip
CARDS = sum(row[1] for row in _EQUIPMENT)


def _melee(column: int) -> list[int]:
    return [0, *(row[2][column] if row[2] else 0 for row in _EQUIPMENT)]


def _ranged(column: int) -> list[int]:
    return [0, *(row[3][column] if row[3] else 0 for row in _EQUIPMENT)]


def _mark(mark: str) -> list[int]:
    return [0, *(mark in row[4] for row in _EQUIPMENT)]


COPIES = table([0, *(row[1] for row in _EQUIPMENT)])
IS_MELEE = table([0, *(bool(row[2]) for row in _EQUIPMENT)])
MELEE_DICE, MELEE_ACCURACY, MELEE_DAMAGE = (table(_melee(column)) for column in range(3))
IS_RANGED = table([0, *(bool(row[3]) for row in _EQUIPMENT)])
RANGE_FROM, RANGE_TO, RANGED_DICE, RANGED_ACCURACY, RANGED_DAMAGE = (
    table(_ranged(column)) for column in range(5)
)
IS_DUAL, OPENS_SILENTLY, OPENS_NOISILY = (table(_mark(mark)) for mark in "2dD")
NOISY_MELEE, RELOADS = table(_mark("n")), table(_mark("r"))
AMMO = table(
    [0, *(LIGHT_AMMO if "L" in row[4] else HEAVY_AMMO if "H" in row[4] else 0 for row in _EQUIPMENT)]
)
# Kinds that never come back into the deck (p.14); Molotov and Gunblade lie aside again.
NOT_RESHUFFLED = table([kind in (NIGHTSTICK, MOLOTOV, GUNBLADE) for kind in range(KINDS)])
SET_ASIDE = table([kind in (NIGHTSTICK, MOLOTOV, GUNBLADE, NAILBAT) for kind in range(KINDS)])
STARTING = table([CLAW_HAMMER, FIRE_AXE, PISTOL, NIGHTSTICK, NIGHTSTICK, NIGHTSTICK])
# Combinations (p.10): part, part, what they make.
RECIPES = table([[RIFLE, SCOPE, SNIPER_RIFLE], [BAT, NAILS, NAILBAT], [GASOLINE, GLASS_BOTTLES, MOLOTOV]])

# --- zombies (78 figures, p.3, p.12) -------------------------------------------------------------

ZOMBIE_NAMES = (
    "walker", "fatty", "runner", "abomination",
    "berserker walker", "berserker fatty", "berserker runner", "berserker abomination",
)  # fmt: skip
WALKER, FATTY, RUNNER, ABOMINATION, BERSERKER = 0, 1, 2, 3, 4  # a berserker is its kind + 4
ZOMBIES = 8
FIGURES = table([30, 6, 12, 1, 16, 4, 8, 1])
TOUGHNESS = table([1, 2, 1, 3, 1, 2, 1, 3])  # the least damage that kills
ZOMBIE_XP = table([1, 1, 1, 5, 1, 1, 1, 5])
# Targets of shots and cars in their order (p.20); Fatties and Abominations share a place.
PRIORITY = table([[0, 0], [4, 4], [1, 3], [5, 7], [2, 2], [6, 6]])
ALL_KINDS = 0xFF
RUNNERS = 1 << RUNNER | 1 << (RUNNER + BERSERKER)

# --- the zombie deck (cards 79 to 120) -----------------------------------------------------------

# Per danger level: how many and which; b: berserker.
_SPAWNS = (
    "1bW 2bR 5bW 3bW", "1bW 2bW 3bR 7bW", "2bW 2bW 3bW 4bF", "2bW 1bA 2bR 5bW", "1bW 4bW 1bA 3bR",
    "1bW 2bW 6bW 1bA", "1bF 1bR 3bW 8bW", "1bR 3bW 2bF 5bW", "1bW 2bF 5bW 3bR", "1bW 2bW 3bF 7bW",
    "1bR 1bF 3bW 4bR", "1bA 3bW 2bR 5bW", "0W 2R 2R 5W", "1W 1W 6W 7W", "1W 1R 1F 4R", "2W 3W 4W 2R",
    "0W 4W 2F 5W", "1W 1W 3R 7W", "1W 2W 2W 4R", "2W 3W 4W 2F", "0W 4W 2R 5W", "1W 1W 3R 7W", "1W 1R 1R 4F",
    "1F 3W 4W 2R", "0W 2R 2R 5W", "1W 1W 1A 7W", "1W 1R 1F 4R", "2W 3W 4W 2R", "0W 4W 2F 5W", "1W 1W 3R 7W",
    "1W 2W 2W 4R", "0W 3W 4W 2F", "0W 1A 2R 5W", "1W 1W 3R 7W", "1W 1R 1R 1A", "1F 3W 4W 2R",
    "0W 0W 0W 0W", "0W 0W 0W 0W", "0F 0F 0F 0F", "0R 0R 0R 0R",  # extra activations: see EXTRA_KIND
    "1W 2W 1F 1R", "1W 1R 2W 1F",  # manholes
)  # fmt: skip
FIRST_CARD = 79  # the printed number of card 0
ZOMBIE_CARDS = len(_SPAWNS)


def _zombie(text: str) -> tuple[int, int]:
    kind = "WFRA".index(text[-1]) + BERSERKER * ("b" in text)
    return int(text[0]), kind


SPAWN_COUNT = table([[_zombie(word)[0] for word in row.split()] for row in _SPAWNS])
SPAWN_KIND = table([[_zombie(word)[1] for word in row.split()] for row in _SPAWNS])
EXTRA_KIND = table(
    [{36: WALKER, 37: WALKER, 38: FATTY, 39: RUNNER}.get(card, -1) for card in range(ZOMBIE_CARDS)]
)
IS_MANHOLE = table([card >= 40 for card in range(ZOMBIE_CARDS)])

# --- skills --------------------------------------------------------------------------------------

SKILL_NAMES = (
    "+1 action", "+1 free move", "+1 free melee", "+1 free ranged", "+1 free combat", "+1 die melee",
    "+1 die combat", "+1 to melee rolls", "+1 to ranged rolls", "+1 to combat rolls", "+1 melee damage",
    "two zones a move", "ambidextrous", "born leader", "frenzy melee", "frenzy ranged", "frenzy combat",
    "is that all you've got", "lifesaver", "lucky", "point-blank", "reaper", "regeneration", "roll 6 melee",
    "roll 6 ranged", "roll 6 combat", "shove", "slippery", "starts with a bat", "super strength", "taunt",
    "webbing", "zombie link",
)  # fmt: skip
SKILLS = len(SKILL_NAMES)
(
    PLUS_ACTION, FREE_MOVE, FREE_MELEE, FREE_RANGED, FREE_COMBAT, DIE_MELEE, DIE_COMBAT, ROLL_MELEE,
    ROLL_RANGED,
    ROLL_COMBAT, DAMAGE_MELEE, TWO_ZONES, AMBIDEXTROUS, BORN_LEADER, FRENZY_MELEE, FRENZY_RANGED,
    FRENZY_COMBAT,
    IS_THAT_ALL, LIFESAVER, LUCKY, POINT_BLANK, REAPER, REGENERATION, SIX_MELEE, SIX_RANGED, SIX_COMBAT,
    SHOVE,
    SLIPPERY, STARTS_WITH_BAT, SUPER_STRENGTH, TAUNT, WEBBING, ZOMBIE_LINK,
) = range(SKILLS)  # fmt: skip

# --- survivors and their zombivors ---------------------------------------------------------------

CHARACTERS = ("Belle", "Grindlock", "Joshua", "Kim", "Shannon", "Watts")
BELLE, GRINDLOCK, JOSHUA, KIM, SHANNON, WATTS = range(6)
# blue, yellow, two of orange, three of red; the zombivor's row beneath (-1: no choice there)
_BOARDS = (
    ((FREE_MOVE, PLUS_ACTION, FREE_MELEE, ROLL_RANGED, DIE_COMBAT, FREE_MOVE, AMBIDEXTROUS),
     (FREE_MOVE, FREE_RANGED, ROLL_RANGED, ZOMBIE_LINK, DIE_COMBAT, AMBIDEXTROUS, REGENERATION)),
    ((TAUNT, PLUS_ACTION, FREE_MELEE, SLIPPERY, DAMAGE_MELEE, IS_THAT_ALL, SIX_COMBAT),
     (TAUNT, FREE_MELEE, SLIPPERY, ZOMBIE_LINK, DAMAGE_MELEE, REAPER, SIX_COMBAT)),
    ((LIFESAVER, PLUS_ACTION, FREE_RANGED, ROLL_MELEE, FREE_COMBAT, ROLL_RANGED, BORN_LEADER),
     (LIFESAVER, FREE_MELEE, ROLL_MELEE, SUPER_STRENGTH, ROLL_RANGED, BORN_LEADER, REGENERATION)),
    ((LUCKY, PLUS_ACTION, SIX_RANGED, WEBBING, FREE_COMBAT, ROLL_COMBAT, SIX_MELEE),
     (LUCKY, FREE_RANGED, REAPER, WEBBING, ROLL_COMBAT, SIX_MELEE, ZOMBIE_LINK)),
    ((POINT_BLANK, PLUS_ACTION, FREE_RANGED, LUCKY, DIE_COMBAT, FREE_COMBAT, SLIPPERY),
     (POINT_BLANK, FREE_RANGED, FRENZY_RANGED, LUCKY, DIE_COMBAT, REAPER, SLIPPERY)),
    ((STARTS_WITH_BAT, PLUS_ACTION, DIE_MELEE, SHOVE, FREE_COMBAT, ROLL_COMBAT, TWO_ZONES),
     (STARTS_WITH_BAT, FREE_MELEE, FRENZY_MELEE, SHOVE, ROLL_COMBAT, TWO_ZONES, FRENZY_COMBAT)),
)  # fmt: skip
BOARD_SKILLS = table(_BOARDS)  # (character, zombivor, place)
FIRST_PLACE = table([0, 1, 2, 4])  # by level
PLACES = table([1, 1, 2, 3])

# --- cars (p.21) ---------------------------------------------------------------------------------

CAR_NAMES = ("police car", "taxi", "pimpmobile", "hippiemobile", "muscle car")
POLICE, TAXI, PIMPMOBILE, HIPPIEMOBILE, MUSCLE = range(1, 6)
CAR_SEATS = 4
CAR_ZONES = table([0, 2, 2, 2, 2, 3])
CAR_HIT = 4  # and better
