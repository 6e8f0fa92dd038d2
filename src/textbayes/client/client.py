"""Client: what a server does, as methods."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from textbayes.client.batches import text_batches
from textbayes.client.connection import Connection
from textbayes.persistence.replacing import replacing

Answer = dict[str, Any]


class Client:
    """A model on a server.

    A request that the server is too busy for (503, 429), or that does not reach it, is sent again. Changes
    have an idempotency key, so none is made twice. Errors of the server are raised as the classes of
    ``textbayes.errors``.

    Parameters
    ----------
    url : str
        The address of the server, such as ``"http://127.0.0.1:8000"``, or of one of its models:
        ``"https://texts.example/models/mail"``.
    token : str, optional
        The token, if the server asks for one. It is only sent to this address; redirections are not followed.
    model : str, optional
        The name of the model, if the server has several and the address names none.
    timeout : float, default=60
        The longest time for an answer, in seconds.
    retries : int, default=5
        How often a request is sent again.
    actor : str, optional
        Your name in the history of changes, for a local server without tokens.
    transport : httpx.BaseTransport, optional
        What sends the requests, such as one with a proxy or certificates.

    Examples
    --------
    >>> from textbayes.client import Client
    >>> client = Client("http://127.0.0.1:8000", model="mail")
    >>> client.url
    'http://127.0.0.1:8000/models/mail'
    >>> client.close()

    With a server at that address::

        with Client("http://127.0.0.1:8000") as client:
            client.teach(["free prize", "see you at noon"], ["spam", "ham"])
            client.predict("a free prize", proba=True)  # {'label': 'spam', 'probability': 0.93}
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        model: str | None = None,
        timeout: float = 60.0,
        retries: int = 5,
        actor: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._connection = Connection(url, token, model, timeout, retries, actor, transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    @property
    def url(self) -> str:
        """The address of the server or of its model."""
        return self._connection.url

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    # Reading

    def health(self) -> Answer:
        """Return whether the server is ready."""
        return self._get("/health")

    def model(self) -> Answer:
        """Return the summary of the model: its classes and its configuration."""
        return self._get("/model")

    def predict(
        self,
        texts: str | Sequence[str],
        *,
        top: int | None = None,
        proba: bool = False,
        reject_below: float | None = None,
    ) -> Any:
        """Classify a text, or a sequence of texts of any length.

        Returns
        -------
        dict or list of dict
            ``label``, or ``labels`` if a text may have several, with ``probability`` and ``top`` if asked
            for; a list of them for a sequence of texts.
        """
        options = {"top": top, "proba": proba or None, "reject_below": reject_below}
        if isinstance(texts, str):
            return self._post("/predict", {"text": texts, **options})
        found: list[Answer] = []
        for batch in text_batches(texts):
            found += self._post("/predict", {"texts": batch, **options})["predictions"]
        return found

    def explain(self, text: str, *, classes: Sequence[Any] | None = None, top: int | None = None) -> Answer:
        """Return how each word of a text contributes to each class."""
        return self._post("/explain", {"text": text, "classes": classes and list(classes), "top": top})

    def documents(
        self, *, search: str | None = None, label: Any = None, limit: int | None = None, page: int = 1000
    ) -> Iterator[Answer]:
        """Yield the documents that the model was taught over HTTP.

        Parameters
        ----------
        search : str, optional
            Only those whose text has these words.
        label : label, optional
            Only those of this class.
        limit : int, optional
            Yield at most so many.
        page : int, default=1000
            How many to ask for at a time.
        """
        query = {"search": search, "class": _in_query(label)}
        return self._pages("/documents", "documents", "after", query, limit, page)

    def document(self, id: str) -> Answer:
        """Return a document and its history."""
        return self._get(f"/documents/{quote(id, '')}")

    def changes(
        self,
        *,
        actor: str | None = None,
        label: Any = None,
        document: str | None = None,
        limit: int | None = None,
        page: int = 1000,
    ) -> Iterator[Answer]:
        """Yield the changes of the model, newest first; those of an actor, a class or a document."""
        query = {"actor": actor, "class": _in_query(label), "document": document}
        return self._pages("/changes", "changes", "before", query, limit, page)

    def quality(self) -> Answer:
        """Return how good the model is: by leave-one-out, and by the random share of the queue."""
        return self._get("/quality")

    def download(self, path: str | os.PathLike[str], version: int | None = None) -> Path:
        """Write the model file to a path, as of a version of the model or as it is now."""
        target = Path(path)
        query = {"version": version}
        with (
            self._connection.answer("GET", "/model/file", params=query) as answer,
            replacing(target) as file,
        ):
            for part in answer.iter_bytes():
                file.write(part)
        return target

    # Changing

    def teach(
        self,
        texts: str | Sequence[str],
        labels: Any,
        *,
        ids: Any = None,
        weights: Any = None,
        source: str | None = None,
        wait: float | None = None,
        settle: bool | None = None,
        key: str | None = None,
    ) -> Answer:
        """Teach a text or several, in one request: all of them or none.

        Parameters
        ----------
        texts : str or sequence of str
            A text, or several, up to the server's limits. Then labels, ids and weights are sequences, too.
        labels : label or sequence
            The label of each text; a list of labels for each if the model has several per text.
        ids : str or sequence of str, optional
            An id taught again with another label is relabelled, with the same one unchanged.
        weights : float or sequence of float, optional
            A text of weight 2 counts as two.
        source : str, optional
            Where the texts come from, for the history.
        wait : float, optional
            How many seconds to wait until predictions know the texts; they are stored in any case.
        settle : bool, optional
            Whether to wait until the model equals a fresh fit.
        key : str, optional
            The idempotency key: a second request of the same key changes nothing. By default a new one.
        """
        sent = _labelled(texts, labels, weights) | _each(texts, "id", ids)
        return self._change("/teach", {**sent, "source": source, "wait": wait, "settle": settle}, key)

    def forget(
        self,
        texts: str | Sequence[str],
        labels: Any,
        *,
        weights: Any = None,
        settle: bool | None = None,
        key: str | None = None,
    ) -> Answer:
        """Make the model forget a text or several, with the labels that they were taught with."""
        return self._change("/forget", {**_labelled(texts, labels, weights), "settle": settle}, key)

    def relabel(
        self,
        texts: str | Sequence[str],
        labels: Any,
        new_labels: Any,
        *,
        weights: Any = None,
        settle: bool | None = None,
        key: str | None = None,
    ) -> Answer:
        """Replace the labels of a text or several."""
        sent = _labelled(texts, labels, weights) | _each(texts, "new_label", new_labels)
        return self._change("/relabel", {**sent, "settle": settle}, key)

    def put(
        self,
        id: str,
        label: Any,
        text: str | None = None,
        *,
        weight: float | None = None,
        source: str | None = None,
        settle: bool | None = None,
        key: str | None = None,
    ) -> Answer:
        """Teach a document under an id, or relabel it; an existing one keeps its text if none is given."""
        sent = {"text": text, "label": label, "weight": weight, "source": source, "settle": settle}
        return self._change(f"/documents/{quote(id, '')}", sent, key, "PUT")

    def delete(
        self, id: str, *, erase: bool = False, settle: bool | None = None, key: str | None = None
    ) -> Answer:
        """Forget a document; with ``erase``, its text also leaves the history and old model files."""
        query = {
            "erase": "true" if erase else None,
            "settle": None if settle is None else str(settle).lower(),
        }
        path, made = f"/documents/{quote(id, '')}", key or _new_key()
        return self._dict(self._connection.ask("DELETE", path, key=made, params=query))

    def undo(
        self, version: int | None = None, *, request: int | None = None, key: str | None = None
    ) -> Answer:
        """Undo a change, a whole request, or by default your last request."""
        return self._change("/undo", {"version": version, "request": request}, key)

    def settle(self) -> Answer:
        """Refit the model unless it equals a fresh fit."""
        return self._post("/settle", {})

    # The queue

    def queue(self, limit: int = 1) -> Answer:
        """Return the texts to label next, and how many wait."""
        return self._get("/queue", {"limit": limit})

    def add_to_queue(self, texts: Sequence[str], source: str | None = None) -> Answer:
        """Add texts to the queue, any number; return how many were new."""
        found = {"queued": 0, "duplicates": 0}
        for batch in text_batches(texts):
            answer = self._post("/queue", {"texts": batch, "source": source})
            found = {name: found[name] + answer[name] for name in found}
        return found

    def label(self, id: str, label: Any, *, key: str | None = None) -> Answer:
        """Label a text of the queue, which teaches it; a list of labels if the model has several per text."""
        sent = {"labels" if isinstance(label, list | tuple) else "label": label}
        return self._change(f"/queue/{quote(id, '')}", sent, key)

    def skip(self, id: str) -> Answer:
        """Skip a text of the queue."""
        return self._post(f"/queue/{quote(id, '')}/skip", {})

    def unskip(self, id: str) -> Answer:
        """Put a text that was skipped back into the queue."""
        return self._post(f"/queue/{quote(id, '')}/return", {})

    def _get(self, path: str, query: Answer | None = None) -> Answer:
        return self._dict(self._connection.ask("GET", path, params=query or {}))

    def _post(self, path: str, sent: Answer) -> Answer:
        return self._dict(self._connection.ask("POST", path, json=sent))

    def _change(self, path: str, sent: Answer, key: str | None, method: str = "POST") -> Answer:
        return self._dict(self._connection.ask(method, path, json=sent, key=key or _new_key()))

    def _dict(self, found: Any) -> Answer:
        return found if isinstance(found, dict) else {"answer": found}

    def _pages(
        self, path: str, name: str, cursor: str, query: Answer, limit: int | None, page: int
    ) -> Iterator[Answer]:
        left, place = limit, None
        while left is None or left > 0:
            size = page if left is None else min(page, left)
            found = self._get(path, {**query, cursor: place, "limit": size})
            yield from found[name]
            left = None if left is None else left - len(found[name])
            place = found.get("next")
            if place is None:
                return


def _new_key() -> str:
    return uuid.uuid4().hex


def _labelled(texts: str | Sequence[str], labels: Any, weights: Any) -> Answer:
    """Return the fields of texts and their labels: ``text`` and ``label``, or ``texts`` and ``labels``."""
    named = {"text": texts} if isinstance(texts, str) else {"texts": list(texts)}
    return named | _each(texts, "label", labels) | _each(texts, "weight", weights)


def _each(texts: str | Sequence[str], name: str, values: Any) -> Answer:
    """Return a field for one text, or that of several, whose name ends with s; numpy values as Python's."""
    if values is None:
        return {}
    if hasattr(values, "tolist"):
        values = values.tolist()
    return {name: values} if isinstance(texts, str) else {f"{name}s": list(values)}


def _in_query(label: Any) -> Any:
    return str(label).lower() if isinstance(label, bool) else label
