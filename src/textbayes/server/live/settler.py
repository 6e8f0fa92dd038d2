"""The process that settles a model: it learns rows, refits, writes a model file and measures the model.

It runs apart from the server, so that a refit takes no time from requests and leaves no memory behind. It
reads one job from its standard input, as JSON, and writes a line of JSON for each result: first the model
file, then its quality. It ends if the server does, also while it still imports: so textbayes is imported
last.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading

_NICE = 10


def _end_with(server: int) -> None:
    """End this process when the other end of a pipe is closed: the server has stopped, or was killed."""
    while os.read(server, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Do one job."""
    facts = json.loads(sys.stdin.buffer.readline())
    if facts["yields"] and hasattr(os, "nice"):
        os.nice(_NICE)
    threading.Thread(target=_end_with, args=(sys.stdin.fileno(),), daemon=True).start()

    from textbayes.errors import StoreFullError, TextbayesError
    from textbayes.server.live.process import Job
    from textbayes.server.live.refitting import do_job

    try:
        do_job(Job(**facts), sys.stdout)
    except TextbayesError as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        code = StoreFullError.code if full else error.code
        print(json.dumps({"code": code, "message": str(error)}), flush=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
