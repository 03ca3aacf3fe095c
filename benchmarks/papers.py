r"""Measure what the figures of the papers need, and experiments of ours, within a time.

    python benchmarks/papers.py --device cuda --output DIRECTORY --cache GRAPHS --seconds 900
    python benchmarks/papers.py --device host --output DIRECTORY --cache GRAPHS --small
    python benchmarks/papers.py --plan rest --device cuda --output DIRECTORY --cache GRAPHS

Families: communities, bipartite, red/blue; ``--families communities`` leaves the others out. A
session has two parts that run beside each other, since one card leaves most cores of its host idle.
This process measures the device and, after it, the methods that need all cores. The sequential
methods get processes of their own, one core each. They share the memory, so each is slower than
alone, and they slow the host of the device down; with ``--in-turn`` they wait until it has ended.
What needs all cores begins when they have ended. A stopped session keeps what is finished. The
same command continues a stopped session, and joins both parts in ``DIRECTORY/FAMILY-joined``.

``--plan rest`` measures what sessions of the other plan leave out, of marriage and of weighted
matching too, with nothing beside anything else, and writes ``DIRECTORY/main/FAMILY.json``. ``--plan
marriage`` does so for all sizes of marriage on the processor, five instances of each; it needs no
card (``--device host``). ``--plan sizes`` takes the methods of marriage that end within two
minutes, on a card too, an instance of each size before the other four; ``--plan more`` takes
numbers of threads at 100,000 and 200,000 men, and more instances; ``--plan large`` the largest
sizes, each a piece that begins only if its time is left (two calls with ``--seconds 550``), and
``--plan five`` five instances of sizes between;
``--plan permutations`` takes figure 5 of red/blue matching, with two
graphs of SuiteSparse that it fetches, and ``--plan weighted`` figures 3 to 5 on 58 matrices of it;
``--plan hashing`` takes the first sweep of Louvain beside the OpenMP code.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from paper_steps import AFTER, ASIDE, PLANS, PROCESSES, STEPS, TINY, Step, sequential

from gpucore.bench.join import join_results
from gpucore.bench.papers.declare import get_paper
from gpucore.bench.papers.run import suite_of
from gpucore.bench.plan import Plan
from gpucore.bench.report import write_report
from gpucore.bench.results import read_peers, read_results
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, Suite, get_suite
from gpucore.bench.verdicts import verdicts
from gpucore.datasets.remote import allow_downloads

HERE = Path(__file__).resolve().parent
#: Folders of the two parts.
MAIN, BESIDE = "main", "beside"
#: Files of other libraries' published times.
PEERS = {"communities": "peers-communities-h200.json", "bipartite": "peers-bipartite-h200.json"}


def suite_for(step: Step) -> Suite:
    """Return the suite of a step: what it keeps of its experiments and figures."""
    suite, paper = get_suite(step.family), get_paper(step.family)
    figures = suite_of(paper, paper.figures, "paper").experiments
    names = step.experiments.split()
    known = {experiment.name: experiment for experiment in (*suite.experiments, *figures)}
    chosen = [known[name] for name in names] if names else list(known.values())

    def kept(cases: Callable[[int], list[Case]]) -> Callable[[int], list[Case]]:
        return lambda cores: [alone(case) for case in cases(cores) if step.keep(case)]

    def alone(case: Case) -> Case:
        return dataclasses.replace(case, separate=False) if step.alone else case

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
        if left <= (1.0 if arguments.small else step.least):
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
            study_limit=math.inf,
            processes=PROCESSES.get(step.family, 1),
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


def print_counts(folder: Path) -> None:
    """Print what the results files of a folder have: measurements, certificates, failures."""
    for path in sorted(folder.glob("*.json")):
        data = read_results(path)
        failed = [
            f"  {name}: {key}: {found['error']}"
            for name, cases in data["measurements"].items()
            for key, found in cases.items()
            if "error" in found and "cannot run here" not in found["error"]
        ]
        print(f"{data['family']}: certified {verdicts(data)}; {len(failed)} failed", flush=True)
        for text in failed[:8]:
            print(text[:150], flush=True)


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
    parser.add_argument("--plan", default="whole", choices=("whole", *PLANS))
    parser.add_argument("--in-turn", action="store_true", help="sequential methods wait")
    parser.add_argument("--begun", type=float, default=time.time(), help=argparse.SUPPRESS)
    parser.add_argument("--ends", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--beside", default="", choices=("", *ASIDE), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    allow_downloads()
    if arguments.beside:
        os.nice(5)
        run_steps(ASIDE[arguments.beside], arguments.output / BESIDE, arguments, arguments.ends)
        return
    if arguments.plan in PLANS:
        folder = arguments.output / MAIN
        run_steps(PLANS[arguments.plan], folder, arguments, arguments.begun + arguments.seconds)
        print_counts(folder)
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
