"""How the files of earlier formats are read: each becomes one of the next format, up to today's.

A format that changes gets a module here, ``format1.py``, with a function from what format 1 holds to what
format 2 holds, a line in the table, and a real file of the old format in ``tests/unit/persistence/data``.
"""

from __future__ import annotations

from collections.abc import Callable

from textbayes.persistence.stored import Stored

UPGRADES: dict[int, Callable[[Stored], Stored]] = {}
"""From the number of a format to the step that leads to the next."""
