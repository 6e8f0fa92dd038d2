"""A real server: a process, a port and a log."""

import http.client
import json
import os
import re
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import textbayes
import warm
from textbayes import TextClassifier

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

MAIL = [
    ("cheap pills, cheap offer", "spam"),
    ("win a cheap prize now", "spam"),
    ("meeting at noon with the team", "ham"),
    ("team lunch at noon 🙂", "ham"),
    ("회의 자료를 보냅니다", "업무"),
    ("اجتماع الفريق غدا", "عمل"),
    ("टीम की बैठक", "काम"),
]


class Running:
    """A running server: its log so far, and a client for it."""

    def __init__(self, model, *options, **popen):
        models = [] if model is None else [str(model)]
        program = [sys.executable, "-m", "textbayes", "serve", *models, "--port", "0", *options]
        environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1])}
        environment |= {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
        # What happens before the program starts needs an interpreter of its own.
        start = subprocess.Popen if "preexec_fn" in popen else warm.Popen
        self.process = start(
            program,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            **popen,
        )
        self.stderr, self.address, self.certificate = "", None, None
        while self.address is None:
            line = self.process.stderr.readline()
            assert line, self.stderr
            self.stderr += line
            found = re.search(r"https?://[\w.\[\]:]+", line)
            self.address = urlsplit(found[0]) if found else None

    def connect(self):
        if self.address.scheme == "https":
            trusted = ssl.create_default_context(cafile=self.certificate)
            return http.client.HTTPSConnection(
                self.address.hostname, self.address.port, timeout=30, context=trusted
            )
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=30)

    def ask(self, method, path, fields=None, headers=None, body=None):
        """Send a request on a new connection; return the status and the parsed body."""
        connection = self.connect()
        try:
            body = json.dumps(fields).encode() if fields is not None else body
            connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def stop(self, how=signal.SIGTERM):
        """Stop the server; return its exit status, stdout and stderr."""
        self.process.send_signal(how)
        printed, stderr = self.process.communicate(timeout=60)
        return self.process.returncode, printed, self.stderr + stderr


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "메일.tb"
    TextClassifier("multinomial").fit(*zip(*MAIL, strict=True)).save(path)
    return path


@pytest.fixture
def serve(model):
    running = []

    def serve(*options, model=model, **popen):
        running.append(Running(model, *options, **popen))
        return running[-1]

    yield serve
    for each in running:
        if each.process.poll() is None:
            each.process.kill()
            each.process.communicate()
