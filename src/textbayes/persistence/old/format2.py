"""Format 2 → format 3: a mixture of a recipe states its smoothing, by default a prior of 30 words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textbayes.persistence.stored import Stored

# The former strength of each smoothing.
_STRENGTHS = {"prior": 30.0, "mix": 0.2}


def upgrade(stored: Stored) -> Stored:
    """State what was a default in format 2."""
    return replace(stored, configuration=_stated(stored.configuration))


def _stated(value: Any) -> Any:
    if isinstance(value, list):
        return [_stated(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: _stated(item) for name, item in value.items()}
    if value.get("kind") == "mixture" and isinstance(value.get("parameters"), dict):
        value["parameters"] = _smoothed(value["parameters"])
    return value


def _smoothed(parameters: dict[str, Any]) -> dict[str, Any]:
    smoothing = parameters.get("smoothing", "prior")
    if parameters.get("background") is not None or smoothing not in _STRENGTHS:
        return {"smoothing": smoothing, **parameters}
    return {**parameters, "smoothing": smoothing, "background": _STRENGTHS[smoothing]}
