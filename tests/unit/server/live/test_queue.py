"""The queue: which texts come next, to whom, why, and what is stored before the label is known."""

import asyncio
import random
import time

import pytest
from queued_model import QueuedModel

from textbayes import TextClassifier
from textbayes.errors import DocumentUnknownError
from textbayes.server.live import Served
from textbayes.server.live.queue import LiveQueue, queue_of
from textbayes.server.store import Undo, open_store

GRAIN, OIL = "wheat corn 밀 🌾", "crude oil barrel é"


@pytest.fixture
def store(tmp_path):
    with_writer = open_store(tmp_path / "store")
    yield with_writer
    with_writer.close()


@pytest.fixture
def writer(store):
    writer = store.become_writer("http://127.0.0.1:1")
    writer.add_model("mail")
    yield writer
    writer.release()


@pytest.fixture(scope="module")
def classifier():
    texts = ["wheat corn 밀", "corn grain 🌾", "crude oil", "oil barrel é"]
    return TextClassifier("multinomial").fit(texts, ["grain", "grain", "oil", "oil"])


@pytest.fixture
def make(store, writer):
    """Make a queue of texts for a model."""

    def make(texts, classifier=None, **options):
        model = QueuedModel(store, writer, classifier)
        if texts:
            writer.queue_add("mail", list(texts), "eve")
        return model, LiveQueue(model, chance=random.Random(7), **options)

    return make


def run(awaitable):
    return asyncio.run(awaitable)


def certain(count):
    return [f"{GRAIN if number % 2 else OIL} nr {number}" for number in range(count)]


def test_an_empty_model_shows_texts_by_chance_and_without_predictions(make, store):
    _, queue = make(certain(10))
    shown = run(queue.next("eve", 4))
    assert len({each.id for each in shown}) == 4
    assert {each.drawn for each in shown} == {"random"}
    assert all(each.predictions == () for each in shown)
    assert store.queued("mail", shown[0].id).predicted is None


def test_why_and_what_the_model_says_is_stored_before_the_label(make, store, classifier):
    _, queue = make(certain(30), classifier)
    for each in run(queue.next("eve", 20)):
        row = store.queued("mail", each.id)
        best, probability = each.predictions[0]
        assert (row.state, row.drawn, row.labels) == ("waiting", each.drawn, None)
        assert (row.predicted, row.probability) == (best, pytest.approx(probability))
        assert best == ("grain" if "wheat" in each.text else "oil")


def test_the_most_uncertain_text_comes_first(make, classifier):
    mixed = "wheat oil"
    _, queue = make([*certain(100), mixed], classifier, share=0.0)
    (first,) = run(queue.next("eve"))
    assert (first.text, first.drawn) == (mixed, "uncertain")


def test_texts_shown_by_chance_are_never_picked_for_their_uncertainty(make, classifier):
    mixed = [f"wheat oil {number}" for number in range(100)]
    model, queue = make([*certain(400), *mixed], classifier, share=0.2)
    drawn = {"random": [], "uncertain": []}
    while shown := run(queue.next("eve", 50)):
        for each in shown:
            drawn[each.drawn].append(each.text)
            model.label(each.id, "oil")
            queue.leave(each.id)
    assert len(drawn["random"]) + len(drawn["uncertain"]) == 500
    assert 60 < len(drawn["random"]) < 140
    # The share of uncertain texts is that of all texts, 1 in 5, though the other part took them first.
    share = sum(text in mixed for text in drawn["random"]) / len(drawn["random"])
    assert 0.1 < share < 0.3
    first = drawn["uncertain"][:60]
    assert sum(text in mixed for text in first) > 50


def test_chance_decides_the_same_after_a_restart(make, classifier):
    model, queue = make(certain(60), classifier)
    before = {each.id: each.drawn for each in run(queue.next("eve", 60))}
    again = LiveQueue(model, chance=random.Random(8))
    after = {each.id: each.drawn for each in run(again.next("eve", 60))}
    assert before == after
    assert set(before.values()) == {"random", "uncertain"}


def test_several_labellers_get_different_texts(make, classifier):
    _, queue = make(certain(40), classifier)

    async def ask():
        return await asyncio.gather(*(queue.next(f"labeller {number}", 4) for number in range(10)))

    ids = [each.id for shown in run(ask()) for each in shown]
    assert len(ids) == len(set(ids)) == 40


def test_a_text_comes_again_when_its_lease_is_over(make, classifier):
    now = [0.0]
    _, queue = make(["wheat", "oil"], classifier, clock=lambda: now[0], lease=300)
    one = run(queue.next("eve"))[0].id
    other = run(queue.next("bob"))[0].id
    assert one != other
    # Nothing else waits: it does not run dry, and one's own text comes first.
    assert run(queue.next("eve"))[0].id == one
    assert run(queue.next("bob"))[0].id == other
    now[0] = 301.0
    assert {each.id for each in run(queue.next("zoë", 2))} == {one, other}


