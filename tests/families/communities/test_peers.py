"""Communities as good as those of the libraries that users know, on families of random graphs."""

from __future__ import annotations

from functools import cache, partial

import pytest

import gpucore
from gpucore.family import get_runner
from support.running import uncertified

from .runs import GOOD, find

FAMILIES = {
    "rmat": "rmat:scale=11,edge_factor=8,seed=1",
    "grid": "grid:rows=50,columns=60",
    "delaunay": "delaunay:n=3000,seed=1",
    "rgg": "rgg:n=3000,seed=1",
    "planted": "planted:n=3000,communities=30,degree_in=8,degree_out=2,seed=1",
}


#: How far below the reference a variant may end, where it was measured that 0.002 is not reached.
#: In a grid all choices are ties; of planted communities, "buckets" finds fewer than there are,
#: since those that choose at the same time join the same one.
ALLOWED = {("grid", variant): 0.025 for variant in GOOD} | {
    ("planted", "buckets"): 0.006,
    ("delaunay", "leiden"): 0.004,  # one iteration, without moves of single vertices in the end
}


@pytest.fixture(scope="module", params=FAMILIES)
def problem(request):
    """Return a family, its graph, and the modularity that the paper's reference reaches."""
    graph = gpucore.load(FAMILIES[request.param])
    plm = get_runner("networkit_plm")
    if (reason := plm.available()) is not None:
        pytest.skip(reason)
    return request.param, graph, uncertified(plm.name, graph, threads=1).modularity


@pytest.fixture(scope="module")
def found(problem):
    """Return a function that runs a variant on the graph; each run is made once."""
    _, graph, _ = problem
    return cache(partial(find, graph))


@pytest.mark.parametrize("variant", GOOD)
def test_not_worse_than_networkit(each_device, problem, found, variant):
    family, _, theirs = problem
    rule = {} if variant in ("fast", "leiden") else {"rule": "ours"}
    ours = found(variant, each_device, **rule).modularity
    allowed = ALLOWED.get((family, variant), 0.002)
    assert ours >= theirs - allowed, f"{variant}: {ours:.5f}, PLM: {theirs:.5f}"


@pytest.mark.parametrize("variant", ["buckets", "relaxed"])
def test_our_rule_takes_more_sweeps_and_is_hardly_ever_worse(each_device, found, variant):
    """What the page claims of both rules."""
    paper, ours = (found(variant, each_device, rule=rule) for rule in ("paper", "ours"))
    assert ours.modularity >= paper.modularity - 0.01
    assert ours.sweeps >= paper.sweeps
