"""The rules of City of Horror, split by what happens; flow.py drives them in the order of play."""

from .ending import check
from .flow import deal, legal, play
from .resample import resample

__all__ = ["check", "deal", "legal", "play", "resample"]
