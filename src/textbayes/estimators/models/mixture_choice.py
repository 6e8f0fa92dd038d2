"""Smoothing, its strength and the share of parameters of PoissonMixtureNB, chosen by documents left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import MixtureSettings
from textbayes.measures import deal_folds, strata
from textbayes.persistence import Stored
from textbayes.scores import log_sum_exp, mixture_odds_scorer, mixture_scorer
from textbayes.scores.leave_one_out import mixture_scores_without
from textbayes.statistics import ClassStatistics, LabelledRows, Targets
from textbayes.weights import MixtureModel, component_counts, learn_mixtures
from textbayes.weights.mixture import SMOOTHINGS

if TYPE_CHECKING:
    from textbayes.estimators.models.mixture import PoissonMixtureNB

Reals = NDArray[np.float64]
Watched = Callable[[str, int], AbstractContextManager[Any]]

# Candidates; see experiments/mixture_choice.py.
STRENGTHS = {
    "mix": (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9),
    "prior": (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0),
}
KEEPS = (0.05, 0.1, 0.2, 0.5, 1.0)
FOLDS = 3
# Enough to compare candidates: of more documents, only some are left out.
_MOST_DOCUMENTS = 10_000
_MOST_SCORES = 1 << 24
_ROUNDING = 1e-12


@dataclass(frozen=True)
class MixtureChoice:
    """The kind and strength of the smoothing, and the share of parameters to keep.

    Parameters
    ----------
    smoothing : {"prior", "mix"} or None
        The kind.
    strength : float
        Words of the background for "prior", its share for "mix"; 0 without smoothing.
    keep : float
        The share of parameters.
    """

    smoothing: str | None
    strength: float
    keep: float = 1.0

    def settings(self, model: PoissonMixtureNB) -> MixtureSettings:
        """Return the settings for the core."""
        threshold = None if model.keep_threshold is None else float(model.keep_threshold)
        return MixtureSettings(
            self.smoothing,
            self.strength,
            self.keep,
            threshold,
            int(model.max_iter),
            float(model.tol),
            int(model.n_init),
        )

    def parameters(self, model: PoissonMixtureNB) -> dict[str, Any]:
        """Return the parameters of a model that make this choice."""
        strength = None if self.smoothing is None else self.strength
        # A share cannot be combined with a threshold, which needs all parameters.
        keep = model.keep if model.keep_threshold is not None else self.keep
        return {"smoothing": self.smoothing, "background": strength, "keep": keep}

    def store(self) -> Stored:
        """Return the choice for a model file."""
        return Stored({"smoothing": self.smoothing, "strength": self.strength, "keep": self.keep})

    @classmethod
    def restore(cls, stored: Stored) -> MixtureChoice:
        """Return the choice from ``store``, or refuse the file."""
        smoothing = stored.configuration.get("smoothing")
        strength, keep = stored.value("strength", float), stored.value("keep", float)
        most = {"prior": np.inf, "mix": 1.0, None: 0.0}
        known = smoothing is None or (isinstance(smoothing, str) and smoothing in SMOOTHINGS)
        sound = known and 0 <= strength <= most[smoothing] and np.isfinite(strength) and 0 < keep <= 1
        stored.check(sound and (strength > 0 or smoothing is None), "its smoothing is invalid")
        return cls(smoothing, strength, keep)


def given_choice(model: PoissonMixtureNB) -> MixtureChoice:
    """Return the choice that the parameters make; a default in place of "auto"."""
    keep = 1.0 if isinstance(model.keep, str) else float(model.keep)
    if model.smoothing is None:
        return MixtureChoice(None, 0.0, keep)
    smoothing = "prior" if model.smoothing == "auto" else model.smoothing
    given = model.background
    strength = SMOOTHINGS[smoothing] if given is None or isinstance(given, str) else float(given)
    return MixtureChoice(smoothing, strength, keep)


def choose_settings(model: PoissonMixtureNB, documents: LabelledRows, watched: Watched) -> MixtureChoice:
    """Choose what the parameters leave open.

    Strengths are compared by leave-one-out with one component and all parameters, which has a closed form.
    Other shares of parameters, and strengths of other mixtures, are compared in folds.
    """
    choice = given_choice(model)
    strength, keep = _is_open(model), isinstance(model.keep, str)
    documents = documents.counted()
    if not (strength or keep) or not _can_compare(documents):
        return choice
    return _Choosing(model, documents, watched).chosen(choice, strength, keep)


def _is_open(model: PoissonMixtureNB) -> bool:
    return model.smoothing is not None and isinstance(model.background, str)


def _can_compare(documents: LabelledRows) -> bool:
    """Return whether there are words, and classes to tell apart."""
    targets = documents.targets
    return bool(documents.rows.sums().any()) and (targets.multilabel or len(np.unique(targets.codes)) > 1)


class Losses(NamedTuple):
    """What candidates lose on documents that they did not learn.

    Parameters
    ----------
    errors, log_losses : array of shape (candidates, documents)
        The wrong decisions and the log loss.
    weights : array of shape (documents,)
        The weight of each document.
    """

    errors: Reals
    log_losses: Reals
    weights: Reals

    def take(self, candidates: slice) -> Losses:
        """Return the losses of some candidates."""
        return self._replace(errors=self.errors[candidates], log_losses=self.log_losses[candidates])


def best_strength(losses: Losses) -> int:
    """Return the candidate with the least log loss of those within a standard error of the fewest errors.

    Weak smoothing is often as good for documents left out, and worse for texts unlike the training texts.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.estimators.models.mixture_choice import Losses, best_strength
    >>> errors = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1]])
    >>> best_strength(Losses(errors, np.array([[4] * 4, [3] * 4, [2] * 4]), np.ones(4)))
    1
    """
    shares = losses.weights / losses.weights.sum()
    lost = losses.errors - losses.errors[np.argmin(losses.errors @ shares)]
    means = lost @ shares
    standard_errors = np.sqrt((lost - means[:, None]) ** 2 @ shares / losses.weights.sum())
    close = means <= standard_errors + _ROUNDING
    return int(np.argmin(np.where(close, losses.log_losses @ shares, np.inf)))


def best_share(losses: Losses) -> int:
    """Return the candidate with the fewest errors, of equal ones the last: the largest share.

    Fewer parameters nearly always have a smaller log loss, and often more errors.
    """
    lost = losses.errors @ losses.weights
    return int(np.flatnonzero(lost <= lost.min() * (1 + _ROUNDING))[-1])


class _Choosing:
    """The candidates of a model, compared on its documents."""

    def __init__(self, model: PoissonMixtureNB, documents: LabelledRows, watched: Watched) -> None:
        targets = documents.targets
        used = targets if targets.multilabel else targets.of_used_classes()
        self.model, self.watched = model, watched
        self.documents = replace(documents, targets=used)

    def chosen(self, choice: MixtureChoice, strength: bool, keep: bool) -> MixtureChoice:
        """Choose the strength for one component, then the share, then both for the mixture."""
        near = [choice]
        if strength:
            choice, near = self._by_leave_one_out(choice)
        numbers = self._numbers(choice)
        whole = choice.keep == 1 and not keep
        if whole and all(number == 1 for number in numbers.values()):
            return choice
        if keep:
            choice = self._best_share(choice, numbers)
        if strength:
            near = [replace(one, keep=choice.keep) for one in near]
            choice = near[best_strength(self._held_out(near, numbers, "strengths"))]
        if strength and keep:
            choice = self._best_share(choice, numbers)
        return choice

    def _best_share(self, choice: MixtureChoice, numbers: Mapping[Any, int]) -> MixtureChoice:
        candidates = [replace(choice, keep=keep) for keep in KEEPS]
        return candidates[best_share(self._held_out(candidates, numbers, "shares of parameters"))]

    def _by_leave_one_out(self, choice: MixtureChoice) -> tuple[MixtureChoice, list[MixtureChoice]]:
        """Return the best strength of one component, and the strengths that may be best in a mixture."""
        of_kind = [
            [replace(choice, smoothing=kind, strength=strength) for strength in strengths]
            for kind, strengths in STRENGTHS.items()
            if self.model.smoothing in ("auto", kind)
        ]
        candidates = [candidate for some in of_kind for candidate in some]
        losses = self._left_out([replace(candidate, keep=1.0) for candidate in candidates])
        best = candidates[best_strength(losses)]
        if isinstance(self.model.keep, str) or choice.keep < 1:
            # With fewer parameters, other strengths are best.
            return best, candidates
        near, first = [], 0
        for some in of_kind:
            at = best_strength(losses.take(slice(first, first + len(some))))
            near += some[max(at - 1, 0) : at + 2]
            first += len(some)
        return best, near

    def _left_out(self, candidates: Sequence[MixtureChoice]) -> Losses:
        """Leave out every document, or some of very many, from one component with all parameters."""
        statistics = ClassStatistics(self.documents.rows.width, self.documents.targets.multilabel)
        statistics.add(self.documents)
        most = max(min(_MOST_DOCUMENTS, _MOST_SCORES // len(statistics.class_documents)), 1)
        some = self.documents.take(np.arange(0, len(self.documents), -(-len(self.documents) // most)))
        # Of a document that counts several times, one is left out.
        ones = None if some.weights is None else np.minimum(some.weights, 1.0)
        settings = [candidate.settings(self.model) for candidate in candidates]
        parts, first = [], 0
        with self.watched("documents left out", len(some)) as watch:
            for scores in mixture_scores_without(statistics, replace(some, weights=ones), settings):
                targets = some.targets.block(first, first + len(scores))
                parts.append([_document_losses(scores[:, :, at], targets) for at in range(len(candidates))])
                first += len(scores)
                if watch is not None:
                    watch(first)
        return _joined(parts, some.sample_weight)

    def _held_out(self, candidates: Sequence[MixtureChoice], numbers: Mapping[Any, int], what: str) -> Losses:
        """Hold out the documents of each fold, or of one fold of very many."""
        fold_of = deal_folds(strata(self.documents.targets, by="first"), FOLDS)
        folds = range(min(-(-_MOST_DOCUMENTS * FOLDS // len(self.documents)), FOLDS))
        parts, weights = [], []
        with self.watched(what, len(folds) * len(candidates)) as watch:
            for fold in folds:
                held, learned = (
                    self.documents.take(np.flatnonzero(part)) for part in (fold_of == fold, fold_of != fold)
                )
                each = []
                for candidate in candidates:
                    each.append(self._losses(candidate, numbers, learned, held))
                    if watch is not None:
                        watch(fold * len(candidates) + len(each))
                parts.append(each)
                weights.append(held.sample_weight)
        return _joined(parts, np.concatenate(weights))

    def _losses(
        self,
        candidate: MixtureChoice,
        numbers: Mapping[Any, int],
        learned: LabelledRows,
        held: LabelledRows,
    ) -> tuple[Reals, Reals]:
        """Return the losses of a candidate on documents that it did not learn."""
        classes = held.targets.classes
        here = set(classes[np.unique(learned.targets.codes)].tolist())
        known = {one: number for one, number in numbers.items() if held.targets.multilabel or one in here}
        model = self._fitted(candidate, known, learned)
        scorer = mixture_scorer(model)
        scores = np.full((len(held), len(classes)), -np.inf)
        found = (mixture_odds_scorer(model, scorer) or scorer).scores(held.rows)
        scores[:, np.isin(classes, model.classes)] = found
        return _document_losses(scores, held.targets)

    def _numbers(self, choice: MixtureChoice) -> dict[Any, int]:
        """Return the number of components of each class."""
        targets = self.documents.targets
        sizes = np.bincount(targets.codes, minlength=len(targets.classes))
        counts = component_counts(self.model.n_components, targets.classes, sizes)
        if min(counts, default=1) < 0:
            counts = self._fitted(choice, self.model.n_components, self.documents).own.given.tolist()
        return dict(zip(targets.classes.tolist(), counts, strict=True))

    def _fitted(self, choice: MixtureChoice, n_components: Any, documents: LabelledRows) -> MixtureModel:
        """Fit a mixture; the same candidate always starts from the same seeds."""
        return learn_mixtures(
            documents.rows,
            documents.targets,
            documents.weights,
            n_components,
            choice.settings(self.model),
            np.random.RandomState(0),
            lambda _what, _total: nullcontext(),
        )


def _joined(parts: Sequence[Sequence[tuple[Reals, Reals]]], weights: Reals) -> Losses:
    """Join the losses of parts of the documents, each a pair for every candidate."""
    errors, log_losses = np.concatenate([np.array(part) for part in parts], axis=2).transpose(1, 0, 2)
    return Losses(errors, log_losses, weights)


def _document_losses(scores: Reals, targets: Targets) -> tuple[Reals, Reals]:
    """Return the wrong decisions and the log loss of each document; an unknown class has no log loss."""
    if targets.multilabel:
        truth = targets.indicator()
        log_losses = np.logaddexp(0.0, np.where(truth, -scores, scores))
        return ((scores > 0) != truth).sum(axis=1).astype(np.float64), log_losses.sum(axis=1)
    own = scores[np.arange(len(scores)), targets.codes]
    wrong = np.isneginf(own) | (scores.argmax(axis=1) != targets.codes)
    return wrong.astype(np.float64), np.where(np.isneginf(own), 0.0, log_sum_exp(scores) - own)
