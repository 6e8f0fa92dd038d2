"""Costs, class weights and metrics from options and files."""

import json

import pytest

from textbayes import CostMatrix
from textbayes.cli.objectives import read_class_weight, read_costs, search_settings
from textbayes.cli.train import make_classifier, train
from textbayes.errors import (
    EncodingError,
    FileMissingError,
    ParameterConflictError,
    ParameterError,
    RecordError,
    ShapeError,
    TextbayesError,
)

COSTS = CostMatrix([[0, 20], [1, 0]], ["ham", "스팸, 광고"])


@pytest.fixture
def written(tmp_path):
    def written(text, name="costs.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return written


@pytest.mark.parametrize(
    "text",
    [
        ',ham,"스팸, 광고"\nham,0,20\n"스팸, 광고",1,0\n',
        'true label,ham,"스팸, 광고"\r\n"스팸, 광고", 1 ,0\r\n\r\nham,0,20.0',
        "\ufeff;ham;스팸, 광고\nham;0;2e1\n스팸, 광고;1;0\n".replace("스팸, 광고", '"스팸, 광고"'),
    ],
    ids=["plain", "any order", "semicolons"],
)
def test_costs(written, text):
    assert read_costs(written(text)).of(COSTS.classes).tolist() == [[0, 20], [1, 0]]


def test_another_encoding(written):
    path = written(",größe,b\ngröße,0,1\nb,1,0\n", encoding="latin-1")
    assert read_costs(path, "latin-1").classes == ("größe", "b")
    with pytest.raises(EncodingError):
        read_costs(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: there is no header"),
        ("ham\nham\n", "line 1: there is no header"),
        (",ham,spam\nham,0\n", "line 2: this row has 2 fields, the header has 3"),
        (",ham,spam\nham,0,1\n", "line 1: 'spam' is in the header, but has no row"),
        (",ham,spam\nham,0,1\nsapm,1,0\n", "line 3: 'sapm' is not in the header"),
        (",ham,spam\nham,0,1\nham,1,0\n", "line 3: 'ham' has two rows"),
        (",ham,spam\nham,0,viel\nspam,1,0\n", "line 2: the cost of deciding 'spam' is 'viel', not a number"),
        (',ham,spam\nham,0,"1\n', "line 2: this row cannot be read"),
    ],
)
def test_bad_files_of_costs_name_the_line(written, text, message):
    with pytest.raises(RecordError, match=message):
        read_costs(written(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",ham,spam\nham,0,-1\nspam,1,0\n", r"true 'ham', decided 'spam'\)=-1"),
        (",ham,spam\nham,0,nan\nspam,1,0\n", r"true 'ham', decided 'spam'\)=nan"),
        (",ham,spam\nham,3,1\nspam,1,0\n", r"true 'ham', decided 'ham'\)=3"),
        (",ham,ham\nham,3,1\n", r"classes\[1\]='ham'"),
    ],
)
def test_bad_costs_are_named(written, text, message):
    with pytest.raises((ParameterError, ShapeError), match=message):
        read_costs(written(text))


def test_class_weights(written):
    path = written(json.dumps({"스팸": 10, "ham": 0.5}, ensure_ascii=False), "weights.json")
    assert read_class_weight(path) == {"스팸": 10, "ham": 0.5}
    assert search_settings(None, None, str(path), "auto") == {"class_weight": {"스팸": 10, "ham": 0.5}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n b: 2}', "line 2: this is not JSON"),
        ("[1, 2]", "line 1: this is a list, not an object"),
        ('{"a": "2"}', r"class_weight\['a'\]='2'"),
        ('{"a": 0}', r"class_weight\['a'\]=0"),
        ('{"a": NaN}', r"class_weight\['a'\]=nan"),
    ],
)
def test_bad_class_weights_are_named(written, text, message):
    with pytest.raises(TextbayesError, match=message):
        read_class_weight(written(text, "weights.json"))


def test_missing_files(written):
    path = written("", "kosten.csv")
    with pytest.raises(FileMissingError, match=r"Did you mean 'kosten\.csv'"):
        read_costs(path.with_name("kostn.csv"))
    with pytest.raises(FileMissingError, match=r"weights\.json"):
        search_settings(None, None, str(path.with_name("weights.json")), "auto")
    with pytest.raises(ParameterError, match=r"'balancd' is not an option\. Did you mean 'balanced'"):
        search_settings(None, None, "balancd", "auto")


def test_options_that_exclude_each_other(written):
    path = written(',ham,"스팸, 광고"\nham,0,20\n"스팸, 광고",1,0\n')
    assert search_settings(None, path, None, "auto") == {"metric": COSTS}
    with pytest.raises(ParameterConflictError, match="metric='accuracy' cannot be combined with costs="):
        search_settings("accuracy", path, None, "auto")
    for given in (("accuracy", None, None), (None, path, None), (None, None, "balanced")):
        with pytest.raises(ParameterConflictError, match="cannot be combined with model='complement'"):
            search_settings(*given, "complement")
    with pytest.raises(ParameterError, match="Did you mean 'accuracy'"):
        search_settings("acuracy", None, None, "auto")
    assert search_settings(None, None, None, "complement") == {}


def test_train_takes_them():
    texts = ["cheap offer", "offer now", "cheap pills", "team lunch", "lunch now", "team offer"] * 2
    labels = (["스팸, 광고"] * 3 + ["ham"] * 3) * 2
    trained = train(texts, labels, make_classifier(search={"metric": COSTS, "class_weight": "balanced"}))
    assert trained.classifier.model_.metric == COSTS
    assert trained.classifier.model_.class_weight == "balanced"
    assert trained.search["metric"] == "mean_cost"
    assert trained.search["score"] <= 0
