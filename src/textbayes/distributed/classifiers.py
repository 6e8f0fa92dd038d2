"""Classifiers from data that an engine counts."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sklearn.base import clone

from textbayes.distributed.fitting import (
    Passes,
    Run,
    check_adds,
    contents_of,
    finish_sums,
    learn_sums,
    needs_terms,
    sort_blobs,
)
from textbayes.distributed.plan import Plan
from textbayes.distributed.recipes import Log, Sampler, learn_recipe
from textbayes.distributed.sums import join_sums
from textbayes.errors import ParameterError
from textbayes.errors.checks import check_whole
from textbayes.estimators import TextClassifier
from textbayes.estimators.text.text_model import TextModel

_LOG = logging.getLogger("textbayes.distributed")
SHARDS = 64
"""The number of shards, unless it is given."""


def fit_by(
    classifier: TextClassifier,
    run: Run,
    *,
    text: str = "text",
    label: str = "label",
    shards: int = SHARDS,
    sample: Sampler | None = None,
    log: Log | None = None,
) -> TextClassifier:
    """Fit a classifier on data that an engine counts.

    Parameters
    ----------
    classifier : TextClassifier
        Its parameters, with ``keep_documents=False``.
    run : function
        Gets a plan, counts all data by it (``count_batches`` on every part, then ``merge`` by shard), and
        returns the merged blob of every shard, in any order. It is called once for hashed columns without
        document frequencies, and otherwise two or three times.
    text, label : str
        The columns of the texts and of their labels.
    shards : int, default=64
        The number of parts that statistics are split into.
    sample : function, optional
        For "auto", and any AutoNB: returns texts of the data and their labels, for the search. The recipe is
        then fitted on all data; members that do not add, such as linear SVMs, learn from the sample.
    log : function, optional
        Is told what was learned from the sample; the default is the log of Python, at the level INFO.

    Returns
    -------
    TextClassifier
        The classifier, fitted. It equals one that was fitted on all texts at once, to the bit for whole
        counts.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier
    >>> from textbayes.distributed import fit_by, run_here
    >>> parts = [pa.record_batch({"text": ["wheat corn", "crude oil"], "label": ["grain", "oil"]})]
    >>> classifier = TextClassifier("complement", keep_documents=False)
    >>> fit_by(classifier, run_here([parts])).predict(["corn"])
    array(['grain'], dtype='<U5')
    """
    check_whole("shards", shards, least=1)
    with tempfile.TemporaryDirectory(prefix="textbayes-") as folder:
        passes = Passes(run, text, label, shards, Path(folder))
        return classifier.fit_by(lambda learned: _learn(learned, passes, sample, log or _LOG.info))


def teach_by(
    classifier: TextClassifier,
    run: Run,
    *,
    text: str = "text",
    label: str = "label",
    shards: int = SHARDS,
) -> TextClassifier:
    """Add data that an engine counts to a fitted classifier without documents.

    Parameters
    ----------
    classifier : TextClassifier
        The classifier. It learns what ``teach`` would learn: new words become terms unless document
        frequencies, mean lengths or cuts were found by ``fit``, and these stay.
    run, text, label, shards
        As for ``fit_by``.

    Returns
    -------
    TextClassifier
        The same classifier.

    Raises
    ------
    ParameterError
        If it keeps documents, or its statistics do not add.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier
    >>> from textbayes.distributed import run_here, teach_by
    >>> classifier = TextClassifier("complement", keep_documents=False).fit(["corn", "oil"], ["grain", "oil"])
    >>> more = [pa.record_batch({"text": ["gold mine"], "label": ["gold"]})]
    >>> teach_by(classifier, run_here([more])).predict(["a mine"])
    array(['gold'], dtype='<U5')
    """
    check_whole("shards", shards, least=1)
    check_adds(classifier.new_model())
    with tempfile.TemporaryDirectory(prefix="textbayes-") as folder:
        passes = Passes(run, text, label, shards, Path(folder))
        if _grows(classifier):
            return classifier.merge(clone(classifier).fit_by(lambda learned: learn_sums(learned, passes)))
        return classifier.teach_by(lambda learned: _add_sums(learned, passes))


def plan_fit(
    classifier: TextClassifier, *, text: str = "text", label: str = "label", shards: int = SHARDS
) -> Plan:
    """Return the plan of a fit that takes one pass over the data.

    Parameters
    ----------
    classifier : TextClassifier
        Its parameters, with ``keep_documents=False`` and hashed columns, and without a transform.
    text, label, shards
        As for ``fit_by``.

    Raises
    ------
    ParameterError
        If the fit takes more passes: ``fit_by`` makes them.

    Examples
    --------
    >>> from textbayes import TextClassifier, TextCounter
    >>> from textbayes.distributed import plan_fit
    >>> counter = TextCounter(dimensions=2**20)
    >>> plan_fit(TextClassifier("complement", counter, keep_documents=False)).step
    'sums'
    """
    check_whole("shards", shards, least=1)
    classifier.check_parameters()
    learned = classifier.new_model()
    check_adds(learned)
    if needs_terms(learned.representation):
        why = "The terms, or their documents, must be counted before the sums, which fit_by does"
        raise ParameterError("classifier", classifier, "hashed columns, without a transform", why)
    return Plan.of(contents_of(learned), "sums", text, label, shards, Path())


def finish(blobs: Iterable[bytes], plan: Plan, classifier: TextClassifier) -> TextClassifier:
    """Fit a classifier on the merged blobs of a plan.

    Parameters
    ----------
    blobs : iterable of bytes
        The merged blob of every shard.
    plan : Plan
        The plan, from ``plan_fit``.
    classifier : TextClassifier
        The classifier that the plan was made for.

    Raises
    ------
    BlobError
        If blobs are missing, or are of another plan.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier, TextCounter
    >>> from textbayes.distributed import finish, plan_fit, run_here
    >>> counter = TextCounter(dimensions=2**20)
    >>> classifier = TextClassifier("complement", counter, keep_documents=False)
    >>> parts = [[pa.record_batch({"text": ["corn", "crude oil"], "label": ["grain", "oil"]})]]
    >>> plan = plan_fit(classifier)
    >>> finish(run_here(parts)(plan), plan, classifier).predict(["crude"])
    array(['oil'], dtype='<U5')
    """
    totals, shards = sort_blobs(blobs, plan)
    return classifier.fit_by(lambda learned: finish_sums(learned, contents_of(learned), totals, shards))


def _learn(learned: TextModel, passes: Passes, sample: Sampler | None, log: Log) -> None:
    if learned.model.searches and not learned.keeps:
        learn_recipe(learned, passes, sample, log)
    else:
        learn_sums(learned, passes)


def _grows(classifier: TextClassifier) -> bool:
    """Return whether new words become terms."""
    representation = classifier.new_model().representation
    return representation.rows_are_independent and not representation.is_hashed


def _add_sums(learned: TextModel, passes: Passes) -> None:
    contents = replace(contents_of(learned), calibrates=False)
    (statistics,), _ = join_sums(contents, *passes.count(contents, "sums"))
    learned.add_sums(statistics)
