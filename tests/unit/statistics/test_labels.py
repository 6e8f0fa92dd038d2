"""The rule for labels."""

import decimal
import enum
import fractions

import numpy as np
import pytest

from textbayes.errors import LabelsError, MergeError, ParameterError
from textbayes.statistics import (
    LabelKind,
    as_label_targets,
    as_targets,
    check_mergeable_labels,
    class_of_text,
    kind_of_classes,
    kind_of_label,
    label_of_text,
    labels_of_texts,
)

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


class Sender(enum.StrEnum):
    FRIEND = "friend"
    SHOP = "shop"


TEXTS = {
    "list": ["b", "a", "b"],
    "tuple": ("b", "a", "b"),
    "array": np.array(["b", "a", "b"]),
    "objects": np.array(["b", "a", "b"], dtype=object),
    "column": np.array([["b"], ["a"], ["b"]]),
    "scalars": [np.str_("b"), np.str_("a"), np.str_("b")],
    "pandas": pd.Series(["b", "a", "b"]),
    "pandas-object": pd.Series(["b", "a", "b"], dtype=object, index=[7, 8, 9]),
    "pandas-string": pd.Series(["b", "a", "b"], dtype="string"),
    "pandas-category": pd.Series(["b", "a", "b"], dtype="category"),
    "pandas-arrow": pd.Series(["b", "a", "b"], dtype="string[pyarrow]"),
    "categorical": pd.Categorical(["b", "a", "b"]),
    "polars": pl.Series(["b", "a", "b"]),
    "polars-category": pl.Series(["b", "a", "b"], dtype=pl.Categorical),
    "arrow": pa.array(["b", "a", "b"]),
    "arrow-chunks": pa.chunked_array([["b"], ["a", "b"]]),
    "arrow-dictionary": pa.array(["b", "a", "b"]).dictionary_encode(),
    "arrow-scalars": list(pa.array(["b", "a", "b"])),
}
NUMBERS = {
    "list": [7, -2, 7],
    "small": np.array([7, -2, 7], dtype=np.int8),
    "unsigned": np.array([7, 1, 7], dtype=np.uint64),
    "real": [7.0, -2.0, 7.0],
    "real-array": np.array([7.0, -2.0, 7.0], dtype=np.float32),
    "mixed": [7, -2.0, np.int16(7)],
    "objects": np.array([7, -2, 7], dtype=object),
    "decimal": [decimal.Decimal(7), decimal.Decimal("-2.0"), fractions.Fraction(7)],
    "pandas": pd.Series([7, -2, 7]),
    "pandas-nullable": pd.Series([7, -2, 7], dtype="Int64"),
    "pandas-category": pd.Series([7, -2, 7], dtype="category"),
    "polars": pl.Series([7, -2, 7]),
    "arrow": pa.array([7, -2, 7]),
    "arrow-chunks": pa.chunked_array([[7], [-2, 7]]),
}
ODD = {
    "none": (["a", None], "labels[1] is None"),
    "nan": ([1.0, 2.0, float("nan")], "labels[2] is nan of type float"),
    "nan-array": (np.array([1.0, np.nan]), "labels[1] is nan of type float"),
    "nan-among-strings": (np.array(["a", np.nan], dtype=object), "labels[1] is nan"),
    "infinity": ([1.0, float("inf")], "labels[1] is inf"),
    "fraction": ([1, 2.5], "labels[1] is 2.5 of type float"),
    "fraction-array": (np.array([1.0, 2.5]), "labels[1] is 2.5 of type float"),
    "decimal": ([decimal.Decimal("2.5")], "labels[0] is Decimal('2.5')"),
    "empty": (["a", "b", ""], "labels[2] is ''"),
    "blank": (np.array(["a", " \t"]), "labels[1] is ' \\t'"),
    "null-character": (["a", "a\0"], "labels[1] is 'a\\x00'"),
    "bytes": (["a", b"b"], "labels[1] is b'b' of type bytes"),
    "bytes-array": (np.array([b"a"]), "labels[0] is b'a' of type bytes"),
    "date": (np.array(["2020-01-01"], dtype="M8[ns]"), "labels[0] is"),
    "complex": ([1j], "labels[0] is 1j of type complex"),
    "huge": ([1, 2**63], "labels[1] is 9223372036854775808"),
    "larger": ([1, -(2**80)], "labels[1] is -1208925819614629174706176"),
    "string-and-number": (["a", "b", 3], "labels[2] is 3, and labels[0] is 'a'"),
    "number-and-string": ([3, "a"], "labels[1] is 'a', and labels[0] is 3"),
    "bool-and-number": ([True, 2], "labels[1] is 2, and labels[0] is True"),
    "missing-pandas": (pd.Series(["a", None]), "labels[1] is"),
    "missing-nullable": (pd.Series([1, None], dtype="Int64"), "labels[1] is <NA>"),
    "missing-category": (pd.Series(["a", None], dtype="category"), "labels[1] is nan"),
    "missing-polars": (pl.Series(["a", None]), "labels[1] is None"),
    "missing-arrow": (pa.array([3, None]), "labels[1] is None"),
    "masked": (np.ma.masked_array(["a", "b"], [False, True]), "labels[1] is None"),
    "table": (pa.table({"a": [1]}), "labels[0] is {'a': 1}"),
    "set": ({"a", "b"}, "a set"),
    "dict": ({"a": "b"}, "a dict"),
    "one-text": ("spam", "one str, 'spam'"),
    "one-number": (5, "5 of type int"),
}
ODD_LISTS = {
    "none": ([["a"], ["b", None]], "labels[1][1] is None"),
    "no-list": ([["a"], None], "labels[1] is None"),
    "empty": ([[], ["a", ""]], "labels[1][1] is ''"),
    "mixed": ([["a"], [], ["b", 3]], "labels[2][1] is 3, and labels[0][0] is 'a'"),
    "fraction": ([[1], [2, 0.5]], "labels[1][1] is 0.5"),
    "missing-arrow": (pa.array([["a"], [None]]), "labels[1][0] is None"),
    "missing-list": (pa.array([["a"], None]), "labels[1] is None"),
}


