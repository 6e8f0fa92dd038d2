"""Calibrated probabilities and tuned thresholds of TextClassifier."""

import random

import numpy as np
import pytest

from textbayes import TextClassifier, TextCounter
from textbayes.answering import load_answerer
from textbayes.estimators import AutoNB, MultinomialNB
from textbayes.estimators.models.variants import NAMED
from textbayes.estimators.text import calibrating
from textbayes.evaluation import calibration_error, leave_one_out

WORDS = [*(f"단어{number}" for number in range(120)), *(f"كلمة{number}" for number in range(60)), *"abcdefgh"]


def texts_of(documents, seed, several=False):
    """Texts of four overlapping classes; with lists, every fifth has a second label that its words show."""
    chosen, texts, labels = random.Random(seed), [], []
    for number in range(documents):
        place = chosen.randrange(4)
        words = [chosen.choice(WORDS[place * 30 : place * 30 + 70]) for _ in range(chosen.randrange(3, 20))]
        own = [f"class {place}"]
        if number % 5 == 0:
            words += ["marked"] * chosen.randrange(1, 3)
            own.append("marked")
        texts.append(" ".join(words))
        labels.append(own if several else own[0])
    return texts, labels


TRAINING, TEST, MORE = texts_of(500, 1), texts_of(400, 2), texts_of(20, 3)
LISTS, LISTS_TEST, LISTS_MORE = (texts_of(*given, several=True) for given in ((500, 1), (400, 2), (20, 3)))


@pytest.mark.parametrize("name", NAMED)
def test_probabilities_come_true(name):
    classifier = TextClassifier(name).fit(*TRAINING)
    probabilities = classifier.predict_proba(TEST[0])
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    assert calibration_error(TEST[1], probabilities, classes=classifier.classes_) < 0.08
    raw = TextClassifier(name, calibrate=False).fit(*TRAINING)
    assert raw.predict(TEST[0]).tolist() == classifier.predict(TEST[0]).tolist()
    assert np.argmax(probabilities, axis=1).tolist() == np.argmax(raw.predict_proba(TEST[0]), axis=1).tolist()
    assert raw.decision_function(TEST[0]).tobytes() == classifier.decision_function(TEST[0]).tobytes()


@pytest.mark.parametrize("name", [*NAMED, "auto"])
def test_several_labels_are_tuned(name):
    classifier = TextClassifier(name).fit(*LISTS)
    truth = np.array([[label in own for label in classifier.classes_] for own in LISTS_TEST[1]])
    decided = np.array(
        [[label in own for label in classifier.classes_] for own in classifier.predict(LISTS_TEST[0])]
    )
    probabilities = classifier.predict_proba(LISTS_TEST[0])
    assert calibration_error(truth, probabilities) < 0.06
    assert probabilities.sum(axis=1).mean() == pytest.approx(truth.sum(axis=1).mean(), abs=0.25)
    hits = (truth & decided).sum()
    assert 2 * hits / (truth.sum() + decided.sum()) > 0.75
    assert np.array_equal(classifier.decision_function(LISTS_TEST[0]) > 0, decided)


def test_calibrate_false_is_the_posterior_of_the_model():
    classifier = TextClassifier("complement", calibrate=False).fit(*LISTS)
    rows = classifier.counter_.transform(LISTS_TEST[0])
    assert (
        classifier.predict_proba(LISTS_TEST[0]).tobytes() == classifier.model_.predict_proba(rows).tobytes()
    )
    assert classifier.thresholds_ is None


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("several", [False, True], ids=["one label", "several"])
def test_teach_and_forget_keep_probabilities_exact(name, several):
    (texts, labels), more = (LISTS, LISTS_MORE) if several else (TRAINING, MORE)
    test = TEST[0][:100]
    before = TextClassifier(name).fit(texts, labels)
    whole = TextClassifier(name).fit(texts + more[0], labels + more[1]).predict_proba(test)
    # The sample follows each change, whether or not it was made before the change.
    for first in (True, False):
        taught = TextClassifier(name).fit(texts, labels)
        if first:
            taught.predict_proba(test)
        assert taught.teach(*more).predict_proba(test).tobytes() == whole.tobytes()
        taught.forget(*more)
        assert taught.predict_proba(test).tobytes() == before.predict_proba(test).tobytes()


