"""Call everything in ``_native`` with arguments that do not fit: run by ``test_native_calls.py``.

Any exception will do but a panic that was not caught. The process must live.
"""

from __future__ import annotations

import inspect
import itertools
import random
import sys
from collections import Counter
from typing import Any

import numpy as np

from textbayes import _native
from textbayes.counts import Rows

READ_ONLY = np.zeros(3)
READ_ONLY.flags.writeable = False

ROWS = [
    Rows(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32), np.ones(3), 3),
    Rows(np.array([0]), np.array([], np.int32), np.array([]), 0),
    Rows(np.array([0, 1]), np.array([2], np.int32), np.array([np.nan]), 3),
    Rows(np.array([0, 9]), np.array([2], np.int32), np.array([1.0]), 3),
    Rows(np.array([5, -1]), np.array([2], np.int32), np.array([1.0]), 3),
    Rows(np.array([0, 1]), np.array([-7], np.int32), np.array([-np.inf]), 2**40),
]
ARRAYS = [
    np.array(values, kind)
    for kind in (np.int64, np.int32, np.uint32, np.float64, np.uint8, np.uint64, np.float32, bool)
    for values in ([], [0], [0, 1, 2], [0, 1, 1, 0, 1, 2, 1, 0])
]
VALUES: list[Any] = [
    *(0, 1, 2, 3, 7, -1, 2**31 - 1, 2**32 - 1, 2**32, 2**62, 2**64 - 1, 2**70),
    *(0.0, 1.0, -1.0, 1e-320, 1e308, float("nan"), float("inf")),
    *(
        None,
        True,
        False,
        "",
        "words",
        "word",
        "keep",
        "mix",
        "none",
        "l2",
        "english",
        "(",
        "\ud800",
        b"",
        b"\xff",
    ),
    *((), (1, 1), (1, 3), (3, 1), (0, 0), ((1, 1), None), ((1, 2), (2, 3)), ((2**60, 1), (1, 2**60))),
    *([], ["a b"], [None], ["a", 3], set(), {"a"}, {}),
    *ARRAYS,
    np.array([-1, 5], np.int64),
    np.arange(10.0)[::2],
    np.zeros((2, 3)),
    np.zeros((2, 16), np.uint8),
    READ_ONLY,
    *ROWS,
    *((rows, (np.array([0, 1, 2]), np.array([0, 1], np.uint32)), None) for rows in ROWS),
    *((rows, (np.array([0, 1]), np.array([9], np.uint32)), np.array([1.0])) for rows in ROWS),
]


def objects() -> list[Any]:
    """Return an object of each class that is simple to make, some of them filled."""
    rules = _native.Rules(True, "words", "word", "keep", set(), None, ((1, 1), None))
    counting = _native.Counting(rules, 2)
    counting.add_list(["one two three", "two"], 0)
    vocabulary = _native.Vocabulary()
    counting.name_and_grow(vocabulary)
    statistics = _native.Statistics(3)
    statistics.grow(3, 2)
    statistics.add((ROWS[0], (np.array([0, 1, 2]), np.array([0, 1], np.uint32)), None))
    none = np.array([])
    weights = _native.Weights(np.zeros(2), none, none, none, np.ones(2), None, none)
    order = np.array([0, 1], np.uint32)
    columns = _native.BlendColumns(2.0, np.ones(3), [])
    return [
        *(rules, counting, _native.Counting(rules, 1), vocabulary, _native.Vocabulary(), statistics),
        *(_native.Statistics(0), weights, _native.CorrectionCache(), _native.PoissonSums(0.5), columns),
        *(_native.Scorer(weights, statistics, order), _native.Form(False, "none", "none", -1)),
        _native.BlendSettings(columns, order, np.zeros(2), np.zeros(2), none),
        _native.CountedTable(0, statistics, [], 1.0),
        _native.MixtureSettings("prior", 1.0, 1.0, None, 5, 1e-3, 1),
        _native.SvmSettings(1.0, 0.1, order),
    ]


def callables(made: list[Any]) -> list[Any]:
    """Return every function, class and method."""
    found = [value for name, value in vars(_native).items() if callable(value) and not name.startswith("_")]
    exceptions = [value for value in found if inspect.isclass(value) and issubclass(value, Exception)]
    found = [value for value in found if value not in exceptions]
    for value in [*made, *(kind for kind in found if inspect.isclass(kind))]:
        names = [name for name in dir(value) if not name.startswith("_")]
        found += [getattr(value, name) for name in names if callable(getattr(value, name))]
    return found


def arity(function: Any) -> int:
    """Return the number of arguments that a function takes."""
    try:
        return len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return 4


def call(function: Any, arguments: tuple[Any, ...]) -> str:
    """Call, and return how it ended."""
    try:
        function(*arguments)
    except Exception as error:  # A PanicException is no Exception, so it ends this process.
        return type(error).__name__
    return "done"


def main() -> None:
    """Call everything, and print how often each end was met."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))  # Huge tables are refused, not filled.
    choice = random.Random(int(sys.argv[1]))
    made = objects()
    values = [*VALUES, *made]
    ends: Counter[str] = Counter()
    for function in callables(made):
        count = arity(function)
        tries = [(value,) * count for value in values] if count == 1 else []
        tries += [tuple(choice.choices(values, k=count)) for _ in range(int(sys.argv[2]))]
        # Arguments that fit in all places but one.
        if count > 1:
            tries += [tuple(choice.choices(made + ROWS + [1, 0, 2.0], k=count)) for _ in range(20)]
        for arguments in itertools.chain(tries, [()]):
            ends[call(function, arguments)] += 1
    print(dict(ends))


if __name__ == "__main__":
    main()
