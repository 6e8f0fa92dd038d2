"""Records that cannot be used, several files and several text columns, in every format."""

import contextlib
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets import BadRecord, Document, delimited, read_documents
from textbayes.datasets import objects as objects_module
from textbayes.errors import (
    ColumnError,
    EncodingError,
    FieldError,
    FileMissingError,
    NoDocumentsError,
    ParameterError,
    RecordError,
    TextbayesError,
)


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def read_bad(path, **options):
    """Return the texts, and the places and reasons of the bad records."""
    bad = []
    texts = [document.text for document in read_documents(path, on_error=bad.append, **options)]
    return texts, [(each.place.removeprefix(f"{path}, "), each.id, type(each.error)) for each in bad]


JSONL = (
    '{"text": "가", "label": "x", "id": "d1"}\n'
    "not JSON 🙂\n"
    '{"text": null, "label": "x", "id": "d3"}\n'
    '{"label": "x"}\n'
    "[1]\n"
    '{"text": "مرحبا", "label": {"a": 1}}\n'
    '{"text": "b"}\n'
).encode() + b'{"text": "caf\xe9", "label": "x"}\n{"text": "last", "label": "x"}'


def test_json_lines(write):
    assert read_bad(write("f.jsonl", JSONL)) == (
        ["가", "last"],
        [
            ("line 2", "2", RecordError),
            ("line 3", "d3", FieldError),
            ("line 4", "4", FieldError),
            ("line 5", "5", RecordError),
            ("line 6", "6", FieldError),
            ("line 7", "7", FieldError),
            ("line 8", "8", EncodingError),
        ],
    )


def test_json_arrays(write):
    content = b'[{"text": "a"},\n{"text": 3}, {"text": "\xff"}, {"text": "b",}, 7, {"text": "\xea\xb0\x80"}]'
    assert read_bad(write("f.json", content)) == (
        ["a", "가"],
        [
            ("object 2", "2", FieldError),
            ("object 3", "3", EncodingError),
            ("object 4", "4", RecordError),
            ("object 5", "5", RecordError),
        ],
    )
    with pytest.raises(RecordError, match="never closed"):  # nobody knows how much is lost
        read_bad(write("f.json", '[{"text": "a"}, {"text": "b"'))


def test_csv(write):
    content = (
        'text,label\n가,x\none,two,three\n"never closed,x\nb,y\n"two\nlines",y\n'.encode()
        + b'caf\xe9,x\n"one\n\xff",x\nc,x\n"closed"early,x\nd,y\n'
    )
    assert read_bad(write("f.csv", content)) == (
        ["가", "b", "two\nlines", "c", "d"],
        [
            ("line 3", "3", RecordError),
            ("line 4", "4", RecordError),
            ("line 8", "8", EncodingError),
            ("line 9", "9", EncodingError),
            ("line 10", "10", EncodingError),
            ("line 12", "12", RecordError),
        ],
    )


def test_an_open_quote_does_not_take_the_rest_of_a_csv_file(write):
    rows = "".join(f"text {number},x\n" for number in range(5000))
    texts, bad = read_bad(write("f.csv", f'text,label\n"open,x\n{rows}'))
    assert (len(texts), bad) == (5000, [("line 2", "2", RecordError)])


def test_headers_cannot_be_left_out(write):
    for content in (b"text,lab\xe9l\na,x\n", b'text,"label\na,x\n'):
        with pytest.raises((EncodingError, RecordError), match="line 1"):
            read_bad(write("f.csv", content))


def test_lines(write):
    assert read_bad(write("f.txt", b"one\n\xff\n\n\xea\xb0\x80\n")) == (
        ["one", "", "가"],
        [("line 2", "2", EncodingError)],
    )
    assert read_bad(write("g.txt", "__label__x one\n__label__ two\n")) == (
        ["one"],
        [("line 2", "2", RecordError)],
    )


def test_utf_16_goes_on_after_half_a_surrogate_pair(write):
    data = "가\n".encode("utf-16") + b"\x3d\xd8" + "\n나 🙂\n".encode("utf-16")[2:]
    assert read_bad(write("f.txt", data), encoding="utf-16") == (
        ["가", "나 🙂"],
        [("line 2", "2", EncodingError)],
    )


def test_utf_16_without_a_mark(write):
    with pytest.raises(EncodingError, match="perhaps 'utf-16-le'"):
        read_bad(write("f.txt", "가\n".encode("utf-16-le")), encoding="utf-16")


