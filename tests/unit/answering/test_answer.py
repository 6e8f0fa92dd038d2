"""Several answers for the same texts, which are counted once."""

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.answering import METHODS, load_answerer
from textbayes.counts import TextReader
from textbayes.errors import ParameterError, UnfittedError

TEXTS = ["wheat corn", "corn rice 밀", "crude oil", "oil gas", "ذهب منجم", "सोना 🙂"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
SEVERAL = [["grain"], ["grain", "oil"], ["oil"], ["oil"], ["gold"], []]
ASKED = [*TEXTS, "", "zzz", "oil corn"]


@pytest.fixture(scope="module", params=["one label", "several labels"])
def classifier(request):
    if request.param == "one label":
        return TextClassifier("complement").fit(TEXTS, LABELS)
    return TextClassifier().fit(TEXTS, SEVERAL)


@pytest.fixture(params=["classifier", "answerer", "compact"])
def answerer(request, classifier, tmp_path):
    if request.param == "compact":
        return classifier.compact()
    if request.param == "answerer":
        classifier.save(tmp_path / "model.tb")
        return load_answerer(tmp_path / "model.tb")
    return classifier


@pytest.mark.parametrize("texts", [ASKED, ASKED[:1], []], ids=["texts", "one text", "no texts"])
def test_each_answer_is_that_of_its_method(answerer, texts):
    for method, found in zip(METHODS, answerer.answer(texts, *METHODS), strict=True):
        expected = getattr(answerer, method)(texts)
        assert type(found) is type(expected)
        np.testing.assert_array_equal(np.array(found, object), np.array(expected, object))


def test_the_order_is_that_of_the_names(answerer):
    probabilities, labels, again = answerer.answer(ASKED, "predict_proba", "predict", "predict_proba")
    np.testing.assert_array_equal(probabilities, again)
    assert list(labels) == list(answerer.predict(ASKED))
    assert answerer.answer(ASKED) == []


def test_texts_are_counted_once(answerer, monkeypatch):
    counted, read = [], TextReader.read
    monkeypatch.setattr(TextReader, "read", lambda *given: counted.append(1) or read(*given))
    answerer.answer(ASKED, *METHODS)
    assert len(counted) == 1


@pytest.mark.parametrize("method", ["top_k", "fit", "", None, "classes_"])
def test_other_methods_are_refused(answerer, method):
    with pytest.raises(ParameterError, match="methods"):
        answerer.answer(ASKED, "predict", method)


def test_a_new_classifier_has_no_answers():
    with pytest.raises(UnfittedError):
        TextClassifier().answer(ASKED, "predict")
