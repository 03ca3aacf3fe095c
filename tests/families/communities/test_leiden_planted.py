"""Mistakes planted in the refinement of Leiden show as races or as parts that are not connected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import gpucore
from gpucore import native
from gpucore.device.source import folders, source_path
from gpucore.errors import DeviceError
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.communities.fast import small
from support.planting import Mistake, Planted, build
from support.planting.apart import in_a_copy

from .runs import random_graph

try:
    native.library(instrumented=True)
except DeviceError as error:
    pytest.skip(str(error), allow_module_level=True)

BUILD = Path(__file__).parents[3] / "build" / "leiden-planted-tests"
#: Schedules that may be needed to show a mistake. That of seed 14 showed the first two when it was
#: chosen, that of seed 7 the last, which few show; where a change makes them other schedules, the
#: others follow.
SCHEDULES = (14, 7, *(seed for seed in range(200) if seed not in (14, 7)))
GRAPHS = [random_graph(150, edges, edges) for edges in (170, 250, 400)]

JOINS = (
    Mistake(
        "leaves_after_it_was_joined",
        "leiden",
        "if (atomicCAS(r.claim + vertex, FREE, LEAVING) != FREE) return -1;",
        "simt_store(r.claim + vertex, LEAVING);",
        header="leiden.cuh",
    ),
    Mistake(
        "plain_store",
        "leiden",
        "simt_store(r.parts.community + vertex, root);",
        "r.parts.community[vertex] = root;",
        header="leiden.cuh",
    ),
)
#: The same in the search by one launch, and communities that are not divided into components there.
MISTAKES = (
    *JOINS,
    *(replace(mistake, source="leiden_small") for mistake in JOINS),
    Mistake(
        "not_divided",
        "leiden_small",
        "s.community[v] = root_of(s.claim, (int)v);",
        header="leiden_small.cuh",
    ),
)


@pytest.fixture(scope="module")
def library():
    headers = [path for folder in folders() for path in folder.glob("*.cuh")]
    return build(BUILD, [*headers, *map(source_path, ("leiden", "leiden_small"))], MISTAKES)


def shows(library, mistake, seed):
    """Return whether a run with the mistake has a race, or a part that is not connected."""
    device = Planted(library, mistake, policy="random", seed=seed, resident=8, yield_atomic=0.7)
    graph = GRAPHS[seed % len(GRAPHS)]
    options = {} if mistake.name == "not_divided" else {"refine": 0}
    result = gpucore.run(
        "louvain", graph, device=device, variant="leiden", refine_seed=seed, starts=1, **options
    )
    if device.profile().races:
        return True
    levels = range(1, len(result.levels) + 1)
    return not all(
        certify_communities(graph, result.at_level(i), connected=True).ok for i in levels
    )


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.changed_source)
@in_a_copy
def test_a_mistake_is_found(library, mistake, monkeypatch):
    if mistake.source == "leiden":
        monkeypatch.setattr(small, "MOST_ENTRIES", 0)
    assert any(shows(library, mistake, seed) for seed in SCHEDULES)
