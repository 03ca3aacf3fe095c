"""The native part of the certificate of a marriage, ``proof/marriage_proof.cpp``.

Only explicit lists are walked over natively; where all have one list the proof is short.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.native import Edges, pointer
from gpucore.certify.work import WORK, block_count, prove, require_memory

if TYPE_CHECKING:
    from gpucore.families.marriage.blocking import Held
    from gpucore.problems.preferences.preferences import Preferences

#: Larger than every rank and person as one number.
NO_PERSON = np.iinfo(np.int64).max


class _Lists(ctypes.Structure):
    """See ``Lists`` of marriage_proof.cpp."""

    _fields_ = (
        ("men", ctypes.c_int),
        ("women", ctypes.c_int),
        ("indptr", ctypes.c_void_p),
        ("list", ctypes.c_void_p),
        ("her_rank", ctypes.c_void_p),
    )


class _Held(ctypes.Structure):
    """See ``Held`` of marriage_proof.cpp."""

    _fields_ = (
        ("pairs", ctypes.c_longlong),
        ("husbands", ctypes.c_void_p),
        ("wives", ctypes.c_void_p),
        ("man_limit", ctypes.c_void_p),
        ("woman_limit", ctypes.c_void_p),
    )


def _walk(preferences: Preferences, name: str, *arguments: Any) -> None:
    """Call a walk over the lists; raises Cancelled, DeviceError."""
    arrays = (preferences.indptr, preferences.women, preferences.her_rank)
    lists = _Lists(
        preferences.num_men, preferences.num_women, *(array.ctypes.data for array in arrays)
    )
    blocks = block_count(preferences.num_pairs + preferences.num_men)
    prove(f"proof_marriage_{name}", preferences, blocks, ctypes.byref(lists), WORK, *arguments)


def _of(held: Held) -> _Held:
    pairs = held.pairs
    arrays = (pairs.men, pairs.women, held.man_limit, held.woman_limit)
    return _Held(pairs.men.size, *(array.ctypes.data for array in arrays))


def ranks(
    preferences: Preferences, men: NDArray[np.int32], women: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return each pair's ranks of each other (his, hers), 0 where they do not list each other."""
    require_memory(8 * men.size)
    men, women = np.ascontiguousarray(men), np.ascontiguousarray(women)
    his, hers = np.empty(men.size, np.int32), np.empty(men.size, np.int32)
    arrays = [pointer(array) for array in (men, women, his, hers)]
    _walk(preferences, "ranks", ctypes.c_longlong(men.size), *arrays)
    return his, hers


def blocking(preferences: Preferences, held: Held) -> Edges:
    """Return the number of pairs that block, and the men and entries of the first ones."""
    found = Edges()
    _walk(preferences, "blocking", ctypes.byref(_of(held)), ctypes.byref(found))
    return found


def next_men(preferences: Preferences, held: Held) -> NDArray[np.int64]:
    """Return for every woman the first man after hers who prefers her to his partner, or -1."""
    require_memory(16 * preferences.num_women)
    best = np.full(preferences.num_women, NO_PERSON)
    _walk(preferences, "next_men", ctypes.byref(_of(held)), pointer(best))
    return np.where(best == NO_PERSON, -1, best & 0xFFFFFFFF)


def next_women(preferences: Preferences, held: Held) -> NDArray[np.int64]:
    """Return for every man the first woman after his who prefers him to her partner, or -1."""
    require_memory(8 * preferences.num_men)
    best = np.empty(preferences.num_men, np.int64)
    _walk(preferences, "next_women", ctypes.byref(_of(held)), pointer(best))
    return best


def loops(pointers: NDArray[np.integer]) -> NDArray[np.int32]:
    """Return where every place leads after so many steps that it is in a cycle, or -1."""
    far = np.ascontiguousarray(pointers, np.int32)
    require_memory(8 * far.size)
    going = ctypes.c_longlong(-1)
    # After k steps every place points 2**k steps on: those that never reach an end lead to a loop.
    for _ in range(max(far.size, 1).bit_length()):
        following = np.empty_like(far)
        prove(
            "proof_double",
            "the rotations",
            block_count(far.size),
            WORK,
            ctypes.c_longlong(far.size),
            pointer(far),
            pointer(following),
            ctypes.byref(going),
        )
        far = following
        if not going.value:
            break
    return far
