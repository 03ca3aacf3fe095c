"""Exercise on vertex covers: a proof that a matching has maximum cardinality.

Source: D. Kőnig, "Gráfok és mátrixok", Matematikai és Fizikai Lapok 38, 1931.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.problems.bipartite.graph import BipartiteGraph

from ..kit.book import exercise
from ..kit.exercises import Verdict

#: A reader's rule: "row" or "column", and whether alternating paths from unmatched columns reach
#: the vertex; returns whether it belongs to the cover.
Cover = Callable[[str, bool], Any]


@exercise("bipartite/covers-rule")
def rule(choose: Cover, *, graphs: int = 20) -> Verdict:
    """Try a reader's vertex cover on small random matrices, entry by entry.

    Parameters
    ----------
    choose : callable
        Takes "row" or "column" and whether the vertex is reached; returns whether the cover has it.
    graphs : int
        Matrices to try; the verdict names the first on which the cover fails.
    """
    for seed in range(graphs):
        graph = random_matrix(4 + seed // 4, seed)
        try:
            flaw = _flaw(graph, choose)
        except Exception as error:  # shown to the reader, not raised
            return Verdict(False, f"your rule raised {type(error).__name__}: {error}")
        if flaw:
            return Verdict(False, f"On a matrix of {graph.num_rows} rows {flaw}")
    return Verdict(
        True,
        f"On {graphs} random matrices your cover touches every entry and is as small as the "
        "matching. So no matching can be larger: anyone can check it, entry by entry, and need "
        "not trust the kernels. This is Kőnig's theorem, of 1931; the certificate is made so.",
    )


def _flaw(graph: BipartiteGraph, choose: Cover) -> str:
    """Return what is wrong with a cover of one matrix, or ""."""
    result = gpucore.run("bipartite", graph, device="host")
    assert isinstance(result, BipartiteResult)
    rows, columns = reached(graph, result)
    row_in = [bool(choose("row", bool(hit))) for hit in rows]
    column_in = [bool(choose("column", bool(hit))) for hit in columns]
    for r, c in zip(*graph.entries(), strict=True):
        if not row_in[r] and not column_in[c]:
            marks = [f"row {r} is {'' if rows[r] else 'not '}reached"]
            marks += [f"column {c} is {'' if columns[c] else 'not '}reached"]
            return (
                f"the entry ({r}, {c}) is not covered: {' and '.join(marks)}, and neither is in "
                "your cover."
            )
    size = sum(row_in) + sum(column_in)
    if size == result.cardinality:
        return ""
    return (
        f"your cover has {size} members and the matching {result.cardinality} pairs. It covers "
        f"every entry, but it proves only that no matching has more than {size}. Each pair needs "
        "one member, not two."
    )


def random_matrix(rows: int, seed: int) -> BipartiteGraph:
    """Return a small random matrix, often of less than full rank."""
    rng = np.random.default_rng(seed)
    columns = rows + int(rng.integers(0, 3))
    mask = rng.random((rows, columns)) < 1.4 / rows
    return BipartiteGraph.from_matrix(mask, name=f"random {seed}")


def reached(graph: BipartiteGraph, result: BipartiteResult) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows and columns alternating paths from the unmatched columns reach: bool."""
    rows, columns = np.zeros(graph.num_rows, bool), result.column_match < 0
    entry_row, entry_column = graph.entries()
    while True:
        hit = rows.copy()
        hit[entry_row[columns[entry_column]]] = True
        if (hit == rows).all():
            return rows, columns
        rows = hit
        mates = result.row_match[rows]
        columns = columns.copy()
        columns[mates[mates >= 0]] = True
