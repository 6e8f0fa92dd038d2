"""Messages that Label Studio 1.23.2 sent to a backend, in their order."""

import json
from pathlib import Path

FILE = Path(__file__).with_name("messages.jsonl")
MESSAGES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def messages(action):
    """Return the bodies of a webhook's action."""
    return [message["body"] for message in MESSAGES if (message["body"] or {}).get("action") == action]


def body_of(path):
    """Return the first body that was sent to a path."""
    return next(message["body"] for message in MESSAGES if message["path"] == f"/label-studio/{path}")
