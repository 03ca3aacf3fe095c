"""The stages after the first ones of a large graph in one launch.

The first stages of a large graph keep a GPU busy; the others take it less time than the host needs
for their launches.  From a stage on that is small enough, the kernel that searches a whole small
graph (``kernels/louvain_fast_small.cu``, ``kernels/leiden_small.cu``) does all of them; the given
graph's vertices move afterwards, by launches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.families.communities.fast import small
from gpucore.families.communities.fast.last import HEADER_SIZE
from gpucore.families.communities.fast.leiden import most_cycles
from gpucore.families.communities.fast.order import HUBS
from gpucore.families.communities.fast.small import search_bytes
from gpucore.families.communities.fast.small_log import WIDTH, Launched, log_stages
from gpucore.families.communities.fast.tail import Rest

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Run, Stage

#: Most vertices and entries of the first of these stages: one launch has no more memory than such a
#: graph needs.  Most entries of a vertex: where there are more, some vertices have many, and
#: launches that share these out are quicker.
MOST_VERTICES, MOST_ENTRIES, MOST_OF_A_VERTEX = 1 << 20, 1 << 22, 32
#: Vertices with edges, and entries, up to which one block does the rest: such a stage's lists are
#: short.
ALONE = (4096, 16_384)


def fits(run: Run, stage: Stage) -> bool:
    """Return whether all stages from this one on may be one launch.

    "leiden" takes launches where a second cycle may follow.
    """
    live = stage.n - stage.classes[0] if stage.classes else 0
    return (
        run.params.variant in small.KERNELS
        and bool(run.stages)
        and stage.n <= MOST_VERTICES
        and stage.entries <= min(MOST_ENTRIES, MOST_OF_A_VERTEX * live)
        and not stage.classes[HUBS]
        and (run.params.variant == "fast" or most_cycles(run) == 1)
        and small.may_run(run, stage)
        and search_bytes(stage.n, stage.entries, run.device) <= run.device.free_memory()
    )


def start(run: Run, stage: Stage, *, final: bool) -> Rest:
    """Run all stages of "fast" from this one on.

    Parameters
    ----------
    run, stage
        The run, and the first of these stages, whose `loops` are known.
    final : bool
        Whether its threshold is `t_final`.
    """
    arguments = small.arguments(run, stage, later=True, final=final)
    started = small.start(run, stage, arguments, alone=ALONE)

    def found() -> Launched:
        launched = started.read()
        assert launched is not None, "the launch has ended well"
        return launched

    def read() -> float | None:
        launched = started.read()
        return None if launched is None else launched.facts["reached"]

    return Rest(
        n=stage.n,
        maps=started.maps,
        last=started.maps[small.MOST_STAGES * stage.n :],
        orders=started.orders,
        log=started.log,
        rows=HEADER_SIZE + small.MOST_STAGES * WIDTH,
        alone=0,
        read=read,
        tail=lambda: found().tail,
        report=lambda: log_stages(run, found()),
    )
