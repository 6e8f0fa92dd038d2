"""textbayes serve: real processes, real sockets, real signals."""

import http.client
import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import warm
from textbayes import TextClassifier
from textbayes.cli import main
from textbayes.server import listen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are others on Windows")


def eventually(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_start_request_and_stop(serve, model):
    server = serve()
    assert server.stderr == f"Serving {model} at {server.address.geturl()} (Ctrl-C to stop).\n"
    assert server.address.hostname == "127.0.0.1"
    status, answer = server.ask("GET", "/health")
    assert (status, answer["ready"], answer["model"]) == (200, True, "메일")
    texts = ["cheap", "회의 자료", "اجتماع", "बैठक", "🙂 noon", "a\0b", ""]
    status, answer = server.ask("POST", "/predict", {"texts": texts})
    labels = TextClassifier.load(model).predict(texts).tolist()
    assert (status, [each["label"] for each in answer["predictions"]]) == (200, labels)
    code, printed, stderr = server.stop()
    assert (code, printed) == (0, "")
    lines = stderr.splitlines()[1:]
    assert [line.split()[:3] for line in lines] == [["GET", "/health", "200"], ["POST", "/predict", "200"]]


def test_ctrl_c_is_quiet(serve):
    server = serve()
    server.ask("GET", "/health")
    code, printed, stderr = server.stop(signal.SIGINT)
    assert (code, printed) == (130, "")
    assert "Traceback" not in stderr
    assert len(stderr.splitlines()) == 2


def test_the_log_as_json(serve, model):
    server = serve("--json", "--writable")
    server.ask("POST", "/predict", {"txt": "비밀"})
    server.ask("GET", "/%0aforged")
    _, _, stderr = server.stop()
    events = [json.loads(line) for line in stderr.splitlines()]
    assert [event["event"] for event in events] == ["ready", "request", "request"]
    assert events[0]["address"] == server.address.geturl()
    assert events[0]["model"] == str(model)
    assert events[0]["writable"] is True
    assert events[1]["code"] == "request-field"
    assert (events[2]["path"], events[2]["status"]) == ("/%0aforged", 404)
    assert all("time" in event for event in events)
    assert "비밀" not in stderr


def test_termination_finishes_running_requests(serve, tmp_path):
    """A request that is half sent at SIGTERM is still answered; new ones are refused."""
    server = serve()
    connection = server.connect()
    body = b'{"text": "cheap"}'
    connection.putrequest("POST", "/predict")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    connection.send(body[:5])
    time.sleep(0.3)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.5)
    with pytest.raises(OSError):  # noqa: PT011  refused or reset, depending on the system
        server.ask("GET", "/health")
    connection.send(body[5:])
    reply = connection.getresponse()
    assert json.loads(reply.read()) == {"label": "spam"}
    connection.close()
    _, stderr = server.process.communicate(timeout=60)
    assert server.process.returncode == 0
    assert "POST /predict  200" in stderr


def _added(answer, one):
    return one["bias"] + sum(token["contributions"][one["label"]] for token in answer["tokens"])


def test_reading_while_teaching(serve, model):
    """Predictions during updates come from a complete model: before, between or after them."""
    server, wrong, stop = serve("--writable"), [], threading.Event()
    text = "golden mine 금광"

    def read():
        while not stop.is_set():
            status, answer = server.ask("POST", "/explain", {"text": text})
            score = {one["label"]: one["score"] for one in answer["classes"]}
            adds = all(abs(_added(answer, one) - one["score"]) < 1e-9 for one in answer["classes"])
            if status != 200 or not adds or answer["label"] != max(score, key=score.get):
                wrong.append(answer)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    changes = [
        threading.Thread(target=server.ask, args=("POST", "/teach", {"text": text, "label": f"금{number}"}))
        for number in range(6)
    ]
    for change in changes:
        change.start()
    for change in changes:
        change.join()
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    eventually(lambda: server.ask("GET", "/model")[1]["documents"] == 7 + 6)
    code, _, stderr = server.stop()
    assert TextClassifier.load(model).documents_ == 7 + 6  # the file is written at the end, at the latest
    assert code == 0
    assert "Traceback" not in stderr


