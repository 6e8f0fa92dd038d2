"""The rows of the queue."""

import pytest

from textbayes.errors import DocumentUnknownError, LabelsError, RequestFieldError
from textbayes.server.store import Answer, Put, Remove, Undo


@pytest.fixture
def ids(store, writer):
    assert writer.queue_add("mail", ["one", "two\0", "셋", "one"], "eve", "inbox.csv") == (3, 1)
    return store.queue_ids("mail")


def test_adding(store, writer, ids):
    page = store.queue("mail")
    assert [text.text for text in page.items] == ["one", "two\0", "셋"]
    assert [text.id for text in page.items] == ids
    assert (page.next, page.total) == (None, 3)
    first = page.items[0]
    assert (first.state, first.actor, first.source, first.added) == (
        "waiting",
        "eve",
        "inbox.csv",
        first.time,
    )
    assert (first.drawn, first.predicted, first.probability, first.labels, first.document) == (None,) * 5
    assert writer.queue_add("mail", ["셋", "four"], "bob") == (1, 1)
    assert writer.queue_add("mail", [], "bob") == (0, 0)
    writer.add_model("news")
    assert writer.queue_add("news", ["one"], "bob") == (1, 0)
    with pytest.raises(RequestFieldError):
        writer.queue_add("mail", ["five", "\ud800"], "bob")
    assert store.queue_counts("mail") == {"waiting": 4, "labelled": 0, "skipped": 0}


def test_pages(store, writer):
    writer.queue_add("mail", [f"text {number}" for number in range(1200)], "eve")
    first = store.queue("mail", limit=700)
    second = store.queue("mail", after=first.next, limit=700)
    assert (len(first.items), len(second.items), second.next, second.total) == (700, 500, None, 1200)
    assert [text.text for text in first.items + second.items] == [f"text {number}" for number in range(1200)]
    assert writer.queue_add("mail", [f"text {number}" for number in range(1300)], "eve") == (100, 1200)


def test_texts_by_id(store, ids):
    found = store.queue_texts("mail", [ids[2], "none", "a\0", ids[0]])
    assert [text.text for text in found] == ["셋", "one"]
    assert store.queue_texts("mail", []) == []


def test_an_answer_teaches_and_marks(store, ask, writer, ids):
    writer.queue_draw("mail", ids[0], "random", "ham", 0.75)
    receipt = ask(Answer(ids[0], "spam"), actor="bob")
    assert [(made.id, made.change) for made in receipt.outcomes] == [(ids[0], "taught")]
    document = store.document("mail", ids[0])
    assert (document.text, document.labels, document.actor) == ("one", "spam", "bob")
    text = store.queued("mail", ids[0])
    assert (text.state, text.labels, text.document) == ("labelled", "spam", ids[0])
    assert (text.drawn, text.predicted, text.probability) == ("random", "ham", 0.75)
    ask(Answer(ids[1], "ham", 2.0, "uncertain", "spam", 0.5))
    assert store.document("mail", ids[1]).weight == 2.0
    assert store.queue_counts("mail") == {"waiting": 1, "labelled": 2, "skipped": 0}
    assert [text.id for text in store.queue_labelled("mail")] == ids[:2]
    assert [text.id for text in store.queue_labelled("mail", "uncertain")] == [ids[1]]
    assert [text.id for text in store.queue("mail", "labelled").items] == ids[:2]
    assert len(store.queue("mail", None).items) == 3


def test_undo_puts_a_text_back(store, ask, ids):
    ask(Answer(ids[0], "spam"))
    ask(Undo())
    text = store.queued("mail", ids[0])
    assert (text.state, text.labels) == ("waiting", None)
    ask(Undo(version=2))
    text = store.queued("mail", ids[0])
    assert (text.state, text.labels) == ("labelled", "spam")


def test_another_answer_relabels(store, ask, ids):
    ask(Answer(ids[0], "spam"))
    assert ask(Answer(ids[0], "ham")).outcomes[0].change == "relabelled"
    assert store.queued("mail", ids[0]).labels == "ham"
    ask(Undo())
    assert store.queued("mail", ids[0]).labels == "spam"
    assert ask(Answer(ids[0], "spam")).outcomes[0].change == "unchanged"


def test_a_refused_answer_marks_nothing(store, ask, ids):
    ask(Put("hi", "ham"))
    with pytest.raises(LabelsError):
        ask(Answer(ids[0], 3))
    with pytest.raises(DocumentUnknownError):
        ask(Answer(ids[0], "spam"), Remove("none"))
    assert store.queue_counts("mail") == {"waiting": 3, "labelled": 0, "skipped": 0}


def test_skipping_and_removing(store, ask, writer, ids):
    writer.queue_skip("mail", ids[0])
    assert store.queue_counts("mail") == {"waiting": 2, "labelled": 0, "skipped": 1}
    assert store.queue_ids("mail", "skipped") == [ids[0]]
    writer.queue_return("mail", ids[0])
    assert store.queue_ids("mail") == ids
    writer.queue_remove("mail", ids[0])
    assert store.queue_ids("mail") == ids[1:]
    for do in (writer.queue_skip, writer.queue_return, writer.queue_remove):
        for id in (ids[0], "", "a\0"):
            with pytest.raises(DocumentUnknownError):
                do("mail", id)
    with pytest.raises(DocumentUnknownError):
        writer.queue_draw("mail", ids[0], "random")
    with pytest.raises(DocumentUnknownError):
        ask(Answer(ids[0], "spam"))
    assert store.queued("mail", ids[0]) is None
