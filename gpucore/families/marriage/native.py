"""Shared by the CPU methods for stable marriage: the native call, the checks, the result."""

from __future__ import annotations

import dataclasses
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
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.graph import PreferenceGraph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.progress import Cancel
    from gpucore.record import RawRecord

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


class Pairs(NamedTuple):
    """Married pairs: int32 arrays of equal length."""

    men: NDArray[np.int32]
    women: NDArray[np.int32]


def run_native(
    name: str,
    problem: Preferences | Graph,
    cancel: Cancel | None,
    proposers: str,
    *,
    threads: int | None = None,
    in_rounds: bool = False,
    counts_rounds: bool = False,
    params: dict[str, Any] | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
) -> MarriageResult:
    """Run the native method ``cpu_<name>``.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    problem : Preferences or PreferenceGraph
        The instance.
    cancel : Cancel or None
        Checked while the method runs.
    proposers : {"men", "women"}
        Whose lists are read from the best down; the marriage is the best for them.
    threads : int, optional
        Number of threads; None for a method on one thread, which accepts capacities.
    in_rounds : bool
        Let all free men propose at the same time.
    counts_rounds : bool
        Whether the method counts ``rounds``.
    params : dict, optional
        More parameters of the run.
    record, record_budget
        As for :func:`gpucore.run`.

    Returns
    -------
    MarriageResult
        `seconds` is the time of the native call. Figures beyond those of every method:
        ``skipped``, places skipped without a proposal, and of methods of several threads
        ``retries``, compare-and-swaps that came too late.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError
    """
    preferences = as_preferences(problem)
    check_proposers(proposers)
    if threads is not None and preferences.has_capacities:
        raise GraphError(
            f"{name} gives everybody one partner, but these preferences have capacities; "
            "gale_shapley and mcvitie_wilson take them"
        )
    asked = preferences if proposers == "men" else preferences.swapped()
    pairs, work, (seconds, raw) = _solve(
        name,
        asked,
        in_rounds,
        threads=threads or 1,
        cancel=cancel,
        record=record,
        record_budget=record_budget,
    )
    own, other = work.men_ranks, work.women_ranks
    if proposers == "women":
        pairs, (own, other) = Pairs(pairs.women, pairs.men), (other, own)
    result = make_result(
        name,
        preferences,
        pairs,
        seconds,
        threads=threads or 1,
        params={"proposers": proposers, **(params or {})},
        figures={
            "considered": work.considered,
            "men_mean_rank": own / work.pairs if work.pairs else None,
            "women_mean_rank": other / work.pairs if work.pairs else None,
            "proposals": work.proposals,
            "rounds": work.rounds if counts_rounds else None,
            "skipped": work.considered - work.proposals,
            **({} if threads is None else {"retries": work.failed}),
        },
    )
    if raw is None:
        return result
    several = preferences.has_capacities
    recorded = marriage_record(
        raw,
        cast("PreferenceGraph | Preferences", problem),
        algorithm=name,
        params=result.params,
        device=result.device,
        rounds=_rounds(raw) if in_rounds else [],
        wife=None if several else result.wife,
        pairs=(result.men, result.women) if several else None,
    )
    return dataclasses.replace(result, record=recorded)


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
) -> tuple[Pairs, _Work, Called]:
    """Let the men of `asked` propose; return the unsorted pairs; `context` is that of the call."""
    wife, men, women = _room(asked)
    work = _Work()
    task = _Task(*(getattr(asked, name) for name in _LISTS), in_rounds, wife, men, women, work)
    called = call(name, task, asked, **context)
    if asked.has_capacities:
        return Pairs(men[: work.pairs], women[: work.pairs]), work, called
    married = np.flatnonzero(wife >= 0).astype(np.int32)
    return Pairs(married, wife[married]), work, called


def _room(asked: Preferences) -> list[NDArray[np.int32]]:
    """Return the arrays for the answer: every man's wife, or with capacities all pairs."""
    if not asked.has_capacities:
        return [np.empty(asked.num_men, np.int32), np.empty(0, np.int32), np.empty(0, np.int32)]
    lengths = asked.num_women if asked.is_shared else np.diff(asked.indptr)
    wanted = 1 if asked.man_capacity is None else asked.man_capacity
    of_men = int(np.broadcast_to(np.minimum(wanted, lengths), asked.num_men).sum(dtype=np.int64))
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
    pairs: Pairs,
    seconds: float,
    *,
    threads: int,
    params: dict[str, Any],
    figures: dict[str, Any],
    versions: dict[str, str] | None = None,
) -> MarriageResult:
    """Make a result from a marriage: sort and count its pairs.

    Parameters
    ----------
    name, seconds, threads, params, figures
        What ran, for how long, and how; figures beyond the number of pairs.
    preferences : Preferences
        The instance.
    pairs : Pairs
        In any order.
    versions : dict, optional
        Versions of the libraries that did it.
    """
    men, women = pairs
    if preferences.has_capacities:
        order = np.lexsort((women, men))
        men, women = men[order], women[order]
    elif np.any(men[1:] <= men[:-1]):
        wife = np.full(preferences.num_men, -1, np.int32)
        wife[men] = women
        men = np.flatnonzero(wife >= 0).astype(np.int32)
        women = wife[men]
    return MarriageResult(
        algorithm=name,
        device=describe_cpu(threads) | (versions or {}),
        seconds=seconds,
        figures={"cardinality": int(men.size)} | figures,
        params={**params, "threads": threads},
        men=men,
        women=women,
        num_men=preferences.num_men,
        num_women=preferences.num_women,
    )


def check_proposers(proposers: str) -> None:
    """Raise ParameterError unless `proposers` is a side that can propose."""
    if not isinstance(proposers, str) or proposers not in PROPOSERS:
        raise ParameterError(f'proposers must be "men" or "women", not {proposers!r}')
