"""The page is self-contained and escaped, and may run only its own script."""

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


def test_the_policy_allows_only_the_page_script(client):
    reply = client.get("/")
    (script,) = re.findall("<script>(.*?)</script>", reply.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = reply.headers["content-security-policy"]
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_the_model_name_is_escaped(ask, model):
    other = shutil.copy(model, model.with_name("<img onerror=alert(1)>&.tb"))
    text = ask(other).get("/").text
    assert "<img" not in text
    assert "&lt;img onerror=alert(1)&gt;&amp;.tb" in text
    assert page_html("{name}").count("{name}") == 2
