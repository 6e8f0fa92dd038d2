"""20 Newsgroups on the cluster: the model of one machine, in any partitioning."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from textbayes import TextClassifier, TextCounter
from textbayes.datasets import load_newsgroups
from textbayes.distributed.spark import TextBayesEstimator

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def newsgroups(shared_data, tmp_path_factory):
    """Return the training texts, their labels, some test texts, and a Parquet file of the training rows."""
    documents = list(load_newsgroups(shared_data("20news-bydate.tar.xz")))
    train = [document for document in documents if document.split == "train"]
    test = [document.text for document in documents if document.split == "test"][:500]
    texts, labels = [document.text for document in train], [document.labels[0] for document in train]
    # A file: rows of createDataFrame pass through the JVM of the driver, and stay in its memory.
    path = tmp_path_factory.mktemp("newsgroups") / "train.parquet"
    parquet.write_table(pa.table({"text": texts, "label": labels}), path, row_group_size=1000)
    return texts, labels, test, str(path)


@pytest.mark.parametrize(
    ("model", "options", "tolerance"),
    [
        ("complement", {"dimensions": 2**18}, 0),
        ("multinomial", {"ngram_range": (1, 2), "min_df": 2}, 0),
        ("twcnb", {}, 1e-12),
    ],
)
def test_the_model_is_that_of_one_machine(spark, newsgroups, model, options, tolerance):
    texts, labels, test, path = newsgroups
    local = TextClassifier(model, TextCounter(**options), keep_documents=False).fit(texts, labels)
    for partitions in (3, 80):
        frame = spark.read.parquet(path).repartition(partitions)
        fitted = TextBayesEstimator(model=model, **options).fit(frame).classifier
        np.testing.assert_allclose(
            fitted.predict_proba(test), local.predict_proba(test), rtol=tolerance, atol=tolerance
        )
