"""What the variants of the Louvain method compile; see :mod:`gpucore.compiles`.

A test on a GPU runs every variant and names the expressions that are missing here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpucore.compiles import Compiles, Expression, Samples
from gpucore.families.communities.variants import TUNED


def _set(samples: Samples) -> None:
    samples.int32[samples.int32] = samples.int32


def _set_keys(samples: Samples) -> None:
    """Write "empty" into the keys of hash tables."""
    samples.uint32.reshape(2, 2, -1)[:, 0] = 0xFFFFFFFF


#: Of all variants.
COMMON: tuple[Expression, ...] = (lambda s: s.xp.arange(2, dtype=np.int32),)

#: Of ``fast/``.
TABLES: tuple[Expression, ...] = (
    *COMMON,
    _set_keys,
    lambda s: s.int32[:1].fill(2),
    _set,
    lambda s: s.int32[s.int32],
)
FAST: tuple[Expression, ...] = (
    *TABLES,
    lambda s: s.xp.concatenate([s.int32, s.int32]),
    lambda s: s.uint64.copy(),
)
LEIDEN: tuple[Expression, ...] = (*TABLES, lambda s: s.int32.copy(), lambda s: s.uint64.copy())
#: Of ``paper/``.
NODE_CENTRED: tuple[Expression, ...] = (
    *COMMON,
    lambda s: s.uint64.copy(),
    lambda s: s.int32.copy(),
    lambda s: s.int64[1:] - s.int64[:-1],
    lambda s: s.int32.astype(np.int64),
    lambda s: s.xp.ones(2, dtype=np.int32),
    lambda s: s.int64.copy(),
    lambda s: s.xp.arange(2, dtype=np.int64),
    lambda s: s.xp.searchsorted(s.int64, s.int64, side="right"),
    lambda s: s.int64 - 1,
    lambda s: s.int64.astype(np.int32),
    lambda s: s.int32 > 0,
    lambda s: s.bool.astype(np.int64),
    lambda s: s.int64 > 0,
    lambda s: s.int64 <= 127,
    lambda s: s.bool & s.bool,
    lambda s: s.xp.flatnonzero(s.bool),
    lambda s: s.int64[s.int32],
    lambda s: s.int32[s.int64[::-1]],
    lambda s: s.int32[s.int64],
    lambda s: s.uint64[s.int64],
    lambda s: s.int32[s.int32],
)

#: ``paper/buckets``, and the hash tables of the largest degrees.
BUCKETS: tuple[Expression, ...] = (
    *NODE_CENTRED,
    lambda s: s.xp.bincount(s.int64, weights=s.int64, minlength=8),
    lambda s: -s.int64,
    lambda s: s.int64[0] - s.int64[1],
)


#: Of starts side by side.
COPIES_SMALL = ("louvain_copies:copies_make copies_sums",)
#: Of a reproducible run.
IN_ORDER = ("louvain_fast:fast_place_in_order",)

#: Kernels that small graphs need in runs without a record, with and without hubs; those first that
#: take longest to compile, and those last that a run needs last.
LONGEST = ("louvain_fast:fast_phase", "louvain_fast_contract:fast_contract")
SMALL = (
    "louvain_state:louvain_strength louvain_squares",
    "louvain_fast:fast_count fast_place",
    "louvain_fast_contract:fast_pairs_block",
    "louvain_fast_contract:fast_pairs_warp",
    "louvain_fast_contract:fast_pairs_lanes fast_used",
    "louvain_fast_contract:fast_number fast_rows fast_loops",
    "louvain_fast_contract:fast_parts fast_map fast_clear fast_edges",
    "louvain_fast_refine:fast_inside fast_compose fast_begin",
)
LEIDEN_LONGEST = (
    "leiden:leiden_rounds",
    "leiden:leiden_join_block",
    "leiden:leiden_join_warp",
    "leiden:leiden_join_lanes",
)
LEIDEN_SMALL = (
    "leiden:leiden_modularity leiden_totals",
    "leiden:leiden_hook leiden_root leiden_carry",
)

#: Of a variant of ``paper/`` that is not in `OWN`.
PAPER = Compiles((), BUCKETS, ("louvain_state",), ("louvain", "louvain_contract"))
OWN: dict[str, Compiles] = {
    "fast": Compiles(
        (*LONGEST, "louvain_fast_last:fast_last", *SMALL, "louvain_fast_small:fast_small"),
        FAST,
        ("louvain_fast_refine",),
        ("louvain_fast", "louvain_fast_contract"),
    ),
    "leiden": Compiles(
        (*LONGEST, *LEIDEN_LONGEST, *SMALL, *LEIDEN_SMALL, "leiden_small:leiden_small"),
        LEIDEN,
        ("louvain_fast_refine",),
        ("louvain_fast", "leiden", "louvain_fast_contract"),
    ),
    "node_centred": Compiles(
        (), NODE_CENTRED, ("louvain_state",), ("louvain_node", "louvain_contract")
    ),
}


def compiles(params: Any, recorded: bool) -> Compiles:
    """Return what a run compiles."""
    needs = OWN.get(params.variant, PAPER)
    if params.deterministic and params.variant in TUNED:
        needs = replace(needs, first=(*needs.first, *IN_ORDER))
    elif params.variant in TUNED and not recorded:
        needs = replace(needs, first=(*needs.first, *COPIES_SMALL))
    return replace(needs, first=()) if recorded else needs
