from pathlib import Path

from textbayes.datasets import data_home


def test_the_variable_decides(monkeypatch, tmp_path):
    monkeypatch.setenv("TEXTBAYES_DATA", str(tmp_path))
    assert data_home() == tmp_path
    monkeypatch.setenv("TEXTBAYES_DATA", "~/corpora")
    assert data_home() == Path("~/corpora").expanduser()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEXTBAYES_DATA", "here")
    assert data_home() == tmp_path / "here"


def test_the_cache_folder_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("TEXTBAYES_DATA", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert data_home() == tmp_path / "textbayes"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert data_home() == Path("~/.cache/textbayes").expanduser()
    monkeypatch.setattr("sys.platform", "darwin")
    assert data_home() == Path("~/Library/Caches/textbayes").expanduser()
