"""Servers to kill: started by a warm parent, spoken to over HTTP alone."""

import http.client
import json
import os
import re
import signal
import sys
import time
from pathlib import Path
from subprocess import DEVNULL
from urllib.parse import urlsplit

import warm

READY_SECONDS = 120


def wait_for(condition, seconds=90):
    """Wait until a condition holds."""
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.01)


class Nursery:
    """The parent of the servers."""

    def __init__(self):
        warm.address()  # before threads ask for it

    def serve(self, *arguments, messages, ready=True, **variables):
        """Start ``textbayes serve``; wait until it is ready, unless told otherwise."""
        command = [sys.executable, "-m", "textbayes", "serve", *map(str, arguments), "--port", "0", "--json"]
        environment = {**os.environ, "NO_COLOR": "1", "OPENBLAS_NUM_THREADS": "1", **variables}
        options = {"env": environment, "stdin": DEVNULL, "stdout": DEVNULL, "start_new_session": True}
        with messages.open("ab") as log:
            start = log.tell()
            process = warm.Popen(command, **options, stderr=log)
        server = Server(process, messages, start)
        return server.wait_until_ready() if ready else server


class Server:
    """One server process."""

    def __init__(self, process, messages, start):
        self._process, self.pid, self._messages, self._start = process, process.pid, messages, start
        self.address, self.status = None, None

    def events(self):
        """Return what the server has logged so far; lines that are not JSON as strings."""
        with self._messages.open("rb") as file:
            file.seek(self._start)
            lines = file.read().decode(errors="replace").splitlines()
        return [json.loads(line) if line.startswith("{") and line.endswith("}") else line for line in lines]

    def wait_until_ready(self):
        limit = time.monotonic() + READY_SECONDS
        while self.address is None:
            for event in self.events():
                if isinstance(event, dict) and event["event"] == "ready":
                    self.address = urlsplit(event["address"])
            assert time.monotonic() < limit, f"not ready: {self.events()[-20:]}"
            assert self.is_alive(), f"it ended: {self.events()[-20:]}"
            time.sleep(0.004)
        return self

    def is_alive(self):
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def connect(self, timeout=30):
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=timeout)

    def raw(self, method, path, fields=None, headers=None, timeout=30):
        """Send one request; return the status, the headers and the body as bytes."""
        connection = self.connect(timeout)
        try:
            body = None if fields is None else json.dumps(fields).encode()
            kind = {} if body is None else {"Content-Type": "application/json"}
            connection.request(method, path, body, {**kind, **(headers or {})})
            with connection.getresponse() as reply:
                return reply.status, reply.headers, reply.read()
        finally:
            connection.close()

    def ask(self, method, path, fields=None, headers=None, timeout=30):
        """Send one request; return the status and the parsed body."""
        status, _, body = self.raw(method, path, fields, headers, timeout)
        return status, json.loads(body) if body else None

    def get(self, path):
        """Return the parsed body of a GET that must succeed."""
        status, answer = self.ask("GET", path)
        assert status == 200, (path, status, answer)
        return answer

    def post(self, path, fields=None, **named):
        """Return the parsed body of a POST that must succeed."""
        status, answer = self.ask("POST", path, fields or {}, **named)
        assert status == 200, (path, status, answer)
        return answer

    def pages(self, path, key):
        """Return all items of a paged list."""
        found, after = [], None
        step = "before" if path.startswith("/changes") else "after"
        while True:
            joint = "&" if "?" in path else "?"
            answer = self.get(path + (f"{joint}{step}={after}" if after else ""))
            found += answer[key]
            after = answer["next"]
            if not after:
                return found

    def children(self):
        """Return the processes that belong to the server's session, except itself."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit() and int(folder.name) != self.pid:
                try:
                    fields = (folder / "stat").read_text().rpartition(")")[2].split()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if int(fields[3]) == self.pid and fields[0] != "Z":
                    found.append(int(folder.name))
        return found

    def kill(self):
        """kill -9, of this process alone."""
        if self.status is None:
            self._process.kill()
            self.status = self._process.wait(60)
        return self.status

    def stop(self, how=signal.SIGTERM):
        """Ask the server to stop; return its exit status."""
        if self.status is None:
            self._process.send_signal(how)
            self.status = self._process.wait(60)
        return self.status

    def failures(self):
        """Return what the server logged as failures, and lines that are no events (tracebacks)."""
        return [
            event
            for event in self.events()
            if not isinstance(event, dict)
            or event["event"] == "failure"
            or re.fullmatch("5..", str(event.get("status", "")))
        ]
