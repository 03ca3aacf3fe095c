"""What the CPU methods for maximal matching share: the choice of a neighbour, seeds, the result."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify.maximal import certify_result
from gpucore.cpu._matching import make_result
from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.graph import Graph
    from gpucore.result import MatchingResult

#: How a vertex selects a neighbour.
SELECT = ("weighted", "random")


def check_select(select: str) -> bool:
    """Return whether vertices select the heaviest edge, or raise ParameterError."""
    if not isinstance(select, str) or select not in SELECT:
        raise ParameterError(f'select must be "weighted" or "random", not {select!r}')
    return select == "weighted"


def check_seed(seed: int) -> int:
    """Return a seed of NumPy's default generator, or raise ParameterError."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"seed must be a whole number of at least 0, not {seed!r}")
    return int(seed)


def wrap(
    name: str,
    graph: Graph,
    mate: np.ndarray,
    seconds: float,
    params: dict[str, Any],
    figures: dict[str, Any] | None = None,
) -> MatchingResult:
    """Return the result of a run; see :func:`gpucore.cpu._matching.make_result`.

    Its parameters are `params`, among them ``threads``.
    """
    threads = int(params["threads"])
    result = make_result(name, graph, mate, seconds, threads=threads, figures=figures)
    return dataclasses.replace(result, params=params)


def certify(graph: Graph, result: MatchingResult) -> Certificate:
    """Certify that a result is maximal; see :mod:`gpucore.certify.maximal`."""
    return certify_result(graph, result)
