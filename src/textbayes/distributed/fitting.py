"""Fit a classifier in passes over the data that an engine makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from textbayes.counts import TermCounts
from textbayes.distributed.blobs import Blob, check_same
from textbayes.distributed.contents import Contents
from textbayes.distributed.lengths import mean_lengths
from textbayes.distributed.plan import Plan
from textbayes.distributed.sums import join_sums
from textbayes.distributed.term_counts import join_terms
from textbayes.errors import BlobError, ParameterError
from textbayes.estimators.base.storing import store_estimator
from textbayes.estimators.text.streaming import choose_terms, use_sums
from textbayes.estimators.text.text_model import TextModel
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.persistence import Stored

Run = Callable[[Plan], Iterable[bytes]]
"""What an engine does: count all data by a plan, and return the merged blob of every shard."""


@dataclass(frozen=True)
class Passes:
    """The passes over the data that an engine makes.

    Parameters
    ----------
    run : function
        Counts all data by a plan, and returns the merged blob of every shard.
    text, label : str
        The columns of the texts and of their labels.
    shards : int
        The number of parts that statistics are split into.
    folder : Path
        A folder for the files of plans.
    """

    run: Run
    text: str
    label: str
    shards: int
    folder: Path

    def count(self, contents: Contents, step: str) -> tuple[Stored, list[Stored]]:
        """Make a pass; return what is of no term, and the parts of the terms."""
        plan = Plan.of(contents, step, self.text, self.label, self.shards, self.folder)
        return sort_blobs(self.run(plan), plan)


def sort_blobs(blobs: Iterable[bytes], plan: Plan) -> tuple[Stored, list[Stored]]:
    """Check the merged blobs of a plan; return what is of no term, and the parts of the terms."""
    found: dict[int, Blob] = {}
    for blob in map(Blob.from_bytes, blobs):
        for name, expected in (("plan", plan.key), ("step", plan.step), ("shards", plan.shards)):
            check_same(name, getattr(blob, name), expected)
        if blob.shard in found:
            raise BlobError.of_other("a second blob of shard", blob.shard, "one, as merge makes it,")
        found[blob.shard] = blob
    if plan.shards not in found:
        raise BlobError.of_missing("the shard of the documents")
    totals = found.pop(plan.shards).contents
    return totals, [found[shard].contents for shard in sorted(found)]


def learn_sums(learned: TextModel, passes: Passes) -> None:
    """Fit a model that follows from sums."""
    check_adds(learned)
    representation, transform = learned.representation, learned.representation.transform
    learned.estimator.check_parameters()
    if needs_terms(representation):
        counts = count_terms(representation, passes)
        if transform is not None:
            transform.use_counts(counts)
            if transform.needs_lengths:
                transform.use_length(mean_lengths(passes.count(contents_of(learned), "lengths")[0])[0])
    contents = contents_of(learned)
    finish_sums(learned, contents, *passes.count(contents, "sums"))


def finish_sums(learned: TextModel, contents: Contents, totals: Stored, shards: list[Stored]) -> None:
    """Make the model of the sums of all shards, which were counted by these contents."""
    (statistics,), sample = join_sums(contents, totals, shards)
    use_sums(learned, statistics, sample)


def check_adds(learned: TextModel) -> None:
    """Raise an error unless the model follows from sums, and keeps no documents."""
    if learned.keeps:
        raise ParameterError(
            "keep_documents", True, [False], "The documents of a distributed fit stay where they are"
        )
    if not learned.fits_in_blocks:
        why = "Its statistics do not add: it learns from all documents at once"
        raise ParameterError("model", learned.estimator, "a model of sums, such as 'complement'", why)


def needs_terms(representation: TextRepresentation) -> bool:
    """Return whether the terms must be counted before the sums."""
    return not representation.is_hashed or representation.transform is not None


def count_terms(representation: TextRepresentation, passes: Passes) -> TermCounts:
    """Count the documents of each term; the representation gets its vocabulary, without the terms cut."""
    contents = Contents(store_estimator(representation.counter))
    totals, shards = passes.count(contents, "terms")
    columns, vocabulary, counts = join_terms(shards)
    counts.documents = totals.size("documents")
    if vocabulary is None or representation.is_hashed:
        return counts.spread(columns, representation.width)
    representation.vocabulary = vocabulary
    counts = choose_terms(representation, counts)
    representation.drop_documents_terms()
    return counts


def contents_of(learned: TextModel) -> Contents:
    """Return what workers need to know of a model whose terms and document frequencies are known."""
    empty, transform = learned.model.new_statistics(0, False), learned.representation.transform
    assert empty is not None
    transforms = (None if transform is None else transform.count_transform(),)
    counter = store_estimator(learned.representation.counter)
    return Contents(counter, transforms, type(empty), learned.calibrates)
