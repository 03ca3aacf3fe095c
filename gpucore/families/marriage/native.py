"""Shared by the CPU methods for stable marriage: the native call, the checks, the result."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gpucore.cpu.call import Called, call
from gpucore.cpu.common import describe_cpu
from gpucore.cpu.task import Report, layout, struct
from gpucore.errors import DeviceError, GraphError, ParameterError
from gpucore.families.marriage.record import ROW_WORDS, marriage_record
from gpucore.families.marriage.result import MarriageResult
from gpucore.problems.preferences.prepare import as_preferences
from gpucore.record.record import about

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.graph import PreferenceGraph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.record import RawRecord
    from gpucore.runner import Context

#: Sides that can propose.
PROPOSERS = ("men", "women")


class _Work(Report):
    """``MarriageWork`` of marriage.h."""

    _fields_ = layout("int64 considered proposals rounds failed pairs men_ranks women_ranks")


_Task = struct(
    "MarriageTask",
    "int32 num_men num_women, int64[] indptr, int32[] women her_rank order standing "
    "man_capacity woman_capacity, int32 in_rounds, threads, cancel, "
    "int32[] wife married_men married_women, Work* work, recording",
    Work=_Work,
)
#: Fields that are attributes of the preferences.
_LISTS = (
    *("num_men", "num_women", "indptr", "women", "her_rank", "order", "standing"),
    *("man_capacity", "woman_capacity"),
)


class Married(NamedTuple):
    """A marriage as the proposers see it, who are the men.

    Attributes
    ----------
    men, women : ndarray of int32, shape (pairs,)
        In any order.
    considered : int
        Places read in the men's lists.
    men_ranks, women_ranks : int
        Sums of the ranks that they give each other.
    """

    men: NDArray[np.int32]
    women: NDArray[np.int32]
    considered: int
    men_ranks: int
    women_ranks: int


@dataclass(frozen=True)
class ProposerParams:
    """Parameters of every method for stable marriage.

    Attributes
    ----------
    proposers : {"men", "women"}
        Whose lists are read from the best down; the marriage is the best for them.
    """

    proposers: str = "men"

    def __post_init__(self) -> None:
        if not isinstance(self.proposers, str) or self.proposers not in PROPOSERS:
            raise ParameterError(f'proposers must be "men" or "women", not {self.proposers!r}')


class Pairs(NamedTuple):
    """Married pairs: int32 arrays of equal length."""

    men: NDArray[np.int32]
    women: NDArray[np.int32]


def run_native(
    name: str,
    parallel: bool,
    problem: Preferences | Graph,
    params: ProposerParams,
    context: Context,
) -> MarriageResult:
    """Run the native method ``cpu_<name>``.

    Parameters
    ----------
    name, parallel
        Of the method's runner; one of a single thread accepts capacities.
    problem : Preferences or PreferenceGraph
        The instance.
    params : ProposerParams
        Who proposes, and perhaps in which order; with an order the method counts ``rounds``.

    Returns
    -------
    MarriageResult
        `seconds` is the time of the native call. Figures beyond those of every method:
        ``skipped``, places skipped without a proposal, and of methods of several threads
        ``retries``, compare-and-swaps that came too late.

    Raises
    ------
    GraphError, Cancelled, DeviceError
    """
    preferences, proposers = as_preferences(problem), params.proposers
    settings = dataclasses.asdict(params)
    in_rounds, threads = settings.get("order") == "rounds", context.workers if parallel else 1
    if parallel and preferences.has_capacities:
        raise GraphError(
            f"{name} gives everybody one partner, but these preferences have capacities; "
            "gale_shapley and mcvitie_wilson take them"
        )
    asked = preferences if proposers == "men" else preferences.swapped()
    married, work, (seconds, raw) = _solve(
        name, asked, in_rounds, threads=threads, cancel=context.cancel, **context.recorded
    )
    result = make_result(
        name,
        preferences,
        married,
        seconds,
        device=describe_cpu(threads),
        params={**settings, "threads": threads},
        figures={
            "proposals": work.proposals,
            "rounds": work.rounds if "order" in settings else None,
            "skipped": work.considered - work.proposals,
            **({"retries": work.failed} if parallel else {}),
        },
    )
    if raw is None:
        return result
    return with_record(result, raw, problem, _rounds(raw) if in_rounds else [])


def with_record(
    result: MarriageResult,
    raw: RawRecord,
    problem: Preferences | Graph,
    rounds: Sequence[Mapping[str, Any]],
) -> MarriageResult:
    """Return a result with its record; `rounds` as of :func:`marriage_record`."""
    several = as_preferences(problem).has_capacities
    record = marriage_record(
        raw,
        cast("PreferenceGraph | Preferences", problem),
        rounds=rounds,
        wife=None if several else result.wife,
        pairs=(result.men, result.women) if several else None,
        **about(result),
    )
    return dataclasses.replace(result, record=record)


def _rounds(raw: RawRecord) -> list[dict[str, int]]:
    """Return the free men before each round, and the proposals in it, from the rows of one thread.

    Men who propose in vain to the end of their lists make a last round without proposals.
    """
    busy, engaged, refused = (
        raw.rows[:, 0, ROW_WORDS.index(word)].astype(np.int64)
        for word in ("busy", "engaged", "refused")
    )
    answers = np.append(engaged + refused, 0)[1::2]
    return [
        {"free": int(free), "proposals": int(proposals)}
        for free, proposals in zip(busy[::2], answers, strict=False)
    ]


def _solve(
    name: str, asked: Preferences, in_rounds: bool, **context: Any
) -> tuple[Married, _Work, Called]:
    """Let the men of `asked` propose; `context` is that of the call."""
    wife, men, women = _room(asked)
    work = _Work()
    task = _Task(*(getattr(asked, name) for name in _LISTS), in_rounds, wife, men, women, work)
    called = call(name, task, asked, **context)
    if asked.has_capacities:
        men, women = men[: work.pairs], women[: work.pairs]
    else:
        men = np.flatnonzero(wife >= 0).astype(np.int32)
        women = wife[men]
    sums = (work.considered, work.men_ranks, work.women_ranks)
    return Married(men, women, *sums), work, called


def _room(asked: Preferences) -> list[NDArray[np.int32]]:
    """Return the arrays for the answer: every man's wife, or with capacities all pairs."""
    if not asked.has_capacities:
        return [np.empty(asked.num_men, np.int32), np.empty(0, np.int32), np.empty(0, np.int32)]
    wanted = 1 if asked.man_capacity is None else asked.man_capacity
    of_men = int(np.minimum(wanted, asked.list_lengths()).sum(dtype=np.int64))
    offered = asked.woman_capacity
    of_women = asked.num_women if offered is None else int(offered.sum(dtype=np.int64))
    size = min(of_men, of_women, asked.num_pairs)
    try:
        return [np.empty(0, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)]
    except MemoryError:
        raise DeviceError(f"there is no memory for the {size} pairs of {asked!r}") from None


