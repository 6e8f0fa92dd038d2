"""What each route answers: checked fields in, values for JSON out."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

from textbayes.errors import (
    ParameterError,
    RequestFieldError,
    RequestFieldMissingError,
    RequestFieldsConflictError,
    TextsLimitError,
)
from textbayes.estimators import Explanation
from textbayes.estimators.base.storing import describe_estimator
from textbayes.estimators.views.prediction import Layout, predict_texts
from textbayes.server.page import page_html
from textbayes.server.served import MOST_TERMS, ModelFile, Served
from textbayes.server.settings import Settings

Answer = dict[str, Any]

# Up to so many classes, the longest text may be explained for all of them.
_CLASSES = 100
# Looked up once: it takes longer than most answers.
_VERSIONS = {"textbayes": version("textbayes"), "python": platform.python_version()}


@dataclass(frozen=True)
class Question:
    """What is asked: checked fields, the model that answers, its file and the server's settings."""

    fields: Mapping[str, Any]
    served: Served
    file: ModelFile
    settings: Settings


def health(question: Question) -> Answer:
    """Say that the server is ready, and for what."""
    return {
        "ready": True,
        "model": question.served.name,
        "classes": len(question.served.classes),
        "writable": question.settings.writable,
        "versions": _VERSIONS,
    }


def model(question: Question) -> Answer:
    """Say what the model is and what it knows: what inspecting says, in short."""
    served, classifier = question.served, question.served.classifier
    sizes = classifier.class_documents_.tolist()
    return {
        "model": repr(classifier.model_),
        "documents": classifier.documents_,
        "vocabulary": classifier.model_.n_features_in_,
        "multilabel": served.multilabel,
        "classes": [
            {"label": label, "documents": size} for label, size in zip(served.classes, sizes, strict=True)
        ],
        "configuration": describe_estimator(classifier),
    }


def predict(question: Question) -> Answer:
    """Classify a text, or texts, all in one call."""
    served, asked = question.served, question.fields
    layout = Layout(served.multilabel, asked.get("top", 0), asked.get("proba", False))
    found = predict_texts(
        served.classifier, _texts(asked), layout.top, layout.proba, asked.get("reject_below")
    )
    shown = [prediction.to_dict(layout) for prediction in found]
    return shown[0] if "text" in asked else {"predictions": shown}


def explain(question: Question) -> tuple[Explanation, list[Any] | None]:
    """Explain a text; with the explanation goes which classes are wanted."""
    served, asked = question.served, question.fields
    if "text" not in asked:
        raise RequestFieldMissingError('"text"', asked)
    text, classes, top = asked["text"], asked.get("classes"), asked.get("top")
    if classes is not None and top is not None:
        raise RequestFieldsConflictError("classes", "top")
    for label in classes or ():
        _check_known(label, served.classes)
    shown = len(classes or served.classes) if top is None else min(top, len(served.classes))
    _check_length(text, shown, question.settings.explained)
    explanation = served.classifier.explain(text)
    return explanation, explanation.best_labels(top) if top is not None else classes


def _check_length(text: str, classes: int, longest: int) -> None:
    """Check that an explanation, which has a number for each token and class, does not get out of hand."""
    limit = min(longest, longest * _CLASSES // classes)
    if len(text) > limit:
        raise TextsLimitError("text", len(text), limit, f"characters to explain for {classes:,} classes")


def explanation_values(explained: tuple[Explanation, list[Any] | None]) -> Answer:
    """Return an explanation as values for JSON: of some classes, or all."""
    explanation, classes = explained
    return explanation.to_dict(classes)


def explanation_page(explained: tuple[Explanation, list[Any] | None]) -> str:
    """Return an explanation as HTML: of the first of the classes rather than the second."""
    explanation, classes = explained
    label, against = [*(classes or ()), None, None][:2]
    return explanation.to_html(label, None if against == label else against)


def inspect(question: Question) -> Answer:
    """Show what the model has learned: of all classes, of one, or what tells two apart."""
    served, asked = question.served, question.fields
    terms = asked.get("terms", 10)
    if terms > MOST_TERMS:
        raise RequestFieldError("terms", terms, f"a whole number from 1 to {MOST_TERMS}")
    if "between" in asked:
        one, other = (_known(name, served.classes) for name in asked["between"])
        return {"between": [one, other], "terms": served.inspection.between(one, other, terms)}
    if "class" in asked:
        place = served.classes.index(_known(asked["class"], served.classes))
        return _cut(asdict(served.inspection.classes[place]), terms)
    whole = served.inspection.to_dict()
    return {**whole, "classes": [_cut(one, terms) for one in whole["classes"]]}


def _cut(inspected: Answer, terms: int) -> Answer:
    return {**inspected, "terms": inspected["terms"][:terms]}


def teach(question: Question) -> Answer:
    """Teach the model texts; what is answered is in the file."""
    return _changed(question, "teach", "taught")


def forget(question: Question) -> Answer:
    """Make the model forget texts; what is answered is in the file."""
    return _changed(question, "forget", "forgot")


def _changed(question: Question, verb: str, done: str) -> Answer:
    texts, labels = _texts(question.fields), _labels(question.fields)
    if not texts:
        raise RequestFieldError("texts", texts, "one text or more")
    change = question.file.change(verb, texts, labels)
    return {
        "model": change.served.name,
        done: len(texts),
        "classes": len(change.served.classes),
        "new_classes": change.new,
        "gone_classes": change.gone,
    }


def page(question: Question) -> str:
    """Return the page to try the model on."""
    return page_html(question.served.name)


def _texts(asked: Mapping[str, Any]) -> list[str]:
    if "text" in asked and "texts" in asked:
        raise RequestFieldsConflictError("text", "texts")
    if "texts" in asked:
        return list(asked["texts"])
    if "text" not in asked:
        raise RequestFieldMissingError('"text" or "texts"', asked)
    return [asked["text"]]


def _labels(asked: Mapping[str, Any]) -> list[Any]:
    """Labels of texts, or the label of a text."""
    text, wanted, other = ("text", "label", "labels") if "text" in asked else ("texts", "labels", "label")
    if other in asked:
        raise RequestFieldError(other, asked[other], f'"{wanted}" with "{text}"')
    if wanted not in asked:
        raise RequestFieldMissingError(f'"{wanted}"', asked)
    return [asked["label"]] if wanted == "label" else list(asked["labels"])


def _check_known(label: Any, classes: list[Any]) -> None:
    if label not in classes:
        raise ParameterError("class", label, classes)


def _known(name: str, classes: list[Any]) -> Any:
    """Find the class that an address names; there, a number is written like a string."""
    for label in classes:
        if str(label) == name:
            return label
    raise ParameterError("class", name, classes)
