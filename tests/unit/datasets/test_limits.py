"""Records that would fill memory: lines, rows, objects, files and members of archives."""

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import textbayes
from textbayes.datasets import archives, load_labelled_lines, read_documents
from textbayes.datasets.streams import MAX_RECORD, read_text
from textbayes.errors import FileReadError, ParameterError, RecordError

LONG = "밀 " * 1000
# A file of each format whose second record is too long, and the place in its error.
FILES = {
    "a.txt": (f"a\n{LONG}\nb\n", "line 2: this line"),
    "a.csv": (f'text\na\n"{LONG}"\nb\n', "line 3: this line"),
    "a.tsv": (f"text\na\n{LONG}\nb\n", "line 3: this line"),
    "a.jsonl": ('{"text": "a"}\n' + json.dumps({"text": LONG}) + '\n{"text": "b"}\n', "line 2: this line"),
    "a.json": (json.dumps([{"text": "a"}, {"text": LONG}, {"text": "b"}]), "object 2: this object"),
    "a.ft": (f"__label__x a\n__label__x {LONG}\n__label__y b", "line 2: this line"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_record_that_is_too_long(tmp_path, name):
    content, place = FILES[name]
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    assert [document.text for document in read_documents(path)] == ["a", LONG, "b"]
    read = read_documents(path, max_record=1000)
    assert next(read).text == "a"
    with pytest.raises(RecordError, match=f"{place} has over 1,000 characters") as caught:
        next(read)
    assert "max_record=" in str(caught.value)


@pytest.mark.parametrize("name", FILES)
def test_it_can_be_left_out(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name][0], encoding="utf-8")
    bad = []
    read = read_documents(path, max_record=1000, on_error=bad.append)
    assert [document.text for document in read] == ["a", "b"]
    assert [one.error.code for one in bad] == ["record-format"]
    assert "has over 1,000 characters" in bad[0].reason


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r"])
@pytest.mark.parametrize("length", [9, 10, 11])
def test_the_limit_counts_line_ends(tmp_path, length, end):
    path = tmp_path / "a.txt"
    path.write_bytes(("x" * (length - len(end)) + end).encode())
    if length <= 10:
        assert len(next(read_documents(path, max_record=10)).text) == length - len(end)
    else:
        with pytest.raises(RecordError, match="line 1: this line has over 10 characters"):
            list(read_documents(path, max_record=10))


def test_a_row_of_many_lines(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('text\na\n"' + "b\n" * 1000 + '"\n', encoding="utf-8")
    assert len(list(read_documents(path))) == 2
    with pytest.raises(RecordError, match="a quote is not closed within 100 characters"):
        list(read_documents(path, max_record=100))


def test_parquet(tmp_path):
    pq.write_table(pa.table({"text": ["a", LONG, "b"]}), tmp_path / "a.parquet")
    assert len(list(read_documents(tmp_path / "a.parquet"))) == 3
    with pytest.raises(RecordError, match="row 2: a text of this row has over 1,000 characters"):
        list(read_documents(tmp_path / "a.parquet", max_record=1000))
    read = read_documents(tmp_path / "a.parquet", max_record=1000, on_error="skip")
    assert [document.text for document in read] == ["a", "b"]


def test_files_of_a_folder(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "1").write_text(LONG, encoding="utf-8")
    (tmp_path / "x" / "2").write_text("a", encoding="utf-8")
    assert len(list(read_documents(tmp_path))) == 2
    with pytest.raises(RecordError, match="the file has over 1,000 characters"):
        list(read_documents(tmp_path, max_record=1000))
    assert [document.id for document in read_documents(tmp_path, max_record=1000, on_error="skip")] == ["x/2"]


def test_labelled_lines(tmp_path):
    (tmp_path / "r8.txt").write_text(f"earn\ta\nearn\t{LONG}\n", encoding="utf-8")
    assert len(load_labelled_lines(tmp_path / "r8.txt")) == 2
    with pytest.raises(RecordError, match="line 2: this line has over 1,000 characters"):
        load_labelled_lines(tmp_path / "r8.txt", max_record=1000)


def test_a_whole_file(tmp_path):
    (tmp_path / "stop.txt").write_text(LONG, encoding="utf-8")
    assert read_text(str(tmp_path / "stop.txt"), "utf-8") == LONG
    with pytest.raises(RecordError, match="the file has over 1,000 characters"):
        read_text(str(tmp_path / "stop.txt"), "utf-8", 1000)


@pytest.mark.parametrize("most", [0, -1, 1.5, "1"])
def test_limits_are_whole_numbers(tmp_path, most):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    with pytest.raises(ParameterError, match="max_record="):
        list(read_documents(tmp_path / "a.txt", max_record=most))


def test_members_of_archives(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_RECORD", 1000)
    with tarfile.open(tmp_path / "f.tar.gz", "w:gz") as tar:
        for name, size in (("x/1", 1000), ("x/2", 1001)):
            member = tarfile.TarInfo(name)
            member.size = size
            tar.addfile(member, io.BytesIO(bytes(size)))
    read = archives.read_files(tmp_path / "f.tar.gz", lambda parts: True)
    assert len(next(read)[1]) == 1000
    with pytest.raises(FileReadError, match=r"f\.tar\.gz: x/2 cannot be read \(it has over 1,000 bytes\)"):
        next(read)


# A program that reads a file with the memory of a small machine.
PROGRAM = """
import resource, sys
from textbayes.datasets import read_documents
from textbayes.errors import RecordError
import pyarrow
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    list(read_documents(sys.argv[1]))
except RecordError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units")
@pytest.mark.parametrize("name", ["a.txt.gz", "a.jsonl.xz", "a.csv.bz2"])
def test_a_compressed_line_does_not_fill_memory(tmp_path, name):
    compress = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}[name.rpartition(".")[2]]
    start = {"txt": b"", "jsonl": b'{"text": "', "csv": b"text\n"}[name.split(".")[1]]
    # A line of 512 million characters in a file of less than a megabyte.
    block = compress(b"a" * (1 << 24))
    (tmp_path / name).write_bytes(compress(start) + block * 32)
    assert (tmp_path / name).stat().st_size < 1 << 20
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, tmp_path / name],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(textbayes.__file__))},
    )
    *message, megabytes = done.stdout.splitlines()
    assert f"this line has over {MAX_RECORD:,} characters" in message[0]
    assert int(megabytes) < 256
