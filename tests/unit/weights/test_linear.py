"""Sums of absolute weights without a table, and priors."""

import numpy as np
import pytest

from reference.variants import documents
from textbayes.counts import as_rows
from textbayes.errors import ParameterError
from textbayes.statistics import ClassStatistics, LabelledRows, as_targets
from textbayes.weights import LinearWeights, log_prior


def learned():
    X, y = documents(50, 20, 4)
    statistics = ClassStatistics(20, multilabel=False)
    statistics.add(LabelledRows(as_rows(X), as_targets(y)))
    return statistics


@pytest.mark.parametrize("slope", [-3.0, -1.0, 0.0, 0.5, 3.0])
def test_the_sum_of_absolute_weights_whatever_their_sign(slope):
    # Weights below and above zero, some on the edge: the defaults are sorted once and cut there.
    statistics = learned()
    rng = np.random.default_rng(3)
    default = rng.choice([-1.0, 0.0, 0.5, 1.0, 3.0], size=20)
    weights = LinearWeights(np.zeros(4), np.full(4, slope), default, complement_alpha=0.5)
    scale = weights.normalised(statistics).scale[statistics.order]
    np.testing.assert_allclose(1 / scale, np.abs(weights.table(statistics)).sum(axis=1))


def test_weights_of_nothing_stay_nothing():
    statistics = learned()
    weights = LinearWeights(np.zeros(4)).normalised(statistics)
    assert not weights.table(statistics).any()


def test_priors():
    statistics = learned()
    share = np.exp(log_prior(statistics, True, None))
    np.testing.assert_allclose(share, statistics.class_documents / 50)
    np.testing.assert_allclose(np.exp(log_prior(statistics, False, None)), 0.25)
    given = np.exp(log_prior(statistics, True, [0.1, 0.2, 0.3, 0.4]))
    np.testing.assert_allclose(given[statistics.order], [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(ParameterError, match="class_prior"):
        log_prior(statistics, True, [0.1, 0.9])
