"""Predictions for the tasks of a project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textbayes.answering import Prediction, predict_texts
from textbayes.server.label_studio.config import LabelConfig
from textbayes.server.live.served import Served

# Probabilities that are computed at a time, for several texts and all classes: 32 MB.
_NUMBERS = 4_000_000


def predict_tasks(served: Served, config: LabelConfig, tasks: Sequence[Any]) -> list[dict[str, Any]]:
    """Return a prediction for each task, as Label Studio takes them.

    A task without a text, or a model that has learned nothing, gives a prediction without a result. Label
    Studio refuses labels that the project does not have, so the best of its own labels is given instead.
    """
    texts = [config.text_of(task) for task in tasks]
    known = [text for text in texts if text is not None]
    answers = iter([] if served.is_empty else _answers(served, known))
    version = model_version(served)
    found = []
    for text in texts:
        answer = None if text is None else next(answers, None)
        labels, score = ([], 0.0) if answer is None else _chosen(answer, served, config)
        found.append({"result": _result(config, labels), "score": score, "model_version": version})
    return found


def model_version(served: Served) -> str:
    """Return the version of a model as Label Studio shows it; it asks again for another one."""
    return f"{served.name}:{served.version}"


def _answers(served: Served, texts: list[str]) -> list[Prediction]:
    classes = len(served.classes)
    step = max(1, _NUMBERS // classes)
    return [
        answer
        for start in range(0, len(texts), step)
        for answer in predict_texts(served.classifier, texts[start : start + step], top=classes, proba=True)
    ]


def _chosen(answer: Prediction, served: Served, config: LabelConfig) -> tuple[list[str], float]:
    """Return the labels of a prediction that the project has, and how probable they are."""
    ranked = [(label_text(label), probability) for label, probability in answer.top]
    usable = [each for each in ranked if not config.choices or each[0] in config.choices]
    if not served.multilabel:
        return ([usable[0][0]], usable[0][1]) if usable else ([], 0.0)
    wanted = {label_text(label) for label in answer.label}
    several = [each for each in usable if each[0] in wanted]
    if not config.several:
        several = several[:1]
    if several:
        return [label for label, _ in several], min(probability for _, probability in several)
    return [], 1.0 - max((probability for _, probability in usable), default=1.0)


def label_text(label: Any) -> str:
    """Return a label as the project writes it."""
    return str(label).lower() if isinstance(label, bool) else str(label)


def _result(config: LabelConfig, labels: list[str]) -> list[dict[str, Any]]:
    if not labels:
        return []
    value = {"choices": labels}
    return [{"from_name": config.from_name, "to_name": config.to_name, "type": "choices", "value": value}]
