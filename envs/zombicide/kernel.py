"""This game's compiled kernel: core's template over the rules of this game."""

from __future__ import annotations

from ..core.kernel import bind
from .rules.check import check
from .rules.flow import deal, legal, play
from .view import observe, resample

serve = bind(__name__, deal=deal, legal=legal, play=play, observe=observe, resample=resample, check=check)
