"""Thousands of classes: memory follows the (class, term) pairs seen, never classes × terms.

Each piece of work runs in a process of its own, so that its greatest memory is its own. Times are printed
(`pytest -rP`) and not asserted: machines differ, and benchmarks/ has them.
"""

import multiprocessing
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from textbayes import CentroidClassifier, ComplementNB, MultinomialNB, PoissonNB

MB = 1 << 20
STATUS = Path("/proc/self/status")
pytestmark = pytest.mark.skipif(not STATUS.exists(), reason="memory is read from Linux's /proc/self/status")

LINEAR = [
    MultinomialNB(alpha=0.1),
    MultinomialNB(alpha=1e-4, class_length=1.0),
    MultinomialNB(class_length="min"),
    *(
        ComplementNB(norm=norm, against=against)
        for against in ("complement", "class", "all")
        for norm in (False, True)
    ),
    CentroidClassifier(),
]

# One scorer serves all of them, in three shapes of correction: one variant of each shape runs every time, the
# others in the slow suite.
TYPICAL = ("MultinomialNB(alpha=0.1)", "ComplementNB(norm=True)", "CentroidClassifier()")


def typical(variants):
    """Mark all but the typical variants as slow."""
    return [
        pytest.param(variant, marks=() if repr(variant) in TYPICAL else pytest.mark.slow, id=repr(variant))
        for variant in variants
    ]


def memory(name):
    """Return the current (VmRSS) or peak (VmHWM) resident size in bytes."""
    lines = STATUS.read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


class Peak:
    """The peak memory added, and the time, since this object was created."""

    def __init__(self):
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        self.before, self.start = memory("VmRSS"), time.perf_counter()

    def added(self):
        return memory("VmHWM") - self.before

    def seconds(self):
        return time.perf_counter() - self.start


def many_classes(documents, classes, columns, entries=60, seed=0):
    """Return random documents whose term frequencies are skewed, as in texts."""
    rng = np.random.default_rng(seed)
    starts = np.arange(documents + 1, dtype=np.int64) * entries
    terms = (columns * rng.random(documents * entries) ** 3).astype(np.int32)
    counts = rng.integers(1, 4, size=documents * entries).astype(np.float64)
    X = sparse.csr_matrix((counts, terms, starts), shape=(documents, columns))
    X.sum_duplicates()
    labels = np.concatenate([np.arange(classes), rng.integers(0, classes, documents - classes)])
    return X, labels


