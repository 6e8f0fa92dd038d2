"""Run the process that settles a model."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from textbayes.errors import ServerFaultError, StoreFullError

# As a file: `-m` would import textbayes first.
_PROGRAM = (sys.executable, "-P", os.fspath(Path(__file__).with_name("settler.py")))


@dataclass(frozen=True, slots=True)
class Job:
    """What the process does.

    Parameters
    ----------
    store : str
        The folder or the URL of the store.
    cache : str or None
        The folder for model files of a PostgreSQL store.
    model : str
        The name of the model.
    until : int
        The version to settle.
    file : str
        Where to write the model file.
    search : bool, default=False
        Search for a recipe first.
    measure : bool, default=False
        Measure the model, too.
    yields : bool, default=False
        Let other processes have the processor first: nobody waits for the result.
    """

    store: str
    cache: str | None
    model: str
    until: int
    file: str
    search: bool = False
    measure: bool = False
    yields: bool = False


async def run_job(job: Job) -> AsyncIterator[dict[str, Any]]:
    """Run a process for a job; yield what it says.

    Raises
    ------
    ServerFaultError
        If the process fails, or is killed.
    StoreFullError
        If the model file does not fit on the disk.
    """
    process = await asyncio.create_subprocess_exec(
        *_PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    errors = asyncio.ensure_future(_read(process.stderr))
    try:
        async for result in _talk(process, job):
            yield result
        code = await process.wait()
        if code != 0:
            said = (await errors).decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise _fault(f"exit status {code}", said)
    finally:
        errors.cancel()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await asyncio.shield(process.wait())


async def _talk(process: asyncio.subprocess.Process, job: Job) -> AsyncIterator[dict[str, Any]]:
    assert process.stdin is not None
    assert process.stdout is not None
    # The pipe stays open: the process ends when this server does.
    process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
    async for line in process.stdout:
        result = json.loads(line)
        if "message" in result:
            if result["code"] == StoreFullError.code:
                raise StoreFullError(job.model, "its model file does not fit")
            raise _fault(result["code"], result["message"])
        yield result


def _fault(reason: str, said: str) -> ServerFaultError:
    """Return an error for clients; what the process said may name files, so it is a note, for the log."""
    error = ServerFaultError(f"settling: {reason}")
    error.add_note(said)
    return error


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()
