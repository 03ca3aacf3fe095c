"""Algorithm 3 of Fagginger Auer and Bisseling, vertex by vertex, logged as kernels do it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpucore.families.redblue.record import SUB_STEPS, redblue_record
from gpucore.families.redblue.timeline import Kind
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from support.simulation import raw_record

LANES = 4
LIVE, MATCHED, DEAD = range(3)


@dataclass
class Machine:
    """Memory and log of the machine.

    ``snapshots`` holds copies of (colour, sigma, mate) after every sub-step.
    """

    graph: Graph
    p: float
    rng: random.Random
    logged: list[tuple[int, ...]] = field(default_factory=list)
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    rounds: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[list[int], ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        graph, n = self.graph, self.graph.num_vertices
        entries = list(zip(graph.indices.tolist(), graph.weights.tolist(), strict=True))
        self.lists = [entries[graph.indptr[v] : graph.indptr[v + 1]] for v in range(n)]
        self.state, self.mate, self.sigma = [LIVE] * n, [-1] * n, [-1] * n
        self.blue, self.weight = [True] * n, [0.0] * n
        self.dying = [False] * n

    def run(self) -> None:
        """Run rounds until no vertex is live."""
        while LIVE in self.state:
            before = self.state.count(LIVE)
            for name in SUB_STEPS:
                live = [v for v, state in enumerate(self.state) if state == LIVE]
                self.rng.shuffle(live)
                for place, v in enumerate(live):
                    at = place // LANES
                    row = self.rows.setdefault((len(self.steps), at), [0] * 8)
                    row[0] += 1
                    row[1] += 1
                    getattr(self, name)(v, at, row)
                self.steps.append(name)
                self.snapshots.append((self._colours(), list(self.sigma), list(self.mate)))
            counts = {"live": before, "matched": self.state.count(MATCHED)}
            counts["matched"] -= sum(one["matched"] for one in self.rounds)
            counts["dead"] = before - self.state.count(LIVE) - counts["matched"]
            self.rounds.append({**counts, "weight": sum(self.weight) / 2})

    def log(self, at: int, kind: Kind, a: int, b: int = -1, value: float = 0.0) -> None:
        self.logged.append((len(self.steps), at, kind, a % LANES, a, b, -1, value, 0))

    def colour(self, v: int, at: int, row: list[int]) -> None:
        self.blue[v], self.sigma[v] = self.rng.random() < self.p, -1
        self.log(at, Kind.COLOUR, v, int(not self.blue[v]))

    def propose(self, v: int, at: int, row: list[int]) -> None:
        if self.blue[v]:
            self.select(v, at, row, lambda w: not self.blue[w])

    def respond(self, v: int, at: int, row: list[int]) -> None:
        if not self.blue[v]:
            self.select(v, at, row, lambda w: self.blue[w] and self.sigma[w] == v)

    def select(self, v: int, at: int, row: list[int], eligible: Any) -> None:
        """Choose the heaviest eligible neighbour, or find that no neighbour lives."""
        row[2] += len(self.lists[v])
        row[3] += -(-len(self.lists[v]) // 32) * 32
        living = [(w, x) for x, w in self.lists[v] if self.state[x] == LIVE]
        if not living:
            self.dying[v] = True
        chosen = max(((w, x) for w, x in living if eligible(x)), default=None)
        if chosen:
            self.sigma[v] = chosen[1]
            row[4 if self.blue[v] else 5] += 1
            kind = Kind.PROPOSE if self.blue[v] else Kind.RESPOND
            self.log(at, kind, v, chosen[1], chosen[0])

    def match(self, v: int, at: int, row: list[int]) -> None:
        other = self.sigma[v]
        if self.dying[v]:
            self.state[v] = DEAD
            row[7] += 1
            self.log(at, Kind.DIE, v)
        elif other >= 0 and self.sigma[other] == v and self.blue[v]:
            for one, its in ((v, other), (other, v)):
                self.state[one], self.mate[one] = MATCHED, its
                self.weight[one] = dict(self.lists[v])[other]
            row[6] += 1
            self.log(at, Kind.MATCH, v, other)

    def _colours(self) -> list[int]:
        return [
            int(not blue) if state == LIVE else state + 1
            for blue, state in zip(self.blue, self.state, strict=True)
        ]


def simulate(graph: Graph, *, p: float = 0.53406, seed: int = 0) -> Machine:
    """Run algorithm 3 with random colours; vertices take their turns in a random order."""
    machine = Machine(graph, p, random.Random(seed))
    machine.run()
    return machine


def record_of(machine: Machine, capacity: int | None = None, level: str = "events") -> Record:
    """Make the record of a simulated run, as the algorithm would."""
    record = redblue_record(
        raw_record(machine, capacity, level),
        machine.graph,
        algorithm="redblue",
        params={"variant": "paper", "p": machine.p, "select": "weighted", "seed": 0},
        device={"name": "simulation"},
        rounds=machine.rounds,
        mate=np.array(machine.mate, np.int32),
        weight_of_mate=np.array(machine.weight),
    )
    assert record is not None
    return record
