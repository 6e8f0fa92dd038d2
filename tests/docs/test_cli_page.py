"""docs/cli.md has every command and every option of the program."""

import pytest
import typer.main
from pages import DOCS

from textbayes.cli.app import app
from textbayes.estimators.text.model_names import MODEL_NAMES

PAGE = (DOCS / "cli.md").read_text(encoding="utf-8")


def commands(command, path):
    """Yield each command that is not a group, with its full name."""
    command = command.load() if hasattr(command, "load") else command
    children = getattr(command, "commands", {})
    for name, child in children.items():
        if not child.hidden:
            yield from commands(child, f"{path} {name}")
    if not children:
        yield path, command


PROGRAM = typer.main.get_command(app)
COMMANDS = list(commands(PROGRAM, "textbayes"))


def section(path):
    """Return the section of a command: from its heading to the next."""
    start = PAGE.find(f"\n## {path}\n")
    assert start >= 0, f"docs/cli.md has no section ## {path}"
    return PAGE[start + 1 :].partition("\n## ")[0]


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[path for path, _ in COMMANDS])
def test_every_command_and_option_is_documented(path, command):
    text = section(path)
    for parameter in command.params:
        flags = [name for name in parameter.opts if name.startswith("-")]
        for name in flags or [parameter.metavar or parameter.name.upper()]:
            assert f"`{name}" in text, f"docs/cli.md, {path}: {name} is missing"


def test_the_options_of_the_program_are_documented():
    for parameter in PROGRAM.params:
        for name in parameter.opts:
            assert f"`{name}`" in PAGE, f"docs/cli.md: {name} is missing"


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_every_recipe_is_named(name):
    assert f"`{name}`" in section("textbayes train")


def test_there_are_commands():
    paths = {path for path, _ in COMMANDS}
    assert {"textbayes train", "textbayes predict", "textbayes data fetch", "textbayes demo"} <= paths
