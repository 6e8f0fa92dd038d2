"""The table of corpora is consistent."""

import re

import pytest

from textbayes import datasets
from textbayes.datasets.registry import CORPORA, corpus_entry, find_archive
from textbayes.errors import ParameterError

ENTRIES = [pytest.param(entry, id=name) for name, entry in CORPORA.items()]


def test_names():
    assert list(CORPORA) == [
        "reuters21578",
        "newsgroups",
        "newsgroups-19997",
        "newsgroups-18828",
        "webkb",
        "sector",
    ]


def test_the_table_cannot_be_changed():
    with pytest.raises(TypeError):
        CORPORA["mine"] = CORPORA["webkb"]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_entry_is_complete(entry):
    assert entry.title
    assert entry.about.endswith(".")
    assert entry.terms.endswith(".")
    assert entry.homepage.startswith("http")
    assert entry.documents > 1000
    assert entry.classes > 1
    assert callable(getattr(datasets, entry.loader))


@pytest.mark.parametrize("entry", ENTRIES)
def test_archives(entry):
    files = [archive.file for archive in entry.archives]
    assert len(set(files)) == len(files)
    for archive in entry.archives:
        assert re.fullmatch(r"[\w.-]+\.(tar\.xz|g?tar\.gz)", archive.file)
        assert archive.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", archive.sha256)
        assert (archive.size is None) == (archive.sha256 is None)
    assert set(entry.digests) == {archive.sha256 for archive in entry.archives} - {None}


def test_no_two_corpora_share_a_file():
    files = [archive.file for entry in CORPORA.values() for archive in entry.archives]
    digests = [digest for entry in CORPORA.values() for digest in entry.digests]
    assert len(set(files)) == len(files)
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("entry", ENTRIES)
def test_corpora_without_a_checksum_use_https(entry):
    assert entry.urls
    assert all(url.startswith(("http://", "https://")) for url in entry.urls)
    if entry.archive.sha256 is None:
        assert all(url.startswith("https://") for url in entry.urls)


@pytest.mark.parametrize("entry", ENTRIES)
def test_https_comes_first(entry):
    secure = [url.startswith("https://") for url in entry.urls]
    assert secure == sorted(secure, reverse=True)
    assert entry.homepage.startswith("https://")
    for url in entry.urls:
        assert url.replace("http://", "https://") in entry.urls


@pytest.mark.parametrize(
    ("name", "path", "is_document"),
    [
        ("reuters21578", "reut2-000.sgm", True),
        ("reuters21578", "reuters21578/reut2-021.sgm", True),
        ("reuters21578", "reuters21578/lewis.dtd", False),
        ("newsgroups", "20news-bydate-train/comp.os.ms-windows.misc/9141", True),
        ("newsgroups", "20_newsgroups/sci.med/9141", False),
        ("newsgroups-19997", "20_newsgroups/sci.med/9141", True),
        ("newsgroups-18828", "20news-18828/sci.med/9141", True),
        ("webkb", "webkb/course/misc/http:^^www.example.edu^강의^", True),
        ("webkb", "webkb/README", False),
        ("sector", "sector/energy.sector/coal.industry/http:^^x", True),
        ("sector", "sector/README", False),
    ],
)
def test_layouts(name, path, is_document):
    assert CORPORA[name].layout.matches(path) is is_document


def test_unknown_name():
    with pytest.raises(ParameterError, match=r"Did you mean 'webkb'\?"):
        corpus_entry("web-kb")
    with pytest.raises(ParameterError, match="Pass one of: reuters21578, newsgroups,"):
        corpus_entry("코퍼스 🙂")


def test_find_archive(tmp_path, monkeypatch):
    entry = corpus_entry("webkb")
    assert find_archive(entry, tmp_path) is None
    (tmp_path / "webkb.tar.xz").mkdir()
    assert find_archive(entry, tmp_path) is None
    (tmp_path / "webkb-data.gtar.gz").write_bytes(b"")
    assert find_archive(entry, tmp_path) == tmp_path / "webkb-data.gtar.gz"
    monkeypatch.setenv("TEXTBAYES_DATA", str(tmp_path))
    assert find_archive(entry) == tmp_path / "webkb-data.gtar.gz"