def test_a_kill_loses_nothing_that_was_acknowledged(serve, model):
    """After a kill, every acknowledged change is there, at most one more, and the model file loads."""
    server, known = serve("--writable"), []

    def teach():
        for number in range(1000):
            try:
                status, _ = server.ask("POST", "/teach", {"text": f"word{number} 낱말", "label": "new"})
            except (OSError, ValueError, http.client.HTTPException):
                return
            known.append(status)

    teacher = threading.Thread(target=teach)
    teacher.start()
    eventually(lambda: len(known) > 10)
    server.process.kill()
    teacher.join()
    server.process.communicate()
    assert set(known) == {200}
    assert TextClassifier.load(model).documents_ >= 7
    again = serve("--writable")
    assert again.ask("GET", "/versions")[1]["version"] in {len(known), len(known) + 1}
    documents = again.ask("GET", "/documents?limit=1000")[1]["documents"]
    assert {f"word{number} 낱말" for number in range(len(known))} <= {each["text"] for each in documents}
    eventually(lambda: again.ask("GET", "/model")[1]["documents"] == 7 + len(documents))


def test_invalid_bytes_in_a_body(serve):
    server = serve()
    for body in (b'{"text": "\xff\xfe"}', b"\x00\x01\x02", '{"text": "밀'.encode()[:-1]):
        status, answer = server.ask("POST", "/predict", body=body)
        assert (status, answer["error"]["code"]) == (400, "request-json")
    for raw in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\r\n"):
        with socket.create_connection((server.address.hostname, server.address.port)) as raw_line:
            raw_line.sendall(raw)
            raw_line.shutdown(socket.SHUT_WR)
            raw_line.settimeout(10)
            raw_line.recv(1000)
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})


def test_hosts(serve):
    near = serve("--allow-host", "mail.example")
    for host, status in [("localhost:1", 200), ("mail.example", 200), ("evil.example", 403)]:
        assert near.ask("GET", "/health", headers={"Host": host})[0] == status
    far = serve("--host", "0.0.0.0", "--writable", "--without-tokens")
    assert "Anyone who can reach this machine can use this server and change the model" in far.stderr
    assert far.ask("GET", "/health", headers={"Host": "any.example"})[0] == 200


def test_another_address_demands_tokens(serve, model, capsys, tmp_path):
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(model), "--host", "0.0.0.0", "--port", "0"])
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert "[tokens-needed]" in shown
    assert "textbayes token new" in shown
    assert "--without-tokens" in shown
    main_quietly(["token", "new", "ann", "--tokens", str(tmp_path / "tokens.json")])
    secret = capsys.readouterr().out.strip()
    far = serve("--host", "0.0.0.0", "--tokens", str(tmp_path / "tokens.json"), "--json")
    assert far.ask("POST", "/predict", {"text": "cheap"})[0] == 401
    headers = {"Authorization": f"Bearer {secret}"}
    assert far.ask("POST", "/predict", {"text": "cheap"}, headers) == (200, {"label": "spam"})
    main_quietly(["token", "revoke", "ann", "--tokens", str(tmp_path / "tokens.json")])
    eventually(lambda: far.ask("POST", "/predict", {"text": "cheap"}, headers)[0] == 401)
    _, _, stderr = far.stop()
    assert secret not in stderr
    assert '"actor": "ann"' in stderr


