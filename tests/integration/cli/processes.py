"""The command of the program, and patterns for escape sequences.

``run_forked`` runs a command in a new process, forked from a server that has already imported scikit-learn,
which takes a second. Tests of start-up, signals, memory and closed pipes start ``PROGRAM`` afresh.
"""

import io
import multiprocessing
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import textbayes

PROGRAM = [sys.executable, "-m", "textbayes"]
SOURCE = Path(textbayes.__file__).parents[1]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-8]|9[0-7])[0-9;]*m")

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["textbayes.estimators", "textbayes.evaluation", "typer", "rich.console"])


def run_forked(args, env, input, folder):
    """Run a command with a pipe for standard input; return what ``subprocess.run`` would."""
    pipe, out, err = (folder / f".{name}" for name in ("stdin", "stdout", "stderr"))
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    process = start_forked(args, env, (pipe, out, err))
    writer = threading.Thread(target=_write, args=(pipe, input), daemon=True)
    writer.start()
    code = wait_for(process, 120)
    # A command that never read its input leaves the writer waiting for a reader.
    os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
    writer.join(10)
    found = [path.read_text(encoding="utf-8") for path in (out, err)]
    for path in (pipe, out, err):
        path.unlink()
    return subprocess.CompletedProcess(args, code, *found)


def start_forked(args, env, streams):
    """Start a command whose standard streams are these files."""
    names = [os.fspath(stream) for stream in streams]
    process = _SERVER.Process(target=_command, args=([str(arg) for arg in args], env, os.getcwd(), names))
    process.start()
    return process


def wait_for(process, seconds):
    """Wait for a command to end; return its exit status."""
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        raise TimeoutError(f"the command did not end within {seconds} s")
    return process.exitcode


def _write(pipe, text):
    try:
        with open(pipe, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except BrokenPipeError:
        pass


def _command(args, env, folder, streams):
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    for number, (name, flags) in enumerate(
        zip(streams, (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT), strict=True)
    ):
        place = os.open(name, flags)
        os.dup2(place, number)
        os.close(place)
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(os.fdopen(number, mode, closefd=False), encoding="utf-8", line_buffering=number > 0)
        for number, mode in enumerate(("rb", "wb", "wb"))
    )
    sys.argv = ["textbayes", *args]
    from textbayes.cli import main

    main()
