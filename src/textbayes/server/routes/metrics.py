"""Figures for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool

from textbayes.server.access import token_of
from textbayes.server.metrics import Figures, ModelCollector, RequestCollector
from textbayes.server.routes.routing import JsonRoute

router = APIRouter(route_class=JsonRoute)


@router.get(
    "/metrics",
    summary="Figures for Prometheus.",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request) -> Response:
    """Return figures about requests, and about the models that the token is for, in the format of Prometheus.

    Every token has the right to read, so that the guard is enough.
    """
    figures: Figures = request.app.state.figures
    service, token = request.app.state.service, token_of(request.scope)
    models = [model for name, model in service.models.items() if token is None or token.may("read", name)]
    registry = CollectorRegistry()
    registry.register(RequestCollector(figures))
    registry.register(ModelCollector(figures, models))
    text = await run_in_threadpool(generate_latest, registry)
    return Response(text, headers={"Cache-Control": "no-store"}, media_type=CONTENT_TYPE_LATEST)