def test_it_gives_fewer_only_if_fewer_wait(make, classifier):
    model, queue = make(certain(5), classifier)
    assert len(run(queue.next("eve", 3))) == 3
    assert len(run(queue.next("bob", 3))) == 2
    while shown := run(queue.next("eve", 10)):
        for each in shown:
            model.label(each.id, "oil")
    assert run(queue.counts()) == {"waiting": 0, "labelled": 5, "skipped": 0}
    assert run(queue.next("eve")) == []


def test_skipped_texts_are_not_shown_until_they_are_put_back(make, classifier):
    _, queue = make(["wheat", "oil"], classifier)
    shown = run(queue.next("eve", 2))
    run(queue.skip(shown[0].id))
    assert {each.id for each in run(queue.next("bob", 5))} == {shown[1].id}
    run(queue.put_back(shown[0].id))
    assert {each.id for each in run(queue.next("zoë", 5))} == {shown[0].id}
    run(queue.remove(shown[0].id))
    assert run(queue.counts()) == {"waiting": 1, "labelled": 0, "skipped": 0}
    with pytest.raises(DocumentUnknownError):
        run(queue.skip(shown[0].id))


def test_a_text_whose_label_was_undone_waits_again(make, classifier):
    model, queue = make(["wheat"], classifier)
    (shown,) = run(queue.next("eve"))
    model.label(shown.id, "grain")
    queue.leave(shown.id)
    assert run(queue.next("eve")) == []
    run(model.change([Undo()], actor="eve"))
    assert run(queue.next("eve"))[0].id == shown.id


def test_texts_that_another_server_labelled_are_not_shown(make, classifier):
    model, queue = make(certain(6), classifier)
    run(queue.next("eve", 1))
    for row in model.store.queue("mail").items[:3]:
        model.label(row.id, "oil")
    # As many come as have gone, so the count alone tells nothing.
    run(queue.add([f"new {number}" for number in range(3)], "eve"))
    waiting = {row.id for row in model.store.queue("mail").items}
    shown = run(queue.next("bob", 10))
    assert {each.id for each in shown} <= waiting
    assert shown


def test_duplicates_are_counted_and_left_out(make):
    _, queue = make([])
    assert run(queue.add(["a é", "b", "a é"], "eve", "mail")) == (2, 1)
    assert run(queue.add(["b", "c"], "eve")) == (1, 1)


def test_several_labels_are_shown_by_the_most_doubtful_class(make, store):
    several = TextClassifier("multinomial").fit(
        ["wheat corn", "crude oil", "wheat oil", "tea"], [["grain"], ["oil"], ["grain", "oil"], ["tea"]]
    )
    _, queue = make(["wheat", "oil", "tea"], several, share=0.0)
    for each in run(queue.next("eve", 3)):
        row = store.queued("mail", each.id)
        assert isinstance(row.predicted, tuple)
        assert row.probability is None
        assert {label for label, _ in each.predictions} == {"grain", "oil", "tea"}


def test_many_classes_show_the_ten_best(make):
    labels = [f"klasse {number}" for number in range(300)]
    many = TextClassifier("multinomial").fit([f"wort{number}" for number in range(300)], labels)
    _, queue = make([f"wort{number} wort{number + 1}" for number in range(50)], many)
    (shown,) = run(queue.next("eve"))
    assert len(shown.predictions) == 10
    probabilities = [probability for _, probability in shown.predictions]
    assert probabilities == sorted(probabilities, reverse=True)


def test_a_hundred_thousand_texts_are_not_all_scored(make, classifier):
    model, queue = make((f"wheat oil {number}" for number in range(100_000)), classifier)
    counted = []

    class Counting:
        classes_, multilabel_ = classifier.classes_, False

        def predict_proba(self, texts):
            counted.append(len(texts))
            return classifier.predict_proba(texts)

        def answer(self, texts, *methods):
            counted.append(len(texts))
            return classifier.answer(texts, *methods)

    model.served = Served("mail", Counting())
    counted.clear()
    run(queue.next("eve", 5))
    start = time.perf_counter()
    for _ in range(5):
        assert len(run(queue.next("eve", 5))) == 5
    assert sum(counted) < 6 * 400
    assert time.perf_counter() - start < 5


def test_long_texts_are_looked_at_in_small_numbers(make, classifier):
    _, queue = make([f"{GRAIN} {number} " * 20_000 for number in range(8)], classifier)
    assert len(run(queue.next("eve", 3))) == 3


def test_a_model_has_one_queue(make):
    model, _ = make([])
    other, _ = make([])
    assert queue_of(model) is queue_of(model)
    assert queue_of(model) is not queue_of(other)
