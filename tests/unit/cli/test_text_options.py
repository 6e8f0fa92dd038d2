"""Options of the command line and parameters of TextCounter."""

import pytest

from textbayes import TextCounter
from textbayes.cli.text_options import counter_of, options_of
from textbayes.errors import FileMissingError, ParameterConflictError, ParameterError
from textbayes.estimators.text.model_names import default_counter

NAMES = (
    "unit",
    "tokens",
    "ngrams",
    "characters",
    "lowercase",
    "stop_words",
    "stemmer",
    "min_df",
    "dimensions",
)


def test_options_that_are_not_given_are_those_of_the_model():
    for model in ("auto", "complement"):
        assert counter_of(model, dict.fromkeys(NAMES)) is None


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"unit": "char", "ngrams": "2-4"}, {"unit": "char", "ngram_range": (2, 4)}),
        ({"characters": "2-5"}, {"characters": (2, 5)}),
        ({"lowercase": False}, {"lowercase": False}),
        ({"stop_words": "english"}, {"stop_words": "english"}),
        ({"stemmer": "german", "tokens": r"\S+"}, {"stemmer": "german", "tokens": r"\S+"}),
        ({"min_df": "2"}, {"min_df": 2}),
        ({"min_df": "0.5"}, {"min_df": 0.5}),
        ({"dimensions": 64}, {"dimensions": 64}),
    ],
)
def test_each_option(options, expected):
    assert counter_of("complement", options).get_params() == TextCounter(**expected).get_params()


def test_a_search_keeps_its_other_defaults():
    found = counter_of("auto", {"min_df": "2"})
    assert found.get_params() == {**default_counter("auto").get_params(), "min_df": 2}
    assert counter_of("auto", {"characters": "none"}).characters is None
    # Characters beside words make no sense without words.
    assert counter_of("auto", {"unit": "char_wb"}).characters is None


def test_stop_words_of_a_file(tmp_path):
    path = tmp_path / "낱말.txt"
    path.write_text("그리고\nthe\r\nund the", encoding="utf-8")
    assert counter_of("complement", {"stop_words": str(path)}).stop_words == ["the", "und", "그리고"]
    with pytest.raises(FileMissingError):
        counter_of("complement", {"stop_words": str(tmp_path / "missing.txt")})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "chr"}, "Did you mean 'char'"),
        ({"tokens": "unicod"}, "Did you mean 'unicode'"),
        ({"stemmer": "portr"}, "Did you mean 'porter'"),
        ({"stop_words": "englsh"}, "Did you mean 'english'"),
        ({"ngrams": "2"}, "such as 1-2"),
        ({"ngrams": "2-1"}, "ngram_range"),
        ({"characters": "many"}, "or none"),
        ({"min_df": "few"}, "a share such as"),
        ({"min_df": "-1"}, "min_df"),
        ({"dimensions": 0}, "dimensions"),
    ],
)
def test_wrong_options_are_refused_before_any_work(options, message):
    with pytest.raises(ParameterError, match=message):
        counter_of("complement", options)


def test_conflicts():
    with pytest.raises(ParameterConflictError):
        counter_of("complement", {"unit": "char", "stemmer": "porter"})
    with pytest.raises(ParameterConflictError):
        counter_of("complement", {"dimensions": 64, "min_df": "2"})


@pytest.mark.parametrize("model", ["auto", "twcnb"])
@pytest.mark.parametrize(
    "given", [{}, {"ngrams": "1-3"}, {"characters": "none", "min_df": "0.25"}, {"unit": "char"}]
)
def test_written_options_make_the_same_counter(model, given):
    written = options_of(model, {**dict.fromkeys(NAMES), **given})
    texts = {name: str(value) if name == "min_df" else value for name, value in written.items()}
    one, other = counter_of(model, given), counter_of(model, texts)
    assert (one is None) == (other is None)
    assert one is None or one.get_params() == other.get_params()
