"""The desk commits requests together, within limits, and whether or not their clients wait."""

from __future__ import annotations

import asyncio
import threading

import pytest

from textbayes.errors import LabelsError, ServerBusyError, WriterElsewhereError
from textbayes.server.live.desk import Desk
from textbayes.server.store import Put, Request, Writer, open_store


@pytest.fixture
def store(tmp_path):
    store = open_store(tmp_path / "store")
    yield store
    store.close()


def request(text, label="grain"):
    return Request("mail", (Put(text, label),), "me")


async def opened(store, waiting=100):
    desk = Desk(store, "http://here", waiting)
    assert await desk.become_writer()
    await desk.write(Writer.add_model, "mail")
    return desk


def test_requests_that_come_together_are_committed_in_their_order(store):
    async def run():
        desk = await opened(store)
        receipts = await asyncio.gather(*(desk.commit(request(f"text {place}")) for place in range(50)))
        await desk.close()
        return [receipt.first for receipt in receipts]

    assert asyncio.run(run()) == list(range(1, 51))


def test_a_bad_request_harms_no_other(store):
    async def run():
        desk = await opened(store)
        requests = [request("a text"), request("another", 7), request("a third")]
        found = await asyncio.gather(*(desk.commit(each) for each in requests), return_exceptions=True)
        await desk.close()
        return found

    first, second, third = asyncio.run(run())
    assert (first.last, third.last) == (1, 2)
    assert isinstance(second, LabelsError)


def test_a_request_is_carried_out_though_its_client_has_gone(store):
    async def run():
        desk = await opened(store)
        gone = asyncio.ensure_future(desk.commit(request("wheat")))
        await asyncio.sleep(0)
        gone.cancel()
        receipt = await desk.commit(request("corn"))
        await desk.close()
        return receipt.last

    assert asyncio.run(run()) == 2


def test_too_many_requests_are_refused(store):
    async def run():
        desk = await opened(store, waiting=2)
        held = threading.Event()
        desk._thread.submit(held.wait)  # the disk is slow
        first = asyncio.ensure_future(desk.commit(request("first")))
        await asyncio.sleep(0.05)  # it is being committed
        waiting = [asyncio.ensure_future(desk.commit(request(f"waiting {place}"))) for place in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(ServerBusyError, match="2 changes are waiting"):
            await desk.commit(request("one too many"))
        held.set()
        receipts = await asyncio.gather(first, *waiting)
        await desk.close()
        return [receipt.last for receipt in receipts]

    assert asyncio.run(run()) == [1, 2, 3]


def test_a_follower_refuses_and_names_the_writer(store, tmp_path):
    async def run():
        desk = await opened(store)
        with_same_store = open_store(tmp_path / "store")
        other = Desk(with_same_store, "http://there", 100)
        assert not await other.become_writer()
        with pytest.raises(WriterElsewhereError, match="http://here"):
            await other.commit(request("wheat"))
        await desk.close()
        assert await other.become_writer()
        assert (await other.commit(request("wheat"))).last == 1
        await other.close()
        with_same_store.close()

    asyncio.run(run())
