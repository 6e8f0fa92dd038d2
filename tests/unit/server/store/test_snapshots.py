"""Model files in a store: moved in whole, found again, dropped when they may go."""

import hashlib
import os

import pytest

from textbayes.errors import (
    ModelDamagedError,
    ModelExistsError,
    ModelUnknownError,
    StoreUnavailableError,
    VersionUnknownError,
)
from textbayes.server.store import Put, Remove


@pytest.fixture
def taught(ask):
    ask(*(Put(f"text {number}", "a", id=f"d{number}") for number in range(10)))


def test_a_file_is_moved_in(store, writer, taught, model_file):
    file = model_file(b"x" * 3_000_000)
    quality = {"accuracy": 0.5, "macro_f1": None}
    added = writer.add_snapshot("mail", file, 7, quality=quality)
    assert not file.exists()
    assert store.snapshots("mail") == [added]
    assert (added.model, added.covers, added.effective, added.pinned) == ("mail", 7, 7, False)
    assert (added.size, added.quality) == (3_000_000, quality)
    assert added.digest == hashlib.sha256(b"x" * 3_000_000).hexdigest()
    assert store.fetch(added).read_bytes() == b"x" * 3_000_000
    assert store.heads() == {"mail": 10}


def test_a_snapshot_with_a_row(store, writer, taught, model_file):
    added = writer.add_snapshot("mail", model_file(), 8, row="recipe", actor="eve")
    assert (added.covers, added.effective, added.pinned) == (8, 11, True)
    [change] = store.changes("mail", 10)
    assert (change.version, change.kind, change.actor, change.document) == (11, "recipe", "eve", None)
    assert (change.before, change.after, change.request) == (None, None, 11)
    assert writer.add_snapshot("mail", model_file(), 11, row="file").effective == 12
    assert store.heads() == {"mail": 12}


def test_the_file_of_a_new_model(store, writer, model_file):
    writer.add_model("news", "/home/eve/news.tb", model_file(b"news"), "text", False)
    [snapshot] = store.snapshots("news")
    assert (snapshot.covers, snapshot.effective, snapshot.pinned) == (0, 0, True)
    [_, news] = store.models()
    assert (news.name, news.origin, news.label_kind, news.several) == (
        "news",
        "/home/eve/news.tb",
        "text",
        False,
    )
    with pytest.raises(ModelExistsError, match="'news'"):
        writer.add_model("news")


def test_a_file_that_is_not_there_adds_nothing(store, writer, tmp_path):
    with pytest.raises(StoreUnavailableError):
        writer.add_model("news", snapshot_file=tmp_path / "none.tb")
    with pytest.raises(StoreUnavailableError):
        writer.add_snapshot("mail", tmp_path / "none.tb", 0, row="file")
    assert [model.name for model in store.models()] == ["mail"]
    assert store.heads() == {"mail": 0}
    assert store.snapshots("mail") == []


def test_a_version_that_is_not_there(store, writer, model_file):
    for covers in (1, -1):
        with pytest.raises(VersionUnknownError):
            writer.add_snapshot("mail", model_file(), covers)


def test_the_same_version_again_replaces_the_file(store, writer, taught, model_file):
    old = writer.add_snapshot("mail", model_file(b"old"), 5)
    new = writer.add_snapshot("mail", model_file(b"new"), 5)
    assert store.snapshots("mail") == [new]
    assert store.fetch(new).read_bytes() == b"new"
    with pytest.raises(StoreUnavailableError, match="gone"):
        store.fetch(old)
    assert writer.add_snapshot("mail", model_file(b"new"), 5).digest == new.digest
    assert store.fetch(new).read_bytes() == b"new"


def test_dropping(store, writer, taught, model_file):
    writer.add_snapshot("mail", model_file(b"0"), 0)
    for version in range(1, 8):
        writer.add_snapshot("mail", model_file(b"%d" % version), version, pinned=version == 2)
    before = store.snapshots("mail")
    assert writer.drop_snapshots("mail", 2) == 4
    kept = store.snapshots("mail")
    assert [snapshot.effective for snapshot in kept] == [0, 2, 6, 7]
    for snapshot in before:
        if snapshot in kept:
            assert store.fetch(snapshot).read_bytes() == b"%d" % snapshot.effective
        else:
            with pytest.raises(StoreUnavailableError, match="gone"):
                store.fetch(snapshot)
    assert writer.drop_snapshots("mail", 2) == 0


def test_a_removed_model_is_gone_with_all(store, writer, taught, model_file, kept, location):
    writer.add_snapshot("mail", model_file(), 3)
    writer.queue_add("mail", ["hi"], "eve")
    writer.add_model("news")
    writer.remove_model("mail")
    assert [model.name for model in store.models()] == ["news"]
    with pytest.raises(ModelUnknownError):
        store.count("mail")
    with pytest.raises(ModelUnknownError):
        writer.remove_model("mail")
    if kept.is_folder:
        assert list((location / "models").rglob("*.tb")) == []
    writer.add_model("mail")
    assert store.heads() == {"mail": 0, "news": 0}
    assert store.documents("mail", search="text").total == 0
    assert store.snapshots("mail") == store.changes("mail", 0) == []
    assert store.queue_counts("mail") == {"waiting": 0, "labelled": 0, "skipped": 0}


