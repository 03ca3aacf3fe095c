"""Make the README's picture again, from the present pages.

    python tools/screenshots.py [--output FOLDER]

Serves the app, drives Chromium and takes the matching dashboard in the middle of a run. The
schedule is seeded, so the same events are seen again.
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

WIDTH, HEIGHT = 1440, 1000
PATIENCE = 300_000  # milliseconds
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
    """Take the picture."""
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
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.set_default_timeout(PATIENCE)
        matching(page, address)
        page.wait_for_timeout(3000)  # the charts take the page's colours
        save(page.screenshot(), folder / "matching.png")
        browser.close()
    return 0


def matching(page: Page, address: str) -> None:
    """Play a run to its longest chain."""
    page.goto(address + MATCHING)
    page.wait_for_function("window.__warplens?.players[0]?.timeline.length > 0")
    page.locator(".ws-verdict").wait_for(state="attached")
    page.wait_for_function("document.querySelector('.ws-run')?.disabled === false")
    page.evaluate(TO_A_CHAIN)


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
