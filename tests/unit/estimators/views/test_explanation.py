"""Explanations: what tokens say adds up to the score, for every model, and is shown truly."""

import html.parser
import io
import json
import re

import numpy as np
import pytest
from rich.console import Console

from reference.variants import VARIANTS
from textbayes import (
    FrequencyTransform,
    MultinomialNB,
    PoissonMixtureNB,
    TermSelector,
    TextClassifier,
    TextCounter,
)
from textbayes.errors import ParameterError, TextsError
from textbayes.estimators.models.variants import NAMED
from textbayes.estimators.views.tokens import Token, segments, stretches, words_of

TEXTS = [
    "wheat and corn",
    "wheat harvest 밀가루",
    "crude oil",
    "oil output 東京都",
    "gold mine",
    "mine of gold قمح",
]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
LISTS = [["grain", "food"], ["grain"], ["oil"], ["oil", "energy"], [], ["gold"]]
PROBE = "Wheat, WHEAT and oil: the 東京都 mine; unknown قمح 🌾 <b>&amp;"
COUNTERS = [
    TextCounter(tokens="unicode"),
    TextCounter(tokens="symbols", ngram_range=(1, 2)),
    TextCounter(ngram_range=(1, 2), stop_words={"and"}),
    TextCounter(unit="char_wb", ngram_range=(2, 3)),
    TextCounter(tokens="unicode", ngram_range=(1, 2), characters=(2, 4)),
    TextCounter(stop_words={"and"}, characters=(1, 3)),
    TextCounter(dimensions=64, characters=(2, 3)),
    TextCounter(dimensions=8),
    TextCounter(stemmer="porter", min_df=2),
]

MIXTURES = [
    PoissonMixtureNB(2, smoothing=smoothing, random_state=0, **kept)
    for smoothing in ("prior", "mix", None)
    for kept in ({}, {"keep": 0.3}, {"keep_threshold": 0.02})
]


def check_sums(classifier, text=PROBE):
    explanation = classifier.explain(text)
    total = explanation.bias + explanation.contributions.sum(axis=0)
    finite = explanation.scores[np.isfinite(explanation.scores)]
    scale = max(1.0, np.abs(finite).max(initial=0.0))
    np.testing.assert_allclose(total, explanation.scores, rtol=0, atol=1e-9 * scale)
    row = classifier._learned.read([text])
    model = classifier.model_
    scorer = model._odds_scorer() if explanation.multilabel else model._scorer("x")
    thresholds = 0.0 if classifier.thresholds_ is None else classifier.thresholds_
    scores = scorer.scores(row)[0] - thresholds
    np.testing.assert_allclose(scores, explanation.scores, rtol=0, atol=1e-9 * scale)
    np.testing.assert_allclose(classifier.predict_proba([text])[0], explanation.probabilities)
    return explanation


@pytest.mark.parametrize("labels", [LABELS, LISTS], ids=["labels", "lists"])
@pytest.mark.parametrize("model", [*VARIANTS, *MIXTURES], ids=repr)
def test_contributions_of_every_model_sum_to_the_score(model, labels):
    for transform in (None, FrequencyTransform()):
        check_sums(TextClassifier(model, transform=transform).fit(TEXTS, labels))


def test_symbols_are_highlighted_where_they_are():
    texts, labels = ["good 👍🏽 :)", "bad :( C++", "good 👍🏽", "bad 👩‍🌾"], ["a", "b", "a", "b"]
    text = "İt is 👍🏽, :))) and C++ 👩‍🌾"
    explanation = (
        TextClassifier("multinomial", TextCounter(tokens="symbols")).fit(texts, labels).explain(text)
    )
    found = {token.term: text[token.start : token.end] for token in explanation.tokens if token.known}
    assert found == {"👍🏽": "👍🏽", ":)": ":)", "c++": "C++", "👩‍🌾": "👩‍🌾"}
    assert "👍🏽</" in explanation.to_html()


