"""Classify the texts of an uploaded file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from textbayes.errors import RequestSlowError, ServerBusyError
from textbayes.persistence.spreadsheets import rows_as_csv
from textbayes.server.bodies import UPLOADS, check_content_type
from textbayes.server.live import Served
from textbayes.server.replies import json_bytes
from textbayes.server.routes.dependencies import Limits, Served_, needs
from textbayes.server.routes.fields import QueryCount
from textbayes.server.routes.predict import prediction_values, version_header
from textbayes.server.routes.routing import Router
from textbayes.server.settings import Settings
from textbayes.server.uploads import FORMATS, Upload, read_upload

router = Router(dependencies=[needs("read")])

# Each takes a core for as long as it runs, and its file is in memory.
_AT_A_TIME = 4
_TEXTS = 256
_KINDS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
_BODY = {"schema": {"type": "string"}}


@router.post(
    "/predict/file",
    response_class=StreamingResponse,
    summary="Classify the texts of a file.",
    responses={200: {"content": {"text/csv": _BODY, "application/x-ndjson": _BODY}}},
    openapi_extra={
        "requestBody": {"required": True, "content": {"text/csv": _BODY, "application/x-ndjson": _BODY}}
    },
)
async def predict_file(
    request: Request,
    served: Served_,
    limits: Limits,
    column: Annotated[
        str | None, Query(description="The column of the texts; by default one with a usual name.")
    ] = None,
    format: Annotated[
        Literal["csv", "jsonl"] | None, Query(description="The format of the answer; by default the same.")
    ] = None,
    top: Annotated[
        QueryCount | None, Query(ge=1, le=100, description="Add this many of the most likely classes.")
    ] = None,
) -> Response:
    """Return the records of a file with the label of their text and its probability."""
    found = FORMATS[check_content_type(request.headers.get("content-type", ""), UPLOADS)]
    served.classifier  # noqa: B018  raises if it is empty
    body = await request.body()
    state = request.app.state
    running = getattr(state, "predicting_files", 0)
    if running >= _AT_A_TIME:
        raise ServerBusyError(f"{running} files are being classified, the limit")
    state.predicting_files = running + 1
    try:
        upload = await run_in_threadpool(read_upload, body, found, column, limits)
    finally:
        state.predicting_files -= 1
    written = format or found
    headers = {
        **version_header(served),
        "Content-Disposition": f'attachment; filename="predictions.{written}"',
    }
    parts = (
        _csv(upload, served, top or 0, limits)
        if written == "csv"
        else _jsonl(upload, served, top or 0, limits)
    )
    return StreamingResponse(parts, headers=headers, media_type=_KINDS[written])


def _predicted(
    upload: Upload, served: Served, top: int, limits: Settings
) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """Yield records and their predictions, a few at a time."""
    end = time.monotonic() + limits.upload_seconds
    for start in range(0, len(upload.texts), _TEXTS):
        if time.monotonic() > end:
            raise RequestSlowError("predictions", limits.upload_seconds)
        texts = upload.texts[start : start + _TEXTS]
        found = prediction_values(served, texts, top, True, None, limits)
        yield upload.records[start : start + _TEXTS], found


def _jsonl(upload: Upload, served: Served, top: int, limits: Settings) -> Iterator[bytes]:
    for records, predictions in _predicted(upload, served, top, limits):
        yield b"".join(
            json_bytes({**_renamed(record, prediction), **prediction}) + b"\n"
            for record, prediction in zip(records, predictions, strict=True)
        )


def _csv(upload: Upload, served: Served, top: int, limits: Settings) -> Iterator[bytes]:
    own = _own_columns(served, top)
    names = [f"input_{name}" if name in own else name for name in upload.columns]
    yield rows_as_csv([[*names, *own]]).encode()
    for records, predictions in _predicted(upload, served, top, limits):
        rows = [
            [*(_cell(record.get(name)) for name in upload.columns), *_cells(prediction, top)]
            for record, prediction in zip(records, predictions, strict=True)
        ]
        yield rows_as_csv(rows).encode("utf-8", "replace")


def _renamed(record: dict[str, Any], prediction: dict[str, Any]) -> dict[str, Any]:
    return {f"input_{name}" if name in prediction else name: value for name, value in record.items()}


def _own_columns(served: Served, top: int) -> list[str]:
    own = ["labels", "probabilities"] if served.multilabel else ["label", "probability"]
    for place in range(1, min(top, len(served.classes)) + 1):
        own += [f"label_{place}", f"probability_{place}"]
    return own


def _cells(prediction: dict[str, Any], top: int) -> list[Any]:
    if "labels" in prediction:
        cells = [json_bytes(prediction[name]).decode() for name in ("labels", "probabilities")]
    else:
        cells = [_cell(prediction["label"]), prediction["probability"]]
    for each in prediction.get("top", ())[:top]:
        cells += [_cell(each["label"]), each["probability"]]
    return cells


def _cell(value: Any) -> Any:
    """Return a value of JSON as a cell of CSV."""
    if (
        value is None
        or isinstance(value, str | float)
        or (isinstance(value, int) and not isinstance(value, bool))
    ):
        return value
    return json_bytes(value).decode()
