"""Make the README's pictures again, from the present pages.

    python tools/screenshots.py [--output FOLDER]

Serves the app, drives Chromium and takes the matching dashboard in light colours and the comparison
in dark ones, each in the middle of a run. Schedules are seeded, so the same events are seen again.
"""

from __future__ import annotations

import argparse
import io
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chromium import find
from PIL import Image
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTH, HEIGHT = 1440, 1120
PATIENCE = 120_000  # milliseconds
COLOURS = 256  # of a picture: small files without visible difference
START = "import sys; from gpucore.cli import main; sys.argv[0] = 'warplens'; main()"

MATCHING = (
    "matching?graph=delaunay:n=100,seed=1&algorithm=suitor&variant=sync_lb&threads_per_block=128"
    "&vertices_per_warp=8&lb_iterations=adaptive&device=host&policy=random&seed=1&step=0"
)
#: Script: go to the event that ends the longest suitor chain, where the chain is highlighted.
TO_A_CHAIN = """() => {
  const player = window.__warplens.players[0];
  let [best, longest] = [0, 0];
  for (let time = 1; time <= 0.7 * player.timeline.length; ++time) {
    let length = 0;
    for (let event = time - 1; event >= 0; event = player.explorer.causes[event]) length += 1;
    if (length >= longest) [best, longest] = [time, length];
  }
  player.seek(best);
}"""


def main() -> int:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "images")
    folder = parser.parse_args().output
    executable = find()
    if executable is None:
        print("warplens: there is no Chromium; 'python tools/chromium.py' gets one")
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, dark, arrange in (
            ("matching-light", False, matching),
            ("compare-dark", True, compare),
        ):
            page = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT},
                color_scheme="dark" if dark else "light",
            )
            page.set_default_timeout(PATIENCE)
            arrange(page, address)
            page.wait_for_timeout(3000)  # the charts take the page's colours
            save(page.screenshot(), folder / f"{name}.png")
            page.close(run_before_unload=True)
        browser.close()
    return 0


def matching(page: Page, address: str) -> None:
    """Play a run to its longest chain."""
    page.goto(address + MATCHING)
    page.wait_for_function("window.__warplens?.players[0]?.timeline.length > 0")
    page.locator(".ws-verdict").wait_for(state="attached")
    page.evaluate(TO_A_CHAIN)


def compare(page: Page, address: str) -> None:
    """Run four schedules of one kernel and stop where their states differ."""
    page.goto(address + "compare")
    page.wait_for_function("document.querySelector('.ws-run')?.disabled === false")
    page.locator(".ws-run").click()
    page.locator(".sbs-verdict").wait_for(state="attached")
    page.wait_for_function("window.__warplens.together?.views.length === 4")
    page.evaluate("(clock => clock.moveTo(clock.length / 3))(window.__warplens.together.clock)")


def save(picture: bytes, path: Path) -> None:
    """Write a picture with few colours."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {image.width} x {image.height}, {path.stat().st_size:,} bytes")


@contextmanager
def served() -> Iterator[str]:
    """Serve the app on this machine; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, "serve", "--port", "0", "--no-browser"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.match(r"Open (http://\S+)", line):
                    break
            else:
                raise SystemExit("warplens: the server did not start")
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


if __name__ == "__main__":
    sys.exit(main())
