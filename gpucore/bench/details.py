"""Table of every method on every graph, with published times of other libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gpucore.bench.plots.experiments import peer_speed_ups
from gpucore.bench.suite import Data, Suite
from gpucore.bench.summary import common_measure, is_timed, least_bytes, rival_times
from gpucore.format import human_time

#: Columns of :func:`detail_rows`; the suite names those that are empty here.
COLUMNS = ("graph", "method", "median", "runs", "", "× floor", "", "solutions", "bytes an edge")


def detail_head(suite: Suite) -> list[str]:
    """Return the columns' names."""
    own = iter([rate_head(suite), suite.quality])
    return [name or next(own) for name in COLUMNS]


def rate_head(suite: Suite) -> str:
    """Return the name of the column with the rate per second."""
    return f"M {suite.rated or 'edges'}/s"


def detail_rows(
    suite: Suite, data: Data, peers: Sequence[dict[str, Any]] = ()
) -> Iterator[list[str]]:
    """Yield the rows of the contest's experiment, graph by graph, method by method."""
    cases = data["experiments"].get(suite.contest.experiment, {"cases": []})["cases"]
    bandwidth = data["copy"]["bandwidth"]
    for name, measured in data["measurements"].items():
        graph, count = data["graphs"][name], common_measure(data, name, suite.rated)
        for case in cases:
            found = measured.get(case["key"], {})
            if is_timed(case["key"], found):
                gap = found["seconds"] * bandwidth / least_bytes(data, name)
                yield [
                    *_common(name, case["label"], count, found),
                    f"{gap:.1f}",
                    _span(suite, found.get("qualities") or [found["figures"].get(suite.quality)]),
                    _solutions(found),
                    _per_edge(found.get("device_bytes"), graph["edges"]),
                ]
            elif "limit" in found:
                words = f"more than {human_time(found['limit'])}"
                yield [name, case["label"], words, *"–" * 6]
        for peer in peers:
            if peer["graph"] == name:
                yield [
                    *_common(name, peer["method"], count, peer),
                    "–",
                    _span(suite, [peer.get(suite.quality)]),
                    "–",
                    "–",
                ]


def _common(graph: str, method: str, count: float, found: dict[str, Any]) -> list[str]:
    seconds = found["seconds"]
    rate = rate_words(count / seconds / 1e6)
    return [graph, method, human_time(seconds), runs_words(found), rate]


def runs_words(found: dict[str, Any]) -> str:
    """Return the number of runs behind a median with the least and the largest time.

    >>> runs_words({"seconds": 2e-3, "runs": [1e-3, 2e-3, 4e-3], "warm": True})
    '3: 1 ms to 4 ms'
    """
    runs = found.get("runs")
    if not runs:
        return "–"
    if not found.get("warm", True):
        return "1, the first"
    if len(runs) == 1:
        return "1"
    return f"{len(runs)}: {human_time(min(runs))} to {human_time(max(runs))}"


def rate_words(rate: float) -> str:
    """Format a number with three digits, more only before the point."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _span(suite: Suite, qualities: Sequence[float | None]) -> str:
    """Return the quality of all runs: one number, or the least and the largest."""
    known = [quality for quality in qualities if quality is not None]
    if not known:
        return "–"
    words = suite.quality_format.format
    low, high = words(min(known)), words(max(known))
    return low if low == high else f"{low} to {high}"


def _solutions(found: dict[str, Any]) -> str:
    """Describe whether all runs found the same solution, and how many were certified.

    >>> _solutions({"solutions": 3, "certified": True, "examined": 1, "digests": ["a", "b", "c"]})
    '3 different ones, 1 of 3 certified'
    """
    count = found.get("solutions", 1)
    verdict = {True: "certified", False: "NOT certified", None: "not examined"}
    repeated = "the same every run" if count == 1 else f"{count} different ones"
    words = verdict[found["certified"]]
    if found["certified"] and found.get("examined", 1) < count:
        words = f"{found.get('examined', 1)} of {count} certified"
    return f"{repeated}, {words}"


def _per_edge(memory: int | None, edges: int) -> str:
    return "–" if memory is None or not edges else f"{memory / edges:.0f}"


def speed_up_lines(
    suite: Suite,
    data: Data,
    peers: Sequence[dict[str, Any]],
    words: Callable[[float], str] = lambda ratio: f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}",
) -> list[str]:
    """Return one sentence for each of our methods and each other library.

    Where methods share a beginning, it has the time after that, and the whole time.
    """
    contest = suite.contest
    found: dict[tuple[str, str], list[str]] = {}
    for clock, when in (("after", suite.before_why), ("seconds", "in all")):
        if clock == "after" and not suite.before:
            continue
        rivals = rival_times(data, contest, clock) if contest.rivals_name else {}
        best = {contest.rivals_name: fastest(rivals)} if rivals else {}
        for row in peer_speed_ups(data, contest.experiment, peers, clock=clock, more=best):
            graphs = f"{row['graphs']} graph{'s' * (row['graphs'] > 1)}"
            begin = f"{when} " if suite.before else ""
            found.setdefault((row["method"], row["peer"]), []).append(
                f"{begin}{words(row['mean'])} times as fast as {row['peer']} in the geometric mean "
                f"of {graphs}, {words(row['least'])} at least"
            )
    return [f"{method}: {'; '.join(parts)}" for (method, _), parts in found.items()]


def fastest(times: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the least time of several methods, graph by graph."""
    graphs = dict.fromkeys(graph for row in times.values() for graph in row)
    return {g: min(row[g] for row in times.values() if g in row) for g in graphs}
