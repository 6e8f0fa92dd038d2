import pytest

from textbayes.datasets import Document, read_documents
from textbayes.errors import ColumnError, EncodingError, NoDocumentsError, RecordError


@pytest.fixture
def write(tmp_path):
    def write(content, name="f.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_each_line_is_a_text(write):
    found = list(read_documents(write("당첨! free prize 🎁\nمرحبا\u2028بك\n\n  spaces \x00 kept \nlast")))
    texts = ["당첨! free prize 🎁", "مرحبا\u2028بك", "", "  spaces \x00 kept ", "last"]
    assert found == [Document(text, id=str(number)) for number, text in enumerate(texts, start=1)]
    assert found[1].place.endswith("f.txt, line 2")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_line_ends_and_encodings(write, end, encoding):
    path = write(f"가{end}나 🙂{end}".encode(encoding))
    assert [each.text for each in read_documents(path, encoding=encoding)] == ["가", "나 🙂"]


def test_plain_text_has_no_columns_and_no_labels(write):
    path = write("free prize\n")
    with pytest.raises(ColumnError, match=r"no column 'body'.\n.*plain text.*\n.*Leave text= out.*format="):
        list(read_documents(path, text="body"))
    with pytest.raises(ColumnError, match=r"(?s)has no labels.*plain text.*__label__.*format=tsv"):
        list(read_documents(path, labelled="required"))


@pytest.mark.parametrize("name", ["f.txt", "f.ft"])
def test_empty_files(write, name):
    with pytest.raises(NoDocumentsError, match="one text per line"):
        list(read_documents(write("", name)))


def test_broken_bytes_are_located(write):
    documents = read_documents(write(b"one\ntw\xf6\nthree\n"))
    assert next(documents).text == "one"
    with pytest.raises(EncodingError, match=r"f\.txt, line 2: the byte 0xf6 at offset 6"):
        next(documents)


FASTTEXT = (
    "__label__스팸 __label__🎁 당첨! free prize\n\n"
    "no label\n"
    "__label__ham\u00a0x lunch\u3000now \t?\n"
    "__label__ham end __label__late\n"
)


def test_fasttext(write):
    for path in (write(FASTTEXT), write(FASTTEXT, "f.train.ft")):
        found = [(each.id, each.labels, each.text) for each in read_documents(path)]
        assert found == [
            ("1", ("스팸", "🎁"), "당첨! free prize"),
            ("3", (), "no label"),
            ("4", ("ham\u00a0x",), "lunch\u3000now \t?"),
            ("5", ("ham", "late"), "end "),
        ]
    unlabelled = read_documents(path, labelled=False)
    assert [each.labels for each in unlabelled] == [()] * 4


def test_a_label_without_a_name(write):
    with pytest.raises(RecordError, match=r"f\.txt, line 2: __label__ has no name"):
        list(read_documents(write("__label__a x\n__label__ b\n")))


def test_plain_text_on_request(write):
    path = write(FASTTEXT)
    assert next(read_documents(path, format="text")).text == FASTTEXT.split("\n")[0]
    assert next(read_documents(write("free prize"), format="fasttext")).labels == ()


def test_the_columns_are_reported(write):
    seen = []
    list(read_documents(write("a\n"), report=seen.append))
    list(read_documents(write("__label__x a\n"), report=seen.append))
    assert [each.described() for each in seen] == [
        "plain text, one text per line",
        "fastText, one text per line, labels = __label__…",
    ]


@pytest.mark.parametrize(
    ("start", "hinted"), [("label;Text", True), ('"id","body"', True), ("a text, b", False)]
)
def test_a_header_of_csv_is_suspected(write, start, hinted):
    seen = []
    list(read_documents(write(f"{start}\n"), report=seen.append))
    assert ("format=csv" in seen[0].described()) == hinted
