"""Upgrades from older formats, one step per format.

To change the format, add a module such as ``format1.py``, a line in the table, and real files of the old
format in ``tests/unit/persistence/data``.
"""

from __future__ import annotations

from collections.abc import Callable

from textbayes.persistence.old import format1, format2
from textbayes.persistence.stored import Stored

UPGRADES: dict[int, Callable[[Stored], Stored]] = {1: format1.upgrade, 2: format2.upgrade}
"""The function that upgrades each format, by number, to the next."""
