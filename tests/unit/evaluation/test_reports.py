"""Class by class, pair by pair: beside scikit-learn's report and confusion matrix."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from examples import examples
from textbayes.errors import ParameterError, ShapeError
from textbayes.evaluation import class_report, confused_pairs
from textbayes.evaluation.reports import confusion_counts

LAW = settings(max_examples=examples(60), deadline=None)
NAMES = ["oil", "밀", "قمح", "🌾"]
LABELS = st.lists(st.tuples(*[st.sampled_from(NAMES)] * 2), min_size=1, max_size=40)
CELLS = st.tuples(st.integers(1, 12), st.integers(2, 5)).flatmap(
    lambda shape: st.tuples(*[arrays(np.int8, shape, elements=st.integers(0, 1))] * 2)
)


@LAW
@given(LABELS)
def test_the_report_is_scikit_learns(pairs):
    truth, decided = zip(*pairs, strict=True)
    report = class_report(truth, decided)
    labels = [row.label for row in report.rows]
    expected = precision_recall_fscore_support(truth, decided, labels=labels, zero_division=np.nan)
    found = np.array([[row.precision, row.recall, row.f1, row.documents] for row in report.rows], dtype=float)
    np.testing.assert_allclose(found.T, np.array(expected, dtype=float))
    assert sum(row.decided for row in report.rows) == len(truth)


@LAW
@given(LABELS)
def test_pairs_are_off_the_diagonal(pairs):
    truth, decided = zip(*pairs, strict=True)
    found = confused_pairs(truth, decided, k=100)
    labels = sorted({*truth, *decided, "nie"})
    matrix = confusion_matrix(truth, decided, labels=labels)
    counts, names = confusion_counts(truth, decided)
    assert ["nie", *names] == sorted(labels, key=lambda label: (label != "nie", label))
    kept = [labels.index(name) for name in names]
    np.testing.assert_array_equal(counts.toarray(), matrix[np.ix_(kept, kept)])
    assert sum(pair.documents for pair in found) == matrix.sum() - np.trace(matrix)
    assert all(a.documents >= b.documents for a, b in pairwise(found))
    for pair in found:
        assert pair.documents == matrix[labels.index(pair.truth), labels.index(pair.decided)]
        assert pair.share == pair.documents / truth.count(pair.truth)


@LAW
@given(CELLS)
def test_pairs_of_documents_with_several_labels(cells):
    truth, decided = cells
    found = {(pair.truth, pair.decided): pair.documents for pair in confused_pairs(truth, decided, k=100)}
    for a in range(truth.shape[1]):
        for b in range(truth.shape[1]):
            missed, wrong = truth[:, a] & ~decided[:, a], decided[:, b] & ~truth[:, b]
            assert found.get((a, b), 0) == np.sum(missed & wrong & 1)


def test_the_order_is_that_of_the_classes_where_counts_are_equal():
    pairs = confused_pairs(["b", "a", "c", "c"], ["a", "b", "a", "a"], k=2)
    assert [(pair.truth, pair.decided) for pair in pairs] == [("c", "a"), ("a", "b")]
    assert str(pairs[0]) == "c → a: 2 documents, 100% of c"


def test_named_columns():
    report = class_report([[1, 0], [1, 1]], [[1, 0], [0, 1]], ["기름", "밀"])
    assert [row.label for row in report.rows] == ["기름", "밀"]
    assert confused_pairs([[1, 0]], [[0, 1]], classes=["기름", "밀"])[0].truth == "기름"
    with pytest.raises(ShapeError, match=r"classes has 1 item, and truth has shape \(1, 2\)"):
        class_report([[1, 0]], [[1, 0]], ["기름"])
    with pytest.raises(ParameterError, match="labels in truth name"):
        class_report(["a"], ["a"], ["기름"])


def test_forms(tmp_path):
    report = class_report(["oil", "밀", None], ["oil", None, "밀"])
    assert "밀" in str(report)
    assert "| 밀 | .000 | .000 | .000 | 1 | 1 |" in report.to_markdown(tmp_path / "report.md")
    assert report.to_csv().splitlines()[0] == "label,precision,recall,f1,documents,decided"
    assert json.loads(report.to_json())["micro_f1"] == 0.5
    assert report._repr_html_().count("<tr>") == 3


def test_nothing_to_divide_by_is_null_in_json():
    rows = json.loads(class_report(["a", "b"], ["a", "a"]).to_json())["classes"]
    assert rows[1]["precision"] is None


def test_k():
    with pytest.raises(ParameterError, match=r"^k=0"):
        confused_pairs(["a"], ["b"], 0)


def test_a_report_writes_no_formulas(tmp_path):
    report = class_report(["=1+1", "a\x1b"], ["=1+1", "=1+1"])
    assert "\n'=1+1," in report.to_csv()
    assert "\n=1+1," in report.to_csv(tmp_path / "exact.csv", exact=True)
    assert "\n=1+1," in (tmp_path / "exact.csv").read_text(encoding="utf-8")
    assert "a\x1b," in report.to_csv()  # data is exact
    assert str(confused_pairs(["a\x1b"], ["b"])[0]) == r"a\x1b → b: 1 document, 100% of a\x1b"
