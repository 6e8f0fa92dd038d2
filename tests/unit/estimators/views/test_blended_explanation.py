"""What tokens say adds up to the score of blends and tuned classifiers too, whatever is in them."""

import json

import numpy as np
import pytest

from reference.variants import LINEAR, POISSON
from textbayes import (
    AutoNB,
    ComplementNB,
    DiscriminativeNB,
    LinearSVM,
    MultinomialNB,
    PoissonMixtureNB,
    PoissonNB,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.counts import as_rows
from textbayes.decisions import Blend
from textbayes.estimators.auto import Candidate, Recipe, Representation
from textbayes.scores import Contributions

TEXTS = [
    "wheat and corn",
    "wheat harvest 밀가루",
    "crude oil",
    "oil output 東京都",
    "gold mine",
    "mine of gold قمح",
]
THREE = ["grain", "grain", "oil", "oil", "gold", "gold"]
TWO = ["food", "food", "oil", "oil", "oil", "oil"]
LISTS = [["grain", "food"], ["grain"], ["oil"], ["oil", "energy"], [], ["gold"]]
ALL_LABELS = {"three": THREE, "two": TWO, "lists": LISTS, "one": ["oil"] * 6}
PROBES = ["Wheat, WHEAT and oil: the 東京都 mine; unknown قمح 🌾", "", "unknown", "gold " * 50, *TEXTS]
KINDS = {
    "multinomial": (("alpha", 0.1), ("class_length", "min")),
    "complement": (("norm", True),),
    "one-vs-all": (),
    "complement-all": (("norm", True),),
    "centroid": (),
    "poisson": (),
    "poisson-weighted": (("weighting", "chi2"),),
    "poisson-by-class": (("choices", (("energy", "chi2", 0.01), ("oil", None, 0.1))), ("weighting", "ratio")),
    "discriminative": (),
    "mixture": (("background", 1.0), ("n_components", 2)),
}
REPRESENTATIONS = {
    "counts": Representation(),
    "words": Representation(log=True, columns="words"),
    "unit": Representation(log=True, length="unit"),
    "tf-idf": Representation(log=True, idf=True, length="mean", columns="words"),
    "some": Representation(idf=True, terms=("chi2", 0.5)),
}
COUNTER = TextCounter(tokens="unicode", ngram_range=(1, 2))


def candidate(kind, representation):
    return Candidate(kind.removesuffix("-weighted"), REPRESENTATIONS[representation], KINDS[kind])


def recipe(members, classes, divided):
    rng = np.random.default_rng(0)
    shape = (len(members), len(classes))
    centres = rng.normal(size=shape)
    return Recipe(
        tuple(members),
        tuple(rng.uniform(0.1, 1.0, len(members)).tolist()),
        tuple(classes),
        tuple(rng.normal(size=len(classes)).tolist()),
        tuple(map(tuple, centres.tolist())),
        tuple(map(tuple, rng.uniform(0.5, 2.0, shape).tolist())),
        tuple(divided and member.per_count for member in members),
    )


def blended(members, labels, divided):
    """A classifier of texts by these members, with columns of word pairs."""
    multilabel = isinstance(labels[0], list)
    classes = sorted({each for label in labels for each in (label if multilabel else [label])})
    model = AutoNB(candidates=recipe(members, classes, divided), random_state=0)
    return TextClassifier(model, COUNTER).fit(TEXTS, labels)


def check_sums(classifier, text):
    """Bias and contributions sum to decision_function, class by class."""
    explanation = classifier.explain(text)
    total = explanation.bias + explanation.contributions.sum(axis=0)
    scores = classifier.decision_function([text])[0]
    if np.ndim(scores) == 0:
        total, scores = total[1:] - total[:1], np.array([scores])
        with np.errstate(invalid="ignore"):
            assert np.array_equal(np.isfinite(total), np.isfinite(scores))
    finite = np.isfinite(scores)
    scale = max(1.0, np.abs(scores[finite]).max(initial=0.0))
    np.testing.assert_allclose(total, scores, rtol=0, atol=1e-9 * scale)
    np.testing.assert_array_equal(explanation.probabilities, classifier.predict_proba([text])[0])
    assert explanation.label == classifier.predict([text])[0]
    assert explanation.classes == classifier.classes_.tolist()
    return explanation


# Members of every kind.


@pytest.mark.parametrize("labels", ALL_LABELS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_member_alone(kind, labels):
    if labels == "lists" and kind == "discriminative":
        pytest.skip("one label per document")
    for number, representation in enumerate(REPRESENTATIONS if labels != "one" else ["counts"]):
        divided = (number + (labels == "three")) % 2 == 0
        classifier = blended([candidate(kind, representation)], ALL_LABELS[labels], divided)
        for text in PROBES[:2]:
            check_sums(classifier, text)


@pytest.mark.parametrize("labels", ["three", "two", "lists"])
@pytest.mark.parametrize("divided", [False, True], ids=["whole", "per count"])
def test_all_kinds_together(labels, divided):
    kinds = [kind for kind in KINDS if labels != "lists" or kind != "discriminative"]
    members = [candidate(kind, "tf-idf") for kind in kinds]
    classifier = blended(members, ALL_LABELS[labels], divided)
    for text in PROBES:
        explanation = check_sums(classifier, text)
        assert "nan" not in str(explanation) + explanation.to_html()
        json.loads(explanation.to_json(), parse_constant=pytest.fail)


@pytest.mark.parametrize("labels", ["three", "two", "lists"])
@pytest.mark.parametrize("exact", [False, True], ids=["any", "exact"])
def test_what_auto_chooses(labels, exact):
    classifier = TextClassifier(AutoNB(updates="exact" if exact else "any", random_state=0), COUNTER)
    classifier.fit(TEXTS * 2, ALL_LABELS[labels] * 2)
    for text in PROBES:
        check_sums(classifier, text)


def test_a_token_that_a_member_leaves_out_says_nothing_to_it():
    classifier = blended([candidate("multinomial", "words")], THREE, divided=False)
    explanation = check_sums(classifier, "wheat and corn")
    found = zip(explanation.tokens, explanation.contributions, strict=True)
    says = {token.term: np.abs(row).max() for token, row in found}
    assert says["wheat"] > 0
    assert says["wheat and"] == says["and corn"] == 0
    both = blended([candidate("multinomial", "counts")], THREE, divided=False).explain("wheat and corn")
    assert min(np.abs(both.contributions).max(axis=1)) > 0


@pytest.fixture
def in_doubles(monkeypatch):
    """Compile weights without rounding them."""
    monkeypatch.setattr(AutoNB, "_precision", 64)


@pytest.mark.usefixtures("in_doubles")
def test_a_blend_by_class_against_its_members_one_by_one():
    """With classes centred and scaled, a token adds the weighted sum of what it adds to each member."""
    members = [candidate("multinomial", "counts"), candidate("complement", "counts")]
    classifier = blended(members, THREE, divided=False)
    model = classifier.model_
    X = COUNTER.fit_transform(TEXTS)
    row = as_rows(classifier.counter_.transform(["wheat and oil"]))
    parts = model.contributions(row)
    expected = np.zeros_like(parts.entries)
    found = model.recipe_.blend(model.classes_.tolist())
    tables = [
        MultinomialNB(0.1, class_length="min").fit(X, THREE).weights_,
        ComplementNB(norm=True).fit(X, THREE).weights_,
    ]
    for weight, scale, table in zip(found.weights, found.scales, tables, strict=True):
        expected += weight * table[:, row.columns].T * row.values[:, None] / scale
    np.testing.assert_allclose(parts.entries, expected, atol=1e-12)


@pytest.mark.usefixtures("in_doubles")
def test_a_member_per_count_against_its_weights():
    """Divided by the sum of the row, an entry adds its weight times its share of the row; no bias counts."""
    classifier = blended([candidate("multinomial", "counts")], THREE, divided=True)
    model = classifier.model_
    row = as_rows(classifier.counter_.transform(["wheat wheat oil"]))
    found = model.recipe_.blend(model.classes_.tolist())
    table = MultinomialNB(0.1, class_length="min").fit(COUNTER.fit_transform(TEXTS), THREE).weights_
    share = row.values / row.values.sum()
    scale = found.weights[0] / found.scales[0]
    parts = model.contributions(row)
    np.testing.assert_allclose(parts.entries, scale * table[:, row.columns].T * share[:, None], atol=1e-12)
    np.testing.assert_allclose(parts.bias, found.biases - scale * found.centres[0], atol=1e-12)


def test_a_class_out_of_reach():
    blend = Blend(np.array([1.0]), np.zeros(3), np.ones((1, 3)), np.zeros((1, 3)))
    for entries in ([[-np.inf, 1.0, 2.0]], [[-np.inf] * 3], [[1.0, 1.0, 1.0]]):
        parts = Contributions(np.zeros(3), np.array(entries))
        found = blend.contributions([parts])
        np.testing.assert_allclose(found.scores, blend([parts.scores[None, :]])[0], atol=1e-12)


# Tuned classifiers.


MIXTURES = [
    PoissonMixtureNB(2, random_state=0, **settings)
    for settings in ({"background": 1.0}, {"smoothing": "mix"}, {"smoothing": None})
]
ESTIMATED = [DiscriminativeNB(random_state=0), LinearSVM(random_state=0)]
TUNED = [*LINEAR[::2], *POISSON[::2], *MIXTURES, *ESTIMATED]
RULES = [{}, {"rule": "pcut"}, {"rule": "rcut", "value": 2}, {"rule": "fixed", "value": 0.3}]


@pytest.mark.parametrize("labels", ALL_LABELS)
@pytest.mark.parametrize("estimator", TUNED, ids=repr)
def test_tuned(estimator, labels):
    if labels == "lists" and isinstance(estimator, DiscriminativeNB):
        pytest.skip("one label per document")
    for settings in RULES if labels == "lists" else [{}, {"biases": False}]:
        classifier = TextClassifier(TunedClassifier(estimator, **settings)).fit(TEXTS, ALL_LABELS[labels])
        for text in (PROBES[0], "", "wheat mine"):
            explanation = check_sums(classifier, text)
            json.loads(explanation.to_json(), parse_constant=pytest.fail)


def test_biases_and_thresholds_stand_in_the_bias():
    estimator = ComplementNB(against="all")
    for labels, side in ((THREE, "biases_"), (LISTS, "thresholds_")):
        tuned = TextClassifier(TunedClassifier(estimator)).fit(TEXTS, labels)
        plain = TextClassifier(estimator, calibrate=False).fit(TEXTS, labels).explain("wheat and oil")
        found = tuned.explain("wheat and oil")
        np.testing.assert_allclose(found.contributions, plain.contributions, atol=1e-12)
        moved = getattr(tuned.model_, side) * (1 if side == "biases_" else -1)
        np.testing.assert_allclose(found.bias - plain.bias, moved, atol=1e-12)


def test_components_of_a_tuned_mixture():
    texts = ["wheat corn", "corn wheat wheat", "tea coffee", "coffee tea tea", "crude oil", "oil output"]
    mixture = PoissonMixtureNB({"food": 2}, background=1.0, n_init=5, random_state=0)
    classifier = TextClassifier(TunedClassifier(mixture)).fit(texts, ["food"] * 4 + ["oil"] * 2)
    explanation = check_sums(classifier, "wheat and corn")
    assert explanation.responsibilities("food").shape == (2,)
    assert "component" in str(explanation)


def test_rankings_of_a_poisson_model_are_taken_apart():
    X = COUNTER.fit_transform(TEXTS)
    for labels in (THREE, TWO):
        for weighting in (None, "ig"):
            model = PoissonNB(weighting=weighting).fit(X, labels)
            parts = model.decision_contributions(as_rows(X[:1]))
            np.testing.assert_allclose(parts.scores, np.ravel(model.decision_function(X[:1])), atol=1e-12)


# On paper.


def test_numbers_are_shown_with_the_digits_that_matter():
    explanation = TextClassifier("twcnb").fit(TEXTS * 40, THREE * 40).explain("wheat and oil")
    small = TextClassifier(ComplementNB(norm=True), TextCounter(unit="char_wb", ngram_range=(1, 4)))
    tiny = small.fit(TEXTS * 40, THREE * 40).explain("wheat and oil")
    for one in (explanation, tiny):
        largest = max(abs(lead) for *_, lead in one.terms())
        shown = [line.split() for line in str(one).splitlines() if line.strip()]
        numbers = [word for line in shown for word in line if word[:1] in "+-" and "." in word]
        decimals = {len(number.partition(".")[2]) for number in numbers}
        assert len(decimals) == 1
        assert float(f"{largest:.{decimals.pop()}f}") == pytest.approx(largest, rel=0.005)
    assert max(abs(lead) for *_, lead in tiny.terms()) < 0.01
    assert "+0.000 " not in str(tiny)
    table = [line for line in str(tiny).splitlines() if "0.0" in line and "probability" not in line]
    columns = [line.rindex(".") for line in table]
    assert len(set(columns)) == 1
    assert "<sup>+0.0</sup>" not in tiny.to_html()


def test_json_has_null_for_what_is_infinite():
    classifier = TextClassifier(PoissonMixtureNB(smoothing=None)).fit(TEXTS, THREE)
    for text in ("wheat and corn", "wheat mine", ""):
        explanation = classifier.explain(text)
        found = json.loads(explanation.to_json(), parse_constant=pytest.fail)
        for one, score in zip(found["classes"], explanation.scores, strict=True):
            assert one["score"] == (score if np.isfinite(score) else None)
        for token, row in zip(found["tokens"], explanation.contributions, strict=True):
            expected = [value if np.isfinite(value) else None for value in row.tolist()]
            assert list(token["contributions"].values()) == expected
    assert not np.isfinite(classifier.explain("wheat and corn").contributions).all()
