"""Requests are made whole or not at all, in order, and once for each key."""

from datetime import UTC, datetime, timedelta

import pytest

from textbayes.errors import (
    DocumentUnknownError,
    KeyReusedError,
    LabelsError,
    ModelUnknownError,
    RequestFieldError,
    ServerFaultError,
)
from textbayes.server.store import (
    Outcome,
    Put,
    Receipt,
    Relabel,
    Remove,
    RemoveLearned,
    RemoveText,
    Request,
    State,
)


def test_teach_and_relabel_and_forget(store, ask, texts):
    assert ask(Put("cheap pills", "spam", id="a")).outcomes == (Outcome("a", 1, "taught"),)
    assert ask(Put("cheap pills", "ham", id="a")).outcomes == (Outcome("a", 2, "relabelled"),)
    assert texts() == {"a": ("cheap pills", "ham")}
    assert ask(Relabel("a", "spam", weight=2)).outcomes == (Outcome("a", 3, "relabelled"),)
    assert store.document("mail", "a").weight == 2.0
    assert ask(Relabel("a", "spam", text="cheap")).outcomes == (Outcome("a", 4, "relabelled"),)
    assert ask(Remove("a")).outcomes == (Outcome("a", 5, "forgot"),)
    assert texts() == {}
    assert store.document("mail", "a") is None
    found = store.changes("mail", 0)
    assert [change.version for change in found] == [1, 2, 3, 4, 5]
    assert [change.kind for change in found] == ["teach", "relabel", "relabel", "relabel", "forget"]
    assert found[0].before is None
    assert found[3].before == State("cheap pills", "spam", 2.0)
    assert found[3].after == found[4].before == State("cheap", "spam", 2.0)
    assert found[4].after is None


def test_who_and_when_and_from_where(store, ask):
    before = datetime.now(UTC)
    ask(Put("hi", "ham", id="a"), actor="최", source="inbox/3")
    [change] = store.changes("mail", 0)
    document = store.document("mail", "a")
    for found in (change, document):
        assert (found.actor, found.source, found.version) == ("최", "inbox/3", 1)
        assert found.time.tzinfo is UTC
        assert timedelta() <= found.time - before + timedelta(seconds=1) < timedelta(seconds=60)


def test_without_an_id_each_text_is_a_new_document(store, ask):
    receipt = ask(Put("hi", "ham"), Put("hi", "ham"))
    ids = [outcome.id for outcome in receipt.outcomes]
    assert len(set(ids)) == store.count("mail") == 2
    assert ids == sorted(ids)


def test_no_change_is_no_version(store, ask):
    ask(Put("hi", "ham", id="a"))
    receipt = ask(Put("hi", "ham", id="a"), Relabel("a", "ham"))
    assert receipt == Receipt(2, 1, (Outcome("a", None, "unchanged"),) * 2, False)
    assert store.heads() == {"mail": 1}
    assert ask().outcomes == ()


def test_the_same_document_twice_in_a_request(store, ask, texts):
    receipt = ask(Put("1", "a", id="x"), Put("2", "b", id="x"), Remove("x"), Put("3", "c", id="x"))
    assert [outcome.change for outcome in receipt.outcomes] == ["taught", "relabelled", "forgot", "taught"]
    assert texts() == {"x": ("3", "c")}
    assert {change.request for change in store.changes("mail", 0)} == {1}
    ask(Remove("x"), Put("4", "d", id="x"), Remove("x"))
    assert texts() == {}
    assert store.count("mail") == 0
    assert store.documents("mail", search="4").items == ()


def test_texts_are_removed_by_content(store, ask, texts):
    ask(Put("hi", "ham", id="a"), Put("hi", "ham", id="b"), Put("hi", "spam", id="c"))
    assert ask(RemoveText("hi", "ham")).outcomes[0].id == "b"
    # The newest is what this very request has taught.
    assert ask(Put("hi", "ham", id="d"), RemoveText("hi", "ham")).outcomes[1].id == "d"
    assert ask(RemoveText("hi", "ham")).outcomes[0].id == "a"
    with pytest.raises(DocumentUnknownError, match="'hi'"):
        ask(RemoveText("hi", "ham"))
    with pytest.raises(DocumentUnknownError):
        ask(RemoveText("hi", "spam", weight=2))
    assert set(texts()) == {"c"}
    # Twice the same content in one request needs two documents.
    ask(Put("hi", "spam", id="e"))
    ask(RemoveText("hi", "spam"), RemoveText("hi", "spam"))
    assert texts() == {}


def test_a_learned_text_is_forgotten_without_a_document(store, ask):
    assert ask(RemoveLearned("old", "ham", 2)).outcomes == (Outcome(None, 1, "forgot"),)
    [change] = store.changes("mail", 0)
    assert (change.kind, change.document, change.before, change.after) == (
        "forget",
        None,
        State("old", "ham", 2.0),
        None,
    )
    assert store.count("mail") == 0


