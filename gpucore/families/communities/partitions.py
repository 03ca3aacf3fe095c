"""Comparison of two partitions of one set: similarity, and corresponding parts.

A partition is an array of labels, one per element; the labels are non-negative integers without
further meaning. Figures come from the table of shared elements of every pair of parts. The table is
sparse, so two partitions of n elements need memory for n numbers and not for all pairs of parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import ParameterError

#: Most entries of a dense table of shared elements (32 MB); with more, assignment is greedy.
MAX_DENSE = 1 << 22


class _Shared(NamedTuple):
    """Pairs of parts that share elements: row, column and their number; the sizes of the parts."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    both: NDArray[np.int64]
    first_sizes: NDArray[np.int64]
    second_sizes: NDArray[np.int64]


def _labels(labels: ArrayLike, name: str) -> NDArray[np.int64]:
    found = np.asarray(labels)
    if found.ndim != 1 or (found.size and found.dtype.kind not in "iu"):
        raise ParameterError(f"{name} must be one row of integers, one for each element")
    if found.size and found.min() < 0:
        raise ParameterError(f"{name} has a label below 0: {found.min()}")
    return found.astype(np.int64)


def _shared(first: ArrayLike, second: ArrayLike) -> _Shared:
    a, b = _labels(first, "the first partition"), _labels(second, "the second partition")
    if a.size != b.size:
        raise ParameterError(
            f"the partitions have {a.size} and {b.size} elements, not equally many"
        )
    columns = int(b.max(initial=-1)) + 1
    if int(a.max(initial=0)) > (1 << 62) // max(columns, 1):
        raise ParameterError("the labels are too large; number the parts 0, 1, 2, ...")
    pair, count = np.unique(a * columns + b, return_counts=True)
    row, column = np.divmod(pair, max(columns, 1))
    return _Shared(row, column, count, np.bincount(a), np.bincount(b))


def canonical_labels(labels: ArrayLike) -> NDArray[np.int32]:
    """Return labels that number the parts 0, 1, 2, ... in the order of their first elements.

    Examples
    --------
    >>> canonical_labels([7, 7, 2, 7, 0]).tolist()
    [0, 0, 1, 0, 2]
    """
    _, first, part = np.unique(_labels(labels, "the partition"), True, True)
    number = np.empty(first.size, np.int32)
    number[np.argsort(first)] = np.arange(first.size, dtype=np.int32)
    return number[part]


def adjusted_rand_index(first: ArrayLike, second: ArrayLike) -> float:
    """Return the adjusted Rand index: agreement of the partitions on pairs, corrected for chance.

    1 for equal partitions, near 0 for independent ones, negative for less agreement than chance
    gives. Where random partitions always agree (fewer than two elements, one part in both, or
    only single elements in both) it is 1.

    Notes
    -----
    L. Hubert, P. Arabie, "Comparing partitions", Journal of Classification 2 (1985), equation 5.

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> round(adjusted_rand_index([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.5714
    """
    shared = _shared(first, second)
    together, in_first, in_second = (
        _pairs(sizes) for sizes in (shared.both, shared.first_sizes, shared.second_sizes)
    )
    elements = float(shared.both.sum())
    all_pairs = elements * (elements - 1) / 2
    expected = in_first * in_second / all_pairs if all_pairs else 0.0
    most = (in_first + in_second) / 2
    return 1.0 if most == expected else float((together - expected) / (most - expected))


def _pairs(sizes: NDArray[np.int64]) -> float:
    numbers = sizes.astype(np.float64)
    return float((numbers * (numbers - 1)).sum() / 2)


def normalised_mutual_information(first: ArrayLike, second: ArrayLike) -> float:
    """Return the mutual information of two partitions over the mean of their entropies.

    Between 0 and 1; 1 for equal partitions, also where both have a single part.

    Notes
    -----
    L. Danon, A. Díaz-Guilera, J. Duch, A. Arenas, "Comparing community structure identification",
    Journal of Statistical Mechanics (2005), equation 2.

    Examples
    --------
    >>> normalised_mutual_information([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    >>> normalised_mutual_information([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    shared = _shared(first, second)
    total = float(shared.both.sum())
    entropies = _entropy(shared.first_sizes, total) + _entropy(shared.second_sizes, total)
    if entropies == 0.0:
        return 1.0
    sizes = shared.first_sizes[shared.first] * shared.second_sizes[shared.second].astype(float)
    mutual = float((shared.both / total * np.log(shared.both * total / sizes)).sum())
    return min(max(2 * mutual / entropies, 0.0), 1.0)


def _entropy(sizes: NDArray[np.int64], total: float) -> float:
    part = sizes[sizes > 0] / total
    return float(-(part * np.log(part)).sum())


def match_labels(labels: ArrayLike, like: ArrayLike) -> NDArray[np.int32]:
    """Rename the parts of one partition after those of another, with most elements in common.

    Parameters
    ----------
    labels, like : array_like of int, shape (n,)
        The partition to rename, and the partition whose names it gets.

    Returns
    -------
    ndarray of int32, shape (max(labels) + 1,)
        New name of every label: ``match_labels(a, b)[a]`` has the names of ``b``. No two parts
        get the same name; parts without a partner get names that `like` does not have.

    Notes
    -----
    The renaming leaves as many elements as possible with the name that they have in `like` (an
    assignment problem). Where the table of all pairs would be larger than :data:`MAX_DENSE`, pairs
    are taken greedily, the largest overlap first.

    Examples
    --------
    >>> match_labels([0, 0, 1, 1, 2], [4, 4, 0, 0, 0]).tolist()
    [4, 0, 5]
    """
    shared = _shared(labels, like)
    parts, names = shared.first_sizes.size, shared.second_sizes.size
    if parts * names <= MAX_DENSE:
        # Slow to import, slower than the rest of a page: only where it is used.
        from scipy.optimize import linear_sum_assignment

        table = np.zeros((parts, names), np.int64)
        table[shared.first, shared.second] = shared.both
        part, name = linear_sum_assignment(table, maximize=True)
        useful = table[part, name] > 0
        part, name = part[useful], name[useful]
    else:
        part, name = _greedily(shared)
    renamed = np.full(parts, -1, np.int32)
    renamed[part] = name
    alone = np.flatnonzero(renamed < 0)
    renamed[alone] = names + np.arange(alone.size)
    return renamed


def _greedily(shared: _Shared) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    taken_first = np.zeros(shared.first_sizes.size, np.bool_)
    taken_second = np.zeros(shared.second_sizes.size, np.bool_)
    chosen = []
    for i in np.argsort(-shared.both, kind="stable"):
        a, b = shared.first[i], shared.second[i]
        if not (taken_first[a] or taken_second[b]):
            taken_first[a] = taken_second[b] = True
            chosen.append(i)
    pairs = np.array(chosen, np.int64)
    return shared.first[pairs], shared.second[pairs]
