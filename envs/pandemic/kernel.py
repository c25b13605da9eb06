"""This game's compiled kernel: core's template over the rules of this game."""

from __future__ import annotations

from ..core.kernel import bind
from .rules import check, deal, legal, play, resample
from .view import observe

serve = bind(__name__, deal=deal, legal=legal, play=play, observe=observe, resample=resample, check=check)
