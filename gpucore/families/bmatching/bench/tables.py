"""Tables of the report on b-matching: one b-matching for each b, and the speed beside NetworKit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpucore.bench.details import rate_words
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Data, Table, with_rows
from gpucore.bench.verdicts import digests_of
from gpucore.format import human_time

#: Labels of our variant and of the peer.
OURS = "fast (ours)"
PEER = "NetworKit b-Suitor"

SOLUTIONS = ("graph", "b", "methods", "b-matching", "weight", "pairs", "certified")
SPEEDS = ("b", "graph", OURS, PEER, "times as fast", "margin of weight")


def bmatching_tables(data: Data) -> list[Table]:
    """Return the tables of solutions and of speeds, each only if it has rows."""
    return with_rows(
        Table(
            "One b-matching for each b",
            SOLUTIONS,
            list(solution_rows(data)),
            "Of all methods but peers, which may break ties differently.",
        ),
        Table(
            "Beside NetworKit",
            SPEEDS,
            list(speed_rows(data)),
            "NetworKit runs on one thread, without the time for building its graph. The mean of "
            "the ratios is geometric. The margin is our weight by NetworKit's, less 1.",
        ),
    )


def b_of(key: str) -> str:
    """Return the b in the key of a measurement; a method without one gives each vertex one mate.

    Examples
    --------
    >>> b_of("bmatching(b=degree/2,variant=fast)@device"), b_of("suitor(variant=fast)@device")
    ('degree/2', '1')
    """
    found = re.search(r"\(b=([^,)]*)", key)
    return found[1] if found else "1"


def solution_rows(data: Data) -> Iterator[list[str]]:
    """Yield a row for each graph and b: whether all methods found one b-matching."""
    for graph, cases in data["measurements"].items():
        by_b: dict[str, list[dict]] = {}
        for key, case in cases.items():
            if "seconds" in case and not case["peer"]:
                by_b.setdefault(b_of(key), []).append(case)
        for b, found in by_b.items():
            figures = found[0]["figures"]
            same = len({digest for case in found for digest in digests_of(case)}) == 1
            certified = all(case["certified"] is not False for case in found)
            yield [
                graph,
                b,
                str(len(found)),
                "identical" if same else "DIFFER",
                f"{figures['weight']:.2f}",
                f"{figures['cardinality']:,}",
                "yes" if certified else "NO",
            ]


def speed_rows(data: Data) -> Iterator[list[str]]:
    """Yield a row for each b and graph that NetworKit solved too, and a mean for each b."""
    for name, declared in data["experiments"].items():
        keys = {case["label"]: case["key"] for case in declared["cases"]}
        if not (name.startswith("processor_") and OURS in keys and PEER in keys):
            continue
        b, ratios = b_of(keys[OURS]), []
        for graph, cases in data["measurements"].items():
            ours, theirs = (cases.get(keys[label], {}) for label in (OURS, PEER))
            if "seconds" not in ours or "seconds" not in theirs:
                continue
            ratios.append(theirs["seconds"] / ours["seconds"])
            margin = ours["figures"]["weight"] / theirs["figures"]["weight"] - 1
            times = (human_time(case["seconds"]) for case in (ours, theirs))
            yield [b, graph, *times, rate_words(ratios[-1]), f"{margin:+.2e}"]
        if ratios:
            mean = rate_words(geometric_mean(ratios))
            yield [b, f"mean of {len(ratios)}", "", "", mean, ""]
