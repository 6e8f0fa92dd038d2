"""AutoNB after any sequence of learning and forgetting is its recipe fitted on the documents that remain."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from reference.variants import documents
from textbayes import AutoNB


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("exact", [False, True], ids=["any", "exact"])
@given(data=st.data())
@settings(max_examples=examples(8), deadline=None)
def test_updates_equal_a_refit_of_the_recipe(multilabel, exact, data):
    X, y = documents(60, 25, 4, seed=3, multilabel=multilabel)
    first = data.draw(st.integers(30, 50))
    gone = data.draw(st.sets(st.integers(0, first - 1), max_size=15).map(sorted))
    predicts_between = data.draw(st.booleans())
    kinds = ["one-vs-all", "centroid"]
    model = AutoNB(candidates=kinds, updates="exact" if exact else "any", random_state=0).fit(
        X[:first], y[:first]
    )
    model.partial_fit(X[first:], y[first:])
    if predicts_between:
        model.predict(X)
    if gone:
        model.forget(X[gone], y[gone])
    # A search of any recipe may find one whose statistics add.
    assert model.recipe_.additive or not exact
    assert model.is_settled_ is (model.recipe_.additive or bool(gone))
    if not exact:
        model.settle()
    left = np.setdiff1d(np.arange(60), gone)
    fresh = model.recipe_.fit(X[left], y[left], random_state=0)
    assert np.array_equal(model.classes_, fresh.classes_)
    np.testing.assert_allclose(model.decision_function(X), fresh.decision_function(X), atol=1e-9)
    assert np.array_equal(model.class_documents_, fresh.class_documents_)
