"""What answers from a model file has the bits of the classifier in the file."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import textbayes
from textbayes import (
    ComplementNB,
    DiscriminativeNB,
    FrequencyTransform,
    LinearSVM,
    MultinomialNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.answering import TunedAnswers, load_answerer
from textbayes.errors import FileMissingError, ModelDamagedError, ModelForeignError
from textbayes.estimators import VARIANTS
from textbayes.persistence import Stored, read_model, write_model

TEXTS = [
    "wheat and corn rose two cents",
    "wheat fell; corn was steady at 3.5",
    "corn, wheat and soy: a record harvest",
    "crude oil rose after the OPEC meeting",
    "oil fell, OPEC said nothing of oil",
    "밀 가격 올랐다 wheat",
    "東京の石油 crude oil 東京",
    "tea and coffee were quiet",
    "coffee rose with tea",
    "ÖL und Öl: Rohöl teurer",
]
LABELS = ["grain", "grain", "grain", "oil", "oil", "grain", "oil", "drinks", "drinks", "oil"]
SEVERAL = [
    ["grain", "up"],
    ["grain"],
    ["grain"],
    ["oil", "up"],
    ["oil"],
    ["grain", "up"],
    [],
    ["drinks"],
    ["drinks", "up"],
    ["oil", "up"],
]
QUERIES = [
    "wheat",
    "oil rose",
    "",
    "밀 東京 石油",
    "unseen words only",
    "Öl " * 50,
    "tea\ttea corn 3.5",
    "\ud800 oil",
]
COUNTERS = {
    "words": TextCounter(tokens="unicode"),
    "pairs": TextCounter(ngram_range=(1, 2), stop_words="english", stemmer="english", min_df=1),
    "cut": TextCounter(min_count=2),
    "characters": TextCounter(unit="char_wb", ngram_range=(2, 4)),
    "words and characters": TextCounter(tokens="unicode", ngram_range=(1, 2), characters=(2, 4)),
    "hashed": TextCounter(dimensions=97, tokens="unicode"),
}


def saved(classifier, path):
    classifier.save(path)
    return load_answerer(path), TextClassifier.load(path)


def assert_same_answers(answerer, classifier):
    assert answerer is not None
    assert answerer.multilabel_ == classifier.multilabel_
    assert answerer.classes_.tolist() == classifier.classes_.tolist()
    assert answerer.classes_.dtype == classifier.classes_.dtype
    # A TunedClassifier takes no empty matrix.
    empty = [] if isinstance(answerer.model, TunedAnswers) else [[]]
    for texts in (QUERIES, QUERIES[:1], np.array(QUERIES[:3]), tuple(QUERIES), *empty):
        found, expected = answerer.predict(texts), classifier.predict(texts)
        if classifier.multilabel_:
            assert found == expected
        else:
            np.testing.assert_array_equal(found, expected, strict=True)
        np.testing.assert_array_equal(answerer.predict_proba(texts), classifier.predict_proba(texts))
        for k in (1, 2, 9):
            ours, theirs = answerer.top_k(texts, k), classifier.top_k(texts, k)
            np.testing.assert_array_equal(ours[0], theirs[0], strict=True)
            np.testing.assert_array_equal(ours[1], theirs[1], strict=True)


@pytest.mark.parametrize("labels", [LABELS, SEVERAL], ids=["one label", "several labels"])
@pytest.mark.parametrize("counter", COUNTERS)
@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "poisson-by-class"])
def test_every_variant_answers_with_the_same_bits(name, counter, labels, tmp_path):
    variant = VARIANTS[name]
    classifier = TextClassifier(variant.make_model(), COUNTERS[counter], variant.make_transform())
    assert_same_answers(*saved(classifier.fit(TEXTS, labels), tmp_path / "model.tb"))


@pytest.mark.parametrize(
    "model",
    [
        MultinomialNB(alpha=0.3, fit_prior=False),
        MultinomialNB(class_prior=[0.2, 0.3, 0.5]),
        ComplementNB(norm=True, against="all"),
        ComplementNB(norm=True, against="class"),
        DiscriminativeNB(random_state=0),
        textbayes.CentroidClassifier("l1"),
        PoissonNB(theta=0.01, alpha=0.0),
        LinearSVM(C=10.0, random_state=0),
        TunedClassifier(MultinomialNB()),
        TunedClassifier(ComplementNB(), biases=False, calibration="isotonic"),
        TunedClassifier(PoissonNB(), calibration="temperature"),
    ],
    ids=str,
)
@pytest.mark.parametrize("keep", [True, False], ids=["keeps documents", "keeps none"])
def test_parameters_and_tuned_models(model, keep, tmp_path):
    classifier = TextClassifier(model, transform=FrequencyTransform(length="mean"), keep_documents=keep)
    assert_same_answers(*saved(classifier.fit(TEXTS, LABELS), tmp_path / "model.tb"))
    two = [label if label == "oil" else "other" for label in LABELS]
    classifier.set_params(model=MultinomialNB() if hasattr(model, "class_prior") else model)
    assert_same_answers(*saved(classifier.fit(TEXTS, two), tmp_path / "model.tb"))


@pytest.mark.parametrize("rule", ["scut", "pcut", "rcut", "fixed"])
@pytest.mark.parametrize("keep", [True, False], ids=["keeps documents", "keeps none"])
def test_tuned_models_with_several_labels(rule, keep, tmp_path):
    model = TunedClassifier(MultinomialNB(), rule=rule, value=None if rule != "rcut" else 2)
    classifier = TextClassifier(model, keep_documents=keep).fit(TEXTS, SEVERAL)
    assert_same_answers(*saved(classifier, tmp_path / "model.tb"))


@pytest.mark.parametrize("labels", [list(range(10)), [1.0, 2.0] * 5, [True, False] * 5])
def test_labels_of_other_types(labels, tmp_path):
    classifier = TextClassifier("complement").fit(TEXTS, labels)
    assert_same_answers(*saved(classifier, tmp_path / "model.tb"))


@pytest.mark.parametrize("labels", [LABELS, SEVERAL], ids=["one label", "several labels"])
def test_chosen_terms(labels, tmp_path):
    classifier = TextClassifier("multinomial", transform=TermSelector("mi", k=7)).fit(TEXTS, labels)
    assert_same_answers(*saved(classifier, tmp_path / "model.tb"))


@pytest.mark.parametrize("transform", [None, FrequencyTransform(idf=False)], ids=["counts", "logarithms"])
@pytest.mark.parametrize("model", ["multinomial", "complement", "poisson"])
def test_terms_that_were_taught_later(model, transform, tmp_path):
    classifier = TextClassifier(model, transform=transform, keep_documents=False).fit(TEXTS[3:], LABELS[3:])
    classifier.teach(TEXTS[:3], LABELS[:3])
    assert_same_answers(*saved(classifier, tmp_path / "model.tb"))


def test_weighted_documents(tmp_path):
    classifier = TextClassifier("twcnb").fit(TEXTS, LABELS, sample_weight=np.linspace(0, 2.5, 10))
    assert_same_answers(*saved(classifier, tmp_path / "model.tb"))


def test_a_file_of_format_1(tmp_path):
    folder = Path(__file__).parents[1] / "persistence" / "data"
    read = 0
    for path in sorted(folder.glob("*.tb")):
        answerer = load_answerer(path)
        if answerer is not None:
            assert_same_answers(answerer, TextClassifier.load(path))
            read += 1
    assert read


# What needs the estimators.


def test_other_estimators_and_unfitted_ones_are_left_to_load(tmp_path):
    path = tmp_path / "model.tb"
    for model in (
        MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"]),
        TextCounter(),
        TextClassifier("complement"),
    ):
        textbayes.save(model, path)
        assert load_answerer(path) is None


def test_a_model_that_forgot_everything_is_left_to_load(tmp_path):
    classifier = TextClassifier("complement", keep_documents=False).fit(TEXTS[:1], LABELS[:1])
    classifier.forget(TEXTS[:1], LABELS[:1])
    textbayes.save(classifier, tmp_path / "model.tb")
    assert load_answerer(tmp_path / "model.tb") is None


def test_a_foreign_file_and_a_missing_file(tmp_path):
    with pytest.raises(FileMissingError):
        load_answerer(tmp_path / "none.tb")
    (tmp_path / "other.tb").write_text("no model")
    with pytest.raises(ModelForeignError):
        load_answerer(tmp_path / "other.tb")


def changed(path, change):
    """Write a model file again after a change of its configuration and arrays."""
    stored = read_model(path)
    configuration, arrays = json.loads(json.dumps(stored.configuration)), dict(stored.arrays)
    change(configuration, arrays)
    write_model(Stored(configuration, arrays), path)


def narrow(configuration, arrays):
    configuration["parts"]["model"]["columns"] -= 1


def lose_vocabulary(configuration, arrays):
    for name in [name for name in arrays if name.startswith("counter/")]:
        del arrays[name]


def double_label(configuration, arrays):
    ends = arrays["model/statistics/labels/labels_ends"]
    arrays["model/statistics/labels/labels_ends"] = np.zeros_like(ends)
    arrays["model/statistics/labels/labels_bytes"] = np.empty(0, np.uint8)


@pytest.mark.parametrize("change", [narrow, lose_vocabulary, double_label])
def test_a_damaged_file_is_refused_by_both(change, tmp_path):
    path = tmp_path / "model.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    changed(path, change)
    for load in (load_answerer, textbayes.load):
        with pytest.raises(ModelDamagedError):
            load(path)


def test_an_invalid_parameter_is_refused(tmp_path):
    path = tmp_path / "model.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    changed(path, lambda configuration, _: configuration["parts"]["model"]["parameters"].update(alpha=-1))
    for load in (load_answerer, textbayes.load):
        with pytest.raises(ModelDamagedError, match=r"a parameter of ComplementNB is invalid .*alpha=-1"):
            load(path)


def test_a_missing_parameter_is_left_to_load(tmp_path):
    path = tmp_path / "model.tb"
    TextClassifier("complement").fit(TEXTS, LABELS).save(path)
    changed(path, lambda configuration, _: configuration["parts"]["model"]["parameters"].pop("alpha"))
    assert load_answerer(path) is None
    assert textbayes.load(path).model_.alpha == 1.0


@pytest.mark.parametrize("name", ["multinomial", "twcnb", "poisson", "mixture", "linear-svm"])
def test_answers_import_neither_scikit_learn_nor_scipy(name, tmp_path):
    TextClassifier(name).fit(TEXTS, LABELS).save(tmp_path / "model.tb")
    code = (
        "import sys; from textbayes.answering import load_answerer; answerer = load_answerer(sys.argv[1]);"
        "answerer.predict(['oil']); answerer.predict_proba(['oil', 'corn']); answerer.top_k(['oil'], 2);"
        "print(*{'sklearn', 'scipy', 'pandas', 'pyarrow', 'narwhals'} & set(sys.modules))"
    )
    command = [sys.executable, "-P", "-c", code, str(tmp_path / "model.tb")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


@pytest.mark.parametrize("labels", [LABELS, SEVERAL], ids=["one label", "several labels"])
@pytest.mark.parametrize("counter", [None, *COUNTERS])
def test_the_default_model(counter, labels, tmp_path):
    counter = None if counter is None else COUNTERS[counter]
    classifier = TextClassifier(counter=counter).fit(TEXTS, labels)
    assert_same_answers(*saved(classifier, tmp_path / "model.tb"))
