"""Communities by the Louvain method on the GPU.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017 (also paper
III of Naim's thesis); the method is that of Blondel, Guillaume, Lambiotte, Lefebvre, "Fast
unfolding of communities in large networks", 2008.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import GraphError, ParameterError
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.compiles import compiles
from gpucore.families.communities.fast import FastPhase
from gpucore.families.communities.last import finish, fits
from gpucore.families.communities.leiden import leiden_stages
from gpucore.families.communities.paper import PaperPhase, strength_of
from gpucore.families.communities.part_certificate import certify_part
from gpucore.families.communities.record import active_lanes, communities_record
from gpucore.families.communities.refine import refine
from gpucore.families.communities.result import CommunityResult
from gpucore.families.communities.rules import Rules, resolve
from gpucore.families.communities.scratch import scratch_bytes
from gpucore.families.communities.stage import (
    ONES,
    Run,
    Stage,
    max_warps,
    put_on_device,
)
from gpucore.family import Algorithm
from gpucore.params import check_whole, check_word, is_number
from gpucore.problems.graph.part import GraphPart
from gpucore.record import Recorder

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph

#: Most sweeps of the refinement after the last stage, unless the caller says otherwise.
REFINING_SWEEPS = 3
#: Variants that have this refinement.
REFINED = ("fast", "leiden")
VARIANTS = ("fast", "leiden", "buckets", "relaxed", "node_centred")


@dataclass(frozen=True)
class LouvainParams:
    """Parameters of the Louvain method.

    Attributes
    ----------
    variant : {"fast", "leiden", "buckets", "relaxed", "node_centred"}
        Ours; ours with refinement (:mod:`gpucore.families.communities.leiden`); the paper's;
        communities updated once a sweep (section V); a thread for a vertex.
    t_bin, t_final : float
        A sweep that adds less modularity ends the phase: `t_bin` while the graph has more than
        `bin_vertices` vertices, or until a stage gains less than it; then `t_final`.
    bin_vertices : int
        See above.
    rule : {"paper", "ours"}
        When a phase ends, literally as the paper has it, or as we have it; "fast" and "leiden"
        always have ours.
    thresholds, counted, take_back, alternate, ease : optional
        Parts of the rule, each on its own; see
        :class:`gpucore.families.communities.rules.Rules`.
    resolution : float
        Weight of the expected edges in the modularity (gamma), over 0; the paper's method has 1.
    max_sweeps : int
        Most sweeps of one stage.
    refine : int, optional
        "fast" and "leiden": most sweeps of the given graph's vertices after the last stage, by
        default 3; 0 for none.
    watch_vertex : int
        Vertex whose hash table an event record shows; -1 none, -2 all.
    theta : float
        Randomness of the refinement in "leiden": a vertex joins a part with a probability
        proportional to exp(gain / theta), the gain in units of the edges' weights; 0: always the
        best part.
    refine_seed : int
        Seed of that choice, and of the coins that decide which vertices may join at a time.
    """

    variant: str = "fast"
    t_bin: float = 1e-2
    t_final: float = 1e-6
    bin_vertices: int = 100_000
    rule: str = "paper"
    thresholds: str | None = None
    counted: str | None = None
    take_back: bool | None = None
    alternate: bool | None = None
    ease: bool | None = None
    resolution: float = 1.0
    max_sweeps: int = 1000
    refine: int | None = None
    watch_vertex: int = -1
    theta: float = 0.0
    refine_seed: int = 0

    def __post_init__(self) -> None:
        check_word("louvain", "variant", self.variant, VARIANTS)
        for name in ("t_bin", "t_final"):
            value = getattr(self, name)
            if (
                not isinstance(value, int | float)
                or not is_number(value)
                or not 0.0 <= value <= 1.0
            ):
                raise ParameterError(f"{name} is {value!r}; a threshold lies between 0 and 1")
        if not is_number(self.resolution) or not 0.0 < self.resolution <= 1e6:
            raise ParameterError(f"resolution is {self.resolution!r}; use a number over 0")
        for name, least in (
            ("bin_vertices", 0),
            ("max_sweeps", 1),
            ("watch_vertex", -2),
        ):
            check_whole(name, getattr(self, name), least)
        if not is_number(self.theta) or not 0.0 <= self.theta <= 1e6:
            raise ParameterError(f"theta is {self.theta!r}; use a number of at least 0")
        check_whole("refine_seed", self.refine_seed, 0)
        if self.refine_seed >= 1 << 32:
            raise ParameterError(f"refine_seed is {self.refine_seed}; use one below 2^32")
        if self.variant != "leiden" and (self.theta or self.refine_seed):
            raise ParameterError(
                f"theta and refine_seed belong to the variant 'leiden', not {self.variant!r}"
            )
        if self.refine is not None:
            check_whole("refine", self.refine, 0)
        elif self.variant in REFINED:
            object.__setattr__(self, "refine", REFINING_SWEEPS)
        self._resolved()

    def _resolved(self) -> tuple[str, Rules]:
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(Rules)}
        return resolve(self.variant, self.rule, given)

    @property
    def rules(self) -> Rules:
        """All parts of the rule."""
        return self._resolved()[1]

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name, the rule and its parts as they are in effect."""
        rule, parts = self._resolved()
        return dataclasses.asdict(self) | {"rule": rule} | dataclasses.asdict(parts)


