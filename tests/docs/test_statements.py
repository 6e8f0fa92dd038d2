"""What the documentation says about options, defaults and numbers is what the code has."""

import re
import tomllib
from collections import Counter

import pytest
from pages import DOCS, PAGES, REPOSITORY, name_of
from test_cli_page import COMMANDS, section

from textbayes import TextCounter
from textbayes.datasets.formats import FORMATS
from textbayes.estimators.models.left_out import FOLDS, ONE_BY_ONE
from textbayes.estimators.text.model_names import default_counter
from textbayes.evaluation.rows import SAMPLES
from textbayes.measures import METRICS, SEARCHED_METRICS
from textbayes.text.settings import NUMBER_RULES, STOP_WORD_LISTS, TOKEN_RULES, UNITS

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NUMBERS = {10: "ten"}


def text_of(name):
    """Return a page as one line."""
    return " ".join((REPOSITORY / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_every_command_prints_json(path, command):
    assert "Every command has `--help` (or `-h`) and `--json`." in text_of("docs/cli.md")
    assert any("--json" in parameter.opts for parameter in command.params), f"{path} has no --json"


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_defaults_are_documented(path, command):
    # Options for reading DATA are described once.
    text = section(path) + (section("DATA") if "[DATA](#data)" in section(path) else "")
    rows = [line for line in text.split("\n") if line.startswith("| `")]
    for parameter in command.params:
        default = parameter.default
        if default in (None, False, True) or callable(default):
            continue
        said = " ".join(row for row in rows if any(f"`{name}" in row for name in parameter.opts))
        ways = (f"Default: {default}", f"Default: `{default}`", f"`{default}` (default")
        assert any(way in said for way in ways), (
            f"docs/cli.md, {path}: the default of {parameter.opts} is {default}"
        )


def test_a_command_names_the_choices_of_its_options():
    train, compare, data = (section(path) for path in ("textbayes train", "textbayes compare", "DATA"))
    assert [name for name in SEARCHED_METRICS if f"`{name}`" not in train] == []
    for names in (TOKEN_RULES, UNITS, STOP_WORD_LISTS):
        assert [name for name in names if f"`{name}`" not in train] == []
    assert [name for name in METRICS if f"`{name}`" not in compare] == []
    assert [name for name in FORMATS if f"`{name}`" not in data] == []


def test_the_guide_of_evaluation_names_every_metric():
    metrics = re.search(r"- \*\*Metrics\*\*: (.*?)\.", text_of("docs/guide/evaluating.md"))[1]
    assert re.findall(r'"(\w+)"', metrics) == list(METRICS)


@pytest.mark.parametrize("page", ["cli.md", "guide/evaluating.md", "guide/explanations.md"])
def test_when_folds_are_left_out(page):
    text = text_of(f"docs/{page}")
    folds = rf"{NUMBERS[FOLDS]} folds instead (of leave-one-out )?above {ONE_BY_ONE} (doc|text)"
    assert re.search(folds, text)


def test_bootstrap_samples():
    assert f"{SAMPLES:,} bootstrap samples" in text_of("docs/guide/evaluating.md")


def test_the_guide_of_counting_names_every_rule_and_the_default():
    text = text_of("docs/guide/counting.md")
    for rule in (*TOKEN_RULES, *UNITS, *NUMBER_RULES):
        assert f'"{rule}"' in text
    assert f'| `"{TextCounter().tokens}"` (default) |' in text


def test_the_readme_and_the_default_counter_agree():
    assert "need no segmenter" in text_of("README.md")
    assert repr(default_counter("complement")) == repr(TextCounter())
    assert TextCounter().terms("東京都") == ["東京", "京都"]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_how_to_install(page):
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    assert re.search(r"^    pip install \.( |$)", text, re.MULTILINE)
    assert f"Python {PROJECT['requires-python'].removeprefix('>=')} or later" in " ".join(text.split())


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_extras_exist(page):
    for names in re.findall(r"(?:textbayes|\.)\[([a-z,]+)\]'", page.read_text(encoding="utf-8")):
        assert set(names.split(",")) <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_nothing_is_said_twice_on_a_page(page):
    paragraphs = re.split(r"\n\s*\n", page.read_text(encoding="utf-8"))
    said = Counter(" ".join(each.split()) for each in paragraphs if len(each.split()) > 8)
    assert [each for each, times in said.items() if times > 1] == []


def test_a_document_to_forget_is_a_bag_of_words():
    for page in ("docs/cli.md", "docs/http.md", "docs/guide/text_classifier.md"):
        assert "bag of words" in text_of(page)
    for page in PAGES:
        assert "word for word" not in text_of(name_of(page))


def test_the_reference_has_one_introduction():
    before, _, _ = (DOCS / "reference.md").read_text(encoding="utf-8").partition("\n## ")
    assert len([each for each in before.split("\n\n") if each.strip()]) == 2
