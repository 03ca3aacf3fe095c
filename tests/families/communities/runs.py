"""Helpers for tests of the Louvain method: runs, and graphs of a given shape."""

from __future__ import annotations

from functools import cache

import numpy as np

import gpucore
from gpucore.datasets import names as dataset_names
from gpucore.device import get_device
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.first_stage import put_on_device
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.stage import Run, strength_of
from gpucore.families.communities.variants import TUNED
from gpucore.family import get_runner
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import absolute_values
from gpucore.record import Recorder
from support.devices import random_schedule

VARIANTS = get_runner("louvain").variant_names

#: Variants that decide from integers and one state of the partition: they have one result.
PAPER = [variant for variant in VARIANTS if variant not in ("fast", "leiden")]
#: The host executor with several schedules.
DEVICES = {
    "host": lambda: get_device("host"),
    "lockstep": lambda: get_device("host", policy="round_robin"),
    "threads": lambda: get_device("host", threads=3),
    "random": lambda: random_schedule(5),
}

#: Variants that a user can choose.
GOOD = [variant for variant in VARIANTS if variant != "node_centred"]


def once(variant):
    """Return the option with which a variant searches once, also a small graph."""
    return {"starts": 1} if variant in TUNED else {}


def find(graph, variant, device="host", **more):
    """Run a variant; its result is certified, and where losses are undone, no level loses."""
    result = gpucore.run("louvain", graph, device=device, variant=variant, **more)
    certificate = result.certificate
    assert certificate.ok, str(certificate)
    if result.params["take_back"]:
        assert certificate.figures["smallest_level_gain"] >= -1e-9
    return result


@cache
def real_graph(name):
    """Return a bundled graph with weights of at least 0."""
    return absolute_values(gpucore.load(name))


@cache
def found_in(name, variant, device):
    """Return the certified result of a variant on a bundled graph; each is searched once."""
    return find(real_graph(name), variant, device)


def real_names():
    """Return the bundled graphs that communities are looked for in."""
    return list(dataset_names("graph"))


def random_graph(n, edges, seed, *, loops=0, weights="none"):
    """Make a graph of random pairs; `weights` are none, whole, or real."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, edges), rng.integers(0, n, edges)
    proper = u != v
    extra = rng.choice(n, loops, replace=False)
    u, v = np.concatenate([u[proper], extra]), np.concatenate([v[proper], extra])
    pairs = np.unique(np.sort(np.stack([u, v]), axis=0), axis=1)
    if weights == "none":
        return Graph.from_edges(n, *pairs)
    drawn = rng.integers(1, 9, pairs.shape[1]) if weights == "whole" else rng.random(pairs.shape[1])
    return Graph.from_edges(n, *pairs, drawn.astype(np.float32))


def cliques(count, size, *, joined=True):
    """Make complete graphs, each joined to the next one by an edge."""
    pairs = [
        (c * size + a, c * size + b) for c in range(count) for b in range(size) for a in range(b)
    ]
    if joined:
        pairs += [(c * size, (c + 1) * size) for c in range(count - 1)]
    u, v = zip(*pairs, strict=True)
    return Graph.from_edges(count * size, u, v)


def bipartite(left, right):
    """Make a complete bipartite graph."""
    u = np.repeat(np.arange(left), right)
    return Graph.from_edges(left + right, u, left + np.tile(np.arange(right), left))


def hubs(degree, count=2, seed=1):
    """Make hubs of exactly `degree` edges, whose neighbours form small cliques.

    The neighbours that hubs share form triangles, so every hub has many communities to choose
    from, and hash tables fill.
    """
    rng = np.random.default_rng(seed)
    leaves = count + np.arange(degree)
    u = np.repeat(np.arange(count), degree)
    v = np.concatenate([rng.permutation(leaves) for _ in range(count)])
    first = leaves[: degree - degree % 3].reshape(-1, 3)
    u = np.concatenate([u, first[:, 0], first[:, 1], first[:, 0]])
    v = np.concatenate([v, first[:, 1], first[:, 2], first[:, 2]])
    return Graph.from_edges(count + degree, u, v)


def losing(variant):
    """Return a graph on which a sweep of the variant loses, so that rules make a difference."""
    return random_graph(300, 600, 1) if variant == "buckets" else real_graph("karate")


def gains(result):
    """Return the gains of each stage's sweeps, taken back ones included, and its first value."""
    steps = result.record.steps
    ends = np.flatnonzero(np.isfinite(steps["modularity"]))
    before, stages = result.record.header["modularity"], []
    for end in ends:
        if steps["sweep"][end] == 1:
            stages.append((before, []))
        stages[-1][1].append(float(steps["modularity"][end]) - before)
        if not steps["taken_back"][end]:
            before = float(steps["modularity"][end])
    return stages


def lonely():
    """Return four small cliques among 1,000 vertices without edges."""
    u, v, _ = cliques(4, 5).edges()
    return Graph.from_edges(1020, u, v)


def totals(phase):
    """Return the strength of every community by its number."""
    device, n = phase.run.device, phase.stage.n
    total = device.xp.zeros(n, np.uint64)
    device.kernel("leiden", "leiden_totals")(
        -(-n // 256), 256, [n, phase.strength, phase.community, total]
    )
    return total


def phase_of(graph, communities, seed, device, **params):
    """Return the first stage with a random partition into at most so many communities.

    A vertex without strength is alone, as it is in a search.
    """
    stage = put_on_device(graph, device, 0)
    run = Run(device, Recorder(device, "off", warps=1), LouvainParams(**params), stage)
    strength = strength_of(device, stage)
    run.two_m = float(strength.sum())
    phase = FastPhase(run, stage, strength)
    rng = np.random.default_rng(seed)
    label = rng.choice(graph.num_vertices, communities, replace=False).astype(np.int32)
    # Most vertices are in the first few communities.
    drawn = (communities * rng.random(graph.num_vertices) ** 3).astype(np.int64)
    alone = device.to_host(strength) == 0
    home = np.where(alone, np.arange(graph.num_vertices), label[drawn]).astype(np.int32)
    phase.community = device.asarray(home)
    phase.total = totals(phase)
    return phase
