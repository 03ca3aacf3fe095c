"""Instances of the stable marriage problem: preference lists of two sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike

from gpucore.problems.preferences import checks as preference_checks
from gpucore.problems.preferences import sources as preference_sources
from gpucore.problems.preferences.instance import SMALL, Instance, check_small
from gpucore.problems.preferences.lists import (
    MEN,
    WOMEN,
    mutual_rows,
    rows_of_lists,
)

if TYPE_CHECKING:
    from gpucore.limits import Limits
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.graph import PreferenceGraph

__all__ = ["SMALL", "Preferences"]


class Preferences(Instance):
    """Preference lists of men and women, incomplete ones too, with a rank for every pair.

    There are two forms. Explicit: a row for each man has his women, most preferred first, and for
    each the rank that she gives him; a man's own rank of the woman at place k of his row is k + 1.
    Only pairs that list each other are stored, and ranks count these pairs only. Shared, for the
    hard instances of the paper: all men have one complete list, and all women another, stored as
    two vectors.

    :meth:`from_lists`, :meth:`from_csr`, :meth:`from_ranks`, :meth:`from_graph` and :meth:`shared`
    are the usual constructors. Arrays are read-only.

    Parameters
    ----------
    num_men, num_women : int
        Numbers of men and women, M and W.
    indptr : ndarray of int64, shape (M + 1,)
        The row of man m is ``women[indptr[m]:indptr[m + 1]]``; None in the shared form.
    women : ndarray of int32, shape (num_pairs,)
        The men's lists; None in the shared form.
    her_rank : ndarray of int32, shape (num_pairs,)
        The woman's rank of the man, 1 is the best; None in the shared form.
    order : ndarray of int32, shape (W,)
        The list that every man has; None in the explicit form.
    standing : ndarray of int32, shape (M,)
        The rank that every woman gives each man, 1 to M; None in the explicit form.
    man_capacity, woman_capacity : ndarray of int32, shapes (M,) and (W,), optional
        How many partners each may have, at least 1; None if all have at most one.
    name : str
        Display label.
    names : tuple of str, optional
        Names of the men followed by those of the women.
    source : mapping, optional
        As of :class:`gpucore.Graph`; ``source["purged"]`` is the number of one-sided entries that
        were left out.

    Raises
    ------
    GraphError
        If the arrays are not a valid instance; the text names the person.

    Examples
    --------
    >>> preferences = Preferences.from_lists([[1, 0], [1]], [[0], [0, 1]])
    >>> preferences
    Preferences(men=2, women=2, pairs=3)
    >>> preferences.women.tolist(), preferences.her_rank.tolist()
    ([1, 0, 1], [1, 1, 2])
    >>> preferences.rank(1, 1), preferences.rank(1, 0)
    ((1, 2), None)
    """

    @classmethod
    def from_lists(
        cls,
        men_lists: Sequence[Iterable[int]],
        women_lists: Sequence[Iterable[int]],
        **attributes: Any,
    ) -> Preferences:
        """Make an instance from the lists of both sides, most preferred first.

        Parameters
        ----------
        men_lists, women_lists : sequence of iterables of int
            Lists of all men and of all women, with numbers from 0; a list may be empty.
        **attributes
            `man_capacity` and `woman_capacity` (one number for all, or one each), `name`,
            `names`, `source`, `limits`.

        Raises
        ------
        GraphError
            A person is listed twice or out of range; the text names person and place.

        Examples
        --------
        >>> Preferences.from_lists([[0, 1]], [[0], []]).source["purged"]
        1
        """
        men, women = rows_of_lists(men_lists, MEN), rows_of_lists(women_lists, WOMEN)
        return cls.from_csr(*men, *women, **attributes)

    @classmethod
    def from_csr(
        cls,
        men_indptr: ArrayLike,
        men_lists: ArrayLike,
        women_indptr: ArrayLike,
        women_lists: ArrayLike,
        *,
        source: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        **attributes: Any,
    ) -> Preferences:
        """Make an instance from the lists of both sides as compressed rows.

        One-sided entries are left out and counted in ``source["purged"]``. The time is proportional
        to the lists.

        Parameters
        ----------
        men_indptr, men_lists : array_like of int, shapes (M + 1,) and (entries,)
            ``men_lists[men_indptr[m]:men_indptr[m + 1]]`` are the women of man m, best first.
        women_indptr, women_lists : array_like of int, shapes (W + 1,) and (entries,)
            The men of every woman likewise.
        source, **attributes
            As in :meth:`from_lists`.
        limits : Limits, optional
            Larger instances are refused before anything is allocated.

        Raises
        ------
        GraphError
            As in :meth:`from_lists`.
        """
        men, women = preference_checks.both_sides(
            (men_indptr, men_lists), (women_indptr, women_lists), limits
        )
        rows, purged = mutual_rows(men, women)
        return cls.of_arrays(
            num_men=men[0].size - 1,
            num_women=women[0].size - 1,
            **rows._asdict(),
            source={**({"kind": "memory"} if source is None else source), "purged": purged},
            **attributes,
        )

    @classmethod
    def from_ranks(
        cls,
        men_ranks: ArrayLike,
        women_ranks: ArrayLike,
        *,
        ties: Literal["refuse", "index"] = "refuse",
        limits: Limits | None = None,
        **attributes: Any,
    ) -> Preferences:
        """Make a complete instance from two tables of ranks.

        Parameters
        ----------
        men_ranks : array_like of real, shape (M, W)
            ``men_ranks[m, w]`` is man m's rank of woman w: the smaller the better. Ranks from 1 on
            or any other numbers; of scores that are better when larger, give the negatives.
        women_ranks : array_like of real, shape (W, M)
            The women's ranks of the men likewise.
        ties : {"refuse", "index"}
            "refuse": equal ranks are an error; "index": the smaller number comes first.
        limits, **attributes
            As in :meth:`from_csr`.

        Raises
        ------
        GraphError
            Shapes that do not fit, numbers that are not finite, ties (the text names both).

        Examples
        --------
        >>> Preferences.from_ranks([[2, 1], [1, 2]], [[1, 2], [1, 2]]).lists()
        ([[1, 0], [0, 1]], [[0, 1], [0, 1]])
        """
        values = preference_sources.of_ranks(men_ranks, women_ranks, ties, limits)
        return cls.of_arrays(**(values | attributes))

    @classmethod
    def from_graph(cls, graph: Graph, **attributes: Any) -> Preferences:
        """Make the instance whose only stable marriage is the graph's greedy matching (Lemma 3.1).

        Every vertex is a man and a woman; both list the neighbours by decreasing weight, of equal
        weights the larger number first, as in all our algorithms. Self-loops and edges of weight 0
        or less are left out, as in Suitor.

        Parameters
        ----------
        graph : Graph
            Graph with n vertices: n men and n women.
        **attributes
            As in :meth:`from_lists`. Equal capacities of both sides give a b-matching (section 3).

        Examples
        --------
        >>> from gpucore import Graph
        >>> path = Graph.from_edges(3, [0, 1], [1, 2], [1.0, 2.0])
        >>> Preferences.from_graph(path).lists()[0]
        [[1], [2, 0], [1]]
        """
        return cls.of_arrays(**(preference_sources.of_graph(graph) | attributes))

    @classmethod
    def shared(cls, order: ArrayLike, standing: ArrayLike, **attributes: Any) -> Preferences:
        """Make an instance in which all men have the same list, and so have all women.

        Parameters
        ----------
        order : array_like of int, shape (W,)
            The women, the most preferred first.
        standing : array_like of int, shape (M,)
            Rank of each man with all women: 1 to M, each once.
        **attributes
            As in :meth:`from_lists`.

        Examples
        --------
        >>> Preferences.shared([1, 0, 2], [3, 1, 2])
        Preferences(men=3, women=3, pairs=9, shared)
        """
        first, second = preference_checks.shared_vectors(order, standing)
        return cls.of_arrays(
            num_men=second.size, num_women=first.size, order=first, standing=second, **attributes
        )

    def swapped(self) -> Preferences:
        """Return the instance in which women propose: its men are this one's women.

        Examples
        --------
        >>> Preferences.from_lists([[1, 0], [1]], [[0], [0, 1]]).swapped().lists()
        ([[0], [0, 1]], [[1, 0], [1]])
        """
        return Preferences.of_arrays(**preference_sources.swapped(self))

    def expanded(self, limit: int = SMALL) -> Preferences:
        """Return a shared instance in the explicit form; an explicit one unchanged.

        Raises
        ------
        GraphError
            There would be more than `limit` pairs.
        """
        if not self.is_shared:
            return self
        return Preferences.of_arrays(**preference_sources.expanded(self, limit))

    def graph(self) -> PreferenceGraph:
        """Return the graph of a small instance's pairs, for the app and records.

        Raises
        ------
        GraphError
            There are more than two million pairs.
        """
        from gpucore.problems.preferences.graph import PreferenceGraph

        check_small(self, "a graph is made of small instances")
        return PreferenceGraph.of(self)
