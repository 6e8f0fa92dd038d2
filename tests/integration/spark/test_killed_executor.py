"""An executor that is killed in mid-job costs time, and nothing else."""

import os
import signal
import threading

import numpy as np
from spark_texts import docstrings, frame_of

from spark_cluster import wait_until
from textbayes import TextClassifier, TextCounter
from textbayes.distributed.spark import TextBayesEstimator

TEXTS, LABELS = docstrings(300)


def test_the_model_is_the_same(cluster, spark, tmp_path):
    from pyspark.sql import functions as F

    started, goes_on = tmp_path / "started", tmp_path / "goes on"

    @F.udf("string")
    def wait_once(text):
        """Say that a task runs, and wait until an executor was killed."""
        import time
        from pathlib import Path

        Path(started).touch()
        while not Path(goes_on).exists():
            time.sleep(0.05)
        return text

    application = spark.sparkContext.applicationId
    frame = frame_of(spark, TEXTS, LABELS, 6)
    before = cluster.executors(application)
    assert len(before) == 2
    killed = []

    def kill():
        try:
            wait_until(started.exists)
            os.kill(before[0], signal.SIGKILL)
            wait_until(lambda: before[0] not in cluster.executors(application), seconds=60)
            killed.append(before[0])
        finally:
            goes_on.touch()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        slow = frame.withColumn("text", wait_once("text"))
        model = TextBayesEstimator(model="complement", dimensions=2**16).fit(slow)
    finally:
        started.touch()
        killer.join()
    assert killed == [before[0]]
    wait_until(lambda: len(cluster.executors(application)) == 2)
    assert set(cluster.executors(application)) != set(before)
    counter = TextCounter(dimensions=2**16)
    local = TextClassifier("complement", counter, keep_documents=False).fit(TEXTS, LABELS)
    np.testing.assert_array_equal(model.classifier.predict_proba(TEXTS), local.predict_proba(TEXTS))
