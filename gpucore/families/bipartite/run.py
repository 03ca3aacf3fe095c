"""Maximum cardinality matching of the rows of a matrix with its columns, on the GPU.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms for
bipartite graphs", Euro-Par 2013; the variant "fast" is ours.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.grid import blocks_for
from gpucore.errors import ParameterError
from gpucore.families.bipartite.certificate import certify_result
from gpucore.families.bipartite.fast import ENTRY_BYTES, PART, FastSearch, check_entries
from gpucore.families.bipartite.initial import match_initially
from gpucore.families.bipartite.initial_matching import (
    NAMES,
    Initial,
    check_given,
    check_initial,
    describe_initial,
)
from gpucore.families.bipartite.native import cheap_matching
from gpucore.families.bipartite.paper import PaperSearch
from gpucore.families.bipartite.record import bipartite_record
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.families.bipartite.state import Matrix, Run, put_on_device
from gpucore.families.bipartite.variants import VARIANTS
from gpucore.params import check_flag, check_threads, check_whole
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import Recorder

#: Bytes that a run needs beside the graph: for each row (mate, parent, freed, degree, queue), for
#: each column (mate, root, leaf, found, level, degree, queue, two frontiers), for each entry (its
#: share of the two frontiers).
BYTES_PER_ROW, BYTES_PER_COLUMN, BYTES_PER_ENTRY = 28, 64, 2 * ENTRY_BYTES / PART
FIXED_BYTES = 1 << 19

#: Warps with rows of their own in a record; further warps share these rows.
RECORDED_WARPS = 1 << 13


@dataclass(frozen=True, eq=False)
class BipartiteParams:
    """Parameters of bipartite matching.

    Attributes
    ----------
    variant : str
        "fast" (ours), or one of the paper's: apfb (search until all paths are found) or apsb
        (until the shortest are), gpubfs or gpubfs_wr (a tree stops growing at its first path), mt
        (as many threads as columns, `most_threads` at most, in all kernels) or ct (`blocks` times
        `threads_per_block` threads).
    initial : {"auto", "cheap", "cheap_serial", "karp_sipser", "short_first", "none"} or array_like
        The matching to begin with; an array has the column of each row, -1 for none.
        "cheap_serial" is the cheap matching of the methods on the processor, one column after the
        other: with it all methods begin with the same matching, as in section 4 of the paper. The
        processor computes it. "short_first" is cheap matching that begins with short lists.
        "auto" is that in "fast", and "cheap" in the paper's variants.
    threads_per_block, blocks : int
        Launch sizes of the paper's variants, see above.
    most_threads : int
        The paper's #threads, "the maximum number of threads of the architecture" (section 4), in
        whole blocks. The default exceeds any number of columns, as does the largest grid of
        today's GPUs; that of the paper's Tesla C2050 is 65,535 blocks, 16,776,960 threads.
    predecessor_check : bool
        Line 8 of the paper's algorithm 3. Without it walks on crossing paths may chase each other
        in circles (figure 1 of the paper); they are stopped after as many steps as there are rows
        and counted. For teaching.
    seed : int
        Seed of the initial matching: where cheap matching begins in each list, and the random
        choices of Karp-Sipser.
    """

    variant: str = "fast"
    initial: Initial = "auto"
    threads_per_block: int = 256
    blocks: int = 256
    most_threads: int = 1 << 31
    predecessor_check: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check_initial(self.initial, NAMES)
        check_threads(self.threads_per_block, (32, 64, 128, 256, 512, 1024))
        check_flag("predecessor_check", self.predecessor_check)
        if self.variant == "fast" and not self.predecessor_check:
            raise ParameterError(
                "predecessor_check is for the paper's variants; the paths of fast never cross"
            )
        check_whole("blocks", self.blocks, 1, 1 << 20)
        check_whole("most_threads", self.most_threads, 1, 1 << 31)
        check_whole("seed", self.seed, 0, (1 << 32) - 1)

    @property
    def start(self) -> Initial:
        """The initial matching that is meant."""
        if isinstance(self.initial, str) and self.initial == "auto":
            return "short_first" if self.variant == "fast" else "cheap"
        return self.initial


def run(graph: Graph, params: BipartiteParams, context: Context) -> BipartiteResult:
    """Match the rows of a matrix with its columns; see :func:`gpucore.run`.

    Returns
    -------
    BipartiteResult
        With a matching of maximum cardinality; which one depends on the schedule. Among its
        figures, ``phase_levels`` and ``phase_paths`` have a number for each phase, ``repairs``
        counts rows that FIXMATCHING unmatched, ``runaways`` walks that went in circles,
        ``grafted`` phases that kept their forest. The levels of "fast" are those at which all
        blocks met; between them each block runs levels alone, unless the run is recorded. A
        graft may reach free rows itself: such a phase has no level.
    """
    initial: Callable[[], np.ndarray] | None = None
    if not isinstance(params.start, str) and isinstance(graph, BipartiteGraph):
        given = check_given(graph, params.start)
        initial = partial(np.asarray, given)
    elif params.start == "cheap_serial":
        initial = partial(cheap_matching, graph)
    entries, shape = graph.num_edges, graph.shape if isinstance(graph, BipartiteGraph) else (0, 0)
    if params.variant == "fast":
        check_entries(entries)
    matrix = put_on_device(graph, context.device, scratch_bytes(shape, entries))
    warps = min(RECORDED_WARPS, blocks_for(max(shape), 32))
    recorder = context.recorder(warps=warps)
    return _result(graph, search(matrix, params, context.device, recorder, initial))


@dataclass(frozen=True)
class Searched:
    """A matrix with its maximum matching.

    Attributes
    ----------
    work : Run
        With the matching, on the device.
    begun : ndarray of int32, shape (rows,), or None
        The initial matching of a recorded run.
    seconds : float
    figures : dict
    """

    work: Run
    begun: np.ndarray | None
    seconds: float
    figures: dict[str, Any]


def scratch_bytes(shape: tuple[int, int], entries: int) -> int:
    """Return the bytes that a search needs beside the matrix."""
    lines = shape[0] * BYTES_PER_ROW + shape[1] * BYTES_PER_COLUMN
    return FIXED_BYTES + lines + int(entries * BYTES_PER_ENTRY)


def search(
    matrix: Matrix,
    params: BipartiteParams,
    device: Device,
    recorder: Recorder,
    initial: Callable[[], np.ndarray] | None,
) -> Searched:
    """Match a matrix that is in the device's memory.

    Parameters
    ----------
    initial : callable, optional
        Returns the matching to begin with, where the processor has it.
    """
    xp = device.xp
    with device.timer() as timer:
        start = device.moment()
        work = Run(
            device=device,
            recorder=recorder,
            params=params,
            matrix=matrix,
            row_match=xp.empty(max(1, matrix.rows), dtype=xp.int32),
            column_match=xp.empty(max(1, matrix.columns), dtype=xp.int32),
        )
        phases = FastSearch(work) if params.variant == "fast" else PaperSearch(work)
        device.report("initial matching")
        match_initially(work, None if initial is None else initial())
        ready = device.moment()
        begun, again = None, ready
        if recorder.args():  # the record's copy takes none of the time
            begun = np.array(device.to_host(work.row_match)[: matrix.rows])
            again = device.moment()
        if matrix.entries:
            phases.solve()
        else:
            work.begin_with(0)
    beginning = device.seconds_between(start, ready)
    return Searched(
        work,
        begun,
        seconds=timer.seconds - device.seconds_between(ready, again),
        figures={
            "cardinality": work.pairs,
            "initial_cardinality": work.steps[0]["cardinality"],
            "initial_seconds": beginning,
            **phases.figures,
        },
    )


def _result(graph: Graph, found: Searched) -> BipartiteResult:
    """Assemble the result of a run."""
    work, begun, figures = found.work, found.begun, found.figures
    params, device = work.params, work.device
    settings = {f.name: getattr(params, f.name) for f in dataclasses.fields(params)}
    settings |= describe_initial(params.start, int(figures["initial_cardinality"]))
    row_match = np.array(device.to_host(work.row_match)[: work.matrix.rows])
    column_match = np.array(device.to_host(work.column_match)[: work.matrix.columns])
    raw = work.recorder.collect()
    if raw.level != "off":
        figures["edges"] = int(raw.rows[:, :, 2].sum(dtype=np.int64))
    recorded = bipartite_record(
        raw,
        graph,
        algorithm="bipartite",
        params=settings,
        device=device.describe(),
        steps=work.steps,
        phases=work.phases,
        initial_row_match=row_match if begun is None else begun,
        row_match=row_match,
        column_match=column_match,
    )
    return BipartiteResult(
        algorithm="bipartite",
        device=device.describe(),
        seconds=found.seconds,
        figures={
            **figures,
            "phases": len(work.phases),
            "levels": sum(phase["levels"] for phase in work.phases),
            "launches": work.launches,
            "phase_levels": [phase["levels"] for phase in work.phases],
            "phase_paths": [phase["paths"] for phase in work.phases],
        },
        params=settings,
        record=recorded,
        row_match=row_match,
        column_match=column_match,
    )


ALGORITHM = Runner(
    name="bipartite",
    title="Bipartite matching",
    source="Euro-Par 2013, algorithms 1 to 4",
    params=BipartiteParams,
    variants=VARIANTS,
    records=True,
    run=run,
    certify=certify_result,
)
