"""Stages of the Leiden method, on the kernels of the variant "fast".

Source: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected communities",
Scientific Reports 9:5233 (2019).  A stage moves vertices as Louvain does, refines every community
into connected parts, and makes each part a vertex; the next stage starts with the communities of
the moving phase.  ``families/communities/kernels/leiden.cu`` has the parallel refinement, and why
its parts are connected under every interleaving.

After the last stage, the communities are their connected components.  Dividing a community between
components removes no edge inside it, so modularity does not fall.  If the parts have more
modularity than that, they are the communities.  Then single vertices of the given graph move again
(:mod:`gpucore.families.communities.fast.refinement`), so stages may end early; the communities are
divided once more, and are the result if they have more modularity, or no vertex that could gain
where those before had some.

The later stages of a large graph are one launch where that may be; see
:mod:`gpucore.families.communities.fast.later`.

If vertices of a small graph moved then, a second cycle follows, as in the paper: the communities
are refined, and the stages go on from their parts, until no parts join.  There communities that
were joined too early come apart: their last parts have more modularity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gpucore.families.communities.fast.contraction import contract
from gpucore.families.communities.fast.ends import gains_little
from gpucore.families.communities.fast.leiden_phase import (
    Carried,
    LeidenPhase,
    carry,
    divide,
    modularity,
    numbered,
    separate,
)
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.fast.small_log import MOST_CYCLES
from gpucore.families.communities.reports import StageReport
from gpucore.families.communities.stage import value_of
from gpucore.families.communities.starts import ROUNDING
from gpucore.families.communities.variants import CYCLE_ENTRIES
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.families.communities.stage import Found, Later, Run, Stage


class Stages(NamedTuple):
    """What stages found.

    Attributes
    ----------
    levels : list of array of int32
        The vertex of the next stage for every vertex of a stage; the parts of the refinement, and
        last the communities.
    strength : array of uint64
        Strengths of the communities.
    modularity : float
        Their modularity.
    """

    levels: list[Any]
    strength: Any
    modularity: float


class Before(NamedTuple):
    """What stages found so far, and how the next one begins.

    Attributes
    ----------
    levels, strength
        As :class:`Stages` has them; strengths of the parts.
    modularity : float
        Of the communities `carried`.
    stage, carried : Stage, Carried
        The next one.
    final : bool
        Whether its threshold is `t_final`.
    """

    levels: list[Any]
    strength: Any
    modularity: float
    stage: Stage
    carried: Carried
    final: bool


def leiden_stages(
    run: Run, first: FastPhase, singles: Later, finish: Callable[[Before], Found | None]
) -> Stages | Found:
    """Move, refine and contract until a stage gains too little, as :func:`gains_little` says.

    Parameters
    ----------
    run, first
        The run, and the given graph, every vertex alone.
    singles : float or callable
        Modularity of single vertices; or what waits for it.
    finish : callable
        Is asked after every stage for all others in one launch; None if that cannot be.
    """
    return _stages(run, LeidenPhase(first), singles, singles, finish)


def most_cycles(run: Run) -> int:
    """Return the most cycles of a run.

    A record has one, and so has a reproducible run, which ends as its record, and a large graph.
    """
    single = run.recorder.args() or run.params.deterministic
    large = run.given.entries // run.copies > CYCLE_ENTRIES
    return 1 if single or large else MOST_CYCLES


def next_cycle(run: Run, first: FastPhase, reached: float) -> Stages | None:
    """Refine the communities of the given graph, and go on from their parts.

    Parameters
    ----------
    run, first
        The run, and the given graph with its communities.
    reached : float
        Their modularity.

    Returns
    -------
    Stages or None
        None if no vertices joined.
    """
    found = first.community, first.total
    separate(first)
    before = LeidenPhase(first, Carried(found[0], *found)).refine()
    smaller, strength, mapping, parts = contract(first)
    if smaller.n == first.stage.n:
        return None
    following = FastPhase(run, smaller, strength)
    first.tables.drop()
    phase = LeidenPhase(following, carry(first, before, smaller, mapping))
    stages = _stages(run, phase, reached, parts)
    assert isinstance(stages, Stages), "without `finish` all stages are here"
    return stages._replace(levels=[mapping, *stages.levels])


def _stages(
    run: Run,
    phase: LeidenPhase,
    before_moves: Later,
    before_parts: Later,
    finish: Callable[[Before], Found | None] | None = None,
) -> Stages | Found:
    """Do what :func:`leiden_stages` does, from a phase on.

    `before_moves` is the modularity of its communities, `before_parts` that of its vertices alone.
    Without `finish`, in a second cycle, a stage that gains little is not the last one while parts
    join.
    """
    params, device = run.params, run.device
    to_the_end = finish is None
    levels: list[Any] = []
    final = False
    while True:
        fast = phase.fast
        final = final or fast.live <= run.copies * params.bin_vertices
        threshold = params.t_final if final else params.t_bin
        device.report(f"stage {len(run.stages) + 1}, {counted(fast.stage.n, 'vertex')}")
        begin = device.moment()
        fast.optimise(before_moves, threshold)
        reached, singles = value_of(before_moves), value_of(before_parts)
        now = modularity(fast)
        while run.has_lost(now, reached) and phase.begin_again():
            fast.optimise(reached, threshold)
            now = modularity(fast)
        swept = device.moment()
        gained = now - reached
        given_up = gained < -ROUNDING  # simultaneous moves lost modularity
        little = gains_little(run, gained, threshold, now, final=final)
        last = given_up or (little and final and not to_the_end)
        final = final or little
        if given_up:
            fast.community = phase.start
        if not last:
            before = phase.refine()
            smaller, strength, mapping, parts = contract(fast)
            last = smaller.n == fast.stage.n or parts < singles - ROUNDING
            if last:
                fast.community, fast.total = before
        if last:
            divide(fast)
            communities, strength, mapping, parts = numbered(fast, singles)
        else:
            communities = smaller.n
            carried = carry(fast, before, smaller, mapping)
        run.stages.append(
            StageReport(
                vertices=fast.stage.n,
                entries=fast.stage.entries,
                sweeps=fast.sweeps,
                threshold=threshold,
                modularity=parts if last else now,
                communities=communities,
                given_up=given_up,
                optimise_seconds=(begin, swept),
                contract_seconds=(swept, device.moment()),
            )
        )
        levels.append(mapping)
        fast.tables.drop()
        if last:
            return Stages(levels, strength, parts)
        if finish is not None:
            found = finish(Before(levels, strength, now, smaller, carried, final))
            if found is not None:
                return found
        phase = LeidenPhase(FastPhase(run, smaller, strength), carried)
        before_moves, before_parts = now, parts