def in_a_process(work, *arguments):
    """Run work in a new process and return its result."""
    spawned = multiprocessing.get_context("spawn")
    ours, theirs = spawned.Pipe(duplex=False)
    process = spawned.Process(target=_answer, args=(work, arguments, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        process.join()
        pytest.fail(f"the process ended with {process.exitcode}")
    finally:
        process.join()


def _answer(work, arguments, pipe):
    MultinomialNB().fit([[1, 0], [0, 1]], [0, 1]).predict([[1, 1]])  # load all code before measuring
    pipe.send(work(*arguments))


def fit_and_update(variant, documents, classes, columns):
    X, labels = many_classes(documents, classes, columns)
    variant.fit(X[:100], labels[:100]).predict(X[:2])
    peak = Peak()
    model = variant.fit(X, labels)
    found = {"fit MB": peak.added() / MB, "fit s": peak.seconds()}
    peak = Peak()
    for row in range(20):
        new = classes + row if row % 5 == 0 else labels[row]
        model.partial_fit(X[row], [new])
        assert model.predict(X[row]).shape == (1,)
        model.forget(X[row], [new])
    found |= {"update MB": peak.added() / MB, "update ms": peak.seconds() * 1000 / 20}
    best, scores = model.top_k(X[:200], 3)
    assert best.shape == scores.shape == (200, 3)
    assert (np.diff(scores, axis=1) <= 0).all()
    found["accuracy"] = float((best[:, 0] == labels[:200]).mean())
    assert np.array_equal(model.classes_, np.arange(classes))
    return found


@pytest.mark.parametrize("variant", typical(LINEAR))
def test_five_thousand_classes(variant):
    found = in_a_process(fit_and_update, variant, 20_000, 5_000, 50_000)
    print({name: round(value, 2) for name, value in found.items()})
    # A table of classes × terms would be 2,000 MB.
    assert found["fit MB"] < 150
    assert found["update MB"] < 150
    assert found["accuracy"] > 0.9


def predictions_do_not_make_a_table(variant):
    X, labels = many_classes(20_000, 5_000, 50_000)
    model = variant.fit(X, labels)
    model.predict(X[:2])
    peak = Peak()
    predicted = model.predict(X)  # 20,000 × 5,000 scores would be 800 MB
    return peak.added() / MB, peak.seconds(), float((predicted == labels).mean())


def test_scores_are_computed_in_blocks():
    added, seconds, accuracy = in_a_process(predictions_do_not_make_a_table, MultinomialNB(alpha=0.1))
    print(f"{added:.0f} MB, {seconds:.1f} s, {accuracy:.3f}")
    assert added < 200
    assert accuracy > 0.9


def fit_and_predict_hashed(variants, documents, classes, columns, rows):
    X, labels = many_classes(documents, classes, columns)
    found = []
    for variant in variants:
        peak = Peak()
        model = variant.fit(X, labels)
        fitted = peak.seconds()
        right = float((model.predict(X[:rows]) == labels[:rows]).mean())
        found.append((repr(variant), peak.added() / MB, fitted, peak.seconds() - fitted, right))
        del model
        for name in ("_statistics", "_kept_scorer", "_kept_odds"):
            vars(variant).pop(name, None)
    return found


@pytest.mark.parametrize(
    "variants",
    [LINEAR[:1], pytest.param(LINEAR[1:], marks=pytest.mark.slow)],
    ids=lambda v: v[0].__class__.__name__ + str(len(v)),
)
def test_twenty_thousand_classes_with_hashed_columns(variants):
    for name, added, fitted, predicted, right in in_a_process(
        fit_and_predict_hashed, variants, 100_000, 20_000, 200_000, 500
    ):
        print(f"{name}: {added:.0f} MB, fit {fitted:.1f} s, predict {predicted:.1f} s, {right:.3f}")
        # A table would be 32,000 MB.
        assert added < 1500
        assert right > 0.8


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", LINEAR, ids=repr)
def test_a_hundred_thousand_classes_and_a_million_columns(variant):
    [(name, added, fitted, predicted, right)] = in_a_process(
        fit_and_predict_hashed, [variant], 1_000_000, 100_000, 1_000_000, 200
    )
    print(f"{name}: {added:.0f} MB, fit {fitted:.1f} s, predict {predicted:.1f} s, {right:.3f}")
    assert added < 12_000
    assert right > 0.5


def predict_poisson(weighting):
    X, labels = many_classes(4_000, 2_000, 20_000)
    peak = Peak()
    model = PoissonNB(weighting=weighting).fit(X, labels)
    predicted = model.predict(X[:100])
    return peak.added() / MB, peak.seconds(), float((predicted == labels[:100]).mean())


@pytest.mark.parametrize(
    "weighting", ["chi2", *(pytest.param(name, marks=pytest.mark.slow) for name in (None, "ig", "ratio"))]
)
def test_poisson_with_two_thousand_classes(weighting):
    added, seconds, right = in_a_process(predict_poisson, weighting)
    print(f"{added:.0f} MB, {seconds:.1f} s, {right:.3f}")
    # A table of classes × terms is 320 MB, and the equations take ten of them.
    assert added < 800
    assert right > 0.9


def multilabel_of_many(variant):
    X, labels = many_classes(4_000, 1_000, 50_000)
    indicator = sparse.csr_matrix(
        (np.ones(4_000, dtype=int), (np.arange(4_000), labels)), shape=(4_000, 1_000)
    )
    peak = Peak()
    decided = variant.fit(X, indicator).predict(X[:100])
    return peak.added() / MB, peak.seconds(), decided.shape


@pytest.mark.parametrize(
    "variant", typical([MultinomialNB(), MultinomialNB(class_length="min"), *LINEAR[6:]])
)
def test_an_indicator_with_a_thousand_classes(variant):
    added, seconds, shape = in_a_process(multilabel_of_many, variant)
    print(f"{added:.0f} MB, {seconds:.1f} s")
    # A table would be 400 MB.
    assert added < 300
    assert shape == (100, 1_000)
