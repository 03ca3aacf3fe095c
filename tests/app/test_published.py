"""Static pages: what they hold, and what is refused."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import html
import io
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

import gpucore
from gpucore.errors import ParameterError, RecordError
from gpucore.family import get_family, get_runner
from gpucore.record import Record
from gpucore.record.wire import decode
from warplens.app import published
from warplens.app.gallery import entries, entry
from warplens.app.limits import PageLimits
from warplens.app.published import folder
from warplens.app.published.drop import PART, drop_page, with_page
from warplens.app.published.folder import write_site
from warplens.app.published.page import beside, page_of, parts_of
from warplens.app.published.replays import comparison_of, replay_of
from warplens.app.stories.library import stories

TWO = ("karate_weighted-suitor-nosync", "karate_weighted-suitor-sync_lb")
LIMITS = PageLimits()
#: One record of every algorithm.
GALLERY = sorted({name.split("-", 1)[1]: name for name in entries()}.values())
RECEIVED = (Path(published.__file__).parent / "received.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def replay():
    return replay_of(entry(TWO[0]).record(), LIMITS, title="<script>alert(1)</script>")


def part(page, name):
    found = re.search(rf'<pre id="{name}" hidden>(.*?)</pre>', page, re.DOTALL)
    return found[1]


def scripts_of(page):
    return re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)


def test_a_page_holds_the_message_and_nothing_from_elsewhere(replay):
    page = page_of(replay)
    assert gzip.decompress(base64.b64decode(part(page, "packed"))) == replay.message
    assert "<script>alert" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page.split("<body")[0])
    assert page.count("</script>") == 3  # theme, BokehJS, page: none holds data
    assert "families/matching/player.js" in page
    assert "families/redblue/player.js" not in page


def test_a_record_with_its_page_is_the_same_record(replay):
    record = entry(TWO[0]).record()
    content = with_page(record.to_bytes(), replay)
    assert content == with_page(record.to_bytes(), replay)
    again = gpucore.record.Record.from_bytes("mine.npz", content)
    assert again.to_bytes() == record.to_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        pieces = json.loads(archive.read(PART))
    assert pieces == parts_of(replay)
    assert pieces["title"] == "&lt;script&gt;alert(1)&lt;/script&gt;"
    page = drop_page(("matching",), beside("assets", "index.html"))
    shell = json.loads(scripts_of(page)[1])
    policy = shell.split("<style>")[0]
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "script-src 'unsafe-inline'" not in policy
    assert policy.count("'sha256-") == len(scripts_of(shell)) == 3
    assert "frame-src 'none'" in page.split("<title>")[0]


HOSTILE = "</script></pre><script>location='//x'</script>&lt;/pre&gt;"


def test_no_script_holds_what_a_record_says(replay):
    hostile = dataclasses.replace(replay, title=HOSTILE, look=HOSTILE, story={"name": HOSTILE})
    page = page_of(hostile)
    assert scripts_of(page) == scripts_of(page_of(replay))
    assert json.loads(html.unescape(part(page, "data")))["story"]["name"] == HOSTILE


@pytest.mark.parametrize("name", GALLERY)
def test_the_frame_of_a_visitors_record_knows_our_charts_and_elements(name):
    models, tags, attributes = (
        set(
            re.search(rf"{known} = new Set\((.*?)\);", RECEIVED, re.DOTALL)[1]
            .replace('"', " ")
            .split()
        )
        for known in ("MODELS", "TAGS", "ATTRIBUTES")
    )
    pieces = parts_of(replay_of(entry(name).record(), LIMITS))
    used = {one["name"] for one in objects(json.loads(pieces["data"])["charts"])}
    assert used <= models, used - models
    reader = Elements()
    reader.feed(pieces["look"] + pieces["results"])
    assert reader.tags - {"a"} <= tags  # a link saves a file, which a frame may not
    assert reader.attributes - {"href", "download"} <= attributes


def objects(part):
    """Yield the objects of a chart, however deep."""
    if isinstance(part, dict):
        if part.get("type") == "object":
            yield part
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from objects(one)


class Elements(HTMLParser):
    """Collects the names of elements and attributes."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


def test_a_page_has_code_certificate_and_charts_in_both_themes(replay):
    data = json.loads(part(page_of(replay), "data"))
    assert data["listing"]["lines"]
    assert data["sources"]
    assert [chart["title"] for chart in data["charts"]][:1] == ["Warps: Edges scanned"]
    assert all(chart["light"] != chart["dark"] for chart in data["charts"])
    assert "Certified" in "".join(replay.results)


def test_pages_of_a_folder_share_their_files(replay):
    alone, shared = page_of(replay), page_of(replay, beside("assets", "index.html"))
    assert len(shared) < len(alone) / 4
    assert 'src="assets/warplens.js"' in shared


