"""The functions behind the routes: checked fields in, values for JSON out."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import Any

from textbayes.answering import Layout, predict_texts
from textbayes.errors import (
    ModelForeignError,
    ModelKindError,
    ParameterError,
    RequestFieldError,
    RequestSizeError,
    UnfittedError,
)
from textbayes.estimators import Explanation, TextClassifier
from textbayes.estimators.views.inspection import InspectedClass
from textbayes.estimators.views.update import forget_quickly, teach_and_settle
from textbayes.server.page import page_html
from textbayes.server.served import MOST_TERMS, ModelFile, Served
from textbayes.server.settings import Settings
from textbayes.statistics import class_of_text, kind_of_classes, kind_of_label, labels_of_texts

Answer = dict[str, Any]

# For up to this many classes in the answer, and in the model, a text of the full length may be explained.
_CLASSES, _ALL_CLASSES = 100, 1000
# Probabilities that are computed at a time, for several texts and all classes: 32 MB.
_NUMBERS = 4_000_000
# Looked up once: the lookup takes longer than most answers.
_VERSIONS = {"textbayes": version("textbayes"), "python": platform.python_version()}


@dataclass(frozen=True)
class FieldRequest:
    """A request: checked fields, the model that answers, its file and the server's settings."""

    fields: Mapping[str, Any]
    served: Served
    file: ModelFile
    settings: Settings


def health(request: FieldRequest) -> Answer:
    """Return that the server is ready, and the name and size of its model."""
    return {
        "ready": True,
        "model": request.served.name,
        "classes": len(request.served.classes),
        "writable": request.settings.writable,
        "versions": _VERSIONS,
    }


def model(request: FieldRequest) -> Answer:
    """Return a summary of the model: its classes, their sizes and its configuration."""
    served, classifier = request.served, request.served.classifier
    sizes = classifier.class_documents_.tolist()
    return {
        **classifier.describe(),
        "multilabel": served.multilabel,
        "classes": [
            {"label": label, "documents": size} for label, size in zip(served.classes, sizes, strict=True)
        ],
    }


