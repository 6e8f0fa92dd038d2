"""The command line as people run it: real processes, pipes and a terminal of 80 columns."""

import contextlib
import os
import subprocess

import pytest
from processes import PROGRAM, SOURCE

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
struct = pytest.importorskip("struct")
termios = pytest.importorskip("termios")


@pytest.fixture
def environment(tmp_path):
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "TTY_COMPATIBLE"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    kept = {name: value for name, value in kept.items() if not name.lower().endswith("_proxy")}
    home = {"TEXTBAYES_DATA": str(tmp_path / "말뭉치"), "HOME": str(tmp_path)}
    return {**kept, **home, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", "TERM": "xterm-256color"}


@pytest.fixture
def run(environment):
    def run(*args, input="", **changes):
        return subprocess.run(
            [*PROGRAM, *map(str, args)],
            env={**environment, **changes},
            input=input,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return run


@pytest.fixture
def on_terminal(environment):
    def on_terminal(*args, **changes):
        """Run on a pseudo-terminal of 80 columns; return the exit status and all that it showed."""
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        process = subprocess.Popen(
            [*PROGRAM, *map(str, args)],
            env={**environment, **changes},
            stdin=inner,
            stdout=inner,
            stderr=inner,
        )
        os.close(inner)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that the other side is closed
            while chunk := os.read(outer, 65536):
                shown += chunk
        os.close(outer)
        return process.wait(60), shown.decode("utf-8").replace("\r\n", "\n")

    return on_terminal
