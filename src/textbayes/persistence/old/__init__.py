"""Readers of earlier formats: each step turns what one format holds into what the next holds.

A format that changes gets a module here, such as ``format1.py``, a line in the table, and real files of the
old format in ``tests/unit/persistence/data``.
"""

from __future__ import annotations

from collections.abc import Callable

from textbayes.persistence.old import format1
from textbayes.persistence.stored import Stored

UPGRADES: dict[int, Callable[[Stored], Stored]] = {1: format1.upgrade}
"""The step from each format to the next, by its number."""