def test_a_bad_edit_leaves_nothing_of_its_request(store, ask, texts):
    ask(Put("hi", "ham", id="a"))
    for bad in (Relabel("none", "ham"), Remove("none"), Remove("none", erase=True), Put("x", "ham", id="")):
        with pytest.raises((DocumentUnknownError, RequestFieldError)):
            ask(Put("new", "spam", id="b"), Remove("a"), bad)
    assert texts() == {"a": ("hi", "ham")}
    assert store.heads() == {"mail": 1}
    assert store.documents("mail", search="new").total == 0


def test_a_bad_request_does_not_harm_the_others(store, writer):
    good = Request("mail", (Put("hi", "ham", id="a"),), "eve")
    wrong = [
        Request("mail", (Put("one", "ham"), Remove("none")), "eve"),
        Request("nail", (Put("hi", "ham"),), "eve"),
        Request("mail", (Put("hi", 3),), "eve"),
        Request("mail", (Put("hi", "ham"),), ""),
        Request("mail", (Put("hi", "ham", weight=float("nan")),), "eve"),
        Request("mail", ("what?",), "eve"),
    ]
    last = Request("mail", (Put("bye", "ham", id="b"),), "eve")
    receipts = writer.commit([good, *wrong, last])
    kinds = [type(receipt) for receipt in receipts]
    assert kinds == [
        Receipt,
        DocumentUnknownError,
        ModelUnknownError,
        LabelsError,
        *[RequestFieldError] * 3,
        Receipt,
    ]
    assert (receipts[0].last, receipts[-1].first) == (1, 2)
    assert "Did you mean 'mail'?" in str(receipts[2])
    assert store.count("mail") == 2


def test_a_bug_in_one_request_does_not_harm_the_others(store, writer):
    class Odd(str):
        def encode(self):
            raise RuntimeError("odd")

    requests = [Request("mail", (Put(text, "ham"),), "eve") for text in ("one", Odd("two"), "three")]
    one, two, three = writer.commit(requests)
    assert isinstance(two, ServerFaultError)
    assert isinstance(two.__cause__, RuntimeError)
    assert (one.last, three.first) == (1, 2)


def test_many_texts_in_one_request(store, ask):
    receipt = ask(*(Put(f"text {number}", "even" if number % 2 else "odd") for number in range(2500)))
    assert (receipt.first, receipt.last) == (1, 2500)
    assert store.count("mail") == store.documents("mail").total == 2500
    ids = [outcome.id for outcome in receipt.outcomes]
    assert len(ask(*(Relabel(id, "odd") for id in ids)).outcomes) == 2500
    assert store.documents("mail", label="odd").total == 2500


class TestKeys:
    def test_a_key_makes_a_request_once(self, store, ask):
        edits = (
            Put("hi", "ham", id="a"),
            Put("hi", "ham", id="a"),
            Put("b", "ham"),
            Put("hi", "ham", id="a"),
        )
        first = ask(*edits, key="k", digest="d")
        assert [outcome.change for outcome in first.outcomes] == [
            "taught",
            "unchanged",
            "taught",
            "unchanged",
        ]
        ask(Remove("a"))
        again = ask(*edits, key="k", digest="d")
        assert again == Receipt(first.first, first.last, first.outcomes, True)
        assert store.heads() == {"mail": 3}

    def test_also_if_nothing_changed(self, ask):
        ask(Put("hi", "ham", id="a"))
        first = ask(Put("hi", "ham", id="a"), key="k")
        ask(Remove("a"))
        again = ask(Put("hi", "ham", id="a"), key="k")
        assert again.outcomes == first.outcomes == (Outcome("a", None, "unchanged"),)
        assert again.repeated
        assert not first.repeated
        assert (again.first, again.last) == (2, 1)

    def test_also_within_one_commit(self, store, writer):
        request = Request("mail", (Put("hi", "ham"),), "eve", key="k", digest="d")
        one, two = writer.commit([request, request])
        assert (one.repeated, two.repeated) == (False, True)
        assert one.outcomes == two.outcomes
        assert store.count("mail") == 1

    def test_another_request_with_the_same_key_is_refused(self, store, ask):
        ask(Put("hi", "ham"), key="k", digest="d")
        with pytest.raises(KeyReusedError, match="'k'"):
            ask(Put("ho", "ham"), key="k", digest="e")
        assert store.count("mail") == 1

    def test_keys_of_others_are_their_own(self, store, ask, writer):
        writer.add_model("news")
        ask(Put("hi", "ham"), key="k", digest="d")
        assert not ask(Put("ho", "ham"), key="k", digest="e", actor="bob").repeated
        assert not ask(Put("ho", "ham"), key="k", digest="e", model="news").repeated

    def test_the_key_of_a_failed_request_is_free(self, ask):
        with pytest.raises(DocumentUnknownError):
            ask(Remove("a"), key="k", digest="d")
        ask(Put("hi", "ham", id="a"))
        assert not ask(Remove("a"), key="k", digest="d").repeated

    def test_old_keys_are_forgotten(self, store, ask, writer, monkeypatch):
        ask(Put("hi", "ham"), key="k")
        writer.release()
        monkeypatch.setattr("textbayes.server.store.writer.KEY_DAYS", -1)
        later = store.become_writer("")
        [receipt] = later.commit([Request("mail", (Put("hi", "ham"),), "eve", key="k")])
        assert not receipt.repeated
