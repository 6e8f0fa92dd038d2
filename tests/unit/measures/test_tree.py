"""F1 of labels in a tree, against the sums of Kiritchenko 2006."""

import copy
import pickle

import numpy as np
import pytest

from reference.kiritchenko2006 import hierarchical_f1, node_f1
from textbayes import TreeF1
from textbayes.errors import ModelDamagedError, ParameterConflictError, ParameterError
from textbayes.evaluation import f1, tree_f1
from textbayes.measures import METRICS, decided_quality, objective, tree_costs, with_ancestors
from textbayes.persistence import Stored

LABELS = ["a", "a/b", "a/b/c", "a/d", "ø/名前", "ø/名前/ñ", "ø", "b/a", "a//b", "/x", "x/"]


def drawn(several, seed=0, documents=60):
    random = np.random.default_rng(seed)
    most = 3 if several else 1
    return [
        [
            LABELS[at]
            for at in random.choice(len(LABELS), random.integers(0 if several else 1, most + 1), False)
        ]
        for _ in range(documents)
    ]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("several", [False, True], ids=["one label", "several"])
def test_is_that_of_the_paper(several, seed):
    true, given = drawn(several, seed), drawn(several, seed + 100)
    found = tree_f1(true, given)
    assert found.micro == pytest.approx(float(hierarchical_f1(true, given)), rel=1e-12)
    nodes = node_f1(true, given)
    assert found.per_class.tolist() == pytest.approx([float(value) for value in nodes.values()], rel=1e-12)
    assert found.macro == pytest.approx(float(sum(nodes.values()) / len(nodes)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("several", [False, True], ids=["one label", "several"])
def test_the_search_measures_the_same(several, seed):
    true, given = drawn(several, seed), drawn(several, seed + 100)
    truth, decided = (
        np.array([[label in labels for label in LABELS] for labels in each]) for each in (true, given)
    )
    own = objective("tree_f1", LABELS, several)
    assert decided_quality(decided, truth, own).value == pytest.approx(float(hierarchical_f1(true, given)))
    nodes = node_f1(true, given)
    own = objective(TreeF1(average="macro"), LABELS, several)
    assert own.name == "macro_tree_f1"
    assert decided_quality(decided, truth, own).value == pytest.approx(
        float(sum(nodes.values()) / len(nodes))
    )


def test_labels_without_a_separator_are_flat():
    true, given = ["x", "y", "名", "y"], ["x", "x", "名", "y"]
    assert tree_f1(true, given).micro == f1(true, given).micro
    assert tree_f1(true, given).macro == f1(true, given).macro


def test_another_separator():
    true, given = ["art » painting", "art » music"], ["art » music", "art » music"]
    assert tree_f1(true, given, " » ").micro == pytest.approx(0.75)
    assert tree_f1(true, given).micro == pytest.approx(0.5)


def test_a_label_in_the_right_branch_is_better_than_one_outside():
    near, far = tree_f1(["a/b"], ["a/c"]), tree_f1(["a/b"], ["d/c"])
    assert near.micro == pytest.approx(0.5)
    assert far.micro == 0


def test_the_root_does_not_count():
    assert TreeF1().ancestors("/a/b") == ["/a", "/a/b"]
    assert TreeF1().ancestors("") == [""]
    assert tree_f1(["/a"], ["/b"]).micro == 0


def test_a_document_without_labels():
    assert tree_f1([[], ["a/b"]], [["a"], ["a/b"]]).micro == pytest.approx(4 / 5)
    assert tree_f1([None, "a"], ["a", "a"]).micro == pytest.approx(2 / 3)


def test_ancestors_shared_by_labels_count_once():
    nodes = TreeF1().nodes(["a/b", "a/c", "d"])
    given = with_ancestors(np.array([[True, True, False], [False, False, False]]), nodes)
    assert given.tolist() == [[True, True, True, False], [False] * 4]


def test_costs_are_distances_in_the_tree():
    costs = tree_costs(TreeF1().nodes(LABELS))
    assert not costs.diagonal().any()
    assert np.array_equal(costs, costs.T)
    at = LABELS.index
    assert costs[at("a/b/c"), at("a/b")] < costs[at("a/b/c"), at("a/d")] < costs[at("a/b/c"), at("ø")] == 1


@pytest.mark.parametrize("separator", ["", 3, None])
def test_a_separator_is_a_text(separator):
    with pytest.raises(ParameterError, match="separator"):
        TreeF1(separator)


def test_an_unknown_average():
    with pytest.raises(ParameterError, match=r"average='marco'.*Did you mean 'macro'"):
        TreeF1(average="marco")


def test_labels_must_be_texts():
    with pytest.raises(ParameterConflictError, match="the label 3"):
        objective("tree_f1", [3, 4])


def test_it_is_a_value():
    metric = TreeF1("·", "macro")
    assert (
        metric
        == copy.deepcopy(metric)
        == pickle.loads(pickle.dumps(metric))
        == TreeF1.restore(metric.store())
    )
    assert metric != TreeF1("·")
    assert hash(metric) == hash(TreeF1("·", "macro"))


@pytest.mark.parametrize("broken", [{"separator": ""}, {"average": "mean"}, {"separator": 3}])
def test_a_damaged_file_is_refused(broken):
    with pytest.raises(ModelDamagedError):
        TreeF1.restore(Stored({"separator": "/", "average": "micro"} | broken))


def test_compare_knows_it():
    assert METRICS["tree_f1"].searched
    assert METRICS["tree_f1"].larger_is_better
