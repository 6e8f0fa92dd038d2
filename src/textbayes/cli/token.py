"""``textbayes token``: make, list and revoke the tokens of a server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import print_json, print_lines, print_message, print_rich
from textbayes.cli.documents import Json
from textbayes.errors import FileMissingError, ParameterError

app = typer.Typer(
    help="Make, list and revoke tokens of a server.", no_args_is_help=True, add_completion=False
)

Tokens = Annotated[
    Path,
    typer.Option(
        "--tokens",
        metavar="FILE",
        envvar="TEXTBAYES_TOKENS_FILE",
        help="The file of tokens, which `textbayes serve --tokens` reads.",
        show_default=False,
    ),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="Whose token it is; changes are listed under it.", show_default=False
    ),
]


@app.command("new")
def new_command(
    name: Name,
    tokens: Tokens,
    right: Annotated[
        str,
        typer.Option("--right", metavar="RIGHT", help="read, teach or admin; each includes those before."),
    ] = "read",
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Only for this model; repeatable. Default: all models.",
            show_default=False,
        ),
    ] = None,
    days: Annotated[
        float | None,
        typer.Option(
            "--days", metavar="N", help="The token ends after N days. Default: never.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a token and print it. It is shown only now: the file has its hash."""
    from textbayes.errors.checks import check_number
    from textbayes.server.access import RIGHTS, Token, TokenFile, new_secret
    from textbayes.server.access.tokens import digest_of

    if right not in RIGHTS:
        raise ParameterError("right", right, RIGHTS)
    expires = None
    if days is not None:
        check_number("days", days, above=0)
        expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=min(days, 36_500))
    secret, file = new_secret(), TokenFile(tokens)
    token = Token(name, digest_of(secret), right, None if model is None else tuple(model), expires)
    with file.lock():
        known = file.read() if tokens.exists() else []
        if any(each.name == name for each in known):
            raise ParameterError("name", name, "a name that no other token has, or revoke that token first")
        file.write([*known, token])
    if as_json:
        print_json({**_values(token), "token": secret})
        return
    print_lines(secret)
    print_message(f"Keep it safe: it is not shown again. {tokens} has its hash.")


@app.command("list")
def list_command(tokens: Tokens, as_json: Json = False) -> None:
    """List the tokens of a file, without their secrets."""
    from textbayes.server.access import TokenFile

    found = TokenFile(tokens).read()
    if as_json:
        print_json([_values(each) for each in found])
        return
    table = Table("name", "right", "models", "expires", box=None, pad_edge=False)
    for each in found:
        ends = "never" if each.expires is None else each.expires.isoformat(sep=" ", timespec="minutes")
        models = "all" if each.models is None else ", ".join(each.models)
        table.add_row(Text(each.name), each.right, Text(models), ends)
    print_rich(table)


@app.command("revoke")
def revoke_command(name: Name, tokens: Tokens, as_json: Json = False) -> None:
    """Remove a token from a file. A running server refuses it within a second."""
    from textbayes.server.access import TokenFile

    file = TokenFile(tokens)
    if not tokens.exists():
        raise FileMissingError(str(tokens), ())
    with file.lock():
        known = file.read()
        kept = [each for each in known if each.name != name]
        if len(kept) == len(known):
            raise ParameterError("name", name, [each.name for each in known])
        file.write(kept)
    if as_json:
        print_json({"revoked": name})
        return
    print_message(f"Revoked the token of {name}.")


def _values(token: Any) -> dict[str, Any]:
    values = token.to_dict()
    del values["sha256"]
    return dict(values)
