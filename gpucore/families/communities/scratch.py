"""Memory that a run needs beside the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.families.communities.fast.batches import ENTRY_BYTES, table_needed
from gpucore.families.communities.fast.tables import FAR_WORDS
from gpucore.families.communities.stage import TABLE_SHARE

if TYPE_CHECKING:
    from gpucore.device import Device

#: For each vertex: "fast" and "leiden", of the first stage order, community, strength, total,
#: new community and whether it rests; of the second the same, its list's start, and what
#: contraction needs.  The paper's: k, C, a, sizes, newComm, the copy for undoing a sweep, order,
#: contraction.
VERTEX_BYTES = {"fast": 114, "leiden": 162, "buckets": 120, "relaxed": 120, "node_centred": 120}
#: Contracted graphs of at most the given one's entries that exist at a time: "fast", a stage's and
#: the next one's; "leiden", one more while the last communities are divided.
GRAPHS = {"fast": 2, "leiden": 3}
#: The paper's variants, for each entry: contracted lists before and after packing; "node_centred":
#: its source, and two slots more.
PAPER_ENTRY_BYTES = {"buckets": 36, "relaxed": 36, "node_centred": 60}
#: Vertices of more edges have hash tables in global memory.
SHARED_DEGREE = 1536


def scratch_bytes(variant: str, n: int, entries: int, device: Device) -> int:
    """Return the bytes that a run needs beside the graph, at most.

    Parameters
    ----------
    variant : str
        Of :data:`gpucore.families.communities.variants.VARIANTS`.
    n, entries : int
        Vertices of the graph, and entries of its lists.
    device : Device
        Where it runs; hash tables take a fraction of its memory at most.
    """
    vertices = VERTEX_BYTES[variant] * n
    if variant in PAPER_ENTRY_BYTES:
        return vertices + PAPER_ENTRY_BYTES[variant] * entries
    graphs = GRAPHS[variant] * ENTRY_BYTES * entries
    return vertices + graphs + table_needed(n, entries) + hub_tables(n, entries, device)


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
