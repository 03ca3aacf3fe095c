"""A visitor's own record on a static page: it plays, and reaches nothing."""

from __future__ import annotations

import base64
import io
import json
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from support.firefox import Firefox, find_firefox
from support.published import NAMES
from support.rules import violations
from warplens.app.gallery import entry
from warplens.app.limits import PageLimits
from warplens.app.published.drop import PART, with_page
from warplens.app.published.replays import replay_of

#: Chooses a file of these bytes.
DROP = """(() => {{
  const file = new File([Uint8Array.from(atob("{}"), (one) => one.charCodeAt(0))], "mine.npz");
  document.querySelector("#file").onchange({{ target: {{ files: [file] }} }});
}})()"""


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


@pytest.mark.skipif(find_firefox() is None, reason="Firefox is not installed")
def test_firefox_plays_a_record_of_the_visitors(site, saved, tmp_path):
    firefox = Firefox(tmp_path)
    try:
        firefox.goto((site / "drop.html").as_uri())
        firefox.evaluate(DROP.format(base64.b64encode(saved[0]).decode()))
        firefox.wait_for("document.querySelector('#said').textContent === 'mine.npz'")
        assert firefox.errors == []
    finally:
        firefox.close()


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


def test_the_page_that_plays_a_record_keeps_the_rules_of_axe(browser, site, saved, tmp_path):
    (tmp_path / "mine.npz").write_bytes(saved[0])
    # Axe fetches style sheets, which the policy of the page forbids.
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto((site / "drop.html").as_uri())
    assert violations(page) == []
    page.locator("#file").set_input_files(tmp_path / "mine.npz")
    frame = page.frame_locator("#shown")
    frame.locator("body[data-ready='1']").wait_for()
    assert violations(page.frames[1]) == []
    assert violations(page) == []
    context.close()
