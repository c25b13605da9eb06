"""The State record: the whole truth of one game, its decisions, actions and events."""

from __future__ import annotations

import numpy as np

from ..core.actions import Verb, action_table
from ..core.events import event_table
from ..core.state import record, state_record
from .cards import CARDS, KINDS, RECIPES, SEATS, SKILLS, SLOTS, SURVIVORS, ZOMBIE_CARDS, ZOMBIE_NAMES, ZOMBIES
from .table import BARRIERS, CARS_MOST, EVENTS_MOST, NEAR, OBJECTIVES, SIGHT, SPAWNS, ZONES

OPTIONS = record([
    ("max_rounds", "i2"),
    ("survivors", "i1"),
    ("first_seat", "i1"),
    ("characters", "i1", (SURVIVORS,)),  # character + 1, 0: drawn at random
    ("zombivors", "i1"),  # OFF, RETURN, FROM_START
    ("friendly_fire", "i1"),
    ("signed", "i1"),
    ("auto", "i1"),
])  # fmt: skip
OFF, RETURN, FROM_START = 0, 1, 2

ABSENT, ACTIVE, FALLEN, OUT, LEFT = range(5)  # a survivor's status; FALLEN will stand up again

SURVIVOR = np.dtype([
    ("slots", "i1", (SLOTS,)),  # kinds of cards; two hands first
    ("spent", "i1", (SLOTS,)),  # 1: the weapon must be reloaded
    ("skills", "i1", (SKILLS,)),  # how often
    ("status", "i1"),
    ("seat", "i1"),
    ("character", "i1"),  # + 1
    ("zombivor", "i1"),
    ("zone", "i1"),
    ("wounds", "i1"),
    ("xp", "i1"),
    ("gained", "i1"),  # levels whose skill is chosen
    ("acting", "i1"),  # his turn is on
    ("acted", "i1"),  # his turn of this round is over
    ("actions", "i1"),  # left in this turn, as are the free ones
    ("moves", "i1"),
    ("melees", "i1"),
    ("shots", "i1"),
    ("fights", "i1"),
    ("gift", "i1"),  # an action handed over by a born leader, for the next turn
    ("searched", "i1"),  # this turn, as are the skills that are used once
    ("saved", "i1"),
    ("shoved", "i1"),
    ("taunted", "i1"),
    ("led", "i1"),
    ("shielded", "i1"),  # the first wound of this Zombies' phase was ignored
    ("car", "i1"),  # car + 1
    ("driver", "i1"),
    ("tower", "i1"),
])  # fmt: skip

FIGHT = np.dtype([
    ("faces", "i1", (6,)),  # dice by number of pips
    ("mode", "i1"),  # MELEE, RANGED; 0: no fight is on
    ("slot", "i1"),
    ("other", "i1"),  # slot + 1 of the second weapon
    ("zone", "i1"),
    ("damage", "i1"),
    ("hits", "i1"),
    ("chooses", "i1"),  # the shooter chooses his targets
    ("close", "i1"),  # point-blank
    ("ammo", "i1"),  # the re-roll of Plenty of Ammo is used
    ("lucky", "i1"),
    ("reaped", "i1"),
])  # fmt: skip
MELEE, RANGED = 1, 2

QUEUE = 16
STATE = state_record(
    [
        ("survivors", SURVIVOR, (SURVIVORS,)),
        ("fight", FIGHT),
        ("zombies", "i1", (ZONES, ZOMBIES)),
        ("noise", "i1", (ZONES,)),
        ("attacked", "i1", (ZONES,)),  # the zombies here have attacked in this activation
        ("revealed", "i1", (ZONES,)),  # by building: it was opened, or nothing spawns at its opening
        ("to_draw", "i1", (ZONES,)),  # zones of opened buildings whose zombie card is not drawn yet
        ("open", "i1", (BARRIERS,)),
        ("unlocked", "i1", (BARRIERS,)),
        ("pool", "i1", (ZOMBIES,)),  # figures not on the board
        ("deck", "i1", (CARDS,)),  # equipment, the top card last; zero above deck_size
        ("discard", "i1", (KINDS,)),
        ("aside", "i1", (KINDS,)),
        ("spawn_deck", "i1", (ZOMBIE_CARDS,)),  # card + 1, the top card last
        ("spawn_discard", "i1", (ZOMBIE_CARDS,)),  # flags
        ("colour", "i1", (OBJECTIVES,)),
        ("taken", "i1", (OBJECTIVES,)),
        ("spawning", "i1", (SPAWNS,)),
        ("car_zone", "i1", (CARS_MOST,)),
        ("fired", "i1", (EVENTS_MOST,)),
        ("queue", "i1", (QUEUE,)),  # kinds + 1 that get an extra activation, since figures are missing
        ("deck_size", "i1"),
        ("spawn_size", "i1"),
        ("queued", "i1"),
        ("running", "i1"),  # one of them is under way
        ("extras", "i1"),  # such activations in this round
        ("gunblade", "i1"),  # the gunblade of the cars is taken
        ("exit", "i1"),  # zone + 1
        ("first", "i1"),  # the seat with the first-player token
        ("abominations", "i1"),  # killed so far
        ("won", "i1"),
    ],
    OPTIONS,
    seats=SEATS,
    decisions=48,
)

# --- decisions (asked) ---------------------------------------------------------------------------

