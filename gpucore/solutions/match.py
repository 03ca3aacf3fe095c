"""What the families of matchings share: pairs of a file to arrays of mates, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.certify import Certificate, Check, certificate
from gpucore.members import Members, sides
from gpucore.solutions.form import Answer, NotASolution, Table

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Titles of the two columns of a pair, in tables of ours and of others.
PAIR_TITLES = (("u", "v"), ("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"))
#: Titles of a table with a row for each vertex.
MATE_TITLES = (("vertex", "mate"), ("node", "mate"), ("person", "mate"))
#: Largest graph of which a heaviest matching is computed to compare with, in edges.
MOST_EDGES = 4_000
#: Edges of which each is looked up in its row, rather than all in one matrix.
_FEW = 100


def check_lengths(columns: Mapping[str, Sequence[Any]]) -> None:
    """Raise NotASolution unless lists that stand for columns of one table are equally long."""
    if len({len(column) for column in columns.values()}) > 1:
        sizes = ", ".join(f"{title} {len(column)}" for title, column in columns.items())
        raise NotASolution("readable", f"the columns have different lengths: {sizes}")


def pair_columns(answer: Answer, titles: tuple[tuple[str, ...], ...]) -> tuple[Any, Any]:
    """Return the columns of the pairs: those with a known pair of titles, else the first two."""
    for one, other in titles:
        if one in answer.columns and other in answer.columns:
            check_lengths({title: answer.columns[title] for title in (one, other)})
            return answer.columns[one], answer.columns[other]
    columns = list(answer.columns.values())
    if not any(map(len, columns)):  # a table without rows
        return [], []
    if answer.titled or len(columns) < 2:
        raise NotASolution(
            "readable", f"a table of pairs has the columns {titles[0][0]} and {titles[0][1]}"
        )
    return columns[0], columns[1]


def numbered_pairs(
    answer: Answer, one: Members, other: Members, titles: tuple[tuple[str, ...], ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two ends of each pair of a table or matrix.

    Raises
    ------
    NotASolution
        A row stands twice, or the matrix has another shape.
    """
    if "rows" in answer.arrays:
        shape = tuple(answer.arrays["shape"].tolist())
        if shape != (one.count, other.count):
            wanted = f"{one.count} x {other.count}"
            raise NotASolution(
                "well formed", f"the matrix is {shape[0]} x {shape[1]}, not {wanted}"
            )
        ends = answer.arrays["rows"], answer.arrays["columns"]
    else:
        a, b = pair_columns(answer, titles)
        ends = one.numbers(a), other.numbers(b)
    _, rows = np.unique(ends[0] * max(other.count, 1) + ends[1], return_counts=True)
    if (rows > 1).any():
        raise NotASolution("each pair once", f"{int((rows > 1).sum())} of the pairs stand twice")
    return ends


