"""A store under load whose server is killed and started again."""

import contextlib
import http.client
import random
import threading
import time

from servers import Server
from teachers import Ledger, Teacher, check_store

# Between two requests of a teacher: enough of them are under way at any moment, and the machine is not busy
# with them alone. A server that starts learns all that was taught since the last snapshot.
_PAUSE = 0.03


class Trial:
    """A store, its teachers and the server that is running at the moment.

    Parameters
    ----------
    nursery : Nursery
        Starts the servers.
    arguments : sequence
        Of ``textbayes serve``.
    folder : path
        For the messages of the servers.
    seed : int
        Decides what is sent and when the server is killed.
    """

    def __init__(self, nursery, arguments, folder, seed, teachers=3):
        self._nursery, self._arguments, self._seed = nursery, arguments, seed
        self._messages = folder / f"trial-{seed}.log"
        self.random, self.ledger, self.server = random.Random(seed), Ledger(), None
        self.kills, self.lost, self._took = 0, [], 0.1
        self.teachers = [
            Teacher(f"t{number}", self.address, self.ledger, seed, pause=_PAUSE) for number in range(teachers)
        ]

    def address(self):
        server = self.server
        return None if server is None else server.address

    def _start(self, ready=True) -> Server:
        return self._nursery.serve(*self._arguments, messages=self._messages, ready=ready)

    def _settle(self, server):
        """Ask for a settled model, so that kills meet refits and snapshots, too."""
        with contextlib.suppress(OSError, http.client.HTTPException):  # it is killed meanwhile
            server.ask("POST", "/settle", {})

    def run(self, kills):
        """Kill the server again and again, then let the teachers finish; return the last server."""
        for each in self.teachers:
            each.start()
        for _ in range(kills):
            self._live_and_die()
        self.server = self._start()
        for each in self.teachers:
            each.stop()
        for each in self.teachers:
            each.join(200)
            assert not each.is_alive(), "a request was never acknowledged"
        return self.server

    def _live_and_die(self):
        """Start a server and kill it, at a moment that scales with how long a start takes just now."""
        scale = min(self._took, 0.5)
        fate, start = self.random.random(), time.monotonic()
        if fate < 0.2:  # during the start: locks, the snapshot, replay
            server = self._start(ready=False)
            time.sleep(self.random.uniform(0, 1.5) * scale)
        else:
            server = self._start()
            self._took = time.monotonic() - start
            self._check_head(server)
            if fate < 0.7:
                time.sleep(self.random.uniform(0, 1.5) * scale)
            elif fate < 0.93:
                time.sleep(self.random.uniform(1, 3) * scale)
            else:
                threading.Thread(target=self._settle, args=[server], daemon=True).start()
                time.sleep(self.random.uniform(0.3, 2.5))
        server.kill()
        self.server = None
        self.kills += 1

    def _check_head(self, server):
        known = self.ledger.head
        self.server = server
        head = server.get("/versions")["version"]
        if head < known:
            self.lost.append((known, head))

    def close(self):
        """Kill the server that is left."""
        for each in self.teachers:
            each.give_up()
        if self.server is not None:
            self.server.kill()
        for each in self.teachers:
            if each.is_alive():
                each.join(60)

    def check(self):
        """Check the store after the last start; return the documents by id."""
        assert not self.lost, f"(acknowledged, found after the start): {self.lost}"
        return check_store(self.server, self.ledger, self.teachers)
