"""Records and graphs with hostile names and numbers, in a real browser: no name runs."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import gpucore
from gpucore.io.npz import save_npz
from gpucore.loading import load
from gpucore.problems.bipartite.load import load_bipartite
from support.mutations import NAMES
from support.visiting import EVENTS, PLAYER, TIME, another_run, run, wait_until_ready
from warplens.app.limits import PageLimits
from warplens.app.outcomes.record_files import read_record
from warplens.app.pages import get_view
from warplens.app.sources.graphs import uploaded

pytestmark = pytest.mark.browser

EVIL = (
    "</script><script>window.__pwned = 1</script><img src=x onerror='window.__pwned = 1'>\"'`\u202e"
)
GRAPHS = {
    "matching": lambda: load("lesmis"),
    "bipartite": lambda: load_bipartite("crossing:ends=3,copies=3"),
}


def hostile_graph(family):
    """Return the file of a graph whose name and vertices have hostile names."""
    graph = GRAPHS[family]()
    names = [f"{NAMES[k % len(NAMES)][:10_000]} {k}" for k in range(graph.num_vertices)]
    stream = io.BytesIO()
    save_npz(graph.with_attributes(name=EVIL, names=names), stream)
    return stream.getvalue()


def hostile_record(family, content):
    """Return the file of a record on that graph, with hostile texts and numbers."""
    view = get_view(family)
    graph = uploaded("graph.npz", content, reader=view.sources.read_bytes)
    prepared = view.prepare(graph.load(PageLimits(), None, None))
    result = gpucore.run(
        view.algorithm, prepared, device="host", record="events", variant=view.variant
    )
    record = result.record
    header = {
        **record.header,
        "variant": EVIL,
        "params": {**record.header["params"], EVIL: EVIL},
        "graph": {**record.header["graph"], "name": EVIL, "source": {"spec": EVIL}},
        "device": {"name": EVIL, "model": EVIL * 100, "policy": EVIL, "seed": 10**30},
        "versions": {EVIL: EVIL},
        "created": EVIL,
    }
    warps = {name: values.copy() for name, values in record.warps.items()}
    for name in warps.keys() - {"iteration", "warp", "rank"}:
        kind = warps[name].dtype
        warps[name][0] = (np.iinfo if kind.kind in "iu" else np.finfo)(kind).max
    steps = {name: values.copy() for name, values in record.steps.items()}
    steps["objective"] = np.where(np.arange(record.num_steps) % 2, np.nan, np.inf)
    events = {name: values.copy() for name, values in record.events.items()}
    events["time"] = np.r_[0, np.full(record.num_events - 1, 2**62)]
    hostile = dataclasses.replace(record, header=header, warps=warps, steps=steps, events=events)
    found = hostile.to_bytes()
    read_record("record.npz", found, PageLimits(), view)
    return found


def choose(page, label, name, content):
    page.get_by_label(label).set_input_files([{"name": name, "mimeType": "", "buffer": content}])


def play(page):
    """Scrub from end to end, by all ways that the player has."""
    page.locator(".wp").first.focus()
    for key in ("End", "Home", "ArrowRight", "End", "ArrowLeft", "e", "w", "v", "l", "l", "g", "c"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.evaluate(f"{PLAYER}.explorer.pin(1)")
    last = page.evaluate(EVENTS)
    for time in {0, 1, last // 2, last - 1, last}:
        page.evaluate(f"time => {PLAYER}.seek(time)", time)
    page.locator(".wp-stage").first.hover(position={"x": 120, "y": 90})
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.wait_for_function(f"{TIME} > 1")
    page.keyboard.press("Space")


def unharmed(page):
    return page.evaluate("window.__pwned === undefined && !document.querySelector('img[src=x]')")


@pytest.mark.parametrize("family", GRAPHS)
def test_no_name_runs_and_no_number_breaks_the_page(family, watched, server, context, tmp_path):
    page = watched
    graph = hostile_graph(family)
    record = hostile_record(family, graph)
    page.goto(f"{server.url}{family}")
    wait_until_ready(page)

    # The record asks for its graph, which is then chosen.
    choose(page, "Record file", "record.npz", record)
    expect(page.locator(".ws-error")).to_contain_text("choose that file")
    page.get_by_role("button", name="Your file").click()
    with another_run(page):
        choose(page, get_view(family).sources.title + " file", f"{EVIL[:50]}.npz", graph)
    expect(page.locator(".ws-error")).to_have_count(0)
    play(page)
    assert unharmed(page)

    # The file of the replay runs no name either.
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML page").click()
    file = tmp_path / "replay.html"
    file.write_bytes(Path(download.value.path()).read_bytes())
    alone, heard = context.new_page(), []
    alone.on("request", lambda request: heard.append(request.url))
    alone.on("pageerror", lambda error: heard.append(str(error)))
    alone.on("dialog", lambda dialog: heard.append(dialog.message))
    alone.goto(file.as_uri())
    alone.wait_for_function(f"{EVENTS} > 0")
    play(alone)
    assert unharmed(alone)
    assert heard == [file.as_uri()]
    alone.close()

    # The page runs the algorithm on the graph with these names.
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".ws-verdict", has_text="Certified").wait_for(state="attached")
    wait_until_ready(page)
    assert unharmed(page)


def test_hostile_names_of_people_do_not_run(watched, server):
    page = watched
    names = [name or "nameless" for name in NAMES]
    sides = {"men": dict.fromkeys(names, names), "women": dict.fromkeys(names, names)}
    content = json.dumps({**sides, "name": EVIL}).encode()
    page.goto(f"{server.url}marriage")
    wait_until_ready(page)
    page.get_by_role("button", name="Your file").click()
    choose(page, "Preferences file", "people.json", content)
    expect(page.locator(".ws-facts")).to_contain_text(f"{len(names)}men")
    wait_until_ready(page)
    run(page)
    play(page)
    assert unharmed(page)
