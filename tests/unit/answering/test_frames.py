"""Predictions as data frames: the values of predict and predict_proba, in the library of the input."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from textbayes import TextClassifier
from textbayes.answering import BACKENDS, prediction_frame
from textbayes.answering.prediction import _TEXTS
from textbayes.errors import ParameterError, TextsError

TEXTS = ["wheat corn", "corn rice 밀", "crude oil", "oil gas", "ذهب منجم", "सोना 🙂"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
ASKED = [*TEXTS, "", "zzz", "oil corn"]


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("multinomial").fit(TEXTS, LABELS)


def test_columns(classifier):
    table = classifier.predict_frame(ASKED, top_k=2, with_text=True)
    names = ["text", "label", "probability", "label_1", "probability_1", "label_2", "probability_2"]
    assert table.column_names == names
    found = table.to_pydict()
    rows = classifier.predict_proba(ASKED)
    labels, probabilities = classifier.top_k(ASKED, 2, proba=True)
    assert found["text"] == ASKED
    assert found["label"] == classifier.predict(ASKED).tolist()
    assert found["probability"] == rows.max(axis=1).tolist()
    assert found["label_2"] == labels[:, 1].tolist()
    assert found["probability_2"] == probabilities[:, 1].tolist()
    assert classifier.predict_frame(ASKED).column_names == ["label", "probability"]
    assert "label_3" in classifier.predict_frame(ASKED, top_k=99).column_names


def test_the_kind_of_the_input(classifier):
    series = pd.Series(ASKED, index=range(10, 10 + len(ASKED)))
    as_pandas = classifier.predict_frame(series)
    assert isinstance(as_pandas, pd.DataFrame)
    assert as_pandas.index.equals(series.index)
    as_polars = classifier.predict_frame(pl.Series(ASKED))
    assert isinstance(as_polars, pl.DataFrame)
    as_arrow = classifier.predict_frame(pa.chunked_array([ASKED]))
    assert isinstance(as_arrow, pa.Table)
    assert as_pandas["label"].tolist() == as_polars["label"].to_list() == as_arrow["label"].to_pylist()
    assert isinstance(classifier.predict_frame(series, backend="polars"), pl.DataFrame)
    assert isinstance(classifier.predict_frame(iter(ASKED), backend="pandas"), pd.DataFrame)


@pytest.mark.parametrize("backend", BACKENDS)
def test_rejected_labels_are_missing(backend):
    classifier = TextClassifier("multinomial").fit(TEXTS, [1, 1, 2, 2, 3, 3])
    frame = classifier.predict_frame(["corn", "zzz"], reject_below=0.4, backend=backend)
    table = frame.to_arrow() if backend == "polars" else frame
    labels = table["label"].to_pylist() if backend != "pandas" else table["label"].tolist()
    assert labels == [1, None]
    assert type(labels[0]) is int  # pandas would make it a float


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_of_labels(backend):
    classifier = TextClassifier("multinomial").fit(TEXTS, [[label] for label in LABELS])
    frame = classifier.predict_frame(ASKED, backend=backend)
    found = frame["labels"].to_list() if backend != "pyarrow" else frame["labels"].to_pylist()
    assert found == classifier.predict(ASKED)
    assert list(frame.columns if backend != "pyarrow" else frame.column_names) == ["labels", "probabilities"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_texts(classifier, backend):
    frame = classifier.predict_frame([], top_k=1, with_text=True, backend=backend)
    assert frame.shape == (0, 5)
    if backend == "pyarrow":
        assert frame.schema.field("label").type == pa.string()


def test_more_texts_than_are_classified_at_once(classifier):
    texts = ["corn", "oil"] * (_TEXTS // 2 + 3)
    assert classifier.predict_frame(texts)["label"].to_pylist() == ["grain", "oil"] * (_TEXTS // 2 + 3)


def test_a_compact_model(classifier):
    small = classifier.compact()
    assert small.predict_frame(TEXTS)["label"].to_pylist() == small.predict(TEXTS).tolist()
    assert small.predict(["zzz"], reject_below=0.9).tolist() == [None]
    assert small.top_k(TEXTS, 2, proba=True)[1].tolist() == (
        prediction_frame(small, TEXTS, 2)
        .select(["probability_1", "probability_2"])
        .to_pandas()
        .values.tolist()
    )


def test_mistakes(classifier):
    with pytest.raises(ParameterError, match="Did you mean 'pandas'"):
        classifier.predict_frame(TEXTS, backend="panda")
    with pytest.raises(ParameterError, match="reject_below"):
        classifier.predict_frame(TEXTS, reject_below=1.5)
    with pytest.raises(ParameterError, match="top_k"):
        classifier.predict_frame(TEXTS, top_k=-1)
    with pytest.raises(TextsError, match="table"):
        classifier.predict_frame(pd.DataFrame({"text": TEXTS}))
