"""Measure how long a visitor waits: from the address to a playing run, and ten visitors at once.

    python benchmarks/startup.py --output benchmarks/results/startup.json

Needs the extras "app" and "test". A freshly started ``warplens serve`` is visited by headless
Chromium with an empty cache. A script in the page acts like a visitor, as soon as possible: it
presses Run when the default graph is loaded, and Play when the run is there. Seconds count from the
request of the address.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from machine import about_browser, launch_options, write_results
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

START = "import sys; from gpucore.cli import main; sys.argv[0] = 'warplens'; main()"
PAGES = 10
REPEAT = 3
PATIENCE = 300_000  # milliseconds, on a machine that does other things too
TARGETS = {"cold": 6.0, "warm": 3.0}

#: Script: act like a visitor as soon as possible, and note the times.
VISITOR = """
(() => {
  const marks = (window.__marks = {});
  const mark = (name) => (marks[name] ??= performance.now() / 1000);
  const look = () => {
    const run = document.querySelector(".ws-run");
    const player = window.__warplens?.players[0];
    if (document.querySelector("#ws-skeleton")) mark("frame");
    if (document.body?.classList.contains("ws-ready")) mark("controls");
    if (run && !run.disabled && !marks.pressed) {
      mark("graph");
      run.click();
      mark("pressed");
    }
    if (marks.pressed && player?.timeline.length > 0) {
      if (!marks.run) player.root.querySelector(".wp-play").click();
      mark("run");
      if (player.time > 0) return void mark("playing");
    }
    setTimeout(look, 10);
  };
  look();
})();
"""


class Server:
    """A freshly started ``warplens serve``."""

    def __init__(self, *options: str) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="startup-")
        command = [sys.executable, "-P", "-c", START, "serve", "--port", "0", "--no-browser"]
        self.process = subprocess.Popen(
            [*command, *options],
            cwd=self.folder.name,
            env={**os.environ, "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        found = next(filter(None, map(re.compile(r"Open (http://\S+)").match, self.process.stdout)))
        self.url = found[1]

    def kernels(self) -> list[psutil.Process]:
        """Return all page processes, also those that wait in the pool."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if "page_process" in " ".join(_command(child))]

    async def settled(self) -> None:
        """Wait until the server and its page processes are idle."""
        calm = 0
        before = self._seconds()
        while calm < 4:
            await asyncio.sleep(0.25)
            now = self._seconds()
            calm = calm + 1 if now - before < 0.03 else 0
            before = now

    def _seconds(self) -> float:
        all_processes = [psutil.Process(self.process.pid), *self.kernels()]
        return sum(sum(process.cpu_times()[:2]) for process in all_processes)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)
        self.folder.cleanup()


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


async def visit(browser: Browser, server: Server) -> tuple[Page, dict[str, float]]:
    """Open the first dashboard as a new visitor; return its page and the times of all marks."""
    context: BrowserContext = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    await page.add_init_script(VISITOR)
    await page.goto(f"{server.url}matching", timeout=PATIENCE, wait_until="commit")
    await page.wait_for_function("window.__marks?.playing", timeout=PATIENCE)
    marks: dict[str, float] = await page.evaluate("window.__marks")
    return page, {name: round(marks[name], 2) for name in marks if name != "pressed"}


async def leave(page: Page) -> None:
    """Close a tab as a visitor does, then the visitor's browser."""
    await page.close(run_before_unload=True)
    await asyncio.sleep(0.5)
    await page.context.close()


async def one_visitor(browser: Browser, *, warm: bool, options: tuple[str, ...]) -> dict[str, Any]:
    """Return the times of a single visitor of a new server."""
    visits = []
    for _ in range(REPEAT):
        with Server(*options) as server:
            if warm:
                await server.settled()
            page, marks = await visit(browser, server)
            visits.append(marks)
            await leave(page)
    return {"seconds": median(visits), "visits": visits}


def median(visits: list[dict[str, float]]) -> dict[str, float]:
    """Return the median time of each mark."""
    return {name: round(statistics.median(v[name] for v in visits), 2) for name in visits[0]}


async def until(happened: Callable[[], bool], seconds: float) -> float | None:
    """Return the seconds until a condition held; None if it never did."""
    begin = time.monotonic()
    while not happened():
        if time.monotonic() - begin > seconds:
            return None
        await asyncio.sleep(0.1)
    return round(time.monotonic() - begin, 1)


async def many_visitors(browser: Browser) -> dict[str, Any]:
    """Return the times of ten simultaneous visitors, and whether their page processes end."""
    with Server("--lost-minutes", "0.1") as server:
        await server.settled()
        waiting = len(server.kernels())
        visited = await asyncio.gather(*(visit(browser, server) for _ in range(PAGES)))
        # The server refills the pool when no visitor waits for a page any more.
        await until(lambda: len(server.kernels()) >= waiting + PAGES, 60)
        await server.settled()
        kernels = server.kernels()
        memory = [process.memory_full_info().uss / 1e6 for process in kernels]
        freed = await closing([page for page, _ in visited], server, waiting)
    playing = sorted(marks["playing"] for _, marks in visited)
    return {
        "pages": PAGES,
        "seconds_until_playing": playing,
        "seconds_of_the_slowest": playing[-1],
        "kernels_before": waiting,
        "kernels_with_pages": len(kernels),
        "megabytes_a_kernel": round(statistics.median(memory), 1),
        **freed,
    }


async def closing(pages: list[Page], server: Server, waiting: int) -> dict[str, Any]:
    """Close all tabs, the last one without its cookies: its closing request is refused."""
    await pages[-1].context.clear_cookies()
    for page in pages:
        await page.close(run_before_unload=True)
    farewell = await until(lambda: len(server.kernels()) <= waiting + 1, 60)
    lost = await until(lambda: len(server.kernels()) <= waiting, 60)
    for page in pages:
        await page.context.close()
    await server.settled()
    left = len(server.kernels())
    return {
        "kernels_after_closing": left,
        "seconds_until_nine_had_gone": farewell,
        "seconds_more_until_the_one_without_a_farewell_had_gone": lost,
        "all_freed": left <= waiting,
    }


async def measure() -> dict[str, Any]:
    """Measure all figures."""
    begin, load = time.monotonic(), os.getloadavg()[0]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options())
        results: dict[str, Any] = {
            "what": "Opening the matching page in headless Chromium until its default run plays; "
            "browser and server share the cores",
            "protocol": f"median of {REPEAT} visits, each of a new server with an empty cache. "
            "cold: no kernel waits; just started: opened the moment the server answers, while "
            "its first kernel starts; warm: when the pool is full; many: one visit",
            **about_browser(browser.version, "voila", "bokeh", "anywidget"),
            "load_before": load,
            # Other jobs on the same cores make all visitors wait.
            "quiet": load < 0.5,
            "cold": await one_visitor(browser, warm=False, options=("--pool", "0")),
            "just_started": await one_visitor(browser, warm=False, options=()),
            "warm": await one_visitor(browser, warm=True, options=()),
            "many": await many_visitors(browser),
        }
        await browser.close()
    results["targets"] = {
        name: {"seconds": most, "met": results[name]["seconds"]["playing"] < most}
        for name, most in TARGETS.items()
    }
    results["seconds_of_measuring"] = round(time.monotonic() - begin)
    return results


def main() -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench/startup.json"))
    options = parser.parse_args()
    results = asyncio.run(measure())
    write_results(results, options.output)
    if not results["quiet"]:
        print("The machine was busy before: these figures say little about the pages.")


if __name__ == "__main__":
    main()