def main_quietly(arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert not ended.value.code


@pytest.fixture
def certificate(tmp_path):
    """A certificate for this machine, signed by itself, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    names = "subjectAltName=IP:127.0.0.1,DNS:localhost"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += " -subj /CN=localhost"
    files = ["-keyout", tmp_path / "key.pem", "-out", tmp_path / "certificate.pem"]
    subprocess.run([*command.split(), "-addext", names, *files], check=True, capture_output=True)
    return tmp_path / "certificate.pem", tmp_path / "key.pem"


def test_encrypted_connections(serve, certificate):
    file, key = certificate
    server = serve("--certificate", str(file), "--key", str(key))
    server.certificate = file
    assert server.address.scheme == "https"
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})
    address = (server.address.hostname, server.address.port)
    # Those that say nothing, or speak no TLS, keep nobody waiting.
    silent = [socket.create_connection(address, timeout=30) for _ in range(5)]
    with socket.create_connection(address, timeout=30) as plain:
        plain.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"HTTP/1.1 200" not in plain.recv(1000)
    assert server.ask("GET", "/health")[0] == 200
    for line in silent:
        line.close()
    code, _, stderr = server.stop()
    assert code == 0
    assert "Traceback" not in stderr


@pytest.mark.parametrize("wrong", ["none", "key", "text"])
def test_certificates_that_cannot_be_used(model, certificate, capsys, wrong):
    file, key = certificate
    (file.parent / "text").write_text("no certificate")
    other = {"none": file.parent / "none.pem", "key": key, "text": file.parent / "text"}[wrong]
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(model), "--port", "0", "--certificate", str(other), "--key", str(key)])
    assert ended.value.code == 2
    assert "[certificate]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--key", "key.pem"], "parameter-conflict"),
        (["--tokens", "tokens.json", "--without-tokens"], "parameter-conflict"),
        (["--tokens", "none.json"], "file-missing"),
        (["--rate", "0"], "parameter-value"),
        (["--store", "mysql://me:secret@host/db"], "parameter-value"),
    ],
)
def test_options_that_contradict(model, capsys, options, code):
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(model), "--port", "0", *options])
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert f"[{code}" in shown
    assert "secret" not in shown


def test_nothing_to_serve_begins_a_store(serve, tmp_path):
    server = serve(model=None, cwd=tmp_path)
    assert "No MODEL and no --store: the store is the folder textbayes-store" in server.stderr
    fields = {"texts": ["wheat corn", "crude oil"], "labels": ["grain", "oil"], "wait": 30}
    assert server.ask("POST", "/teach", fields)[1]["applied"] is True
    assert server.ask("POST", "/predict", {"text": "corn"}) == (200, {"label": "grain"})
    assert server.stop()[0] == 0
    assert (tmp_path / "textbayes-store").is_dir()
    again = serve("--store", "textbayes-store", model=None, cwd=tmp_path)
    assert "Serving default from" in again.stderr
    assert again.ask("POST", "/predict", {"text": "corn"}) == (200, {"label": "grain"})


def test_several_models(serve, model, tmp_path):
    TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"]).save(
        tmp_path / "news.tb"
    )
    server = serve(str(tmp_path / "news.tb"))
    assert server.ask("POST", "/models/news/predict", {"text": "corn"}) == (200, {"label": "grain"})
    assert server.ask("POST", "/predict", {"text": "corn"})[0] == 404


def test_a_port_that_is_taken(model):
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        done = warm.run(
            [sys.executable, "-m", "textbayes", "serve", str(model), "--port", str(port)],
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert f"cannot listen on 127.0.0.1, port {port}" in done.stderr
    assert "[server-address]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("mial.tb", [], "file-missing"),
        (".", [], "model-foreign"),
        ("nowhere/mail.tb", ["--writable"], "file-write"),
        ("메일.tb", ["--host", "192.0.2.1"], "server-address"),
    ],
)
def test_mistakes(model, capsys, name, options, code):
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(model.parent / name), "--port", "0", *options])
    assert ended.value.code == 2
    assert f"[{code}]" in capsys.readouterr().err


def test_without_the_extra(model, capsys, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("textbayes.server", "fastapi"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)  # makes the import fail
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(model)])
    assert ended.value.code == 2
    assert "pip install 'textbayes[server]'" in capsys.readouterr().err


def test_a_slow_client_does_not_block_others(serve):
    server = serve()
    slow = [server.connect() for _ in range(50)]
    for connection in slow:
        connection.putrequest("POST", "/predict")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", "100")
        connection.endheaders()
        connection.send(b'{"te')
    assert server.ask("POST", "/predict", {"text": "cheap"}) == (200, {"label": "spam"})
    for connection in slow:
        connection.close()
    code, _, stderr = server.stop()
    assert code == 0
    assert "Traceback" not in stderr
