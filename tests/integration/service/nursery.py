"""A process that has imported everything and forks servers: a server starts in milliseconds, not seconds.

It reads requests as JSON Lines and answers each with a line. A forked server runs ``textbayes`` with the
arguments of the request, as from a shell: a session of its own, and its messages in a file.

Run by ``servers.Nursery``.
"""

import ctypes
import importlib
import json
import os
import pkgutil
import signal
import sys
import threading
import traceback

_PR_SET_PDEATHSIG = 1


def main():
    """Import, then answer requests until the end of the input."""
    for package in ("textbayes.server", "textbayes.estimators", "textbayes.cli"):
        _import_all(package)
    print(json.dumps({"threads": threading.active_count()}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        answer = _wait(request["wait"]) if "wait" in request else {"pid": _start(request)}
        print(json.dumps(answer), flush=True)


def _import_all(package):
    module = importlib.import_module(package)
    for found in pkgutil.walk_packages(module.__path__, f"{package}."):
        importlib.import_module(found.name)


def _start(request):
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        _become(request)
        from textbayes.cli import main as textbayes

        textbayes(request["arguments"])
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _become(request):
    """Leave the terminal and the pipes of the parent, but end with it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    messages = os.open(request["messages"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for target, source in enumerate((nothing, nothing, messages)):
        os.dup2(source, target)
    os.environ.update(request.get("environment", {}))
    signal.set_wakeup_fd(-1)


def _wait(pid):
    """Wait for the end of a server and return its exit status, negative for a signal."""
    return {"status": os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}


if __name__ == "__main__":
    main()
