"""The layout: safetensors that any reader of safetensors reads."""

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
    "nothing": np.empty(0),
}


def test_the_library_of_safetensors_reads_it(tmp_path):
    write_model(Stored({"kind": "x", "밀": [1, None]}, ARRAYS), tmp_path / "a.tb")
    found = load_file(tmp_path / "a.tb")
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tobytes() == array.tobytes()


def test_everything_comes_back_and_nobody_can_write_to_it(tmp_path):
    configuration = {"kind": "x", "밀": [1, None, "قمح", 0.1, "\ud800"]}
    write_model(Stored(configuration, ARRAYS), tmp_path / "a.tb")
    stored = read_model(tmp_path / "a.tb")
    assert stored.configuration == configuration
    for name, array in ARRAYS.items():
        found = stored.array(name, array.dtype, len(array))
        assert found.tobytes() == array.tobytes()
        assert found.flags.aligned
        assert not found.flags.writeable


def test_the_header_says_who_wrote_it(tmp_path):
    write_model(Stored({"kind": "x"}), tmp_path / "a.tb")
    metadata = split((tmp_path / "a.tb").read_bytes())[0]["__metadata__"]
    assert metadata["format"] == str(FORMAT)
    assert metadata["package"].startswith("textbayes ")
    assert json.loads(metadata["configuration"]) == {"kind": "x"}
    assert len(metadata["digest"]) == 16


def test_safetensors_of_others_are_told_apart(tmp_path):
    save_file({"x": np.ones(3)}, tmp_path / "other.safetensors", {"package": "torch"})
    with pytest.raises(ModelForeignError, match="another program"):
        read_model(tmp_path / "other.safetensors")


@pytest.mark.parametrize(
    "array", [np.ones((2, 2)), np.array([1j]), np.array(["a"]), np.array([None])], ids=str
)
def test_what_a_file_cannot_hold(array, tmp_path):
    with pytest.raises(ModelUnsavableError, match="'x'"):
        write_model(Stored({}, {"x": array}), tmp_path / "a.tb")
    assert not list(tmp_path.iterdir())


def test_a_configuration_can_be_too_long(tmp_path):
    with pytest.raises(ModelUnsavableError, match="configuration"):
        write_model(Stored({"x": "y" * (1 << 20)}), tmp_path / "a.tb")


@pytest.mark.parametrize("texts", [[], [""], ["a", "", "밀 🌾", "\x00", "\udcff"]], ids=len)
def test_texts(texts):
    assert unpack_texts(Stored(arrays=pack_texts("t", texts)), "t") == texts
