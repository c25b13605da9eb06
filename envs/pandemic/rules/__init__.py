"""The rules of Pandemic, split by what happens: set-up, the board, actions, events, the course of
a turn, and the worlds that a seat cannot tell apart."""

from .deal import deal
from .flow import play
from .legal import legal
from .resample import resample
from .upkeep import check

__all__ = ["check", "deal", "legal", "play", "resample"]
