"""Complete calls of predict are parsed as typer parses them; everything else is left to typer."""

import inspect
from pathlib import Path

import pytest
import typer

from textbayes.cli import predict
from textbayes.cli.predicting import write_predictions
from textbayes.cli.quick import FLAGS, REPEATED, VALUES, parse_predict


def parsed_by_typer(args, monkeypatch):
    """Return what the typer command passes to write_predictions; None if it stops before."""
    calls = []
    monkeypatch.setattr(
        predict,
        "write_predictions",
        lambda model, data, **options: calls.append({"model": model, "data": data, **options}),
    )
    typer.main.get_command(predict.app)(args=args[1:], standalone_mode=False)
    return calls[0]


def defaults():
    parameters = inspect.signature(write_predictions).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


COMPLETE = [
    ["m.tb", "-"],
    ["m.tb", "mails.csv", "--proba", "--csv"],
    ["--json", "m.tb", "--top", "3", "mails.csv"],
    ["m.tb", "-", "--top=12", "--reject-below", "0.5", "--reject-below=.75"],
    ["m.tb", "x", "--reject-below", "1", "--text", "body", "--id=key", "--format", "tsv"],
    ["m.tb", "밀.csv", "--encoding", "latin-1", "--only", "test set", "--text", ""],
    ["m.tb", "-", "more", "--text", "title", "--text=본문", "--no-header"],
    ["m.tb", "a.csv", "-o", "b.parquet", "--columns", "a,b", "--columns=c", "--with-text"],
    ["m.tb", "a.csv", "--output=b.csv"],
    ["m.tb", "a.txt", "b.txt", "--delimiter", "tab", "--delimiter=;", "--on-error", "skip"],
]


@pytest.mark.parametrize("args", COMPLETE, ids=" ".join)
def test_complete_calls_are_parsed_as_by_typer(args, monkeypatch):
    found = parse_predict(["predict", *args])
    assert {**defaults(), **found} == parsed_by_typer(["predict", *args], monkeypatch)
    assert isinstance(found["model"], Path)


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--help"],
        ["predict"],
        ["predict", "--help"],
        ["predict", "-h", "m.tb", "-"],
        ["predict", "m.tb"],
        ["predict", "m.tb", "-", "--unknown"],
        ["predict", "m.tb", "-", "-o=b.csv"],
        ["predict", "m.tb", "-", "-ob.csv"],
        ["predict", "m.tb", "-", "-o"],
        ["predict", "m.tb", "-", "--prob"],
        ["predict", "m.tb", "-", "--top"],
        ["predict", "m.tb", "-", "--top", "0"],
        ["predict", "m.tb", "-", "--top", "-1"],
        ["predict", "m.tb", "-", "--top", "²"],
        ["predict", "m.tb", "-", "--top", "1" * 5000],
        ["predict", "m.tb", "-", "--reject-below", "1.5"],
        ["predict", "m.tb", "-", "--reject-below", "nan"],
        ["predict", "m.tb", "-", "--reject-below", "1e-3"],
        ["predict", "m.tb", "-", "--proba=yes"],
        ["predict", "m.tb", "-", "--csv", "--json"],
        ["predict", "m.tb", "-", "--text", "--proba"],
        ["predict", "--", "m.tb", "-"],
        ["train", "m.tb", "-"],
    ],
    ids=lambda args: " ".join(args)[:40],
)
def test_everything_else_is_left_to_typer(args):
    assert parse_predict(args) is None


def test_every_option_of_the_command_is_known():
    command = typer.main.get_command(predict.app)
    options = {name: each.name for each in command.params for name in each.opts if name.startswith("-")}
    options.pop("--help", None)
    assert options == FLAGS | REPEATED | {name: parameter for name, (parameter, _) in VALUES.items()}
