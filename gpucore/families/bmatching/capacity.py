"""The parameter b: how many mates a vertex may have, constant, by degree, or given for each vertex.

``b(v) = 0`` is allowed, and so is a ``b(v)`` above the degree, which no mates can reach.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import ParameterError
from gpucore.params import is_whole

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: The b of all algorithms and methods, unless another is given.
DEFAULT_B = 3

#: Largest number of mates that may be asked for.
MAX_B = 2**31 - 1

_FORMULA = re.compile(r"degree(?:/([1-9][0-9]{0,9}))?")
_FORMS = (
    f'an integer from 0 to {MAX_B}, "degree", "degree/K" with a whole number K from 1 to {MAX_B}, '
    "or a whole number for each vertex"
)


def check_b(b: Any) -> int | str | NDArray[np.int32]:
    """Return a valid b, or raise ParameterError.

    Parameters
    ----------
    b : int, str, or sequence of int
        A number; "degree" or "degree/K", the degree divided by K and rounded down; or a number for
        each vertex.

    Returns
    -------
    int, str, or ndarray of int32, shape (n,)
        The array is read-only; it shares memory with a `b` that is an int32 array.

    Examples
    --------
    >>> check_b(3), check_b("degree/2"), check_b([1, 0, 2]).dtype
    (3, 'degree/2', dtype('int32'))
    >>> check_b(-1)
    Traceback (most recent call last):
    gpucore.errors.ParameterError: b is -1; use an integer from 0 to 2147483647, "degree", \
"degree/K" with a whole number K from 1 to 2147483647, or a whole number for each vertex
    """
    if is_whole(b):
        if 0 <= b <= MAX_B:
            return int(b)
    elif isinstance(b, str):
        if _divisor(b) is not None:
            return b
    elif isinstance(b, np.ndarray) or (isinstance(b, Sequence) and not isinstance(b, bytes)):
        return _check_array(b)
    raise ParameterError(f"b is {_short(b)}; use {_FORMS}")


def _divisor(formula: str) -> int | None:
    """Return K of "degree/K", 1 of "degree", and None of any other text."""
    found = _FORMULA.fullmatch(formula)
    divisor = int(found[1] or 1) if found else 0
    return divisor if 1 <= divisor <= MAX_B else None


def _check_array(b: Sequence[int] | NDArray[Any]) -> NDArray[np.int32]:
    try:
        values = np.asarray(b)
    except (ValueError, OverflowError):  # lists of different lengths
        raise ParameterError("b is no list of numbers; give one whole number a vertex") from None
    if values.ndim != 1:
        raise ParameterError(
            f"b has the shape {values.shape}; give one whole number a vertex, of the shape (n,)"
        )
    if not values.size:
        values = values.astype(np.int32)
    if values.dtype.kind not in "iu":
        raise ParameterError(
            f"b has values of the type {values.dtype}; give whole numbers from 0 to {MAX_B}"
        )
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    if low < 0 or high > MAX_B:
        wrong = int(np.flatnonzero((values < 0) | (values > MAX_B))[0])
        raise ParameterError(
            f"b of vertex {wrong} is {values[wrong]}; give whole numbers from 0 to {MAX_B}"
        )
    checked = values.astype(np.int32, copy=False).view()
    checked.flags.writeable = False
    return checked


def capacities(graph: Graph, b: Any) -> NDArray[np.int32]:
    """Return how many mates each vertex of a graph may have.

    Parameters
    ----------
    graph : Graph
        The graph.
    b : int, str, or sequence of int
        See :func:`check_b`.

    Returns
    -------
    ndarray of int32, shape (n,)
        As asked for: it may be above the degree.

    Raises
    ------
    ParameterError
        `b` is not valid, or has not a number for each vertex.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> star = Graph.from_edges(4, [0, 0, 0], [1, 2, 3])
    >>> capacities(star, "degree/2").tolist(), capacities(star, 2).tolist()
    ([1, 0, 0, 0], [2, 2, 2, 2])
    """
    return capacities_of_degrees(graph.degrees, b, graph.num_vertices)


def capacities_of_degrees(
    degrees: NDArray[Any], b: Any, n: int, first: int = 0
) -> NDArray[np.int32]:
    """Return how many mates consecutive vertices of a graph may have.

    Parameters
    ----------
    degrees : ndarray of int, shape (count,)
        Of the vertices `first` to `first` + count - 1.
    b : int, str, or sequence of int
        See :func:`check_b`; a sequence has a number for each vertex of the graph.
    n : int
        Vertices of the graph.

    Returns
    -------
    ndarray of int32, shape (count,)
    """
    checked = check_b(b)
    if isinstance(checked, int):
        return np.full(len(degrees), checked, np.int32)
    if isinstance(checked, str):
        return (degrees // (_divisor(checked) or 1)).astype(np.int32)
    if len(checked) != n:
        raise ParameterError(
            f"b has {len(checked)} numbers, but the graph has {n} vertices; "
            "give one whole number a vertex"
        )
    return checked[first : first + len(degrees)]


def describe_b(b: Any) -> int | str:
    """Return a JSON-able form of b for the parameters of a result; an array becomes "given".

    Examples
    --------
    >>> describe_b(3), describe_b("degree"), describe_b([1, 2])
    (3, 'degree', 'given')
    """
    checked = check_b(b)
    return checked if isinstance(checked, int | str) else "given"


def read_b(text: str) -> int | str | NDArray[np.int32]:
    """Return the b that a text of the command line means: a number, a formula, or a file's numbers.

    Only the command line may call this, since it opens the file.

    Parameters
    ----------
    text : str
        Anything that :func:`check_b` takes as a text, or the name of a file; see
        :func:`gpucore.io.numbers.read_numbers`.

    Raises
    ------
    ParameterError
        There is no such file, or it does not hold a whole number for each vertex.

    Examples
    --------
    >>> read_b("degree/2"), read_b("3")
    ('degree/2', 3)
    """
    from gpucore.io.numbers import exists, read_numbers

    if re.fullmatch(r"[0-9]{1,10}", text):
        return check_b(int(text))
    if _divisor(text) is not None:
        return text
    if not exists(text):
        raise ParameterError(f"b is {_short(text)}, which is no file; use {_FORMS}, from a file")
    return check_b(read_numbers(text, "one whole number a vertex"))


def _short(value: Any) -> str:
    """Return a text that shows a value, cut if it is long."""
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "a very large integer"
    return text if len(text) <= 80 else f"{text[:77]}..."
