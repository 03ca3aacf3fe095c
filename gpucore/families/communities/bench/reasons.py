"""Why our figures of the Louvain paper differ: sentences whose numbers come from the results.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, section V.
"""

from __future__ import annotations

from gpucore.bench.papers.measures import found_of, percent, ratio, values
from gpucore.bench.suite import Case, Data
from gpucore.families.communities.bench.cases import BUCKETS, RELAXED
from gpucore.families.communities.bench.thresholds import CHOICE, PAPER_PAIRS

#: Why speed-ups are larger.
FASTER = (
    "A K40 had at most 288 GB/s; below is what this card copies. The processor is another one too."
)
#: What slows our version of the code of Lu et al. in the results of that day and before.
SHARED_LINES = (
    "In results up to 2026-11-28 the threads of our OpenMP code have tables on shared cache lines, "
    "which slows it."
)
#: Loss of modularity from which a graph is named, as a share.
MUCH = 0.01


def _lost(data: Data, case: Case, base: Case) -> dict[str, float]:
    """Return the share of a case's modularity that another one loses, by graph."""
    rows = values(data, [case, base], "modularity")
    if len(rows) < 2:
        return {}
    return {name: 1 - v for name, v in ratio(rows[case.label], rows[base.label]).items()}


def _worst(lost: dict[str, float]) -> str:
    """Name the graphs that lose much, and what the others lose."""
    much = {name: share for name, share in lost.items() if share > MUCH}
    rest = [abs(share) for name, share in lost.items() if name not in much]
    named = ", ".join(f"{name} {share:.1%}" for name, share in much.items()) or "none"
    others = f"; the others differ by {percent(rest)} on average" if rest else ""
    return f"Graphs that lose more than {MUCH:.0%}: {named}{others}."


def at_the_choice(data: Data) -> str:
    """Say which graphs lose modularity at the thresholds that the paper chose."""
    lost = _lost(data, PAPER_PAIRS.cases[CHOICE], PAPER_PAIRS.sequential)
    return (
        f"{_worst(lost)} First sweeps on graphs of little modularity gain less than t_bin, and the "
        "literal rule ends the stage."
    )


def relaxed(data: Data) -> str:
    """Say which graphs lose modularity by the relaxed rule."""
    return (
        f"{_worst(_lost(data, RELAXED, BUCKETS))} Why relaxed sweeps were up to ten times slower "
        "in the paper is not known."
    )


def aggregation(data: Data) -> str:
    """Say how much of its time each graph spends on aggregation."""
    shares = {}
    for name, found in found_of(data, BUCKETS).items():
        stages = found["kept"].get("stages") or []
        both = [sum(s[k] for s in stages) for k in ("contract_seconds", "optimise_seconds")]
        if sum(both):
            shares[name] = both[0] / sum(both)
    named = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    return f"Aggregation takes longer on graphs with hubs (R-MAT). Its share: {named}."


def threads(data: Data) -> str:
    """Say how many threads the multicore methods have."""
    return (
        f"{data['setup']['cores']} threads here, 20 (PLM: 32) in the paper. {FASTER} {SHARED_LINES}"
    )
