"""Clients that teach, relabel, forget and undo, each its own documents, and remember what was acknowledged.

A request is repeated with its key until it is acknowledged, whatever happens to the server meanwhile. So what
the store must hold afterwards is known exactly: every acknowledged request once, as a whole.
"""

import contextlib
import http.client
import json
import random
import threading
import time
from dataclasses import dataclass, field

LABELS = ("spam", "ham", "업무")
WORDS = [
    "cheap",
    "pills",
    "offer",
    "prize",
    "meeting",
    "noon",
    "team",
    "lunch",
    "회의",
    "자료",
    "🙂",
    "naïve",
    "oil",
]


@dataclass
class Acknowledged:
    """A request, its answer, and the states of its documents before and after it."""

    key: str
    method: str
    path: str
    fields: dict | None
    answer: dict
    before: dict
    after: dict
    repeats: int = 0

    @property
    def versions(self):
        return [each["version"] for each in self.answer["documents"] if each["version"] is not None]


@dataclass
class Ledger:
    """What the teachers of one store know."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    refused: dict[int, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def documents_at(self, version):
        """Return the documents as they were at a version, by id."""
        found = {}
        rows = [
            (row["version"], row["id"], each)
            for each in self.acknowledged
            for row in each.answer["documents"]
        ]
        for at, name, each in sorted((row for row in rows if row[0] is not None), key=lambda row: row[0]):
            if at <= version:
                found[name] = each.after[name]
        return {name: state for name, state in found.items() if state is not None}

    @property
    def head(self):
        return max((max(each.versions, default=0) for each in list(self.acknowledged)), default=0)


class Teacher(threading.Thread):
    """One client. ``address`` returns the current address of the server, or None if there is none."""

    def __init__(self, name, address, ledger, seed, pause=0.0, retried=(503,)):
        super().__init__(name=name, daemon=True)
        self._address, self._ledger, self._random = address, ledger, random.Random(f"{name} {seed}")
        self._stopping, self._pause, self._retried = threading.Event(), pause, retried
        self._number, self._connection, self._at = 0, None, None
        self._hopeless = False
        self.documents, self.erased, self._mine = {}, set(), []

    def stop(self):
        """Finish the current request, until it is acknowledged."""
        self._stopping.set()

    def give_up(self):
        """Finish now, acknowledged or not."""
        self._hopeless = True
        self._stopping.set()

    def run(self):
        try:
            while not self._stopping.is_set():
                self._step()
                time.sleep(self._pause)
        except Exception as error:
            self._ledger.wrong.append(f"{self.name}: {error!r}")
        finally:
            if self._connection is not None:
                self._connection.close()

    def _step(self):
        kinds = [self._teach] * 4 + [self._put] * 3
        if self.documents:
            kinds += [self._relabel] * 3 + [self._remove] * 2 + [self._forget, self._same]
            kinds += [self._erase] * (self._random.random() < 0.1)
        if self._mine:
            kinds += [self._undo, self._repeat, self._repeat]
        self._random.choice(kinds)()

    def _text(self):
        self._number += 1
        words = self._random.choices(WORDS, k=self._random.randint(1, 9))
        return " ".join([*words, f"{self.name}{self._number}"])

    def _label(self):
        return self._random.choice(LABELS)

    def _teach(self):
        """Teach up to eight documents in one request: new ones, and some that exist."""
        number = self._random.randint(1, 8)
        ids = [f"{self.name}-{self._number}-{each}" for each in range(number)]
        if self.documents and self._random.random() < 0.3:
            ids[0] = self._random.choice(list(self.documents))
        states = {each: (self._text(), self._label()) for each in ids}
        fields = {
            "texts": [text for text, _ in states.values()],
            "labels": [label for _, label in states.values()],
            "ids": ids,
        }
        self._send("POST", "/teach", fields, states)

    def _put(self):
        text, label = self._text(), self._label()
        name = f"{self.name}-{self._number}"
        self._send("PUT", f"/documents/{name}", {"text": text, "label": label}, {name: (text, label)})

    def _any(self):
        name = self._random.choice(list(self.documents))
        return name, *self.documents[name]

    def _relabel(self):
        name, text, _ = self._any()
        label = self._label()
        if self._random.random() < 0.5:
            self._send("PUT", f"/documents/{name}", {"label": label}, {name: (text, label)})
        else:
            text = self._text()
            self._send("PUT", f"/documents/{name}", {"text": text, "label": label}, {name: (text, label)})

    def _same(self):
        """Teach a document as it is: nothing changes."""
        name, text, label = self._any()
        made = self._send("PUT", f"/documents/{name}", {"text": text, "label": label}, {name: (text, label)})
        if made.versions:
            self._ledger.wrong.append(f"{name}: teaching the same again made versions {made.versions}")

    def _remove(self):
        name, _, _ = self._any()
        self._send("DELETE", f"/documents/{name}", None, {name: None})

    def _forget(self):
        name, text, label = self._any()
        self._send("POST", "/forget", {"text": text, "label": label}, {name: None})

    def _erase(self):
        name, _, _ = self._any()
        self.erased.add(name)
        self._send("DELETE", f"/documents/{name}?erase=true", None, {name: None})

    def _undo(self):
        """Undo the last own request that changed something."""
        undone = self._mine.pop()
        if any(self.documents.get(name) != state for name, state in undone.after.items()):
            return
        if self.erased & set(undone.after):
            return
        self._send("POST", "/undo", {"request": min(undone.versions)}, undone.before, undoing=True)

    def _repeat(self):
        """Send an old request again with its key: the answer is the same, and nothing changes."""
        made = self._random.choice(self._mine[-20:])
        answer = self._ask(made.method, made.path, made.fields, made.key)
        if answer["documents"] != made.answer["documents"]:
            self._ledger.wrong.append(f"repeated {made.key}: {answer} is not {made.answer}")
        made.repeats += 1

    def _send(self, method, path, fields, after, undoing=False):
        key = f"{self.name}-key-{self._random.getrandbits(64):x}"
        before = {name: self.documents.get(name) for name in after}
        answer = self._ask(method, path, fields, key)
        made = Acknowledged(key, method, path, fields, answer, before, after)
        for name, state in after.items():
            if state is None:
                self.documents.pop(name, None)
            else:
                self.documents[name] = state
        self._ledger.acknowledged.append(made)
        if made.versions and not undoing:
            self._mine.append(made)
        return made

    def _ask(self, method, path, fields, key):
        """Ask until the answer is 200."""
        limit = time.monotonic() + 180
        while True:
            start = time.monotonic()
            status, body = self._try(method, path, fields, key)
            if status == 200:
                self._ledger.seconds.append(time.monotonic() - start)
                return json.loads(body)
            if status is not None:
                self._ledger.refused[status] = self._ledger.refused.get(status, 0) + 1
            if status is not None and status not in self._retried:
                raise AssertionError(f"{method} {path} {fields}: {status} {body!r}")
            assert not self._hopeless, f"{method} {path}: given up"
            assert time.monotonic() < limit, f"{method} {path}: no answer for three minutes"
            time.sleep(0.005)

    def _try(self, method, path, fields, key):
        address = self._address()
        if address is None:
            return None, b""
        try:
            if self._connection is None or self._at != address:
                if self._connection is not None:
                    self._connection.close()
                self._connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
                self._at = address
            headers = {"Idempotency-Key": key, "Textbayes-Actor": self.name}
            body = None
            if fields is not None:
                body, headers["Content-Type"] = json.dumps(fields).encode(), "application/json"
            self._connection.request(method, path, body, headers)
            with self._connection.getresponse() as reply:
                return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection = None
            return None, b""


@contextlib.contextmanager
def teaching(server, ledger, seed, retried=(503,)):
    """Let three teachers work; at the end all of their requests are acknowledged."""
    teachers = [
        Teacher(f"t{number}", lambda: server.address, ledger, seed, 0.002, retried) for number in range(3)
    ]
    for each in teachers:
        each.start()
    try:
        yield teachers
        for each in teachers:
            each.stop()
        for each in teachers:
            each.join(60)
            assert not each.is_alive(), "a request was never acknowledged"
    finally:
        for each in teachers:
            each.give_up()
        for each in teachers:
            each.join(60)


def check_store(server, ledger, teachers):
    """Check that a store holds every acknowledged request, once and as a whole, and nothing else."""
    assert not ledger.wrong, ledger.wrong[:5]
    changes = {change["version"]: change for change in server.pages("/changes?limit=1000", "changes")}
    versions = [version for each in ledger.acknowledged for version in each.versions]
    versions += [version for version, change in changes.items() if change["kind"] == "recipe"]
    assert sorted(versions) == sorted(changes), (
        "every row is of one acknowledged request, and the other way round"
    )
    assert sorted(changes) == list(range(1, len(changes) + 1)), "versions without gaps"
    erased = set().union(*(teacher.erased for teacher in teachers))
    groups = {}
    for version, change in changes.items():
        groups.setdefault(change["request"], set()).add(version)
    for each in ledger.acknowledged:
        if not each.versions:
            continue
        assert groups[min(each.versions)] == set(each.versions), f"{each.key} is whole"
        for document in each.answer["documents"]:
            if document["version"] is None:
                continue
            change = changes[document["version"]]
            assert each.key.startswith(change["actor"])
            if change["kind"] == "erased":
                assert document["id"] in erased
                continue
            state = each.after[document["id"]]
            assert change["document"] == document["id"]
            assert change["labels_after"] == (None if state is None else state[1])
    found = {
        document["id"]: (document["text"], document["labels"])
        for document in server.pages("/documents?limit=1000", "documents")
    }
    expected = {name: state for teacher in teachers for name, state in teacher.documents.items()}
    assert found == expected
    return found
