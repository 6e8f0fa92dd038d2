"""The counts of ``CountVectorizer()`` as polars queries.

There are three queries, because the fastest one depends on the machine and the version. The benchmark times
all and compares with the fastest. All are lazy and use the streaming engine, which was faster for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix

# The rule of "words". The \w of polars does not match numbers such as ² and ½, which Python's does.
WORD = r"[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]+"


def count_then_join(texts: list[str]) -> csr_matrix:
    """Group by document and token; number the distinct tokens in sorted order; join the numbers."""
    counts = _tokens(texts).group_by("document", "token").len().collect(engine="streaming")
    terms = counts.get_column("token").unique().sort()
    numbered = counts.join(terms.to_frame().with_row_index("column"), on="token")
    columns = numbered.get_column("column").to_numpy()
    return _rows(numbered.get_column("document"), columns, numbered.get_column("len"), len(texts), len(terms))


def count_categories(texts: list[str]) -> csr_matrix:
    """Convert the tokens to categories, so that grouping compares numbers instead of strings."""
    categories = _tokens(texts).with_columns(pl.col("token").cast(pl.Categorical))
    counts = categories.group_by("document", "token").len().collect(engine="streaming")
    tokens = counts.get_column("token")
    column_of = _sorted_columns(tokens)
    columns = column_of[tokens.to_physical().to_numpy()]
    return _rows(
        counts.get_column("document"), columns, counts.get_column("len"), len(texts), tokens.n_unique()
    )


def add_up_in_scipy(texts: list[str]) -> csr_matrix:
    """Number the tokens by an enum of the sorted terms; scipy sums the duplicates."""
    tokens = _tokens(texts).collect(engine="streaming")
    terms = tokens.get_column("token").unique().sort()
    columns = tokens.get_column("token").cast(pl.Enum(terms)).to_physical().to_numpy()
    ones = pl.repeat(1, len(columns), dtype=pl.Int64, eager=True)
    return _rows(tokens.get_column("document"), columns, ones, len(texts), len(terms))


WAYS = {
    "polars: group, join": count_then_join,
    "polars: categories": count_categories,
    "polars: enum, scipy sums": add_up_in_scipy,
}


def _tokens(texts: list[str]) -> pl.LazyFrame:
    token = pl.col("text").str.to_lowercase().str.extract_all(WORD).alias("token")
    documents = pl.LazyFrame({"text": texts}).with_row_index("document")
    return documents.select("document", token).explode("token").drop_nulls()


def _sorted_columns(tokens: pl.Series) -> NDArray[np.int32]:
    """Return the rank of every category among those in use, by its physical number."""
    distinct = tokens.unique()
    physical = distinct.to_physical().to_numpy()
    order = distinct.cast(pl.String).arg_sort().to_numpy()
    column_of = np.empty(int(physical.max()) + 1, np.int32)
    column_of[physical[order]] = np.arange(len(order), dtype=np.int32)
    return column_of


def _rows(
    documents: pl.Series, columns: NDArray[np.integer[Any]], counts: pl.Series, height: int, width: int
) -> csr_matrix:
    # scipy's linear-time conversion beats sorting by document and column in polars.
    triples = (counts.to_numpy().astype(np.int64), (documents.to_numpy(), columns))
    rows = coo_matrix(triples, shape=(height, width)).tocsr()
    rows.sort_indices()
    return rows
