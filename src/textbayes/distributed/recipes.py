"""Fit "auto": a search on a sample, then its recipe on all data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sklearn.base import clone

from textbayes.counts import CountTransform
from textbayes.distributed.contents import Contents
from textbayes.distributed.fitting import Passes, count_terms
from textbayes.distributed.lengths import mean_lengths
from textbayes.distributed.sums import join_sums
from textbayes.errors import ParameterError
from textbayes.estimators import AutoNB, TextClassifier
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.column_kinds import column_kinds
from textbayes.estimators.auto.group import Group
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.base.storing import store_estimator
from textbayes.estimators.text.text_model import TextModel
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.statistics import ClassStatistics, Documents, LabelledRows, as_label_targets

Sampler = Callable[[], tuple[Any, Any]]
"""Returns texts of the data, and their labels."""
Log = Callable[[str], object]
"""Is told what was learned from what."""


def learn_recipe(learned: TextModel, passes: Passes, sample: Sampler | None, log: Log) -> None:
    """Search on a sample, then fit the recipe on all data.

    Members that do not follow from sums, such as linear SVMs, learn from the sample; their document
    frequencies are those of all data.
    """
    texts, labels = _sampled(learned, sample)
    searched = _searched(learned, texts, labels)
    model: AutoNB = searched.model_
    representation = TextRepresentation(clone(searched.counter_), None)
    counts = count_terms(representation, passes)
    kinds = column_kinds(representation.column_kinds(), len(counts.documents_with))
    groups = [Group.of_counts(of, counts, kinds) for of in _representations(model)]
    classes = _add_sums(model, groups, representation, passes)
    documents = _counted(representation, texts, labels)
    for group in groups:
        if _members(model, group, additive=False):
            group.train_on(documents, classes)
    log(_summary(model, len(documents), counts.documents))
    learned.representation, learned.documents = representation, Documents(classes.multilabel)
    learned.estimator.fit_groups(model, groups, classes, kinds)


def _sampled(learned: TextModel, sample: Sampler | None) -> tuple[Any, Any]:
    """Return the texts to search on, and their labels."""
    if learned.representation.transform is not None:
        why = "A recipe has transforms of its own"
        raise ParameterError("transform", learned.representation.transform, ["None"], why)
    if sample is None:
        raise ParameterError("sample", None, "a function that returns texts and labels to search on")
    return sample()


def _searched(learned: TextModel, texts: Any, labels: Any) -> TextClassifier:
    """Search for a recipe; the result is fitted on the sample."""
    counter = None if learned.narrows else learned.representation.counter
    return TextClassifier(learned.estimator, counter, keep_documents=False).fit(texts, labels)


def _representations(model: AutoNB) -> list[Representation]:
    """Return the representations of a recipe's members, which must be linear and use all terms of a kind."""
    blend = model.compiled_blend()
    selected = any(member.representation.terms is not None for member in model.recipe_.members)
    if blend is None or selected:
        why = f"The recipe found is {model.recipe_.summary()}; not all of its members can be fitted by parts"
        raise ParameterError("candidates", model.candidates, "'default' or 'bayes'", why)
    return blend.representations


def _counted(representation: TextRepresentation, texts: Any, labels: Any) -> LabelledRows:
    """Count the sample, in an order of its contents: models that learn in rounds depend on it."""
    targets = as_label_targets(labels)
    documents = Documents(targets.multilabel)
    documents.add(LabelledRows(representation.read_counts(texts), targets))
    documents.order_by(representation.order_columns())
    return documents.labelled(representation.width)


def _members(model: AutoNB, group: Group, additive: bool) -> list[Candidate]:
    """Return the members of a group that follow from sums, or those that do not."""
    own = [member for member in model.recipe_.members if member.representation == group.representation]
    return [member for member in own if member.variant.additive == additive]


def _add_sums(
    model: AutoNB, groups: list[Group], representation: TextRepresentation, passes: Passes
) -> ClassStatistics:
    """Add up the sums of the groups that need them; return the classes, over no columns."""
    # Without such a group, the first one is counted for the classes.
    counted = [group for group in groups if _members(model, group, additive=True)] or groups[:1]
    counter = store_estimator(representation.counter)
    scaled = [group for group in groups if group.representation.length == "mean"]
    if scaled:
        lengths = mean_lengths(passes.count(Contents(counter, _transforms(scaled)), "lengths")[0])
        for group, length in zip(scaled, lengths, strict=True):
            group.frequencies = replace(group.frequencies, length=length)
    contents = Contents(counter, _transforms(counted))
    found, _ = join_sums(contents, *passes.count(contents, "sums"))
    for group, statistics in zip(counted, found, strict=True):
        group.statistics = statistics
    return found[0].of_classes()


def _transforms(groups: list[Group]) -> tuple[CountTransform, ...]:
    return tuple(group.count_transform() for group in groups)


def _summary(model: AutoNB, sampled: int, documents: int) -> str:
    """Say what was learned from what."""
    recipe = f"The search on {sampled:,} texts found {model.recipe_.summary()}."
    fitted = sorted({member.kind for member in model.recipe_.members if not member.variant.additive})
    if not fitted:
        return f"{recipe} All members learned from {documents:,} texts."
    return (
        f"{recipe} Statistics of {', '.join(fitted)} do not add: learned from the {sampled:,} texts of the "
        f"sample. The others, and document frequencies, come from {documents:,} texts."
    )
