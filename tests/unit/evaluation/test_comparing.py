"""compare: what it measures is what scikit-learn measures, and a run cut short goes on where it stopped."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

from textbayes import ComplementNB, FrequencyTransform, MultinomialNB, TermSelector, TextCounter
from textbayes.datasets import Corpus, Document, categories_in_both, load_reuters21578
from textbayes.errors import (
    NoDocumentsError,
    ParameterConflictError,
    ParameterError,
    ShapeError,
    TextsError,
)
from textbayes.evaluation import (
    FixedSplit,
    LearningCurve,
    RepeatedHoldOut,
    StratifiedFolds,
    break_even,
    compare,
    corrected_t_test,
)
from textbayes.evaluation.fitting import log_odds
from textbayes.measures import METRICS, share_interval

WORDS = {
    "곡물": "밀 옥수수 보리 수확 수출 시장",
    "नफ़ा": "लाभ तिमाही शेयर बाज़ार वृद्धि시장",
    "نفط": "نفط خام برميل إنتاج سوق أسعار",
    "ship": "ship port vessel cargo strike market",
}


def documents(number=80, seed=0, several=False):
    """Make texts of words that their classes like, with noise; some in no class, and some in two."""
    random = np.random.default_rng(seed)
    names, every = list(WORDS), " ".join(WORDS.values()).split()
    made = []
    for at in range(number):
        labels = [names[at % 4]]
        if several and at % 5 == 0:
            labels.append(names[(at + 1) % 4])
        own = " ".join(WORDS[label] for label in labels).split()
        text = " ".join([*random.choice(own, 4), *random.choice(every, 6)])
        split = "test" if at % 3 == 0 else "train"
        made.append(Document(text, () if several and at % 11 == 0 else tuple(labels), split, str(at)))
    return Corpus("만든 문서", made)


SINGLE, SEVERAL = documents(), documents(several=True)


def models():
    return {
        "mnb": make_pipeline(TextCounter(), MultinomialNB()),
        "cnb": make_pipeline(TextCounter(), FrequencyTransform(), ComplementNB()),
        "선택": make_pipeline(TextCounter(), TermSelector("dkl", 8), MultinomialNB()),
    }


def quiet(*arguments, **named):
    return compare(*arguments, progress=False, **named)


def test_figures_are_scikit_learns():
    found = quiet(models(), SINGLE, StratifiedFolds(4), ["accuracy", "micro_f1", "macro_f1", "macro_auc"])
    texts, labels = np.array(SINGLE.texts, dtype=object), np.array(SINGLE.label)
    results = iter(found.results)
    for _, train, test in StratifiedFolds(4).divide(SINGLE.labels):
        for name, model in models().items():
            fresh = clone(model).fit(list(texts[train]), labels[train])
            decided, truth = fresh.predict(list(texts[test])), labels[test]
            result = next(results)
            assert result.model == name
            assert result.values["accuracy"] == accuracy_score(truth, decided)
            assert result.values["micro_f1"] == pytest.approx(accuracy_score(truth, decided))
            assert result.values["macro_f1"] == pytest.approx(f1_score(truth, decided, average="macro"))
            said = fresh.predict_proba(list(texts[test]))
            expected = roc_auc_score(truth, said, multi_class="ovr", labels=fresh.classes_)
            assert result.values["macro_auc"] == pytest.approx(expected)


@pytest.mark.parametrize(
    "splitter",
    [
        StratifiedKFold(4, shuffle=True, random_state=0),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
        KFold(3, shuffle=True, random_state=1),
        ShuffleSplit(3, test_size=0.25, random_state=0),
    ],
    ids=lambda splitter: type(splitter).__name__,
)
def test_splitters_of_scikit_learn(splitter):
    found = quiet({"cnb": models()["cnb"]}, SINGLE, splitter, ["accuracy"])
    texts, labels = np.array(SINGLE.texts, dtype=object), np.array(SINGLE.label)
    divided = list(splitter.split(texts, labels))
    expected = []
    for train, test in divided:
        fresh = clone(models()["cnb"]).fit(list(texts[train]), labels[train])
        expected.append(accuracy_score(labels[test], fresh.predict(list(texts[test]))))
    assert found.results.values("cnb", "accuracy").tolist() == expected
    share = np.mean([len(test) / len(labels) for _, test in divided])
    assert found.protocol.test_share == pytest.approx(share)
    (row,) = found.rows
    test = corrected_t_test(expected, share)
    interval = share_interval(test.difference, test.error, len(labels), stats.t.ppf(0.975, len(expected) - 1))
    assert (row.low, row.high) == pytest.approx(interval)
    assert 0 <= row.low <= row.mean <= row.high <= 1
    assert f"{splitter}." in found.to_markdown()
    assert found.to_dict()["protocol"] == repr(splitter)


def test_one_split_of_scikit_learn_has_no_share():
    found = quiet(models(), SINGLE, ShuffleSplit(1, test_size=0.25, random_state=0))
    assert found.protocol.test_share is None
    assert {result.run.name for result in found.results} == {"split 1"}


def test_a_splitter_that_ignores_labels_takes_several():
    found = quiet({"cnb": models()["cnb"]}, SEVERAL, KFold(3, shuffle=True, random_state=0))
    assert len(found.results) == 3
    assert found.results.documents == len(SEVERAL)


@pytest.mark.parametrize(
    ("corpus", "protocol", "words"),
    [
        (
            SEVERAL,
            StratifiedKFold(3),
            "StratifiedKFold refuses[^~]*StratifiedFolds .which also takes several labels",
        ),
        (SINGLE, GroupKFold(3), "GroupKFold refuses[^~]*groups[^~]*needs no groups"),
        (SINGLE, KFold(500), "KFold refuses"),
        (SINGLE, StratifiedFolds, "FixedSplit, StratifiedFolds"),
        (SINGLE, 5, "scikit-learn splitter"),
    ],
    ids=["several", "groups", "folds", "class", "number"],
)
def test_protocols_that_cannot_be_used(corpus, protocol, words):
    with pytest.raises(ParameterError, match=words):
        quiet(models(), corpus, protocol)


def test_several_labels():
    every = ["accuracy", "micro_f1", "macro_f1", "micro_break_even", "macro_break_even", "calibration_error"]
    both = {**models(), "ovr": make_pipeline(CountVectorizer(), OneVsRestClassifier(MultinomialNB()))}
    found = quiet(both, SEVERAL, FixedSplit(), every)
    indicator = np.array([[name in labels for name in sorted(WORDS)] for labels in SEVERAL.labels], dtype=int)
    train, test = (np.array(SEVERAL.splits) == name for name in ("train", "test"))
    fresh = clone(both["cnb"]).fit(SEVERAL.train.texts, indicator[train])
    decided = fresh.predict(SEVERAL.test.texts)
    values = found.results[1].values
    assert values["accuracy"] == accuracy_score(indicator[test], decided)
    assert values["micro_f1"] == pytest.approx(f1_score(indicator[test], decided, average="micro"))
    expected = break_even(indicator[test], fresh.decision_function(SEVERAL.test.texts))
    assert values["macro_break_even"] == expected.macro
    assert values["micro_break_even"] == expected.micro
    truth, again = found.decisions("cnb")
    np.testing.assert_array_equal(truth.toarray(), indicator[test])
    np.testing.assert_array_equal(again.toarray(), decided)
    assert all(0 <= row.p_value <= 1 for row in found.rows if row.p_value is not None)


def test_break_even_of_reuters(shared_data):
    reuters = load_reuters21578(shared_data("reuters21578-sgml.tar.xz"))
    ninety = set(categories_in_both(reuters))
    corpus = Corpus.of(
        "ninety",
        (replace(each, labels=tuple(label for label in each.labels if label in ninety)) for each in reuters),
    )
    counter = TextCounter(tokens="letters", stop_words="english", stemmer="porter")
    both = {
        "UM, one-vs-all": make_pipeline(counter, ComplementNB(against="class")),
        "TWCNB": make_pipeline(counter, FrequencyTransform(), ComplementNB(against="all")),
    }
    found = quiet(both, corpus, FixedSplit(), ["micro_break_even", "macro_break_even"])
    assert [row.mean for row in found.rows] == pytest.approx([0.734, 0.246, 0.834, 0.654], abs=0.001)
    assert str(found).startswith("ninety: 12,902 documents, 90 classes.")


def test_decisions_are_labels():
    found = quiet(models(), SINGLE, StratifiedFolds(4))
    truth, decided = found.decisions("mnb")
    assert len(truth) == len(SINGLE)
    assert set(truth) == set(WORDS)
    mean = np.mean([result.values["accuracy"] for result in found.results if result.model == "mnb"])
    assert np.mean(truth == decided) == pytest.approx(mean)
    with pytest.raises(ParameterError, match="cnb"):
        found.decisions("cbn")


def test_figures_of_classes_are_means_over_runs():
    found = quiet(models(), SINGLE, StratifiedFolds(4))
    columns = [result.per_class["macro_f1"] for result in found.results if result.model == "cnb"]
    assert found.per_class("cnb").tolist() == pytest.approx(np.mean(columns, axis=0).tolist())
    assert found.classes == sorted(WORDS)
    with pytest.raises(ParameterError, match="macro_f1"):
        found.per_class("cnb", "accuracy")


def test_rows_over_runs():
    found = quiet(models(), SINGLE, RepeatedHoldOut(6, seed=3), ["accuracy"])
    values = {
        name: np.array([result.values["accuracy"] for result in found.results if result.model == name])
        for name in found.models
    }
    first, second, _ = found.rows
    assert (first.mean, first.p_value, first.difference, first.runs) == (values["mnb"].mean(), None, None, 6)
    error = np.sqrt(values["mnb"].var(ddof=1) * (1 / 6 + 34 / 66))
    interval = share_interval(first.mean, error, len(SINGLE), stats.t.ppf(0.975, 5))
    assert (first.low, first.high) == pytest.approx(interval)
    differences = values["cnb"] - values["mnb"]
    statistic = differences.mean() / np.sqrt(differences.var(ddof=1) * (1 / 6 + 34 / 66))
    assert second.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), 5))
    assert second.difference == pytest.approx(differences.mean())


def test_rows_over_documents():
    found = quiet(models(), SINGLE, FixedSplit(), ["accuracy", "macro_f1", "calibration_error"])
    rows = {(row.model, row.metric): row for row in found.rows}
    accuracy = rows["cnb", "accuracy"]
    # The bootstrap of a share is near the binomial's interval.
    size = len(SINGLE.test)
    reach = 1.96 * np.sqrt(accuracy.mean * (1 - accuracy.mean) / size)
    assert accuracy.low == pytest.approx(accuracy.mean - reach, abs=0.05)
    assert accuracy.high == pytest.approx(accuracy.mean + reach, abs=0.05)
    truth, cnb = found.decisions("cnb")
    mnb = found.decisions("mnb")[1]
    won, lost = np.sum((cnb == truth) & (mnb != truth)), np.sum((mnb == truth) & (cnb != truth))
    assert accuracy.p_value == pytest.approx(stats.binomtest(won, won + lost).pvalue if won + lost else 1.0)
    macro = rows["cnb", "macro_f1"]
    assert macro.low < macro.mean < macro.high
    assert rows["cnb", "calibration_error"].low is None
    assert rows["cnb", "calibration_error"].p_value is None


def test_intervals_stay_within_the_range_of_a_metric():
    texts = ["wheat corn", "corn wheat rice", "oil crude", "crude oil gas"] * 5
    labels = ["grain", "grain", "oil", "oil"] * 5
    metrics = ["accuracy", "macro_f1", "macro_auc", "log_loss", "calibration_error"]
    for protocol in (StratifiedFolds(5), RepeatedHoldOut(3, 0.5), ShuffleSplit(1, random_state=0)):
        for row in quiet({"cnb": models()["cnb"]}, (texts, labels), protocol, metrics).rows:
            assert row.low is None or 0 <= row.low <= row.mean <= row.high
            assert row.low is None or row.high <= 1 or row.metric == "log_loss"
            # Every document is right; twenty documents do not prove that the next one is.
            assert row.metric not in ("accuracy", "macro_f1") or (row.mean, row.high) == (1.0, 1.0)
            assert row.metric not in ("accuracy", "macro_f1") or row.low < 0.95


def test_against():
    found = quiet(models(), SINGLE, StratifiedFolds(3), ["calibration_error"], against="best")
    means = {row.model: row.mean for row in found.rows}
    assert found.reference == min(means, key=means.get)
    assert quiet(models(), SINGLE, StratifiedFolds(3), against="cnb").reference == "cnb"
    with pytest.raises(ParameterError, match="best"):
        quiet(models(), SINGLE, StratifiedFolds(3), against="bset")


def test_a_learning_curve_has_a_row_for_each_point():
    found = quiet(models(), SINGLE, LearningCurve((1, 3, 9), runs=3), ["accuracy"])
    assert found.points == (1, 3, 9)
    assert [(row.documents_per_class, row.model) for row in found.rows[::3]] == [
        (1, "mnb"),
        (3, "mnb"),
        (9, "mnb"),
    ]
    assert found.rows[0].mean < found.rows[6].mean
    assert len(found.decisions("mnb", 3)[0]) * 3 == len(found.decisions("mnb")[0])


def test_classes_that_were_not_learned():
    rare = Corpus(
        "rare", [*SINGLE, Document("ship port", ("하나",), "test"), Document("port", ("둘",), "train")]
    )
    found = quiet(
        models(), rare, FixedSplit(), ["accuracy", "macro_break_even", "macro_auc", "calibration_error"]
    )
    figures = found.results[0].per_class["macro_break_even"]
    assert figures[sorted([*WORDS, "하나", "둘"]).index("하나")] == 0
    assert figures[sorted([*WORDS, "하나", "둘"]).index("둘")] is None
    several = Corpus(
        "rare", [*SEVERAL, Document("ship", ("하나",), "test"), Document("port", ("둘",), "train")]
    )
    assert quiet(models(), several, FixedSplit(), ["macro_f1", "macro_break_even"]).results[0].per_class


def test_equal_counters_are_fitted_once_a_run(monkeypatch):
    fitted = []
    whole = TextCounter.fit_transform

    def counting(self, texts, y=None):
        fitted.append(len(texts))
        return whole(self, texts, y)

    monkeypatch.setattr(TextCounter, "fit_transform", counting)
    shared = quiet(models(), SINGLE, StratifiedFolds(4))
    assert fitted == [60] * 4
    alone = {
        name: next(iter(quiet({name: model}, SINGLE, StratifiedFolds(4)).rows)).mean
        for name, model in models().items()
    }
    assert {row.model: row.mean for row in shared.rows if row.metric == "accuracy"} == alone
    fitted.clear()
    quiet(
        {**models(), "pairs": make_pipeline(TextCounter(ngram_range=(1, 2)), MultinomialNB())},
        SINGLE,
        StratifiedFolds(2),
    )
    assert len(fitted) == 4


class Interrupted(ClassifierMixin, BaseEstimator):
    """Count words, and stop at the third fit if told to."""

    fits = 0
    stop_at = None

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def fit(self, X, y):
        Interrupted.fits += 1
        if Interrupted.fits == Interrupted.stop_at:
            raise KeyboardInterrupt
        self.model_ = make_pipeline(TextCounter(), MultinomialNB(alpha=self.alpha)).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_log_proba(self, X):
        return self.model_.predict_log_proba(X)


@pytest.fixture
def interrupted(monkeypatch):
    monkeypatch.setattr(Interrupted, "fits", 0)
    monkeypatch.setattr(Interrupted, "stop_at", None)
    return Interrupted


def test_an_interrupted_comparison_continues(tmp_path, interrupted):
    pair = {"sharp": interrupted(0.1), "smooth": interrupted(5.0)}
    interrupted.stop_at = 3
    with pytest.raises(KeyboardInterrupt):
        quiet(pair, SINGLE, StratifiedFolds(3), cache=tmp_path / "kept")
    assert len(list((tmp_path / "kept").iterdir())) == 2
    interrupted.stop_at = None
    interrupted.fits = 0
    again = quiet(pair, SINGLE, StratifiedFolds(3), cache=tmp_path / "kept")
    assert interrupted.fits == 4
    assert again.to_csv() == quiet(pair, SINGLE, StratifiedFolds(3)).to_csv()
    interrupted.fits = 0
    assert quiet(pair, SINGLE, StratifiedFolds(3), cache=tmp_path / "kept").to_json() == again.to_json()
    assert interrupted.fits == 0


def test_results_are_cached_by_content(tmp_path, interrupted):
    def fits(model=None, corpus=SINGLE, protocol=None, metrics=("accuracy",)):
        interrupted.fits = 0
        quiet({"a": model or interrupted()}, corpus, protocol or StratifiedFolds(3), metrics, cache=tmp_path)
        return interrupted.fits

    assert fits() == 3
    assert fits() == 0
    assert fits(interrupted(alpha=0.5)) == 3
    assert fits(protocol=StratifiedFolds(3, seed=1)) == 3
    other = Corpus("another name", [*SINGLE[:-1], Document("different", SINGLE[-1].labels, SINGLE[-1].split)])
    assert fits(Interrupted(), Corpus("another name", SINGLE.documents)) == 0
    assert fits(corpus=other) == 3
    assert fits(metrics=["macro_auc"]) == 3
    assert fits(metrics=["accuracy"]) == 0
    assert fits(metrics=["macro_auc", "accuracy"]) == 0
    # Ten runs where there were three: only seven are new.
    assert fits(protocol=RepeatedHoldOut(3)) == 3
    assert fits(protocol=RepeatedHoldOut(10)) == 7


def test_a_damaged_file_is_replaced(tmp_path, interrupted):
    quiet({"a": interrupted()}, SINGLE, StratifiedFolds(3), cache=tmp_path)
    kept = sorted(tmp_path.iterdir())
    kept[0].write_bytes(b'{"values": {"accu')
    kept[1].write_bytes(b"\xff\xfe")
    interrupted.fits = 0
    quiet({"a": interrupted()}, SINGLE, StratifiedFolds(3), cache=tmp_path)
    assert interrupted.fits == 2
    assert sorted(tmp_path.iterdir()) == kept


def test_a_model_without_a_name_in_another_process(tmp_path):
    model = make_pipeline(TextCounter(), FunctionTransformer(kw_args={"x": object()}), MultinomialNB())
    with pytest.raises(ParameterError, match="kw_args"):
        quiet({"a": model}, SINGLE, StratifiedFolds(3), cache=tmp_path)


def test_progress():
    calls = []
    compare(models(), SINGLE, StratifiedFolds(2), progress=lambda *call: calls.append(call))
    assert calls[0] == (0, 6, "mnb, fold 1")
    assert calls[-1] == (6, 6, "done")
    assert len(calls) == 7


def test_the_bar_is_drawn_on_stderr(capsys):
    compare({"[/b] 밀": models()["mnb"]}, SINGLE, StratifiedFolds(2), progress=True)
    assert capsys.readouterr().out == ""


def test_it_prints():
    found = quiet(models(), SINGLE, StratifiedFolds(4))
    lines = str(found).splitlines()
    assert lines[0] == "만든 문서: 80 documents, 4 classes. StratifiedFolds(folds=4, seed=0)."
    assert lines[2].split() == ["model", "accuracy", "p", "macro", "F1", "p"]
    assert len(lines) == 9
    assert "against mnb" in lines[-1]
    console = Console(record=True, width=120, file=io.StringIO())
    console.print(found)
    assert "선택" in console.export_text()
    assert found._repr_html_().count("<tr>") == 4


def test_exports(tmp_path):
    found = quiet(models(), SINGLE, StratifiedFolds(4))
    records = found.to_records()
    assert [record["model"] for record in records[::2]] == ["mnb", "cnb", "선택"]
    loaded = json.loads(found.to_json(tmp_path / "found.json"))
    assert loaded["rows"] == records
    assert len(loaded["runs"]) == 12
    assert json.loads((tmp_path / "found.json").read_text(encoding="utf-8")) == loaded
    table = list(csv.DictReader(io.StringIO(found.to_csv(tmp_path / "found.csv"))))
    assert [float(line["mean"]) for line in table] == [record["mean"] for record in records]
    markdown = found.to_markdown(tmp_path / "found.md").splitlines()
    assert markdown[2].startswith("| model | accuracy | p |")
    assert (tmp_path / "found.md").exists()


def test_pairs_and_lists():
    found = quiet(
        [make_pipeline(TextCounter(), MultinomialNB())], (SINGLE.texts, SINGLE.label), StratifiedFolds(3)
    )
    assert found.models == ("MultinomialNB",)
    assert quiet(models(), (np.array(SINGLE.texts), np.array(SINGLE.label)), StratifiedFolds(3)).rows


def test_log_odds_where_probabilities_saturate():
    scores = np.array([[0.0, -800.0, -900.0], [0.0, -1.0, -2.0]])
    logs = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    assert log_odds(logs)[0] == pytest.approx([800.0, -800.0, -900.0])
    said = np.exp(logs[1])
    assert log_odds(logs)[1] == pytest.approx(np.log(said / (1 - said)))


def test_a_figure_missing_from_some_runs():
    # One test document at a time: no class has documents on both sides of a ranking.
    found = quiet(models(), (SINGLE.texts[:4] * 2, SINGLE.label[:4] * 2), StratifiedFolds(8), ["macro_auc"])
    assert {(row.low, row.p_value) for row in found.rows} == {(None, None)}
    assert json.loads(found.to_json())["rows"][0]["mean"] is None
    assert "–" in str(found)


def test_undecided_documents_are_wrong():
    class Doubtful(DummyClassifier):
        def predict(self, X):
            return np.array([None] * len(X), dtype=object)

    found = quiet({"doubtful": Doubtful()}, SINGLE, StratifiedFolds(3))
    assert [row.mean for row in found.rows] == [0, 0]
    assert found.decisions("doubtful")[1][0] is None


SVM = make_pipeline(TextCounter(), LinearSVC())


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (({}, SINGLE, StratifiedFolds(3)), ParameterError, "^models={}"),
        (({"a": MultinomialNB}, SINGLE, StratifiedFolds(3)), ParameterError, r"^models\['a'\]="),
        (([SVM, SVM], SINGLE, StratifiedFolds(3)), ParameterError, "Two models are called"),
        ((models(), SINGLE, StratifiedFolds(3), ["acuracy"]), ParameterError, "^metrics=.*mean 'accuracy'"),
        ((models(), SINGLE, StratifiedFolds(3), []), ParameterError, "^metrics="),
        (
            ({"svm": SVM}, SINGLE, StratifiedFolds(3), ["calibration_error"]),
            ParameterConflictError,
            "calibration_error",
        ),
        ((models(), ["a", "b"], StratifiedFolds(3)), TextsError, "without texts and labels"),
        (
            (models(), (["a", "b"], ["x"]), StratifiedFolds(3)),
            ShapeError,
            "texts has 2 items, and labels has 1",
        ),
        (
            (models(), (["a", "b", "c"], ["x"] * 3), StratifiedFolds(3)),
            NoDocumentsError,
            "no documents of a second class",
        ),
    ],
    ids=["none", "class", "twice", "typo", "no-metric", "no-proba", "list", "lengths", "one-class"],
)
def test_what_cannot_be_compared(arguments, error, message):
    with pytest.raises(error, match=message):
        quiet(*arguments)


def test_confidence():
    with pytest.raises(ParameterError, match="confidence"):
        quiet(models(), SINGLE, StratifiedFolds(3), confidence=95)
    wide, narrow = (
        quiet(models(), SINGLE, StratifiedFolds(3), confidence=share).rows[0] for share in (0.99, 0.5)
    )
    assert wide.low < narrow.low < narrow.high < wide.high


def test_every_metric_is_in_the_docstring():
    for name in METRICS:
        assert f'"{name}"' in compare.__doc__
