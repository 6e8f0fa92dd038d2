"""Each recipe runs on a small corpus, and its parts are correct."""

from dataclasses import replace
from fractions import Fraction
from math import log

import made_up
import numpy as np
import pytest
from scipy.sparse import csr_matrix

from textbayes import PoissonNB, TextCounter
from textbayes.datasets import Corpus, Document
from textbayes.errors import NoDocumentsError
from textbayes.evaluation import break_even
from textbayes.papers import frank2006, grim2008, kim2003, rennie2003, schneider2004
from textbayes.papers.problems import count_problem, indicator
from textbayes.papers.records import MEASURES
from textbayes.papers.runner import PAPERS

STEPS = [(paper.name, step) for paper in PAPERS.values() for step in paper.steps]


@pytest.mark.parametrize(("paper", "step"), STEPS, ids=[f"{paper}-{step}" for paper, step in STEPS])
def test_every_step_runs(paper, step, corpora):
    findings = list(PAPERS[paper].steps[step](corpora))
    for finding in findings:
        assert finding.measure in MEASURES
        assert np.isfinite(finding.ours)
    keys = [(finding.table, finding.corpus, finding.quantity) for finding in findings]
    assert len(set(keys)) == len(keys)
    needs_more = {"tables 3 and 5", "table, Industry Sector", "Industry Sector", "20 Newsgroups"}
    not_quick = {("rennie2003", "experiments"), ("schneider2004", "figure 1, other stop words")}
    assert findings or step in needs_more or (paper, step) in not_quick


# Kim 2003.


def test_theta_is_chosen_without_the_test_documents():
    problem = kim2003.reuters_problem(made_up.reuters())
    other = replace(problem, test=problem.test[::-1], truth=np.zeros_like(problem.truth))
    for weighting in (None, "chi2"):
        one, two = kim2003.choose(problem, weighting), kim2003.choose(other, weighting)
        assert one.theta == two.theta
        np.testing.assert_array_equal(one.per_class, two.per_class)


def test_theta_is_the_best_of_the_folds():
    problem = kim2003.reuters_problem(made_up.reuters())
    goodness = {}
    for theta in kim2003.THETAS:
        found = []
        for learned, held_out in kim2003._folds(problem, quick=False):
            model = PoissonNB(theta, 0.8).fit(problem.train[learned], problem.topics[learned].astype(int))
            both = np.flatnonzero(problem.topics[held_out].any(axis=0) & problem.topics[learned].any(axis=0))
            scores = model.decision_function(problem.train[held_out])[:, both]
            ranked = break_even(problem.topics[held_out][:, both], scores)
            found.append((ranked.micro + ranked.macro) / 2)
        goodness[theta] = np.mean(found)
    assert goodness[kim2003.choose(problem, None).theta] == pytest.approx(max(goodness.values()))


def test_each_bin_gets_the_scores_of_its_own_weighting():
    problem = kim2003.reuters_problem(made_up.reuters())
    sizes = problem.topics.sum(axis=0)
    small = sizes < 10 if (sizes < 10).any() else sizes < 30
    assert 0 < small.sum() < len(sizes), "the made-up corpus should have two bins"
    figures = {"PNB": np.where(small, 0.9, 0.1), "PNB-CHI": np.where(small, 0.1, 0.9)}
    chosen = kim2003.chosen_on(problem, quick=True)
    best = kim2003.bin_weightings(chosen, figures)
    scores = kim2003.bin_optimised_scores(chosen, best)
    np.testing.assert_array_equal(scores[:, small], chosen.scores("PNB")[:, small])
    np.testing.assert_array_equal(scores[:, ~small], chosen.scores("PNB-CHI")[:, ~small])


