"""A process that has imported textbayes and forks others: they start in milliseconds, not in seconds.

It listens at a Unix socket. A connection asks for one process: its arguments, folder and environment as a
line of JSON, with the descriptors of its three standard streams. The answer is a line with its process id,
and, when it has ended, one with its exit status, negative for a signal. A process whose connection is closed
is killed.

Run by ``warm.py``, until its standard input ends.
"""

import contextlib
import ctypes
import gc
import importlib
import io
import json
import os
import pkgutil
import selectors
import shutil
import signal
import socket
import sys
import threading
import traceback
import types
from pathlib import Path

from warm_client import command

PACKAGES = (
    "textbayes.server",
    "textbayes.estimators",
    "textbayes.evaluation",
    "textbayes.client",
    "textbayes.cli",
)
_LONGEST = 1 << 22
_PR_SET_PDEATHSIG = 1


def main(address):
    """Import, listen, and fork until the end of the input."""
    for package in PACKAGES:
        _import_all(package)
    _warm_settlers(address)
    gc.collect()
    gc.freeze()  # so that no process copies the pages of these objects to mark them
    assert threading.active_count() == 1, "a process with threads must not fork"
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as waiting:
        listener.bind(address)
        listener.listen(64)
        waiting.register(listener, selectors.EVENT_READ, None)
        waiting.register(sys.stdin, selectors.EVENT_READ, None)
        print("ready", flush=True)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is listener:
                    _begin(listener, waiting)
                elif key.fileobj in (key.data["ended"], key.data["line"]):
                    _end(key, waiting)


def _import_all(package):
    try:
        module = importlib.import_module(package)
    except ImportError:  # an extra that is not installed
        return
    for found in pkgutil.walk_packages(module.__path__, f"{package}."):
        importlib.import_module(found.name)


def _warm_settlers(address):
    """Let servers start the process that settles from here, too, unless they have ``COLD_SETTLERS``."""
    from textbayes.server.live import process

    global _cold
    _cold, process._PROGRAM = process._PROGRAM, command(address, process._PROGRAM[-1])


def _begin(listener, waiting):
    line, _ = listener.accept()
    wanted, streams, _, _ = socket.recv_fds(line, _LONGEST, 3)
    while not wanted.endswith(b"\n"):
        more = line.recv(_LONGEST)
        if not more:  # killed while it asked
            for stream in streams:
                os.close(stream)
            line.close()
            return
        wanted += more
    request = json.loads(wanted)
    pid = os.fork()
    if not pid:
        waiting.close()
        listener.close()
        line.close()
        _live(request, streams)
    for stream in streams:
        os.close(stream)
    with contextlib.suppress(OSError):  # it is gone: the end of the line says so below
        line.sendall(b"%d\n" % pid)
    facts = {"pid": pid, "line": line, "ended": os.pidfd_open(pid)}
    waiting.register(facts["ended"], selectors.EVENT_READ, facts)
    waiting.register(line, selectors.EVENT_READ, facts)


def _end(key, waiting):
    """Report the end of a process, or kill it since nobody waits for it any more."""
    line, ended = key.data["line"], key.data["ended"]
    if key.data.get("over"):
        return
    if key.fileobj is line:
        signal.pidfd_send_signal(ended, signal.SIGKILL)
        waiting.unregister(line)
        line.close()
        return
    key.data["over"] = True
    status = os.waitstatus_to_exitcode(os.waitpid(key.data["pid"], 0)[1])
    waiting.unregister(ended)
    os.close(ended)
    if line.fileno() >= 0:
        waiting.unregister(line)
        with contextlib.suppress(OSError), line:
            line.sendall(b"%d\n" % status)


def _live(request, streams):
    """Be the process that was asked for."""
    status = 1
    try:
        _become(request, streams)
        _run(request["arguments"])
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except KeyboardInterrupt:
        traceback.print_exc()
        _flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
    finally:
        _flush()
        os._exit(status)


def _flush():
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()


def _become(request, streams):
    """Take the streams, the folder and the environment of a request. End with the parent."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if request["session"]:
        os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    if "COLD_SETTLERS" in os.environ:
        from textbayes.server.live import process

        process._PROGRAM = _cold
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            os.fdopen(number, mode, closefd=False),
            encoding="utf-8",
            line_buffering=number > 1 or os.isatty(number),
        )
        for number, mode in enumerate(("rb", "wb", "wb"))
    )


def _run(arguments):
    """Do what ``python`` does with these arguments: ``-m textbayes ...``, ``-c code ...`` or ``file ...``."""
    if arguments[:2] == ["-m", "textbayes"]:
        from textbayes.cli import main as textbayes

        sys.argv = ["textbayes", *arguments[2:]]
        textbayes()
        return
    code = arguments[1] if arguments[0] == "-c" else Path(arguments[0]).read_text(encoding="utf-8")
    sys.argv = ["-c", *arguments[2:]] if arguments[0] == "-c" else arguments
    program = sys.modules["__main__"] = types.ModuleType("__main__")
    program.__file__ = sys.argv[0]
    exec(compile(code, sys.argv[0], "exec"), program.__dict__)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    finally:
        shutil.rmtree(Path(sys.argv[1]).parent, ignore_errors=True)
