"""How many examples Hypothesis tries: few in `make test`, many in `make test-slow`."""

import os

# Set by `make test-slow`.
MANY = os.environ.get("TEXTBAYES_EXAMPLES") == "many"
_SHARE, _FEWEST = 4, 2


def examples(number):
    """Return how many examples of a law to try: a number by which it is well tested, or a share of it."""
    return number if MANY else max(number // _SHARE, min(number, _FEWEST))
