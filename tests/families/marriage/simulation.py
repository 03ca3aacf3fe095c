"""Simulated runs of stable marriage, and their records.

The racing methods are in ``machine.py``; here are the rounds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from gpucore.families.marriage.order import Kind
from gpucore.families.marriage.record import marriage_record
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import Record
from support.simulation import raw_record

from .machine import FREE, LANES, Machine


class Rounds(Machine):
    """Gale and Shapley's rounds: all propose, then all are answered.

    A man who is about to propose may already see the proposals of other men.
    """

    def run(self, warps: int, stickiness: float) -> None:
        """Run rounds until every man is engaged or has no woman left; a warp is any LANES men."""
        free = list(range(len(self.lists)))
        while free:
            number, offers = len(self.rounds), [FREE] * len(self.word)
            asking: list[int] = []
            self.interleave([self.ask(man, 2 * number, offers, asking) for man in free], stickiness)
            left: list[int] = []
            self.interleave(
                [self.answer(man, 2 * number + 1, offers, left) for man in asking], stickiness
            )
            self.rounds.append({"free": len(free), "proposals": len(asking)})
            free = left

    def ask(
        self, man: int, iteration: int, offers: list[tuple[int, int, int]], asking: list[int]
    ) -> Iterator[None]:
        where = iteration, man // LANES, man % LANES
        self.count(iteration, man // LANES, None)
        while self.next[man] < len(self.lists[man]):
            place = self.next[man]
            self.next[man] += 1
            woman = self.lists[man][place]
            new = (self.ranks[woman][man], man, place)
            best = min(self.word[woman], offers[woman])
            yield
            proposes = self.hasty or new < best
            kind = Kind.PROPOSE if proposes else Kind.SKIP
            if proposes:
                offers[woman] = min(offers[woman], new)
                asking.append(man)
                yield
            event = self.event(kind, man, woman, place)
            self.count(*where[:2], event)
            self.log(*where, event)
            if proposes:
                return
        self.log(*where, self.event(Kind.ALONE, man))

    def answer(
        self, man: int, iteration: int, offers: list[tuple[int, int, int]], left: list[int]
    ) -> Iterator[None]:
        place = self.next[man] - 1
        woman = self.lists[man][place]
        new, held = (self.ranks[woman][man], man, place), self.word[woman]
        if offers[woman] == new < held:
            self.word[woman] = new
            left += [held[1]] * (held[1] >= 0)
            event = self.event(Kind.ENGAGE, man, woman, place, held[1])
        else:
            left.append(man)
            kept = min(held, offers[woman])[1]
            event = self.event(Kind.REFUSE, man, woman, place, self.rng.choice([kept, -1]))
        self.count(iteration, man // LANES, event)
        yield
        self.log(iteration, man // LANES, man % LANES, event)


def simulate(
    preferences: Preferences,
    variant: str = "fast",
    *,
    warps: int = 3,
    seed: int = 0,
    stickiness: float = 0.5,
    hasty: bool = False,
    looks: int = 1,
) -> Machine:
    """Marry men and women by one of the kernels' methods under a random interleaving."""
    men, women = preferences.lists()
    ranks = [{man: place + 1 for place, man in enumerate(row)} for row in women]
    kind = Rounds if variant == "gs" else Machine
    machine = kind(men, ranks, variant, random.Random(seed), hasty, looks)
    machine.run(warps, stickiness)
    return machine


def record_of(
    preferences: Preferences,
    variant: str = "fast",
    *,
    proposers: str = "men",
    capacity: int | None = None,
    level: str = "events",
    **how: Any,
) -> Record:
    """Simulate a run and make its record, as the algorithm would."""
    machine = simulate(preferences if proposers == "men" else preferences.swapped(), variant, **how)
    wife = machine.wife
    if proposers == "women":
        wife = np.full(preferences.num_men, -1, np.int32)
        wife[machine.wife[machine.wife >= 0]] = np.flatnonzero(machine.wife >= 0)
    record = marriage_record(
        raw_record(machine, capacity, level),
        preferences.graph(),
        algorithm="marriage",
        params={"variant": variant, "proposers": proposers},
        device={"name": "simulation"},
        rounds=machine.rounds,
        wife=wife,
    )
    assert record is not None
    return record
