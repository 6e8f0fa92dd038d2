"""How the program is run, and what terminals are told."""

import re
import sys
from pathlib import Path

import textbayes

PROGRAM = [sys.executable, "-m", "textbayes"]
SOURCE = Path(textbayes.__file__).parents[1]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-8]|9[0-7])[0-9;]*m")
