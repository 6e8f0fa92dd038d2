"""A loaded model knows its file: saving over a file that another program has changed is refused."""

import copy
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import textbayes
import warm
from textbayes import CompactClassifier, ComplementNB, TextClassifier, TextCounter
from textbayes.errors import ModelChangedError, ModelLockedError
from textbayes.persistence import write_lock

TEXTS, LABELS = ["wheat corn", "corn harvest", "crude oil", "oil output"], ["grain", "grain", "oil", "oil"]


@pytest.fixture
def path(tmp_path):
    TextClassifier("complement").fit(TEXTS, LABELS).save(tmp_path / "model.tb")
    return tmp_path / "model.tb"


def teach_the_file(path, text="solar sun"):
    """What another program does."""
    TextClassifier.load(path).teach([text], ["sun"]).save(path)


def test_a_file_that_another_program_changed_is_not_replaced(path):
    classifier = TextClassifier.load(path).teach(["gold mine"], ["gold"])
    teach_the_file(path)
    before = path.read_bytes()
    with pytest.raises(ModelChangedError, match=r"model\.tb' changed since the model was loaded"):
        classifier.save(path)
    assert path.read_bytes() == before
    classifier.save(path.with_name("other.tb"))
    with pytest.raises(ModelChangedError):  # saving to another file does not count as loading this one again
        classifier.save(path)


def test_saving_twice_works(path):
    classifier = TextClassifier.load(path)
    for number in range(3):
        classifier.teach([f"gold {number}"], ["gold"]).save(path)
    teach_the_file(path)
    with pytest.raises(ModelChangedError):
        classifier.save(path)


def test_other_paths_to_the_same_file(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    link = path.with_name("link.tb")
    link.symlink_to("model.tb")
    for loaded in (path, link, Path("model.tb")):
        classifier = TextClassifier.load(loaded)
        teach_the_file(path, f"sun {loaded}")
        for saved in (path, link, "model.tb", "./model.tb"):
            with pytest.raises(ModelChangedError):
                classifier.save(saved)


def test_a_link_that_leads_to_another_file_now(path):
    link, newer = path.with_name("live.tb"), path.with_name("newer.tb")
    link.symlink_to("model.tb")
    classifier = TextClassifier.load(link)
    shutil.copy(path, newer)
    teach_the_file(newer)
    link.unlink()
    link.symlink_to("newer.tb")
    with pytest.raises(ModelChangedError):
        classifier.save(link)


def test_the_same_contents_are_no_change(path):
    classifier = TextClassifier.load(path)
    shutil.copy(path, path.with_name("copy.tb"))
    os.replace(path.with_name("copy.tb"), path)
    os.utime(path, (1, 1))
    classifier.save(path)


def test_a_file_that_is_gone_is_written_again(path):
    classifier = TextClassifier.load(path)
    path.unlink()
    classifier.save(path)
    classifier.save(path)


def test_a_fifo_in_place_of_the_file_does_not_hang(path):
    classifier = TextClassifier.load(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ModelChangedError):
        classifier.save(path)


def test_a_new_model_replaces_any_model(path):
    teach_the_file(path)
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_know_their_file_each_for_itself(twin, path):
    classifier = TextClassifier.load(path)
    other = twin(classifier)
    other.teach(["gold mine"], ["gold"]).save(path)
    other.save(path)
    with pytest.raises(ModelChangedError):
        classifier.save(path)


def test_a_clone_is_a_new_model(path):
    cloned = clone(TextClassifier.load(path))
    teach_the_file(path)
    cloned.fit(TEXTS, LABELS).save(path)


@pytest.mark.parametrize(
    "make",
    [
        lambda: TextCounter().fit(TEXTS),
        lambda: make_pipeline(TextCounter(), ComplementNB()).fit(TEXTS, LABELS),
        lambda: TextClassifier("complement").fit(TEXTS, LABELS).compact(size="1MB"),
    ],
    ids=["estimator", "pipeline", "compact"],
)
def test_every_kind_of_model(make, tmp_path):
    path = tmp_path / "model.tb"
    textbayes.save(make(), path)
    model = textbayes.load(path)
    textbayes.save(model, path)
    textbayes.save(TextCounter().fit(["other"]), path)
    with pytest.raises(ModelChangedError):
        textbayes.save(model, path)


def test_a_compact_model_that_was_loaded_by_its_class(tmp_path):
    path = tmp_path / "small.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).compact(size="1MB").save(path)
    small = CompactClassifier.load(path)
    small.save(path)
    assert pickle.loads(pickle.dumps(small)).predict(["oil"]).tolist() == ["oil"]
    textbayes.save(TextCounter().fit(["other"]), path)
    for save in (small.save, lambda path: textbayes.save(small, path)):
        with pytest.raises(ModelChangedError):
            save(path)


def test_saving_waits_for_the_lock(path, monkeypatch):
    monkeypatch.setattr("textbayes.persistence.save.write_lock", lambda path: write_lock(path, wait=0.1))
    hold = "import sys; from textbayes.persistence import write_lock\nwith write_lock(sys.argv[1]): input()"
    with subprocess.Popen([sys.executable, "-c", hold, str(path)], stdin=subprocess.PIPE) as holder:
        while not (path.parent / ".model.tb.lock").exists():
            assert holder.poll() is None
        classifier = TextClassifier.load(path)  # reading needs no lock
        with pytest.raises(ModelLockedError):
            classifier.save(path)
        holder.stdin.close()
        holder.wait()
    classifier.save(path)


TEACH = """
import sys
from textbayes import TextClassifier
from textbayes.persistence import write_lock
path, name, count, way = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
for number in range(count):
    text = f"{name} {number}"
    if way == "library":
        with write_lock(path, wait=60):
            TextClassifier.load(path).teach([text], ["new"]).save(path)
    elif way == "retry":  # without a lock, as often as needed
        from textbayes.errors import ModelChangedError
        while True:
            try:
                TextClassifier.load(path).teach([text], ["new"]).save(path)
                break
            except ModelChangedError:
                pass
    else:
        from textbayes.cli.updates import update_model
        from textbayes.cli.sources import source_of
        import json, pathlib
        file = pathlib.Path(path).parent / f"{name}-{number}.jsonl"
        file.write_text(json.dumps({"text": text, "label": "new"}))
        update_model(pathlib.Path(path), source_of([str(file)]), None, TextClassifier.teach, None, 60)
    print(text, flush=True)
"""


@pytest.mark.parametrize(
    "ways", [("library", "library"), ("command", "command"), ("library", "command", "retry")]
)
def test_no_acknowledged_change_is_lost(ways, path):
    count = 50 // len(ways)
    running = [
        warm.Popen(
            [sys.executable, "-c", TEACH, str(path), f"writer{number}", str(count), way],
            stdout=subprocess.PIPE,
            text=True,
        )
        for number, way in enumerate(ways)
    ]
    said = [process.communicate()[0].splitlines() for process in running]
    assert [process.returncode for process in running] == [0] * len(ways)
    acknowledged = [text for texts in said for text in texts]
    assert len(acknowledged) == count * len(ways)
    classifier = TextClassifier.load(path)
    assert classifier.documents_ == len(TEXTS) + len(acknowledged)
    classifier.forget(acknowledged, ["new"] * len(acknowledged))  # raises if one of them is not there
    assert classifier.documents_ == len(TEXTS)
    left = [name for name in os.listdir(path.parent) if not name.endswith(".jsonl")]
    assert left == ["model.tb"]
