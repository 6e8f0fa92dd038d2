"""Install the programs that some tests need: PostgreSQL, Chromium and Java, from Debian's packages.

Run by ``make test``. It installs only as root, or where sudo asks for no password. It tries once, within a
time limit, and never fails. The tests find the programs by themselves and skip what they cannot run.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

SECONDS = 600
_APT = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=60", "-o", "Acquire::Retries=1", "-o", "Dpkg::Use-Pty=0"]
_INSTALL = ["install", "--yes", "--no-install-recommends"]
# Debian starts a database at installation; the tests run their own.
_NO_CLUSTER = Path("/etc/postgresql-common/createcluster.d/textbayes-tests.conf")


@dataclass(frozen=True)
class Program:
    """A program, its package, how to find it, and the tests that need it."""

    name: str
    package: str
    find: Callable[[], bool]
    tests: str


def main() -> None:
    """Install what is missing, then name the tests that will be skipped."""
    tried = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    missing = [program for program in PROGRAMS if not program.find()]
    if missing and not (tried and tried.exists()):
        reason = install(missing)
        if tried:
            tried.parent.mkdir(parents=True, exist_ok=True)
            tried.write_text(reason + "\n", encoding="utf-8")
    for program in missing:
        if not program.find():
            reason = tried.read_text(encoding="utf-8").strip() if tried else ""
            print(
                f"make test: skips {program.tests}, for want of {program.name} ({reason or 'not installed'})"
            )


def has_postgres() -> bool:
    """Look for a PostgreSQL server, on the path or where Debian puts it."""
    return shutil.which("postgres") is not None or any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def has_chromium() -> bool:
    """Look for Chromium on the path."""
    return any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))


def has_java() -> bool:
    """Look for Java 17 or later, which Spark 4 needs."""
    home = os.environ.get("JAVA_HOME")
    program = os.path.join(home, "bin", "java") if home else shutil.which("java")
    try:
        said = subprocess.run([program or "java", "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    found = re.search(r'version "(\d+)', said.stderr)
    return found is not None and int(found[1]) >= 17


PROGRAMS = [
    Program("PostgreSQL", "postgresql", has_postgres, "the tests with a PostgreSQL store"),
    Program("Chromium", "chromium", has_chromium, "the tests of the page in a browser"),
    Program("Java", "openjdk-17-jre-headless", has_java, "the tests with Spark"),
]


def install(programs: list[Program]) -> str:
    """Install the packages of programs; return why one is missing still, or "" if none is."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get"
    root = becoming_root()
    if root is None:
        return "installing needs root, or sudo without a password"
    names = " and ".join(program.name for program in programs)
    print(f"make test: installs {names} from Debian's packages", flush=True)
    packages = [program.package for program in programs]
    with _without_cluster(root):
        for command in ([*_APT, "update"], [*_APT, *_INSTALL, *packages]):
            reason = _run([*root, *_quiet(), *command])
            if reason:
                return reason
    return ""


def becoming_root() -> list[str] | None:
    """Return what to put before a command to run it as root, or None if that is impossible."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=10, check=False)
    return ["sudo", "-n"] if asked.returncode == 0 else None


def _quiet() -> list[str]:
    """Ask no questions; sudo drops the environment, so ``env`` sets it."""
    limit = ["timeout", "--kill-after=10", str(SECONDS)] if shutil.which("timeout") else []
    return [*limit, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"]


def _run(command: list[str]) -> str:
    """Run a command; return why it failed, or ""."""
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=SECONDS + 30,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"apt-get: {error}"
        output.seek(0)
        lines = output.read().decode(errors="replace").strip().splitlines()
    return "" if done.returncode == 0 else f"apt-get failed: {lines[-1] if lines else done.returncode}"


@contextlib.contextmanager
def _without_cluster(root: list[str]) -> Iterator[None]:
    """Keep Debian from creating and starting a database during the installation."""
    folder, file = str(_NO_CLUSTER.parent), str(_NO_CLUSTER)
    subprocess.run([*root, "mkdir", "-p", folder], check=False)
    subprocess.run(
        [*root, "tee", file], input=b"create_main_cluster = false\n", stdout=subprocess.DEVNULL, check=False
    )
    try:
        yield
    finally:
        subprocess.run([*root, "rm", "-f", file], check=False)


if __name__ == "__main__":
    main()
