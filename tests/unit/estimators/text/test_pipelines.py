"""Pipelines as text classifiers: they answer as before, and every command that only reads takes them."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

import textbayes
from textbayes import (
    AutoNB,
    ComplementNB,
    FrequencyTransform,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.errors import ModelKindError, ParameterError
from textbayes.estimators.text.loading import load_learner, load_text_model

TEXTS = ["wheat corn", "corn rice", "corn crop", "crude oil", "oil gas", "oil well", "gold mine", "mine ore"]
LABELS = ["grain"] * 3 + ["oil"] * 3 + ["gold"] * 2
INDICATOR = np.array([[label == "grain", label != "oil"] for label in LABELS]).astype(int)
MODELS = [
    MultinomialNB(),
    ComplementNB(),
    PoissonNB(),
    LinearSVM(),
    PoissonMixtureNB(random_state=0),
    TunedClassifier(ComplementNB()),
    AutoNB(random_state=0, candidates=["complement", "multinomial"]),
]
STEPS = [
    [],
    [FrequencyTransform()],
    [FrequencyTransform(), TermSelector()],
    [TermSelector(), FrequencyTransform()],
]


@pytest.mark.parametrize("several", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("steps", STEPS, ids=str)
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_saved_pipeline_classifies(tmp_path, model, steps, several):
    if several and isinstance(model, AutoNB):
        model = AutoNB(random_state=0, candidates=["complement-all"])
    pipeline = make_pipeline(TextCounter(min_df=1), *steps, model).fit(
        TEXTS, INDICATOR if several else LABELS
    )
    textbayes.save(pipeline, tmp_path / "pipeline.tb")
    classifier = load_text_model(tmp_path / "pipeline.tb")
    np.testing.assert_array_equal(classifier.predict_proba(TEXTS), pipeline.predict_proba(TEXTS))
    predicted = pipeline.predict(TEXTS)
    if several:
        assert classifier.predict(TEXTS) == [np.flatnonzero(row).tolist() for row in np.asarray(predicted)]
    else:
        assert classifier.predict(TEXTS).tolist() == predicted.tolist()
        assert classifier.documents_ == len(TEXTS)
    explanation = classifier.explain("corn oil corn zzz")
    np.testing.assert_allclose(explanation.bias + explanation.contributions.sum(axis=0), explanation.scores)
    assert [token.known for token in explanation.tokens][-1] is False
    assert classifier.describe()["vocabulary"] == pipeline[-1].n_features_in_


def test_hashed_columns():
    pipeline = make_pipeline(TextCounter(dimensions=64), ComplementNB()).fit(TEXTS, LABELS)
    classifier = TextClassifier.from_pipeline(pipeline)
    np.testing.assert_array_equal(classifier.predict_proba(TEXTS), pipeline.predict_proba(TEXTS))


def test_a_pipeline_of_sums_can_be_taught():
    classifier = TextClassifier.from_pipeline(make_pipeline(TextCounter(), ComplementNB()).fit(TEXTS, LABELS))
    classifier.teach(["silver mine"], ["silver"])
    assert classifier.predict(["silver"]).tolist() == ["silver"]


@pytest.mark.parametrize(
    ("pipeline", "why"),
    [
        (make_pipeline(CountVectorizer(), ComplementNB()), "CountVectorizer does not turn texts into counts"),
        (make_pipeline(TextCounter(), FrequencyTransform()), "FrequencyTransform is no classifier"),
        (make_pipeline(TextCounter(), ComplementNB()), "TextCounter has not learned"),
        (ComplementNB(), "ComplementNB does not turn texts into counts"),
    ],
)
def test_other_pipelines_are_refused(pipeline, why):
    with pytest.raises(ParameterError, match=why):
        TextClassifier.from_pipeline(pipeline)


def test_files_say_what_they_hold(tmp_path):
    path = tmp_path / "model.tb"
    textbayes.save(make_pipeline(TextCounter(), FrequencyTransform()).fit(TEXTS), path)
    with pytest.raises(ModelKindError, match="a Pipeline of TextCounter, FrequencyTransform"):
        load_text_model(path)
    textbayes.save(MultinomialNB().fit([[1, 0], [0, 1]], [1, 2]), path)
    for load in (load_text_model, TextClassifier.load, textbayes.CompactClassifier.load):
        with pytest.raises(ModelKindError, match=r"model\.tb' holds a MultinomialNB, not a "):
            load(path)
    textbayes.save(make_pipeline(TextCounter(), ComplementNB()).fit(TEXTS, LABELS), path)
    with pytest.raises(
        ModelKindError, match="a scikit-learn Pipeline, which keeps no documents, not a model that can"
    ):
        load_learner(path, "teach")


def test_a_searched_model_without_documents_knows_how_many_it_learned():
    classifier = TextClassifier(keep_documents=False).fit(TEXTS, LABELS)
    assert classifier.documents_ == classifier.describe()["documents"] == len(TEXTS)
