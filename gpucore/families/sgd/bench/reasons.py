"""Why our figures of the SGD paper differ: sentences whose numbers come from the results.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V.
"""

from __future__ import annotations

from gpucore.bench.papers.measures import number
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Data
from gpucore.bench.summary import sets_of
from gpucore.families.sgd.bench.figure_numbers import MAXIMAL, class_means, schedules_of
from gpucore.families.sgd.bench.matrices import ROAD, SCALE_FREE
from gpucore.families.sgd.bench.runs import BASE, sweep_of
from gpucore.families.sgd.bench.suite import ALL_WORKERS
from gpucore.format import human_time

#: How our threads differ from the paper's.
LANES = (
    "A rating has k/2 lanes in every schedule, the paper's one thread but in Diag, and our BlkDiag "
    "keeps no vectors in registers or shared memory; what either changes was not measured."
)


def _costs(data: Data) -> dict[str, float]:
    """Return the measured costs of synchronisation; empty in results without them."""
    return (data.get("device_figures") or {}).get("costs", {})


def barriers(data: Data) -> str:
    """Say what a barrier, a lock and an update cost."""
    costs = _costs(data)
    if not costs:
        return "Schedules of matchings wait at barriers, the others for locks"
    barrier, lock, update = (human_time(costs[name]) for name in ("barrier", "lock", "update"))
    return f"a barrier costs {barrier}, a lock {lock} and an update {update} here"


def matchings_win(data: Data) -> str:
    """Say why matchings beat online schedules, and what their preprocessing takes."""
    row = class_means(data, whole=True).get(SCALE_FREE, {})
    found = [row[name] for name in MAXIMAL if name in row]
    words = f"{barriers(data)}, so matchings of many ratings win"
    if not found:
        return words
    times = f"{number(min(found))} to {number(max(found))} times"
    return f"{words}; with their preprocessing maximal ones take {times} as long as EL"


def passes_of_nl(data: Data) -> str:
    """Say how many launches NL and EL need on the largest road, and what they take."""
    words = "NL needs a launch, and a read by the host, for each pass over each block of items"
    roads = {
        name: row
        for name, row in schedules_of(data).items()
        if ROAD in sets_of(data, name) and {"nl", BASE} <= set(row)
    }
    if roads:
        name = max(roads, key=lambda road: data["graphs"][road]["edges"])
        nl, el = roads[name]["nl"], roads[name][BASE]
        words += f": {nl.passes:.0f} a sweep on {name}, where EL needs {el.passes:.0f}"
        if launch := _costs(data).get("launch"):
            took = f"{human_time(nl.passes * launch)} of its {human_time(nl.seconds)}"
            words += f"; at {human_time(launch)} each they are {took}"
    return f"{words}. nl_batched, a form of ours, needs one launch a sweep"


def thinned(data: Data) -> str:
    """Say that EL takes fewer workers in passes over few ratings, and what all workers take."""
    words = "EL, by whose time all are divided, takes fewer workers here in passes over few ratings"
    ratios = [
        sweep_of(cases[ALL_WORKERS.key]).seconds / row[BASE].seconds
        for name, row in schedules_of(data).items()
        if BASE in row
        and "seconds" in (cases := data["measurements"][name]).get(ALL_WORKERS.key, {})
    ]
    if not ratios:
        return f"{words}; what all workers in every pass take was not measured."
    return f"{words}; with all of them in every pass it takes {number(geometric_mean(ratios))} ×."


def schedules_differ(data: Data) -> str:
    """Say how ours differ in figure 7."""
    words = barriers(data)
    return f"{words[:1].upper()}{words[1:]}. {LANES} {thinned(data)}"