def test_a_corpus_without_a_split_is_split_after_two_thirds():
    topics = [("경제",), ("스포츠",)]
    words = {"경제": "주가 수출 금리", "스포츠": "축구 야구 경기"}
    documents = [Document(f"{words[topics[at % 2][0]]} 오늘 {at}", topics[at % 2]) for at in range(30)]
    problem = kim2003.named_problem(Corpus("한국 뉴스", documents))
    assert problem.train.shape[0] == 20
    assert problem.test.shape[0] == 10
    assert problem.classes == ["경제", "스포츠"]
    assert break_even(problem.truth, kim2003.model_scores(problem, PoissonNB())).macro == 1.0


def test_a_corpus_without_common_classes_is_refused():
    with pytest.raises(NoDocumentsError, match="classes with documents"):
        kim2003.named_problem(Corpus("sorted", [Document("a", ("x",))] * 4 + [Document("b", ("y",))] * 2))


def test_documents_without_a_category_are_kept():
    corpus = made_up.reuters()
    assert any(not document.labels for document in corpus.train)
    assert kim2003.reuters_problem(corpus).train.shape[0] == len(corpus.train)


# Grim 2008.


def test_reuters_documents_have_one_topic_and_a_split():
    each = [("x", "train", "1"), ("x", "test", "2"), ("x", None, "3"), ("x", "test", grim2008.TOPIC_TWICE)]
    corpus = Corpus(
        "tiny", [Document(str(at), (topic,), split, id) for at, (topic, split, id) in enumerate(each * 9)]
    )
    found = grim2008.reuters_documents(corpus)
    # Documents without a split count towards the class size, but are not in the table.
    assert (len(found.train), len(found.test)) == (9, 9)
    assert len(grim2008.reuters_documents(corpus.where(lambda document: document.split is not None))) == 0


def test_folds_share_the_vocabulary_of_a_counter():
    corpus = made_up.newsgroups(each=6)
    counter = grim2008.make_counter(grim2008.HYPHENATED).fit(corpus.texts)
    folds = list(grim2008.training_folds(corpus, counter))
    assert {fold.train.shape[1] for fold in folds} == {len(counter.vocabulary_)}
    assert sum(fold.test.shape[0] for fold in folds) == len(corpus)


def test_components_follow_the_total():
    labels = np.array(["a"] * 5 + ["b"] * 3 + ["c"])
    sizes = grim2008.Counter(labels.tolist())
    assert grim2008._components(6, sizes) == 2
    assert grim2008._components(4, sizes) == {"a": 2, "b": 1, "c": 1}


def test_the_columns_match_the_paper():
    labels = np.array([f"topic {at}" for at in range(33) for _ in range(40 - at)])
    found = grim2008.columns("table 1", labels)
    keeps = [round(column.keep, 3) for column in found]
    assert keeps == [1.0, 0.625, 0.592, 0.806, 0.946, 0.925, 0.464]
    totals = [33 * 1 if column.components == 1 else sum(column.components.values()) for column in found]
    assert totals == [33, 33, 35, 35, 35, 35, 43]


# Rennie 2003.


def test_the_last_fix_is_the_model_of_the_table():
    corpus = made_up.newsgroups()
    fixes = rennie2003.mean_accuracies(corpus, rennie2003.FIXES, 2, 0.3)
    models = rennie2003.mean_accuracies(corpus, rennie2003.MODELS, 2, 0.3)
    assert fixes["+ length (eq. 12): TWCNB"] == models["TWCNB"]
    assert fixes["MNB"] == models["MNB"]


def test_random_labels_are_not_learned():
    corpus = made_up.newsgroups(each=60)
    random = np.random.default_rng(3)
    labels = random.permutation(corpus.label)
    shuffled = Corpus(
        "shuffled",
        [replace(document, labels=(str(label),)) for document, label in zip(corpus, labels, strict=True)],
    )
    found = rennie2003.mean_accuracies(shuffled, {"MNB": rennie2003.MODELS["MNB"]}, 5, 0.3)
    assert found["MNB"] < 0.5  # chance is a third


# Schneider 2004.


def test_ties_go_to_the_first_columns():
    assert schneider2004.best_columns(np.array([1.0, 3.0, 1.0, 2.0]), 3).tolist() == [0, 1, 3]


