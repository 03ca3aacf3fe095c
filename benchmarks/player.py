"""Measure the player in headless Chromium: frames per second, reaction times, memory.

    python benchmarks/player.py --output benchmarks/results/player.json

Needs the extras "app" and "test". The frame rate is measured on two graphs of random points, played
with all effects. Reaction times are measured on a run of at least 200,000 events: it is opened,
sought, filtered, scrolled and played with its log open. They include layout and drawing, up to the
next frame. Memory is the heap with all buffers of the page, while playing and after a
garbage collection.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from machine import about_browser, launch_options, write_results
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

import gpucore
from gpucore.device import get_device
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from warplens.app.layout.positions import positions_of
from warplens.app.pages import get_view
from warplens.app.published.page import page_of
from warplens.app.published.replays import Replay
from warplens.app.widgets import player_payload

DRAWN = ("rgg:n=500,radius=0.064,seed=1", "rgg:n=5000,radius=0.0199,seed=1")
MANY = "rgg:n=155000,radius=0.004,seed=1"
REPEAT = 3
HELD = ("usedSize", "backingStorageSize", "embedderHeapUsedSize")  # of Chromium's figures
PATIENCE = 300_000  # milliseconds, on a machine that does other things too
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}

FRAMES = """async (seconds) => {
  const view = __warplens.players[0];
  view.seek(0);
  view.playback.speed = Math.max(20, 0.5 * view.playback.length / seconds);
  view.playback.play();
  view.requestFrame();
  await new Promise((done) => setTimeout(done, 500));
  const [frames, begin] = [view.frames, performance.now()];
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  const rate = (1000 * (view.frames - frames)) / (performance.now() - begin);
  view.playback.pause();
  return rate;
}"""

REACTION = """async (act) => {
  const view = __warplens.players[0];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  await frame();
  const begin = performance.now();
  new Function('view', act)(view);
  await frame();
  // The frame's own work comes before its next one: measured by a task behind it.
  await new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  return performance.now() - begin;
}"""

#: Actions of a visitor with 200,000 events, in this order.
ACTS = {
    "seek to the end": "view.seek(view.timeline.length)",
    "seek to the middle": "view.seek(view.timeline.length >> 1)",
    "one step": "view.seek(view.time + 1)",
    "open the log": "view.explorer.details.open = true",
    "filter by kind": "view.explorer.filter.set({ kind: 2 })",
    "jump to the next of a kind": "view.explorer.jump(1, 'chosen')",
    "filter by warp": "view.explorer.filter.set({ warp: '7' })",
    "show all": "view.explorer.filter.set({})",
    "pin the first vertex": "view.explorer.pin(view.events.a[0])",
    "pin another vertex": "view.explorer.pin(view.events.a[5])",
    "filter by vertex": "view.explorer.filter.set({ vertex: String(view.events.a[0]) })",
    "all again": "view.explorer.filter.set({})",
    "scroll the log by a third": "view.explorer.log.root.scrollTop += 1.5e6",
}


def main() -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench/player.json"))
    parser.add_argument("--seconds", type=float, default=5.0, help="of playing, each time")
    options = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(**launch_options())
        results = {
            "what": "The player in headless Chromium, software rendering, one page open",
            "protocol": f"frames: median of {REPEAT} times {options.seconds:g} s of playing; "
            f"reactions: median of {REPEAT}, each on a newly opened page",
            **about_browser(browser.version),
            "viewport": VIEWPORT,
            "load_before": os.getloadavg()[0],
            "frames": [frames(browser, Path(folder), s, options.seconds) for s in DRAWN],
            "many_events": reactions(browser, Path(folder), options.seconds),
            "load_after": os.getloadavg()[0],
        }
        browser.close()
    # Other jobs on the same cores lower the frame rate.
    results["quiet"] = float(str(results["load_before"])) < 0.5
    write_results(results, options.output)
    if not results["quiet"]:
        print("The machine was busy before: these figures say little about the player.")


def replay(spec: str, folder: Path, *, drawn: bool, **params: Any) -> tuple[dict[str, Any], str]:
    """Record a run and write its page; return its size and the page's address."""
    graph = for_matching(load(spec), seed=0)
    device = get_device("host")
    result = gpucore.run(
        "suitor", graph, device=device, record="events", variant="nosync", **params
    )
    record = result.record
    assert record is not None
    positions = positions_of(graph) if drawn else None
    page = folder / "replay.html"
    message = player_payload(get_view("matching"), graph, record, positions=positions)
    page.write_text(page_of(Replay(spec, ("matching",), message)))
    size = {
        "graph": spec,
        "vertices": graph.num_vertices,
        "edges": graph.num_edges,
        "events": record.num_events,
        "message_megabytes": round(len(message) / 1e6, 1),
        "page_megabytes": round(page.stat().st_size / 1e6, 1),
    }
    return size, page.as_uri()


