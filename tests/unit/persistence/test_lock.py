"""The lock of a model file: between processes, between threads, after a crash, and who holds it."""

import errno
import json
import os
import subprocess
import sys
import threading
import time

import pytest

from textbayes.errors import FileWriteError, ModelLockedError, TextbayesError
from textbayes.persistence import lock as module
from textbayes.persistence import write_lock

HOLD = """
import sys
from textbayes.persistence import write_lock
with write_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.tb"


class Holder:
    """Another process that holds the lock."""

    def __init__(self, path):
        command = [sys.executable, "-c", HOLD, str(path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"held\n"

    def __enter__(self):
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


def test_another_process_waits_and_is_told_who_holds_it(path):
    with Holder(path) as process:
        start = time.monotonic()
        with pytest.raises(ModelLockedError) as caught, write_lock(path, wait=0.3):
            pass
        assert 0.3 <= time.monotonic() - start < 3
        assert f"process {process.pid} (-c" in str(caught.value)
        assert f"since {time.strftime('%Y-')}" in str(caught.value)
        assert isinstance(caught.value, TimeoutError)
        assert caught.value.filename == str(path)


def test_the_lock_is_free_after_a_crash(path):
    with Holder(path) as process:
        process.kill()
        process.wait()
        assert (path.parent / ".model.tb.lock").exists()
        with write_lock(path, wait=0):
            pass
    assert os.listdir(path.parent) == []


def test_a_waiting_process_gets_the_lock_when_it_is_released(path):
    with Holder(path) as process:
        timer = threading.Timer(0.2, lambda: os.write(process.stdin.fileno(), b"\n"))
        timer.start()
        with write_lock(path, wait=10):
            pass
        timer.join()


def test_nothing_is_left(path):
    with write_lock(path):
        assert os.listdir(path.parent) == [".model.tb.lock"]
        note = json.loads((path.parent / ".model.tb.lock").read_text())
        assert note["process"] == os.getpid()
    assert os.listdir(path.parent) == []


def test_a_thread_can_take_its_lock_again(path):
    with write_lock(path, wait=0):
        with write_lock(path, wait=0):
            pass
        assert os.listdir(path.parent) == [".model.tb.lock"]
        with Other(path) as found:
            assert isinstance(found, ModelLockedError)
    assert os.listdir(path.parent) == []


class Other:
    """What happens when another thread takes the lock."""

    def __init__(self, path):
        self.path, self.found = path, None

    def _take(self):
        try:
            with write_lock(self.path, wait=0):
                self.found = "held"
        except TextbayesError as error:
            self.found = error

    def __enter__(self):
        thread = threading.Thread(target=self._take)
        thread.start()
        thread.join()
        return self.found

    def __exit__(self, *_):
        pass


def test_links_to_a_file_have_its_lock(path):
    path.write_bytes(b"old")
    link = path.with_name("link.tb")
    link.symlink_to("model.tb")
    with write_lock(path), Other(link) as found:
        assert isinstance(found, ModelLockedError)
    with write_lock(link), write_lock(path, wait=0):
        pass


def test_files_do_not_share_a_lock(path):
    with write_lock(path), Other(path.with_name("other.tb")) as found:
        assert found == "held"


def test_many_threads_take_turns(path):
    inside, most, turns = [0], [0], []

    def work(number):
        for _ in range(10):
            with write_lock(path, wait=30):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                turns.append(number)
                inside[0] -= 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(turns) == 60
    assert most == [1]
    assert os.listdir(path.parent) == []


COUNT = """
import sys
from pathlib import Path
from textbayes.persistence import write_lock
path = Path(sys.argv[1])
for _ in range(int(sys.argv[2])):
    with write_lock(path, wait=60):
        path.write_text(str(int(path.read_text()) + 1))
"""


def test_many_processes_take_turns(path):
    path.write_text("0")
    running = [subprocess.Popen([sys.executable, "-c", COUNT, str(path), "50"]) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert path.read_text() == "200"
    assert os.listdir(path.parent) == ["model.tb"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_does_not_hold_the_lock(path):
    with write_lock(path):
        child = os.fork()
        if not child:
            try:
                with write_lock(path, wait=0):
                    os._exit(1)
            except ModelLockedError:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert os.listdir(path.parent) == [".model.tb.lock"]
    ready, done = os.pipe()
    with write_lock(path):
        child = os.fork()
        if not child:
            os.close(done)
            os.read(ready, 1)  # keeps running after the lock was released
            os._exit(0)
    with write_lock(path, wait=0):
        pass
    os.close(done)
    os.waitpid(child, 0)


def test_an_error_inside_releases_the_lock(path):
    for error in (KeyboardInterrupt, ValueError):
        with pytest.raises(error), write_lock(path):
            raise error
        with write_lock(path, wait=0):
            pass
    assert module._open == set()


def test_a_missing_folder(tmp_path):
    with pytest.raises(FileWriteError, match="No such file"), write_lock(tmp_path / "absent" / "model.tb"):
        pass


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda place: os.symlink("/etc/passwd", place)])
def test_a_lock_that_is_not_a_regular_file_is_refused(make, path):
    make(path.parent / ".model.tb.lock")
    with pytest.raises(FileWriteError), write_lock(path, wait=0):
        pass


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b"null", b'{"process": 1}', b"\xff\xfe", b"x" * 5000])
def test_a_lock_without_a_note_still_excludes(note, path):
    with write_lock(path):
        (path.parent / ".model.tb.lock").write_bytes(note)
        with Other(path) as found:
            assert "another process" in str(found)


def test_control_characters_of_a_note_are_not_shown(path):
    with write_lock(path):
        note = {"process": "1\x1b[31m", "host": "h\u202e", "program": "p\n", "since": "s"}
        (path.parent / ".model.tb.lock").write_text(json.dumps(note))
        with Other(path) as found:
            assert "process 1[31m on h (p), since s" in str(found)


def test_without_locks_of_the_file_system_nobody_waits(path, monkeypatch):
    import fcntl

    def refuse(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with write_lock(path), Other(path) as found:
        assert found == "held"


def test_other_errors_of_the_lock_are_reported(path, monkeypatch):
    import fcntl

    def refuse(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(FileWriteError, match="Input/output error"), write_lock(path):
        pass
    assert module._open == set()
