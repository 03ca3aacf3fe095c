"""Instance of the stable marriage problem: its arrays, views and fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.problems.preferences import checks as preference_checks
from gpucore.problems.preferences.lists import Rows, WomenRows, other_side

#: Largest number of pairs of an instance that is listed, expanded or converted to a graph.
SMALL = 2_000_000


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Instance:
    """The arrays of ``Preferences``, which describes them."""

    #: Kind of problem, a folder of :mod:`gpucore.problems`.
    kind: ClassVar[str] = "preferences"

    num_men: int
    num_women: int
    # Typed as arrays, since code checks `is_shared` before it uses them.
    indptr: NDArray[np.int64] = None  # type: ignore[assignment]
    women: NDArray[np.int32] = None  # type: ignore[assignment]
    her_rank: NDArray[np.int32] = None  # type: ignore[assignment]
    order: NDArray[np.int32] = None  # type: ignore[assignment]
    standing: NDArray[np.int32] = None  # type: ignore[assignment]
    man_capacity: NDArray[np.int32] | None = None
    woman_capacity: NDArray[np.int32] | None = None
    name: str = ""
    names: tuple[str, ...] | None = None
    source: Mapping[str, Any] = field(default_factory=lambda: {"kind": "memory"})

    def __post_init__(self) -> None:
        self._settle(preference_checks.checked(self))

    @classmethod
    def of_arrays(cls, **values: Any) -> Self:
        """Make an instance from arrays that are correct by construction, without checking them.

        Names and capacities are checked. Arguments are those of the constructor.
        """
        made = cls.__new__(cls)
        for key, given in cls.__dataclass_fields__.items():
            default = {"kind": "memory"} if key == "source" else given.default
            object.__setattr__(made, key, values.get(key, default))
        made._settle({})
        return made

    def _settle(self, values: dict[str, Any]) -> None:
        """Store the checked arrays read-only and check the other attributes."""
        for key, value in (values | preference_checks.attributes(self)).items():
            object.__setattr__(self, key, value)
        self._freeze()

    def _freeze(self) -> None:
        for value in self._arrays():
            if value is not None:
                value.flags.writeable = False

    @property
    def is_shared(self) -> bool:
        """Whether all men have the same list, and all women too."""
        return self.order is not None

    @property
    def num_pairs(self) -> int:
        """Number of pairs that list each other."""
        return self.num_men * self.num_women if self.is_shared else int(self.women.size)

    @property
    def num_vertices(self) -> int:
        """Men and women: M + W."""
        return self.num_men + self.num_women

    @property
    def num_edges(self) -> int:
        """Number of pairs, under the name that graphs use."""
        return self.num_pairs

    @property
    def has_capacities(self) -> bool:
        """Whether any person may have several partners."""
        return self.man_capacity is not None or self.woman_capacity is not None

    @property
    def nbytes(self) -> int:
        """Bytes of the instance's arrays."""
        return sum(array.nbytes for array in self._arrays() if array is not None)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the form, the sizes and the arrays (little-endian), as hexadecimal digits."""
        digest = hashlib.sha256(f"{self.num_men} men, {self.num_women} women".encode())
        for key, array in zip(_ARRAYS, self._arrays(), strict=True):
            if array is not None:
                digest.update(key.encode())
                digest.update(array.astype(array.dtype.newbyteorder("<"), copy=False).data)
        return digest.hexdigest()

    def rank(self, man: int, woman: int) -> tuple[int, int] | None:
        """Return his rank of her and hers of him, from 1, or None if they do not list each other.

        Raises
        ------
        GraphError
            There is no such man or no such woman.
        """
        for who, number, count in (("man", man, self.num_men), ("woman", woman, self.num_women)):
            if not 0 <= number < count:
                raise GraphError(f"there is no {who} {number}, only {count}, numbered from 0")
        if self.is_shared:
            return int(np.flatnonzero(self.order == woman)[0]) + 1, int(self.standing[man])
        begin, end = self.indptr[man], self.indptr[man + 1]
        place = np.flatnonzero(self.women[begin:end] == woman)
        return (int(place[0]) + 1, int(self.her_rank[begin + place[0]])) if place.size else None

    def list_lengths(self, side: str = "men") -> NDArray[np.int64]:
        """Return how many women each man lists, or each woman men: int64, shape (people,)."""
        sizes = self.num_men, self.num_women
        own, others = sizes if side == "men" else sizes[::-1]
        if self.is_shared:
            return np.full(own, others, np.int64)
        if side == "men":
            return np.diff(self.indptr)
        return np.bincount(self.women, minlength=own)

    def women_rows(self) -> WomenRows:
        """Return the same pairs in the women's rows, made once.

        Returns
        -------
        indptr : ndarray of int64, shape (W + 1,)
        men : ndarray of int32, shape (num_pairs,)
            The men of each woman, the most preferred first.
        his_rank : ndarray of int32, shape (num_pairs,)
            The man's rank of her.

        Raises
        ------
        GraphError
            The form is shared, in which all women have the same list.
        """
        return self._women_rows

    @cached_property
    def _women_rows(self) -> WomenRows:
        if self.is_shared:
            raise GraphError(
                "a shared instance has no rows: all women have the list `standing` ranks; "
                "expanded() makes rows of a small one"
            )
        rows = other_side(Rows(self.indptr, self.women, self.her_rank), self.num_women)
        for array in rows:
            array.flags.writeable = False
        return rows

    def lists(self) -> tuple[list[list[int]], list[list[int]]]:
        """Return the lists of the men and of the women, the most preferred first.

        Raises
        ------
        GraphError
            There are more than two million pairs.
        """
        check_small(self, "lists as Python lists are for small instances")
        if self.is_shared:
            men = np.argsort(self.standing).tolist()
            return (
                [self.order.tolist() for _ in range(self.num_men)],
                [list(men) for _ in range(self.num_women)],
            )
        indptr, men_of_women, _ = self.women_rows()
        return _as_lists(self.indptr, self.women), _as_lists(indptr, men_of_women)

    def _arrays(self) -> list[np.ndarray | None]:
        return [getattr(self, key) for key in _ARRAYS]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled instance; NumPy forgets that arrays were read-only."""
        self.__dict__.update(state)
        self._freeze()

    def __eq__(self, other: object) -> bool:
        """Compare sizes, ranks and capacities; names and source do not matter."""
        return isinstance(other, Instance) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        parts = [repr(self.name)] if self.name else []
        parts += [f"men={self.num_men}", f"women={self.num_women}", f"pairs={self.num_pairs}"]
        parts += ["shared"] if self.is_shared else []
        parts += ["capacities"] if self.has_capacities else []
        return f"Preferences({', '.join(parts)})"


#: Attributes in comparisons and in the fingerprint, in this order.
_ARRAYS = ("indptr", "women", "her_rank", "order", "standing", "man_capacity", "woman_capacity")


def check_small(instance: Instance, reason: str) -> None:
    """Raise GraphError, whose text begins with the reason, for more than two million pairs."""
    if instance.num_pairs > SMALL:
        raise GraphError(
            f"{reason}: at most {SMALL} pairs, and this one has {instance.num_pairs}; take a "
            "smaller instance, or work with the arrays"
        )


def _as_lists(indptr: NDArray[np.int64], entries: NDArray[np.int32]) -> list[list[int]]:
    flat, bounds = entries.tolist(), indptr.tolist()
    return [flat[begin:end] for begin, end in pairwise(bounds)]
