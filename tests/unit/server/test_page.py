"""The page: self-contained, escaped, and allowed to run its own script only."""

import base64
import hashlib
import re
import shutil

from textbayes.server.page import page_html


def test_the_page(client):
    reply = client.get("/")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "<h1>메일.tb</h1>" in reply.text
    assert not re.search(r"https?:|//\w|\bsrc=|\bhref=|\bon\w+=", reply.text)


def test_its_script_and_no_other_may_run(client):
    reply = client.get("/")
    (script,) = re.findall("<script>(.*?)</script>", reply.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = reply.headers["content-security-policy"]
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_a_name_cannot_break_out(ask, model):
    other = shutil.copy(model, model.with_name("<img onerror=alert(1)>&.tb"))
    text = ask(other).get("/").text
    assert "<img" not in text
    assert "&lt;img onerror=alert(1)&gt;&amp;.tb" in text
    assert page_html("{name}").count("{name}") == 2
