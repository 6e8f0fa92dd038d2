"""The file layout: valid safetensors that any reader can open."""

import json

import numpy as np
import pytest
from model_files import split
from safetensors.numpy import load_file, save_file

from textbayes.errors import ModelForeignError, ModelUnsavableError
from textbayes.persistence import FORMAT, Stored, pack_texts, read_model, unpack_texts, write_model

ARRAYS = {
    "bytes": np.arange(5, dtype=np.uint8),
    "sums": np.array([0.1, np.pi]),
    "starts": np.array([-1, 2**62]),
    "columns": np.arange(3, dtype=np.int32),
    "counts": np.arange(7, dtype=np.uint16),
    "classes": np.array([2**32 - 1], dtype=np.uint32),
    "halves": np.array([0.5, -0.25], dtype=np.float32),
    "signs": np.array([-1, 1, -128], dtype=np.int8),
    "nothing": np.empty(0),
}


def test_the_safetensors_library_reads_it(tmp_path):
    write_model(Stored({"kind": "x", "밀": [1, None]}, ARRAYS), tmp_path / "a.tb")
    found = load_file(tmp_path / "a.tb")
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tobytes() == array.tobytes()


def test_arrays_round_trip_and_are_read_only(tmp_path):
    configuration = {"kind": "x", "밀": [1, None, "قمح", 0.1, "\ud800"]}
    write_model(Stored(configuration, ARRAYS), tmp_path / "a.tb")
    stored = read_model(tmp_path / "a.tb")
    assert stored.configuration == configuration
    for name, array in ARRAYS.items():
        found = stored.array(name, array.dtype, len(array))
        assert found.tobytes() == array.tobytes()
        assert found.flags.aligned
        assert not found.flags.writeable


def test_the_header_names_the_package(tmp_path):
    write_model(Stored({"kind": "x"}), tmp_path / "a.tb")
    metadata = split((tmp_path / "a.tb").read_bytes())[0]["__metadata__"]
    assert metadata["format"] == str(FORMAT)
    assert metadata["package"].startswith("textbayes ")
    assert json.loads(metadata["configuration"]) == {"kind": "x"}
    assert len(metadata["digest"]) == 16
    assert metadata["digests"] == ""


def test_foreign_safetensors_files_are_refused(tmp_path):
    save_file({"x": np.ones(3)}, tmp_path / "other.safetensors", {"package": "torch"})
    with pytest.raises(ModelForeignError, match="another program"):
        read_model(tmp_path / "other.safetensors")


@pytest.mark.parametrize(
    "array", [np.ones((2, 2)), np.array([1j]), np.array(["a"]), np.array([None])], ids=str
)
def test_unsupported_arrays_are_refused(array, tmp_path):
    with pytest.raises(ModelUnsavableError, match="'x'"):
        write_model(Stored({}, {"x": array}), tmp_path / "a.tb")
    assert not list(tmp_path.iterdir())


def test_a_configuration_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(ModelUnsavableError, match="configuration"):
        write_model(Stored({"x": "y" * (1 << 20)}), tmp_path / "a.tb")


@pytest.mark.parametrize("texts", [[], [""], ["a", "", "밀 🌾", "\x00", "\udcff"]], ids=len)
def test_texts(texts):
    assert unpack_texts(Stored(arrays=pack_texts("t", texts)), "t") == texts
