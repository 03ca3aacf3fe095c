"""The numbers that documents quote: computed from committed results, or counted in the registry.

``tools/tables.py`` writes them into a table of benchmarks/README.md, and
``tests/test_quoted_numbers.py`` finds them in every document and compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from gpucore.bench.markdown import markdown_table
from gpucore.bench.papers.declare import papers
from gpucore.bench.results import read_peers, read_results
from gpucore.bench.suite import get_suite
from gpucore.bench.summary import case_times
from gpucore.families.communities import starts, variants
from gpucore.families.communities.fast import small
from gpucore.family import families

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"


@dataclass(frozen=True)
class Number:
    """A number that documents quote.

    Attributes
    ----------
    name : str
        Key of the rules that find its quotations.
    what : str
        What was counted or measured, and where.
    values : tuple of str
        The number or numbers, as documents write them.
    source : str
        The registry, or files of benchmarks/results.
    """

    name: str
    what: str
    values: tuple[str, ...]
    source: str


def numbers() -> dict[str, Number]:
    """Return all numbers by name: counts first, then measurements."""
    found = (
        *_counts(),
        *_limits(),
        *_matching(),
        *_communities(),
        *_unseen(),
        *_scaling(),
        *_sizes(),
        *_waits(),
        *_pages(),
    )
    return {one.name: one for one in found}


def table(found: Iterable[Number]) -> str:
    """Return the table of the numbers."""
    rows = ((one.name, one.what, " and ".join(one.values), one.source) for one in found)
    return markdown_table(("number", "what", "value", "source"), rows).replace("---:", "---")


def _counts() -> Iterable[Number]:
    every = families().values()
    algorithms = [one for family in every for one in family.load_algorithms().values()]
    for name, what, count in (
        ("papers", "papers whose figures are repeated", len(papers())),
        ("families", "families of algorithms", len(every)),
        ("algorithms", "algorithms with kernels", len(algorithms)),
        ("variants", "variants of them", sum(len(one.variants) for one in algorithms)),
    ):
        yield Number(name, what, (str(count),), "registry")
    stories = len(list(ROOT.glob("app/families/*/stories/*.toml")))
    notebooks = len(list(ROOT.glob("labs/*/*.ipynb")))
    yield Number("stories", "stories", (str(stories),), "`app/families/*/stories`")
    yield Number("notebooks", "notebooks", (str(notebooks),), "`labs`")


def _limits() -> Iterable[Number]:
    work, most = starts.BESIDE_WORK, starts.MOST_BESIDE
    for name, what, values, module in (
        (
            "one-launch",
            "most vertices and edges that `fast` and `leiden` search in one launch",
            (small.MOST_VERTICES, small.MOST_ENTRIES // 2),
            small,
        ),
        (
            "one-launch-dense",
            "edges, and neighbours of a vertex, above which `fast` takes several",
            (small.DENSE_ENTRIES // 2, small.MOST_OF_A_VERTEX),
            small,
        ),
        (
            "starts-beside",
            "vertices and entries of four, three, two starts on a GPU; most starts, and of these",
            (work // 4, work // 3, starts.PAIR_WORK // 2, most, starts.BESIDE_MOST),
            starts,
        ),
        (
            "starts-in-turn",
            "vertices and entries of two starts in turn",
            (starts.WORK // 2,),
            starts,
        ),
        (
            "one-cycle",
            "most edges of a graph in which `leiden` has a second cycle",
            (variants.CYCLE_ENTRIES // 2,),
            variants,
        ),
        (
            "settled",
            "most million edges of a graph in which no vertex may gain alone",
            (variants.SETTLED_ENTRIES // 2_000_000,),
            variants,
        ),
    ):
        source = f"`{module.__name__}`"
        yield Number(name, what, tuple(f"{value:,}" for value in values), source)


def _matching() -> Iterable[Number]:
    name, peers = "matching-h100/matching.json", "peers-h100.json"
    ours, ratios = _contest(name, peers, "cuGraph 26.10")
    where = "on the eight benchmark graphs, one H100"
    source = f"`{name}`, `{peers}`"
    times = f"{min(ours) * 1e3:.2f}", f"{max(ours) * 1e3:.1f}"
    yield Number("suitor-ms", f"least and most ms of Suitor `fast` {where}", times, f"`{name}`")
    yield Number(
        "suitor-cugraph",
        f"Suitor `fast` over cuGraph's matching {where}: geometric mean, least",
        _ratios(ratios),
        source,
    )


def _communities() -> Iterable[Number]:
    name, peers = "louvain-h200/communities.json", "louvain-h200/peers-contest.json"
    _, ratios = _contest(name, peers, "cuGraph 26.10")
    where = "on the eight benchmark graphs, one H200"
    yield Number(
        "louvain-cugraph",
        f"Louvain `fast` over cuGraph's Louvain {where}: geometric mean, least",
        _ratios(ratios),
        f"`{name}`, `{peers}`",
    )
    session = "louvain-h200/contest.json"
    times: dict[str, dict[str, float]] = {}
    for found in _read(session)["measurements"]:
        times.setdefault(found["method"], {})[found["graph"]] = found["median"]
    for key, what, ours, theirs in (
        ("louvain-session", "Louvain `fast` over cuGraph's Louvain", "ours", "cugraph_louvain"),
        ("leiden-cugraph", "`leiden` over cuGraph's Leiden", "ours_leiden", "cugraph_leiden"),
    ):
        ratios = [times[theirs][graph] / seconds for graph, seconds in times[ours].items()]
        what = f"{what}, both in one session, {where}: geometric mean, least"
        yield Number(key, what, _ratios(ratios), f"`{session}`")


def _unseen() -> Iterable[Number]:
    for file, ours, peer, what in (
        ("unseen", "fast", "cugraph_louvain", "Louvain `fast` over cuGraph's Louvain"),
        ("unseen", "leiden", "cugraph_leiden", "`leiden` over cuGraph's Leiden"),
        ("unseen_bipartite", "fast", "ecl_mm", "bipartite `fast` over ECL-MM"),
    ):
        name = f"unseen-h200/{file}.json"
        pairs = {(pair["ours"], pair["peer"]): pair for pair in _read(name)["summary"]}
        pair = pairs[ours, peer]
        where = f"on {pair['graphs']} graphs that no one tuned for, worst of ten over best of three"
        what = f"{what} {where}, one H200: geometric mean, least"
        values = f"{pair['mean speed']:.1f}", f"{pair['least speed']:.1f}"
        yield Number(f"unseen-{peer.replace('_', '-')}", what, values, f"`{name}`")
    yield _with_least_of_seeds()


def _with_least_of_seeds() -> Number:
    """Return what `fast` has over cuGraph's least times on graphs of eight seeds."""
    before = "forenoon", "dawn", "night", "evening", "earlier", "morning", "day_before"
    files = "unseen", *(f"unseen_{when}" for when in before)
    now, *others = (
        {row["kind"]: row["methods"] for row in _read(f"unseen-h200/{file}.json")["rows"]}
        for file in files
    )
    ratios = [
        min(
            one[kind]["cugraph_louvain"]["seconds"]["best"] for one in (now, *others) if kind in one
        )
        / methods["fast"]["seconds"]["worst"]
        for kind, methods in now.items()
    ]
    what = "the first of these means with cuGraph's least times on graphs of eight seeds"
    names = ", ".join(f"`{file}.json`" for file in files)
    values = f"{geometric_mean(ratios):.1f}", f"{min(ratios):.1f}"
    return Number("unseen-least-of-seeds", what, values, f"`unseen-h200`: {names}")


