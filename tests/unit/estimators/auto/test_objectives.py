"""AutoNB with costs, class weights and trees of labels."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import recall_score

from textbayes import AutoNB, CostMatrix, TextClassifier, TextCounter, TreeF1, load, save
from textbayes.datasets import load_docstrings
from textbayes.errors import ParameterConflictError, ParameterError
from textbayes.evaluation import calibration_error, f1, mean_cost, tree_f1
from textbayes.measures import log_loss, objective, quality

KINDS = ["multinomial", "complement"]
LABELS = ["größe", "名前", "x"]
COSTS = CostMatrix([[0, 1, 1], [30, 0, 30], [1, 2, 0]], LABELS)


def topics(documents=600, seed=0, shares=(0.6, 0.1, 0.3), noise=0.25, terms=60):
    """Documents of noisy topics of different sizes."""
    random = np.random.default_rng(seed)
    codes = random.choice(3, documents, p=shares)
    own = (np.arange(terms) % 3 == codes[:, None]) * noise
    return random.poisson(0.3 + own), np.array(LABELS)[codes]


X, y = topics()
Xt, yt = topics(3000, seed=1)
ORDERED = np.array(sorted(LABELS))


def fitted(**parameters):
    return AutoNB(**{"candidates": KINDS, "random_state": 0, **parameters}).fit(X, y)


# Costs.


@pytest.mark.parametrize("blend", [True, False], ids=["blend", "single"])
@pytest.mark.parametrize("updates", ["exact", "any"])
def test_decisions_cost_less_than_those_of_the_most_accurate_model(blend, updates):
    kinds = KINDS if updates == "exact" else [*KINDS, "linear-svm"]
    given = {"blend": blend, "updates": updates, "candidates": kinds}
    accurate, careful = fitted(metric="accuracy", **given), fitted(metric=COSTS, **given)
    before, after = (mean_cost(yt, model.predict(Xt), COSTS) for model in (accurate, careful))
    assert after < 0.75 * before
    # Held-out documents cost about what new ones do.
    (chosen,) = [entry for entry in careful.leaderboard_ if entry.chosen and entry.candidate is None]
    assert chosen.score == careful.best_score_
    assert abs(after + careful.best_score_) < np.ptp(chosen.interval)
    measured = quality(
        held_out_scores(accurate), y[:, None] == ORDERED, objective(COSTS, ORDERED.tolist()), False
    )
    assert careful.best_score_ > measured.value


def held_out_scores(model):
    """Scores of each third of the documents by the recipe fitted on the others."""
    scores = np.empty((len(y), 3))
    for fold in range(3):
        own = np.arange(len(y)) % 3 == fold
        scores[own] = model.recipe_.fit(X[~own], y[~own], random_state=0).decision_function(X[own])
    return scores


def test_costs_on_the_built_in_corpus():
    corpus = load_docstrings()
    large = ["python.internet", "python.email", "python.files", "python.runtime", "python.language"]
    kept = [document for document in corpus.documents if document.labels[0] in large]
    texts, labels = [one.text for one in kept], np.array([one.labels[0] for one in kept])
    errors = np.where(np.array(large) == "python.files", 30.0, 1.0)[:, None] * (1.0 - np.eye(len(large)))
    costs, test = CostMatrix(errors, large), np.arange(len(texts)) % 2 == 0
    counts = TextCounter().fit_transform([" ".join(text.split()[:12]) for text in texts])
    found = {}
    for metric in ("accuracy", costs):
        model = AutoNB(metric=metric, candidates=["multinomial", "complement"], random_state=0)
        model.fit(counts[~test], labels[~test])
        found[metric] = mean_cost(labels[test], model.predict(counts[test]), costs)
    assert found[costs] < 0.8 * found["accuracy"]
    assert -model.best_score_ == pytest.approx(found[costs], rel=0.5)


def test_the_scale_of_costs_does_not_matter():
    scaled = CostMatrix(1000 * np.array(COSTS.costs), LABELS)
    one, other = fitted(metric=COSTS), fitted(metric=scaled)
    assert one.recipe_.members == other.recipe_.members
    assert other.recipe_.biases == pytest.approx(one.recipe_.biases)
    assert other.best_score_ == pytest.approx(1000 * one.best_score_)


def test_equal_costs_are_errors():
    model = fitted(metric=CostMatrix(np.ones((3, 3)) - np.eye(3), LABELS))
    accurate = fitted(metric="accuracy")
    found = [np.mean(one.predict(Xt) == yt) for one in (model, accurate)]
    assert found[0] == pytest.approx(found[1], abs=0.015)
    assert np.mean(model.predict(Xt) == accurate.predict(Xt)) > 0.9


def test_the_leaderboard_shows_costs_as_they_are():
    board = fitted(metric=COSTS).leaderboard_
    assert board.metric == "mean_cost"
    shown = repr(board)
    assert "mean cost" in shown.splitlines()[0]
    assert "-" not in "".join(line[:40].replace("–", "") for line in shown.splitlines())
    values = [board.shown(entry) for entry in board]
    assert values == sorted(values, key=lambda each: each[0])
    assert all(0 <= low <= value <= high or low < 0 <= value <= high for value, low, high in values)
    assert all(entry.score <= 0 for entry in board)
    (first,) = [entry for entry in board if entry.chosen and entry.candidate is None]
    assert first.name.endswith(", with biases")


def test_costs_without_a_class_are_refused():
    with pytest.raises(ParameterError, match="'größe' has none"):
        fitted(metric=CostMatrix([[0, 1], [1, 0]], ["名前", "x"]))


def test_costs_need_one_label_per_document():
    with pytest.raises(ParameterConflictError, match="several labels"):
        AutoNB(metric=CostMatrix([[0, 1], [1, 0]], [0, 1])).fit(X[:4], [[1, 0], [0, 1], [1, 1], [1, 0]])


def test_numbers_may_be_labels():
    codes = np.searchsorted(ORDERED, y)
    costs = CostMatrix([[0, 1, 1], [1, 0, 1], [50, 50, 0]], [0, 1, 2])
    model = AutoNB(metric=costs, candidates=KINDS, random_state=0).fit(X, codes)
    assert np.mean(model.predict(Xt) == 2) > 2 * np.mean(codes == 2)


# Class weights.


def recall(model, label="名前"):
    return recall_score(yt, model.predict(Xt), labels=[label], average=None)[0]


@pytest.mark.parametrize(("metric", "blend"), [("accuracy", True), ("macro_f1", False), ("log_loss", True)])
def test_a_heavier_class_is_decided_more_often(metric, blend):
    found = [
        recall(fitted(metric=metric, blend=blend, class_weight=weight))
        for weight in ({"名前": 0.2}, {"名前": 1}, {"名前": 8})
    ]
    assert found[0] < found[1] < found[2]


@pytest.mark.parametrize("blend", [True, False], ids=["blend", "single"])
@pytest.mark.parametrize("label", LABELS)
def test_extreme_weights_decide(label, blend):
    """scikit-learn's check_class_weight_classifiers, with counts."""
    weights = {one: 1000.0 if one == label else 0.0001 for one in LABELS}
    assert np.mean(fitted(metric="accuracy", class_weight=weights, blend=blend).predict(Xt) == label) > 0.87


