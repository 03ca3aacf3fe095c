"""A simulated machine for the paper's algorithms 1 to 4: threads interleave at every access.

Source: Deveci, Kaya, Uçar, Çatalyürek (Euro-Par 2013).  Threads log late, as on a GPU: events of
other threads between a write and its logging get earlier slots.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from gpucore.families.bipartite.record import Kind, bipartite_record
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.record import Record
from support.simulation import raw_record

L0 = 2  # as APsB-GPUBFS-WR needs it
LANES = 4
BOUND = 30  # flips of a walk without predecessor check


@dataclass
class Machine:
    """Memory that all threads share, and their log.

    ``snapshots`` holds copies of (rmatch, cmatch, bfs, predecessor) after every launch.
    """

    graph: BipartiteGraph
    shortest: bool  # APsB, else APFB
    roots: bool  # GPUBFS-WR, else GPUBFS
    initial: str
    threads: int  # of a launch; 0: one for each vertex
    check: bool
    rng: random.Random
    stickiness: float
    logged: list[tuple[int, ...]] = field(default_factory=list)
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    steps: list[dict] = field(default_factory=list)
    phases: list[dict] = field(default_factory=list)
    snapshots: list[tuple[list[int], ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nr, self.nc = self.graph.num_rows, self.graph.num_columns
        indptr, rows = self.graph.by_column()
        self.adjacency = [rows[indptr[c] : indptr[c + 1]].tolist() for c in range(self.nc)]
        self.rmatch, self.cmatch = [-1] * self.nr, [-1] * self.nc
        self.bfs, self.root = [0] * self.nc, [0] * self.nc
        self.predecessor = [-1] * self.nr
        self.inserted = self.found = False

    # Launches

    def launch(self, kind: str, count: int, thread: Callable[..., Iterator[None]], **at) -> None:
        """Run one kernel, its vertices dealt out to the threads one by one."""
        number = self.threads or max(1, count)
        self.step = {"phase": len(self.phases), "level": -1, "kind": kind, **at}
        self.step |= {"frontier": 0, "reached": 0, "paths": 0}
        running = [thread((i // LANES, i % LANES), range(i, count, number)) for i in range(number)]
        current = 0
        while running:
            if self.rng.random() > self.stickiness:
                current = self.rng.randrange(len(running))
            current %= len(running)
            try:
                next(running[current])
            except StopIteration:
                running.pop(current)
        pairs = zip(self.rmatch, range(self.nr), strict=True)
        self.step["cardinality"] = sum(c >= 0 and self.cmatch[c] == r for c, r in pairs)
        self.steps.append(self.step)
        memory = (self.rmatch, self.cmatch, self.bfs, self.predecessor)
        self.snapshots.append(tuple(list(values) for values in memory))

    def log(self, at: tuple[int, int], kind: Kind, a: int, b: int, c: int, value: int = 0) -> None:
        self.logged.append((len(self.steps), at[0], kind, at[1], a, b, c, value, 0))

    def count(self, at: tuple[int, int], word: int) -> None:
        self.rows.setdefault((len(self.steps), at[0]), [0] * 8)[word] += 1

    # The run

    def run(self) -> None:
        if self.initial == "given":
            self._match_all()
            self.start = list(self.rmatch)
        elif self.initial == "cheap":
            self.launch("initial", self.nc, self.cheap)
        self.start = list(self.rmatch)
        self.found = True
        while self.found and (self.check or len(self.phases) < 5):
            self.phase()

    def _match_all(self) -> None:
        for c in self.rng.sample(range(self.nc), self.nc // 2):
            free = [r for r in self.adjacency[c] if self.rmatch[r] < 0]
            if free:
                self.rmatch[free[0]], self.cmatch[c] = c, free[0]

    def phase(self) -> None:
        self.phases.append({})
        self.bfs = [L0 - 1 if r >= 0 else L0 for r in self.cmatch]
        self.root = list(range(self.nc))
        self.found, self.inserted, level = False, True, L0
        self.launch("begin", 1, self.begin)
        paths = 0
        while self.inserted and not (self.found and self.shortest):
            self.inserted = False
            expand = lambda at, mine: self.expand(at, mine, level)  # noqa: B023, E731
            self.launch("top_down", self.nc, expand, level=level - L0)
            paths += self.step["paths"]
            level += 1
        if self.found:
            best = self.shortest and self.roots
            self.launch("alternate", *((self.nc, self.chosen) if best else (self.nr, self.ended)))
            self.launch("fix", self.nr, self.fix)
        self.phases[-1] |= {"levels": level - L0, "paths": paths, "grafted": False}
        self.phases[-1]["cardinality"] = self.step["cardinality"]

    # Threads: every yield is a point at which others may run

    def cheap(self, at, mine: Iterable[int]) -> Iterator[None]:
        for c in mine:
            for r in self.adjacency[c]:
                yield
                if self.rmatch[r] == -1:  # one atomic operation
                    self.rmatch[r], self.cmatch[c] = c, r
                    yield
                    self.log(at, Kind.MATCH, self.nr + c, r, -1)
                    break

    def begin(self, at, mine: Iterable[int]) -> Iterator[None]:
        yield
        self.log(at, Kind.PHASE, len(self.phases), self.cmatch.count(-1), 0)

    def expand(self, at, mine: Iterable[int], level: int) -> Iterator[None]:
        """Algorithms 2 and 4."""
        for c in mine:
            self.count(at, 0)
            yield
            if self.bfs[c] != level:
                continue
            my_root = self.root[c]
            yield
            if self.roots and self.bfs[my_root] < L0 - 1:
                continue
            self.count(at, 1)
            self.step["frontier"] += 1
            for r in self.adjacency[c]:
                yield
                match = self.rmatch[r]
                yield
                if match > -1 and self.bfs[match] == L0 - 1:
                    yield from self.reach(at, c, r, match, level, my_root)
                elif match == -1:
                    yield from self.end(at, c, r, level, my_root)

    def reach(self, at, c, r, match, level, my_root) -> Iterator[None]:
        self.inserted = True
        yield
        self.bfs[match] = level + 1
        yield
        self.root[match] = my_root
        yield
        self.predecessor[r] = c
        self.count(at, 4)
        self.step["reached"] += 1
        yield
        self.log(at, Kind.REACH, self.nr + c, r, self.nr + match, level + 1 - L0)

    def end(self, at, c, r, level, my_root) -> Iterator[None]:
        if self.roots:
            self.bfs[my_root] = -(r + 1) if self.shortest else L0 - 2
        yield
        self.rmatch[r] = -2
        yield
        self.predecessor[r] = c
        self.found = True
        self.count(at, 5)
        self.step["paths"] += 1
        yield
        root = self.nr + my_root if self.roots else -1
        self.log(at, Kind.PATH, self.nr + c, r, root, level - L0)

    def ended(self, at, mine: Iterable[int]) -> Iterator[None]:
        """Algorithm 3: walk from every row at which a path ended."""
        for r in mine:
            yield
            if self.rmatch[r] == -2:
                yield from self.walk(at, r)

    def chosen(self, at, mine: Iterable[int]) -> Iterator[None]:
        """Algorithm 3, improved: walk one path for each root, the one found last."""
        for c in mine:
            yield
            if self.bfs[c] < 0:
                yield from self.walk(at, -self.bfs[c] - 1)

    def walk(self, at, row: int) -> Iterator[None]:
        for _ in range(BOUND):
            yield
            column = self.predecessor[row]
            yield
            matched = self.cmatch[column]
            yield
            if self.check and matched >= 0 and self.predecessor[matched] == column:
                self.log(at, Kind.STOP, row, self.nr + column, matched)
                return
            self.cmatch[column] = row
            yield
            self.rmatch[row] = column
            self.count(at, 6)
            yield
            self.log(at, Kind.FLIP, self.nr + column, row, matched)
            row = matched
            if row == -1:
                return
        self.log(at, Kind.RUNAWAY, row, -1, -1)

    def fix(self, at, mine: Iterable[int]) -> Iterator[None]:
        for r in mine:
            yield
            column = self.rmatch[r]
            if column == -1 or (column >= 0 and self.cmatch[column] == r):
                continue
            other = self.cmatch[column] if column >= 0 else -1
            self.rmatch[r] = -1
            yield
            self.log(at, Kind.FIX, r, self.nr + column if column >= 0 else -1, other)


def simulate(
    graph: BipartiteGraph,
    *,
    shortest: bool = False,
    roots: bool = True,
    initial: str = "cheap",
    threads: int = 0,
    check: bool = True,
    seed: int = 0,
    stickiness: float = 0.3,
) -> Machine:
    """Run one variant with a random interleaving of its threads."""
    rng = random.Random(seed)
    machine = Machine(graph, shortest, roots, initial, threads, check, rng, stickiness)
    machine.run()
    return machine


def record_of(machine: Machine, capacity: int | None = None, level: str = "events") -> Record:
    """Make the record of a simulated run, as the algorithm would."""
    record = bipartite_record(
        raw_record(machine, capacity, level),
        machine.graph,
        algorithm="bipartite",
        params={
            "variant": f"{'apsb' if machine.shortest else 'apfb'}_gpubfs{'_wr' * machine.roots}_mt",
            "initial": machine.initial,
            "seed": 0,
        },
        device={"name": "simulation"},
        steps=machine.steps,
        phases=machine.phases,
        initial_row_match=np.array(machine.start, np.int32),
        row_match=np.array(machine.rmatch, np.int32),
        column_match=np.array(machine.cmatch, np.int32),
    )
    assert record is not None
    return record
