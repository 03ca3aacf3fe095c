"""Synthetic instances of stable marriage: the paper's two sets, and four for teaching and tests.

References
----------
.. [1] F. Manne, M. Naim, H. Lerring, M. Halappanavar, "On stable marriages and greedy matchings",
   CSC 2016, section 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.graph.generate.common import check_whole
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.preferences.random_lists import BYTES_PER_PAIR, draw_lists
from gpucore.rows import row_starts
from gpucore.seeds import generator
from gpucore.specification import generated

#: Most pairs of a generated instance; that of memory is always reached first.
MOST_PAIRS = 1 << 48


def easy(n: int, *, seed: int = 1, limits: Limits | None = None) -> Preferences:
    """Return the paper's easy instance [1]_: short lists at random.

    Every man draws a number eps between 0 and 1 and ranks (1 + eps) ln n different women, rounded,
    all equally likely; every woman ranks exactly the men that rank her, in random order. There are
    at most 2 n ln n proposals. With at least 5 million men, as in the paper, over 98 % get married;
    with 2,000 about 97 %.

    Parameters
    ----------
    n : int
        Number of men, and of women.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`. Drawing takes 16 bytes for each of 1.5 n ln n
        pairs.

    Examples
    --------
    >>> easy(1000)
    Preferences('easy', men=1000, women=1000, pairs=10374)
    """
    check_whole("n", n, 1)
    _check_size("easy", 2 * n, math.ceil(1.5 * n * math.log(n)), limits)
    rng = generator(seed)
    lengths = np.rint((1 + rng.random(n)) * math.log(n)).astype(np.int64)
    rows = draw_lists(np.minimum(lengths, n, out=lengths), n, _word(rng))
    return _finish("easy", {"n": n, "seed": seed}, (n, n), **rows._asdict())


def hard(n: int, *, seed: int = 1, limits: Limits | None = None) -> Preferences:
    """Return the paper's hard instance [1]_: all men have the same list, and so have all women.

    Everybody gets married, and the men consider n (n + 1) / 2 women in total. The two lists are
    random; they are stored as two vectors.

    Parameters
    ----------
    n : int
        Number of men, and of women.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> hard(1000)
    Preferences('hard', men=1000, women=1000, pairs=1000000, shared)
    """
    check_whole("n", n, 1)
    _check_size("hard", 2 * n, 0, limits)
    rng = generator(seed)
    order = rng.permutation(n).astype(np.int32)
    standing = rng.permutation(n).astype(np.int32) + np.int32(1)
    return _finish("hard", {"n": n, "seed": seed}, (n, n), order=order, standing=standing)


def classic(n: int, *, seed: int = 1, limits: Limits | None = None) -> Preferences:
    """Return complete lists, each in random order: the classical problem.

    The men make about n ln n proposals (Wilson 1972, in section 2 of [1]_).

    Parameters
    ----------
    n : int
        Number of men, and of women.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> classic(50)
    Preferences('classic', men=50, women=50, pairs=2500)
    """
    check_whole("n", n, 1)
    _check_size("classic", 2 * n, n * n, limits)
    rows = draw_lists(np.full(n, n), n, _word(generator(seed)))
    return _finish("classic", {"n": n, "seed": seed}, (n, n), **rows._asdict())


def cycles(n: int, length: int = 4, *, seed: int = 1, limits: Limits | None = None) -> Preferences:
    """Return cycles of couples in which the men's best choice is the women's worst.

    In a cycle of L men and L women man i lists the women i, i + 1, ... around the cycle, and each
    woman lists the same men in the opposite order: her last choice is the man who lists her first.
    A cycle has L stable marriages: for every k, all its men get their choice k, and all its women
    their choice L + 1 - k. L - 1 rotations lead from the first marriage, best for the men, to the
    last, best for the women. With lists of length L, this is the largest possible difference.

    Parameters
    ----------
    n : int
        Number of men, and of women; they are numbered at random.
    length : int
        L; the last cycle may be shorter.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> preferences = cycles(8, 4)
    >>> preferences
    Preferences('cycles', men=8, women=8, pairs=32)
    >>> preferences.her_rank[:4].tolist()
    [4, 3, 2, 1]
    """
    check_whole("n", n, 1)
    check_whole("length", length, 1, n)
    _check_size("cycles", 2 * n, n * length, limits, 32)
    rng = generator(seed)
    man, number = rng.permutation(n), rng.permutation(n).astype(np.int32)
    start = man // length * length
    size = np.minimum(length, n - start)
    indptr = row_starts(size)
    shift = np.arange(indptr[-1]) - np.repeat(indptr[:-1], size)
    around = (np.repeat(man - start, size) + shift) % np.repeat(size, size)
    return _finish(
        "cycles",
        {"n": n, "length": length, "seed": seed},
        (n, n),
        indptr=indptr,
        women=number[np.repeat(start, size) + around],
        her_rank=(np.repeat(size, size) - shift).astype(np.int32),
    )


def hospitals(
    residents: int,
    hospitals: int,
    capacity: int = 3,
    length: int = 5,
    *,
    seed: int = 1,
    limits: Limits | None = None,
) -> Preferences:
    """Return residents (men) who apply to hospitals (women) that take several residents.

    Every resident ranks `length` different hospitals at random; every hospital ranks its applicants
    at random.

    Parameters
    ----------
    residents, hospitals : int
        Numbers of residents and hospitals.
    capacity : int
        Largest number of residents of a hospital.
    length : int
        Number of hospitals that a resident ranks.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> hospitals(20, 6)
    Preferences('hospitals', men=20, women=6, pairs=100, capacities)
    """
    check_whole("residents", residents, 1)
    check_whole("hospitals", hospitals, 1)
    check_whole("capacity", capacity, 1)
    check_whole("length", length, 1)
    if length > hospitals:
        raise GraphError(
            f"length must be between 1 and the {hospitals} hospitals that there are, not {length}"
        )
    _check_size("hospitals", residents + hospitals, residents * length, limits)
    rows = draw_lists(np.full(residents, length), hospitals, _word(generator(seed)))
    spec = {
        "residents": residents,
        "hospitals": hospitals,
        "capacity": capacity,
        "length": length,
        "seed": seed,
    }
    shape = (residents, hospitals)
    return _finish("hospitals", spec, shape, **rows._asdict(), woman_capacity=capacity)


def _check_size(
    kind: str, people: int, pairs: int, limits: Limits | None, each: int = BYTES_PER_PAIR
) -> None:
    """Raise GraphError if the sizes exceed the limits; `each` is bytes per pair.

    Places of lists are 64-bit numbers, so by default only the memory bounds the pairs.
    """
    (limits or Limits(max_entries=MOST_PAIRS)).check(kind, people, pairs, each)


def _word(rng: np.random.Generator) -> int:
    """Draw a seed for the native library."""
    return int(rng.integers(0, 2**64, dtype=np.uint64))


def _finish(
    kind: str, parameters: dict[str, Any], shape: tuple[int, int], **arrays: Any
) -> Preferences:
    """Make the instance and store how to rebuild it."""
    return Preferences.of_arrays(
        num_men=shape[0],
        num_women=shape[1],
        name=kind,
        source=generated(kind, parameters),
        **arrays,
    )


#: The generators by the names that specifications use ("easy:n=1000,seed=1").
PREFERENCE_GENERATORS: dict[str, Callable[..., Preferences]] = {
    "easy": easy,
    "hard": hard,
    "classic": classic,
    "cycles": cycles,
    "hospitals": hospitals,
}
