"""Processes of textbayes that start in milliseconds: forked from one that has imported everything.

``Popen`` and ``run`` are used like those of ``subprocess``, for ``[sys.executable, "-m", "textbayes", ...]``
and ``[sys.executable, "-c", code, ...]``. The process is a real one, with a process id, signals and pipes of
its own; only importing is shared. Tests of the start itself, of memory and of the interpreter's options use
``subprocess``.
"""

import atexit
import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT

import textbayes
from warm_client import command

AVAILABLE = sys.platform == "linux"
_HERE = Path(__file__).parent


@functools.cache
def address():
    """Start the parent; return where it listens. It ends with this process."""
    folder = tempfile.mkdtemp(prefix="tb-warm-", dir="/tmp")  # short, as the path of a socket must be
    paths = [str(Path(textbayes.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "OPENBLAS_NUM_THREADS": "1",  # a process with threads must not fork
    }
    where = f"{folder}/socket"
    parent = subprocess.Popen(
        [sys.executable, str(_HERE / "warm_parent.py"), where],
        env=environment,
        stdin=PIPE,
        stdout=PIPE,
        start_new_session=True,  # Ctrl-C is for the tests: they end, and with them this
    )
    if parent.stdout.readline() != b"ready\n":
        raise RuntimeError("the parent of warm processes does not start")
    parent.stdout.close()
    owner = os.getpid()

    def end():
        if os.getpid() == owner:
            parent.stdin.close()
            parent.wait(30)

    atexit.register(end)
    return where


def client(*arguments):
    """Return a command that stands for ``[sys.executable, *arguments]``, for programs that start it."""
    return command(address(), *arguments)


class Popen:
    """A running process, like ``subprocess.Popen``."""

    def __init__(
        self,
        command,
        *,
        env=None,
        cwd=None,
        stdin=None,
        stdout=None,
        stderr=None,
        encoding=None,
        text=False,
        start_new_session=False,
    ):
        assert command[0] == sys.executable, command
        self.args, self.returncode, self._open = command, None, []
        encoding = "utf-8" if text and encoding is None else encoding
        theirs, ours = [], []
        for number, wanted in enumerate((stdin, stdout, stderr)):
            mine = None
            if wanted == PIPE:
                reading, writing = os.pipe()
                stream, mine = (reading, writing) if number == 0 else (writing, reading)
                self._open.append(stream)
            elif wanted == DEVNULL:
                stream = os.open(os.devnull, os.O_RDWR)
                self._open.append(stream)
            elif wanted == STDOUT:
                stream = theirs[1]
            elif wanted is None:
                stream = number
            else:
                stream = wanted if isinstance(wanted, int) else wanted.fileno()
            theirs.append(stream)
            ours.append(mine)
        self.stdin = _opened(ours[0], "w", encoding)
        self.stdout, self.stderr = (_opened(each, "r", encoding) for each in ours[1:])
        request = {
            "arguments": [os.fspath(each) for each in command[1:]],
            "folder": os.path.abspath(cwd or os.getcwd()),
            "environment": {name: str(value) for name, value in (os.environ if env is None else env).items()},
            "session": start_new_session,
        }
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(address())
        said = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(self._line, [said], theirs)
        if sent < len(said):  # the process may have ended by now, and then not even nothing can be sent
            self._line.sendall(said[sent:])
        for stream in self._open:
            os.close(stream)
        self.pid = self._number()

    def _number(self):
        """Return the next number that the parent says."""
        said = b""
        while not said.endswith(b"\n"):
            got = self._line.recv(1)
            if not got:
                raise RuntimeError("the parent of warm processes has ended")
            said += got
        return int(said)

    def poll(self):
        if self.returncode is None:
            self._line.setblocking(False)
            try:
                self._line.recv(1, socket.MSG_PEEK)
            except BlockingIOError:
                return None
            finally:
                self._line.setblocking(True)
            self.wait()
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                self.returncode = self._number()
            except TimeoutError:
                raise subprocess.TimeoutExpired(self.args, timeout) from None
            self._line.close()
        return self.returncode

    def send_signal(self, how):
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, how)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def communicate(self, input=None, timeout=None):
        limit = None if timeout is None else time.monotonic() + timeout
        found = {}
        readers = [
            threading.Thread(target=_read, args=(stream, found, name), daemon=True)
            for name, stream in (("stdout", self.stdout), ("stderr", self.stderr))
            if stream is not None and not stream.closed
        ]
        for reader in readers:
            reader.start()
        if self.stdin is not None and not self.stdin.closed:
            try:
                if input is not None:
                    self.stdin.write(input)
                self.stdin.close()
            except BrokenPipeError:
                pass
        for reader in readers:
            reader.join(None if limit is None else max(limit - time.monotonic(), 0))
            if reader.is_alive():
                raise subprocess.TimeoutExpired(self.args, timeout)
        self.wait(None if limit is None else max(limit - time.monotonic(), 0.001))
        return found.get("stdout"), found.get("stderr")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for stream in (self.stdout, self.stderr, self.stdin):
            if stream is not None:
                stream.close()
        self.wait()


def run(command, *, input=None, capture_output=False, timeout=None, check=False, **options):
    """Run a command and wait for it, like ``subprocess.run``."""
    if capture_output:
        options |= {"stdout": PIPE, "stderr": PIPE}
    if input is not None:
        options["stdin"] = PIPE
    with Popen(command, **options) as process:
        try:
            out, err = process.communicate(input, timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def _opened(descriptor, mode, encoding):
    if descriptor is None:
        return None
    return open(descriptor, mode if encoding else f"{mode}b", encoding=encoding)


def _read(stream, found, name):
    found[name] = stream.read()
    stream.close()


if not AVAILABLE:  # fork and pidfd: elsewhere, processes of their own
    Popen, run = subprocess.Popen, subprocess.run

    def client(*arguments):
        return [sys.executable, *map(str, arguments)]
