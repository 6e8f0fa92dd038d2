"""Real servers, and the page in real Chromium."""

import contextlib
import http.client
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

import textbayes
import warm

for package in ("fastapi", "uvicorn", "sqlalchemy"):
    pytest.importorskip(package)
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Chromium reports a reply with an error status as an error of its own; the page handles these.
EXPECTED = "Failed to load resource"
# Milliseconds. A busy machine takes its time, and what never comes fails all the same.
PATIENCE = 30_000
playwright.expect.set_options(timeout=PATIENCE)

BAKERY = [
    ("two loaves of rye and a poppy seed roll please", "order"),
    ("a birthday cake for twelve people on friday please", "order"),
    ("please put aside six croissants for tomorrow", "order"),
    ("the rolls this morning were burnt on the bottom", "complaint"),
    ("my cake was late and the cream was sour", "complaint"),
    ("the bread was stale and far too salty", "complaint"),
    ("are you open on sundays", "question"),
    ("is the walnut bread free of milk", "question"),
    ("do you deliver to the old town", "question"),
]


class Running:
    """A server in a process of its own."""

    def __init__(self, *arguments, **variables):
        environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1]), **variables}
        environment |= {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
        program = [sys.executable, "-m", "textbayes", "serve", *map(str, arguments)]
        if "--port" not in arguments:
            program += ["--port", "0"]
        self.process = warm.Popen(
            program, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8"
        )
        said = ""
        for line in self.process.stderr:
            said += line
            if found := re.search(r"http://[\w.\[\]:]+", line):
                self.address = found[0]
                break
        else:
            pytest.fail(f"The server does not start: {said}")
        # Its log is read on, so that it never waits for a reader.
        self.reader = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)

    def ask(self, method, path, fields=None, headers=None):
        """Send a request; return the status and the parsed body."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        with contextlib.closing(connection):
            body = None if fields is None else json.dumps(fields).encode()
            connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stderr.close()
        self.reader.wait(60)


class Model:
    """A model of a server: what a test sends to it beside the page."""

    examples = BAKERY

    def __init__(self, server, name):
        self.server, self.name, self.root = server, name, f"/models/{quote(name)}"

    def ask(self, method, path, fields=None, headers=None):
        status, answer = self.server.ask(method, self.root + path, fields, headers)
        assert status < 400, answer
        return answer

    def get(self, path, actor="local"):
        return self.ask("GET", path, headers={"Textbayes-Actor": actor})

    def teach(self, examples, actor="setup", **fields):
        texts, labels = zip(*examples, strict=True)
        wanted = {"texts": texts, "labels": labels, "settle": True, **fields}
        return self.ask("POST", "/teach", wanted, {"Textbayes-Actor": actor})

    def documents(self):
        return {each["text"]: each for each in self.get("/documents?limit=1000")["documents"]}


class Sight:
    """The page in a browser, and everything wrong that happened in it."""

    def __init__(self, context, address, model=None, name=None):
        self.wrong, self.requests, self.refused = [], [], []
        self.address, self.page = address, context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", lambda one: self.refused.append(f"{one.url}: {one.failure}"))
        self.page.on("response", self._response)
        if model is not None:
            self.page.add_init_script(f"sessionStorage.setItem('textbayes-model', {json.dumps(model)})")
        if name is not None:
            self.page.add_init_script(f"localStorage.setItem('textbayes-name', {json.dumps(name)})")

    def _console(self, message):
        if message.type in ("error", "warning") and EXPECTED not in message.text:
            self.wrong.append(f"{message.type}: {message.text}")

    def _response(self, response):
        if response.status >= 400:
            self.refused.append(f"{response.url}: {response.status}")

    def _dialog(self, dialog):
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, view="classify"):
        self.page.goto(f"{self.address}/#/{view}")
        try:
            self.page.wait_for_selector("main h1")
        except playwright.TimeoutError:
            shown = self.page.inner_text("body")
            pytest.fail(f"{view} is not shown, but {shown!r}; {self.wrong}, {self.refused}")
        return self.page

    def button(self, name, **options):
        return self.page.get_by_role("button", name=name, **options)

    def toast(self, words):
        self.page.locator(".toast", has_text=words).last.wait_for()

    def free_keys(self):
        """Take the focus out of all fields, so that keys are shortcuts."""
        self.page.evaluate("document.activeElement.blur()")

    def check(self):
        """Nothing was wrong, and no request left the server."""
        elsewhere = [url for url in self.requests if not url.startswith((self.address, "data:", "blob:"))]
        assert self.wrong == []
        assert elsewhere == []


@pytest.fixture(scope="session")
def has_chromium():
    if not Path(CHROMIUM).exists():
        pytest.skip("Chromium is not installed")


@pytest.fixture(scope="module")
def chromium(has_chromium):
    # Not for the whole session: while Playwright is there, no other test of the process can have a loop.
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(has_chromium, tmp_path_factory):
    store = tmp_path_factory.mktemp("store")
    running = Running("--store", store)
    running.store = store
    yield running
    running.stop()


_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def new_model(server):
    """Make a model that has learned nothing: ``new_model(name)``."""

    def make(name):
        status, answer = server.ask("POST", "/models", {"name": name})
        assert status == 201, answer
        return Model(server, name)

    return make


@pytest.fixture
def empty(new_model):
    """A model that has learned nothing."""
    return new_model(f"model-{next(_numbers)}")


@pytest.fixture
def bakery(empty):
    """A model that has learned a few texts of three classes."""
    empty.teach(BAKERY)
    return empty


@pytest.fixture(scope="session")
def shop(new_model):
    """The same model for all tests that do not change it."""
    model = new_model("shop")
    model.teach(BAKERY)
    return model


@pytest.fixture
def look(chromium):
    """Open the page of a model: ``look(model, view)``. At the end nothing may have gone wrong in it."""
    contexts, sights = [], []

    def open_page(model, view="classify", address=None, name="tester", **options):
        context = chromium.new_context(
            viewport={"width": 1280, "height": 860}, reduced_motion="reduce", accept_downloads=True, **options
        )
        contexts.append(context)
        address = address or model.server.address
        sight = Sight(context, address, getattr(model, "name", None), name)
        sights.append(sight)
        if view is not None:
            sight.open(view)
        return sight

    yield open_page
    for sight in sights:
        sight.check()
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def start_server(tmp_path_factory):
    """Start another server: ``start_server(*arguments, tokens={name: right})``; it ends with the module."""
    started = []

    def start(*arguments, tokens=None):
        secrets, arguments = {}, list(arguments)
        if tokens:
            file = tmp_path_factory.mktemp("tokens") / "tokens"
            secrets = {name: _new_token(file, name, right) for name, right in tokens.items()}
            arguments += ["--tokens", file]
        running = Running(*arguments)
        running.tokens = secrets
        started.append(running)
        return running

    yield start
    for running in started:
        running.stop()


def _new_token(file, name, right):
    """Make a token with the command, as an administrator does."""
    program = [
        sys.executable,
        "-m",
        "textbayes",
        "token",
        "new",
        name,
        "--tokens",
        str(file),
        "--right",
        right,
    ]
    environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1]), "NO_COLOR": "1"}
    made = warm.run(program, env=environment, capture_output=True, encoding="utf-8", check=True)
    return made.stdout.strip().split()[-1]


@pytest.fixture(scope="module")
def bakery_file(tmp_path_factory):
    """A model file that has learned the texts of the bakery."""
    path = tmp_path_factory.mktemp("files") / "bakery.tb"
    textbayes.TextClassifier("multinomial").fit(*zip(*BAKERY, strict=True)).save(path)
    return path
