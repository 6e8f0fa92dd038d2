"""Run the papers: measure findings and compare them with the published numbers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from textbayes.errors import CorpusMissingError, ParameterError
from textbayes.papers import frank2006, grim2008, kim2003, rennie2003, schneider2004
from textbayes.papers.corpora import KOREAN, NEWSGROUPS, REUTERS, SECTOR, WEBKB, Corpora
from textbayes.papers.paper import Paper, Step
from textbayes.papers.records import Finding, Published, Record

PAPERS = MappingProxyType(
    {module.PAPER.name: module.PAPER for module in (kim2003, grim2008, rennie2003, schneider2004, frank2006)}
)
Progress = Callable[[str, int, int], None]

_PRIVATE = (
    "KoreanNews2002 is private and was never published. `textbayes papers run kim2003 --corpus FILE` "
    "runs the same recipe on your own corpus."
)
_QUICK = "Not measured in a quick run."
_TOGETHER_SECONDS = 0.02
# Prefixes of the names in `textbayes data list`.
_FETCHED = {REUTERS: "reuters21578", NEWSGROUPS: "newsgroups", WEBKB: "webkb", SECTOR: "sector"}
_FEWER = "A quick run, with fewer folds, runs and sizes. "


@dataclass(frozen=True)
class PaperRun:
    """The results of running a paper.

    Attributes
    ----------
    paper : Paper
        The paper.
    records : list of Record
        The published numbers in the order of the paper, then those that only we measured.
    missing : list of str
        The corpora that are not on this machine.
    seconds : float
        The running time.

    Examples
    --------
    >>> from textbayes.papers import Corpora, run_papers
    >>> run, *_ = run_papers(["rennie2003"], Corpora("/data"))  # doctest: +SKIP
    >>> [record.quantity for record in run.records if record.met is False]  # doctest: +SKIP
    []
    """

    paper: Paper
    records: list[Record]
    missing: list[str]
    seconds: float


def find_papers(names: Iterable[str] = ()) -> list[Paper]:
    """Return the papers with these names; by default all.

    Examples
    --------
    >>> from textbayes.papers import find_papers
    >>> [paper.name for paper in find_papers(["kim2003"])]
    ['kim2003']
    """
    chosen = list(dict.fromkeys(names)) or list(PAPERS)
    for name in chosen:
        if name not in PAPERS:
            raise ParameterError("paper", name, PAPERS)
    return [PAPERS[name] for name in chosen]


def run_papers(
    names: Iterable[str] = (), corpora: Corpora | None = None, progress: Progress | None = None
) -> list[PaperRun]:
    """Rebuild the tables and figures of papers and compare them with the published numbers.

    Parameters
    ----------
    names : iterable of str
        Papers, such as "kim2003"; by default all.
    corpora : Corpora, optional
        The corpora; by default those in ``data_home()``.
    progress : callable, optional
        Called with the name of the next step, the number of finished steps and their total.

    Returns
    -------
    list of PaperRun
        One per paper. If a corpus is not on this machine, its numbers are not measured.

    Examples
    --------
    >>> from textbayes.papers import Corpora, run_papers
    >>> run_papers(["kim2003"], Corpora("/data", quick=True))  # doctest: +SKIP
    """
    papers, corpora = find_papers(names), corpora or Corpora()
    total = sum(len(paper.steps) for paper in papers)
    runs: list[PaperRun] = []
    done = 0
    for paper in papers:
        measured: list[tuple[Finding, float]] = []
        missing: list[str] = []
        start = time.perf_counter()
        for step, build in paper.steps.items():
            if progress is not None:
                progress(f"{paper.name}: {step}", done, total)
            measured += _measured(build, corpora, missing)
            done += 1
        records = _records(paper, measured, missing, corpora.quick)
        runs.append(PaperRun(paper, records, missing, time.perf_counter() - start))
    if progress is not None:
        progress("done", total, total)
    return runs


def _measured(build: Step, corpora: Corpora, missing: list[str]) -> list[tuple[Finding, float]]:
    """Run one step; return each finding with the seconds it took."""
    try:
        return list(_timed(build(corpora)))
    except CorpusMissingError as error:
        if error.corpus not in missing:
            missing.append(error.corpus)
        return []


def _timed(findings: Iterator[Finding]) -> Iterator[tuple[Finding, float]]:
    start = time.perf_counter()
    shared = 0.0
    for finding in findings:
        spent = time.perf_counter() - start
        # Findings yielded together were measured together: each gets the time of all of them.
        shared = spent if spent > _TOGETHER_SECONDS else shared
        yield finding, shared
        start = time.perf_counter()


def _records(
    paper: Paper, measured: list[tuple[Finding, float]], missing: list[str], quick: bool
) -> list[Record]:
    ours = {_key(finding): (finding, seconds) for finding, seconds in measured}
    printed = {_key(number): number for number in paper.published}
    records = []
    for key, number in printed.items():
        found = ours.pop(key, None)
        record = _published(paper.name, number, found)
        records.append(replace(record, why=_why(paper, record, missing, quick)))
    return records + [_only_ours(paper.name, finding, seconds) for finding, seconds in ours.values()]


def _key(number: Finding | Published) -> tuple[str, str, str]:
    return number.table, number.corpus, number.quantity


def _published(paper: str, number: Published, found: tuple[Finding, float] | None) -> Record:
    return Record(
        paper=paper,
        table=number.table,
        corpus=number.corpus,
        method=number.method,
        measure=number.measure,
        at=number.at,
        published=number.value,
        ours=None if found is None else found[0].ours,
        page=number.page,
        seconds=None if found is None else found[1],
    )


def _only_ours(paper: str, finding: Finding, seconds: float) -> Record:
    where = (paper, finding.table, finding.corpus, finding.method, finding.measure, finding.at)
    return Record(*where, published=None, ours=finding.ours, page=None, seconds=seconds)


def _why(paper: Paper, record: Record, missing: list[str], quick: bool) -> str:
    if record.met:
        return ""
    if record.ours is None:
        return _why_missing(record, missing, quick)
    return (_FEWER if quick else "") + paper.reason(record.table, record.corpus, record.quantity)


def _why_missing(record: Record, missing: list[str], quick: bool) -> str:
    if record.corpus == KOREAN:
        return _PRIVATE
    prefix = _FETCHED.get(record.corpus, "")
    absent = [name for name in missing if name.startswith(prefix)]
    if absent or (record.corpus == SECTOR and not quick):
        name = absent[0] if absent else prefix
        return f"{record.corpus} is not on this machine: `textbayes data fetch {name}`."
    return _QUICK if quick else ""
