"""An order of events in which causes come before what they cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gpucore.record.constraints import Dependencies
from gpucore.record.linearise import linearise


def causes_first(
    events: Mapping[str, np.ndarray],
    batch: np.ndarray,
    certain: Dependencies,
    seen: Sequence[Dependencies],
    lane: np.ndarray | None = None,
) -> tuple[np.ndarray, bool]:
    """Order events as :func:`gpucore.record.linearise.linearise`, causes first.

    A kernel logs what it saw after it saw it, so a cause may be logged later than its effect. The
    stored order is kept where no pair contradicts it, so that the order of a record that has one
    already does not change.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns warp and iteration among others.
    batch, lane : ndarray of int, shape (events,)
        See :func:`gpucore.record.linearise.linearise`.
    certain : Dependencies
        Pairs of the algorithm, which hold in every run.
    seen : sequence of Dependencies
        Pairs of a cause and what a reader of the record takes for its effect. If they contradict
        the others, the last of the sequence is left out first: another event was the cause.

    Returns
    -------
    order : ndarray of int64, shape (events,)
    consistent : bool
    """
    order, consistent = np.empty(0, np.int64), False
    for kept in range(len(seen), -1, -1):
        pairs = Dependencies.of([certain, *seen[:kept]])
        order, consistent = linearise(
            events["warp"], events["iteration"], batch, pairs.before, pairs.after, lane
        )
        if consistent:
            break
    return order, consistent
