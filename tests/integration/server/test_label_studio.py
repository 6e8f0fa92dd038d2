"""One round with the real Label Studio: connect, predict, annotate, correct, delete.

Label Studio has hundreds of packages, so it is not among those for development. Install it in an environment
of its own, and name its program::

    python -m venv /tmp/ls && /tmp/ls/bin/pip install label-studio
    export TEXTBAYES_LABEL_STUDIO=/tmp/ls/bin/label-studio
    pytest -m slow tests/integration/server/test_label_studio.py
"""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

import textbayes
from textbayes.client import Client

PROGRAM = os.environ.get("TEXTBAYES_LABEL_STUDIO", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not PROGRAM, reason="Label Studio: set TEXTBAYES_LABEL_STUDIO to the path of its program label-studio"
    ),
]

KEY = "0123456789abcdef0123456789abcdef01234567"
CONFIG = """<View><Text name="text" value="$text"/><Choices name="label" toName="text" choice="single">
<Choice value="Ärger"/><Choice value="Freude"/></Choices></View>"""
TASKS = ["wie schön, eine Freude", "so ein Mist 💥", "schön und gut", "Mist, Mist, Mist"]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(url, process, seconds=180):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, f"{url}: the program ended"
        try:
            if httpx.get(url, timeout=2).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.5)
    raise TimeoutError(url)


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """Start Label Studio on this machine only; it sends nothing elsewhere."""
    folder, port = tmp_path_factory.mktemp("label-studio"), free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "COLLECT_ANALYTICS": "0",
        "LATEST_VERSION_CHECK": "0",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "DEBUG": "0",
        "HOME": str(folder),
        # The backend of this test is on this machine, which Label Studio otherwise refuses to ask.
        "SSRF_PROTECTION_ENABLED": "0",
        "ML_BLOCK_LOCAL_IP": "0",
    }
    address = f"http://127.0.0.1:{port}"
    command = [PROGRAM, "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    command += ["--host", address, "--username", "a@example.org", "--password", "Längeres-Wort-1"]
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [*command, "--user-token", KEY], env=environment, stdout=log, stderr=log, cwd=folder
        )
        try:
            wait_for(f"{address}/health", process)
            with httpx.Client(
                base_url=address, headers={"Authorization": f"Token {KEY}"}, timeout=60
            ) as client:
                yield client
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture(params=["open", "tokens"])
def backend(tmp_path, request):
    """Start a textbayes server; yield its client, and the address that Label Studio is to use."""
    port, environment = free_port(), {**os.environ, "PYTHONPATH": str(Path(textbayes.__file__).parents[1])}
    program = [sys.executable, "-m", "textbayes"]
    options, token, login = [], None, ""
    if request.param == "tokens":
        file = tmp_path / "tokens"
        made = subprocess.run(
            [*program, "token", "new", "label-studio", "--tokens", str(file), "--right", "teach"],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        token = made.stdout.split()[-1]
        options, login = ["--tokens", str(file)], f"label-studio:{token}@"
    serve = [*program, "serve", "--store", str(tmp_path / "store"), "--port", str(port), *options]
    with open(tmp_path / "log", "wb") as log:
        process = subprocess.Popen(serve, env=environment, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/health", process)
            with Client(f"http://127.0.0.1:{port}", token=token) as client:
                yield client, f"http://{login}127.0.0.1:{port}/label-studio", token
        finally:
            process.terminate()
            process.wait(30)


def answer(response):
    assert response.status_code < 300, f"{response.request.url}: {response.status_code} {response.text[:500]}"
    return response.json() if response.content else None


def choice(label):
    return [{"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": [label]}}]


def test_a_round(studio, backend):
    client, address, token = backend
    project = answer(studio.post("/api/projects/", json={"title": "Grüße 日本", "label_config": CONFIG}))[
        "id"
    ]
    login = {"auth_method": "BASIC_AUTH", "basic_auth_user": "label-studio", "basic_auth_pass": token}
    sent = {"project": project, "url": address, "title": "textbayes", **(login if token else {})}
    connected = answer(studio.post("/api/ml/", json=sent))
    assert connected["readable_state"] == "Connected"
    answer(studio.post(f"/api/projects/{project}/import", json=[{"text": text} for text in TASKS]))
    tasks = answer(studio.get("/api/tasks", params={"project": project}))["tasks"]
    ids = {task["data"]["text"]: task["id"] for task in tasks}

    # The model has learned nothing: predictions without a result, and no error.
    retrieve(studio, project)

    made = {}
    for text, label in zip(TASKS[:2], ["Freude", "Ärger"], strict=True):
        made[text] = answer(
            studio.post(f"/api/tasks/{ids[text]}/annotations/", json={"result": choice(label)})
        )["id"]
    found = {each["text"]: each for each in client.documents()}
    assert {text: each["labels"] for text, each in found.items()} == {TASKS[0]: "Freude", TASKS[1]: "Ärger"}
    assert found[TASKS[0]]["id"] == f"ls-{project}-{made[TASKS[0]]}"
    if token:
        assert found[TASKS[0]]["actor"] == "label-studio"

    wait_until(lambda: client.health()["classes"] == 2)
    retrieve(studio, project)
    predicted = predictions(studio, ids[TASKS[3]])
    assert predicted["result"][0]["value"]["choices"] == ["Ärger"]
    assert 0.5 < predicted["score"] <= 1
    versions = answer(studio.get(f"/api/ml/{connected['id']}/versions"))["versions"]
    assert (
        predicted["model_version"].partition(":")[0]
        == versions[0].partition(":")[0]
        == client.health()["model"]
    )

    # An update relabels the same document, and a deletion forgets it.
    answer(studio.patch(f"/api/annotations/{made[TASKS[0]]}/", json={"result": choice("Ärger")}))
    assert client.document(f"ls-{project}-{made[TASKS[0]]}")["labels"] == "Ärger"
    answer(studio.delete(f"/api/annotations/{made[TASKS[0]]}/"))
    assert [each["text"] for each in client.documents()] == [TASKS[1]]

    # So does the deletion of a task.
    answer(studio.delete(f"/api/tasks/{ids[TASKS[1]]}/"))
    assert list(client.documents()) == []
    kinds = [change["kind"] for change in client.changes()]
    assert kinds == ["forget", "forget", "relabel", "teach", "teach"]


def retrieve(studio, project):
    items = {"selectedItems": {"all": True, "excluded": []}}
    query = {"id": "retrieve_tasks_predictions", "project": project}
    return answer(studio.post("/api/dm/actions", params=query, json=items))


def predictions(studio, task):
    return max(answer(studio.get("/api/predictions/", params={"task": task})), key=lambda each: each["id"])


def wait_until(is_true, seconds=60):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.2)
