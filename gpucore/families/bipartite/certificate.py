"""Certificate of a maximum bipartite matching, by a vertex cover of the same size.

A vertex cover is a set of rows and columns such that every entry of the matrix lies in one of them.
No matching has more pairs than a cover has members, for each pair needs a member of its own. A
matching and a cover of equal size therefore prove each other optimal: the matching cannot be
larger, the cover cannot be smaller. Kőnig's theorem (1931) says that such a cover always exists,
and its proof shows how to find it: take the rows that alternating paths from the unmatched columns
reach, and the columns that they do not reach.

The search for the cover need not be trusted: the size of the cover and all entries are checked
afterwards, and these checks are the whole proof. If the matching is not maximum, the search ends at
an unmatched row instead; the failed check then shows the augmenting path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.native import Found
from gpucore.certify.reported import with_reported
from gpucore.families.bipartite import native_proof
from gpucore.families.bipartite.alternating import alternating_graph, reach
from gpucore.format import counted
from gpucore.params import is_whole
from gpucore.problems.bipartite.prepare import as_bipartite

if TYPE_CHECKING:
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.bipartite.graph import BipartiteGraph
    from gpucore.problems.graph.graph import Graph

#: Most offenders that a failed check names.
NAMED = 5


def certify_bipartite(
    graph: BipartiteGraph, row_match: np.ndarray, column_match: np.ndarray
) -> Certificate:
    """Prove, or refute, that a matching of rows with columns is a maximum one.

    Parameters
    ----------
    graph : BipartiteGraph
        The graph that was matched.
    row_match : ndarray of an integer type, shape (rows,)
        ``row_match[r]`` is the column matched to row ``r``, or -1.
    column_match : ndarray of an integer type, shape (columns,)
        ``column_match[c]`` is the row matched to column ``c``, or -1.

    Returns
    -------
    Certificate
        Its figures are ``cardinality``, ``cover_rows`` and ``cover_columns`` (the members of the
        cover), ``unmatched_rows`` and ``unmatched_columns``. A wrong matching of whatever shape or
        type gives a failed certificate, not an error.

    Notes
    -----
    Native code on all cores; time is linear in the entries. Extra memory is about 40 bytes a
    vertex, and 4 an entry where an augmenting path has to be named.

    References
    ----------
    .. [1] D. Kőnig, "Gráfok és mátrixok", Matematikai és Fizikai Lapok 38 (1931).

    Examples
    --------
    >>> from gpucore.problems.bipartite.graph import BipartiteGraph
    >>> graph = BipartiteGraph.from_entries([0, 0, 1], [0, 1, 0], shape=(2, 2))
    >>> print(certify_bipartite(graph, np.array([1, 0]), np.array([1, 0])))
    certified
      ok   well formed: 2 rows and 2 columns
      ok   mutual: 2 pairs
      ok   pairs are edges: every matched pair is an edge
      ok   no augmenting path: from the unmatched columns (0) no unmatched row is reached
      ok   cover as small: 0 rows and 2 columns against 2 pairs
      ok   cover complete: each of the 3 edges ends in the cover
    >>> print(certify_bipartite(graph, np.array([0, -1]), np.array([0, -1])).failure.detail)
    3 edges from column 1 to row 1: column 1, row 0, column 0, row 1
    """
    row_match, column_match = np.asarray(row_match), np.asarray(column_match)
    checks = [_well_formed(graph, row_match, column_match)]
    if checks[-1].ok:
        row_match, column_match = row_match.astype(np.int32), column_match.astype(np.int32)
        checks.append(_mutual(row_match, column_match))
    if not checks[-1].ok:
        return certificate(checks, {})
    found = native_proof.search(graph, row_match, column_match)
    checks.append(_edges(column_match, found.missing))
    if not checks[-1].ok:
        return certificate(checks, {})

    figures = _figures(row_match, column_match)
    path = _augmenting_path(graph, row_match, column_match) if found.augmenting else []
    checks.append(_no_augmenting_path(path, column_match))
    if checks[-1].ok:
        covered = native_proof.check_cover(graph, found.cover)
        figures |= {"cover_rows": int(covered.rows), "cover_columns": int(covered.columns)}
        checks.append(_small(covered, figures["cardinality"]))
        if checks[-1].ok:
            checks.append(_complete(graph, covered))
    return certificate(checks, figures)


def certify_result(graph: Graph, result: BipartiteResult) -> Certificate:
    """Certify a result with the figures that it reports; GraphError if the graph has one side."""
    found = certify_bipartite(as_bipartite(graph), result.row_match, result.column_match)
    also = {}
    paths = result.figures.get("phase_paths")  # of a file, it can be anything
    if found.ok and isinstance(paths, list) and all(map(is_whole, paths)):
        # Each augmenting path adds one pair.
        also["initial_cardinality"] = found.figures["cardinality"] - sum(paths)
        also["phases"] = len(paths)
    return with_reported(found, result, also)


def _well_formed(graph: BipartiteGraph, row_match: np.ndarray, column_match: np.ndarray) -> Check:
    name = "well formed"
    rows, columns = graph.num_rows, graph.num_columns
    fault = _fault("row_match", row_match, rows, "rows", columns) or _fault(
        "column_match", column_match, columns, "columns", rows
    )
    return Check(name, fault is None, fault or _sizes(rows, columns))


def _sizes(rows: int, columns: int) -> str:
    return f"{counted(rows, 'row')} and {counted(columns, 'column')}"


def _fault(what: str, match: np.ndarray, size: int, side: str, others: int) -> str | None:
    """Return what is wrong with `match`, which needs `size` numbers below `others`, or -1."""
    if match.shape != (size,):
        return f"{what} has the shape {match.shape}, {size} {side} need ({size},)"
    if match.dtype.kind not in "iu":
        return f"{what} has the dtype {match.dtype}, not an integer type"
    outside = np.flatnonzero((match < -1) | (match >= others))
    if outside.size:
        named = ", ".join(f"{what}[{at}] = {match[at]}" for at in outside[:NAMED])
        return f"outside -1..{others - 1}: {named}{_more(outside.size)}"
    return None


def _mutual(row_match: NDArray[np.int32], column_match: NDArray[np.int32]) -> Check:
    name = "mutual"
    for whose, own, other_name, other in (
        ("row_match", row_match, "column_match", column_match),
        ("column_match", column_match, "row_match", row_match),
    ):
        matched = np.flatnonzero(own >= 0)
        odd = matched[other[own[matched]] != matched]
        if odd.size:
            pairs = ", ".join(
                f"{whose}[{at}] = {own[at]} but {other_name}[{own[at]}] = {other[own[at]]}"
                for at in odd[:NAMED]
            )
            return Check(name, False, pairs + _more(odd.size))
    return Check(name, True, counted(np.count_nonzero(row_match >= 0), "pair"))


def _edges(column_match: NDArray[np.int32], missing: Found) -> Check:
    name, count = "pairs are edges", missing.count
    if count:
        pairs = ", ".join(f"row {column_match[c]} and column {c}" for c in missing.named)
        return Check(name, False, f"not in the graph: {pairs}{_more(count)}")
    return Check(name, True, "every matched pair is an edge")


def _figures(
    row_match: NDArray[np.int32], column_match: NDArray[np.int32]
) -> dict[str, float | int]:
    return {
        "cardinality": int(np.count_nonzero(row_match >= 0)),
        "unmatched_rows": int(np.count_nonzero(row_match < 0)),
        "unmatched_columns": int(np.count_nonzero(column_match < 0)),
    }


def _augmenting_path(
    graph: BipartiteGraph, row_match: NDArray[np.int32], column_match: NDArray[np.int32]
) -> list[str]:
    """Return a shortest augmenting path as text, a string a vertex."""
    indptr, rows = graph.by_column()
    path = reach(alternating_graph(indptr, rows, row_match, column_match)).path
    words = []
    for c in path:
        words += [f"row {column_match[c]}", f"column {c}"]
    own = rows[indptr[path[-1]] : indptr[path[-1] + 1]]
    return [*words[1:], f"row {own[row_match[own] < 0][0]}"]


def _no_augmenting_path(path: list[str], column_match: NDArray[np.int32]) -> Check:
    name = "no augmenting path"
    if path:
        shown = path if len(path) <= 2 * NAMED else [*path[:NAMED], "...", *path[-NAMED:]]
        ends = f"{len(path) - 1} edge{'s' if len(path) > 2 else ''} from {path[0]} to {path[-1]}"
        return Check(name, False, f"{ends}: {', '.join(shown)}")
    begin = np.count_nonzero(column_match < 0)
    text = f"from the unmatched columns ({begin}) no unmatched row is reached"
    return Check(name, True, text)


def _small(covered: native_proof.Covered, cardinality: float) -> Check:
    rows, columns = covered.rows, covered.columns
    text = f"{_sizes(rows, columns)} against {counted(cardinality, 'pair')}"
    return Check("cover as small", rows + columns == cardinality, text)


def _complete(graph: BipartiteGraph, covered: native_proof.Covered) -> Check:
    name, (indptr, rows) = "cover complete", graph.by_column()
    if covered.outside.entries.count:
        column, entry = covered.outside.named[0]
        text = f"the edge of row {rows[entry]} and column {column} is not"
        return Check(name, False, text)
    return Check(name, True, f"each of the {int(indptr[-1])} edges ends in the cover")


def _more(offenders: int) -> str:
    return f" and {offenders - NAMED} more" if offenders > NAMED else ""
