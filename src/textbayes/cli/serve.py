"""``textbayes serve``: models over HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from textbayes.cli.console import json_of, print_message, show_status
from textbayes.cli.documents import Wait
from textbayes.cli.models import check_writable
from textbayes.errors import ParameterConflictError, ParameterError, TokensNeededError
from textbayes.persistence.lock import WAIT

if TYPE_CHECKING:
    from textbayes.server import Settings

app = typer.Typer(add_completion=False)

NEW_STORE = "textbayes-store"
"""The store of a server that was started without a model and without a store."""


@app.command()
def serve_command(
    models: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="MODEL",
            help="Model files, from `textbayes train`. Without any, the models of the store are served.",
            show_default=False,
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="STORE",
            envvar="TEXTBAYES_STORE",
            help="Keep changes here: a folder, or a postgresql:// URL.",
            show_default=False,
        ),
    ] = None,
    writable: Annotated[
        bool,
        typer.Option(
            "--writable", help="Allow changes of MODEL; without --store they are kept in MODEL.store."
        ),
    ] = False,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Listen here; 0.0.0.0 means all interfaces.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 picks a free port.")
    ] = 8000,
    tokens: Annotated[
        Path | None,
        typer.Option(
            "--tokens",
            metavar="FILE",
            envvar="TEXTBAYES_TOKENS_FILE",
            help="The tokens that are accepted, from `textbayes token new`.",
            show_default=False,
        ),
    ] = None,
    without_tokens: Annotated[
        bool,
        typer.Option(
            "--without-tokens", help="Let everybody in, since a proxy in front of the server checks who asks."
        ),
    ] = False,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            metavar="N",
            help="The most requests a second of a token, or of an address without tokens.",
            show_default=False,
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--certificate",
            metavar="FILE",
            help="Encrypt connections with this certificate and its chain (PEM).",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The private key of the certificate, if it is in another file.",
            show_default=False,
        ),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            "--cors",
            metavar="ORIGIN",
            help="Let pages of this origin, such as https://mail.example, read answers; repeatable.",
            show_default=False,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="A host name to accept in requests; repeatable.",
            show_default=False,
        ),
    ] = None,
    texts: Annotated[
        int, typer.Option("--texts", metavar="N", min=1, help="The most texts of a request.")
    ] = 1000,
    cells: Annotated[
        int, typer.Option("--cells", metavar="N", min=1, help="The most cells of an answer: texts × top.")
    ] = 100_000,
    connections: Annotated[
        int, typer.Option("--connections", metavar="N", min=1, help="The most open connections.")
    ] = 1000,
    queue_below: Annotated[
        float | None,
        typer.Option(
            "--queue-below",
            metavar="P",
            min=0,
            max=1,
            help="Queue texts to be labelled whose best class has a lower probability. This stores them.",
            show_default=False,
        ),
    ] = None,
    wait: Wait = WAIT,
    watch: Annotated[
        float,
        typer.Option(
            "--watch", metavar="SECONDS", min=0, help="How often to look whether the file changed; 0: never."
        ),
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Write the log as JSON Lines.")] = False,
) -> None:
    """Serve models over HTTP.

    Classifies and explains texts sent as JSON, and learns from corrections. Without MODEL and --store it
    starts with an empty model, in the folder textbayes-store. Ctrl-C stops it after the running requests are
    answered.
    """
    from textbayes.server import Settings, create_app, listen, run
    from textbayes.server.connections import connection_limit
    from textbayes.server.running import address_of, own_names, tls_context

    log = _log_json if as_json else _log_plainly
    if key is not None and certificate is None:
        raise ParameterConflictError("key", str(key), "certificate", None, "A key belongs to a certificate")
    if without_tokens and tokens is not None:
        raise ParameterConflictError(
            "without_tokens", True, "tokens", str(tokens), "Either tokens are asked for, or they are not"
        )
    _check_store(store)
    tls = None if certificate is None else tls_context(certificate, key)
    is_new = not models and store is None
    if writable and store is None:
        for model in models or ():
            check_writable(model)
    with listen(host, port) as listening:
        own = own_names(listening)
        entries = None if without_tokens else os.environ.get("TEXTBAYES_TOKENS")
        if own is None and tokens is None and entries is None and not without_tokens:
            raise TokensNeededError(host)
        limit = connection_limit(connections)
        settings = Settings(
            models or (),
            writable,
            (*(own or ()), *(allow_host or ())) or None,
            NEW_STORE if is_new else store,
            origins=tuple(cors or ()),
            tokens=tokens,
            token_entries=entries,
            rate=rate,
            texts=texts,
            cells=cells,
            connections=connections,
            queue_below=queue_below,
            lock_seconds=wait,
            watch_seconds=watch,
            address=address_of(listening, tls is not None),
            log=log,
        )
        application = create_app(settings)
        warnings = [_exposed(settings)] if own is None and without_tokens else []
        if limit < connections:
            warnings.append(_limited(limit))
        if is_new:
            warnings.append(_empty())
        with ExitStack() as status:
            status.enter_context(show_status("Loading…"))

            def ready() -> None:
                status.close()
                for message in warnings:
                    log({"event": "warning", "message": message})
                log(_ready(application.state.service, settings, limit))

            run(application, listening, settings, ready, tls)


def _check_store(store: str | None) -> None:
    scheme = (store or "").partition("://")[0] if "://" in (store or "") else None
    if scheme is not None and scheme not in ("postgresql", "postgres"):
        # Without the rest of the URL, which may have a password.
        raise ParameterError("store", f"{scheme}://…", "a folder, or a URL that begins with postgresql://")


def _ready(service: Any, settings: Settings, limit: int) -> dict[str, Any]:
    return {
        "event": "ready",
        "address": settings.address,
        "model": ", ".join(str(path) for path in settings.files.values()) or None,
        "models": sorted(service.models),
        "store": None if service.store is None else service.store.name,
        "writable": service.store is not None,
        "connections": limit,
    }


def _exposed(settings: Settings) -> str:
    change = " and change the model" if settings.writable or settings.store is not None else ""
    return f"Anyone who can reach this machine can use this server{change}: it has no tokens."


def _limited(limit: int) -> str:
    return f"At most {limit:,} connections: the system limits the open files (ulimit -n)."


def _empty() -> str:
    return (
        f"No MODEL and no --store: the store is the folder {NEW_STORE}, and its model is called default "
        "until you add others."
    )


def _log_json(event: Mapping[str, Any]) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    sys.stderr.write(json_of({"time": now, **event}))
    sys.stderr.flush()


def _log_plainly(event: Mapping[str, Any]) -> None:
    if event["event"] == "request":
        code = f"  {event['code']}" if "code" in event else ""
        actor = f"  {event['actor']}" if "actor" in event else ""
        took = f"{1e3 * event['seconds']:.1f} ms"
        line = f"{event['method']} {event['path']}  {event['status']}  {took}{actor}{code}"
        print_message(line)
    elif event["event"] == "reloaded":
        print_message(f"Serving {event['model']} as it is now.")
    elif event["event"] == "ready":
        served = event["model"] or f"{', '.join(event['models'])} from {event['store']}"
        print_message(f"Serving {served} at {event['address']} (Ctrl-C to stop).")
    else:
        times = f" ({event['times']:,} times more)" if "times" in event else ""
        traceback = event["traceback"].rstrip("\n").split("\n") if "traceback" in event else ()
        print_message(event["message"] + times, *traceback)
