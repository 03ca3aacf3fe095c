"""Static pages in a browser: from a file, and in a frame of another page under a path."""

from __future__ import annotations

import base64
import io
import json
import threading
import zipfile
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from support.firefox import Firefox, find_firefox
from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.published.drop import PART, with_page
from warplens.app.published.folder import write_site
from warplens.app.published.replays import replay_of

NAMES = ["karate_weighted-suitor-nosync", "karate_weighted-suitor-sync_lb"]
READY = "document.body?.dataset.ready === '1'"
TIME = "__warplens.players[0].time"
FRAME = """<link rel="icon" href="data:,"><h1>Lecture</h1>
<iframe src="{}" width="900" height="700"></iframe>
<script>window.heard = []; addEventListener("message", ({{data}}) => heard.push(data));</script>"""

#: Chooses a file of these bytes.
DROP = """(() => {{
  const file = new File([Uint8Array.from(atob("{}"), (one) => one.charCodeAt(0))], "mine.npz");
  document.querySelector("#file").onchange({{ target: {{ files: [file] }} }});
}})()"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course") / "week-3" / "runs"
    write_site(folder, PageLimits(), NAMES)
    return folder


@pytest.fixture
def address(site):
    """The site below a path of a plain web server."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    root = site.parents[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", root
    server.shutdown()


def test_a_visitor_opens_a_run_from_the_index(page, errors, site):
    page.goto((site / "index.html").as_uri())
    page.locator(f'a[href="{NAMES[0]}.html"]').click()
    page.wait_for_function(READY)
    page.locator(".wp").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"{TIME} > 0")
    assert page.locator(".wc-lines [aria-current=step]").count() == 1
    page.wait_for_function("document.querySelectorAll('.bk-Figure').length > 0")
    assert page.locator("text=Certified").count() > 0


def test_the_address_names_step_part_and_theme(page, errors, site):
    page.goto((site / f"{NAMES[0]}.html").as_uri() + "?step=7&from=5&to=20&theme=dark")
    page.wait_for_function(READY)
    assert page.evaluate(TIME) == 7
    assert page.evaluate("__warplens.players[0].playback.loop") == {
        "from": 5, "to": 20, "name": "part"
    }  # fmt: skip
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


@pytest.mark.parametrize("query", ["step=99999999", "step=-1", "from=9&to=3", "step=a&theme=pink"])
def test_an_address_that_asks_for_too_much(page, errors, site, query):
    page.goto((site / f"{NAMES[0]}.html").as_uri() + f"?{query}")
    page.wait_for_function(READY)
    assert 0 <= page.evaluate(TIME) <= page.evaluate("__warplens.players[0].timeline.length")


def test_a_frame_talks_with_the_page_around_it(page, errors, address):
    base, root = address
    query = "controls=0&step=3"
    (root / "lecture.html").write_text(FRAME.format(f"week-3/runs/{NAMES[0]}.html?{query}"))
    page.goto(f"{base}lecture.html")
    page.wait_for_function("window.heard.some(({step}) => step === 3)")
    frame = page.frames[1]
    assert not frame.locator(".wp-controls").is_visible()
    # Where the replay begins is no move of the reader.
    page.wait_for_function("window.heard.some(({type}) => type === 'ready')")
    assert page.evaluate("heard.find(({type}) => type === 'ready').step") == 3
    assert not page.evaluate("heard.some(({own}) => own)")
    page.evaluate("frames[0].postMessage({type: 'warplens:seek', step: 5}, '*')")
    page.wait_for_function("window.heard.at(-1).step === 5 && window.heard.at(-1).text")
    assert frame.evaluate(TIME) == 5


def test_no_move_is_taken_back_when_frames_are_late(page, errors, site):
    page.goto((site / f"{NAMES[0]}.html").as_uri())
    page.wait_for_function(READY)
    player = "__warplens.players[0]"
    page.evaluate("addEventListener('warplens:moved', ({detail}) => (window.shown = detail.event))")
    page.evaluate(f"{player}.seek(3)")
    page.wait_for_function("window.shown === 3")
    page.evaluate(f"""new Promise((done) => {{
      const soon = window.requestAnimationFrame;
      window.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 900);
      {player}.seek(5);
      setTimeout(done, 1500);
    }})""")
    assert page.evaluate(TIME) == 5
    assert page.evaluate("window.shown") == 5


def test_several_runs_share_a_clock_and_a_loop(page, errors, site):
    page.goto((site / f"together-{NAMES[0]}.html").as_uri() + "?from=2&to=6&loop=1&play=1")
    page.wait_for_function(READY)
    assert page.evaluate("__warplens.players.length || __warplens.together.views.length") == 2
    clock = "__warplens.together.clock"
    page.wait_for_function(f"{clock}.position === 6")
    page.wait_for_function(f"{clock}.position === 2")
    assert page.evaluate(f"{clock}.playing")


