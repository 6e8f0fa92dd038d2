"""The search on a sample, which does not depend on partitions."""

import logging

import numpy as np
import pytest
from spark_texts import docstrings, frame_of

from textbayes.distributed.spark import TextBayesEstimator
from textbayes.distributed.spark.sampling import sample_texts
from textbayes.errors import ParameterError

TEXTS, LABELS = docstrings(300)


def test_a_sample_depends_on_the_rows_alone(spark):
    texts, labels = [*TEXTS, *TEXTS[:20]], [*LABELS, *LABELS[20:40]]
    samples = [
        sample_texts(frame_of(spark, texts, labels, partitions, seed=partitions), "text", "label", 50)
        for partitions in (1, 4)
    ]
    assert samples[0] == samples[1]
    assert len(samples[0][0]) == 50
    assert set(zip(*samples[0], strict=True)) <= set(zip(texts, labels, strict=True))


def test_the_size_of_a_sample_is_checked(spark):
    with pytest.raises(ParameterError, match="sample_size"):
        TextBayesEstimator(sample_size=0).fit(frame_of(spark, TEXTS, LABELS))


@pytest.mark.slow
def test_auto_is_the_same_for_all_partitionings(spark, caplog):
    found = []
    with caplog.at_level(logging.INFO, "textbayes"):
        for partitions in (2, 5):
            frame = frame_of(spark, TEXTS, LABELS, partitions, seed=partitions)
            found.append(TextBayesEstimator(sample_size=200).fit(frame).classifier)
    np.testing.assert_allclose(*(each.predict_proba(TEXTS) for each in found), rtol=1e-12)
    assert (found[0].predict(TEXTS) == LABELS).mean() > 0.7
    assert caplog.records
