"""The papers' figures: every one is measured, small, on the host device, evaluated and drawn."""

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from types import SimpleNamespace

import pytest

from gpucore.bench.papers import pdf
from gpucore.bench.papers.charts import Chart, Series, chart_of, profile
from gpucore.bench.papers.declare import SIZES, get_paper, papers
from gpucore.bench.papers.evaluate import counts, evaluate
from gpucore.bench.papers.pdf import figure_pdf
from gpucore.bench.papers.run import Wish, chosen_figures, folder_of, run_paper, write_figures
from gpucore.bench.papers.svg import chart_svg
from gpucore.bench.results import read_results
from gpucore.device import get_device
from gpucore.errors import Cancelled, ParameterError
from gpucore.family import families
from gpucore.installing import install_hint
from warplens.app.papers import words
from warplens.app.papers.data import load

pytestmark = pytest.mark.usefixtures("small_copy")
#: Two of the smallest instances of each paper.
FEWEST = {
    "suitor": ("delaunay6", "rmat6"),
    "louvain": ("delaunay6", "rmat6"),
    "bipartite": ("uni3k1", "bip_grid8", "bip_grid8_perm"),
    "redblue": ("grid8", "karate_weighted"),
    "marriage": ("easy:n=60,seed=1", "easy:n=60,seed=2", "hard:n=20,seed=1"),
    "sgd": ("scale_free:users=40,items=20,ratings=200", "road20"),
}


def measured(name, places, **options):
    paper = get_paper(name)
    options = {"instances": FEWEST[paper.name], "cores": 2, **options}
    out, cache = places / "out", places / "cache"
    return paper, run_paper(paper, Wish(**options), get_device("host"), out, cache)


@pytest.fixture(scope="module")
def measured_once(tmp_path_factory):
    """Return a function that measures all figures of a paper once for all tests.

    It returns the paper, what was found, whether it is complete, and the folder.
    """

    @cache
    def measure(name):
        places = tmp_path_factory.mktemp(name)
        paper, (found, complete) = measured(name, places)
        return paper, found, complete, places

    return measure


def test_every_family_of_a_paper_with_benchmarks_declares_its_figures():
    declared = {paper.family for paper in papers().values()}
    assert set(FEWEST) == {name for name, paper in papers().items() if paper.figures}
    assert declared == {name for name, f in families().items() if f.bench}


@pytest.mark.parametrize("name", FEWEST)
def test_a_small_run_has_something_for_every_figure(name, measured_once):
    paper, found, complete, places = measured_once(name)
    assert complete
    assert [figure["number"] for figure in found["figures"]] == [f.number for f in paper.figures]
    for figure in found["figures"]:
        assert figure["charts"] or figure["tables"], figure["number"]
        assert {one["name"] for one in figure["instances"]} <= set(FEWEST[name])
        for chart in figure["charts"]:
            assert all(len(row["x"]) == len(row["y"]) > 0 for row in chart["series"])
    written = write_figures(found, folder_of(paper, "small", places / "out"))
    for suffix in (".svg", ".pdf"):
        drawn = {path.stem for path in written if path.suffix == suffix}
        assert drawn == {f["slug"] for f in found["figures"] if f["charts"]}
    for path in written:
        if path.suffix == ".svg":
            ET.fromstring(path.read_text())
    data = next(path for path in written if path.name == "figures.json")
    assert json.loads(data.read_text(), parse_constant=pytest.fail) == found


def test_a_pdf_has_a_page_for_each_chart_and_is_the_same_every_time():
    charts = [
        Chart(f"chart {n}", "men", "seconds", [Series("µ–×", [1, 2, 3], [n, 2, 1])]) for n in (1, 2)
    ]
    drawn = [chart_svg(chart) for chart in charts]
    found = figure_pdf("two charts", drawn)
    assert found.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", found)) == 2
    assert found == figure_pdf("two charts", drawn) != figure_pdf("two charts", drawn[:1])


def test_without_the_library_no_pdf_is_written_and_the_fix_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    assert install_hint("pdf") in pdf.available()
    chart = Chart("chart", "men", "seconds", [Series("one", [1, 2], [3, 4])])
    figure = {"slug": "figure-1", "title": "one", "charts": [chart.as_dict()]}
    paper = {"paper": "suitor", "figures": [figure]}
    monkeypatch.setattr("gpucore.bench.papers.run.entry_points", lambda group: [])
    written = write_figures(paper, tmp_path)
    assert [path.name for path in written] == ["figures.json", "figure-1.svg"]


def test_every_printed_number_has_ours_beside_it_or_needs_more(measured_once):
    """On these instances only speed-ups are open, which need larger graphs."""
    _, found, _, _ = measured_once("redblue")
    printed = [one for figure in found["figures"] for one in figure["printed"]]
    assert len(printed) == 12
    assert [one["what"] for one in printed if not one["ours"]] == [
        one["what"] for one in printed if one["what"].startswith("speed")
    ]


