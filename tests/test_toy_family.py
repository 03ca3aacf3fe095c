"""A family in a folder of its own, ``tests/toy``, is found, runs and is shown.

It is put on the path of processes of their own, as its user would; this process does not know it.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import gpucore
from gpucore.family import families
from support.planting import compiled_executor
from support.serving import Server
from support.visiting import EVENTS, PLAYER, TIME, show_chart, wait_until_ready
from support.watching import watching

ROOT = Path(__file__).parents[1]
TOY = ROOT / "tests" / "toy"
FAMILY = TOY / "gpucore" / "families" / "colouring"
#: Python runs this when it starts: it notes what its process writes below a folder.
WATCH = """
import os, sys
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate")
def note(event, args):
    changes = event in CHANGES or (event == "open" and args[2] & WRITES)
    for path in filter(lambda name: isinstance(name, str), args[:2] if changes else ()):
        if os.path.abspath(path).startswith({root!r}) and "__pycache__" not in path:
            with open({log!r}, "a") as log:
                log.write(f"{{event}} {{path}}\\n")
sys.addaudithook(note)
"""
#: Script: print the sentences of a record, in a process that has the family.
READ = """
import json, sys
from gpucore.record import Record
from gpucore.record.replay import timeline_of
from gpucore.record.words import describe
record = Record.load(sys.argv[1])
timeline = timeline_of(record)
colour = timeline.state(len(timeline))["colour"].tolist()
sentences = [describe(record, event) for event in range(record.num_events)]
print(json.dumps([timeline.exact, colour, sentences, record.steps["objective"].tolist()]))
"""
#: Script: run under observation, in a random schedule; print what the race detector found.
OBSERVE = """
import json
import gpucore
from gpucore.device.host import HostDevice
device = HostDevice(instrumented=True, policy="random", seed=3)
result = gpucore.run("colouring", gpucore.load("lesmis"), device=device)
profile = device.profile()
files = sorted(set(profile.lines["file"].tolist()))
print(json.dumps([result.certificate.ok, profile.launches, files, list(map(str, profile.races))]))
"""
#: Script: run on the page without a browser, and print which families' modules were imported.
LOOK = """
import json, re, sys, time
from warplens.app.pages import find_pages
page = find_pages()["colouring"].load()
def wait():
    while page.jobs.busy:
        time.sleep(0.05)
page.start()
wait()
page.run()
wait()
bundled = sorted(set(re.findall(r'modules\\["families/([a-z]+)/', page.player._esm)))
inner = re.findall(r"families\\.(\\w+)\\.", " ".join(sys.modules))
print(json.dumps([bundled, sorted(set(inner))]))
"""


def _tool(name):
    """Return a build tool, from this Python's own environment if it is there."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        pytest.skip(f"building the family's kernels needs {name}")
    return found