@dataclass
class Found:
    """What the stages found.

    Attributes
    ----------
    levels : list of array of int32
        The vertex of the next stage for every vertex of a stage.
    modularity : float
        Of the last partition.
    refined : array of int32, shape (n,), or None
        Community of every vertex after refinement, 0 to k - 1; None if it found nothing better.
    """

    levels: list[Any]
    modularity: float
    refined: Any = None


def run_stages(run: Run, stage: Stage) -> Found:
    """Optimise and contract until a stage gains less than the threshold; then "fast" refines.

    The paper does not say what follows where a large graph gains less than `t_bin`: here a stage
    with `t_final`.
    """
    levels: list[Any] = []
    params, rules = run.params, run.params.rules
    strength = strength_of(run.device, stage)
    if stage.kind == ONES:
        run.two_m = float(stage.entries)
    else:
        run.two_m = float(int(run.device.to_host(strength.sum())))
    if run.two_m == 0.0:
        return Found(levels, 0.0)
    reached = stage.loops / run.two_m
    reached -= params.resolution * float(((strength / run.two_m) ** 2).sum())
    if params.variant == "leiden":
        whole, levels, strength, reached = leiden_stages(run, stage, strength, reached)
        found = Found(levels, reached)
        return _refined(run, whole, found, len(levels), strength) if params.refine else found
    phase_of = FastPhase if params.variant == "fast" else PaperPhase
    device, final, first, known = run.device, False, None, 0
    while True:
        device.report(f"stage {len(run.stages) + 1}, {stage.n:,} vertices")
        begin = device.moment()
        phase: FastPhase | PaperPhase = phase_of(run, stage, strength)
        size = stage.n if rules.counted == "all" else phase.live
        final = final or size <= params.bin_vertices
        threshold = params.t_final if final else params.t_bin
        if final and isinstance(phase, FastPhase) and fits(run, stage):
            last = finish(run, phase, reached, threshold)
            if last is not None:
                levels += last.levels
                reached = last.modularity
                break
        phase.optimise(reached, threshold)
        swept = device.moment()
        smaller, after, mapping, now = phase.contract()
        run.stages.append(
            {
                "vertices": stage.n,
                "entries": stage.entries,
                "sweeps": phase.sweeps,
                "threshold": threshold,
                "modularity": now,
                "communities": smaller.n,
                "optimise_seconds": (begin, swept),
                "first_sweep_seconds": phase.first_sweep_seconds,
                "contract_seconds": (swept, device.moment()),
                "batches": phase.batches if isinstance(phase, FastPhase) else 1,
            }
        )
        if isinstance(phase, FastPhase) and params.refine and first is None:
            first = phase
            first.drop_tables()
            if first.batches > 1:  # the next stages need nearly all memory
                run.device.release_unused()
        if smaller.n == stage.n:  # no vertices were joined
            break
        if rules.take_back and now < reached:  # simultaneous moves lost modularity
            break
        levels.append(mapping)
        strength, known = after, len(levels)
        little = now - reached < rules.of_stage(threshold, now)
        stage, reached = smaller, now
        if little and final:
            break
        final = final or little
    if first is None or not levels:
        return Found(levels, reached)
    return _refined(run, first, Found(levels, reached), known, strength)