def opened(browser: Browser, address: str) -> tuple[Page, float]:
    """Open a replay; return its page and the seconds until it could be played."""
    page = browser.new_page(viewport=VIEWPORT)
    page.goto(address, timeout=PATIENCE)
    page.wait_for_function("window.__warplens?.players.length === 1", timeout=PATIENCE)
    return page, float(page.evaluate("performance.now()")) / 1000


def held(page: Page) -> float:
    """Return the megabytes that a page holds: heap and buffers, after a garbage collection."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("HeapProfiler.collectGarbage")
    usage = devtools.send("Runtime.getHeapUsage")
    devtools.detach()
    return sum(usage.get(part, 0) for part in HELD) / 1e6


def bound(size: dict[str, Any]) -> float:
    """Return the bound on a page's megabytes: see the notes of player_payload."""
    more = 32 * size["events"] + 64 * size["vertices"] + (24 << 20)
    return float(size["message_megabytes"]) + more / 1e6


def frames(browser: Browser, folder: Path, spec: str, seconds: float) -> dict[str, Any]:
    """Return the frame rate while a drawn graph plays."""
    size, address = replay(spec, folder, drawn=True)
    page, _ = opened(browser, address)
    rates = [page.evaluate(FRAMES, seconds) for _ in range(REPEAT)]
    page.close()
    return {
        **size,
        "frames_per_second": round(statistics.median(rates), 1),
        "all": [round(rate, 1) for rate in rates],
    }


def reactions(browser: Browser, folder: Path, seconds: float) -> dict[str, Any]:
    """Return the reaction times of actions on a run of many events, in milliseconds."""
    size, address = replay(MANY, folder, drawn=False)
    times: dict[str, list[float]] = {act: [] for act in ACTS}
    opening, rates, heaps, lines = [], [], [], 0
    holds = []
    for _ in range(REPEAT):
        page, ready = opened(browser, address)
        opening.append(ready)
        for act, script in ACTS.items():
            times[act].append(page.evaluate(REACTION, script))
        rates.append(page.evaluate(FRAMES, seconds))
        heaps.append(page.evaluate("performance.memory.usedJSHeapSize / 1e6"))
        holds.append(held(page))
        lines = page.locator(".wp-line").count()
        page.close()
    return {
        **size,
        "seconds_until_playable": round(statistics.median(opening), 2),
        "reaction_ms": {act: round(statistics.median(all_), 1) for act, all_ in times.items()},
        "slowest_reaction_ms": {act: round(max(all_), 1) for act, all_ in times.items()},
        "frames_per_second_with_log_open": round(statistics.median(rates), 1),
        "lines_of_the_logs_in_the_page": lines,
        "heap_megabytes_while_playing": round(statistics.median(heaps), 1),
        "held_megabytes": round(max(holds), 1),
        "bound_megabytes": round(bound(size), 1),
    }


if __name__ == "__main__":
    main()
