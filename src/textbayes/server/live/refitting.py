"""Refit a model at a version: what the settler does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from sklearn.base import clone

from textbayes.server.live.learner import Learner, columns_of
from textbayes.server.live.measuring import measure
from textbayes.server.live.process import Job
from textbayes.server.live.rows import begin_before, catch_up, read_requests
from textbayes.server.store import State, Store, open_store


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
    learner, _ = begin_before(store, model, until)
    for learned in catch_up(store, model, learner, until):
        learner = learned
    if not learner.is_empty:
        if search:
            _search(store, model, learner)
        learner.classifier.settle(always=True)
    return learner


def _search(store: Store, model: str, learner: Learner) -> None:
    """Search for a recipe, on the texts if the store has all: a model keeps only the terms that it uses."""
    states = texts_at(store, model, learner.version)
    if len(states) < learner.classifier.documents_:
        learner.classifier.reconsider()
    else:
        learner.classifier = clone(learner.classifier).fit(*columns_of(states))


def texts_at(store: Store, model: str, version: int) -> list[State]:
    """Return the documents of the store at a version: not those that only a model file had learned."""
    states: dict[str | None, State] = {}
    for rows in read_requests(store, model, 0, version):
        for row in rows:
            states.pop(row.document, None)
            if row.after is not None:
                states[row.document] = row.after
    return list(states.values())


def do_job(job: Job, results: TextIO) -> None:
    """Settle a model, write its file and measure it; write a line of JSON for each result."""
    store = open_store(job.store, None if job.cache is None else Path(job.cache))
    try:
        learner = settle(store, job.model, job.until, job.search)
        states = texts_at(store, job.model, job.until) if job.measure else []
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
        _say(results, {"quality": measure(classifier, states)})


def _say(results: TextIO, value: dict[str, Any]) -> None:
    results.write(json.dumps(value, allow_nan=False) + "\n")
    results.flush()
