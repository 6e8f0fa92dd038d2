"""``textbayes serve``: a model over HTTP."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from textbayes.cli.console import json_of, print_message, show_status
from textbayes.cli.documents import ModelFile, Wait
from textbayes.cli.models import check_writable
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def serve_command(
    model: ModelFile,
    host: Annotated[
        str, typer.Option("--host", metavar="ADDRESS", help="Listen here; 0.0.0.0 means all interfaces.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 picks a free port.")
    ] = 8000,
    writable: Annotated[
        bool, typer.Option("--writable", help="Allow requests that teach and forget, and save the model.")
    ] = False,
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
    wait: Wait = WAIT,
    watch: Annotated[
        float,
        typer.Option(
            "--watch", metavar="SECONDS", min=0, help="How often to look whether the file changed; 0: never."
        ),
    ] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Write the log as JSON Lines.")] = False,
) -> None:
    """Serve a model over HTTP.

    Classifies and explains texts sent as JSON. Ctrl-C stops it after the running requests are answered.
    """
    from textbayes.server import Settings, create_app, listen, run
    from textbayes.server.connections import connection_limit
    from textbayes.server.running import address_of, own_names

    log = _log_json if as_json else _log_plainly
    if writable:
        check_writable(model)
    with listen(host, port) as listening:
        own = own_names(listening)
        hosts = (*(own or ()), *(allow_host or ())) or None
        with show_status(f"Loading {model.name}…"):
            settings = Settings(
                model,
                writable,
                hosts,
                texts=texts,
                cells=cells,
                connections=connections,
                lock_seconds=wait,
                watch_seconds=watch,
                log=log,
            )
            application = create_app(settings)
        if own is None:
            log({"event": "warning", "message": _exposed(writable)})
        limit = connection_limit(connections)
        if limit < connections:
            log({"event": "warning", "message": _limited(limit)})
        ready = {
            "event": "ready",
            "address": address_of(listening),
            "model": str(model),
            "writable": writable,
            "connections": limit,
        }
        run(application, listening, settings, lambda: log(ready))


def _exposed(writable: bool) -> str:
    change = " and change the model" if writable else ""
    return f"Anyone who can reach this machine can use this server{change}: it has no passwords."


def _limited(limit: int) -> str:
    return f"At most {limit:,} connections: the system limits the open files (ulimit -n)."


def _log_json(event: Mapping[str, Any]) -> None:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    sys.stderr.write(json_of({"time": now, **event}))
    sys.stderr.flush()


def _log_plainly(event: Mapping[str, Any]) -> None:
    if event["event"] == "request":
        code = f"  {event['code']}" if "code" in event else ""
        took = f"{1e3 * event['seconds']:.1f} ms"
        line = f"{event['method']} {event['path']}  {event['status']}  {took}{code}"
        print_message(line)
    elif event["event"] == "reloaded":
        print_message(f"Serving {event['model']} as it is now.")
    elif event["event"] == "ready":
        print_message(f"Serving {event['model']} at {event['address']} (Ctrl-C to stop).")
    else:
        times = f" ({event['times']:,} times more)" if "times" in event else ""
        traceback = event["traceback"].rstrip("\n").split("\n") if "traceback" in event else ()
        print_message(event["message"] + times, *traceback)