def test_a_weight_of_one_is_none():
    one, none = fitted(class_weight={"x": 1.0}), fitted()
    assert one.recipe_.members == none.recipe_.members
    assert one.best_score_ == pytest.approx(none.best_score_)
    np.testing.assert_allclose(one.recipe_.biases, none.recipe_.biases, atol=1e-3)


def test_biases_move_by_the_logarithm_of_the_weight():
    plain, heavy = fitted(metric="accuracy"), fitted(metric="accuracy", class_weight={"名前": 5})
    at = plain.recipe_.classes.index("名前")
    shares = [np.mean(model.predict_proba(Xt)[:, at]) for model in (plain, heavy)]
    odds = [share / (1 - share) for share in shares]
    # Of a class that cannot be told from the others, the odds are those of the weighted sizes.
    assert 1.5 < odds[1] / odds[0] < 5
    moved = np.array(heavy.recipe_.biases) - plain.recipe_.biases
    assert moved[at] - np.delete(moved, at).mean() > 0.5


def test_balanced_makes_the_classes_equally_good():
    def recalls(model):
        return recall_score(yt, model.predict(Xt), labels=LABELS, average=None)

    plain, even = fitted(metric="accuracy"), fitted(metric="accuracy", class_weight="balanced")
    assert np.ptp(recalls(even)) < 0.6 * np.ptp(recalls(plain))
    assert recalls(even).mean() > recalls(plain).mean()


def test_models_learn_without_class_weights():
    recipe = fitted(class_weight="balanced", updates="exact").recipe_
    model = fitted(class_weight="balanced", updates="exact")
    np.testing.assert_array_equal(
        model.decision_function(Xt), recipe.fit(X, y, random_state=0).decision_function(Xt)
    )


