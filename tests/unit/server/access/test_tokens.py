"""Tokens: their hash is kept, their rights include smaller ones, and they end."""

from datetime import UTC, datetime, timedelta

import pytest

from textbayes.errors import ParameterError
from textbayes.server.access import RIGHTS, Token, new_secret
from textbayes.server.access import tokens as module
from textbayes.server.access.tokens import digest_of, find_token

NOW = datetime(2026, 11, 16, tzinfo=UTC)


def test_secrets_are_long_and_distinct():
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(secret.startswith("tb_") and len(secret) == 46 for secret in secrets)


def test_a_token_holds_no_secret():
    secret = new_secret()
    token = Token("ann", digest_of(secret), "teach")
    assert secret not in repr(token)
    assert secret not in str(token.to_dict())
    assert len(token.digest) == 64


@pytest.mark.parametrize("right", RIGHTS)
def test_a_right_includes_those_before_it(right):
    token = Token("ann", "0" * 64, right)
    assert [token.may(other, "mail") for other in RIGHTS] == [
        place <= RIGHTS.index(right) for place in range(3)
    ]


def test_a_token_for_some_models():
    token = Token("ann", "0" * 64, "admin", ("mail", "news"))
    assert token.may("admin", "mail")
    assert not token.may("read", "other")
    assert not token.may("admin", None)  # the server as a whole
    assert Token("bob", "0" * 64, "admin").may("admin", None)


def test_finding():
    secret, other = new_secret(), new_secret()
    tokens = [Token("ann", digest_of(secret)), Token("bob", digest_of(other), expires=NOW)]
    assert find_token(tokens, secret, NOW).name == "ann"
    assert find_token(tokens, secret[:-1], NOW) is None
    assert find_token(tokens, "", NOW) is None
    assert find_token(tokens, other, NOW - timedelta(seconds=1)).name == "bob"
    assert find_token(tokens, other, NOW) is None
    assert find_token(tokens, "caf\udce9", NOW) is None


def test_every_token_is_compared(monkeypatch):
    """The work is the same for a token that is known, the first or the last, and for one that is not."""
    compared, compare = [], module.hmac.compare_digest

    def counted(one, other):
        compared.append(one)
        return compare(one, other)

    monkeypatch.setattr(module.hmac, "compare_digest", counted)
    secrets = [new_secret() for _ in range(5)]
    tokens = [Token(f"n{n}", digest_of(secret)) for n, secret in enumerate(secrets)]
    for secret in (secrets[0], secrets[-1], "tb_unknown"):
        compared.clear()
        find_token(tokens, secret, NOW)
        assert len(compared) == 5


def test_values_for_json_and_back():
    token = Token("ann lee", "a" * 64, "teach", ("메일",), NOW)
    assert Token.from_dict(token.to_dict()) == token
    assert Token.from_dict({"name": "b", "sha256": "b" * 64, "right": "read"}) == Token("b", "b" * 64)
    assert Token.from_dict({**token.to_dict(), "expires": "2026-11-16T00:00:00"}) == token


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "a\nb"},
        {"name": 5},
        {"sha256": "short"},
        {"sha256": "A" * 64},
        {"right": "root"},
        {"right": None},
        {"models": "mail"},
        {"models": [5]},
        {"expires": "tomorrow"},
        {"expires": 5},
        {"secret": "tb_"},
    ],
    ids=str,
)
def test_values_of_no_token(wrong):
    values = {"name": "ann", "sha256": "a" * 64, "right": "read", **wrong}
    with pytest.raises((ValueError, ParameterError)):
        Token.from_dict(values)
