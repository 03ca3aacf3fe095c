"""The sweep of "nl_batched": a warp for each item, which has several users at a time.

Kernel: ``kernels/sgd_batched.cu``, which says how it works.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpucore.compiles import Special
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.work import Pass, Work

#: Numbers of the kernel: pairs of components that a lane asks for in a turn, and words of a row of
#: shared memory before the vector.
WORDS, HEAD = 8, 4
#: Warps of a multiprocessor. The item of most ratings bounds a sweep, whose updates follow one
#: another; more warps would only ask more often for the same users.
WARPS = 8
#: Warps of the host executor.
HOST_WARPS = 8
#: Ratings of an item that comes first, in mean loads of a warp.
LONG = 2


def users_in_a_turn(padded: int) -> int:
    """Return how many users a warp asks for at a time.

    Examples
    --------
    >>> users_in_a_turn(16), users_in_a_turn(128)
    (32, 4)
    """
    return min(32, 64 * WORDS // padded)


def in_order(degrees: NDArray[np.integer], warps: int, seed: int) -> NDArray[np.int32]:
    """Return the items in the order in which the warps take them.

    Items that would take a warp much longer than the others come first, by falling degree. The
    rest come in random order: by falling degree they would be learned in another order than at
    random, and on ratings in which popular items are alike the test error is a tenth larger.

    Examples
    --------
    >>> in_order(np.array([1, 2, 90, 1, 99]), 4, 0)[:2].tolist()
    [4, 2]
    """
    order = np.random.default_rng(seed).permutation(len(degrees))
    long = np.where(degrees > LONG * degrees.sum() / warps, degrees, 0)
    return order[np.argsort(-long[order], kind="stable")].astype(np.int32)


def kernel_of(params: SgdParams) -> Special:
    """Return the kernel that a GPU compiles for a run."""
    constants = (("LENGTH", params.padded), ("FLAGS", params.flags))
    return Special("sgd_batched", "sgd_node_batched", constants)


def node_locked_in_batches(work: Work) -> Callable[[int], None]:
    """NL in batches: a warp for each item, which locks several users at a time.

    The warps that run at the same time are the paper's T; they stay until no item is left.
    """
    device, padded = work.device, work.params.padded
    on_card = device.name == "cuda"
    most = WARPS * device.multiprocessors if on_card else HOST_WARPS
    warps = work.params.threads or most
    items = device.asarray(in_order(work.entries.degrees(), warps, work.params.order_seed))
    taken = device.xp.zeros(1, np.int32)
    special = kernel_of(work.params)
    # A GPU's kernel is compiled for what it runs with; the host has one for everything.
    constants = dict(special.constants) if on_card else {}
    shared = 4 * users_in_a_turn(padded) * (padded + HEAD)

    def sweep(number: int) -> None:
        taken.fill(0)
        args = [
            *(work.users, work.values),
            *work.vectors(),
            *work.rule(number),
            *(items, len(items), work.item_starts, taken),
            *(len(work.passes), *work.recorder.args()),
        ]
        kernel = work.recorder.kernel(special.source, special.kernel, **constants)
        kernel(warps, 32, args, shared_mem=shared)
        work.passes.append(Pass(number, "pass", 0))

    return sweep
