"""Temporary bytes: in memory, in a file without a name, and errors of the disk."""

import errno
import gc
import os

import pytest

from textbayes.errors import FileWriteError
from textbayes.persistence.temporary import TemporaryBytes


@pytest.mark.parametrize("in_memory", [0, 3, 5, 100])
def test_bytes_come_back_and_no_file_is_left(tmp_path, in_memory):
    written = TemporaryBytes(tmp_path, in_memory)
    for part in (b"ab", b"", b"cde", memoryview(b"f")):
        written.append(part)
        assert os.listdir(tmp_path) == []
    array = written.array()
    assert array.tobytes() == b"abcdef"
    assert not array.flags.writeable
    del written
    gc.collect()
    assert array.tobytes() == b"abcdef"  # the map keeps the file
    assert os.listdir(tmp_path) == []


def test_nothing_written(tmp_path):
    assert TemporaryBytes(tmp_path, 0).array().tobytes() == b""


def test_few_bytes_need_no_folder(tmp_path):
    written = TemporaryBytes(tmp_path / "missing")
    written.append(b"abc")
    assert written.array().tobytes() == b"abc"


def test_a_folder_that_cannot_be_written(tmp_path):
    written = TemporaryBytes(tmp_path / "missing", 2)
    with pytest.raises(FileWriteError, match="missing") as raised:
        written.append(b"abc")
    assert raised.value.errno == errno.ENOENT


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", lambda dir: open("/dev/full", "wb", buffering=0))  # noqa: SIM115
    written = TemporaryBytes(tmp_path, 2)
    with pytest.raises(FileWriteError, match=r"No space left"):
        written.append(b"abc")