(
    CHOOSE,  # which survivor acts next
    ACT,  # a survivor, b: an extra turn, c and d: what he had left before it
    STEP,  # a survivor: a second zone of the same Move
    KEEP,  # a survivor, b card, c cards still to draw, d what is searched
    ARRANGE_LEFT,  # a survivor: what goes into his left hand
    ARRANGE_RIGHT,
    TRADE,  # a survivor, b partner, c and d: bit sets of slots that cross
    TARGET,  # a survivor, b slot, c second slot + 1, d mode
    REROLL,  # a survivor
    HIT,  # a survivor, b bit set of zombie kinds
    FRIEND,  # a survivor, b zone: which friend is hit, c: by a car
    VICTIM,  # a zone: which survivor is wounded
    LOSE,  # a survivor: the card that a wound costs, c: by a friend
    SKILL,  # a survivor, b level
    WAY,  # a kind of abomination, b zone: where it goes, c: bit set of slots (NEAR: it stays)
    RIDE,  # a survivor, b zones left
    LINK,  # a bit set of survivors: whose extra turn comes next
    REACH,  # a survivor, b: SAVING or SHOVING: the neighbouring zone
    PULL,  # a survivor, b zone: who comes over
    TAUNTING,  # a survivor
    LEADING,  # a survivor
    EQUIP,  # a survivor, b slot: into which hand a combined weapon goes
) = range(1, 23)
DECISION_NAMES = (
    "over", "choose", "act", "step", "keep", "left hand", "right hand", "trade", "target", "reroll", "hit",
    "friend",
    "victim", "lose", "skill", "way", "ride", "link", "reach", "pull", "taunt", "lead", "equip",
)  # fmt: skip
SAVING, SHOVING = 1, 2

# --- work (never asked: what the engine does next) -----------------------------------------------

(
    ROUND,  # b: the next phase
    SEATS_TURN,  # a: seats that are done
    SEARCH,  # a survivor, b what, c cards to draw
    REVEAL,  # the zones marked to_draw
    DRAW_SET,  # a set, b: the next zone
    DRAW_TILE,  # a tile, b: the next zone
    SPAWN,  # b: the next spawn zone
    ACTIVATE,  # a bit set of kinds, b step, c the next zone, d: the Runners' second action
    ATTACK,  # a zone, b wounds
    WOUND_WORK,  # a survivor, b wounds, c: by a friend
    COMBAT,  # a survivor, b: 0 dice are rolled, 1 hits are assigned
    RUN_OVER,  # a driver, b zone, c: dice are rolled, d hits
    GROW,  # a survivor
    RISE,  # b: the next survivor
    LINKS,  # a bit set of survivors
) = range(32, 47)
FIRST_WORK = ROUND

# --- actions -------------------------------------------------------------------------------------

_WHO = tuple(str(n) for n in range(1, SURVIVORS + 1))
_NEAR = tuple(str(n) for n in range(1, NEAR + 1))
_SLOTS = ("left", "right", "reserve 1", "reserve 2", "reserve 3")
_MADE = ("sniper rifle", "nailbat", "molotov")
assert len(_MADE) == len(RECIPES)
ACTIONS = action_table(
    end=Verb("end turn"),
    survivor=Verb("survivor {}", _WHO),
    go=Verb("go {}", _NEAR),
    open_silent=Verb("open {} silently", _NEAR),
    open_noisy=Verb("open {} noisily", _NEAR),
    search=Verb("search"),
    search_car=Verb("search car {}", tuple(str(n) for n in range(1, CARS_MOST + 1))),
    trade=Verb("trade with survivor {}", _WHO),
    melee=Verb("strike with {}", _SLOTS),
    melee_pair=Verb("strike with the pair of {}", _SLOTS),
    shoot=Verb("shoot with {}", _SLOTS),
    shoot_pair=Verb("shoot with the pair of {}", _SLOTS),
    target=Verb("target {}", ("here", *(str(n) for n in range(1, SIGHT)))),
    hit=Verb("hit {}", ZOMBIE_NAMES),
    ammo=Verb("reroll by ammo"),
    lucky=Verb("reroll by luck"),
    enter=Verb("enter car {} as {}", tuple(str(n) for n in range(1, CARS_MOST + 1)), ("driver", "passenger")),
    driver=Verb("take the wheel"),
    passenger=Verb("leave the wheel"),
    climb=Verb("climb the tower"),
    leave=Verb("get out"),
    take=Verb("take the objective"),
    switch=Verb("use the switch"),
    noise=Verb("make noise"),
    reload=Verb("reload {}", _SLOTS),
    combine=Verb("make a {}", _MADE),
    discard=Verb("discard {}", _SLOTS),
    lifesaver=Verb("lifesaver"),
    shove=Verb("shove"),
    taunt=Verb("taunt"),
    lead=Verb("lead"),
    slot=Verb("{}", _SLOTS),
    other_slot=Verb("partner's {}", _SLOTS),
    cancel=Verb("ward off with {}", _SLOTS),
    skill=Verb("skill {}", ("1", "2", "3")),
    nothing=Verb("nothing"),
    done=Verb("done"),
)
ACTION_COUNT = int(ACTIONS.size)
assert ACTION_COUNT < 150

EVENTS = event_table(
    "dealt",  # survivor a got card b
    "turn",  # survivor a begins his turn
    "moved",  # survivor a came to zone b
    "opened",  # survivor a opened the door b
    "found",  # survivor a drew card b
    "took",  # survivor a took objective b
    "switched",  # survivor a used switch b
    "rolled",  # survivor a (or his car) rolled b hits
    "killed",  # survivor a killed a zombie of kind b
    "wounded",  # survivor a has b wounds
    "warded",  # survivor a warded off a wound with card b
    "fell",  # survivor a is dead; b: 1 he will return
    "rose",  # survivor a is a zombivor now
    "learned",  # survivor a has skill b
    "card",  # the zombie card b was drawn for zone a
    "spawned",  # zombies of kind a were placed in zone b
    "activated",  # zombies of kinds a are activated
    "left",  # survivor a left by the exit
    "round",  # round a begins
    "won",
    "lost",
    "dice",  # b dice show a
    "uncovered",  # objective a is of colour b
)
