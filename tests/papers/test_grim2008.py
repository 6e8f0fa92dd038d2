"""Grim, Novovičová and Somol (2008), "Structural Poisson Mixtures for Classification of Documents"."""

from fractions import Fraction as F
from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from examples import examples
from reference import grim
from reference.cases import CASES, assert_close, make_case
from reference.mixtures import dense_documents, draw, sparse_documents
from reference.multilabel import class_priors, indicator
from textbayes import PoissonMixtureNB

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SINGLE = [case for case in CASES if not case.multilabel]
per_case = pytest.mark.parametrize("case", SINGLE, ids=[case.name for case in SINGLE])
MULTILABEL = [case for case in CASES if case.multilabel]
SMOOTHINGS = [(None, 0.0), ("mix", 0.3), ("prior", 5.0)]
per_smoothing = pytest.mark.parametrize(("smoothing", "amount"), SMOOTHINGS, ids=["none", "mix", "prior"])
per_smoothed = pytest.mark.parametrize(("smoothing", "amount"), SMOOTHINGS[1:], ids=["mix", "prior"])
per_structure = pytest.mark.parametrize(
    "structure", [{}, {"keep": 0.5}, {"keep_threshold": 0.05}], ids=["all", "half", "threshold"]
)
# The r highest gains are a unique set only without ties, and whole counts of equal weight tie.
STRUCTURES = [
    pytest.param(case, structure, id=f"{case.name}-{name}")
    for case in SINGLE
    for name, structure in {
        "all": {},
        "third": {"keep": 1 / 3},
        "two-thirds": {"keep": 2 / 3},
        "threshold": {"keep_threshold": 0.043},
    }.items()
    if case.weight is not None or "keep" not in structure
]

# Two classes by hand. theta_0 = (4, 4, 4)/12, a third each; p(a) = 2/3.
#   a: (3,1,0) and (1,2,1)    x-tilde = (2, 3/2, 1/2), |x-bar| = 4, theta = (1/2, 3/8, 1/8)
#   b: (0,1,3)                x-tilde = (0, 1, 3),     |x-bar| = 4, theta = (0, 1/4, 3/4)
TRAIN = [[3, 1, 0], [1, 2, 1], [0, 1, 3]]
LABELS = ["a", "a", "b"]
THETA = {
    (None, 0): ([F(1, 2), F(3, 8), F(1, 8)], [F(0), F(1, 4), F(3, 4)]),
    ("mix", F(1, 4)): ([F(11, 24), F(35, 96), F(17, 96)], [F(1, 12), F(13, 48), F(31, 48)]),
    ("prior", F(4)): ([F(4, 9), F(13, 36), F(7, 36)], [F(1, 6), F(7, 24), F(13, 24)]),
}
per_hand = pytest.mark.parametrize(("smoothing", "amount"), THETA, ids=["none", "mix", "prior"])
GAMMA = (
    [2 * log(F(3, 2)) - 2 / 3, 3 / 2 * log(F(9, 8)) - 1 / 6, 1 / 2 * log(F(3, 8)) + 5 / 6],
    [4 / 3, log(F(3, 4)) + 1 / 3, 3 * log(F(9, 4)) - 5 / 3],
)  # .144 .010 .343 and 1.333 .046 .766
TEST = [[0, 1, 0], [0, 2, 1], [0, 0, 0]]  # without the first term, which b has never seen


def rows_of(X, y, label):
    return [list(row) for row, name in zip(X, y, strict=True) if name == label]


def mixture(smoothing=None, amount=0.0, **options):
    """Return the estimator with the smoothing parameters of the reference: b of "mix", s of "prior"."""
    return PoissonMixtureNB(
        smoothing=smoothing, background=None if smoothing is None else float(amount), **options
    )


def fit(X, y, *options, weight=None, **more):
    X = sparse.csr_array(np.array(X, dtype=float))
    return mixture(*options, **more).fit(X, np.array(y), sample_weight=weight)


