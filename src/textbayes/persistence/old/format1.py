"""Format 1 → format 2: rename the linear SVM, Rennie's eq. 8 and the criterion of a term selector.

The documents of a TextClassifier state the kind of their values, as those of other models do. A blend says
for each member whether its scores are divided by the sums of rows: none was. A linear SVM among its members
made more passes. The switch exact_updates of AutoNB is now one of three names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textbayes.persistence.stored import Stored

# Old name of an estimator or model → its new name, and the new names of its parameters.
_RENAMED: dict[str, tuple[str, dict[str, str]]] = {
    "DiscriminativeCentroid": ("LinearSVM", {"cost": "C"}),
    "margin": ("linear-svm", {"cost": "C"}),
    "all-vs-rest": ("complement-all", {}),
    "TermSelector": ("TermSelector", {"score": "criterion"}),
}
# A blend has a few dozen members; a forged number must not take all memory.
_MOST_MEMBERS = 1 << 16
# Parameters that hold names of models.
_NAMING = ("model", "candidates")


def upgrade(stored: Stored) -> Stored:
    """Rename estimators, models and parameters of format 1."""
    return replace(stored, configuration=_renamed(stored.configuration))


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: _renamed(item) for name, item in value.items()}
    parts = value.get("parts")
    if isinstance(parts, dict) and isinstance(parts.get("documents"), dict):
        parts["documents"] = {"values": "real", **parts["documents"]}
    members = value.get("members")
    if "by_document" in value and isinstance(members, int) and 0 < members <= _MOST_MEMBERS:
        value["per_count"] = [False] * members
    parameters = value.get("parameters")
    if not isinstance(parameters, dict):
        return value
    kind = value.get("kind")
    names: dict[str, str] = {}
    if isinstance(kind, str) and kind in _RENAMED:
        value["kind"], names = _RENAMED[kind]
    value["parameters"] = {
        names.get(name, name): _model_names(item) if name in _NAMING else item
        for name, item in parameters.items()
    }
    if value.get("kind") == "linear-svm":
        # A candidate's linear SVM made up to 20 passes.
        value["parameters"] = {"max_iter": 20, **value["parameters"]}
    if "exact_updates" in parameters:
        exact = value["parameters"].pop("exact_updates")
        value["parameters"]["updates"] = "exact" if exact is True else "any"
    return value


def _model_names(value: Any) -> Any:
    if isinstance(value, list):
        return [_model_names(item) for item in value]
    if isinstance(value, dict) and list(value) == ["tuple"]:
        return {"tuple": _model_names(value["tuple"])}
    return _RENAMED[value][0] if isinstance(value, str) and value in _RENAMED else value
