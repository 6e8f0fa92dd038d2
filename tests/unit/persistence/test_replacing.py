"""Replacing a file: only a regular one, with its permissions, in the right order, and nothing is left
behind."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time

import numpy as np
import pytest

from textbayes.errors import FileWriteError
from textbayes.persistence import Stored, read_model, write_model
from textbayes.persistence import replacing as module
from textbayes.persistence.replacing import replacing
from textbayes.persistence.target import beside

NEW = Stored({"which": "new"}, {"x": np.ones(5)})


def names(folder):
    return sorted(os.listdir(folder))


def write(path, data=b"new"):
    with replacing(path) as file:
        file.write(data)


# What must not be replaced.


def fifo(path):
    os.mkfifo(path)


def unix_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        # The path of a socket may not be long.
        here = os.getcwd()
        os.chdir(path.parent)
        made.bind(path.name)
        os.chdir(here)


def device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this user may not make a device")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (fifo, "a FIFO"),
        (unix_socket, "a socket"),
        (device, "a device"),
        (lambda path: path.mkdir(), "a folder"),
    ],
    ids=["fifo", "socket", "device", "folder"],
)
@pytest.mark.parametrize("linked", [False, True], ids=["itself", "through a link"])
def test_only_a_regular_file_is_replaced(make, what, linked, tmp_path):
    path = tmp_path / "node"
    make(path)
    before = os.lstat(path)
    given = path
    if linked:
        given = tmp_path / "link"
        given.symlink_to("node")
    with pytest.raises(FileWriteError, match=f"it is {what}"):
        write_model(NEW, given)
    after = os.lstat(path)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert names(tmp_path) == (["link", "node"] if linked else ["node"])


def test_dev_null_is_refused():
    with pytest.raises(FileWriteError, match="it is a device"):
        write_model(NEW, os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_symbolic_link_is_followed(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "v1.tb").write_bytes(b"old")
    (tmp_path / "hop.tb").symlink_to("models/v1.tb")
    (tmp_path / "live.tb").symlink_to(tmp_path / "hop.tb")
    write_model(NEW, tmp_path / "live.tb")
    assert (tmp_path / "live.tb").is_symlink()
    assert (tmp_path / "hop.tb").is_symlink()
    assert read_model(tmp_path / "models" / "v1.tb").configuration == {"which": "new"}
    assert names(tmp_path) == ["hop.tb", "live.tb", "models"]
    assert names(tmp_path / "models") == ["v1.tb"]


def test_a_link_to_a_missing_file_makes_that_file(tmp_path):
    (tmp_path / "live.tb").symlink_to("v1.tb")
    write(tmp_path / "live.tb")
    assert (tmp_path / "v1.tb").read_bytes() == b"new"
    assert (tmp_path / "live.tb").is_symlink()


def test_a_link_to_itself_is_refused(tmp_path):
    (tmp_path / "live.tb").symlink_to("live.tb")
    with pytest.raises(FileWriteError, match="symbolic link"):
        write(tmp_path / "live.tb")
    assert (tmp_path / "live.tb").is_symlink()


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o000])
def test_a_read_only_file_is_kept_even_for_root(mode, tmp_path):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")
    path.chmod(mode)
    with pytest.raises(FileWriteError, match="it is read-only"):
        write_model(NEW, path)
    path.chmod(0o600)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["model.tb"]


# Permissions.


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o666, 0o755])
def test_permissions_are_kept(mode, tmp_path):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_model(NEW, path)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_the_new_file_is_never_readable_by_more_than_the_old_one(tmp_path):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with replacing(path) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_usual_permissions(mask, tmp_path):
    before = os.umask(mask)
    try:
        write_model(NEW, tmp_path / "model.tb")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "model.tb").stat().st_mode) == 0o666 & ~mask


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_owner_and_group_are_kept(tmp_path):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")
    os.chown(path, 1234, 4321)
    path.chmod(0o640)
    write_model(NEW, path)
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (1234, 4321, 0o640)


@pytest.mark.parametrize(
    ("mode", "expected"), [(0o664, 0o644), (0o660, 0o600), (0o666, 0o666), (0o606, 0o600), (0o640, 0o600)]
)
def test_if_the_group_cannot_be_kept_nobody_gets_more(mode, expected, tmp_path, monkeypatch):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, -1, 4321)
    else:
        pytest.skip("only root may give a file to any group")

    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refuse)
    write(path)
    assert path.stat().st_gid != 4321
    assert stat.S_IMODE(path.stat().st_mode) == expected


# Names, leftovers.


@pytest.mark.parametrize("name", ["n" * 255, "ä" * 127, "밀" * 85, "n" * 240, "n" * 230 + ".tb"])
def test_long_names(name, tmp_path):
    path = tmp_path / name
    write_model(NEW, path)
    write_model(NEW, path)
    assert read_model(path).configuration == {"which": "new"}
    assert names(tmp_path) == [name]
    part = beside(path, "0" * 10 + "-" + "0" * 8 + ".part").name
    assert len(os.fsencode(part)) <= 255
    part.encode("utf-8")  # no half characters
    other = beside(path.with_name(name[:-1] + "x"), "lock").name
    assert other != beside(path, "lock").name


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit, ZeroDivisionError])
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_nothing_is_left_after_any_exception(error, step, tmp_path, monkeypatch):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")

    def fail(*_):
        raise error

    if step != "write":
        monkeypatch.setattr(os, step, fail)
    with pytest.raises(error), replacing(path) as file:
        fail() if step == "write" else file.write(b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["model.tb"]


KILLED = """
import os, signal, sys
from textbayes.persistence.replacing import replacing
with replacing(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("ready", flush=True)
    if len(sys.argv) > 2:
        sys.stdin.read()
    else:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_parts_of_crashed_runs_are_removed(tmp_path):
    path = tmp_path / "model.tb"
    path.write_bytes(b"old")
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(path)], check=False, stdout=subprocess.DEVNULL
        )
        assert done.returncode == -signal.SIGKILL
        assert len(names(tmp_path)) == 2  # the second run has removed the part of the first one
    assert re.fullmatch(r"\.model\.tb\.\d{10}-[0-9a-f]{8}\.part", names(tmp_path)[0])
    write(path)
    assert names(tmp_path) == ["model.tb"]


