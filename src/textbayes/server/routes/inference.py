"""The Open Inference Protocol, version 2: texts as tensors of BYTES."""

from __future__ import annotations

import math
from collections.abc import Callable, Coroutine
from typing import Any, TypeGuard

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from textbayes.answering import Prediction, predict_texts
from textbayes.errors import ContentTypeError, RequestFieldError, RequestSizeError, TextbayesError
from textbayes.persistence import package_version
from textbayes.server.bodies import check_content_type, parse_object
from textbayes.server.label_studio.predictions import label_text
from textbayes.server.live import Served
from textbayes.server.replies import STATUS, json_bytes, json_reply
from textbayes.server.routes.dependencies import Limits, Model, needs
from textbayes.server.routes.predict import check_cells, is_small
from textbayes.server.routes.routing import JsonRoute
from textbayes.server.settings import Settings

_NUMBERS = 4_000_000
_DEEPEST = 8


class ProtocolRoute(JsonRoute):
    """A route whose errors have the protocol's shape: ``{"error": "…"}``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what answers a request."""
        answer = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await answer(request)
            except TextbayesError as error:
                if STATUS.get(type(error), 422) >= 500:  # the log needs its details, the client not
                    raise
                request.state.error = error.code
                status = STATUS.get(type(error), 400)
                return json_reply({"error": f"{error.what} {error.todo}"}, status)

        return answered


router = APIRouter(prefix="/v2", route_class=ProtocolRoute, include_in_schema=False)


@router.get("")
async def server_metadata() -> Response:
    """Return the name and the version of the server."""
    return json_reply({"name": "textbayes", "version": package_version(), "extensions": []})


@router.get("/health/live")
async def live() -> Response:
    """Return that the server answers."""
    return json_reply({"live": True})


@router.get("/health/ready")
async def ready() -> Response:
    """Return that the server is ready, also for models that have to learn first."""
    return json_reply({"live": True, "ready": True})


@router.get("/models/{name}", dependencies=[needs("read")])
async def model_metadata(model: Model) -> Response:
    """Return what a model takes and gives."""
    label = "labels" if model.served.multilabel else "label"
    outputs = [_about(label, "BYTES")]
    if not model.served.multilabel:
        outputs.append(_about("probability", "FP64"))
    inputs = [_about("text", "BYTES")]
    return json_reply({"name": model.name, "platform": "textbayes", "inputs": inputs, "outputs": outputs})


@router.get("/models/{name}/ready", dependencies=[needs("read")])
async def model_ready(model: Model) -> Response:
    """Return whether a model has learned anything."""
    is_ready = not model.served.is_empty
    return json_reply({"name": model.name, "ready": is_ready}, 200 if is_ready else 503)


@router.post("/models/{name}/infer", dependencies=[needs("read")])
async def infer(request: Request, model: Model, limits: Limits) -> Response:
    """Classify texts."""
    if "inference-header-content-length" in request.headers:
        raise ContentTypeError("binary tensors", ("application/json",))
    check_content_type(request.headers.get("content-type", "application/json"))
    message = parse_object(await request.body())
    served = model.served
    texts, top = _texts_of(message, limits), _top_of(message)
    if is_small(texts, served):
        labels, outputs = _outputs(served, texts, top, limits)
    else:
        labels, outputs = await run_in_threadpool(_outputs, served, texts, top, limits)
    request.app.state.figures.add_predictions(model.name, texts, labels)
    request.app.state.feeding.offer(model, texts)
    wanted = _wanted(message, [output["name"] for output in outputs])
    answer: dict[str, Any] = {"model_name": model.name, "model_version": str(served.version)}
    if isinstance(message.get("id"), str):
        answer["id"] = message["id"]
    return json_reply({**answer, "outputs": [each for each in outputs if each["name"] in wanted]})