def test_runs_of_one_graph_play_on_one_clock():
    together = comparison_of([entry(name).record() for name in TWO], LIMITS)
    meta, _ = decode(together.message)
    assert len(meta["titles"]) == 2
    assert "end in the same" in "".join(together.results)
    assert [chart.title.endswith(": Edges scanned") for chart in together.charts()] == [True, True]


@pytest.mark.parametrize(
    ("names", "error", "text"),
    [
        (TWO[:1], ParameterError, "compares 2 to 4 records, not 1"),
        ((TWO[0], "lesmis-suitor-nosync"), RecordError, "of different graphs, karate"),
        ((TWO[0], "karate-louvain-buckets"), RecordError, "of one family"),
    ],
)
def test_runs_that_cannot_be_compared(names, error, text):
    with pytest.raises(error, match=text):
        comparison_of([entry(name).record() for name in names], LIMITS)


def test_a_site_is_a_folder_with_an_index(tmp_path):
    names = [*TWO, "classic40-marriage-gs"]
    seen = []
    pages = write_site(tmp_path / "site", LIMITS, names, lambda *now: seen.append(now))
    found = [page.name for page in pages]
    assert found[:5] == [*names, f"together-{TWO[0]}", "story-what-is-a-warp"]
    assert set(found[5:]) == {
        f"story-{one.name}" for one in stories().values() if one.story.record in names
    } - {found[4]}
    assert [done for _, done, _ in seen] == list(range(len(pages)))
    index = (tmp_path / "site" / "index.html").read_text()
    links = re.findall(r'(?:href|src)="(?!data:)([^"#][^"]*)"', index)
    assert {f"{page.name}.html" for page in pages} <= set(links)
    assert all((tmp_path / "site" / link.partition("?")[0]).is_file() for link in links)
    again = write_site(tmp_path / "site", LIMITS, names[:1])
    assert (tmp_path / "site" / f"{names[0]}.html").stat().st_size == again[0].size


@pytest.mark.parametrize(
    ("runner", "spec"),
    [
        ("marriage", "nrmp_5"),
        ("marriage", "hard:n=6"),
        ("gale_shapley", "classic:n=5"),
        ("irving", "irving_6"),
        ("bipartite", "southern_women"),
        ("sgd_serial", "sample_ratings"),
        ("suitor", "karate_weighted"),
    ],
)
def test_a_run_in_python_can_be_a_page(runner, spec, tmp_path):
    kind = get_family(get_runner(runner).family).problem
    result = gpucore.run(runner, gpucore.load(spec, kind=kind), record="events")
    result.record.save(tmp_path / "run.npz")
    replay = replay_of(Record.load(tmp_path / "run.npz"), LIMITS)
    assert replay.events == result.record.num_events


def test_the_guide_says_how_many_pages_a_site_has():
    chosen = folder._chosen([])
    count = len(chosen) + len(folder._comparable(chosen)) + len(folder._stories_about(chosen))
    guide = Path(__file__).parents[2] / "docs" / "howto" / "hubs.md"
    assert f"all {count} pages" in guide.read_text()


def test_a_record_of_a_method_is_a_page_of_a_site_with_the_playground(tmp_path):
    pages = write_site(
        tmp_path, LIMITS, ["roommates16-irving"], stories=False, playground="play.html"
    )
    assert [page.name for page in pages] == ["roommates16-irving"]
    assert "#play=" not in (tmp_path / "roommates16-irving.html").read_text()


def test_a_folder_of_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ParameterError, match="holds other files; name another folder"):
        write_site(tmp_path, LIMITS, TWO[:1])
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(ParameterError, match="the gallery has no record 'none'"):
        write_site(tmp_path / "new", LIMITS, ["none"])


def test_a_page_beside_its_record(call, tmp_path):
    path = tmp_path / "mine.npz"
    path.write_bytes(entry(TWO[0]).path.read_bytes())
    done = call("page", path, "--title", "Mine")
    assert done.exit_code == 0, done.output
    assert "<h1>Mine</h1>" in (tmp_path / "mine.html").read_text()


@pytest.mark.parametrize("words", [(), ("--output", "same.html")])
def test_a_page_does_not_replace_its_record(call, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    name = "run.html" if not words else "same.html"
    assert call("run", "suitor", "karate", "--device", "host", "--record", name).exit_code == 0
    before = Path(name).read_bytes()
    found = call("page", name, *words)
    assert found.exit_code == 2
    assert Path(name).read_bytes() == before


def test_a_graph_from_a_file_is_asked_for(call, small_graph, tmp_path):
    record = tmp_path / "own.npz"
    graph = gpucore.load(str(small_graph))
    gpucore.run("suitor", graph, record="events", device="host").record.save(record)
    assert "name the file with --graph" in call("page", record).stderr
    done = call("page", record, "--graph", small_graph, "-o", tmp_path / "out.html")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out.html").is_file()


@pytest.fixture
def small_graph(tmp_path):
    path = tmp_path / "own.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 2\n")
    return path
