"""Columns of numbers that look like times."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Seconds of Unix from 1990 to 2050, and what they are in thousandths and millionths.
_SECONDS = (631_152_000, 2_524_608_000)
_SCALES = (1, 1_000, 1_000_000)


def are_times(values: NDArray[Any]) -> bool:
    """Return whether numbers are all seconds since 1970, or milliseconds or microseconds."""
    if not values.size:
        return False
    least, most = float(values.min()), float(values.max())
    near = any(_SECONDS[0] * scale <= least and most <= _SECONDS[1] * scale for scale in _SCALES)
    return near and bool((values == np.floor(values)).all())


def time_note(values: NDArray[Any], what: str = "weights") -> list[str]:
    """Return the sentence about weights or ratings that look like times, if they do."""
    if not are_times(values):
        return []
    first = f"The third column looks like times (seconds since 1970) and is taken as {what}"
    if what != "weights":
        return [f"{first}; correct the file if they are no {what}."]
    return [
        f"{first}; without it the graph has no weights (on the command line: --columns "
        "source=1,target=2; in Python: weights=False)."
    ]
