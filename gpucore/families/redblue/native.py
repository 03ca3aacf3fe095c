"""Shared by the CPU methods for maximal matching: the choice of a neighbour, seeds, the result."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.matching.native import make_result
from gpucore.families.matching.outcome import weights_of_mates
from gpucore.families.redblue.colours import GENERATORS, SELECTS
from gpucore.families.redblue.record import redblue_record
from gpucore.params import is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import RawRecord, Record


def check_select(select: str) -> int:
    """Return native code's number of a selection, or raise ParameterError."""
    return _check_word("select", select, SELECTS)


def check_generator(generator: str) -> int:
    """Return native code's number of a generator of colours, or raise ParameterError."""
    return _check_word("generator", generator, GENERATORS)


def _check_word(name: str, word: str, known: tuple[str, ...]) -> int:
    if not isinstance(word, str) or word not in known:
        words = [f'"{one}"' for one in known]
        raise ParameterError(f"{name} must be {', '.join(words[:-1])} or {words[-1]}, not {word!r}")
    return known.index(word)


def check_seed(seed: int) -> int:
    """Return a seed of NumPy's default generator, or raise ParameterError."""
    if not is_whole(seed) or seed < 0:
        raise ParameterError(f"seed must be a whole number of at least 0, not {seed!r}")
    return int(seed)


def wrap(
    name: str,
    graph: Graph,
    mate: np.ndarray,
    seconds: float,
    params: dict[str, Any],
    figures: dict[str, Any] | None = None,
    raw: RawRecord | None = None,
    rounds: Sequence[Mapping[str, Any]] | None = None,
) -> MatchingResult:
    """Return the result of a run; see :func:`gpucore.families.matching.native.make_result`.

    `params` are the parameters of the result and contain ``threads``. `raw` and `rounds` are those
    of :func:`build_record`, if the run was recorded.
    """
    threads = int(params["threads"])
    result = make_result(name, graph, mate, seconds, threads=threads, figures=figures)
    result = dataclasses.replace(result, params=params)
    if raw is None or raw.level == "off":
        return result
    return dataclasses.replace(result, record=build_record(raw, graph, result, rounds))


def build_record(
    raw: RawRecord,
    graph: Graph,
    result: MatchingResult,
    rounds: Sequence[Mapping[str, Any]] | None = None,
) -> Record | None:
    """Make the record of a method; see :func:`gpucore.families.redblue.record.redblue_record`.

    Without `rounds` all is one round.
    """
    matched, n = 2 * result.cardinality, graph.num_vertices
    return redblue_record(
        raw,
        graph,
        algorithm=result.algorithm,
        params=result.params,
        device=result.device,
        rounds=rounds or [{"live": n, "matched": matched, "dead": n - matched}],
        mate=result.mate,
        weight_of_mate=weights_of_mates(graph, result.mate),
    )