def test_the_frame_that_is_offered_opens_at_the_step(page, errors, site):
    page.goto((site / f"{NAMES[0]}.html").as_uri() + "?step=4")
    page.wait_for_function(READY)
    page.locator("#embed summary").click()
    page.wait_for_function("document.querySelector('#frame').value.includes('step=4')")


@pytest.fixture(scope="module")
def saved():
    """A record's file as a dashboard saves it, and as a program does."""
    record = entry(NAMES[0]).record()
    bare = record.to_bytes()
    return with_page(bare, replay_of(record, PageLimits())), bare


def test_a_record_of_the_visitors_plays_and_can_reach_nothing(page, errors, site, saved, tmp_path):
    whole, bare = saved
    page.goto((site / "index.html").as_uri())
    page.get_by_role("link", name="Play it here").click()
    said = page.locator("#said")
    for name, content, words in (
        ("bare.npz", bare, "bare.npz cannot be played: it has no page; "),
        ("short.npz", whole[:-30], "short.npz cannot be played: "),
        ("page.npz", b"no record" * 9, "page.npz cannot be played: it is no record."),
    ):
        (tmp_path / name).write_bytes(content)
        page.locator("#file").set_input_files(tmp_path / name)
        expect(said).to_contain_text(words)
        expect(page.locator("#shown")).to_be_hidden()
    (tmp_path / "mine.npz").write_bytes(whole)
    page.locator("#file").set_input_files(tmp_path / "mine.npz")
    expect(said).to_have_text("mine.npz")
    frame = page.frame_locator("#shown")
    frame.get_by_role("button", name="On one event").click()
    expect(frame.locator(".wp-counter")).to_contain_text("1 of 49")
    inside = page.frames[1]
    inside.wait_for_function("document.querySelectorAll('.bk-Figure').length > 0")
    assert inside.evaluate("origin") == "null"
    tried = "fetch('https://example.org/').then(() => 'came', () => 'refused')"
    assert inside.evaluate(tried) == "refused"
    errors.clear()  # that it was refused


