"""The run on the landing page: written once for a version of the code, then kept."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from warplens.app.site.addresses import listen
from warplens.app.site.background import server_folder
from warplens.app.site.first_run import FirstRun, kept_page
from warplens.app.site.server import WarplensServer
from warplens.app.site.settings import Settings


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPLENS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def page_from(folder):
    """Return the page of a new server, and whether it had to write it."""
    folder.mkdir()
    run = FirstRun(folder)
    try:
        with ThreadPoolExecutor(1) as pool:  # other tests of this process may have a loop
            return pool.submit(asyncio.run, run.page()).result(), run.writes
    finally:
        run.stop()


def test_the_next_server_has_the_page_at_once(cache, tmp_path):
    first, written = page_from(tmp_path / "one")
    assert written
    assert b"wp-stage" in first
    again, written = page_from(tmp_path / "two")
    assert not written
    assert again == first
    assert kept_page().parent.parent == cache


def test_other_code_has_another_page(cache, tmp_path, monkeypatch):
    before = kept_page()
    code = tmp_path / "app" / "site" / "first_run.py"
    code.parent.mkdir(parents=True)
    code.touch()
    monkeypatch.setattr("warplens.app.site.first_run.__file__", os.fspath(code))
    assert kept_page() != before


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARPLENS_CACHE", str(tmp_path / "file"))
    page, written = page_from(tmp_path / "one")
    assert written
    assert page


def test_it_is_started_before_what_a_server_imports():
    program = (
        "import sys, warplens.app.site.first_run; "
        "print([name for name in ('voila', 'ipywidgets', 'scipy') if name in sys.modules])"
    )
    command = [sys.executable, "-P", "-c", program]
    assert subprocess.run(command, capture_output=True, text=True).stdout.strip() == "[]"


def test_processes_that_wait_for_visitors_start_after_it():
    done = []

    async def page():
        await asyncio.sleep(0.01)
        done.append("page")

    async def keep_warm(sizes):
        done.append("processes")

    server = SimpleNamespace(
        settings=SimpleNamespace(pool=1),
        pages=["matching"],
        first_run=SimpleNamespace(page=page),
        kernel_manager=SimpleNamespace(keep_warm=keep_warm),
    )
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, WarplensServer._warm(server)).result()
    assert done == ["page", "processes"]


def test_a_server_takes_what_was_written_before_it(cache, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("JUPYTER_PATH", "")  # which a server changes
    run = FirstRun(server_folder())
    run.prepare()
    assert run.writes
    listener = listen("127.0.0.1", 0)
    site = WarplensServer(Settings(), listener, run)
    try:
        assert site.first_run is run
        assert site.data == run.server
        assert (site.data / "pages").is_dir()
    finally:
        run.stop()
        site.close()
        for bound in listener.sockets:
            bound.close()
    assert not site.data.exists()
