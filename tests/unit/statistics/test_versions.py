"""Copies of sums: they change alone, and threads may use them at the same time."""

import gc
import mmap
import threading

import numpy as np
import pytest

from textbayes._native import CorrectionCache, NotLearnedAt, Scorer, Statistics, Weights
from textbayes.counts import Rows

TERMS, CLASSES = 40, 5


def labelled(seed, documents=4, terms=TERMS, weighted=False):
    random = np.random.default_rng(seed)
    width = min(6, terms)
    columns = np.concatenate([np.sort(random.choice(terms, width, replace=False)) for _ in range(documents)])
    starts = np.arange(documents + 1, dtype=np.int64)
    values = random.integers(1, 9, len(columns)) / (3 if weighted else 1)
    rows = Rows(starts * width, columns.astype(np.int32), values.astype(np.float64), terms)
    classes = random.integers(0, CLASSES, documents).astype(np.uint32)
    return rows, (starts, classes), random.random(documents) + 0.1 if weighted else None


def learned(*batches):
    sums = Statistics(TERMS)
    sums.grow(TERMS, CLASSES)
    for batch in batches:
        sums.add(batch)
    return sums


def assert_same(sums, expected):
    found, expected = sums.state(), expected.state()
    assert found.keys() == expected.keys()
    for name in found:
        assert found[name].dtype == expected[name].dtype
        assert found[name].tobytes() == expected[name].tobytes(), name


def deep(sums):
    """A copy that shares nothing."""
    return Statistics.from_state(sums.state())


@pytest.mark.parametrize("weighted", [False, True])
def test_a_copy_and_its_original_change_alone(weighted):
    first, second, third = (labelled(seed, weighted=weighted) for seed in range(3))
    old = learned(first)
    new = old.copy()
    new.add(second)
    assert_same(old, learned(first))
    assert_same(new, learned(first, second))
    old.add(third)
    assert_same(old, learned(first, third))
    assert_same(new, learned(first, second))


@pytest.mark.parametrize("seed", range(12))
def test_any_sequence_of_changes_gives_what_deep_copies_give(seed):
    random = np.random.default_rng(seed)
    start = learned(*(labelled(at) for at in range(10)))
    versions = [(start, deep(start))]
    for step in range(80):
        at = random.integers(len(versions))
        own, expected = versions[at]
        what = random.choice(["copy", "add", "subtract", "merge", "grow", "drop"])
        if what == "copy":
            versions.append((own.copy(), deep(expected)))
        elif what == "add":
            batch = labelled(100 * seed + step, documents=random.integers(1, 4), weighted=bool(step % 2))
            own.add(batch)
            expected.add(batch)
        elif what == "subtract":
            batch = labelled(random.integers(12))
            refused = []
            for sums in (own, expected):
                try:
                    sums.subtract(batch)
                except NotLearnedAt as error:
                    refused.append(error.args)
            assert refused in ([], [refused[0]] * 2 if refused else [])
        elif what == "merge":
            other, classes = learned(labelled(step, documents=2)), np.arange(CLASSES, dtype=np.uint32)
            own.merge(other, classes)
            expected.merge(other, classes)
        elif what == "grow":
            terms, classes = (
                len(own.terms()[0]) + random.integers(3),
                len(own.classes()[0]) + random.integers(2),
            )
            own.grow(terms, classes)
            expected.grow(terms, classes)
        elif len(versions) > 1:
            del versions[at], own, expected
        # Some are read at once, some only later.
        for found, expected in versions:
            if random.random() < 0.2:
                assert_same(found, expected)
    for found, expected in versions:
        assert_same(found, expected)


def test_pairs_of_a_file_are_copied_once(tmp_path):
    expected, more = learned(*(labelled(at) for at in range(20))), labelled(1, documents=1)
    shared, maps = {}, {}
    for name, array in expected.state().items():
        (tmp_path / name).write_bytes(array.tobytes() or bytes(8))
        with open(tmp_path / name, "rb") as file:
            maps[name] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        shared[name] = np.frombuffer(maps[name], array.dtype)[: len(array)]
    model = Statistics.from_state(shared, "a file")
    shared.clear()
    with pytest.raises(BufferError):
        maps["pair_values"].close()
    new = model.copy()
    new.add(more)
    del new
    # The old version took the memory of the new one back.
    assert_same(model, expected)
    maps["pair_values"].close()
    model.add(more)
    expected.add(more)
    assert_same(model, expected)