def test_a_sample_does_not_depend_on_the_order(monkeypatch):
    monkeypatch.setattr(calibrating, "DOCUMENTS", 60)
    order = random.Random(5).sample(range(500), 500)
    one = TextClassifier("complement").fit(*TRAINING)
    other = TextClassifier("complement").fit(*([own[place] for place in order] for own in TRAINING))
    assert one.predict_proba(TEST[0]).tobytes() == other.predict_proba(TEST[0]).tobytes()
    for number in range(0, 500, 25):
        batch = [[own[place] for place in order[number : number + 25]] for own in TRAINING]
        other = TextClassifier("complement").fit(*batch) if not number else other.teach(*batch)
        other.predict_proba(TEST[0][:1])
    assert one.predict_proba(TEST[0]).tobytes() == other.predict_proba(TEST[0]).tobytes()
    for number in range(0, 400, 25):
        other.forget(*[[own[place] for place in order[number : number + 25]] for own in TRAINING])
        other.predict_proba(TEST[0][:1])
    left = TextClassifier("complement").fit(*([own[place] for place in order[400:]] for own in TRAINING))
    assert left.predict_proba(TEST[0]).tobytes() == other.predict_proba(TEST[0]).tobytes()


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("several", [False, True], ids=["one label", "several"])
def test_files_contain_the_calibration(name, several, tmp_path):
    texts, labels = LISTS if several else TRAINING
    classifier = TextClassifier(name).fit(texts, labels)
    expected, predicted = classifier.predict_proba(TEST[0]), classifier.predict(TEST[0])
    classifier.save(tmp_path / "model.tb")
    for loaded in (TextClassifier.load(tmp_path / "model.tb"), load_answerer(tmp_path / "model.tb")):
        assert loaded.predict_proba(TEST[0]).tobytes() == expected.tobytes()
        assert list(loaded.predict(TEST[0])) == list(predicted)
        assert loaded.decision_function(TEST[0]).tobytes() == classifier.decision_function(TEST[0]).tobytes()


@pytest.mark.parametrize("name", ["complement", "twcnb", "multinomial", "poisson-ig", "centroid"])
@pytest.mark.parametrize("several", [False, True], ids=["one label", "several"])
def test_without_documents_the_calibration_is_the_same(name, several, tmp_path):
    texts, labels = LISTS if several else TRAINING
    kept = TextClassifier(name).fit(texts, labels)
    fitted = TextClassifier(name, keep_documents=False).fit(texts, labels)
    batches = [(texts[start : start + 90], labels[start : start + 90]) for start in range(0, 500, 90)]
    streamed = TextClassifier(name, keep_documents=False).fit_batches(batches)
    for classifier in (fitted, streamed):
        assert classifier.predict_proba(TEST[0]) == pytest.approx(kept.predict_proba(TEST[0]), abs=1e-12)
    taught = streamed.teach(["new words of a new class"], [["new"]] if several else ["new"])
    assert taught.predict_proba(TEST[0]).shape == (400, len(kept.classes_) + 1)
    taught.save(tmp_path / "model.tb")
    answers = load_answerer(tmp_path / "model.tb").predict_proba(TEST[0])
    assert answers.tobytes() == taught.predict_proba(TEST[0]).tobytes()


def test_explanations_of_several_labels_sum_to_the_deciding_score():
    classifier = TextClassifier("complement-all").fit(*LISTS)
    text = LISTS_TEST[0][0]
    explanation = classifier.explain(text)
    scores = explanation.bias + explanation.contributions.sum(axis=0)
    assert scores == pytest.approx(classifier.decision_function([text])[0])
    assert explanation.probabilities == pytest.approx(classifier.predict_proba([text])[0])


@pytest.mark.parametrize("name", ["complement-all", "multinomial", "linear-svm"])
def test_leave_one_out_decides_by_the_thresholds(name):
    classifier = TextClassifier(name).fit(*LISTS)
    own = classifier.leave_one_out()
    assert own.macro_f1 > 0.6
    assert classifier.inspect().leave_one_out == own
    if name == "complement-all":
        assert leave_one_out(classifier, *LISTS) == own
        assert TextClassifier(name, calibrate=False).fit(*LISTS).leave_one_out().accuracy < own.accuracy


