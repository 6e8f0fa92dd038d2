"""Rates: an average and a burst for each sender, in bounded memory."""

from textbayes.server.access import Rates, rates


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_burst_and_then_the_average():
    clock = Clock()
    limit = Rates(4, clock)
    assert [limit.wait("ann") for _ in range(5)] == [0.0] * 4 + [0.25]
    sent = 0
    for step in range(1, 81):
        clock.now = step / 8
        sent += limit.wait("ann") == 0
    assert sent == 40


def test_less_than_one_a_second():
    clock = Clock()
    limit = Rates(0.5, clock)
    assert (limit.wait("ann"), limit.wait("ann")) == (0.0, 2.0)
    clock.now = 2.0
    assert limit.wait("ann") == 0.0


def test_senders_are_apart():
    limit = Rates(1, Clock())
    assert [limit.wait(name) for name in ("ann", "bob", "ann")] == [0.0, 0.0, 1.0]


def test_waiting_saves_no_more_than_a_burst():
    clock = Clock()
    limit = Rates(2, clock)
    limit.wait("ann")
    clock.now = 1000.0
    assert [limit.wait("ann") for _ in range(3)] == [0.0, 0.0, 0.5]


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(rates, "_MOST", 10)
    limit = Rates(1, Clock())
    for number in range(100):
        limit.wait(number)
    assert limit.wait(99) > 0
    assert limit.wait(5) == 0.0  # forgotten
