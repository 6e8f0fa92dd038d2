"""Files of every older format load and give the predictions they gave when they were written.

The version that introduced a format wrote its files in ``data``; they are never rewritten. The JSON file next
to each holds the texts and the model's output at that time.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import textbayes

FILES = sorted(Path(__file__).with_name("data").glob("*.tb"))


def test_there_are_old_files():
    assert {file.name.partition("-")[0] for file in FILES} == {"format1", "format2"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_old_file_loads(file):
    expected = json.loads(file.with_suffix(".json").read_text("utf-8"))
    model = textbayes.load(file, verify=True)
    predicted = model.predict(expected["texts"])
    assert (predicted if isinstance(predicted, list) else predicted.tolist()) == expected["labels"]
    np.testing.assert_allclose(model.predict_proba(expected["texts"]), expected["probabilities"], rtol=1e-12)


def test_an_old_classifier_keeps_learning():
    file = Path(__file__).with_name("data") / "format1-classifier.tb"
    classifier = textbayes.TextClassifier.load(file)
    classifier.teach(["solar sun power", "the sun"], ["sun", "sun"])
    assert classifier.predict(["sun"]).tolist() == ["sun"]
    classifier.forget(["corn and wheat fell"], ["grain"])
    assert classifier.class_documents_.tolist() == [1, 2, 2, 1]


@pytest.mark.parametrize(("name", "found"), [("auto", "LinearSVM(C=2.0"), ("margin", "LinearSVM(")])
def test_an_old_model_name_is_replaced(name, found):
    classifier = textbayes.load(Path(__file__).with_name("data") / f"format1-{name}.tb")
    assert found in str(getattr(classifier.model_, "recipe_", classifier.model_))


def test_an_old_selector_keeps_its_criterion():
    pipeline = textbayes.load(Path(__file__).with_name("data") / "format1-selected.tb")
    assert pipeline.named_steps["termselector"].criterion == "chi2"


@pytest.mark.parametrize("name", ["auto", "auto-lists", "margin", "blend", "given", "mixture"])
def test_an_old_model_can_be_taught_and_saved(name, tmp_path):
    source = Path(__file__).with_name("data") / f"format1-{name}.tb"
    expected = json.loads(source.with_suffix(".json").read_text("utf-8"))
    classifier = textbayes.load(source)
    classifier.save(tmp_path / "again.tb")
    again = textbayes.load(tmp_path / "again.tb")
    np.testing.assert_allclose(again.predict_proba(expected["texts"]), expected["probabilities"], rtol=1e-12)
    label = ["sun"] if classifier.multilabel_ else "sun"
    assert "sun" in again.teach(["solar sun", "sun light"], [label] * 2).classes_


@pytest.mark.parametrize(
    "file", [file for file in FILES if "mixture" in file.stem], ids=lambda file: file.stem
)
def test_an_old_mixture_keeps_its_smoothing_when_it_is_taught(file):
    classifier = textbayes.load(file)
    labels = classifier.classes_[:1].tolist() * 4
    for _ in range(2):
        assert (classifier.model_.smoothing, classifier.model_.smoothing_) == ("prior", "prior")
        assert classifier.model_.strength_ == 30.0
        classifier.teach(["some other text", "a text of words", "more", "words"], labels)
        classifier.predict(["text"])


@pytest.mark.parametrize("name", ["format2-symbols", "format2-hashed"])
def test_an_old_file_keeps_its_tokens(name, tmp_path):
    classifier = textbayes.load(Path(__file__).with_name("data") / f"{name}.tb")
    for _ in range(2):
        assert classifier.counter_.terms("oil 😀 C++ :)") == classifier.counter_.terms("oil")
        classifier.save(tmp_path / "again.tb")
        classifier = textbayes.load(tmp_path / "again.tb")


def test_a_file_keeps_symbols(tmp_path):
    counter = textbayes.TextCounter(tokens="symbols")
    classifier = textbayes.TextClassifier("complement", counter).fit(["oil 😀", "corn"], ["a", "b"])
    classifier.save(tmp_path / "new.tb")
    loaded = textbayes.load(tmp_path / "new.tb")
    assert loaded.counter_.terms("oil 😀 C++ :)") == ["oil", "😀", "c++", ":)"]
    assert loaded.predict(["😀"]).tolist() == ["a"]


@pytest.mark.parametrize("name", ["format1-given", "format2-given"])
def test_an_old_recipe_states_the_smoothing_of_its_mixture(name):
    classifier = textbayes.load(Path(__file__).with_name("data") / f"{name}.tb")
    members = [one for one in classifier.model_.recipe_.members if one.kind == "mixture"]
    assert [dict(one.parameters) for one in members] == [{"smoothing": "prior", "background": 30.0}]
