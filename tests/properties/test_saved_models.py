"""Saving and loading a model between any two steps does not change it."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import textbayes
from examples import examples
from reference.variants import LINEAR, POISSON, documents
from textbayes import AutoNB, DiscriminativeNB, LinearSVM, PoissonMixtureNB, TunedClassifier

MODELS = [
    LINEAR[0],
    POISSON[2],
    DiscriminativeNB(random_state=0),
    LinearSVM(random_state=0),
    TunedClassifier(LINEAR[3]),
    TunedClassifier(PoissonMixtureNB(random_state=0)),
    AutoNB(candidates=["one-vs-all", "centroid"], random_state=0),
    AutoNB(candidates=["multinomial", "discriminative", "mixture"], random_state=0),
]


def through_a_file(model):
    with tempfile.TemporaryDirectory() as folder:
        textbayes.save(model, Path(folder, "model.tb"))
        return textbayes.load(Path(folder, "model.tb"))


@pytest.mark.parametrize("model", MODELS, ids=repr)
@given(data=st.data())
@settings(max_examples=examples(6), deadline=None)
def test_saving_changes_nothing(model, data):
    multilabel = (
        data.draw(st.booleans()) and "multi" not in repr(model) and "DiscriminativeNB" not in repr(model)
    )
    classes = data.draw(st.sampled_from([2, 4]))
    X, y = documents(40, 20, classes, seed=data.draw(st.integers(0, 99)), multilabel=multilabel)
    wider, more = documents(20, 26, classes, seed=5, multilabel=multilabel)
    plain, filed = clone(model).fit(X, y), through_a_file(clone(model).fit(X, y))
    learned = 0
    for step in data.draw(st.lists(st.sampled_from(["learn", "forget", "ask", "save"]), max_size=5)):
        for each in (plain, filed):
            if step == "learn" and learned < 20:
                each.partial_fit(wider[learned : learned + 4], more[learned : learned + 4])
            elif step == "forget" and learned >= 4:
                each.forget(wider[learned - 4 : learned], more[learned - 4 : learned])
            elif step == "ask":
                each.predict_proba(X if each.n_features_in_ == 20 else wider)
        learned += {"learn": 4 * (learned < 20), "forget": -4 * (learned >= 4)}.get(step, 0)
        if step == "save":
            filed = through_a_file(filed)
    rows = X if plain.n_features_in_ == 20 else wider
    assert np.array_equal(plain.classes_, filed.classes_)
    assert filed.decision_function(rows).tobytes() == plain.decision_function(rows).tobytes()
    assert filed.predict_proba(rows).tobytes() == plain.predict_proba(rows).tobytes()
