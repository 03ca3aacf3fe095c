"""The twelve puzzles of the playground, from a first map to a matching.

``kernels/NAME.cu`` is where a puzzle starts, ``kernels/NAME.solution.cu`` a solution. Every puzzle
asks for no race, no other finding, one result under all schedules, and the right one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

KERNELS = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Puzzle:
    """One puzzle.

    Attributes
    ----------
    name, title : str
        Name of its files, and display text.
    text, hint, reason : str
        What is wrong or wanted; a push in the right direction; why the solution is right.
    grid, block : str
        The launch, as on the command line.
    args : tuple of str
        The arguments, likewise.
    expected : mapping of int to ndarray
        Right contents of arrays after the run, by their number among the arrays.
    fails : tuple of str
        Goals that the start misses: "races", "findings", "results" (the same one under all
        schedules), "result" (the right one), or a measure.
    most : mapping of str to int
        Goals of measures: "sectors" of global memory, "bank_conflicts".
    """

    name: str
    title: str
    text: str
    hint: str
    reason: str
    grid: str
    block: str
    args: tuple[str, ...]
    expected: Mapping[int, np.ndarray]
    fails: tuple[str, ...]
    most: Mapping[str, int] = field(default_factory=dict)

    @property
    def start(self) -> str:
        """The code to change."""
        return (KERNELS / f"{self.name}.cu").read_text(encoding="utf-8")

    @property
    def solution(self) -> str:
        """Code that meets all goals."""
        return (KERNELS / f"{self.name}.solution.cu").read_text(encoding="utf-8")

    def as_json(self) -> dict[str, Any]:
        """Return what the page knows of the puzzle."""
        words = ("name", "title", "text", "hint", "reason", "grid", "block", "start", "solution")
        expected = {str(number): array.tolist() for number, array in self.expected.items()}
        return {
            **{word: getattr(self, word) for word in words},
            "args": list(self.args),
            "expected": expected,
            "most": dict(self.most),
        }


def _list(numbers: str) -> str:
    return f"list:int32:{numbers}"


# A graph of 16 vertices and 28 edges with the weights 1 to 28, as rows of neighbours. Its locally
# dominant matching is unique, for no two weights are equal.
_GRAPH = (
    _list("0,4,8,11,15,20,23,26,30,33,36,38,42,47,51,54,56"),
    _list(
        "1,2,13,15,0,2,3,4,0,1,3,1,2,4,11,1,3,5,7,11,4,6,13,5,7,14,4,6,8,12,7,9,12,8,10,12,9,11,"
        "3,4,10,12,7,8,9,11,13,0,5,12,14,6,13,15,0,14"
    ),
    _list(
        "17,23,14,18,17,24,28,15,23,24,1,28,1,20,25,15,20,2,5,16,2,4,19,4,8,13,5,8,11,3,11,12,22,"
        "12,10,6,10,7,25,16,7,27,3,22,6,27,9,14,19,9,26,13,26,21,18,21"
    ),
)
_MATES = np.array([2, 3, 0, 1, 5, 4, 7, 6, 9, 8, -1, 12, 11, 14, 13, -1])
_OFFERS = np.array(
    [5890, 7171, 5888, 7169, 517, 516, 2055, 2054, 3081, 3080, 0, 6924, 6923, 6670, 6669, 0]
)
_I = np.arange(1024)
_SHIFTED = np.maximum(_I[:50] - 1, 0)

PUZZLES = (
    Puzzle(
        "01-map",
        "Map",
        "Each thread adds 10 to one element. The second half of the result stays empty.",
        "In each of the two blocks, threadIdx.x counts from 0 to 31.",
        "A thread's number in the whole grid is blockIdx.x * blockDim.x + threadIdx.x. With "
        "threadIdx.x alone, all blocks work on the same elements.",
        "2",
        "32",
        ("iota:int32:64", "zeros:int32:64"),
        {1: _I[:64] + 10},
        ("result",),
    ),
    Puzzle(
        "02-guard",
        "Guard",
        "A launch has whole blocks, so it often has more threads than there are elements.",
        "Which threads have an element of their own?",
        "A GPU does not check an index: threads behind the end read and write what lies there. The "
        "comparison with n costs nearly nothing.",
        "2",
        "32",
        ("iota:int32:50", "zeros:int32:50", "50"),
        {1: 2 * _I[:50]},
        ("findings",),
    ),
    Puzzle(
        "03-stencil",
        "Stencil",
        "Each element becomes the sum of three. The result differs from schedule to schedule.",
        "While a thread reads x[i + 1], its right neighbour may have stored there already.",
        "Threads have no order, so a thread must not overwrite what another one still reads. "
        "Reading from one array and writing to another one needs no order.",
        "2",
        "32",
        ("iota:int32:64", "zeros:int32:64", "64"),
        {1: np.where((_I[:64] > 0) & (_I[:64] < 63), 3 * _I[:64], 0)},
        ("races", "results", "result"),
    ),
    Puzzle(
        "04-reduction",
        "Reduction",
        "64 threads add their number to one sum, and most of the numbers get lost.",
        "sum[0] += ... is a load, an addition and a store. Let half of the threads add pairs in "
        "shared memory, then a quarter, and so on.",
        "Between a thread's load and its store, others load the same old sum. In a tree, every "
        "element has one writer at each level, and barriers put the levels in order.",
        "1",
        "64",
        ("iota:int32:64", "zeros:int32:1"),
        {1: np.array([2016])},
        ("races", "results"),
    ),
    Puzzle(
        "05-barrier",
        "The missing barrier",
        "Prefix sums in shared memory, with a barrier after each step. One is not enough.",
        "Between reading sum[t - step] and storing sum[t], another thread may store what you read.",
        "A step reads and then writes the same array, so it needs a barrier between the two, and "
        "one before the next step reads. Two warps of a block have no order without them.",
        "1",
        "64",
        ("iota:int32:64", "zeros:int32:64"),
        {1: np.cumsum(_I[:64])},
        ("races", "results", "result"),
    ),
    Puzzle(
        "06-divergent",
        "The divergent barrier",
        "The barrier is there, but 14 threads never come to it.",
        "Put the condition around the accesses, not around the barrier.",
        "All threads of a block must come to a barrier, or none. On some GPUs this kernel seems to "
        "work, on others it hangs; the language leaves it undefined.",
        "1",
        "64",
        ("iota:int32:50", "zeros:int32:50", "50"),
        {1: _SHIFTED},
        ("findings",),
    ),
    Puzzle(
        "07-shuffle",
        "Warp shuffle",
        "Lanes of a warp read each other's registers. The mask names lanes that have returned.",
        "Let all 32 lanes take part. Which number does not change a sum?",
        "The mask of a shuffle names the lanes that come, and a value from a lane that does not "
        "come is undefined. Lanes without an element bring 0.",
        "1",
        "32",
        ("iota:int32:24", "zeros:int32:1", "24"),
        {1: np.array([276])},
        ("findings", "result"),
    ),
    Puzzle(
        "08-banks",
        "Bank conflicts",
        "The transposed matrix is right, but reading a column of the tile takes 32 passes.",
        "Word k of shared memory lies in bank k modulo 32. Make the rows longer by one element.",
        "With rows of 32 words, a column lies in a single bank, and the lanes wait for each other. "
        "With rows of 33, each element of a column has a bank of its own.",
        "1",
        "32,8",
        ("iota:int32:1024", "zeros:int32:1024"),
        {1: _I.reshape(32, 32).T.reshape(-1)},
        ("bank_conflicts",),
        {"bank_conflicts": 0},
    ),
    Puzzle(
        "09-coalescing",
        "Coalescing",
        "The result is right, but each request of a warp touches 32 sectors of 32 bytes.",
        "Which elements do the 32 lanes of a warp access at the same time?",
        "A warp's request fetches whole sectors. Lanes that access neighbouring elements share "
        "them: 4 sectors a request in place of 32, an eighth of the traffic.",
        "1",
        "64",
        ("iota:int32:1024", "zeros:int32:1024"),
        {1: _I + 10},
        ("sectors",),
        {"sectors": 256},
    ),
    Puzzle(
        "10-lock",
        "Atomics and a lock",
        "Taking the lock is atomic, yet the accesses to the balance are unordered.",
        "A lock must make visible what its last owner wrote. How does the lock get free again?",
        "An atomic alone orders nothing else. The fence after taking the lock and the one before "
        "its release put the accesses between them in order, and the release must be atomic, too.",
        "4",
        "32",
        ("zeros:int32:1", "zeros:int32:1"),
        {1: np.array([40])},
        ("races",),
    ),
    Puzzle(
        "11-suitor",
        "Suitor's compare-and-swap",
        "Two vertices may find the same partner at once; then one offer overwrites the other one.",
        "atomicCAS stores only if nothing has changed since you looked, and returns what it found. "
        "What if a better offer has come meanwhile?",
        "Looking and storing must be one step, or a worse offer can replace a better one and its "
        "owner is forgotten. A failed compare-and-swap returns the rival's offer to compare with.",
        "2",
        "8",
        (*_GRAPH, "zeros:int32:16"),
        {3: _OFFERS},
        ("races", "results"),
    ),
    Puzzle(
        "12-matching",
        "A matching in rounds",
        "Vertices match while others still choose. It is right under no schedule.",
        "A round has three parts: choose, compare, and agree on another round.",
        "A barrier after the choice lets all pointers of the round be read. The second one, which "
        "also asks whether any vertex goes on, lets no choice see mates of its own round.",
        "1",
        "16",
        (*_GRAPH, _list(",".join(["-1"] * 16))),
        {3: _MATES},
        ("races", "results", "result"),
    ),
)
