import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textbayes.datasets import Document, read_documents
from textbayes.errors import (
    ColumnError,
    EncodingError,
    NoDocumentsError,
    ParameterError,
    RecordError,
)


@pytest.fixture
def write(tmp_path):
    def write(content, name="f.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_quotes_and_line_breaks_inside_fields(write):
    path = write('\ufefftext,label,id\r\n"He said ""नमस्ते"",\nthen left",greeting,a\r\n\r\nplain,,b\r\n')
    assert list(read_documents(path)) == [
        Document('He said "नमस्ते",\nthen left', ("greeting",), None, "a"),
        Document("plain", (), None, "b"),
    ]


def test_ids_are_the_first_lines_of_rows(write):
    path = write('text\n"one\n\ntwo"\n\nthree\n')
    assert [document.id for document in read_documents(path)] == ["2", "6"]


def test_tabs(write):
    path = write("label\tbody\nx\ta, b\n", "f.tsv")
    assert list(read_documents(path)) == [Document("a, b", ("x",), None, "2")]


def test_old_macintosh_line_ends(write):
    assert [d.text for d in read_documents(write("text,label\ra,x\rb,y\r"))] == ["a", "b"]


def test_fields_beyond_the_limit_of_the_csv_module(write):
    long = "길다 " * 100_000
    csv.field_size_limit(131_072)
    assert next(read_documents(write(f"text,label\n{long},x\n"))).text == long


@given(
    st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from("xy")), min_size=1)
)
def test_files_of_the_csv_module_round_trip(tmp_path_factory, rows):
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([("text", "label"), *rows])
    path = tmp_path_factory.mktemp("csv") / "f.csv"
    path.write_bytes(buffer.getvalue().encode())
    assert [(document.text, document.label) for document in read_documents(path)] == rows


@pytest.mark.parametrize(("row", "got"), [("a", "1 field"), ("a,b,c", "3 fields")])
def test_wrong_number_of_fields(write, row, got):
    with pytest.raises(RecordError, match=rf"f\.csv, line 4: this row has {got}, the header has 2"):
        list(read_documents(write(f'text,label\n"a\nb",x\n{row}\n')))


@pytest.mark.parametrize("row", ['"never closed,x\nmore\n', '"closed"early,x\n'])
def test_stray_quotes(write, row):
    with pytest.raises(RecordError, match=r"f\.csv, line 3: the row that starts here"):
        list(read_documents(write(f"text,label\na,x\n{row}")))


@pytest.mark.parametrize("content", ["", "\n\n", "text,label\n"])
def test_empty_files(write, content):
    with pytest.raises(NoDocumentsError, match=r"f\.csv holds no documents"):
        list(read_documents(write(content)))


def test_columns_are_named_in_errors(write):
    with pytest.raises(ColumnError, match="Did you mean 'review'"):
        list(read_documents(write("review,stars\na,1\n"), text="reviews"))
    with pytest.raises(ColumnError, match="'text', 'text'"):
        list(read_documents(write("text,text\na,1\n")))


def test_invalid_bytes(write):
    with pytest.raises(EncodingError, match=r"f\.csv, line 3: the byte 0xff at offset 15"):
        list(read_documents(write(b"text,label\na,x\n\xff,y\n")))
    assert (
        next(read_documents(write("text\n日本\n".encode("shift_jis")), encoding="shift_jis")).text == "日本"
    )


@pytest.mark.parametrize("mark", [";", "\t", ","])
def test_the_header_decides_the_delimiter(write, mark):
    path = write(f'\ufeff\r\ntext{mark}label\r\n"밀{mark} 1,5; 2"{mark}grain\r\ncrude oil{mark}oil\r\n')
    assert [(each.id, each.text, each.labels) for each in read_documents(path)] == [
        ("3", f"밀{mark} 1,5; 2", ("grain",)),
        ("4", "crude oil", ("oil",)),
    ]


def test_a_quoted_header_with_a_semicolon_is_one_column(write):
    path = write('"a;b"\nwheat; corn\n')
    with pytest.raises(RecordError, match="fields, the header has"):
        list(read_documents(path, text="a;b"))
    assert [each.text for each in read_documents(write('"a;b"\n"wheat; corn"\n'), text="a;b")] == [
        "wheat; corn"
    ]


def test_tsv_always_uses_tabs(write):
    path = write("text;x\tlabel\nwheat\tgrain\n", "f.tsv")
    assert [each.labels for each in read_documents(path, text="text;x")] == [("grain",)]


