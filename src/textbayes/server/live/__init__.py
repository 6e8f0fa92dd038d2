"""Models in memory: they learn the rows of a store, and are settled in the background. No HTTP here."""

from textbayes.server.live.file_model import FileModel
from textbayes.server.live.model import Changed, LiveModel, Status
from textbayes.server.live.served import MOST_TERMS, Served
from textbayes.server.live.service import Service
from textbayes.server.live.stored_model import StoredModel

__all__ = ["MOST_TERMS", "Changed", "FileModel", "LiveModel", "Served", "Service", "Status", "StoredModel"]
