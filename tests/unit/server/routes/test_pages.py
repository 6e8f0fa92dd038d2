"""The page: its own files only, under a strict policy."""

import re


def test_the_page(client):
    reply = client.get("/")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "<script" in reply.text
    assert not re.search(r"<script>|<style|\bon\w+=|style=", reply.text)


def test_every_file_of_the_page(client):
    named = re.findall(r'(?:src|href)="(page/[^"]+)"', client.get("/").text)
    assert named
    for name in named:
        reply = client.get(f"/{name}")
        assert reply.status_code == 200, name
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert not reply.headers["content-type"].startswith("text/plain")


def test_no_other_files(client):
    for path in ("/page/none.js", "/page/../application.py", "/page/%2e%2e%2fapplication.py", "/page/"):
        reply = client.get(path)
        assert reply.status_code == 404, path
        assert reply.json()["error"]["code"] == "request-path"


def test_security_headers_are_on_every_answer(ask):
    client = ask(hosts=("localhost",))
    replies = [
        client.get("/"),
        client.get("/health"),
        client.get("/nowhere"),
        client.post("/predict", content=b"{", headers={"Content-Type": "application/json"}),
        client.get("/health", headers={"Host": "evil.example"}),
        client.post("/explain", json={"text": "cheap"}, headers={"Accept": "text/html"}),
    ]
    for reply in replies:
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-opener-policy"] == "same-origin"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["cache-control"] in {"no-store", "no-cache"}


def test_origins_that_may_read_answers(ask):
    client = ask(origins=("https://mail.example",))
    good, bad = {"Origin": "https://mail.example"}, {"Origin": "https://evil.example"}
    assert client.get("/health", headers=good).headers["access-control-allow-origin"] == good["Origin"]
    assert "access-control-allow-origin" not in client.get("/health", headers=bad).headers
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    assert client.options("/predict", headers={**good, **asked}).status_code == 200
    assert client.options("/predict", headers={**bad, **asked}).status_code == 400
