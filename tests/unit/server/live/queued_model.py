"""A model of a store for tests of its queue: what it serves is given."""

import asyncio

from textbayes.server.live import LiveModel, Served, Status
from textbayes.server.store import Answer, Request


class QueuedModel(LiveModel):
    """Reads and writes a store; learns nothing."""

    def __init__(self, store, writer, classifier=None, name="mail"):
        self.name, self._store, self.writer = name, store, writer
        self.served = Served(name, classifier)

    @property
    def store(self):
        return self._store

    def status(self):
        return Status()

    async def change(self, edits, *, actor, **named):
        (receipt,) = self.writer.commit([Request(self.name, tuple(edits), actor)])
        if isinstance(receipt, Exception):
            raise receipt
        return receipt

    async def read(self, method, *given, **named):
        return await asyncio.to_thread(method, self._store, self.name, *given, **named)

    async def write(self, method, *given, **named):
        return method(self.writer, self.name, *given, **named)

    async def settle(self):
        return False

    async def reconsider(self):
        return {}

    async def reload(self):
        return False

    async def file(self, version=None):
        raise NotImplementedError

    def label(self, id, labels, actor="eve"):
        (receipt,) = self.writer.commit([Request(self.name, (Answer(id, labels),), actor)])
        assert not isinstance(receipt, Exception), receipt
