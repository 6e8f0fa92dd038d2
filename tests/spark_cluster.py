"""A private Spark for tests: a standalone master, two workers and a Spark Connect server, on loopback."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

_SECONDS = 240  # two cores, shared with other tests, may take long to start a JVM
_HOST = "127.0.0.1"
_PR_SET_PDEATHSIG = 1
# One core and little memory for each executor, and no more than two executors for an application.
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "600m",
    "spark.driver.host": _HOST,
    "spark.driver.bindAddress": _HOST,
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.cores.max": "2",
    "spark.sql.shuffle.partitions": "4",
    # Errors of workers are tested, too, and each try costs a new Python process.
    "spark.task.maxFailures": "2",
}


class SparkCluster:
    """Processes of Spark, which end with ``stop``.

    Parameters
    ----------
    folder : Path
        An empty folder for logs and the files of workers.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, **environment()}
        self._processes: list[subprocess.Popen[bytes]] = []
        port = free_port()
        self.master = f"spark://{_HOST}:{port}"
        self._java("master", "master.Master", "--port", str(port))
        self.wait_for("master", "I have been elected leader")
        for name in ("worker-1", "worker-2"):
            limits = ["--cores", "2", "--memory", "2g", "--work-dir", str(folder / name)]
            self._java(name, "worker.Worker", *limits, self.master)
        for name in ("worker-1", "worker-2"):
            self.wait_for(name, "Successfully registered with master")

    def start_connect(self) -> str:
        """Start a Spark Connect server, whose executors come and go, and return its address."""
        port = free_port()
        settings = {
            **SETTINGS,
            "spark.dynamicAllocation.enabled": "true",
            "spark.dynamicAllocation.maxExecutors": "2",
            "spark.dynamicAllocation.executorIdleTimeout": "10s",
            "spark.connect.grpc.binding.address": _HOST,
            "spark.connect.grpc.binding.port": str(port),
        }
        options = [option for name, value in settings.items() for option in ("--conf", f"{name}={value}")]
        server = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
        self._start("connect", "spark-submit", "--master", self.master, *options, *server)
        self.wait_for("connect", "Spark Connect server started")
        return f"sc://{_HOST}:{port}"

    def executors(self, application: str) -> list[int]:
        """Return the process ids of the executors of an application that run."""
        import psutil

        # Workers have other children, too: a script that started them and was never waited for.
        workers = [psutil.Process(process.pid) for process in self._processes[1:3]]
        found = []
        for child in (child for worker in workers for child in worker.children()):
            with suppress(psutil.Error):
                if application in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                    found.append(child.pid)
        return found

    def wait_for(self, name: str, words: str) -> None:
        """Wait until the log of a process has these words."""
        log = self.folder / f"{name}.log"
        wait_until(lambda: words in log.read_text(errors="replace"), lambda: log.read_text(errors="replace"))

    def stop(self) -> None:
        """End all processes, the last one first."""
        for process in reversed(self._processes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in self._processes:
            # Not waited for yet: until then the system gives its number to no other process.
            with suppress(TimeoutError):
                wait_until(lambda process=process: has_ended(process.pid), seconds=10)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)

    def _java(self, name: str, kind: str, *options: str) -> None:
        common = ["--host", _HOST, "--webui-port", "0"]
        self._start(name, "spark-class", f"org.apache.spark.deploy.{kind}", *common, *options)

    def _start(self, name: str, program: str, *options: str) -> None:
        command = [Path(self.environment["SPARK_HOME"]) / "bin" / program, *options]
        heap = {} if program == "spark-submit" else {"SPARK_DAEMON_MEMORY": "256m"}
        with (self.folder / f"{name}.log").open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                    env={**self.environment, **heap},
                    start_new_session=True,
                    preexec_fn=end_with_parent,
                )
            )


def end_with_parent() -> None:
    """Ask Linux to end this process with the one that started it, even if that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def has_ended(number: int) -> bool:
    """Return whether a child process has ended, without taking note of it."""
    return os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def environment() -> dict[str, str]:
    """Return the variables of pip's pyspark: its folder, and this Python for drivers and workers."""
    found = find_spec("pyspark")
    assert found is not None
    assert found.origin is not None
    python = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    return {"SPARK_HOME": str(Path(found.origin).parent), "SPARK_LOCAL_IP": _HOST, **python}


def skip_without_spark() -> None:
    """Skip a test where pyspark or Java is missing."""
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'textbayes[spark]'")
    home = os.environ.get("JAVA_HOME")
    if not (home or shutil.which("java")):
        pytest.skip("Java is not installed (Debian: apt install openjdk-17-jre-headless)")


def free_port() -> int:
    """Return a port that is free now."""
    with closing(socket.socket()) as server:
        server.bind((_HOST, 0))
        return int(server.getsockname()[1])


def wait_until(
    happened: Callable[[], bool], said: Callable[[], str] = str, seconds: float = _SECONDS
) -> None:
    """Wait until something has happened; if it does not, fail with what was said."""
    end = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(f"nothing happened for {seconds} seconds: {said()[-3000:]}")
        time.sleep(0.1)
