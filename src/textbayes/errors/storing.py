"""Stores of a service: changes, documents and versions that cannot be written or found."""

from __future__ import annotations

import errno
from collections.abc import Iterable

from textbayes.errors.base import TextbayesError, did_you_mean, shown


class StoreFullError(TextbayesError, OSError):
    """The disk or the quota of a store is full."""

    code = "store-full"

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(
            f"The store {shown(store, 200)} has no room left ({reason}).",
            "A change is acknowledged only when it is on the disk. Nothing of this one was kept.",
            "Free some disk space, then send the change again. Predictions go on meanwhile.",
        )
        self.errno, self.strerror, self.filename = errno.ENOSPC, self.what, store


class StoreUnavailableError(TextbayesError, OSError):
    """A store cannot be read or written at the moment."""

    code = "store-unavailable"

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(
            f"The store {shown(store, 200)} cannot be reached ({shown(reason, 300)[1:-1]}).",
            "Without it no change can be kept, so none is acknowledged.",
            "Check the disk or the database server, then try again. With an Idempotency-Key a change that "
            "was kept is not made twice.",
        )
        self.errno, self.strerror, self.filename = errno.EIO, self.what, store


class StoreMissingError(TextbayesError, LookupError):
    """A server without a store was asked for documents or changes."""

    code = "store-missing"

    def __init__(self, model: str) -> None:
        super().__init__(
            f"The model {shown(model)} is served from a model file, without a store.",
            "A model file has counts of its documents, but not their texts and no history.",
            "Start the server with `textbayes serve MODEL --writable` or `--store FOLDER`.",
        )


class StoreForeignError(TextbayesError, ValueError):
    """A folder or a database is not a store, or a damaged one."""

    code = "store-foreign"

    def __init__(self, store: str, problem: str) -> None:
        super().__init__(
            f"{shown(store, 200)} is not a usable store of textbayes: {problem}.",
            "A store is a folder that textbayes made, or a database with its tables.",
            "Pass an empty folder, the folder of a store, or a database URL; restore a damaged one from a "
            "backup.",
        )


class StoreVersionError(TextbayesError, ValueError):
    """A store has a format of a later version."""

    code = "store-version"

    def __init__(self, store: str, found: int, newest: int, package: str) -> None:
        super().__init__(
            f"The store {shown(store, 200)} has format {found}; this version of textbayes reads up to "
            f"{newest}.",
            f"It was written by textbayes {package}, whose tables may differ.",
            "Upgrade textbayes: later versions read the stores of all earlier ones.",
        )


class WriterElsewhereError(TextbayesError, RuntimeError):
    """Another server writes to the store, so this one cannot.

    Parameters
    ----------
    host : str
        The machine of the writer; may be empty if nothing is known about it.
    pid : int
        Its process.
    address : str
        Where it can be reached, such as ``"http://127.0.0.1:8000"``.
    """

    code = "writer-elsewhere"

    def __init__(self, host: str, pid: int, address: str) -> None:
        writer = f"the server at {address or 'an unknown address'} (process {pid} on {host})"
        super().__init__(
            f"This server reads the store; {writer if host else 'another server'} writes to it.",
            "Only one server writes to a store at a time. Nothing was changed.",
            "Send changes to that server. This one can write when that one has stopped.",
        )
        self.host, self.pid, self.address = host, pid, address


class DocumentUnknownError(TextbayesError, LookupError):
    """A model has no document with this id or this content."""

    code = "document-unknown"

    def __init__(self, model: str, document: str) -> None:
        super().__init__(
            f"The model {shown(model)} has no document {shown(document)}.",
            "Only documents that were taught and not forgotten can be changed or shown.",
            "Look up the id with GET /documents, or teach the text.",
        )


class UndoConflictError(TextbayesError, RuntimeError):
    """A change cannot be undone because its document changed since.

    Parameters
    ----------
    version : int
        The change to undo.
    document : str
        Its document.
    newer : int
        The last version that changed the document.
    """

    code = "undo-conflict"

    def __init__(self, version: int, document: str, newer: int) -> None:
        super().__init__(
            f"Version {version} cannot be undone: version {newer} changed the document {shown(document)} "
            "since.",
            "Undoing the older change would overwrite the newer one.",
            f"Undo version {newer} first, or set the document to what it should be.",
        )
        self.newer = newer


class NothingToUndoError(TextbayesError, LookupError):
    """There is no change that could be undone."""

    code = "nothing-to-undo"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(
            f"There is nothing to undo in the model {shown(model)}: {reason}.",
            "A change can be undone once, and again after it was redone.",
            "Look at GET /changes for the versions that can be undone.",
        )


class KeyReusedError(TextbayesError, ValueError):
    """An idempotency key came again with a different request."""

    code = "key-reused"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The idempotency key {shown(key)} was used before for a different request.",
            "The same key means the same request, sent again. Nothing was changed.",
            "Use a new key, such as a random UUID, for each new request.",
        )


class VersionUnknownError(TextbayesError, LookupError):
    """A model does not have a version yet."""

    code = "version-unknown"

    def __init__(self, model: str, version: int, newest: int) -> None:
        super().__init__(
            f"The model {shown(model)} has no version {version}; the newest is {newest}.",
            "Every change of a model is one version: 1, 2, 3 and so on.",
            f"Pass a version from 0 to {newest}.",
        )


class VersionGoneError(TextbayesError, LookupError):
    """A version cannot be rebuilt because documents in it were erased.

    Parameters
    ----------
    model : str
    version : int
    oldest : int
        The next later version that can be rebuilt.
    """

    code = "version-gone"

    def __init__(self, model: str, version: int, oldest: int) -> None:
        super().__init__(
            f"Version {version} of the model {shown(model)} is gone: a document in it was erased.",
            "An erased text leaves every row and every snapshot, so older models cannot be rebuilt.",
            f"Pass version {oldest} or a later one.",
        )


class ModelEmptyError(TextbayesError, ValueError):
    """A model was never taught enough to predict."""

    code = "model-empty"

    def __init__(self, model: str, classes: int) -> None:
        found = {0: "no texts", 1: "texts of one class only"}.get(classes, f"{classes} classes")
        super().__init__(
            f"The model {shown(model)} has learned {found} so far.",
            "A model can choose only between classes that it knows, at least two.",
            "Teach at least one text of each of two classes: POST /teach.",
        )


class ModelUnknownError(TextbayesError, LookupError):
    """A server or a store has no model of this name."""

    code = "model-unknown"

    def __init__(self, name: str, known: Iterable[str]) -> None:
        known = list(known)
        close = did_you_mean(name, known)
        named = ", ".join(shown(one) for one in known[:10]) + (", …" if len(known) > 10 else "")
        super().__init__(
            f"There is no model {shown(name)}.{close}" if name else "The request names no model.",
            "A model must be created before it can be taught or asked."
            if name
            else "A name may be left out only if there is one model.",
            f"Use one of: {named}." if known else "Create it with POST /models.",
        )


class ModelExistsError(TextbayesError, ValueError):
    """A model of this name exists already."""

    code = "model-exists"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is a model {shown(name)} already.",
            "Names tell models apart, so a store has one of each. Nothing was changed.",
            "Choose another name, or remove that model first: DELETE /models/{name}.",
        )
