"""Shared by the CPU methods for maximal matching: checks, permuted vertices, the result."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.call import call
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Struct, csr
from gpucore.errors import ParameterError
from gpucore.families.matching.native import make_result
from gpucore.families.matching.outcome import weights_of_mates
from gpucore.families.redblue.colours import GENERATORS, SELECTS
from gpucore.families.redblue.record import in_graph_numbers, redblue_record
from gpucore.params import is_whole
from gpucore.problems.graph.numbering import permuted
from gpucore.record.record import about

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import RawRecord, Record
    from gpucore.runner import Context


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


class Turned:
    """A native run whose vertices may be numbered at random, and its result in given numbers.

    Parameters
    ----------
    graph : Graph
        The problem.
    params : dataclass
        Parameters of the run, with ``seed`` and ``permute``.

    Attributes
    ----------
    rows : tuple
        The graph that is matched, as the group ``graph`` of a task.
    mate : ndarray of int32, shape (n,)
        Where native code writes the mates.
    """

    def __init__(self, graph: Graph, params: Any) -> None:
        self._graph, self._params = graph, params
        self._other = permuted(graph, params.seed) if params.permute else None
        self.rows = csr(graph if self._other is None else self._other.graph)
        self.mate = np.empty(graph.num_vertices, np.int32)

    def call(self, name: str, task: Struct, context: Context, threads: int) -> None:
        """Call ``cpu_<name>``; raises Cancelled, DeviceError."""
        self._name, self._threads = name, threads
        self._called = call(
            name, task, self._graph, threads=threads, cancel=context.cancel, **context.recorded
        )

    def result(
        self, figures: dict[str, Any], rounds: Sequence[Mapping[str, Any]] | None = None
    ) -> MatchingResult:
        """Return the result of the call; `rounds` are those of :func:`build_record`."""
        seconds, raw = self._called
        mate = self.mate if self._other is None else self._other.given_mates(self.mate)
        result = make_result(
            self._name,
            self._graph,
            mate,
            seconds,
            device=describe_cpu(self._threads),
            params={**dataclasses.asdict(self._params), "threads": self._threads},
            figures=figures,
        )
        if raw is None:
            return result
        if self._other is not None:
            raw = in_graph_numbers(raw, self._other)
        return dataclasses.replace(result, record=build_record(raw, self._graph, result, rounds))


def build_record(
    raw: RawRecord,
    graph: Graph,
    result: MatchingResult,
    rounds: Sequence[Mapping[str, Any]] | None = None,
) -> Record | None:
    """Make the record of a run; see :func:`gpucore.families.redblue.record.redblue_record`.

    Without `rounds` all is one round.
    """
    matched, n = 2 * result.cardinality, graph.num_vertices
    return redblue_record(
        raw,
        graph,
        rounds=[{"live": n, "matched": matched, "dead": n - matched}] if rounds is None else rounds,
        mate=result.mate,
        weight_of_mate=weights_of_mates(graph, result.mate),
        **about(result),
    )
