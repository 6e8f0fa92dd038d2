"""Exceptions raised at a chosen line of textbayes, and at a chosen allocation of Python."""

import sys
from pathlib import Path

import textbayes

PACKAGE = str(Path(textbayes.__file__).parent)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C at a line of textbayes."""


def lines_of(call) -> int:
    """Call a function and return how many lines of textbayes it ran."""
    counted = 0

    def count(frame, event, _):
        nonlocal counted
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        counted += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(before)
    return counted


def interrupt(call, line: int) -> bool:
    """Call a function and interrupt it before a line of textbayes; return whether it came to that line."""
    left = line

    def trace(frame, event, _):
        nonlocal left
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except Interrupted:
        return True
    finally:
        sys.settrace(before)
    return False
