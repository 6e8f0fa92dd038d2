""" "auto" on data by parts: a search on a sample, then its recipe on everything."""

import numpy as np
import pyarrow as pa
import pytest

from textbayes import AutoNB, FrequencyTransform, TextClassifier, TextCounter
from textbayes.distributed import fit_by, run_here
from textbayes.errors import ParameterError
from textbayes.estimators.auto import Candidate, Representation

THEMES = {"grain": "wheat corn harvest bushel", "oil": "crude barrel opec rig", "금": "gold 금 mine ounce"}


def made_texts(number, seed=0):
    draw = np.random.default_rng(seed)
    labels = [str(draw.choice(list(THEMES))) for _ in range(number)]
    noise = ["market", "price", "the", "of", "report", "🌾"]
    texts = [
        " ".join([*draw.choice(THEMES[label].split(), 2), *draw.choice(noise, 4), *draw.choice(noise, 1)])
        for label in labels
    ]
    return texts, labels


def as_parts(texts, labels):
    return [[pa.record_batch({"text": texts[at::3], "label": pa.array(labels[at::3])})] for at in range(3)]


def fitted_by_parts(model, texts, labels, sample, **settings):
    classifier = TextClassifier(model, keep_documents=False, **settings)
    said = []
    fit_by(classifier, run_here(as_parts(texts, labels)), sample=lambda: sample, log=said.append, shards=5)
    return classifier, said


RECIPES = {
    "adds": [Candidate("one-vs-all", Representation(log=True, length="unit"), (("alpha", 0.1),))],
    "mean length": [Candidate("centroid", Representation(log=True, idf=True, length="mean"))],
    "svm": [Candidate("linear-svm", Representation(log=True, idf="smooth", length="unit"), (("C", 1.0),))],
}


@pytest.mark.parametrize("name", [*RECIPES, "blend"])
def test_a_sample_of_everything_gives_the_model_of_one_machine(name, tmp_path):
    texts, labels = made_texts(90)
    candidates = [one for own in RECIPES.values() for one in own] if name == "blend" else RECIPES[name]
    model = AutoNB(candidates=candidates, random_state=0)
    counter = TextCounter(ngram_range=(1, 2))
    far, said = fitted_by_parts(model, texts, labels, (texts, labels), counter=counter)
    here = TextClassifier(
        AutoNB(candidates=far.model_.recipe_, random_state=0), counter, keep_documents=False
    ).fit(texts, labels)
    assert np.allclose(far.decision_function(texts), here.decision_function(texts), rtol=0, atol=1e-9)
    assert far.predict(texts).tolist() == here.predict(texts).tolist()
    assert far.documents_ == 90
    assert len(said) == 1
    assert ("do not add" in said[0]) == any(one.kind == "linear-svm" for one in far.model_.recipe_.members)
    far.save(tmp_path / "far.tb")
    again = TextClassifier.load(tmp_path / "far.tb")
    assert np.array_equal(again.predict_proba(texts), far.predict_proba(texts))


def test_everything_teaches_members_that_add():
    texts, labels = made_texts(120)
    far, said = fitted_by_parts(
        AutoNB(candidates=RECIPES["adds"], random_state=0),
        [*texts, "zinc and zinc"],
        [*labels, "metal"],
        (texts[:60], labels[:60]),
    )
    assert far.predict(["zinc"]).tolist() == ["metal"]
    assert far.documents_ == 121
    assert "All members learned from 121 texts" in said[0]


@pytest.mark.parametrize("lists", [False, True])
def test_classes_that_the_sample_lacks_are_not_favoured(lists):
    texts, labels = made_texts(120)
    sample = [[label] for label in labels] if lists else labels
    everything = [*sample, *([["metal"]] if lists else ["metal"])]
    far, said = fitted_by_parts(
        AutoNB(candidates=RECIPES["svm"], random_state=0),
        [*texts, "zinc and zinc"],
        everything,
        (texts, sample),
    )
    assert "linear-svm" in said[0]
    assert "metal" in far.classes_.tolist()
    predicted = far.predict(texts)
    assert all("metal" not in (own if lists else [own]) for own in predicted)


def test_hashed_columns():
    texts, labels = made_texts(60)
    model = AutoNB(candidates=[one for own in RECIPES.values() for one in own], random_state=0)
    far, _ = fitted_by_parts(model, texts, labels, (texts, labels), counter=TextCounter(dimensions=2**10))
    assert far.score(texts, labels) > 0.8


def test_the_kinds_of_terms_are_chosen_by_the_search():
    texts, labels = made_texts(60)
    far, _ = fitted_by_parts(AutoNB(random_state=0, budget=5), texts, labels, (texts, labels))
    assert far.score(texts, labels) > 0.8
    used = {member.representation.columns for member in far.model_.recipe_.members}
    assert (far.counter_.characters is not None) == ("characters" in used)


def test_what_cannot_work():
    texts, labels = made_texts(30)
    run = run_here(as_parts(texts, labels))
    with pytest.raises(ParameterError, match="sample"):
        fit_by(TextClassifier(keep_documents=False), run)
    with pytest.raises(ParameterError, match="keep_documents"):
        fit_by(TextClassifier(), run, sample=lambda: (texts, labels))
    transformed = TextClassifier(transform=FrequencyTransform(), keep_documents=False)
    with pytest.raises(ParameterError, match="transform"):
        fit_by(transformed, run, sample=lambda: (texts, labels))
    mixtures = TextClassifier(AutoNB(candidates=["mixture"], random_state=0), keep_documents=False)
    with pytest.raises(ParameterError, match="candidates"):
        fit_by(mixtures, run, sample=lambda: (texts, labels))
