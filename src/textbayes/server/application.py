"""create_app: an ASGI application from the routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from textbayes.persistence import package_version
from textbayes.server.access import Guard, Rates, Tokens
from textbayes.server.bodies import Bodies
from textbayes.server.counted_log import CountedLog
from textbayes.server.failures import failure_handlers
from textbayes.server.live import Service
from textbayes.server.live.feeding import Feeding
from textbayes.server.metrics import Figures
from textbayes.server.middleware import AccessLog, Heads, HostCheck
from textbayes.server.routes import MODEL_ROUTERS, SERVER_ROUTERS
from textbayes.server.settings import Settings

_ABOUT = """
Text classification with the naive Bayes family.

Every path that is about a model exists at the root, for a server of one model, and under `/models/{name}`.
"""


class ErrorParts(BaseModel):
    """What happened, why it matters and what to do."""

    code: str = Field(description="A stable error code.")
    what: str = Field(description="What happened.")
    why: str = Field(description="Why it matters.")
    todo: str = Field(description="What to do about it.")
    docs: str = Field(description="The documentation of the error.")


class Error(BaseModel):
    """The body of every answer that is an error."""

    error: ErrorParts


def create_app(settings: Settings) -> FastAPI:
    """Return an application that serves models.

    Parameters
    ----------
    settings : Settings
        The model files, the store, permissions and limits. Models are loaded when the application starts.

    Returns
    -------
    FastAPI
        An ASGI application, for uvicorn or any other ASGI server with the lifespan protocol;
        ``app.state.service`` has its models.

    Raises
    ------
    FileMissingError, TokenFileError
        If the file of tokens is missing or invalid.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.server import Settings, create_app
    >>> TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"]).save("news.tb")
    >>> app = create_app(Settings("news.tb"))
    >>> sorted(app.openapi()["paths"])[:3]
    ['/', '/changes', '/documents']
    """
    settings = replace(settings, log=CountedLog(settings.log))
    figures = Figures()
    app = FastAPI(
        title="textbayes",
        version=package_version(),
        description=_ABOUT.strip(),
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # a path that is not there is an error
        middleware=_middleware(settings, figures),
        exception_handlers=failure_handlers(settings, _paths()),
        responses={"default": {"model": Error, "description": "An error, described in the body."}},
        generate_unique_id_function=lambda route: route.name,
        servers=[
            {"url": "/", "description": "The only model."},
            {"url": "/models/{name}", "variables": {"name": {"default": "default"}}},
        ],
    )
    app.state.settings, app.state.service = settings, Service(settings)
    app.state.figures = figures
    app.state.feeding = Feeding(settings.queue_below, settings.queue_waiting, settings.log)
    for router in MODEL_ROUTERS:
        app.include_router(router)
    for router in SERVER_ROUTERS:
        app.include_router(router)
    for router in MODEL_ROUTERS:
        app.include_router(router, prefix="/models/{name}", include_in_schema=False)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    await service.start()
    try:
        yield
    finally:
        await app.state.feeding.close()
        await service.stop()


def _middleware(settings: Settings, figures: Figures) -> list[Middleware]:
    found = [
        Middleware(AccessLog, log=settings.log, figures=figures),
        Middleware(HostCheck, hosts=settings.hosts),
    ]
    if settings.origins:
        cross: dict[str, Any] = {
            "allow_origins": settings.origins,
            "allow_methods": ["GET", "POST", "PUT", "DELETE"],
            "allow_headers": ["Authorization", "Content-Type", "Idempotency-Key"],
            "expose_headers": ["Retry-After", "Textbayes-Version"],
            "max_age": 600,
        }
        found.append(Middleware(CORSMiddleware, **cross))
    rates = None if settings.rate is None else Rates(settings.rate)
    found.append(Middleware(Guard, tokens=Tokens.of(settings), rates=rates))
    found += [Middleware(Bodies, settings=settings), Middleware(Heads)]
    return found


def _paths() -> list[str]:
    routes = [route for router in (*MODEL_ROUTERS, *SERVER_ROUTERS) for route in router.routes]
    paths = [route.path for route in routes if isinstance(route, APIRoute) and route.include_in_schema]
    return [*dict.fromkeys(paths), "/openapi.json"]