def predict(request: FieldRequest) -> Answer:
    """Classify one text or several."""
    served, fields = request.served, request.fields
    layout = Layout(served.multilabel, fields.get("top", 0), fields.get("proba", False))
    texts, top = _texts(fields), min(layout.top, len(served.classes))
    _check_cells(request, len(texts) * top, f"labels (texts × top, {len(texts):,} × {top:,})")
    step = max(1, _NUMBERS // len(served.classes))  # probabilities are computed for all classes
    shown = [
        prediction.to_dict(layout)
        for start in range(0, len(texts), step)
        for prediction in predict_texts(
            served.classifier,
            texts[start : start + step],
            layout.top,
            layout.proba,
            fields.get("reject_below"),
        )
    ]
    return shown[0] if "text" in fields else {"predictions": shown}


def explain(request: FieldRequest) -> tuple[Explanation, list[Any] | None]:
    """Explain a text; return the explanation and the classes to show, or None for all."""
    served, fields = request.served, request.fields
    if "text" not in fields:
        raise RequestFieldError.missing(["text"], fields)
    text, classes, top = fields["text"], fields.get("classes"), fields.get("top")
    if classes is not None and top is not None:
        raise RequestFieldError.conflict("classes", "top")
    if classes is not None:
        classes = labels_of_texts(classes, kind_of_classes(served.classes))
    for label in classes or ():
        _check_known(label, served.classes)
    shown = len(classes or served.classes) if top is None else min(top, len(served.classes))
    _check_length(text, shown, len(served.classes), request.settings.explained)
    explanation = served.classifier.explain(text)
    tokens = len(explanation.tokens)
    _check_cells(request, tokens * shown, f"contributions (tokens × classes, {tokens:,} × {shown:,})")
    return explanation, explanation.best_labels(top) if top is not None else classes


def _check_length(text: str, shown: int, classes: int, longest: int) -> None:
    """Limit the size of an explanation, which is computed for all classes."""
    limit = min(longest, longest * _CLASSES // shown, longest * _ALL_CLASSES // classes)
    if len(text) > limit:
        raise RequestSizeError("text", len(text), limit, f"characters to explain for {shown:,} classes")


def _check_cells(request: FieldRequest, cells: int, unit: str) -> None:
    if cells > request.settings.cells:
        raise RequestSizeError("The answer", cells, request.settings.cells, unit)


def explanation_values(explained: tuple[Explanation, list[Any] | None]) -> Answer:
    """Return an explanation as values for JSON, for some classes or all."""
    explanation, classes = explained
    return explanation.to_dict(classes)


def explanation_page(explained: tuple[Explanation, list[Any] | None]) -> str:
    """Return an explanation as HTML: the evidence for the first class over the second."""
    explanation, classes = explained
    label, against = [*(classes or ()), None, None][:2]
    return explanation.to_html(label, None if against == label else against)


def inspect(request: FieldRequest) -> Answer:
    """Return the strongest terms of all classes, of one, or those that distinguish two."""
    served, fields = request.served, request.fields
    terms = fields.get("terms", 10)
    if terms > MOST_TERMS:
        raise RequestFieldError.invalid("terms", terms, f"a whole number from 1 to {MOST_TERMS}")
    if "between" in fields:
        one, other = (class_of_text(name, served.classes) for name in fields["between"])
        return {"between": [one, other], "terms": served.inspect().between(one, other, terms)}
    if "class" in fields:
        place = served.classes.index(class_of_text(fields["class"], served.classes))
        return asdict(_cut(served.inspect().classes[place], terms))
    count = len(served.classes)
    _check_cells(request, count * terms, f"terms (classes × terms, {count:,} × {terms:,})")
    whole = served.inspect()
    return replace(whole, classes=[_cut(one, terms) for one in whole.classes]).to_dict()


def _cut(inspected: InspectedClass, terms: int) -> InspectedClass:
    return replace(inspected, terms=inspected.terms[:terms])


def teach(request: FieldRequest) -> Answer:
    """Teach the model texts, save it and serve it."""
    settle = request.fields.get("settle", False)
    return _update(request, teach_and_settle if settle else TextClassifier.teach, "taught")


def forget(request: FieldRequest) -> Answer:
    """Make the model forget texts, save it and serve it."""
    settle = request.fields.get("settle", True)
    return _update(request, TextClassifier.forget if settle else forget_quickly, "forgot")


def settle(request: FieldRequest) -> Answer:
    """Refit the model unless it equals a fresh fit, save it and serve it."""
    refitted = request.file.settle()
    documents = request.file.current.classifier.documents_
    return {"model": request.served.name, "refitted": refitted, "documents": documents, "settled": True}


def relabel(request: FieldRequest) -> Answer:
    """Forget texts with their labels, learn them with the right ones, save the model and serve it."""
    new = _labels(request, "new_label")
    settle = request.fields.get("settle", True)
    return _update(request, partial(TextClassifier.relabel, new_labels=new, settle=settle), "relabelled")


def reconsider(request: FieldRequest) -> Answer:
    """Search again for the best recipe, save the model and serve it."""
    return {"model": request.served.name, **request.file.reconsider()}


def reload(request: FieldRequest) -> Answer:
    """Serve the model file as it is now."""
    try:
        reloaded = request.file.reload()
    except (ModelKindError, UnfittedError) as error:  # as for any other file that cannot be served
        raise ModelForeignError(os.fspath(request.file.path), error.what.rstrip(".")) from error
    served = request.file.current
    return {"model": served.name, "reloaded": reloaded, "classes": len(served.classes)}


def _update(request: FieldRequest, learn: Callable[..., TextClassifier], verb: str) -> Answer:
    fields = request.fields
    texts, labels = _texts(fields), _labels(request, "label")
    if not texts:
        raise RequestFieldError.invalid("texts", texts, "one text or more")
    if "weight" in fields or "weights" in fields:
        weights = _each(fields, "weight")
        if not any(weights):
            name = "weight" if "weight" in fields else "weights"
            raise RequestFieldError.invalid(name, fields[name], "a weight above 0 for one text or more")
        learn = partial(learn, sample_weight=weights)
    update = request.file.update(learn, texts, labels)
    return {"model": request.served.name, **update.to_dict(verb)}


def page(request: FieldRequest) -> str:
    """Return the page for trying the model."""
    return page_html(request.served.name)


def _texts(fields: Mapping[str, Any]) -> list[str]:
    if "text" in fields and "texts" in fields:
        raise RequestFieldError.conflict("text", "texts")
    if "texts" in fields:
        return list(fields["texts"])
    if "text" not in fields:
        raise RequestFieldError.missing(["text", "texts"], fields)
    return [fields["text"]]


def _labels(request: FieldRequest, name: str) -> list[Any]:
    """Return the labels of each text; strings become numbers if the model's labels are numbers."""
    return labels_of_texts(_each(request.fields, name), kind_of_classes(request.served.classes))


def _each(fields: Mapping[str, Any], one: str) -> list[Any]:
    """Return a value for each text, such as the ``label`` of ``text``, or the ``labels`` of ``texts``."""
    several = f"{one}s"
    text, name, other = ("text", one, several) if "text" in fields else ("texts", several, one)
    if other in fields:
        raise RequestFieldError.invalid(other, fields[other], f'"{name}" with "{text}"')
    if name not in fields:
        raise RequestFieldError.missing([name], fields)
    return [fields[one]] if name == one else list(fields[several])


def _check_known(label: Any, classes: list[Any]) -> None:
    if label not in classes or kind_of_label(label) is not kind_of_classes(classes):
        raise ParameterError("class", label, classes)