def test_what_is_measured_is_not_measured_again(measured_once):
    logged = []
    paper, _, _, places = measured_once("marriage")
    wish = Wish(instances=FEWEST["marriage"], cores=2)
    device, out = get_device("host"), places / "out"
    found, _ = run_paper(paper, wish, device, out, places / "cache", log=logged.append)
    assert logged == []
    data = read_results(out / "marriage-small" / "marriage.json")
    assert evaluate(paper, [data]) | {"size": "small"} == found


def test_a_cancelled_run_leaves_what_it_has(tmp_path):
    paper, wish = get_paper("suitor"), Wish(instances=("grid8",))
    places = (get_device("host"), tmp_path / "out", tmp_path / "cache")
    file = tmp_path / "out" / "suitor-small" / "matching.json"
    with pytest.raises(Cancelled):
        run_paper(paper, wish, *places, cancel=SimpleNamespace(is_set=lambda: True))
    assert not file.exists()  # cancelled before anything was measured
    with pytest.raises(Cancelled):
        run_paper(paper, wish, *places, cancel=SimpleNamespace(is_set=file.exists))
    assert read_results(file)["measurements"] == {}


def test_times_of_the_host_device_judge_no_gpu(measured_once):
    paper, found, _, places = measured_once("suitor")
    assert counts(found) == {"agree": 0, "differ": 0, "open": 6}
    data = read_results(places / "out" / "suitor-small" / "matching.json")
    data["setup"]["device"]["name"] = "cuda"
    assert counts(evaluate(paper, [data]))["open"] == 0


def test_a_figure_comes_from_the_results_that_have_it(tmp_path):
    paper, _ = measured("suitor", tmp_path, figures=("figure 4",))
    data = read_results(tmp_path / "out" / "suitor-small" / "matching.json")
    empty = {**data, "measurements": {}, "graphs": {}}
    found = {f["number"]: f for f in evaluate(paper, [empty, data])["figures"]}
    assert found["figure 4"]["charts"]
    assert not found["figure 5"]["charts"]
    assert found["figure 5"]["setup"] is None


def results(**cases):
    """Return results of one method by 16 cores, ``results(GRAPH={KEY: SECONDS})``."""
    return {
        "family": "matching",
        "graphs": {
            name: {"vertices": 4, "edges": 4, "solutions": {}, "sets": []} for name in cases
        },
        "measurements": {
            name: {
                key: {"seconds": s, "warm": True, "certified": True, "digest": "d"}
                for key, s in row.items()
            }
            for name, row in cases.items()
        },
        "setup": {
            "cores": 16,
            "processor": "p",
            "date": "2026-11-24",
            "commit": "c",
            "device": {"name": "cuda"},
        },
        "copy": {"bandwidth": 1e12},
    }


SUITOR = "suitor(threads_per_block=128,variant=nosync,vertices_per_warp=8)@device"


def test_a_figure_comes_from_the_results_that_have_the_most_of_its_cases():
    """A newer file with one method must not hide the older one that has all of them."""
    few = results(g={SUITOR: 1.0, "ld()@device": 2.0}, h={SUITOR: 1.0, "ld()@device": 2.0})
    every = results(g={SUITOR: 1.0, "ld()@device": 2.0, "ld_omp(threads=2)@cpu": 9.0})
    every["setup"]["commit"] = "all"
    found = evaluate(get_paper("suitor"), [few, every])["figures"][1]
    assert found["setup"]["commit"] == "all"
    assert [one["ours"] is not None for one in found["printed"][:2]] == [True, True]
    assert evaluate(get_paper("suitor"), [few])["figures"][1]["printed"][1]["ours"] is None


def test_among_equals_more_cases_come_first():
    few = results(g={SUITOR: 1.0, "ld()@device": 2.0}, h={SUITOR: 1.0, "ld()@device": 2.0})
    more = results(g={SUITOR: 1.0, "ld()@device": 2.0, "suitor(variant=fast)@device": 0.5})
    found = evaluate(get_paper("suitor"), [few, more])["figures"][1]
    assert [one["name"] for one in found["instances"]] == ["g"]


def test_among_equals_methods_that_ran_alone_come_first_then_more_instances():
    cases = {SUITOR: 1.0, "ld_omp(threads=2)@cpu": 2.0}
    beside, one, two = results(g=cases, h=cases), results(g=cases), results(g=cases, h=cases)
    beside["measurements"]["g"]["ld_omp(threads=2)@cpu"]["beside"] = 3
    found = [
        len(evaluate(get_paper("suitor"), files)["figures"][1]["instances"])
        for files in ([beside, one], [one, two], [beside, one, two])
    ]
    assert found == [1, 2, 2]


