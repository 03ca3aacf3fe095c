"""Counts of what independent code said of the solutions of a results file."""

from __future__ import annotations

from typing import NamedTuple

from gpucore.bench.suite import Data


class Verdicts(NamedTuple):
    """Number of measurements, and of different solutions, by what independent code said of them.

    Attributes
    ----------
    measured, certified, rejected : int
        All measurements, those whose solution was accepted, and those whose was not.
    solutions, examined : int
        Different solutions of all graphs, and those that were examined; only studies found the
        others.
    """

    measured: int
    certified: int
    rejected: int
    solutions: int
    examined: int

    def __str__(self) -> str:
        words = (
            f"{self.certified} of {self.measured} measurements; "
            f"{self.examined} of {self.solutions} different solutions were examined"
        )
        if self.examined < self.solutions:
            words += ", the others are of studies only"
        return words + (f"; {self.rejected} were REJECTED" if self.rejected else "")


def verdicts(data: Data) -> Verdicts:
    """Count what independent code said of all solutions of a results file."""
    done = [
        (graph, case["digest"], case["certified"])
        for graph, cases in data["measurements"].items()
        for case in cases.values()
        if "seconds" in case
    ]
    return Verdicts(
        len(done),
        sum(verdict is True for *_, verdict in done),
        sum(verdict is False for *_, verdict in done),
        len({(graph, digest) for graph, digest, _ in done}),
        len({(graph, digest) for graph, digest, verdict in done if verdict is not None}),
    )
