"""Classify texts and explain them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Request, Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from textbayes.answering import Layout, predict_texts
from textbayes.errors import ParameterError, RequestFieldError, RequestSizeError
from textbayes.estimators import Explanation
from textbayes.server.bodies import prefers_html
from textbayes.server.live import Served
from textbayes.server.replies import html_reply, json_reply
from textbayes.server.routes.dependencies import Limits, Served_, check_right, needs
from textbayes.server.routes.fields import Body, Count, Label, Share, Text
from textbayes.server.routes.routing import DirectRoute, Router
from textbayes.server.settings import Settings
from textbayes.statistics import kind_of_classes, kind_of_label, labels_of_texts

router = Router(dependencies=[needs("read")])
direct = Router(route_class=DirectRoute)

# For up to this many classes in the answer, and in the model, a text of the full length may be explained.
_CLASSES, _ALL_CLASSES = 100, 1000
# Probabilities that are computed at a time, for several texts and all classes: 32 MB.
_NUMBERS = 4_000_000
# A request with less is answered at once: a thread would take longer than the answer.
_CHARACTERS, _TEXTS, _SMALL_CLASSES = 5_000, 20, 200


class PredictFields(Body):
    """Texts to classify."""

    text: Annotated[Text | None, Field(description="A text.")] = None
    texts: Annotated[list[Text] | None, Field(description="Several texts, instead of `text`.")] = None
    top: Annotated[Count | None, Field(description="Add this many of the most likely classes.")] = None
    proba: Annotated[bool | None, Field(description="Add probabilities.")] = None
    reject_below: Annotated[
        Share | None, Field(description="Give no label (null) whose probability is lower.")
    ] = None


class ExplainFields(Body):
    """A text to explain."""

    text: Annotated[Text | None, Field(description="A text.")] = None
    classes: Annotated[
        list[Label] | None,
        Field(
            description="Only these classes; by default all. HTML shows the evidence for the first over "
            "the second."
        ),
    ] = None
    top: Annotated[Count | None, Field(description="Only this many of the best classes.")] = None


class Likely(BaseModel):
    """A class, and its probability if it was asked for."""

    label: Label
    probability: float | None = None


class Prediction(BaseModel):
    """The label of a text or its labels; of several texts, the list of predictions."""

    label: Label | None = None
    labels: list[Label] | None = None
    probability: float | None = None
    probabilities: list[float] | None = None
    top: list[Likely] | None = None
    predictions: list[Prediction] | None = None


class ExplainedClass(BaseModel):
    """A class and its score, the sum of the bias and all contributions."""

    label: Label
    score: float | None
    probability: float | None
    bias: float | None


class Explained(BaseModel):
    """An explanation, as of `textbayes explain --json`."""

    text: str
    label: Any
    classes: list[ExplainedClass]
    tokens: list[dict[str, Any]]


@direct.post("/predict", response_model=Prediction, summary="Classify one text or several.")
async def predict(request: Request, fields: PredictFields) -> Response:
    """Classify one text or several."""
    check_right(request, "read")
    state, texts = request.app.state, texts_of(fields)
    model, limits = state.service.model(request.path_params.get("name")), state.settings
    served = model.served
    if is_small(texts, served):
        labels, reply = _predicted(fields, texts, served, limits)
    else:
        labels, reply = await run_in_threadpool(_predicted, fields, texts, served, limits)
    state.figures.add_predictions(model.name, texts, labels)
    state.feeding.offer(model, texts)
    return reply


def is_small(texts: list[str], served: Served) -> bool:
    """Return whether texts are classified in less time than a thread takes to start."""
    few = len(texts) <= _TEXTS and len(served.classes) <= _SMALL_CLASSES
    return few and sum(map(len, texts)) <= _CHARACTERS


def _predicted(
    fields: PredictFields, texts: list[str], served: Served, limits: Settings
) -> tuple[list[Any], Response]:
    found = prediction_values(served, texts, fields.top or 0, bool(fields.proba), fields.reject_below, limits)
    answer = found[0] if fields.texts is None else {"predictions": found}
    name = "labels" if served.multilabel else "label"
    return [each[name] for each in found], json_reply(answer, headers=version_header(served))


def prediction_values(
    served: Served, texts: list[str], top: int, proba: bool, reject_below: float | None, limits: Settings
) -> list[dict[str, Any]]:
    """Return the predictions of texts, ready for JSON."""
    classifier, classes = served.classifier, len(served.classes)
    layout, top = Layout(served.multilabel, top, proba), min(top, classes)
    check_cells(limits, len(texts) * top, f"labels (texts × top, {len(texts):,} × {top:,})")
    step = max(1, _NUMBERS // classes)  # probabilities are computed for all classes
    return [
        prediction.to_dict(layout)
        for start in range(0, len(texts), step)
        for prediction in predict_texts(
            classifier, texts[start : start + step], layout.top, proba, reject_below
        )
    ]


@router.post(
    "/explain",
    response_model=Explained,
    summary="The contribution of each token of a text to each class.",
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
)
async def explain(request: Request, fields: ExplainFields, served: Served_, limits: Limits) -> Response:
    """Explain a text, as JSON or as HTML."""
    as_html = prefers_html(request.headers.get("accept", ""))
    return await run_in_threadpool(_explained, fields, served, limits, as_html)


def _explained(fields: ExplainFields, served: Served, limits: Settings, as_html: bool) -> Response:
    explanation, classes = _explain(fields, served, limits)
    headers = version_header(served)
    if not as_html:
        return json_reply(explanation.to_dict(classes), headers=headers)
    label, against = [*(classes or ()), None, None][:2]
    return html_reply(explanation.to_html(label, None if against == label else against), headers)


def _explain(fields: ExplainFields, served: Served, limits: Settings) -> tuple[Explanation, list[Any] | None]:
    """Return the explanation and the classes to show, or None for all."""
    classifier, known = served.classifier, served.classes
    if fields.text is None:
        raise RequestFieldError.missing(["text"], fields.given)
    text, classes, top = fields.text, fields.classes, fields.top
    if classes is not None and top is not None:
        raise RequestFieldError.conflict("classes", "top")
    if classes is not None:
        if not classes:
            raise RequestFieldError.invalid("classes", classes, "one label or more, or leave it out")
        classes = labels_of_texts(classes, kind_of_classes(known))
    for label in classes or ():
        _check_known(label, known)
    shown = len(classes or known) if top is None else min(top, len(known))
    _check_length(text, shown, len(known), limits.explained)
    explanation = classifier.explain(text)
    tokens = len(explanation.tokens)
    check_cells(limits, tokens * shown, f"contributions (tokens × classes, {tokens:,} × {shown:,})")
    return explanation, explanation.best_labels(top) if top is not None else classes


def _check_length(text: str, shown: int, classes: int, longest: int) -> None:
    """Limit the size of an explanation, which is computed for all classes."""
    limit = min(longest, longest * _CLASSES // shown, longest * _ALL_CLASSES // classes)
    if len(text) > limit:
        raise RequestSizeError("text", len(text), limit, f"characters to explain for {shown:,} classes")


def _check_known(label: Any, classes: list[Any]) -> None:
    if label not in classes or kind_of_label(label) is not kind_of_classes(classes):
        raise ParameterError("class", label, classes)


def check_cells(limits: Settings, cells: int, unit: str) -> None:
    """Limit the size of an answer."""
    if cells > limits.cells:
        raise RequestSizeError("The answer", cells, limits.cells, unit)


def texts_of(fields: Any) -> list[str]:
    """Return the texts of a request: ``text`` or ``texts``."""
    if fields.text is not None and fields.texts is not None:
        raise RequestFieldError.conflict("text", "texts")
    if fields.texts is not None:
        return list(fields.texts)
    if fields.text is None:
        raise RequestFieldError.missing(["text", "texts"], fields.given)
    return [fields.text]


def version_header(served: Served) -> dict[str, str]:
    """Return the header that says which version of the model has answered."""
    return {"Textbayes-Version": str(served.version)}
