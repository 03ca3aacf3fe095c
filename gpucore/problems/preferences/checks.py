"""Checks that arrays are a valid instance, with a separate GraphError for each violation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.graph.checks import check_size, vertex_array
from gpucore.problems.preferences.lists import (
    MEN,
    WOMEN,
    check_entries,
    check_repeats,
)

if TYPE_CHECKING:
    from gpucore.problems.preferences.instance import Instance

_EXPLICIT = ("indptr", "women", "her_rank")
_SHARED = ("order", "standing")
#: Peak memory in bytes per entry of both sides' lists, while one-sided entries are dropped.
_BYTES_PER_ENTRY = 64


def checked(instance: Instance) -> dict[str, Any]:
    """Return the arrays of an instance with the right types, or raise GraphError."""
    given = {key for key in (*_EXPLICIT, *_SHARED) if getattr(instance, key) is not None}
    men, women = check_size(instance.num_men), check_size(instance.num_women)
    if given == set(_SHARED):
        order, standing = shared_vectors(instance.order, instance.standing)
        if (standing.size, order.size) != (men, women):
            raise GraphError(
                f"{standing.size} ranks of men and {order.size} women were given for {men} men "
                f"and {women} women"
            )
        return {"order": order, "standing": standing}
    if given != set(_EXPLICIT):
        raise GraphError(
            "an instance has either indptr, women and her_rank, or order and standing, not "
            f"{', '.join(sorted(given)) or 'none of them'}"
        )
    indptr, entries = check_entries(instance.indptr, instance.women, women, MEN)
    if indptr.size - 1 != men:
        raise GraphError(f"{indptr.size - 1} rows were given for {men} men")
    check_repeats(indptr, entries, women, MEN)
    ranks = vertex_array(instance.her_rank, "her_rank")
    _check_ranks(indptr, entries, ranks, women)
    arrays = {"indptr": indptr, "women": entries, "her_rank": ranks}
    types = {"indptr": np.int64, "women": np.int32, "her_rank": np.int32}
    return {key: np.array(arrays[key], dtype, order="C") for key, dtype in types.items()}


def _check_ranks(
    indptr: NDArray[np.int64], women: NDArray[np.int32], ranks: NDArray[np.integer], count: int
) -> None:
    """Raise GraphError unless every woman ranks her men 1, 2, ... without a gap."""
    if ranks.size != women.size:
        raise GraphError(f"{ranks.size} ranks were given for {women.size} pairs")
    lengths = np.bincount(women, minlength=count)
    starts = np.cumsum(lengths) - lengths
    wrong = (ranks < 1) | (ranks > lengths[women])
    if not wrong.any():
        used = np.bincount(starts[women] + ranks - 1, minlength=women.size)
        wrong = used[starts[women] + ranks - 1] != 1
    if wrong.any():
        at = int(np.argmax(wrong))
        man = int(np.searchsorted(indptr, at, side="right")) - 1
        raise GraphError(
            f"woman {women[at]} gives man {man} the rank {ranks[at]}; she must give each of her "
            f"{lengths[women[at]]} men another of the ranks 1 to {lengths[women[at]]}"
        )


def shared_vectors(
    order: ArrayLike, standing: ArrayLike
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the two vectors of a shared instance, or raise GraphError."""
    women, men = vertex_array(order, "order"), vertex_array(standing, "standing")
    for what, values, least in (("order", women, 0), ("standing", men, 1)):
        most = values.size - 1 + least
        wrong = (values < least) | (values > most)
        if not wrong.any():
            wrong = np.bincount(values - least, minlength=values.size)[values - least] != 1
        if wrong.any():
            at = int(np.argmax(wrong))
            raise GraphError(
                f"{what}[{at}] = {values[at]}; {what} must hold each of the numbers {least} to "
                f"{most} once"
            )
    check_size(women.size + men.size)
    return np.array(women, np.int32), np.array(men, np.int32)


def both_sides(
    men: tuple[ArrayLike, ArrayLike], women: tuple[ArrayLike, ArrayLike], limits: Limits | None
) -> tuple[
    tuple[NDArray[np.int64], NDArray[np.int32]], tuple[NDArray[np.int64], NDArray[np.int32]]
]:
    """Return the rows of both sides, in range and without repeats, or raise GraphError."""
    counts = [max(vertex_array(side[0], "indptr").size - 1, 0) for side in (men, women)]
    entries = sum(vertex_array(side[1], "lists").size for side in (men, women))
    check_size(sum(counts))
    (limits or Limits()).check("preferences", sum(counts), entries, _BYTES_PER_ENTRY)
    his = check_entries(*men, counts[1], MEN)
    hers = check_entries(*women, counts[0], WOMEN)
    check_repeats(*his, counts[1], MEN)
    check_repeats(*hers, counts[0], WOMEN)
    return his, hers


def attributes(instance: Instance) -> dict[str, Any]:
    """Return the capacities, names and source of an instance, or raise GraphError."""
    names = None if instance.names is None else tuple(str(name) for name in instance.names)
    if names is not None and len(names) != instance.num_vertices:
        raise GraphError(
            f"{len(names)} names were given for {instance.num_men} men and "
            f"{instance.num_women} women"
        )
    return {
        "man_capacity": _capacity(instance.man_capacity, instance.num_men, "man"),
        "woman_capacity": _capacity(instance.woman_capacity, instance.num_women, "woman"),
        "names": names,
        "source": dict(instance.source),
    }


def _capacity(values: ArrayLike | None, count: int, who: str) -> NDArray[np.int32] | None:
    """Return how many partners each may have, or None if all have at most one."""
    if values is None:
        return None
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise GraphError(f"capacities must be whole numbers, not {array.dtype}")
    if array.ndim and array.shape != (count,):
        raise GraphError(
            f"{who}_capacity must be one number or one for each of the {count}, not of shape "
            f"{array.shape}"
        )
    each = np.broadcast_to(array, (count,))
    wrong = (each < 1) | (each > 2**31 - 1)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise GraphError(
            f"{who} {at} has the capacity {each[at]}; it must be at least 1 and below 2**31: "
            "leave out of the lists those who take no one"
        )
    return None if (each == 1).all() else np.array(each, np.int32)