def components_of(model, label):
    return model.components_[list(model.classes_).index(label)]


def history_of(model, label):
    return np.asarray(model.history_[list(model.classes_).index(label)], dtype=float)


def decisions(scores):
    """Return scores in the shape of decision_function: for two classes, the second minus the first."""
    scores = np.array(scores, dtype=float)
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def literal_structure(structure, parameters):
    """Convert the estimator's `keep` or `keep_threshold` for the reference; parameters is M times N."""
    if "keep_threshold" in structure:
        return {"threshold": structure["keep_threshold"]}
    r = structure.get("keep", 1.0) * parameters
    assert r == round(r)  # the paper does not say how to round
    return {"r": round(r)}


def assert_clear_cut(gamma, phi):
    """Assert that there is no tie: the smallest gain kept is well above the largest one dropped."""
    kept = [g for row, flags in zip(gamma, phi, strict=True) for g, p in zip(row, flags, strict=True) if p]
    dropped = [
        g for row, flags in zip(gamma, phi, strict=True) for g, p in zip(row, flags, strict=True) if not p
    ]
    assert min(kept, default=inf) > max(dropped, default=-inf) + 1e-9


def one_component_classes(X, y, structure, smoothing, amount, weight=None):
    """Return (classes, prior, theta_0) of the literal model with one component per class."""
    names, Y = indicator(y)
    weight = [1.0] * len(y) if weight is None else list(weight)
    theta_0, classes = grim.background(X, weight), []
    for name in names:
        S_c = rows_of(X, y, name)
        s = [w for w, label in zip(weight, y, strict=True) if label == name]
        choice = literal_structure(structure, len(theta_0))
        components, gamma = grim.one_component(
            S_c, theta_0, **choice, smoothing=smoothing, amount=amount, s=s
        )
        assert_clear_cut(gamma, [m.phi for m in components])
        classes.append(components)
    return classes, class_priors(X, Y, weight), theta_0


def literal(model, label):
    """Convert the fitted components of a class for the reference: a term not in `.terms` is not kept."""
    components = []
    for m in components_of(model, label):
        theta, phi = list(model.background_), [0] * len(model.background_)
        for n, value in zip(m.terms, m.theta, strict=True):
            theta[n], phi[n] = value, 1
        components.append(grim.Component(m.weight, theta, phi))
    return components


# One component by hand


@per_hand
def test_eqs_17_to_20_of_the_reference_by_hand(smoothing, amount):
    for label, theta, gains in zip("ab", THETA[smoothing, amount], GAMMA, strict=True):
        rows = [[F(value) for value in row] for row in rows_of(TRAIN, LABELS, label)]
        components, gamma = grim.one_component(rows, [F(1, 3)] * 3, smoothing=smoothing, amount=amount)
        assert components == [grim.Component(1, theta, [1, 1, 1])]
        if smoothing is None:
            assert_close(gamma[0], gains)


def test_background_of_the_estimator_by_hand():
    assert_close(fit(TRAIN, LABELS).background_, [1 / 3] * 3)


@per_hand
def test_eq_19_theta_by_hand(smoothing, amount):
    model = fit(TRAIN, LABELS, smoothing, amount)
    for label, theta in zip("ab", THETA[smoothing, amount], strict=True):
        (component,) = components_of(model, label)
        assert_close(component.theta, [float(theta[n]) for n in component.terms])
        assert component.weight == 1
        assert component.documents == LABELS.count(label)
    assert list(components_of(model, "a")[0].terms) == [0, 1, 2]  # all seen in a, so none is implicit


@per_hand
def test_eq_13_by_hand(smoothing, amount):
    # all kept: G(x|a) / G(x|b) is the product of (theta_a / theta_b)^x, and p(a) / p(b) is 2
    model, (a, b) = fit(TRAIN, LABELS, smoothing, amount), THETA[smoothing, amount]
    odds = [2 * (a[1] / b[1]), 2 * (a[1] / b[1]) ** 2 * (a[2] / b[2]), F(2)]
    X = sparse.csr_array(np.array(TEST, dtype=float))
    assert_close(model.decision_function(X), [-log(value) for value in odds])
    assert_close(model.predict_proba(X), [[float(o / (o + 1)), float(1 / (o + 1))] for o in odds])


