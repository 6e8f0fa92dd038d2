"""A private PostgreSQL for tests: in a temporary folder, reached through a Unix socket."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

_USER = "textbayes"
_SECONDS = 60


class PostgresServer:
    """A server that can be stopped, killed and started again.

    Parameters
    ----------
    programs : Path
        The folder of ``initdb`` and ``postgres``.
    folder : Path
        An empty folder with a short name, owned by the user who runs this, or by ``account``.
    account : str, optional
        Who runs the server: PostgreSQL refuses to run as root.
    """

    def __init__(self, programs: Path, folder: Path, account: str | None = None) -> None:
        self.folder = folder
        self._programs = programs
        self._as: dict[str, Any] = {"user": account, "group": account_group(account), "extra_groups": []}
        self._as = self._as if account else {}
        self._databases = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        options = [f"--username={_USER}", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self._run("initdb", f"--pgdata={folder}/data", *options)
        self.start()

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://{_USER}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"test{next(self._databases)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def new_schema(self) -> str:
        """Make an empty schema and return a URL whose tables are made in it: faster than a database."""
        name = f"test{next(self._databases)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"{self.url()}&options=-csearch_path%3D{name}"

    def execute(self, statement: str, url: str | None = None) -> list[tuple[Any, ...]]:
        """Run a statement, and return its rows."""
        import psycopg

        with psycopg.connect(url or self.url(), autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def start(self, *options: str) -> None:
        """Start the server and wait until it answers."""
        program = [self._programs / "postgres", "-D", self.folder / "data", "-k", self.folder, "-h", ""]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*program, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                **self._as,
            )
        end = time.monotonic() + _SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL does not start:\n{(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends connections at once, SIGQUIT is like a crash."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(_SECONDS)

    def restart(self) -> None:
        """Stop the server and start it again."""
        self.stop()
        self.start()

    def _answers(self) -> bool:
        import psycopg

        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url(), connect_timeout=5):
            return True
        return False

    def _run(self, program: str, *arguments: str) -> None:
        command = [self._programs / program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False, **self._as)
        if done.returncode:
            raise RuntimeError(f"{program} failed:\n{done.stderr}")


def account_group(account: str | None) -> int | None:
    """Return the group of an account."""
    return None if account is None else pwd.getpwnam(account).pw_gid


def find_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest of those that Debian installs."""
    found = shutil.which("postgres")
    if found and shutil.which("initdb"):
        return Path(found).parent
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(installed, key=lambda path: (len(path.parts[4]), path.parts[4]))
    return newest[-1].parent if newest else None


def other_account() -> str | None:
    """Return an account that may run PostgreSQL, if the present one is root."""
    if os.geteuid() != 0:
        return None
    names = [entry.pw_name for entry in pwd.getpwall()]
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this test run; the test is skipped where it is not installed."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'textbayes[postgres]'")
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    account = other_account()
    # The path of a socket may have about 100 characters, and another account must reach it.
    folder = Path(tempfile.mkdtemp(prefix="tb-pg-", dir="/tmp"))
    if account is not None:
        shutil.chown(folder, account, account_group(account))
    server = None
    try:
        server = PostgresServer(programs, folder, account)
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)
