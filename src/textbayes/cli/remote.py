"""A server as an argument of a command, and the token for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textbayes.errors import FileReadError

if TYPE_CHECKING:
    from textbayes.client import Client

TOKEN = "TEXTBAYES_TOKEN"
"""The environment variable that has the token."""
_MOST_BYTES = 4096

Address = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="A server, such as http://127.0.0.1:8000, or one of its models: http://127.0.0.1:8000/models/mail.",
        show_default=False,
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help=f"A file with the token for the server. Default: the variable {TOKEN}.",
        show_default=False,
    ),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="The longest time for an answer.")
]


def open_client(url: str, token_file: Path | None, timeout: float) -> Client:
    """Return a client for a server, with the token of a file or of the environment.

    A token is never an argument: other users of a machine see the arguments of its programs.
    """
    from textbayes.client import Client

    token = os.environ.get(TOKEN, "").strip() or None if token_file is None else _token_of(token_file)
    return Client(url, token=token, timeout=timeout)


def _token_of(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            found = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise FileReadError(str(path), error.errno, error.strerror or str(error)) from None
    if len(found) > _MOST_BYTES:
        raise FileReadError(str(path), None, f"it is longer than {_MOST_BYTES:,} bytes, unlike a token")
    return found.decode("ascii", "replace").strip()
