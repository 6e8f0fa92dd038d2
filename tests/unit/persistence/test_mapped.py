"""A file that changes under a loaded model: a copy survives, and a mapped file is noticed."""

import copy
import os
import pickle
import shutil
import sys

import pytest
from sklearn.pipeline import make_pipeline

import textbayes
import warm
from textbayes import ComplementNB, FrequencyTransform, TermSelector, TextClassifier, TextCounter
from textbayes.answering import load_answerer
from textbayes.errors import FileReadError, ModelChangedError, ModelForeignError
from textbayes.persistence import read_model

TEXTS = [f"wheat corn{number} harvest" for number in range(40)] + [
    f"crude oil{number}" for number in range(40)
]
LABELS = ["grain"] * 40 + ["oil"] * 40


@pytest.fixture
def path(tmp_path):
    TextClassifier("complement").fit(TEXTS, LABELS).save(tmp_path / "live.tb")
    return tmp_path / "live.tb"


def cut(path):
    os.truncate(path, 4096)


def empty(path):
    os.truncate(path, 0)


def copy_another(path):
    other = path.with_name("other.tb")
    TextClassifier("complement").fit(TEXTS[::2], LABELS[1::2]).save(other)
    shutil.copyfile(other, path)


def fill(path):
    size = path.stat().st_size
    with open(path, "r+b") as file:
        file.write(b"\xff" * size)


CHANGES = [cut, empty, copy_another, fill]

SURVIVE = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import test_mapped as tests
from textbayes import TextClassifier
from textbayes.answering import load_answerer
path = Path(sys.argv[2])
expected = TextClassifier.load(path).predict_proba(tests.TEXTS)
models = [TextClassifier.load(path), TextClassifier.load(path, verify=False), load_answerer(path)]
getattr(tests, sys.argv[3])(path)
for model in models:
    assert (model.predict_proba(tests.TEXTS) == expected).all()
