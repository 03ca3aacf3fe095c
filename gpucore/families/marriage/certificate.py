"""Certificate of a stable marriage: its pairs list each other, and no other pair blocks it.

A man and a woman who list each other block a marriage if each of them has room or prefers the
other to a present partner. The proof that no pair blocks is a test of every listed pair, or, where
all have one list, of maxima over many pairs (:mod:`gpucore.families.marriage.blocking`). Capacities
are respected: the same check serves marriages, residents in hospitals and many-to-many assignments
(Bäıou and Balinski's pairwise stability). It also proves that a marriage is the best stable one for
one side (:mod:`gpucore.families.marriage.best`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.reported import with_reported
from gpucore.errors import ParameterError
from gpucore.families.marriage import native_proof
from gpucore.families.marriage.best import best_for
from gpucore.families.marriage.blocking import (
    Held,
    Pairs,
    hold,
    search,
)
from gpucore.families.marriage.pairs import (
    NAMED,
    in_order,
    listed,
    room,
    well_formed,
)
from gpucore.problems.preferences.prepare import as_preferences

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences

#: The side that proposes.
Proposers = Literal["men", "women"]


def certify_marriage(
    problem: Preferences | Graph,
    men: np.ndarray,
    women: np.ndarray,
    *,
    proposers: Proposers | None = None,
) -> Certificate:
    """Prove, or refute, that a marriage is stable.

    Parameters
    ----------
    problem : Preferences or PreferenceGraph
        The lists.
    men, women : ndarray of an integer type, shape (pairs,)
        The pairs, sorted by man, then by woman.
    proposers : {"men", "women"}, optional
        The side for which no other stable marriage may be better (not checked where there are
        capacities). The figure ``considered`` is about their lists; default: those of the men.

    Returns
    -------
    Certificate
        Its figures are ``cardinality``, ``considered``, ``men_mean_rank`` and
        ``women_mean_rank``; a mean rank is left out if there are no pairs. A wrong marriage of
        whatever shape or type gives a failed certificate, not an error.

    Raises
    ------
    GraphError
        If `problem` holds no preferences.
    ParameterError
        If `proposers` is neither of the two.

    Notes
    -----
    Time is linear in the lists, for shared ones n log n; native code on all cores walks over the
    lists. Extra memory is about 50 bytes a person.

    Examples
    --------
    >>> from gpucore.problems.preferences.preferences import Preferences
    >>> two = Preferences.from_lists([[1, 0], [1, 0]], [[0, 1], [1, 0]])
    >>> print(certify_marriage(two, np.array([0, 1]), np.array([0, 1])))
    certified
      ok   well formed: 2 pairs of 2 men and 2 women
      ok   in order: sorted, no pair twice
      ok   room for all: no agent has more partners than room
      ok   mutually listed: every pair lists each other
      ok   no blocking pair: none of the 4 listed pairs
    >>> print(certify_marriage(two, np.array([0, 1]), np.array([1, 0])).failure.detail)
    1 blocking pair: man 1 and woman 1: he ranks her 1 but has one ranked 2, she ranks him 1 but has one ranked 2
    """  # noqa: E501
    if proposers not in (None, *get_args(Proposers)):
        raise ParameterError(f'proposers must be "men" or "women", not {proposers!r}')
    preferences = as_preferences(problem)
    checks, held = _hold(preferences, men, women)
    if held is None:
        return certificate(checks, {})
    figures = _figures(preferences, held, proposers)
    checks.append(_stable(preferences, held))
    if checks[-1].ok and proposers is not None:
        checks += filter(None, [best_for(preferences, held, proposers)])
    return certificate(checks, figures)


def certify_result(problem: Preferences | Graph, result: Any) -> Certificate:
    """Certify a ``MarriageResult`` with the figures that it reports."""
    proposers = result.params.get("proposers", "men")
    found = certify_marriage(problem, result.men, result.women, proposers=proposers)
    without_pairs = {"men_mean_rank": None, "women_mean_rank": None}
    return with_reported(found, result, without_pairs | dict(found.figures))


def blocking_pairs(
    problem: Preferences | Graph, men: np.ndarray, women: np.ndarray, *, limit: int | None = None
) -> Pairs:
    """Return the pairs that block a marriage, with their ranks of each other.

    Parameters
    ----------
    problem : Preferences or PreferenceGraph
        The lists.
    men, women : ndarray of an integer type, shape (pairs,)
        The marriage; its pairs have to be sorted, within capacities and listed.
    limit : int, optional
        Return at most this many pairs, any of them.

    Returns
    -------
    Pairs
        Sorted by man, then by his rank.

    Raises
    ------
    ParameterError
        If this is not a marriage; the text says what is wrong.

    Examples
    --------
    >>> from gpucore.problems.preferences.preferences import Preferences
    >>> two = Preferences.from_lists([[1, 0], [1, 0]], [[0, 1], [1, 0]])
    >>> found = blocking_pairs(two, np.array([0, 1]), np.array([1, 0]))
    >>> found.men.tolist(), found.women.tolist()
    ([1], [1])
    """
    preferences = as_preferences(problem)
    checks, held = _hold(preferences, men, women)
    if held is None:
        raise ParameterError(f"this is no marriage: {checks[-1].name}: {checks[-1].detail}")
    batches = [Pairs(*(np.empty(0, np.int32) for _ in Pairs._fields))]
    for batch in search(preferences, held):
        batches.append(batch)
        if limit is not None and sum(b.men.size for b in batches) >= limit:
            break
    every = [np.concatenate(arrays)[:limit] for arrays in zip(*batches, strict=True)]
    order = np.lexsort((every[2], every[0]))
    return Pairs(*(array[order] for array in every))


def _hold(
    preferences: Preferences, men: np.ndarray, women: np.ndarray
) -> tuple[list[Check], Held | None]:
    """Return the basic checks up to the first that fails; if all hold, the marriage."""
    men, women = np.asarray(men), np.asarray(women)
    checks = [well_formed(preferences, men, women)]
    if checks[-1].ok:
        men, women = men.astype(np.int32), women.astype(np.int32)
        checks.append(in_order(men, women))
    if checks[-1].ok:
        checks.append(room(preferences, men, women))
    if not checks[-1].ok:
        return checks, None
    held = hold(preferences, men, women)
    checks.append(listed(held.pairs))
    return checks, held if checks[-1].ok else None


def _stable(preferences: Preferences, held: Held) -> Check:
    if preferences.is_shared:
        return _stable_shared(preferences, held)
    found = native_proof.blocking(preferences, held)
    count, words = found.entries.count, []
    for man, entry in found.named:
        woman, her_rank = int(preferences.women[entry]), int(preferences.her_rank[entry])
        his_rank = entry - int(preferences.indptr[man]) + 1
        words.append(_blocking(held, man, woman, his_rank, her_rank))
    return _none_blocks(preferences, count, str(count), words)


def _stable_shared(preferences: Preferences, held: Held) -> Check:
    count, words, number = 0, list[str](), ""
    for batch in search(preferences, held):
        count += batch.men.size
        few = (array[: NAMED - len(words)].tolist() for array in batch)
        words += [_blocking(held, *pair) for pair in zip(*few, strict=True)]
        # The other pairs are found one by one, and all pairs may block.
        number = "at least "
        break
    return _none_blocks(preferences, count, f"{number}{count}", words)


def _none_blocks(preferences: Preferences, count: int, number: str, words: list[str]) -> Check:
    name = "no blocking pair"
    if count:
        text = f"{number} blocking pair{'s' if count > 1 else ''}: {'; '.join(words)}"
        return Check(name, False, text)
    return Check(name, True, f"none of the {preferences.num_pairs} listed pairs")


def _blocking(held: Held, man: int, woman: int, his_rank: int, her_rank: int) -> str:
    his = _has(held.pairs.men, held.pairs.his_rank, man, held.man_limit)
    hers = _has(held.pairs.women, held.pairs.her_rank, woman, held.woman_limit)
    return (
        f"man {man} and woman {woman}: he ranks her {his_rank} {his}, "
        f"she ranks him {her_rank} {hers}"
    )


def _has(
    persons: NDArray[np.int32], ranks: NDArray[np.int32], person: int, limit: NDArray[np.int32]
) -> str:
    own = ranks[persons == person]
    if not own.size:
        return "and has no partner"
    return f"but has one ranked {own.max()}" if own.max() == limit[person] else "and has room"


def _figures(
    preferences: Preferences, held: Held, proposers: Proposers | None
) -> dict[str, float | int]:
    limits = held.woman_limit if proposers == "women" else held.man_limit
    lengths = preferences.list_lengths(proposers or "men")
    considered = np.minimum(limits, lengths).sum(dtype=np.int64)
    figures: dict[str, float | int] = {
        "cardinality": held.pairs.men.size,
        "considered": int(considered),
    }
    if held.pairs.men.size:
        figures["men_mean_rank"] = float(held.pairs.his_rank.mean(dtype=np.float64))
        figures["women_mean_rank"] = float(held.pairs.her_rank.mean(dtype=np.float64))
    return figures
