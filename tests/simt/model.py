"""NumPy models of warp collectives, and how their arguments are drawn: one warp, 32 lanes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


def lanes_of(mask: int) -> list[int]:
    """Return the lanes of a mask."""
    return [lane for lane in range(32) if mask >> lane & 1]


def bits(lanes: list[int]) -> int:
    """Return the mask of some lanes."""
    return sum(1 << lane for lane in lanes)


def shuffle_source(kind: int, lane: int, offset: int, width: int) -> int:
    """Return the lane that `lane` reads from: PTX ISA, `shfl.sync`, pseudo-code."""
    segment_mask = 32 - width
    b = offset & 31
    first = lane & segment_mask
    last = first | (31 & ~segment_mask)
    if kind == 0:
        return first | (b & ~segment_mask & 31)
    if kind == 1:
        return lane - b if lane - b >= first else lane
    other = lane + b if kind == 2 else lane ^ b
    return other if other <= last else lane


def shuffle(
    kind: int, masks: np.ndarray, values: np.ndarray, offsets: np.ndarray, widths: np.ndarray
) -> np.ndarray:
    """Return what a shuffle gives; a source outside the mask gives the own value."""
    out = values.copy()
    for lane in range(32):
        source = shuffle_source(kind, lane, int(offsets[lane]), int(widths[lane]))
        if int(masks[lane]) >> source & 1:
            out[lane] = values[source]
    return out


def same_bits(a: np.generic, b: np.generic) -> bool:
    """Return whether two values have the same bits."""
    return a.tobytes() == b.tobytes()


def from_bytes(count: int, dtype: str) -> st.SearchStrategy[np.ndarray]:
    """Draw an array as one string of bytes, which is much faster than element by element."""
    size = count * np.dtype(dtype).itemsize
    return st.binary(min_size=size, max_size=size).map(lambda b: np.frombuffer(b, dtype).copy())
