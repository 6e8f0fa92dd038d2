"""TextClassifier, which answers several labels with lists, among the models that are compared."""

import pytest
from sklearn.pipeline import make_pipeline

from textbayes import ComplementNB, TextClassifier, TextCounter
from textbayes.cli.compare import compare as compare_recipes
from textbayes.datasets import Corpus, Document
from textbayes.evaluation import StratifiedFolds, compare

TEXTS = ["wheat rose", "corn and wheat", "corn fell", "oil was cut", "crude oil", "crude fell 원유"] * 2
LABELS = (["grain"] * 3 + ["oil"] * 3) * 2
METRICS = ["accuracy", "macro_f1", "micro_f1"]


def corpus(several):
    labels = [(label, "even") if several and at % 2 else (label,) for at, label in enumerate(LABELS)]
    return Corpus("tiny", [Document(*pair) for pair in zip(TEXTS, labels, strict=True)])


@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
def test_texts_or_counts_of_them_give_the_same_figures(several):
    models = {
        "counts": make_pipeline(TextCounter(tokens="unicode"), ComplementNB()),
        "texts": TextClassifier("complement", calibrate=False),
    }
    runs = compare(models, corpus(several), StratifiedFolds(3), METRICS).to_dict()["runs"]
    counts, texts = ([run for run in runs if run["model"] == name] for name in models)
    assert [[run[name] for name in METRICS] for run in counts] == [
        [run[name] for name in METRICS] for run in texts
    ]
    assert any(run["macro_f1"] > 0 for run in texts)


@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
def test_a_search_beside_a_recipe(several):
    found = compare_recipes(corpus(several), ["complement", "auto"], folds=2, metrics=["accuracy"])
    assert found.models == ("complement", "auto")
    assert all(0 <= run["accuracy"] <= 1 for run in found.to_dict()["runs"])
