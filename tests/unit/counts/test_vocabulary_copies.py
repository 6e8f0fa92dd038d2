"""Copies of vocabularies: they grow alone, and threads may use them at the same time."""

import threading

import numpy as np
import pytest

from textbayes._native import Counting, Rules, Vocabulary

RULES = Rules(True, r"\w+", "word", "keep", set(), None, ((1, 1), None))


def vocabulary(terms):
    encoded = [term.encode() for term in terms]
    return Vocabulary(b"".join(encoded), np.cumsum([len(term) for term in encoded], dtype=np.int64))


def grow(own, texts):
    counting = Counting(RULES, 1)
    counting.add_list(texts, 0)
    counting.name_and_grow(own)
    return counting.take_rows()


def test_a_copy_and_its_original_grow_alone():
    old = vocabulary(["b", "d"])
    new = old.copy()
    grow(new, ["a c b"])
    assert (old.terms(), new.terms()) == (["b", "d"], ["b", "d", "a", "c"])
    assert old.column("a") is None
    old.join(vocabulary(["z", "a"]))
    assert (old.terms(), new.terms()) == (["b", "d", "z", "a"], ["b", "d", "a", "c"])
    assert (old.column("a"), new.column("a")) == (3, 2)


def test_the_order_of_terms_is_that_of_the_version():
    old = vocabulary(["b", "d", "f"])
    assert old.late_terms() == 0
    for more in (["c", "a"], ["g", "ca", "0"], ["e"]):
        new = old.copy()
        grow(new, [" ".join(more)])
        assert new.late_terms() == len(more)
        assert [new.terms()[at] for at in new.sorted()] == sorted(["b", "d", "f", *more])
        columns, _ = new.count_text(RULES, " ".join(["b", "d", "f", *more]))
        assert [new.terms()[at] for at in columns] == sorted(["b", "d", "f", *more])
        del new
        assert old.late_terms() == 0
        assert old.count_text(RULES, "c a b d")[0].tolist() == [0, 1]


def test_threads_count_while_copies_grow():
    model = [vocabulary(["w0"])]
    failures, done = [], threading.Event()

    def read():
        try:
            while not done.is_set():
                own = model[0]
                terms = own.terms()
                assert len(own) == len(terms)
                columns, _ = own.count_text(RULES, " ".join(terms))
                assert sorted(columns.tolist()) == list(range(len(terms)))
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        for number in range(300):
            new = model[0].copy()
            grow(new, [f"w{number}"])
            model[0] = new
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert not failures
    assert sorted(model[0].terms()) == sorted(f"w{number}" for number in range(300))


def test_a_second_thread_is_refused_a_counting():
    counting, texts = Counting(RULES, 1), ["word " * 2_000_000] * 4
    started = threading.Event()

    def count():
        started.set()
        counting.add_list(texts, 0)

    thread = threading.Thread(target=count)
    thread.start()
    started.wait()
    refused = []
    while thread.is_alive():
        try:
            len(counting)
        except RuntimeError as error:
            refused.append(str(error))
    thread.join()
    assert set(refused) == {"another thread is using this Counting"}
    assert len(counting) == 4
    counting.name_hashed(10)
    counting.take_rows()
    with pytest.raises(RuntimeError, match="the rows were taken"):
        counting.take_rows()