@pytest.mark.parametrize("counter", COUNTERS, ids=repr)
def test_contributions_of_every_counter_sum_to_the_score(counter):
    explanation = check_sums(TextClassifier("complement", counter).fit(TEXTS, LABELS))
    for token in explanation.tokens:
        assert 0 <= token.start <= token.end <= len(PROBE)


@pytest.mark.parametrize("recipe", NAMED)
@pytest.mark.parametrize("text", ["", "unknown words", "wheat", "\ud800 oil\x00oil", "gold " * 50], ids=ascii)
def test_odd_texts(recipe, text):
    explanation = check_sums(TextClassifier(recipe).fit(TEXTS, LABELS), text)
    assert explanation.to_html()
    assert "total" in str(explanation).encode("utf-8", "replace").decode()


# Mixtures.


def test_which_component_answers_and_with_which_terms():
    texts = ["wheat corn", "corn wheat wheat", "tea coffee", "coffee tea tea", "crude oil", "oil output"]
    model = PoissonMixtureNB({"food": 2}, background=1.0, n_init=5, random_state=0)
    classifier = TextClassifier(model).fit(texts, ["food"] * 4 + ["oil"] * 2)
    explanation = check_sums(classifier, "Wheat, corn & wheat")
    shares = explanation.responsibilities("food")
    answering = int(np.argmax(shares))
    assert shares[answering] > 0.99
    np.testing.assert_allclose(shares, model_shares(classifier, "Wheat, corn & wheat", "food"))
    assert explanation.responsibilities("oil").tolist() == [1.0]
    terms = explanation.component_terms("food")
    assert [term[:2] for term in terms] == [("wheat", 2), ("corn", 1)]
    assert all(adds > 0 for *_, adds in terms)
    assert all(adds < 0 for *_, adds in explanation.component_terms("food", 1 - answering))
    parts = explanation.components[0]
    expected = classifier.model_._scorer("x").component_parts(classifier._learned.read(["wheat corn wheat"]))
    np.testing.assert_allclose(parts.scores, expected[0].scores)
    line = f"food: component {answering + 1} of 2, responsibility 100%: wheat +"
    assert line in str(explanation)
    assert line in explanation.to_html()
    assert "oil: component" not in str(explanation)
    shown = json.loads(explanation.to_json())["classes"]
    assert shown[0]["components"][answering]["responsibility"] == pytest.approx(shares[answering])
    assert len(shown[1]["components"]) == 1
    with pytest.raises(ParameterError, match="component=2"):
        explanation.component_terms("food", 2)


def model_shares(classifier, text, label):
    return classifier.model_.responsibilities(classifier._learned.read([text]), label)[0]


def test_a_model_without_mixtures_answers_as_one():
    explanation = TextClassifier("multinomial").fit(TEXTS, LABELS).explain(PROBE)
    assert explanation.responsibilities("oil").tolist() == [1.0]
    assert "component" not in str(explanation) + explanation.to_html() + explanation.to_json()
    expected = explanation.contributions[:, explanation.position("oil")].sum()
    assert sum(adds for *_, adds in explanation.component_terms("oil")) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["wheat and corn", "wheat mine", "oil 東京都", PROBE, ""], ids=ascii)
@pytest.mark.parametrize("labels", [LABELS, LISTS], ids=["labels", "lists"])
def test_what_rules_a_class_out_is_shown(labels, text):
    classifier = TextClassifier(PoissonMixtureNB(smoothing=None)).fit(TEXTS, labels)
    explanation = check_sums(classifier, text)
    assert not np.isnan(explanation.contributions).any()
    shown = str(explanation) + explanation.to_html()
    assert "nan" not in shown
    if text == "wheat and corn" and labels is LABELS:
        assert [lead for _, lead in explanation.leads("grain", "oil")] == [np.inf] * 3
        assert "+inf" in shown


def test_after_teaching_new_words():
    classifier = TextClassifier("complement").fit(TEXTS, LABELS).teach(["aardvark wheat zebra"], ["animal"])
    explanation = check_sums(classifier, "zebra aardvark corn wheat")
    assert all(token.known for token in explanation.tokens)
    says = {token.term: lead > 0 for token, lead in explanation.leads("animal", "oil")}
    assert says["zebra"]
    assert says["aardvark"]


