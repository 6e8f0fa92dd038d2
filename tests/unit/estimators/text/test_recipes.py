"""The table of recipes is whole: each makes a classifier, with parameters it has, in the range it says."""

import pytest

from textbayes import TextClassifier
from textbayes.errors import UnknownOptionError
from textbayes.estimators.text.recipes import AUTO_RECIPE, RECIPES, find_recipe

TEXTS = ["wheat and corn", "wheat harvest 밀가루", "crude oil", "oil output", "gold mine", "mine of gold"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_learns(name):
    recipe = RECIPES[name]
    assert recipe.name == name
    assert recipe.summary
    assert recipe.paper.split()[0] in ("Rennie", "Kim", "Schneider", "Grim", "Frank", "Hsieh")
    classifier = TextClassifier(name).fit(TEXTS, LABELS)
    assert classifier.predict(TEXTS).tolist() == LABELS
    assert type(classifier.model_) is type(recipe.model())
    assert type(classifier.transform_) is type(recipe.transform())


@pytest.mark.parametrize("name", RECIPES)
def test_ranges_are_those_of_parameters(name):
    recipe = RECIPES[name]
    for parameter, (least, most) in recipe.ranges.items():
        for value in (least, most):
            model = recipe.model().set_params(**{parameter: value})
            TextClassifier(model, transform=recipe.transform()).fit(TEXTS, LABELS).predict_proba(TEXTS)


def test_auto_is_a_search_among_them():
    assert find_recipe("auto") is AUTO_RECIPE
    assert repr(AUTO_RECIPE.model()) == "AutoNB(random_state=0)"
    assert "auto" not in RECIPES


def test_a_name_that_is_none():
    with pytest.raises(UnknownOptionError, match=r"'multinomal'.*Did you mean 'multinomial'"):
        TextClassifier("multinomal").fit(TEXTS, LABELS)
