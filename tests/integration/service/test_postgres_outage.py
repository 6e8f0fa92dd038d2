"""PostgreSQL stops and starts again under load: nothing acknowledged is lost, and it heals by itself."""

import json
import signal

import pytest
from servers import wait_for
from teachers import Ledger, check_store, teaching


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["stopped", "crashed"])
def test_postgresql_stops_and_starts(serve, bases, postgres, how):
    server = serve(bases["complement"], "--store", postgres.new_database())
    ledger = Ledger()
    with teaching(server, ledger, 5) as teachers:
        for _ in range(2):
            wait_for_more(ledger)
            postgres.stop(how)
            try:
                ledger.refused.clear()
                wait_for(lambda: ledger.refused.get(503, 0) > 3)
                status, headers, body = server.raw("POST", "/teach", {"text": "zebra", "label": "spam"})
                assert (status, json.loads(body)["error"]["code"]) == (503, "store-unavailable")
                assert int(headers["Retry-After"]) >= 1
                for _ in range(5):
                    assert server.post("/predict", {"text": "cheap pills"})
                assert server.ask("GET", "/health")[0] == 200
            finally:
                postgres.start()
        wait_for_more(ledger)
    check_store(server, ledger, teachers)


def wait_for_more(ledger, count=30):
    seen = len(ledger.acknowledged)
    wait_for(lambda: len(ledger.acknowledged) > seen + count, seconds=60)


def test_a_server_that_starts_without_its_database_says_so(serve, bases, postgres):
    url = postgres.new_database().replace("textbayes@", "textbayes:hushhush@")
    postgres.stop()
    try:
        server = serve(bases["complement"], "--store", url, ready=False)
        wait_for(lambda: not server.is_alive())
        assert server.stop() == 2
        told = str(server.events())
        assert "store-unavailable" in told
        assert "hushhush" not in told
        assert "Traceback" not in told
    finally:
        postgres.start()
