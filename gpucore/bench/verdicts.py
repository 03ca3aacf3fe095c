"""Counts of what independent code said of the solutions of a results file."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpucore.bench.suite import Data


class Verdicts(NamedTuple):
    """Number of measurements, and of different solutions, by what independent code said of them.

    Attributes
    ----------
    measured, certified, rejected : int
        All measurements, those with all solutions accepted, and those with one that was not.
    solutions, examined : int
        Different solutions of all graphs, and those that were examined; only studies, or earlier
        runs on large problems, found the others.
    lost : int
        Measurements of older files that had several solutions and kept only the last.
    """

    measured: int
    certified: int
    rejected: int
    solutions: int
    examined: int
    lost: int = 0

    def __str__(self) -> str:
        words = (
            f"{self.certified} of {self.measured} measurements; "
            f"{self.examined} of {self.solutions} different solutions were examined"
        )
        if self.examined < self.solutions:
            words += ", the others are of studies, or of runs before the last"
        if self.lost:
            words += f"; {self.lost} measurements had several, of which only the last was kept"
        return words + (f"; {self.rejected} were REJECTED" if self.rejected else "")


def verdicts(data: Data) -> Verdicts:
    """Count what independent code said of all solutions of a results file."""
    done = [
        (graph, case)
        for graph, cases in data["measurements"].items()
        for case in cases.values()
        if "seconds" in case
    ]
    different = {(graph, digest) for graph, case in done for digest in digests_of(case)}
    known = {graph: facts["solutions"] for graph, facts in data["graphs"].items()}
    return Verdicts(
        len(done),
        sum(is_certified(case) for _, case in done),
        sum(case["certified"] is False for _, case in done),
        len(different),
        sum(known[graph].get(digest) is not None for graph, digest in different),
        sum(case.get("solutions", 1) > len(digests_of(case)) for _, case in done),
    )


def digests_of(case: dict[str, Any]) -> list[str]:
    """Return the digests of a measurement's solutions; older files have the last one only."""
    found: list[str] = case.get("digests") or [case["digest"]]
    return found


def is_certified(case: dict[str, Any]) -> bool:
    """Return whether independent code accepted every solution of a measurement that was kept."""
    return case["certified"] is True and case.get("examined", 1) >= len(digests_of(case))
