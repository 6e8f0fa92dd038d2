"""Answers for no texts: empty, with the right shape, for every model."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression

from textbayes import AutoNB, ComplementNB, FrequencyTransform, TextClassifier, TunedClassifier
from textbayes.answering import load_answerer
from textbayes.errors import TextsError
from textbayes.estimators.text.model_names import MODEL_NAMES

TEXTS = ["wheat corn", "corn rice", "corn crop", "crude oil", "oil gas", "oil well", "gold mine", "mine ore"]
LABELS = ["grain"] * 3 + ["oil"] * 3 + ["gold"] * 2
MODELS = [
    *((name, None) for name in MODEL_NAMES),
    (AutoNB(candidates=["mixture"], random_state=0), None),  # blended member by member
    (TunedClassifier(ComplementNB()), None),
    (TunedClassifier(ComplementNB()), FrequencyTransform()),
    (LogisticRegression(), TfidfTransformer()),
]


def check(classifier, classes=3):
    assert classifier.predict_proba([]).shape == (0, classes)
    assert classifier.predict_log_proba([]).shape == (0, classes)
    assert classifier.decision_function([]).shape == (0, classes)
    assert len(classifier.predict([])) == 0
    if hasattr(classifier, "model_") and not hasattr(classifier.model_, "top_k"):
        return
    labels, scores = classifier.top_k([], 2)
    assert labels.shape == scores.shape == (0, 2)


@pytest.mark.parametrize(("model", "transform"), MODELS, ids=str)
def test_one_label(model, transform, tmp_path):
    classifier = TextClassifier(model, transform=transform).fit(TEXTS, LABELS)
    check(classifier)
    assert classifier.predict([]).dtype.kind == "U"
    if isinstance(model, str):
        classifier.save(tmp_path / "model.tb")
        answerer = load_answerer(tmp_path / "model.tb")
        check(answerer or TextClassifier.load(tmp_path / "model.tb"))


@pytest.mark.parametrize(
    "model", ["auto", "complement", "poisson", AutoNB(candidates=["poisson"], random_state=0)], ids=str
)
def test_lists_of_labels(model):
    classifier = TextClassifier(model).fit(TEXTS, [[label] for label in LABELS])
    check(classifier)
    assert classifier.predict([]) == []


def test_no_texts_of_other_kinds():
    classifier = TextClassifier("complement").fit(TEXTS, LABELS)
    assert classifier.predict(np.empty(0, dtype=object)).tolist() == []
    assert classifier.predict(iter([])).tolist() == []
    with pytest.raises(TextsError):
        classifier.predict("")
