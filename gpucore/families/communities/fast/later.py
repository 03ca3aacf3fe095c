"""The stages after the first ones of a large graph in one launch.

The first stages of a large graph keep a GPU busy; the others take it less time than the host needs
for their launches.  From a stage on that is small enough, the kernel that searches a whole small
graph (``kernels/louvain_fast_small.cu``) does all of them; the given graph's vertices move
afterwards, by launches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast import small
from gpucore.families.communities.fast.order import HUBS
from gpucore.families.communities.fast.small import search_bytes
from gpucore.families.communities.fast.small_log import log_stages

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
    """Return whether all stages from this one on may be one launch."""
    live = stage.n - stage.classes[0] if stage.classes else 0
    return (
        run.params.variant == "fast"
        and bool(run.stages)
        and stage.n <= MOST_VERTICES
        and stage.entries <= min(MOST_ENTRIES, MOST_OF_A_VERTEX * live)
        and not stage.classes[HUBS]
        and small.may_run(run, stage)
        and search_bytes(stage.n, stage.entries, run.device) <= run.device.free_memory()
    )


def finish(run: Run, stage: Stage, *, final: bool) -> tuple[list[Any], float] | None:
    """Run all stages from this one on; return their levels, and the modularity of the last.

    The stages are appended to the run's log. None if they need what one launch does not have.

    Parameters
    ----------
    run, stage
        The run, and the first of these stages, whose `loops` are known.
    final : bool
        Whether its threshold is `t_final`.
    """
    arguments = small.arguments(run, stage, later=True, final=final)
    found = small.launch(run, stage, arguments, alone=ALONE)
    if found is None:
        return None
    log_stages(run, found)
    return found.levels(run.device.xp), found.facts["reached"]
