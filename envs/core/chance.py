"""Chance: every random number of every game comes from here.

The stream is Doty-Humphrey's sfc32 (a public-domain generator of four 32-bit words), written in
64-bit whole numbers so that compiled code and plain Python agree.  A script of chosen values is used
up first; every value drawn is logged, so that a log replays its game without the generator.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .rule import rule

WORD = 0xFFFFFFFF
SEED_SPAN = 1 << 31  # derived seeds stay in the block of 2**31 seeds that they come from


class Ctx(NamedTuple):
    """What rules are given besides the state: arrays made once, of length 0 where not used."""

    tables: np.ndarray  # maps, missions: records of the game's own table dtype
    script: np.ndarray  # int32: [0] values used so far, then values to use before the generator
    drawn: np.ndarray  # int32: [0] values logged so far, then the log
    events: np.ndarray  # int32 rows: what happened (events.py); row 0 holds the count


@rule
def _next_word(random):  # type: ignore[no-untyped-def]
    a = int(random[0])
    b = int(random[1])
    c = int(random[2])
    n = int(random[3])
    word = (a + b + n) & WORD
    random[0] = b ^ (b >> 9)
    random[1] = (c + (c << 3)) & WORD
    random[2] = ((((c << 21) & WORD) | (c >> 11)) + word) & WORD
    random[3] = (n + 1) & WORD
    return word


@rule
def seed_stream(random, seed):  # type: ignore[no-untyped-def]
    """Start the stream from a seed (0 to 2**63 - 1)."""
    random[0] = seed & WORD
    random[1] = (seed >> 32) & WORD
    random[2] = 0x9E3779B9
    random[3] = 1
    for _ in range(16):
        _next_word(random)


@rule
def below(random, n):  # type: ignore[no-untyped-def]
    """A uniform whole number in 0 .. n - 1 from a stream (exact: unfair remainders are redrawn)."""
    m = _next_word(random) * n
    while (m & WORD) < (WORD + 1) % n:
        m = _next_word(random) * n
    return m >> 32


@rule
def ways_to_choose(n, k):  # type: ignore[no-untyped-def]
    """Binomial coefficient; 0 where k is larger than n."""
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


@rule
def below_large(random, n):  # type: ignore[no-untyped-def]
    """A uniform whole number in 0 .. n - 1 for n up to 2**62: 31-bit halves, redrawn beyond n."""
    if n <= 1 << 31:
        return below(random, n)
    while True:
        high = below(random, (n >> 31) + 1)
        value = (high << 31) | below(random, 1 << 31)
        if value < n:
            return value


@rule
def chance(state, ctx, n):  # type: ignore[no-untyped-def]
    """A uniform whole number in 0 .. n - 1: the one source of chance in the rules."""
    script = ctx.script
    if len(script) > 0 and script[0] < len(script) - 1:
        value = int(script[script[0] + 1])
        script[0] += 1
        if value < 0 or value >= n:
            raise ValueError("a scripted chance value is outside the range that the rules draw from")
    else:
        value = below(state.random, n)
    drawn = ctx.drawn
    if len(drawn) > 0:
        drawn[0] += 1
        if drawn[0] < len(drawn):
            drawn[drawn[0]] = value
    return value


@rule
def shuffle(state, ctx, pile, size):  # type: ignore[no-untyped-def]
    """Shuffle the first ``size`` cards of a pile in place (Fisher-Yates)."""
    for i in range(size - 1, 0, -1):
        j = chance(state, ctx, i + 1)
        pile[i], pile[j] = pile[j], pile[i]


@rule
def shuffle_with(random, row, size):  # type: ignore[no-untyped-def]
    """The same from a stream of its own (for `resample`, which must not touch the game's dice)."""
    for i in range(size - 1, 0, -1):
        j = below(random, i + 1)
        row[i], row[j] = row[j], row[i]


def episode_seed(seed, lane, episode):  # type: ignore[no-untyped-def]
    """The seed of one episode of one lane, in the same block of 2**31 seeds as the seed it comes from.

    Callers in Python take this one: a compiled helper of core is in no cache and would be compiled anew
    in every process.
    """
    x = (seed & WORD) ^ 0x51ED270B
    for part in range(3):
        if part == 1:
            x = (x + lane) & WORD
        if part == 2:
            x = (x + (episode & WORD)) & WORD
        x = ((x ^ (x >> 16)) * 0x45D9F3B) & WORD
        x = ((x ^ (x >> 16)) * 0x45D9F3B) & WORD
        x = x ^ (x >> 16)
    return (seed >> 31 << 31) | (x & (SEED_SPAN - 1))


derived_seed = rule(episode_seed)
