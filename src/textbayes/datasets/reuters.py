"""Reuters-21578, Distribution 1.0: 22 SGML files → documents with topics and one of three splits."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import compress
from typing import NamedTuple

from textbayes.datasets.archives import Parts, read_files
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.location import locate_corpus
from textbayes.errors import NoDocumentsError, ParameterError, RecordError

_OPENING = re.compile(r"<REUTERS\b([^>]*)>")
_CLOSING = "</REUTERS>"
_ATTRIBUTE = re.compile(r'([A-Z]+)\s*=\s*"([^"]*)"')
_TEXT = re.compile(r'<TEXT(?:\s+TYPE="([A-Z]*)")?\s*>(.*)</TEXT>', re.DOTALL)
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
_DATELINE = re.compile(r"<DATELINE>(.*?)</DATELINE>", re.DOTALL)
_BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)
_D = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_ENTITY = re.compile(r"&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(lt|gt|amp|quot|apos));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

Attributes = Mapping[str, str]


def _mod_apte(story: Attributes) -> str | None:
    return story["LEWISSPLIT"] if story["TOPICS"] == "YES" else None


def _mod_lewis(story: Attributes) -> str | None:
    return story["LEWISSPLIT"] if story["TOPICS"] in {"YES", "NO"} else None


def _mod_hayes(story: Attributes) -> str | None:
    return story["CGISPLIT"]


_SPLITS: dict[str, Callable[[Attributes], str | None]] = {
    "ModApte": _mod_apte,
    "ModLewis": _mod_lewis,
    "ModHayes": _mod_hayes,
}
_SETS = {"TRAIN": "train", "TEST": "test", "TRAINING-SET": "train", "PUBLISHED-TESTSET": "test"}


def load_reuters21578(
    path: str | os.PathLike[str] | None = None,
    split: str = "ModApte",
    *,
    title: bool = True,
    body: bool = True,
    dateline: bool = False,
) -> Corpus:
    r"""Load Reuters-21578 with its topics.

    Parameters
    ----------
    path : path, optional
        The folder or tar with the files ``reut2-000.sgm`` to ``reut2-021.sgm``; by default the one in
        ``data_home()``.
    split : {"ModApte", "ModLewis", "ModHayes"}, default="ModApte"
        The division into training and test documents; documents in neither have the split None.
    title, body : bool, default=True
        Whether the text includes the headline and the story, each on its own line.
    dateline : bool, default=False
        Whether the text includes the place and date of the story, on a line between the two.

    Returns
    -------
    Corpus
        All 21,578 documents in the order of their ids (``NEWID``), with any number of topics.

    Notes
    -----
    ModApte has 9,603 training and 3,299 test documents, 7,775 and 3,019 of them with a topic. ModLewis
    has 13,625 and 6,188, ModHayes 20,856 and 722. Authors are dropped. A ``BRIEF`` document has a headline
    and no story. An ``UNPROC`` document has no structure: its whole text counts as the story. References to
    control characters are dropped.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from textbayes.datasets import load_reuters21578
    >>> folder = tempfile.TemporaryDirectory()
    >>> _ = pathlib.Path(folder.name, "reut2-000.sgm").write_text('''<!DOCTYPE lewis SYSTEM "lewis.dtd">
    ... <REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="1">
    ... <TOPICS><D>wheat</D><D>grain</D></TOPICS>
    ... <TEXT><TITLE>WHEAT UP</TITLE><BODY>Up 2 pct &lt;ABC>.</BODY></TEXT>
    ... </REUTERS>''')
    >>> load_reuters21578(folder.name)[0]
    Document(text='WHEAT UP\nUp 2 pct <ABC>.', labels=('wheat', 'grain'), split='train', id='1')
    >>> folder.cleanup()
    """
    if split not in _SPLITS:
        raise ParameterError("split", split, _SPLITS)
    place = locate_corpus("reuters21578", path)
    stories = [
        story for parts, data in read_files(place, _is_sgml) for story in _parse("/".join(parts), data)
    ]
    if not stories:
        raise NoDocumentsError(str(place), "the files reut2-000.sgm to reut2-021.sgm")
    stories.sort(key=lambda story: int(story.attributes["NEWID"]))
    return Corpus(
        f"Reuters-21578 {split}",
        [_document(story, _SPLITS[split], (title, dateline, body)) for story in stories],
    )


def categories_in_both(corpus: Corpus) -> list[str]:
    """Return the labels that have at least one training and one test document, sorted.

    For Reuters-21578 with the ModApte split these are the 90 categories on which results are reported.

    Examples
    --------
    >>> from textbayes.datasets import Corpus, Document, categories_in_both
    >>> documents = [Document("a", ("x", "y"), "train"), Document("b", ("y", "z"), "test")]
    >>> categories_in_both(Corpus("tiny", documents))
    ['y']
    """
    return sorted(set(corpus.train.classes) & set(corpus.test.classes))


class _Story(NamedTuple):
    attributes: Attributes
    topics: tuple[str, ...]
    title: str
    dateline: str
    body: str

    @property
    def parts(self) -> tuple[str, str, str]:
        return self.title, self.dateline, self.body


def _is_sgml(parts: Parts) -> bool:
    return re.fullmatch(r"reut2-\d+\.sgm", parts[-1], re.IGNORECASE) is not None


def _parse(name: str, data: bytes) -> Iterator[_Story]:
    # The files are not valid SGML: they have references to control characters, and bytes above 127 without a
    # declared encoding. So the few tags are parsed by hand, in Latin-1, which decodes every byte.
    content = data.decode("latin-1")
    for opening, end in _elements(name, content):
        attributes = dict(_ATTRIBUTE.findall(opening[1]))
        missing = [key for key in ("NEWID", "TOPICS", "LEWISSPLIT", "CGISPLIT") if key not in attributes]
        if missing:
            raise _broken(name, opening, f"a <REUTERS> element has no {missing[0]}")
        if not attributes["NEWID"].isdecimal():
            raise _broken(name, opening, f"NEWID is {attributes['NEWID']!r}, not a number")
        yield _story(attributes, content[opening.end() : end])


def _elements(name: str, content: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield each opening tag and the end of its content."""
    openings = list(_OPENING.finditer(content))
    limits = [opening.start() for opening in openings[1:]] + [len(content)]
    for opening, limit in zip(openings, limits, strict=True):
        end = content.find(_CLOSING, opening.end(), limit)
        if end < 0:
            raise _broken(name, opening, "the <REUTERS> element that starts here is not closed")
        yield opening, end


