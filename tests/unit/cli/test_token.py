"""textbayes token: made once, listed without secrets, revoked."""

import json

import pytest

from textbayes.cli import main

pytest.importorskip("fastapi")

from textbayes.server.access import TokenFile
from textbayes.server.access.tokens import digest_of


@pytest.fixture
def run(capsys, tmp_path):
    file = tmp_path / "tokens.json"

    def run(*arguments, status=0):
        with pytest.raises(SystemExit) as ended:
            main(["token", *arguments, "--tokens", str(file)])
        assert (ended.value.code or 0) == status
        return capsys.readouterr()

    run.file = file
    return run


def test_a_new_token_is_shown_once(run):
    shown = run("new", "ann", "--right", "teach", "--model", "mail", "--days", "30")
    secret = shown.out.strip()
    assert len(secret) == 46
    assert "not shown again" in shown.err
    assert secret not in run.file.read_text()
    (token,) = TokenFile(run.file).read()
    assert (token.name, token.right, token.models) == ("ann", "teach", ("mail",))
    assert token.digest == digest_of(secret)
    assert token.expires is not None
    listed = run("list")
    assert "ann" in listed.out
    assert secret not in listed.out + listed.err
    assert token.digest not in listed.out


def test_json(run):
    made = json.loads(run("new", "ann", "--json").out)
    assert digest_of(made.pop("token")) == TokenFile(run.file).read()[0].digest
    assert made == {"name": "ann", "right": "read", "models": None, "expires": None}
    assert json.loads(run("list", "--json").out) == [made]


def test_revoking(run):
    run("new", "ann")
    run("new", "bob")
    assert "Revoked" in run("revoke", "ann").err
    assert [token.name for token in TokenFile(run.file).read()] == ["bob"]
    assert "[parameter-value]" in run("revoke", "ann", status=2).err
    assert json.loads(run("revoke", "bob", "--json").out) == {"revoked": "bob"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["new", "ann", "--right", "root"], "parameter-value"),
        (["new", "a\nb"], "parameter-value"),
        (["new", "ann", "--days", "0"], "parameter-value"),
        (["list"], "file-missing"),
        (["revoke", "ann"], "file-missing"),
    ],
)
def test_mistakes(run, arguments, code):
    assert f"[{code}]" in run(*arguments, status=2).err
    assert not run.file.exists()


def test_a_name_belongs_to_one_token(run):
    run("new", "ann")
    assert "[parameter-value]" in run("new", "ann", status=2).err
    assert len(TokenFile(run.file).read()) == 1
