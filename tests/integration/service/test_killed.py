"""kill -9 at any moment loses nothing that was acknowledged, and leaves no half of a request."""

import contextlib
import http.client
import os
import re
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mails import MAIL
from servers import wait_for
from trials import Trial

from textbayes import TextClassifier

# Several stores at once, since a server that starts also waits for its disk; with their shares of the kills.
STORES = {"one": ("complement", 0.4), "two": ("complement", 0.4), "three": ("auto", 0.2)}


def check_model(trial, model, documents, folder):
    """Check the settled model against one that is made of the documents, and of nothing else.

    A model without a search is fitted anew, and the files are equal byte for byte. A recipe that a search
    found cannot be passed to fit: there the model file of the last search is moved to the documents in one
    step; predictions are equal bit for bit, and so is the number of documents.
    """
    server = trial.server
    server.post("/settle")
    status, _, body = server.raw("GET", "/model/file")
    assert status == 200
    file = folder / f"found-{server.pid}.tb"
    file.write_bytes(body)
    found = TextClassifier.load(file)
    texts, _ = columns(documents.values())
    if model == "complement":
        made = TextClassifier(model).fit(*columns([*MAIL, *documents.values()]))
        made.save(folder / f"made-{server.pid}.tb")
        assert body == (folder / f"made-{server.pid}.tb").read_bytes()
    else:
        made = moved(trial, documents, folder)
    assert found.documents_ == made.documents_ == len(MAIL) + len(texts)
    np.testing.assert_array_equal(found.predict_proba(texts), made.predict_proba(texts))


def columns(states):
    texts, labels = zip(*states, strict=True)
    return list(texts), list(labels)


def moved(trial, documents, folder):
    """Return the model of the last search, or of the beginning, after one step to some documents."""
    recipes = [change for change in trial.server.pages("/changes", "changes") if change["kind"] == "recipe"]
    version = max((change["version"] for change in recipes), default=0)
    status, _, body = trial.server.raw("GET", f"/model/file?version={version}")
    if status == 410:  # a document in it was erased, and the error names the first version without it
        version = int(re.search(rb"Pass version (\d+)", body)[1])
        status, _, body = trial.server.raw("GET", f"/model/file?version={version}")
    assert status == 200, body
    file = folder / "searched.tb"
    file.write_bytes(body)
    before = trial.ledger.documents_at(version)
    gone = [state for name, state in before.items() if documents.get(name) != state]
    new = [state for name, state in documents.items() if before.get(name) != state]
    classifier = TextClassifier.load(file)
    if new:
        classifier.teach(*columns(new))
    if gone:
        classifier.forget(*columns(gone))
    return classifier.settle()


def run_at_once(trials):
    """Run trials with their numbers of kills in threads; raise what one of them raised."""
    with ThreadPoolExecutor(len(trials)) as threads:
        for each in [threads.submit(trial.run, kills) for trial, kills in trials]:
            each.result()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("kills", [50, pytest.param(200, marks=pytest.mark.slow)])
def test_kills(nursery, bases, tmp_path, kills):
    trials = {
        name: Trial(nursery, [bases[model], "--store", tmp_path / name], tmp_path, seed)
        for seed, (name, (model, _)) in enumerate(STORES.items(), start=1)
    }
    try:
        run_at_once([(trials[name], round(kills * share)) for name, (_, share) in STORES.items()])
        assert sum(trial.kills for trial in trials.values()) == kills
        ledgers = [trial.ledger for trial in trials.values()]
        assert sum(len(ledger.acknowledged) for ledger in ledgers) > 5 * kills
        assert sum(each.repeats for ledger in ledgers for each in ledger.acknowledged) > kills / 4
        for name, (model, _) in STORES.items():
            check_model(trials[name], model, trials[name].check(), tmp_path)
    finally:
        for trial in trials.values():
            trial.close()


@pytest.mark.timeout(300)
def test_twenty_kills_on_postgresql(nursery, bases, tmp_path, postgres):
    trial = Trial(nursery, [bases["complement"], "--store", postgres.new_database()], tmp_path, seed=7)
    try:
        trial.run(20)
        check_model(trial, "complement", trial.check(), tmp_path)
    finally:
        trial.close()


def test_the_process_that_settles_is_killed(serve, bases, tmp_path):
    """A killed settler costs nothing but its work: it is started again."""
    server = serve(bases["auto"], "--store", tmp_path / "store", COLD_SETTLERS="1")
    killed, limit = 0, time.monotonic() + 120
    number = 0
    while killed < 3 and time.monotonic() < limit:
        server.post("/teach", {"text": f"cheap wheat {number}", "label": "spam"})
        number += 1
        asking = threading.Thread(target=server.ask, args=["POST", "/settle", {}])
        asking.start()
        while asking.is_alive() and not (children := server.children()):
            time.sleep(0.002)
        for child in children:
            os.kill(child, signal.SIGKILL)
            killed += 1
        asking.join()
        assert server.ask("POST", "/predict", {"text": "cheap pills"})[0] == 200
    assert killed >= 3
    assert server.post("/settle")["settled"]
    documents = server.pages("/documents", "documents")
    assert len(documents) == number


def test_a_killed_server_leaves_no_process(serve, bases, tmp_path):
    """What the server started ends with it."""
    server = serve(bases["auto"], "--store", tmp_path / "store", COLD_SETTLERS="1")
    server.post("/teach", {"text": "cheap wheat", "label": "spam"})
    asking = threading.Thread(target=_ask_in_vain, args=[server])
    asking.start()
    limit = time.monotonic() + 10
    while not server.children() and asking.is_alive() and time.monotonic() < limit:
        time.sleep(0.002)
    server.kill()
    asking.join()
    wait_for(lambda: not server.children())


def _ask_in_vain(server):
    with contextlib.suppress(OSError, http.client.HTTPException):
        server.ask("POST", "/settle", {})
