"""Saving is atomic."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from textbayes.errors import FileWriteError
from textbayes.persistence import Stored, read_model, save, write_model

OLD, NEW = Stored({"which": "old"}, {"x": np.zeros(9)}), Stored({"which": "new"}, {"x": np.ones(5)})


def which(path):
    return read_model(path, verify=True).configuration["which"]


@pytest.mark.parametrize("step", ["open", "write", "flush", "rename"])
def test_an_error_at_any_step_leaves_the_old_file(step, tmp_path, monkeypatch):
    path = tmp_path / "model.tb"
    write_model(OLD, path)

    def fail(*_):
        raise OSError(28, "No space left on device")

    if step == "open":
        monkeypatch.setattr("builtins.open", fail)
    elif step == "write":
        monkeypatch.setattr(save, "ordered", lambda arrays: {"x": Unwritable(arrays["x"])})
    else:
        monkeypatch.setattr(os, {"flush": "fsync", "rename": "replace"}[step], fail)
    with pytest.raises(FileWriteError, match="No space left") as caught:
        write_model(NEW, path)
    monkeypatch.undo()
    assert caught.value.errno == 28
    assert which(path) == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["model.tb"]


class Unwritable(np.ndarray):
    def __new__(cls, array):
        return np.asarray(array).view(cls)

    @property
    def data(self):
        raise OSError(28, "No space left on device")


CRASH = """
import os, sys
import numpy as np
from textbayes.persistence import Stored, write_model
step = sys.argv[2]
if step != "none":
    setattr(os, step, lambda *_: os._exit(9))
write_model(Stored({"which": "new"}, {"x": np.ones(100_000)}), sys.argv[1])
"""


@pytest.mark.parametrize(("step", "expected"), [("fsync", "old"), ("replace", "old"), ("none", "new")])
def test_a_killed_process_leaves_the_old_or_the_new_file(step, expected, tmp_path):
    path = tmp_path / "model.tb"
    write_model(OLD, path)
    done = subprocess.run([sys.executable, "-c", CRASH, str(path), step], check=False)
    assert done.returncode == (0 if step == "none" else 9)
    assert which(path) == expected
    write_model(NEW, path)  # the leftovers of a crash do not matter
    assert which(path) == "new"


def test_replacing_the_file_does_not_change_a_loaded_model(tmp_path):
    path = tmp_path / "model.tb"
    write_model(OLD, path)
    before = read_model(path)
    write_model(NEW, path)
    assert before.array("x", np.float64).tolist() == [0.0] * 9


def test_a_loaded_model_can_overwrite_its_own_file(tmp_path):
    path = tmp_path / "model.tb"
    write_model(OLD, path)
    write_model(read_model(path), path)
    assert which(path) == "old"


def test_a_missing_folder(tmp_path):
    with pytest.raises(FileWriteError, match="No such file"):
        write_model(NEW, tmp_path / "absent" / "model.tb")


def test_file_names_in_any_script(tmp_path):
    path = Path(tmp_path, "модель 밀 🌾.tb")
    write_model(NEW, path)
    assert which(path) == "new"
