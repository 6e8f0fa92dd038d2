"""Write docs/errors.md from src/textbayes/errors: ``python docs/make_errors.py``.

Every error is shown as its users meet it: raised with the facts below and printed. A class without facts here
stops the script, and tests/docs/test_errors_page.py keeps the page current.
"""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textbayes import errors
from textbayes.errors import TextbayesError

PAGE = Path(__file__).with_name("errors.md")
_DIGEST = "5df6a5e1c40b8d3f9a7e2b6c01d4f8e3a9b7c6d5e4f30212a3b4c5d6e7f80912"
_OTHER = "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610"

FACTS: dict[str, tuple[Any, ...]] = {
    "BatchError": (
        "The column 'label' is null in row 17 of a batch.",
        "A text without a label, or a label without a text, cannot be learned.",
        "Drop such rows, or fill them, before the fit.",
    ),
    "BlobError": (
        "A blob has shard 3 where 4 belongs.",
        "Sums of different plans, steps or shards do not add.",
        "Merge the blobs of one plan and one shard, and finish them with that plan.",
    ),
    "BodyJsonError": ("the byte 0xe9 at offset 14 is not UTF-8",),
    "CertificateError": ("server.pem", "server.key", "key values mismatch"),
    "ColumnError": ("news.csv", "text", "boddy", ["id", "body", "topic"]),
    "CompactModelError": ("teach",),
    "ContentTypeError": ("text/plain",),
    "CoreBugError": (
        "index out of bounds: the len is 3 but the index is 7 (rust/core/src/scores/scorer.rs:91)",
    ),
    "CorpusMissingError": ("webkb", ["/home/me/.cache/textbayes/webkb"]),
    "CountRangeError": (3, 17, 1e-320, "price"),
    "DocumentUnknownError": ("mail", "0198c0de-7a51-7000-8000-3f6d2e1c0b9a"),
    "DocumentsNotKeptError": ("merge", "FrequencyTransform learned document frequencies"),
    "EncodingError": ("news.csv", 3, 41, 0xE9, "utf-8"),
    "ExtraMissingError": ("plots", "No module named 'matplotlib'"),
    "FetchBusyError": ("newsgroups", 600.0, "/home/me/.cache/textbayes/newsgroups.lock"),
    "FetchContentError": ("newsgroups", "copy.tar.gz", f"SHA-256 {_DIGEST}", _OTHER),
    "FetchNetworkError": ("newsgroups", ["the connection was refused"], 1_048_576),
    "FieldError": ("news.jsonl, line 7", "text", 42, "a string"),
    "FileMissingError": ("news.jsnl", ["news.jsonl"]),
    "FileReadError": (
        "news.jsonl.gz",
        None,
        "Compressed file ended too early",
    ),
    "FileWriteError": ("/media/stick/mail.tb", 28, "No space left on device"),
    "HostUnknownError": ("evil.example", ["127.0.0.1", "localhost"]),
    "InfiniteCountError": (3, 17, float("nan"), "price"),
    "KeyReusedError": ("1d0c6c5e",),
    "LabelsError": ("labels of mixed types, int and str",),
    "MergeError": ("alpha", 1.0, 0.1),
    "MethodWrongError": ("GET", "/predict", ["POST"]),
    "ModelChangedError": ("mail.tb",),
    "ModelDamagedError": ("mail.tb", "it ends 4,096 bytes too early"),
    "ModelEmptyError": ("mail", 1),
    "ModelExistsError": ("mail",),
    "ModelForeignError": ("mail.pkl", "it does not begin with a safetensors header"),
    "ModelKindError": ("counts.tb", "a MultinomialNB, which takes counts", "a model that classifies texts"),
    "ModelLockedError": ("mail.tb", "process 81 (textbayes teach), since 2026-11-16 14:03:22", 10.0),
    "ModelUnknownError": ("mial", ["mail", "news"]),
    "ModelUnsavableError": ("parameter 'stop_words'", object),
    "ModelVersionError": ("mail.tb", 3, 1, "2.0.0"),
    "NegativeCountError": (3, 17, -1.0, "price"),
    "NoDocumentsError": ("news.jsonl", "one JSON object per line"),
    "NoTermsLeftError": (3, 12),
    "NotLearnedError": ("class 'spam' has fewer documents",),
    "NothingToUndoError": ("mail", "version 41 was undone by version 43"),
    "OutOfMemoryError": (2**31 - 1, 8 * (2**31 - 1)),
    "ParameterConflictError": (
        "min_df",
        2,
        "dimensions",
        1048576,
        "Hashed columns have no vocabulary",
    ),
    "ParameterError": ("tokens", "wrds", ["words", "letters", "unicode", "symbols", "a regular expression"]),
    "PathUnknownError": ("/predct", ["/health", "/predict", "/explain"]),
    "RateLimitError": (50.0, 0.75),
    "RecordError": ("news.csv", 17, "this row has 3 fields, the header has 2", "csv"),
    "RequestFieldError": ("top is -1", "Send a whole number from 1 up"),
    "RequestSizeError": ("texts", 1_500, 1_000, "texts"),
    "RequestSlowError": ("body", 30.0),
    "RightMissingError": ("teach", "mail"),
    "ServerAddressError": ("127.0.0.1", 8000, 98, "Address already in use"),
    "ServerAnswerError": ("http://127.0.0.1:8000/predict", 502, "<html><h1>502 Bad Gateway</h1></html>"),
    "ServerBusyError": ("100 changes are waiting, the limit",),
    "ServerFaultError": ("the model could not be saved",),
    "ServerReadOnlyError": ("/teach",),
    "ServerUnreachableError": ("http://127.0.0.1:8000", "connection refused", 6),
    "ShapeError": ("texts", (3,), "labels", (2,)),
    "StoreForeignError": ("/home/me/photos", "the folder has files, but no store.sqlite3"),
    "StoreFullError": ("/var/lib/textbayes", "database or disk is full"),
    "StoreMissingError": ("mail",),
    "StoreUnavailableError": ("postgresql://textbayes@db/textbayes", "the connection was refused"),
    "StoreVersionError": ("/var/lib/textbayes", 2, 1, "2.0.0"),
    "TextsError": (
        "texts[2] is None of type NoneType",
        'Drop the missing texts, or replace them with "" (position 2 is the first)',
        2,
    ),
    "TokenFileError": ("tokens.json", 'it is not an object with a list "tokens"'),
    "TokenMissingError": (),
    "TokenRefusedError": (),
    "TokensNeededError": ("0.0.0.0",),
    "UndoConflictError": (41, "ticket-7", 57),
    "UnfittedError": ("MultinomialNB", "predict"),
    "VersionGoneError": ("mail", 40, 57),
    "VersionUnknownError": ("mail", 900, 873),
    "WorkerLostError": (),
    "WorkerPackageError": ("textbayes", "1.2.0"),
    "WorkerVersionError": ("textbayes 1.2.0 (blobs of format 1)", "textbayes 1.3.0 (blobs of format 2)"),
    "WriterElsewhereError": ("mars", 81, "http://10.0.0.5:8000"),
}

