"""Reasons and notes of figures: measured numbers come from the results, and follow them."""

import copy
import re

import pytest

from gpucore.bench.papers.declare import papers
from gpucore.bench.papers.evaluate import evaluate
from gpucore.bench.results import read_results

SHOWN = {name: paper for name, paper in papers().items() if paper.figures}
#: A number with a unit of time, a percent sign or a factor.
MEASURED = re.compile(r"\d ?(?:ns|µs|ms|s\b|seconds|%|×|percent|times)")


@pytest.mark.parametrize("name", SHOWN)
def test_no_measured_number_is_written_by_hand(name):
    for figure in SHOWN[name].figures:
        for words in (figure.note, figure.differs, *(one.why for one in figure.expectations)):
            assert callable(words) or not MEASURED.search(words), words


@pytest.mark.parametrize("name", SHOWN)
def test_without_results_no_reason_names_a_number(name):
    for figure in evaluate(SHOWN[name], [])["figures"]:
        for text in (figure["differs"], *(one["why"] for one in figure["expectations"])):
            assert not MEASURED.search(text)


@pytest.fixture(scope="module")
def results(papers_tool):
    """The committed results of a paper that a figure is drawn from."""

    def found(name, number):
        paper = SHOWN[name]
        files = [read_results(path) for path in papers_tool.results_of(paper)]
        places = [figure.number for figure in paper.figures]
        shown = evaluate(paper, files)["figures"][places.index(number)]
        commit = shown["setup"]["commit"]
        return copy.deepcopy(next(d for d in files if d["setup"]["commit"] == commit))

    return found


def texts(name, number, data):
    """Return the reasons of a figure, as one text."""
    figures = evaluate(SHOWN[name], [data])["figures"]
    figure = next(one for one in figures if one["number"] == number)
    return " ".join([figure["differs"], *(one["why"] for one in figure["expectations"])])


def test_costs_of_a_barrier_and_passes_of_nl_are_those_of_the_results(results):
    data = results("sgd", "figure 7")
    data["device_figures"]["costs"] |= {"barrier": 7.5e-6, "launch": 1e-6}
    kept = data["measurements"]["road1000"]["sgd(sweeps=3,variant=nl)@device"]
    kept["figures"]["passes"] = 3 * 77
    found = texts("sgd", "figure 7", data)
    assert found.count("barrier costs 7.5 µs") == 2
    assert "77 a sweep on road1000" in found and "they are 77 µs of" in found


def test_what_all_workers_of_el_take_is_said_once_it_is_measured(results):
    data = results("sgd", "figure 8")
    assert "every pass take was not measured" in texts("sgd", "figure 8", data)
    runs = data["measurements"]["road1000"]
    own = copy.deepcopy(runs["sgd(sweeps=3,variant=el_shuffled)@device"])
    own["kept"]["seconds_by_sweep"] = [2 * s for s in own["kept"]["seconds_by_sweep"]]
    figure = next(f for f in SHOWN["sgd"].figures if f.number == "figure 8")
    (all_workers,) = (c for c in figure.cases(16) if "threads" in c.params)
    runs[all_workers.key] = own
    assert "with all of them in every pass it takes 2 ×" in texts("sgd", "figure 8", data)


def test_threads_and_shares_follow_the_results(results):
    data = results("marriage", "figure 7")
    men = data["measurements"]["easy5m"]
    for runner in ("gale_shapley_omp", "mcvitie_wilson_omp"):
        men[f"{runner}(threads=8)@cpu"]["seconds"] = 9 * men[f"{runner}(threads=16)@cpu"]["seconds"]
    assert "8 threads take 1.19 to 9 times as long as 16" in texts("marriage", "figure 7", data)
    data = results("louvain", "section V, relaxed")
    assert "sbm 18.1%" in texts("louvain", "section V, relaxed", data)
    data["measurements"]["sbm"].clear()
    assert "sbm" not in texts("louvain", "section V, relaxed", data)