def test_kernels_by_themselves_do_not_hide_results_whose_methods_ran_beside_each_other():
    whole = results(g={SUITOR: 1.0, "ld()@device": 2.0, "ld_omp(threads=2)@cpu": 9.0})
    whole["measurements"]["g"]["ld_omp(threads=2)@cpu"]["beside"] = 3
    kernels = results(g={SUITOR: 1.0, "ld()@device": 2.0})
    found = evaluate(get_paper("suitor"), [kernels, whole])["figures"][1]
    assert found["at_a_time"] == 3


def test_a_statement_is_answered_by_the_most_runs_and_other_verdicts_stand_beside_it():
    """More cases on one graph draw the figure; they do not outvote three graphs."""
    cases = {SUITOR: 1.0, "ld()@device": 2.0}
    one = results(g={SUITOR: 3.0, "ld()@device": 2.0, "ld_omp(threads=2)@cpu": 9.0})
    three = results(g=cases, h=cases, i=cases)
    three["setup"] |= {"commit": "three", "date": "2026-11-20"}
    found = evaluate(get_paper("suitor"), [one, three])["figures"][1]
    assert found["setup"]["commit"] == "c"
    statement = found["expectations"][0]
    assert statement["holds"] and "3 of 3" in statement["words"]
    assert statement["session"] == "cuda, 2026-11-20"
    assert [(other["holds"], other["session"]) for other in statement["others"]] == [
        (False, "cuda, 2026-11-24")
    ]
    assert "session" not in found["expectations"][2]
    shown = words.beside(found)
    assert "3 of 3" in shown and "cuda, 2026-11-24, differs: on 0 of 1" in shown
    assert "2 to 2 ×" in found["printed"][0]["ours"]
    assert [other["words"][:9] for other in found["printed"][0]["others"]] == ["0.667 to "]
    assert "; cuda, 2026-11-24: 0.667 to " in shown


def test_only_instances_that_the_paper_counts_answer_if_there_are_some():
    paper, cases = get_paper("suitor"), {SUITOR: 1.0, "ld()@device": 2.0}
    data = results(g={SUITOR: 3.0, "ld()@device": 2.0}, h=cases, i=cases)

    def words_of(own):
        figure = dataclasses.replace(paper.figures[1], own=own)
        (found,) = evaluate(dataclasses.replace(paper, figures=(figure,)), [data])["figures"]
        assert [one["name"] for one in found["instances"]] == ["g", "h", "i"]
        return found["expectations"][0]["words"][:9]

    counts = [None, lambda data, name: name != "g", lambda data, name: name == "none"]
    assert [words_of(own) for own in counts] == ["on 2 of 3", "on 2 of 2", "on 2 of 3"]


def test_a_real_graph_or_one_of_the_papers_size_comes_before_smaller_ones():
    cases = {SUITOR: 1.0, "ld()@device": 2.0}
    medium = results(delaunay18=cases, rmat18=cases)
    for name in ("rmat22", "suitesparse:HB/bcsstk16"):
        found = evaluate(get_paper("suitor"), [medium, results(**{name: cases})])["figures"][1]
        assert [one["name"] for one in found["instances"]] == [name]


def test_runs_of_what_the_paper_counts_come_before_more_runs_of_others():
    slow, fast = ({SUITOR: s, "ld()@device": 2.0} for s in (3.0, 1.0))
    counted, more = results(a=fast, b=fast), results(a=slow, g=slow, h=slow)
    paper = get_paper("suitor")
    figure = dataclasses.replace(paper.figures[1], own=lambda data, name: name in "ab")
    paper = dataclasses.replace(paper, figures=(figure,))
    (found,) = evaluate(paper, [more, counted])["figures"]
    assert found["expectations"][0]["words"].startswith("on 2 of 2")


@pytest.mark.parametrize(("slower", "holds"), [(15, True), (10, True), (9, False), (8, False)])
def test_hardly_more_than_half_is_not_most(slower, holds):
    rows = {f"g{i}": {SUITOR: 2.0, "ld()@device": 3.0 if i < slower else 1.0} for i in range(15)}
    (statement, *_) = evaluate(get_paper("suitor"), [results(**rows)])["figures"][1]["expectations"]
    assert statement["holds"] is holds


def test_a_number_of_a_card_has_none_of_a_host_device_beside_it():
    case = {SUITOR: 3.0, "ld()@device": 2.0}
    card, host = results(g=case, h=case), results(g={SUITOR: 1.0, "ld()@device": 2.0})
    host["setup"]["device"] = {"name": "host"}
    found = evaluate(get_paper("suitor"), [host, card])["figures"][1]
    assert found["setup"]["device"] == "cuda" and "others" not in found["printed"][0]