_TOP = """\
# Errors

<!-- Written by docs/make_errors.py from src/textbayes/errors: edit those. -->

Every error that textbayes raises on purpose is a `textbayes.errors.TextbayesError`, and also the built-in
error that fits, so `except ValueError` keeps working. It says what happened, why that matters and what to do
(`what`, `why`, `todo`), and ends with a `code` that stays the same from version to version. On the command
line the same message goes to standard error, without a traceback, and the exit status is 2;
[over HTTP](http.md#errors) it is the body of the answer.

```python
>>> from textbayes import TextCounter
>>> from textbayes.errors import TextbayesError
>>> try:
...     TextCounter().fit(["Wheat rose.", None])
... except TextbayesError as error:
...     print(error.code, "·", error.what)
text-type · texts[1] is None of type NoneType.
```
"""


def error_classes() -> list[type[TextbayesError]]:
    """Return the classes of every situation, sorted by code."""
    found = inspect.getmembers(errors, inspect.isclass)
    kinds = [kind for _, kind in found if issubclass(kind, TextbayesError) and kind is not TextbayesError]
    return sorted(kinds, key=lambda kind: kind.code)


def page() -> str:
    """Return the page as it should be."""
    kinds = error_classes()
    rows = [f"| [`{kind.code}`](#{kind.code}) | `{kind.__name__}` | {_when(kind)} |" for kind in kinds]
    table = "\n".join(["| code | class | when |", "|---|---|---|", *rows])
    return "\n".join([_TOP, table, "", *(_section(kind) for kind in kinds)])


def _section(kind: type[TextbayesError]) -> str:
    bases = " and ".join(f"`{base.__name__}`" for base in kind.__bases__ if base is not TextbayesError)
    message = textwrap.indent(f"{kind.__name__}: {_example(kind)}", "    ")
    return f"## `{kind.code}`\n\n{_when(kind)} `{kind.__name__}`, also a {bases}.\n\n{message}\n"


def _when(kind: type[TextbayesError]) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _example(kind: type[TextbayesError]) -> TextbayesError:
    if kind.__name__ not in FACTS:
        raise SystemExit(
            f"Add facts for {kind.__name__} to FACTS in docs/make_errors.py, to show it by example."
        )
    # A message may name the current folder, which is another on every machine.
    with patch("os.getcwd", return_value="/home/me"):
        return kind(*FACTS[kind.__name__])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
