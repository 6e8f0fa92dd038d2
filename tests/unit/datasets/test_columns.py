import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.errors import (
    ColumnError,
    FieldError,
)


def _find(found, **names):
    return Columns.find("f.csv", "line", ColumnNames(**names), found)


def _labels(value, separator=None):
    columns = _find(["text", "label"], separator=separator)
    return columns.document(1, {"text": "", "label": value}).labels


@pytest.mark.parametrize(
    "text", ["text", "Text", "BODY", "content", "message", "document", "review", "sentence"]
)
@pytest.mark.parametrize("label", ["label", "labels", "class", "category", "topic", "Topics", "target", "y"])
def test_recognised_names(text, label):
    columns = _find(["id", label, text, "other", "split"])
    assert columns.used == [text, label, "id", "split"]


def test_preferred_names_win():
    columns = _find(["content", "text", "topics", "labels"])
    assert columns.used == ["text", "labels"]


@pytest.mark.parametrize("found", [["body", "content"], ["text", "Text"], ["text", "text"]])
def test_several_text_columns_are_ambiguous(found):
    with pytest.raises(ColumnError, match=f"{found[0]!r}, {found[1]!r}"):
        _find(found)


def test_several_label_columns_are_ambiguous_unless_named():
    with pytest.raises(ColumnError, match="'topic', 'category'"):
        _find(["text", "topic", "category"])
    assert _find(["text", "topic", "category"], label="topic").label == "topic"


def test_no_text_lists_the_columns():
    with pytest.raises(ColumnError, match=r"f\.csv has no column that is clearly the text") as caught:
        _find(["문서", "label"])
    assert "'문서', 'label'" in caught.value.why


def test_a_misspelt_column_has_a_suggestion():
    with pytest.raises(ColumnError, match="Did you mean 'review_text'"):
        _find(["review_text", "stars"], text="reviewtext")


def test_a_named_column_is_not_guessed_for_another_role():
    columns = _find(["text", "topic", "category"], text="topic")
    assert (columns.text, columns.label) == (("topic",), "category")


def test_no_label_column_means_no_labels():
    document = _find(["text"]).document(7, {"text": "नमस्ते"})
    assert (document.labels, document.split, document.id) == ((), None, "7")


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        ("spam", ("spam",)),
        (["가", "나", "가"], ("가", "나")),
        (("a",), ("a",)),
        (3, ("3",)),
        (3.0, ("3",)),
        (3.5, ("3.5",)),
        (True, ("true",)),
        ([1, 2], ("1", "2")),
        (None, ()),
        ([], ()),
        ("", ()),
        ("  ", ()),
        (float("nan"), ()),
        (float("inf"), ("inf",)),
        ("a;b", ("a;b",)),
    ],
)
def test_labels(value, labels):
    assert _labels(value) == labels


def test_separated_labels_are_trimmed():
    assert _labels("wheat; grain;;corn ;wheat", ";") == ("wheat", "grain", "corn")
    assert _labels(["a;b", "c"], ";") == ("a;b", "c")


@pytest.mark.parametrize("value", [{"a": 1}, [["a"]], b"bytes"])
def test_labels_of_another_type(value):
    with pytest.raises(FieldError, match=r"f\.csv, line 1 has .* as its 'label'"):
        _labels(value)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="|"), min_size=1).filter(lambda s: s == s.strip() and s)
    )
)
def test_joined_labels_are_separated_again(labels):
    assert _labels("|".join(labels), "|") == tuple(dict.fromkeys(labels))


def test_fields_that_are_missing_null_or_not_text():
    columns = _find(["text", "label"])
    with pytest.raises(FieldError, match=r"f\.csv, line 4 has no 'label'. Did you mean 'lable'"):
        columns.document(4, {"text": "a", "lable": "b"})
    with pytest.raises(FieldError, match=r"f\.csv, line 5 has null"):
        columns.document(5, {"text": None, "label": "b"})
    with pytest.raises(FieldError, match=r"f\.csv, line 6 has 12 as its 'text'"):
        columns.document(6, {"text": 12, "label": "b"})


def test_ids_and_splits():
    columns = _find(["text", "id", "split"])
    document = columns.document(1, {"text": "", "id": 17, "split": "test"})
    assert (document.id, document.split) == ("17", "test")
    document = columns.document(1, {"text": "", "id": None, "split": ""})
    assert (document.id, document.split) == ("1", None)
