"""A store is a list of changes: the documents, the history and the receipts all follow from it."""

from __future__ import annotations

from itertools import count

import pytest

from examples import examples

pytest.importorskip("sqlalchemy")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from textbayes.errors import (
    DocumentUnknownError,
    NothingToUndoError,
    TextbayesError,
    UndoConflictError,
    VersionUnknownError,
)
from textbayes.server.store import (
    Put,
    Receipt,
    Relabel,
    Remove,
    RemoveLearned,
    RemoveText,
    Request,
    State,
    Undo,
    open_store,
)

WORDS = ("wheat", "보리", "قمح")
IDS = ("a", "b", "ㄷ")
CANNOT_UNDO = (NothingToUndoError, UndoConflictError, VersionUnknownError)

texts = st.sampled_from(WORDS)
labels = st.sampled_from(["grain", "oil"])
weights = st.sampled_from([1.0, 2.0])
ids = st.sampled_from(IDS)
edits = st.one_of(
    st.builds(Put, texts, labels, weights, ids),
    st.builds(Put, texts, labels),
    st.builds(Relabel, ids, labels, st.none() | texts, st.none() | weights),
    st.builds(Remove, ids, st.booleans()),
    st.builds(RemoveText, texts, labels, weights),
    st.builds(RemoveLearned, texts, labels),
)
undos = st.builds(Undo) | st.builds(Undo, st.integers(1, 12)) | st.builds(Undo, st.none(), st.integers(1, 12))
actors = st.sampled_from(["eve", "bob"])
# Undo stands alone, so that the plain model below need not know what it does.
requests = st.tuples(st.lists(edits, max_size=4).map(tuple) | undos.map(lambda undo: (undo,)), actors)
batches = st.lists(st.lists(requests, min_size=1, max_size=4), max_size=6)


class PlainModel:
    """Documents in a dict, changed as requests say."""

    def __init__(self):
        self.documents: dict[str, State] = {}
        self.order: dict[str, int] = {}

    def expected(self, request, receipt):
        """The documents after a request, or None if it must fail."""
        now, order = dict(self.documents), dict(self.order)
        outcomes = iter(receipt.outcomes if isinstance(receipt, Receipt) else ())
        for place, edit in enumerate(request.edits):
            made = next(outcomes, None)
            match edit:
                case Put(text, label, weight, id):
                    after = State(text, label, weight)
                    id = id or (made.id if made else f"new {place}")
                case Relabel(id, label, text, weight):
                    before = now.get(id)
                    if before is None:
                        return None
                    after = State(text or before.text, label, weight or before.weight)
                case Remove(id, erase):
                    if id not in now and not (erase and id in self.order | order):
                        return None
                    after = None
                case RemoveText(text, label, weight):
                    found = [id for id, state in now.items() if state == State(text, label, weight)]
                    if not found:
                        return None
                    id, after = max(found, key=order.__getitem__), None
                case RemoveLearned():
                    continue
            if now.get(id) != after:
                order[id] = max(order.values(), default=0) + 1
            now.pop(id, None)
            if after is not None:
                now[id] = after
        return now, order


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stores")
    location = folder / "store"
    if request.param == "postgresql":
        location = request.getfixturevalue("postgres").new_schema()
    store = open_store(location, folder / "cache")
    yield store
    store.close()


@pytest.fixture(scope="module")
def writer(store):
    return store.become_writer("")


numbers = count()


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(batches)
def test_requests_against_a_dict(store, writer, batches):
    model = f"model {next(numbers)}"
    writer.add_model(model)
    plain = PlainModel()
    keyed = []
    for batch in batches:
        made = [
            Request(model, edits, actor, key=f"{len(keyed) + place}", digest="d")
            for place, (edits, actor) in enumerate(batch)
        ]
        receipts = writer.commit(made)
        for request, receipt in zip(made, receipts, strict=True):
            follow(store, plain, request, receipt)
        keyed += zip(made, receipts, strict=True)
    check_laws(store, model, plain)
    check_repeated(store, writer, model, keyed)
    check_undone(store, writer, model)
    writer.remove_model(model)