def test_updates_stay_exact():
    model = AutoNB(candidates=KINDS, class_weight={"名前": 4}, updates="exact", random_state=0)
    model.fit(X[:500], y[:500])
    recipe = model.recipe_
    model.partial_fit(X[500:], y[500:]).forget(X[:50], y[:50])
    fresh = recipe.fit(X[50:], y[50:], random_state=0)
    np.testing.assert_array_equal(model.decision_function(Xt), fresh.decision_function(Xt))


def test_unknown_labels_are_refused_by_name():
    with pytest.raises(ParameterError, match=r"class_weight\['Größe'\]=2(.|\n)*perhaps 'größe'"):
        fitted(class_weight={"Größe": 2})
    with pytest.raises(ParameterError, match=r"class_weight\['x'\]=0"):
        fitted(class_weight={"x": 0})


def test_a_text_classifier_weighs_names():
    texts = ["offer now", "cheap offer", "offer", "lunch now", "lunch", "lunch offer"] * 3
    labels = ["広告", "広告", "広告", "昼", "昼", "昼"] * 3
    for heavy in ("広告", "昼"):
        search = AutoNB(candidates=["multinomial"], class_weight={heavy: 50}, random_state=0)
        assert TextClassifier(search).fit(texts, labels).predict(["now"]).tolist() == [heavy]


# Several labels.


def several(documents=500, seed=0):
    random = np.random.default_rng(seed)
    truth = random.random((documents, 4)) < [0.4, 0.2, 0.1, 0.04]
    means = 0.15 + 0.5 * (truth @ (np.arange(60) % 4 == np.arange(4)[:, None]))
    return random.poisson(means), truth.astype(int)


MANY = ["one-vs-all", "complement-all"]
XM, YM = several()
XMT, YMT = several(4000, seed=1)


@pytest.mark.parametrize("blend", [True, False], ids=["blend", "single"])
def test_heavier_classes_have_lower_thresholds(blend):
    found = []
    for weight in (None, {2: 6.0}):
        model = AutoNB(candidates=MANY, class_weight=weight, blend=blend, random_state=0).fit(XM, YM)
        found.append(model.predict(XMT)[YMT[:, 2] == 1, 2].mean())
    assert found[1] > found[0]


def test_balanced_classes_are_found_more_often():
    found = [
        (AutoNB(candidates=MANY, class_weight=weight, random_state=0).fit(XM, YM).predict(XMT) & YMT).sum(
            axis=0
        )
        for weight in (None, "balanced")
    ]
    assert (found[1] >= found[0]).all()


def test_names_of_several_labels_have_weights():
    texts = ["oil gas", "oil", "gas", "oil wheat", "wheat", "corn wheat"] * 3
    labels = [["crude", "気"], ["crude"], ["気"], ["crude", "grain"], ["grain"], ["grain"]] * 3
    search = AutoNB(candidates=MANY, class_weight={"気": 5}, random_state=0)
    assert TextClassifier(search).fit(texts, labels).predict(["gas"]) == [["気"]]
    with pytest.raises(ParameterError, match=r"class_weight\['空'\]"):
        TextClassifier(search.set_params(class_weight={"空": 5})).fit(texts, labels)


@pytest.mark.parametrize("metric", ["micro_f1", "macro_f1"])
@pytest.mark.parametrize("blend", [True, False], ids=["blend", "single"])
def test_the_score_is_that_of_thresholds_of_other_folds(metric, blend):
    """The score of the recipe is what its decisions have on new documents, give or take its error."""
    leads = []
    for seed in range(4):
        X, Y = several(300, seed=10 + seed)
        model = AutoNB(metric, candidates=MANY, blend=blend, random_state=0).fit(X, Y)
        measured = f1(YMT, model.predict(XMT))
        leads.append(model.best_score_ - (measured.micro if metric == "micro_f1" else measured.macro))
        (chosen,) = [entry for entry in model.leaderboard_ if entry.chosen and entry.candidate is None]
        assert chosen.name.endswith(", with thresholds")
        assert chosen.score == model.best_score_
    assert np.mean(leads) < 0.02
    assert np.mean(leads) > -0.06


def test_probabilities_are_calibrated_around_the_thresholds():
    model = AutoNB(candidates=MANY, random_state=0).fit(XM, YM)
    scores, indicator = model.decision_function(XMT), YMT > 0
    measured = [
        log_loss(indicated(indicator), 1 / (1 + np.exp(-factor * scores)), True) for factor in (0.5, 1.0, 2.0)
    ]
    assert measured[1] < measured[0]
    assert measured[1] < measured[2]
    assert np.array_equal(model.predict(XMT), (scores > 0).astype(int))
    # A map of held-out scores makes the probabilities; it does not move the thresholds.
    probabilities = model.predict_proba(XMT)
    assert log_loss(indicated(indicator), probabilities, True) < measured[1] + 0.02
    assert calibration_error(indicator, probabilities) < 0.05
    for column in range(scores.shape[1]):
        order = np.argsort(scores[:, column])
        assert np.all(np.diff(probabilities[order, column]) >= -1e-12)


