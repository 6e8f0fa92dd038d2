"""The corpora of the papers, each read once."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from textbayes.datasets import (
    Corpus,
    data_home,
    load_newsgroups,
    load_reuters21578,
    load_sector,
    load_webkb,
    read_documents,
)
from textbayes.datasets.archives import missing_path
from textbayes.datasets.registry import corpus_entry, find_archive
from textbayes.errors import CorpusMissingError

REUTERS = "Reuters-21578"
NEWSGROUPS = "20 Newsgroups"
WEBKB = "WebKB"
SECTOR = "Industry Sector"
KOREAN = "KoreanNews2002"

Loaded = TypeVar("Loaded")


class Corpora:
    """The corpora of the papers, loaded on first use.

    Parameters
    ----------
    folder : path, optional
        The folder of corpora; by default ``data_home()``.
    named : path, optional
        The user's own corpus: any file or folder that :func:`read_documents` reads.
    quick : bool, default=False
        Whether to use fewer folds, runs and sizes.

    Examples
    --------
    >>> from textbayes.papers.corpora import Corpora
    >>> Corpora("/nowhere")
    Traceback (most recent call last):
    ...
    textbayes.errors.FileMissingError: There is nothing at '/nowhere'.
    ...
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        named: str | os.PathLike[str] | None = None,
        quick: bool = False,
    ) -> None:
        self.folder = data_home() if folder is None else Path(folder)
        if folder is not None and not self.folder.is_dir():
            raise missing_path(self.folder)
        self.named_path = None if named is None else Path(named)
        self.quick = quick
        self._cache: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], Loaded]) -> Loaded:
        """Return the cached value of ``make()``; call it on first use."""
        if name not in self._cache:
            self._cache[name] = make()
        cached: Loaded = self._cache[name]
        return cached

    @cached_property
    def reuters(self) -> Corpus:
        """Reuters-21578, ModApte."""
        return load_reuters21578(self._place("reuters21578"))

    @cached_property
    def reuters_lewis(self) -> Corpus:
        """Reuters-21578, ModLewis, with datelines: includes documents with TOPICS="NO", unlike ModApte."""
        return load_reuters21578(self._place("reuters21578"), "ModLewis", dateline=True)

    @cached_property
    def newsgroups(self) -> Corpus:
        """20 Newsgroups with cross-posts, 19,997 messages, without headers."""
        return load_newsgroups(self._place("newsgroups-19997"), "19997")

    @cached_property
    def newsgroups_once(self) -> Corpus:
        """20 Newsgroups without duplicates, 18,828 messages, without headers."""
        return load_newsgroups(self._place("newsgroups-18828"), "18828", headers=False)

    @cached_property
    def webkb(self) -> Corpus:
        """The four common classes of WebKB, text only."""
        return load_webkb(self._place("webkb"), html=False)

    @cached_property
    def sector(self) -> Corpus:
        """Industry Sector, text only."""
        return load_sector(self._place("sector"), html=False)

    @cached_property
    def named(self) -> Corpus | None:
        """The user's own corpus, or None."""
        if self.named_path is None:
            return None
        return Corpus.of(self.named_path.name, read_documents(self.named_path))

    def _place(self, name: str) -> Path:
        entry = corpus_entry(name)
        unpacked = self.folder / name
        found = unpacked if unpacked.is_dir() else find_archive(entry, self.folder)
        # A corpus converted to JSON Lines has the name of its archive.
        lines = [self.folder / f"{archive.file.partition('.')[0]}.jsonl.zst" for archive in entry.archives]
        found = found or next((file for file in lines if file.is_file()), None)
        if found is None:
            searched = [unpacked, *(self.folder / archive.file for archive in entry.archives), *lines]
            raise CorpusMissingError(name, [str(place) for place in searched])
        return found


def load_if_present(load: Callable[[], Loaded]) -> Loaded | None:
    """Load a corpus, or return None if it is not on this machine."""
    try:
        return load()
    except CorpusMissingError:
        return None
