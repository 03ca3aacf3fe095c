"""Records that are opened on a page: the gallery's, a visitor's, foreign and hostile ones."""

import dataclasses
import io
import json
import zipfile
from importlib import import_module

import numpy as np
import pytest

from gpucore.errors import RecordError
from gpucore.record import Record
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import can_rebuild, graph_of, is_of, read_record
from warplens.app.pages import get_view
from warplens.app.sources.graphs import uploaded

from .test_dashboard import Driver

VIEW = get_view("matching")
LIMITS = PageLimits()


@pytest.fixture
def content(run, tmp_path):
    """Return the bytes of a saved record."""
    path = tmp_path / "run.npz"
    run.record.save(path)
    return path.read_bytes()


def altered(record, tmp_path, *, header=None, graph=None, **tables):
    """Return the bytes of a record with changes."""
    changed = {**record.header, **(header or {})}
    changed["graph"] = {**changed["graph"], **(graph or {})}
    path = tmp_path / "altered.npz"
    dataclasses.replace(record, header=changed, **tables).save(path)
    return path.read_bytes()


def open_file(driver, content, name="run.npz"):
    driver.page.saved_runs._take_file(name, content)
    driver.wait()


def test_a_record_comes_back_as_it_was(run, content):
    record = read_record("run.npz", content, LIMITS, VIEW)
    assert record.header == json.loads(json.dumps(run.record.header))
    for name, values in run.record.events.items():
        assert np.array_equal(record.events[name], values)
    assert is_of(record, graph_of(record, LIMITS))


def test_a_page_plays_an_opened_record_without_running(run, content):
    driver = Driver(PageLimits())
    open_file(driver, content)
    assert driver.error == ""
    assert "Certified" in driver.page.certificate.value
    assert "Time of the algorithm" not in driver.page.measures.value
    kinds = driver.message[1]["events/kind"]
    assert np.array_equal(kinds, run.record.events["kind"])
    # The form has the values of the shown run, so that it can be repeated here.
    assert driver.page.graphs.collection.value == "lesmis"
    assert driver.page.runs.variant.value == "sync_lb"
    driver.run()
    assert driver.error == ""
    assert driver.page.export.widget.query.startswith("graph=lesmis&algorithm=suitor")


def test_a_page_plays_the_gallery():
    driver = Driver(PageLimits())
    driver.page.saved_runs.gallery.value = "karate_weighted-ld"
    driver.wait()
    assert driver.error == ""
    assert "H100" in driver.page.measures.value
    assert driver.page.export.widget.query == "record=karate_weighted-ld"
    assert len(driver.message[1]["events/kind"]) == 70
    # The form and its note describe the record, not what was chosen before.
    runs, saved = driver.page.runs, driver.page.saved_runs
    assert runs.algorithm.value == "ld"
    assert "Opened: " in saved._about.value and "H100" in saved._about.value
    driver.run()
    assert saved._about.value == ""


def test_a_record_of_a_file_asks_for_the_file(content, tmp_path):
    record = read_record("run.npz", content, LIMITS, VIEW)
    square = b"1 2 0.5\n2 3 0.25\n3 4 1\n4 1 0.125\n"
    driver = Driver(PageLimits())
    driver.load(uploaded("square.txt", square))
    driver.run()
    own = driver.page.export._outcome.result.record
    path = tmp_path / "own.npz"
    own.save(path)

    other = Driver(PageLimits())
    open_file(other, path.read_bytes())
    assert "choose that file" in other.error
    assert "4 vertices" in other.error
    other.load(uploaded("square.txt", square))
    assert other.error == ""
    assert "Certified" in other.page.certificate.value
    assert other.page.export.widget.query == ""
    assert not can_rebuild(own)
    assert can_rebuild(record)

    open_file(driver, path.read_bytes())
    assert driver.error == "", "the graph is loaded already"

    third = Driver(PageLimits())
    open_file(third, path.read_bytes())
    third.load(uploaded("other.txt", b"1 2 0.5\n"))
    assert "not the graph of the record" in third.error
    assert not third.page.bar.run.disabled


