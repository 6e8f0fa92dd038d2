"""Erased texts leave every row, every index and every file."""

import pytest

from textbayes.errors import DocumentUnknownError, NothingToUndoError
from textbayes.server.store import Answer, Put, Relabel, Remove, Undo

SECRET = "zanzibar"


@pytest.fixture
def covered(writer, model_file, store):
    """Return a function that adds a snapshot of the newest version and scrubs."""

    def covered():
        head = store.heads()["mail"]
        writer.add_snapshot("mail", model_file(b"%d" % head), head)
        return writer.scrub("mail", head)

    return covered


def states(store):
    return [(change.kind, change.before, change.after) for change in store.changes("mail", 0)]


def test_an_erasure(store, ask, covered, kept, location):
    ask(Put(f"my {SECRET} text", f"{SECRET}-label", id="x"), Put("other", "a", id="y"))
    ask(Put(f"my new {SECRET} text", "a", id="x"))
    assert ask(Remove("x", erase=True)).outcomes[0].change == "forgot"
    assert store.changes("mail", 0)[-1].kind == "erase"
    assert store.document("mail", "x") is None
    assert covered() == 1
    gone = ("erased", None, None)
    found = states(store)
    assert [found[0], *found[2:]] == [gone] * 3
    assert found[1][2].text == "other"
    assert covered() == 0
    assert store.documents("mail", search="other").total == 1
    if kept.is_folder:
        for path in location.rglob("*"):
            assert path.is_dir() or SECRET.encode() not in path.read_bytes(), path


def test_not_before_a_snapshot_covers_it(store, ask, writer, model_file):
    ask(Put("secret", "a", id="x"))
    writer.add_snapshot("mail", model_file(), 1)
    ask(Remove("x", erase=True))
    assert writer.scrub("mail", 2) == 0
    writer.add_snapshot("mail", model_file(b"2"), 2)
    assert writer.scrub("mail", 1) == 0
    assert writer.scrub("mail", 2) == 1


def test_the_same_id_again_is_a_new_document(store, ask, covered, texts):
    ask(Put("secret", "a", id="x"))
    ask(Remove("x", erase=True))
    ask(Put("public", "a", id="x"))
    assert covered() == 1
    assert texts() == {"x": ("public", "a")}
    assert [change.kind for change in store.changes("mail", 0)] == ["erased", "erased", "teach"]
    ask(Undo())
    assert texts() == {}


def test_a_document_that_was_forgotten_before(store, ask, covered):
    ask(Put("secret", "a", id="x"))
    ask(Remove("x"))
    ask(Remove("x", erase=True))
    change = store.changes("mail", 2)[0]
    assert (change.kind, change.before, change.after) == ("erase", None, None)
    assert covered() == 1
    assert states(store) == [("erased", None, None)] * 3
    with pytest.raises(DocumentUnknownError):
        ask(Remove("x", erase=True))


def test_an_erasure_that_was_undone_is_not_made(store, ask, covered, texts):
    ask(Put("secret", "a", id="x"))
    ask(Remove("x", erase=True))
    ask(Undo())
    assert covered() == 0
    assert texts() == {"x": ("secret", "a")}


def test_an_erasure_that_was_redone_is(store, ask, covered, texts):
    ask(Put("secret", "a", id="x"))
    ask(Remove("x", erase=True))
    ask(Undo(version=2))
    ask(Undo(version=3))
    assert texts() == {}
    assert covered() == 1
    assert states(store) == [("erased", None, None)] * 4


def test_an_erased_change_cannot_be_undone(store, ask, covered):
    ask(Put("secret", "a", id="x"))
    ask(Remove("x", erase=True))
    covered()
    for undo in (Undo(), Undo(version=1), Undo(version=2), Undo(request=2)):
        with pytest.raises(NothingToUndoError):
            ask(undo)


def test_receipts_of_erased_changes(ask, covered):
    first = ask(Put("secret", "a", id="x"), key="k")
    ask(Remove("x", erase=True))
    covered()
    assert ask(Put("secret", "a", id="x"), key="k").outcomes == first.outcomes


def test_the_queue_forgets_too(store, ask, writer, covered):
    writer.queue_add("mail", ["secret"], "eve")
    [id] = store.queue_ids("mail")
    ask(Answer(id, "a"))
    ask(Relabel(id, "b"))
    ask(Remove(id, erase=True))
    assert covered() == 1
    assert store.queued("mail", id) is None
