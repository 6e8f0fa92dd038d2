"""Tokens → sparse rows: vocabularies, hashed columns, cuts."""

from textbayes.counts.counting import Counted, count_and_grow, count_by, count_hashed
from textbayes.counts.cuts import Cuts

__all__ = ["Counted", "Cuts", "count_and_grow", "count_by", "count_hashed"]
