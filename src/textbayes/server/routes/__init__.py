"""The routes of the server, one module for each family."""

from fastapi import APIRouter

from textbayes.server.routes import (
    administration,
    changes,
    documents,
    inference,
    label_studio,
    metrics,
    models,
    pages,
    predict,
    predict_file,
    queue,
)

MODEL_ROUTERS: tuple[APIRouter, ...] = (
    predict.direct,
    predict.router,
    models.probes,
    models.router,
    changes.router,
    documents.router,
    predict_file.router,
    queue.router,
    label_studio.router,
)
"""The routes of a model: at the root, and under ``/models/{name}``. The first is found the fastest."""

SERVER_ROUTERS: tuple[APIRouter, ...] = (
    administration.router,
    pages.router,
    inference.router,
    metrics.router,
)
"""The routes of the server as a whole, at the root only."""

__all__ = ["MODEL_ROUTERS", "SERVER_ROUTERS"]
