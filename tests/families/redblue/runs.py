"""Helpers for tests of red/blue matching: runs, and simple versions of algorithms 1 to 3.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import gpucore
from gpucore.families.redblue.colours import (
    SELECTS,
    md5_colours,
    philox_colours,
    round_numbers,
)
from gpucore.families.redblue.run import BEST_P
from gpucore.family import get_runner
from support.matching_cases import graph_of

VARIANTS = get_runner("redblue").variant_names

COLOURS = {"md5": md5_colours, "philox": philox_colours}
#: Both ways to find a matching, for both ways to choose a neighbour.
EVERYTHING = [(variant, select) for variant in VARIANTS for select in SELECTS]
NAMES = ["-".join(one) for one in EVERYTHING]


def find(graph, variant="fast", device="host", **more):
    """Run a variant; its result is certified and its figures fit together."""
    result = gpucore.run("redblue", graph, device=device, variant=variant, **more)
    assert result.certificate.ok, str(result.certificate)
    figures = result.figures
    assert result.cardinality == np.count_nonzero(result.mate >= 0) // 2
    assert sum(figures["matched"]) == 2 * result.cardinality
    assert sum(figures["matched"]) + sum(figures["dead"]) == graph.num_vertices
    assert figures["rounds"] == len(figures["matched"]) == len(figures["dead"])
    assert result.mate.dtype == np.int32
    return result


def run(graph, variant="fast", device="host", **more):
    """Run a variant without a certificate."""
    return gpucore.run("redblue", graph, device=device, variant=variant, certify=False, **more)


def mates_of(graph, variant, device, **more):
    """Return the mates alone, without a certificate."""
    return run(graph, variant, device, **more).mate


def lists_of(graph):
    """Return for every vertex its neighbours with the weights of the edges to them."""
    entries = list(zip(graph.indices.tolist(), graph.weights.tolist(), strict=True))
    bounds = graph.indptr.tolist()
    return [entries[begin:end] for begin, end in pairwise(bounds)]


def scatter(value, salt):
    """Return 32 bits that look random: the finaliser of MurmurHash3 (Appleby)."""
    value ^= salt * 0x9E3779B9 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def reference(graph, select="weighted", p=BEST_P, generator="md5", seed=0):
    """Match by algorithm 3; returns the mates, and matched and dead vertices of each round.

    Lines 13 and 23: blue and red vertices die in the first round that they begin without live
    neighbours.
    """
    lists, mate = lists_of(graph), [-1] * graph.num_vertices
    rounds = {"matched": [], "dead": []}
    live = set(range(graph.num_vertices))
    numbers = iter(round_numbers(seed, 20_000).tolist())
    while live:
        r = next(numbers)
        dying = {v for v in live if not any(w in live for w, _ in lists[v])}
        able = live - dying
        blue = set(np.flatnonzero(COLOURS[generator](graph.num_vertices, r, p)).tolist()) & able
        red = able - blue
        wish = {
            v: _choose([e for e in _turned(lists[v], select, v, r) if e[0] in red], select)
            for v in blue
        }
        pairs = []
        for v in red:
            suitors = [e for e in _turned(lists[v], select, v, r) if wish.get(e[0]) == v]
            if suitors:
                pairs.append((v, _choose(suitors, select)))
        for v, u in pairs:
            mate[v], mate[u] = u, v
        live -= {v for pair in pairs for v in pair} | dying
        rounds["matched"].append(2 * len(pairs))
        rounds["dead"].append(len(dying))
    return np.array(mate, np.int32), rounds


def _turned(entries, select, v, r):
    """Return a vertex's list as it is searched in round number `r`."""
    place = scatter(v, r) % len(entries) if select == "random" else 0
    return entries[place:] + entries[:place]


def _choose(entries, select):
    """Return the neighbour with the heaviest edge, or the first; -1 where there is none."""
    if select != "weighted":
        return entries[0][0] if entries else -1
    return max(((w, u) for u, w in entries), default=(0, -1))[1]


def rounds_of(result):
    """Return the matched and the dead vertices of each round, as `reference` does."""
    return {name: result.figures[name] for name in ("matched", "dead")}


def algorithm_1(graph, select, seed):
    """Match vertices in a random order with their heaviest or their first free neighbour."""
    lists, mate = lists_of(graph), np.full(graph.num_vertices, -1)
    for v in np.random.default_rng(seed).permutation(graph.num_vertices).tolist():
        free = [(w, u) for u, w in lists[v] if mate[u] < 0] if mate[v] < 0 else []
        if free:
            u = (max(free) if select == "weighted" else free[0])[1]
            mate[v], mate[u] = u, v
    return mate


def pairs_in(mate):
    """Return the number of pairs."""
    return np.count_nonzero(np.asarray(mate) >= 0) // 2


def weight_in(graph, mate):
    """Return the weight of a matching's edges."""
    return sum(w for v, row in enumerate(lists_of(graph)) for u, w in row if mate[v] == u) / 2


def star(leaves, centre=0):
    """Make one vertex with many neighbours, of different weights."""
    ends = [v for v in range(leaves + 1) if v != centre]
    return graph_of(leaves + 1, [(centre, v) for v in ends], 1 + np.arange(leaves) % 17)


def path(n):
    """Make a path whose weights repeat."""
    return graph_of(n, [(v, v + 1) for v in range(n - 1)], 1 + np.arange(max(0, n - 1)) % 5)
