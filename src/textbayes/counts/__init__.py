"""Tokens → sparse rows: vocabularies, hashed columns, cuts; counts → counts: log, idf, length."""

from textbayes.counts.counting import Counted, count_and_grow, count_by, count_hashed
from textbayes.counts.cuts import Cuts
from textbayes.counts.frequency import Frequencies, transform_frequencies
from textbayes.counts.reading import TextReader
from textbayes.counts.rows import Rows, as_rows, is_csr, is_sparse
from textbayes.counts.selection import restore_mask, select_columns
from textbayes.counts.settings import COUNTER_PARAMETERS, CounterSettings, counter_settings
from textbayes.counts.storing import restore_reader, restore_vocabulary, store_vocabulary
from textbayes.counts.term_counts import TermCounts
from textbayes.counts.transform import CountTransform

__all__ = [
    "COUNTER_PARAMETERS",
    "CountTransform",
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
    "is_sparse",
    "restore_mask",
    "restore_reader",
    "restore_vocabulary",
    "select_columns",
    "store_vocabulary",
    "transform_frequencies",
]