def test_eqs_20_and_21_by_hand():
    # two thirds kept: a keeps terms 0 and 2 (gains .144 and .343), b terms 0 and 2 (1.333 and .766)
    model = fit(TRAIN, LABELS, keep=2 / 3)
    assert list(components_of(model, "a")[0].terms) == [0, 2]
    x = [
        0,
        2,
        1,
    ]  # log G(x|a) = log 3/8 + 3 (1/3 - 1/2 + 1/3 - 1/8), log G(x|b) = log 9/4 + 3 (1/3 + 1/3 - 3/4)
    score = log(F(3, 8)) + 3 / 24 + log(2) - (log(F(9, 4)) - 3 / 12)
    assert_close(model.decision_function(sparse.csr_array([x])), [-score])
    assert model.n_parameters_ == 4
    assert model.parameter_share_ == pytest.approx(2 / 3)


def test_threshold_by_hand():
    # 1/2: nothing of a (G = 1), terms 0 and 2 of b
    model = fit(TRAIN, LABELS, keep_threshold=0.5)
    assert list(components_of(model, "a")[0].terms) == []
    assert_close(model.decision_function(sparse.csr_array([[0, 2, 1]])), [log(F(9, 4)) - 3 / 12 - log(2)])
    assert model.n_parameters_ == 2
    assert model.parameter_share_ == pytest.approx(1 / 3)


def test_eq_15_by_hand():
    # one component: L is the sum of the kept gains
    model = fit(TRAIN, LABELS)
    for label, gamma in zip("ab", GAMMA, strict=True):
        assert history_of(model, label)[-1] == pytest.approx(sum(gamma), rel=1e-12)
    model = fit(TRAIN, LABELS, keep=1 / 3)
    for label, gamma in zip("ab", GAMMA, strict=True):
        assert history_of(model, label)[-1] == pytest.approx(max(gamma), rel=1e-12)


def test_two_components_by_hand():
    # a: (4,0) and twice (1,0) are one component, (0,3) the other; b: (0,3). theta_0 = (6, 6)/12.
    # Nothing is shared, so q is 0 or 1 and G is 2^|x| or 0.
    X, y = [[4, 0], [1, 0], [1, 0], [0, 3], [0, 3]], ["a", "a", "a", "a", "b"]
    model = fit(X, y, n_components={"a": 2, "b": 1}, n_init=5, random_state=0, max_iter=200, tol=1e-12)
    big, small = sorted(components_of(model, "a"), key=lambda m: -m.weight)
    assert_close([big.weight, small.weight], [3 / 4, 1 / 4])
    assert_close([big.documents, small.documents], [3, 1])
    assert_close([dict(zip(big.terms, big.theta, strict=True))[0]], [1])
    assert_close([dict(zip(small.terms, small.theta, strict=True))[1]], [1])
    L = (log(F(3, 4) * 16) + 2 * log(F(3, 4) * 2) + log(F(1, 4) * 8)) / 4
    assert history_of(model, "a")[-1] == pytest.approx(L, rel=1e-12)
    # eq. 13: p(a) P(x|a) against p(b) P(x|b): (0,1) is 4/5 1/4 2 against 1/5 2, one to one
    assert_close(model.decision_function(sparse.csr_array([[0, 1]])), [0])


# One component against the literal reading: nothing is random


@per_case
def test_background(case):
    weight = None if case.weight is None else list(case.weight)
    assert_close(case.fit(PoissonMixtureNB()).background_, grim.background(case.X.tolist(), weight))


