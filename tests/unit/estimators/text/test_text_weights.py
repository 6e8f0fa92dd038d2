"""Texts with weights: weight 2 is two texts, weight 0 none, and what was taught can be forgotten."""

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB as PeerNB
from sklearn.neighbors import KNeighborsClassifier

from textbayes import FrequencyTransform, MultinomialNB, TextClassifier, TextCounter
from textbayes.errors import (
    DocumentsNotKeptError,
    ModelDamagedError,
    NotLearnedError,
    ParameterConflictError,
    ShapeError,
)
from textbayes.estimators.models.variants import NAMED
from textbayes.statistics import Documents

TEXTS = [
    "wheat corn 밀",
    "corn rose",
    "crude oil oil",
    "oil 🌾 fell",
    "gold قمح",
    "gold gold mine",
    "wheat oil",
]
LABELS = ["grain", "grain", "oil", "oil", "금", "금", "grain"]
TIMES = [1, 3, 2, 0, 1, 2, 0]
REAL = np.array([0.1, 0.7, 2.3, 1.0, 0.3, 5.0, 1e-3])
PROBE = ["corn oil", "gold 밀", "fell 🌾 mine", "", "rose wheat wheat unknown"]
# EM deals repeated documents to components one by one, a weighted one as a whole.
LINEAR = [name for name in NAMED if name != "mixture"]
# Visits go on until documents agree to a tolerance.
CLOSE = {"linear-svm": 0.01}


def repeated(labels):
    texts = [text for text, times in zip(TEXTS, TIMES, strict=True) for _ in range(times)]
    return texts, [label for label, times in zip(labels, TIMES, strict=True) for _ in range(times)]


@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
@pytest.mark.parametrize("recipe", LINEAR)
def test_a_weight_is_a_number_of_texts(recipe, several):
    labels = [[label, "x"] if at % 3 == 0 else [label] for at, label in enumerate(LABELS)]
    labels = labels if several else LABELS
    # A calibration leaves a document of weight 2 out as a whole, unlike two documents.
    weighted = TextClassifier(recipe, calibrate=False).fit(TEXTS, labels, TIMES)
    whole = TextClassifier(recipe, calibrate=False).fit(*repeated(labels))
    assert weighted.classes_.tolist() == whole.classes_.tolist()
    assert (
        weighted.counter_.get_feature_names_out().tolist() == whole.counter_.get_feature_names_out().tolist()
    )
    assert weighted.class_documents_ == pytest.approx(whole.class_documents_)
    assert weighted.predict_proba(PROBE) == pytest.approx(
        whole.predict_proba(PROBE), rel=1e-9, abs=CLOSE.get(recipe, 1e-12)
    )


def test_weights_of_one_are_none(tmp_path):
    TextClassifier("twcnb").fit(TEXTS, LABELS, np.ones(7)).save(tmp_path / "ones.tb")
    TextClassifier("twcnb").fit(TEXTS, LABELS).save(tmp_path / "none.tb")
    assert (tmp_path / "ones.tb").read_bytes() == (tmp_path / "none.tb").read_bytes()


@pytest.mark.parametrize("counter", [None, TextCounter(dimensions=32), TextCounter(min_df=2)], ids=repr)
@pytest.mark.parametrize("recipe", ["multinomial", "complement", "twcnb", "poisson", "normalised"])
def test_teaching_and_forgetting_leave_no_trace(recipe, counter, tmp_path):
    new = ["silver mine corn", "wheat rose", "oil fell"], ["은", "grain", "oil"], [2.5, 0.0, 0.1]
    taught = TextClassifier(recipe, counter).fit(TEXTS[:4], LABELS[:4], REAL[:4])
    taught.predict(PROBE)
    taught.teach(TEXTS[4:], LABELS[4:], REAL[4:]).teach(*new)
    taught.predict(PROBE)
    taught.forget(*new).forget(TEXTS[1:2], LABELS[1:2], REAL[1:2])
    left = np.delete(np.arange(7), 1)
    fresh = TextClassifier(recipe, counter)
    fresh.fit([TEXTS[at] for at in left], [LABELS[at] for at in left], REAL[left])
    assert taught.classes_.tolist() == fresh.classes_.tolist()
    assert taught.predict_proba(PROBE) == pytest.approx(fresh.predict_proba(PROBE), rel=1e-12, abs=1e-15)
    taught.save(tmp_path / "taught.tb")
    loaded = TextClassifier.load(tmp_path / "taught.tb")
    assert loaded.predict_proba(PROBE).tobytes() == taught.predict_proba(PROBE).tobytes()
    loaded.forget(TEXTS[5:6], LABELS[5:6], REAL[5:6])
    again = np.delete(np.arange(7), [1, 5])
    fresh.fit([TEXTS[at] for at in again], [LABELS[at] for at in again], REAL[again])
    assert loaded.predict_proba(PROBE) == pytest.approx(fresh.predict_proba(PROBE), rel=1e-12, abs=1e-15)


def test_a_text_is_forgotten_with_its_weight():
    classifier = TextClassifier("complement").fit(
        ["wheat", "wheat", "oil"], ["grain", "grain", "oil"], [1.0, 2.0, 3.0]
    )
    with pytest.raises(NotLearnedError, match=r"texts\[0\] with the label 'oil' was never"):
        classifier.forget(["oil"], ["oil"])
    with pytest.raises(NotLearnedError, match=r"texts\[2\] with the label 'oil' and the weight 2 was"):
        classifier.forget(["none", "wheat", "oil"], ["x", "grain", "oil"], [0, 2, 2])
    assert classifier.class_documents_.tolist() == [3.0, 3.0]
    classifier.forget(["none", "wheat"], ["x", "grain"], [0, 2])
    assert classifier.class_documents_.tolist() == [1.0, 3.0]


