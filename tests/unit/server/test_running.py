"""Addresses that are in use, free or foreign, and a missing server extra."""

import builtins
import sys

import pytest

from textbayes.errors import ExtraMissingError, ServerAddressError
from textbayes.server import listen
from textbayes.server.running import address_of, own_names


def test_a_port_that_is_taken():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert address_of(first) == f"http://127.0.0.1:{port}"
        with pytest.raises(ServerAddressError, match=f"port {port} .*in use") as caught:
            listen("127.0.0.1", port)
        assert isinstance(caught.value, OSError)
        assert "--port" in caught.value.todo


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "밀.invalid", "a" * 300])
def test_foreign_addresses_are_refused(host):
    with pytest.raises(ServerAddressError):
        listen(host, 0)


def test_a_public_socket_has_no_own_names():
    with listen("127.0.0.1", 0) as near, listen("0.0.0.0", 0) as far:
        assert set(own_names(near)) == {"localhost", "127.0.0.1", "::1"}
        assert own_names(far) is None


def test_an_ipv6_address():
    try:
        listening = listen("::1", 0)
    except ServerAddressError:
        pytest.skip("this machine has no IPv6")
    with listening:
        assert address_of(listening).startswith("http://[::1]:")
        assert "::1" in own_names(listening)


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_a_missing_extra(monkeypatch, missing):
    whole = builtins.__import__

    def without(name, *arguments, **named):
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {missing!r}")
        return whole(name, *arguments, **named)

    for name in [name for name in sys.modules if name.startswith("textbayes.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExtraMissingError, match=r"pip install 'textbayes\[server\]'"):
        __import__("textbayes.server")
