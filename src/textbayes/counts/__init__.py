"""Tokens → sparse rows: vocabularies, hashed columns, cuts; counts → counts: log, idf, length."""

from textbayes.counts.counting import Counted, count_and_grow, count_by, count_hashed
from textbayes.counts.cuts import Cuts
from textbayes.counts.frequency import Frequencies, transform_frequencies
from textbayes.counts.reading import TextReader
from textbayes.counts.rows import Rows, as_rows, is_csr
from textbayes.counts.storing import restore_vocabulary, store_vocabulary

__all__ = [
    "Counted",
    "Cuts",
    "Frequencies",
    "Rows",
    "TextReader",
    "as_rows",
    "count_and_grow",
    "count_by",
    "count_hashed",
    "is_csr",
    "restore_vocabulary",
    "store_vocabulary",
    "transform_frequencies",
]