def test_a_scorer_keeps_what_it_was_made_from():
    sums = learned(*(labelled(at) for at in range(10)))
    empty, zeros = np.empty(0), np.zeros(CLASSES)
    weights = Weights(zeros, empty, empty, empty, np.ones(CLASSES), None, empty)
    rows = labelled(3)[0]
    scorer = Scorer(weights, sums, np.arange(CLASSES, dtype=np.uint32))
    before = scorer.scores(rows, 1).tolist()
    new = sums.copy()
    new.add(labelled(3))
    sums.add(labelled(4))
    assert scorer.scores(rows, 1).tolist() == before
    assert Scorer(weights, new, np.arange(CLASSES, dtype=np.uint32)).scores(rows, 1).tolist() != before


def test_cached_corrections_are_those_of_the_version():
    sums, cache = learned(*(labelled(at) for at in range(10))), CorrectionCache()
    empty = np.empty(0)
    weights = Weights(np.zeros(CLASSES), empty, empty, empty, np.ones(CLASSES), None, empty)
    expected = weights.absolute_excess(sums, CorrectionCache()).tolist()
    for seed in range(20, 30):
        new = sums.copy()
        new.add(labelled(seed, documents=1))
        fresh = weights.absolute_excess(deep(new), CorrectionCache()).tolist()
        assert weights.absolute_excess(new, cache).tolist() == fresh != expected
        del new
        assert weights.absolute_excess(sums, cache).tolist() == expected


def test_what_was_refused_changed_nothing():
    first, second = labelled(0), labelled(1)
    old = learned(first)
    new = old.copy()
    with pytest.raises(NotLearnedAt):
        new.subtract(second)
    assert_same(new, old)
    with pytest.raises(ValueError, match="not sound"):
        new.add(labelled(1, terms=100 * TERMS))
    assert_same(new, learned(first))


def test_sums_can_be_merged_with_themselves():
    first = labelled(0)
    sums = learned(first)
    sums.merge(sums, np.arange(CLASSES, dtype=np.uint32))
    assert_same(sums, learned(first, first))


def test_threads_read_one_version_while_copies_change():
    batches = [labelled(seed, documents=200) for seed in range(12)]
    model = [learned(batches[0])]
    states = [learned(*batches[: at + 1]) for at in range(len(batches))]
    known = {state.state()["pair_values"].tobytes(): state.all() for state in states}
    failures, done = [], threading.Event()

    def read():
        try:
            while not done.is_set():
                own = model[0]
                pairs, everything = own.state()["pair_values"].tobytes(), own.all()
                assert known[pairs] == everything
                assert own.copy().all() == everything
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(8):
            model[0] = learned(batches[0])
            for batch in batches[1:]:
                new = model[0].copy()
                new.add(batch)
                model[0] = new
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert not failures


def test_threads_may_change_one_object_at_the_same_time():
    batches = [labelled(seed, documents=300) for seed in range(8)]
    sums = learned(batches[0])
    failures = []

    def change(batch):
        try:
            for _ in range(20):
                sums.add(batch)
                sums.terms()
                len(sums)
                sums.subtract(batch)
        except BaseException as error:
            failures.append(error)

    writers = [threading.Thread(target=change, args=(batch,)) for batch in batches]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not failures
    assert_same(sums, learned(batches[0]))


def test_copies_that_are_dropped_leave_nothing():
    first = labelled(0)
    sums = learned(first)
    for seed in range(50):
        twin = sums.copy()
        twin.add(labelled(seed))
        twin.grow(TERMS + seed, CLASSES + seed)
        del twin
        gc.collect(1)  # of what is new
        assert_same(sums, learned(first))
