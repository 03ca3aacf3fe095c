"""Every function of the NetworkX backend answers, or refuses, as NetworkX does, on odd input."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gpucore.networkx_backend import NAME, backend, get_info
from support.leiden_metric import METRIC

pytestmark = pytest.mark.filterwarnings("ignore:.*conversions to backend graphs:UserWarning")
COMMON = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
NODES = (0, 1, 2, 3, -7, 1 << 70, "a", "b", (1, 2), 2.5, frozenset({1}))
FOREIGN = ("not a node", 99)
KINDS = (nx.Graph, nx.Graph, nx.Graph, nx.DiGraph, nx.MultiGraph)
WEIGHTS = (1, 2, 0.5, True)
ODD_WEIGHTS = (0, -1, 1e300, 1e39, 1e-60, 1e-300, math.nan, math.inf, "3", None, 10**400)


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Send every call to the backend that it can answer, however small the graph."""
    monkeypatch.setattr(backend, "should_run", lambda *_: True)


def outcome(call: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, type | None]:
    """Return the answer or the error's type; a generator is read to its end."""
    try:
        found = call(*args, **options)
        return (list(found) if hasattr(found, "__next__") else found), None
    except Exception as error:
        return None, type(error)


def compare(
    name: str,
    call: Callable[..., Any],
    *args: Any,
    same: Callable[[Any, Any], bool],
    **options: Any,
) -> Any:
    """Compare our outcome with NetworkX's, where NetworkX may fall back and where it may not."""
    theirs, their_error = outcome(call, *args, backend="networkx", **options)
    with nx.config(backend_priority={**_priority(), "algos": [NAME]}):
        ours, error = outcome(call, *args, **options)
    asked, asked_error = outcome(call, *args, backend=NAME, **options)
    described = f"{name}{args[1:]} {options}: {theirs} {their_error}, ours {ours} {error}"
    assert error is their_error, described
    assert asked_error in (None, their_error, NotImplementedError), (described, asked_error)
    if error is None:
        assert same(theirs, ours), described
        assert asked_error is not None or same(theirs, asked), (described, asked)
    return asked


def _priority() -> dict[str, list[str]]:
    return {"algos": [], "generators": []}


@st.composite
def graphs(draw, weights=WEIGHTS, kinds=KINDS):
    graph = draw(st.sampled_from(kinds))()
    names = draw(st.sampled_from([NODES, range(8), "abcdef"]))
    graph.add_nodes_from(draw(st.lists(st.sampled_from(names), max_size=8)))
    ends = st.sampled_from(names)
    for u, v in draw(st.lists(st.tuples(ends, ends), max_size=16)):
        weight = draw(st.sampled_from((*weights, ...)))
        graph.add_edge(u, v, **({} if weight is ... else {"weight": weight}))
    return graph


def nodes_of(graph):
    return st.sampled_from([*graph, *FOREIGN])


@st.composite
def matchings(draw):
    graph = draw(graphs())
    edges, names = list(graph.edges()) or [("a", "b")], nodes_of(graph)
    pair = st.one_of(
        st.sampled_from(edges),
        st.sampled_from(edges).map(lambda edge: edge[::-1]),
        st.tuples(names, names),
        st.tuples(names, names, names),
        st.tuples(names),
    )
    pairs = draw(st.lists(pair, max_size=4))
    forms = [list, tuple, set, frozenset, lambda p: [list(x) for x in p], lambda p: [*p, 5],
             lambda p: {x[0]: x[-1] for x in p}, lambda p: [frozenset(x) for x in p],
             lambda p: {x: y for u in p for x, y in ((u[0], u[-1]), (u[-1], u[0]))},
             lambda p: [*p, [[], 1]], lambda p: {0: []}, lambda p: None]  # fmt: skip
    return graph, draw(st.sampled_from(forms))(pairs)


@given(matchings())
@example((nx.Graph([("a", "b")]), [("a", "b"), ("b", "a")]))
@example((nx.Graph([("a", "b")]), [("a", "b"), ("a", "b")]))
@example((nx.path_graph(4), [[0, 1], [2, 3]]))
@example((nx.path_graph(4), [[0, 1], (0, 2)]))
@example((nx.path_graph(4), [(0, 2), [0, 1]]))
@example((nx.Graph([("a", "b"), ("c", "c")]), [("c", "c"), ("a", "not a node")]))
@COMMON
def test_matchings_are_judged_as_networkx_judges_them(case):
    graph, matching = case
    for name in ("is_matching", "is_maximal_matching", "is_perfect_matching"):
        compare(name, getattr(nx, name), graph, matching, same=lambda a, b: a is b)


@given(graphs(ODD_WEIGHTS))
@COMMON
def test_maximal_matchings(graph):
    compare(
        "maximal_matching",
        nx.maximal_matching,
        graph,
        same=lambda _, found: nx.is_maximal_matching(graph, found, backend="networkx"),
    )


@st.composite
def sides(draw):
    """Return a graph, mostly bipartite, and one side, mostly right."""
    top, bottom = range(5), "pqrst"
    kind = draw(st.sampled_from(KINDS))
    pairs = draw(st.lists(st.tuples(st.sampled_from(top), st.sampled_from(bottom)), max_size=14))
    graph = kind(pairs)
    graph.add_nodes_from(draw(st.lists(st.sampled_from([*top, *bottom]), max_size=3)))
    if draw(st.integers(0, 4)) == 0:
        graph.add_edge("p", draw(st.sampled_from("pq")))
    given_top = draw(st.sampled_from([None, top, [*top, *FOREIGN], range(3), "pqrst", 7, [[]], ()]))
    if isinstance(given_top, range):
        given_top = [node for node in given_top if node in graph]
    return graph, given_top


