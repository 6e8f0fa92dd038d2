"""Threads, processes, signals and memory of the native counter."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from itertools import pairwise

import pyarrow as pa
import pytest

import warm
from reference.corpora import everyday_texts
from reference.count_vectorizer import assert_same_bytes
from textbayes import TextCounter

# Texts of very different sizes: every thread gets a share, and each number of threads splits differently.
TEXTS = [*everyday_texts() * 3, "x" * 300_000 + " end", *everyday_texts()[::-1]] * 2


@pytest.fixture(scope="module")
def expected():
    counter = TextCounter(n_jobs=1, ngram_range=(1, 2))
    return counter.fit_transform(TEXTS), counter.vocabulary_


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 61])
def test_any_number_of_threads_gives_the_same_bits(threads, expected):
    rows, vocabulary = expected
    counter = TextCounter(n_jobs=threads, ngram_range=(1, 2))
    assert_same_bytes(counter.fit_transform(TEXTS), rows)
    assert counter.vocabulary_ == vocabulary
    assert_same_bytes(counter.transform(TEXTS), rows)
    assert_same_bytes(counter.transform(iter(TEXTS)), rows)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("characters", [1, 777, 100_003])
def test_any_size_of_batch_gives_the_same_bits(threads, characters, expected, monkeypatch):
    monkeypatch.setattr("textbayes.text.sources._BATCH_CHARACTERS", characters)
    rows, vocabulary = expected
    counter = TextCounter(n_jobs=threads, ngram_range=(1, 2))
    assert_same_bytes(counter.fit_transform(text for text in TEXTS), rows)
    assert counter.vocabulary_ == vocabulary


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
@pytest.mark.parametrize("size", [1, 777, 100_003])
def test_any_size_of_arrow_part_gives_the_same_bits(kind, size, expected, monkeypatch):
    monkeypatch.setattr("textbayes.text.columns._BATCH_BYTES", size)
    counter = TextCounter(ngram_range=(1, 2))
    column = pa.array(["before", *TEXTS], kind).slice(1)
    assert_same_bytes(counter.fit_transform(column), expected[0])


@pytest.mark.parametrize(
    "options", [{"dimensions": 999}, {"min_df": 3, "max_features": 500}, {"stemmer": "english"}], ids=str
)
def test_threads_change_nothing_with_any_settings(options):
    one = TextCounter(n_jobs=1, **options).fit_transform(TEXTS)
    for threads in (2, 5):
        assert_same_bytes(TextCounter(n_jobs=threads, **options).fit_transform(TEXTS), one)


def test_python_threads_count_in_parallel(expected):
    results = [None] * 4
    counter = TextCounter(ngram_range=(1, 2)).fit(TEXTS)

    def work(place):
        results[place] = (
            counter.transform(TEXTS) if place % 2 else TextCounter(ngram_range=(1, 2)).fit_transform(TEXTS)
        )

    workers = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for rows in results:
        assert_same_bytes(rows, expected[0])


def longest_silence_while_counting(texts) -> tuple[float, float]:
    """Count while another thread records the time; return its longest pause and the total time."""
    times, done = [], threading.Event()

    def tick():
        while not done.is_set():
            times.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    while not times:
        pass
    start = time.perf_counter()
    TextCounter(n_jobs=1).fit(texts)
    end = time.perf_counter()
    done.set()
    ticker.join()
    inside = [start, *(moment for moment in times if start < moment < end), end]
    return max(after - before for before, after in pairwise(inside)), end - start


@pytest.mark.parametrize(
    "texts", [["wheat rose and corn fell " * 3_000_000], ["wheat rose and corn fell " * 3_000] * 1_000]
)
def test_other_python_threads_run_while_the_core_counts(texts):
    # With the GIL held, the pause would be the total time. A busy machine may pause any thread: try again.
    shares = []
    for _ in range(3):
        silence, whole = longest_silence_while_counting(texts)
        shares.append(silence / whole)
        if shares[-1] < 0.5:
            return
    pytest.fail(f"another thread paused for {shares} of the time")


def run(script: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


def test_a_forked_child_can_count():
    # In a separate process: the test runner may have threads, and forking with threads is unsafe.
    done = run(
        """
        import multiprocessing, os
        from textbayes import TextCounter

        texts = [f"wheat{i % 97} rose corn{i % 13}" for i in range(20_000)]

        def count(_):
            return TextCounter(n_jobs=4).fit_transform(texts).data.tobytes(), os.getpid()

        here, parent = count(0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            for there, child in pool.map(count, range(4)):
                assert there == here
                assert child != parent
        print("same")
        """
    )
    assert done.stdout == "same\n", done.stderr


@pytest.mark.skipif(os.name == "nt", reason="SIGINT is POSIX")
@pytest.mark.parametrize(
    "texts",
    [
        # An endless generator.
        "itertools.repeat('wheat rose and corn fell ' * 40)",
        # Over ten gigabytes in a list, which takes many seconds: the core must check for signals meanwhile.
        "['wheat ' * 20_000] * 100_000",
        # The same in Arrow memory: a hundred thousand views of one text.
        "pa.Array.from_buffers(pa.string_view(), 10**5, [None, *map(pa.py_buffer, (VIEW * 10**5, TEXT))])",
    ],
    ids=["generator", "list", "arrow"],
)
def test_control_c_stops_counting(texts):
    script = f"""
import itertools, struct
import pyarrow as pa
from textbayes import TextCounter
TEXT = b"wheat " * 20_000
VIEW = struct.pack("<i4sii", len(TEXT), TEXT[:4], 0, 0)
texts = {texts}
counter = TextCounter(dimensions=8)
print("ready", flush=True)
while True:
    counter.transform(texts)
"""
    with warm.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            # Aim for the middle of the counting; nothing outside shows when it starts.
            time.sleep(0.3)
            start = time.perf_counter()
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=30)
            waited = time.perf_counter() - start
        finally:
            child.kill()
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert child.returncode == -signal.SIGINT
    assert waited < 5


MEMORY = """
import random, resource, sys
from textbayes import TextCounter

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

draw = random.Random(0)
words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 12))) for _ in range(60_000)]
# Frequent words are much more frequent than rare ones, as in real text.
weights = [1 / rank for rank in range(1, len(words) + 1)]
pages = [" ".join(draw.choices(words, weights, k=600)) for _ in range(200)]
TextCounter(n_jobs=2).fit_transform(pages)  # what the first call loads is the interpreter's
baseline = peak()

def texts():
    for number in range(25_000):
        yield f"{pages[number % 200]} document{number}"

texts = {texts}
size = sum(len(f"{page} document00000") for page in pages) * 125
counter = TextCounter(n_jobs=2)
rows = counter.fit_transform(texts)
assert rows.shape[0] == 25_000
result = rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes
result += sum(len(term) for term in counter.get_feature_names_out())
print(size, result, peak() - baseline)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs resource")
@pytest.mark.parametrize(
    "texts",
    [
        pytest.param("list(texts())", marks=pytest.mark.slow, id="list"),
        pytest.param("texts()", id="generator"),
    ],
)
def test_memory_stays_within_three_times_text_and_result(texts):
    done = run(MEMORY.replace("{texts}", texts))
    assert done.returncode == 0, done.stderr
    size, result, used = map(int, done.stdout.split())
    assert size > 80_000_000
    assert used <= 3 * (size + result), f"{used:,} bytes for {size:,} of text and {result:,} of result"
