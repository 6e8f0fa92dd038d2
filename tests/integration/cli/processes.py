"""The command of the program, and patterns for escape sequences.

``run_forked`` runs a command in a new process, forked from one that has already imported scikit-learn, which
takes a second. Tests of start-up, memory and closed pipes start ``PROGRAM`` afresh.
"""

import re
import sys
from pathlib import Path

import textbayes
import warm

PROGRAM = [sys.executable, "-m", "textbayes"]
SOURCE = Path(textbayes.__file__).parents[1]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-8]|9[0-7])[0-9;]*m")


def run_forked(args, env, input):
    """Run a command with a pipe for standard input; return what ``subprocess.run`` would."""
    command = [*PROGRAM, *map(str, args)]
    return warm.run(command, env=env, input=input, capture_output=True, encoding="utf-8", timeout=120)
