r"""Measure matching and b-matching on ranks: time, rounds, bytes, and where the time goes.

    mpiexec -n 2 python benchmarks/scaling.py rmat_rows:scale=25 --algorithm bmatching -p b=3 \
        --transports rounds,peers --output DIRECTORY/scaling.json

Several algorithms are measured on one graph by ``--algorithm suitor --algorithm bmatching:b=3``.
Each rank reads or generates its own part of the graph, on its own device. With ``-n 1`` the same
program runs on one device, which is what several ranks are compared with; ``--single fast`` adds
the algorithm that is made for one device. The solution of the first run is certified, and all
others must be the same, mate by mate. Rank 0 appends its results to the output file.

Peers repeat their rounds within one run: rows are checked, and the solution is collected, once.
``--kernels`` adds the seconds of every kernel of one more repetition, on each rank.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kernel_times import KernelTimes
from machine import commit, hardware

import gpucore
from gpucore.cli.options import parse_params
from gpucore.device import get_device
from gpucore.families.bmatching import ranks as bmatching_ranks
from gpucore.families.matching import suitor_ranks
from gpucore.families.matching.peers_program import PeersProgram
from gpucore.family import get_runner
from gpucore.problems.graph.distributed.load import load_part
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import on_host
from gpucore.ranks import Program, Rounds, World, run_rounds, under_mpi
from gpucore.ranks.comm import Comm
from gpucore.ranks.session import session


class Alone:
    """The ranks of a program that no launcher started."""

    rank, size = 0, 1

    def allgather(self, value: Any) -> list[Any]:
        """Return the value."""
        return [value]

    def alltoallv(self, parts: Any) -> Any:
        """Return what this rank sends to itself."""
        return parts


#: Seconds between the checks of the input, by many threads, and the first run that counts: after
#: them a container's processes may be stopped for some 20 milliseconds at a time.
PAUSE = 0.5

#: An algorithm and its parameters.
Chosen = tuple[str, dict[str, Any]]


def algorithm(text: str, given: list[str]) -> Chosen:
    """Return an algorithm of the command line: a name, perhaps ``:key=value,key=value``."""
    name, _, own = text.partition(":")
    return name, parse_params([*given, *filter(None, own.split(","))])


def digest(result: Any) -> str:
    """Return a hash of all mates."""
    arrays = (result.starts, result.mates) if hasattr(result, "mates") else (result.mate,)
    found = hashlib.sha256()
    for array in arrays:
        found.update(array)
    return found.hexdigest()[:16]


class Repeats:
    """Runs of the same rounds, one after the other, on this rank.

    Attributes
    ----------
    seconds : list of float
        Those of each repetition, but the first, which warms up.
    kernels : list of dict
        Launches of another repetition, see :class:`KernelTimes`.
    """

    def __init__(self, number: int, kernels: bool) -> None:
        self.number, self.watches = number, kernels
        self.seconds: list[float] = []
        self.kernels: list[dict[str, Any]] = []

    def run(self, world: World, program: Program) -> Rounds:
        """Repeat the rounds of peers; return the table of the last repetition."""
        table = run_rounds(world, program)
        if not isinstance(program, PeersProgram):
            return table
        time.sleep(PAUSE)
        if self.watches:
            with KernelTimes(world.device).watch() as times:
                program.start()
                run_rounds(world, program)
            self.kernels = times.rows()
        for _ in range(self.number):
            program.start()
            with world.device.timer() as timer:
                table = run_rounds(world, program)
            self.seconds.append(timer.seconds)
        return table

    @contextmanager
    def within(self) -> Iterator[None]:
        """Repeat the rounds of runs in the block."""
        modules: Any = (suitor_ranks, bmatching_ranks)
        for module in modules:
            module.run_rounds = self.run
        try:
            yield
        finally:
            for module in modules:
                module.run_rounds = run_rounds


def measure(
    part: Any,
    chosen: Chosen,
    transport: str,
    options: argparse.Namespace,
    device: Any,
    comm: Any,
    certify: bool,
) -> dict[str, Any]:
    """Run an algorithm repeatedly on all ranks; the solution may be certified."""
    name, params = chosen[0], chosen[1] | {"transport": transport}
    ranks = None if under_mpi() else 1
    begin = time.perf_counter()
    repeats = Repeats(options.repeat, options.kernels)

    def run(certify: bool) -> Any:
        return gpucore.run(name, part, device=device, ranks=ranks, certify=certify, **params)

    with repeats.within():
        last = run(certify)
    certificate = last.certificate
    seconds = [max(one) for one in zip(*comm.allgather(repeats.seconds), strict=True)]
    while len(seconds) < options.repeat:
        last = run(certify=False)
        seconds.append(last.seconds)
    return {
        "transport": last.figures["transport"],
        "kernels": comm.allgather(repeats.kernels),
        "seconds": seconds,
        "median": statistics.median(seconds),
        "certified": None if certificate is None else certificate.ok,
        "digest": digest(last),
        "measuring": time.perf_counter() - begin,
        "params": {**last.params},
        **last.figures,
    }


def single(
    part: Any, chosen: Chosen, variant: str, options: argparse.Namespace, device: Any
) -> dict[str, Any]:
    """Run the variant for one device on the whole graph; the first run warms up."""
    name, params = chosen[0], chosen[1] | {"variant": variant}
    begin = time.perf_counter()
    graph = part
    if variant not in get_runner(name).wide:
        whole = on_host(part, device)
        graph = Graph._of_rows((whole.indptr, whole.indices, whole.weights), name=part.name)

    def run() -> Any:
        return gpucore.run(name, graph, device=device, ranks=None, certify=False, **params)

    with KernelTimes(device).watch() as times:
        run()
    seconds = []
    for _ in range(options.single_repeat):
        last = run()
        seconds.append(last.seconds)
    return {
        "transport": "none",
        "variant": variant,
        "kernels": [times.rows()] if options.kernels else [],
        "ranks": 1,
        "seconds": seconds,
        "median": statistics.median(seconds),
        "digest": digest(last),
        "measuring": time.perf_counter() - begin,
        "params": {**last.params},
        **last.figures,
    }


def rows(
    part: Any, chosen: Chosen, options: argparse.Namespace, device: Any, comm: Any
) -> Iterator[dict[str, Any]]:
    """Yield an algorithm's rows; the solution of the first one is certified."""
    certify = not options.no_certificate
    for name in options.transports.split(","):
        yield measure(part, chosen, name, options, device, comm, certify)
        certify = False
    if options.single and comm.size == 1:
        yield single(part, chosen, options.single, options, device)