@pytest.mark.parametrize("name", FEWEST)
def test_every_figure_with_printed_numbers_says_why_ours_differ(name):
    for figure in get_paper(name).figures:
        assert bool(figure.differs) >= bool(figure.printed), figure.number


@pytest.mark.parametrize("name", FEWEST)
def test_every_statement_that_differs_on_the_page_has_a_reason(name):
    committed = load(name)
    for figure in committed["figures"]:
        for one in figure["expectations"]:
            assert one["holds"] is not False or one["why"], one["sentence"]


def test_instances_of_a_figure_are_those_of_its_set(tmp_path):
    _, (found, _) = measured("marriage", tmp_path)
    for figure in found["figures"]:
        kind = "hard" if figure["number"] in ("figure 5", "figure 6", "figure 8") else "easy"
        assert figure["instances"]
        assert all(one["name"].startswith(kind) for one in figure["instances"])


def test_a_statement_is_confirmed_or_not_by_the_numbers():
    paper = get_paper("suitor")
    figure = next(f for f in paper.figures if f.number == "figures 2 and 3")
    faster = figure.expectations[0]

    def data(suitor, ld):
        runs = {"suitor(threads_per_block=128,variant=nosync,vertices_per_warp=8)@device": suitor}
        cases = {
            key: {"seconds": seconds, "warm": True}
            for key, seconds in (runs | {"ld()@device": ld}).items()
        }
        return {"measurements": {"g": cases}, "setup": {"cores": 2}}

    assert faster.holds(data(1.0, 2.0)).holds
    assert not faster.holds(data(2.0, 1.0)).holds
    assert "1 of 1" in faster.holds(data(1.0, 2.0)).words
    assert faster.holds({"measurements": {}, "setup": {"cores": 2}}) is None


def test_a_graph_without_all_points_does_not_say_which_point_is_the_best():
    """A session that was ended has one point of its last graph, which is the best by default."""
    more = {SUITOR.replace("warp=8", f"warp={v}"): 9.0 / v for v in (16, 256)}
    figure = next(f for f in get_paper("suitor").figures if f.number == "figure 5")
    holds, worst = figure.expectations[0].holds, figure.printed[0].ours
    ended = results(g={SUITOR: 2.0} | more, h={SUITOR: 1.0}, i={SUITOR: 1.0})
    assert "8: 0, 16: 0, 32: 0, 64: 0, 128: 0, 256: 1" in holds(ended).words
    assert not holds(ended).holds
    assert worst(ended) == "1 ×"
    assert holds(results(g=more, h={SUITOR: 1.0})) is None


def test_unknown_papers_and_figures_are_errors():
    with pytest.raises(ParameterError, match="suitor, louvain, bipartite"):
        get_paper("nope")
    assert get_paper("matching").name == "suitor"
    with pytest.raises(ParameterError, match="figures 2 and 3"):
        chosen_figures(get_paper("suitor"), ["figure 9"])
    with pytest.raises(ParameterError, match="left out: the list"):
        chosen_figures(get_paper("suitor"), ["table 1"])


def test_every_size_has_instances_and_names_are_known():
    for paper in papers().values():
        assert set(paper.instances) == set(SIZES)
        assert all(paper.instances.values()) == bool(paper.figures)
        slugs = [figure.slug for figure in paper.figures]
        assert len(set(slugs)) == len(slugs)


def test_a_lost_paper_declares_no_figure_and_says_why():
    paper = get_paper("bmatching")
    assert (paper.figures, len(paper.parts)) == ((), 5)
    with pytest.raises(ParameterError, match="has no figures here: the text of paper II is lost"):
        chosen_figures(paper, [])
    found = evaluate(paper, [])
    assert (found["figures"], counts(found)) == ([], {"agree": 0, "differ": 0, "open": 0})


def test_charts_survive_json_and_show_their_points():
    chart = Chart("T", "x", "y", [Series("a", [1.0, 10.0], [2.0, 3.0])], "line", True)
    assert chart_of(json.loads(json.dumps(chart.as_dict()))) == chart
    text = chart_svg(dataclasses.replace(chart, categories=["one"] * 11, x_log=False))
    assert "a, one: 3" in text
    assert "a, 10: 3" in chart_svg(chart)


def test_a_profile_ends_at_all_instances():
    (chart,) = profile("P", {"a": {"g": 1.0, "h": 4.0}, "b": {"g": 2.0, "h": 1.0}})
    rows = {row.name: row for row in chart.series}
    assert rows["a"].y[0] == rows["b"].y[0] == 0.5
    assert rows["a"].y[-1] == rows["b"].y[-1] == 1.0
    assert max(rows["a"].x) > 4.0
