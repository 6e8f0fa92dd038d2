"""What a server counts while it answers, and how Prometheus sees it."""

from textbayes.server.metrics.collectors import ModelCollector, RequestCollector
from textbayes.server.metrics.figures import Figures, Predicted
from textbayes.server.metrics.middleware import CountRequests

__all__ = ["CountRequests", "Figures", "ModelCollector", "Predicted", "RequestCollector"]
