"""The log of a search in one launch: what the host reads once, and what it reports of it.

``kernels/louvain_fast_small_state.cuh`` has the places of the numbers.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.last import COLUMNS, levels_of, log_rows
from gpucore.families.communities.fast.workspace import TALLIES, TALLY_STRIDE
from gpucore.families.communities.reports import StageReport

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gpucore.device import Device
    from gpucore.families.communities.stage import Run

#: Words of 8 bytes of what the blocks add up in a stage.
FACT_WORDS = constant("louvain_fast_small_state.cuh", "FACT_WORDS")
#: The log's first numbers, and how many a stage has.
HEADER = (
    "outcome", "stages", "rows", "contractions", "alone", "reached", "known", "final",
    "communities", "sweeps", "moves", "began", "ended_last", "ended", "two_m",
)  # fmt: skip
HEADER_SIZE, WIDTH = 32, len(COLUMNS) + 5
#: Place of the modularity of each copy; most copies.
OF_COPIES, MOST_COPIES = 16, constant("louvain_fast_small_state.cuh", "MOST_COPIES")
#: Place of the end of a stage in its row.
END_TIME = len(COLUMNS) + 3


def zeros_of(device: Device, steps: int, numbers: int) -> tuple[Any, Any]:
    """Return what the blocks share, for so many steps, and a log of so many numbers.

    All are zero; see ``louvain_fast_small_state.cuh``.
    """
    tallies = TALLIES * TALLY_STRIDE
    words = steps * FACT_WORDS + tallies + tallies // 2 + 3 + 2 * MOST_COPIES
    zeros = device.xp.zeros(words + numbers, np.uint64)
    return zeros, zeros[words:].view(np.float64)


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
        What :meth:`levels` reads.
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

    def levels(self, xp: Any) -> list[Any]:
        """Return the vertex of the next stage for every vertex of a stage, arrays of int32.

        They take a dozen operations of a device, and few runs need them: after refinement the
        communities are the result.
        """
        n = len(self.refined)
        known = self.rows[: int(self.facts["known"])]
        levels = [self.maps[k * n :][: int(row[0])] for k, row in enumerate(known)]
        joined, single = self.last[: int(self.facts["contractions"])], int(self.facts["alone"])
        if not len(joined):
            return levels
        order = self.orders[n:] if levels else self.orders
        order = order[: single + int(joined[0, 0])]
        return levels + levels_of(xp, self.maps[self.most_stages * n :], joined, single, order)


def facts_of(log: np.ndarray) -> dict[str, float]:
    """Return the first numbers of a log, by :data:`HEADER`."""
    return dict(zip(HEADER, log[: len(HEADER)].tolist(), strict=True))


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
