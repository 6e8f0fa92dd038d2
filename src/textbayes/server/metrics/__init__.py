"""What a server counts while it answers, and how Prometheus sees it."""

from textbayes.server.metrics.collectors import ModelCollector, RequestCollector
from textbayes.server.metrics.figures import UNKNOWN, Figures, Predicted

__all__ = ["UNKNOWN", "Figures", "ModelCollector", "Predicted", "RequestCollector"]
