"""Changes on a fork."""

import copy
import gc
import pickle
import threading
import weakref

import pytest
from sklearn.base import clone

from textbayes import ComplementNB, MultinomialNB, TextClassifier
from textbayes.estimators.base.changing import Forkable, changes, reads, writer_lock


class Counter(Forkable):
    """A number and its square."""

    def __init__(self):
        self.number = self.square = 0

    @changes
    def set(self, number, fails=False):
        """Set both."""
        self.number = number
        if fails:
            raise KeyboardInterrupt
        self.square = number**2
        return self

    @changes
    def add(self, number):
        """Return the sum."""
        return self.set(self.number + number).number

    @reads
    def both(self, between=lambda: None):
        """Return the number, call a function, and return the square."""
        number = self.number
        between()
        return number, self.square


def test_a_change_returns_the_model_itself():
    counter = Counter()
    assert counter.set(3) is counter
    assert counter.both() == (3, 9)


def test_a_change_inside_a_change():
    counter = Counter()
    assert counter.add(2) == 2
    assert counter.add(3) == 5
    assert counter.both() == (5, 25)


def test_after_an_exception_nothing_has_changed():
    counter = Counter().set(3)
    with pytest.raises(KeyboardInterrupt):
        counter.set(4, fails=True)
    assert counter.both() == (3, 9)
    assert counter.set(5).both() == (5, 25)


def test_a_reader_sees_one_state():
    counter = Counter().set(3)
    assert counter.both(between=lambda: counter.set(4)) == (3, 9)
    assert counter.both() == (4, 16)


def test_writers_wait():
    counter, order = Counter(), []

    def write():
        counter.set(7)
        order.append("written")

    with writer_lock(counter):
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(0.05)
        assert counter.number == 0
        order.append("released")
    thread.join()
    assert order == ["released", "written"]
    assert counter.both() == (7, 49)


def test_other_models_do_not_wait():
    one, other = Counter(), Counter()
    with writer_lock(one):
        thread = threading.Thread(target=other.set, args=[2])
        thread.start()
        thread.join(10)
    assert other.both() == (2, 4)


TEXTS, LABELS = ["wheat corn", "corn", "crude oil", "oil"], ["grain", "grain", "oil", "oil"]


@pytest.mark.parametrize("name", ["complement", "twcnb", "multinomial", "linear-svm", "poisson", "auto"])
def test_an_old_model_is_freed_by_the_next_change(name):
    classifier = TextClassifier(name).fit(TEXTS * 3, LABELS * 3)
    classifier.predict(TEXTS)
    gc.collect()
    gc.disable()
    try:
        old = weakref.ref(classifier.model_)
        classifier.teach(["wheat"], ["grain"]).predict(TEXTS)
        assert old() is None
    finally:
        gc.enable()


def test_a_snapshot_does_not_change():
    model = ComplementNB().fit([[1, 0], [0, 1]], ["a", "b"])
    before = model.snapshot()
    expected = model.predict_proba([[1, 0]]).tolist()
    model.partial_fit([[0, 3, 1]], ["c"])
    assert before.predict_proba([[1, 0]]).tolist() == expected
    assert before.classes_.tolist() == ["a", "b"]
    assert model.classes_.tolist() == ["a", "b", "c"]


def test_a_model_that_was_handed_out_does_not_change():
    classifier = TextClassifier("multinomial").fit(TEXTS, LABELS)
    counter, model = classifier.counter_, classifier.model_
    vocabulary = dict(counter.vocabulary_)
    classifier.teach(["new words"], ["new"])
    assert counter.vocabulary_ == vocabulary
    assert model.classes_.tolist() == ["grain", "oil"]
    assert classifier.model_.classes_.tolist() == ["grain", "new", "oil"]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))]
)
def test_copies_change_by_themselves(copied):
    model = MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"])
    twin = copied(model)
    twin.partial_fit([[1, 1]], ["c"])
    assert model.classes_.tolist() == ["a", "b"]
    assert twin.classes_.tolist() == ["a", "b", "c"]


def test_set_params_sets_all_or_none():
    model = MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"])
    with pytest.raises(ValueError, match="beta"):
        model.set_params(alpha=5.0, beta=1.0)
    assert model.alpha == 1.0
    assert clone(model.set_params(alpha=5.0)).alpha == 5.0