def test_only_the_most_frequent_stop_words_are_dropped(monkeypatch):
    counter = TextCounter()
    counts = counter.fit_transform(["the the the of of oil oil oil oil and"])
    monkeypatch.setattr(schneider2004, "STOP_WORDS", 2)
    train, _ = schneider2004.without_stop_words(counts, counts, counter.get_feature_names_out())
    assert train.toarray().tolist() == [[1, 4]]  # "and", "oil"
    terms = counter.get_feature_names_out()
    train, _ = schneider2004.without_stop_words(counts, counts, terms, english=False)
    assert train.toarray().tolist() == [[1, 2]]  # "and", "of"


def test_the_other_smoothing_follows_its_formula():
    random = np.random.default_rng(0)
    counts = random.poisson(0.7, (12, 5))
    topic = np.arange(12) < 4
    found = schneider2004.smoothed_otherwise(csr_matrix(counts), topic)
    for term in range(5):
        of_word = (1 + counts[:, term].sum()) / (5 + counts.sum())
        score = -of_word * log(np.mean(counts[:, term] > 0))
        for side in (topic, ~topic):
            here = counts[side]
            share = np.mean(here[:, term] > 0)
            if share:
                score += side.mean() * here[:, term].sum() / here.sum() * log(share)
        assert found[term] == pytest.approx(score)


# Frank 2006.


@pytest.mark.parametrize("percent", [10, 50, 90])
def test_the_odds_ratio_matches_equation_2(percent):
    first = 1000 * percent
    one = Fraction(1 + first // 10, 20_000 + first)
    two = Fraction(1 + (100_000 - first) // 10, 20_000 + 100_000 - first)
    assert frank2006.odds_ratio(percent / 100) == pytest.approx(float(one / two))
    assert frank2006.odds_ratio(percent / 100, class_length=1.0) == pytest.approx(1)


def test_wins_are_counted_and_tested():
    steady, unsure = np.array([0.1, 0.11, 0.1, 0.09]), np.array([0.2, -0.15, 0.1, -0.1])
    areas = {
        "a": {"one": 0.5 + steady, "other": np.full(4, 0.5)},
        "b": {"one": 0.5 + unsure, "other": np.full(4, 0.5)},
        "c": {"one": 0.5 - steady, "other": np.full(4, 0.5)},
        "d": {"one": np.full(4, 0.5), "other": np.full(4, 0.5)},
    }
    found = {each.measure: each.ours for each in frank2006.compare("figure 2", "tiny", areas, "one", "other")}
    assert (found["wins"], found["losses"]) == (2, 1)
    assert (found["significant wins"], found["significant losses"]) == (1, 1)
    assert found["sign test p"] == 1.0


def test_words_that_occur_once_in_training_are_dropped():
    train, test = csr_matrix([[2, 1, 1], [0, 0, 1]]), csr_matrix([[5, 5, 5]])
    assert [side.shape[1] for side in frank2006._transformed(train, test)] == [2, 2]


def test_documents_have_the_mean_length_with_natural_logarithms():
    train = csr_matrix([[2, 0, 3], [0, 4, 1], [1, 1, 0], [3, 1, 1]])
    transformed, _ = frank2006._transformed(train, train)
    dense = train.toarray()
    weighed = np.log1p(dense) * np.log(4 / (dense > 0).sum(axis=0))
    lengths = np.sqrt((weighed**2).sum(axis=1))
    np.testing.assert_allclose(transformed.toarray(), weighed / lengths[:, None] * lengths.mean())


# Shared code.


def test_a_part_drops_classes_it_cannot_measure():
    train = Corpus("train", [Document("a", ("x",)), Document("b", ("y",)), Document("c", ("x",))])
    problem = count_problem(train, train, ["x", "y"], TextCounter(tokens=r"\w"))
    part = problem.part(np.array([0, 1]), np.array([2]))
    assert part.classes == ["x"]
    assert part.truth.tolist() == [[True]]


def test_an_indicator_of_no_documents():
    assert indicator(Corpus("none", []), ["x"]).shape == (0, 1)