def _texts_of(message: dict[str, Any], limits: Settings) -> list[str]:
    inputs = message.get("inputs")
    if not isinstance(inputs, list) or len(inputs) != 1 or not isinstance(inputs[0], dict):
        raise RequestFieldError.invalid("inputs", inputs, "a list of one tensor, the texts")
    tensor = inputs[0]
    if tensor.get("datatype") != "BYTES":
        raise RequestFieldError.invalid("inputs[0].datatype", tensor.get("datatype"), "BYTES")
    texts = _flat(tensor.get("data"))
    if len(texts) > limits.texts:
        raise RequestSizeError("inputs[0].data", len(texts), limits.texts, "texts")
    for place, text in enumerate(texts):
        if not isinstance(text, str) or not _is_unicode(text):
            raise RequestFieldError.invalid(f"inputs[0].data[{place}]", text, "a string")
    shape = tensor.get("shape")
    if not _is_shape(shape) or math.prod(shape) != len(texts):
        raise RequestFieldError.invalid("inputs[0].shape", shape, f"the shape of {len(texts):,} texts")
    return texts


def _flat(data: Any, depth: int = 0) -> list[Any]:
    """Return the elements of a tensor, which may be nested lists."""
    if not isinstance(data, list) or depth > _DEEPEST:
        raise RequestFieldError.invalid("inputs[0].data", data, "a list of strings")
    if not any(isinstance(each, list) for each in data):
        return data
    return [element for each in data for element in _flat(each, depth + 1)]


def _is_shape(shape: Any) -> TypeGuard[list[int]]:
    return isinstance(shape, list) and all(
        isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 2**63 for size in shape
    )


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _top_of(message: dict[str, Any]) -> int:
    parameters = message.get("parameters") or {}
    top = parameters.get("top", 0) if isinstance(parameters, dict) else None
    if not isinstance(top, int) or isinstance(top, bool) or not 0 <= top < 2**63:
        raise RequestFieldError.invalid("parameters.top", top, "a whole number")
    return top


def _wanted(message: dict[str, Any], names: list[str]) -> list[str]:
    """Return the names of the outputs that were asked for; by default all."""
    outputs = message.get("outputs")
    if outputs is None:
        return names
    asked = [each.get("name") if isinstance(each, dict) else None for each in _listed(outputs)]
    if not asked or not all(name in names for name in asked):
        raise RequestFieldError.invalid("outputs", outputs, f"names of outputs: {', '.join(names)}")
    return [name for name in names if name in asked]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _outputs(
    served: Served, texts: list[str], top: int, limits: Settings
) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return the labels of texts, and the tensors of the answer."""
    top = min(top, len(served.classes))
    check_cells(limits, len(texts) * top, f"labels (texts × top, {len(texts):,} × {top:,})")
    found = _predictions(served, texts, top)
    return [each.label for each in found], _tensors(found, served.multilabel, top)


def _tensors(found: list[Prediction], several: bool, top: int) -> list[dict[str, Any]]:
    if top:
        best = [each for prediction in found for each in prediction.top]
        labels = [label_text(label) for label, _ in best]
        shape = [len(found), top]
        return [
            _tensor("label", "BYTES", shape, labels),
            _tensor("probability", "FP64", shape, [probability for _, probability in best]),
        ]
    if several:
        lists = [json_bytes(prediction.label).decode() for prediction in found]
        return [_tensor("labels", "BYTES", [len(found)], lists)]
    return [
        _tensor("label", "BYTES", [len(found)], [label_text(each.label) for each in found]),
        _tensor("probability", "FP64", [len(found)], [float(each.probability) for each in found]),
    ]


def _predictions(served: Served, texts: list[str], top: int) -> list[Prediction]:
    step = max(1, _NUMBERS // max(1, len(served.classes)))
    classifier = served.classifier  # raises if the model is empty
    return [
        prediction
        for start in range(0, len(texts), step)
        for prediction in predict_texts(classifier, texts[start : start + step], top, True)
    ]


def _about(name: str, datatype: str) -> dict[str, Any]:
    return {"name": name, "datatype": datatype, "shape": [-1]}


def _tensor(name: str, datatype: str, shape: list[int], data: list[Any]) -> dict[str, Any]:
    return {"name": name, "datatype": datatype, "shape": shape, "data": data}
