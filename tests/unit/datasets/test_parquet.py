import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textbayes.datasets import Document, read_documents
from textbayes.errors import ColumnError, FieldError, FileReadError, NoDocumentsError


@pytest.fixture
def write(tmp_path):
    def write(columns, **options):
        path = tmp_path / "f.parquet"
        pq.write_table(pa.table(columns), path, **options)
        return path

    return write


def test_documents(write):
    path = write({
        "id": pa.array([10, 11, None]),
        "Body": pa.array(["가", "ب", "😀"], pa.large_string()),
        "topics": pa.array([["x", "y"], [], None], pa.list_(pa.string())),
        "split": pa.array(["train", "test", None]).dictionary_encode(),
        "unread": pa.array([b"\xff", None, b""]),
    })  # fmt: skip
    assert list(read_documents(path)) == [
        Document("가", ("x", "y"), "train", "10"),
        Document("ب", (), "test", "11"),
        Document("😀", (), None, "3"),
    ]


def test_many_batches(write):
    path = write(
        {"text": [str(n) for n in range(5000)], "label": [n % 3 for n in range(5000)]}, row_group_size=700
    )
    documents = list(read_documents(path))
    assert [document.text for document in documents] == [str(n) for n in range(5000)]
    assert [document.id for document in documents] == [str(n + 1) for n in range(5000)]
    assert documents[4].labels == ("1",)


def test_integer_labels_with_a_missing_value(write):
    path = write({"text": ["a", "b"], "label": pa.array([1.0, float("nan")])})
    assert [document.labels for document in read_documents(path)] == [("1",), ()]


def test_null_text_names_the_row(write):
    with pytest.raises(FieldError, match=r"f\.parquet, row 2 has null"):
        list(read_documents(write({"text": ["a", None]})))


def test_missing_column(write):
    with pytest.raises(ColumnError, match="Did you mean 'genre'"):
        list(read_documents(write({"text": ["a"], "genre": ["b"]}), label="gener"))


def test_no_rows(write):
    with pytest.raises(NoDocumentsError, match="holds no documents"):
        list(read_documents(write({"text": pa.array([], pa.string())})))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"not parquet at all, though long enough to be"])
def test_damaged_files(tmp_path, content):
    path = tmp_path / "f.parquet"
    path.write_bytes(content)
    with pytest.raises(FileReadError, match=r"f\.parquet cannot be read"):
        list(read_documents(path))


def test_a_damaged_page(write):
    path = write({"text": ["some text " * 50] * 2000}, compression="gzip", use_dictionary=False)
    data = bytearray(path.read_bytes())
    data[200:600] = bytes(400)
    path.write_bytes(data)
    with pytest.raises(FileReadError, match=r"f\.parquet cannot be read"):
        list(read_documents(path))
