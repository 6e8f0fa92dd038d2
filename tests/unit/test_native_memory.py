"""Memory that Python hands to the core: written to, replaced or released while the core uses it.

Each test runs in a process of its own, whose exit status says whether it crashed.
"""

from __future__ import annotations

import sys
import textwrap

import warm


def _run(code: str) -> None:
    code = f"import faulthandler; faulthandler.enable()\n{textwrap.dedent(code)}"
    done = warm.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "PanicException" not in done.stderr


# Writes from another thread, by C code that does not hold the interpreter's lock.
_WRITER = """
import threading, time
import numpy as np
from textbayes.errors import TextbayesError

def while_writing(target, make, work, refused=(), seconds=1.0):
    stop = threading.Event()
    def write():
        while not stop.is_set():
            make(target)
    thread = threading.Thread(target=write)
    thread.start()
    end = time.monotonic() + seconds
    ends = set()
    while time.monotonic() < end:
        try:
            work()
            ends.add("done")
        except (TextbayesError, ValueError) as error:
            ends.add(type(error).__name__)
    stop.set()
    thread.join()
    assert ends and not ends & set(refused), ends
"""


def test_arrow_texts_can_be_written_to_while_they_are_counted() -> None:
    _run(
        _WRITER
        + """
import pyarrow as pa
from textbayes import TextCounter

text = "über straße größe wörter " * 40
texts = pa.array([text] * 2000, pa.large_string())
data = np.frombuffer(texts.buffers()[2], np.uint8)
import ctypes  # Arrow's memory can be written to by its address.
raw = (ctypes.c_uint8 * len(data)).from_address(data.ctypes.data)
target = np.frombuffer(raw, np.uint8)
good = target.copy()
rng = np.random.default_rng(0)

def spoil(target):
    # A few bytes, for a moment: most texts are valid when they are checked, and some are not a moment later.
    places = rng.integers(0, len(good), 3)
    target[places] = rng.integers(0x80, 0x100, 3)
    time.sleep(1e-4)
    target[places] = good[places]

counter = TextCounter(ngram_range=(1, 2), characters=(2, 4))
for kind in ("large_string", "string_view"):
    column = texts if kind == "large_string" else texts.cast(pa.string_view())
    while_writing(target, spoil, lambda: counter.fit_transform(column), refused=["CoreBugError"], seconds=4.0)
"""
    )


def test_rows_can_be_written_to_while_they_are_learned_and_scored() -> None:
    _run(
        _WRITER
        + """
from textbayes import _native
from textbayes.counts import Rows

rng = np.random.default_rng(0)
width, count = 1000, 200_000
columns = np.sort(rng.integers(0, width, (2000, 100)).astype(np.int32), axis=1).ravel()
starts = np.arange(0, count + 1, 100, dtype=np.int64)
good, wild = columns.copy(), rng.integers(-(2**31), 2**31, count).astype(np.int32)
turn = iter(range(10**9))
rows = Rows(starts, columns, np.ones(count), width)
labels = (np.arange(2001, dtype=np.int64), rng.integers(0, 5, 2000).astype(np.uint32))

def work():
    statistics = _native.Statistics(width)
    statistics.grow(width, 5)
    statistics.add((rows, labels, None))

while_writing(columns, lambda target: np.copyto(target, wild if next(turn) % 2 else good), work)
"""
    )


def test_arrays_of_a_model_can_be_given_other_memory() -> None:
    _run(
        """
import gc
import numpy as np
from textbayes import _native

def array(values, kind):
    return np.frombuffer(bytes(np.array(values, kind).tobytes()), kind)

terms = [f"term{number:06}" for number in range(20_000)]
ends = np.cumsum([len(term) for term in terms])
data, order = array(list("".join(terms).encode()), np.uint8), array([], np.uint32)
ends = array(ends, np.int64)
vocabulary = _native.Vocabulary.mapped(data, ends, order)
for owner in (data, ends):
    # Drops the bytes that the array was made of.
    owner.__setstate__((1, (3,), np.dtype(np.uint8), False, b"abc"))
gc.collect()
filling = [bytes(200_000) for _ in range(200)]
assert vocabulary.terms() == terms
assert vocabulary.column("term000077") == 77
"""
    )


def test_a_map_stays_open_while_the_core_reads_it() -> None:
    _run(
        """
import mmap, tempfile
import numpy as np
from textbayes import _native

with tempfile.TemporaryFile() as file:
    file.write(b"onetwo" + bytes(10) + np.array([3, 6], np.int64).tobytes())
    file.flush()
    map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    whole = np.frombuffer(map, np.uint8)
    vocabulary = _native.Vocabulary.mapped(whole[:6], whole[16:].view(np.int64), np.zeros(0, np.uint32))
    del whole
    try:
        map.close()
    except BufferError:
        pass
    else:
        raise AssertionError("the map was closed")
    assert vocabulary.terms() == ["one", "two"]
    del vocabulary
    map.close()
"""
    )


def test_bytes_that_are_no_bool_count_as_true() -> None:
    _run(
        """
import numpy as np
from textbayes import _native

rules = _native.Rules(True, "words", "word", "keep", set(), None, ((1, 1), None))
counting = _native.Counting(rules, 1)
counting.add_list(["one two three"], 0)
vocabulary = _native.Vocabulary()
counting.name_and_grow(vocabulary)
keep = np.zeros(3, bool)
keep.view(np.uint8)[:] = [0, 2, 255]
assert counting.keep(vocabulary, keep).terms() == ["three", "two"]
"""
    )
