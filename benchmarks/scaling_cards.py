r"""Measure strong and weak scaling of matching and b-matching, on 1, 2, 4, ... cards, in one call.

    python benchmarks/scaling_cards.py --cards 8 --output DIRECTORY

Every run is one call of ``scaling.py`` under ``mpiexec``, a rank a card. Each rank generates its
own rows, runs all algorithms with both transports, and certifies its part of the first solution.
The largest geometric graph that all cards hold is run once, and a small run on all cards is
recorded for the gallery. What the results file holds is not run again, so the same command
continues a stopped session. A run that fails or takes too long is noted with the first sentence of
its output that gives a reason, and the others go on.

The table at the end has, for each number of cards, the speed-up over the fewest cards that held the
graph (strong), or the time on the fewest as a share of the time on so many (weak), and how the time
of the slowest rank was spent. With ``--small`` it is tried on any machine.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
#: What is run on each graph.
ALGORITHMS = ("suitor", "bmatching:b=1", "bmatching:b=3")
#: Prints the free bytes of the card that has the fewest.
_FREE = (
    "import cupy; r = cupy.cuda.runtime; "
    "free = [cupy.cuda.Device(i).mem_info[0] for i in range(r.getDeviceCount())]; print(min(free))"
)
#: What a launcher puts before the lines of a rank: ``[1,0]<stderr>:``.
_TAG = re.compile(r"^\[\d+(?:,\d+)?\](?:<std\w+>)?:? ?")
#: The last line of a traceback, or what the command line says.
_ERROR = re.compile(
    r"(?:warplens|(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Dependency)): +(.+)"
)
#: What a launcher draws at the edges of a line.
_EDGES = " =|*"
#: Lines that give no reason: rules, frames of a traceback, and what MPI prints at each abort.
_NOTHING = re.compile(
    r"[\W_]*|Traceback .*|\s+File .*|\s{4}.*|During handling .*|The above exception .*|"
    r"\W*(?:MPI_ABORT was invoked|NOTE: invoking MPI_ABORT|Proc: |with errorcode|"
    r"You may or may not see|exactly when Open MPI|Primary job +terminated|a non-zero exit code|"
    r"BAD TERMINATION).*"
)


@dataclass(frozen=True)
class Sizes:
    """Graphs of the session: fixed ones, and those that grow with the number of cards.

    Attributes
    ----------
    strong : tuple of str
        Each is run on every number of cards.
    rmat_scale, rgg_vertices : int
        What one card gets in weak scaling; each doubling of the cards adds 1 to the scale.
    """

    strong: tuple[str, ...]
    rmat_scale: int
    rgg_vertices: int

    def largest(self, cards: int, memory: float) -> str:
        """Return the geometric graph that fills so many cards with so many GiB free each.

        A card has 16 bytes a row and 8 an entry while it generates; then a row's state takes 20
        bytes at most, and each vertex of the whole graph 28 (b = 3: three offers, and the weight of
        the worst). A tenth is left free.
        """
        rows = 2 * self.rgg_vertices
        left = 0.9 * memory * 2**30 - 28 * rows * cards - (16 + 20) * rows
        return f"rgg_rows:n={rows * cards},degree={max(1, int(left / (8 * rows)))}"

    def weak(self, cards: int) -> tuple[str, str]:
        """Return the two graphs of weak scaling on so many cards, a power of two."""
        scale = self.rmat_scale + cards.bit_length() - 1
        return f"rmat_rows:scale={scale}", f"rgg_rows:n={self.rgg_vertices * cards}"


LARGE = Sizes(
    (
        "rmat_rows:scale=25",
        "rgg_rows:n=33554432",
        "rmat_rows:scale=27",
        "rgg_rows:n=134217728",
        "grid_rows:rows=32768,columns=32768",
    ),
    25,
    1 << 26,
)
SMALL = Sizes(("rmat_rows:scale=10", "rgg_rows:n=2000", "grid_rows:rows=40,columns=50"), 9, 1000)


@dataclass(frozen=True)
class Run:
    """One call of ``scaling.py``."""

    kind: str
    graph: str
    cards: int

    def command(self, options: argparse.Namespace, output: Path) -> list[str]:
        """Return the command line of the run."""
        given = [
            sys.executable, str(HERE / "scaling.py"), self.graph, "--device", options.device,
            "--transports", options.transports, "--repeat", str(options.repeat),
            "--kernels", "--output", str(output),
        ]  # fmt: skip
        for name in ALGORITHMS:
            given += ["--algorithm", name]
        if self.cards == 1:
            return [*given, "--single", "fast"]
        return [*shlex.split(options.launcher), "-n", str(self.cards), *given]


def plan(sizes: Sizes, cards: int, memory: float) -> Iterator[Run]:
    """Yield all runs, those on all cards first: they are what the session is for."""
    counts = [1 << i for i in range(cards.bit_length()) if 1 << i <= cards]
    for count in reversed(counts):
        for graph in sizes.strong:
            yield Run("strong", graph, count)
        for graph in sizes.weak(count):
            yield Run("weak", graph, count)
        if count == cards:
            yield Run("largest", sizes.largest(cards, memory), cards)


def perform(run: Run, options: argparse.Namespace, seconds: float) -> list[dict[str, Any]]:
    """Run it; return the rows of ``scaling.py``, and one that says why there are not all."""
    output = options.output / "one-run.json"
    output.unlink(missing_ok=True)
    about = {"kind": run.kind, "graph": run.graph, "cards": run.cards}
    command = run.command(options, output)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    failed = ""
    try:
        printed, errors = process.communicate(timeout=seconds)
        if process.returncode:
            failed = reason(errors) or reason(printed) or f"exit code {process.returncode}"
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)  # the launcher ends its ranks
        process.communicate()
        failed = f"stopped after {seconds:.0f} s"
    found = json.loads(output.read_text()) if output.exists() else {"runs": []}
    rows = [{**found, **row, **about} for row in found.pop("runs")]
    return [*rows, about | {"failed": failed}] if failed else rows


def reason(printed: str) -> str:
    """Return the first sentence of an output that says why a run failed; empty if none does.

    The error of Python comes first, ours before those of other packages. Then follows the first
    sentence that is more than a rule of dashes; it may be on two lines.
    """
    lines = [_TAG.sub("", line).rstrip() for line in printed.splitlines()]
    found = [(line, match[1]) for line in lines if (match := _ERROR.match(line))]
    ours = [text for line, text in found if line.startswith(("gpucore.", "warplens"))]
    if found:
        return ours[0] if ours else found[0][0]
    for at, line in enumerate(lines):
        if _NOTHING.fullmatch(line):
            continue
        sentence = line.strip(_EDGES)
        for more in lines[at + 1 :]:
            if re.search(r"[.!?:]$", sentence) or not more.strip() or _NOTHING.fullmatch(more):
                break
            sentence += f" {more.strip(_EDGES)}"
        return re.split(r"(?<=[.!?])\s", sentence, maxsplit=1)[0][:300]
    return ""


def free_memory() -> float | None:
    """Return the GiB that each card has free at least; None if there are no cards.

    Another process asks, which gives back what it takes from the cards.
    """
    asked = subprocess.run([sys.executable, "-c", _FREE], capture_output=True, text=True)
    return int(asked.stdout) / 2**30 if asked.returncode == 0 else None


def table(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield lines: for each graph and algorithm the times and efficiencies by number of cards."""
    good = [row for row in rows if "failed" not in row]
    yield from (
        f"{row['kind']:6} {row['graph']:36} {row['cards']} cards: {row['failed']}"
        for row in rows
        if "failed" in row
    )
    for kind in ("strong", "weak", "largest"):
        for key in dict.fromkeys(_series(row) for row in good if row["kind"] == kind):
            fastest: dict[int, dict[str, Any]] = {}
            for row in good:
                if row["kind"] == kind and _series(row) == key:
                    best = fastest.setdefault(row["cards"], row)
                    if row["median"] < best["median"]:
                        fastest[row["cards"]] = row
            first = min(fastest)
            for cards, row in sorted(fastest.items()):
                seconds = row["median"]
                ratio = fastest[first]["median"] / seconds
                share = ratio if kind == "weak" else ratio * first / cards
                yield (
                    f"{kind:6} {' '.join(key):50} {cards} cards {1e3 * seconds:10.3f} ms "
                    f"speed-up {ratio:5.2f} efficiency {share:4.0%}{_spent(row)}"
                )


