"""Options of a command in a TOML file: read, and written."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.cli.outputs import write_page
from textbayes.errors import FileMissingError, ParameterError, RecordError

# Options of one call: where its results go.
_OF_A_CALL = {"output", "json", "config", "write-config", "help"}


def _use_config(context: typer.Context, path: Path | None) -> Path | None:
    """Make the values of a file the defaults of the other options, which are parsed later."""
    if path is not None and not context.resilient_parsing:
        context.default_map = {**(context.default_map or {}), **read_config(path, context.command)}
    return path


Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read options from this TOML file; those on the command line win.",
        callback=_use_config,
        is_eager=True,
        show_default=False,
    ),
]
WriteConfig = Annotated[
    Path | None,
    typer.Option(
        "--write-config",
        metavar="FILE",
        help="Write the options used to this TOML file, for --config.",
        show_default=False,
    ),
]


def read_config(path: Path, command: Any) -> dict[str, Any]:
    """Read options of a command from a TOML file, and return them by the names of its parameters.

    Parameters
    ----------
    path : Path
        The file. A key is the name of an option without the dashes in front, such as ``min-df``.
    command : command of typer
        The command, whose options are allowed.
    """
    if not path.is_file():
        folder = path.absolute().parent
        raise FileMissingError(str(path), os.listdir(folder) if folder.is_dir() else (), "a TOML file")
    try:
        found = tomllib.loads(path.read_bytes().decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecordError(str(path), 1, f"this is not TOML ({error})", "options") from None
    names = _names(command)
    options = {}
    for key, value in found.items():
        name = key.replace("_", "-")
        if name not in names:
            raise ParameterError(f"{path}: key", key, sorted(names), "A misspelt option would be ignored")
        parameter = names[name]
        if parameter.name in options:
            raise ParameterError(f"{path}: key", key, "each option once", f"The file has {name!r} twice")
        options[parameter.name] = _as_given(path, key, value, parameter.multiple)
    return options


def write_config(path: Path, options: Mapping[str, Any], command: Any) -> None:
    """Write options of a command to a TOML file.

    Parameters
    ----------
    path : Path
        The file; an existing one is replaced.
    options : mapping
        Values by the names of the command's parameters; those that are None are left out.
    command : command of typer
        The command.
    """
    lines = []
    for key, parameter in sorted(_names(command).items()):
        value = options.get(parameter.name)
        if value is not None and value not in ([], ()):
            lines.append(f"{key} = {_toml(value)}\n")
    write_page(path, "".join(lines))


def _names(command: Any) -> dict[str, Any]:
    """Return the parameter of each option that a file may have, by the option's name."""
    found = {}
    for parameter in command.params:
        long = [each for each in parameter.opts if each.startswith("--")]
        key = long[0].removeprefix("--") if long else None
        if key is not None and key not in _OF_A_CALL:
            found[key] = parameter
    return found


def _as_given(path: Path, key: str, value: Any, several: bool) -> Any:
    """Return a value as a user would give it on the command line; a list for an option that is repeatable."""
    if several and not isinstance(value, list):
        return [_as_given(path, key, value, False)]
    if isinstance(value, bool):
        return value
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
        return f"{value[0]}-{value[1]}"
    if several and all(isinstance(each, str) for each in value):
        return value
    raise ParameterError(f"{path}: {key}", value, "a string, a number, true, false, or a pair such as [1, 2]")


def _toml(value: Any) -> str:
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # A string of JSON is one of TOML, but for DEL.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
