"""How texts are counted, as options of a command: the parameters of TextCounter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.datasets.streams import read_text
from textbayes.errors import FileMissingError, ParameterError
from textbayes.estimators import TextCounter
from textbayes.estimators.text.model_names import default_counter
from textbayes.text.settings import STEMMERS, STOP_WORD_LISTS, TOKEN_RULES, UNITS

_NONE = "none"

Unit = Annotated[
    str | None,
    typer.Option(
        "--unit",
        metavar="NAME",
        help=f"What terms are made of: {', '.join(UNITS)}.",
        autocompletion=lambda: list(UNITS),
        show_default=False,
    ),
]
Tokens = Annotated[
    str | None,
    typer.Option(
        "--tokens",
        metavar="RULE",
        help=f"How texts are split: {', '.join(TOKEN_RULES)}, or a regular expression.",
        autocompletion=lambda: list(TOKEN_RULES),
        show_default=False,
    ),
]
Ngrams = Annotated[
    str | None,
    typer.Option(
        "--ngrams",
        metavar="MIN-MAX",
        help="The number of consecutive tokens in a term, such as 1-2.",
        show_default=False,
    ),
]
Characters = Annotated[
    str | None,
    typer.Option(
        "--characters",
        metavar="MIN-MAX",
        help=f"Also count character n-grams, such as 2-5; or {_NONE}.",
        show_default=False,
    ),
]
Lowercase = Annotated[
    bool | None,
    typer.Option("--lowercase/--no-lowercase", help="Lower-case the texts.", show_default=False),
]
StopWords = Annotated[
    str | None,
    typer.Option(
        "--stop-words",
        metavar="NAME|FILE",
        help=f"Tokens to drop: {', '.join(STOP_WORD_LISTS)}, or a text file of words.",
        autocompletion=lambda: list(STOP_WORD_LISTS),
        show_default=False,
    ),
]
Stemmer = Annotated[
    str | None,
    typer.Option(
        "--stemmer",
        metavar="NAME",
        help=f"Reduce tokens to their stems: {STEMMERS[0]}, … ({len(STEMMERS)} languages and rules).",
        autocompletion=lambda: list(STEMMERS),
        show_default=False,
    ),
]
MinDf = Annotated[
    str | None,
    typer.Option(
        "--min-df",
        metavar="N|SHARE",
        help="Drop terms in fewer documents: a number, or a share such as 0.001.",
        show_default=False,
    ),
]
PARAMETER_OF = {"ngrams": "ngram_range"}
"""The parameter of TextCounter that an option sets, if the names differ."""


def counter_of(model: str, options: Mapping[str, Any], encoding: str = "utf-8") -> TextCounter | None:
    """Make the counter that the options of a command describe, and check it.

    Parameters
    ----------
    model : str
        Name of the model, whose counter has the defaults.
    options : mapping
        The options that were given, by name: ``unit``, ``tokens``, ``ngrams``, ``characters``, ``lowercase``,
        ``stop_words``, ``stemmer``, ``min_df`` and ``dimensions``. None means not given.
    encoding : str, default="utf-8"
        Encoding of a file of stop words.

    Returns
    -------
    TextCounter or None
        None if it is the default of the model.

    Examples
    --------
    >>> from textbayes.cli.text_options import counter_of
    >>> counter_of("complement", {"ngrams": "1-2", "min_df": "2"})
    TextCounter(min_df=2, ngram_range=(1, 2))
    >>> counter_of("complement", {"ngrams": "1-1"}) is None
    True
    """
    parameters = {
        PARAMETER_OF.get(name, name): _parsed(name, value, encoding)
        for name, value in options.items()
        if value is not None
    }
    default = default_counter(model)
    # Characters are counted beside words, so that other units have none.
    if parameters.get("unit", default.unit) != default.unit:
        parameters.setdefault("characters", None)
    counter = default_counter(model).set_params(**parameters)
    counter.reader()  # raises an error for a parameter that cannot be used
    return None if counter.get_params() == default.get_params() else counter


def options_of(model: str, options: Mapping[str, Any], encoding: str = "utf-8") -> dict[str, Any]:
    """Return all options of a counter as a user would give them: those given, and the defaults of the model.

    Examples
    --------
    >>> from textbayes.cli.text_options import options_of
    >>> options_of("auto", {"characters": None, "ngrams": "1-3"})
    {'characters': '2-5', 'ngrams': '1-3'}
    """
    counter = counter_of(model, options, encoding) or default_counter(model)
    found = {}
    for name, value in options.items():
        # A file of stop words is given by its name.
        own = value if name == "stop_words" else getattr(counter, PARAMETER_OF.get(name, name))
        if name == "characters" and own is None:
            own = _NONE
        found[name] = f"{own[0]}-{own[1]}" if isinstance(own, tuple) else own
    return found


def _parsed(name: str, value: Any, encoding: str) -> Any:
    if name in ("ngrams", "characters"):
        return None if name == "characters" and value == _NONE else _range(name, value)
    if name == "min_df":
        return _number(name, value)
    if name == "stop_words" and value not in STOP_WORD_LISTS:
        return _stop_words(value, encoding)
    return value


def _range(name: str, value: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", value)
    if found is None:
        allowed = "the smallest and the largest number, such as 1-2"
        raise ParameterError(name, value, allowed + (f", or {_NONE}" if name == "characters" else ""))
    return int(found[1]), int(found[2])


def _number(name: str, value: str) -> int | float:
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        raise ParameterError(name, value, "a number such as 2, or a share such as 0.001") from None


def _stop_words(value: str, encoding: str) -> list[str]:
    """Read a file of words, separated by white space."""
    path = Path(value)
    if not path.is_file():
        if not path.suffix and len(path.parts) == 1:
            raise ParameterError("stop_words", value, [*STOP_WORD_LISTS, "a text file"])
        folder = path.absolute().parent
        names = [other.name for other in folder.iterdir()] if folder.is_dir() else []
        raise FileMissingError(value, names, "a text file of stop words")
    return sorted(set(read_text(value, encoding).split()))
