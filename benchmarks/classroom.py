"""How long a lecturer's step takes to the students of a live class, and whether answers get lost.

Starts ``warplens serve --classroom`` on this machine, with a lecturer and students as websocket
clients. ``--browsers`` of the students are pages of a real Chromium instead, each in a profile of
its own and of a phone's size, which draw the run and answer by a click. Prints one JSON object.

    python benchmarks/classroom.py --students 30
    python benchmarks/classroom.py --students 30 --browsers 30 --steps 40 --pace 1
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

from playwright.async_api import async_playwright
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.published.page import page_of
from warplens.app.published.replays import replay_of

RECORD = "karate_weighted-suitor-nosync"


def main() -> None:
    """Measure, print, end the server."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--browsers", type=int, default=0)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--pace", type=float, default=0.06, help="seconds between two steps")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = page_of(replay_of(entry(RECORD).record(), PageLimits())).encode()
        serve = [sys.executable, "-c", _START, "serve", "--port", "0", "--no-browser"]
        serve += ["--pool", "0", "--no-warm", "--classroom"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, cwd=folder) as server:
            assert server.stdout is not None
            url = next(found[1] for line in server.stdout if (found := _URL.match(line)))
            try:
                found = asyncio.run(measure(url, page, options))
            finally:
                server.terminate()
    print(json.dumps(found, indent=1))


_START = "import sys; from gpucore.cli import main; sys.argv[0] = 'warplens'; main()"
_URL = re.compile(r"Open (http://\S+)")


async def measure(url: str, content: bytes, options: Any) -> dict[str, Any]:
    """Return the times of a class."""
    loop = asyncio.get_running_loop()
    asked = urllib.request.Request(f"{url}class", content, {"X-Warplens": "1"}, method="POST")
    reply = await loop.run_in_executor(None, lambda: urllib.request.urlopen(asked).read())
    room = json.loads(reply)
    live = f"{url.replace('http', 'ws')}class/{room['code']}/live"
    lecturer = await websocket_connect(f"{live}?secret={room['secret']}")
    clients = options.students - options.browsers
    seats = [await loop.run_in_executor(None, seat_of, live) for _ in range(clients)]
    students = [
        await websocket_connect(HTTPRequest(live, headers={"Cookie": seat})) for seat in seats
    ]
    async with async_playwright() as playwright:
        pages = await open_pages(playwright, f"{url}class/{room['code']}", options.browsers)
        arrived: list[dict[int, float]] = [{} for _ in students]
        number: asyncio.Future[int] = loop.create_future()
        tasks = [
            asyncio.create_task(follow(student, steps, number))
            for student, steps in zip(students, arrived, strict=True)
        ]
        sent, taken = await teach(lecturer, options)
        await lecturer.write_message(json.dumps(QUESTION))
        for k, student in enumerate(students):
            answer = {"kind": "answer", "question": await number, "choice": k % 3}
            await student.write_message(json.dumps(answer))
        await asyncio.gather(*(page.locator("#choices button").first.click() for page in pages))
        counts: list[int] = []
        while sum(counts) < options.students:
            report = await asyncio.wait_for(lecturer.read_message(), 20)
            counts = json.loads(report)["counts"]
        seen = [dict(reversed(await page.evaluate("window.seen"))) for page in pages]
        pictures = [await page.evaluate("window.pictureAt") for page in pages]
        for task in tasks:
            task.cancel()
    return {
        "students": options.students,
        "of them browsers": options.browsers,
        "steps": options.steps,
        "pace, s": options.pace,
        "page bytes": len(content),
        **delays_of(arrived, sent, "step to student, ms"),
        **delays_of(seen, sent, "step to picture, ms"),
        **({"first picture, s": spread(pictures, 1e-3)} if pictures else {}),
        "lecturer's send, ms, most": round(1000 * max(taken), 2),
        "answers counted": [sum(counts), options.students],
    }


def seat_of(live: str) -> str:
    """Return the cookie that a new student's page gets."""
    page = live.replace("ws", "http", 1).removesuffix("/live")
    with urllib.request.urlopen(page) as answer:
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


QUESTION = {"kind": "ask", "number": 1, "ask": "Which?", "choices": ["a", "b", "c"]}


async def follow(student: Any, steps: dict[int, float], number: asyncio.Future[int]) -> None:
    """Note when a client hears of each step, and the number of the question."""
    while (text := await student.read_message()) is not None:
        message = json.loads(text)
        if message["kind"] == "step":
            steps[message["step"]] = time.time()
        elif message["kind"] == "state" and message["question"] and not number.done():
            number.set_result(message["question"]["number"])


async def teach(lecturer: Any, options: Any) -> tuple[dict[int, float], list[float]]:
    """Move on step by step; returns when each was sent, and how long the sending took."""
    sent, taken = {}, []
    for step in range(1, options.steps + 1):
        sent[step] = time.time()
        await lecturer.write_message(json.dumps({"kind": "step", "step": step}))
        taken.append(time.time() - sent[step])
        await asyncio.sleep(options.pace)
    await asyncio.sleep(1 if options.browsers == 0 else 5)
    return sent, taken


#: In the run's frame and in the page around it: when the run is there, and when it shows a step.
_WATCH = """
window.seen = [];
if (top === window) addEventListener("message", ({ data }) => {
  if (data?.type === "ready") window.pictureAt ??= performance.now();
  if (data?.seen) window.seen.push(data.seen);
});
else addEventListener("warplens:moved", ({ detail }) =>
  top.postMessage({ seen: [detail.event, Date.now() / 1000] }, "*"));
"""


async def open_pages(playwright: Any, address: str, count: int) -> list[Any]:
    """Open a class at a time in so many pages of one Chromium; wait for their pictures."""
    if not count:
        return []
    found = shutil.which("chromium") or shutil.which("google-chrome")
    browser = await playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
    pages = []
    for _ in range(count):
        context = await browser.new_context(viewport={"width": 390, "height": 844})
        pages.append(await context.new_page())
        pages[-1].set_default_timeout(300_000)
        await pages[-1].add_init_script(_WATCH)
    await asyncio.gather(*(page.goto(address, timeout=300_000) for page in pages))
    await asyncio.gather(*(has_picture(page) for page in pages))
    return pages


async def has_picture(page: Any) -> None:
    """Wait for the picture of a page; its security policy forbids the usual way to wait."""
    while not await page.evaluate("window.pictureAt"):
        await asyncio.sleep(0.2)


def delays_of(arrived: Any, sent: dict[int, float], name: str) -> dict[str, Any]:
    """Return how many steps arrived, and how late."""
    delays = [times[step] - at for times in arrived for step, at in sent.items() if step in times]
    if not arrived:
        return {}
    return {name: {"arrived": [len(delays), len(sent) * len(arrived)], **spread(delays, 1e3)}}


def spread(values: list[float], factor: float) -> dict[str, float]:
    """Return median, 99 % and most of some values."""
    ordered = sorted(factor * value for value in values)
    return {
        "median": round(statistics.median(ordered), 2),
        "99 %": round(ordered[int(0.99 * len(ordered))], 2),
        "most": round(ordered[-1], 2),
    }


if __name__ == "__main__":
    main()
