"""Measure the axis of warps in headless Chromium: frames a second, played and zoomed.

    python benchmarks/axis.py --output benchmarks/results/axis.json

Needs the extras "app" and "test". The run has 8,192 warps and at least 20,000 events. "played"
moves the cursor; "zoomed" draws the whole axis again in every frame, at depths up to a thousandth.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from machine import about_browser, launch_options, write_results
from player import FRAMES, REPEAT, VIEWPORT, opened, replay
from playwright.sync_api import Page, sync_playwright

GRAPH = "rgg:n=16384,radius=0.012,seed=1"
PARAMS = {"vertices_per_warp": 2}

ZOOMED = """async (seconds) => {
  const { axis } = __warplens.players[0];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let [count, drawing] = [0, 0];
  axis.whole();
  await frame();
  const begin = performance.now();
  while (performance.now() - begin < 1000 * seconds) {
    const before = performance.now();
    axis.zoom(count % 200 < 100 ? 1.07 : 1 / 1.07, 0.3);
    drawing += performance.now() - before;
    count += 1;
    await frame();
  }
  const passed = performance.now() - begin;
  axis.whole();
  return [(1000 * count) / passed, drawing / count];
}"""


def main() -> None:
    """Measure, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("build/bench/axis.json"))
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    options = parser.parse_args()
    before = os.getloadavg()[0]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(**launch_options())
        size, address = replay(GRAPH, Path(folder), drawn=False, **PARAMS)
        page, _ = opened(browser, address)
        results = {
            "what": "The axis of warps in headless Chromium, software rendering, one page open",
            "protocol": f"median of {REPEAT} times {options.seconds:g} s",
            **about_browser(browser.version),
            "viewport": VIEWPORT,
            "load_before": before,
            **size,
            "warps": page.evaluate("__warplens.players[0].axis.rows.warps"),
            **measured(page, options.seconds),
        }
        browser.close()
    results["quiet"] = before < 0.5
    write_results(results, options.output)


def processor_time(page: Page, draws: int = 200) -> float:
    """Return the milliseconds of processor time of one drawing of the whole axis.

    Other jobs on the machine do not count, unlike for frame rates.
    """
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "ThreadTime"))

    before = spent()
    page.evaluate(f"for (let i = 0; i < {draws}; ++i) __warplens.players[0].axis.canvas.draw()")
    used = spent() - before
    devtools.detach()
    return 1000 * used / draws


def measured(page: Page, seconds: float) -> dict[str, Any]:
    """Return the frame rates of one page."""
    processor = processor_time(page)
    played = [page.evaluate(FRAMES, seconds) for _ in range(REPEAT)]
    zoomed = [page.evaluate(ZOOMED, seconds) for _ in range(REPEAT)]
    return {
        "played_frames_per_second": round(statistics.median(played), 1),
        "zoomed_frames_per_second": round(statistics.median(rate for rate, _ in zoomed), 1),
        "processor_milliseconds_to_draw": round(processor, 2),
        "milliseconds_to_draw": round(statistics.median(cost for _, cost in zoomed), 2),
    }


if __name__ == "__main__":
    main()