def test_another_server_gets_the_file(opened, writer, taught, model_file):
    added = writer.add_snapshot("mail", model_file(b"x" * 2_500_000), 3)
    other = opened()
    [found] = other.snapshots("mail")
    assert other.fetch(found).read_bytes() == b"x" * 2_500_000
    assert (found.digest, found.size) == (added.digest, added.size)
    assert other.fetch(found) == other.fetch(found)


def test_a_damaged_file_is_not_given_out(store, writer, taught, model_file, kept):
    added = writer.add_snapshot("mail", model_file(b"x" * 1000), 3)
    path = store.fetch(added)
    path.write_bytes(b"x" * 999)
    if kept.is_folder:
        with pytest.raises(ModelDamagedError, match="999 bytes instead of 1,000"):
            store.fetch(added)
    else:
        assert store.fetch(added).read_bytes() == b"x" * 1000


def test_leftovers_of_a_crash_are_cleaned(store, writer, taught, model_file, location, kept):
    if not kept.is_folder:
        pytest.skip("a folder only")
    added = writer.add_snapshot("mail", model_file(b"good"), 3)
    folder = store.fetch(added).parent
    (folder / "9-left.tb").write_bytes(b"left")
    (folder / "9-left.part").write_bytes(b"left")
    (location / "models" / "gone").mkdir()
    (location / "models" / "gone" / "1-0123456789abcdef.tb").write_bytes(b"left")
    writer.release()
    store.become_writer("")
    assert [path.name for path in (location / "models").rglob("*.*")] == [store.fetch(added).name]


class TestVersionsThatCanBeRebuilt:
    def test_all_from_nothing(self, store, writer, taught):
        assert [store.gone("mail", version) for version in range(11)] == [None] * 11

    def test_not_with_an_older_recipe(self, store, writer, ask, taught, model_file):
        writer.add_snapshot("mail", model_file(), 10, row="recipe")
        assert store.gone("mail", 10) is None
        assert store.gone("mail", 11) is None

    def test_not_if_documents_were_erased(self, store, writer, ask, taught, model_file):
        writer.add_snapshot("mail", model_file(b"2"), 2)
        writer.add_snapshot("mail", model_file(b"6"), 6)
        ask(Remove("d3", erase=True))
        ask(Put("later", "a"))
        writer.add_snapshot("mail", model_file(b"12"), 12)
        assert writer.scrub("mail", 12) == 1
        # Version 6 knew the document of version 4; version 2 did not.
        assert [snapshot.effective for snapshot in store.snapshots("mail")] == [2, 12]
        whole = [version for version in range(13) if store.gone("mail", version) is None]
        assert whole == [0, 1, 2, 3, 12]
        assert {store.gone("mail", version) for version in range(4, 12)} == {12}

    def test_not_after_a_recipe_that_is_gone(self, store, writer, ask, taught, model_file):
        writer.add_snapshot("mail", model_file(b"r"), 10, row="recipe")
        ask(Remove("d3", erase=True))
        writer.add_snapshot("mail", model_file(b"12"), 12)
        writer.scrub("mail", 12)
        assert [snapshot.effective for snapshot in store.snapshots("mail")] == [12]
        assert store.gone("mail", 11) == 12


def test_temporary_files(store, writer, location, kept):
    one, two = store.scratch(), store.scratch()
    assert one != two
    assert one.parent == two.parent
    one.write_bytes(b"x")
    two.write_bytes(b"x")
    os.utime(one, (0, 0))
    writer.release()
    store.become_writer("")
    # What a crash left long ago is deleted; another server may be writing the other one.
    assert not one.exists()
    assert two.exists()


def test_figures_outlive_their_snapshots(store, writer, taught, model_file):
    for version in range(1, 6):
        writer.add_snapshot("mail", model_file(), version, quality={"accuracy": version / 10})
    writer.set_quality("mail", 5, {"accuracy": 1})
    writer.drop_snapshots("mail", 1)
    found = [(version, figures["accuracy"]) for version, _, figures in store.qualities("mail")]
    assert found == [(1, 0.1), (2, 0.2), (3, 0.3), (4, 0.4), (5, 1)]
    assert [version for version, *_ in store.qualities("mail", 3)] == [1, 3, 5]
    assert [snapshot.quality for snapshot in store.snapshots("mail")] == [{"accuracy": 1}]


def test_a_snapshot_that_replaces_another_keeps_what_was_measured(store, writer, taught, model_file):
    writer.add_snapshot("mail", model_file(), 5, quality={"documents": 5})
    writer.set_quality("mail", 5, {"documents": 5, "accuracy": 1})
    writer.add_snapshot("mail", model_file(), 5, quality={"documents": 5, "searched": 2})
    ((_, _, figures),) = store.qualities("mail")
    assert figures == {"documents": 5, "accuracy": 1, "searched": 2}
    assert [snapshot.quality for snapshot in store.snapshots("mail")] == [figures]