def indicated(indicator):
    return sparse.csr_array(indicator.astype(int))


def test_log_loss_of_several_labels_is_that_of_new_documents():
    model = AutoNB("log_loss", candidates=MANY, random_state=0).fit(XM, YM)
    found = log_loss(indicated(YMT > 0), model.predict_proba(XMT), True)
    assert -model.best_score_ == pytest.approx(found, rel=0.15)


# Trees.


def tree(documents=500, seed=0):
    """Topics in two branches; those of a branch share terms."""
    random = np.random.default_rng(seed)
    labels = ["動物/犬", "動物/猫", "plant/árbol", "plant/花"]
    codes = random.choice(4, documents, p=[0.4, 0.3, 0.2, 0.1])
    columns = np.arange(60)
    own = 0.3 * (columns % 4 == codes[:, None]) + 0.15 * (columns % 4 // 2 == codes[:, None] // 2)
    return random.poisson(0.2 + own), np.array(labels)[codes]


@pytest.mark.parametrize("metric", ["tree_f1", TreeF1(), "macro_tree_f1"])
def test_a_tree_of_labels(metric):
    X, y = tree()
    new, truth = tree(2000, seed=1)
    model = AutoNB(metric, candidates=KINDS, random_state=0).fit(X, y)
    measured = tree_f1(truth, model.predict(new))
    found = measured.macro if metric == "macro_tree_f1" else measured.micro
    assert model.best_score_ == pytest.approx(found, abs=0.04)
    assert model.leaderboard_.metric == ("macro_tree_f1" if metric == "macro_tree_f1" else "tree_f1")
    accurate = AutoNB("accuracy", candidates=KINDS, random_state=0).fit(X, y)
    assert measured.micro > tree_f1(truth, accurate.predict(new)).micro - 0.01


def test_a_tree_of_several_labels():
    texts = ["oil gas", "oil", "gas", "oil wheat", "wheat", "corn wheat"] * 3
    labels = [
        ["e/crude", "e/気"],
        ["e/crude"],
        ["e/気"],
        ["e/crude", "g/wheat"],
        ["g/wheat"],
        ["g/wheat"],
    ] * 3
    search = AutoNB("tree_f1", candidates=MANY, random_state=0)
    classifier = TextClassifier(search).fit(texts, labels)
    assert 0.5 < classifier.model_.best_score_ <= 1


def test_a_tree_needs_texts():
    with pytest.raises(ParameterConflictError, match="labels must be texts"):
        AutoNB("tree_f1", candidates=KINDS).fit(X, np.searchsorted(ORDERED, y))


# As parameters.


@pytest.mark.parametrize("metric", ["acuracy", 3, None, [[0, 1], [1, 0]]])
def test_unknown_metrics_are_refused(metric):
    with pytest.raises(ParameterError, match="metric="):
        fitted(metric=metric)


def test_clones_and_parameters():
    model = AutoNB(metric=COSTS, class_weight={"名前": 3})
    twin = clone(model)
    assert twin.get_params()["metric"] == COSTS
    assert twin.get_params()["class_weight"] == {"名前": 3}
    assert twin.set_params(class_weight=None, metric="tree_f1").class_weight is None
    assert "CostMatrix" in repr(model)


@pytest.mark.parametrize(
    "parameters",
    [
        {"metric": COSTS},
        {"metric": TreeF1("·", "macro")},
        {"class_weight": "balanced"},
        {"class_weight": {"名前": 3.0, "x": 2}},
    ],
    ids=["costs", "tree", "balanced", "weights"],
)
def test_saved_and_loaded(parameters, tmp_path):
    model = fitted(**parameters)
    save(model, tmp_path / "model.tb")
    loaded = load(tmp_path / "model.tb")
    for name, value in parameters.items():
        assert getattr(loaded, name) == value
    assert loaded.best_score_ == model.best_score_
    assert repr(loaded.leaderboard_) == repr(model.leaderboard_)
    np.testing.assert_array_equal(loaded.predict(Xt), model.predict(Xt))
    loaded.reconsider()
    assert loaded.recipe_ == model.recipe_
