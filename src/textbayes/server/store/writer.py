"""The one server that writes to a store."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from textbayes.errors import ModelExistsError, StoreUnavailableError, TextbayesError, VersionUnknownError
from textbayes.server.store.checks import LONGEST_SOURCE, check_name, check_short
from textbayes.server.store.commits import commit_all
from textbayes.server.store.database import Database
from textbayes.server.store.encoding import now
from textbayes.server.store.erasing import erase
from textbayes.server.store.folders import file_digest, store_error
from textbayes.server.store.queued import add_texts, change_text, draw_text, remove_text
from textbayes.server.store.records import (
    Drawn,
    LabelKind,
    Labels,
    ModelRow,
    Receipt,
    Request,
    Snapshot,
)
from textbayes.server.store.rows import AnyRow, find_model, from_states, to_model
from textbayes.server.store.schema import changes, documents, keys, models, qualities, queue, snapshots
from textbayes.server.store.snapshots import (
    drop_rows,
    kept_files,
    put_figures,
    put_snapshot,
    superfluous,
    to_snapshot,
)

KEY_DAYS = 30
"""Days for which an idempotency key is remembered."""
_DAY = 24 * 3600 * 1_000_000


class Writer:
    """Everything that changes a store. Any thread may call it; calls wait for each other.

    Parameters
    ----------
    database : Database
        Whose lock this process holds. ``Store.become_writer`` makes writers.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.RLock()
        with self._writing() as connection:
            connection.execute(delete(keys).where(keys.c.time < now() - KEY_DAYS * _DAY))
            kept = kept_files(connection)
        database.clean(kept)

    def commit(self, requests: Sequence[Request]) -> list[Receipt | TextbayesError]:
        """Make requests; they are on the disk when this returns.

        Returns
        -------
        list
            For each request its receipt, or the error for which nothing of it was made.

        Raises
        ------
        StoreFullError, StoreUnavailableError
            If nothing of any request was acknowledged. The next call tries again.
        WriterElsewhereError
            If this process lost the right to write.
        """
        with self._writing() as connection:
            return commit_all(connection, self._database, requests)

    # Models.

    def add_model(
        self,
        name: str,
        origin: str | None = None,
        snapshot_file: Path | None = None,
        label_kind: LabelKind | None = None,
        several: bool | None = None,
    ) -> ModelRow:
        """Add a model.

        Parameters
        ----------
        name : str
            1 to 100 characters of any script, without slashes and control characters.
        origin : str, optional
            Where its file came from.
        snapshot_file : Path, optional
            The model file to begin with, version 0; it is moved into the store.
        label_kind, several : optional
            What labels the model file has. By default the first label that is taught decides.

        Raises
        ------
        ModelExistsError
            If there is one of this name.
        """
        check_name(name)
        if origin is not None:
            check_short("origin", origin, LONGEST_SOURCE)
        row = {"name": name, "created": now(), "origin": origin, "head": 0, "documents": 0}
        row |= {"label_kind": label_kind, "several": several}
        self._check_new(name)  # before the file is moved
        with self._kept(name, snapshot_file, 0) as values, self._writing() as connection:
            connection.execute(insert(models), [row])
            found = find_model(connection, name)
            if values:
                put_snapshot(connection, found, {**values, "effective": 0, "pinned": True}, None)
            return to_model(found)

    def remove_model(self, name: str) -> None:
        """Remove a model with all its rows and files."""
        with self._writing() as connection:
            model = find_model(connection, name)
            files = kept_files(connection).get(name, [])
            self._database.remove_all_words(connection, model.number)
            for table in (keys, queue, qualities, snapshots, documents, changes):
                connection.execute(delete(table).where(table.c.model == model.number))
            connection.execute(delete(models).where(models.c.number == model.number))
        self._database.drop_files(name, files)

    # Snapshots.

    def add_snapshot(
        self,
        model: str,
        file: Path,
        covers: int,
        effective: int | None = None,
        pinned: bool = False,
        quality: dict[str, Any] | None = None,
        row: Literal["recipe", "file"] | None = None,
        actor: str = "textbayes",
    ) -> Snapshot:
        """Move a model file into the store.

        Parameters
        ----------
        model : str
        file : Path
            The file; it is moved.
        covers : int
            The last version that it has learned.
        effective : int, optional
            The version from which it is the right start; ``covers`` by default.
        pinned : bool, default=False
            Whether ``drop_snapshots`` must keep it.
        quality : dict, optional
            Figures about it.
        row : {"recipe", "file"}, optional
            Also append a change of this kind. The snapshot is effective from its version, and pinned:
            versions after it cannot be rebuilt from older files.
        actor : str, default="textbayes"
            Whose change that is.
        """
        with self._kept(model, file, covers) as values, self._writing() as connection:
            found = find_model(connection, model)
            if not 0 <= covers <= found.head:
                raise VersionUnknownError(model, covers, found.head)
            start = found.head + 1 if row else covers if effective is None else effective
            if row:
                _append(connection, found, row, check_short("actor", actor))
            values |= {"effective": start, "pinned": pinned or bool(row)}
            replaced = put_snapshot(connection, found, values, quality)
            if quality is not None:
                put_figures(connection, found, start, quality)
            of_snapshot = (snapshots.c.model == found.number, snapshots.c.effective == start)
            written = connection.execute(select(snapshots).where(*of_snapshot)).one()
        self._database.drop_files(model, replaced)
        return to_snapshot(written, self._database, model)

    def set_quality(self, model: str, version: int, figures: dict[str, Any]) -> None:
        """Write figures about the model at a version: see ``Store.qualities``."""
        with self._writing() as connection:
            put_figures(connection, find_model(connection, model), version, figures)

    def drop_snapshots(self, model: str, keep: int) -> int:
        """Drop snapshots but the newest ``keep``, those pinned and that of version 0; return how many."""
        with self._writing() as connection:
            found = find_model(connection, model)
            files = drop_rows(connection, found, superfluous(connection, found, keep))
        self._database.drop_files(model, files)
        return len(files)

    def scrub(self, model: str, until: int) -> int:
        """Complete erasures up to a version: their texts leave all rows and all model files.

        Only what the newest snapshot covers is erased: without the texts, older versions cannot be rebuilt.

        Returns
        -------
        int
            The number of documents whose texts are gone now.
        """
        with self._writing() as connection:
            found, files = erase(connection, find_model(connection, model), until)
        if found:
            self._database.drop_files(model, files)
            with self._lock:
                self._database.forget_deleted()
        return found

    # The queue.

    def queue_add(
        self, model: str, texts: Sequence[str], actor: str, source: str | None = None
    ) -> tuple[int, int]:
        """Add texts to the queue; return how many were added, and how many it had already."""
        check_short("actor", actor)
        if source is not None:
            check_short("source", source, LONGEST_SOURCE)
        with self._writing() as connection:
            return add_texts(connection, find_model(connection, model), texts, actor, source)

    def queue_draw(
        self,
        model: str,
        id: str,
        drawn: Drawn | None,
        predicted: Labels | None = None,
        probability: float | None = None,
    ) -> None:
        """Write why a text is shown, and what the model says about it."""
        with self._writing() as connection:
            draw_text(connection, find_model(connection, model), id, drawn, predicted, probability)

    def queue_skip(self, model: str, id: str) -> None:
        """Skip a text."""
        self._set_state(model, id, "skipped")

    def queue_return(self, model: str, id: str) -> None:
        """Let a skipped text wait again."""
        self._set_state(model, id, "waiting")

    def queue_remove(self, model: str, id: str) -> None:
        """Remove a text from the queue. Its document stays, if it has one."""
        with self._writing() as connection:
            remove_text(connection, find_model(connection, model), id)

    def release(self) -> None:
        """Give the right to write back."""
        with self._lock:
            self._database.release()

    def _set_state(self, model: str, id: str, state: str) -> None:
        with self._writing() as connection:
            change_text(connection, find_model(connection, model), id, state=state, time=now())

    def _check_new(self, name: str) -> None:
        with self._writing() as connection:
            if connection.execute(select(models).where(models.c.name == name)).one_or_none():
                raise ModelExistsError(name)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._lock, self._database.writing() as connection:
            yield connection

    @contextlib.contextmanager
    def _kept(self, model: str, file: Path | None, covers: int) -> Iterator[dict[str, Any]]:
        """Move a file in, for a row that is written in the block; large files keep no commit waiting."""
        if file is None:
            yield {}
            return
        try:
            digest, size = file_digest(file), file.stat().st_size
        except OSError as error:
            raise store_error(self._database.name, error) from error
        name = f"{covers}-{secrets.token_hex(8)}"
        self._database.keep_file(model, name, file)
        try:
            yield {"covers": covers, "digest": digest, "size": size, "file": name}
        except StoreUnavailableError:
            raise  # The row may be there nevertheless; a file without one is deleted by the next writer.
        except BaseException:
            self._database.drop_files(model, [name])
            raise


def _append(connection: Connection, model: AnyRow, kind: str, actor: str) -> None:
    version = model.head + 1
    row = {"model": model.number, "version": version, "request": version, "kind": kind, "erased": False}
    row |= {**from_states(None, None), "actor": actor, "time": now()}
    connection.execute(insert(changes), [row])
    connection.execute(update(models).where(models.c.number == model.number).values(head=version))
