import os
import sys

import pytest

from textbayes.datasets import Document, read_documents
from textbayes.errors import ColumnError, EncodingError, NoDocumentsError


@pytest.fixture
def tree(tmp_path):
    def make(files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return make


def test_labels_are_folders_and_ids_are_paths(tree):
    root = tree({"스팸/b.txt": "b", "스팸/a.txt": "\ufeffa\r\n", "ham/deep/er/c": "c", "README": "no"})
    assert list(read_documents(root)) == [
        Document("c", ("ham",), None, "ham/deep/er/c"),
        Document("a\r\n", ("스팸",), None, "스팸/a.txt"),
        Document("b", ("스팸",), None, "스팸/b.txt"),
    ]


def test_clutter_is_ignored(tree):
    clutter = ["x/.DS_Store", "x/._1", "x/Thumbs.db", "__MACOSX/x/1", ".git/config"]
    root = tree({"x/1": "a"} | dict.fromkeys(clutter, b"\xff"))
    assert [document.id for document in read_documents(root)] == ["x/1"]


def test_no_class_folders(tree):
    with pytest.raises(NoDocumentsError, match="a folder for each class"):
        list(read_documents(tree({"a.txt": "a"})))


def test_an_empty_class_folder(tree):
    root = tree({"x/1": "a", "y/.hidden": ""})
    with pytest.raises(NoDocumentsError, match="y' holds no documents"):
        list(read_documents(root))


def test_invalid_bytes_name_the_file(tree):
    root = tree({"x/1": b"line\n\xff\xfe"})
    with pytest.raises(EncodingError, match=r"x.1, line 2: the byte 0xff at offset 5"):
        list(read_documents(root))
    assert next(read_documents(root, encoding="latin-1")).text == "line\nÿþ"


def test_a_folder_has_no_columns(tree):
    with pytest.raises(ColumnError, match="has no column 'topic'"):
        list(read_documents(tree({"x/1": "a"}), label="topic"))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse names that are not Unicode")
def test_names_that_are_not_unicode(tree):
    root = tree({"x/1": "a"})
    (root / "x" / os.fsdecode(b"caf\xe9")).write_text("b")
    assert [document.id for document in read_documents(root)] == ["x/1", "x/caf\ufffd"]
