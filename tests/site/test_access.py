"""Who may come in to a really running server: token, cookie, host name, origin."""

from __future__ import annotations

import pytest
import websocket

from support.requests import NOWHERE, UPGRADE, asks_at, port_of, routes
from support.serving import Server
from support.visitor import Visitor, is_answered
from warplens.app.pages import find_pages
from warplens.app.site.assets import TEMPLATE


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server that other computers can reach."""
    folder = tmp_path_factory.mktemp("guarded")
    running = Server(folder, "--pool", "0", "--host", "0.0.0.0", "--token", "right-token")
    yield running
    assert running.stop() == 0, running.output


def test_every_route_needs_the_token(guarded):
    port = port_of(guarded)
    addresses = routes()
    assert len(addresses) >= 8
    static = f"/voila/templates/{TEMPLATE}/static/base.css"
    files = [static, "/voila/static/voila.js"]
    for path in [*addresses, *files, *(f"/{name}" for name in find_pages())]:
        headers = UPGRADE if path.endswith("/channels") else {}
        for method in ("GET", "POST", "HEAD", "DELETE"):
            answer, text = asks_at(port, path, headers, method)
            assert answer.status == 403, (method, path)
            assert "Set-Cookie" not in answer.headers
            assert method == "HEAD" or "needs a token" in text
    # With the right one each route answers for itself.
    right = {"Authorization": "token right-token"}
    for path in addresses:
        if path == "/matching":
            continue  # starts a process; tested above
        headers = right | (UPGRADE if path.endswith("/channels") else {})
        # The playground is written at the first visit; until then its page says so.
        well = (200, 503) if path == "/play.html" else (200, 404, 405)
        assert asks_at(port, path, headers)[0].status in well, path
    assert asks_at(port, static, right)[0].status == 200


def test_a_wrong_token_is_answered_once_and_often_wrong_ones_must_wait(tmp_path):
    server = Server(tmp_path, "--pool", "0", "--token", "right-token")
    try:
        port = port_of(server)
        answer, text = asks_at(port, "/?token=wrong")
        assert answer.status == 403
        assert "not the token" in text
        assert "<form" in text
        for _ in range(30):
            answer, text = asks_at(port, "/", {"Authorization": "token wr\u00f6ng"})
        assert answer.status == 429
        # Even the right one, or so short a one could be guessed at any speed.
        assert asks_at(port, "/?token=right-token")[0].status == 429
    finally:
        server.stop()
    assert "right-token" not in server.output.partition("Anyone")[2]


def test_wrong_tokens_do_not_lock_a_long_right_one_out(tmp_path):
    server = Server(tmp_path, "--pool", "0", "--token", "a-token-too-long-to-guess")
    try:
        port = port_of(server)
        for _ in range(30):
            answer, _ = asks_at(port, "/", {"Authorization": "token wrong"})
        assert answer.status == 429
        assert asks_at(port, "/?token=a-token-too-long-to-guess")[0].status == 302
    finally:
        server.stop()


def test_the_token_leaves_the_address_and_a_cookie_stays(guarded):
    port = port_of(guarded)
    answer, _ = asks_at(port, "/compare?graph=karate&token=right-token&first.seed=5")
    assert answer.status == 302
    assert answer.headers["Location"] == "/compare?graph=karate&first.seed=5"
    (cookie,) = [c for c in answer.headers.get_all("Set-Cookie") if c.startswith("warplens-")]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    own = {"Cookie": cookie.split(";")[0]}
    assert asks_at(port, "/", own)[0].status == 200
    # Changed in one character, or signed by another server.
    forged = own["Cookie"][:-3] + ("abc" if not own["Cookie"].endswith("abc") else "abd")
    other = f'warplens-{port}="2|1:0|10:1795000000|15:warplens-12345|44:YWFh|00"'
    for cookie in (forged, other, f"warplens-{port}=x", f"warplens-{port}="):
        assert asks_at(port, "/", {"Cookie": cookie})[0].status == 403
    answer, _ = asks_at(port, "//attacker.example/x?token=right-token")
    assert answer.headers.get("Location", "/").startswith("/attacker.example")


def test_a_visitor_with_a_token_works_and_no_page_process_has_it(guarded):
    visitor = Visitor(guarded, "right-token")
    kernel = visitor.open("matching?graph=karate&token=right-token")
    assert visitor.state(kernel)[0] == 200
    page = visitor.connect(kernel)
    assert is_answered(page)
    page.close()
    (worker,) = guarded.page_processes()
    assert "right-token" not in str(worker.environ())
    assert "right-token" not in " ".join(worker.cmdline())
    # Another visitor without the token sees nothing of it.
    assert Visitor(guarded).get(f"api/kernels/{kernel}")[0] == 403
    assert visitor.close(kernel) == 204


@pytest.mark.parametrize(
    "host",
    ["attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example", "[::2]"],
)
def test_foreign_names_are_refused_on_every_route(server, host):
    for path in [*routes(), f"/voila/templates/{TEMPLATE}/static/base.css"]:
        headers = {"Host": f"{host}:{port_of(server)}"}
        if path.endswith("/channels"):
            headers |= UPGRADE
        answer, text = asks_at(port_of(server), path, headers)
        assert answer.status == 403, path
        assert "host name" in text


def test_a_foreign_page_cannot_use_a_page_process(server, visitor):
    kernel = visitor.open()
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        visitor.connect(kernel, headers=["Origin: http://attacker.example"])
    assert refused.value.status_code == 403
    # A form of a foreign page has the cookies, but not the value that must go with them.
    assert visitor.get(f"voila/api/shutdown/{kernel}", data=b"")[0] == 403
    assert visitor.get(f"api/kernels/{kernel}", method="DELETE")[0] in (403, 405)
    assert visitor.state(kernel)[0] == 200


def test_unknown_processes_are_not_found(server, visitor):
    visitor.get()
    status, state = visitor.state(NOWHERE)
    assert status == 404
    assert "Traceback" not in str(state)
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        visitor.connect(NOWHERE)
    assert refused.value.status_code == 404
    assert visitor.close(NOWHERE) in (403, 404)
