"""Files of tokens: only their owner reads them, and a server follows their changes."""

import json
import os
import stat
import sys

import pytest

from textbayes.errors import FileMissingError, FileReadError, TokenFileError
from textbayes.server import Settings
from textbayes.server.access import Token, TokenFile, Tokens, new_secret
from textbayes.server.access.token_files import parse_tokens
from textbayes.server.access.tokens import digest_of


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def file(tmp_path):
    return TokenFile(tmp_path / "new" / "tokens.json")


def test_writing_and_reading(file):
    tokens = [Token("ann", "a" * 64), Token("bob", "b" * 64, "admin", ("mail",))]
    file.write(tokens)
    assert file.read() == tokens
    file.write(tokens[:1])
    assert file.read() == tokens[:1]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_only_the_owner_reads_the_file(file):
    file.write([Token("ann", "a" * 64)])
    file.write([])
    assert stat.S_IMODE(os.stat(file.path).st_mode) == 0o600


def test_no_file(file):
    with pytest.raises(FileMissingError):
        file.read()
    file.path.mkdir(parents=True)
    with pytest.raises(FileReadError):
        file.read()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"tokens": 5}',
        '{"tokens": [5]}',
        '{"tokens": [{"name": "ann"}]}',
        '{"tokens": [], "tokens": []}',
        "[" * 100_000,
        json.dumps({"tokens": [Token("ann", "a" * 64).to_dict()] * 2}),
    ],
    ids=lambda text: text[:20],
)
def test_contents_that_are_no_tokens(text):
    with pytest.raises(TokenFileError, match=r"tokens\.json"):
        parse_tokens(text, "tokens.json")


def test_a_changed_file_is_read_again_once_a_second(file):
    secret, other, clock, events = new_secret(), new_secret(), Clock(), []
    file.write([Token("ann", digest_of(secret))])
    tokens = Tokens(file, [], events.append, clock)
    file.write([Token("bob", digest_of(other))])
    assert tokens.find(secret).name == "ann"
    clock.now = 1.1
    assert tokens.find(secret) is None
    assert tokens.find(other).name == "bob"
    assert events == []


@pytest.mark.parametrize("contents", [b"{", None])
def test_a_file_that_cannot_be_read_keeps_the_tokens(file, contents):
    secret, clock, events = new_secret(), Clock(), []
    file.write([Token("ann", digest_of(secret))])
    tokens = Tokens(file, [], events.append, clock)
    if contents is None:
        file.path.unlink()
    else:
        file.path.write_bytes(contents)
    for clock.now in (2.0, 4.0):
        assert tokens.find(secret).name == "ann"
    assert [event["event"] for event in events] == ["failure"]
    assert "The tokens stay as they were" in events[0]["message"]


def test_tokens_of_settings(file):
    secret, other = new_secret(), new_secret()
    file.write([Token("ann", digest_of(secret))])
    entries = json.dumps({"tokens": [Token("bob", digest_of(other)).to_dict()]})
    assert Tokens.of(Settings("mail.tb")) is None
    both = Tokens.of(Settings("mail.tb", tokens=file.path, token_entries=entries))
    assert (both.find(secret).name, both.find(other).name) == ("ann", "bob")
    with pytest.raises(TokenFileError, match="TEXTBAYES_TOKENS"):
        Tokens.of(Settings("mail.tb", token_entries="{}"))
    with pytest.raises(FileMissingError):
        Tokens.of(Settings("mail.tb", tokens="none.json"))
