"""Instances from other data: rank tables, weighted graphs, the other form or side.

Every function returns arguments of
:meth:`gpucore.problems.preferences.preferences.Preferences.of_arrays`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.notes import with_steps
from gpucore.problems.graph.checks import check_size
from gpucore.problems.preferences.lists import (
    MEN,
    WOMEN,
    Rows,
    Side,
    ranks_in_rows,
)
from gpucore.rows import row_numbers, row_starts

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.instance import Instance

#: Peak memory in bytes per pair, while tables of ranks are sorted.
_BYTES_PER_PAIR = 48


def of_ranks(
    men_ranks: ArrayLike, women_ranks: ArrayLike, ties: str, limits: Limits | None
) -> dict[str, Any]:
    """Return the complete instance of two tables; see ``Preferences.from_ranks``."""
    if ties not in ("refuse", "index"):
        raise GraphError(f'ties must be "refuse" or "index", not {ties!r}')
    his, hers = np.asarray(men_ranks), np.asarray(women_ranks)
    if his.ndim != 2 or hers.shape != his.shape[::-1]:
        raise GraphError(
            f"the men's ranks have the shape {his.shape} and the women's {hers.shape}; they must "
            "be (men, women) and (women, men), since everybody ranks everybody: give incomplete "
            "lists to from_lists"
        )
    men, women = his.shape
    (limits or Limits()).check("ranks", men + women, men * women, _BYTES_PER_PAIR)
    order = _sorted_table(his, MEN, ties)
    place = np.empty((women, men), np.int32)
    ranks = np.arange(1, men + 1, dtype=np.int32)
    np.put_along_axis(place, _sorted_table(hers, WOMEN, ties), ranks[None, :], axis=1)
    return {
        "num_men": men,
        "num_women": women,
        "indptr": np.arange(men + 1, dtype=np.int64) * women,
        "women": order.astype(np.int32).ravel(),
        "her_rank": np.take_along_axis(place.T, order, axis=1).ravel(),
    }


def _sorted_table(table: NDArray, side: Side, ties: str) -> NDArray[np.int64]:
    """Return every row's columns sorted by rank, equal ranks by column."""
    if table.dtype.kind not in "iuf" and table.size:
        raise GraphError(f"ranks must be real numbers, not {table.dtype}")
    if table.size and not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise GraphError(
            f"{side.who} {row} gives {side.whom} {column} the rank {table[row, column]}; it must "
            "be a finite number"
        )
    order = np.argsort(table, axis=1, kind="stable")
    along = np.take_along_axis(table, order, axis=1)
    equal = along[:, 1:] == along[:, :-1]
    if ties == "refuse" and equal.any():
        row, at = np.argwhere(equal)[0]
        raise GraphError(
            f"{side.who} {row} gives {side.plural} {order[row, at]} and {order[row, at + 1]} the "
            f"same rank {along[row, at]}; give them different ones "
            '(in Python: with ties="index" the smaller number comes first)'
        )
    return order


def of_graph(graph: Graph) -> dict[str, Any]:
    """Return the instance of Lemma 3.1; see ``Preferences.from_graph``."""
    n = graph.num_vertices
    check_size(2 * n)
    Limits().check("Lemma 3.1's instance", 2 * n, graph.indices.size)
    rows = row_numbers(graph.indptr)
    kept = (graph.weights > 0) & (rows != graph.indices)
    rows, neighbours, weights = rows[kept], graph.indices[kept], graph.weights[kept]
    indptr = row_starts(np.bincount(rows, minlength=n))
    # Decreasing weight, then number: sort by increasing row, weight and number, and reverse.
    order = np.lexsort((-neighbours, -weights, rows))
    rank = np.empty(order.size, np.int32)
    rank[order] = ranks_in_rows(indptr)
    # Rows are sorted and symmetric: transposing gives every edge's rank at its other end.
    mirrored = sparse.csr_array((rank, neighbours, indptr), shape=(n, n)).tocsc().data
    step = {"step": "marriage_of_graph"}
    return {
        "num_men": n,
        "num_women": n,
        "indptr": indptr,
        "women": neighbours[order],
        "her_rank": mirrored[order],
        "name": graph.name,
        "names": None if graph.names is None else graph.names * 2,
        "source": with_steps(graph.source, step),
    }


def swapped(instance: Instance) -> dict[str, Any]:
    """Return the instance with men and women exchanged; see ``Preferences.swapped``."""
    men = instance.num_men
    names = instance.names
    values: dict[str, Any] = {
        "num_men": instance.num_women,
        "num_women": men,
        "man_capacity": instance.woman_capacity,
        "woman_capacity": instance.man_capacity,
        "name": instance.name,
        "names": None if names is None else names[men:] + names[:men],
        "source": _toggled(dict(instance.source)),
    }
    if not instance.is_shared:
        indptr, men_of_women, his_rank = instance.women_rows()
        return values | {"indptr": indptr, "women": men_of_women, "her_rank": his_rank}
    order, standing = np.empty(men, np.int32), np.empty(instance.num_women, np.int32)
    order[instance.standing - 1] = np.arange(men, dtype=np.int32)
    standing[instance.order] = np.arange(1, instance.num_women + 1, dtype=np.int32)
    return values | {"order": order, "standing": standing}


def _toggled(source: dict[str, Any]) -> dict[str, Any]:
    """Add the exchange of sides to the source's steps, or remove it if it was the last step."""
    steps = [*source.pop("prepared", [])]
    step = {"step": "swapped"}
    steps = steps[:-1] if steps and steps[-1] == step else [*steps, step]
    return {**source, "prepared": steps} if steps else source


def expanded(instance: Instance, limit: int) -> dict[str, Any]:
    """Return a shared instance with a row for each man; see ``Preferences.expanded``."""
    men, women = instance.num_men, instance.num_women
    if instance.num_pairs > limit:
        raise GraphError(
            f"{instance.num_pairs} pairs are more than the {limit} that may be written out; keep "
            "the shared form, or take a smaller instance"
        )
    Limits().check("written out", men + women, instance.num_pairs, 8)
    kept = ("man_capacity", "woman_capacity", "name", "names", "source")
    return {key: getattr(instance, key) for key in kept} | {
        "num_men": men,
        "num_women": women,
        **Rows(
            np.arange(men + 1, dtype=np.int64) * women,
            np.tile(instance.order, men),
            np.repeat(instance.standing, women),
        )._asdict(),
    }
