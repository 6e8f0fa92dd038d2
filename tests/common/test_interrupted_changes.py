"""After an exception at any line of a change, a model is as it was, or the change is complete."""

import copy
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import MaxAbsScaler

import warm
from common.interrupts import interrupt, lines_of
from textbayes import (
    AutoNB,
    CentroidClassifier,
    ComplementNB,
    DiscriminativeNB,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.estimators.models.variants import NAMED

TEXTS = [
    "wheat corn",
    "corn harvest 밀",
    "wheat fell",
    "crude oil",
    "oil output",
    "oil and gas قمح",
    "gold",
    "gold up",
]
LABELS = ["grain", "grain", "grain", "oil", "oil", "oil", "gold", "gold"]
LISTS = [["grain"], ["grain", "밀"], ["grain"], ["oil"], ["oil"], ["oil", "gas"], ["gold"], ["gold"]]
MORE, MORE_LABELS, MORE_LISTS = ["barley corn", "🌾 tin"], ["grain", "tin"], [["grain", "new"], ["tin"]]
PROBE = ["corn and barley", "oil", "tin", ""]

# A search is long; the recipes that it may find are few.
SEARCHED = ["one-vs-all", "centroid"]
MODELS = {
    **{name: TextClassifier(name, calibrate=False) for name in NAMED},
    "calibrated": TextClassifier("complement"),
    "without documents": TextClassifier("multinomial", keep_documents=False),
    "hashed": TextClassifier("complement", TextCounter(dimensions=32), calibrate=False),
    "cut": TextClassifier("multinomial", TextCounter(min_df=2), calibrate=False),
    "selected": TextClassifier(MultinomialNB(), transform=TermSelector("mi", k=3), calibrate=False),
    "tuned": TextClassifier(TunedClassifier(ComplementNB())),
    "exact": TextClassifier(AutoNB(candidates=SEARCHED, updates="exact", random_state=0)),
    "any": TextClassifier(AutoNB(candidates=[*SEARCHED, "linear-svm"], updates="any", random_state=0)),
    "scikit-learn": TextClassifier(LogisticRegression(), transform=MaxAbsScaler()),
}
WITH_LISTS = ["multinomial", "calibrated", "exact", "twcnb", "linear-svm"]
CHANGES = {
    "teach": lambda model, more, labels, _: model.teach(MORE, labels),
    "forget": lambda model, more, _, old: model.forget(TEXTS[:2], old[:2]),
    "relabel": lambda model, more, _, old: model.relabel(TEXTS[:1], old[:1], old[-1:]),
    "merge": lambda model, more, *_: model.merge(more),
    "fit": lambda model, more, labels, _: model.fit(
        TEXTS + MORE, [*labels, *labels, *labels, *labels, *labels]
    ),
    "set_params": lambda model, *_: model.set_params(**new_parameters(model)),
    "save": lambda model, *_: model.store(),
}


def new_parameters(model):
    # As in scikit-learn, parameters of a part that was passed are set in that object, which others may have.
    own = {} if model.counter is not None else {"counter__lowercase": False}
    return {"keep_documents": False, "calibrate": False, **own}


def state(model):
    """What a user can see of a classifier: its answers, its sizes and its parameters."""
    seen = [str(model.get_params()), model.is_settled_, model.predict_proba(PROBE).tolist()]
    return [
        *seen,
        model.classes_.tolist(),
        model.class_documents_.tolist() if "Logistic" not in seen[0] else None,
    ]


def stored(model):
    """Everything that a file of the classifier would have."""
    found = model.store()
    return found.configuration, {name: array.tolist() for name, array in found.arrays.items()}


def check_interrupts(model, change, points):
    """Interrupt a change at some of its lines, then let it end; compare with one that was not interrupted."""
    expected = copy.deepcopy(model)
    lines = lines_of(lambda: change(expected))
    before, after = state(model), state(expected)
    for line in np.unique(np.linspace(1, lines, points).astype(int)).tolist():
        interrupted = interrupt(lambda: change(model), line)
        # Later calls may have fewer lines, because they find what earlier ones computed.
        assert interrupted or line > 1
        assert state(model) in ([before, after] if interrupted else [after]), f"at line {line} of {lines}"
        if not interrupted or state(model) == after != before:
            return
    change(model)
    assert state(model) == after


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", MODELS)
def test_texts(name, change):
    run(name, change, LABELS, MORE_LABELS, points=12)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", WITH_LISTS)
def test_lists_of_labels(name, change):
    run(name, change, LISTS, MORE_LISTS, points=12)


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", MODELS)
def test_every_line(name, change):
    run(name, change, LABELS, MORE_LABELS, points=100_000)


def run(name, change, labels, more_labels, points):
    if name == "scikit-learn" and change in ("merge", "save"):
        pytest.skip("textbayes does not save or compare classifiers of other packages")
    model = copy.deepcopy(MODELS[name]).fit(TEXTS, labels)
    more = copy.deepcopy(MODELS[name]).fit(TEXTS[2:] + MORE, [*labels[2:], *more_labels])
    check_interrupts(model, lambda own: CHANGES[change](own, more, more_labels, labels), points)


COUNTS = np.random.default_rng(0).poisson(0.8, (12, 5))
CLASSES = np.array(["a", "b", "c"] * 4)
WIDER = np.random.default_rng(1).poisson(1.0, (3, 7))
COUNT_MODELS = [
    MultinomialNB(),
    ComplementNB(norm=True),
    PoissonNB(weighting="ratio"),
    CentroidClassifier(),
    LinearSVM(random_state=0),
    DiscriminativeNB(random_state=0),
    TunedClassifier(MultinomialNB()),
    AutoNB(candidates=SEARCHED, random_state=0),
    PoissonMixtureNB(random_state=0),
]
COUNT_CHANGES = {
    "partial_fit": lambda model, _: model.partial_fit(WIDER, ["a", "d", "b"]),
    "forget": lambda model, _: model.forget(COUNTS[:3], CLASSES[:3]),
    "merge": lambda model, other: model.merge(other),
    "fit": lambda model, _: model.fit(WIDER, ["a", "d", "b"]),
}


@pytest.mark.parametrize("change", COUNT_CHANGES)
@pytest.mark.parametrize("model", COUNT_MODELS, ids=repr)
def test_counts(model, change):
    if not hasattr(model, change):
        pytest.skip("it learns all documents at once")
    model, other = (
        copy.deepcopy(model).fit(COUNTS, CLASSES),
        copy.deepcopy(model).fit(COUNTS[::2], CLASSES[::2]),
    )
    expected = copy.deepcopy(model)
    lines = lines_of(lambda: COUNT_CHANGES[change](expected, other))

    def seen(of):
        width = of.n_features_in_
        return width, of.classes_.tolist(), of.predict_proba(np.eye(3, width, dtype=int)).tolist()

    before, after = seen(model), seen(expected)
    for line in np.unique(np.linspace(1, lines, 12).astype(int)).tolist():
        interrupted = interrupt(lambda: COUNT_CHANGES[change](model, other), line)
        assert seen(model) in ([before, after] if interrupted else [after]), f"at line {line} of {lines}"
        if not interrupted or seen(model) == after:
            return
    COUNT_CHANGES[change](model, other)
    assert seen(model) == after


# A model that is taught and interrupted, over and over.
TAUGHT = """
import sys
from textbayes import TextClassifier
name, times = sys.argv[1], int(sys.argv[2])
texts = ["wheat corn", "corn harvest", "crude oil", "oil output", "gold up", "gold"] * times
labels = ["grain", "grain", "oil", "oil", "metal", "metal"] * times
model = TextClassifier(name, calibrate=False).fit(texts, labels)
probe = ["barley corn", "oil", "tin"]
def state():
    return model.documents_, model.predict_proba(probe).tolist()
before = state()
model.teach(["barley tin"], ["tin"])
after = state()
model.forget(["barley tin"], ["tin"])
assert state() == before
def check():
    found = state()
    assert found in (before, after), "half changed"
    if found == after:
        model.forget(["barley tin"], ["tin"])
        assert state() == before
"""


def run_taught(code, name, times):
    """Run code after ``TAUGHT`` in another process; return the number that it prints."""
    command = [sys.executable, "-c", TAUGHT + code, name, str(times)]
    ended = warm.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert not ended.returncode, ended.stderr[-2000:]
    return int(ended.stdout)


SIGNALS = """
import random, signal
random.seed(0)
interrupts = 0
signal.signal(signal.SIGALRM, signal.default_int_handler)
for _ in range(400):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.random() * 0.003 + 1e-6)
        model.teach(["barley tin"], ["tin"])
        # A signal that arrives while the timer stops is raised before the next line.
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        interrupts += 1
    check()
print(interrupts)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")
@pytest.mark.parametrize("name", ["complement", "twcnb"])
def test_signals(name):
    assert run_taught(SIGNALS, name, times=20) > 20


MEMORY = """
import _testcapi
from textbayes.errors import TextbayesError
failures = 0
for number in range(1, 2000, 13):
    try:
        _testcapi.set_nomemory(number, number + 1)
        model.teach(["barley tin"], ["tin"])
        _testcapi.remove_mem_hooks()
    except (MemoryError, TextbayesError):
        failures += 1
    except SystemError as error:  # numpy, where one of its own allocations fails
        assert "without exception set" in str(error)
        failures += 1
    finally:
        _testcapi.remove_mem_hooks()
    check()
print(failures)
"""


@pytest.mark.parametrize("name", ["complement", "twcnb"])
def test_memory_errors(name):
    pytest.importorskip("_testcapi", reason="this Python has no module to make allocations fail")
    assert run_taught(MEMORY, name, times=1) > 20
