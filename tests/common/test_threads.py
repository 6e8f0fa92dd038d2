"""Threads: a reader sees a model before or after a change, writers wait for each other."""

import copy
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from textbayes import (
    AutoNB,
    ComplementNB,
    MultinomialNB,
    PoissonNB,
    TextClassifier,
    TextCounter,
    TunedClassifier,
    load,
)
from textbayes.estimators.models.variants import NAMED

WORDS = [
    "wheat",
    "corn",
    "harvest",
    "밀",
    "oil",
    "crude",
    "gas",
    "قمح",
    "gold",
    "tin",
    "up",
    "down",
    "and",
    "🌾",
]
ROUNDS = 12
READERS = 3


@pytest.fixture(autouse=True)
def _many_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def corpus(seed=0, documents=40):
    random = np.random.default_rng(seed)
    labels = random.choice(["grain", "oil", "metal"], documents).tolist()
    start = {"grain": 0, "oil": 4, "metal": 8}
    texts = [" ".join(random.choice(WORDS[start[label] : start[label] + 7], 6)) for label in labels]
    return texts, labels


TEXTS, LABELS = corpus()
MORE, MORE_LABELS = ["barley corn 밀", "tin roof tin"], ["grain", "roof"]
PROBE = ["corn and barley", "oil gas gas", "tin roof", "unknown"]
SEARCHED = ["one-vs-all", "centroid"]
MODELS = {
    **{name: TextClassifier(name, calibrate=False) for name in NAMED if name != "mixture"},
    "calibrated": TextClassifier("complement"),
    "without documents": TextClassifier("multinomial", keep_documents=False),
    "hashed": TextClassifier("complement", TextCounter(dimensions=64)),
    "tuned": TextClassifier(TunedClassifier(ComplementNB())),
    "exact": TextClassifier(AutoNB(candidates=SEARCHED, updates="exact", random_state=0)),
    "any": TextClassifier(AutoNB(candidates=[*SEARCHED, "linear-svm"], updates="any", random_state=0)),
    "members": TextClassifier(AutoNB(candidates=["mixture"], blend=False, random_state=0)),
}


def is_close(one, other):
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-9, atol=0)


def collect(read, write):
    """Call ``read`` in several threads until ``write`` is done; return what they found, and their errors."""
    done, found, errors = threading.Event(), [], []
    started = threading.Barrier(READERS + 1)

    def keep_reading():
        started.wait()
        try:
            while not done.is_set():
                found.append(read())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=keep_reading) for _ in range(READERS)]
    for thread in threads:
        thread.start()
    started.wait()
    try:
        write()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    return found, errors


@pytest.mark.parametrize("name", MODELS)
def test_readers_see_the_model_before_or_after_a_change(name):
    classifier = copy.deepcopy(MODELS[name]).fit(TEXTS, LABELS)
    trial = copy.deepcopy(classifier)
    # Without documents, words that were forgotten still count as terms, so the third state is not the first.
    states = [
        trial.predict_proba(PROBE),
        trial.teach(MORE, MORE_LABELS).predict_proba(PROBE),
        trial.forget(MORE, MORE_LABELS).predict_proba(PROBE),
    ]

    def write():
        for _ in range(ROUNDS):
            classifier.teach(MORE, MORE_LABELS)
            classifier.forget(MORE, MORE_LABELS)

    found, errors = collect(lambda: classifier.predict_proba(PROBE), write)
    assert not errors
    assert found
    for each in [*found, classifier.predict_proba(PROBE)]:
        assert any(is_close(each, expected) for expected in states)


@pytest.mark.parametrize("name", MODELS)
def test_writers_wait_for_each_other(name):
    classifier = copy.deepcopy(MODELS[name]).fit(TEXTS, LABELS)
    parts = [list(zip(*corpus(seed, 6), strict=True)) for seed in range(1, 5)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: [classifier.teach([text], [label]) for text, label in part], parts))
    assert classifier.documents_ == len(TEXTS) + 24
    assert classifier.class_documents_.sum() == len(TEXTS) + 24
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: classifier.forget(*zip(*part, strict=True), settle=False), parts))
    assert classifier.documents_ == len(TEXTS)
    fresh = copy.deepcopy(MODELS[name]).fit(TEXTS, LABELS).predict_proba(PROBE)
    if name != "without documents":
        # Without documents, forgotten words still count as terms.
        np.testing.assert_allclose(classifier.settle().predict_proba(PROBE), fresh, rtol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_a_loaded_model_is_first_used_by_many_threads(name, tmp_path):
    classifier = copy.deepcopy(MODELS[name]).fit(TEXTS, LABELS)
    expected = classifier.predict_proba(PROBE)
    classifier.save(tmp_path / "model.tb")
    for _ in range(5):
        loaded, started = load(tmp_path / "model.tb"), threading.Barrier(8)

        def use(at, loaded=loaded, started=started):
            started.wait()
            calls = [loaded.leave_one_out, loaded.inspect, lambda: loaded.explain("corn oil")]
            if at % 2 and name != "without documents":
                calls[at % 3]()
            return loaded.predict_proba(PROBE)

        with ThreadPoolExecutor(8) as pool:
            for found in pool.map(use, range(8)):
                np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        MultinomialNB(),
        ComplementNB(norm=True),
        PoissonNB(weighting="chi2"),
        TunedClassifier(MultinomialNB()),
        AutoNB(candidates=SEARCHED, random_state=0),
    ],
    ids=repr,
)
def test_models_of_counts(model):
    random = np.random.default_rng(0)
    X, y = random.poisson(0.7, (30, 6)), random.choice(["a", "b", "c"], 30)
    # More columns, and a new class.
    more, labels = random.poisson(2.0, (2, 8)), ["d", "a"]
    model = copy.deepcopy(model).fit(X, y)

    def write():
        for _ in range(ROUNDS):
            model.partial_fit(X[:3], y[:3])
            model.forget(X[:3], y[:3])
        model.partial_fit(more, labels)

    before = model.predict_proba(X)
    during = copy.deepcopy(model).partial_fit(X[:3], y[:3]).predict_proba(X)
    found, errors = collect(lambda: model.snapshot().predict_proba(X), write)
    errors = [error for error in errors if "expecting 8 features" not in str(error)]
    assert not errors
    for each in found:
        assert any(is_close(each, expected) for expected in (before, during))
    assert model.predict_proba(more).shape == (2, 4)


def test_two_classifiers_are_merged_into_each_other():
    one = TextClassifier("complement").fit(TEXTS[:20], LABELS[:20])
    other = TextClassifier("complement").fit(TEXTS[20:], LABELS[20:])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda pair: pair[0].merge(pair[1]), [(one, other), (other, one)]))
    assert {one.documents_, other.documents_} <= {40, 60}


def test_counters():
    counter = TextCounter().fit(["a cat"])
    texts = [f"word{number}" for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda text: counter.partial_fit([text]), texts))
    assert len(counter.vocabulary_) == 41
