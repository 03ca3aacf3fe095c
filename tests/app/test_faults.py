"""Memory or disk that run out are one error on the page, and the page lives on."""

import errno
import tempfile

import psutil
import pytest

import gpucore
from support.driving import Visitor
from support.page_process import PageProcess
from support.waiting import PATIENCE, wait_until
from warplens.app.dashboard.page import Dashboard
from warplens.app.sources.graphs import GraphSource, named


@pytest.fixture
def driver():
    page = Dashboard("matching")
    driver = Visitor(page, page.bar.run)
    driver.load(named("karate"))
    return driver


def failing(error):
    def fail(*_, **__):
        raise error

    return fail


def lives(driver):
    driver.load(named("karate"))
    driver.run()
    return driver.error == "" and bool(driver.page.export._outcome)


def test_too_little_memory_for_a_graph(driver):
    driver.load(GraphSource("large", failing(MemoryError())))
    assert "Out of memory" in driver.error
    assert "The page keeps the graph" in driver.error
    assert not driver.page.bar.run.disabled
    assert lives(driver)


def test_too_little_memory_for_a_run(driver, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(gpucore, "run", failing(MemoryError()))
        driver.run()
    assert "Out of memory" in driver.error
    assert lives(driver)


def test_too_little_memory_for_a_record(driver, monkeypatch):
    driver.run()
    content = driver.page.export._outcome.result.record.to_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("warplens.app.outcomes.outcome.outcome_of", failing(MemoryError()))
        driver.page.saved_runs._take_file("record.npz", content)
        driver.wait()
    assert "not enough memory for the record" in driver.error
    assert lives(driver)


def test_a_failure_after_the_work_is_an_error_too(driver, monkeypatch):
    monkeypatch.setattr(driver.page, "_idle", failing(MemoryError()), raising=True)
    driver.page.jobs._on_idle = driver.page._idle
    driver.page.jobs.start(
        lambda *_: 1,
        lambda _: None,
        begin=lambda: None,
        progress=lambda *_: None,
        seconds=9,
    )
    wait_until(lambda: driver.page.jobs._latest._thread is None)
    assert "Out of memory" in driver.error


def test_records_are_saved_and_opened_without_a_disk(driver, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    driver.run()
    sent = []
    bar = driver.page.export.widget
    bar.deliver = lambda name, kind, content: sent.append(content)
    bar._receive(bar, {"kind": "record"}, [])
    driver.page.saved_runs._take_file("record.npz", sent[0])
    driver.wait()
    assert driver.error == ""


def test_a_full_disk_has_its_own_sentence(driver, monkeypatch):
    driver.run()
    full = OSError(errno.ENOSPC, "No space left on device", "/secret/place")
    monkeypatch.setattr("warplens.app.published.page.page_of", failing(full))
    bar = driver.page.export.widget
    bar._receive(bar, {"kind": "page", "position": 0}, [])
    assert "disk is full" in driver.error
    assert "secret" not in driver.error


def test_a_closed_page_ends_its_run():
    with PageProcess("matching") as page:
        process = psutil.Process(page.pid)
        page.click(page.find(description="Run"))
        page.client.shutdown()
        assert process.wait(timeout=PATIENCE) is not None or not process.is_running()