def test_selected_terms():
    selector = TermSelector("mi", k=4)
    explanation = check_sums(TextClassifier(MultinomialNB(), transform=selector).fit(TEXTS, LABELS))
    assert 0 < sum(token.known for token in explanation.tokens) <= 4


def test_a_known_case_by_hand():
    # P(t|c) = (n + 1) / (N + |V|): grain has 2 words, oil 3; |V| = 4.
    classifier = TextClassifier("multinomial").fit(["wheat corn", "oil oil crude"], ["grain", "oil"])
    explanation = classifier.explain("Corn oil!")
    (corn, oil) = (lead for _, lead in explanation.leads("grain", "oil"))
    assert corn == pytest.approx(np.log((2 / 6) / (1 / 7)))
    assert oil == pytest.approx(np.log((1 / 6) / (3 / 7)))
    assert explanation.bias_lead("grain", "oil") == pytest.approx(0)
    assert explanation.tokens == (Token(0, 4, "corn", True), Token(5, 8, "oil", True))
    assert explanation.leads("oil", "grain")[0][1] == pytest.approx(-corn)


def test_the_label_is_what_is_predicted():
    for labels in (LABELS, LISTS):
        classifier = TextClassifier("complement-all").fit(TEXTS, labels)
        for text in [*TEXTS, PROBE]:
            predicted = classifier.predict([text])[0]
            assert classifier.explain(text).label == predicted


def test_terms_are_ranked_and_counted():
    terms = TextClassifier("multinomial").fit(TEXTS, LABELS).explain(PROBE).terms()
    assert ("wheat", 2) in [term[:2] for term in terms]
    leads = [abs(lead) for *_, lead in terms]
    assert leads == sorted(leads, reverse=True)
    assert "unknown" not in [term for term, *_ in terms]


def test_a_label_that_there_is_not():
    explanation = TextClassifier().fit(TEXTS, LABELS).explain("wheat")
    with pytest.raises(ParameterError, match=r"'grian'.*Did you mean 'grain'"):
        explanation.leads("grian")
    with pytest.raises(TextsError, match=r"^texts\[0\] is None"):
        TextClassifier().fit(TEXTS, LABELS).explain(None)


@pytest.mark.parametrize("counter", COUNTERS, ids=repr)
def test_the_table_and_the_text_sum_to_the_lead(counter):
    explanation = TextClassifier("complement", counter).fit(TEXTS, LABELS).explain(PROBE)
    lead = sum(lead for _, lead in explanation.leads())
    assert sum(lead for *_, lead in explanation.terms()) == pytest.approx(lead)
    shown = list(stretches(PROBE, explanation.leads()))
    assert "".join(one.text for one in shown) == PROBE
    assert sum(one.lead for one in shown) == pytest.approx(lead)


def test_characters_are_listed_with_their_word():
    counter = TextCounter(ngram_range=(1, 2), stop_words={"and"}, characters=(2, 4))
    explanation = TextClassifier("complement", counter).fit(TEXTS, LABELS).explain("Oil, oils and WHEAT oil")
    terms = {term: (count, lead) for term, count, lead in explanation.terms()}
    assert set(terms) == {"oil", "oils", "wheat", "‹and›"}
    assert terms["oil"][0] == 2
    leads = [(token.term, lead) for token, lead in explanation.leads() if token.end <= 4 or token.start >= 20]
    assert terms["oil"][1] == pytest.approx(sum(lead for _, lead in leads))
    assert {term for term, _ in leads} >= {"oil", "\0oil", "\0 oi", "\0l, "}
    # "oils" is unknown, but its characters are not.
    assert terms["oils"][1] != 0


