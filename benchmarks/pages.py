"""Measure what open pages cost: memory of all processes of the server, and processor time.

    python benchmarks/pages.py --pages 30 --output benchmarks/results/pages.json

Needs the extras "app" and "test", and Linux: memory is the proportional set size (PSS), in which
memory that processes share counts once. Visitors open the page of matching in headless Chromium,
one after the other, then each runs the default graph. No page process waits in a pool.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from machine import about_browser, launch_options, write_results
from playwright.async_api import Browser, Page, async_playwright
from startup import PATIENCE, Server

READY = "document.querySelector('.ws-run')?.disabled === false"
OPTIONS = ("--pool", "0")


def processes(server: Server) -> list[psutil.Process]:
    """Return the server and all processes that it started."""
    first = psutil.Process(server.process.pid)
    return [first, *first.children(recursive=True)]


def cost(server: Server) -> dict[str, float]:
    """Return the memory of all processes, and the processor time that they have used."""
    found = processes(server)
    return {
        "processes": len(found),
        "pss_mib": round(sum(one.memory_full_info().pss for one in found) / 2**20, 1),
        "processor_seconds": round(sum(sum(one.cpu_times()[:2]) for one in found), 2),
    }


async def opened(browser: Browser, server: Server) -> Page:
    """Open the page as a new visitor."""
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(f"{server.url}matching", wait_until="commit")
    await page.wait_for_function(READY)
    return page


async def measure(browser: Browser, count: int) -> dict[str, Any]:
    """Return the cost without a page, with one, with all, and after a run in each."""
    limits = [
        str(part) for name in ("--max-pages", "--pages-per-address") for part in (name, count)
    ]
    with Server(*OPTIONS, *limits) as server:
        await server.settled()
        costs = {"none": cost(server)}
        pages = []
        for number in range(count):
            pages.append(await opened(browser, server))
            if number in (0, count - 1):
                await server.settled()
                costs["one" if number == 0 else "all"] = cost(server)
        for page in pages:
            await page.locator(".ws-run").click()
            await page.wait_for_function("window.__warplens?.players[0]?.timeline.length > 0")
            await page.wait_for_function(READY)
        await server.settled()
        costs["all, after a run"] = cost(server)
    return {"pages": count, "costs": costs, "a_page": a_page(costs, count)}


def a_page(costs: dict[str, dict[str, float]], count: int) -> dict[str, float]:
    """Return what each page after the first one adds; with the first come processes for all."""
    first, last, ran = (costs[name] for name in ("one", "all", "all, after a run"))
    memory = (last["pss_mib"] - first["pss_mib"]) / (count - 1)
    return {
        "pss_mib": round(memory, 1),
        "pss_mib_after_a_run": round(memory + (ran["pss_mib"] - last["pss_mib"]) / count, 1),
        "processor_seconds": round(
            (last["processor_seconds"] - first["processor_seconds"]) / (count - 1), 2
        ),
    }


async def main(count: int) -> dict[str, Any]:
    """Return everything, with what it was measured on."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options())
        load = psutil.getloadavg()[0]
        found = await measure(browser, count)
        about = {
            "what": (__doc__ or "").partition("\n")[0],
            **about_browser(browser.version, "voila"),
            "load_before": round(load, 1),
        }
        await browser.close()
    return {**about, **found}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    result = asyncio.run(main(given.pages))
    write_results(result, given.output)
