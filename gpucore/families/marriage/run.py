"""Stable marriage on the GPU: the paper's McVitie-Wilson, Gale-Shapley in rounds, and ours.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
sections 2 and 4; the variant "fast", rounds on the GPU and capacities there are ours.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.lists import put_on_device
from gpucore.families.marriage.outcome import (
    Found,
    assign_all,
    in_instance_numbers,
    marry,
    no_pairs,
)
from gpucore.families.marriage.record import ROW_WORDS, marriage_record
from gpucore.families.marriage.result import MarriageResult
from gpucore.families.marriage.search import Run, warps_of
from gpucore.families.marriage.seats import bytes_of_seats
from gpucore.families.marriage.variants import VARIANTS
from gpucore.params import check_threads
from gpucore.problems.preferences.prepare import as_preferences
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.graph import PreferenceGraph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.record.recorder import RawRecord

#: Bytes that a run needs beside the lists: for each man (two queues, place, wife, and as much
#: again for translated numbers), for each woman (two words).
BYTES_PER_MAN, BYTES_PER_WOMAN, FIXED_BYTES = 32, 32, 1 << 17

PROPOSERS = ("men", "women")
#: Warps with rows of their own in a record; further warps share these rows.
RECORDED_WARPS = 1 << 13


@dataclass(frozen=True)
class MarriageParams:
    """Parameters of stable marriage.

    Attributes
    ----------
    variant : {"fast", "mw", "gs"}
        "fast": ours; "mw": McVitie-Wilson, a thread a man; "gs": Gale-Shapley in rounds. All end
        in the same marriages. With capacities "fast" and "mw" are one: a thread a place.
    proposers : {"men", "women"}
        The side that proposes. Among the stable marriages the result is the best for each
        proposer and the worst for each of the others.
    threads_per_block : int
        Of "mw", and with capacities.
    """

    variant: str = "fast"
    proposers: str = "men"
    threads_per_block: int = 256

    def __post_init__(self) -> None:
        if self.proposers not in PROPOSERS:
            raise ParameterError(f"proposers are {self.proposers!r}; use men or women")
        check_threads(self.threads_per_block, (32, 64, 128, 256, 512, 1024))


def run(graph: Graph | Preferences, params: MarriageParams, context: Context) -> MarriageResult:
    """Find the stable marriage that is best for the proposers; see :func:`gpucore.run`.

    Parameters
    ----------
    graph : Preferences or PreferenceGraph
        The instance.

    Returns
    -------
    MarriageResult
        The same for every variant, device and schedule. Among its figures, ``proposals`` is known
        for "gs", and for the others if they are recorded; ``free`` and ``proposed`` have a number
        for each round of "gs".

    Raises
    ------
    ParameterError
        Capacities with the variant "gs".
    """
    device, given = context.device, as_preferences(graph)
    problem = given.swapped() if params.proposers == "women" else given
    if problem.has_capacities:
        _check_capacities(params)
    scratch = FIXED_BYTES + BYTES_PER_MAN * problem.num_men + BYTES_PER_WOMAN * problem.num_women
    if problem.has_capacities:
        scratch += bytes_of_seats(problem)
    lists = put_on_device(problem, device, scratch)
    warps = max(1, min(RECORDED_WARPS, warps_of(device, lists, params.variant)))
    recorder = context.recorder(warps=warps)
    work = Run(device, recorder, lists, params.threads_per_block)
    if lists.pairs == 0:
        found = no_pairs()
    elif problem.has_capacities:
        found = assign_all(work, problem)
    else:
        found = marry(work, problem, params.variant)
    return _result(graph, given, params, work, problem, found)


def _check_capacities(params: MarriageParams) -> None:
    if params.variant == "gs":
        raise ParameterError(
            "the variant gs gives everybody one partner; with capacities use mw or fast"
        )


def _result(
    graph: Graph | Preferences,
    given: Preferences,
    params: MarriageParams,
    work: Run,
    problem: Preferences,
    found: Found,
) -> MarriageResult:
    """Assemble the result of a run, in the numbers of the given instance."""
    settings = dataclasses.asdict(params)
    description = work.device.describe()
    men, women, his, hers = found.men, found.women, found.his, found.hers
    if params.proposers == "women":
        order = np.argsort(women, kind="stable")
        men, women, his, hers = women[order], men[order], hers[order], his[order]
    raw = work.recorder.collect()
    several = given.has_capacities
    if problem.is_shared and params.variant == "fast" and len(raw.events) and not several:
        raw = in_instance_numbers(raw, problem)
    figures: dict[str, Any] = {
        "cardinality": int(men.size),
        "considered": found.considered,
        "men_mean_rank": float(his.mean()) if men.size else None,
        "women_mean_rank": float(hers.mean()) if men.size else None,
        "proposals": _proposals(work, raw),
        "rounds": len(work.rounds) if params.variant == "gs" else None,
    }
    if params.variant == "gs":
        figures["free"] = [one["free"] for one in work.rounds]
        figures["proposed"] = [one["proposals"] for one in work.rounds]
    result = MarriageResult(
        algorithm="marriage",
        device=description,
        seconds=found.seconds,
        figures=figures,
        params=settings,
        men=men,
        women=women,
        num_men=given.num_men,
        num_women=given.num_women,
    )
    recorded = marriage_record(
        raw,
        cast("PreferenceGraph | Preferences", graph),
        algorithm="marriage",
        params=settings,
        device=description,
        rounds=work.rounds,
        wife=None if several else result.wife,
        pairs=(men, women) if several else None,
    )
    return dataclasses.replace(result, record=recorded)


def _proposals(work: Run, raw: RawRecord) -> int | None:
    """Return how many proposals were made, if that was counted."""
    if work.rounds:
        return sum(one["proposals"] for one in work.rounds)
    if raw.level == "off":
        return None
    made = [ROW_WORDS.index(word) for word in ("engaged", "refused")]
    return int(raw.rows[:, :, made].sum(dtype=np.int64))


ALGORITHM = Runner(
    name="marriage",
    title="Stable marriage",
    source="CSC 2016, sections 2 and 4",
    params=MarriageParams,
    variants=VARIANTS,
    records=True,
    run=run,
    certify=certify_result,
)
