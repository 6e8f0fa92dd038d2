"""The file or folder that a loader reads."""

from __future__ import annotations

import os
from pathlib import Path

from textbayes.datasets.archives import missing_path
from textbayes.datasets.home import data_home
from textbayes.datasets.registry import corpus_entry, find_archive
from textbayes.errors import CorpusMissingError


def locate_corpus(name: str, path: str | os.PathLike[str] | None) -> Path:
    """Return the given path, or the path of the named corpus in ``data_home()``.

    That is a folder with the name of the corpus, or else one of its archives in the registry.
    """
    if path is not None:
        given = Path(path)
        if not given.exists():
            raise missing_path(given)
        return given
    entry = corpus_entry(name)
    folder = data_home() / name
    if folder.is_dir():
        return folder
    archive = find_archive(entry)
    if archive is None:
        searched = [folder, *(data_home() / archive.file for archive in entry.archives)]
        raise CorpusMissingError(name, [str(place) for place in searched])
    return archive
