"""The table of variants is complete: each row makes a classifier, with the properties that it states."""

import inspect

import numpy as np
import pytest

import textbayes.estimators
from textbayes import TextClassifier
from textbayes.errors import ParameterError
from textbayes.estimators import VARIANTS
from textbayes.estimators.models.variants import FOLDING, NAMED, SEARCHED
from textbayes.estimators.text.model_names import MODEL_NAMES, default_counter, find_variant

TEXTS = ["wheat and corn", "wheat harvest 밀가루", "crude oil", "oil output", "gold mine", "mine of gold"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
PAPERS = ("Rennie", "Kim", "Schneider", "Grim", "Frank", "Hsieh", "Su")
X, y = [[3, 0, 1], [2, 1, 0], [0, 2, 1], [0, 3, 2], [1, 0, 3], [0, 1, 4]], LABELS


@pytest.mark.parametrize("name", VARIANTS)
def test_every_row_is_complete(name):
    variant = VARIANTS[name]
    assert variant.name == name
    assert variant.summary
    assert variant.paper.split()[0] in PAPERS
    assert variant.by_name or variant.search


@pytest.mark.parametrize("name", NAMED)
def test_every_named_variant_classifies_texts(name):
    variant = VARIANTS[name]
    classifier = TextClassifier(name).fit(TEXTS, LABELS)
    assert classifier.predict(TEXTS).tolist() == LABELS
    assert type(classifier.model_) is variant.estimator
    assert type(classifier.transform_) is type(variant.make_transform())


@pytest.mark.parametrize("name", VARIANTS)
def test_the_columns_agree_with_the_estimator(name):
    variant = VARIANTS[name]
    model = variant.make_candidate({}, 0) if variant.search else variant.make_model()
    assert variant.seeded == ("random_state" in model.get_params())
    assert variant.smoothing is None or variant.smoothing in model.get_params()
    if variant.additive:
        model.fit(X, y).partial_fit(X[:1], y[:1]).forget(X[:1], y[:1])
        assert model.decision_function(X).tobytes() == model.fit(X, y).decision_function(X).tobytes()
    if variant.exact_loo:
        left_out = model.fit(X, y).loo_scores(X, y)[0]
        assert left_out == pytest.approx(model.forget(X[:1], y[:1]).decision_function(X[:1])[0])


@pytest.mark.parametrize("name", VARIANTS)
def test_what_folds_is_linear(name):
    variant = VARIANTS[name]
    model = variant.make_candidate({}, 0) if variant.search else variant.make_model()
    rows = np.array([[0, 0, 0], [3, 0, 1], [6, 0, 2]])
    bias, once, twice = model.fit(X, y).decision_function(rows)
    # A mixture of one component is linear, too.
    assert np.allclose(twice - bias, 2 * (once - bias)) or not variant.folds
    assert (name in FOLDING) == (variant.folds and variant.search is not None)


@pytest.mark.parametrize("name", SEARCHED)
def test_the_search_settings_are_parameters_of_the_model(name):
    variant = VARIANTS[name]
    known = variant.estimator().get_params()
    assert {*variant.search.parameters, *getattr(variant.estimator, "fast_parameters", {})} <= set(known)
    assert bool(variant.search.grid) == (variant.smoothing is not None)


# Parameters worth tuning, by their estimator, each with its smallest and largest sensible value.
RANGES = {
    "MultinomialNB": {"alpha": (1e-3, 10.0)},
    "ComplementNB": {"alpha": (1e-3, 10.0)},
    "PoissonNB": {"theta": (1e-5, 1e-1), "alpha": (0.0, 1.0)},
    "PoissonMixtureNB": {"background": (1.0, 300.0), "keep": (0.05, 1.0)},
    "LinearSVM": {"C": (0.1, 10.0)},
}


@pytest.mark.parametrize("name", NAMED)
def test_sensible_values_of_parameters_work(name):
    variant = VARIANTS[name]
    for parameter, values in RANGES.get(variant.estimator.__name__, {}).items():
        for value in values:
            model = variant.make_model().set_params(**{parameter: value})
            TextClassifier(model, transform=variant.make_transform()).fit(TEXTS, LABELS).predict_proba(TEXTS)


@pytest.mark.parametrize("name", SEARCHED)
def test_every_value_of_the_grid_works(name):
    variant = VARIANTS[name]
    for value in variant.search.grid + variant.search.unit_grid:
        model = variant.make_candidate({variant.smoothing: value}, 0)
        TextClassifier(model, transform=variant.make_transform()).fit(TEXTS, LABELS).decision_function(TEXTS)


def test_every_model_has_a_row():
    classes = [found for _, found in inspect.getmembers(textbayes.estimators, inspect.isclass)]
    models = {found for found in classes if found.__module__.startswith("textbayes.estimators.models.")}
    wrappers = {textbayes.TunedClassifier, textbayes.estimators.Variant}
    assert models - wrappers <= {variant.estimator for variant in VARIANTS.values()}


def test_auto_is_a_search_among_them():
    assert repr(find_variant("auto").make_model()) == "AutoNB(random_state=0)"
    assert ("auto", *NAMED) == MODEL_NAMES
    assert "auto" not in VARIANTS
    assert default_counter("auto").ngram_range == default_counter(textbayes.AutoNB()).ngram_range == (1, 2)
    assert default_counter("twcnb").ngram_range == (1, 1)


@pytest.mark.parametrize("name", ["multinomal", "one-vs-all", 3])
def test_an_unknown_name(name):
    with pytest.raises(ParameterError, match=str(name)):
        find_variant(name)


def test_an_unknown_name_suggests_a_known_one():
    with pytest.raises(ParameterError, match=r"'multinomal'.*Did you mean 'multinomial'"):
        TextClassifier("multinomal").fit(TEXTS, LABELS)