def _scaling() -> Iterable[Number]:
    name = "bmatching-h200/scaling-packed-h100.json"
    one: dict[tuple[str, str], float] = {}
    two: dict[tuple[str, str], float] = {}
    for run in _read(name)["runs"]:
        key = run["graph"], run["label"]
        if run["ranks"] == 2:
            two[key] = run["median"]
        elif run.get("variant") == "fast":
            one[key] = run["median"]
    ratios = [one[key] / seconds for key, seconds in two.items()]
    what = "two H100s over one, Suitor and b-Suitor, R-MAT and a geometric graph: least, most"
    values = f"{min(ratios):.1f}", f"{max(ratios):.1f}"
    yield Number("two-cards", what, values, f"`{name}`")


def _sizes() -> Iterable[Number]:
    name = "large-h200/large.json"
    for algorithm in ("suitor", "louvain"):
        most = max(run["edges"] for run in _read(name)["runs"] if run["algorithm"] == algorithm)
        what = f"billion edges of the largest graph that `{algorithm}` ran on, one H200"
        yield Number(f"{algorithm}-edges", what, (f"{most / 1e9:.1f}",), f"`{name}`")


def _pages() -> Iterable[Number]:
    name = "pages.json"
    found = _read(name)["a_page"]
    values = f"{found['pss_mib']:.0f}", f"{found['pss_mib_after_a_run']:.0f}"
    what = "MiB that an open page adds on Linux: before and after a run on a small graph"
    yield Number("page-mib", what, values, f"`{name}`")
    what = "seconds of processor time of a page until it is open, two cores"
    yield Number("page-seconds", what, (f"{found['processor_seconds']:.1f}",), f"`{name}`")


def _waits() -> Iterable[Number]:
    name = "first_run.json"
    slowest = max(run["empty"]["first"] for run in _read(name)["runs"])
    what = "seconds of the slowest first run, empty cache, H200"
    yield Number("first-run", what, (f"{slowest:.1f}",), f"`{name}`")
    name = "classroom.json"
    found = _read(name)["runs"][0]["step to student, ms"]
    what = "ms from the lecturer's step to a student, thirty of them, two cores: median, most"
    yield Number("classroom", what, (f"{found['median']:.0f}", f"{found['most']:.0f}"), f"`{name}`")


def _contest(name: str, peers: str, peer: str) -> tuple[list[float], list[float]]:
    """Return the champion's times, and the times of a peer divided by them."""
    data = read_results(RESULTS / name)
    contest = get_suite(data["family"]).contest
    ours = case_times(data, contest.experiment)[contest.champion]
    theirs = {
        one["graph"]: one["seconds"] for one in read_peers(RESULTS / peers) if one["method"] == peer
    }
    return list(ours.values()), [theirs[graph] / seconds for graph, seconds in ours.items()]


def _ratios(ratios: Sequence[float]) -> tuple[str, str]:
    return f"{geometric_mean(ratios):.1f}", f"{min(ratios):.1f}"


def _read(name: str) -> Any:
    return json.loads((RESULTS / name).read_text())
