"""Pages of documents and changes, and what a search finds."""

import contextlib
import threading

import pytest

from textbayes.errors import ModelUnknownError, RequestFieldError, StoreUnavailableError
from textbayes.server.store import Put, Relabel, Remove, Undo


def walk(read, cursor, **options):
    """All items of all pages."""
    items, at = [], None
    while True:
        page = read("mail", **{cursor: at}, **options)
        items += page.items
        if page.next is None:
            return items
        at = page.next


def test_pages_of_changes(store, ask):
    for number in range(25):
        ask(
            Put(f"text {number}", "even" if number % 2 == 0 else "odd", id=f"d{number % 5}"),
            actor=f"a{number % 2}",
        )
    versions = [change.version for change in walk(store.history, "before", limit=7)]
    assert versions == list(range(25, 0, -1))
    first = store.history("mail", limit=7)
    assert (len(first.items), first.next) == (7, "19")
    assert [one.version for one in walk(store.history, "before", limit=2, actor="a1")] == list(
        range(24, 0, -2)
    )
    assert [one.version for one in walk(store.history, "before", limit=2, document="d3")] == [
        24,
        19,
        14,
        9,
        4,
    ]
    # Every change but the first of each document is from one label to the other.
    assert len(walk(store.history, "before", limit=3, label="odd")) == 13 + 9
    assert store.history("mail", before=3, limit=100).next is None
    assert store.history("mail", label="none").items == ()


def test_changes_for_replay(store, ask):
    ask(*(Put(f"text {number}", "a") for number in range(10)))
    assert [change.version for change in store.changes("mail", 3, 7)] == [4, 5, 6, 7]
    assert [change.version for change in store.changes("mail", 3, limit=2)] == [4, 5]
    assert store.changes("mail", 10) == []


def test_pages_of_documents(store, ask):
    ask(*(Put(f"text {number}", number % 3, id=f"d{number}") for number in range(20)))
    ask(Relabel("d4", 0))
    found = walk(store.documents, "after", limit=6)
    assert [document.id for document in found] == ["d4", *(f"d{n}" for n in range(19, -1, -1) if n != 4)]
    assert store.documents("mail", limit=6).total == 20
    assert {document.labels for document in walk(store.documents, "after", limit=2, label=1)} == {1}
    # A string from a URL stands for a number.
    assert store.documents("mail", label="1", limit=2).total == 6
    assert store.documents("mail", label="one").total == 0
    assert store.documents("mail", label=True).total == 0
    assert [one.id for one in walk(store.documents, "after", limit=1, search="text 1", label=0)] == [
        f"d{number}" for number in (18, 15, 12)
    ]


def test_labels_among_several(store, ask):
    labels = ['a","b', "a", "b", ",", "a,b", '"', "[", "%"]
    for label in labels:
        ask(Put("text", (label, "all"), id=label))
    for label in labels:
        assert [document.id for document in store.documents("mail", label=label).items] == [label]
        assert [change.document for change in store.history("mail", label=label).items] == [label]
    assert store.documents("mail", label="all").total == len(labels)
    assert store.documents("mail", label="al").total == 0


def test_flags(store, ask):
    ask(Put("yes", True, id="a"), Put("no", False, id="b"))
    for label in (True, "true", "True"):
        assert [document.id for document in store.documents("mail", label=label).items] == ["a"]


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "9" * 30, "١", ""])
def test_a_cursor_that_no_page_gave(store, writer, cursor):
    with pytest.raises(RequestFieldError, match="after is"):
        store.documents("mail", after=cursor)
    with pytest.raises(RequestFieldError, match="before is"):
        store.history("mail", before=cursor)


def test_limits_are_kept_in_bounds(store, ask):
    ask(*(Put(f"text {number}", "a") for number in range(1100)))
    assert len(store.documents("mail", limit=5000).items) == 1000
    assert len(store.documents("mail", limit=0).items) == 1
    assert len(store.history("mail", limit=-3).items) == 1


def test_reads_of_an_unknown_model(store, writer):
    for read in (
        lambda: store.changes("x", 0),
        lambda: store.history("x"),
        lambda: store.documents("x"),
        lambda: store.document("x", "a"),
        lambda: store.count("x"),
        lambda: store.find("x", "a", "b"),
        lambda: store.snapshots("x"),
        lambda: store.queue("x"),
        lambda: store.gone("x", 0),
        lambda: store.count("a\0b"),
    ):
        with pytest.raises(ModelUnknownError, match="There is no model"):
            read()


def test_odd_filters_find_nothing(store, ask):
    ask(Put("hi", "a", id="x"))
    assert store.document("mail", "a\0b") is None
    assert store.history("mail", actor="a\0b").items == ()
    assert store.history("mail", document="").items == ()


