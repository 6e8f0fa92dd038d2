"""Fits that several processes or machines share: count by parts, add up, finish."""

from typing import TYPE_CHECKING

from textbayes.lazy import lazy_names as _lazy_names

if TYPE_CHECKING:
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

_MODULES = {
    "Plan": "plan",
    "count_batches": "counting",
    "finish": "classifiers",
    "fit_by": "classifiers",
    "merge": "counting",
    "merge_shards": "here",
    "plan_fit": "classifiers",
    "run_here": "here",
    "run_in_processes": "processes",
    "teach_by": "classifiers",
}

if not TYPE_CHECKING:
    # Workers start without scikit-learn, which takes a second and a half to import.
    __getattr__ = _lazy_names(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
