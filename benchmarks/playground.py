"""Measure the playground in Chromium and in Firefox, and the same runs in the native executor.

    python benchmarks/playground.py --output benchmarks/results/playground.json

Downloads are bytes of the engine's files, by part. ``start`` counts from the page to the first
result of a kernel that is compiled beforehand, ``compiler`` is the first run of changed code: both
from a server on this machine. ``edits`` are runs of a kernel of 40 lines, each with another
constant. Every puzzle's solution runs under 20 schedules, here compiled beforehand, and natively,
where GCC compiles it. Needs the extra "test", Chromium, and Firefox if it is there.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from machine import ROOT, commit, hardware

from warplens.app.play.engine import write_engine
from warplens.app.play.puzzles import PUZZLES

sys.path.insert(0, str(ROOT / "tests"))  # the drivers of both browsers

from support.engines import PAGE, Site, request
from support.firefox import Firefox, find_firefox
from support.fixtures_browser import ARGUMENTS, NAMES
from support.playing import answer, request_of

#: A kernel of 40 lines; an edit gives SEED another value.
EDITED = (Path(__file__).parent / "kernels" / "forty.cu").read_text()
ARGUMENTS_OF = ("100", "iota:int32:100", "zeros:int32:100", "zeros:int32:1", "zeros:uint32:8")
TARGETS = {"first_visit_bytes": 30_000_000, "edit_seconds": 2.0}
#: Seconds that an answer may take on a busy machine.
PATIENCE = 600
Evaluate = Callable[[str], Any]


@contextmanager
def chromium() -> Iterator[tuple[str, Callable[[str], None], Evaluate]]:
    """Yield a page: version, what opens an address, and what evaluates an expression."""
    from shutil import which

    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(which, NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = browser.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        yield browser.version, page.goto, page.evaluate
        browser.close()


@contextmanager
def firefox() -> Iterator[tuple[str, Callable[[str], None], Evaluate]]:
    """Yield a page of Firefox, likewise."""
    asked = [find_firefox(), "--version"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    with tempfile.TemporaryDirectory() as folder:
        browser = Firefox(Path(folder), timeout=PATIENCE)
        try:
            yield said[-1], browser.goto, browser.evaluate
        finally:
            browser.close()


def measured(address: str, opened: Any, edits: int) -> dict[str, Any]:
    """Return the seconds of all runs in one browser."""
    with opened as (version, goto, evaluate):
        goto(address)

        def seconds(asked: dict[str, Any]) -> float:
            start = time.perf_counter()
            report = evaluate(f"engine.run({json.dumps(asked)})")
            assert report["results"] == 1, report
            return round(time.perf_counter() - start, 3)

        first = request_of(PUZZLES[0], PUZZLES[0].solution)
        start, compiler = seconds(first), seconds(edited(0))
        runs = [seconds(edited(number)) for number in range(1, edits + 1)]
        puzzles = {one.name: seconds(request_of(one, one.solution)) for one in PUZZLES}
    return {
        "version": version, "start": start, "compiler": compiler, "edits": runs,
        "edit_median": round(statistics.median(runs[edits // 2 :]), 3), "puzzles": puzzles,
    }  # fmt: skip


def edited(number: int) -> dict[str, Any]:
    """Return the request of an edit of the kernel."""
    code = EDITED.replace("SEED = 7;", f"SEED = {number + 100};")
    return request(code, ARGUMENTS_OF, grid=2, block=64, schedules=20)


def native() -> dict[str, float]:
    """Return the seconds of each puzzle's solution in the native executor."""
    found = {}
    for one in PUZZLES:
        start = time.perf_counter()
        answer(request_of(one, one.solution))
        found[one.name] = round(time.perf_counter() - start, 3)
    return found


def main() -> None:
    """Measure, and write the results file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--output", type=Path, required=True)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sizes, missing = write_engine(Path(folder))
        assert not missing, missing
        Path(folder, "index.html").write_text(PAGE)
        site = Site(Path(folder))
        browsers = {"chromium": measured(site.address, chromium(), chosen.edits)}
        if find_firefox():
            browsers["firefox"] = measured(site.address, firefox(), chosen.edits)
        site.close()
    result = {
        "date": datetime.date.today().isoformat(), "commit": commit(), "hardware": hardware(),
        "targets": TARGETS, "bytes": sizes, "browsers": browsers, "native": native(),
    }  # fmt: skip
    chosen.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
