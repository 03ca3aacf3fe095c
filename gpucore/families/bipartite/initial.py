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
#: Longest lists of the passes of "short_first", by columns and by rows; one by all columns follows.
SHORT = (1, 2, 4, 8)
#: Longer than every list.
ANY_LENGTH = (1 << 31) - 1
#: In the state of Karp-Sipser: index of the number of pairs, and number of words.
PAIRS, STATE_WORDS = 2, 8


def match_initially(run: Run, given: np.ndarray | None) -> None:
    """Compute the initial matching that the parameters name, on the device.

    Parameters
    ----------
    given : ndarray of int32, shape (rows,), or None
        A matching that is ready; it is copied to the device.
    """
    run.row_match.fill(-1)
    run.column_match.fill(-1)
    kind = run.params.start
    step = run.add_step("initial", 0)
    if given is not None:
        _put(run, given)
    elif run.matrix.entries and kind == "cheap":
        _cheap(run, step)
    elif run.matrix.entries and kind == "short_first":
        _cheap(run, step, SHORT)
    elif run.matrix.entries and kind == "karp_sipser":
        _karp_sipser(run, step)
    run.steps[step]["cardinality"] = run.pairs


def _put(run: Run, given: np.ndarray) -> None:
    run.pairs = int(np.count_nonzero(given >= 0))
    run.row_match[: run.matrix.rows] = run.device.asarray(given)
    column_match = other_side(given, max(1, run.matrix.columns))
    run.column_match[:] = run.device.asarray(column_match)


def _cheap(run: Run, step: int, short: tuple[int, ...] = ()) -> None:
    """Match by passes over the short lists of columns and rows, then over all columns."""
    matrix, device = run.matrix, run.device
    matched = device.xp.zeros(1, dtype=device.xp.int32)
    kernel = run.recorder.kernel("bipartite_initial", "bipartite_cheap")
    passes = [(by_row, longest) for longest in short for by_row in (False, True)]
    for by_row, longest in [*passes, (False, ANY_LENGTH)]:
        mates = (run.column_match, run.row_match)
        kernel(
            blocks_for(matrix.rows if by_row else matrix.columns, THREADS),
            THREADS,
            [
                matrix.rows,
                matrix.columns,
                int(by_row),
                longest,
                matrix.row_indptr if by_row else matrix.column_indptr,
                matrix.indices,
                *(mates[::-1] if by_row else mates),
                matched,
                run.params.seed,
                step,
                *run.recorder.args(),
            ],
        )
        run.launches += 1
    run.pairs = int(device.to_host(matched)[0])


def _karp_sipser(run: Run, step: int) -> None:
    matrix, device, xp = run.matrix, run.device, run.device.xp
    n = matrix.rows + matrix.columns
    state: Any = xp.zeros(STATE_WORDS, dtype=xp.int32)
    run.recorder.kernel("bipartite_initial", "bipartite_karp_sipser")(
        min(
            blocks_for(n, THREADS),
            cooperative_blocks(device, THREADS, BLOCKS_PER_MULTIPROCESSOR),
        ),
        THREADS,
        [
            matrix.rows,
            matrix.columns,
            matrix.row_indptr,
            matrix.column_indptr,
            matrix.indices,
            run.row_match,
            run.column_match,
            xp.empty(n, dtype=xp.int32),
            xp.empty(n, dtype=xp.int32),
            state,
            run.params.seed,
            xp.zeros(2, dtype=xp.uint32),
            step,
            *run.recorder.args(),
        ],
        cooperative=True,
    )
    run.launches += 1
    run.pairs = int(device.to_host(state)[PAIRS])
