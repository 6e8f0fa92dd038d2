"""The messages of Label Studio. No HTTP here."""

from textbayes.server.label_studio.config import LabelConfig, parse_config
from textbayes.server.label_studio.events import (
    FORGOTTEN,
    TAUGHT,
    Annotation,
    deleted_ids,
    deleted_sources,
    read_annotations,
)
from textbayes.server.label_studio.predictions import predict_tasks

__all__ = [
    "FORGOTTEN",
    "TAUGHT",
    "Annotation",
    "LabelConfig",
    "deleted_ids",
    "deleted_sources",
    "parse_config",
    "predict_tasks",
    "read_annotations",
]