def _broken(name: str, opening: re.Match[str], problem: str) -> RecordError:
    return RecordError(name, opening.string.count("\n", 0, opening.start()) + 1, problem, "sgml")


def _story(attributes: Attributes, content: str) -> _Story:
    found = _TEXT.search(content)
    kind, text = (found[1], found[2]) if found else (None, "")
    head = content[: found.start()] if found else content
    # Two stories list the same topic twice.
    topics = tuple(dict.fromkeys(_unescape(topic) for topic in _D.findall(_first(_TOPICS, head))))
    if kind == "UNPROC":
        return _Story(attributes, topics, "", "", _unescape(text))
    title, dateline, body = (_unescape(_first(tag, text)) for tag in (_TITLE, _DATELINE, _BODY))
    return _Story(attributes, topics, title, dateline.strip(), body)


def _first(pattern: re.Pattern[str], content: str) -> str:
    found = pattern.search(content)
    return found[1] if found else ""


def _unescape(text: str) -> str:
    return _ENTITY.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, named = entity.groups()
    if named:
        return _NAMED[named]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    is_character = 31 < number < 0x110000 and number != 127 and not 0xD800 <= number < 0xE000
    return chr(number) if is_character else ""


def _document(
    story: _Story, split: Callable[[Attributes], str | None], included: tuple[bool, bool, bool]
) -> Document:
    parts = compress(story.parts, included)
    name = _SETS.get(split(story.attributes) or "")
    return Document("\n".join(filter(None, parts)), story.topics, name, story.attributes["NEWID"])
