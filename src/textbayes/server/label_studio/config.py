"""The labelling configuration of a project: which text is labelled, with which choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.parsers import expat

from textbayes.errors import RequestFieldError

_MOST_CHARACTERS, _MOST_TAGS, _DEEPEST = 1 << 20, 20_000, 100
_TEXTS = ("Text", "HyperText")
# The key of a task that was imported as plain text.
_UNDEFINED = "$undefined$"


@dataclass(frozen=True, slots=True)
class LabelConfig:
    """What a project labels.

    Parameters
    ----------
    from_name : str
        The name of the choices.
    to_name : str
        The name of the text.
    field : str
        The field of a task that has the text.
    choices : tuple of str
        The labels; none if the configuration takes them from each task.
    several : bool
        Whether a text may have several labels.
    """

    from_name: str
    to_name: str
    field: str
    choices: tuple[str, ...]
    several: bool

    def text_of(self, task: Any) -> str | None:
        """Return the text of a task, or None if it has none."""
        data = task.get("data") if isinstance(task, Mapping) else None
        if not isinstance(data, Mapping):
            return None
        found = data.get(self.field, data.get(_UNDEFINED))
        if isinstance(found, int | float) and not isinstance(found, bool):
            return str(found)
        return found if isinstance(found, str) else None


@lru_cache(maxsize=64)
def parse_config(xml: str) -> LabelConfig:
    r"""Find the text and its choices in a labelling configuration.

    Parameters
    ----------
    xml : str
        The configuration. A document type, and so entities of its own, is refused.

    Raises
    ------
    RequestFieldError
        If it is not XML, or has no choices for a text.

    Examples
    --------
    >>> from textbayes.server.label_studio import parse_config
    >>> text, choice = '<Text name="text" value="$body"/>', '<Choice value="spam"/><Choice value="ham"/>'
    >>> found = parse_config(f'<View>{text}<Choices name="label" toName="text">{choice}</Choices></View>')
    >>> found.from_name, found.field, found.choices, found.several
    ('label', 'body', ('spam', 'ham'), False)
    """
    reader = _Reader()
    reader.read(xml)
    for choices in reader.choices:
        for target in (name.strip() for name in choices.target.split(",")):
            value = reader.texts.get(target, "")
            if value.startswith("$") and len(value) > 1:
                several = choices.kind == "multiple"
                return LabelConfig(choices.name, target, value[1:], tuple(choices.values), several)
    raise RequestFieldError(
        "The labelling configuration has no <Choices> for a <Text>",
        'Use one such as <Text name="text" value="$text"/> <Choices name="label" toName="text">…</Choices>',
    )


class _Choices:
    """A tag <Choices>, and the values of its tags <Choice>."""

    def __init__(self, attributes: Mapping[str, str]) -> None:
        self.name, self.target = attributes.get("name", ""), attributes.get("toName", "")
        self.kind = attributes.get("choice", "single")
        self.values: list[str] = []


class _Reader:
    """Collects tags, without building a tree."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.choices: list[_Choices] = []
        self._open: list[tuple[str, _Choices | None]] = []
        self._tags = 0

    def read(self, xml: str) -> None:
        if len(xml) > _MOST_CHARACTERS:
            raise _invalid(f"it has more than {_MOST_CHARACTERS:,} characters")
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = _refuse_doctype
        try:
            parser.Parse(xml.encode(), True)
        except expat.ExpatError as error:
            raise _invalid(str(error)) from None
        except UnicodeEncodeError:
            raise _invalid("it has half a surrogate pair") from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._tags += 1
        if self._tags > _MOST_TAGS or len(self._open) >= _DEEPEST:
            raise _invalid(f"it has more than {_MOST_TAGS:,} tags, or {_DEEPEST} inside each other")
        made = None
        if name in _TEXTS and attributes.get("valueType") != "url":
            self.texts[attributes.get("name", "")] = attributes.get("value", "")
        elif name == "Choices" and attributes.get("perRegion") != "true":
            made = _Choices(attributes)
            self.choices.append(made)
        elif name == "Choice":
            self._add_choice(attributes.get("alias") or attributes.get("value"))
        self._open.append((name, made))

    def _add_choice(self, value: str | None) -> None:
        inside = next((made for _, made in reversed(self._open) if made is not None), None)
        if inside is not None and value:
            inside.values.append(value)

    def _end(self, _name: str) -> None:
        self._open.pop()


def _refuse_doctype(*_given: Any) -> None:
    raise _invalid("it has a document type")


def _invalid(reason: str) -> RequestFieldError:
    return RequestFieldError(
        f"The labelling configuration cannot be read: {reason}", "Send the configuration of the project"
    )