class Toy:
    """The family's folder with its kernels, and processes that have it on their path."""

    def __init__(self, folder):
        self.folder = folder / "toy"
        shutil.copytree(TOY, self.folder, ignore=shutil.ignore_patterns("__pycache__", "_lib"))
        self.libraries = self.folder / FAMILY.relative_to(TOY) / "_lib"
        self.environment = {"PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(folder)}
        self.work = folder / "work"
        self.work.mkdir()
        self._build(folder / "build")
        self.log = folder / "written.txt"
        self.log.touch()
        watch = WATCH.format(root=str(ROOT) + os.sep, log=str(self.log))
        (self.folder / "sitecustomize.py").write_text(watch)

    def _build(self, build):
        ninja = _tool("ninja")
        package = Path(gpucore.__file__).parent
        # The plain executor is compiled as for any family. The other has the same sources.
        observed = ";".join(map(str, compiled_executor()))
        settings = ["-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
        settings.append(f"-DSIMT_OBSERVED_EXECUTOR={observed}")
        configure = [_tool("cmake"), "-G", "Ninja", "-S", self.folder, "-B", build]
        for command in ([*configure, *settings, f"-DGPUCORE={package}"], [ninja, "-C", build]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"

    def start(self, *words):
        """Run Python with the family on its path."""
        return subprocess.run(
            [sys.executable, *map(str, words)],
            cwd=self.work,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )

    def python(self, *words):
        """Run Python with the family on its path; return what it printed last, from JSON."""
        done = self.start(*words)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout.splitlines()[-1])

    def warplens(self, *words):
        """Call the command line; return its JSON."""
        return self.python("-m", "gpucore.cli", *words, "--json")


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    return Toy(tmp_path_factory.mktemp("family"))


@pytest.fixture(scope="module")
def server(toy, tmp_path_factory):
    running = Server(
        tmp_path_factory.mktemp("elsewhere"), "--pool", "0", environment=toy.environment
    )
    yield running
    assert running.stop() == 0, running.output


@pytest.fixture(scope="module")
def certificate():
    """Return the module with the family's certificate, which needs nothing else of the family."""
    spec = spec_from_file_location("colouring_certificate", FAMILY / "certificate.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def greedy(graph):
    """Return a colouring made vertex by vertex."""
    colour = np.full(graph.num_vertices, -1, np.int32)
    for v in range(graph.num_vertices):
        taken = set(colour[graph.neighbours(v)[0]].tolist())
        colour[v] = next(c for c in range(graph.num_vertices) if c not in taken)
    return colour


def test_this_process_does_not_know_it():
    assert "colouring" not in families()


def test_a_run_is_certified_recorded_and_replayed(toy):
    file = toy.work / "run.npz"
    words = ("run", "colouring", "karate", "--device", "host", "--record", file)
    found = toy.warplens(*words)
    assert found["certified"] is True
    assert (found["algorithm"], found["variant"], found["vertices"]) == ("colouring", "hashed", 34)

    exact, colour, sentences, objective = toy.python("-c", READ, file)
    assert exact
    graph = gpucore.load("karate")
    u, v, _ = graph.edges()
    colours = np.array(colour)
    assert (colours >= 0).all()
    assert (colours[u] != colours[v]).all()
    assert found["colours"] == len(set(colour)) == objective[-1]
    assert objective == sorted(objective)
    assert len(sentences) == graph.num_vertices
    form = r"vertex (\d+) takes colour (\d+), the smallest that none of its neighbours has"
    said_colour = dict(map(int, re.fullmatch(form, text).groups()) for text in sentences)
    assert [said_colour[vertex] for vertex in range(graph.num_vertices)] == colour


def test_every_schedule_gives_the_same_colours(toy):
    words = ("run", "colouring", "rmat:scale=8,seed=3", "--device", "host")
    plain = toy.warplens(*words)
    assert plain["certified"] is True
    for seed in ("1", "2"):
        other = toy.warplens(*words, "--policy", "random", "--seed", seed)
        assert (other["colours"], other["rounds"]) == (plain["colours"], plain["rounds"])


def test_the_race_detector_observes_its_kernel(toy):
    if not (toy.libraries / "libinstrumented.so").is_file():
        pytest.skip("this compiler cannot observe every access")
    certified, launches, files, races = toy.python("-c", OBSERVE)
    assert certified
    assert launches > 1
    assert "colouring.cu" in files
    assert races == []


def test_kernels_that_are_not_built_are_named(toy):
    kept = toy.libraries.rename(toy.libraries.with_name("kept"))
    try:
        code = "from gpucore.native import library_of; library_of('colouring')"
        found = toy.start("-c", code)
    finally:
        kept.rename(toy.libraries)
    assert "the kernels of colouring.cu are not built for the host device" in found.stderr
    assert str(toy.libraries / "libkernels.so") in found.stderr


def test_it_is_compared_with_a_method_on_the_processor(toy):
    found = toy.warplens("compare", "karate", "colouring@host", "networkx_colouring")
    assert found["objective"] == "colours"
    ours, theirs = found["runners"]
    assert ours["certified"] is theirs["certified"] is True
    assert theirs["runner"] == "networkx_colouring"
    assert theirs["colours"] == 5
    assert theirs["differs"] is not None


def test_it_is_benchmarked_and_fewer_colours_are_better(toy):
    words = ("bench", "colouring", "--output", toy.work / "bench")
    graphs = ("--graphs", "karate,lesmis", "--device", "host", "--repeat", "2")
    found = toy.warplens(*words, *graphs)
    assert [row["graph"] for row in found["graphs"]] == ["karate", "lesmis"]
    assert all(row["certified"] and row["proved"] == 2 for row in found["graphs"])
    page = (toy.work / "bench" / "colouring.html").read_text()
    assert "Graph colouring: benchmarks" in page
    assert (toy.work / "bench" / "colouring-contest.svg").is_file()

    # Runs that differ: the worst of them is the one with most colours.
    file = toy.work / "bench" / "colouring.json"
    data = json.loads(file.read_text())
    data["measurements"]["karate"]["colouring()@device"]["qualities"] = [6, 8, 5]
    file.write_text(json.dumps(data))
    again = toy.warplens(*words, "--report-only")
    assert again["graphs"][0]["quality"] == 8
    assert "<td>5 to 8</td>" in (toy.work / "bench" / "colouring.html").read_text()


def test_the_command_line_names_it_and_keeps_its_defaults(toy):
    code = "import json; from gpucore.cli.bench import MEASURED; print(json.dumps(MEASURED))"
    measured = toy.python("-c", code)
    assert measured[0] == "matching"
    assert measured[-1] == "colouring"


def test_the_kernel_compiles_for_a_gpu():
    pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")
    from gpucore.device import nvrtc

    for record in (0, 1, 2):
        path = FAMILY / "kernels" / "colouring.cu"
        needs = nvrtc.compile_file(path, arch="sm_90", record=record).resources()
        assert set(needs) == {"colouring_round"}


def test_the_certificate_accepts_a_greedy_colouring(certificate):
    graph = gpucore.load("lesmis")
    colour = greedy(graph)
    found = certificate.certify_colouring(graph, colour)
    assert found.ok, str(found)
    assert doctest.testmod(certificate).failed == 0


def test_the_certificate_refutes_an_edge_with_equal_ends(certificate):
    graph = gpucore.load("karate")
    colour = greedy(graph)
    u, v, _ = graph.edges()
    colour[v[40]] = colour[u[40]]
    failure = certificate.certify_colouring(graph, colour).failure
    assert failure.name == "proper"
    assert f"({u[40]}, {v[40]})" in failure.detail


@pytest.mark.parametrize(
    ("mistake", "name"),
    [
        (lambda colour: colour[:-1], "well formed"),
        (lambda colour: colour.astype(float), "well formed"),
        (lambda colour: np.where(np.arange(len(colour)) == 7, -1, colour), "well formed"),
        (lambda colour: np.where(np.arange(len(colour)) == 7, 30, colour), "greedy"),
    ],
)
def test_the_certificate_refutes_other_mistakes(certificate, mistake, name):
    graph = gpucore.load("karate")
    assert certificate.certify_colouring(graph, mistake(greedy(graph))).failure.name == name


def test_its_page_loads_no_other_family(toy):
    bundled, imported = toy.python("-c", LOOK)
    assert bundled == ["colouring"]
    assert imported == ["colouring"]


@pytest.mark.browser
def test_it_plays_in_the_browser(toy, server, page):
    with watching(page, server):
        page.goto(server.url)
        tile = page.locator(".ws-tile", has_text="Graph colouring")
        tile.locator("img").wait_for()
        tile.click()
        page.wait_for_url("**/colouring")
        wait_until_ready(page)
        page.get_by_role("link", name="Graph colouring").first.wait_for()
        # A family without a gallery opens on a run of its first choice.
        page.wait_for_function(f"({EVENTS}) > 0")
        expect(page.locator(".ws-verdict")).to_have_text("Certified")
        assert page.evaluate(EVENTS) == 34
        page.evaluate(f"{PLAYER}.seek(32)")
        page.get_by_role("button", name="Play (space)").click()
        page.wait_for_function(f"{TIME} === 34")
        page.locator(".wp-measures", has_text="34 vertices in 6 colours").wait_for()
        page.locator(".wp-now", has_text="takes colour").wait_for()
        assert page.evaluate(f"{PLAYER}.timeline.state.colour.every((colour) => colour >= 0)")
        show_chart(page, "Progress")
        assert page.locator(".ws-error").count() == 0


def test_no_file_of_the_checkout_is_written(toy):
    assert toy.log.read_text() == ""
    # Had one been written, it would stand there.
    place = ROOT / "no such folder" / "file"
    code = "import contextlib, sys\nwith contextlib.suppress(OSError): open(sys.argv[1], 'w')"
    toy.python("-c", f"{code}\nprint(0)", place)
    assert toy.log.read_text() == f"open {place}\n"
