"""A process that stands for one of ``warm_parent.py``: it has the same streams, and ends as that one ends.

Run as ``python -I -S warm_client.py ADDRESS ARGUMENTS...``, for programs that start a process themselves.
"""

import json
import os
import signal
import socket
import sys


def command(address, *arguments):
    """Return the command that stands for ``[sys.executable, *arguments]``."""
    return (sys.executable, "-I", "-S", os.path.abspath(__file__), address, *map(str, arguments))


def main(address, *arguments):
    """Start the process, wait for it and end like it."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        request = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
        request["session"] = False
        socket.send_fds(line, [json.dumps(request).encode() + b"\n"], [0, 1, 2])
        for stream in (0, 1, 2):  # the process alone decides when they are closed
            os.close(stream)
        with line.makefile("rb") as answers:
            answers.readline()
            status = int(answers.readline() or -signal.SIGKILL)
    if status < 0:
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
