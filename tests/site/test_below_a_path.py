"""The pages below a path, behind a reverse proxy; frames; static pages while no place is free."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import pytest

from gpucore.errors import ParameterError
from support.proxy import ReverseProxy
from support.visitor import Visitor, is_answered
from support.waiting import PATIENCE, wait_until
from warplens.app.site.addresses import base_path, origin
from warplens.app.site.hub import server_proxy

BASE = "/courses/gpu/"
EMBEDDER = "https://course.example.org"
OPTIONS = ("--base-url", BASE, "--allow-embed", EMBEDDER, "--allow-host", "*", "--token", "s3cret")
OPTIONS += ("--max-pages", "1", "--static-pages")


@pytest.fixture(scope="module")
def proxy(server):
    parts = urlsplit(server.url)
    assert parts.path == BASE
    proxy = ReverseProxy(f"http://{parts.netloc}", BASE)
    yield proxy
    proxy.stop()


class Behind:
    """What a visitor sees as the server."""

    def __init__(self, proxy):
        self.url = proxy.url


def test_a_class_behind_a_proxy(server, proxy):
    """Pages, files and websockets come through; who finds no place plays static pages."""
    visitor = Visitor(Behind(proxy), token="s3cret")
    assert {cookie.path for cookie in visitor.jar} == {BASE}
    _, headers, home = visitor.get()
    assert f"frame-ancestors 'self' {EMBEDDER}" in headers["Content-Security-Policy"]
    links = re.findall(r'(?:href|src)="([^"#]+)"', home)
    ours = [link for link in links if not link.startswith(("http", "data:"))]
    assert len(ours) > 20
    assert [link for link in ours if not link.startswith(BASE)] == []
    style = next(link for link in ours if "base.css" in link)
    assert visitor.get(urljoin(proxy.url, style)[len(proxy.url) :])[0] == 200

    kernel = visitor.open("matching")
    socket = visitor.connect(kernel)
    assert is_answered(socket)

    other = Visitor(Behind(proxy), token="s3cret")
    assert other.get("matching")[0] == 503
    link = rf'href="{BASE}(replays/[^"]+)"'
    # Written by a process that gives way to all others.
    found = wait_until(lambda: re.search(link, other.get("matching")[2]), 2 * PATIENCE)
    status, _, replay = other.get(found[1])
    assert status == 200
    assert 'id="packed"' in replay
    script = re.search(r'src="(assets/warplens.js)"', replay)[1]
    assert other.get(f"replays/{script}")[0] == 200

    socket.close()
    assert visitor.close(kernel) == 204


def test_other_paths_and_visitors_without_the_token(server):
    root = server.url.split(BASE)[0] + "/"
    assert server.get("", {"Authorization": "token s3cret"}, url=root)[0] == 404
    # The address of a hub's page may have a token that is not ours.
    proxied = {"Authorization": "token s3cret"}
    assert server.get("", proxied, url=server.url.split("?")[0] + "?token=hubs")[0] == 200
    assert server.get("", url=server.url.split("?")[0])[0] == 403


def test_paths_and_origins():
    assert [base_path(text) for text in ("", "/", "course", "/user/a@b.org/x/")] == [
        "/", "/", "/course/", "/user/a@b.org/x/"
    ]  # fmt: skip
    assert origin("https://*.Example.org:8443/") == "https://*.example.org:8443"
    for wrong in ("/a//b", "/../x", "/a b/", "/a?b", "/a;/"):
        with pytest.raises(ParameterError, match="no path of a site; use one such as /course/"):
            base_path(wrong)
    for wrong in ("example.org", "https://", "*", "https://a.org/x", "https://a.org; script-src *"):
        with pytest.raises(ParameterError, match="is no origin; use scheme and host"):
            origin(wrong)


def test_the_tile_starts_a_server_for_one_user():
    one, other = server_proxy(), server_proxy()
    tokens = {entry["environment"]["WARPLENS_TOKEN"] for entry in (one, other)}
    assert len(tokens) == 2
    assert not tokens & set(one["command"])
    assert "{base_url}warplens/" in one["command"]
