import pickle

import pytest

from textbayes.datasets.location import locate_corpus
from textbayes.errors import CorpusMissingError, FileMissingError


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TEXTBAYES_DATA", str(tmp_path))
    return tmp_path


def test_a_given_path_is_used(home):
    assert locate_corpus("webkb", home) == home
    with pytest.raises(FileMissingError):
        locate_corpus("webkb", home / "no")


def test_a_missing_corpus_names_the_places_and_the_command(home):
    with pytest.raises(CorpusMissingError, match="'newsgroups' is not on this machine") as caught:
        locate_corpus("newsgroups", None)
    assert str(home / "20news-bydate.tar.gz") in caught.value.why
    assert "`textbayes data fetch newsgroups`" in caught.value.todo
    assert isinstance(caught.value, FileNotFoundError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_archives_and_folders_are_found(home):
    (home / "webkb.tar.xz").touch()
    assert locate_corpus("webkb", None) == home / "webkb.tar.xz"
    (home / "webkb-data.gtar.gz").touch()
    assert locate_corpus("webkb", None) == home / "webkb-data.gtar.gz"
    (home / "webkb").mkdir()
    assert locate_corpus("webkb", None) == home / "webkb"
