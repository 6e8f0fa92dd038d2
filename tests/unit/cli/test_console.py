"""What the command line prints, and where."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from textbayes.cli import console, demo, serve
from textbayes.cli.demo_run import run_demo
from textbayes.datasets import Corpus, Document

HOSTILE = "a\x1b]0;owned\x07\n[red]:bomb:\u202e밀"
SHOWN = r"a\x1b]0;owned\x07\n[red]:bomb:\u202e밀"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def screen(monkeypatch):
    """Return a stream that takes the place of standard output and of standard error."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def make(name):
        stream = Terminal()
        monkeypatch.setattr("sys.stdout" if name == "stdout" else "sys.stderr", stream)
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("COLUMNS", "200")
        return stream

    return make


def test_lines(screen):
    out, err = screen("stdout"), screen("stderr")
    console.print_lines(HOSTILE, "second")
    console.print_message(HOSTILE, "second")
    assert out.getvalue() == err.getvalue() == f"{SHOWN}\nsecond\n"


def test_consoles_print_no_markup_and_no_control_characters(screen):
    out = screen("stdout")
    table = Table(title="[red]title\x9c")
    table.add_column("[red]column\x9b")
    table.add_row("[link=https://example.com]:bomb:\x1bc")
    for value in (HOSTILE, Text(HOSTILE, "bold"), table):
        console.data_console().print(value)
    shown = COLOUR.sub("", out.getvalue())
    assert not set(shown) & set("\x1b\x07\x9b\u202e")
    for part in ("[red]title\\x9c", "[red]column\\x9b", "[link=https://example.com]:bomb:\\x1bc"):
        assert part in shown
    assert "\x1b[1m" in out.getvalue()  # the styles of rich stay


def test_a_path_is_exact_in_a_pipe(screen, capfdbinary):
    path = Path("m\udcff\x1b.tb")
    console.print_path(path)
    assert capfdbinary.readouterr().out == b"m\xff\x1b.tb\n"
    out = screen("stdout")
    console.print_path(path)
    assert out.getvalue() == "m\\udcff\\x1b.tb\n"


def test_status_lines_and_progress(screen):
    err = screen("stderr")
    with console.show_status(f"Loading {HOSTILE}…"):
        pass
    with console.show_progress(HOSTILE, total=2) as update:
        update(description=f"x{HOSTILE}", completed=1)
    shown = err.getvalue()
    assert "\x1b]0;" not in shown
    assert not set(shown) & set("\x07\u202e")
    assert SHOWN in shown


def test_json_escapes_what_ascii_leaves():
    assert console.json_of({"a": "\x7f밀"}) == '{"a": "\\u007f\\ubc00"}\n'


def test_the_log_of_the_server(screen):
    err = screen("stderr")
    request = {"event": "request", "method": "GET\x1b", "path": "/\x9b", "status": 200, "seconds": 0.1}
    failure = {"event": "failure", "message": HOSTILE, "traceback": f"one\n{HOSTILE[:5]}\ntwo\n"}
    for event in (request, {"event": "ready", "model": HOSTILE, "address": "http://x"}, failure):
        serve._log_plainly(event)
    lines = err.getvalue().split("\n")
    assert lines[0].startswith("GET\\x1b /\\x9b")
    assert lines[1] == f"Serving {SHOWN} at http://x (Ctrl-C to stop)."
    assert lines[2:] == [SHOWN, "one", "a\\x1b]0;", "two", ""]


def test_the_demo_prints_labels_and_texts_as_they_are():
    train = [Document("Wheat rose", (HOSTILE,), "train"), Document("Oil fell", ("[b]crude[/b]",), "train")]
    test = [
        Document("Wheat \x1b]0;owned\x07 wheat", ("[b]crude[/b]",), "test"),
        Document("oil", (HOSTILE,), "test"),
    ]
    stream = io.StringIO()
    demo._print(
        run_demo(Corpus("tiny", [*train, *test])), Console(file=stream, force_terminal=True, width=200)
    )
    shown = COLOUR.sub("", stream.getvalue())
    assert "\x07" not in shown
    assert "\x1b" not in shown
    assert "The corpus. 4 docstrings" in shown
    assert "✓" in shown
    assert "[b]crude[/b]" in shown


def test_the_demo_fits_a_terminal():
    """On a small corpus; ``tests/integration/cli`` shows that of the built-in one."""
    sides = [("wheat corn barley harvest", "grain"), ("crude oil barrel tanker", "oil")]
    train = [Document(f"{text} {number}", (label,), "train") for number in range(4) for text, label in sides]
    test = [Document(f"{text} of the year", (label,), "test") for text, label in sides]
    stream = io.StringIO()
    mistaken = Document("wheat in new ships, ports and freight", ("oil",), "test")
    run = run_demo(Corpus("small", [*train, *test, mistaken]))
    demo._print(run, Console(file=stream, force_terminal=True, width=80))
    shown = COLOUR.sub("", stream.getvalue())
    lines = [line for line in shown.splitlines() if not line.startswith("The search found")]
    assert all(len(line) <= 80 for line in lines)
    for part in ("Count.", "Train and evaluate.", "Explain", "Teach", "Save."):
        assert part in shown
    assert "✗" not in shown
    assert shown.count("✓") == 5
