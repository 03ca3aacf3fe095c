"""The package `matching`: pure Python, an independent implementation for small instances.

Its hospital-resident algorithm deletes from the lists all who cannot be held any more; with all
capacities 1 it solves stable marriage with incomplete lists. It supports capacities of one side
only. The measured time does not contain making its players.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.common import describe_cpu, installed
from gpucore.errors import GraphError
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.native import Married, ProposerParams, make_result
from gpucore.problems.preferences.prepare import as_preferences
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences

#: Most pairs; complete lists of 300 take some seconds.
MOST_PAIRS = 100_000


def run(graph: Preferences | Graph, params: ProposerParams, context: Context) -> MarriageResult:
    """Return the package's marriage; it cannot be interrupted while it runs.

    Parameters
    ----------
    graph : Preferences or PreferenceGraph
        At most 100,000 pairs; only the side that does not propose may have capacities.
    params : ProposerParams
    context : Context

    Raises
    ------
    GraphError, Cancelled
    """
    import matching

    preferences = as_preferences(graph)
    proposers = params.proposers
    check(context.cancel)
    if preferences.num_pairs > MOST_PAIRS:
        raise GraphError(
            f"the package matching is too slow for {preferences.num_pairs} pairs, it gets at most "
            f"{MOST_PAIRS}; mcvitie_wilson solves it"
        )
    asked = preferences if proposers == "men" else preferences.swapped()
    if asked.man_capacity is not None:
        raise GraphError(
            f"the package matching lets only those have several partners who do not propose, but "
            f"the {proposers} propose and have capacities; mcvitie_wilson solves it"
        )
    married, seconds = _solve(asked.expanded())
    check(context.cancel)
    return make_result(
        "matching_library",
        preferences,
        married,
        seconds,
        device=describe_cpu(1) | {"matching": matching.__version__},
        params={"proposers": proposers, "threads": 1},
        figures={"proposals": None, "rounds": None},
    )


def _solve(asked: Preferences) -> tuple[Married, float]:
    """Let the men of explicit preferences propose; return the marriage and the seconds."""
    from matching.algorithms import hospital_resident

    men_lists, women_lists = asked.lists()
    men, women = _players(men_lists, women_lists, asked.woman_capacity)
    start = time.perf_counter()
    # It does not accept players with an empty list.
    found = hospital_resident([m for m in men if m.prefs], [w for w in women if w.prefs])
    seconds = time.perf_counter() - start
    married = [(man.name, woman.name) for woman, held in found.items() for man in held]
    his = [men_lists[man].index(woman) + 1 for man, woman in married]
    hers = [women_lists[woman].index(man) + 1 for man, woman in married]
    ends = np.array(sorted(married), np.int32).reshape(-1, 2)
    single = set(range(asked.num_men)) - {man for man, _ in married}
    considered = sum(his) + sum(len(men_lists[man]) for man in single)
    return Married(ends[:, 0], ends[:, 1], considered, sum(his), sum(hers)), seconds


def _players(
    men_lists: list[list[int]], women_lists: list[list[int]], capacity: np.ndarray | None
) -> tuple[list[Any], list[Any]]:
    """Return the package's players, named by their numbers, with their lists."""
    from matching import Player
    from matching.players import Hospital

    men = [Player(man) for man in range(len(men_lists))]
    room = [1] * len(women_lists) if capacity is None else capacity.tolist()
    women = [Hospital(woman, room[woman]) for woman in range(len(women_lists))]
    for player, whom in zip(men, men_lists, strict=True):
        player.set_prefs([women[woman] for woman in whom])
    for player, whom in zip(women, women_lists, strict=True):
        player.set_prefs([men[man] for man in whom])
    return men, women


METHOD = Runner(
    name="matching_library",
    title="The package matching",
    source="matching, hospital_resident",
    run=run,
    certify=certify_result,
    params=ProposerParams,
    where="library",
    available=partial(installed, "matching", "The package matching"),
)