def follow(store, plain, request, receipt):
    """Compare what became of a request with what the plain model says."""
    if any(isinstance(edit, Undo) for edit in request.edits):
        if isinstance(receipt, TextbayesError):
            assert isinstance(receipt, CANNOT_UNDO)
            return
        for change in store.changes(request.model, receipt.first - 1, receipt.last):
            [undone] = store.changes(request.model, change.undoes - 1, change.undoes)
            assert (change.kind, change.document) == ("undo", undone.document)
            assert (change.before, change.after) == (undone.after, undone.before)
            follow_undo(plain, change)
        return
    expected = plain.expected(request, receipt)
    if expected is None:
        assert isinstance(receipt, DocumentUnknownError)
        return
    assert isinstance(receipt, Receipt), receipt
    assert not receipt.repeated
    plain.documents, plain.order = expected


def follow_undo(plain, change):
    if change.document is None:
        return
    assert plain.documents.get(change.document) == change.before
    plain.documents.pop(change.document, None)
    if change.after is not None:
        plain.documents[change.document] = change.after
    plain.order[change.document] = max(plain.order.values(), default=0) + 1


def check_laws(store, model, plain):
    """The table of documents, the replay of all changes and the dict are the same."""
    head = store.heads()[model]
    changes = store.changes(model, 0)
    assert [change.version for change in changes] == list(range(1, head + 1))
    replayed = {}
    for change in changes:
        assert change.request <= change.version
        if change.document is not None:
            assert replayed.get(change.document) == change.before
            replayed.pop(change.document, None)
            if change.after is not None:
                replayed[change.document] = change.after
    page = store.documents(model, limit=1000)
    table = {found.id: State(found.text, found.labels, found.weight) for found in page.items}
    assert table == replayed == plain.documents
    assert store.count(model) == page.total == len(table)
    for found in page.items:
        assert found.version == max(change.version for change in changes if change.document == found.id)
    for id in IDS:
        own = [change for change in changes if change.document == id]
        assert list(reversed(store.history(model, document=id).items)) == own
    for word in WORDS:
        having = {id for id, state in table.items() if state.text == word}
        assert {found.id for found in store.documents(model, search=word).items} == having


def check_repeated(store, writer, model, keyed):
    """The same keys again change nothing, and the receipts are the same."""
    head = store.heads()[model]
    good = [(request, receipt) for request, receipt in keyed if isinstance(receipt, Receipt)]
    again = writer.commit([request for request, _ in good])
    for (_, first), second in zip(good, again, strict=True):
        assert second.repeated
        assert (second.first, second.last, second.outcomes) == (first.first, first.last, first.outcomes)
    assert store.heads()[model] == head


def check_undone(store, writer, model):
    """Undo of all that is in force, the newest first, gives the beginning; undo of that the end."""
    before = {found.id: found.text for found in store.documents(model, limit=1000).items}
    in_force = [
        change.version
        for change in reversed(store.changes(model, 0))
        if change.kind != "undo" and change.undone_by is None
    ]
    if not in_force:
        assert before == {}
        return
    [receipt] = writer.commit([Request(model, tuple(Undo(version) for version in in_force), "eve")])
    assert isinstance(receipt, Receipt), receipt
    assert store.count(model) == 0
    assert not [
        change for change in store.changes(model, 0) if change.kind != "undo" and not change.undone_by
    ]
    [receipt] = writer.commit([Request(model, (Undo(request=receipt.first),), "eve")])
    assert isinstance(receipt, Receipt), receipt
    assert {found.id: found.text for found in store.documents(model, limit=1000).items} == before
    newest = [change for change in store.changes(model, 0) if change.kind != "undo" and not change.undone_by]
    assert sorted(in_force) == [change.version for change in newest]
