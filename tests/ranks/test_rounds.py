"""The engine: what is sent arrives, is counted, and the end is found."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from gpucore.device import get_device
from gpucore.errors import KernelError
from gpucore.ranks import Channel, Work, run_rounds
from gpucore.ranks import rounds as engine
from gpucore.ranks.threads import run_threads
from gpucore.ranks.world import make_world

SIZES = (1, 2, 3, 4)


class Walkers:
    """Every rank sends walkers; each goes to the next rank until it has no steps left.

    A walker is a message (steps left, number); what it passes is written down. Every rank shouts
    the round in which a walker ends.
    """

    def __init__(self, world, steps):
        self.rank, self.size = world.comm.rank, world.comm.size
        self.steps, self.ended, self.heard = steps, [], []
        self.channels = (
            Channel("walkers", 2, [4 * self.size] * self.size),
            Channel("shouts", 1, [4 * self.size], to_all=True),
        )

    def step(self, round_number, inbox, outbox):
        came = inbox["walkers"]
        walkers = came.words[: 2 * came.count].reshape(-1, 2).tolist()
        shouts = inbox["shouts"]
        self.heard += shouts.words[: shouts.count].tolist()
        if round_number == 0:
            walkers = [[self.steps, self.rank]]
        for left, number in walkers:
            if left == 0:
                self.ended.append((number, round_number))
                put(outbox, "shouts", 0, [round_number])
            elif self.size > 1:
                put(outbox, "walkers", (self.rank + 1) % self.size, [left - 1, number])
        return Work()


def put(outbox, channel, place, words):
    """Append a message as kernels do."""
    bucket = outbox.buckets[channel]
    slot = int(bucket.starts[place]) + int(bucket.counts[place])
    width = bucket.channel.words
    bucket.words[slot * width : (slot + 1) * width] = words
    bucket.counts[place] += 1


def walk(size, steps):
    found = [None] * size

    def body(comm, _stop):
        world = make_world(comm, get_device("host"), "rounds")
        program = Walkers(world, steps)
        table = run_rounds(world, program)
        table.collect_seconds(comm)
        found[comm.rank] = (program, table)
        return found

    return run_threads(size, body)


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("steps", [0, 1, 5])
def test_all_messages_arrive_and_are_counted(size, steps):
    for rank, (program, table) in enumerate(walk(size, steps)):
        assert program.ended == [((rank - steps) % size, steps)]
        assert program.heard == [steps] * (size - 1)
        assert len(table) == steps + 2
        walkers, shouts = steps * size, size * (size - 1)
        assert table.total("messages") == walkers + shouts
        assert table.total("bytes") == 8 * walkers + 4 * shouts
        for name in ("compute", "wait", "communication"):
            rows = getattr(table, name)
            assert [len(row) for row in rows] == [size] * len(table)
            assert min(map(min, rows)) >= 0
        assert table.as_dict() == walk_table(table)


def walk_table(table):
    return {
        name: getattr(table, name)
        for name in ("bytes", "messages", "compute", "wait", "communication")
    }


def test_an_end_one_round_too_early_is_found(monkeypatch):
    """Without counting the messages under way, the walkers never arrive."""

    def wrong(reports):
        return any(work.pending for work, _ in reports)

    monkeypatch.setattr(engine, "under_way", wrong)
    assert [program.ended for program, _ in walk(3, 2)] == [[], [], []]


class Neighbours:
    """Each rank adds 1 to a word of every rank, by its address, as often as it was added to."""

    channels = ()

    def __init__(self, world, times):
        self.world, self.times = world, times
        self.own, table = world.memory.empty(4, np.int64)
        self.own.fill(0)
        world.comm.barrier()
        self.others = [word_at(address) for address in table.tolist()]

    def step(self, round_number, inbox, outbox):
        if round_number == self.times:
            return Work()
        for word in self.others:
            word[self.world.comm.rank] += 1
        return Work(pending=1, remote=len(self.others), remote_bytes=8 * len(self.others))


def word_at(address):
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_int64)), (4,))


@pytest.mark.parametrize("size", SIZES)
def test_memory_of_other_ranks(size):
    def body(comm, _stop):
        world = make_world(comm, get_device("host"), "peers")
        program = Neighbours(world, 6)
        table = run_rounds(world, program)
        world.memory.close()
        assert program.own.tolist() == [6] * size + [0] * (4 - size)
        assert len(table) == 7
        assert table.total("messages") == 6 * size * size
        assert table.total("bytes") == 8 * 6 * size * size
        return True

    assert run_threads(size, body)


class Forgetful:
    """Reports that much is pending in every round, but does nothing."""

    channels = ()

    def __init__(self, pending):
        self.pending = pending

    def step(self, round_number, inbox, outbox):
        return Work(self.pending)


@pytest.mark.parametrize(
    ("pending", "message"),
    [((2, 1), "3 things wait, but no rank goes on"), ((-3, 1), "2 things were taken, but never")],
)
def test_a_run_without_progress_ends_with_an_error(pending, message):
    def body(comm, _stop):
        world = make_world(comm, get_device("host"), "rounds")
        return run_rounds(world, Forgetful(pending[comm.rank]))

    with pytest.raises(KernelError, match=message):
        run_threads(2, body)


def test_what_one_rank_put_there_and_another_took_is_not_pending():
    table = []

    def body(comm, _stop):
        world = make_world(comm, get_device("host"), "rounds")
        table.append(run_rounds(world, Forgetful((-5, 5)[comm.rank])))

    run_threads(2, body)
    assert [len(rounds) for rounds in table] == [1, 1]
