"""Stable marriage on the GPU: the paper's McVitie-Wilson, Gale-Shapley in rounds, and ours.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
sections 2 and 4; the variant "fast", rounds on the GPU and capacities there are ours.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import ParameterError
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.lists import put_on_device
from gpucore.families.marriage.native import PROPOSERS, Married, make_result, with_record
from gpucore.families.marriage.outcome import (
    assign_all,
    in_instance_numbers,
    marry,
    no_pairs,
)
from gpucore.families.marriage.record import ROW_WORDS
from gpucore.families.marriage.search import Run, warps_of
from gpucore.families.marriage.seats import bytes_of_seats
from gpucore.families.marriage.variants import VARIANTS
from gpucore.params import check_threads
from gpucore.problems.preferences.prepare import as_preferences
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.record.recorder import RawRecord

#: Bytes that a run needs beside the lists: for each man (two queues, place, wife, and as much
#: again for translated numbers), for each woman (two words).
BYTES_PER_MAN, BYTES_PER_WOMAN, FIXED_BYTES = 32, 32, 1 << 17

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
    if problem.has_capacities and params.variant == "gs":
        raise ParameterError(
            "the variant gs gives everybody one partner; with capacities use mw or fast"
        )
    scratch = FIXED_BYTES + BYTES_PER_MAN * problem.num_men + BYTES_PER_WOMAN * problem.num_women
    if problem.has_capacities:
        scratch += bytes_of_seats(problem)
    lists = put_on_device(problem, device, scratch)
    warps = max(1, min(RECORDED_WARPS, warps_of(device, lists, params.variant)))
    recorder = context.recorder(warps=warps)
    work = Run(device, recorder, lists, params.threads_per_block)
    if lists.pairs == 0:
        found, seconds = no_pairs(), 0.0
    elif problem.has_capacities:
        found, seconds = assign_all(work, problem)
    else:
        found, seconds = marry(work, problem, params.variant)
    return _result(graph, given, params, work, problem, found, seconds)


def _result(
    graph: Graph | Preferences,
    given: Preferences,
    params: MarriageParams,
    work: Run,
    problem: Preferences,
    found: Married,
    seconds: float,
) -> MarriageResult:
    """Assemble the result of a run, in the numbers of the given instance."""
    raw = work.recorder.collect()
    plain = problem.is_shared and not given.has_capacities
    if plain and params.variant == "fast" and len(raw.events):
        raw = in_instance_numbers(raw, problem)
    in_rounds = params.variant == "gs"
    figures: dict[str, Any] = {
        "proposals": _proposals(work, raw),
        "rounds": len(work.rounds) if in_rounds else None,
    }
    if in_rounds:
        figures["free"] = [one["free"] for one in work.rounds]
        figures["proposed"] = [one["proposals"] for one in work.rounds]
    result = make_result(
        "marriage",
        given,
        found,
        seconds,
        device=work.device.describe(),
        params=dataclasses.asdict(params),
        figures=figures,
    )
    return with_record(result, raw, graph, work.rounds)


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
