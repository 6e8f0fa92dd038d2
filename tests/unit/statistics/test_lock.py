"""Locks that can be copied."""

import copy
import pickle
import threading

import pytest

from textbayes.statistics.lock import Lock


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda lock: pickle.loads(pickle.dumps(lock))])
def test_a_copy_is_a_new_lock(copied):
    lock = Lock()
    with lock:
        twin = copied(lock)
    assert type(twin) is Lock
    assert twin is not lock
    with lock:
        assert taken_by_another_thread(lock)
        assert not taken_by_another_thread(twin)


def test_its_thread_takes_it_again_and_others_wait():
    lock = Lock()
    with lock:
        with lock:
            assert taken_by_another_thread(lock)
        assert taken_by_another_thread(lock)
    assert not taken_by_another_thread(lock)


def taken_by_another_thread(lock):
    found = []

    def take():
        free = lock.acquire(blocking=False)
        found.append(not free)
        if free:
            lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return found[0]
