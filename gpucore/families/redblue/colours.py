"""Colours of vertices in red/blue matching: reproducible, and independent for each vertex.

In every round each live vertex is blue with probability p, else red. A colour is a hash of the
vertex and of the round's number: the first quarter of MD5, as in the paper, or Philox. The kernels
and the method on many threads compute the same bits; tests compare them with this module.

References
----------
.. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching", Facing
   the Multicore-Challenge II, 2012: section 3.1 (equations 1 and 2), section 3.2 (algorithm 4).
.. [2] R. Rivest, "The MD5 message-digest algorithm", RFC 1321, 1992.
.. [3] J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
   1, 2, 3", SC 2011.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import ParameterError
from gpucore.params import is_number, is_whole
from gpucore.seeds import generator

Words = NDArray[np.uint32]

#: Probability of blue that matches most vertices in a round (section 3.1).
BEST_P = 0.53406
#: Ways to select a neighbour; native code uses the index into this tuple.
SELECTS = ("weighted", "random", "first")
#: Generators of colours.
GENERATORS = ("md5", "philox")

#: Initial words of a hash, and the terms and rotations of its 16 steps (RFC 1321, 3.3 and 3.4).
_MD5_START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476)
_MD5_ADDED = tuple(math.floor(2**32 * abs(math.sin(i + 1))) for i in range(16))
_MD5_TURNS = (7, 12, 17, 22) * 4

#: Multipliers of a round of Philox4x32, and the increments of its keys.
_PHILOX_FACTORS = (0xD2511F53, 0xCD9E8D57)
_PHILOX_STEPS = (0x9E3779B9, 0xBB67AE85)
_PHILOX_ROUNDS = 10
_LOW = np.uint64(0xFFFFFFFF)


def first_round_fraction(p: float) -> float:
    """Return the expected share of vertices that the first round matches in a large random graph.

    Parameters
    ----------
    p : float
        Probability of blue, at least 0 and below 1.

    Raises
    ------
    ParameterError
        If `p` is not such a number.

    Notes
    -----
    Equation (2) of [1]_, for random selection; the number of edges does not matter.

    Examples
    --------
    >>> round(first_round_fraction(0.5), 4)
    0.6321
    """
    if not 0 <= p < 1:
        raise ParameterError(f"p must be at least 0 and below 1, not {p!r}")
    return 2 * (1 - p) * -math.expm1(-p / (1 - p))


def best_p() -> float:
    """Return the probability of blue for which the first round matches most.

    Notes
    -----
    It solves 1 - p = (2 - p) exp(-p / (1 - p)), where the derivative of equation (2) is 0.

    Examples
    --------
    >>> round(best_p(), 5), round(first_round_fraction(best_p()), 5)
    (0.53406, 0.63569)
    """
    from scipy.optimize import brentq

    def slope(p: float) -> float:
        return 1 - p - (2 - p) * math.exp(-p / (1 - p))

    return float(brentq(slope, 0.0, 0.9, xtol=1e-15))


def round_numbers(seed: int, count: int) -> Words:
    """Return the numbers of the first `count` rounds: uint32, odd, shape (count,).

    With an odd factor the multiples of a vertex's number in its hash never become 0.

    Raises
    ------
    GraphError
        If `seed` is not a whole number of at least 0.

    Examples
    --------
    >>> round_numbers(0, 3).tolist()
    [3653403231, 2735729615, 2195314465]
    """
    return generator(seed).integers(0, 2**32, count, dtype=np.uint32) | np.uint32(1)


def blue_limit(p: float) -> int:
    """Return the number below which a hash of 32 bits means blue.

    Raises
    ------
    ParameterError
        If `p` is not such a number.

    Examples
    --------
    >>> blue_limit(0.5) == 2**31
    True
    """
    if not (is_number(p) and 0 < p < 1):
        raise ParameterError(f"p must be a number above 0 and below 1, not {p!r}")
    return math.floor(float(p) * 4294967296.0)


def md5_colours(vertices: int | ArrayLike, r: int, p: float) -> NDArray[np.bool_]:
    """Colour vertices by the first quarter of MD5 (algorithm 4 of [1]_).

    Parameters
    ----------
    vertices : int or array_like of int, shape (k,)
        The vertices, or how many: 0 to ``vertices - 1``.
    r : int
        The round's number, of 32 bits.
    p : float
        Probability of blue, above 0 and below 1.

    Returns
    -------
    ndarray of bool, shape (k,)
        Whether each vertex is blue.

    Raises
    ------
    ParameterError

    Notes
    -----
    Vertex 0 hashes only zeros, so its colour never changes: red if `p` is below 0.2434. It is
    matched when a neighbour has the other colour, but then it is never blue.

    Examples
    --------
    >>> md5_colours(8, 2735729615, 0.53406).astype(int).tolist()
    [1, 0, 0, 1, 1, 1, 1, 0]
    """
    return md5_hashes(_vertices(vertices), r) < blue_limit(p)


def philox_colours(vertices: int | ArrayLike, r: int, p: float) -> NDArray[np.bool_]:
    """Colour vertices by Philox4x32-10 ([3]_); see :func:`md5_colours`.

    The counter is (vertex, 0, 0, 0), the key (r, 0), and the first word decides.

    Examples
    --------
    >>> philox_colours(8, 2735729615, 0.53406).astype(int).tolist()
    [0, 0, 0, 0, 0, 1, 1, 0]
    """
    key = (_round_number(r), 0)
    words = philox4x32((_vertices(vertices), *(np.zeros(1, np.uint32),) * 3), key)
    return words[0] < blue_limit(p)


def md5_hashes(vertices: Words, r: int) -> Words:
    """Return the sum of the four hash words of every vertex: uint32, shape (k,)."""
    value, factor = vertices.copy(), np.uint32(_round_number(r))
    a, b, c, d = (np.full(vertices.shape, word, np.uint32) for word in _MD5_START)
    for added, turn in zip(_MD5_ADDED, _MD5_TURNS, strict=True):
        mixed = a + ((b & c) | (~b & d)) + np.uint32(added) + value
        turned = (mixed << np.uint32(turn)) | (mixed >> np.uint32(32 - turn))
        a, b, c, d = d, b + turned, b, c
        value *= factor
    return a + b + c + d + np.uint32(sum(_MD5_START) & 0xFFFFFFFF)


def philox4x32(counter: tuple[Words, ...], key: tuple[int, int]) -> tuple[Words, ...]:
    """Return the four words of Philox4x32-10.

    Parameters
    ----------
    counter : tuple of four ndarray of uint32
        Arrays that can be broadcast to one shape.
    key : tuple of two int
        Of 32 bits each.

    Examples
    --------
    >>> zeros = (np.zeros(1, np.uint32),) * 4
    >>> [hex(word.item()) for word in philox4x32(zeros, (0, 0))]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    first, second, third, fourth = counter
    for step in range(_PHILOX_ROUNDS):
        keys = [
            np.uint32((word + step * grown) & 0xFFFFFFFF)
            for word, grown in zip(key, _PHILOX_STEPS, strict=True)
        ]
        high_0, low_0 = _product(first, _PHILOX_FACTORS[0])
        high_1, low_1 = _product(third, _PHILOX_FACTORS[1])
        first, second = high_1 ^ second ^ keys[0], low_1
        third, fourth = high_0 ^ fourth ^ keys[1], low_0
    return first, second, third, fourth


def _product(words: Words, factor: int) -> tuple[Words, Words]:
    """Return the upper and lower 32 bits of products of 64 bits."""
    product = words.astype(np.uint64) * np.uint64(factor)
    return (product >> np.uint64(32)).astype(np.uint32), (product & _LOW).astype(np.uint32)


def _vertices(vertices: int | ArrayLike) -> Words:
    given = np.asarray(vertices)
    if given.dtype.kind not in "iu" or given.ndim > 1:
        raise ParameterError("vertices must be a number of them, or a row of their numbers")
    if given.size and (given.min() < 0 or given.max() > 0xFFFFFFFF):
        raise ParameterError("vertices have numbers of 32 bits, from 0")
    return np.arange(int(given), dtype=np.uint32) if given.ndim == 0 else given.astype(np.uint32)


def _round_number(r: int) -> int:
    if not is_whole(r) or not 0 <= r <= 0xFFFFFFFF:
        raise ParameterError(f"a round's number has 32 bits, unlike {r!r}")
    return int(r)
