"""A server in memory that keeps documents and remembers keys, for the commands that talk to one."""

import json

import httpx

from textbayes.errors import ModelEmptyError, ServerBusyError, TokenRefusedError
from textbayes.server.replies import error_body


class FakeServer:
    """Teaches documents; fails at the request of a number, or without a token."""

    def __init__(self, multilabel=None, classes=(), token=None, fail_at=None):
        self.multilabel, self.classes, self.token, self.fail_at = multilabel, list(classes), token, fail_at
        self.documents, self.keys, self.sizes, self.settled = {}, {}, [], []

    def __call__(self, request):
        if self.token and request.headers.get("authorization") != f"Bearer {self.token}":
            return httpx.Response(401, json=error_body(TokenRefusedError()))
        answer = {"/model": self._model, "/teach": self._teach, "/documents": self._page}.get(
            request.url.path
        )
        return httpx.Response(200, content=b"model") if answer is None else answer(request)

    def _model(self, _request):
        if not self.classes:
            return httpx.Response(409, json=error_body(ModelEmptyError("mail", 0)))
        classes = [{"label": label, "documents": 1} for label in self.classes]
        return httpx.Response(200, json={"multilabel": self.multilabel, "classes": classes})

    def _teach(self, request):
        if self.fail_at is not None and len(self.sizes) == self.fail_at:
            self.fail_at = None
            return httpx.Response(422, json=error_body(ServerBusyError("pulled the plug")))
        key = request.headers["idempotency-key"]
        if key not in self.keys:
            self.keys[key] = self._taught(json.loads(request.content))
        return httpx.Response(200, json=self.keys[key])

    def _taught(self, sent):
        ids = sent.get("ids") or [
            f"new-{len(self.documents) + place}" for place, _ in enumerate(sent["texts"])
        ]
        weights = sent.get("weights") or [1.0] * len(ids)
        self.sizes.append(len(ids))
        self.settled.append(sent.get("settle"))
        made = {"taught": 0, "relabelled": 0, "unchanged": 0}
        for id, text, labels, weight in zip(ids, sent["texts"], sent["labels"], weights, strict=True):
            new = {"id": id, "text": text, "labels": labels, "weight": weight, "source": sent["source"]}
            old = self.documents.get(id)
            made["taught" if old is None else "unchanged" if old == new else "relabelled"] += 1
            self.documents[id] = new
        return {**made, "version": len(self.documents), "settled": True}

    def _page(self, request):
        found = [each for each in self.documents.values() if self._wanted(each, request.url.params)]
        start, size = int(request.url.params.get("after", 0)), min(2, int(request.url.params["limit"]))
        after = str(start + size) if start + size < len(found) else None
        extra = {"version": 1, "time": "2026-11-16T17:00:00Z", "actor": "local"}
        items = [{**each, **extra} for each in found[start : start + size]]
        return httpx.Response(200, json={"documents": items, "next": after, "total": len(found)})

    @staticmethod
    def _wanted(document, query):
        return query.get("search", "") in document["text"] and query.get("class") in (
            None,
            document["labels"],
        )