models[0].teach(["solar sun"], ["sun"]).forget(tests.TEXTS[:3], tests.LABELS[:3])
models[0].save(path.with_name("again.tb"))
assert TextClassifier.load(path.with_name("again.tb")).predict(["sun"]).tolist() == ["sun"]
"""


@pytest.mark.parametrize("change", CHANGES)
def test_a_loaded_model_survives_a_change_of_its_file(change, path):
    # In a process of its own, which the system would kill.
    folder = os.path.dirname(__file__)
    command = [sys.executable, "-c", SURVIVE, folder, str(path), change.__name__]
    done = warm.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


USES = {
    "predict": lambda model: model.predict(["oil"]),
    "predict_proba": lambda model: model.predict_proba(["oil"]),
    "top_k": lambda model: model.top_k(["oil"], 1),
    "explain": lambda model: model.explain("oil"),
    "inspect": lambda model: model.inspect(),
    "teach": lambda model: model.teach(["sun"], ["sun"]),
    "forget": lambda model: model.forget(TEXTS[:1], LABELS[:1]),
    "merge": lambda model: TextClassifier("complement").fit(TEXTS, LABELS).merge(model),
    "compact": lambda model: model.compact(),
    "leave_one_out": lambda model: model.leave_one_out(),
    "pickle": pickle.dumps,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("use", USES)
def test_a_change_of_a_mapped_file_is_noticed_before_it_is_used(use, change, path):
    model = TextClassifier.load(path, mmap=True, verify=False)
    twin = copy.copy(model)
    change(path)
    for each in (model, twin):
        with pytest.raises(ModelChangedError, match="mmap=True"):
            USES[use](each)
    with pytest.raises(ModelChangedError):
        model.save(path.with_name("again.tb"))
    assert not path.with_name("again.tb").exists()


@pytest.mark.parametrize("change", CHANGES)
def test_other_models_notice_it_too(change, tmp_path):
    path = tmp_path / "live.tb"
    counts = TextCounter().fit_transform(TEXTS)
    pipeline = make_pipeline(TextCounter(), FrequencyTransform(), TermSelector("chi2", k=9), ComplementNB())
    cases = [
        (pipeline.fit(TEXTS, LABELS), lambda model: [model.predict], TEXTS),
        (FrequencyTransform().fit(counts), lambda model: [model.transform], counts),
        (TermSelector("chi2", k=9).fit(counts, LABELS), lambda model: [model.transform], counts),
        (ComplementNB().fit(counts, LABELS), lambda model: [model.predict, model.predict_proba], counts),
        (TextCounter().fit(TEXTS), lambda model: [model.transform], TEXTS),
        (
            TextClassifier("complement").fit(TEXTS, LABELS).compact(size="1MB"),
            lambda model: [
                model.predict,
                model.predict_proba,
                lambda texts: model.explain(texts[0]),
                lambda _: pickle.dumps(model),
            ],
            TEXTS,
        ),
    ]
    for model, methods, inputs in cases:
        textbayes.save(model, path)
        mapped = textbayes.load(path, mmap=True)
        change(path)
        for method in methods(mapped):
            with pytest.raises(ModelChangedError):
                method(inputs)
        path.unlink()
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    answerer = load_answerer(path, mmap=True)
    change(path)
    with pytest.raises(ModelChangedError):
        answerer.predict(TEXTS)


def test_a_mapped_file_may_be_replaced_renamed_deleted_and_touched_by_name(path):
    expected = TextClassifier.load(path).predict_proba(TEXTS)
    model = TextClassifier.load(path, mmap=True, verify=False)
    path.chmod(0o644)
    os.rename(path, path.with_name("moved.tb"))
    shutil.copyfile(path.with_name("moved.tb"), path)
    TextClassifier("complement").fit(TEXTS[::2], LABELS[1::2]).save(path.with_name("moved.tb"))
    os.unlink(path.with_name("moved.tb"))
    assert (model.predict_proba(TEXTS) == expected).all()
    model.teach(["sun"], ["sun"]).save(path)


def test_a_pickle_of_a_mapped_model_is_a_copy(path):
    model = TextClassifier.load(path, mmap=True)
    data = pickle.dumps(model)
    expected = model.predict_proba(TEXTS)
    cut(path)
    assert (pickle.loads(data).predict_proba(TEXTS) == expected).all()


def test_no_descriptor_is_left_open(path):
    def descriptors():
        return len(os.listdir("/proc/self/fd"))

    TextClassifier.load(path, mmap=True)
    before = descriptors()
    for mmap in (False, True):
        for _ in range(5):
            TextClassifier.load(path, mmap=mmap).predict(TEXTS)
            read_model(path, mmap=mmap)
    assert descriptors() == before


# What is not a file of bytes.

REFUSED = """
import os, socket, stat, sys
from textbayes import TextClassifier
from textbayes.answering import load_answerer
from textbayes.errors import ModelForeignError
os.chdir(sys.argv[1])
os.mkfifo("fifo")
made = socket.socket(socket.AF_UNIX); made.bind("socket")
os.symlink("fifo", "link")
for name, what in [("fifo", "a FIFO"), ("socket", "a socket"), ("link", "a FIFO"), ("/dev/zero", "a device"),
                   (".", "a folder"), ("/dev/null", "a device")]:
    for load in (TextClassifier.load, load_answerer):
        try:
            load(name)
        except ModelForeignError as error:
            assert f"it is {what}" in str(error), error
        else:
            raise SystemExit(f"{name} was loaded")
"""


def test_a_fifo_a_device_and_a_socket_are_refused_at_once(tmp_path):
    command = [sys.executable, "-c", REFUSED, str(tmp_path)]
    done = warm.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_path_becomes_a_fifo_after_the_first_look(tmp_path, monkeypatch):
    path = tmp_path / "model.tb"
    os.mkfifo(path)
    regular = os.stat(__file__)
    monkeypatch.setattr("textbayes.persistence.target.os.stat", lambda *_, **__: regular)
    with pytest.raises(ModelForeignError, match="it is a FIFO"):
        read_model(path)


def test_a_file_that_does_not_fit_into_memory(tmp_path, path):
    import json

    huge, size = tmp_path / "huge.tb", 1 << 43
    header = {
        "__metadata__": {"format": "1", "package": "textbayes 0", "configuration": "{}", "digest": "0" * 16}
    }
    header["x"] = {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    huge.write_bytes(len(text).to_bytes(8, "little") + text)
    try:
        os.truncate(huge, 8 + len(text) + size)
    except OSError:
        pytest.skip("the file system has no files of this size")
    with pytest.raises(FileReadError, match=r"8,796\.1 GB do not fit into memory; mmap=True"):
        read_model(huge)


def test_a_file_that_grows_or_shrinks_while_it_is_read(path, monkeypatch):
    from textbayes.errors import ModelDamagedError
    from textbayes.persistence import load

    real = load._copied

    def changed(file, size, start, name):
        os.truncate(path, size - 8)
        return real(file, size, start, name)

    monkeypatch.setattr(load, "_copied", changed)
    with pytest.raises(ModelDamagedError, match="it changed while it was read"):
        read_model(path)
