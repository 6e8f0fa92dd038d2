"""Texts with a low probability go into the queue: in the background, within limits."""

import asyncio
import time

import pytest
from queued_model import QueuedModel

from textbayes import TextClassifier
from textbayes.errors import StoreFullError
from textbayes.server.live.feeding import SOURCE, Feeding
from textbayes.server.store import open_store

SURE, DOUBTFUL = "wheat corn 밀 밀", "tea é"


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("multinomial", calibrate=False).fit(
        ["wheat corn 밀", "crude oil"], ["grain", "oil"]
    )


class Writable(QueuedModel):
    is_writable = True


@pytest.fixture
def model(tmp_path, classifier):
    store = open_store(tmp_path / "store")
    writer = store.become_writer("http://127.0.0.1:1")
    writer.add_model("mail")
    yield Writable(store, writer, classifier)
    writer.release()
    store.close()


def feed(model, *batches, below=0.6, waiting=100, log=None):
    async def run():
        feeding = Feeding(below, waiting, log or (lambda event: None), pause=0.01)
        for texts in batches:
            feeding.offer(model, texts)
        await asyncio.sleep(0.3)
        await feeding.close()

    asyncio.run(run())
    return [(row.text, row.source) for row in model.store.queue("mail").items]


def test_texts_below_the_limit_are_queued_once(model):
    assert feed(model, [SURE, DOUBTFUL], [DOUBTFUL, " "]) == [(DOUBTFUL, SOURCE)]
    assert feed(model, [DOUBTFUL]) == [(DOUBTFUL, SOURCE)]


def test_nothing_is_kept_by_default_or_by_a_server_that_does_not_write(model):
    assert feed(model, [DOUBTFUL], below=None) == []
    model.is_writable = False
    assert feed(model, [DOUBTFUL]) == []


def test_the_queue_grows_to_a_limit(model):
    assert len(feed(model, [f"tea {number}" for number in range(20)], waiting=5)) == 5
    assert len(feed(model, ["coffee", "cocoa"], waiting=5)) == 5


def test_a_flood_costs_little_and_is_cut(model):
    async def run():
        feeding = Feeding(0.6, 10_000, lambda event: None, pause=60)
        start = time.perf_counter()
        for number in range(10_000):
            feeding.offer(model, [f"tea {number}"])
        took = time.perf_counter() - start
        await feeding.close()
        return took

    assert asyncio.run(run()) < 0.5
    assert len(feed(model, [f"tea {number}" for number in range(1000)])) == 100


def test_long_texts_are_not_kept(model):
    assert feed(model, ["tea " * 10_000]) == []


def test_a_failure_of_the_store_is_logged_and_the_next_texts_are_taken(model):
    events, write = [], model.write

    async def full(*given, **named):
        raise StoreFullError("store", "disk is full")

    model.write = full
    feed(model, [DOUBTFUL], log=events.append)
    assert [event["code"] for event in events] == [StoreFullError.code]
    model.write = write
    assert feed(model, [DOUBTFUL]) == [(DOUBTFUL, SOURCE)]


def test_an_empty_model_feeds_nothing(model):
    model.served = type(model.served)("mail", None)
    assert feed(model, [DOUBTFUL]) == []
