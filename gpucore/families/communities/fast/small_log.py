"""The log of a search in one launch: what the host reads once, and what it reports of it.

``kernels/louvain_fast_small_state.cuh`` has the places of the numbers.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.last import COLUMNS, HEADER_SIZE, log_rows
from gpucore.families.communities.fast.tail import Tail
from gpucore.families.communities.fast.workspace import TALLIES, TALLY_STRIDE, Pieces
from gpucore.families.communities.reports import StageReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gpucore.device import Device
    from gpucore.families.communities.stage import Run

#: Words of 8 bytes of what the blocks add up in a stage.
FACT_WORDS = constant("louvain_fast_small_state.cuh", "FACT_WORDS")
#: How many numbers a stage of all blocks has.
WIDTH = len(COLUMNS) + 5
#: Place of the modularity of each copy; most copies, and most cycles.
OF_COPIES, MOST_COPIES = 16, constant("louvain_fast_small_state.cuh", "MOST_COPIES")
MOST_CYCLES = constant("louvain_fast_small_state.cuh", "MOST_CYCLES")
#: Place of the end of a stage in its row.
END_TIME = len(COLUMNS) + 3


def memory_of(
    device: Device, steps: int, numbers: int, far: int, maps: int, orders: int, refined: int
) -> Pieces:
    """Return the memory of a launch, as ``louvain_fast_small_state.cuh`` says.

    What the blocks share, for so many steps, and a log of so many numbers: both are zero; then
    `far` bytes, and the arrays of integers that the host reads.
    """
    tallies = TALLIES * TALLY_STRIDE
    words = steps * FACT_WORDS + tallies + tallies // 2 + 3 + 2 * MOST_CYCLES * MOST_COPIES
    others = ((np.int32, count) for count in (maps, orders, refined))
    return Pieces(device, 2, (np.uint64, words), (np.float64, numbers), (np.uint8, far), *others)


@contextmanager
def clock_of(device: Device) -> Iterator[Callable[[dict[str, float]], float]]:
    """Return what finds the seconds of a unit of a launch's times, from its log's first numbers.

    A GPU counts nanoseconds, the host executor its own steps.
    """
    if device.name == "cuda":
        yield lambda facts: 1e-9
        return
    with device.timer() as timer:
        yield lambda facts: timer.seconds / max(1.0, facts["ended"] - facts["began"])


class Launched(NamedTuple):
    """What a launch found.

    Attributes
    ----------
    facts : dict
        The first numbers of the log, by :data:`HEADER`.
    log : array of float64
        The whole log.
    copies : int
        Copies of the graph.
    scale : float
        From the kernel's times to seconds.
    maps, orders : array of int32
        What :attr:`tail` reads.
    refined : array of int32, shape (n,)
        Communities of single vertices, if these have moved.
    most_stages : int
        Rows that the log has for stages that all blocks shared.
    """

    facts: dict[str, float]
    log: np.ndarray
    copies: int
    scale: float
    maps: Any
    orders: Any
    refined: Any
    most_stages: int

    @property
    def rows(self) -> np.ndarray:
        """Stages that all blocks shared: shape (stages, columns)."""
        shared = self.log[HEADER_SIZE : HEADER_SIZE + self.most_stages * WIDTH]
        return shared.reshape(-1, WIDTH)[: int(self.facts["stages"])]

    @property
    def last(self) -> np.ndarray:
        """Stages of one block, with modularity of a copy: shape (stages, columns)."""
        alone = self.log[HEADER_SIZE + self.most_stages * WIDTH :].reshape(-1, len(COLUMNS))
        return alone[: int(self.facts["rows"])] / ([1.0] * (len(COLUMNS) - 1) + [self.copies])

    @property
    def tail(self) -> Tail:
        """The levels, as the launch left them."""
        n, facts = len(self.refined), self.facts
        sizes = self.rows[: int(facts["known"]), 0].astype(int).tolist()
        return Tail(
            n=n,
            sizes=sizes,
            maps=self.maps,
            joined=self.last[: int(facts["contractions"])],
            last=self.maps[self.most_stages * n :],
            alone=int(facts["alone"]),
            order=self.orders[n:] if sizes else self.orders,
        )


def of_copies(run: Run, log: np.ndarray) -> list[float]:
    """Return the modularity of each copy's communities."""
    return list(log[OF_COPIES : OF_COPIES + run.copies].tolist())


def report_of(row: np.ndarray, scale: float, **more: bool) -> StageReport:
    """Return a row of the log as a report; `scale` makes seconds of its times."""
    vertices, entries, sweeps, communities, modularity, threshold, *times, _ = row.tolist()
    begin, swept, end = (scale * time for time in times)
    return StageReport(
        vertices=int(vertices),
        entries=int(entries),
        sweeps=int(sweeps),
        threshold=threshold,
        modularity=modularity,
        communities=int(communities),
        optimise_seconds=swept - begin,
        contract_seconds=end - swept,
        one_launch=True,
        **more,
    )


def log_stages(run: Run, found: Launched) -> float:
    """Append the stages to the run's log; return when they ended, by the kernel's clock.

    The launch's time is divided as that clock says.
    """
    facts, scale = found.facts, found.scale
    run.stages += [report_of(row, scale) for row in found.rows]
    before = float(found.rows[-1, END_TIME]) if len(found.rows) else facts["began"]
    after = facts["ended_last"] or before
    if len(found.last):
        log_rows(run, found.last, int(facts["alone"]), run.params.t_final, scale * (after - before))
    return after
