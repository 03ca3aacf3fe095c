"""Degree buckets and sizes of hash tables of the Louvain method on the GPU.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017: section IV
(primes), section IV-A (lanes and memory for seven buckets of degrees).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.stage import Run, Stage

#: Largest degree of each bucket but the last; section IV-A.
BUCKETS = (4, 8, 16, 32, 84, 319)
#: Lanes for a vertex in buckets 1 to 5.
LANES = (4, 8, 16, 32, 32)
#: Degrees below this find their table's size by index.
DIRECT_SIZES = constant("louvain.cuh", "DIRECT_SIZES")
#: Threads of a block: "four physical warps".
THREADS = 128
SLOT_BYTES = 12


@cache
def primes() -> np.ndarray:
    """Return ascending primes: all up to 1,000, above that each about 5 % larger than the last.

    The size of a table is the first prime larger than 1.5 times a degree (section IV).
    """
    largest = 3 << 29
    divisors = np.ones(math.isqrt(2 * largest) + 1, bool)  # a sieve of Eratosthenes
    divisors[:2] = False
    for p in range(2, math.isqrt(len(divisors)) + 1):
        divisors[p * p :: p] = False
    divisors = np.flatnonzero(divisors)
    found: list[int] = []
    candidate = 2
    while not found or found[-1] <= largest:
        tried = divisors[: np.searchsorted(divisors, math.isqrt(candidate), side="right")]
        if (candidate % tried).all():
            found.append(candidate)
            candidate += max(1, candidate // 20 if candidate > 1000 else 0)
        else:
            candidate += 1
    return np.array(found, dtype=np.int32)


@cache
def table_sizes() -> np.ndarray:
    """Return the kernels' array of sizes: sizes by degree, then the primes for larger degrees."""
    direct = [table_size(degree) for degree in range(DIRECT_SIZES)]
    larger = primes()[2 * primes().astype(np.int64) > 3 * (DIRECT_SIZES - 1)]
    return np.concatenate([np.array(direct, dtype=np.int32), larger])


def table_size(degree: int) -> int:
    """Return the slots of the hash table for a degree."""
    return int(primes()[np.searchsorted(2 * primes().astype(np.int64), 3 * degree, side="right")])


@dataclass(frozen=True)
class Bucket:
    """Vertices of similar degree.

    Attributes
    ----------
    number : int
        1 to 7; 0 where there are no buckets.
    vertices : array of int32
        The members.
    edges : int
        Sum of their degrees.
    """

    number: int
    vertices: Any
    edges: int


def buckets_of(run: Run, stage: Stage) -> list[Bucket]:
    """Sort a stage's vertices into the buckets; those without edges are in none (line 5)."""
    device, xp = run.device, run.device.xp
    degree = stage.indptr[1:] - stage.indptr[:-1]
    bounds = xp.asarray(np.array([0, *BUCKETS], dtype=np.int64))
    number = xp.searchsorted(bounds, degree)
    order = xp.argsort(number, kind="stable").astype(xp.int32)
    sizes = device.to_host(xp.bincount(number, minlength=8))
    edges = device.to_host(xp.bincount(number, weights=degree, minlength=8))
    ends = np.cumsum(sizes)
    found = []
    for k in range(1, 8):
        vertices = order[int(ends[k - 1]) : int(ends[k])]
        if k == 7 and len(vertices) > 1:  # the largest degrees first
            vertices = vertices[xp.argsort(-degree[vertices], kind="stable")]
        if len(vertices):
            found.append(Bucket(k, vertices, int(edges[k])))
    return found
