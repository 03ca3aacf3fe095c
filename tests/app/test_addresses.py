"""Loopback by default, a token for other hosts, the next port if one is in use."""

import socket

import pytest

from gpucore.errors import ParameterError
from warplens.app.site.addresses import (
    Listener,
    is_loopback,
    listen,
    token_for,
)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.8.9.10"])
def test_this_computer_only(host):
    assert is_loopback(host)
    assert token_for(host, None) == ""
    assert token_for(host, "mine") == "mine"


@pytest.mark.parametrize("host", ["0.0.0.0", "", "*", "192.0.2.7"])
def test_strangers_need_a_token(host):
    assert not is_loopback(host)
    made = token_for(host, None)
    assert len(made) >= 32
    assert made != token_for(host, None)
    assert token_for(host, "chosen") == "chosen"
    with pytest.raises(ParameterError, match="token"):
        token_for(host, "")


def test_an_unknown_host_is_a_clear_error():
    with pytest.raises(ParameterError, match="there is no host"):
        is_loopback("no-such-host.invalid")


def test_a_busy_port_gives_way_to_the_next():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        listener = listen("127.0.0.1", port)
        try:
            assert listener.moved
            assert listener.port > port
            assert listener.url() == f"http://127.0.0.1:{listener.port}/"
        finally:
            for each in listener.sockets:
                each.close()


def test_the_system_may_choose_the_port():
    listener = listen("127.0.0.1", 0)
    try:
        assert listener.port > 0
        assert not listener.moved
        with socket.create_connection(("127.0.0.1", listener.port), timeout=5):
            pass
    finally:
        for each in listener.sockets:
            each.close()


def test_an_address_of_another_computer_is_a_clear_error():
    with pytest.raises(ParameterError, match="cannot listen"):
        listen("192.0.2.7", 0)


@pytest.mark.parametrize(
    ("host", "token", "url"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:80/"),
        ("::1", "", "http://[::1]:80/"),
        ("example.org", "a b&c", "http://example.org:80/?token=a+b%26c"),
        ("0.0.0.0", "t", f"http://{socket.gethostname()}:80/?token=t"),
    ],
)
def test_the_address_to_type(host, token, url):
    assert Listener([], host, 80, 80).url(token) == url
