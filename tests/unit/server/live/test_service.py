"""A service: changes are learned, settled, followed by other servers, and there again after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.errors import (
    ModelEmptyError,
    ModelExistsError,
    ModelLockedError,
    ModelUnknownError,
    NotLearnedError,
    ServerReadOnlyError,
    StoreMissingError,
    VersionGoneError,
    VersionUnknownError,
    WriterElsewhereError,
)
from textbayes.persistence import write_lock
from textbayes.server.live import Service, settling
from textbayes.server.settings import Settings
from textbayes.server.store import Put, Remove, RemoveText, Store, Undo

TEXTS = ["wheat corn", "corn harvest 밀", "crude oil", "oil output नमस्ते", "gold mine", "gold 🙂 price"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
PUTS = [
    Put(text, label, id=f"d{place}") for place, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
]


@contextlib.asynccontextmanager
async def running(*given, **named):
    named = {"settle_seconds": 60.0, "snapshot_seconds": 60.0, **named}
    service = Service(Settings(*given, **named))
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def teach(model, edits=PUTS, **named):
    return await model.change(edits, actor="me", wait=30.0, **named)


def test_an_empty_store_learns_from_nothing_and_remembers(tmp_path):
    async def first():
        async with running(store=tmp_path / "store") as service:
            model = service.model()
            assert (model.name, model.served.is_empty, model.is_writable) == ("default", True, True)
            with pytest.raises(ModelEmptyError):
                model.served.classifier  # noqa: B018
            changed = await teach(model)
            assert (changed.receipt.first, changed.receipt.last, changed.applied) == (1, 6, True)
            assert model.served.classifier.predict(["corn", "crude"]).tolist() == ["grain", "oil"]
            return model.served.classifier.predict_proba(TEXTS)

    async def second():
        async with running(store=tmp_path / "store") as service:
            assert service.model("default").served.version == 6
            return service.model().served.classifier.predict_proba(TEXTS)

    assert np.array_equal(asyncio.run(first()), asyncio.run(second()))


@pytest.mark.parametrize("recipe", ["complement", "linear-svm", "auto"])
def test_a_settled_model_is_a_fit_on_the_rows_to_the_byte(tmp_path, recipe):
    TextClassifier(recipe).fit(TEXTS, LABELS).save(tmp_path / "news.tb")

    async def run():
        async with running(tmp_path / "news.tb", writable=True) as service:
            model = service.model("news")
            changed = await teach(
                model, [Put("gold and oil", "gold", id="x"), Put("oil market", "oil")], settle=True
            )
            assert changed.settled
            await teach(model, [Remove("x")], settle=True)
            return model.served.classifier.predict_proba(TEXTS)

    found = asyncio.run(run())
    expected = TextClassifier.load(tmp_path / "news.tb")
    fresh = TextClassifier(recipe).fit([*TEXTS, "oil market"], [*LABELS, "oil"])
    assert expected.documents_ == 7
    assert np.array_equal(found, expected.predict_proba(TEXTS))
    if recipe != "auto":  # whose recipe is that of the first six texts
        assert np.array_equal(found, fresh.predict_proba(TEXTS))


def test_every_version_can_be_rebuilt_to_the_byte(tmp_path):
    async def run():
        async with running(store=tmp_path / "store", snapshots=1) as service:
            model = service.model()
            await teach(model, PUTS[:1])
            then = {1: digest(await model.file())}
            for put in PUTS[1:]:
                await teach(model, [put])
            await model.reconsider()
            then[7] = digest(await model.file())
            await teach(model, [Remove("d0")], settle=True)
            then[8] = digest(await model.file())
            await teach(model, [Undo()])
            for version, expected in then.items():
                assert digest(await model.file(version)) == expected, version
            with pytest.raises(VersionUnknownError):
                await model.file(10)
            with pytest.raises(ModelEmptyError):
                await model.file(0)
            kinds = [change.kind for change in (await model.read(Store.history)).items]
            assert kinds[:3] == ["undo", "forget", "recipe"]
            figures = [each[2] for each in await model.read(Store.qualities)]
            assert {"documents", "searched", "seconds"} <= set(figures[0])

    asyncio.run(run())


def test_an_erased_text_leaves_the_store_and_older_versions(tmp_path):
    async def run():
        async with running(store=tmp_path / "store") as service:
            model = service.model()
            await teach(model, [*PUTS, Put("secret words", "gold", id="secret")])
            await teach(model, [Remove("secret", erase=True)], settle=True)
            async with asyncio.timeout(60):
                while (await model.read(Store.history, document="secret")).items[0].kind != "erased":
                    await asyncio.sleep(0.05)
            with pytest.raises(VersionGoneError):
                await model.file(7)
            assert TextClassifier.load(await model.file(8)).documents_ == 6

    asyncio.run(run())
    assert not any(b"secret words" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_model_file_gets_the_changes_and_those_of_others_are_kept(tmp_path):
    path = tmp_path / "news.tb"
    TextClassifier("complement").fit(TEXTS[:4], LABELS[:4]).save(path)

    async def serve(edits):
        async with running(path, writable=True) as service:
            await teach(service.model(), edits)
            with pytest.raises(ModelLockedError), write_lock(path, 0):
                pass
            return service.model().served.classifier.documents_

    assert asyncio.run(serve(PUTS[4:5])) == 5
    assert TextClassifier.load(path).documents_ == 5
    TextClassifier.load(path).teach(["silver mine"], ["silver"]).save(path)
    assert asyncio.run(serve(PUTS[5:])) == 7
    assert TextClassifier.load(path).classes_.tolist() == ["gold", "grain", "oil", "silver"]


def test_settling_by_hand_writes_the_model_file(tmp_path):
    path = tmp_path / "news.tb"
    TextClassifier("complement").fit(TEXTS[:4], LABELS[:4]).save(path)

    async def run():
        async with running(path, writable=True) as service:
            await teach(service.model(), PUTS[4:])
            assert await service.model().settle() is False  # it was exact before
            return TextClassifier.load(path).documents_

    assert asyncio.run(run()) == 6


@pytest.mark.parametrize("head_start", [0.0, 0.6])
def test_a_model_that_somebody_asked_to_settle_is_settled_once(unsettled, monkeypatch, head_start):
    jobs = []

    def counted(job, run=settling.run_job):
        jobs.append(job.until)
        return run(job)

    monkeypatch.setattr(settling, "run_job", counted)

    async def run():
        async with running(unsettled, writable=True, settle_seconds=0.05) as service:
            await teach(service.model(), [Put("gold and oil", "spam")])
            await asyncio.sleep(head_start)  # for the service, or for the one who asks
            await service.model().settle()
            await asyncio.sleep(1)  # the service looks several times
            assert jobs == [1]

    asyncio.run(run())


def test_texts_of_the_model_file_can_be_forgotten_and_relabelled_once(tmp_path):
    path = tmp_path / "news.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)

    async def run():
        async with running(path, writable=True) as service:
            model = service.model()
            await teach(model, [RemoveText(TEXTS[0], LABELS[0])])
            for _ in range(2):
                with pytest.raises(NotLearnedError):
                    await teach(model, [RemoveText(TEXTS[0], LABELS[0])])
            await teach(model, [RemoveText(TEXTS[1], LABELS[1]), Put(TEXTS[1], "food")])
            changed = await teach(model, [RemoveText(TEXTS[1], "food"), Put(TEXTS[1], "grain")])
            assert [outcome.change for outcome in changed.receipt.outcomes] == ["relabelled"]
            return model.served.classifier.predict_proba(TEXTS)

    fresh = TextClassifier("complement").fit(TEXTS[1:], LABELS[1:])
    assert np.array_equal(asyncio.run(run()), fresh.predict_proba(TEXTS))


def test_a_second_server_follows_and_takes_over(tmp_path):
    async def run():
        async with running(store=tmp_path / "store", address="http://first") as first:
            await teach(first.model())
            async with running(store=tmp_path / "store", address="http://second") as second:
                model = second.model()
                assert (first.is_writer, second.is_writer) == (True, False)
                with pytest.raises(WriterElsewhereError, match="http://first"):
                    await teach(model)
                await teach(first.model(), [Put("silver mine", "silver")])
                start = time.monotonic()
                while "silver" not in model.served.classes:
                    assert time.monotonic() - start < 5
                    await asyncio.sleep(0.01)
                await first.create("other")
                await first.stop()
                while not second.is_writer:
                    assert time.monotonic() - start < 10
                    await asyncio.sleep(0.01)
                await teach(second.model("default"), [Put("tin mine", "tin")])
                assert sorted(second.models) == ["default", "other"]

    asyncio.run(run())


def test_models_are_created_and_removed(tmp_path):
    async def run():
        async with running(store=tmp_path / "store") as service:
            await service.create("메일")
            with pytest.raises(ModelExistsError):
                await service.create("메일")
            with pytest.raises(ModelUnknownError):
                service.model()
            await teach(service.model("메일"))
            assert service.model("default").served.is_empty
            await service.remove("메일")
            with pytest.raises(ModelUnknownError):
                service.model("메일")
            assert service.model().name == "default"

    asyncio.run(run())


def test_a_model_file_without_a_store_is_read_only(tmp_path):
    path = tmp_path / "news.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)

    async def run():
        async with running(path) as service:
            model = service.model()
            with pytest.raises(ServerReadOnlyError):
                await teach(model)
            with pytest.raises(StoreMissingError):
                await model.read(Store.documents)
            assert await model.file() == path

    asyncio.run(run())


def test_a_change_is_acknowledged_before_it_is_learned(tmp_path):
    async def run():
        async with running(store=tmp_path / "store") as service:
            model = service.model()
            changed = await model.change(PUTS, actor="me", wait=0.0)
            assert (changed.receipt.last, changed.applied) == (6, False)
            assert (await model.change(PUTS[:1], actor="me", wait=30.0)).receipt.outcomes[
                0
            ].change == "unchanged"
            await model.reload()
            assert model.served.version == 6

    asyncio.run(run())