def _refined(run: Run, first: FastPhase, found: Found, known: int, strength: Any) -> Found:
    """Refine the partition, and log it as a stage of the given graph; see :func:`refine`."""
    run.device.report("refinement of the given graph's vertices")
    begin = run.device.moment()
    first.take_tables()
    levels, reached = found.levels, found.modularity
    refined = refine(first, levels, reached, known, strength)
    better = refined.modularity > reached
    run.stages.append(
        {
            "vertices": first.stage.n,
            "entries": first.stage.entries,
            "sweeps": refined.sweeps,
            "threshold": run.params.t_final,
            "modularity": max(refined.modularity, reached),
            "communities": refined.communities,
            "optimise_seconds": (begin, run.device.moment()),
            "first_sweep_seconds": None,
            "contract_seconds": 0.0,
            "refining": True,
            "taken_back": not better,
        }
    )
    if not better:
        return found
    return Found(levels, refined.modularity, refined.mapping)


def read_times(run: Run) -> None:
    """Turn pairs of moments in the log into seconds, when the run has ended.

    To read one earlier would let the device wait for the host.
    """
    for stage in run.stages:
        for name in ("optimise_seconds", "contract_seconds"):
            if isinstance(stage[name], tuple):
                stage[name] = run.device.seconds_between(*stage[name])


def run(
    graph: Graph | GraphPart,
    params: LouvainParams,
    *,
    device: Device,
    record: str,
    record_budget: int,
) -> CommunityResult:
    """Find communities; see :func:`gpucore.run`.

    Returns
    -------
    CommunityResult
        With the whole hierarchy; after refinement with one level.  The variants of the paper
        compute with integers, so their result is the same on every device and schedule.
    """
    if record == "events" and isinstance(graph, GraphPart):
        raise GraphError(
            "a record of events needs the graph on the host; load it with gpucore.load, or record "
            "counters only"
        )
    scratch = scratch_bytes(params.variant, graph.num_vertices, len(graph.indices), device)
    stage = put_on_device(graph, device, scratch)
    warps = min(max_warps(device), 4 * max(1, stage.n))
    recorder = Recorder(device, record, warps=warps, budget=record_budget)
    work = Run(device, recorder, params, 0.0, stage.unit)
    with device.timer() as timer:
        found = run_stages(work, stage)
    read_times(work)
    # Communities after refinement are not unions of the stages' parts.
    parts = found.levels if found.refined is None else [found.refined]
    composed = device.xp.arange(stage.n, dtype=np.int32) if not parts else parts[0]
    for mapping in parts[1:]:
        composed = mapping[composed]
    levels = tuple(device.to_host(mapping) for mapping in parts)
    community = levels[0] if len(parts) == 1 else device.to_host(composed)
    settings = params.settings()
    description = device.describe()
    raw = recorder.collect()
    return CommunityResult(
        algorithm="louvain",
        device=description,
        seconds=timer.seconds,
        figures={
            "modularity": found.modularity,
            "communities": int(community.max(initial=-1)) + 1,
            "levels": len(levels),
            "sweeps": sum(stage["sweeps"] for stage in work.stages),
            "stages": work.stages,
            **active_lanes(raw),
        },
        params=settings,
        record=communities_record(
            raw,
            graph,
            algorithm="louvain",
            params=settings,
            device=description,
            steps=work.steps,
            stages=work.stages,
            levels=[device.to_host(mapping) for mapping in found.levels if raw.level != "off"],
            community=community,
        ),
        community=community,
        levels=levels,
    )


def certify(graph: Graph, result: CommunityResult) -> Certificate:
    """Check the result with independent code.

    See :mod:`gpucore.families.communities.certificate`.
    """
    return certify_result(graph, result, connected=result.params.get("variant") == "leiden")


#: Readable names of the variants, on pages.
LABELS = {
    "fast": "Tuned for speed",
    "leiden": "Leiden: with refinement",
    "buckets": "Buckets by degree (the paper's)",
    "relaxed": "All vertices at once (relaxed)",
    "node_centred": "A thread for a vertex",
}

ALGORITHM = Algorithm(
    name="louvain",
    title="Louvain",
    source="IPDPS 2017, algorithms 1 to 3",
    params=LouvainParams,
    variants=VARIANTS,
    labels=LABELS,
    run=run,
    certify=certify,
    certify_part=certify_part,
    compiles=compiles,
    wide=("fast",),
)
