"""Input types: each gives the same rows, and errors name the position of a value that is not a text."""

import io
import sys
from collections import deque

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import warm
from reference.count_vectorizer import assert_same_bytes
from textbayes import TextCounter
from textbayes.errors import (
    TextbayesError,
    TextsError,
)

TEXTS = [
    "Wheat rose; wheat and corn fell.",
    "",
    "short",
    "exactly12byt",
    "한국어 형태소 분석기",
    "हिन्दी में शब्द",
    "NUL\x00inside 👩‍👩‍👧 emoji",
    "Wheat rose; wheat and corn fell.",
    "a text that is longer than the twelve bytes kept inside a view",
]
EXPECTED = TextCounter().fit(TEXTS)
ROWS = EXPECTED.transform(TEXTS)


class LengthOnly:
    """A sequence with the old protocol: only __getitem__ and __len__."""

    def __len__(self):
        return len(TEXTS)

    def __iter__(self):
        return iter(TEXTS)


class Text(str):
    """A subclass of str."""


def sliced(array: pa.Array) -> pa.Array:
    """Return the same texts as a slice of a longer array."""
    longer = pa.concat_arrays(
        [pa.array(["before", None], array.type), array, pa.array([None, "after"], array.type)]
    )
    return longer.slice(2, len(array))


def chunked(kind: pa.DataType) -> pa.ChunkedArray:
    """Return the texts in chunks: some are empty, one is a slice."""
    parts = [[], TEXTS[:1], TEXTS[1:4], [], TEXTS[4:], []]
    return pa.chunked_array([sliced(pa.array(part, kind)) for part in parts], type=kind)