def once_each(
    u: NDArray[np.int64], v: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return pairs with the smaller end first, those given in both directions once."""
    pairs = np.unique(np.stack((np.minimum(u, v), np.maximum(u, v)), axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]


def mates_of(graph: Graph, answer: Answer) -> NDArray[np.int32]:
    """Return the mate array that a table of pairs, or of vertices and their mates, means.

    Raises
    ------
    NotASolution
        A vertex has two mates, or is its own.
    """
    if "mate" in answer.arrays:
        return _given_mates(answer.arrays["mate"], graph.num_vertices)
    (members,) = sides(graph)
    if len(answer.columns) == 1 and not answer.titled:
        (column,) = answer.columns.values()
        try:
            mates = np.asarray([int(value) for value in column])
        except (TypeError, ValueError, OverflowError):
            raise NotASolution("readable", "mates are numbers of vertices, -1 for none") from None
        return _given_mates(mates, graph.num_vertices)
    u, v = numbered_pairs(_without_single(answer), members, members, PAIR_TITLES + MATE_TITLES)
    mate = np.full(graph.num_vertices, -1, np.int32)
    low, high = once_each(u, v)
    if (low == high).any():
        name = members.labels(low[low == high][:1])[0]
        raise NotASolution("mutual", f"{members.noun} {name} is its own mate")
    number = np.bincount(np.concatenate((low, high)), minlength=graph.num_vertices)
    if (number > 1).any():
        name = members.labels(np.flatnonzero(number > 1)[:1])[0]
        raise NotASolution(
            "mutual", f"{members.noun} {name} has {int(number.max())} mates; one is allowed"
        )
    mate[low], mate[high] = high, low
    return mate


def several_mates(answer: Answer) -> str:
    """Return which label of a table stands in several pairs, which is no matching; or nothing."""
    try:
        ends = pair_columns(answer, PAIR_TITLES)
    except NotASolution:
        return ""
    pairs = {frozenset(map(str, pair)) for pair in zip(*ends, strict=True)}
    for label, count in Counter(label for pair in pairs for label in pair).most_common(1):
        if count > 1:
            return f"{label!r:.60} is in {count} pairs, so it is no matching, perhaps a b-matching"
    return ""


def _without_single(answer: Answer) -> Answer:
    """Leave out the rows of vertices without a mate: an empty one, "-" or -1."""
    if "mate" not in answer.columns:
        return answer
    check_lengths(answer.columns)
    single = {"", "-", "-1", "None", "none"}
    kept = [i for i, mate in enumerate(answer.columns["mate"]) if str(mate) not in single]
    columns = {title: [column[i] for i in kept] for title, column in answer.columns.items()}
    return Answer(answer.name, columns, titled=answer.titled)


def _given_mates(mate: NDArray[Any], n: int) -> NDArray[np.int32]:
    if mate.shape != (n,) or mate.dtype.kind not in "iu":
        raise NotASolution("well formed", f"mate has the shape {mate.shape}, {n} are the vertices")
    if mate.size and (mate.min() < -1 or mate.max() >= n):
        raise NotASolution("well formed", f"a mate is outside of -1 to {n - 1}")
    return mate.astype(np.int32)


def matching_table(graph: Graph, mate: NDArray[np.int32], most: int | None) -> Table:
    """Return the pairs of a matching with the weights of their edges; the first `most`."""
    u = np.flatnonzero(mate > np.arange(mate.size))
    return pairs_table(graph, u, mate[u], most)


def pairs_table(
    graph: Graph, u: NDArray[np.integer], v: NDArray[np.integer], most: int | None
) -> Table:
    """Return a table of edges: both ends by the owner's names, and their weights if there are."""
    (members,) = sides(graph)
    total, u, v = u.size, u[:most], v[:most]
    columns: dict[str, Any] = {"u": members.labels(u), "v": members.labels(v)}
    if graph.weighted:
        columns["weight"] = [float(f"{w:.9g}") for w in weights_of(graph, u, v).tolist()]
    return Table("pairs", columns, total)


def weights_of(graph: Graph, u: NDArray[np.integer], v: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the weight of each edge (u, v), in the owner's unit; 0 where there is none."""
    if u.size <= _FEW:
        pairs = zip(u.tolist(), v.tolist(), strict=True)
        return np.array([_weight(graph, *pair) for pair in pairs]) * graph.unit
    n = graph.num_vertices
    rows = sparse.csr_array((graph.weights, graph.indices, graph.indptr), shape=(n, n))
    found: NDArray[np.float64] = np.asarray(rows[u, v]).ravel().astype(np.float64)
    return found * graph.unit


def _weight(graph: Graph, u: int, v: int) -> float:
    neighbours, weights = graph.neighbours(u)
    at = int(np.searchsorted(neighbours, v))
    found = at < neighbours.size and neighbours[at] == v
    return float(weights[at]) if found else 0.0


def matching_matrix(graph: Graph, mate: NDArray[np.int32]) -> tuple[tuple[int, int], Any, Any, Any]:
    """Return a matching as the lower triangle of a symmetric matrix."""
    u = np.flatnonzero(mate > np.arange(mate.size))
    n = graph.num_vertices
    return (n, n), mate[u], u, weights_of(graph, u, mate[u])


#: Checks without which mates are no matching.
MATCHING = ("well formed", "symmetric", "pairs are edges")


def maximal(graph: Graph, full: NDArray[np.bool_]) -> Certificate:
    """Certify that each edge has an end that is full, that is, takes no further mate."""
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    addable = ~full[rows] & ~full[graph.indices] & (rows < graph.indices)
    count = int(np.count_nonzero(addable))
    if not count:
        return certificate([Check("maximal", True, "no edge can be added")], {})
    (members,) = sides(graph)
    at = np.flatnonzero(addable)[:1]
    u, v = members.labels(rows[at])[0], members.labels(graph.indices[at])[0]
    text = f"{count} edge{'s' if count > 1 else ''} can be added, ({u}, {v}) the first"
    return certificate([Check("maximal", False, text)], {})


def heaviest(graph: Graph, weight: float, ratio: float) -> Certificate | str:
    """Certify that no matching is heavier: by the bound, or beside NetworkX on small graphs."""
    what = "heaviest"
    if ratio >= 1.0 - 1e-12:
        return certificate([Check(what, True, f"weight {weight:.9g} meets the bound")], {})
    if graph.num_edges > MOST_EDGES:
        return f"the graph has more than {MOST_EDGES:,} edges, and the bound does not decide it"
    best = _best_by_networkx(graph)
    ok = weight >= best * (1 - 1e-9)
    text = f"weight {weight:.9g}, a heaviest matching has {best:.9g}"
    return certificate([Check(what, bool(ok), text)], {})


def _best_by_networkx(graph: Graph) -> float:
    import networkx as nx

    u, v, w = graph.edges()
    other: Any = nx.Graph()
    # NetworkX is exact for integers, and rounds as all do for others.
    other.add_weighted_edges_from(zip(u.tolist(), v.tolist(), w.tolist(), strict=True))
    pairs = nx.max_weight_matching(other, backend="networkx")
    return float(sum(other[a][b]["weight"] for a, b in pairs)) * graph.unit