@pytest.mark.parametrize("recipe", ["multinomial", "twcnb"])
def test_without_documents(recipe):
    kept, small = (
        TextClassifier(recipe, keep_documents=keeps).fit(TEXTS, LABELS, REAL) for keeps in (True, False)
    )
    # Kept documents are added in an order of their contents, others as they come.
    assert small.predict_proba(PROBE) == pytest.approx(kept.predict_proba(PROBE), rel=1e-12)
    small.teach(["wheat oil 밀"], ["oil"], [0.4]).forget(["wheat oil 밀"], ["oil"], [0.4])
    assert small.predict_proba(PROBE) == pytest.approx(kept.predict_proba(PROBE), rel=1e-12)
    with pytest.raises(NotLearnedError):
        small.forget(TEXTS[:1], LABELS[:1], [100.0])
    mixture = TextClassifier("mixture", keep_documents=False).fit(TEXTS, LABELS, REAL)
    with pytest.raises(DocumentsNotKeptError):
        mixture.teach(TEXTS[:1], LABELS[:1], [2.0])


def test_merged_weights_stay():
    one = TextClassifier("twcnb").fit(TEXTS[:4], LABELS[:4], REAL[:4])
    two = TextClassifier("twcnb").fit(TEXTS[4:], LABELS[4:], REAL[4:])
    whole = TextClassifier("twcnb").fit(TEXTS, LABELS, REAL)
    assert one.merge(two).predict_proba(PROBE) == pytest.approx(whole.predict_proba(PROBE), rel=1e-12)


def test_leaving_out_takes_a_text_with_its_weight():
    classifier = TextClassifier("multinomial").fit(TEXTS, LABELS, REAL)
    X = classifier.counter_.transform(TEXTS)
    right = 0
    for at in range(7):
        others = np.delete(np.arange(7), at)
        rest = MultinomialNB().fit(X[others], np.array(LABELS)[others], REAL[others])
        right += rest.predict(X[at : at + 1])[0] == LABELS[at]
    assert classifier.inspect().leave_one_out.accuracy == pytest.approx(right / 7)
    mixture = TextClassifier("mixture").fit(TEXTS, LABELS, REAL).inspect()
    assert mixture.documents == pytest.approx(REAL.sum())
    assert mixture.leave_one_out.documents == 7


def test_other_models_and_wrong_weights():
    peer = TextClassifier(PeerNB()).fit(TEXTS, LABELS, TIMES)
    assert peer.predict_proba(PROBE) == pytest.approx(
        TextClassifier(PeerNB()).fit(*repeated(LABELS)).predict_proba(PROBE)
    )
    with pytest.raises(ParameterConflictError, match="KNeighborsClassifier"):
        TextClassifier(KNeighborsClassifier(1)).fit(TEXTS, LABELS, TIMES)
    classifier = TextClassifier("complement").fit(TEXTS, LABELS)
    before = classifier.predict_proba(PROBE).tobytes()
    for wrong in ([1] * 6, [-1] * 7, [np.nan] * 7, ["a"] * 7):
        with pytest.raises(ValueError, match=r"weight|NaN|could not convert"):
            classifier.teach(TEXTS, LABELS, wrong)
    with pytest.raises(ShapeError, match=r"texts has .* items, and labels has"):
        classifier.teach(TEXTS, LABELS[1:], [1] * 6)
    assert classifier.predict_proba(PROBE).tobytes() == before


def test_score():
    classifier = TextClassifier("complement").fit(TEXTS[:6], LABELS[:6])
    right = classifier.predict(TEXTS) == np.array(LABELS)
    assert classifier.score(TEXTS, LABELS, REAL) == pytest.approx(np.average(right, weights=REAL))


@pytest.mark.parametrize("length", ["unit", "mean", None])
def test_document_frequencies_with_weights(length):
    X = TextCounter().fit_transform(TEXTS)
    weighted = FrequencyTransform(length=length).fit(X, sample_weight=TIMES)
    whole = FrequencyTransform(length=length).fit(X[np.repeat(np.arange(7), TIMES)])
    assert weighted.idf_ == pytest.approx(whole.idf_)
    assert weighted.length_ == pytest.approx(whole.length_)


def test_a_term_of_all_documents_is_in_as_many_as_there_are():
    weights = np.random.default_rng(0).random(1000)
    found = FrequencyTransform().fit(np.tile([[1, 0], [1, 1]], (500, 1)), sample_weight=weights)
    assert found.idf_[0] == 0.0
    assert found.idf_[1] == pytest.approx(np.log(weights.sum() / weights[1::2].sum()))


@pytest.mark.parametrize("weight", [0.0, -1.0, np.inf, np.nan])
def test_a_file_with_impossible_weights_is_refused(weight):
    classifier = TextClassifier("complement").fit(TEXTS, LABELS, REAL)
    stored = classifier._learned.documents.store()
    stored.arrays["weights"] = np.where(np.arange(7) == 3, weight, 1.0)
    documents = Documents.restore(stored, 100)
    with pytest.raises(ModelDamagedError):
        documents.labelled()
