"""Tasks of spark.py, each in a process of its own: ``python spark_tasks.py TASK JSON`` prints JSON."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from corpora import newsgroups_or_docstrings
from textbayes import TextClassifier, TextCounter
from textbayes.datasets import load_docstrings, load_newsgroups
from textbayes.distributed import count_batches, finish, merge_shards, plan_fit

COLUMNS = 2**18
PARTITIONS = 8
# Java compiles what runs often, on both sides.
WARM_UP = 2
# Spark ends Python processes that were idle for 60 seconds.
IDLE = 70
OURS, PEER = "textbayes", "MLlib"


def session(executors: int = 2, memory: str = "1536") -> Any:
    """Start a cluster of executors with one core each."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,{memory}]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.driver.maxResultSize": "0",
        "spark.executor.memory": f"{memory}m",
        "spark.sql.shuffle.partitions": "8",
        "spark.log.level": "ERROR",
    }
    return builder.config(map=settings).getOrCreate()


# Data.


def split_texts(documents: int | None) -> tuple[Any, Any]:
    """Return the training side and the test side of the corpus."""
    corpus = load_docstrings() if newsgroups_or_docstrings().stand_in else load_newsgroups()
    step = 1 if documents is None else max(1, len(corpus.train) // documents)
    return corpus.train[::step], corpus.test[::step]


def written(folder: str, name: str, texts: list[str], labels: list[str], copies: int = 1) -> tuple[str, int]:
    """Write Parquet files with one partition each; return their folder and the size of the texts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(folder) / name
    size = copies * sum(len(text.encode(errors="replace")) for text in texts)
    if path.exists():
        return str(path), size
    path.mkdir(parents=True)
    numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
    texts = [text.encode(errors="replace").decode() for text in texts]
    table = pa.table({"text": texts, "label": [float(numbers[label]) for label in labels]})
    table = pa.concat_tables([table] * copies)
    for part in range(PARTITIONS):
        rows = range(part, len(table), PARTITIONS)
        pq.write_table(table.take(list(rows)), path / f"{part}.parquet")
    return str(path), size


# Contestants.


def peer_pipeline(idf: bool) -> Any:
    """Return MLlib's pipeline."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import NaiveBayes
    from pyspark.ml.feature import IDF, HashingTF, Tokenizer

    counted = "counts" if idf else "features"
    stages = [Tokenizer(inputCol="text", outputCol="words")]
    stages.append(HashingTF(inputCol="words", outputCol=counted, numFeatures=COLUMNS))
    if idf:
        stages.append(IDF(inputCol="counts", outputCol="features"))
    return Pipeline(stages=[*stages, NaiveBayes(modelType="complement")])


def our_estimator(idf: bool) -> Any:
    """Return our estimator."""
    from textbayes.distributed.spark import TextBayesEstimator

    return TextBayesEstimator(model="twcnb" if idf else "complement", dimensions=COLUMNS)


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """Run something; return its result and the seconds."""
    start = time.perf_counter()
    return run(), time.perf_counter() - start


def consume(frame: Any) -> None:
    """Compute every row, and drop it."""
    frame.write.format("noop").mode("overwrite").save()


# Tasks.


def speed(folder: str, rounds: int, copies: int, documents: int | None, cold: bool) -> dict[str, Any]:
    """Time fits and predictions of both, interleaved, and compare their accuracy."""
    train, test = split_texts(documents)
    train_path, train_size = written(folder, "train", train.texts, train.label, copies)
    test_path, test_size = written(folder, "test", test.texts, test.label, copies)
    once, _ = written(folder, "once", test.texts, test.label)
    spark = session()
    data, texts = spark.read.parquet(train_path), spark.read.parquet(test_path)
    seconds: dict[str, dict[str, list[float]]] = {}
    accuracy: dict[str, dict[str, float]] = {}
    for idf in (False, True):
        kind = "with idf" if idf else "of counts"
        # Always in this order: Spark ends Python processes that were idle for a minute, as they would be if
        # the peer had two turns.
        makers = {PEER: lambda idf=idf: peer_pipeline(idf), OURS: lambda idf=idf: our_estimator(idf)}
        models: dict[str, Any] = {}
        for number in range(rounds + WARM_UP):
            for who in makers:
                if cold and who == OURS and number >= WARM_UP:
                    time.sleep(IDLE)
                models[who], fit = timed(lambda who=who, makers=makers: makers[who]().fit(data))
                _, answer = timed(lambda who=who, models=models: consume(models[who].transform(texts)))
                if number >= WARM_UP:
                    for name, own in ((f"fit {kind}", fit), (f"transform {kind}", answer)):
                        seconds.setdefault(name, {}).setdefault(who, []).append(own)
        frame = spark.read.parquet(once)
        accuracy[kind] = {who: _accuracy(models[who], frame) for who in (OURS, PEER)}
    spark.stop()
    return {"seconds": seconds, "accuracy": accuracy, "bytes": {"fit": train_size, "transform": test_size}}


def _accuracy(model: Any, frame: Any) -> float:
    predicted = model.transform(frame)
    return float(predicted.selectExpr("avg(int(label = prediction))").first()[0])


def executors(
    folder: str, executors: int, rounds: int, copies: int, documents: int | None
) -> dict[str, dict[str, list[float]]]:
    """Time our fit and predictions on a number of executors."""
    train, test = split_texts(documents)
    train_path, _ = written(folder, "train", train.texts, train.label, copies)
    test_path, _ = written(folder, "test", test.texts, test.label, copies)
    spark = session(executors)
    data, texts = spark.read.parquet(train_path), spark.read.parquet(test_path)
    seconds: dict[str, list[float]] = {"fit": [], "transform": []}
    for number in range(rounds + WARM_UP):
        model, fit = timed(lambda: our_estimator(False).fit(data))
        _, answer = timed(lambda model=model: consume(model.transform(texts)))
        if number >= WARM_UP:
            seconds["fit"].append(fit)
            seconds["transform"].append(answer)
    spark.stop()
    return {"seconds": seconds}


def memory(folder: str, who: str, classes: int, documents: int = 200_000) -> dict[str, float]:
    """Fit short texts of many classes; return the peak memory of the driver's processes."""
    draw = np.random.default_rng(0)
    words = draw.integers(0, 50_000, (documents, 9))
    labels = [f"c{number % classes}" for number in range(documents)]
    texts = [
        f"own{label} " + " ".join(f"w{word}" for word in row)
        for label, row in zip(labels, words, strict=True)
    ]
    path, _ = written(folder, f"classes{classes}", texts, labels)
    del words, texts
    spark = session()
    data = spark.read.parquet(path)
    estimator = our_estimator(False) if who == OURS else peer_pipeline(False)
    _, seconds = timed(lambda: estimator.fit(data))
    megabytes = sum(map(_peak, (os.getpid(), _java_of(os.getpid())))) / 1024
    spark.stop()
    return {"megabytes": megabytes, "seconds": seconds}


def _java_of(parent: int) -> int:
    """Return the JVM of the driver: the first Java process below this one."""
    import psutil

    children = psutil.Process(parent).children(recursive=True)
    return next(child.pid for child in children if "java" in child.name())


def _peak(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def scale(folder: str, documents: int | None) -> dict[str, Any]:  # noqa: ARG001
    """Count growing amounts of text in one process, and merge them, by CPU time."""
    import pyarrow as pa

    train, test = split_texts(documents)
    texts = [text.encode(errors="replace").decode() for text in [*train.texts, *test.texts]]
    labels = [*train.label, *test.label]
    classifier = TextClassifier("complement", TextCounter(dimensions=COLUMNS), keep_documents=False)
    plan, steps = plan_fit(classifier), []
    for share in (8, 4, 2, 1):
        own = slice(0, len(texts) // share)
        batch = pa.record_batch({"text": texts[own], "label": labels[own]})
        blobs, count = _cpu(lambda batch=batch: list(count_batches([batch], plan)))
        merged, added = _cpu(lambda blobs=blobs: merge_shards([*blobs, *blobs, *blobs, *blobs]))
        _, made = _cpu(lambda merged=merged: finish(merged, plan, classifier))
        size = sum(len(blob) for _, blob in blobs)
        steps.append(
            {"bytes": batch.nbytes, "count": count, "blobs": size, "merge": added / 4, "finish": made}
        )
    return {"steps": steps, "growth": _growth(steps)}


def _growth(steps: list[dict[str, float]]) -> dict[str, float]:
    """Extrapolate the size of a task's blobs by the power law of the sizes seen (Heaps)."""
    logs = np.log([[step["bytes"], step["blobs"]] for step in steps])
    slope, start = np.polyfit(logs[:, 0], logs[:, 1], 1)
    return {str(size): float(np.exp(start + slope * np.log(size * 1e9))) for size in (1, 4, 16)}


def _cpu(run: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return run(), time.process_time() - start


if __name__ == "__main__":
    found: Any
    with contextlib.redirect_stdout(sys.stderr):
        found = {task.__name__: task for task in (speed, executors, memory, scale)}[sys.argv[1]](
            **json.loads(sys.argv[2])
        )
    print(json.dumps(found))