def test_compact_models_are_calibrated():
    whole = TextClassifier("complement").fit(*TRAINING)
    small = whole.compact(max_loss=0.05)
    error = calibration_error(TEST[1], small.predict_proba(TEST[0]), classes=small.classes_)
    assert error < 0.1
    assert small.compaction_.terms < small.compaction_.all_terms


def test_a_searched_model_of_several_labels_has_a_map_in_its_recipe(tmp_path):
    model = AutoNB(random_state=0, candidates=["complement-all"])
    classifier = TextClassifier(model).fit(*LISTS)
    recipe = classifier.model_.recipe_
    assert recipe.chance
    assert type(recipe).from_dict(recipe.to_dict()) == recipe
    rows = classifier.counter_.transform(LISTS_TEST[0])
    expected = classifier.predict_proba(LISTS_TEST[0])
    assert classifier.model_.predict_proba(rows).tobytes() == expected.tobytes()
    classifier.save(tmp_path / "model.tb")
    assert TextClassifier.load(tmp_path / "model.tb").model_.recipe_ == recipe
    assert load_answerer(tmp_path / "model.tb").predict_proba(LISTS_TEST[0]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("documents", [1, 2, 3, 5])
@pytest.mark.parametrize("name", NAMED)
def test_few_documents(name, documents):
    texts, labels = ["aa bb", "bb cc", "xx yy", "cc aa", "yy zz"][:documents], list("ppqpq")[:documents]
    probabilities = TextClassifier(name).fit(texts, labels).predict_proba(["aa", "xx", "", "unknown 😀"])
    assert np.all(np.isfinite(probabilities))
    assert probabilities.sum(axis=1) == pytest.approx(1.0)
    lists = [[label] for label in labels]
    several = TextClassifier(name).fit(texts, lists).predict_proba(["aa", ""])
    assert np.all((several >= 0) & (several <= 1))


def test_two_documents_do_not_make_a_model_certain():
    classifier = TextClassifier(MultinomialNB()).fit(["aa aa aa", "aa aa", "bb bb", "bb bb bb"], list("xxyy"))
    assert classifier.predict_proba(["aa aa aa aa aa aa"]).max() == pytest.approx(5 / 6)


@pytest.mark.parametrize("counter", [None, TextCounter(dimensions=2**12)], ids=["vocabulary", "hashed"])
@pytest.mark.parametrize("calibrate", [True, False])
@pytest.mark.parametrize("name", [name for name in NAMED if name != "mixture"])
def test_unknown_words_do_not_make_the_rarest_class_certain(name, counter, calibrate, tmp_path):
    texts = [*(f"단어{number % 60} 단어{(7 * number) % 50}" for number in range(600)), "win a prize"]
    classifier = TextClassifier(name, counter, calibrate=calibrate).fit(texts, ["ham"] * 600 + ["spam"])
    unknown = ["zebra quux frobnicate", "얼룩말 " * 30, "🦓", ""]
    columns = set(classifier.counter_.transform(texts).indices.tolist())
    assert not columns & set(classifier.counter_.transform(unknown).indices.tolist())
    probabilities = classifier.predict_proba(unknown)[:, 1]
    assert probabilities.max() <= 0.5
    assert np.ptp(probabilities) < 1e-9
    classifier.save(tmp_path / "model.tb")
    assert (
        load_answerer(tmp_path / "model.tb").predict_proba(unknown)[:, 1].tobytes() == probabilities.tobytes()
    )
    assert classifier.explain(unknown[0]).label == "ham"


def test_words_of_a_merged_model_are_known():
    counter = TextCounter(dimensions=2**12)
    one, other = (
        TextClassifier("complement", counter, keep_documents=False, calibrate=False).fit(texts, ["x", "y"])
        for texts in (["밀 wheat", "oil"], ["gold mine", "silver"])
    )
    assert one.predict_proba(["gold mine"]).tolist() == [[0.5, 0.5]]
    assert one.merge(other).predict(["gold mine"]).tolist() == ["x"]
    assert one.predict_proba(["gold mine"])[0, 0] > 0.5


def test_weights_count():
    weighted = TextClassifier("complement").fit(*TRAINING, sample_weight=np.full(500, 2.0))
    assert np.all(np.isfinite(weighted.predict_proba(TEST[0])))
