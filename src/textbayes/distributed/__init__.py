"""Fits that several processes or machines share: count by parts, add up, finish."""

from textbayes.distributed.classifiers import finish, fit_by, plan_fit, teach_by
from textbayes.distributed.counting import count_batches, merge
from textbayes.distributed.here import merge_shards, run_here
from textbayes.distributed.plan import Plan
from textbayes.distributed.processes import run_in_processes

__all__ = [
    "Plan",
    "count_batches",
    "finish",
    "fit_by",
    "merge",
    "merge_shards",
    "plan_fit",
    "run_here",
    "run_in_processes",
    "teach_by",
]