SEARCHES = [
    (
        "Wheat prices rose sharply.",
        ["wheat", "PRICE", "rose wheat", "sharp", "prices."],
        ["heat", "wheat oil"],
    ),
    ("한국어를 배웁니다", ["한국어", "한", "한국어를", "배웁"], ["국어", "중국어"]),
    ("قرأتُ كتابًا جديدًا", ["كتاب", "كتابا", "قرأت", "جديد"], ["مكتبة"]),
    ("मैं हिन्दी सीख रहा हूँ", ["हिन्दी", "हिन्", "सीख"], ["उर्दू"]),
    ("日本語の新聞を読む", ["日本", "新聞", "本", "語の新", "読む"], ["日中", "新日"]),
    ("อ่านหนังสือพิมพ์", ["หนังสือ", "พิมพ์"], ["ภาษา"]),
    ("great job 👍🏽 well done", ["👍", "👍🏽", "great 👍"], ["👎"]),
    ("team 👩‍💻 at work", ["👩‍💻", "💻"], ["🧑‍🍳"]),
    ("Café Straße ΣΊΣΥΦΟΣ Łódź", ["cafe", "CAFÉ", "strasse", "σίσυφος", "Łó"], ["cake"]),
    ("ﬁnance Ｆｕｌｌ ½", ["finance", "full", "ﬁn"], ["half"]),
    ("price: $100 (50% off) C++", ["100", "$100", "50%", "c++"], ["200"]),
    ("?!? :-)", [":-)", "?!"], [":-("]),
    ("e-mail to a_b@example.org", ["mail", "example.org", "a_b@example.org", "e-mail"], ["gmail"]),
    ("NUL \0 here", ["nul", "here"], ["\0\0"]),
]


@pytest.mark.parametrize(("text", "finds", "misses"), SEARCHES, ids=[text[:12] for text, *_ in SEARCHES])
def test_search(store, ask, text, finds, misses):
    ask(Put(text, "a", id="it"), Put("something else entirely", "a", id="other"))
    for search in finds:
        assert [document.id for document in store.documents("mail", search=search).items] == ["it"], search
    for search in misses:
        assert store.documents("mail", search=search).items == (), search


SYNTAX = [
    *[
        '"',
        "'",
        "''",
        "AND",
        "OR NOT",
        "NEAR(",
        "a NEAR/2 b",
        "*",
        "^a",
        "words:",
        "-a",
        "a*",
        "(",
        ")",
        "{}",
    ],
    *["a & b", "a | !b", "a <-> b", ":*", "a:*", "%", "_", "\\", "\0", "\ud800", "' OR 1=1 --", "+", "🏽"],
    *["x'; DROP TABLE textbayes_models; --", "a" * 5000, "a " * 5000, "\u200d"],
]


@pytest.mark.parametrize("search", SYNTAX)
def test_a_search_is_never_syntax(store, ask, search):
    ask(Put("wheat prices", "a", id="it"))
    assert store.documents("mail", search=search).items == ()


def test_an_empty_search_finds_all(store, ask):
    ask(Put("wheat prices", "a", id="it"))
    for search in ("", " ", None):
        assert store.documents("mail", search=search).total == 1


def test_a_search_follows_changes(store, ask, writer):
    writer.add_model("news")
    ask(Put("apple", "a", id="x"))
    ask(Put("apple", "a", id="x"), model="news")
    ask(Put("banana", "a", id="x"))
    found = {word: store.documents("mail", search=word).total for word in ("apple", "banana")}
    assert found == {"apple": 0, "banana": 1}
    ask(Relabel("x", "b"))
    assert store.documents("mail", search="banana").items[0].labels == "b"
    ask(Remove("x"))
    assert store.documents("mail", search="banana").total == 0
    ask(Undo())
    assert store.documents("mail", search="banana").total == 1
    assert store.documents("news", search="apple").total == 1


def test_the_end_of_a_very_long_text_is_not_searched(store, ask):
    ask(Put("start " + "x " * 60_000 + "end", "a"))
    assert store.documents("mail", search="start").total == 1
    assert store.documents("mail", search="end").total == 0


def test_find(store, ask):
    ask(Put("hi", ("b", "a"), id="x"), Put("hi", ("a", "b"), id="y"), Put("hi", ("a", "b"), 2.0, id="z"))
    assert store.find("mail", "hi", ("a", "b"), 1.0).id == "y"
    assert store.find("mail", "hi", ("b", "a", "b")).id == "y"
    assert store.find("mail", "hi", ("a", "b"), 2.0).id == "z"
    assert store.find("mail", "hi", ("a",)) is None


def test_readers_in_threads_see_whole_requests(store, ask):
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            page = store.documents("mail")
            if len(page.items) % 2 or page.total != len(page.items) or store.count("mail") % 2:
                wrong.append(page)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(30):
        ask(Put(f"{number}", "a"), Put(f"-{number}", "a"))
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_more_readers_than_connections(store, writer, monkeypatch):
    database = vars(store)["_database"]
    engine = vars(database)["_readers"]
    monkeypatch.setattr(engine.pool, "_timeout", 0.01)
    monkeypatch.setattr(engine.pool, "_max_overflow", 0)
    with contextlib.ExitStack() as stack:
        for _ in range(engine.pool.size()):
            stack.enter_context(database.reading())
        with pytest.raises(StoreUnavailableError, match="all connections are in use"):
            store.heads()
    assert store.heads() == {"mail": 0}
