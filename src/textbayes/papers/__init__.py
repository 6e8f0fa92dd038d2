"""The tables and figures of five papers, rebuilt."""

from textbayes.papers.corpora import Corpora
from textbayes.papers.paper import Paper
from textbayes.papers.records import Record
from textbayes.papers.report import write_report
from textbayes.papers.runner import PaperRun, find_papers, run_papers

__all__ = ["Corpora", "Paper", "PaperRun", "Record", "find_papers", "run_papers", "write_report"]
