"""What a store takes as names, ids, texts, weights and labels."""

import pytest

from textbayes.errors import LabelsError, RequestFieldError
from textbayes.server.store import Put, RemoveText

ODD = [
    "한국어",
    "نص عربي",
    "हिन्दी",
    "👩‍💻",
    "a/b",
    "../..",
    "'; DROP TABLE x; --",
    '"',
    "\\",
    "%",
    "\x1a0",
    "\n",
    " ",
]


@pytest.mark.parametrize("odd", ODD)
def test_ids_actors_sources_and_keys_are_any_text(store, ask, odd):
    for edits in ((Put("hi", "ham", id=odd),), (Put("ho", "ham", id=odd),)):
        ask(*edits, actor=odd, source=odd)
    first = ask(Put("new", "ham"), actor=odd, source=odd, key=odd)
    assert ask(Put("new", "ham"), actor=odd, source=odd, key=odd).outcomes == first.outcomes
    assert store.document("mail", odd).text == "ho"
    assert len(store.history("mail", document=odd).items) == 2
    assert len(store.history("mail", actor=odd).items) == 3
    assert {change.source for change in store.history("mail").items} == {odd}


@pytest.mark.parametrize(
    "text", ["a\0b", "\0", "\x1a", "\x1a0\x1a1\0\x1a", "\r\n", "", "\ufeff", "👍" * 3, "é é"]
)
def test_texts_come_back_as_they_were(store, ask, text):
    ask(Put(text, "ham", id="a"))
    ask(Put(text + "!", "ham", id="a"))
    assert store.document("mail", "a").text == text + "!"
    [first, second] = store.changes("mail", 0)
    assert first.after.text == second.before.text == text
    assert store.find("mail", text + "!", "ham", 1.0).id == "a"
    assert store.find("mail", text, "ham", 1.0) is None
    ask(RemoveText(text + "!", "ham"))
    assert store.count("mail") == 0


def test_a_long_text(store, ask):
    text = "".join(chr(ord("가") + number % 11172) for number in range(300_000)) + " end"
    ask(Put(text, "ham", id="a"))
    assert store.document("mail", "a").text == text


@pytest.mark.parametrize(
    ("field", "edit", "more"),
    [
        ("id", Put("hi", "ham", id="x" * 201), {}),
        ("id", Put("hi", "ham", id="a\0b"), {}),
        ("id", Put("hi", "ham", id="\ud800"), {}),
        ("text", Put("\ud800", "ham"), {}),
        ("text", Put(None, "ham"), {}),
        ("weight", Put("hi", "ham", -1.0), {}),
        ("weight", Put("hi", "ham", float("inf")), {}),
        ("weight", Put("hi", "ham", True), {}),
        ("label", Put("hi", ""), {}),
        ("label", Put("hi", " \t"), {}),
        ("label", Put("hi", "a\0"), {}),
        ("label", Put("hi", "x" * 1001), {}),
        ("label", Put("hi", 2**63), {}),
        ("label", Put("hi", 1.5), {}),
        ("label", Put("hi", None), {}),
        ("actor", Put("hi", "ham"), {"actor": "x" * 201}),
        ("source", Put("hi", "ham"), {"source": "x" * 1001}),
        ("key", Put("hi", "ham"), {"key": ""}),
    ],
)
def test_what_is_refused(store, ask, field, edit, more):
    with pytest.raises(RequestFieldError, match=f"^{field} is "):
        ask(edit, **more)
    assert store.heads() == {"mail": 0}


@pytest.mark.parametrize("longest", ["x" * 1000, "가" * 1000, "👍" * 1000, '"' * 1000])
def test_long_labels(store, ask, longest):
    ask(Put("hi", longest, id="a"), Put("ho", "ham", id="b"))
    assert [document.id for document in store.documents("mail", label=longest).items] == ["a"]
    assert store.document("mail", "a").labels == longest


class TestKinds:
    @pytest.mark.parametrize(
        ("first", "kind", "several"),
        [("a", "text", False), (3, "number", False), (True, "flag", False), ((2, 1), "number", True)],
    )
    def test_the_first_label_decides(self, store, ask, first, kind, several):
        [model] = store.models()
        assert (model.label_kind, model.several) == (None, None)
        ask(Put("hi", first))
        [model] = store.models()
        assert (model.label_kind, model.several) == (kind, several)

    @pytest.mark.parametrize(
        ("first", "second", "message"),
        [
            ("a", 3, "3, of whole numbers, and the model has learned strings"),
            (3, True, "True, of true and false, and the model has learned whole numbers"),
            (True, 1, "1, of whole numbers, and the model has learned true and false"),
            ("a", ("a",), "a list of labels for each text, .*, and the model has learned one label for each"),
            (("a",), "a", "one label for each text, 'a', and the model has learned a list of labels"),
        ],
    )
    def test_another_kind_is_refused(self, store, ask, first, second, message):
        ask(Put("hi", first, id="a"))
        for edit in (Put("ho", second), Put("hi", second, id="a"), RemoveText("hi", second)):
            with pytest.raises(LabelsError, match=message):
                ask(edit)
        assert store.count("mail") == 1

    def test_also_within_one_request(self, store, ask):
        with pytest.raises(LabelsError, match="learned strings"):
            ask(Put("hi", "a"), Put("ho", 1))
        [model] = store.models()
        assert model.label_kind is None

    def test_mixed_labels_are_refused(self, ask):
        with pytest.raises(LabelsError, match="mixes whole numbers and strings"):
            ask(Put("hi", ("a", 1)))

    def test_no_label_at_all_says_only_that_there_can_be_several(self, store, ask):
        ask(Put("hi", (), id="a"))
        [model] = store.models()
        assert (model.label_kind, model.several) == (None, True)
        ask(Put("ho", (2, 1, 2), id="b"))
        assert store.document("mail", "a").labels == ()
        assert store.document("mail", "b").labels == (1, 2)
        assert ask(Put("ho", (2, 1), id="b")).outcomes[0].change == "unchanged"

    def test_the_kind_of_a_model_file_is_given(self, ask, writer):
        writer.add_model("news", label_kind="number", several=False)
        with pytest.raises(LabelsError, match="learned whole numbers"):
            ask(Put("hi", "a"), model="news")


@pytest.mark.parametrize("name", ["mail2", "메일", "A b.c", "con", "x" * 100, "%2e", "émail", "👍"])
def test_names_of_models(store, writer, model_file, name):
    writer.add_model(name, snapshot_file=model_file())
    assert name in [model.name for model in store.models()]
    [snapshot] = store.snapshots(name)
    assert store.fetch(snapshot).read_bytes() == b"model"


@pytest.mark.parametrize(
    "name", ["", " a", "a ", "a/b", "a\\b", ".", "..", "a\nb", "a\0", "x" * 101, "\ud800", 3]
)
def test_names_that_are_refused(store, writer, name):
    with pytest.raises(RequestFieldError, match=r"^name is "):
        writer.add_model(name)
    assert len(store.models()) == 1
