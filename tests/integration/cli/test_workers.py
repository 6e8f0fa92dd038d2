"""`textbayes train --workers` with real processes."""

import json
import os
import signal
import subprocess
import time

import psutil
import pytest
from processes import PROGRAM


@pytest.fixture
def files(tmp_path):
    names = []
    for number in range(3):
        names.append(tmp_path / f"{number}.jsonl")
        records = [{"text": f"word{at % 9} of class{number}", "label": f"c{number}"} for at in range(50)]
        names[-1].write_text("".join(json.dumps(record) + "\n" for record in records))
    return names


def test_the_file_is_the_same(run, files, tmp_path):
    done = run("train", *files, "-o", tmp_path / "a.tb", "--model", "complement", "--no-documents")
    assert done.returncode == 0, done.stderr
    done = run("train", *files, "-o", tmp_path / "b.tb", "--model", "complement", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("150 documents, 3 classes, 13 terms; ")
    assert (tmp_path / "a.tb").read_bytes() == (tmp_path / "b.tb").read_bytes()


def test_an_error_of_a_worker_names_the_file_and_the_line(run, files, tmp_path):
    # Further down than what is read before the workers start.
    files[2].write_text(files[2].read_text() * 30 + '{"text": 3, "label": "a"}\n')
    done = run("train", *files, "-o", tmp_path / "m.tb", "--model", "complement", "--workers", 2)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-3].startswith(f"FieldError: {files[2]}, line 1501 has 3 as its 'text'")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "m.tb").exists()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_program(environment, files, tmp_path, end):
    args = [*PROGRAM, "train", *files, "-o", tmp_path / "m.tb", "--model", "complement", "--workers", "2"]
    before = set(os.listdir(tmp_path))
    process = subprocess.Popen(
        list(map(str, args)), env=environment, stdout=-1, stderr=subprocess.PIPE, start_new_session=True
    )
    children = []
    while len(children) < 3:  # two workers, and the process of Python that cleans up
        assert process.poll() is None
        children = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.05)
    if end == signal.SIGINT:  # as a terminal sends it
        os.killpg(process.pid, end)
    else:
        process.send_signal(end)
    out, stderr = process.communicate(timeout=120)
    assert (process.returncode, out) == (130 if end == signal.SIGINT else -end, b"")
    assert b"Traceback" not in stderr
    assert psutil.wait_procs(children, timeout=120)[1] == []
    assert set(os.listdir(tmp_path)) == before
