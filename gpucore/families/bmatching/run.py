"""Half-approximate weighted b-matching by b-Suitor.

Source: Khan, Pothen, Patwary, Satish, Sundaram, Manne, Halappanavar, Dubey, "Efficient
approximation algorithms for weighted b-matching", SIAM J. Sci. Comput. 38(5), 2016; on GPUs: Naim
and Manne, "Scalable b-matching on GPUs" (2018), whose idea we follow: workers keep little
synchronisation by never redistributing work.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.bmatching import fast, lists
from gpucore.families.bmatching.capacity import capacities, describe_b
from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.outcome import Held, Task, make_result
from gpucore.families.bmatching.params import BMatchingParams
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.families.bmatching.variants import VARIANTS
from gpucore.families.matching import suitor
from gpucore.families.matching.outcome import put_on_device
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def run(graph: Graph, params: BMatchingParams, context: Context) -> BMatchingResult:
    """Find a b-matching of a graph; see :func:`gpucore.run`.

    Returns
    -------
    BMatchingResult
        The b-matching of the greedy algorithm that takes edges by descending (weight, larger end,
        smaller end) where both ends have room: the same for every variant, device and schedule.
        Its ``seconds`` are the time from the cleared to the final offers, the sorting of lists
        included. One mate everywhere is Suitor: without a record its own kernels run.
    """
    device, capacity = context.device, capacities(graph, params.b)
    small = _one_small_capacity(capacity) if params.variant == "fast" else 0
    if small == 1 and context.record == "off":
        return _by_suitor(graph, params, capacity, context)
    adjacency = put_on_device(graph, device, fast.scratch(small) if small else lists.SCRATCH)
    task = Task(adjacency, capacity, params, device)
    make_recorder = fast.make_recorder if small else lists.make_recorder
    recorder = make_recorder(task, context)
    if not len(adjacency.arrays[1]):
        held = Held.from_slots(0.0, np.empty(0, np.uint64), np.zeros(adjacency.n + 1, np.int64))
    elif small:
        held = fast.run_fast(task, small, recorder)
    else:
        held = lists.run_along_lists(task, recorder)
    return make_result(graph, task, recorder, held)


def _by_suitor(
    graph: Graph, params: BMatchingParams, capacity: np.ndarray, context: Context
) -> BMatchingResult:
    """Run Suitor, which is the case of one mate; a record needs this family's own events."""
    same = suitor.SuitorParams("fast", params.threads_per_block)
    found = suitor.run(graph, same, context)
    matched = found.mate >= 0
    figures = {"weight": found.weight, "cardinality": found.cardinality}
    return BMatchingResult(
        algorithm="bmatching",
        device=found.device,
        seconds=found.seconds,
        figures=figures,
        params=dataclasses.asdict(params) | {"b": describe_b(params.b)},
        capacity=capacity,
        starts=np.concatenate([[0], np.cumsum(matched, dtype=np.int64)]),
        mates=found.mate[matched],
    )


def _one_small_capacity(capacity: np.ndarray) -> int:
    """Return the capacity of all vertices if it is one from 1 to CASCADE, else 0."""
    if not len(capacity):
        return 0
    first = int(capacity[0])
    return first if 1 <= first <= fast.CASCADE and bool((capacity == first).all()) else 0


ALGORITHM = Runner(
    name="bmatching",
    title="b-Suitor",
    source="Khan et al., SIAM J. Sci. Comput. 38(5), 2016",
    params=BMatchingParams,
    variants=VARIANTS,
    records=True,
    run=run,
    certify=certify_result,
    ranks="ranks:RANKS",
)
