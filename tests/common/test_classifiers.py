"""scikit-learn's own checks on every classifier and transformer of counts."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from textbayes import (
    AutoNB,
    CentroidClassifier,
    ComplementNB,
    DiscriminativeNB,
    FrequencyTransform,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    PoissonNB,
    TermSelector,
    TunedClassifier,
)
from textbayes.estimators import VARIANTS

# Every model of the table that stands alone; PNB* has no predict.
MODELS = [
    estimator
    for estimator in dict.fromkeys(variant.estimator for variant in VARIANTS.values())
    if hasattr(estimator, "predict")
]
# Each class once, with its defaults where scikit-learn's data allow.
CLASSES = [
    AutoNB(),
    *(estimator() for estimator in MODELS),
    TunedClassifier(MultinomialNB()),
    FrequencyTransform(),
    TermSelector(k=1),
]
# The same classes with other settings, for the slow suite: validation, tags and shapes are shared code.
SETTINGS = [
    AutoNB(updates="exact", blend=False),
    MultinomialNB(class_length="min"),
    MultinomialNB(class_length=1.0, fit_prior=False),
    ComplementNB(norm=True),
    ComplementNB(against="class", norm=True),
    ComplementNB(against="all"),
    PoissonNB(weighting="ig"),
    PoissonNB(weighting="chi2"),
    PoissonNB(weighting="ratio"),
    CentroidClassifier(norm="l1"),
    PoissonMixtureNB(2, smoothing="mix", keep=0.5, random_state=0),
    PoissonMixtureNB("auto", keep_threshold=0.01, random_state=0),
    PoissonMixtureNB(2, smoothing=None, random_state=0),
    TunedClassifier(ComplementNB(), biases=False, calibration="temperature"),
    FrequencyTransform(length="mean"),
    FrequencyTransform(idf="smooth"),
    TermSelector(criterion="chi2", k=1, per_class=True),
]


RANKING_ONLY = (
    "decision_function is z* (Kim 2003, eq. 15), which drops W_c and A_c: it ranks the documents of a class; "
    "with weighted terms classes are compared by eq. 14, which predict and predict_proba use"
)
DEALT = "documents are dealt to two components at random, and a repeated document is dealt twice"
VISITED_ONCE = "a document of weight 2 is visited once, two equal documents twice, with another model between"
AGREES_TO_TOL = "what documents count agrees with what they fall short to tol, which is not to nine digits"
LEFT_OUT_WHOLE = "a document of weight 2 is left out as a whole, two equal documents one after the other"


def excused(estimator):
    """The checks that do not apply, each with its reason."""
    if isinstance(estimator, FrequencyTransform | TermSelector):
        return {}
    if isinstance(estimator, TunedClassifier):
        checks = (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
            "check_decision_proba_consistency",
        )
        return dict.fromkeys(checks, LEFT_OUT_WHOLE)
    if isinstance(estimator, DiscriminativeNB):
        checks = (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
            "check_decision_proba_consistency",
        )
        return dict.fromkeys(checks, VISITED_ONCE)
    negative = "it feeds negative counts, whatever the tags say"
    reasons = {"check_decision_proba_consistency": negative}
    if isinstance(estimator, AutoNB):
        # tests/unit/estimators/auto/test_objectives.py has the check for class weights with counts.
        reasons["check_class_weight_classifiers"] = negative
        kinds = ("dense", "sparse")
        reasons |= {f"check_sample_weight_equivalence_on_{kind}_data": LEFT_OUT_WHOLE for kind in kinds}
    if isinstance(estimator, LinearSVM):
        kinds = ("dense", "sparse")
        reasons |= {f"check_sample_weight_equivalence_on_{kind}_data": AGREES_TO_TOL for kind in kinds}
    if isinstance(estimator, PoissonMixtureNB) and estimator.n_components == 2:
        kinds = ("dense", "sparse")
        reasons |= {f"check_sample_weight_equivalence_on_{kind}_data": DEALT for kind in kinds}
    if isinstance(estimator, PoissonNB) and estimator.weighting:
        reasons |= dict.fromkeys(("check_classifiers_classes", "check_classifiers_train"), RANKING_ONLY)
    return reasons


@parametrize_with_checks(CLASSES, expected_failed_checks=excused)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(SETTINGS, expected_failed_checks=excused)
def test_scikit_learn_checks_with_other_settings(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [*CLASSES, *SETTINGS], ids=repr)
def test_no_check_is_skipped_because_of_tags(estimator):
    tags = estimator.__sklearn_tags__()
    assert tags.input_tags.sparse
    assert tags.input_tags.positive_only