def main() -> None:
    """Measure on all ranks, and write on rank 0."""
    options = parse()
    comm: Comm | Alone = session().comm if under_mpi() else Alone()
    base = get_device(options.device)
    device = base.sibling(comm.rank) if comm.size > 1 else base
    begin = time.perf_counter()
    part = load_part(options.graph, comm, device, seed=1)
    loaded = time.perf_counter() - begin
    sizes = comm.allgather(part.nbytes)
    about = {"graph": options.graph, "vertices": part.n, "edges": part.num_edges}
    about |= {"loading": loaded, "part_bytes": sizes}
    for text in options.algorithm or ["bmatching"]:
        chosen = algorithm(text, options.param)
        digests = set()
        for row in rows(part, chosen, options, base, comm):
            digests.add(row["digest"])
            if comm.rank == 0:  # each at once: a run that is stopped loses nothing
                row = about | {"algorithm": chosen[0], "label": text} | row
                save(options.output, [row], base.describe())
        assert comm.rank or len(digests) == 1, "the solutions differ"
    if under_mpi():
        session().leave()


def save(path: Path, rows: list[dict[str, Any]], device: dict[str, Any]) -> None:
    """Append rows to the results file, and print them."""
    found = json.loads(path.read_text()) if path.exists() else {"runs": []}
    found |= {
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "hardware": hardware(),
        "device": device,
        "numpy": version("numpy"),
    }
    found["runs"] += rows
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n")
    for row in rows:
        print(*table(row), sep="\n", flush=True)


def table(row: dict[str, Any]) -> list[str]:
    """Return a row's figures as lines: times, what was sent, milliseconds by kernel and rank."""
    way = row.get("variant", row["transport"])
    lines = [
        f"{row['graph']} {row['label']}, {row['ranks']} ranks, {way}: "
        f"{1e3 * row['median']:.3f} ms (least {1e3 * min(row['seconds']):.3f}), "
        f"weight {row['weight']:.9g}, digest {row['digest']}, certified {row.get('certified')}, "
        f"measured in {row['measuring']:.1f} s, loaded in {row['loading']:.1f} s"
    ]
    if "rounds" in row:
        parts = ", ".join(
            f"{name} {' '.join(f'{1e3 * x:.2f}' for x in row[f'{name}_seconds'])}"
            for name in ("compute", "wait", "communication")
        )
        lines.append(f"   {row['rounds']} rounds, {row['messages']:,} messages; {parts}")
    for rank, launches in enumerate(row["kernels"]):
        lines.append(f"   rank {rank}: {by_kernel(launches)}")
    return lines


def by_kernel(launches: list[dict[str, Any]]) -> str:
    """Return the milliseconds of a rank's launches in order, those of sweeps together."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in launches:
        found[one["kernel"].rsplit("_", 1)[-1]].append(1e3 * one["seconds"])
    return ", ".join(
        f"{name} {' + '.join(f'{x:.2f}' for x in times)}"
        if name != "sweep"
        else f"{len(times)} sweeps {sum(times):.2f}"
        for name, times in found.items()
    )


def parse() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph", help="what a rank reads or generates its part of")
    parser.add_argument(
        "--algorithm", action="append", help="name, or name:key=value,...; may be repeated"
    )
    parser.add_argument("-p", "--param", action="append", default=[], help="key=value")
    parser.add_argument("--transports", default="auto", help="rounds, peers or both")
    parser.add_argument("--single", default="", help="also this variant, on one rank only")
    parser.add_argument("--kernels", action="store_true", help="also seconds of every kernel")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--single-repeat", type=int, default=2, help="runs of --single")
    parser.add_argument("--device", default="auto", choices=("auto", "cuda", "host"))
    parser.add_argument("--no-certificate", action="store_true")
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
