"""What the variants of SGD compile; see :mod:`gpucore.compiles`.

A test on a GPU runs every variant and names the expressions that are missing here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.compiles import Compiles, Expression, Samples
from gpucore.families.sgd import batches, fast


def _set(samples: Samples) -> None:
    samples.int64[samples.int64] = samples.int64


def _columns(samples: Samples) -> None:
    """Write columns of a matrix, as the packed ratings are."""
    packed = samples.int32.reshape(-1, 4)
    packed[:, 0], packed[:, 1] = samples.int32[: len(packed)], samples.int64[: len(packed)]


#: The schedule of "fast" (``stripes``).
STRIPES: tuple[Expression, ...] = (
    lambda s: s.int32[s.int64],
    lambda s: s.int64[s.int64],
    lambda s: s.int64 % 2,
    lambda s: s.int32.astype(np.int64),
    lambda s: s.int64 * 2,
    lambda s: s.int64 * s.int64,
    lambda s: s.int64 + 1,
    lambda s: s.int64 + s.int64,
    lambda s: s.int64 - s.int64,
    lambda s: s.int64 - 1,
    lambda s: s.int64 // s.int64,
    lambda s: s.int64 // 2,
    lambda s: s.int64 << 1,
    lambda s: s.int64 >> 1,
    lambda s: s.int64 | s.int64,
    lambda s: s.int64 & 1,
    lambda s: s.int64 != s.int64,
    lambda s: s.int64 > 1,
    lambda s: s.int64 == 0,
    lambda s: s.xp.arange(2, dtype=np.int64),
    lambda s: s.xp.ones(2, bool),
    lambda s: s.xp.flatnonzero(s.bool),
    lambda s: s.xp.bincount(s.int64, weights=s.int64, minlength=8),
    lambda s: s.xp.searchsorted(s.int64, s.int64),
    lambda s: s.xp.maximum(s.int64, 2),
    lambda s: s.float64.astype(np.int64),
    lambda s: s.int64.copy(),
    lambda s: s.int64.astype(np.int32),
    lambda s: s.bool.astype(np.int64),
    lambda s: s.int64.reshape(1, 64, -1).max(axis=1),
    _set,
    _columns,
    lambda s: abs(s.float32),  # ``fast``: the largest component
)

#: Variants whose schedule is made of red/blue matchings.
MATCHED = ("el_sgm", "agm_e", "agm_n", "sgm")

OF_MATCHINGS = Compiles(("redblue_fast:redblue_fast",), (), ("sgd_rmse",), ("sgd_offline",))
OTHERS = Compiles((), (), ("sgd_rmse",), ())


def compiles(params: Any, recorded: bool) -> Compiles:
    """Return what a run compiles; most kernels that have constants are left to the run."""
    if params.variant == "fast":
        special = (fast.kernel_of(params),)
        return Compiles((), STRIPES, ("sgd_deal", "sgd_rmse"), (), special)
    if params.variant == "nl_batched":
        return Compiles((), (), ("sgd_rmse",), (), (batches.kernel_of(params),))
    return OF_MATCHINGS if params.variant in MATCHED else OTHERS
