"""Functions of ``scipy.sparse.csgraph`` about maximum matchings, for matrices of SciPy and CuPy."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gpucore.arrays import Entries, check_card, entries_of
from gpucore.device import get_device
from gpucore.drop_in import solve
from gpucore.errors import WarplensError
from gpucore.families.bipartite.certificate import certify_bipartite
from gpucore.families.bipartite.decomposition import DulmageMendelsohn
from gpucore.families.bipartite.decomposition import dulmage_mendelsohn as decompose
from gpucore.families.bipartite.on_device import BYTES_TO_SORT, matrix_of_entries
from gpucore.families.bipartite.run import BipartiteParams, scratch_bytes, search
from gpucore.params import check_flag, check_word
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.record import Recorder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gpucore.arrays import HostMatrix
    from gpucore.device import Device

#: As in SciPy: "row" has the row of every column, "column" the column of every row.
PERM_TYPES = ("row", "column")


@overload
def maximum_bipartite_matching(
    graph: HostMatrix,
    perm_type: str = "row",
    *,
    device: str = "auto",
    certify: bool = False,
    record: Any = None,
) -> NDArray[np.int32]: ...
@overload
def maximum_bipartite_matching(
    graph: Any,
    perm_type: str = "row",
    *,
    device: str = "auto",
    certify: bool = False,
    record: Any = None,
) -> Any: ...
def maximum_bipartite_matching(
    graph: Any,
    perm_type: str = "row",
    *,
    device: str = "auto",
    certify: bool = False,
    record: Any = None,
) -> Any:
    """Return a matching of maximum cardinality between the rows and columns of a matrix.

    It takes what :func:`scipy.sparse.csgraph.maximum_bipartite_matching` takes, and CuPy's
    matrices, which stay on their card. Which maximum matching is found may differ from SciPy's.

    Parameters
    ----------
    graph : sparse or dense matrix, shape (R, C)
        See :func:`gpucore.arrays.entries_of`: stored zeros of sparse matrices are entries.
    perm_type : {"row", "column"}
        "row": the result has the row of every column; "column": the column of every row.
    device : {"auto", "cuda", "cpu"}
        Where it is computed. "auto" is a GPU if there is one; a matrix on a card is matched there.
    certify : bool
        Check the matching by independent code, König's theorem. This code runs on the processor:
        of a matrix on a card it copies the pattern.
    record : path, optional
        Record the run of the kernels in this ``.npz`` file, on the host executor if there is no
        GPU. A record holds the matrix: the pattern of one on a card is copied.

    Returns
    -------
    array of int32, shape (C,) or (R,)
        Partners, -1 for none; CuPy's for a matrix on a card, else NumPy's.

    Raises
    ------
    GraphError, ParameterError, DeviceError
    WarplensError
        The matching is not certified.

    Examples
    --------
    >>> from scipy import sparse
    >>> matrix = sparse.csr_array([[1, 1, 0], [1, 0, 0]])
    >>> maximum_bipartite_matching(matrix, perm_type="column", device="cpu").tolist()
    [1, 0]
    >>> maximum_bipartite_matching(matrix, device="cpu", certify=True).tolist()
    [1, 0, -1]
    """
    check_word("maximum_bipartite_matching", "perm_type", perm_type, PERM_TYPES)
    rows, columns = _match(entries_of(graph), device, certify, record)
    return columns if perm_type == "row" else rows


def structural_rank(
    graph: Any, *, device: str = "auto", certify: bool = False, record: Any = None
) -> int:
    """Return the largest rank that a matrix with this pattern can have.

    Parameters
    ----------
    graph, device, certify, record
        See :func:`maximum_bipartite_matching`.

    Examples
    --------
    >>> structural_rank([[1, 1, 0], [1, 0, 0], [1, 0, 0]], device="cpu")
    2
    """
    rows, _ = _match(entries_of(graph), device, certify, record)
    return int((rows >= 0).sum())


def dulmage_mendelsohn(
    graph: Any, *, device: str = "auto", certify: bool = False, record: Any = None
) -> DulmageMendelsohn:
    """Return the Dulmage-Mendelsohn decomposition of a matrix, down to its irreducible blocks.

    The matching behind it is computed as by :func:`maximum_bipartite_matching`. The blocks are
    found on the processor: of a matrix on a card the pattern is copied to the host, and the
    resulting arrays back to the card. Without a maximum matching there is no decomposition, so the
    matching is certified in any case.

    Parameters
    ----------
    graph, device, certify, record
        See :func:`maximum_bipartite_matching`.

    Examples
    --------
    >>> found = dulmage_mendelsohn([[1, 1, 0], [0, 0, 1], [0, 0, 1]], device="cpu")
    >>> found.sizes
    {'horizontal': (1, 2), 'square': (0, 0), 'vertical': (2, 1)}
    """
    check_flag("certify", certify)
    entries = entries_of(graph)
    rows, _ = _match(entries, device, False, record)
    matrix = _graph(entries)
    if not entries.on_card:
        return decompose(matrix, rows)
    found = decompose(matrix, entries.xp.asnumpy(rows))
    with entries.its_card():
        arrays = {
            f.name: entries.xp.asarray(value)
            for f in fields(found)
            if isinstance(value := getattr(found, f.name), np.ndarray)
        }
    return replace(found, **arrays)


def match_on(device: Device, entries: Entries) -> tuple[Any, Any]:
    """Match entries that are in a device's memory; return both sides' partners, there as well."""
    size = BYTES_TO_SORT * entries.rows.size + scratch_bytes(entries.shape, entries.rows.size)
    device.require_memory(size, "the graph and its matching")
    matrix = matrix_of_entries(device.xp, entries)
    recorder = Recorder(device, "off", warps=1, budget=0)
    work = search(matrix, BipartiteParams(), device, recorder, None).work
    return work.row_match[: matrix.rows], work.column_match[: matrix.columns]


def _match(entries: Entries, device: str, certify: bool, record: Any) -> tuple[Any, Any]:
    """Return the partners of the rows and of the columns, on the entries' side."""
    check_flag("certify", certify)
    if entries.on_card:
        check_card(device)
        device = "cuda"
        if record is None:
            with entries.its_card():
                rows, columns = match_on(get_device("cuda"), entries)
                if certify:
                    _check(_graph(entries), rows.get(), columns.get())
            return rows, columns
    result = solve(
        _graph(entries), "bipartite", "hopcroft_karp", device=device, certify=certify, record=record
    )
    if not entries.on_card:
        return result.row_match, result.column_match
    with entries.its_card():
        return entries.xp.asarray(result.row_match), entries.xp.asarray(result.column_match)


def _graph(entries: Entries) -> BipartiteGraph:
    host = entries.on_host()
    return BipartiteGraph.from_entries(host.rows, host.columns, host.shape)


def _check(graph: BipartiteGraph, rows: np.ndarray, columns: np.ndarray) -> None:
    found = certify_bipartite(graph, rows, columns)
    if not found.ok:
        raise WarplensError(f"the matching is wrong: {found.failure}; please report it")