@pytest.mark.parametrize(
    "spoil",
    [
        lambda good: b"",
        lambda good: b"not a zip",
        lambda good: good[: len(good) // 2],
        lambda good: good[:200] + b"\xff" * 300 + good[500:],
    ],
)
def test_broken_files_are_one_error(content, spoil):
    driver = Driver(PageLimits())
    open_file(driver, spoil(content))
    assert "The record cannot be used" in driver.error
    assert driver.error.count("ws-error") == 1


def test_foreign_archives_are_refused():
    out = io.BytesIO()
    np.savez(out, indptr=np.arange(4), indices=np.arange(3))
    with pytest.raises(RecordError, match=r"graph\.npz is no Warplens record"):
        read_record("graph.npz", out.getvalue(), LIMITS, VIEW)


def test_limits_apply(content):
    with pytest.raises(RecordError, match="larger than the 1000 B"):
        read_record("run.npz", content, PageLimits(upload_bytes=1000), VIEW)
    with pytest.raises(RecordError, match="unpacks to"):
        read_record("run.npz", content, PageLimits(record_bytes=5000), VIEW)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("events/kind.npy", bytes(200 << 20))
    with pytest.raises(RecordError, match="unpacks to"):
        read_record("run.npz", bomb.getvalue(), LIMITS, VIEW)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"header": {"family": "communities"}}, "family"),
        ({"header": {"algorithm": "nonsense"}}, "there is no algorithm"),
        ({"graph": {"n": 12}}, "77 values for 12"),
        ({"graph": {"fingerprint": "0"}}, "fingerprints differ"),
        ({"graph": {"source": {"kind": "dataset", "spec": "/etc/passwd"}}}, "choose that file"),
        ({"graph": {"source": {"kind": "generator", "spec": "x:../secret"}}}, "choose that file"),
        ({"graph": {"source": {"kind": "generator", "spec": "gnp:n=a,p=1"}}}, "cannot be made"),
        (
            {"graph": {"source": {"kind": "generator", "spec": "gnp:n=900000,p=0.1"}}},
            "cannot be made",
        ),
        (
            {"graph": {"source": {"kind": "dataset", "spec": "lesmis", "prepared": 5}}},
            "cannot be made",
        ),
        ({"final": {}}, "damaged"),
        ({"warps": {}}, "no column"),
        ({"steps": {}}, "damaged"),
    ],
)
def test_what_a_record_claims_is_checked(run, tmp_path, change, words):
    driver = Driver(PageLimits())
    open_file(driver, altered(run.record, tmp_path, **change))
    assert "The record cannot be used" in driver.error
    assert words in driver.error
    assert driver.page.player.payload == b""


def test_a_record_cannot_make_the_server_read_a_file(run, tmp_path, monkeypatch):
    graph = tmp_path / "secret.txt"
    graph.write_text("1 2 0.5\n2 3 0.25\n")
    monkeypatch.chdir(tmp_path)
    read = []
    module = import_module("gpucore.problems.graph.load")
    monkeypatch.setattr(module, "read_file", lambda *given, **_: read.append(given))
    for spec in (str(graph), "secret.txt", "./secret.txt", f"file:{graph}"):
        for kind in ("file", "dataset", "generator"):
            source = {"kind": kind, "spec": spec}
            content = altered(run.record, tmp_path, graph={"source": source, "fingerprint": "0"})
            driver = Driver(PageLimits())
            open_file(driver, content)
            assert "choose that file" in driver.error
    assert read == []


@pytest.mark.parametrize("value", [-5, 1 << 30])
@pytest.mark.parametrize("name", ["iteration", "warp"])
def test_places_out_of_bounds_are_refused(run, tmp_path, name, value):
    warps = {key: values.copy() for key, values in run.record.warps.items()}
    warps[name][0] = value
    with pytest.raises(RecordError, match=name):
        read_record("run.npz", altered(run.record, tmp_path, warps=warps), LIMITS, VIEW)


def test_a_false_result_is_not_certified(run, tmp_path):
    final = {key: values.copy() for key, values in run.record.final.items()}
    final["suitor"][:] = -1
    driver = Driver(PageLimits())
    open_file(driver, altered(run.record, tmp_path, final=final))
    assert driver.error == ""
    assert "Not certified" in driver.page.certificate.value


def test_saving_delivers_the_record(tmp_path):
    driver = Driver(PageLimits())
    driver.page.saved_runs.gallery.value = "lesmis-suitor-nosync"
    driver.wait()
    sent = []
    bar = driver.page.export.widget
    bar.send = lambda content, buffers=(): sent.append((content, buffers))
    bar._receive(bar, {"kind": "record"}, [])
    bar._receive(bar, {"kind": "page", "position": 5}, [])
    (first, (saved,)), (second, (page,)) = sent
    assert first["name"] == "lesmis-suitor-nosync.npz"
    path = tmp_path / first["name"]
    path.write_bytes(saved)
    assert Record.load(path).num_events == 136
    assert second["name"] == "lesmis-suitor-nosync.html"
    assert b"<!DOCTYPE html>" in page
