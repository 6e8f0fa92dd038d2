"""Time of a commit to a store, with the write to the disk, beside a plain append and fsync of the same disk.

    python benchmarks/store.py --folder /var/tmp --documents 100000

Each request teaches one text, as a client does that waits for the answer. A commit may not take longer when
the table has many documents. ``--store`` measures a PostgreSQL store of that URL.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from textbayes.server.store import Put, Request, Store, Writer, open_store

_LABELS = ("grain", "oil", "gold")
_WORDS = [f"word{number}" for number in range(20_000)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="documents in the full table")
    parser.add_argument("--commits", type=int, default=2_000, help="commits to time")
    parser.add_argument("--together", type=int, default=16, help="requests of a group commit")
    parser.add_argument("--folder", type=Path, default=None, help="a folder on the disk to measure")
    parser.add_argument("--store", default=None, help="the URL of an empty PostgreSQL database")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        folder = Path(name)
        store = open_store(asked.store or folder / "store", folder / "cache")
        try:
            measure(store, folder, asked)
        finally:
            store.close()


def measure(store: Store, folder: Path, asked: argparse.Namespace) -> None:
    writer = store.become_writer("")
    if writer is None:
        raise SystemExit("Another process writes to this store.")
    writer.add_model("few")
    writer.add_model("many")
    texts = random.Random(0)
    print(f"{'':34}{'p50':>9}{'p99':>9}{'worst':>9}")
    with (folder / "plain").open("wb") as plain:
        show("append 8 KB and fsync", timed(lambda: append(plain.fileno()), asked.commits))
    show("commit, few documents", timed(lambda: teach(writer, "few", texts), asked.commits))
    fill(writer, texts, asked.documents)
    show(f"commit, {asked.documents:,} documents", timed(lambda: teach(writer, "many", texts), asked.commits))
    together = timed(lambda: teach(writer, "many", texts, asked.together), asked.commits // 10)
    show(f"commit of {asked.together} requests at once", together)
    show("search, one word", timed(lambda: store.documents("many", search=texts.choice(_WORDS)), 200))
    show("first page of documents", timed(lambda: store.documents("many"), 200))
    show("first page of changes", timed(lambda: store.history("many"), 200))
    show("heads, as a follower asks", timed(store.heads, 200))


def append(descriptor: int) -> None:
    os.write(descriptor, b"x" * 8192)
    os.fsync(descriptor)


def teach(writer: Writer, model: str, texts: random.Random, together: int = 1) -> None:
    requests = [Request(model, (put(texts),), "eve", key=texts.randbytes(8).hex()) for _ in range(together)]
    for receipt in writer.commit(requests):
        if isinstance(receipt, Exception):
            raise receipt


def put(texts: random.Random) -> Put:
    return Put(" ".join(texts.choices(_WORDS, k=30)), texts.choice(_LABELS))


def fill(writer: Writer, texts: random.Random, documents: int) -> None:
    for start in range(0, documents, 1000):
        edits = tuple(put(texts) for _ in range(min(1000, documents - start)))
        writer.commit([Request("many", edits, "eve")])


def timed(work: Callable[[], object], times: int) -> list[float]:
    found = []
    for _ in range(max(1, times)):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return sorted(found)


def show(name: str, seconds: list[float]) -> None:
    figures = (seconds[len(seconds) // 2], seconds[len(seconds) * 99 // 100], seconds[-1])
    print(f"{name:34}" + "".join(f"{1000 * figure:6.2f} ms" for figure in figures))


if __name__ == "__main__":
    main()
