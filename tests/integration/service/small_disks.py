"""A small file system, to be filled."""

import contextlib
import os
import subprocess

import pytest


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Mount a file system of some megabytes at a folder; skip the test where that is not allowed."""
    folder.mkdir()
    options = f"size={megabytes}m,mode=0777"
    try:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("there is no mount command for a small file system")
    if mounted.returncode:
        pytest.skip(f"a small file system needs root: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def free(folder):
    """Return the free bytes of a file system."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def fill(folder, leave=0):
    """Fill a file system except for some bytes; return the file that does it."""
    ballast = folder / "ballast"
    with ballast.open("ab", buffering=0) as file:
        size = max(0, free(folder) - leave)
        with contextlib.suppress(OSError):
            while size > 0:
                size -= file.write(b"\0" * min(size, 1 << 16))
    return ballast
