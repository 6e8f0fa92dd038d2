"""Parts that worker processes count."""

import os

import psutil
import pytest

from spawned_parts import Ending, Endless, Rows
from textbayes import TextClassifier
from textbayes.distributed import fit_by, run_here, run_in_processes
from textbayes.errors import FieldError, ParameterError, WorkerLostError

TEXTS = ["wheat corn", "crude oil", "oil", "gold mine", "corn", "mine"]
LABELS = ["grain", "oil", "oil", "gold", "grain", "gold"]


def classifier():
    return TextClassifier("complement", keep_documents=False)


def test_a_fit_in_processes_is_a_fit(tmp_path):
    parts = [Rows(TEXTS[:1], LABELS[:1]), Rows(TEXTS[1:4], LABELS[1:4]), Rows(TEXTS[4:], LABELS[4:])]
    notes = []
    with run_in_processes(parts, 2, lambda number, note: notes.append((number, note))) as run:
        far = fit_by(classifier(), run)
    far.save(tmp_path / "far.tb")
    classifier().fit(TEXTS, LABELS).save(tmp_path / "near.tb")
    assert (tmp_path / "far.tb").read_bytes() == (tmp_path / "near.tb").read_bytes()
    # Two passes, for the terms and for the sums.
    assert sorted(number for number, _ in notes) == [0, 0, 1, 1, 2, 2]
    processes = {process for _, process in notes}
    assert 1 <= len(processes) <= 2
    assert os.getpid() not in processes
    assert not any(map(psutil.pid_exists, processes))


@pytest.mark.parametrize(("how", "error"), [("raise", FieldError), ("exit", WorkerLostError)])
def test_an_error_ends_the_other_workers(tmp_path, how, error):
    file = tmp_path / "pid"
    with (
        pytest.raises(error) as caught,
        run_in_processes([Endless(file), Ending(file, how)], workers=5) as run,
    ):
        fit_by(classifier(), run)
    assert not psutil.pid_exists(int(file.read_text()))
    if how == "raise":
        assert "mail.csv, line 3" in str(caught.value)
    else:
        assert caught.value.code == "worker-lost"


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", None, True])
def test_numbers_of_workers(workers):
    with pytest.raises(ParameterError, match="workers"), run_in_processes([], workers):
        pass


def test_many_blobs_of_a_shard_are_merged_as_they_come(tmp_path):
    parts = [[next(Rows([text], [label])())] for text, label in zip(TEXTS * 9, LABELS * 9, strict=True)]
    fit_by(classifier(), run_here(parts), shards=1).save(tmp_path / "parts.tb")
    classifier().fit(TEXTS * 9, LABELS * 9).save(tmp_path / "once.tb")
    assert (tmp_path / "parts.tb").read_bytes() == (tmp_path / "once.tb").read_bytes()
