"""Benchmarks of matrix factorisation by SGD: section V of the paper, and a race to an error.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016.

The paper's EL shuffles its edges, so "el_shuffled" is the schedule that others are compared with.
Schedules that would take too long on a matrix are skipped, and the report says why.
"""

from __future__ import annotations

from typing import Any

from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.sgd.bench import matrices
from gpucore.families.sgd.bench.plots import sgd_plots
from gpucore.families.sgd.bench.tables import sgd_tables
from gpucore.families.sgd.variants import VARIANTS

#: Figures kept with the measurement.
CURVES = ("seconds_by_sweep", "rmse_by_sweep", "test_rmse_by_sweep")
#: Sweeps of the contest, and of the schedules, whose sweeps all take about as long.
SWEEPS, FEW = 20, 3
#: Our method of the contest.
CHAMPION = "fast"
#: Components of a vector besides 16.
COMPONENTS = (32, 64, 128)
#: Variants that race for an error with it; the others take too long for 20 sweeps.
QUICK, SLOW = ("hogwild", "nl_batched"), ("nl", "el_shuffled", "nl_el")
HYBRIDS = ("nl_el", "el_sgm")
#: Variants whose cost of recording is measured.
RECORDED = ("fast", "hogwild", "nl_batched", "el_shuffled")


def schedule(variant: str, sweeps: int = FEW, **options: Any) -> Case:
    """Return a run of a variant on the device; further parameters are part of its label."""
    more = options.pop("params", {})
    params = {"variant": variant, "sweeps": sweeps, **more}
    label = ", ".join([variant, *(_words(name, value) for name, value in more.items())])
    return Case(label, "sgd", params, keep=CURVES, **options)


def _words(name: str, value: object) -> str:
    return "half precision" if name == "half" else f"{name} = {value}"


def method(label: str, runner: str, **options: Any) -> Case:
    """Return a run of a method on the processor."""
    params = options.pop("params", {})
    return Case(label, runner, {"sweeps": SWEEPS, **params}, "cpu", keep=CURVES, **options)


#: EL with all workers in every pass, as many as the device runs: the paper's way.
ALL_WORKERS = schedule("el_shuffled", params={"threads": 1 << 20})
SERIAL = method("serial", "sgd_serial", runs=2)


def _contest(cores: int) -> list[Case]:
    threads = {"params": {"threads": cores}, "runs": 2}
    words = f"{cores} thread{'s' * (cores > 1)}"
    return [
        SERIAL,
        schedule(CHAMPION, SWEEPS),
        schedule(CHAMPION, SWEEPS, params={"half": True}),
        *(schedule(v, SWEEPS) for v in QUICK),
        method(f"Hogwild, {words}", "sgd_hogwild_omp", **threads),
        method(f"disjoint blocks, {words}", "sgd_dsgd_omp", **threads),
        method(f"Cornac, {words}", "cornac_mf", optional=True, **threads),
        *(schedule(v, SWEEPS) for v in SLOW),
    ]


def _schedules(_cores: int) -> list[Case]:
    return [schedule(v.name) for v in VARIANTS]


def _hybrids(_cores: int) -> list[Case]:
    return [schedule(v) for v in ("el_shuffled", "nl", *HYBRIDS)]


def _components(_cores: int) -> list[Case]:
    """Return longer vectors; three sweeps of a run, whose median counts."""
    return [
        schedule(CHAMPION, params={"k": k, **more}, study=True, runs=2)
        for k in COMPONENTS
        for more in ({}, {"half": True})
    ]


def _recording(_cores: int) -> list[Case]:
    return [
        Case(
            f"{variant}, {level}" if level else variant,
            "sgd",
            {"variant": variant, "sweeps": FEW} | ({"record": level} if level else {}),
            keep=CURVES,
            study=bool(level),
            runs=3 if level else None,  # collecting a record takes longer than making it
        )
        for variant in RECORDED
        for level in ("", "counters", "events")
    ]


SUITE = Suite(
    family="sgd",
    graphs=matrices.STANDARD,
    small_graphs=matrices.SMALL_ONES,
    load=matrices.load,
    sets_of=matrices.sets_of,
    experiments=(
        Experiment(
            "contest",
            f"{SWEEPS} sweeps on the card and on the processor",
            "ours; sweeps only, without preprocessing and without the errors after each sweep",
            _contest,
            plot="bars",
        ),
        Experiment(
            "race",
            "Error of the training ratings by time",
            "ours; the line across is what serial SGD reaches after 20 sweeps",
            _contest,
            plot="none",
        ),
        Experiment(
            "schedules",
            "Schedules relative to EL, by class of matrix",
            "figure 7 of the paper: geometric means of times divided by EL's (el_shuffled), first "
            "of a sweep, then of the preprocessing and 20 sweeps",
            _schedules,
            plot="none",
        ),
        Experiment(
            "hybrids",
            "Hybrids relative to EL, by class of matrix",
            "figure 8 of the paper: geometric means of EL's time of a sweep divided by theirs",
            _hybrids,
            plot="none",
        ),
        Experiment(
            "atomics",
            "Atomics a second by threads",
            "figure 9 of the paper, which has atomics on one address: some 600 million a second "
            "on the K40, 45 million on the R9-290X",
            lambda cores: [],
            plot="none",
        ),
        Experiment(
            "predictor",
            "Predicted and measured seconds of a sweep",
            "section V-A of the paper, refined; on the line across both are equal",
            _schedules,
            plot="none",
        ),
        Experiment(
            "components",
            "Longer vectors, single and half precision",
            "ours; updates a second, and the bytes that they move, stand in the first table",
            _components,
            plot="bars",
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            _recording,
            plot="bars",
            within=matrices.SMALL,
        ),
    ),
    contest=Contest(CHAMPION, "contest", ("contest",), agree="nothing"),
    least_bytes=matrices.least_bytes,
    least_bytes_why=(
        f"in each of {SWEEPS} sweeps every training rating read once (12 bytes: user, item, "
        "value), every vector of 16 components read and written once"
    ),
    quality_format="{:.4f}",
    rated="ratings",
    digest=matrices.digest,
    recheck=matrices.recheck,
    facts=matrices.facts,
    facts_on=matrices.facts_on,
    on_device=matrices.on_device,
    skip=matrices.skip,
    tables=sgd_tables,
    plots=sgd_plots,
)
