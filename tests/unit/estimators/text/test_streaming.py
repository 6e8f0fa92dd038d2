"""Texts in batches: the model equals one that was fitted on all texts at once, to the bit."""

import os
import pickle

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB as ForeignNB

from textbayes import FrequencyTransform, LinearSVM, TermSelector, TextClassifier, TextCounter
from textbayes.errors import (
    DocumentsNotKeptError,
    LabelsError,
    NoDocumentsError,
    NoTermsLeftError,
    ParameterError,
    ShapeError,
    TextsError,
    UnfittedError,
)
from textbayes.estimators.models.variants import NAMED
from textbayes.statistics import document_entries, labelled_rows

SUMS = [name for name in NAMED if name not in ("mixture", "linear-svm")]
COUNTERS = {
    "vocabulary": None,
    "hashed": TextCounter(dimensions=64),
    "cuts": TextCounter(tokens="unicode", min_df=3, max_features=40),
    "pairs": TextCounter(ngram_range=(1, 2)),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(document_entries, "PART", 200)
    monkeypatch.setattr(labelled_rows, "_BLOCK", 200)


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(3)
    words = np.array([f"{'밀weqz'[place % 5]}{place}" for place in range(300)])
    # Later texts have words that sort before those of earlier ones.
    sizes = rng.integers(0, 30, size=120)
    return [" ".join(words[(299 * rng.random(size) ** 3).astype(int)]) for size in sizes]


@pytest.fixture(scope="module")
def labels(texts):
    rng = np.random.default_rng(4)
    return {
        "one label": rng.choice(["zeta", "alpha", "밀", "b"], size=len(texts)).tolist(),
        "lists": [rng.permutation([30, 7, 12])[:size].tolist() for size in rng.integers(0, 3, len(texts))],
    }


def batches(texts, labels, size=17):
    return [(texts[at : at + size], labels[at : at + size]) for at in range(0, len(texts), size)]


def saved(classifier, path):
    classifier.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("keep", [True, False], ids=["documents", "no documents"])
@pytest.mark.parametrize("kind", ["one label", "lists"])
@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("model", SUMS)
def test_every_recipe(model, counter, kind, keep, texts, labels, tmp_path):
    one, other = (TextClassifier(model, COUNTERS[counter], keep_documents=keep) for _ in range(2))
    one.fit(texts, labels[kind])
    other.fit_batches(batches(texts, labels[kind]))
    assert saved(one, tmp_path / "m.tb") == saved(other, tmp_path / "m.tb")
    assert np.array_equal(one.predict_proba(texts), other.predict_proba(texts))
    assert one.documents_ == other.documents_ == len(texts)


@pytest.mark.parametrize("keep", [True, False], ids=["documents", "no documents"])
@pytest.mark.parametrize(
    "parts",
    [
        {"model": "mixture"},
        {"model": "linear-svm"},
        {"model": LinearSVM(random_state=0), "transform": TermSelector(k=30)},
        {"model": "complement", "transform": TermSelector(k=30)},
        {"model": "complement", "transform": FrequencyTransform(idf=False)},
        {"model": "complement", "transform": FrequencyTransform(idf=False, length="mean")},
        {"model": "complement", "transform": FrequencyTransform(length=None)},
        {"model": ForeignNB()},
    ],
    ids=repr,
)
def test_other_models_and_transforms(parts, keep, texts, labels):
    one, other = (TextClassifier(**parts, keep_documents=keep) for _ in range(2))
    one.fit(texts, labels["one label"])
    other.fit_batches(batches(texts, labels["one label"]))
    assert np.array_equal(one.predict_proba(texts), other.predict_proba(texts))
    assert one.classes_.tolist() == other.classes_.tolist()


@pytest.mark.parametrize("size", [1, 200])
def test_batches_of_any_size(size, texts, labels, tmp_path):
    for keep in (True, False):
        one, other = (TextClassifier("poisson", keep_documents=keep) for _ in range(2))
        one.fit(texts, labels["one label"])
        # The first batches have no terms, and one has no texts.
        other.fit_batches([([], []), *batches(texts, labels["one label"], size)])
        assert saved(one, tmp_path / "m.tb") == saved(other, tmp_path / "m.tb")


def test_an_iterator_is_enough_unless_texts_are_read_again(texts, labels):
    given = batches(texts, labels["one label"])
    for model, keep in (("complement", False), ("twcnb", True)):
        classifier = TextClassifier(model, keep_documents=keep)
        assert not classifier.reads_texts_again
        assert classifier.fit_batches(iter(given)).documents_ == len(texts)
    classifier = TextClassifier("twcnb", keep_documents=False)
    assert classifier.reads_texts_again
    with pytest.raises(ParameterError, match="an iterator is read once"):
        classifier.fit_batches(iter(given))
    assert not TextClassifier("linear-svm", keep_documents=False).reads_texts_again
    assert not TextClassifier(keep_documents=False).reads_texts_again


def test_texts_that_change_while_they_are_read_again(texts, labels):
    class Shrinking:
        left = 6

        def __iter__(self):
            self.left -= 1
            return iter(batches(texts, labels["one label"])[: self.left])

    with pytest.raises(ParameterError, match=r"85 texts when they were read first, and 68 when"):
        TextClassifier("twcnb", keep_documents=False).fit_batches(Shrinking())


def test_only_one_batch_of_texts_is_in_memory(texts, labels):
    alive = 0

    class Text(str):
        def __new__(cls, text):
            nonlocal alive
            alive += 1
            return super().__new__(cls, text)

        def __del__(self):
            nonlocal alive
            alive -= 1

    most = 0

    def read():
        nonlocal most
        for some, own in batches(texts, labels["one label"], 10):
            yield [Text(text) for text in some], own
            most = max(most, alive)

    for keep in (True, False):
        TextClassifier("complement", keep_documents=keep).fit_batches(read())
        assert most <= 20


@pytest.mark.parametrize("model", ["complement", "twcnb", "poisson"])
def test_the_classifier_learns_on_as_after_fit(model, texts, labels, tmp_path):
    one, other = TextClassifier(model), TextClassifier(model)
    one.fit(texts[:100], labels["one label"][:100])
    other.fit_batches(batches(texts[:100], labels["one label"][:100]), tmp_path)
    other = pickle.loads(pickle.dumps(other))
    for classifier in (one, other):
        classifier.teach([*texts[100:], "новое слово"], [*labels["one label"][100:], "new"])
        classifier.forget(texts[:10], labels["one label"][:10])
    assert saved(one, tmp_path / "m.tb") == saved(other, tmp_path / "m.tb")


def test_documents_go_to_a_temporary_file_that_has_no_name(texts, labels, tmp_path, monkeypatch):
    monkeypatch.setattr("textbayes.persistence.temporary.TemporaryBytes.__init__.__defaults__", (None, 100))
    folder, seen = tmp_path / "folder", []
    folder.mkdir()

    def read():
        for batch in batches(texts, labels["one label"]):
            seen.append(os.listdir(folder))
            yield batch

    classifier = TextClassifier("twcnb").fit_batches(read(), folder)
    assert seen == [[]] * len(seen)
    expected = TextClassifier("twcnb").fit(texts, labels["one label"])
    assert saved(expected, tmp_path / "m.tb") == saved(classifier, tmp_path / "m.tb")
    assert os.listdir(folder) == []


# Errors: nothing changes.


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("model", ["complement", "linear-svm"])
def test_invalid_batches(model, keep):
    classifier = TextClassifier(model, keep_documents=keep).fit(["a bb", "cc"], ["x", "y"])
    good = (["wheat corn", "oil"], ["x", "y"])
    for bad, error in (
        ([good, (["oil"], ["x", "y"])], ShapeError),
        ([good, (["oil"], [["x", "y"]])], LabelsError),
        ([good, (["oil"], [3])], LabelsError),
        ([good, ([7], ["x"])], TextsError),
        ([good, "oil"], ParameterError),
        ([good, (["oil"], None)], ValueError),
        ([], NoDocumentsError),
        ([([], [])], NoDocumentsError),
        ([(["!", ""], ["x", "y"])], NoTermsLeftError),
    ):
        with pytest.raises(error):
            classifier.fit_batches(bad)
        assert classifier.predict(["bb"]).tolist() == ["x"]


def test_cuts_that_drop_everything(texts, labels):
    for keep in (True, False):
        classifier = TextClassifier("complement", TextCounter(min_count=1000), keep_documents=keep)
        with pytest.raises(NoTermsLeftError):
            classifier.fit_batches(batches(texts, labels["one label"]))


def test_an_invalid_parameter_of_the_model(texts, labels):
    classifier = TextClassifier("complement").set_params(model__alpha=-1)
    with pytest.raises(ParameterError, match="alpha"):
        classifier.fit_batches(batches(texts, labels["one label"]))


# Leaving one out.


@pytest.mark.parametrize(
    ("times", "kind"),
    [
        (1, "one label"),
        (1, "lists"),
        *(pytest.param(6, kind, marks=pytest.mark.slow) for kind in ("one label", "lists")),
    ],
)
@pytest.mark.parametrize("model", [*SUMS, "linear-svm"])
def test_leave_one_out_in_blocks(model, times, kind, texts, labels):
    _check_blocks(model, texts * times, labels[kind] * times)


@pytest.mark.parametrize("model", ["complement", "poisson", "linear-svm"])
def test_leave_one_out_in_several_blocks(model, texts, labels):
    _check_blocks(model, texts * 6, labels["one label"] * 6)


def _check_blocks(model, many, own):
    whole = TextClassifier(model, COUNTERS["cuts"]).fit(many, own)
    found = TextClassifier(model, COUNTERS["cuts"]).fit_batches(batches(many, own))
    assert found.leave_one_out() == whole.inspect().leave_one_out == whole.leave_one_out()


def test_leave_one_out_needs_documents_and_classes():
    classifier = TextClassifier("complement", keep_documents=False).fit(["a bb", "cc"], ["x", "y"])
    with pytest.raises(DocumentsNotKeptError):
        classifier.leave_one_out()
    with pytest.raises(UnfittedError):
        TextClassifier("complement").leave_one_out()
    texts = ["aa bb", "cc"] * 300
    assert TextClassifier("complement").fit(texts, ["x"] * 600).leave_one_out() is None
