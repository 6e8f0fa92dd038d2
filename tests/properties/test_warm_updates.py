"""After any updates, a searched TextClassifier has the right classes, and equals a fresh fit once settled."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from examples import examples
from textbayes import AutoNB, TextClassifier

SEQUENCES = settings(
    max_examples=examples(12),
    stateful_step_count=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    print_blob=True,
)
WORDS = ["wheat", "밀가루", "قمح", "गेहूँ", "東京都", "oil", "crude", "zz", "aa", "🌾x", "Straße"]
LABELS = ["grain", "oil", "밀", "🌾"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=0, max_size=8).map(" ".join)
PROBE = ["wheat oil aa unknown", "밀가루 crude zz zz", "東京都 قمح गेहूँ", " ".join(WORDS), "", "nothing at all"]
FIRST = [
    ("wheat aa wheat", "grain"),
    ("wheat 밀가루", "grain"),
    ("aa zz wheat", "grain"),
    ("oil crude oil", "oil"),
    ("crude zz", "oil"),
    ("oil", "oil"),
]
# The recipe of each is found once, so that sequences cost no search.
KINDS = {
    "exact": (["multinomial", "one-vs-all", "centroid"], ["complement-all", "one-vs-all", "centroid"]),
    "any": (["linear-svm", "complement", "discriminative"], ["linear-svm", "one-vs-all", "discriminative"]),
}


class Warm(RuleBasedStateMachine):
    """A classifier and the list of labelled texts that remain; the first is never forgotten."""

    recipe = None
    updates = "exact"
    multilabel = False

    @initialize()
    def begin(self):
        self.remaining = [(text, self.given(label)) for text, label in FIRST]
        self.classifier = self.fresh()

    def given(self, label):
        return [label] if self.multilabel else label

    def fresh(self):
        model = AutoNB(candidates=self.recipe, updates=self.updates, random_state=0)
        return TextClassifier(model).fit(*zip(*self.remaining, strict=True))

    @rule(data=st.data())
    def teach(self, data):
        labels = st.sampled_from(LABELS)
        if self.multilabel:
            labels = st.lists(labels, max_size=3, unique=True)
        some = data.draw(st.lists(st.tuples(TEXTS, labels), min_size=1, max_size=3))
        # Fitted weights depend on the order of the documents, and any of two equal ones may be forgotten.
        new = {(text, str(label)): (text, label) for text, label in some}
        for text, label in self.remaining:
            new.pop((text, str(label)), None)
        if new:
            self.classifier.teach(*zip(*new.values(), strict=True))
            self.remaining += new.values()

    @precondition(lambda self: len(self.remaining) > 1)
    @rule(data=st.data(), settle=st.booleans())
    def forget(self, data, settle):
        most = min(4, len(self.remaining) - 1)
        numbers = st.sampled_from(range(1, len(self.remaining)))
        chosen = data.draw(st.lists(numbers, min_size=1, max_size=most, unique=True))
        some = [self.remaining[number] for number in chosen]
        self.classifier.forget(*zip(*some, strict=True), settle=settle)
        self.remaining = [one for number, one in enumerate(self.remaining) if number not in chosen]
        if settle:
            assert self.classifier.is_settled_
            self.equals_a_fresh_fit()

    @rule()
    def forget_all_of_a_class(self):
        label = self.remaining[-1][1]
        some = [one for one in self.remaining if one[1] == label]
        if self.remaining[0] not in some:
            self.classifier.forget(*zip(*some, strict=True), settle=False)
            self.remaining = [one for one in self.remaining if one[1] != label]

    @rule()
    def save_and_load(self):
        before, settled = self.classifier.decision_function(PROBE), self.classifier.is_settled_
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.tb")
            self.classifier.save(path)
            self.classifier = TextClassifier.load(path)
        assert self.classifier.decision_function(PROBE).tobytes() == before.tobytes()
        assert self.classifier.is_settled_ is settled

    @rule()
    def settle(self):
        self.classifier.settle()
        assert self.classifier.is_settled_
        self.equals_a_fresh_fit()

    def equals_a_fresh_fit(self):
        fresh = self.fresh()
        for method in ("decision_function", "predict_proba"):
            ours, expected = (getattr(model, method)(PROBE) for model in (self.classifier, fresh))
            assert ours.tobytes() == expected.tobytes(), method

    @invariant()
    def is_right(self):
        labels = {label for _, own in self.remaining for label in (own if self.multilabel else [own])}
        assert self.classifier.classes_.tolist() == sorted(labels)
        assert self.classifier.documents_ == len(self.remaining)
        sizes = [
            sum(label in own if self.multilabel else label == own for _, own in self.remaining)
            for label in sorted(labels)
        ]
        assert self.classifier.class_documents_.tolist() == sizes
        predicted = self.classifier.predict(PROBE)
        for given in predicted:
            assert set(given if self.multilabel else [given]) <= labels
        probabilities = self.classifier.predict_proba(PROBE)
        assert probabilities.shape == (len(PROBE), len(labels))
        assert bool(((probabilities >= 0) & (probabilities <= 1)).all())
        if self.updates == "exact":
            assert self.classifier.is_settled_
            self.equals_a_fresh_fit()


@pytest.mark.parametrize("multilabel", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("updates", ["exact", "any"])
def test_any_sequence_of_updates(updates, multilabel):
    run_state_machine_as_test(_machine(updates, multilabel), settings=SEQUENCES)


@pytest.mark.slow
@pytest.mark.parametrize("multilabel", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("updates", ["exact", "any"])
def test_long_sequences(updates, multilabel):
    longer = settings(SEQUENCES, max_examples=60, stateful_step_count=25)
    run_state_machine_as_test(_machine(updates, multilabel), settings=longer)


def _machine(updates, multilabel):
    model = AutoNB(candidates=KINDS[updates][multilabel], updates=updates, random_state=0)
    labels = [[label] if multilabel else label for _, label in FIRST]
    recipe = TextClassifier(model).fit([text for text, _ in FIRST], labels).model_.recipe_
    assert recipe.additive is (updates == "exact")
    return type("Machine", (Warm,), {"recipe": recipe, "updates": updates, "multilabel": multilabel})