def test_the_part_of_a_running_process_stays(tmp_path):
    path = tmp_path / "model.tb"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path), "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout.readline() == b"ready\n"
        (part,) = names(tmp_path)
        old = time.time() - 10**6
        os.utime(tmp_path / part, (old, old))
        write(path, b"first")
        assert names(tmp_path) == [part, "model.tb"]
        running.stdin.close()
    assert path.read_bytes() == b"half"
    assert names(tmp_path) == ["model.tb"]


@pytest.mark.parametrize(
    "name",
    [
        ".model.tb.part",
        "model.tb.0000000001-01234567.part",
        ".model.tb.1-01234567.part",
        ".model.tb.0000000001-0123456g.part",
        ".model.tb.0000000001-01234567.part.gz",
        ".other.tb.0000000001-01234567.part",
        ".model.tb.old.0000000001-01234567.part",
    ],
)
def test_files_that_are_not_recognised_stay(name, tmp_path):
    (tmp_path / name).write_bytes(b"mine")
    write(tmp_path / "model.tb")
    assert (tmp_path / name).read_bytes() == b"mine"


def test_a_folder_or_a_link_named_like_a_part_stays(tmp_path):
    (tmp_path / ".model.tb.0000000001-01234567.part").mkdir()
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / ".model.tb.0000000002-01234567.part").symlink_to("mine")
    write(tmp_path / "model.tb")
    assert len(names(tmp_path)) == 4


def test_a_part_that_another_process_deleted_as_a_leftover_is_made_again(tmp_path, monkeypatch):
    tries = []
    real = module._lock_part

    def lock(descriptor):
        tries.append(descriptor)
        if len(tries) == 1:  # before it was locked, another process has found and deleted it
            for name in names(tmp_path):
                os.unlink(tmp_path / name)
        return False if len(tries) == 2 else real(descriptor)

    monkeypatch.setattr(module, "_lock_part", lock)
    write(tmp_path / "model.tb")
    assert len(tries) == 3
    assert (tmp_path / "model.tb").read_bytes() == b"new"


# The order of flushing and renaming.

ORDER = ["write", "fsync file", "rename", "fsync folder"]


def test_the_file_is_flushed_before_it_is_renamed_and_the_folder_after(tmp_path, monkeypatch):
    done = []
    sync, rename = os.fsync, os.replace

    def noted_sync(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        if not is_folder:
            assert os.fstat(descriptor).st_size == 3  # nothing is left in Python's buffer
        done.append("fsync folder" if is_folder else "fsync file")
        sync(descriptor)

    def noted_rename(*names):
        done.append("rename")
        rename(*names)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(os, "replace", noted_rename)
    write(tmp_path / "model.tb")
    assert done == ORDER[1:]


def traced(program, path, log):
    """Run a program under strace and return its calls; skip the test if that is not possible."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    calls = (
        "trace=openat,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,fchmod,fchown,ftruncate"
    )
    command = ["strace", "-f", "-y", "-e", calls, "-o", str(log), sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if not log.exists() or "Operation not permitted" in done.stderr:
        pytest.skip(f"strace may not trace here: {done.stderr[:200]}")
    assert done.returncode == 0, done.stderr
    return log.read_text().splitlines()


SAVE = """
import sys
import numpy as np
from textbayes.persistence import Stored, write_model
write_model(Stored({"which": "new"}, {"x": np.ones(100_000)}), sys.argv[1])
"""


def test_the_system_sees_the_calls_in_that_order(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    path = folder / "model.tb"
    path.write_bytes(b"old")
    lines = traced(SAVE, path, tmp_path / "log")
    part = r"\.model\.tb\.\d{10}-[0-9a-f]{8}\.part"
    patterns = {
        "write": rf"\bwritev?\(\d+<[^>]*/{part}>",
        "fsync file": rf"\bfsync\(\d+<[^>]*/{part}>\) += 0",
        "rename": rf"\brename(at2?)?\(.*{part}.*model\.tb.*\) += 0",
        "fsync folder": rf"\bfsync\(\d+<{re.escape(str(folder))}>\) += 0",
    }
    found = [name for line in lines for name, pattern in patterns.items() if re.search(pattern, line)]
    assert [name for at, name in enumerate(found) if at == 0 or found[at - 1] != name] == ORDER
    # Nothing else is written in the folder, except for the note in the lock.
    written = {match[1] for line in lines if (match := re.search(rf"write\w*\(\d+<{folder}/([^>]*)>", line))}
    assert {name for name in written if not re.fullmatch(part, name)} == {".model.tb.lock"}
