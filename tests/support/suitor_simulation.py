"""A simulated Suitor machine: warps interleave at every atomic and log late, as on a GPU."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gpucore.families.matching.order import Kind
from gpucore.families.matching.record import matching_record
from gpucore.problems.graph.graph import Graph
from gpucore.record import RawRecord, Record
from support.simulation import columns

LANES = 4


@dataclass
class Machine:
    """State shared by the warps, and their events in the true order."""

    neighbours: list[list[tuple[int, np.float32]]]
    happened: list[tuple[int, ...]] = field(default_factory=list)
    logged: list[tuple[int, ...]] = field(default_factory=list)
    rows: dict[tuple[int, int], list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.suitor = [-1] * len(self.neighbours)
        self.bid = [np.float32(0)] * len(self.neighbours)

    def accepts(self, v: int, weight: np.float32, proposer: int) -> bool:
        return (weight, proposer) > (self.bid[v], self.suitor[v])

    def candidate(self, u: int) -> tuple[np.float32, int] | None:
        eligible = [(w, v) for v, w in self.neighbours[u] if self.accepts(v, w, u)]
        return max(eligible, default=None)

    def warp(self, number: int, vertices: list[int], rng: random.Random) -> Iterator[None]:
        """Run one warp; every yield is a point at which others may run."""
        iteration = batch = 0
        while vertices:
            row = self.rows.setdefault((iteration, number), [0] * 8)
            kept = []
            for base in range(0, len(vertices), LANES):
                lanes = vertices[base : base + LANES]
                choices = []
                for u in lanes:
                    choices.append(self.candidate(u))
                    row[0] += 1
                    row[1] += len(self.neighbours[u])
                    row[2] += -(-len(self.neighbours[u]) // 32) * 32
                    yield
                events: list[tuple[int, ...]] = []
                order = list(range(len(lanes)))
                rng.shuffle(order)
                for lane in order:
                    kind, b, c, value = self.propose(lanes[lane], choices[lane], row)
                    event = (iteration, number, kind, lane, lanes[lane], b, c, value, batch)
                    self.happened.append(event)
                    events.append(event)
                    if kind == Kind.DISPLACE:
                        kept.append(c)
                    elif kind == Kind.OUTBID:
                        kept.append(lanes[lane])
                    yield
                self.logged += sorted(events, key=lambda e: e[3])
                batch += 1
                yield
            vertices = kept
            iteration += 1

    def propose(
        self, u: int, choice: tuple[np.float32, int] | None, row: list[float]
    ) -> tuple[Kind, int, int, np.float32]:
        """Do one atomic maximum; return its outcome."""
        if choice is None:
            row[6] += 1
            return Kind.EXHAUSTED, -1, -1, np.float32(0)
        weight, v = choice
        row[3] += 1
        previous = self.suitor[v]
        if not self.accepts(v, weight, u):
            return Kind.OUTBID, v, previous, weight
        row[4] += 1
        row[5] += previous >= 0
        row[7] += float(weight - self.bid[v])
        self.suitor[v], self.bid[v] = u, weight
        return (Kind.PROPOSE_FREE if previous < 0 else Kind.DISPLACE), v, previous, weight


def simulate(
    n: int, edges: list[tuple[int, int, float]], warps: int, seed: int, stickiness: float = 0.5
) -> Machine:
    """Run Suitor on a graph with a random interleaving of warps."""
    neighbours: list[list[tuple[int, np.float32]]] = [[] for _ in range(n)]
    for u, v, w in edges:
        neighbours[u].append((v, np.float32(w)))
        neighbours[v].append((u, np.float32(w)))
    machine = Machine(neighbours)
    rng = random.Random(seed)
    size = -(-n // warps) if n else 0
    running = [
        machine.warp(i, list(range(i * size, min(n, (i + 1) * size))), rng) for i in range(warps)
    ]
    current = 0
    while running:
        if rng.random() > stickiness:
            current = rng.randrange(len(running))
        current %= len(running)
        try:
            next(running[current])
        except StopIteration:
            running.pop(current)
    return machine


def greedy(n: int, edges: list[tuple[int, int, float]]) -> np.ndarray:
    """Return the mates of greedy matching, the edges by (weight, larger end, smaller end)."""
    mate = np.full(n, -1, dtype=np.int32)
    for _, high, low in sorted(
        ((np.float32(w), max(u, v), min(u, v)) for u, v, w in edges), reverse=True
    ):
        if mate[high] < 0 and mate[low] < 0:
            mate[high], mate[low] = low, high
    return mate


def raw_record(machine: Machine, warps: int, capacity: int | None = None) -> RawRecord:
    """Lay the log out as the kernels do; events past `capacity` are lost."""
    kept = machine.logged[:capacity]
    events = np.zeros((len(kept), 8), np.uint32)
    log = columns(kept)
    signed = events.view(np.int32)
    for word, name in enumerate(("iteration", "warp", "kind", "a", "b", "c", "value", "batch")):
        signed[:, word] = log[name].view(np.int32)
    events[:, 2] |= log["lane"].astype(np.uint32) << 8
    iterations = np.zeros(warps, np.int64)
    for iteration, warp in machine.rows:
        iterations[warp] = max(iterations[warp], iteration + 1)
    rows = np.zeros((int(iterations.max(initial=0)), warps, 8), np.uint32)
    for place, words in machine.rows.items():
        rows[place][:7] = words[:7]
        rows.view(np.float32)[place][7] = words[7]
    times = np.arange(len(kept), dtype=np.uint64) // 3 + 1000
    lost = len(machine.logged) - len(kept)
    return RawRecord("events", rows, iterations, events, lost, 0, times, "steps")


def record_of(
    n: int,
    edges: list[tuple[int, int, float]],
    *,
    warps: int = 3,
    seed: int = 0,
    stickiness: float = 0.5,
    capacity: int | None = None,
) -> Record:
    """Simulate a run and make its record, as an algorithm would."""
    machine = simulate(n, edges, warps, seed, stickiness)
    u, v, w = zip(*edges, strict=True) if edges else ((), (), ())
    record = matching_record(
        raw_record(machine, warps, capacity),
        Graph.from_edges(n, u, v, w, name="simulated"),
        algorithm="suitor",
        params={"variant": "nosync", "vertices_per_warp": -(-n // warps)},
        device={"name": "simulation"},
        suitor=np.array(machine.suitor, np.int32),
        bid=np.array(machine.bid, np.float32),
        gain_share=0.5,
    )
    assert record is not None
    return record
