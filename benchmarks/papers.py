r"""Measure what the figures of three papers need, and experiments of ours, within a time.

    python benchmarks/papers.py --device cuda --output DIRECTORY --cache GRAPHS --seconds 900
    python benchmarks/papers.py --device host --output DIRECTORY --cache GRAPHS --small

Families: communities, bipartite, red/blue; ``--families communities`` leaves the others out. A
session has two parts that run beside each other, since one card leaves most cores of its host idle.
This process measures the device and, after it, the methods that need all cores. The sequential
methods get processes of their own, one core each. They share the memory, so each is slower than
alone, and they slow the host of the device down; with ``--in-turn`` they wait until it has ended.
What needs all cores begins when they have ended. Every finished measurement is saved at once. The
same command continues a stopped session, and joins both parts in ``DIRECTORY/FAMILY-joined``.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpucore.bench.join import join_results
from gpucore.bench.papers.declare import get_paper
from gpucore.bench.papers.run import suite_of
from gpucore.bench.report import write_report
from gpucore.bench.results import read_peers
from gpucore.bench.session import Plan, run_session
from gpucore.bench.suite import Case, Suite, get_suite

HERE = Path(__file__).resolve().parent
#: Folders of the two parts.
MAIN, BESIDE = "main", "beside"
#: Files of other libraries' published times.
PEERS = {"communities": "peers-communities-h200.json", "bipartite": "peers-bipartite-h200.json"}


def on_device(case: Case) -> bool:
    """Keep what runs on the device."""
    return case.where == "device"


def on_all_cores(case: Case) -> bool:
    """Keep what runs on many cores of the processor, in this process, without other programs."""
    return case.where == "cpu" and not case.separate and case.runs is None


def own_on_all_cores(case: Case) -> bool:
    """Keep the same without libraries, which convert a large graph for longer than they run."""
    return on_all_cores(case) and not case.optional


def together(case: Case) -> bool:
    """Keep what runs in this process."""
    return not case.separate


def sequential(case: Case) -> bool:
    """Keep what runs in processes of its own; igraph takes too long."""
    return case.separate and case.runner != "igraph_multilevel"


@dataclass(frozen=True)
class Step:
    """Experiments of a family that are measured one after the other.

    Attributes
    ----------
    family : str
        The family.
    experiments : str
        Names of its suite's experiments, or slugs of its paper's figures; empty for all of both.
    graphs : str
        Names; those of `small` replace them in a small session.
    keep : callable
        The cases that are measured.
    case_limit, run_limit : float
        As for :class:`gpucore.bench.session.Plan`.
    """

    family: str
    experiments: str
    graphs: str
    keep: Callable[[Case], bool]
    case_limit: float = 0.5
    run_limit: float = 20.0


GRAPHS = "delaunay20 delaunay21 grid sbm rgg21 rmat20 rgg22 rmat22"
#: One of each class, and a smaller grid that is like ecology1.
CLASSES, MESHES = "delaunay20 sbm rgg21 grid rmat20", "grid1000 delaunay20"
MATRICES = (
    "bip_delaunay20 bip_delaunay20_perm uni3 uni5 bip_rmat20 bip_rmat20_perm bip_grid_perm bip_grid"
)
NO_GRIDS = "bip_delaunay20 bip_delaunay20_perm uni3 uni5 bip_rmat20 bip_rmat20_perm"
#: The figures of Louvain without those of thresholds, which take most runs.
LOUVAIN = (
    "contest table-1 figure-3 figure-4 figures-5-and-6 section-V-relaxed section-V-lanes "
    "section-V-TEPS"
)
STEPS = (
    Step("communities", LOUVAIN, GRAPHS, on_device),
    Step("bipartite", "contest table-1 figure-2 figure-3", MATRICES, on_device, 0.4, 15.0),
    Step("redblue", "contest", GRAPHS, on_device, 0.2),
    Step("redblue", "figure-2 figure-3", "grid1000 " + CLASSES, on_device, 0.1),
    Step("communities", "figure-1 figure-2", CLASSES, on_device, 0.05),
)
AFTER = (
    Step("bipartite", "contest", MATRICES, on_all_cores, 0.2, 12.0),
    Step("redblue", "contest threads figure-4", CLASSES, on_all_cores, 0.2),
    Step("redblue", "figure-5", MESHES, together, 0.0),
    Step("communities", "figure-7", "delaunay20 delaunay21 " + CLASSES, on_all_cores, 0.0, 30.0),
    Step("bipartite", "peers", MATRICES, together, 0.0, 30.0),
    Step("bipartite", "whole initial recording", NO_GRIDS, on_device, 0.2, 5.0),
    Step("communities", "peers", "delaunay20 grid rgg21 rmat20", together, 0.0, 60.0),
    Step("communities", "figure-7", "rgg22 rmat22", own_on_all_cores, 0.0, 40.0),
    Step("communities", "figure-1 figure-2", "delaunay21 rgg22 rmat22", on_device, 0.05),
    Step("communities", "rules leiden first_sweep node_centred", GRAPHS, together, 0.2),
    Step("redblue", "select quality rounds recording intensity", CLASSES, on_device, 0.1),
    Step("communities", "recording fast_thresholds", "delaunay20 sbm", on_device, 0.05),
    Step("redblue", "probability numbering", "delaunay20 rmat20", on_device, 0.0),
    Step("bipartite", "whole initial recording", "bip_grid_perm bip_grid", on_device, 0.0, 2.0),
    Step("bipartite", "work", NO_GRIDS, on_device, 0.0, 5.0),
    Step("communities", "multicore processor", CLASSES, on_all_cores, 0.0, 30.0),
    Step("redblue", "permutations", MESHES, together, 0.0),
    Step("redblue", "contest quality", GRAPHS, together, 0.1),
)
ASIDE = {
    "communities": (Step("communities", "", GRAPHS, sequential, 1.0, 140.0),),
    "bipartite": (Step("bipartite", "", MATRICES, sequential, 1.0, 110.0),),
    "redblue": (
        Step("redblue", "contest quality", GRAPHS, sequential, 1.0, 60.0),
        Step("redblue", "figure-5", MESHES, sequential, 0.1, 60.0),
    ),
}
#: Processes at a time of the sequential methods.
PROCESSES = {"communities": 3, "bipartite": 3, "redblue": 2}
#: Graphs of a small session.
TINY = {
    **dict.fromkeys(GRAPHS.split(), "delaunay9"),
    **{"rmat20": "rmat9", "grid1000": "grid24", "uni3": "uni3k1", "uni5": "uni3k1"},
    **{name: "bip_grid24" for name in MATRICES.split() if "grid" in name},
    **{name: "bip_rmat9" for name in MATRICES.split() if "rmat" in name},
    **{"bip_delaunay20": "bip_delaunay9", "bip_delaunay20_perm": "bip_delaunay9_perm"},
}


def suite_for(step: Step) -> Suite:
    """Return the suite of a step: what it keeps of its experiments and figures."""
    suite, paper = get_suite(step.family), get_paper(step.family)
    figures = suite_of(paper, paper.figures, "paper").experiments
    names = step.experiments.split()
    known = {experiment.name: experiment for experiment in (*suite.experiments, *figures)}
    chosen = [known[name] for name in names] if names else list(known.values())

    def kept(cases: Callable[[int], list[Case]]) -> Callable[[int], list[Case]]:
        return lambda cores: [case for case in cases(cores) if step.keep(case)]

    experiments = tuple(dataclasses.replace(e, cases=kept(e.cases)) for e in chosen)
    measured = None if step.keep is sequential else suite.on_device
    return dataclasses.replace(suite, experiments=experiments, on_device=measured)


def of_families(steps: Sequence[Step], families: Sequence[str]) -> list[Step]:
    """Return the steps of these families."""
    return [step for step in steps if step.family in families]


def run_steps(
    steps: Sequence[Step], folder: Path, arguments: argparse.Namespace, ends: float
) -> None:
    """Measure what is missing, in this order, until the time is over."""
    from gpucore.device import get_device

    device = get_device(arguments.device)
    for step in steps:
        left = ends - time.time()
        if left <= 1:
            print(f"no time for {step.family} {step.experiments}", flush=True)
            continue
        begun = time.monotonic()
        names = step.graphs.split()
        plan = Plan(
            graphs=list(dict.fromkeys(TINY[n] for n in names)) if arguments.small else names,
            repeat=arguments.repeat,
            case_limit=step.case_limit,
            run_limit=step.run_limit,
            time_limit=left,
            processes=PROCESSES[step.family],
        )
        _, complete = run_session(
            suite_for(step), plan, device, folder, arguments.cache, log=_log(arguments)
        )
        words = "" if complete else ", not complete"
        seconds = time.monotonic() - begun
        print(f"{seconds:6.1f} s  {step.family} {step.experiments}{words}", flush=True)


def _log(arguments: argparse.Namespace) -> Callable[[str], None]:
    def log(text: str) -> None:
        if arguments.verbose:
            print(f"{time.time() - arguments.begun:6.1f}  {text}", flush=True)

    return log


def start_beside(arguments: argparse.Namespace, ends: float) -> list[subprocess.Popen[bytes]]:
    """Start a process for the sequential methods of each family."""
    command = [sys.executable, str(Path(__file__).resolve()), "--ends", str(ends)]
    for name in ("device", "output", "cache", "repeat", "begun"):
        command += [f"--{name}", str(getattr(arguments, name))]
    command += ["--small"] * arguments.small + ["--verbose"] * arguments.verbose
    return [subprocess.Popen([*command, "--beside", family]) for family in arguments.families]


def join(arguments: argparse.Namespace) -> None:
    """Join both parts of each family, and write its report."""
    for family in arguments.families:
        suite = get_suite(family)
        paths = [arguments.output / part / f"{family}.json" for part in (MAIN, BESIDE)]
        target = arguments.output / f"{family}-joined"
        data = join_results(
            [path for path in paths if path.exists()],
            suite,
            target,
            at_a_time=sum(PROCESSES[family] for family in arguments.families),
        )
        peers = read_peers(HERE / "results" / PEERS[family]) if family in PEERS else []
        print(write_report(suite, data, target, peers), flush=True)


def main() -> None:
    """Measure, or only join what there is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="tiny graphs, to try it")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--join-only", action="store_true")
    parser.add_argument("--families", nargs="+", default=list(ASIDE), choices=list(ASIDE))
    parser.add_argument("--in-turn", action="store_true", help="sequential methods wait")
    parser.add_argument("--begun", type=float, default=time.time(), help=argparse.SUPPRESS)
    parser.add_argument("--ends", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--beside", default="", choices=("", *ASIDE), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.beside:
        os.nice(5)
        run_steps(ASIDE[arguments.beside], arguments.output / BESIDE, arguments, arguments.ends)
        return
    if not arguments.join_only:
        ends = arguments.begun + arguments.seconds
        # What needs all cores gets the rest of the time.
        beside_ends = arguments.begun + arguments.seconds * 0.65
        beside = [] if arguments.in_turn else start_beside(arguments, beside_ends)
        run_steps(of_families(STEPS, arguments.families), arguments.output / MAIN, arguments, ends)
        print(f"{time.time() - arguments.begun:6.1f} s  the device", flush=True)
        for process in beside or start_beside(arguments, beside_ends):
            process.wait()
        print(f"{time.time() - arguments.begun:6.1f} s  all cores", flush=True)
        run_steps(of_families(AFTER, arguments.families), arguments.output / MAIN, arguments, ends)
    join(arguments)


if __name__ == "__main__":
    main()
