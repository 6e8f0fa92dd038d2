"""After any teaching, forgetting and merging, a TextClassifier equals a fresh fit on the remaining texts."""

import copy
import tempfile
from pathlib import Path

import numpy as np
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
from sklearn.base import clone

from examples import examples
from textbayes import (
    CentroidClassifier,
    ComplementNB,
    FrequencyTransform,
    MultinomialNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
)
from textbayes.errors import NoTermsLeftError, NotLearnedError, ParameterConflictError, UnfittedError

SEQUENCES = settings(
    max_examples=examples(6),
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

# Errors that a fresh fit may raise too: there are no terms, or cuts remove all of them.
UNUSABLE = (NoTermsLeftError, ParameterConflictError)

# Sums of raw counts are exact, so the scores are identical to the bit.
EXACT = [
    TextClassifier("complement"),
    TextClassifier("multinomial"),
    TextClassifier("multinomial-min"),
    TextClassifier(ComplementNB(against="class")),
    TextClassifier(CentroidClassifier()),
    TextClassifier("multinomial", TextCounter(dimensions=16)),
    TextClassifier("complement", TextCounter(ngram_range=(1, 2))),
    TextClassifier("complement", TextCounter(characters=(2, 4))),
    TextClassifier("multinomial", TextCounter(tokens="unicode", min_df=2)),
]
CLOSE = [
    TextClassifier("twcnb"),
    TextClassifier("normalised"),
    TextClassifier("poisson-chi2"),
    TextClassifier(ComplementNB(norm=True)),
    TextClassifier(MultinomialNB(), transform=FrequencyTransform(idf=False)),
    TextClassifier(PoissonNB(), TextCounter(max_features=4)),
    TextClassifier(MultinomialNB(), transform=TermSelector("mi", k=3)),
]


class Learning(RuleBasedStateMachine):
    """A classifier and the list of labelled texts that remain."""

    template = TextClassifier("complement")
    multilabel = False
    exact = True

    @initialize()
    def begin(self):
        self.remaining: list[tuple[str, object]] = []
        self.classifier = clone(self.template)

    def draw(self, data, least=1):
        labels = (
            st.lists(st.sampled_from(LABELS), max_size=3, unique=True)
            if self.multilabel
            else st.sampled_from(LABELS)
        )
        return data.draw(st.lists(st.tuples(TEXTS, labels), min_size=least, max_size=4))

    def fresh(self, documents):
        return clone(self.template).fit([text for text, _ in documents], [label for _, label in documents])

    def is_usable(self, documents):
        try:
            self.fresh(documents)
        except UNUSABLE:
            return False
        return True

    @rule(data=st.data())
    def teach(self, data):
        some = self.draw(data)
        if not self.remaining and not self.is_usable(some):
            return
        self.classifier.teach([text for text, _ in some], [label for _, label in some])
        self.remaining += some

    @precondition(lambda self: self.remaining)
    @rule(data=st.data())
    def forget(self, data):
        numbers = data.draw(
            st.lists(st.sampled_from(range(len(self.remaining))), min_size=1, max_size=3, unique=True)
        )
        some = [self.remaining[number] for number in numbers]
        self.classifier.forget([text for text, _ in some], [label for _, label in some])
        for number in sorted(numbers, reverse=True):
            del self.remaining[number]

    @precondition(lambda self: self.remaining)
    @rule(text=TEXTS)
    def forget_what_was_never_learned(self, text):
        label = LABELS[:2] if self.multilabel else LABELS[0]
        first = self.remaining[0]
        unknowns = [(text, ["other"] if self.multilabel else "other")]
        if self.template.counter is None or self.template.counter.dimensions is None:
            unknowns.append((f"{text} neverseen", label))  # hashed, it may collide with another text
        for unknown in unknowns:
            with pytest.raises(NotLearnedError):
                self.classifier.forget([first[0], unknown[0]], [first[1], unknown[1]])

    @precondition(lambda self: self.remaining)
    @rule(data=st.data())
    def join(self, data):
        some = self.draw(data)
        if self.is_usable(some):
            self.classifier.merge(self.fresh(some))
            self.remaining += some

    @precondition(lambda self: self.remaining)
    @rule()
    def copy_or_save(self):
        if not self.is_usable(self.remaining):
            return
        self.classifier = copy.deepcopy(self.classifier)
        with tempfile.TemporaryDirectory() as folder:
            self.classifier.save(Path(folder, "model.tb"))
            self.classifier = TextClassifier.load(Path(folder, "model.tb"))

    @invariant()
    def is_a_fresh_fit(self):
        if not self.remaining:
            with pytest.raises(UnfittedError):
                self.classifier.predict(PROBE)
            return
        try:
            fresh = self.fresh(self.remaining)
        except UNUSABLE as error:
            with pytest.raises(type(error)):
                self.classifier.predict(PROBE)
            return
        assert self.classifier.classes_.tolist() == fresh.classes_.tolist()
        if not len(fresh.classes_):  # no document has a label
            with pytest.raises(UnfittedError):
                self.classifier.predict(PROBE)
            return
        for method in ("decision_function", "predict_log_proba"):
            for probe in (PROBE, PROBE[:1]):
                ours, expected = (getattr(model, method)(probe) for model in (self.classifier, fresh))
                if self.exact:
                    assert ours.tobytes() == expected.tobytes(), method
                else:
                    scale = np.abs(expected).max(initial=1.0)
                    np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-10 * scale)


@pytest.mark.parametrize("multilabel", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", EXACT, ids=repr)
def test_equals_a_fresh_fit_to_the_bit(template, multilabel):
    run_state_machine_as_test(_machine(template, multilabel, True), settings=SEQUENCES)


@pytest.mark.parametrize("multilabel", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", CLOSE, ids=repr)
def test_equals_a_fresh_fit(template, multilabel):
    run_state_machine_as_test(_machine(template, multilabel, False), settings=SEQUENCES)


@pytest.mark.slow
@pytest.mark.parametrize("multilabel", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", [*EXACT, *CLOSE], ids=repr)
def test_long_sequences(template, multilabel):
    longer = settings(SEQUENCES, max_examples=60, stateful_step_count=30)
    run_state_machine_as_test(_machine(template, multilabel, template in EXACT), settings=longer)


def _machine(template, multilabel, exact):
    facts = {"template": template, "multilabel": multilabel, "exact": exact}
    return type("Machine", (Learning,), facts)
