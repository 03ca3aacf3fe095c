"""What the certificate of a marriage asks of native code, with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.families.marriage import certificate, native_proof
from gpucore.families.marriage.blocking import search, stretches

from .found import edges


def reference(*arguments, **options):
    """Certify a marriage without native code."""
    with pytest.MonkeyPatch.context() as patch:
        for stand_in in (ranks, blocking, next_men, next_women, loops):
            patch.setattr(native_proof, stand_in.__name__, stand_in)
        return certificate.certify_marriage(*arguments, **options)


def ranks(preferences, men, women):
    """Return each pair's ranks of each other (his, hers), 0 where they do not list each other."""
    his, hers = np.zeros(men.size, np.int32), np.zeros(men.size, np.int32)
    begin = preferences.indptr[men]
    for pair, entry in stretches(begin, preferences.indptr[1:][men] - begin):
        hit = preferences.women[entry] == women[pair]
        at, found = pair[hit], entry[hit]
        his[at] = found - begin[at] + 1
        hers[at] = preferences.her_rank[found]
    return his, hers


def blocking(preferences, held):
    """Return the number of pairs that block, and the men and entries of the first ones."""
    men, entries = [], []
    for pairs in search(preferences, held):
        men += pairs.men.tolist()
        entries += (preferences.indptr[pairs.men] + pairs.his_rank - 1).tolist()
    return edges(men, entries)


def next_men(preferences, held):
    """Return for every woman the first man after hers who prefers her to his partner, or -1.

    No pair blocks, so all men who prefer her come after hers.
    """
    length = np.minimum(held.man_limit - 1, np.diff(preferences.indptr))
    best = np.full(preferences.num_women, native_proof.NO_PERSON)
    for man, entry in stretches(preferences.indptr[:-1], length):
        key = preferences.her_rank[entry].astype(np.int64) << 32 | man
        np.minimum.at(best, preferences.women[entry], key)
    return _persons(best)


def next_women(preferences, held):
    """Return for every man the first woman after his who prefers him to her partner, or -1."""
    begin = preferences.indptr[:-1] + held.man_limit
    length = np.maximum(preferences.indptr[1:] - begin, 0)
    best = np.full(preferences.num_men, native_proof.NO_PERSON)
    for man, entry in stretches(begin, length):
        woman = preferences.women[entry]
        wanted = preferences.her_rank[entry] < held.woman_limit[woman]
        key = entry[wanted] - preferences.indptr[man[wanted]] << 32 | woman[wanted]
        np.minimum.at(best, man[wanted], key)
    return _persons(best)


def _persons(keys):
    return np.where(keys == native_proof.NO_PERSON, -1, keys & 0xFFFFFFFF)


def loops(pointers):
    """Return where every place leads after so many steps that it is in a cycle, or -1."""
    far = pointers.copy()
    going = np.flatnonzero(far >= 0)
    # After k steps every place points 2**k steps on: those that never reach an end lead to a loop.
    for _ in range(max(pointers.size, 1).bit_length()):
        step = far[far[going]]
        far[going] = step
        going = going[step >= 0]
    return far
