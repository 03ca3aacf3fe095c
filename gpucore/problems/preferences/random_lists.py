"""Random preference lists, drawn by the native library on all cores (random_lists.cpp)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpucore import native
from gpucore.cpu.task import struct
from gpucore.errors import DeviceError
from gpucore.problems.preferences.lists import Rows
from gpucore.rows import row_starts

#: Peak memory in bytes per pair: the woman, her rank, and the pair's place in her list.
BYTES_PER_PAIR = 16

_Task = struct(
    "RandomListsTask",
    "int32 num_men num_women, threads, uint64 seed, int64[] indptr, int32[] women her_rank, "
    "int64[] pairs",
)


def draw_lists(
    lengths: NDArray[np.integer], num_women: int, seed: int, *, threads: int | None = None
) -> Rows:
    """Draw random lists: every man ranks different women, every woman the men who rank her.

    Parameters
    ----------
    lengths : ndarray of int, shape (M,)
        Number of women that each man ranks, at most `num_women`.
    num_women : int
        Number of women, W.
    seed : int
        Seed from 0 to 2**64 - 1.
    threads : int, optional
        Number of threads, by default one per core. It does not affect the lists.

    Returns
    -------
    Rows

    Raises
    ------
    DeviceError
        There is no native library, not enough memory, or threads cannot be started.

    Examples
    --------
    >>> rows = draw_lists(np.array([2, 3, 1]), 3, seed=1)
    >>> rows.indptr.tolist(), sorted(rows.women[2:5].tolist())
    ([0, 2, 5, 6], [0, 1, 2])
    """
    from gpucore.cpu.common import choose_threads

    indptr = row_starts(lengths)
    pairs = int(indptr[-1])
    women, her_rank = np.empty(pairs, np.int32), np.empty(pairs, np.int32)
    workers = choose_threads(threads)
    task = _Task(lengths.size, num_women, seed, indptr, women, her_rank, np.empty(pairs, np.int64))
    task.threads = workers
    if native.load().cpu_random_lists(*task.as_arguments()) != 0:
        raise DeviceError(
            f"{pairs} pairs could not be drawn by {workers} threads for want of memory or of "
            "threads; close something, or ask for fewer"
        )
    return Rows(indptr, women, her_rank)
