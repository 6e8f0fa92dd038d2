import tarfile

import pytest

from textbayes.datasets import load_sector
from textbayes.errors import NoDocumentsError


@pytest.fixture
def tree(tmp_path):
    def make(*names):
        for name in names:
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"Server: x\n\n<p>caf\xe9<p>bar")
        return tmp_path / "in"

    return make


@pytest.mark.parametrize("top", ["", "sector/", "data/sector/"])
def test_a_flat_list_of_industries(tree, top):
    corpus = load_sector(tree(f"{top}oil/http:^^a", f"{top}coal/http:^^b", f"{top}coal/a"))
    assert [(d.id, d.labels) for d in corpus] == [
        ("coal/a", ("coal",)),
        ("coal/http:^^b", ("coal",)),
        ("oil/http:^^a", ("oil",)),
    ]
    assert corpus.train.texts == []


def test_industries_grouped_by_sector(tree):
    corpus = load_sector(
        tree("s/energy/coal/1", "s/energy/misc/1", "s/transport/misc/1", "s/energy/coal/._1")
    )
    assert corpus.classes == ["energy/coal", "energy/misc", "transport/misc"]


def test_one_class_keeps_its_name(tree):
    assert load_sector(tree("sector/coal/1", "sector/coal/2")).classes == ["coal"]


def test_105_classes_from_a_tar(tree, tmp_path):
    folder = tree(*(f"sector/class{n:03}/{page}" for n in range(105) for page in "ab"))
    with tarfile.open(tmp_path / "sector.tar.gz", "w:gz") as tar:
        tar.add(folder / "sector", "sector")
    corpus = load_sector(tmp_path / "sector.tar.gz")
    assert (len(corpus), len(corpus.classes)) == (210, 105)
    assert list(corpus) == list(load_sector(folder))


def test_html(tree):
    folder = tree("coal/1", "oil/1")
    assert load_sector(folder)[0].text == "Server: x\n\n<p>café<p>bar"
    assert load_sector(folder, html=False)[0].text == "café bar"


def test_nothing_to_load(tmp_path):
    (tmp_path / "README").touch()
    with pytest.raises(NoDocumentsError, match="a folder for each class"):
        load_sector(tmp_path)
