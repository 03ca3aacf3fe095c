"""Ranks as threads, for tests of what ranks do together."""

from __future__ import annotations

import threading

from gpucore.errors import WarplensError


class ThreadRank:
    """One rank; waits for the others at most a minute, so that a test cannot hang."""

    def __init__(self, rank, slots, barrier):
        self.rank, self.size = rank, len(slots)
        self._slots, self._barrier = slots, barrier

    def _shown(self, value, take):
        self._slots[self.rank] = value
        self._barrier.wait(60)
        found = take(self._slots)
        self._barrier.wait(60)
        return found

    def allgather(self, value):
        return self._shown(value, list)

    def alltoallv(self, parts, sizes):
        assert len(parts) == len(sizes) == self.size
        assert all(part.ndim == 1 and part.flags.c_contiguous for part in parts)
        came = self._shown(parts, lambda slots: [sent[self.rank].copy() for sent in slots])
        assert [part.size for part in came] == list(sizes)
        return came


def on_ranks(size, body):
    """Return ``body(rank)`` of all ranks, errors among them; a failure of one stops all."""
    slots, barrier = [None] * size, threading.Barrier(size)
    results = [None] * size

    def work(number):
        try:
            results[number] = body(ThreadRank(number, slots, barrier))
        except WarplensError as error:
            results[number] = error
        except BaseException as error:
            results[number] = error
            barrier.abort()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    broken = [one for one in results if isinstance(one, BaseException)]
    for error in sorted(broken, key=lambda one: isinstance(one, threading.BrokenBarrierError)):
        if not isinstance(error, WarplensError):
            raise error
    return results


def failure_of(size, body):
    """Return the text of the error with which all ranks end, and check that it is one."""
    errors = on_ranks(size, body)
    assert all(isinstance(error, WarplensError) for error in errors), errors
    assert len({(type(error), str(error)) for error in errors}) == 1
    return str(errors[0])
