"""Weights in single precision: scaled by a power of two where they would vanish or overflow.

Matchings and communities do not depend on the unit of the weights, so a graph may hold them in
another one: ``source["exponent"]`` e says that a weight w of the owner is stored as w 2^-e,
exactly. :attr:`gpucore.Graph.unit` is 2^e, and reported weights are in the owner's unit again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.arrays import plain
from gpucore.errors import GraphError
from gpucore.notes import with_note

#: Exponents of the smallest and largest powers of two of single precision, both normal.
_LEAST, _MOST = -126, 127
#: Types that float32 holds as they are.
_FIT = {("f", 2), ("f", 4), *((kind, size) for kind in "iu" for size in (1, 2))}


def narrow_weights(
    values: ArrayLike, source: Mapping[str, Any]
) -> tuple[NDArray[Any], Mapping[str, Any]]:
    """Return weights that float32 can hold, and the source with what was done to them.

    Parameters
    ----------
    values : array_like
        Weights of the owner; other than real ones are returned as they are, to be refused.
    source : mapping
        Of the graph.

    Returns
    -------
    weights : ndarray
        Of float32 where `values` are wider.
    source : mapping
        With an exponent if the weights were scaled, and a note on weights that rounding made equal.

    Raises
    ------
    GraphError
        The weights differ so much that no scaling holds both the largest and the smallest, or
        their sum is too large for double precision.

    Examples
    --------
    >>> weights, source = narrow_weights([3e-180, 1.5e-180], {})
    >>> float(weights[0] / weights[1]), source["exponent"]
    (2.0, -597)
    """
    wide = plain(values, "weights")
    if wide.dtype.kind not in "iuf" or wide.ndim != 1 or (wide.dtype.kind, wide.itemsize) in _FIT:
        return wide, source
    with np.errstate(over="ignore", under="ignore"):
        single = wide.astype(np.float32)
    exact = single == wide
    if exact.all():
        return single, source
    if wide.dtype.kind == "f" and not np.isfinite(wide).all():
        return wide, source
    exponent = _exponent(wide, single, exact)
    if exponent:
        wide = np.ldexp(wide.astype(np.float64), -exponent)
        single = wide.astype(np.float32)
        _check_sum(wide, exponent)
        source = with_note(
            {**source, "exponent": exponent},
            f"Weights are stored in a unit of 2**{exponent}, exactly, which single precision can "
            "hold; the weight of a result is in your unit.",
        )
    if equal := _made_equal(wide, single):
        source = with_note(
            source,
            f"{equal:,} different weight{'s' if equal > 1 else ''} became equal to another in "
            "single precision, in which kernels and certificates compare.",
        )
    return single, source


def _exponent(wide: NDArray[Any], single: NDArray[np.float32], exact: NDArray[np.bool_]) -> int:
    """Return the exponent of a unit in which single precision holds all sizes as normal numbers."""
    small = (np.abs(single) < np.finfo(np.float32).tiny) & ~exact
    # 1e-45 is the shortest decimal of the smallest number of float32, which is 1.4e-45.
    small[small] = single[small].astype(str).astype(np.float64) != wide[small]
    lost = (small & (single == 0)).any() or not np.isfinite(single).all()
    if not lost and not small.any():
        return 0
    size = np.abs(wide.astype(np.float64, copy=False))
    ends = size.min(where=size > 0, initial=np.inf), size.max()
    least, most = (int(np.frexp(end)[1]) - 1 for end in ends)
    if most - least < -_LEAST:
        return most
    if most - least < _MOST - _LEAST:
        return most - _MOST + 1
    if not lost:
        return 0
    at = int(np.argmin(np.where(size > 0, size, np.inf))), int(np.argmax(size))
    raise GraphError(
        f"weights[{at[1]}] = {size[at[1]]:g} and weights[{at[0]}] = {size[at[0]]:g} differ too "
        "much for single precision, in which one of them would be lost; leave out edges that "
        "weigh next to nothing, or replace weights by their ranks"
    )


def _check_sum(wide: NDArray[np.float64], exponent: int) -> None:
    """Raise GraphError if twice the sum of all weights, as modularity has it, is no number."""
    with np.errstate(over="ignore"):
        if np.isinf(np.ldexp(2.0 * np.abs(wide).sum(), exponent)):
            raise GraphError(
                "the weights add up to more than 8.9e307, half of the largest number of double "
                "precision; scale them down"
            )


def _made_equal(wide: NDArray[Any], single: NDArray[np.float32]) -> int:
    """Return how many distinct weights are equal to a smaller one after rounding."""
    ordered = np.sort(wide)
    rounded = ordered.astype(np.float32)
    return int(np.count_nonzero((ordered[1:] != ordered[:-1]) & (rounded[1:] == rounded[:-1])))
