"""Log, jumps, loop, chain and pinned vertex of the player, in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from gpucore.families.matching.order import Kind
from gpucore.record.words import describe
from support.replays import TIME, Run
from support.watching import wait_for_value

pytestmark = pytest.mark.browser

COLUMNS = {
    Kind.PROPOSE_FREE: "ab",
    Kind.DISPLACE: "abc",
    Kind.OUTBID: "abc",
    Kind.EXHAUSTED: "a",
    Kind.MOVE: "a",
}
CURRENT = ".wp-details .wp-log [aria-current=true]"


@pytest.fixture
def opened(page, tmp_path, errors, lesmis):
    page.emulate_media(reduced_motion="reduce")
    lesmis.open(page, tmp_path)
    page.locator(".wp").focus()
    return page


def times_of(run, chosen):
    """Return the times just after each of the events that are chosen."""
    return np.flatnonzero(chosen) + 1


def concerning(run, vertex):
    events = run.record.events
    mine = np.zeros(run.record.num_events, bool)
    for kind, columns in COLUMNS.items():
        for column in columns:
            mine |= (events["kind"] == kind) & (events[column] == vertex)
    return mine


def walk(page, key, count):
    found = []
    for _ in range(count):
        page.keyboard.press(key)
        found.append(page.evaluate(TIME))
    return found


def test_keys_jump_by_kind_warp_and_vertex(opened, lesmis):
    events = lesmis.record.events
    page = opened
    page.keyboard.press("ArrowRight")
    kinds = times_of(lesmis, events["kind"] == events["kind"][0])
    assert walk(page, "e", 3) == list(kinds[1:4])
    assert walk(page, "Shift+e", 3) == list(kinds[2::-1])
    warps = times_of(lesmis, events["warp"] == events["warp"][0])
    assert walk(page, "w", 2) == list(warps[1:3])
    page.keyboard.press("Home")
    page.evaluate("__warplens.players[0].explorer.pin(11)")
    mine = times_of(lesmis, concerning(lesmis, 11))
    assert walk(page, "v", 4) == list(mine[:4])
    assert walk(page, "Shift+v", 2) == [mine[2], mine[1]]
    page.keyboard.press("End")
    assert walk(page, "Shift+v", 1) == [mine[-1] if mine[-1] < len(lesmis.timeline) else mine[-2]]


def test_loop_plays_a_part_again(opened, lesmis):
    page = opened
    loop = page.get_by_label("loop")
    page.evaluate("__warplens.players[0].seek(10)")
    page.keyboard.press("[")
    page.evaluate("__warplens.players[0].seek(14)")
    page.keyboard.press("]")
    assert page.evaluate("__warplens.players[0].playback.loop") == {
        "from": 10,
        "to": 14,
        "name": "part",
    }
    times = page.evaluate("""() => {
      const { playback } = __warplens.players[0];
      playback.speed = 10;
      playback.play();
      const times = [];
      for (let i = 0; i < 12; ++i) {
        playback.advance(0.1);
        times.push(playback.time);
      }
      playback.pause();
      return times;
    }""")
    assert times == [11, 12, 13, 14, 10, 11, 12, 13, 14, 10, 11, 12]
    expect(page.locator(".wp-looped")).to_be_visible()
    loop.select_option("off")
    expect(page.locator(".wp-looped")).to_be_hidden()
    page.locator(".wp").focus()
    page.keyboard.press("l")
    expect(loop).to_have_value("everything")
    page.keyboard.press("l")
    expect(loop).to_have_value("iteration")


def test_iterations_are_marked_on_the_bar(opened, lesmis):
    reached = np.maximum.accumulate(lesmis.record.events["iteration"])
    begins = np.flatnonzero(np.diff(reached, prepend=-1))
    opened.get_by_role("button", name="to the beginning of iteration 1", exact=True).click()
    assert opened.evaluate(TIME) == begins[1]


def test_log_and_player_follow_each_other(opened, lesmis):
    page, names = opened, lesmis.graph.names
    page.evaluate("__warplens.players[0].seek(40)")
    page.keyboard.press("g")
    expect(page.locator(CURRENT)).to_have_text(describe(lesmis.record, 39, names))
    expect(page.locator(CURRENT)).to_be_in_viewport()
    line = page.locator(".wp-details .wp-log button").filter(
        has_text=describe(lesmis.record, 41, names)
    )
    line.first.click()
    assert page.evaluate(TIME) == 42
    last = len(lesmis.timeline)
    page.evaluate(f"__warplens.players[0].seek({last})")
    expect(page.locator(CURRENT)).to_have_text(describe(lesmis.record, last - 1, names))
    page.wait_for_function(f"""() => {{
      const [line, log] = ['{CURRENT}', '.wp-details .wp-log'].map((selector) =>
        document.querySelector(selector).getBoundingClientRect());
      return line.top >= log.top && line.bottom <= log.bottom + 1;
    }}""")
    page.locator(".wp-details .wp-log").focus()
    page.keyboard.press("ArrowUp")
    assert page.evaluate(TIME) == last - 1
    assert page.locator(".wp-details .wp-line").count() < 40 < last


def test_log_shows_and_jumps_to_what_is_chosen(opened, lesmis):
    page, events, names = opened, lesmis.record.events, lesmis.graph.names
    page.keyboard.press("g")
    page.get_by_label("kind of event").select_option(str(int(Kind.DISPLACE)))
    displaced = times_of(lesmis, events["kind"] == Kind.DISPLACE)
    found = page.locator(".wp-found")
    expect(found).to_have_text(f"{len(displaced)} of {len(lesmis.timeline)} events")
    page.get_by_role("button", name="Next such event").click()
    page.get_by_role("button", name="Next such event").click()
    assert page.evaluate(TIME) == displaced[1]
    expect(page.locator(CURRENT)).to_have_text(describe(lesmis.record, displaced[1] - 1, names))
    page.get_by_label("warp of the events").fill(str(events["warp"][displaced[0] - 1]))
    both = (events["kind"] == Kind.DISPLACE) & (events["warp"] == events["warp"][displaced[0] - 1])
    expect(found).to_contain_text(f"{np.count_nonzero(both)} of")
    page.get_by_role("button", name="show all").click()
    page.get_by_label("vertex of the events").fill(names[11].lower())
    expect(found).to_contain_text(f"{np.count_nonzero(concerning(lesmis, 11))} of")
    page.get_by_label("vertex of the events").fill("unknown")
    expect(page.get_by_label("vertex of the events")).to_have_attribute("aria-invalid", "true")
    expect(found).to_contain_text("0 of")


def test_a_pinned_vertex_shows_neighbours_and_history(opened, lesmis):
    page, graph, names = opened, lesmis.graph, lesmis.graph.names
    page.evaluate(f"__warplens.players[0].seek({len(lesmis.timeline)})")
    x, y = page.evaluate(
        "(() => { const v = __warplens.players[0].stage.view; return [v.X[11], v.Y[11]]; })()"
    )
    page.locator(".wp-stage").click(position={"x": x, "y": y})
    panel = page.get_by_role("region", name="pinned vertex")
    expect(panel.locator(".wp-pinned")).to_have_text(names[11])
    mate = lesmis.result.mate[11]
    expect(panel.locator(".wp-facts")).to_contain_text(f"matched with {names[mate]}")
    ids, weights = graph.neighbours(11)
    rows = panel.locator(".wp-neighbours tr")
    expect(rows).to_have_count(len(ids))
    heaviest = ids[np.lexsort((ids, -weights))[0]]
    expect(rows.first).to_contain_text(names[heaviest])
    expect(rows.filter(has_text=names[mate]).first).to_contain_text("matched with it")
    history = panel.get_by_role("list", name="history of the vertex")
    first = np.flatnonzero(concerning(lesmis, 11))[0]
    page.evaluate("__warplens.players[0].seek(0)")
    expect(history.locator("button").first).to_have_text(describe(lesmis.record, first, names))
    history.locator("button").first.click()
    assert page.evaluate(TIME) == first + 1
    rows.first.get_by_role("button").click()
    expect(panel.locator(".wp-pinned")).to_have_text(names[heaviest])
    page.keyboard.press("Escape")
    expect(panel.locator(".wp-pinned")).to_be_hidden()


def chain_of(events, last):
    """Return the chain that leads to an event: each proposer was displaced by the one before."""
    chain = [last]
    while True:
        proposer = events["a"][chain[0]]
        mine = (events["a"] == proposer) & np.isin(events["kind"], [1, 2])
        lost = (events["c"] == proposer) & (events["kind"] == Kind.DISPLACE)
        before = np.flatnonzero((mine | lost)[: chain[0]])
        if not len(before) or not lost[before[-1]]:
            return chain
        chain.insert(0, int(before[-1]))


def test_the_chain_is_lit_from_its_first_link(opened, lesmis):
    events = lesmis.record.events
    installs = np.flatnonzero(np.isin(events["kind"], [1, 2]))
    chain = max((chain_of(events, int(event)) for event in installs), key=len)
    assert len(chain) > 2
    opened.evaluate(f"__warplens.players[0].seek({chain[-1] + 1})")
    opened.wait_for_function(  # it is worked out with the next frame
        "chain => String(__warplens.players[0].explorer.chain) === String(chain)", arg=chain
    )
    expect(opened.locator(".wp-chain")).to_contain_text(f"{len(chain)} links")
    opened.locator(".wp-chain button").last.click()
    opened.keyboard.press("c")
    opened.wait_for_function("__warplens.players[0].stage.view.chain.length === 0")


def test_the_keys_are_listed(opened):
    opened.keyboard.press("?")
    dialog = opened.get_by_role("dialog", name="keyboard shortcuts")
    expect(dialog).to_contain_text("next event of the pinned vertex")
    opened.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_neighbourhoods_of_large_graphs_are_drawn(page, tmp_path, errors):
    run = Run("rmat:scale=11,edge_factor=4,seed=1", drawn=False)
    run.open(page, tmp_path)
    vertex = int(np.argmax(run.graph.degrees == 7))
    page.get_by_label("vertex to pin").fill(str(vertex))
    page.get_by_label("vertex to pin").press("Enter")
    near = page.get_by_role("img", name=f"{vertex} and 7 neighbours")
    expect(near).to_be_visible()
    expect(near).to_have_attribute("data-drawn", "8")


def test_the_adjacency_matrix_shows_the_links(page, tmp_path, errors, lesmis):
    lesmis.open(page, tmp_path, first=len(lesmis.timeline))
    button = page.get_by_role("button", name="Adjacency matrix")
    button.click()
    expect(page.get_by_text("a square an edge")).to_be_visible()
    expect(page.locator(".wp-stage .wp-layer")).to_have_count(1)
    n, mate = lesmis.graph.num_vertices, lesmis.result.mate
    expected = np.zeros((n, n), int)
    matched = np.flatnonzero(mate >= 0)
    expected[matched, mate[matched]] = 1
    linked = "[...__warplens.players[0].stage.view.linked]"
    wait_for_value(page, linked, expected.ravel().tolist())  # with the next frame
    button.click()
    expect(page.locator(".wp-stage .wp-layer")).to_have_count(2)