@pytest.fixture
def elsewhere():
    """Another site: its address, and what came to it, connections without a request too."""
    heard = []

    class Site(BaseHTTPRequestHandler):
        def setup(self):
            heard.append("a connection")
            super().setup()

        def do_GET(self):
            heard.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<h1>Another site</h1>")

        def log_message(self, *words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", heard
    server.shutdown()


def hostile_pieces(pieces, there):
    """Return pieces of a record that want the visitor's browser to go elsewhere."""
    go = f"<script>location.href='{there}go'</script>"
    refresh = f'<meta http-equiv="refresh" content="0;url={there}refresh">'
    move = f"location='{there}handler'"
    code = f'<img src="{there}img" onerror="{move}"><svg onload="{move}">'
    loads = "".join(
        f"<{tag}>"
        for tag in (
            f"link rel=stylesheet href={there}css",
            f"link rel=preconnect href={there}",
            f"link rel=prefetch href={there}prefetch",
            f"iframe src={there}iframe></iframe",
            f"object data={there}object></object",
            f"form id=f action={there}form></form",
            f"video src={there}video></video",
            f"base href={there}",
            f"b style='background:url({there}style)'",
        )
    )
    data = json.loads(pieces["data"])
    clicked = {
        "type": "object",
        "name": "CustomJS",
        "id": "x",
        "attributes": {"code": f"location='{there}'"},
    }
    html = {"type": "object", "name": "Div", "id": "y", "attributes": {"text": loads + go}}
    scripted, shown = json.loads(pieces["data"]), json.loads(pieces["data"])
    for charts, key, value in ((scripted["charts"], "tap", clicked), (shown["charts"], "", html)):
        root = charts[0]["light"]["doc"]["roots"][0]
        if key:
            root["attributes"]["js_property_callbacks"] = {"change:inner_width": [value]}
        else:
            charts[0]["light"]["doc"]["roots"][0] = value
            charts[0]["light"]["root_id"] = "y"
    story = {**data, "story": {"stops": [{"caption": go + refresh}], "title": go + code}}
    return {
        "title": {"title": f"x</title></head>{go}{refresh}"},
        "early": {"look": f"</div></main>{refresh}{go}{code}"},
        "results": {"results": go + refresh + code + loads},
        "attributes": {"coded": f" onmouseover=1>{code}{go}", "wide": f">{refresh}"},
        "made": {"made": f"</p>{go}{refresh}{loads}"},
        "data": {"data": f"</script></pre>{go}{refresh}"},
        "packed": {"packed": f"</script></pre>{go}{refresh}"},
        "story": {"data": json.dumps(story)},
        "code in a chart": {"data": json.dumps(scripted)},
        "HTML in a chart": {"data": json.dumps(shown)},
    }


def with_pieces(pieces):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(PART, json.dumps(pieces))
    return file.getvalue()


def test_no_record_leads_the_frame_elsewhere(page, site, saved, elsewhere, tmp_path):
    there, heard = elsewhere
    with zipfile.ZipFile(io.BytesIO(saved[0])) as archive:
        pieces = json.loads(archive.read(PART))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for name, changed in hostile_pieces(pieces, there).items():
        file = tmp_path / f"{name}.npz"
        file.write_bytes(with_pieces({**pieces, **changed}))
        page.goto((site / "drop.html").as_uri())
        page.locator("#file").set_input_files(file)
        expect(page.locator("#said")).not_to_have_text("")
        page.wait_for_timeout(1500)
        assert [frame.url for frame in page.frames[1:]] in (["about:srcdoc"], ["about:blank"]), name
        assert heard == [], name
        assert not [url for url in asked if url.startswith("http")], name


def test_a_frame_that_runs_a_script_of_others_goes_nowhere_either(
    page, site, saved, elsewhere, tmp_path
):
    """The second wall: the policy of the page around the frame."""
    there, heard = elsewhere
    (tmp_path / "mine.npz").write_bytes(saved[0])
    page.goto((site / "drop.html").as_uri())
    page.locator("#file").set_input_files(tmp_path / "mine.npz")
    page.frame_locator("#shown").locator(".wp-counter").wait_for()
    page.frames[1].evaluate(f"""() => {{
      document.head.append(Object.assign(document.createElement("meta"),
        {{ httpEquiv: "refresh", content: "0;url={there}refresh" }}));
      new Image().src = "{there}image";
      open("{there}open");
      try {{ top.location = "{there}top"; }} catch {{}}
      setTimeout(() => (location.href = "{there}go"), 300);
    }}""")
    page.wait_for_timeout(2000)
    # Chromium connects before it asks the policy; nothing is sent.
    assert set(heard) <= {"a connection"}
    assert page.frames[1].url == "about:srcdoc" or "error" in page.frames[1].url
    assert page.url.endswith("drop.html")


def test_a_story_plays_with_its_stops_and_questions(page, errors, site):
    page.goto((site / "index.html").as_uri())
    page.locator('a[href="story-a-chain.html"]').click()
    page.wait_for_function(READY)
    stops = page.evaluate("JSON.parse(data.textContent).story.stops")
    place = page.locator(".wy-place")
    assert place.inner_text().startswith(f"stop 1 of {len(stops)}")
    assert not page.locator("#results").is_visible()
    for number, stop in enumerate(stops):
        page.wait_for_function(f"{TIME} === {stop['table']['step']}")
        assert page.locator(".wy-caption").inner_text() == stop["table"]["caption"]
        if question := stop["question"]:
            page.locator(".wy-answers button").nth(question["answer"]).click()
            assert page.locator(".wy-verdict").inner_text().startswith("Right.")
        if number < len(stops) - 1:
            page.keyboard.press("PageDown")
    assert any(stop["question"] for stop in stops)
    assert page.locator("#results").is_visible()
    page.goto(page.url + "?stop=3")
    page.wait_for_function(f"{TIME} === {stops[2]['table']['step']}")
    page.locator("#embed summary").click()
    page.wait_for_function("document.querySelector('#frame').value.includes('?stop=3')")


@pytest.mark.skipif(find_firefox() is None, reason="Firefox is not installed")
def test_firefox_plays_from_files_and_below_a_path(site, address, saved, tmp_path):
    firefox = Firefox(tmp_path)
    try:
        firefox.goto((site / f"{NAMES[0]}.html").as_uri() + "?step=7")
        firefox.wait_for(READY)
        assert firefox.evaluate(TIME) == 7
        firefox.wait_for("document.querySelectorAll('.bk-Figure').length > 0")
        firefox.goto((site / "story-a-chain.html").as_uri() + "?stop=2")
        firefox.wait_for(f"{READY} && {TIME} > 0")
        assert firefox.evaluate("document.querySelector('.wy-place').textContent")[:6] == "stop 2"
        firefox.goto((site / "drop.html").as_uri())
        firefox.evaluate(DROP.format(base64.b64encode(saved[0]).decode()))
        firefox.wait_for("document.querySelector('#said').textContent === 'mine.npz'")
        base, root = address
        (root / "lecture.html").write_text(FRAME.format(f"week-3/runs/{NAMES[0]}.html?step=3"))
        firefox.goto(f"{base}lecture.html")
        firefox.wait_for("heard.some(({step}) => step === 3)")
        firefox.evaluate("frames[0].postMessage({type: 'warplens:seek', step: 5}, '*')")
        firefox.wait_for("heard.at(-1).step === 5 && heard.at(-1).text")
        firefox.goto(f"{base}week-3/runs/together-{NAMES[0]}.html?from=2&to=6&loop=1&play=1")
        firefox.wait_for(READY)
        firefox.wait_for("__warplens.together.clock.position > 2")
        assert firefox.errors == []
    finally:
        firefox.close()
