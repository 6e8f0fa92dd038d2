"""Loading: every kind of invalid header has its own error message."""

import json
import tracemalloc

import numpy as np
import pytest
from model_files import joined, split

from textbayes.errors import FileMissingError, ModelDamagedError, ModelForeignError, ModelVersionError
from textbayes.persistence import Stored, read_model, write_model


@pytest.fixture
def path(tmp_path):
    write_model(Stored({"kind": "x", "size": 3}, {"x": np.arange(4.0), "y": np.arange(3)}), tmp_path / "a.tb")
    return tmp_path / "a.tb"


def changed(path, change):
    header, rest = split(path.read_bytes())
    change(header)
    path.write_bytes(joined(header, rest))


def test_a_missing_file(tmp_path):
    (tmp_path / "mail.tb").touch()
    with pytest.raises(FileMissingError, match=r"Did you mean 'mail\.tb'"):
        read_model(tmp_path / "mial.tb")
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "mail.tb" / "x")


@pytest.mark.parametrize("content", [b"", b"\x80\x04\x95pickle", b"short", b"x" * 100, b'{"a": 1}'], ids=repr)
def test_files_that_are_not_models(content, tmp_path):
    (tmp_path / "a.tb").write_bytes(content)
    with pytest.raises(ModelForeignError):
        read_model(tmp_path / "a.tb")


def test_a_folder(tmp_path):
    with pytest.raises(ModelForeignError, match="folder"):
        read_model(tmp_path)


def test_every_truncation_is_refused(path):
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises((ModelDamagedError, ModelForeignError)):
            read_model(path, verify=False)


def test_every_flipped_bit_is_detected(path):
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1 :])
        with pytest.raises((ModelDamagedError, ModelForeignError, ModelVersionError)):
            read_model(path)


def test_a_newer_format_is_refused(path):
    changed(path, lambda header: header["__metadata__"].update(format="7", package="textbayes 9.1"))
    with pytest.raises(ModelVersionError, match=r"format 7; .*\n.*textbayes 9\.1"):
        read_model(path)


@pytest.mark.parametrize("version", ["0", "-1", "1.0", "", "٣", "9" * 5000])
def test_an_invalid_format_version(version, path):
    changed(path, lambda header: header["__metadata__"].update(format=version))
    with pytest.raises(ModelDamagedError, match="not a version of the format"):
        read_model(path)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"dtype": "F64", "shape": [4], "data_offsets": [0, 2**70]},
        {"dtype": "F64", "shape": [2**61], "data_offsets": [0, 32]},
        {"dtype": "F64", "shape": [-4], "data_offsets": [0, -32]},
        {"dtype": "F64", "shape": [4], "data_offsets": [8, 40]},
        {"dtype": "F64", "shape": [2, 2], "data_offsets": [0, 32]},
        {"dtype": "F64", "shape": [4.0], "data_offsets": [0, 32]},
        {"dtype": "F16", "shape": [16], "data_offsets": [0, 32]},
        {"dtype": "F64", "shape": [3], "data_offsets": [0, 24]},
        {"dtype": "F64", "shape": ["4"], "data_offsets": "ab"},
    ],
    ids=repr,
)
def test_invalid_offsets_are_refused(entry, path):
    changed(path, lambda header: header.update(x=entry))
    tracemalloc.start()
    with pytest.raises(ModelDamagedError):
        read_model(path, verify=False)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


@pytest.mark.parametrize(
    "header",
    [
        b'{"__metadata__":{},"__metadata__":{}}',
        b'{"a":NaN}',
        b'{"a":-Infinity}',
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a":' + b"9" * 10_000 + b"}",
        b'{"a":"\xff"}',
        b'{"a":1',
        b"{}",
        b'{"__metadata__":{"package":"textbayes"}}',
        b'{"__metadata__":[]}',
        b"{" + b'"a":{},' * 30_000 + b'"b":1}',
    ],
    ids=lambda header: repr(header[:30]),
)
def test_malicious_headers_are_refused(header, tmp_path):
    (tmp_path / "a.tb").write_bytes(joined(header, b"", sign=False))
    with pytest.raises((ModelDamagedError, ModelForeignError)):
        read_model(tmp_path / "a.tb")


def test_a_header_that_is_too_long(tmp_path):
    (tmp_path / "a.tb").write_bytes(joined(b'{"a":"' + b"x" * (1 << 20) + b'"}', b"", sign=False))
    with pytest.raises(ModelDamagedError, match="header cannot have"):
        read_model(tmp_path / "a.tb")
    (tmp_path / "a.tb").write_bytes((2**64 - 1).to_bytes(8, "little") + b"{}" * 40)
    with pytest.raises(ModelDamagedError, match="18446744073709551615"):
        read_model(tmp_path / "a.tb")


@pytest.mark.parametrize("configuration", ["[]", "1", '{"a":1,"a":2}', "{" * 9999, '{"a":NaN}', "", "\x00"])
def test_invalid_configurations_are_refused(configuration, path):
    changed(path, lambda header: header["__metadata__"].update(configuration=configuration))
    with pytest.raises(ModelDamagedError):
        read_model(path)


def test_values_and_arrays_of_the_wrong_type(path):
    stored = read_model(path)
    assert stored.size("size") == 3
    for ask in (
        lambda: stored.value("kind", int),
        lambda: stored.value("absent", str),
        lambda: stored.size("kind"),
        lambda: stored.part("absent"),
        lambda: stored.array("absent", np.float64),
        lambda: stored.array("x", np.int64),
        lambda: stored.array("x", np.float64, 3),
    ):
        with pytest.raises(ModelDamagedError, match=r"a\.tb"):
            ask()


def test_old_formats_are_upgraded_step_by_step(path, monkeypatch):
    changed(path, lambda header: header["__metadata__"].update(format="1"))
    steps = {
        1: lambda stored: Stored({**stored.configuration, "two": 1}, stored.arrays, stored.path),
        2: lambda stored: Stored({**stored.configuration, "three": 1}, stored.arrays, stored.path),
    }
    monkeypatch.setattr("textbayes.persistence.load.UPGRADES", steps)
    monkeypatch.setattr("textbayes.persistence.load.FORMAT", 3)
    assert read_model(path).configuration == {"kind": "x", "size": 3, "two": 1, "three": 1}
    json.dumps(read_model(path).configuration)