def test_parquet(tmp_path):
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table({"text": ["a", None, "b"], "id": ["x", "y", None]}), path)
    assert read_bad(path) == (["a", "b"], [("row 2", "y", FieldError)])


def test_folders(write, tmp_path):
    write("c/x/1", "가")
    bad = write("c/x/2", b"\xff")
    texts, found = read_bad(tmp_path / "c")
    assert (texts, found) == (["가"], [(str(bad), "x/2", EncodingError)])


def test_a_first_record_without_a_text_or_a_label(write):
    path = write("f.jsonl", '{"label": "x"}\n{"text": "a"}\n{"text": "b", "label": "x"}\n')
    assert read_bad(path, labelled="required") == (
        ["b"],
        [("line 1", "1", FieldError), ("line 2", "2", FieldError)],
    )
    assert read_bad(path)[0] == ["a", "b"]  # labels are optional
    with pytest.raises(ColumnError, match="clearly the text"):
        read_bad(write("f.jsonl", '{"txt": "a"}\n{"txt": "b"}\n'))


def test_a_wrong_column_is_reported_soon(write, monkeypatch):
    monkeypatch.setattr(objects_module, "_LOOK", 10)
    bad = []
    with pytest.raises(ColumnError, match="Did you mean 'body'"):
        list(read_documents(write("f.jsonl", '{"body": "a"}\n' * 50), text="bdy", on_error=bad.append))
    assert len(bad) == 9


def test_ambiguous_columns_are_an_error_in_any_case(write):
    with pytest.raises(ColumnError, match="several columns"):
        read_bad(write("f.jsonl", '{"body": "a", "content": "b"}\n{"body": "c"}\n'))


def test_skip_and_report(write):
    path = write("f.jsonl", JSONL)
    assert [each.text for each in read_documents(path, on_error="skip")] == ["가", "last"]
    with pytest.warns(UserWarning, match=r"f\.jsonl, line \d: .*; it is left out") as warned:
        assert len(list(read_documents(path, on_error="report"))) == 2
    assert len(warned) == 7
    with pytest.raises(ParameterError, match=r"on_error='ignore' is not an option"):
        read_documents(path, on_error="ignore")
    with pytest.raises(RecordError):
        list(read_documents(path, on_error="stop"))


def test_a_function_may_put_a_document_in_place(write):
    path = write("f.jsonl", JSONL)
    found = list(read_documents(path, on_error=lambda bad: Document("?", id=bad.id)))
    assert [each.id for each in found] == ["d1", "2", "d3", "4", "5", "6", "7", "8", "9"]


def test_reasons_are_without_the_place():
    error = FieldError("f.csv, line 3", "text", None, "a string")
    bad = BadRecord("f.csv", "f.csv, line 3", "3", error)
    assert str(bad) == "f.csv, line 3: has null as its 'text'"


def test_several_files(write, tmp_path):
    first = write("a.csv", "body,topic\n가,x\n")
    second = write(
        "b.jsonl.", '{"topic": "y", "body": "b", "text": "no", "id": "own"}\n\n{"body": "c", "topic": 1}\n'
    )
    write("c/z/1.txt", "from a folder")
    third = write("d.txt", "__label__w a line\n")
    second = second.rename(tmp_path / "b.jsonl")
    found = list(read_documents([first, second, tmp_path / "c", str(third)]))
    assert found == [
        Document("가", ("x",), None, f"{first}:2"),
        Document("b", ("y",), None, "own"),
        Document("c", ("1",), None, f"{second}:3"),
        Document("from a folder", ("z",), None, f"{tmp_path}/c/z/1.txt"),
        Document("a line", ("w",), None, f"{third}:1"),
    ]


def test_several_files_have_the_same_columns(write):
    paths = [write("a.csv", "body,topic\n가,x\n"), write("b.csv", "text,label\nb,y\n")]
    documents = read_documents(paths)
    assert next(documents).text == "가"
    with pytest.raises(ColumnError, match=r"b\.csv has no column 'body'(?s:.)*'text', 'label'"):
        next(documents)


def test_errors_name_one_of_several_files(write, tmp_path):
    first, second = write("a.csv", "text\n가\n"), write("b.csv", "text\na,b\n")
    with pytest.raises(RecordError, match=r"b\.csv, line 2"):
        list(read_documents([first, second]))
    with pytest.raises(NoDocumentsError, match=r"c\.csv holds no documents"):
        list(read_documents([first, write("c.csv", "")]))
    with pytest.raises(FileMissingError, match=r"d\.csv"):  # before anything is read
        read_documents([first, tmp_path / "d.csv"])
    with pytest.raises(NoDocumentsError):
        read_documents([])


