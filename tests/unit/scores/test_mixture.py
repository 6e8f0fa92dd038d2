"""What a mixture's scores are made of, beside sums written out over components and terms."""

import numpy as np
import pytest

from reference.mixtures import sparse_documents
from reference.variants import documents
from textbayes import PoissonMixtureNB
from textbayes.counts import as_rows

SETTINGS = [
    {"smoothing": smoothing, **kept}
    for smoothing in ("prior", "mix", None)
    for kept in ({}, {"keep": 0.2}, {"keep_threshold": 0.01})
]


def each_row(X):
    rows = as_rows(X)
    return [rows.block(place, place + 1) for place in range(len(rows))]


def added(component, background, row):
    """What each entry of a row adds to log G, from eq. 12 term by term."""
    theta = dict(zip(component.terms.tolist(), component.theta, strict=True))
    slope = sum(background[term] - share for term, share in theta.items())
    with np.errstate(divide="ignore"):
        ratios = [np.log(theta[n] / background[n]) if n in theta else 0.0 for n in row.columns.tolist()]
    return row.values * (np.array(ratios) + slope)


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("size", [1, 3])
def test_contributions_sum_to_the_scores(size, settings, multilabel):
    X, y = documents(40, 25, 3, seed=size, real=True, multilabel=multilabel)
    model = PoissonMixtureNB(size, random_state=0, **settings).fit(X[:30], y[:30])
    scorer = model._odds_scorer() if multilabel else model._scorer("test")
    for row in each_row(X):
        parts = model.contributions(row)
        expected = scorer.scores(row)[0]
        np.testing.assert_allclose(parts.scores, expected, rtol=1e-9, atol=1e-9)
        assert not np.isnan(parts.entries).any()
        assert not np.isnan(parts.bias).any()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_components_sum_to_their_own_scores_term_by_term(settings):
    X, y = sparse_documents(1)
    model = PoissonMixtureNB(2, random_state=0, **settings).fit(X, y)
    for label, components in zip(model.classes_, model.components_, strict=True):
        together = model.responsibilities(X, label)
        found = model.component_contributions(X, label)
        for row, parts, q in zip(each_row(X), found, together, strict=True):
            np.testing.assert_allclose(parts.responsibilities, q, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(np.exp(parts.bias), [component.weight for component in components])
            for number, component in enumerate(components):
                expected = added(component, model.background_, row)
                np.testing.assert_allclose(parts.entries[:, number], expected, rtol=1e-9, atol=1e-9)


def test_the_bias_is_the_prior_less_what_the_choice_of_a_component_costs():
    X, y = sparse_documents(2)
    model = PoissonMixtureNB(2, random_state=0).fit(X, y)
    one = PoissonMixtureNB(1).fit(X, y)
    for row in each_row(X[:9]):
        np.testing.assert_allclose(one.contributions(row).bias, one.model_.log_priors)
        parts = model.component_parts(row)
        costs = [np.sum(p.responsibilities * (np.log(p.responsibilities) - p.bias)) for p in parts]
        np.testing.assert_allclose(model.contributions(row).bias, model.model_.log_priors - costs)
        assert min(costs) >= -1e-12


def test_a_row_that_a_class_cannot_have_made_says_why():
    X = np.array([[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 3, 1], [0, 1, 2, 1]])
    model = PoissonMixtureNB(smoothing=None).fit(X, ["a", "a", "b", "b"])
    parts = model.contributions(as_rows(np.array([[0, 2, 1, 0]])))
    assert parts.entries[:, 0].tolist() == [pytest.approx(2 * np.log(0.5 / (4 / 14))), -np.inf]
    assert np.isfinite(parts.entries[:, 1]).all()
    nothing = model.contributions(as_rows(np.array([[1, 0, 1, 0]])))  # neither class can have made it
    assert nothing.entries.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    np.testing.assert_allclose(nothing.bias, np.log([0.5, 0.5]))
    empty = model.contributions(as_rows(np.zeros((1, 4))))
    assert empty.entries.shape == (0, 2)
    np.testing.assert_allclose(empty.bias, np.log([0.5, 0.5]))