def test_columns_by_number(write):
    path = write('x,가,1\ny,"나, 다",2\n')
    found = read_documents(path, header=False, text="2", label="1")
    assert [(each.id, each.text, each.label) for each in found] == [("1", "가", "x"), ("2", "나, 다", "y")]
    assert next(read_documents(path, header=False, text=["2", "3"])).text == "가\n1"
    with pytest.raises(RecordError, match="line 2: this row has 2 fields, the first row has 3"):
        list(read_documents(write("a,b,c\na,b\n"), header=False, text="1"))
    with pytest.raises(ColumnError, match=r"no column '0'.*\n.*'1', '2', '3'.*\n.*numbers, from 1"):
        list(read_documents(path, header=False, text="0"))
    with pytest.raises(ColumnError, match=r"clearly the text.*\n.*'1', '2', '3'"):
        list(read_documents(path, header=False))
    with pytest.raises(NoDocumentsError, match=r"Expected: one row per document"):
        list(read_documents(write("\n"), header=False))


def test_one_column_without_a_header_is_the_text(write):
    assert [each.text for each in read_documents(write('가\n"b, c"\n'), header=False)] == ["가", "b, c"]


def test_a_first_row_that_cannot_be_read(write):
    path = write(b"\xff,x\na,y\n")
    bad = []
    found = read_documents(path, header=False, text="1", on_error=bad.append)
    assert [each.text for each in found] == ["a"]
    assert [each.id for each in bad] == ["1"]
    with pytest.raises(EncodingError, match="line 1"):
        list(read_documents(write(b"\xff,x\n"), header=False, text="1", on_error="skip"))


def test_a_file_without_a_header_is_suspected(write):
    with pytest.raises(ColumnError, match=r"clearly the text(?s:.)*no header, pass header=False"):
        list(read_documents(write("spam,Win a prize\nham,Lunch?\n")))


@pytest.mark.parametrize(
    ("given", "mark"), [("|", "|"), ("tab", "\t"), ("\\t", "\t"), ("\t", "\t"), ("가", "가")]
)
@pytest.mark.parametrize("name", ["f.csv", "f.tsv"])
def test_delimiters(write, given, mark, name):
    path = write(f'text{mark}label\n"a{mark}b, c;"{mark}x\n', name)
    found = read_documents(path, delimiter=given)
    assert [(each.text, each.label) for each in found] == [(f"a{mark}b, c;", "x")]


@pytest.mark.parametrize("wrong", ["", ";;", '"', "\n", "\r", "space"])
def test_wrong_delimiters(write, wrong):
    with pytest.raises(ParameterError, match="one character, such as ';', or tab"):
        read_documents(write("text\na\n"), delimiter=wrong)


@pytest.mark.parametrize(
    ("field", "labels"),
    [
        ("0", ("0",)),
        ("0.0", ("0",)),
        ("-3.00", ("-3",)),
        ("3.10", ("3.10",)),
        ("3.", ("3.",)),
        ("007.0", ("007.0",)),
        ("-0.0", ("-0.0",)),
        ("1e3", ("1e3",)),
        ("True", ("true",)),
        ("FALSE", ("false",)),
        ("true", ("true",)),
        ("tRUE", ("tRUE",)),
        ("1.0;2;True", ("1", "2", "true")),
    ],
)
def test_labels_are_those_of_formats_with_types(write, field, labels):
    path = write(f"text,label,id\na,{field},3.0\n")
    found = list(read_documents(path, separator=";" if ";" in field else None))
    assert [(document.labels, document.id) for document in found] == [(labels, "3.0")]
    if len(labels) == 1:
        quoted = write(f'{{"text": "a", "label": "{field}"}}\n', "f.jsonl")
        assert next(read_documents(quoted)).labels == (field,)  # a string is a string


def test_a_table_has_the_same_classes_in_every_format(tmp_path):
    pd = pytest.importorskip("pandas")
    for labels in ([1, 0, None], [True, False, True], [1.5, 2.0, 1.0], ["a", "b", None]):
        table = pd.DataFrame({"text": ["x", "y", "z"], "label": labels})
        table.to_csv(tmp_path / "t.csv", index=False)
        table.to_parquet(tmp_path / "t.parquet")
        table.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
        found = [[d.labels for d in read_documents(path)] for path in sorted(tmp_path.iterdir())]
        assert found[0] == found[1] == found[2]
