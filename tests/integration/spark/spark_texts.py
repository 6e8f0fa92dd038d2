"""Labelled texts for the tests, as data frames."""

import random

from textbayes.datasets import load_docstrings


def docstrings(size: int = 400) -> tuple[list[str], list[str]]:
    """Return some texts of the built-in corpus, with their labels."""
    documents = [(document.text, document.labels[0]) for document in load_docstrings()]
    chosen = random.Random(7).sample(documents, size)
    return [text for text, _ in chosen], [label for _, label in chosen]


def frame_of(spark, texts, labels, partitions=3, kind="string", seed=0):
    """Return a data frame with its rows in another order, in this many partitions."""
    rows = list(zip(texts, labels, strict=True))
    random.Random(seed).shuffle(rows)
    frame = spark.createDataFrame(rows, f"text string, label {kind}")
    return frame.repartition(partitions)