def test_characters_as_they_are_shown():
    counter = TextCounter(characters=(2, 4))
    explanation = TextClassifier("complement", counter).fit(TEXTS, LABELS).explain("oil <outputs>")
    plain = str(explanation)
    assert re.search(r"^oil\[\+*\] <outputs\[\+*\]>$", plain, re.MULTILINE)
    assert "\0" not in plain + explanation.to_html() + explanation.to_json() + printed(explanation)
    page = explanation.to_html()
    assert re.search(r'<span class="for" style="--s:[0-9.]+">l<sup>\+', page)
    assert page.count("<sup>") == 2
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", printed(explanation))
    assert "oil <outputs>" in coloured
    assert printed(explanation).count("\x1b[") > plain.count("\n") * 2 + 12
    found = json.loads(explanation.to_json())
    assert [list(word) for word in found["words"]] == [["term", "count", "contributions"]] * 2
    for place, label in enumerate(explanation.classes):
        total = sum(word["contributions"][label] for word in found["words"])
        assert total == pytest.approx(explanation.contributions[:, place].sum())
        total = sum(token["contributions"][label] for token in found["tokens"])
        assert total == pytest.approx(explanation.contributions[:, place].sum())
    assert {"oil", "‹oil ›", "‹ <o›"} <= {token["term"] for token in found["tokens"]}
    assert "words" not in TextClassifier("complement").fit(TEXTS, LABELS).explain("oil").to_dict()


@pytest.mark.parametrize(
    "text", ["", " ", "wheat", "\ud800 oil\x00oil", "東京都の天気 oil", ":-) ! a"], ids=ascii
)
@pytest.mark.parametrize("labels", [LABELS, LISTS], ids=["labels", "lists"])
def test_characters_of_odd_texts(labels, text):
    counter = TextCounter(tokens="unicode", ngram_range=(1, 2), characters=(1, 4))
    for model in ("complement", "twcnb", PoissonMixtureNB(2, random_state=0)):
        explanation = check_sums(TextClassifier(model, counter).fit(TEXTS, labels), text)
        assert explanation.to_html()
        assert "nan" not in str(explanation)
        assert json.loads(explanation.to_json())


def test_a_long_text_without_spaces_is_explained_quickly():
    counter = TextCounter(tokens="unicode", characters=(2, 5))
    classifier = TextClassifier("complement", counter).fit(TEXTS, LABELS)
    explanation = classifier.explain("東京都の天気" * 2000)
    assert len(explanation.terms()) > 1
    assert explanation.to_html()


def test_segments_say_what_tokens_say():
    leads = [(Token(0, 2, "ab", True), 1.0), (Token(1, 3, "bc", True), -0.5), (Token(5, 6, "x", False), 0.0)]
    found = list(segments("abcd ef", leads))
    assert "".join(part for part, *_ in found) == "abcd ef"
    assert [(part, says, known) for part, says, known in found] == [
        ("a", 0.5, True),
        ("b", 0.25, True),
        ("c", -0.25, True),
        ("d ", 0, False),
        ("e", 0, False),
        ("f", 0, False),
    ]


def test_stretches_are_words_if_there_are_characters():
    leads = [
        (Token(0, 5, "wheat", True), 1.0),
        (Token(0, 2, "\0 wh", True), 0.5),
        (Token(3, 6, "\0at,", True), 0.3),
        (Token(7, 9, "\0 :)", False), 0.0),
    ]
    found = list(stretches("wheat, :)", leads))
    assert [(one.text, one.known) for one in found] == [
        ("wheat", True),
        (",", True),
        (" ", False),
        (":)", False),
    ]
    assert [one.lead for one in found] == pytest.approx([1.7, 0.1, 0, 0])
    # As if the whole word had as much as these characters.
    assert [lead for _, lead, _ in found[0].parts] == pytest.approx([2.25, 1.0, 1.5])


def test_words_that_characters_are_listed_with():
    text = "(well-known) :-) a"
    rules = TextCounter(characters=(4, 4)).reader().rules
    tokens = [Token(*span, True) for span in rules.spans(text)]
    found = {token.term[1:]: word.term for token, word in zip(tokens, words_of(text, tokens), strict=True)}
    assert found[" (we"] == found["ell-"] == found["ll-k"] == "well"
    assert found["l-kn"] == found["-kno"] == found["wn) "] == "known"
    assert found[" :-)"] == found[":-) "] == "\0:-)"
    assert found[" a "] == "\0a"


