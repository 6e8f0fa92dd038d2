"""The choice between exact updates and any."""

from dataclasses import replace

import numpy as np
import pytest

from textbayes import AutoNB, CostMatrix
from textbayes.counts import as_rows
from textbayes.decisions import Blend
from textbayes.estimators.auto import choosing
from textbayes.estimators.auto.choosing import Choice, choose
from textbayes.estimators.auto.rounds import Plan
from textbayes.measures import Quality
from textbayes.statistics import LabelledRows, as_targets


def topics(documents=120, terms=60, classes=3, seed=0):
    """Documents of noisy topics."""
    random = np.random.default_rng(seed)
    y = np.arange(documents) % classes
    own = (np.arange(terms) % classes == y[:, None]) * 0.4
    return random.poisson(0.3 + own), np.array(list("abc"))[y]


X, y = topics()


def found(updates, candidates="default"):
    documents = LabelledRows(as_rows(X), as_targets(y))
    plan = Plan("macro_f1", candidates, True, updates, None, 0)
    search = plan.search(documents, np.zeros(60, dtype=np.uint8))
    search.run()
    return search


SEARCH = found("auto")
BLEND = Blend(np.empty(0), np.zeros(3), np.empty((0, 3)), np.empty((0, 3)))


def measured(value, spread):
    influences = np.zeros(100)
    influences[:2] = spread / np.sqrt(2)
    return Quality(value, influences)


@pytest.mark.parametrize(
    ("lead", "error", "exact"),
    [(0.004, 0.0, True), (0.006, 0.0, False), (0.02, 0.03, True), (0.04, 0.03, False)],
)
def test_any_must_lead_clearly(monkeypatch, lead, error, exact):
    given = {
        True: Choice([], BLEND, [], measured(0.5, 0.0), None),
        False: Choice(
            [SEARCH.best.candidate.with_parameters(norm=True)],
            replace(BLEND, weights=np.ones(1)),
            [],
            measured(0.5 + lead, error),
            None,
        ),
    }
    monkeypatch.setattr(choosing, "_choose_among", lambda search, blends, columns, additive: given[additive])
    monkeypatch.setattr(SEARCH, "entries", lambda members: [])
    choice, other, _ = choose(SEARCH, True)
    assert choice is given[exact]
    assert other is given[not exact]


def test_both_searches_together_find_what_each_finds_alone():
    exact, anything = found("exact"), found("any")
    assert {one for one in exact.results if one.additive} <= set(SEARCH.results)
    shared = set(anything.results) & set(SEARCH.results)
    assert len(shared) >= 0.8 * len(anything.results)
    assert exact.best.quality.value == SEARCH.best_additive.quality.value
    members = [result.candidate for result in SEARCH.best_per_kind(additive=True)]
    assert members
    assert all(member.additive for member in members)


def test_mean_length_and_length_one_are_not_both_blended():
    kinds = [
        (one.candidate.kind, one.candidate.representation.log, one.candidate.representation.idf)
        for one in SEARCH.best_per_kind()
        if one.candidate.representation.length and one.candidate.per_count
    ]
    assert len(kinds) == len(set(kinds))


def test_a_search_without_candidates_that_add_has_no_choice():
    model = AutoNB(candidates=["linear-svm"], random_state=0).fit(X, y)
    assert model.updates_ == "any"
    assert model.alternative_score_ is None


@pytest.mark.parametrize("blend", [True, False], ids=["blend", "single"])
def test_the_choice_is_told(blend):
    model = AutoNB(random_state=0, blend=blend).fit(X, y)
    assert model.updates_ == ("exact" if model.recipe_.additive else "any")
    compared = model.leaderboard_.compared
    if compared is None:
        assert model.updates_ == "exact"
        assert model.alternative_score_ is None
    else:
        assert compared == (model.updates_, model.best_score_, model.alternative_score_)
        assert str(compared) in repr(model.leaderboard_)


def test_by_hand():
    exact = AutoNB(updates="exact", random_state=0).fit(X, y)
    assert exact.updates_ == "exact"
    assert exact.alternative_score_ is None
    assert AutoNB(updates="any", candidates=["linear-svm"], random_state=0).fit(X, y).updates_ == "any"


def sole(several):
    """Two classes of twenty documents, and one of a single document whose words no other has."""
    counts = np.zeros((41, 9), dtype=np.int64)
    random = np.random.default_rng(0)
    counts[:20, :3], counts[20:40, 3:6] = random.integers(1, 4, (2, 20, 3))
    counts[40, 6:] = 1
    labels = np.repeat([0, 1, 2], [20, 20, 1])
    return counts, np.eye(3, dtype=int)[labels] if several else labels


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("blends", [False, True])
def test_the_only_document_of_a_class_is_an_error(several, blends):
    counts, labels = sole(several)
    found = AutoNB(blend=blends).fit(counts, labels)
    # Without its document, no model can know the class: its F1 is 0.
    for entry in found.leaderboard_:
        assert entry.score <= 2 / 3
        assert entry.interval[1] < 1
    assert found.best_score_ == pytest.approx(2 / 3, abs=0.05)


@pytest.mark.parametrize("metric", ["accuracy", "micro_f1", CostMatrix(1.0 - np.eye(3), range(3))])
def test_the_only_document_of_a_class_counts_in_every_metric(metric):
    found = AutoNB(metric=metric).fit(*sole(False))
    best = found.best_score_ + (1.0 if isinstance(metric, CostMatrix) else 0.0)
    assert best == pytest.approx(40 / 41)
