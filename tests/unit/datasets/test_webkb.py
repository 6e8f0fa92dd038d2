from collections import Counter

import pytest

from textbayes.datasets import load_webkb
from textbayes.errors import NoDocumentsError, ParameterError

PAGE = b"Date: today\r\nServer: x\r\n\r\n<HTML><TITLE>Caf\xe9</TITLE>\n<BODY>one<br>two"


@pytest.fixture
def tree(tmp_path):
    for name in (
        "course/cornell/http:^^a",
        "student/misc/b",
        "staff/texas/c",
        "other/misc/d",
        "course/elsewhere/e",
        "x",
    ):
        path = tmp_path / "webkb" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAGE)
    return tmp_path


def test_classes(tree):
    assert [d.id for d in load_webkb(tree)] == ["course/cornell/http:^^a", "student/misc/b"]
    assert load_webkb(tree / "webkb", classes="all").classes == ["course", "other", "staff", "student"]


def test_html(tree):
    assert load_webkb(tree)[0].text == PAGE.decode("latin-1")
    assert load_webkb(tree, html=False)[0].text == "Café one two"


def test_a_university_may_be_the_test_split(tree):
    assert [d.split for d in load_webkb(tree)] == [None, None]
    assert [d.split for d in load_webkb(tree, test_university="cornell")] == ["test", "train"]


def test_options_and_nothing_to_load(tree, tmp_path):
    with pytest.raises(ParameterError, match=r"classes='common' is not an option\. Did you mean 'common4'"):
        load_webkb(tree, classes="common")
    with pytest.raises(ParameterError, match="Did you mean 'cornell'"):
        load_webkb(tree, test_university="Cornell")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoDocumentsError, match="CLASS/UNIVERSITY/URL"):
        load_webkb(tmp_path / "empty")


@pytest.fixture(scope="module")
def webkb(shared_data):
    return load_webkb(shared_data("webkb.tar.xz"), classes="all", test_university="texas")


def test_the_real_corpus_has_its_published_counts(webkb, shared_data):
    assert Counter(webkb.label) == {
        "student": 1_641,
        "faculty": 1_124,
        "course": 930,
        "project": 504,
        "department": 182,
        "staff": 137,
        "other": 3_764,
    }
    universities = Counter(document.id.split("/")[1] for document in webkb)
    assert universities == {
        "cornell": 867,
        "texas": 827,
        "washington": 1_205,
        "wisconsin": 1_263,
        "misc": 4_120,
    }
    assert (len(webkb), len(webkb.test)) == (8_282, 827)
    assert len(load_webkb(shared_data("webkb.tar.xz"))) == 4_199


@pytest.mark.slow
def test_the_files_agree_with_the_json_lines(webkb, shared_data):
    others = load_webkb(shared_data("webkb.jsonl.zst"), classes="all", test_university="texas")
    assert list(webkb) == list(others)


@pytest.mark.slow
def test_tags_are_stripped_from_real_pages(shared_data):
    corpus = load_webkb(shared_data("webkb.tar.xz"), html=False)
    assert len(corpus) == 4_199
    assert sum("<body" in text.lower() or "content-type:" in text.lower() for text in corpus.texts) < 20
    assert sum(len(text.split()) < 5 for text in corpus.texts) < 120