@pytest.mark.parametrize(("case", "structure"), STRUCTURES)
@per_smoothed
def test_eqs_17_to_21_and_13_one_component(case, structure, smoothing, amount):
    model = case.fit(mixture(smoothing, amount, **structure))
    classes, prior, theta_0 = one_component_classes(
        case.X.tolist(), list(case.y), structure, smoothing, amount, case.weight
    )
    X = case.X_test.tolist()
    assert_close(
        model.decision_function(case.test), decisions(grim.scores(X, classes, prior, theta_0)), 1e-11
    )
    assert_close(model.predict_proba(case.test), grim.eq_13_posterior(X, classes, prior, theta_0), 1e-11)
    kept = sum(sum(m.phi) for components in classes for m in components)
    assert model.n_parameters_ == kept
    assert model.parameter_share_ == pytest.approx(grim.parameter_share(kept, len(classes), len(theta_0)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [2, 3])
@per_smoothing
@per_structure
def test_eqs_17_to_21_one_component_every_term_seen(seed, classes, smoothing, amount, structure):
    # every theta is positive, so the unsmoothed estimates have a finite answer too, and all are explicit
    X, y = dense_documents(seed, classes)
    model = fit(X, y, smoothing, amount, **structure)
    literal_classes, prior, theta_0 = one_component_classes(X.tolist(), list(y), structure, smoothing, amount)
    expected = grim.scores(X.tolist(), literal_classes, prior, theta_0)
    assert_close(model.decision_function(sparse.csr_array(X)), decisions(expected), 1e-11)
    for name, components in zip(model.classes_, literal_classes, strict=True):
        (ours,), (theirs,) = components_of(model, name), components
        terms = np.flatnonzero(theirs.phi)
        assert np.array_equal(ours.terms, terms)
        assert_close(ours.theta, np.array(theirs.theta)[terms])


@per_case
def test_eq_13_one_component_unsmoothed(case):
    # G is 0 where a class lacks a term of the document; where every class does, p(c) is left (0/0 in eq. 13)
    model = case.fit(mixture(None))
    classes, prior, theta_0 = one_component_classes(case.X.tolist(), list(case.y), {}, None, 0.0, case.weight)
    numerators = grim.scores(case.X_test.tolist(), classes, prior, theta_0)
    impossible = [max(row) == -inf for row in numerators]
    expected = [
        [float(p) for p in prior] if nothing else grim.normalised(row)
        for row, nothing in zip(numerators, impossible, strict=True)
    ]
    assert_close(model.predict_proba(case.test), expected, 1e-11)
    assert not np.isnan(model.decision_function(case.test)).any()


@per_case
@per_smoothed
def test_all_kept_is_the_multinomial_model(case, smoothing, amount):
    # theta_m and theta_0 sum to 1, so the exponents of eq. 12 cancel: log G = sum x_n log(theta_n / theta_0n)
    weight = np.ones(len(case.y)) if case.weight is None else case.weight
    counts = case.Y.T @ (weight[:, None] * case.X)
    theta_0 = counts.sum(axis=0) / counts.sum()
    if smoothing == "mix":
        theta = (1 - amount) * counts / counts.sum(axis=1, keepdims=True) + amount * theta_0
    else:
        theta = (counts + amount * theta_0) / (counts.sum(axis=1, keepdims=True) + amount)
    prior = case.Y.T @ weight / weight.sum()
    scores = np.log(prior) + case.X_test @ np.log(theta / theta_0).T
    assert_close(
        case.fit(mixture(smoothing, amount)).decision_function(case.test), case.expected(scores), 1e-11
    )


@per_smoothing
@per_structure
def test_eq_15_one_component_is_the_sum_of_the_kept_gains(smoothing, amount, structure):
    # with the prior, L and the gains both with the prior's terms: see reference.grim.penalty
    X, y = dense_documents(7)
    model = fit(X, y, smoothing, amount, **structure)
    theta_0 = grim.background(X.tolist())
    for name in model.classes_:
        rows = rows_of(X.tolist(), list(y), name)
        choice = literal_structure(structure, len(theta_0))
        components, gamma = grim.one_component(rows, theta_0, **choice, smoothing=smoothing, amount=amount)
        kept = sum(g for g, phi in zip(gamma[0], components[0].phi, strict=True) if phi)
        assert history_of(model, name)[-1] == pytest.approx(kept, rel=1e-9)


@per_smoothed
def test_a_weight_of_two_is_the_document_twice(smoothing, amount):
    case = make_case(6, "many")
    weight = np.ones(len(case.y))
    weight[[3, 7]] = 2
    twice = [*range(len(case.y)), 3, 7]
    weighted = fit(case.X, case.y, smoothing, amount, weight=weight)
    repeated = fit(case.X[twice], case.y[twice], smoothing, amount)
    assert_close(weighted.decision_function(case.test), repeated.decision_function(case.test))
    assert_close(weighted.background_, repeated.background_)


@pytest.mark.parametrize("case", MULTILABEL, ids=[case.name for case in MULTILABEL])
@per_smoothed
def test_eq_13_multilabel_is_a_class_against_the_documents_without_it(case, smoothing, amount):
    model, weight = case.fit(mixture(smoothing, amount)), case.weight
    X, Y, tests = case.X.tolist(), case.Y.tolist(), case.X_test.tolist()
    prior = class_priors(X, Y, weight)
    for c in range(case.Y.shape[1]):
        sides = [["out", "in"][row[c]] for row in Y]
        options = {}, smoothing, amount, weight
        (inside, outside), (p, _), theta_0 = one_component_classes(X, sides, *options)
        assert p == prior[c]
        numerator = [row[0] for row in grim.scores(tests, [inside], [p], theta_0)]
        assert_close(model.decision_function(case.test)[:, c], numerator, 1e-11)
        posterior = grim.eq_13_posterior(tests, [inside, outside], [p, 1 - p], theta_0)
        assert_close(model.predict_proba(case.test)[:, c], [row[0] for row in posterior], 1e-11)


@per_smoothing
@per_structure
def test_log_G_is_proportional_to_the_document(smoothing, amount, structure):
    # eq. 12 is homogeneous in (x, |x|): with one component, doubling a document doubles log G
    X, y = dense_documents(3, classes=3)
    model = fit(X, y, smoothing, amount, **structure)
    prior = np.log(np.unique(y, return_counts=True)[1] / len(y))
    once, twice = (model.decision_function(sparse.csr_array(k * X)) - prior for k in (1, 2))
    assert_close(twice, 2 * once, 1e-11)


# More components: the fitted model is a fixed point of the literal iteration


CONVERGED = {"n_components": 2, "max_iter": 3000, "tol": 1e-15, "n_init": 1, "random_state": 0}


@pytest.mark.parametrize("seed", range(3))
@per_smoothing
@per_structure
def test_eq_16_and_eq_13_of_the_fitted_components(seed, smoothing, amount, structure):
    # every term seen, so the components are given in full; converged or not, these two are exact
    X, y = dense_documents(seed)
    model = fit(X, y, smoothing, amount, n_components=2, max_iter=4, random_state=seed, **structure)
    classes, rows = [literal(model, name) for name in model.classes_], X.tolist()
    prior = [list(y).count(name) / len(y) for name in model.classes_]
    sparse_X = sparse.csr_array(X)
    for name, components in zip(model.classes_, classes, strict=True):
        q = grim.eq_16_q(rows, components, model.background_)
        assert_close(model.responsibilities(sparse_X, name), q, 1e-10)
        assert sum(m.weight for m in components) == pytest.approx(1)
    assert_close(
        model.decision_function(sparse_X),
        decisions(grim.scores(rows, classes, prior, model.background_)),
        1e-10,
    )
    posterior = grim.eq_13_posterior(rows, classes, prior, model.background_)
    assert_close(model.predict_proba(sparse_X), posterior, 1e-10)


@pytest.mark.parametrize("documents", [dense_documents, sparse_documents], ids=["dense", "sparse"])
@per_smoothing
@per_structure
def test_eqs_16_to_21_leave_the_fitted_parameters_unchanged(documents, smoothing, amount, structure):
    # the literal M-step after the estimator's E-step (eq. 16) gives the fitted model again
    X, y = documents(11)
    model = fit(X, y, smoothing, amount, **CONVERGED, **structure)
    theta_0, classes = grim.background(X.tolist()), []
    assert not model.dropped_.any()  # so r is the share of all components
    for name in model.classes_:
        rows, fitted = rows_of(X.tolist(), list(y), name), components_of(model, name)
        q = model.responsibilities(sparse.csr_array(np.array(rows)), name)
        assert_close(q.sum(axis=1), np.ones(len(rows)))
        choice = literal_structure(structure, len(fitted) * len(theta_0))
        options = {**choice, "smoothing": smoothing, "amount": amount}
        components, _ = grim.m_step(rows, q.tolist(), theta_0, **options)
        classes.append(components)
        for ours, theirs in zip(fitted, components, strict=True):
            assert ours.weight == pytest.approx(theirs.weight, abs=1e-6)
            assert ours.documents == pytest.approx(theirs.weight * len(rows), abs=1e-5)
            assert_close(ours.theta, np.array(theirs.theta)[list(ours.terms)], 1e-6)
            assert {*ours.terms} <= {*np.flatnonzero(theirs.phi)}  # unseen terms may be implicit
        assert_close(grim.eq_16_q(rows, components, theta_0), q, 1e-6)
        # eq. 15, with the prior's terms where there is a prior
        strength = amount if smoothing == "prior" else 0.0
        L = grim.penalised_criterion(rows, components, theta_0, strength)
        assert history_of(model, name)[-1] == pytest.approx(L, abs=1e-7)
    kept = sum(sum(m.phi) for components in classes for m in components)
    assert model.n_parameters_ == kept
    assert model.parameter_share_ == pytest.approx(
        grim.parameter_share(kept, sum(map(len, classes)), len(theta_0))
    )
    if smoothing is None and documents is sparse_documents:
        return  # a theta that tends to 0 still changes in logarithms, which documents of other classes show
    prior = [list(y).count(name) / len(y) for name in model.classes_]
    expected = decisions(grim.scores(X.tolist(), classes, prior, theta_0))
    assert_close(model.decision_function(sparse.csr_array(X)), expected, 1e-6)


@pytest.mark.parametrize("seed", range(3))
@per_structure
def test_the_background_cancels(seed, structure):
    # eq. 3 with eqs. 8 to 11 in full, factorials and all, is eq. 13
    X, y = dense_documents(seed, classes=3)
    model = fit(X, y, "prior", 2.0, n_components=2, random_state=seed, **structure)
    classes = [literal(model, name) for name in model.classes_]
    prior = [list(y).count(name) / len(y) for name in model.classes_]
    posterior = grim.eq_3_posterior(X.tolist(), classes, prior, model.background_)
    assert_close(model.predict_proba(sparse.csr_array(X)), posterior, 1e-9)


@settings(max_examples=examples(40), deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.floats(0.01, 1),
    st.sampled_from([(None, 0.0), ("prior", 0.5), ("prior", 30.0)]),
    st.booleans(),
)
def test_the_criterion_never_decreases(seed, n_components, keep, smoothing, real):
    # below eq. 21, for a fixed number of kept parameters
    rng = np.random.default_rng(seed)
    documents, terms = int(rng.integers(4, 24)), int(rng.integers(2, 9))
    X = rng.poisson(rng.uniform(0.3, 3.0), size=(documents, terms)).astype(float)
    if real:
        X *= rng.uniform(0.1, 3.0, size=X.shape)
    X[0] += 1
    y = np.arange(documents) % 2
    model = fit(
        X, y, *smoothing, n_components=n_components, keep=keep, max_iter=60, tol=1e-12, random_state=seed
    )
    for label in (0, 1):
        history = history_of(model, label)
        assert history.size > 0
        assert np.isfinite(history).all()
        assert (np.diff(history) >= -1e-10 * np.maximum(1, np.abs(history[1:]))).all()


@pytest.mark.parametrize("keep", [0.25, 0.5])
def test_the_criterion_never_decreases_while_a_theta_underflows(keep):
    # Without smoothing, the x-tilde of a vanishing term passes through the subnormal numbers to 0. There
    # theta' = x-tilde / |x-bar| may already be 0: by 0 log 0 = 0 the gain is |x-bar| theta_0, not -inf.
    falls = []
    for seed in range(50):
        X, y = sparse_documents(seed)
        options = {"n_components": 3, "max_iter": 400, "tol": 1e-16, "random_state": 50 + seed}
        model = fit(X, y, None, 0.0, keep=keep, **options)
        worst = min(np.diff(history_of(model, label)).min(initial=0) for label in "ab")
        falls += [(seed, worst)] if worst < -1e-9 else []
    assert falls == []


@per_smoothed
@pytest.mark.parametrize("keep", [1.0, 0.5])
def test_a_planted_mixture_is_recovered(smoothing, amount, keep):
    rng = np.random.default_rng(42)
    thetas = rng.dirichlet(np.full(60, 0.2), size=4)
    planted, origin = draw(rng, thetas[:3], [0.5, 0.3, 0.2], 300, 60)
    other, _ = draw(rng, thetas[3:], [1.0], 100, 60)
    X, y = np.concatenate([planted, other]), ["고양이"] * 300 + ["قطة"] * 100
    options = {"n_components": {"고양이": 3, "قطة": 1}, "n_init": 8, "random_state": 1}
    model = fit(X, y, smoothing, amount, keep=keep, max_iter=200, tol=1e-8, **options)
    found = model.responsibilities(sparse.csr_array(planted), "고양이").argmax(axis=1)
    assert adjusted_rand_score(origin, found) > 0.95
    weights = sorted(m.weight for m in components_of(model, "고양이"))
    np.testing.assert_allclose(weights, np.sort(np.bincount(origin) / 300), atol=0.02)
    assert model.score(sparse.csr_array(X), np.array(y)) > 0.99


# What the paper does not mention


@per_smoothed
@per_structure
def test_documents_of_100_000_words(smoothing, amount, structure):
    rng = np.random.default_rng(5)
    thetas = rng.dirichlet(np.full(40, 0.3), size=4)
    X = np.concatenate([draw(rng, thetas[2 * c : 2 * c + 2], [0.5, 0.5], 10, 100_000)[0] for c in range(2)])
    y = np.repeat([0, 1], 10)
    model = fit(X, y, smoothing, amount, n_components=2, random_state=0, **structure)
    sparse_X = sparse.csr_array(X)
    assert np.isfinite(model.decision_function(sparse_X)).all()
    probability = model.predict_proba(sparse_X)
    assert_close(probability.sum(axis=1), np.ones(20))
    assert (model.predict(sparse_X) == y).all()
    for label in (0, 1):
        assert np.isfinite(history_of(model, label)).all()
        assert_close(model.responsibilities(sparse_X, label).sum(axis=1), np.ones(20))


@per_smoothed
@per_structure
def test_real_counts(smoothing, amount, structure):
    X, y = sparse_documents(2)
    X = np.log2(1 + X) * np.random.default_rng(0).uniform(1e-3, 8, size=X.shape[1])
    model = fit(X, y, smoothing, amount, n_components=2, random_state=0, **structure)
    assert np.isfinite(model.decision_function(sparse.csr_array(X))).all()
    assert model.score(sparse.csr_array(X), y) > 0.9


@pytest.mark.parametrize("n_components", [1, 2])
@pytest.mark.parametrize("keep", [1.0, 0.5])
def test_an_unseen_term_without_smoothing_is_not_nan(n_components, keep):
    # theta = 0 and the term occurs, so G is 0: in one class, or in all of them, where p(c) remains.
    X = [[3, 1, 0, 0], [2, 2, 0, 0], [1, 4, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 1, 1, 1]]
    model = fit(X, list("aaabbb"), None, 0.0, n_components=n_components, keep=keep, random_state=0)
    tests = [[1, 1, 0, 0], [0, 1, 2, 1], [2, 0, 1, 0], [0, 0, 0, 5], [900, 0, 0, 900], [0, 0, 0, 0]]
    tests = sparse.csr_array(np.array(tests, dtype=float))
    assert not np.isnan(model.decision_function(tests)).any()
    probability = model.predict_proba(tests)
    assert_close(probability.sum(axis=1), np.ones(6))
    assert not np.isnan(model.predict_log_proba(tests)).any()
    for label in "ab":
        q = model.responsibilities(tests, label)
        assert_close(q.sum(axis=1), np.ones(6))
    if keep == 1:
        assert_close(probability[:2], [[1, 0], [0, 1]], 1e-12)
        assert list(model.predict(tests[:2])) == ["a", "b"]


def test_a_term_of_no_training_document_is_not_nan():
    # theta_0 = 0: eq. 12 has no ratio for it, so it is never kept
    X = [[3, 1, 0], [2, 2, 0], [1, 4, 0], [1, 5, 0]]
    for smoothing, amount in SMOOTHINGS:
        model = fit(X, list("aabb"), smoothing, amount, n_components=2, random_state=0)
        tests = sparse.csr_array(np.array([[1, 0, 2], [0, 0, 3]], dtype=float))
        assert np.isfinite(model.decision_function(tests)).all()
        assert all(2 not in m.terms for label in "ab" for m in components_of(model, label))


@per_smoothing
@per_structure
@pytest.mark.parametrize("n_components", [1, 2])
def test_an_empty_document_has_the_prior(smoothing, amount, structure, n_components):
    # |x| = 0: every f_n is 1, so G = 1 and q(m|x) = f(m)
    X, y = dense_documents(4, classes=3)
    model = fit(X, y, smoothing, amount, n_components=n_components, random_state=3, **structure)
    nothing = sparse.csr_array((1, X.shape[1]))
    prior = np.unique(y, return_counts=True)[1] / len(y)
    assert_close(model.predict_proba(nothing), [prior])
    assert_close(model.decision_function(nothing), [np.log(prior)])
    for name in model.classes_:
        weights = [m.weight for m in components_of(model, name)]
        assert_close(model.responsibilities(nothing, name), [weights])


@per_structure
@per_smoothing
def test_the_same_seed_gives_the_same_bits(smoothing, amount, structure):
    X, y = sparse_documents(6)
    options = {"n_components": 3, "n_init": 3, "random_state": 17, "max_iter": 20, **structure}
    first, second = (fit(X, y, smoothing, amount, **options) for _ in range(2))
    tests = sparse.csr_array(X)
    assert first.decision_function(tests).tobytes() == second.decision_function(tests).tobytes()
    for label in "ab":
        assert history_of(first, label).tobytes() == history_of(second, label).tobytes()
        for ours, again in zip(components_of(first, label), components_of(second, label), strict=True):
            assert np.asarray(ours.theta).tobytes() == np.asarray(again.theta).tobytes()
            assert np.array_equal(ours.terms, again.terms)


@pytest.mark.parametrize("keep", [1.0, 0.5, 0.25])
@pytest.mark.parametrize("n_components", [1, 2])
def test_parameters_as_the_tables_count_them(keep, n_components):
    # components times terms times the share kept
    X, y = dense_documents(9, classes=3)
    model = fit(X, y, "prior", 2.0, n_components=n_components, keep=keep, random_state=0)
    components = sum(len(components_of(model, name)) for name in model.classes_)
    assert model.n_parameters_ == keep * components * X.shape[1]
    assert model.parameter_share_ == pytest.approx(keep)
    assert (
        sum(len(m.terms) for name in model.classes_ for m in components_of(model, name))
        == model.n_parameters_
    )
