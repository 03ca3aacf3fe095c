"""Ranks as threads: collectives, and what happens when one fails."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from gpucore.errors import Cancelled, DeviceError, GraphError
from gpucore.ranks.agree import agree
from gpucore.ranks.threads import run_threads
from gpucore.ranks.world import RankParams

SIZES = (1, 2, 3, 4, 7)


@pytest.mark.parametrize("size", SIZES)
def test_collectives(size):
    def body(comm, _stop):
        everyone = list(range(size))
        for _ in range(5):
            assert comm.allgather(comm.rank) == everyone
            assert comm.gather(comm.rank) == (everyone if comm.rank == 0 else None)
            assert comm.bcast(("first", comm.rank)) == ("first", 0)
            assert comm.allreduce(comm.rank) == sum(everyone)
            assert comm.allreduce(comm.rank, max) == size - 1
            comm.barrier()
        assert comm.one_host()
        return size

    assert run_threads(size, body) == size


@pytest.mark.parametrize("size", SIZES)
def test_arrays_of_any_length_reach_the_right_rank(size):
    def body(comm, _stop):
        for turn in range(5):
            # from a to b: a * b + turn words that say so
            parts = [np.full(comm.rank * r + turn, 100 * comm.rank + r) for r in range(size)]
            found = comm.alltoallv(parts, [r * comm.rank + turn for r in range(size)])
            for part in parts:
                part.fill(-1)  # what a rank got is its own
            for r, array in enumerate(found):
                assert array.tolist() == [100 * r + comm.rank] * (r * comm.rank + turn)
        return True

    assert run_threads(size, body)


def test_the_error_of_a_rank_ends_all_and_names_it():
    def body(comm, _stop):
        comm.barrier()
        if comm.rank == 2:
            raise GraphError("the file is broken")
        comm.barrier()

    with pytest.raises(GraphError, match=r"^rank 2: the file is broken$"):
        run_threads(4, body)


def test_other_errors_keep_their_class():
    def body(comm, _stop):
        if comm.rank == 1:
            raise ZeroDivisionError("a mistake")
        comm.barrier()

    with pytest.raises(ZeroDivisionError, match="a mistake"):
        run_threads(3, body)


def test_no_memory_on_a_rank():
    def body(comm, _stop):
        if comm.rank == 1:
            raise MemoryError
        comm.barrier()

    with pytest.raises(DeviceError, match=r"^rank 1: the host is out of memory$"):
        run_threads(2, body)


def test_cancelling_reaches_all_ranks():
    cancel, seen = threading.Event(), []

    def body(comm, stop):
        if comm.rank == 0:
            cancel.set()
        while not stop.is_set():
            time.sleep(0.001)
        seen.append(comm.rank)
        raise Cancelled()

    with pytest.raises(Cancelled, match=r"^the work was cancelled$"):
        run_threads(3, body, cancel=cancel)
    assert sorted(seen) == [0, 1, 2]


def test_an_error_stops_the_devices_of_all_ranks():
    def body(comm, stop):
        if comm.rank == 1:
            raise GraphError("no")
        while not stop.is_set():
            time.sleep(0.001)
        comm.barrier()

    with pytest.raises(GraphError, match="rank 1: no"):
        run_threads(4, body)


@pytest.mark.parametrize("what", ["transport", "record", "algorithm"])
def test_ranks_that_differ(what):
    def body(comm, _stop):
        odd = comm.rank == 1
        params = RankParams("peers" if odd and what == "transport" else "auto")
        name = "other" if odd and what == "algorithm" else "own"
        level = "events" if odd and what == "record" else "off"
        agree(comm, name, params, Part(), level, 100)

    with pytest.raises(ValueError, match=r"^rank 1 (has|runs) "):
        run_threads(3, body)


class Part:
    n = 5
    bounds = np.array([0, 2, 5])