# As they are shown.


def printed(explanation, **settings):
    console = Console(file=io.StringIO(), width=80, force_terminal=True, **settings)
    console.print(explanation)
    return console.file.getvalue()


@pytest.fixture
def explanation():
    return TextClassifier("multinomial").fit(TEXTS, LABELS).explain(PROBE)


def test_in_colour(explanation):
    shown = printed(explanation, color_system="standard")
    assert "\x1b[" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "Wheat, WHEAT and oil: the 東京都 mine; unknown قمح 🌾 <b>&amp;" in plain.replace("\n", " ")
    assert "[+" not in plain


@pytest.mark.parametrize("settings", [{"no_color": True}, {"color_system": None}], ids=str)
def test_without_colour(explanation, settings):
    shown = re.sub(r"\x1b\[[0-9;]*m", "", printed(explanation, **settings))
    assert "Wheat[+" in shown
    assert re.search(r"oil\[-+\]", shown)
    assert "unknown قمح" in shown
    assert re.search(r"wheat +2 +\+\d\.\d{3} +\++", shown)


def test_the_environment_says_no_color(explanation, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert "Wheat[+" in printed(explanation)


def test_lines_fit_80_columns(explanation):
    assert max(map(len, str(explanation).splitlines())) <= 80


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [value or "" for _, value in attributes]

    def handle_data(self, data):
        self.text.append(data)


def test_html_is_escaped_and_needs_nothing_else():
    hostile = "<script>alert(1)</script> wheat"
    labels = ["<img src=x>", "<img src=x>", *LABELS[2:]]
    page_text = TextClassifier().fit([hostile, *TEXTS[1:]], labels).explain(hostile).to_html()
    page = Page()
    page.feed(page_text)
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert not re.search(
        r"https?://|url\(|@import|src=",
        re.sub(r"<style>.*?</style>", "", page_text).replace("&lt;img src=x&gt;", ""),
    )
    assert "&lt;" in page_text
    assert "alert" in "".join(page.text)
    assert "<img src=x>" in "".join(page.text)


def test_html_is_readable_without_colour(explanation):
    page = Page()
    page.feed(explanation.to_html())
    text = "".join(page.text)
    assert re.search(r"Wheat\+\d\.\d", text)
    assert re.search(r"oil-\d\.\d", text)


def test_json(explanation):
    found = json.loads(explanation.to_json())
    assert found["label"] == explanation.label
    for number, one in enumerate(found["classes"]):
        total = one["bias"] + sum(token["contributions"][one["label"]] for token in found["tokens"])
        assert total == pytest.approx(one["score"], abs=1e-9)
        assert one["label"] == explanation.classes[number]
    assert [found["text"][token["start"] : token["end"]] for token in found["tokens"]][:2] == [
        "Wheat",
        "WHEAT",
    ]


def test_some_classes_as_json():
    texts, labels = ["wheat corn", "crude oil", "gold mine"], ["grain", "oil", "gold"]
    explanation = TextClassifier("multinomial").fit(texts, labels).explain("corn oil oil")
    assert explanation.best_labels(2) == ["oil", "grain"]
    assert explanation.best_labels(9) == ["oil", "grain", "gold"]
    whole, some = explanation.to_dict(), explanation.to_dict(["oil", "grain"])
    assert [each["label"] for each in some["classes"]] == ["oil", "grain"]
    assert all(each in whole["classes"] for each in some["classes"])
    for token, all_of_it in zip(some["tokens"], whole["tokens"], strict=True):
        assert list(token["contributions"]) == ["oil", "grain"]
        assert all_of_it["contributions"].items() >= token["contributions"].items()
    with pytest.raises(ParameterError, match=r"^label='wheat'"):
        explanation.to_dict(["wheat"])


def test_a_long_text_is_printed_line_by_line():
    """Rich copies what is left of a segment for every line in it: quadratic time."""
    explanation = TextClassifier("complement").fit(TEXTS, LABELS).explain("x" * 10_000 + "\n" * 50 + "wheat")
    console = Console(color_system=None, width=80, highlight=False)
    longest = max(len(segment.text) for segment in console.render(explanation))
    assert longest <= 81
    shown = str(explanation)
    assert "x" * 80 + "\n" + "x" * 80 in shown
    assert shown.count("x") == 10_000
    assert "\n" * 50 + "wheat[+++]" in shown


def test_lines_are_wrapped_between_words():
    explanation = TextClassifier("complement").fit(TEXTS, LABELS).explain("unknown words " * 12 + "\tend")
    lines = str(explanation).split("\n")
    text = lines[2 : lines.index("", 2)]
    assert all(len(line) <= 80 for line in text)
    assert len(text) == 3
    assert all(line.split()[0] in ("unknown", "words", "end") for line in text)


def test_a_long_term_is_cut_in_tables():
    classifier = TextClassifier("complement").fit([*TEXTS, "y" * 5_000], [*LABELS, "oil"])
    explanation = classifier.explain("y" * 5_000)
    assert explanation.terms()[0][0] == "y" * 5_000
    assert str(explanation).count("y") < 5_300  # the text, and the start of the term
    assert explanation.to_html().count("y" * 201) == 5_000 // 201


def test_characters_outside_words_are_one_stretch():
    """Not a copy of the stretch for each n-gram in it: quadratic time and memory."""
    text = ":" * 1_000
    tokens = [Token(start, start + 3, "\0:::", True) for start in range(998)]
    words = words_of(text, tokens)
    assert len({id(word) for word in words}) == 1
    assert words[0].term.endswith(text)


def test_a_chosen_class():
    classifier = TextClassifier("complement").fit(TEXTS, LABELS)
    whole = classifier.explain(PROBE)
    last = whole.best_labels(3)[-1]
    chosen = classifier.explain(PROBE, last)
    assert (chosen.label, chosen.best) == (whole.label, whole.best)
    assert (chosen.shown, chosen.against) == (last, whole.best)
    assert chosen.leads() == whole.leads(last)
    assert chosen.terms() == whole.terms(last, whole.best)
    assert chosen.to_html() == whole.to_html(last)
    assert f"of {last}; evidence for it over {whole.best}:" in str(chosen)
    second = whole.best_labels(3)[1]
    over = classifier.explain(PROBE, last, against=second)
    assert over.leads() == whole.leads(last, second)
    assert over.to_html() == whole.to_html(last, second)
    assert f"of {last}; evidence for it over {second}:" in str(over)
    assert classifier.explain(PROBE, against=last).leads() == whole.leads(whole.best, last)
    assert classifier.compact().explain(PROBE, last).shown == last
    for wrong in ({"label": "garin"}, {"against": "garin"}):
        with pytest.raises(ParameterError, match="Did you mean 'grain'"):
            classifier.explain(PROBE, **wrong)


def test_a_chosen_class_of_lists():
    classifier = TextClassifier("complement").fit(TEXTS, LISTS)
    chosen = classifier.explain(PROBE, "energy")
    assert (chosen.shown, chosen.against) == ("energy", None)
    np.testing.assert_array_equal([lead for _, lead in chosen.leads()], chosen.contributions[:, 0])
    assert classifier.explain(PROBE, "energy", "oil").against == "oil"


def test_control_characters_are_shown_and_not_printed():
    hostile = "win\x1b]0;owned\x07\u202e"
    classifier = TextClassifier("multinomial", TextCounter(tokens=r"\S+"))
    classifier.fit([hostile, "lunch 밀"], [f"a{hostile}", "b\n"])
    found = classifier.explain(f"{hostile} lunch 밀")
    for shown in (str(found), found.to_html(), re.sub(r"\x1b\[[0-9;]*m", "", printed(found))):
        assert not set(shown) & set("\x1b\x07\u202e")
        assert r"win\x1b]0;owned\x07\u202e" in shown
        assert r"b\n" in shown
        assert "밀" in shown
    assert found.text == f"{hostile} lunch 밀"
    assert json.loads(found.to_json())["text"] == f"{hostile} lunch 밀"
