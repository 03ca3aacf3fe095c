"""Certificate of communities whose graph is in a device's memory only.

The partition, its hierarchy and the number of communities are checked as in
:mod:`gpucore.families.communities.certificate`. The modularity is computed again where the rows
are, by array operations in blocks, from the weights as they are and in double precision. Levels are
not contracted again, and local optimality is not reported: both need memory for every entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.certify import Certificate, certificate
from gpucore.certify.pairs import chunk_of, rows_of
from gpucore.certify.reported import with_reported
from gpucore.families.communities.certificate import (
    MODULARITY_TOLERANCE,
    check_hierarchy,
    check_partition,
)
from gpucore.families.communities.native_proof import count_of

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.part import GraphPart

#: Bytes of temporaries for each entry of a block.
_BYTES = 48


def certify_part(part: GraphPart, result: CommunityResult, device: Device) -> Certificate:
    """Prove, or refute, that a partition is valid and has the modularity reported for it.

    Parameters
    ----------
    part : GraphPart
        All rows of the graph, in the device's memory.
    result : CommunityResult
        What a run reported.
    device : Device
        Where the rows are.

    Raises
    ------
    DeviceError
        The device has not enough memory.
    """
    community = np.asarray(result.community)
    checks = [check_partition(community, part.n)]
    if checks[-1].ok:
        checks.append(check_hierarchy(community.astype(np.int64), list(result.levels)))
    if not checks[-1].ok:
        return certificate(checks, {})
    resolution = float(result.params.get("resolution", 1.0))
    block = min(chunk_of(part.xp), max(part.entries, 1))
    need = 20 * part.n + 8 * (count_of(community)) + _BYTES * block
    device.require_memory(need, "the certificate of the communities")
    found, total = modularity_of_rows(part, community, resolution)
    figures: dict[str, float | int] = {
        "modularity": found,
        "communities": count_of(community),
        "levels": len(result.levels),
        "total_weight": total,
    }
    return with_reported(certificate(checks, figures), result, absolute=MODULARITY_TOLERANCE)


def modularity_of_rows(
    part: GraphPart, community: np.ndarray, resolution: float
) -> tuple[float, float]:
    """Return the modularity of a partition, and the sum of all weights, loops twice.

    Examples
    --------
    >>> from gpucore.problems.graph.graph import Graph
    >>> from gpucore.problems.graph.part import cut
    >>> (path,) = cut(Graph.from_edges(4, [0, 1, 2], [1, 2, 3]), 1)
    >>> modularity_of_rows(path, np.array([0, 0, 1, 1]), 1.0)
    (0.16666666666666663, 6.0)
    """
    xp, total = part.xp, part.entries
    block = chunk_of(xp)
    count = count_of(community)
    label = xp.asarray(community.astype(np.int32, copy=False))
    strength, inside = xp.zeros(part.n, np.float64), 0.0
    for begin in range(0, total, block):
        end = min(begin + block, total)
        rows = rows_of(part.indptr, begin, end, xp)
        columns = part.indices[begin:end]
        weights = part.weights[begin:end].astype(np.float64)
        weights[rows == columns] *= 2.0  # both ends of a loop are at its vertex
        inside += float(weights[label[rows] == label[columns]].sum())
        first, last = int(rows[0]), int(rows[-1])
        rows -= first
        strength[first : last + 1] += xp.bincount(rows, weights, minlength=last + 1 - first)
    two_m = float(strength.sum())
    if two_m == 0.0:
        return 0.0, 0.0
    totals = xp.bincount(label, strength, minlength=count)
    return inside / two_m - resolution * float(((totals / two_m) ** 2).sum()), two_m
