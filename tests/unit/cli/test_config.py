"""Options of a command in a TOML file."""

import tomllib

import pytest
import typer.main

from textbayes.cli.config import read_config, write_config
from textbayes.cli.train import app
from textbayes.errors import FileMissingError, ParameterError, RecordError

TRAIN = typer.main.get_command(app)


def read(tmp_path, text):
    path = tmp_path / "설정.toml"
    path.write_text(text, encoding="utf-8")
    return read_config(path, TRAIN)


def test_values_are_those_of_a_command_line(tmp_path):
    text = 'model = "twcnb"\nmin-df = 2\nmin_df = 3\nngrams = [1, 2]\nlowercase = false\nbudget = 1.5\n'
    with pytest.raises(ParameterError, match="'min-df' twice"):
        read(tmp_path, text)
    found = read(tmp_path, text.replace("min_df = 3\n", ""))
    assert found == {"model": "twcnb", "min_df": "2", "ngrams": "1-2", "lowercase": False, "budget": "1.5"}


@pytest.mark.parametrize("key", ["min_dff", "outptu", "output", "config", "json", "data"])
def test_unknown_keys(tmp_path, key):
    with pytest.raises(ParameterError) as caught:
        read(tmp_path, f"{key} = 2\n")
    assert f"key={key!r} is not an option" in str(caught.value)
    assert ("Did you mean 'min-df'" in str(caught.value)) == (key == "min_dff")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FileMissingError, match="TOML"):
        read_config(tmp_path / "missing.toml", TRAIN)
    with pytest.raises(RecordError, match="this is not TOML"):
        read(tmp_path, "model: twcnb")
    with pytest.raises(ParameterError, match="a string, a number"):
        read(tmp_path, "[model]\nname = 1\n")


def test_repeatable_options(tmp_path):
    assert read(tmp_path, 'text = "body"\n') == {"text": ["body"]}
    assert read(tmp_path, 'text = ["title", "body"]\n') == {"text": ["title", "body"]}
    write_config(tmp_path / "c.toml", {"text": ["title", "body"]}, TRAIN)
    assert read_config(tmp_path / "c.toml", TRAIN) == {"text": ["title", "body"]}


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "c.toml"
    label = 'a "b" \\ 🙂 한\n\x7f'
    options = {
        "model": "auto",
        "label": label,
        "multilabel": True,
        "budget": 2.5,
        "min_df": 2,
        "stemmer": None,
    }
    write_config(path, {**options, "output": "m.tb"}, TRAIN)
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    assert written == {"model": "auto", "label": label, "multilabel": True, "budget": 2.5, "min-df": 2}
    assert read_config(path, TRAIN)["label"] == label
