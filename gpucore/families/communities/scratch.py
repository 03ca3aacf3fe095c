"""Memory that a run needs beside the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.families.communities.fast import small
from gpucore.families.communities.fast.batches import ENTRY_BYTES, table_needed
from gpucore.families.communities.fast.tables import FAR_WORDS
from gpucore.families.communities.stage import TABLE_SHARE
from gpucore.families.communities.variants import VARIANTS

if TYPE_CHECKING:
    from gpucore.device import Device

#: Vertices of more edges have hash tables in global memory.
SHARED_DEGREE = 1536


def scratch_bytes(
    variant: str, n: int, entries: int, device: Device, *, deterministic: bool = False
) -> int:
    """Return the bytes that a run needs beside the graph, at most.

    Parameters
    ----------
    variant : str
        Of :data:`gpucore.families.communities.variants.VARIANTS`.
    n, entries : int
        Vertices of the graph, and entries of its lists.
    device : Device
        Where it runs; hash tables take a fraction of its memory at most.
    deterministic : bool
        Whether moves wait.
    """
    needs = next(one for one in VARIANTS if one.name == variant)
    vertices = (needs.vertex_bytes + (needs.waiting_bytes if deterministic else 0)) * n
    if not needs.tuned:
        return vertices + needs.entry_bytes * entries
    graphs = needs.graphs * ENTRY_BYTES * entries
    found = vertices + graphs + table_needed(n, entries) + hub_tables(n, entries, device)
    if variant in small.KERNELS and not deterministic and small.may_fit(n, entries):
        return max(found, small.search_bytes(n, entries, device))
    return found


def hub_tables(n: int, entries: int, device: Device) -> int:
    """Return the bytes of the hash tables of vertices with many edges, at most.

    A table has at most four slots for each vertex that there is; each vertex with many edges has
    one, or several share one where all would take more than a fraction of the memory.
    """
    hubs = entries // (SHARED_DEGREE + 1)
    if not hubs:
        return 0
    one = 4 * FAR_WORDS * 4 * min(n, entries)
    return max(one, min(hubs * one, device.total_memory() // TABLE_SHARE))
