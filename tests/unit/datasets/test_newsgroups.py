from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import _twenty_newsgroups as peer

from textbayes.datasets import load_newsgroups
from textbayes.datasets.newsgroups import strip_footer, strip_headers, strip_quotes
from textbayes.errors import NoDocumentsError, ParameterError

MESSAGE = (
    "From: 가@x\nNewsgroups: sci.space\n\nIn article <1> Jo writes:\n> quoted\n\nMine 😀\n\n--\nsignature\n"
)
WORDS = [
    "\n",
    "\n",
    "\n\n",
    "--",
    "- ",
    ">",
    "|",
    "wrote:",
    "writes in",
    "In article",
    "Quoted from",
    " ",
    "\t",
    "가",
    "\r",
]


@pytest.fixture
def write(tmp_path):
    def write(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(MESSAGE.encode())
        return tmp_path

    return write


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map("".join)))
def test_stripping_equals_scikit_learn(text):
    assert strip_headers(text) == peer.strip_newsgroup_header(text)
    assert strip_quotes(text) == peer.strip_newsgroup_quoting(text)
    assert strip_footer(text) == peer.strip_newsgroup_footer(text)


def test_splits_labels_and_ids(write):
    root = write(
        "20news-bydate-test/sci.space/2",
        "20news-bydate-train/sci.space/10",
        "20news-bydate-train/alt/3",
        "README",
    )
    corpus = load_newsgroups(root)
    assert [(d.id, d.split, d.labels) for d in corpus] == [
        ("train/alt/3", "train", ("alt",)),
        ("train/sci.space/10", "train", ("sci.space",)),
        ("test/sci.space/2", "test", ("sci.space",)),
    ]
    assert corpus.name == "20 Newsgroups bydate"


@pytest.mark.parametrize(("version", "headers"), [("19997", False), ("18828", True)])
def test_versions_without_a_split(write, version, headers):
    for root in (write("top/sci.space/1"), write("top/sci.space/1") / "top"):
        (document,) = load_newsgroups(root, version)
        assert (document.id, document.split, document.label) == ("sci.space/1", None, "sci.space")
        assert document.text.startswith("From:") is headers


def test_headers_can_be_chosen(write):
    root = write("x/sci.space/1")
    assert load_newsgroups(root, "19997", headers=True)[0].text.startswith("From:")
    text = load_newsgroups(root, "18828", headers=False, quotes=False, footers=False)[0].text
    assert text == "\nMine 😀\n".encode().decode("latin-1")


def test_nothing_to_load(write):
    with pytest.raises(NoDocumentsError, match="20news-bydate-train/GROUP/NUMBER"):
        load_newsgroups(write("sci.space/1"))
    with pytest.raises(ParameterError, match=r"version='by-date' is not an option\. Did you mean 'bydate'"):
        load_newsgroups(version="by-date")


@pytest.fixture(scope="module")
def bydate(shared_data):
    return load_newsgroups(shared_data("20news-bydate.tar.xz"))


def test_bydate_has_its_published_counts(bydate):
    assert (len(bydate), len(bydate.train), len(bydate.test), len(bydate.classes)) == (
        18_846,
        11_314,
        7_532,
        20,
    )
    for part, atheism, religion in [(bydate.train, 480, 377), (bydate.test, 319, 251)]:
        counts = Counter(part.label)
        assert (counts["alt.atheism"], counts["talk.religion.misc"]) == (atheism, religion)


@pytest.mark.slow
def test_bydate_agrees_with_the_json_lines(bydate, shared_data):
    assert list(bydate) == list(load_newsgroups(shared_data("20news-bydate.jsonl.zst")))


@pytest.mark.slow
def test_stripping_equals_scikit_learn_on_the_real_corpus(bydate, shared_data):
    bare = load_newsgroups(shared_data("20news-bydate.tar.xz"), headers=False, quotes=False, footers=False)
    for whole, stripped in zip(bydate, bare, strict=True):
        text = peer.strip_newsgroup_footer(peer.strip_newsgroup_header(whole.text))
        assert stripped.text == peer.strip_newsgroup_quoting(text)


@pytest.mark.slow
def test_19997_has_its_published_counts_and_no_headers(shared_data):
    corpus = load_newsgroups(shared_data("20news-19997.tar.xz"), "19997")
    counts = Counter(corpus.label)
    assert (len(corpus), len(corpus.train), len(corpus.test)) == (19_997, 0, 0)
    assert counts.pop("soc.religion.christian") == 997
    assert set(counts.values()) == {1_000}
    assert list(corpus) == list(load_newsgroups(shared_data("20news-19997.jsonl.zst"), "19997"))
    # Only messages that quote or forward a complete message still have such a line.
    assert sum("\nXref: " in f"\n{text}" for text in corpus.texts) < 20


@pytest.mark.slow
def test_18828_has_its_published_counts(shared_data):
    corpus = load_newsgroups(shared_data("20news-18828.jsonl.zst"), "18828")
    counts = Counter(corpus.label)
    assert (len(corpus), len(counts)) == (18_828, 20)
    assert (counts["alt.atheism"], counts["rec.sport.hockey"]) == (799, 999)
