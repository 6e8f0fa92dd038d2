"""Sums of a model file that are not those of its documents are refused, by verify and before saving."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import textbayes
from textbayes import TextClassifier, TextCounter
from textbayes.errors import ModelDamagedError, TextbayesError
from textbayes.estimators.text.model_names import MODEL_NAMES
from textbayes.persistence import Stored, read_model, write_model

sys.path.insert(0, str(Path(__file__).parents[2] / "persistence"))
from model_files import models

TEXTS = ["wheat rose", "corn and wheat fell", "crude oil rose", "oil oil fell", "gas oil", "gold mine"] * 3
LABELS = ["grain", "grain", "oil", "oil", "oil", "gold"] * 3
WEIGHTS = np.linspace(0.1, 3.0, len(TEXTS))
# More than functions of sums.
UNCOMPARED = {"mixture"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.tb"


def forge(path, name, change):
    """Change an array of a file, with valid digests."""
    stored = read_model(path)
    arrays = {key: np.array(array) for key, array in stored.arrays.items()}
    change(arrays[name])
    write_model(Stored(stored.configuration, arrays), path)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
@pytest.mark.parametrize("lists", [False, True], ids=["labels", "lists"])
@pytest.mark.parametrize("name", [name for name in MODEL_NAMES if name != "auto"])
def test_sound_files_are_accepted_after_any_change(name, lists, weights, path):
    labels = [[label] for label in LABELS] if lists else LABELS
    TextClassifier(name).fit(TEXTS, labels, weights).save(path)
    assert textbayes.verify(path).sums_compared == (name not in UNCOMPARED)
    classifier = TextClassifier.load(path).teach(["solar wheat"], [["sun"]] if lists else ["sun"])
    classifier.forget(TEXTS[:2], labels[:2], None if weights is None else weights[:2]).save(path)
    found = textbayes.verify(path)
    assert found.documents == len(TEXTS) - 1
    assert found.sums_compared == (name not in UNCOMPARED)


@pytest.mark.parametrize("updates", ["exact", "any"])
def test_a_searched_model(updates, path):
    classifier = TextClassifier().set_params(model__updates=updates)
    classifier.fit(TEXTS, LABELS).save(path)
    assert textbayes.verify(path).sums_compared == (classifier.model_.updates_ == "exact")
    TextClassifier.load(path).teach(["solar wheat"], ["sun"]).forget(TEXTS[:2], LABELS[:2]).save(path)
    assert textbayes.verify(path).documents == len(TEXTS) - 1


@pytest.mark.parametrize(
    "counter", [TextCounter(min_df=2), TextCounter(dimensions=64), TextCounter(characters=(2, 3))], ids=repr
)
def test_other_counters(counter, path):
    TextClassifier("complement", counter).fit(TEXTS, LABELS).save(path)
    TextClassifier.load(path).teach(["solar wheat"], ["grain"]).save(path)
    assert textbayes.verify(path).sums_compared


def test_every_kind_of_file_is_verified(path):
    for model, _ in models().values():
        textbayes.save(model, path)
        found = textbayes.verify(path)
        assert (found.kind, found.bytes) == (type(model).__name__, path.stat().st_size)


def test_files_of_older_formats_are_verified():
    files = sorted((Path(__file__).parents[2] / "persistence" / "data").glob("*.tb"))
    assert len(files) > 10
    assert sum(textbayes.verify(file).sums_compared for file in files) > 4


def add_one(array):
    array[0] += 1


@pytest.mark.parametrize("model", ["complement", "multinomial", "twcnb", "poisson", "centroid"])
def test_verify_finds_forged_sums(model, path):
    TextClassifier(model).fit(TEXTS, LABELS).save(path)
    before = path.read_bytes()
    sums = [name for name in read_model(path).arrays if name.startswith("model/statistics/")]
    sums = [name for name in sums if name.rpartition("/")[2].endswith(("_values", "_documents"))]
    assert len(sums) > 3
    for name in sums:
        path.write_bytes(before)
        forge(path, name, add_one)
        with pytest.raises(ModelDamagedError):
            textbayes.verify(path)


def test_verify_finds_forged_documents(path):
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)

    def change(array):
        array[:] = array[::-1].copy()

    for name in ("documents/label_numbers", "documents/entries"):
        before = path.read_bytes()
        forge(path, name, change)
        with pytest.raises(ModelDamagedError):
            textbayes.verify(path)
        path.write_bytes(before)


def test_verify_finds_a_forged_blend(path):
    classifier = TextClassifier().set_params(model__updates="exact").fit(TEXTS, LABELS)
    classifier.save(path)

    def change(array):
        array[len(array) // 2] ^= 1

    forge(path, "model/blend/weights/cells", change)
    with pytest.raises(TextbayesError):
        textbayes.verify(path)


@pytest.mark.parametrize("name", ["class_documents", "term_documents"])
@pytest.mark.parametrize(
    "change",
    [
        lambda one: one,
        lambda one: one.teach(["solar wheat"], ["sun"]),
        lambda one: one.forget(TEXTS[1:2], LABELS[1:2]),
        lambda one: one.relabel(TEXTS[1:2], LABELS[1:2], ["oil"]),
        lambda one: one.merge(TextClassifier("complement").fit(TEXTS, LABELS)),
        lambda one: TextClassifier("complement").fit(TEXTS, LABELS).merge(one),
        lambda one: pickle.loads(pickle.dumps(one)).teach(["solar wheat"], ["sun"]),
    ],
    ids=["save", "teach", "forget", "relabel", "merge", "merge into", "pickle"],
)
def test_a_loaded_model_with_other_sums_is_not_saved(change, name, path):
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    if name == "class_documents":
        # The documents are changed, so that the sums stay sound in themselves.
        forge(path, "documents/label_numbers", lambda array: array.__setitem__(0, (array[0] + 1) % 3))
    else:
        forge(path, "documents/entries", lambda array: array.__setitem__(0, array[0] ^ 2))
    before = path.read_bytes()
    with pytest.raises(ModelDamagedError):
        change(TextClassifier.load(path)).save(path)
    assert path.read_bytes() == before


def test_a_model_without_documents(path):
    TextClassifier("complement", keep_documents=False).fit(TEXTS, LABELS).save(path)
    TextClassifier.load(path).teach(["solar wheat"], ["sun"]).save(path)
    found = textbayes.verify(path)
    assert (found.documents, found.sums_compared) == (None, False)


def test_a_model_that_is_not_fitted(path):
    TextClassifier("complement").save(path)
    TextClassifier.load(path).save(path)
    assert textbayes.verify(path).documents is None


def test_nothing_is_changed(path):
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    before = path.read_bytes()
    textbayes.verify(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
