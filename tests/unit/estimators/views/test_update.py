"""The effect of teaching and forgetting."""

import pytest

from textbayes import AutoNB, TextClassifier
from textbayes.errors import NotLearnedError
from textbayes.estimators.views.update import ModelUpdate, forget_quickly, teach_and_settle, update_classifier


@pytest.fixture
def classifier():
    return TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])


def test_new_and_removed_classes_are_reported(classifier):
    texts, labels = ["gold mine", "corn", "금"], ["gold", "grain", "금"]
    taught = update_classifier(classifier, TextClassifier.teach, texts, labels)
    assert taught == ModelUpdate(documents=3, classes=4, new=["gold", "금"], gone=[])
    forgotten = update_classifier(classifier, TextClassifier.forget, texts, labels)
    assert forgotten == ModelUpdate(documents=3, classes=2, new=[], gone=["gold", "금"])
    assert forgotten.to_dict("forgot") == {
        "forgot": 3,
        "classes": 2,
        "new_classes": [],
        "gone_classes": ["gold", "금"],
        "settled": True,
    }


def test_says_whether_the_classifier_is_settled():
    classifier = TextClassifier(AutoNB(candidates=["linear-svm"], updates="any", random_state=0))
    classifier.fit(["wheat corn", "corn", "crude oil", "oil"], ["grain", "grain", "oil", "oil"])
    assert not update_classifier(classifier, TextClassifier.teach, ["gold"], ["gold"]).settled
    assert not update_classifier(classifier, forget_quickly, ["gold"], ["gold"]).settled
    assert update_classifier(classifier, teach_and_settle, ["gold"], ["gold"]).settled
    assert not update_classifier(classifier, TextClassifier.teach, ["mine"], ["gold"]).settled
    assert update_classifier(classifier, TextClassifier.forget, ["mine"], ["gold"]).settled


def test_an_error_is_raised(classifier):
    with pytest.raises(NotLearnedError, match=r"texts\[0\] with the label 'grain'"):
        update_classifier(classifier, TextClassifier.forget, ["unheard"], ["grain"])
