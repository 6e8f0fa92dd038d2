"""docs/http.md documents every route and field, and its examples match a real server."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import DOCS, snippets

import textbayes
import warm

pytest.importorskip("fastapi")

from textbayes.server import Settings, create_app
from textbayes.server.replies import STATUS

PAGE = DOCS / "http.md"
TEXT = PAGE.read_text(encoding="utf-8")
PORT = "localhost:8000"


DOCUMENT = create_app(Settings()).openapi()
OPERATIONS = [
    (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]


def section(method, path):
    start = TEXT.find(f"\n## `{method} {path}`\n")
    assert start >= 0, f"docs/http.md has no section ## `{method} {path}`"
    return TEXT[start + 1 :].partition("\n## ")[0]


def fields(operation):
    """Return the names of the fields of an operation, in the query string or in the body."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
    body = DOCUMENT["components"]["schemas"].get(name, {}).get("properties", {})
    return [*body, *(each["name"] for each in operation.get("parameters", ()) if each["in"] == "query")]


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=lambda value: str(value)[:30])
def test_every_route_and_field_is_documented(method, path, operation):
    for name in fields(operation):
        assert re.search(rf"^\|.*`{name}`.*\|", section(method, path), re.MULTILINE), name
    summary = re.escape(operation["summary"])
    row = rf"^\| `{method}` \| \[`{re.escape(path)}`\]\(.*\) \| {summary} \|$"
    assert re.search(row, TEXT, re.MULTILINE), f"the table of docs/http.md has no row for {method} {path}"


def test_every_status_and_limit_is_documented():
    statuses = {
        int(found)
        for row in re.findall(r"^\| (\d+(?:, \d+)*) \|", TEXT, re.MULTILINE)
        for found in row.split(",")
    }
    assert statuses == {*STATUS.values(), 422}
    settings = Settings("mail.tb")
    assert f"more than {settings.body_bytes >> 20} MiB" in TEXT
    assert f"more than {settings.texts:,} texts" in TEXT
    assert f"more than {settings.explained:,} characters" in TEXT
    assert f"within {settings.body_seconds:g} seconds" in TEXT


def rounded(value):
    """Drop values that differ between machines."""
    if isinstance(value, dict):
        return {name: "…" if name in ("versions", "time") else rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_the_examples_match_a_real_server(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1]), "NO_COLOR": "1"}
    environment = {name: value for name, value in environment.items() if not name.lower().endswith("_proxy")}
    program = f'textbayes() {{ {shlex.join(warm.client("-m", "textbayes"))} "$@"; }}'
    blocks = snippets(PAGE)
    server, address, shown = None, "", 0
    try:
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            if block.info == "sh" and "textbayes serve" in block.source:
                command = [sys.executable, "-m", *block.source.split(), "--port", "0"]
                server = warm.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
                address = re.search(rb"http://(\S+)", server.stderr.readline())[1].decode()
            elif block.info == "sh":
                script = f"{program}\n{block.source.replace(PORT, address)}"
                done = subprocess.run(
                    ["sh", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, timeout=60
                )
                assert done.returncode == 0, done.stderr
                if following is not None and following.info == "json":
                    shown += 1
                    assert rounded(json.loads(done.stdout)) == rounded(json.loads(following.source)), (
                        block.line
                    )
            elif block.info == "python" and PORT in block.source:
                namespace = {}
                exec(block.source.replace(PORT, address), namespace)
                assert namespace["labels"] == ["spam", "ham"]
    finally:
        if server is not None:
            server.terminate()
            server.communicate(timeout=60)
    assert shown >= 7
    assert "<html" in (tmp_path / "why.html").read_text(encoding="utf-8")


def test_every_limit_is_in_the_table():
    table = TEXT.partition("\n## Limits\n")[2].partition("\n## ")[0]
    shown = dict(re.findall(r"^\| `(\w+)` \| ([\d,.]+(?: MiB)?) \|", table, re.MULTILINE))
    limits = {
        name: value
        for name, value in vars(Settings("mail.tb")).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    assert shown == {
        name: f"{value >> 20} MiB"
        if name.endswith("_bytes")
        else f"{value:,g}"
        if value < 1e6
        else f"{value:,}"
        for name, value in limits.items()
    }
