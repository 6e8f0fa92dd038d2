"""Tokens → sparse rows: vocabularies, hashed columns, cuts; counts → counts: log, idf, length."""

from textbayes.counts.counting import Counted, count_and_grow, count_by, count_hashed
from textbayes.counts.cuts import Cuts
from textbayes.counts.frequency import Frequencies, transform_frequencies
from textbayes.counts.reading import TextReader
from textbayes.counts.rows import Rows, as_rows, is_csr
from textbayes.counts.selection import restore_mask, select_columns
from textbayes.counts.settings import (
    ADDED_PARAMETERS,
    COUNTER_PARAMETERS,
    CounterSettings,
    counter_settings,
)
from textbayes.counts.storing import restore_vocabulary, store_vocabulary
from textbayes.counts.term_counts import TermCounts

__all__ = [
    "ADDED_PARAMETERS",
    "COUNTER_PARAMETERS",
    "Counted",
    "CounterSettings",
    "Cuts",
    "Frequencies",
    "Rows",
    "TermCounts",
    "TextReader",
    "as_rows",
    "count_and_grow",
    "count_by",
    "count_hashed",
    "counter_settings",
    "is_csr",
    "restore_mask",
    "restore_vocabulary",
    "select_columns",
    "store_vocabulary",
    "transform_frequencies",
]
