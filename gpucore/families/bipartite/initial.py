"""The matching that a run begins with: none, cheap, Karp-Sipser, or one that the caller gives.

Kernels: ``families/bipartite/kernels/bipartite_initial.cu``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.device.grid import blocks_for, cooperative_blocks
from gpucore.families.bipartite.result import other_side
from gpucore.families.bipartite.state import Run

THREADS = 256
#: Blocks of such a launch on a GPU, for each multiprocessor.
BLOCKS_PER_MULTIPROCESSOR = 4
#: Lengths of lists with passes of their own in "short_first": 1, 2, 4 and 8.
SHORT_LISTS = 4
#: In the state of Karp-Sipser: index of the number of pairs, and number of words.
PAIRS, STATE_WORDS = 2, 8


def match_initially(run: Run, given: np.ndarray | None) -> None:
    """Compute the initial matching that the parameters name, on the device: all mates.

    Parameters
    ----------
    given : ndarray of int32, shape (rows,), or None
        A matching that is ready; it is copied to the device.
    """
    kind = run.params.start
    step = run.add_step("initial", 0)
    if given is not None:
        _put(run, given)
    elif run.matrix.entries and kind in ("cheap", "short_first"):
        _cheap(run, step, SHORT_LISTS if kind == "short_first" else 0)
    elif run.matrix.entries and kind == "karp_sipser":
        _karp_sipser(run, step)
    else:
        run.row_match.fill(-1)
        run.column_match.fill(-1)


def _put(run: Run, given: np.ndarray) -> None:
    run.matched.fill(np.count_nonzero(given >= 0))
    run.row_match[: run.matrix.rows] = run.device.asarray(given)
    column_match = other_side(given, max(1, run.matrix.columns))
    run.column_match[:] = run.device.asarray(column_match)


def _cheap(run: Run, step: int, short_lists: int) -> None:
    """Match by passes over the short lists of columns and rows, then over all columns."""
    matrix = run.matrix
    count = max(matrix.rows, matrix.columns)
    _launch(run, "bipartite_cheap", count, [short_lists, run.matched], step)


def _karp_sipser(run: Run, step: int) -> None:
    matrix, xp = run.matrix, run.device.xp
    n = matrix.rows + matrix.columns
    state: Any = xp.zeros(STATE_WORDS, dtype=xp.int32)
    scratch = [xp.empty(n, dtype=xp.int32), xp.empty(n, dtype=xp.int32), state]
    _launch(run, "bipartite_karp_sipser", n, scratch, step)
    run.matched[:] = state[PAIRS]


def _launch(run: Run, name: str, count: int, args: list[Any], step: int) -> None:
    """Launch a kernel for `count` vertices in which all blocks meet."""
    matrix, device = run.matrix, run.device
    most = cooperative_blocks(device, THREADS, BLOCKS_PER_MULTIPROCESSOR)
    run.recorder.kernel("bipartite_initial", name)(
        min(blocks_for(count, THREADS), most),
        THREADS,
        [
            matrix.rows,
            matrix.columns,
            matrix.row_indptr,
            matrix.column_indptr,
            matrix.indices,
            run.row_match,
            run.column_match,
            *args,
            run.params.seed,
            run.barrier,
            step,
            *run.recorder.args(),
        ],
        cooperative=True,
    )
    run.launches += 1
