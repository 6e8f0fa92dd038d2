import gzip
import io
import sys

import pytest

from textbayes.datasets import Document, load_labelled_lines, read_documents
from textbayes.errors import EncodingError, FileMissingError, NoDocumentsError, RecordError


@pytest.fixture
def write(tmp_path):
    def write(content, name="r8-test.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_one_file(write):
    path = write("\ufeffearn\tprofit\tup\r\n\n 한국 \t문서 😀 \nacq\t\n")
    corpus = load_labelled_lines(path)
    assert corpus.name == "r8-test"
    assert list(corpus) == [
        Document("profit\tup", ("earn",), None, "1"),
        Document("문서 😀 ", ("한국",), None, "3"),
        Document("", ("acq",), None, "4"),
    ]
    assert load_labelled_lines(path, "test", name="R8").test[0].id == "test/1"


def test_a_file_for_each_split(write):
    corpus = load_labelled_lines({"train": write("a\tx\n", "train.txt"), "test": write("b\ty\n", "test.txt")})
    assert [(d.split, d.id, d.label) for d in corpus] == [("train", "train/1", "a"), ("test", "test/1", "b")]


def test_compressed_and_standard_input(write, monkeypatch):
    data = gzip.compress(b"a\tx\n")
    assert load_labelled_lines(write(data, "f.txt.gz")).name == "f"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert load_labelled_lines("-").texts == ["x"]


@pytest.mark.parametrize("line", ["no tab here", "\tno label", "  \ttext"])
def test_invalid_lines(write, line):
    with pytest.raises(RecordError, match=r"r8-test\.txt, line 3: .* is not a label, a tab and a text"):
        load_labelled_lines(write(f"a\tx\n\n{line}\n"))


def test_other_errors(write, tmp_path):
    with pytest.raises(FileMissingError, match=r"Did you mean 'r8-test\.txt'"):
        load_labelled_lines({"train": write("a\tx"), "test": tmp_path / "r8-tests.txt"})
    with pytest.raises(NoDocumentsError, match="holds no documents"):
        load_labelled_lines(write("\n"))
    with pytest.raises(NoDocumentsError, match="for each split"):
        load_labelled_lines({})
    with pytest.raises(EncodingError, match="line 2: the byte 0xe9 at offset 7"):
        load_labelled_lines(write(b"a\tx\nb\tx\xe9\n"))


def test_r8_written_as_lines_is_r8(write, shared_data):
    r8 = list(read_documents(shared_data("r8-all-terms.jsonl.zst")))
    paths = {
        split: write("".join(f"{d.label}\t{d.text}\n" for d in r8 if d.split == split), f"r8-{split}.txt")
        for split in ("train", "test")
    }
    corpus = load_labelled_lines(paths, name="R8")
    assert (len(corpus.train), len(corpus.test), len(corpus.classes)) == (5_485, 2_189, 8)
    assert corpus.texts == [document.text for document in r8]
