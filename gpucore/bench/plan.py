"""Plan of a benchmark session: what is measured, how often, and for how long."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Plan of a session.

    Attributes
    ----------
    graphs : sequence of str
        Benchmark graphs, or anything that :func:`gpucore.load` takes.
    experiments : sequence of str
        Names of the suite's experiments; empty for all.
    repeat : int
        Repetitions; their median is reported.
    case_limit : float
        Seconds after which a case gets no further run; the warm-up does not count.
    time_limit : float or None
        Seconds after which the session ends; finished measurements are kept.
    cores : int or None
        Cores for the methods on the processor; None for all cores.
    certify_limit : float
        Edges above which a family's quicker proof, if it has one, is enough.
    study_limit : float
        Edges above which solutions that only studies find are not certified.
    every_limit : float
        Edges above which only the last run's solution of a case is certified, not every different
        one.
    run_limit : float
        Seconds after which a run is given up.
    processes : int
        Number of parallel processes, for cases that run in separate ones.
    """

    graphs: Sequence[str]
    experiments: Sequence[str] = ()
    repeat: int = 5
    case_limit: float = 60.0
    time_limit: float | None = None
    cores: int | None = None
    certify_limit: float = 20e6
    study_limit: float = 2e6
    every_limit: float = math.inf
    run_limit: float = 60.0
    processes: int = 1