@pytest.mark.parametrize("convert", [as_targets, as_label_targets])
@pytest.mark.parametrize("labels", TEXTS.values(), ids=TEXTS)
@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_strings(labels, convert):
    targets = convert(labels)
    assert targets.classes.tolist() == ["a", "b"]
    assert targets.codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize("convert", [as_targets, as_label_targets])
@pytest.mark.parametrize("labels", NUMBERS.values(), ids=NUMBERS)
def test_whole_numbers(labels, convert):
    targets = convert(labels)
    assert targets.classes.dtype.kind == "i"
    assert [type(label) for label in targets.classes.tolist()] == [int, int]
    assert targets.classes[1] == 7
    assert targets.codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "labels", [[True, False], np.array([True, False]), pd.Series([True, False])], ids=repr
)
def test_true_and_false(labels):
    targets = as_label_targets(labels)
    assert targets.classes.tolist() == [False, True]
    assert targets.codes.tolist() == [1, 0]


def test_members_of_an_enumeration_are_their_values():
    assert as_targets([Sender.SHOP, Sender.FRIEND, "shop"]).classes.tolist() == ["friend", "shop"]


@pytest.mark.parametrize("convert", [as_targets, as_label_targets])
@pytest.mark.parametrize(("labels", "message"), ODD.values(), ids=ODD)
def test_other_labels_are_refused_with_their_position(labels, message, convert):
    with pytest.raises(LabelsError) as caught:
        convert(labels)
    assert message in caught.value.what
    if message.startswith("labels["):
        assert caught.value.position == int(message[7])


@pytest.mark.parametrize(("labels", "message"), ODD_LISTS.values(), ids=ODD_LISTS)
def test_lists_of_other_labels(labels, message):
    with pytest.raises(LabelsError) as caught:
        as_label_targets(labels)
    assert message in caught.value.what
    assert caught.value.position == int(message[7])


@pytest.mark.parametrize(
    "labels",
    [
        [["b", "a", "b"], [], ["a"]],
        [np.array(["b", "a"]), np.array([], dtype=str), {"a"}],
        pa.array([["b", "a", "b"], [], ["a"]]),
        pl.Series([["b", "a"], [], ["a"]]),
        pd.Series([["b", "a"], [], ["a"]]),
    ],
    ids=["lists", "arrays", "arrow", "polars", "pandas"],
)
def test_lists(labels):
    targets = as_label_targets(labels)
    assert targets.multilabel
    assert targets.label_lists() == [["b", "a"], [], ["a"]]