def test_several_text_columns_are_joined(write):
    rows = [
        {"title": "당첨", "body": "free\nprize", "label": "x"},
        {"title": None, "body": "b", "label": "x"},
        {"body": "c", "label": "x"},
        {"title": "", "body": "", "label": "x"},
        {"body": None, "label": "x"},
    ]
    path = write("f.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    documents = read_documents(path, text=["title", "body"])
    assert [next(documents).text for _ in range(4)] == ["당첨\nfree\nprize", "b", "c", ""]
    with pytest.raises(FieldError, match=r"line 5 .*\n.*'title', 'body'"):
        next(documents)
    path = write("f.csv", "title,label,body\n가,x,나\n,x,b\n")
    assert [each.text for each in read_documents(path, text=["body", "title"])] == ["나\n가", "b"]
    with pytest.raises(ColumnError, match="no column 'bdy'"):
        list(read_documents(path, text=["title", "bdy"]))
    with pytest.raises(ParameterError, match="each text column once"):
        read_documents(path, text=["title", "body", "title"])
    with pytest.raises(ParameterError, match="one column or more"):
        read_documents(path, text=[])


def test_the_first_record_may_lack_one_of_several_text_columns(write):
    path = write("f.jsonl", '{"body": "a"}\n{"title": "t", "body": "b"}\n')
    assert [each.text for each in read_documents(path, text=["title", "body"])] == ["a", "t\nb"]


def test_a_record_without_an_id_has_its_line_number(write):
    first, second = '{"text": "a"}', '{"text": "b", "id": "이름", "split": "test"}'
    content = f'\n{first}\n{second}\n{{"text": "c"}}\n{{"text": "d", "id": null}}\n'
    path = write("f.jsonl", content)
    found = [(each.id, each.split) for each in read_documents(path)]
    assert found == [("2", None), ("이름", "test"), ("4", None), ("5", None)]
    path = write("f.jsonl", content.replace('"a"}', '"a", "key": 7}').replace('"id"', '"key"'))
    assert [each.id for each in read_documents(path, id="key")] == ["7", "이름", "4", "5"]


def test_a_quote_that_is_open_for_too_long(write, monkeypatch):
    monkeypatch.setattr(delimited, "_MOST_CHARACTERS", 1000)
    rows = "".join(f"text {number},x\n" for number in range(500))
    path = write("f.csv", f'text,label\n"open,x\n{rows}"{"가" * 2000}",x\n')
    texts, bad = read_bad(path)
    assert (len(texts), bad) == (501, [("line 2", "2", RecordError)])


FRAGMENTS = [
    b'{"text": "a", "label": "x"}',
    b'{"text":',
    b"text,label\n",
    b"a,b",
    b"__label__x ",
    b"__label__ ",
]
FRAGMENTS += [
    b"\n",
    b"\r",
    b"\r\n",
    b",",
    b";",
    b'"',
    b'"a ""b"""',
    b"[",
    b"]",
    b"{",
    b"}",
    b"\\",
    b"\\ud83d",
    b"null",
]
FRAGMENTS += [b"\xff", "가".encode(), "😀".encode()[:3], "\u2028".encode(), "\ufeff".encode(), b"\0", b" "]


@pytest.mark.parametrize("ending", ["txt", "json", "jsonl", "csv", "tsv", "ft"])
@given(st.lists(st.sampled_from(FRAGMENTS)), st.sampled_from(["utf-8", "utf-16", "shift_jis", "latin-1"]))
def test_any_bytes_give_documents_or_errors_of_textbayes(tmp_path_factory, ending, fragments, encoding):
    path = tmp_path_factory.mktemp("any") / f"f.{ending}"
    path.write_bytes(b"".join(fragments))
    found = {}
    for on_error in ("stop", "skip"):
        found[on_error] = []
        with contextlib.suppress(TextbayesError):
            for document in read_documents(path, encoding=encoding, on_error=on_error):
                found[on_error].append(document)
    # With skip come the same documents as before the first bad record, then perhaps more.
    assert found["skip"][: len(found["stop"])] == found["stop"]
    for document in found["skip"]:
        assert document.text.encode("utf-8") is not None
        assert document.id
