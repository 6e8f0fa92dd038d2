"""What routes share: the model of a request, who sends it, and whether they may."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import unquote

from fastapi import Depends, Header, Request

from textbayes.errors import ModelUnknownError, RequestFieldError, RightMissingError, ServerReadOnlyError
from textbayes.server.access import Right, Token, token_of
from textbayes.server.live import LiveModel, Served, Service
from textbayes.server.metrics import Figures
from textbayes.server.settings import Settings

if TYPE_CHECKING:
    from textbayes.server.store import Edit

_LONGEST_NAME, _LONGEST_KEY = 100, 200


async def service_of(request: Request) -> Service:
    """Return the service that answers."""
    service: Service = request.app.state.service
    return service


async def settings_of(request: Request) -> Settings:
    """Return the settings of the server."""
    settings: Settings = request.app.state.settings
    return settings


async def model_of(request: Request) -> LiveModel:
    """Return the model that the path names, or the only one."""
    service: Service = request.app.state.service
    return service.model(request.path_params.get("name"))


async def served_of(request: Request) -> Served:
    """Return the model as it is now; one request sees one state of it."""
    service: Service = request.app.state.service
    return service.model(request.path_params.get("name")).served


async def actor_of(
    request: Request, textbayes_actor: Annotated[str | None, Header(max_length=1200)] = None
) -> str:
    """Return who sends the request: the name of the token, or what the header says if there are no tokens."""
    token = token_of(request.scope)
    if token is not None:
        return token.name
    if textbayes_actor is None:
        return "local"
    try:
        # Clients that can send only ASCII escape the name as in an address.
        name = unquote(textbayes_actor.encode("latin-1").decode("utf-8"), errors="strict").strip()
    except UnicodeError:
        name = ""
    if not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
        expected = f"a name of up to {_LONGEST_NAME} printable characters in UTF-8"
        raise RequestFieldError.invalid("Textbayes-Actor", textbayes_actor, expected)
    return name


def needs(right: Right) -> Any:
    """Return a dependency that refuses requests without a right for their model."""

    async def check(request: Request) -> None:
        check_right(request, right)

    return Depends(check)


def check_right(request: Request, right: Right) -> None:
    """Refuse a request without a right for its model.

    Raises
    ------
    RightMissingError
        If its token does not have the right.
    """
    token = token_of(request.scope)
    if token is None:  # a server without tokens, or a path that is open
        return
    name: str | None = request.path_params.get("name")
    if name is None and token.models is not None and not request.url.path.startswith("/models"):
        name = _only_model(request.app.state.service, token)
    if not token.may(right, name):
        raise RightMissingError(right, name)


def _only_model(service: Service, token: Token) -> str:
    """Return the name of the only model. An error names no models but those of the token."""
    if len(service.models) == 1:
        return service.model().name
    raise ModelUnknownError("", [name for name in sorted(service.models) if token.may("read", name)])


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for a change, and the key under which it is made only once."""

    model: LiveModel
    actor: str
    key: str | None
    digest: str | None
    figures: Figures

    async def change(
        self, edits: list[Edit], *, source: str | None = None, wait: float | None = None, settle: bool = False
    ) -> Any:
        """Make changes; return what became of them."""
        changed = await self.model.change(
            tuple(edits),
            actor=self.actor,
            source=source,
            key=self.key,
            digest=self.digest,
            wait=0.005 if wait is None else wait,
            settle=settle,
        )
        self.figures.add_changes(self.model.name, changed.receipt)
        return changed


async def asked_by(
    request: Request,
    model: Annotated[LiveModel, Depends(model_of)],
    actor: Annotated[str, Depends(actor_of)],
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=_LONGEST_KEY)] = None,
) -> Asked:
    """Return who asks for a change.

    Raises
    ------
    ServerReadOnlyError
        If the server has no store for changes.
    """
    if model.store is None:
        raise ServerReadOnlyError(request.url.path)
    figures: Figures = request.app.state.figures
    if idempotency_key is None:
        return Asked(model, actor, None, None, figures)
    if not idempotency_key.isprintable():
        raise RequestFieldError.invalid("Idempotency-Key", idempotency_key, "printable characters")
    asked = f"{request.method} {request.url.path}?{request.url.query}\n".encode() + await request.body()
    return Asked(model, actor, idempotency_key, hashlib.sha256(asked).hexdigest(), figures)


Model = Annotated[LiveModel, Depends(model_of)]
Served_ = Annotated[Served, Depends(served_of)]
Actor = Annotated[str, Depends(actor_of)]
AskedBy = Annotated[Asked, Depends(asked_by)]
Server = Annotated[Service, Depends(service_of)]
Limits = Annotated[Settings, Depends(settings_of)]
