"""Stable matching in the form of ``scipy.sparse.csgraph``, for matrices of SciPy and CuPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from gpucore.arrays import Entries, check_card, entries_of
from gpucore.device import get_device
from gpucore.drop_in import solve
from gpucore.errors import GraphError, WarplensError
from gpucore.families.marriage.certificate import certify_marriage
from gpucore.families.marriage.lists import BYTES_PER_PAIR, BYTES_PER_ROW, lists_of_rows
from gpucore.families.marriage.run import BYTES_PER_MAN, BYTES_PER_WOMAN, FIXED_BYTES
from gpucore.families.marriage.search import SEARCHES, Run
from gpucore.params import check_flag, check_word
from gpucore.problems.preferences.entries import BYTES_TO_SORT, rows_of_entries
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import Recorder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gpucore.arrays import HostMatrix
    from gpucore.device import Device

PERM_TYPES = ("row", "column")
PROPOSERS = {"rows": "men", "columns": "women"}


@overload
def stable_matching(
    row_ranks: HostMatrix,
    column_ranks: HostMatrix,
    perm_type: str = "row",
    *,
    proposers: str = "rows",
    ties: str = "refuse",
    device: str = "auto",
    certify: bool = False,
    record: Any = None,
) -> NDArray[np.int32]: ...
@overload
def stable_matching(
    row_ranks: Any,
    column_ranks: Any,
    perm_type: str = "row",
    *,
    proposers: str = "rows",
    ties: str = "refuse",
    device: str = "auto",
    certify: bool = False,
    record: Any = None,
) -> Any: ...
def stable_matching(
    row_ranks: Any,
    column_ranks: Any,
    perm_type: str = "row",
    *,
    proposers: str = "rows",
    ties: str = "refuse",
    device: str = "auto",
    certify: bool = False,
    record: Any = None,
) -> Any:
    """Return the stable matching of rows with columns that is best for the proposers.

    Parameters
    ----------
    row_ranks, column_ranks : sparse or dense matrices, shape (R, C)
        Entry ``(i, j)`` is row i's rank of column j, and column j's rank of row i: the smaller the
        better. Only pairs that both matrices have can be matched: of sparse matrices the stored
        entries, of dense ones all. Both are on one side: SciPy's or NumPy's, or CuPy's.
    perm_type : {"row", "column"}
        "row": the result has the row of every column; "column": the column of every row.
    proposers : {"rows", "columns"}
        The side that proposes: no stable matching is better for any of it.
    ties : {"refuse", "index"}
        "refuse": equal ranks are an error; "index": the smaller number comes first.
    device : {"auto", "cuda", "cpu"}
        Where it is computed. "auto" is a GPU if there is one; matrices on a card are matched there.
    certify : bool
        Check by independent code that no pair blocks the matching, and that it is the best for the
        proposers. This code runs on the processor: lists on a card are copied.
    record : path, optional
        Record the run of the kernels in this ``.npz`` file, on the host executor if there is no
        GPU. A record holds the lists: those on a card are copied.

    Returns
    -------
    array of int32, shape (C,) or (R,)
        Partners, -1 for none; CuPy's for matrices on a card, else NumPy's.

    Raises
    ------
    GraphError, ParameterError, DeviceError
    WarplensError
        The matching is not certified.

    Examples
    --------
    >>> rows, columns = [[1, 2], [2, 1]], [[2, 1], [1, 2]]
    >>> stable_matching(rows, columns, device="cpu").tolist()
    [0, 1]
    >>> stable_matching(rows, columns, proposers="columns", device="cpu").tolist()
    [1, 0]
    """
    check_word("stable_matching", "perm_type", perm_type, PERM_TYPES)
    check_word("stable_matching", "proposers", proposers, tuple(PROPOSERS))
    check_word("stable_matching", "ties", ties, ("refuse", "index"))
    check_flag("certify", certify)
    his, hers = entries_of(row_ranks, zeros=True), entries_of(column_ranks, zeros=True)
    if his.on_card != hers.on_card:
        raise GraphError(
            "one matrix of ranks is on a card and the other is not; copy one of them to the "
            "other's side"
        )
    if his.on_card:
        check_card(device)
        with his.its_card():
            found = _on_card(his, hers, proposers, ties, certify, record)
    else:
        problem = _preferences(his, hers, ties)
        found = _on_host(problem, proposers, device, certify, record)
    rows, columns = found
    return columns if perm_type == "row" else rows


def marry_on(
    device: Device, his: Entries, hers: Entries, proposers: str, ties: str
) -> tuple[Any, Any]:
    """Match entries that are in a device's memory; return both sides' partners, there as well."""
    if proposers == "columns":
        rows, columns = marry_on(device, hers.transposed, his.transposed, "rows", ties)
        return columns, rows
    xp, (men, women) = device.xp, his.shape
    pairs = int(max(his.rows.size, hers.rows.size))
    lines = men * (BYTES_PER_MAN + BYTES_PER_ROW) + women * (BYTES_PER_WOMAN + BYTES_PER_ROW)
    size = FIXED_BYTES + lines + pairs * (BYTES_PER_PAIR + BYTES_TO_SORT)
    device.require_memory(size, "the lists and the marriages")
    lists = lists_of_rows(rows_of_entries(his, hers, ties=ties), women, device)
    wife = xp.full(men, -1, dtype=xp.int32)
    husband = xp.full(women, -1, dtype=xp.int32)
    if lists.pairs:
        recorder = Recorder(device, "off", warps=1, budget=0)
        wife = SEARCHES["fast"](Run(device, recorder, lists))[:men]
        married = xp.flatnonzero(wife >= 0)
        husband[wife[married]] = married.astype(xp.int32)
    return wife, husband


def _on_card(
    his: Entries, hers: Entries, proposers: str, ties: str, certify: bool, record: Any
) -> tuple[Any, Any]:
    xp = his.xp
    if record is not None:
        problem = _preferences(his.on_host(), hers.on_host(), ties)
        wife, husband = _on_host(problem, proposers, "cuda", certify, record)
        return xp.asarray(wife), xp.asarray(husband)
    found = marry_on(get_device("cuda"), his, hers, proposers, ties)
    if certify:
        problem = _preferences(his.on_host(), hers.on_host(), ties)
        _check(problem, xp.asnumpy(found[0]), PROPOSERS[proposers])
    return found


def _on_host(
    problem: Preferences, proposers: str, device: str, certify: bool, record: Any
) -> tuple[np.ndarray, np.ndarray]:
    side = {"proposers": PROPOSERS[proposers]}
    result = solve(
        problem if record is None else problem.graph(),
        "marriage",
        "gale_shapley",
        device=device,
        certify=certify,
        record=record,
        params=side,
        method_params=side,
    )
    return result.wife, result.husband


def _preferences(his: Entries, hers: Entries, ties: str) -> Preferences:
    rows = rows_of_entries(his, hers, ties=ties)
    purged = int(his.rows.size + hers.rows.size - 2 * rows.women.size)
    men, women = his.shape
    return Preferences.of_arrays(
        num_men=men,
        num_women=women,
        source={"kind": "memory", "purged": purged},
        **rows._asdict(),
    )


def _check(problem: Preferences, wife: np.ndarray, proposers: str) -> None:
    men = np.flatnonzero(wife >= 0).astype(np.int32)
    found = certify_marriage(problem, men, wife[men], proposers=proposers)  # type: ignore[arg-type]
    if not found.ok:
        raise WarplensError(f"the matching is wrong: {found.failure}; please report it")
