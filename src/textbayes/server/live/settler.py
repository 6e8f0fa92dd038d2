"""The process that settles a model: it learns rows, refits, writes a model file and measures the model.

It runs apart from the server, so that a refit takes no time from requests and leaves no memory behind. It
reads one job from its standard input, as JSON, and writes a line of JSON for each result: first the model
file, then its quality. It ends if the server does.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, TextIO

from sklearn.base import clone

from textbayes.errors import TextbayesError
from textbayes.estimators import TextClassifier
from textbayes.server.live.learner import Learner, columns_of
from textbayes.server.live.process import Job
from textbayes.server.live.rows import begin, catch_up, read_requests, snapshot_at
from textbayes.server.store import State, Store, open_store

_NICE = 10


def settle(store: Store, model: str, until: int, search: bool = False) -> Learner:
    """Return a model at a version, settled, from the newest snapshot before it and the rows after that.

    Parameters
    ----------
    store : Store
        The store.
    model : str
        The name of the model.
    until : int
        The version.
    search : bool, default=False
        Search for a recipe again.
    """
    learner = begin(store, snapshot_at(store.snapshots(model), until))
    for learned in catch_up(store, model, learner, until):
        learner = learned
    if not learner.is_empty:
        if search:
            _search(store, model, learner)
        learner.classifier.settle(always=True)
    return learner


def _search(store: Store, model: str, learner: Learner) -> None:
    """Search for a recipe, on the texts if the store has all: a model keeps only the terms that it uses."""
    states = _texts_at(store, model, learner.version)
    if states is None:
        learner.classifier.reconsider()
    else:
        learner.classifier = clone(learner.classifier).fit(*columns_of(states))


def _texts_at(store: Store, model: str, version: int) -> list[State] | None:
    """Return the documents at a version; None if the model has learned others, from a model file."""
    if any(each.effective == 0 for each in store.snapshots(model)):
        return None
    states: dict[str | None, State] = {}
    for rows in read_requests(store, model, 0, version):
        for row in rows:
            if row.kind == "file":
                return None
            states.pop(row.document, None)
            if row.after is not None:
                states[row.document] = row.after
    return list(states.values())


def _work(job: Job, results: TextIO) -> None:
    store = open_store(job.store, None if job.cache is None else Path(job.cache))
    try:
        learner = settle(store, job.model, job.until, job.search)
    finally:
        store.close()
    if learner.is_empty:
        _say(results, {"empty": True, "failed": learner.failed})
        return
    classifier = learner.classifier
    documents = classifier.documents_
    classifier.save(job.file)
    _say(results, {"file": job.file, "documents": documents, "failed": learner.failed})
    if job.measure:
        _say(results, {"quality": _measured(classifier, documents)})


def _measured(classifier: TextClassifier, documents: int) -> dict[str, Any]:
    """Return the leave-one-out quality, or only the number of documents if it cannot be measured."""
    found: dict[str, Any] = {"documents": documents}
    start = time.perf_counter()
    with contextlib.suppress(TextbayesError):
        measured = classifier.leave_one_out()
        if measured is not None:
            found |= {"accuracy": measured.accuracy, "macro_f1": measured.macro_f1}
    return {**found, "seconds": round(time.perf_counter() - start, 3)}


def _say(results: TextIO, value: dict[str, Any]) -> None:
    results.write(json.dumps(value, allow_nan=False) + "\n")
    results.flush()


def _end_with(server: int) -> None:
    """End this process when the other end of a pipe is closed: the server has stopped, or was killed."""
    while os.read(server, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Do one job."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    job = Job(**json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_end_with, args=(sys.stdin.fileno(),), daemon=True).start()
    try:
        _work(job, sys.stdout)
    except TextbayesError as error:
        _say(sys.stdout, {"code": error.code, "message": str(error)})
        sys.exit(2)


if __name__ == "__main__":
    main()
