"""Undo is a change that swaps before and after."""

import pytest

from textbayes.errors import (
    NothingToUndoError,
    RequestFieldError,
    UndoConflictError,
    VersionUnknownError,
)
from textbayes.server.store import Put, Relabel, Remove, RemoveLearned, State, Undo


def test_undo_of_each_kind(store, ask, texts):
    ask(Put("1", "a", id="x"))
    ask(Put("2", "b", id="x"))
    ask(Remove("x"))
    receipt = ask(Undo(version=3))
    assert receipt.outcomes[0].change == "undone"
    assert texts() == {"x": ("2", "b")}
    ask(Undo(version=2))
    assert texts() == {"x": ("1", "a")}
    ask(Undo(version=1))
    assert texts() == {}
    found = store.changes("mail", 0)
    assert [change.undone_by for change in found] == [6, 5, 4, None, None, None]
    assert [change.undoes for change in found] == [None, None, None, 3, 2, 1]
    assert [change.kind for change in found[3:]] == ["undo"] * 3
    assert (found[4].before, found[4].after) == (State("2", "b"), State("1", "a"))


def test_words_are_undone_too(store, ask):
    ask(Put("apple", "a", id="x"))
    ask(Put("banana", "a", id="x"))
    ask(Undo())
    assert store.documents("mail", search="apple").total == 1
    assert store.documents("mail", search="banana").total == 0


def test_a_whole_request(store, ask, texts):
    ask(Put("0", "a", id="w"))
    ask(Put("1", "a", id="x"), Put("2", "b", id="x"), Put("3", "c", id="y"), Remove("w"))
    receipt = ask(Undo(request=2))
    assert [outcome.id for outcome in receipt.outcomes] == ["w", "y", "x", "x"]
    assert texts() == {"w": ("0", "a")}
    with pytest.raises(NothingToUndoError, match="version 2 was undone by version 9"):
        ask(Undo(request=2))
    # The request of the undo, undone, is the request again.
    ask(Undo(request=receipt.first))
    assert texts() == {"x": ("2", "b"), "y": ("3", "c")}
    ask(Undo(request=2))
    assert texts() == {"w": ("0", "a")}


def test_the_rest_of_a_request(store, ask, texts):
    ask(Put("1", "a", id="x"), Put("2", "b", id="y"))
    ask(Undo(version=2))
    ask(Undo(request=1))
    assert texts() == {}


def test_the_last_request_of_the_actor(ask, texts):
    ask(Put("1", "a", id="x"), Put("2", "a", id="y"))
    ask(Put("3", "a", id="z"), actor="bob")
    ask(Put("4", "a", id="v"))
    ask(Undo())
    assert set(texts()) == {"x", "y", "z"}
    ask(Undo())
    assert set(texts()) == {"z"}
    with pytest.raises(NothingToUndoError, match="eve made no change"):
        ask(Undo())
    ask(Undo(), actor="bob")
    assert texts() == {}


def test_undo_twice_in_one_request(ask, texts):
    ask(Put("1", "a", id="x"))
    ask(Put("2", "a", id="x"))
    ask(Undo(), Undo())
    assert texts() == {}
    ask(Undo(version=4), Undo(version=3))
    assert texts() == {"x": ("2", "a")}


def test_redo_and_undo_again(store, ask, texts):
    ask(Put("1", "a", id="x"))
    for version in (1, 2, 3, 4, 5):
        ask(Undo(version=version))
        assert bool(texts()) == (version % 2 == 0)
    found = store.changes("mail", 0)
    # The teaching is undone at last, and so is each redo.
    assert found[0].undone_by is not None
    with pytest.raises(NothingToUndoError):
        ask(Undo(version=1))
    ask(Undo(version=6))
    assert texts() == {"x": ("1", "a")}
    assert store.changes("mail", 0)[0].undone_by is None
    ask(Undo(version=1))
    assert texts() == {}


def test_a_document_that_changed_since(store, ask, texts):
    ask(Put("1", "a", id="x"))
    ask(Relabel("x", "b"), actor="bob")
    with pytest.raises(UndoConflictError, match="Version 1 cannot be undone: version 2 changed") as raised:
        ask(Undo())
    assert raised.value.newer == 2
    # Also if it changed back: the later changes would be lost.
    ask(Relabel("x", "a"), actor="bob")
    with pytest.raises(UndoConflictError, match="version 3 changed"):
        ask(Undo(version=1))
    assert texts() == {"x": ("1", "a")}
    ask(Undo(), actor="bob")
    ask(Undo(), actor="bob")
    ask(Undo())
    assert texts() == {}


def test_a_redo_after_a_new_change_is_a_conflict(ask, texts):
    ask(Put("1", "a", id="x"))
    ask(Undo(version=1))
    ask(Put("2", "b", id="x"))
    with pytest.raises(UndoConflictError, match="version 3 changed"):
        ask(Undo(version=2))
    assert texts() == {"x": ("2", "b")}


def test_a_redo_of_what_is_not_there_is_a_conflict(ask):
    ask(Put("1", "a", id="x"))
    ask(Put("2", "a", id="x"))
    ask(Undo(version=2))
    ask(Undo(version=1))
    with pytest.raises(UndoConflictError, match="version 4 changed"):
        ask(Undo(version=3))


def test_a_change_in_the_same_request_is_a_conflict(ask, texts):
    ask(Put("1", "a", id="x"))
    with pytest.raises(UndoConflictError, match="version 2 changed"):
        ask(Relabel("x", "b"), Undo(version=1))
    assert texts() == {"x": ("1", "a")}


def test_a_conflict_undoes_nothing_of_its_request(ask, texts):
    ask(Put("1", "a", id="x"), Put("2", "a", id="y"))
    ask(Relabel("x", "b"))
    with pytest.raises(UndoConflictError):
        ask(Undo(request=1))
    assert texts() == {"x": ("1", "b"), "y": ("2", "a")}


def test_a_learned_text_comes_back(store, ask):
    ask(RemoveLearned("old", "ham"))
    ask(Undo())
    ask(Undo(version=2))
    changes = store.changes("mail", 0)
    assert [(change.before, change.after) for change in changes] == [
        (State("old", "ham"), None),
        (None, State("old", "ham")),
        (State("old", "ham"), None),
    ]
    assert changes[0].undone_by is None


def test_what_cannot_be_undone(ask, writer, model_file):
    with pytest.raises(VersionUnknownError, match="has no version 1; the newest is 0"):
        ask(Undo(version=1))
    with pytest.raises(VersionUnknownError):
        ask(Undo(request=1))
    with pytest.raises(NothingToUndoError):
        ask(Undo())
    ask(Put("1", "a", id="x"), Put("2", "a", id="y"))
    with pytest.raises(NothingToUndoError, match="version 2 is not the first of a request"):
        ask(Undo(request=2))
    with pytest.raises(RequestFieldError, match="both version and request"):
        ask(Undo(1, 1))
    writer.add_snapshot("mail", model_file(), 2, row="recipe")
    with pytest.raises(NothingToUndoError, match="version 3 did not change a document"):
        ask(Undo(version=3))
