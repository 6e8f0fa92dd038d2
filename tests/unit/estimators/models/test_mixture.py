"""PoissonMixtureNB: what it takes, refuses, shows and stores."""

import pickle
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

import warm
from reference.variants import LABELS, documents
from textbayes import MultinomialNB, PoissonMixtureNB, TextCounter
from textbayes.errors import ParameterConflictError, ParameterError, TextbayesError

X = np.array([[3, 0, 1], [1, 1, 0], [0, 2, 1], [0, 0, 2], [1, 0, 4], [0, 1, 3]])
Y = np.array(["a", "a", "b", "b", "b", "b"])


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": 0},
        {"n_components": "some"},
        {"keep": 0},
        {"keep": 1.1},
        {"keep": "half"},
        {"keep": np.nan},
        {"keep_threshold": -0.1},
        {"keep_threshold": np.inf},
        {"background": 0},
        {"background": -3.0},
        {"background": True},
        {"smoothing": "mix", "background": 1.5},
        {"smoothing": "laplace"},
        {"max_iter": 0},
        {"max_iter": 2.5},
        {"tol": -1e-3},
        {"n_init": 0},
        {"init": "kmeans"},
    ],
    ids=str,
)
def test_parameters_out_of_range_are_named(parameters):
    name = list(parameters)[-1]
    with pytest.raises(TextbayesError, match=f"^{name}="):
        PoissonMixtureNB(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    "parameters",
    [
        {"keep": 0.5, "keep_threshold": 0.1},
        {"smoothing": None, "background": 2.0},
        {"smoothing": None, "n_components": "auto"},
        {"smoothing": None, "n_components": {"a": "auto"}},
    ],
    ids=str,
)
def test_parameters_that_do_not_go_together(parameters):
    first, second = parameters
    with pytest.raises(ParameterConflictError, match=f"^({first}|{second})=.* cannot be combined with "):
        PoissonMixtureNB(**parameters).fit(X, Y)


def test_nothing_is_there_before_fit():
    model = PoissonMixtureNB()
    for name in ("classes_", "components_", "history_", "n_parameters_", "parameter_share_", "dropped_"):
        assert not hasattr(model, name)
    with pytest.raises(NotFittedError):
        model.responsibilities(X, "a")
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_a_label_that_was_not_learned():
    with pytest.raises(ParameterError, match="label='c' is not an option"):
        PoissonMixtureNB().fit(X, Y).responsibilities(X, "c")


def test_one_component_with_a_weak_prior_ranks_as_the_multinomial():
    # A background without a preference is what α = s/|V| adds.
    rng = np.random.default_rng(0)
    counts = rng.multinomial(40, np.full(6, 1 / 6), size=30)
    counts = np.concatenate(
        [counts, 40 * np.ones(6, int) - counts + 5]
    )  # every term as frequent as any other
    y = rng.integers(0, 3, len(counts))
    model = PoissonMixtureNB(background=6.0).fit(counts, y)
    background = model.background_
    np.testing.assert_allclose(background, 1 / 6, rtol=0.02)
    own, peer = model.predict(counts), MultinomialNB(alpha=1.0).fit(counts, y).predict(counts)
    assert np.mean(own == peer) > 0.95


def planted(seed=0, sizes=(60, 40, 20), words=50):
    """Documents of three well separated components."""
    rng = np.random.default_rng(seed)
    thetas = rng.dirichlet(np.full(40, 0.1), size=len(sizes))
    rows = [rng.poisson(words * theta, (size, 40)) for theta, size in zip(thetas, sizes, strict=True)]
    return np.concatenate(rows), np.repeat(np.arange(len(sizes)), sizes)


def test_auto_finds_the_planted_components_and_no_others():
    mixed, _ = planted()
    rng = np.random.default_rng(1)
    plain = rng.poisson(50 * rng.dirichlet(np.ones(40)), (120, 40))
    y = np.repeat(["mixed", "plain"], 120)
    model = PoissonMixtureNB("auto", n_init=4, random_state=0).fit(np.concatenate([mixed, plain]), y)
    assert [len(components) for components in model.components_] == [3, 1]
    assert [component.documents for component in model.components_[0]] == pytest.approx(
        sorted([60, 40, 20], key=lambda size: -size), abs=60
    )


def test_responsibilities_say_which_component():
    rows, origin = planted()
    model = PoissonMixtureNB({"yes": 3}, n_init=4, random_state=0).fit(
        np.concatenate([rows, rows[:9, ::-1]]), ["yes"] * 120 + ["no"] * 9
    )
    found = model.responsibilities(rows, "yes")
    assert found.shape == (120, 3)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    groups = {tuple(found[origin == number].argmax(axis=1)) for number in range(3)}
    assert all(len(set(group)) == 1 for group in groups)
    assert len(groups) == 3
    assert model.responsibilities(rows, "no").tolist() == [[1.0]] * 120
    weights = [component.weight for component in model.components_[1]]
    np.testing.assert_allclose(sum(weights), 1.0)
    assert [c.documents for c in model.components_[1]] == pytest.approx([120 * w for w in weights])


