"""The server from outside: addresses, refused requests, number of pages, shutdown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.error
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from support.serving import START, Server
from support.visitor import KERNEL, Visitor
from warplens.app import browser_files
from warplens.app.limits import PageLimits
from warplens.app.pages import Page, find_pages
from warplens.app.site import assets
from warplens.app.site.kernel_pool import shares
from warplens.app.site.settings import Settings, configuration


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "voila.py").write_text("raise SystemExit('read a configuration file')")
    running = Server(folder, "--pool", "0", "--max-pages", "1")
    yield running
    running.stop()


def test_the_landing_page_lists_the_dashboards(server):
    status, headers, text = server.get()
    assert status == 200
    for page in assets.find_pages().values():
        assert page.title in text
        assert f'href="/{page.name}"' in text
    assert "0 of 1 places in use" in text
    assert "default-src 'self'" in headers["Content-Security-Policy"]


def test_every_dashboard_has_a_picture(server):
    _, _, text = server.get()
    pictures = re.findall(r'<img src="/([^"]+)"', text)
    assert len(pictures) == sum(not page.menu for page in assets.find_pages().values())
    for picture in pictures:
        assert server.get(picture)[0] == 200


def test_nothing_is_loaded_from_elsewhere(server):
    _, _, text = server.get()
    assert re.findall(r"(?:src|href)=\"(?:https?:)?//", text) == []


@pytest.mark.parametrize(
    "path",
    [
        "nothing-here",
        "voila/tree",
        "voila/render/matching.ipynb",
        "voila/files/matching.ipynb",
        "voila/api/contents/",
        "api/kernels",
    ],
)
def test_what_is_not_ours_is_not_there(server, path):
    status, _, text = server.get(path)
    assert status == 404
    assert "no page at this address" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "file",
    [
        "bokeh.min.js",
        "base.css",
        "app.css",
        "glossary.css",
        "widgets.css",
        "theme.css",
        "page.js",
        "choices.js",
        "theme.js",
    ],
)
def test_assets_come_from_the_server(server, file):
    status, _, text = server.get(f"voila/templates/{assets.TEMPLATE}/static/{file}")
    assert status == 200
    assert len(text) > 500


def test_the_glossary_needs_no_page_process(server):
    status, _, text = server.get("glossary")
    assert status == 200
    assert '<dt id="term-warp">warp</dt>' in text
    assert "kernelId" not in text
    assert 'href="/glossary"' in server.get()[2]


def test_other_names_for_this_computer_are_refused(server):
    status, _, _ = server.get(headers={"Host": "attacker.example"})
    assert status == 403
    assert server.get(headers={"Host": "localhost"})[0] == 200


def test_a_full_house_says_so_and_a_closed_page_makes_room(server):
    visitor = Visitor(server)
    status, headers, text = visitor.get("matching")
    assert status == 200
    assert "Weighted matching" in text
    assert "_xsrf=" in " ".join(headers.get_all("Set-Cookie"))
    kernel = KERNEL.search(text)[1]
    page = visitor.connect(kernel)  # one that does not soon loses its place
    assert "1 of 1 places in use" in server.get()[2]
    status, headers, text = server.get("matching")
    assert status == 503
    assert "Your network has enough pages open" in text
    assert headers["Retry-After"]
    page.close()
    assert visitor.close(kernel) == 204
    assert "0 of 1 places in use" in server.get()[2]


def test_themes_and_templates_are_not_the_visitors_choice(server):
    _, _, text = server.get("?theme=dark&template=lab")
    assert "jp-RenderedHTML" not in text


def test_the_end_is_clean(tmp_path):
    server = Server(tmp_path, "--pool", "1")
    assert server.get("matching")[0] == 200
    assert server.stop() == 0
    assert "Stopped." in server.output
    assert "Traceback" not in server.output
    assert list(server.temporary.glob("warplens-*")) == []
    with pytest.raises(urllib.error.URLError):
        server.get()


def test_the_end_does_not_wait_for_a_page_that_begins(tmp_path):
    server = Server(tmp_path, "--pool", "0")
    visitor = Visitor(server)
    sockets = [visitor.connect(visitor.open()) for _ in range(2)]  # which answer no ping
    assert server.stop() == 0
    assert len(sockets) == 2
    assert server.output.rstrip().endswith("Stopped.")
    assert "timeout" not in server.output


def test_others_need_the_token(tmp_path):
    server = Server(tmp_path, "--pool", "0", "--host", "0.0.0.0")
    try:
        token = re.search(r"\?token=(\S+)", server.url)[1]
        port = re.search(r":(\d+)/", server.url)[1]
        local = f"http://127.0.0.1:{port}/"
        status, _, text = server.get("matching", url=local)
        assert "Weighted matching" not in text
        assert "kernelId" not in text
        status, _, text = server.get(f"?token={token}", url=local)
        assert status == 200
        assert "Weighted matching" in text
        status, _, text = server.get("?token=wrong", url=local)
        assert "Weighted matching" not in text
    finally:
        server.stop()


def test_a_given_token_counts_on_loopback_too(tmp_path):
    server = Server(tmp_path, "--pool", "0", environment={"WARPLENS_TOKEN": "sesame"})
    try:
        assert server.url.endswith("?token=sesame")
        base = server.url.split("?")[0]
        assert "Weighted matching" not in server.get(url=base)[2]
        assert "Weighted matching" in server.get("?token=sesame", url=base)[2]
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--host", "0.0.0.0", "--token", ""], "needs a token"),
        (["--host", "no-such-host.invalid"], "there is no host"),
    ],
)
def test_wrong_options_are_one_clear_error(tmp_path, options, message):
    ran = subprocess.run(
        [sys.executable, "-P", "-c", START, "serve", "--no-browser", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert ran.returncode != 0
    assert message in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_settings_reach_voila_and_jupyter():
    settings = Settings(pool=2, max_pages=5, limits=PageLimits(upload_bytes=3 << 20))
    config = configuration(settings)
    assert config.VoilaConfiguration.show_tracebacks is False
    assert config.VoilaConfiguration.allow_template_override == "NO"
    assert config.VoilaConfiguration.allow_theme_override == "NO"
    assert settings.places().total == 5
    assert settings.websocket_bytes == 4 << 20


def test_the_template_is_put_together_from_real_files(tmp_path):
    template = assets.build(tmp_path)
    script = template / "static" / "bokeh.min.js"
    assert script.is_file()
    assert not script.is_symlink()
    assert script.read_bytes() == browser_files.bokeh_path().read_bytes()
    for path in template.rglob("*"):
        if path.suffix in (".html", ".j2", ".css") or path.name in ("page.js", "theme.js"):
            assert not re.search(r"(?:src|href|url)\W{1,3}(?:https?:)?//", path.read_text())


def test_pages_know_what_the_library_shows_of_a_lost_widget(tmp_path):
    script = (assets.build(tmp_path) / "static" / "page.js").read_text()
    (lost,) = re.findall(r'const LOST = "(.+)";', script)
    manager = Path(sys.prefix, "share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager")
    assert any(lost in path.read_text() for path in manager.glob("static/*.js"))


def test_a_new_page_needs_nothing_but_its_declaration(tmp_path, monkeypatch):
    page = Page("colouring", "Colours & more", "S", 99, "page:Page", family="matching")
    monkeypatch.setattr(assets, "find_pages", lambda: {**find_pages(), page.name: page})
    template = assets.build(tmp_path / "data")
    environment = Environment(loader=FileSystemLoader(template))
    header = environment.from_string(
        "{% import 'frame.html' as frame %}{{ frame.top('Weighted matching', '/') }}"
    )
    page = header.render()
    assert '<a href="/matching" aria-current="page">Weighted matching</a>' in page
    assert '<a href="/colouring">Colours &amp; more</a>' in page


@pytest.mark.parametrize(
    ("total", "dealt"), [(0, [0, 0, 0]), (2, [1, 1, 0]), (3, [1, 1, 1]), (5, [2, 2, 1])]
)
def test_waiting_kernels_are_bounded_however_many_dashboards_there_are(total, dealt):
    assert list(shares("abc", total).values()) == dealt
    assert shares([], total) == {}
