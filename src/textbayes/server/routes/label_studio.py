"""The machine learning backend of Label Studio: predictions for its tasks, and annotations as lessons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool

from textbayes.errors import DocumentUnknownError, RequestFieldError
from textbayes.server.bodies import check_content_type, parse_object
from textbayes.server.label_studio import (
    FORGOTTEN,
    TAUGHT,
    Annotation,
    LabelConfig,
    deleted_ids,
    deleted_sources,
    parse_config,
    predict_tasks,
    read_annotations,
)
from textbayes.server.label_studio.predictions import model_version
from textbayes.server.live import LiveModel
from textbayes.server.metrics import Figures
from textbayes.server.replies import json_reply
from textbayes.server.routes.changes import stored_labels
from textbayes.server.routes.dependencies import Actor, Model, needs
from textbayes.server.routes.routing import Router
from textbayes.server.store import Edit, Put, Remove, Store

router = Router(prefix="/label-studio", include_in_schema=False)

_PAGE = 1000
_TASKS_DELETED = "TASKS_DELETED"


@dataclass(frozen=True, slots=True)
class Changes:
    """Makes changes for a message, and counts them."""

    model: LiveModel
    actor: str
    figures: Figures

    async def make(self, edits: Sequence[Edit], source: str, key: str | None) -> int:
        """Make changes; return how many there were, none if the key was seen before."""
        changed = await self.model.change(edits, actor=self.actor, source=source, key=key)
        receipt = changed.receipt
        self.figures.add_changes(self.model.name, receipt)
        return 0 if receipt.repeated else receipt.last - receipt.first + 1


@router.get("", dependencies=[needs("read")])
@router.get("/", dependencies=[needs("read")])
@router.get("/health", dependencies=[needs("read")])
async def health() -> Response:
    """Return that the backend is there."""
    return json_reply({"status": "UP", "model_class": "textbayes"})


@router.get("/versions", dependencies=[needs("read")])
async def versions(model: Model) -> Response:
    """Return the version of the model that answers."""
    return json_reply({"versions": [model_version(model.served)]})


@router.post("/setup", dependencies=[needs("read")])
async def setup(request: Request, model: Model) -> Response:
    """Check that the project labels texts; return the version of the model.

    The message has a token for Label Studio, which is neither used nor kept.
    """
    message = await _message(request)
    parse_config(_string(message, "schema"))
    return json_reply({"model_version": model_version(model.served)})


@router.post("/predict", dependencies=[needs("read")])
async def predict(request: Request, model: Model) -> Response:
    """Return a prediction for each task."""
    message = await _message(request)
    config, tasks = parse_config(_string(message, "label_config")), message.get("tasks")
    if not isinstance(tasks, list):
        raise RequestFieldError.invalid("tasks", tasks, "a list of tasks")
    served = model.served
    results = await run_in_threadpool(predict_tasks, served, config, tasks)
    _count(request, model, config, tasks, results)
    return json_reply({"results": results, "model_version": model_version(served)})


@router.post("/webhook", dependencies=[needs("teach")])
async def webhook(request: Request, model: Model, actor: Actor) -> Response:
    """Teach annotations that were made, relabel those that were changed, forget those that were deleted.

    A message that comes again changes nothing.
    """
    message = await _message(request)
    event, changes = message.get("action"), Changes(model, actor, request.app.state.figures)
    if event in TAUGHT:
        done = [await _teach(changes, each) for each in read_annotations(message)]
    elif event in FORGOTTEN:
        done = [await _forget(changes, deleted_ids(message))]
    elif event == _TASKS_DELETED:
        found = await run_in_threadpool(_documents_of, model, deleted_sources(message))
        done = [await _forget(changes, found)]
    else:  # START_TRAINING needs nothing: every annotation was learned when it came
        return json_reply({"status": "ignored", "action": event if isinstance(event, str) else None})
    return json_reply({"status": "ok", "changed": sum(done), "model_version": model_version(model.served)})


def _count(
    request: Request, model: LiveModel, config: LabelConfig, tasks: list[Any], results: list[dict[str, Any]]
) -> None:
    """Count the predictions that have a result."""
    known = [
        (config.text_of(task), each["result"][0]["value"]["choices"])
        for task, each in zip(tasks, results, strict=True)
        if each["result"]
    ]
    texts = [text for text, _ in known if text is not None]
    request.app.state.figures.add_predictions(model.name, texts, [labels for _, labels in known])


async def _teach(changes: Changes, annotation: Annotation) -> int:
    """Teach an annotation, or forget it if it labels nothing any more; return the number of changes."""
    if annotation.text is None or not annotation.text.strip() or not annotation.labels:
        return await _forget(changes, [annotation.id], annotation.key)
    served = changes.model.served
    several = annotation.several if served.is_empty else served.multilabel
    given: Any = list(annotation.labels)
    if not several and len(given) == 1:
        (given,) = given
    (labels,) = stored_labels(changes.model, [given])
    edit = Put(annotation.text, labels, id=annotation.id)
    return await changes.make([edit], annotation.source, annotation.key)


async def _forget(changes: Changes, ids: list[str], key: str | None = None) -> int:
    """Forget the documents that there are; return how many."""
    known = await run_in_threadpool(_known, changes.model, ids)
    if not known:
        return 0
    try:
        return await changes.make([Remove(id) for id in known], "label-studio", key)
    except DocumentUnknownError:  # another message has just forgotten one of them
        return await _forget(changes, ids, key)


def _known(model: LiveModel, ids: list[str]) -> list[str]:
    store = model.store
    if store is None:
        return list(dict.fromkeys(ids))  # the change is refused, with the reason
    return [id for id in dict.fromkeys(ids) if store.document(model.name, id) is not None]


def _documents_of(model: LiveModel, sources: set[str]) -> list[str]:
    """Return the ids of all documents of tasks. Deletions of tasks are rare, so all documents are read."""
    store: Store | None = model.store
    found: list[str] = []
    after: str | None = None
    while store is not None:
        page = store.documents(model.name, after=after, limit=_PAGE)
        found += [each.id for each in page.items if each.source in sources and each.id.startswith("ls-")]
        after = page.next
        if after is None:
            break
    return found


async def _message(request: Request) -> dict[str, Any]:
    check_content_type(request.headers.get("content-type", ""))
    body = await request.body()
    return await run_in_threadpool(parse_object, body)


def _string(message: dict[str, Any], name: str) -> str:
    if not isinstance(message.get(name), str):
        raise RequestFieldError.missing([name], message)
    found: str = message[name]
    return found