def _spent(row: dict[str, Any]) -> str:
    """Return how the time of a run on ranks was spent, and the bytes a second that a rank sent."""
    if row["ranks"] < 2:
        return ""
    parts = " ".join(
        f"{name} {1e3 * max(row[f'{name}_seconds']):.2f}"
        for name in ("compute", "wait", "communication")
    )
    rate = row["bytes_sent"] / row["ranks"] / row["median"]
    return f" {row['transport']}: {parts} ms, {1e-9 * rate:.1f} GB/s a card"


def _series(row: dict[str, Any]) -> tuple[str, str]:
    """Return what a row is compared within: of weak scaling the graph's generator."""
    graph = row["graph"]
    return (graph.split(":")[0] if row["kind"] == "weak" else graph), row["label"]


def different(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the graphs whose solutions differ between numbers of cards or transports."""
    found: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if "failed" not in row:
            found.setdefault((row["graph"], row["label"]), set()).add(row["digest"])
    return [" ".join(key) for key, digests in found.items() if len(digests) > 1]


def main() -> int:
    """Run what is not there yet, and print the table; 1 if solutions differ."""
    options = parse()
    options.output.mkdir(parents=True, exist_ok=True)
    path = options.output / "scaling.json"
    kept = json.loads(path.read_text())["runs"] if path.exists() else []
    again = {_run_of(row) for row in kept if "failed" in row}
    rows: list[dict[str, Any]] = [row for row in kept if _run_of(row) not in again]
    done = {_run_of(row) for row in rows}
    end = time.monotonic() + options.time_limit
    sizes = SMALL if options.small else LARGE
    memory = 3e-5 if options.small else options.memory or free_memory()
    if memory is None:
        print("the memory of the cards is not known; pass --memory, the GiB that each has free")
        return 2
    for run in plan(sizes, options.cards, memory):
        left = end - time.monotonic()
        if run in done:
            continue
        if left <= 0:
            print("the time is up; the same command continues")
            break
        new = perform(run, options, min(left, options.run_limit))
        rows += new
        path.write_text(json.dumps({"runs": rows}, indent=1) + "\n")
        print(*table(new), sep="\n", flush=True)
    (options.output / "one-run.json").unlink(missing_ok=True)
    print(record(options))
    print("", *table(rows), sep="\n")
    for name in different(rows):
        print(f"the solutions differ: {name}")
    return int(bool(different(rows)))


def record(options: argparse.Namespace) -> str:
    """Record a small run on all cards for the gallery, unless it is there; return a line."""
    path = options.output / f"lesmis-bmatching-{options.cards}-ranks-b3.npz"
    if not path.exists():
        command = [*shlex.split(options.launcher), "-n", str(options.cards), sys.executable, "-m",
                   "gpucore.cli", "run", "bmatching", "lesmis", "--device", options.device, "-p",
                   "b=3", "-p", "transport=peers", "--record", str(path)]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.run_limit)
        if done.returncode:
            why = reason(done.stderr) or reason(done.stdout) or f"exit code {done.returncode}"
            return f"no recorded run: {why}"
    return f"a recorded run: {path}"


def _run_of(row: dict[str, Any]) -> Run:
    return Run(row["kind"], row["graph"], row["cards"])


def launcher() -> str:
    """Return the launcher that is installed beside this Python, or else that of the system."""
    beside = Path(sys.executable).with_name("mpiexec")
    return shlex.quote(str(beside)) if beside.exists() else "mpiexec"


def parse() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cards", type=int, required=True, help="most cards: 1, 2, 4, 8, ...")
    parser.add_argument("--output", type=Path, required=True, help="directory of scaling.json")
    parser.add_argument("--device", default="auto", choices=("auto", "cuda", "host"))
    parser.add_argument("--transports", default="peers,rounds")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--memory", type=float, help="GiB that a card has free; default: what the cards say"
    )
    parser.add_argument("--launcher", default=launcher(), help="command that takes -n RANKS")
    parser.add_argument("--run-limit", type=float, default=120, help="seconds of one run")
    parser.add_argument("--time-limit", type=float, default=540, help="seconds of the session")
    parser.add_argument("--small", action="store_true", help="tiny graphs, to try the script")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
