"""The one table of metrics: what compare shows is what the search maximises."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from textbayes.cli.compare import METRICS as METRICS_OF_THE_COMMAND
from textbayes.measures import METRICS, SEARCHED_METRICS, break_even_decisions, objective, quality

CLASSES = ["a/b", "a/c", "ö", "ö/名", "ö/名/ñ"]


def answers(multilabel, seed=0, documents=200, classes=5):
    """Scores that are log probabilities or log odds, and what follows from them."""
    random = np.random.default_rng(seed)
    if multilabel:
        truth = random.random((documents, classes)) < 0.3
    else:
        truth = np.eye(classes, dtype=bool)[random.integers(classes, size=documents)]
    scores = truth + random.normal(size=truth.shape)
    if multilabel:
        decided, chances = break_even_decisions(scores, truth), 1 / (1 + np.exp(-scores))
    else:
        decided = np.eye(classes, dtype=bool)[scores.argmax(axis=1)]
        chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    indicators = {
        name: sparse.csr_array(each.astype(int)) for name, each in (("truth", truth), ("decided", decided))
    }
    given = {**indicators, "scores": scores, "probabilities": chances, "classes": CLASSES}
    return SimpleNamespace(**given, multilabel=multilabel), truth


@pytest.mark.parametrize("multilabel", [False, True])
@pytest.mark.parametrize("metric", SEARCHED_METRICS)
def test_the_search_maximises_what_compare_shows(metric, multilabel):
    given, truth = answers(multilabel)
    shown = METRICS[metric].measure(given).value
    found = quality(given.scores, truth, objective(metric, CLASSES, multilabel), multilabel).value
    assert found == pytest.approx(shown if METRICS[metric].larger_is_better else -shown)


@pytest.mark.parametrize("multilabel", [False, True])
@pytest.mark.parametrize("metric", METRICS)
def test_classes_have_figures_where_the_table_says_so(metric, multilabel):
    found = METRICS[metric].measure(answers(multilabel)[0])
    assert 0 < found.value < (2 if metric == "log_loss" else 1)
    assert (found.per_class is not None) == METRICS[metric].by_class


def test_the_command_line_reads_the_table():
    assert METRICS_OF_THE_COMMAND is METRICS
