"""Relabelling: teach and forget in one step, or nothing at all; and partial_fit for streams."""

import numpy as np
import pytest

from textbayes import CompactClassifier, TextClassifier, TextCounter
from textbayes.errors import (
    CompactModelError,
    LabelsError,
    NotLearnedError,
    ShapeError,
    TextsError,
    UnfittedError,
)

TEXTS = ["wheat corn", "corn rice", "corn crop", "crude oil", "oil gas", "oil well", "gold mine", "mine ore"]
LABELS = ["grain", "oil", "grain", "oil", "oil", "oil", "gold", "gold"]
RIGHT = ["grain", "grain", "grain", "oil", "oil", "oil", "gold", "gold"]
ASKED = [*TEXTS, "", "corn oil", "zzz"]
MODELS = ["auto", "complement", "twcnb", "mixture", "linear-svm", "multinomial"]


def same(one, other):
    np.testing.assert_array_equal(one.classes_, other.classes_)
    np.testing.assert_array_equal(one.class_documents_, other.class_documents_)
    np.testing.assert_allclose(one.predict_proba(ASKED), other.predict_proba(ASKED), rtol=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_as_if_fitted_with_the_right_labels(model):
    if model == "auto":
        # The recipe is that of the first fit.
        expected = TextClassifier().fit(TEXTS, LABELS).teach(["corn rice"], ["grain"])
        expected.forget(["corn rice"], ["oil"])
    else:
        order = [0, 2, 3, 4, 5, 6, 7, 1]  # linear-svm depends on it
        expected = TextClassifier(model).fit([TEXTS[at] for at in order], [RIGHT[at] for at in order])
    same(TextClassifier(model).fit(TEXTS, LABELS).relabel(["corn rice"], ["oil"], ["grain"]), expected)


@pytest.mark.parametrize("keep", [True, False])
def test_several_and_new_classes(keep):
    classifier = TextClassifier("complement", keep_documents=keep).fit(TEXTS, RIGHT)
    changed = classifier.relabel(TEXTS[-2:], ["gold", "gold"], ["metal", "metal"])
    assert changed is classifier
    assert classifier.classes_[classifier.class_documents_ > 0].tolist() == ["grain", "metal", "oil"]
    assert classifier.predict(["gold mine"]).tolist() == ["metal"]
    # All documents of the model, from an iterator.
    classifier.relabel(iter(TEXTS), [*RIGHT[:6], "metal", "metal"], RIGHT)
    assert classifier.predict(TEXTS).tolist() == RIGHT


def test_lists_and_weights():
    lists = [[label] for label in LABELS]
    classifier = TextClassifier("multinomial").fit(TEXTS, lists, np.arange(1, 9))
    classifier.relabel(["corn rice"], [["oil"]], [["grain", "oil"]], sample_weight=[2])
    lists[1] = ["grain", "oil"]
    same(classifier, TextClassifier("multinomial").fit(TEXTS, lists, np.arange(1, 9)))


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    ("texts", "labels", "new", "error"),
    [
        (["gold wheat"], ["oil"], ["grain"], NotLearnedError),
        (["corn rice", "gold mine"], ["oil", "oil"], ["grain", "grain"], NotLearnedError),
        (["corn rice"], ["oil"], [["grain"]], LabelsError),
        (["corn rice"], ["oil"], ["grain", "grain"], ShapeError),
        (["corn rice"], ["oil", "oil"], ["grain"], ShapeError),
        ("corn rice", ["oil"], ["grain"], TextsError),
    ],
)
def test_nothing_changes_after_an_error(tmp_path, keep, texts, labels, new, error):
    counter = TextCounter(tokens="unicode")
    classifier = TextClassifier("complement", counter, keep_documents=keep).fit(TEXTS, LABELS)
    classifier.save(tmp_path / "before.tb")
    with pytest.raises(error):
        classifier.relabel(texts, labels, new)
    classifier.save(tmp_path / "after.tb")
    assert (tmp_path / "after.tb").read_bytes() == (tmp_path / "before.tb").read_bytes()


def test_what_cannot_relabel():
    with pytest.raises(UnfittedError):
        TextClassifier().relabel(TEXTS, LABELS, RIGHT)
    small = TextClassifier("complement").fit(TEXTS, RIGHT).compact()
    assert isinstance(small, CompactClassifier)
    with pytest.raises(CompactModelError):
        small.relabel(TEXTS, LABELS, RIGHT)


@pytest.mark.parametrize("model", MODELS)
def test_partial_fit_teaches(model):
    classifier = TextClassifier(model).partial_fit(TEXTS[:5], RIGHT[:5], classes=["grain", "oil", "gold"])
    classifier.partial_fit(TEXTS[5:], RIGHT[5:])
    same(classifier, TextClassifier(model).fit(TEXTS[:5], RIGHT[:5]).teach(TEXTS[5:], RIGHT[5:]))


def test_partial_fit_with_weights():
    weights = np.arange(8) / 2
    classifier = TextClassifier("complement").partial_fit(TEXTS, RIGHT, sample_weight=weights)
    same(classifier, TextClassifier("complement").fit(TEXTS, RIGHT, weights))