@given(sides())
@example((nx.Graph([("a", 1), ("b", 2)]), ["a"]))
@COMMON
def test_bipartite_matchings(case):
    graph, top = case

    def same(theirs, ours):
        if ours == theirs:  # also no matching: NetworkX joins nodes of a wrong `top_nodes`
            return True
        pairs = ours.items()
        edges = {frozenset(edge[:2]) for edge in graph.edges}
        return len(theirs) == len(ours) and all(
            ours[v] == u and frozenset((u, v)) in edges for u, v in pairs
        )

    bipartite = nx.bipartite
    compare("hopcroft_karp_matching", bipartite.hopcroft_karp_matching, graph, top, same=same)
    compare("eppstein_matching", bipartite.eppstein_matching, graph, top, same=same)


@given(sides(), st.data())
@example((nx.Graph([("u0", "v0"), ("u0", "v2"), ("u1", "v0")]), ["u0", "u1"]), None)
@COMMON
def test_covers_cover_whatever_the_matching(case, data):
    graph, top = case
    edges = list(graph.edges())
    if data is None:
        matchings = [{"u0": "v0", "v0": "u0"}, {}, {"v0": "u0"}]
    else:
        chosen = data.draw(st.lists(st.sampled_from(edges or [(0, 1)]), max_size=4))
        both = {x: y for u, v in chosen for x, y in ((u, v), (v, u))}
        matchings = [dict(chosen), both, {0: 0}, {"not a node": 0}, {0: []}, [(0, 1)], None]

    def covers(_, found):
        return all(u in found or v in found for u, v in edges)

    for matching in matchings:
        call, refused = nx.bipartite.to_vertex_cover, []
        ours, error = outcome(call, graph, matching, top, backend=NAME)
        if error is None:
            assert covers(None, ours), (edges, matching, top, ours)
            best = outcome(nx.bipartite.eppstein_matching, graph, top, backend="networkx")[0]
            assert 2 * len(ours) == len(best)
        refused = error is not None
        same = (lambda a, b: a == b) if refused else covers
        compare("to_vertex_cover", call, graph, matching, top, same=same)


RESOLUTIONS = st.sampled_from([1, 0.5, 2.5, 0, -1, 2e6, math.nan, math.inf, "1", 1j, True])


@given(
    graphs(ODD_WEIGHTS + 3 * WEIGHTS),
    RESOLUTIONS,
    st.sampled_from([1e-7, 0, -1, 2, math.inf, math.nan, "0"]),
    st.sampled_from([None, 1, 2, 0, -1, 1.5, "2", True]),
    st.sampled_from(["weight", None, "other", True]),
)
@COMMON
def test_communities(graph, resolution, threshold, max_level, weight):
    def partition(_, found):
        return nx.community.is_partition(graph, found)

    def partitions(_, levels):
        return bool(levels) and all(nx.community.is_partition(graph, level) for level in levels)

    options = {"resolution": resolution, "seed": 1, "weight": weight}
    tree = options | {"threshold": threshold}
    community = nx.community
    compare("louvain_partitions", community.louvain_partitions, graph, same=partitions, **tree)
    compare(
        "louvain_communities",
        community.louvain_communities,
        graph,
        same=partition,
        max_level=max_level,
        **tree,
    )


@given(graphs(ODD_WEIGHTS + 3 * WEIGHTS), RESOLUTIONS, st.data())
@COMMON
def test_modularities(graph, resolution, data):
    parts: dict[int, list[Any]] = {}
    for node in graph:
        parts.setdefault(data.draw(st.integers(0, 3)), []).append(node)
    rows = list(parts.values())
    forms = [rows, list(map(set, rows)), tuple(rows), [*rows, []], [*rows, ["not a node"]],
             rows + rows[:1], rows[1:], [[*part, *part] for part in rows], [*rows, [[]]], [5], 5,
             dict.fromkeys(map(tuple, rows))]  # fmt: skip
    found = data.draw(st.sampled_from(forms))

    def same(a, b):
        return a == pytest.approx(b, rel=1e-9, abs=1e-9, nan_ok=True)

    call = nx.community.modularity
    for weight in ("weight", None):
        compare("modularity", call, graph, found, same=same, weight=weight, resolution=resolution)
    assert outcome(call, graph, iter(rows), resolution=math.nan, backend=NAME)[1] in (
        NotImplementedError,
        outcome(call, graph, iter(rows), resolution=math.nan, backend="networkx")[1],
    )


@given(graphs(ODD_WEIGHTS + 6 * WEIGHTS), RESOLUTIONS, st.sampled_from([None, 1, 2, 0, 1.5]))
@COMMON
def test_leiden(graph, resolution, max_level):
    community = nx.community
    options = {"resolution": resolution, "backend": NAME, **METRIC}
    levels, error = outcome(community.leiden_partitions, graph, **options)
    found, found_error = outcome(
        community.leiden_communities, graph, max_level=max_level, **options
    )
    assert error in (None, NotImplementedError, nx.NetworkXNotImplemented)
    if error is not None:
        assert found_error in (error, ValueError)
        return
    assert all(community.is_partition(graph, level) for level in levels)
    reached = [outcome(community.modularity, graph, p, resolution=resolution)[0] for p in levels]
    if None not in reached:
        assert all(b > a for a, b in pairwise(reached))
    if max_level in (None, 1, 2):
        assert found == (levels[:max_level])[-1]
        assert all(nx.is_connected(graph.subgraph(part)) for part in found)
    else:
        assert found_error is ValueError


def test_every_function_is_compared():
    import inspect
    import sys

    text = inspect.getsource(sys.modules[__name__])
    assert all(f'"{name}"' in text or f".{name}" in text for name in get_info()["functions"])
