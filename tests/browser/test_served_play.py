"""The playground of a server: its page, its files, and what it says without a network."""

import re

import pytest

from support.serving import Server
from support.waiting import wait_until
from warplens.app.play.policy import ENGINE_POLICY


def wait_for_play(server):
    """Return the answer for the page, once it is written."""

    def written():
        answer = server.get("play.html")
        assert answer[0] != 503 or "The playground is being prepared" in answer[2]
        return answer if answer[0] != 503 else None

    return wait_until(written)


@pytest.fixture(scope="module")
def offline(tmp_path_factory):
    """A server whose computer has fetched nothing and reaches no registry."""
    folder = tmp_path_factory.mktemp("offline")
    environment = {
        "WARPLENS_CACHE": str(folder / "cache"),
        "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9",
    }
    server = Server(folder, "--pool", "0", environment=environment)
    yield server
    assert server.stop() == 0, server.output


def test_without_a_network_the_page_is_there_and_says_what_is_missing(offline, page, errors):
    assert "play.html" in offline.get()[2]  # the landing page leads there
    status, headers, text = wait_for_play(offline)
    assert (status, headers["Cache-Control"]) == (200, "no-store")
    assert "The playground is not complete: http://127.0.0.1:9/" in offline.output
    assert re.search(r"script-src 'self' 'sha256-[^;]*; worker-src 'self';", text)
    assert "WARPLENS" not in text and "cache" not in text  # nothing of this computer
    page.goto(f"{offline.url}play.html")
    page.locator("#pl-size", has_text="The compiler is not on this site").wait_for()
    page.locator("#pl-puzzle").select_option("03-stencil")
    field = page.get_by_role("textbox", name="CUDA code")
    assert "stencil" in field.input_value()
    page.get_by_text("Hint", exact=True).click()
    field.fill("__global__ void mine(int* x) { x[0] = 1; }")
    page.get_by_label("contents of x").wait_for()  # the launch follows the code
    page.locator("#pl-run").click()
    page.locator("#pl-verdict.bad", has_text="Copy as Python").wait_for()
    page.locator("#pl-python").click()
    assert "gpucore.watch" in page.locator("#pl-copied").input_value()


def test_a_link_survives_the_wait(tmp_path, page):
    environment = {"WARPLENS_CACHE": str(tmp_path), "NPM_CONFIG_REGISTRY": "http://127.0.0.1:9"}
    server = Server(tmp_path, "--pool", "0", environment=environment)
    page.goto(f"{server.url}play.html#play=AAAA")
    page.locator("#pl-verdict", has_text="The link is damaged").wait_for()
    assert server.stop() == 0


def test_files_of_the_engine_may_do_what_they_need_and_no_more(offline):
    assert wait_for_play(offline)[0] == 200
    folder = next(offline.temporary.glob("warplens-*/playground/play"))
    types = {
        "engine.js": "text/javascript; charset=utf-8",
        "executor.wasm": "application/wasm",
        "llvm.core.wasm.xz": "application/xz",
        "python.zip": "application/zip",
    }
    for name, kind in types.items():
        (folder / name).write_bytes(b"0" * 100)
        status, headers, _ = offline.get(f"play/{name}")
        assert (status, headers["Content-Type"]) == (200, kind)
        assert headers["Content-Security-Policy"] == ENGINE_POLICY
        assert headers["Cache-Control"] == "max-age=600" and headers["ETag"]

    assert offline.get("play/none")[0] == 404
