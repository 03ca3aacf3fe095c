"""Instructions per byte of the paper's two searches, by counting (section 4 of the paper).

The paper's profiler found 2.36 instructions per byte for proposing and 1.31 for responding, in the
random matching of ecology1, and concludes that memory limits both. No profiler is needed here. The
rounds of algorithm 3 are repeated in NumPy, with the kernels' colours and choices, and so is what
each warp does in them: its steps along the longest list of its lanes, and the pieces of 32 bytes
(sectors) of global memory that each of its reads and writes touches. :data:`INSTRUCTIONS` has the
instructions of each part of a kernel. Tests compare the steps with the kernels' own counters, the
sectors with the instrumented executor's, the instructions with the compiler's.

ecology1 is the matrix of a grid of 1000 by 1000 cells with four neighbours each; the same grid is
generated here, and its vertices are permuted as in the paper. The number of sectors is that of
a memory without caches; what a profiler counts behind a cache lies between it and the words alone.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.families.redblue.colours import BEST_P, blue_limit, md5_hashes, round_numbers
from gpucore.loading import load
from gpucore.problems.graph.numbering import permuted

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph

#: Cells along each side of the grid, on a GPU and where the host stands in for it.
SIDES = {"cuda": 1000, "host": 60}
LANES, SECTOR, BLOCK = 32, 32, 256
#: Kernels of the study, and the paper's instructions per byte.
PUBLISHED = {"redblue_propose": 2.36, "redblue_respond": 1.31}

LIVE, GONE = 0, 1
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Instructions:
    """Instructions of a kernel's parts in PTX, without recording.

    Attributes
    ----------
    start : int
        Up to the first read of a list's place: what every warp executes.
    once : int
        The rest outside of loops: of warps that search, once.
    step : int
        One step of the search for the first eligible neighbour.
    """

    start: int
    once: int
    step: int


#: Of NVRTC 13 for sm_90.
INSTRUCTIONS = {
    "redblue_propose": Instructions(26, 63, 19),
    "redblue_respond": Instructions(25, 64, 23),
}


@dataclass
class Work:
    """What a kernel does in all rounds.

    Attributes
    ----------
    warps, searching, steps : int
        Warps, those with a vertex that searches, and the steps that they take.
    edges : int
        Neighbours looked at.
    words, sectors : int
        Bytes that lanes ask for, and bytes of the sectors that warps touch.
    """

    warps: int = 0
    searching: int = 0
    steps: int = 0
    edges: int = 0
    words: int = 0
    sectors: int = 0

    def touch(self, who: Ints, places: Ints, size: int) -> None:
        """Count one request: lanes `who` read or write words of `size` bytes, by index."""
        self.words += size * who.size
        pieces = places * size // SECTOR
        width = int(pieces.max(initial=0)) + 1
        self.sectors += SECTOR * np.unique(who // LANES * width + pieces).size

    def touch_all(self, n: int, size: int) -> None:
        """Count the requests in which each of `n` lanes reads or writes its own word."""
        self.words += size * n
        whole, rest = divmod(n, LANES)
        self.sectors += SECTOR * (whole * size * LANES // SECTOR + -(-rest * size // SECTOR))


def on_device(device: Device) -> dict[str, Any]:
    """Return the study on a grid that suits a device, for its results file."""
    return {"intensity": study(device)}


def study(device: Device) -> dict[str, Any]:
    """Return the work of both searches on the grid, and their instructions per byte: JSON-able."""
    side = SIDES.get(device.name, SIDES["host"])
    graph = permuted(load(f"grid:rows={side},columns={side}"), 0).graph
    found = {}
    for kernel, work in count_work(graph)[0].items():
        cost = INSTRUCTIONS[kernel]
        issued = work.warps * cost.start + work.searching * cost.once + work.steps * cost.step
        found[kernel] = asdict(work) | {
            "instructions": LANES * issued,
            "per_byte": LANES * issued / work.sectors,
            "per_word_byte": LANES * issued / work.words,
        }
    return {"side": side, "kernels": found}


def count_work(graph: Graph, seed: int = 0) -> tuple[dict[str, Work], NDArray[np.int32]]:
    """Repeat algorithm 3 with the first eligible neighbour, and count.

    Parameters
    ----------
    graph : Graph
        Of n vertices, without loops.
    seed : int
        Seed of the rounds' numbers, as of the kernels.

    Returns
    -------
    work : dict of str to Work
        By kernel.
    mate : ndarray of int32, shape (n,)
        The matching, that of the kernels.
    """
    n = graph.num_vertices
    mate = np.full(n, -1, np.int32)
    work = {name: Work() for name in PUBLISHED}
    propose, respond = work.values()
    state = np.full(n, LIVE)
    numbers = iter(round_numbers(seed, 10_000).tolist())
    while (live := np.flatnonzero(state == LIVE)).size:
        hashes = md5_hashes(live.astype(np.uint32), next(numbers))
        is_blue = hashes < np.uint32(blue_limit(BEST_P))
        blue, red = live[is_blue], live[~is_blue]
        colour = np.full(n, -1)
        colour[blue], colour[red] = 0, 1
        for one in (propose, respond):
            one.warps += -(-n // BLOCK) * BLOCK // LANES
            one.touch_all(n, 1)
        asked, lonely = _search(graph, propose, blue, colour, 1, None)
        sigma = np.full(n, -1, np.int64)
        sigma[blue] = asked
        propose.touch_all(n, 4)
        answer, alone = _search(graph, respond, red, colour, 0, sigma)
        respond.touch(red, red, 4)
        ones, others = red[answer >= 0], answer[answer >= 0]
        mate[ones], mate[others] = others, ones
        for gone in (ones, others, blue[lonely], red[alone]):
            state[gone] = GONE
    return work, mate


def _search(
    graph: Graph, work: Work, who: Ints, colour: NDArray[Any], wanted: int, sigma: Ints | None
) -> tuple[Ints, NDArray[np.bool_]]:
    """Let each vertex walk its list up to the first eligible neighbour; count what that takes.

    A neighbour is eligible if it has the colour `wanted` and, with `sigma`, proposed to the vertex.
    Returns the neighbours, -1 for none, and which vertices have no live one.
    """
    begin, end = (graph.indptr[who + side].astype(np.int64) for side in (0, 1))
    work.searching += np.unique(who // LANES).size
    for side in (1, 0):
        work.touch(who, who + side, 8)
    found, lonely = np.full(who.size, -1, np.int64), np.ones(who.size, bool)
    left, k = np.flatnonzero(end > begin), 0
    while left.size:
        ones, place = who[left], begin[left] + k
        others = graph.indices[place].astype(np.int64)
        work.steps += np.unique(ones // LANES).size
        work.edges += left.size
        work.touch(ones, place, 4)
        work.touch(ones, others, 1)
        lonely[left[colour[others] >= 0]] = False
        fits = colour[others] == wanted
        if sigma is not None:
            work.touch(ones[fits], others[fits], 4)
            fits &= sigma[others] == ones
        work.touch(ones[fits], place[fits], 4)  # the weight, which the record shows
        found[left[fits]] = others[fits]
        k += 1
        left = left[~fits & (begin[left] + k < end[left])]
    return found, lonely
