"""Failures that repeat are counted; nothing else is."""

from textbayes.server.counted_log import CountedLog


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def failing(message="disk full", **facts):
    return {"event": "failure", "message": message, **facts}


def test_repeated_failures_are_counted():
    events, clock = [], Clock()
    log = CountedLog(events.append, 60, clock)
    for _ in range(10_000):
        log(failing())
    assert events == [failing()]
    clock.now = 59
    log(failing("another"))
    assert events == [failing(), failing("another")]
    clock.now = 60
    log({"event": "request"})
    assert events[2:] == [failing(times=9_999), {"event": "request"}]


def test_counting_goes_on_in_each_minute():
    events, clock = [], Clock()
    log = CountedLog(events.append, 60, clock)
    for second in range(600):
        clock.now = second
        log(failing())
    log.flush()
    assert [event.get("times", 1) for event in events] == [1, 59, *[60] * 9]
    assert sum(event.get("times", 1) for event in events) == 600


def test_a_failure_after_a_quiet_minute_is_logged_at_once():
    events, clock = [], Clock()
    log = CountedLog(events.append, 60, clock)
    for minute in range(3):
        clock.now = 61 * minute
        log(failing())
    assert events == [failing()] * 3


def test_requests_are_not_counted():
    events = []
    log = CountedLog(events.append)
    for _ in range(5):
        log({"event": "request", "path": "/health"})
    assert len(events) == 5


def test_failures_differ_by_code_message_and_error():
    events = []
    log = CountedLog(events.append)
    for event in [
        failing(code="file-write"),
        failing(code="model-damaged"),
        failing("bug", traceback="Traceback:\n  line 1\nKeyError: 1\n"),
        failing("bug", traceback="Traceback:\n  line 2\nKeyError: 1\n"),
        failing("bug", traceback="Traceback:\n  line 1\nKeyError: 2\n"),
    ]:
        log(event)
    assert len(events) == 4


def test_ever_new_messages_are_bounded():
    events = []
    log = CountedLog(events.append)
    for number in range(10_000):
        log(failing(f"message {number}"))
    assert len(events) == 101
    log.flush()
    assert events[-1] == failing("message 9999", times=9_899)


def test_a_log_that_cannot_be_written_stops_nothing(ask):
    def full(_):
        raise OSError(28, "No space left on device")

    client = ask(log=full)
    assert client.get("/health").status_code == 200
    assert client.get("/nowhere").status_code == 404