def test_equal_numbers_of_a_list_are_one_label():
    assert as_label_targets([[3, 3.0], [1]]).label_lists() == [[3], [1]]


@pytest.mark.parametrize("convert", [as_targets, as_label_targets])
def test_no_labels(convert):
    assert len(convert([])) == len(convert(np.array([]))) == 0


def test_errors_survive_pickling():
    import pickle

    with pytest.raises(LabelsError) as caught:
        as_targets(["a", None])
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (copied.what, copied.position) == (caught.value.what, 1)


# Kinds.


def test_kinds():
    assert [kind_of_label(label) for label in ("a", 3, True, np.bool_(0), 2.0)] == [
        LabelKind.TEXT,
        LabelKind.WHOLE,
        LabelKind.TRUTH,
        LabelKind.TRUTH,
        LabelKind.WHOLE,
    ]


@pytest.mark.parametrize("learned", [["a"], [3], [True]], ids=repr)
@pytest.mark.parametrize("labels", [["b"], [5], [False]], ids=repr)
def test_only_labels_of_the_kind_that_was_learned(labels, learned):
    for multilabel in (False, True):
        given = as_label_targets([labels] if multilabel else labels)
        if type(labels[0]) is type(learned[0]):
            given.check_like(learned, multilabel)
            check_mergeable_labels(labels, learned)
            continue
        with pytest.raises(LabelsError, match=r"labels\[0\].* and the model has learned"):
            given.check_like(learned, multilabel)
        with pytest.raises(MergeError, match="kind of their labels"):
            check_mergeable_labels(labels, learned)


def test_the_first_label_is_named():
    with pytest.raises(LabelsError, match=r"labels\[2\]\[0\] is 5, .* strings, such as 'a'"):
        as_label_targets([[], [], [5], [4]]).check_like(["a"], True)


@pytest.mark.parametrize(
    ("text", "kind", "label"),
    [
        ("5", LabelKind.TEXT, "5"),
        ("5", None, "5"),
        ("5", LabelKind.WHOLE, 5),
        ("-12", LabelKind.WHOLE, -12),
        ("3.0", LabelKind.WHOLE, 3),
        ("True", LabelKind.TRUTH, True),
        ("false", LabelKind.TRUTH, False),
        ("true", LabelKind.TEXT, "true"),
    ],
)
def test_labels_that_are_typed(text, kind, label):
    found = label_of_text(text, kind)
    assert found == label
    assert type(found) is type(label)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("spam", LabelKind.WHOLE),
        ("5.5", LabelKind.WHOLE),
        ("", LabelKind.WHOLE),
        ("--5", LabelKind.WHOLE),
        ("²", LabelKind.WHOLE),
        ("1", LabelKind.TRUTH),
    ],
)
def test_typed_labels_of_another_kind(text, kind):
    with pytest.raises(LabelsError, match=f"the label {text!r}, and the model has learned {kind}"):
        label_of_text(text, kind)


def test_classes_that_are_typed():
    assert class_of_text("7", [5, 7]) == 7
    assert class_of_text("7", ["5", "7"]) == "7"
    assert class_of_text("False", [False, True]) is False
    for text, classes in (("8", [5, 7]), ("ham", [5, 7]), ("ham", []), ("1", [False, True])):
        with pytest.raises(ParameterError, match=f"label='{text}' is not an option"):
            class_of_text(text, classes, "label")


def test_strings_among_labels_are_converted():
    assert labels_of_texts(["5", 6, ["7", 8]], LabelKind.WHOLE) == [5, 6, [7, 8]]
    assert labels_of_texts(["5", 6, ["7"]], LabelKind.TEXT) == ["5", 6, ["7"]]  # 6 is refused later
    with pytest.raises(LabelsError):
        labels_of_texts(["5", ["ham"]], LabelKind.WHOLE)
    assert kind_of_classes([]) is None
    assert kind_of_classes(np.array([3])) is LabelKind.WHOLE
