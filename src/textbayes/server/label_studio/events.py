"""The events of a webhook: annotations that were made or changed, and those that were deleted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from textbayes.errors import RequestFieldError
from textbayes.server.label_studio.config import LabelConfig, parse_config

TAUGHT = ("ANNOTATION_CREATED", "ANNOTATIONS_CREATED", "ANNOTATION_UPDATED", "ANNOTATIONS_UPDATED")
FORGOTTEN = ("ANNOTATION_DELETED", "ANNOTATIONS_DELETED")


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation, as far as it labels a text.

    Parameters
    ----------
    id : str
        The id of its document.
    source : str
        Its project and task.
    text : str or None
        The text; None if the task has none.
    labels : tuple of str
        The choices; none if it was skipped or cleared.
    several : bool
        Whether a text of the project may have several labels.
    updated : str
        When it last changed.
    """

    id: str
    source: str
    text: str | None
    labels: tuple[str, ...]
    several: bool
    updated: str

    @property
    def key(self) -> str:
        """The idempotency key: the same for a message that comes again."""
        told = json.dumps([self.id, self.source, self.text, self.labels, self.updated])
        return "ls-" + hashlib.sha256(told.encode()).hexdigest()[:40]


def read_annotations(message: Mapping[str, Any]) -> list[Annotation]:
    """Return the annotations of a message that made or changed some.

    Raises
    ------
    RequestFieldError
        If the message lacks the project, its configuration or a task.
    """
    project = project_of(message)
    config = parse_config(_config_of(message))
    tasks = {_number(task.get("id"), "task.id"): task for task in _objects(message, "task")}
    found = []
    for annotation in _objects(message, "annotation", "annotations"):
        task = _number(annotation.get("task"), "annotation.task")
        number = _number(annotation.get("id"), "annotation.id")
        found.append(
            Annotation(
                document_id(project, number),
                task_source(project, task),
                config.text_of(tasks.get(task)),
                () if annotation.get("was_cancelled") else _labels(annotation, config),
                config.several,
                str(annotation.get("updated_at", "")),
            )
        )
    return found


def deleted_ids(message: Mapping[str, Any]) -> list[str]:
    """Return the ids of the documents of annotations that were deleted."""
    project = project_of(message)
    numbers = [
        _number(each.get("id"), "annotation.id") for each in _objects(message, "annotations", "annotation")
    ]
    return [document_id(project, number) for number in numbers]


def deleted_sources(message: Mapping[str, Any]) -> set[str]:
    """Return the sources of the documents of tasks that were deleted."""
    project = project_of(message)
    return {task_source(project, _number(task.get("id"), "task.id")) for task in _objects(message, "tasks")}


def project_of(message: Mapping[str, Any]) -> int:
    """Return the number of the project of a message."""
    project = message.get("project")
    return _number(project.get("id") if isinstance(project, Mapping) else None, "project.id")


def document_id(project: int, annotation: int) -> str:
    """Return the id of the document of an annotation; deletions name nothing else."""
    return f"ls-{project}-{annotation}"


def task_source(project: int, task: int) -> str:
    """Return the source of the documents of a task."""
    return f"label-studio/{project}/{task}"


def _config_of(message: Mapping[str, Any]) -> str:
    project = message["project"]  # there, since it has a number
    config = project.get("label_config")
    if not isinstance(config, str):
        raise RequestFieldError.missing(["project.label_config"], project)
    return config


def _labels(annotation: Mapping[str, Any], config: LabelConfig) -> tuple[str, ...]:
    """Return the choices of an annotation, each once."""
    labels: dict[str, None] = {}
    results = annotation.get("result")
    for result in results if isinstance(results, list) else ():
        if not isinstance(result, Mapping) or result.get("from_name") != config.from_name:
            continue
        value = result.get("value")
        choices = value.get("choices") if isinstance(value, Mapping) else None
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, str) and choice.strip():
                labels[choice] = None
    return tuple(labels)


def _objects(message: Mapping[str, Any], *names: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a field, which has one or a list of them."""
    for name in names:
        if name in message:
            found = message[name]
            for each in found if isinstance(found, list) else [found]:
                if not isinstance(each, Mapping):
                    raise RequestFieldError.invalid(name, each, "an object, or a list of objects")
                yield each
            return
    raise RequestFieldError.missing(list(names), message)


def _number(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise RequestFieldError.invalid(name, value, "a whole number")
    return value