ARROW_KINDS = [pa.string(), pa.large_string(), pa.string_view()]
DICTIONARY = pa.dictionary(pa.int32(), pa.string())
FORMS = {
    "list": lambda: list(TEXTS),
    "tuple": lambda: tuple(TEXTS),
    "generator": lambda: (text for text in TEXTS),
    "iterator": lambda: iter(TEXTS),
    "map": lambda: map(str, TEXTS),
    "deque": lambda: deque(TEXTS),
    "dict values": lambda: dict(enumerate(TEXTS)).values(),
    "iterable": LengthOnly,
    "list of str subclass": lambda: [Text(text) for text in TEXTS],
    "list of np.str_": lambda: [np.str_(text) for text in TEXTS],
    "numpy object": lambda: np.array(TEXTS, dtype=object),
    "numpy StringDType": lambda: np.array(TEXTS, dtype=np.dtypes.StringDType()),
    "numpy strided": lambda: np.array([item for text in TEXTS for item in (text, "other")], dtype=object)[
        ::2
    ],
    "numpy reversed": lambda: np.array(TEXTS[::-1], dtype=object)[::-1],
    "pandas object": lambda: pd.Series(TEXTS, dtype=object),
    "pandas default": lambda: pd.Series(TEXTS),
    "pandas string": lambda: pd.Series(TEXTS, dtype="string"),
    "pandas string[python]": lambda: pd.Series(TEXTS, dtype="string[python]"),
    "pandas string[pyarrow]": lambda: pd.Series(TEXTS, dtype="string[pyarrow]"),
    "pandas ArrowDtype": lambda: pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas categorical": lambda: pd.Series(TEXTS, dtype="category"),
    "pandas index": lambda: pd.Index(TEXTS),
    "pandas other index": lambda: pd.Series(TEXTS, index=range(100, 100 + len(TEXTS))),
    "pandas array": lambda: pd.array(TEXTS, dtype="string"),
    "pandas sliced": lambda: pd.Series(["before", *TEXTS, "after"])[1:-1],
    "polars": lambda: pl.Series(TEXTS),
    "polars sliced": lambda: pl.Series(["before", *TEXTS, "after"])[1:-1],
    "polars chunks": lambda: pl.concat([pl.Series(TEXTS[:3]), pl.Series(TEXTS[3:])], rechunk=False),
    "polars categorical": lambda: pl.Series(TEXTS, dtype=pl.Categorical),
    "polars enum": lambda: pl.Series(TEXTS, dtype=pl.Enum(list(dict.fromkeys(TEXTS)))),
    "arrow dictionary": lambda: pa.array(TEXTS, DICTIONARY),
    "arrow dictionary sliced": lambda: pa.array(["before", *TEXTS], DICTIONARY).slice(1),
    "arrow dictionary chunks": lambda: pa.chunked_array(
        [pa.array(TEXTS[:4], DICTIONARY), pa.array(TEXTS[4:], DICTIONARY)]
    ),
    **{f"arrow {kind}": lambda kind=kind: pa.array(TEXTS, kind) for kind in ARROW_KINDS},
    **{f"arrow {kind} sliced": lambda kind=kind: sliced(pa.array(TEXTS, kind)) for kind in ARROW_KINDS},
    **{f"arrow {kind} chunks": lambda kind=kind: chunked(kind) for kind in ARROW_KINDS},
    "arrow table column": lambda: pa.table({"text": TEXTS})["text"],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_input_type_gives_the_same_rows(form):
    counter = TextCounter()
    assert_same_bytes(counter.fit_transform(FORMS[form]()), ROWS)
    assert counter.vocabulary_ == EXPECTED.vocabulary_
    assert_same_bytes(counter.transform(FORMS[form]()), ROWS)


def test_numpy_fixed_width_strings():
    # Fixed-width strings lose trailing NULs; these texts have none.
    texts = np.array(TEXTS)
    assert texts.dtype.kind == "U"
    assert_same_bytes(TextCounter().fit_transform(texts), ROWS)
    assert_same_bytes(TextCounter().fit_transform(texts.astype(texts.dtype.newbyteorder())), ROWS)


def test_a_set_gives_its_texts_in_its_own_order():
    texts = {"wheat rose", "corn fell"}
    assert_same_bytes(TextCounter().fit_transform(texts), TextCounter().fit_transform(list(texts)))


def test_lines_of_a_file():
    assert TextCounter().fit_transform(io.StringIO("wheat rose\ncorn fell\n")).shape == (2, 4)


@pytest.mark.parametrize(
    "column",
    [
        [],
        (),
        iter(()),
        np.array([], dtype=object),
        np.array([], dtype=str),
        pd.Series([], dtype=object),
        pd.Series([], dtype="string"),
        pl.Series([], dtype=pl.String),
        pl.Series([]),
        pa.array([], pa.string()),
        pa.array([], pa.string_view()),
        pa.array(["x"]).slice(1),
        pa.chunked_array([], type=pa.large_string()),
        pa.chunked_array([pa.array([], pa.string())]),
        pa.nulls(0),
    ],
)
def test_no_texts_give_no_rows(column):
    counter = TextCounter()
    rows = counter.fit_transform(column)
    assert rows.shape == (0, 0)
    assert counter.vocabulary_ == {}


@pytest.mark.parametrize("kind", ARROW_KINDS, ids=str)
def test_arrow_columns_of_empty_texts(kind):
    rows = TextCounter(dimensions=4).transform(pa.array(["", "", ""], kind))
    assert rows.shape == (3, 4)
    assert rows.nnz == 0


@pytest.mark.parametrize("kind", ARROW_KINDS, ids=str)
def test_bytes_outside_the_slice_are_not_read(kind):
    broken = pa.array(["good text", "more text"], kind)
    whole = pa.Array.from_buffers(
        pa.binary(), 2, pa.array([b"\xff\xfe", b"good text"], pa.binary()).buffers()
    )
    if kind == pa.string():
        broken = pa.Array.from_buffers(kind, 2, whole.buffers()).slice(1)
        assert TextCounter().fit(broken).vocabulary_ == {"good": 0, "text": 1}
    else:
        assert TextCounter().fit(broken.slice(1)).vocabulary_ == {"more": 0, "text": 1}


# --- values that are not texts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "kind", "hint"),
    [
        (None, "NoneType", "Drop the missing texts"),
        (float("nan"), "float", "Drop the missing texts"),
        (np.nan, "float", "Drop the missing texts"),
        (pd.NA, "NAType", "Drop the missing texts"),
        (pd.NaT, "NaTType", "Drop the missing texts"),
        (b"bytes", "bytes", "Decode"),
        (np.bytes_(b"bytes"), "bytes_", "Decode"),
        (5, "int", "str()"),
        (["nested"], "list", "str()"),
        (("a", "b"), "tuple", "str()"),
        (object, "type", "str()"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("form", [list, tuple, iter], ids=["list", "tuple", "iterator"])
@pytest.mark.parametrize("position", [0, 3])
def test_a_value_that_is_not_a_text_is_named_by_position(value, kind, hint, form, position):
    texts = ["wheat"] * position + [value, "corn", None]
    with pytest.raises(TextsError) as caught:
        TextCounter().fit(form(texts))
    assert caught.value.what.startswith(f"texts[{position}] is ")
    assert kind in caught.value.what
    assert hint in caught.value.todo
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("column", "position"),
    [
        (np.array(["wheat", None], dtype=object), 1),
        (np.array(["wheat", "corn", np.nan], dtype=object), 2),
        (np.array([b"wheat"]), 0),
        (np.array([1, 2]), 0),
        (np.array([0.5]), 0),
        (np.ma.array(["wheat", "corn"], mask=[False, True]), 1),
        (np.array(["wheat", np.nan], dtype=np.dtypes.StringDType(na_object=np.nan)), 1),
        (np.array(["wheat", None], dtype=np.dtypes.StringDType(na_object=None)), 1),
        (pd.Series(["wheat", None]), 1),
        (pd.Series(["wheat", None], dtype=object), 1),
        (pd.Series(["wheat", np.nan], dtype=object), 1),
        (pd.Series(["wheat", "corn", pd.NA], dtype="string"), 2),
        (pd.Series(["wheat", "corn", pd.NA], dtype="string[pyarrow]"), 2),
        (pd.Series(["wheat", None, "corn"], dtype="category"), 1),
        (pl.Series(["wheat", None, None]), 1),
        (pl.Series([None, None]), 0),
        (pa.array(["wheat", None]), 1),
        (pa.array(["wheat", None], pa.large_string()), 1),
        (pa.array(["wheat", None], pa.string_view()), 1),
        (pa.array(["wheat", None], DICTIONARY), 1),
        (pa.DictionaryArray.from_arrays(pa.array([0, 0, 1]), pa.array(["wheat", None])), 2),
        (pa.array(["x", None, "wheat", "corn", None]).slice(2), 2),
        (pa.chunked_array([["a", "b"], [], ["c"], ["d", None, None]]), 4),
        (pa.chunked_array([pa.array(["x", "a", "b"]).slice(1), pa.array([None, "c", None]).slice(1)]), 3),
        (pa.nulls(3), 0),
    ],
)
def test_the_first_missing_text_of_a_column_is_named(column, position):
    for method in (TextCounter().fit, TextCounter().fit_transform, TextCounter(dimensions=8).transform):
        with pytest.raises(TextsError) as caught:
            method(column)
        assert caught.value.what.startswith(f"texts[{position}] is ")


def test_a_null_late_in_a_long_column_is_named():
    texts = ["wheat"] * 200_000
    texts[150_001] = None
    for column in (pa.array(texts), pa.chunked_array([texts[:70_000], texts[70_000:]]), texts, iter(texts)):
        with pytest.raises(TextsError, match=r"^texts\[150001\] is None"):
            TextCounter().fit(column)


def test_a_bad_text_in_a_late_batch_of_a_generator_is_named(monkeypatch):
    monkeypatch.setattr("textbayes.text.sources._BATCH_CHARACTERS", 1000)
    texts = ["wheat and corn"] * 500 + [7]
    with pytest.raises(TextsError, match=r"^texts\[500\] is 7 of type int"):
        TextCounter().fit(iter(texts))


@pytest.mark.parametrize(
    "value", ["one text", "", b"one text", bytearray(b"text"), np.str_("text")], ids=repr
)
def test_a_bare_string(value):
    for method in (TextCounter().fit, TextCounter(dimensions=3).transform, TextCounter().partial_fit):
        with pytest.raises(TextsError, match="Put it in a list"):
            method(value)


@pytest.mark.parametrize(
    "value",
    [
        pd.DataFrame({"text": TEXTS}),
        pl.DataFrame({"text": TEXTS}),
        pa.table({"text": TEXTS}),
        pa.record_batch({"text": TEXTS}),
        np.array([TEXTS]),
        np.array([["a"], ["b"]], dtype=object),
        np.array("one text"),
        np.empty((0, 2), dtype=object),
    ],
    ids=lambda value: type(value).__module__ + "." + type(value).__name__,
)
def test_a_table_is_not_a_column(value):
    with pytest.raises(TextsError, match="Pass the column that holds the texts"):
        TextCounter().fit(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        3.5,
        object(),
        len,
        {"doc1": "wheat rose", "doc2": "corn fell"},  # would count the keys
        pd.Series([1, 2]),
        pd.Series([1, 2], dtype="category"),
        pd.Series([True, False]),
        pl.Series([1, 2]),
        pl.Series([["a"], ["b"]]),
        pl.LazyFrame({"text": TEXTS}),
        pa.array([b"wheat"]),
        pa.array([1, 2]),
        pa.array([["a"], ["b"]]),
        pa.array([{"a": "b"}]),
        pa.scalar("text"),
    ],
    ids=lambda value: type(value).__module__ + "." + type(value).__name__,
)
def test_types_that_hold_no_texts(value):
    with pytest.raises(TextsError, match=r"^texts is .*, not a collection of texts") as caught:
        TextCounter().fit(value)
    assert isinstance(caught.value, TypeError)


def test_an_exception_in_the_iterator_propagates():
    def texts():
        yield "wheat"
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        TextCounter().fit(texts())


# --- inconsistent Arrow memory -----------------------------------------------------------------------


def from_bytes(kind: pa.DataType, values: list[bytes]) -> pa.Array:
    """Build a column of strings from unchecked bytes."""
    twin = {
        pa.string(): pa.binary(),
        pa.large_string(): pa.large_binary(),
        pa.string_view(): pa.binary_view(),
    }[kind]
    array = pa.array(values, twin)
    return pa.Array.from_buffers(kind, len(values), array.buffers())


@pytest.mark.parametrize("kind", ARROW_KINDS, ids=str)
@pytest.mark.parametrize(
    "broken",
    [
        b"\xff",
        b"ab\xc3",
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"\xf5\x80\x80\x80",
        b"a long text that ends badly \xe2\x82",
    ],
    ids=repr,
)
def test_invalid_utf8_in_arrow_memory_is_named(kind, broken):
    column = from_bytes(kind, [b"wheat rose", "한국어".encode(), broken, b"\xff"])
    with pytest.raises(TextsError, match=r"^texts\[2\] "):
        TextCounter().fit(column)
    chunks = pa.chunked_array([pa.array(["a", "b"], kind), column.slice(1)])
    with pytest.raises(TextsError, match=r"^texts\[3\] "):
        TextCounter().fit(chunks)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
def test_a_character_split_by_the_offsets_is_invalid(kind):
    width = np.int32 if kind == pa.string() else np.int64
    # The bytes are valid as a whole, but each of the two texts has half of the character.
    offsets, data = np.array([0, 3, 6], width), "ab£cd".encode()
    column = pa.Array.from_buffers(kind, 2, [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    with pytest.raises(TextsError, match=r"^texts\[0\] "):
        TextCounter().fit(column)


def run_script(script: str) -> str:
    """Run Python in a subprocess, so that a crash does not end the tests; return its output."""
    done = warm.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_invalid_offsets_raise_instead_of_crashing():
    # pyarrow refuses most of these; other libraries that export Arrow memory may not.
    script = """
import numpy as np, pyarrow as pa
from textbayes import TextCounter, _native
from textbayes.text import TextSettings

for offsets in ([0, 5, 3], [0, -1, 5], [0, 1000], [-4, 5], [900, 1000], [0, 2**62], [-(2**62), 5]):
    for kind, width in ((pa.string(), np.int32), (pa.large_string(), np.int64)):
        try:
            buffers = [None, pa.py_buffer(np.array(offsets, width)), pa.py_buffer(b"wheat")]
            TextCounter().fit(pa.Array.from_buffers(kind, len(offsets) - 1, buffers))
        except Exception as error:
            print("error")
    try:
        counting = _native.Counting(TextSettings().rules(), 2)
        counting.add_offsets(np.frombuffer(b"wheat", np.uint8), np.array(offsets, np.int64))
    except Exception as error:
        print("error")
"""
    assert run_script(script).split() == ["error"] * 21


def test_invalid_views_raise_instead_of_crashing():
    script = """
import numpy as np, pyarrow as pa
from textbayes import TextCounter

invalid = [(20, 7, 0), (20, 0, 1000), (2**31 - 1, 0, 0), (20, -1, 0), (20, 0, -5), (-1, 0, 0)]
for length, buffer, offset in invalid:
    try:
        view = pa.py_buffer(np.array([length, 0x61616161, buffer, offset], np.int32))
        buffers = [None, view, pa.py_buffer(b"wheat" * 8)]
        TextCounter().fit(pa.Array.from_buffers(pa.string_view(), 1, buffers))
    except Exception as error:
        print("error")
"""
    assert run_script(script).split() == ["error"] * 6


def test_every_error_is_a_textbayes_error():
    for value in ("text", None, [None], np.array([[1]]), pa.array([1])):
        with pytest.raises(TextbayesError):
            TextCounter().fit(value)
