import os
import socket
import sys

import pytest

from textbayes.datasets import Document, read_documents
from textbayes.errors import ColumnError, EncodingError, FileReadError, NoDocumentsError


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


@pytest.fixture
def outside(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret").write_text("secret", encoding="utf-8")
    return folder


needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")


@needs_links
def test_links_out_of_the_folder_are_not_followed(tree, outside):
    root = tree({"x/1": "a"})
    (root / "x" / "2").symlink_to(outside / "secret")
    with pytest.raises(FileReadError, match="it is a link out of the folder"):
        list(read_documents(root))
    bad = []
    assert [document.text for document in read_documents(root, on_error=bad.append)] == ["a"]
    assert [one.id for one in bad] == ["x/2"]


@needs_links
@pytest.mark.parametrize("place", ["x/deep", "y"])
def test_folders_are_not_followed_through_links(tree, outside, place):
    root = tree({"x/1": "a"})
    for target in (outside, root / "x"):  # the second is a cycle, or a class twice
        (root / place).symlink_to(target)
        with pytest.raises(FileReadError, match=r"link|not a regular file"):
            list(read_documents(root))
        assert [document.text for document in read_documents(root, on_error="skip")] == ["a"]
        (root / place).unlink()


@needs_links
def test_links_inside_the_folder_are_followed(tree, tmp_path_factory):
    root = tree({"x/1": "a", "y/1": "b"})
    (root / "x" / "2").symlink_to("../y/1")
    (root / "x" / "3").symlink_to(root / "x" / "1")
    assert [document.text for document in read_documents(root)] == ["a", "b", "a", "b"]
    # The folder itself may be a link.
    link = tmp_path_factory.mktemp("links") / "corpus"
    link.symlink_to(root)
    assert [document.text for document in read_documents(link)] == ["a", "b", "a", "b"]


@needs_links
def test_a_link_to_nothing(tree):
    root = tree({"x/1": "a"})
    (root / "x" / "2").symlink_to("missing")
    with pytest.raises(FileReadError, match="No such file"):
        list(read_documents(root))


@needs_links
@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["fifo", "socket", "device"])
def test_what_is_not_a_file_does_not_block(tree, monkeypatch, kind):
    root = tree({"x/1": "a"})
    if kind == "fifo":
        os.mkfifo(root / "x" / "2")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listening:
            monkeypatch.chdir(root / "x")  # names of sockets are short
            listening.bind("2")
    else:
        (root / "x" / "2").symlink_to("/dev/zero")
    with pytest.raises(FileReadError):
        list(read_documents(root))
    assert [document.text for document in read_documents(root, on_error="skip")] == ["a"]