def test_components_that_die_are_dropped_and_counted():
    # Three are planted, twelve are asked for: the prior starves the others.
    rows, _ = planted(sizes=(80, 70, 50), words=20)
    model = PoissonMixtureNB(12, background=300.0, random_state=0, max_iter=300, tol=0.0)
    model.fit(np.concatenate([rows, rows[:9, ::-1]]), ["x"] * 200 + ["y"] * 9)
    assert len(model.components_[0]) == 3
    assert model.dropped_.tolist() == [9, 4 - len(model.components_[1])]
    np.testing.assert_allclose(sum(component.weight for component in model.components_[0]), 1.0)
    assert sum(component.documents for component in model.components_[0]) == pytest.approx(200)


def test_a_better_start_is_kept():
    rows, _ = planted(3)
    one, many = (
        PoissonMixtureNB(3, n_init=n_init, random_state=5).fit(rows, ["x"] * 120).history_[0][-1]
        for n_init in (1, 10)
    )
    assert many >= one


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_fewer_parameters_make_a_smaller_file(multilabel):
    rows, y = documents(300, 400, 4, entries=100, multilabel=multilabel)
    sizes = {
        keep: len(pickle.dumps(PoissonMixtureNB(2, keep=keep, random_state=0).fit(rows, y)))
        for keep in (1.0, 0.5, 0.1)
    }
    # Every class has nearly every term here, so that all parameters are stored.
    assert sizes[0.5] < 0.7 * sizes[1.0]
    assert sizes[0.1] < 0.25 * sizes[1.0]


def test_terms_a_class_lacks_take_no_memory():
    rows, y = documents(200, 100_000, 40, entries=20)
    model = PoissonMixtureNB(random_state=0).fit(rows, y)
    assert model.parameter_share_ == 1.0
    assert len(model.model_.own.terms) <= rows.nnz < model.n_parameters_ / 20
    assert len(pickle.dumps(model)) < 8 * 100_000 + 20 * rows.nnz + 10_000


def test_labels_and_terms_in_any_script():
    texts = ["밀 값 상승", "قمح و ذرة", "गेहूँ महँगा", "🌾 wheat", "crude oil \udc80"]
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    counter = TextCounter(tokens="unicode")
    rows = counter.fit_transform(texts * 3)
    model = PoissonMixtureNB(2, random_state=0).fit(rows, list(LABELS) * 3)
    assert model.predict(rows).tolist() == list(LABELS) * 3
    for label in LABELS:
        assert model.responsibilities(rows, label).shape[0] == 15


INDICATOR = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]])


@pytest.mark.parametrize("smoothing", ["prior", "mix", None])
def test_indicators_with_classes_of_nothing_and_of_everything(smoothing):
    y = np.column_stack([INDICATOR, np.ones(6, int)])
    model = PoissonMixtureNB(smoothing=smoothing, background=None).fit(X, y)
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    assert model.predict(X)[:, 2].tolist() == [0] * 6
    assert model.predict(X)[:, 3].tolist() == [1] * 6
    assert model.decision_function(X).shape == (6, 4)
    assert model.predict(X)[0, 0] == 1


def test_empty_documents_only():
    model = PoissonMixtureNB(2, random_state=0).fit(np.zeros((6, 3)), Y)
    np.testing.assert_allclose(model.predict_proba(X), [[1 / 3, 2 / 3]] * 6)
    assert model.background_.tolist() == [0.0] * 3
    assert model.n_parameters_ == 0


def test_huge_and_tiny_counts():
    for scale in (1e-9, 1e9):
        model = PoissonMixtureNB(2, random_state=0).fit(X * scale, Y)
        assert np.isfinite(model.predict_log_proba(X * scale)).all()


def test_explicit_zeros_are_not_words():
    with_zeros = sparse.csr_matrix(np.ones((6, 3)))
    with_zeros.data[:] = X.ravel()
    for smoothing in ("prior", None):
        model = PoissonMixtureNB(smoothing=smoothing).fit(with_zeros, Y)
        expected = PoissonMixtureNB(smoothing=smoothing).fit(X, Y)
        assert model.decision_function(with_zeros).tobytes() == expected.decision_function(X).tobytes()


def test_it_is_a_scikit_learn_classifier():
    rows, y = documents(120, 30, 3)
    model = PoissonMixtureNB(2, keep=0.5, random_state=0)
    assert cross_val_score(model, rows, y, cv=3).shape == (3,)
    assert clone(model).get_params() == model.get_params()
    for name in ("partial_fit", "forget", "merge"):
        assert not hasattr(model, name)


def test_progress_is_shown_when_asked_for(capsys):
    PoissonMixtureNB(verbose=1).fit(X, Y)
    assert "2/2" in capsys.readouterr().err
    PoissonMixtureNB().fit(X, Y)
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_ends_a_long_fit():
    program = textwrap.dedent("""
        import numpy as np
        from textbayes import PoissonMixtureNB
        rows = np.random.default_rng(0).poisson(1.0, (2000, 300))
        print("ready", flush=True)
        PoissonMixtureNB(16, max_iter=10**5, tol=0.0, n_init=1000, random_state=0).fit(rows, [0, 1] * 1000)
    """)
    running = warm.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout.readline() == "ready\n"
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(1.0)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=30)
    finally:
        running.kill()
    assert "KeyboardInterrupt" in errors