def make_result(
    name: str,
    preferences: Preferences,
    married: Married,
    seconds: float,
    *,
    device: dict[str, Any],
    params: dict[str, Any],
    figures: dict[str, Any],
) -> MarriageResult:
    """Make a result in the numbers of the instance, its pairs sorted and counted.

    Parameters
    ----------
    name, seconds, device, params, figures
        What ran, for how long, and how; figures beyond those of the marriage.
    preferences : Preferences
        The instance.
    """
    men, women, considered, his, hers = married
    if params["proposers"] == "women":
        men, women, his, hers = women, men, hers, his
    count = int(men.size)
    if preferences.has_capacities:
        order = np.lexsort((women, men))
        men, women = men[order], women[order]
    elif np.any(men[1:] <= men[:-1]):  # without a sort, which takes long
        wife = np.full(preferences.num_men, -1, np.int32)
        wife[men] = women
        men = np.flatnonzero(wife >= 0).astype(np.int32)
        women = wife[men]
    return MarriageResult(
        algorithm=name,
        device=device,
        seconds=seconds,
        figures={
            "cardinality": count,
            "considered": considered,
            "men_mean_rank": his / count if count else None,
            "women_mean_rank": hers / count if count else None,
            **figures,
        },
        params=params,
        men=men,
        women=women,
        num_men=preferences.num_men,
        num_women=preferences.num_women,
    )
