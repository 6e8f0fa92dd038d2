"""Predictions as a data frame of pandas, polars or Arrow."""

from __future__ import annotations

from typing import Any

from textbayes.answering.prediction import Answerer, Prediction, predict_kept_texts
from textbayes.errors.checks import check_option, check_switch, check_whole
from textbayes.text import kept_texts

BACKENDS = ("pandas", "polars", "pyarrow")
"""The libraries whose data frames predictions can be."""


def prediction_frame(
    classifier: Answerer,
    texts: Any,
    top_k: int = 0,
    reject_below: float | None = None,
    with_text: bool = False,
    backend: str | None = None,
) -> Any:
    """Classify texts and return a data frame with a row for each.

    Parameters
    ----------
    classifier : TextClassifier or TextAnswerer
        The model.
    texts : iterable of str, or column
        The texts.
    top_k : int, default=0
        Add the columns of this many of the most likely classes.
    reject_below : float, optional
        Give no label whose probability is lower.
    with_text : bool, default=False
        Repeat the texts in a first column.
    backend : {"pandas", "polars", "pyarrow"}, optional
        The library of the data frame; by default that of the column ``texts``, and "pyarrow" for other types.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.answering import prediction_frame
    >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> prediction_frame(classifier, ["corn", "밀"], reject_below=0.6).to_pydict()["label"]
    ['grain', None]
    """
    import pyarrow as pa

    if backend is not None:
        check_option("backend", backend, BACKENDS)
    check_switch("with_text", with_text)
    kept = kept_texts(texts)
    top = min(check_whole("top_k", top_k, least=0), len(classifier.classes_))
    found = list(predict_kept_texts(classifier, kept, top, True, reject_below))
    data = _columns(classifier, found, top)
    if with_text:
        data = {"text": (kept if isinstance(kept, list) else kept.to_pylist(), pa.string()), **data}
    table = pa.table({name: pa.array(values, type=kind) for name, (values, kind) in data.items()})
    return _as_frame(table, {name: values for name, (values, _) in data.items()}, texts, backend)


def _columns(classifier: Answerer, found: list[Prediction], top: int) -> dict[str, tuple[list[Any], Any]]:
    """Return the values and the Arrow type of each column."""
    import pyarrow as pa

    label, real = pa.array(classifier.classes_.tolist()).type, pa.float64()
    several = classifier.multilabel_
    own = {
        "labels" if several else "label": (
            [each.label for each in found],
            pa.list_(label) if several else label,
        ),
        "probabilities" if several else "probability": (
            [each.probability for each in found],
            pa.list_(real) if several else real,
        ),
    }
    for place in range(top):
        own[f"label_{place + 1}"] = [each.top[place][0] for each in found], label
        own[f"probability_{place + 1}"] = [each.top[place][1] for each in found], real
    return own


def _as_frame(table: Any, values: dict[str, list[Any]], texts: Any, backend: str | None) -> Any:
    """Return a table as a data frame of a library, by default of the library of a column of texts."""
    import narwhals.stable.v2 as nw

    column = nw.from_native(texts, series_only=True, pass_through=True)
    own = column.implementation.name.lower() if isinstance(column, nw.Series) else "pyarrow"
    chosen: Any = backend or own
    if chosen == "pyarrow":
        return table
    if chosen != "pandas":
        return nw.from_arrow(table, backend=chosen).to_native()
    # Numbers with a missing label stay numbers, and lists stay lists.
    frame = table.to_pandas(integer_object_nulls=True)
    for name, field in zip(table.column_names, table.schema, strict=True):
        if str(field.type).startswith("list"):
            frame[name] = values[name]
    if own == "pandas":
        frame.index = texts.index
    return frame
