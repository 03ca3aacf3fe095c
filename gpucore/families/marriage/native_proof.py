"""The native part of the certificate of a marriage, ``proof/marriage_proof.cpp``.

Only explicit lists are walked over natively; where all have one list the proof is short.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.native import Edges
from gpucore.certify.work import block_count, prove, require_memory
from gpucore.cpu.task import Arguments, Struct, arguments, struct

if TYPE_CHECKING:
    from gpucore.families.marriage.blocking import Held
    from gpucore.problems.preferences.preferences import Preferences

#: Larger than every rank and person as one number.
NO_PERSON = np.iinfo(np.int64).max


_Lists = struct("Lists", "int32 men women, int64[] indptr, int32[] list her_rank")
_Held = struct("Held", "int64 pairs, int32[] husbands wives man_limit woman_limit")
_LISTS_HELD = {"Lists": _Lists, "Held": _Held}
_Ranks = arguments(
    "proof_marriage_ranks",
    "Lists* lists, hooks, int64 pairs, int32[] men women his hers",
    Lists=_Lists,
)
_Blocking = arguments(
    "proof_marriage_blocking",
    "Lists* lists, hooks, Held* held, Edges* found",
    Edges=Edges,
    **_LISTS_HELD,
)
_NextMen, _NextWomen = (
    arguments(name, "Lists* lists, hooks, Held* held, int64[] best", **_LISTS_HELD)
    for name in ("proof_marriage_next_men", "proof_marriage_next_women")
)
_Double = arguments("proof_double", "hooks, int64 size, int32[] far next, int64* going")


def _walk(preferences: Preferences, kind: type[Arguments], *values: Any) -> None:
    """Call a walk over the lists; raises Cancelled, DeviceError."""
    size = (preferences.num_men, preferences.num_women)
    lists = _Lists(*size, preferences.indptr, preferences.women, preferences.her_rank)
    blocks = block_count(preferences.num_pairs + preferences.num_men)
    prove(kind(lists, *values), preferences, blocks)


def _of(held: Held) -> Struct:
    pairs = held.pairs
    return _Held(pairs.men.size, pairs.men, pairs.women, held.man_limit, held.woman_limit)


def ranks(
    preferences: Preferences, men: NDArray[np.int32], women: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return each pair's ranks of each other (his, hers), 0 where they do not list each other."""
    require_memory(8 * men.size)
    men, women = np.ascontiguousarray(men), np.ascontiguousarray(women)
    his, hers = np.empty(men.size, np.int32), np.empty(men.size, np.int32)
    _walk(preferences, _Ranks, men.size, men, women, his, hers)
    return his, hers


def blocking(preferences: Preferences, held: Held) -> Edges:
    """Return the number of pairs that block, and the men and entries of the first ones."""
    found = Edges()
    _walk(preferences, _Blocking, _of(held), found)
    return found


def next_men(preferences: Preferences, held: Held) -> NDArray[np.int64]:
    """Return for every woman the first man after hers who prefers her to his partner, or -1."""
    require_memory(16 * preferences.num_women)
    best = np.full(preferences.num_women, NO_PERSON)
    _walk(preferences, _NextMen, _of(held), best)
    return np.where(best == NO_PERSON, -1, best & 0xFFFFFFFF)


def next_women(preferences: Preferences, held: Held) -> NDArray[np.int64]:
    """Return for every man the first woman after his who prefers him to her partner, or -1."""
    require_memory(8 * preferences.num_men)
    best = np.empty(preferences.num_men, np.int64)
    _walk(preferences, _NextWomen, _of(held), best)
    return best


def loops(pointers: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return a place of the cycle that every place leads to, or -1 if it leads to an end."""
    far = np.ascontiguousarray(pointers, np.int32)
    require_memory(8 * far.size)
    going = ctypes.c_int64(-1)
    # After k steps every place points 2**k steps on: those that never reach an end lead to a loop.
    for _ in range(max(far.size, 1).bit_length()):
        following = np.empty_like(far)
        prove(_Double(far.size, far, following, going), "the rotations", block_count(far.size))
        far = following
        if not going.value:
            break
    return far
