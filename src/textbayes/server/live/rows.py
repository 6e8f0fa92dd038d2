"""Read the rows of a store for learning, whole requests at a time, and the snapshot to begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from textbayes.errors import TextbayesError
from textbayes.estimators import TextClassifier
from textbayes.estimators.text.loading import load_learner
from textbayes.server.live.learner import Learner, documents_of
from textbayes.server.store import Change, Snapshot, Store

_ROWS = 1000
_REPLACED = ("recipe", "file")


def read_requests(store: Store, model: str, after: int, until: int | None = None) -> Iterator[list[Change]]:
    """Yield the rows after a version, in lists that end where a request ends."""
    found: list[Change] = []
    while True:
        read = found[-1].version if found else after
        page = store.changes(model, read, until, _ROWS)
        found += page
        if len(page) < _ROWS:  # the last rows: a request is stored as a whole
            break
        whole = [change for change in found if change.request != found[-1].request]
        if whole:
            yield whole
            after, found = whole[-1].version, found[len(whole) :]
    if found:
        yield found


def snapshot_at(snapshots: Iterable[Snapshot], version: int | None) -> Snapshot | None:
    """Return the snapshot that a version is rebuilt from, or None to begin with nothing."""
    usable = [each for each in snapshots if version is None or each.effective <= version]
    return max(usable, key=lambda each: (each.effective, each.covers), default=None)


def begin(store: Store, snapshot: Snapshot | None) -> Learner:
    """Return a learner at the version of a snapshot."""
    if snapshot is None:
        return Learner(TextClassifier())
    classifier = load_learner(store.fetch(snapshot), "learn")
    if documents_of(classifier):
        classifier.prepare()
    return Learner(classifier, snapshot.covers)


def begin_before(
    store: Store, model: str, version: int | None = None, warn: Callable[[str], None] | None = None
) -> tuple[Learner, Snapshot | None]:
    """Return a learner from the newest snapshot for a version, or an older one if that is lost or damaged.

    The rows are the truth: an older snapshot and more rows give the same model.

    Raises
    ------
    TextbayesError
        If the snapshot that a row has put in place of the model is damaged, or all are.
    """
    snapshots = [each for each in store.snapshots(model) if version is None or each.effective <= version]
    while snapshots:
        snapshot = snapshot_at(snapshots, None)
        assert snapshot is not None
        try:
            return begin(store, snapshot), snapshot
        except TextbayesError as error:
            if snapshot.effective == 0 or snapshot.effective != snapshot.covers:
                raise  # nothing else leads to this version
            if warn is not None:
                warn(f"{model}: a model file cannot be used, so an older one is: {error}")
        snapshots.remove(snapshot)
    return begin(store, None), None


def catch_up(store: Store, model: str, learner: Learner, until: int | None = None) -> Iterator[Learner]:
    """Learn the rows after the version of a learner; yield another learner after every some rows.

    A row for a new recipe, or another model file, makes it go on with the snapshot of that row.
    """
    for rows in read_requests(store, model, learner.version, until):
        replaced = [place for place, row in enumerate(rows) if row.kind in _REPLACED]
        if replaced:
            learner = _replaced(store, model, rows[replaced[-1]].version, learner)
            rows = rows[replaced[-1] + 1 :]
        learner = learner.fork()
        learner.learn(rows)
        yield learner


def _replaced(store: Store, model: str, version: int, before: Learner) -> Learner:
    """Return a learner at the version of a row that replaced the model."""
    snapshot = snapshot_at(store.snapshots(model), version)
    learner = begin(store, snapshot)
    learner.failed = list(before.failed)
    for rows in read_requests(store, model, learner.version, version):
        learner.learn([row for row in rows if row.kind not in _REPLACED])
    learner.version = version
    return learner
