"""Fixtures that run the command line: here, and in real processes with pipes and a terminal of 80 columns."""

import contextlib
import io
import os
import sys
import threading

import pytest
from processes import PROGRAM, SOURCE, run_forked

import warm
from textbayes.cli import main

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
struct = pytest.importorskip("struct")
termios = pytest.importorskip("termios")


@pytest.fixture
def call(folder, monkeypatch, capfd):
    def call(*args, stdin=b"", code=0):
        """Run a command; return its stdout and stderr."""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        assert (ended.value.code or 0) == code, err
        assert "Traceback" not in err
        return out, err

    return call


@pytest.fixture
def environment(tmp_path):
    dropped = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "TTY_COMPATIBLE"}
    variables = {name: value for name, value in os.environ.items() if name not in dropped}
    variables = {name: value for name, value in variables.items() if not name.lower().endswith("_proxy")}
    home = {"TEXTBAYES_DATA": str(tmp_path / "말뭉치"), "HOME": str(tmp_path)}
    return {
        **variables,
        **home,
        "PYTHONPATH": str(SOURCE),
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm-256color",
    }


@pytest.fixture
def run(environment):
    def run(*args, input="", **changes):
        return run_forked(args, {**environment, **changes}, input)

    return run


@pytest.fixture
def on_terminal(environment):
    def on_terminal(*args, **changes):
        """Run on a pseudo-terminal of 80 columns; return the exit status and the output."""
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        shown = []
        reader = threading.Thread(target=_read, args=(outer, shown))
        reader.start()
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), inner)
        process = warm.Popen([*PROGRAM, *map(str, args)], env={**environment, **changes}, **streams)
        try:
            code = process.wait(240)
        finally:
            process.kill()
            os.close(inner)
            reader.join()
        return code, b"".join(shown).decode("utf-8").replace("\r\n", "\n")

    return on_terminal


def _read(terminal, shown):
    with contextlib.suppress(OSError):  # Linux reports the closed side as an error
        while chunk := os.read(terminal, 65536):
            shown.append(chunk)
    os.close(terminal)
