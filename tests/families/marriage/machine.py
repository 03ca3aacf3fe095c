"""Simulated machines that run the kernels' methods: lanes race, and log late.

Every ``yield`` is a point at which others may run; an event gets its slot after the atomic
operation that it describes, so logs are out of order as on a GPU.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpucore.families.marriage.order import Kind

LANES = 4
#: The word of a free woman: (her rank, man, place in his list).
FREE = (1 << 30, -1, -1)
Event = tuple[Any, ...]


@dataclass
class Lane:
    """A lane, its man (-1: none), and the place in his list."""

    number: int
    man: int = -1
    place: int = 0


@dataclass
class Machine:
    """Memory, the events in their true order, and the log.

    ``hasty`` lanes propose without a look first.  Lanes wait for their warp after ``looks`` looks;
    with 0 they have diverged, and do not wait.
    """

    lists: list[list[int]]
    ranks: list[dict[int, int]]
    variant: str
    rng: random.Random
    hasty: bool = False
    looks: int = 1
    logged: list[Event] = field(default_factory=list)
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    rounds: list[dict[str, int]] = field(default_factory=list)
    waiting: int = 0

    def __post_init__(self) -> None:
        self.word = [FREE] * len(self.ranks)
        self.next = [0] * len(self.lists)

    @property
    def steps(self) -> range:
        """One for each iteration."""
        return range(1 + max((iteration for iteration, _ in self.rows), default=-1))

    def event(
        self, kind: Kind, man: int, woman: int = -1, place: int = -1, other: int = -1
    ) -> Event:
        rank = self.ranks[woman][man] if woman >= 0 else 0
        asked = woman + len(self.lists) if woman >= 0 else -1
        return kind, man, asked, other, place + 1, rank

    def log(self, iteration: int, warp: int, lane: int, event: Event) -> None:
        kind, man, woman, other, place, rank = event
        self.logged.append((iteration, warp, kind, lane, man, woman, other, place, rank))

    def count(self, iteration: int, warp: int, event: Event | None) -> None:
        row = self.rows.setdefault((iteration, warp), [0] * 8)
        if event is None:
            return
        kind, other = event[0], event[3]
        row[0] += 1
        row[1] += 1
        row[2] += kind in (Kind.SKIP, Kind.ENGAGE, Kind.REFUSE)
        row[3] += kind == Kind.SKIP
        row[4] += kind == Kind.ENGAGE
        row[5] += kind == Kind.ENGAGE and other >= 0
        row[6] += kind == Kind.REFUSE
        row[7] += kind == Kind.FAILED

    def look(self, lane: Lane) -> Iterator[Event | None]:
        """Let a lane look at one place; yields None while others may run, then the event."""
        man, place = lane.man, lane.place
        if place == len(self.lists[man]):
            lane.man = -1
            yield self.event(Kind.ALONE, man)
            return
        woman = self.lists[man][place]
        rank = self.ranks[woman][man]
        seen = self.word[woman]  # perhaps old by the time it is acted upon
        yield None
        if seen < (rank,) and not self.hasty:
            lane.place += 1
            yield self.event(Kind.SKIP, man, woman, place)
        elif self.variant == "mw":
            yield from self.swap(lane, woman, (rank, man, -1), seen)
        else:
            yield self.minimum(lane, woman, (rank, man, place))

    def swap(
        self, lane: Lane, woman: int, new: tuple[int, int, int], seen: tuple[int, int, int]
    ) -> Iterator[Event | None]:
        """Compare and swap; ``next`` holds the place at which a displaced man goes on."""
        _, man, _ = new
        place = lane.place
        if seen < new:
            lane.place += 1
            kept = self.rng.choice([-1, seen[1] if self.word[woman] == seen else -1])
            yield self.event(Kind.REFUSE, man, woman, place, kept)
            return
        self.next[man] = place + 1
        yield None
        if self.word[woman] != seen:
            yield self.event(Kind.FAILED, man, woman, place)
            return
        self.word[woman] = new
        lane.man = seen[1]
        lane.place = self.next[seen[1]] if seen[1] >= 0 else 0
        yield self.event(Kind.ENGAGE, man, woman, place, seen[1])

    def minimum(self, lane: Lane, woman: int, new: tuple[int, int, int]) -> Event:
        """Take an atomic minimum; the old word also holds the place of the displaced man."""
        _, man, place = new
        old = self.word[woman]
        self.word[woman] = min(old, new)
        if old < new:
            lane.place += 1
            return self.event(Kind.REFUSE, man, woman, place, old[1])
        lane.man, lane.place = old[1], old[2] + 1
        return self.event(Kind.ENGAGE, man, woman, place, old[1])

    def take(self, lane: Lane) -> bool:
        """Give a lane without a man the next one; False if there is none."""
        if lane.man < 0 and self.waiting < len(self.lists):
            lane.man, lane.place = self.waiting, 0
            self.waiting += 1
        return lane.man >= 0

    def work(self, lane: Lane, warp: int, iteration: int) -> Iterator[None]:
        """Let a lane look at some places; it logs what it did when others may have run."""
        for _ in range(max(1, self.looks)):
            for event in self.look(lane) if lane.man >= 0 else ():
                yield
                if event is not None:
                    self.count(iteration, warp, event)
                    self.log(iteration, warp, lane.number, event)

    def warp(self, number: int) -> Iterator[None]:
        """Run lanes that wait for each other."""
        lanes, iteration = [Lane(i) for i in range(LANES)], 0
        while busy := [lane for lane in lanes if self.take(lane)]:
            self.count(iteration, number, None)
            at_work = [self.work(lane, number, iteration) for lane in busy]
            while at_work:
                which = self.rng.randrange(len(at_work))
                if next(at_work[which], at_work) is at_work:
                    at_work.pop(which)
                yield
            iteration += 1

    def thread(self, number: int) -> Iterator[None]:
        """Run a lane that waits for no other."""
        lane, iteration = Lane(number % LANES), 0
        while self.take(lane):
            yield from self.work(lane, number // LANES, iteration)
            iteration += 1

    def run(self, warps: int, stickiness: float) -> None:
        """Run warps, or diverged lanes, in a random interleaving."""
        if self.looks:
            self.interleave([self.warp(i) for i in range(warps)], stickiness)
        else:
            self.interleave([self.thread(i) for i in range(warps * LANES)], stickiness)

    def interleave(self, running: list[Iterator[None]], stickiness: float) -> None:
        current = 0
        while running:
            if self.rng.random() > stickiness:
                current = self.rng.randrange(len(running))
            current %= len(running)
            try:
                next(running[current])
            except StopIteration:
                running.pop(current)

    @property
    def wife(self) -> np.ndarray:
        """The woman of each man, by the women's words."""
        wife = np.full(len(self.lists), -1, np.int32)
        for woman, (_, man, _) in enumerate(self.word):
            if man >= 0:
                wife[man] = woman
        return wife
